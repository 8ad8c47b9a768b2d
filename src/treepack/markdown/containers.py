"""Containers between lines of colons (``:::``), as a rule for markdown-it.

The rule of mdit-py-plugins looks at each line for the closing one, again in each container inside
another. Here the lines that can close one are found once for a text.
"""

import re
from bisect import bisect_right
from typing import Final

from markdown_it.rules_block import StateBlock

_OPENING: Final = re.compile(r"(:{3,})([^\n]*)")
_CLOSING: Final = re.compile(r"(:{3,})[ \t]*$", re.MULTILINE)
_CLOSINGS: Final = "treepack: where lines of colons may close a container"


def container(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read a container up to its closing line, or up to the end of what it stands in."""
    begin = state.bMarks[start] + state.tShift[start]
    match = _OPENING.match(state.src, begin, state.eMarks[start])
    if match is None or state.is_code_block(start):
        return False
    if silent:
        return True
    after = _left(state, start, end)
    closing = _closing_line(state, start, after, len(match[1]))
    after = after if closing is None else closing
    around = state.parentType, state.lineMax
    state.parentType, state.lineMax = "container", after
    token = state.push("container_container_open", "div", 1)
    token.markup, token.info, token.map = match[1], match[2], [start, after]
    token.block = True
    state.md.block.tokenize(state, start + 1, after)
    state.push("container_container_close", "div", -1).block = True
    state.parentType, state.lineMax = around
    state.line = after + (closing is not None)
    return True


def _left(state: StateBlock, start: int, end: int) -> int:
    """The first line that is outside of the item or quote around a container; ``end`` if none."""
    if min(state.sCount[start + 1 : end], default=0) >= state.blkIndent:
        return end
    return next(
        (
            line
            for line in range(start + 1, end)
            if state.sCount[line] < state.blkIndent and not state.isEmpty(line)
        ),
        end,
    )


def _closing_line(state: StateBlock, start: int, after: int, marks: int) -> int | None:
    """The line that closes a container of so many colons, before ``after``."""
    if _CLOSINGS not in state.env:
        state.env[_CLOSINGS] = [
            (match.start(), len(match[1])) for match in _CLOSING.finditer(state.src)
        ]
    closings: list[tuple[int, int]] = state.env[_CLOSINGS]
    at = bisect_right(closings, (state.eMarks[start], 0))
    for begin, count in closings[at:]:
        line = bisect_right(state.bMarks, begin, 0, len(state.bMarks) - 1) - 1
        if line >= after:
            return None
        is_alone = state.bMarks[line] + state.tShift[line] == begin
        if is_alone and count >= marks and not state.is_code_block(line):
            return line
    return None
