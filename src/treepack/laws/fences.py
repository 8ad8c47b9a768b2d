"""Law 6: each piece of a code block is a code block, with the marker and the end of the whole."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from treepack.laws.audit_context import AuditContext, quoted
from treepack.laws.pieces import Piece
from treepack.laws.reading.blocks import Block
from treepack.laws.reading.chunk_text import ReadCode
from treepack.laws.reading.parsed_source import ParsedSource
from treepack.model.blocks import CodeBlock
from treepack.model.source import LINE_END

_SLACK: Final = 8
_NAMES: Final = {"fence": "code block", "code": "indented code", "math": "math block"}
_MATH: Final = "$$"
_MATH_END: Final = re.compile(r"\$\$(?:[ \t]*\([^()\r\n]*\))?[ \t]*\Z")  # a label may follow
_BLANKS: Final = " \t>"  # and the marks of quotes around


@dataclass(eq=False, slots=True)
class Code:
    """A code block of the source, line by line.

    Attributes:
        block: The block.
        marker: The opening marker; empty for indented code.
        info: What stands after it.
        lines: The content, with the marks of what it is nested in.
        first: The line of the source that the first of them stands in, from 0.
        is_closed: Whether it has its closing marker, if it needs one.
        closing: The line that closes a fence, as it is written; else the marker.
    """

    block: Block
    marker: str
    info: str
    lines: list[str]
    first: int
    is_closed: bool
    closing: str

    @classmethod
    def of(cls, source: ParsedSource, block: Block) -> "Code":
        """Read a code block."""
        node, first = block.node, source.line_of(block.start) - 1
        if not isinstance(node, CodeBlock):
            text = _MATH_END.sub("", source.text[block.start : block.end])
            lines = LINE_END.split(text.removeprefix(_MATH))
            return cls(block, _MATH, "", lines, first, is_closed=True, closing=_MATH)
        lines = LINE_END.split(source.text[source.line_starts[first] : block.end])
        content = lines[bool(node.fence) : len(lines) - node.closed]
        is_closed, closing = node.closed or not node.fence, node.fence
        if node.closed:
            closing = lines[-1].lstrip(_BLANKS)
        first += bool(node.fence)
        return cls(block, node.fence, node.info, content, first, is_closed, closing)

    @property
    def fences(self) -> str:
        """What each piece needs around its lines."""
        return f"{self.marker}{self.info}\n\n{self.closing}" if self.marker else ""


def check_fences(audit: AuditContext) -> None:
    """Law 6, for each fence, indented code and display math of the source."""
    for block in audit.source.codes:
        audit.log.checked(6)
        parts = audit.pieces_of(block)
        if len(parts) == 1 and parts[0].is_whole(block):
            continue
        code = Code.of(audit.source, block)
        if _is_mostly_marker(audit, code):
            continue
        for part in parts:
            if block.kind == "code" and _begins_inside_text(audit, part, block):
                continue
            for reason in _breaches(audit, code, part, is_last=part is parts[-1]):
                name = f"({_NAMES[block.kind]} {_opening(audit, block)})"
                position = max(part.start, block.start)
                audit.log.found(6, f"{reason} {name}", position, part.index)


def _opening(audit: AuditContext, block: Block) -> str:
    line = audit.source.line_of(block.start) - 1
    return quoted(audit.source.text[slice(*audit.source.span_of_lines(line, line + 1))])


def _is_mostly_marker(audit: AuditContext, code: Code) -> bool:
    """Whether the two fences alone take half the cap, so that no piece could have them.

    For nested code, the marks of its containers count too, because they are repeated.
    """
    cap = audit.limits.max_tokens
    fences = f"{code.marker}{code.info}\n\n{code.marker}" if code.marker else ""
    context = audit.marked_tokens(code.block.containers, fences)
    return cap is not None and context > 0 and context + _SLACK > cap / 2


def _is_closed_at_length(audit: AuditContext, code: Code) -> bool:
    """Whether no chunk could hold the closing fence, as it is written, below the opening one."""
    cap = audit.limits.max_tokens
    if cap is None or not code.is_closed or code.block.kind != "fence":
        return False
    return audit.marked_tokens(code.block.containers, code.fences) + _SLACK > cap


def _begins_inside_text(audit: AuditContext, part: Piece, code: Block) -> bool:
    """Whether a chunk begins in the middle of a block before indented code.

    The rest of that block may parse as another block: a line of a paragraph that begins with a
    number parses as a list item, a table's row without its header as a footnote. Without a fence,
    the code after it then belongs to that item or footnote.
    """
    segments = part.chunk.segments if part.chunk else ()
    overlaps = [each.span[0] for each in segments if each.role == "overlap" and each.span]
    start = min([part.start, *overlaps])
    block: Block | None = None
    inner = audit.source.blocks_in(start, start + 1)
    while inner:
        block = inner[0]
        rest = block.children if block.kind != "table" else ()
        inner = [child for child in rest if child.start <= start < child.end]
    return block is not None and block is not code and block.start < start


def _breaches(audit: AuditContext, code: Code, part: Piece, *, is_last: bool) -> Iterator[str]:
    held = _held_lines(audit, code, part)
    if held is None:
        if any(map(_solid, code.lines)) and not _is_closed_at_length(audit, code):
            yield "holds only a fence, none of the code"
        return
    first, after = held
    wanted = code.lines[first:after]
    same = (
        other
        for other in part.reading.codes
        if other.kind == code.block.kind
        and _agree(other.lines, wanted, has_overlap=part.has_overlap)
    )
    reasons = [_wrong_fence(code, other, is_last=is_last) for other in same]
    numbers = f"{code.first + first + 1}-{code.first + after}"
    if not reasons:
        yield f"its text has no such block with just the lines {numbers} {quoted(wanted[0])}"
    elif all(reasons):
        yield str(reasons[0])


def _solid(line: str) -> str:
    return line.strip(_BLANKS)


def _held_lines(audit: AuditContext, code: Code, part: Piece) -> tuple[int, int] | None:
    """Which lines of the content (half-open) a chunk's body holds some of."""
    found: list[int] = []
    block = code.block
    for start, end in part.share(block.start, block.end):
        first = audit.source.line_of(start) - 1 - code.first
        last = audit.source.line_of(end - 1) - 1 - code.first
        found += [max(first, 0), min(last, len(code.lines) - 1)]
    if not found or max(found) < 0:
        return None
    low, high = found[0], found[-1]
    while low <= high and not _solid(code.lines[low]):
        low += 1
    while high >= low and not _solid(code.lines[high]):
        high -= 1
    return (low, high + 1) if low <= high else None


