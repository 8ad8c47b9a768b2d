"""markdown-it's rule for block quotes, which reads the lazy lines of nested quotes only once.

After `> > > a`, lines that continue the paragraph without a ``>`` belong to all three quotes.
markdown-it reads them once for each quote, and checks at each line whether another block begins.
Here the second quote finds the end of these lines, and the quotes inside it jump there. The tokens
are the same (`tests/test_parser.py`).
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

from markdown_it.parser_block import RuleFuncBlockType
from markdown_it.rules_block import StateBlock

from treepack.markdown.prefixes import TAB

_LAZY: Final = -1  # markdown-it's indentation of a line that continues a paragraph
_LAZY_RUNS: Final = "treepack: where lazy lines of nested quotes end"


_Line: TypeAlias = tuple[int, int, int, int, int]
"""A line's number, and its begin, shift, indentation and column before a quote changed them."""


def blockquote(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read a block quote (CommonMark 5.1)."""
    marker = state.bMarks[start] + state.tShift[start]
    if state.is_code_block(start) or state.src[marker : marker + 1] != ">":
        return False
    if silent:
        return True
    changed: list[_Line] = []
    around = state.lineMax, state.parentType, state.blkIndent
    is_empty = _strip_marker(state, start, changed)
    state.parentType = "blockquote"
    after = _strip_markers(state, start + 1, end, changed, is_empty=is_empty)
    state.blkIndent = 0
    opening = state.push("blockquote_open", "blockquote", 1)
    opening.markup, opening.map = ">", [start, 0]
    state.md.block.tokenize(state, start, after)
    state.push("blockquote_close", "blockquote", -1).markup = ">"
    opening.map[1] = state.line
    state.lineMax, state.parentType, state.blkIndent = around
    _restore(state, changed)
    return True


def _strip_markers(
    state: StateBlock, line: int, end: int, changed: list[_Line], *, is_empty: bool
) -> int:
    """Take the ``>`` off each further line of a quote; return the line after the last one.

    Args:
        state: The parser's state, which has the lines.
        line: The second line of the quote.
        end: The line after the last one that may belong to it.
        changed: Collects each changed line as it was before.
        is_empty: Whether the previous line has nothing after its ``>``.
    """
    src, begins, shifts, indents = state.src, state.bMarks, state.tShift, state.sCount
    terminators = state.md.block.ruler.getRules("blockquote")
    while line < end:
        indent = indents[line]
        if indent <= _LAZY:  # the line is lazy in the quote around this one
            if is_empty:
                break
            line, is_ended = _lazy_end(state, line, end, terminators)
            if is_ended:
                return _terminated(state, line, changed)
            continue
        begin = begins[line] + shifts[line]
        if begin >= state.eMarks[line]:
            break
        if indent >= state.blkIndent and src[begin] == ">":
            is_empty = _strip_marker(state, line, changed)
        elif is_empty:
            break
        elif _begins_block(state, line, end, terminators):
            return _terminated(state, line, changed)
        else:
            changed.append((line, begins[line], shifts[line], indent, state.bsCount[line]))
            indents[line] = _LAZY
        line += 1
    return line


def _lazy_end(
    state: StateBlock, start: int, end: int, terminators: Sequence[RuleFuncBlockType]
) -> tuple[int, bool]:
    """Return the line after a run of lazy lines, and whether it is also lazy but begins a block."""
    runs: dict[int, tuple[int, bool]] = state.env.setdefault(_LAZY_RUNS, {})
    if start not in runs:
        line, is_ended = start, False
        while line < end and state.sCount[line] <= _LAZY and not is_ended:
            is_ended = _begins_block(state, line, end, terminators)
            line += not is_ended
        runs[start] = line, is_ended
    after, is_ended = runs[start]
    return (after, is_ended) if after < end else (end, False)


def _begins_block(
    state: StateBlock, line: int, end: int, terminators: Sequence[RuleFuncBlockType]
) -> bool:
    """Whether a block that ends a quote's paragraph begins on a line."""
    for rule in terminators:  # noqa: SIM110 - runs for each line
        if rule(state, line, end, True):
            return True
    return False


def _terminated(state: StateBlock, line: int, changed: list[_Line]) -> int:
    """End the quote before a line that begins another block; return that line."""
    state.lineMax = line
    if state.blkIndent:  # markdown-it counts the line's indentation relative to the quote's
        begin, shift = state.bMarks[line], state.tShift[line]
        changed.append((line, begin, shift, state.sCount[line], state.bsCount[line]))
        state.sCount[line] -= state.blkIndent
    return line


def _strip_marker(state: StateBlock, line: int, changed: list[_Line]) -> bool:
    """Take a line's ``>`` and one column of space off; return whether nothing is left."""
    src, end = state.src, state.eMarks[line]
    begin, shift = state.bMarks[line], state.tShift[line]
    indent, column = state.sCount[line], state.bsCount[line]
    changed.append((line, begin, shift, indent, column))
    begin, indent = begin + shift + 1, indent + 1
    follows = src[begin : begin + 1]
    is_part = False  # whether that column is part of a tab, whose other columns are indentation
    state.bsCount[line] = indent + (follows in {" ", "\t"})
    if follows == "\t":
        is_part = (column + indent) % TAB != TAB - 1
    if follows == " " or (follows == "\t" and not is_part):
        begin, indent = begin + 1, indent + 1
    at, offset = begin, indent
    while at < end and src[at] in " \t":
        offset += TAB - (offset + column + is_part) % TAB if src[at] == "\t" else 1
        at += 1
    state.bMarks[line], state.tShift[line], state.sCount[line] = begin, at - begin, offset - indent
    return at >= end


def _restore(state: StateBlock, changed: list[_Line]) -> None:
    for line, begin, shift, indent, column in changed:
        state.bMarks[line], state.tShift[line] = begin, shift
        state.sCount[line], state.bsCount[line] = indent, column
    state.env.pop(_LAZY_RUNS, None)
