"""The markdown parser: how its tokens are asked for.

Only the block level is parsed; inline parsing costs as much again and is needed only for the plain
text of headings and header cells. One top-level block is tokenized at a time, so that the tokens
(20 bytes for each byte of text) never stand all in memory. What can be read in one way only does
not come here, see `document.scanner`.
"""

import re
from itertools import accumulate
from typing import Final, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.common.utils import normalizeReference
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.table import escapedSplit
from markdown_it.token import Token

from treepack.document.block_rules import (
    MATH_MARK,
    OPEN_MATH,
    markdown_parser,
    parser_for,
    rules_at,
)
from treepack.document.lines import Lines

_HAS_MARKUP: Final = re.compile(r"[\\`*_\[\]<>&!$\n\r]")
# Anchors and escaped punctuation are the markup of most headings; no parser is needed for them.
_SIMPLE: Final = re.compile(
    r"""
    (?P<text>[^\\`*_\[\]<>&!$\n\r]+)
    | \\(?P<escaped>[!-/:-@\[-`{-~])
    | </?[A-Za-z][A-Za-z0-9-]*(?:[ ]+[A-Za-z_:][A-Za-z0-9_.:-]*="[^"<>\n\r]*")*[ ]*/?>
    """,
    re.VERBOSE,
)
_TEXT_TOKENS: Final = {"text", "code_inline", "image", "math_inline", "text_special"}
_FIRST_LINES: Final = 16
_LINES_WITH_MATH: Final = 1024
_GROWTH: Final = 6  # of the lines that are given where a block does not end among them
_LOOKED_AHEAD: Final = 2  # lines with text that decide where a block ends: a table has two


class _State(StateBlock):
    """markdown-it's state with its table of lines made in fewer steps."""

    def __init__(self, src: str, md: MarkdownIt) -> None:
        super().__init__("", md, {}, [])
        self.src = src
        lines = src.split("\n")[:-1]
        self.bMarks = [0, *accumulate([len(line) + 1 for line in lines])]
        self.eMarks = [start - 1 for start in self.bMarks[1:]]
        self.eMarks.append(len(src))
        self.tShift = [len(line) - len(line.lstrip(" \t")) for line in lines]
        self.sCount = (
            [
                len(line[:shift].expandtabs(4)) if shift else 0
                for line, shift in zip(lines, self.tShift, strict=True)
            ]
            if "\t" in src
            else self.tShift.copy()
        )
        self.tShift.append(0)
        self.sCount.append(0)
        self.bsCount = [0] * len(self.bMarks)
        self.lineMax = len(lines)


class _Given(NamedTuple):
    """Lines that markdown-it was given, and its state with them."""

    first: int
    behind: int
    state: StateBlock | None


class BlockTokenizer:
    """Gives the tokens of single top-level blocks.

    markdown-it makes a table of all lines that it is given. So it is given some, and more only
    where the block does not surely end among them; the blocks that follow begin among the same.

    Args:
        lines: The text.
        references: Takes the link definitions on; `plain_text` wants them.
    """

    def __init__(self, lines: Lines, references: dict[str, object]) -> None:
        self.lines = lines
        self.references = references
        self._given = _Given(0, 0, None)

    def tokens_at(self, line: int) -> tuple[list[Token], int, int]:
        """The tokens of the block on a line that is not blank.

        Returns:
            The tokens, the line that their lines count from, and the line behind the block.
        """
        if self._given.first <= line < self._given.behind and (found := self._found(line)):
            return found
        lines, size = self.lines, _FIRST_LINES
        while True:
            behind = min(line + size, lines.count)
            given = lines.between(line, behind)
            if size < _LINES_WITH_MATH and MATH_MARK in given:  # mostly closed far away
                size = _LINES_WITH_MATH
                continue
            state = _State(given, parser_for(given))
            self._given = _Given(line, behind, state)
            if found := self._found(line):
                return found
            size = lines.count if state.env[OPEN_MATH] else _GROWTH * size

    def _found(self, line: int) -> tuple[list[Token], int, int] | None:
        """What `tokens_at` gives, if the block surely ends among the lines that are given."""
        first, last, state = self._given
        assert state is not None, "lines are given"
        definitions: dict[str, object] = {}
        state.env["references"] = definitions
        state.env[OPEN_MATH] = False
        tokens, behind = self._first_block(state, line - first)
        behind += first
        if last < self.lines.count:
            following = self.lines.line_at(self.lines.next_text(self.lines.start_of(behind)))
            if following + _LOOKED_AHEAD > last or state.env[OPEN_MATH]:
                return None
        for label, definition in definitions.items():
            self.references.setdefault(label, definition)  # the first of a label counts
        return tokens, first, behind

    def _first_block(self, state: StateBlock, line: int) -> tuple[list[Token], int]:
        """A round of the loop of markdown-it's ``ParserBlock.tokenize``."""
        tokens: list[Token] = []
        state.tokens = tokens
        state.line = line
        silent = False
        for rule in rules_at(state.md, state.src[state.bMarks[line] + state.tShift[line]]):
            if rule(state, line, state.lineMax, silent):
                break
        assert state.line > line, "the paragraph rule takes any line"
        return tokens, state.line


def define(label: str, destination: str, references: dict[str, object]) -> None:
    """Add a link definition to those known: the first of a label counts, and titles are no text."""
    references.setdefault(normalizeReference(label), {"title": "", "href": destination})


def row_cells(row: str) -> list[str]:
    """The inline content of a GFM row's cells, and what stands outside of its outer pipes."""
    return escapedSplit(row)


def plain_text(content: str, references: dict[str, object]) -> str:
    """The text of inline content without its markup, white space folded.

    Args:
        content: What stands in a heading or a cell.
        references: The link definitions, as markdown-it's ``env`` has them.
    """
    if _HAS_MARKUP.search(content):
        simple = _simple_text(content)
        content = _inline_text(content, references) if simple is None else simple
    return " ".join(content.split())


def _inline_text(content: str, references: dict[str, object]) -> str:
    parts: list[str] = []
    for token in (
        markdown_parser().parseInline(content, {"references": references})[0].children or []
    ):
        if token.type in _TEXT_TOKENS:
            parts.append(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            parts.append(" ")
    return "".join(parts)


def _simple_text(content: str) -> str | None:
    """Plain text of content with no markup but tags and escapes; None where there is other."""
    parts: list[str] = []
    position = 0
    for match in _SIMPLE.finditer(content):
        if match.start() != position:
            return None
        parts.append(match["text"] or match["escaped"] or "")
        position = match.end()
    return "".join(parts) if position == len(content) else None