def _agree(parsed: Sequence[str], wanted: Sequence[str], *, has_overlap: bool) -> bool:
    """Whether two contents are the same, apart from blank lines around and indentation.

    The first and the last line may be cut, or lack the blanks at their end.
    """
    mine, theirs = _without_blank_ends(parsed), _without_blank_ends(wanted)
    if has_overlap:
        mine = mine[max(len(mine) - len(theirs), 0) :]
    if len(mine) != len(theirs):
        return False
    for place in {0, len(mine) - 1}:
        if mine[place] and mine[place] in theirs[place]:
            mine[place] = theirs[place] = ""
    return mine == theirs


def _without_blank_ends(lines: Sequence[str]) -> list[str]:
    solid = list(map(_solid, lines))
    places = [place for place, line in enumerate(solid) if line]
    return solid[places[0] : places[-1] + 1] if places else []


def _wrong_fence(code: Code, other: ReadCode, *, is_last: bool) -> str | None:
    if other.marker != code.marker:
        return f"its fence is {quoted(other.marker)}, but should be {quoted(code.marker)}"
    if other.info != code.info:
        return f"its info string is {quoted(other.info)}, but should be {quoted(code.info)}"
    if not other.is_closed and (code.is_closed or not is_last):
        return "its fence is not closed"
    return None
