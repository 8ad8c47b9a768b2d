"""Law 6: each piece of a code block is a code block with the original marker, and is closed."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from treepack.laws.audit_context import AuditContext, quoted
from treepack.laws.pieces import AuditedChunk
from treepack.laws.reading.blocks import AuditBlock
from treepack.laws.reading.chunk_text import ReadCode
from treepack.laws.reading.parsed_source import ParsedSource
from treepack.model.blocks import CodeBlock, Span
from treepack.model.source import LINE_END

_NAMES: Final = {"fence": "code block", "code": "indented code", "math": "math block"}
_MATH: Final = "$$"
_MATH_END: Final = re.compile(r"\$\$(?:[ \t]*\([^()\r\n]*\))?[ \t]*\Z")  # a label may follow
_BLANKS: Final = " \t>"  # whitespace, and the markers of quotes around the code


class Code:
    """A code block of the source.

    Attributes:
        kind: ``fence``, ``code`` or ``math``.
        containers: What it is nested in.
        marker: The opening marker; empty for indented code.
        info: The info string after the marker.
        first: The line of the source on which its content begins, from 0.
        is_closed: Whether it has its closing marker or needs none.
    """

    def __init__(self, source: ParsedSource, block: AuditBlock) -> None:
        node = block.node if isinstance(block.node, CodeBlock) else None
        self._source, self._block, self._has_last = source, block, node is not None and node.closed
        self.kind, self.containers = block.kind, block.containers
        self.marker, self.info = (node.fence, node.info) if node else (_MATH, "")
        self.first = source.line_of(block.start) - 1 + (block.kind == "fence")
        self.is_closed = self._has_last or block.kind != "fence"

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the content, without the markers of quotes around it."""
        text = self._source.text[self._block.start : self._block.end]
        if self.kind == "math":
            text = _MATH_END.sub("", text).removeprefix(_MATH)
        quotes = sum(each.kind == "quote" for each in self.containers)
        marks = re.compile(rf"(?:[ \t]*>){{0,{quotes}}}")
        first, *further = LINE_END.split(text)
        lines = [first, *(marks.sub("", line, count=1) for line in further)]
        return lines[self.kind == "fence" : len(lines) - self._has_last]

    @property
    def fences(self) -> str:
        """The fences that each piece needs around its lines; the closing one as it is written.

        The marker that closes math may have a label after it.
        """
        closing, source = self.marker, self._source
        last = source.line_of(self._block.end - 1)
        written = source.text[slice(*source.span_of_lines(last - 1, last))].lstrip(_BLANKS)
        if self._has_last or (self.kind == "math" and written.startswith(_MATH)):
            closing = written
        return f"{self.marker}{self.info}\n\n{closing}" if self.marker else ""


def check_fences(audit: AuditContext) -> None:
    """Check law 6 for each fence, indented code and display math of the source."""
    for block in audit.source.codes:
        audit.log.checked(6)
        parts = audit.pieces_of(block)
        if len(parts) == 1 and parts[0].is_whole(block):
            continue
        code = Code(audit.source, block)
        if _is_mostly_marker(audit, code):
            continue
        for part in parts:
            if block.kind == "code" and _begins_inside_text(audit, part, block):
                continue
            for reason in _breaches(audit, code, part, block, is_last=part is parts[-1]):
                said = f"{reason} ({_NAMES[block.kind]} {_opening(audit, block)})"
                audit.breach(6, part, said, max(part.start, block.start))


def _opening(audit: AuditContext, block: AuditBlock) -> str:
    line = audit.source.line_of(block.start) - 1
    return quoted(audit.source.text[slice(*audit.source.span_of_lines(line, line + 1))])


def _is_mostly_marker(audit: AuditContext, code: Code) -> bool:
    """Whether the two fences alone take half the cap, so that pieces need not repeat them.

    For nested code, the markers of its containers count too, because they are repeated.
    """
    fences = f"{code.marker}{code.info}\n\n{code.marker}" if code.marker else ""
    context = audit.marked_tokens(code.containers, fences)
    return context > 0 and audit.fills(context)


def _is_closed_at_length(audit: AuditContext, code: Code) -> bool:
    """Whether no chunk could hold the opening fence with the closing fence as it is written."""
    if not code.is_closed or code.kind != "fence":
        return False
    return audit.fills(audit.marked_tokens(code.containers, code.fences), 1)


def _begins_inside_text(audit: AuditContext, part: AuditedChunk, code: AuditBlock) -> bool:
    """Whether a chunk begins in the middle of a block before indented code.

    The rest of that block may parse as another block: a line of a paragraph that begins with a
    number parses as a list item, a table's row without its header as a footnote. Indented code has
    no fence, so it then belongs to that item or footnote.
    """
    segments = part.chunk.segments if part.chunk else ()
    overlaps = [each.span[0] for each in segments if each.role == "overlap" and each.span]
    start = min([part.start, *overlaps])
    block: AuditBlock | None = None
    inner = audit.source.blocks_in(start, start + 1)
    while inner:
        block = inner[0]
        rest = block.children if block.kind != "table" else ()
        inner = [child for child in rest if child.start <= start < child.end]
    return block is not None and block is not code and block.start < start


def _breaches(
    audit: AuditContext, code: Code, part: AuditedChunk, block: AuditBlock, *, is_last: bool
) -> Iterator[str]:
    held = _held_lines(audit, code, part, block)
    if held is None:
        if any(map(str.strip, code.lines)) and not _is_closed_at_length(audit, code):
            yield "holds only a fence and none of the code"
        return
    first, after = held
    wanted = code.lines[first:after]
    same = (
        other
        for other in part.reading.codes
        if other.kind == code.kind and _agree(other.lines, wanted, has_overlap=part.has_overlap)
    )
    numbers = f"{code.first + first + 1}-{code.first + after}"
    lines = f"the lines {numbers}, which begin with {quoted(wanted[0])}"
    reason = f"its text, parsed alone, has no block of exactly {lines}"
    for count, other in enumerate(same):
        wrong = _wrong_fence(code, other, is_last=is_last)
        if wrong is None:
            return
        reason = reason if count else wrong
    yield reason


def _held_lines(
    audit: AuditContext, code: Code, part: AuditedChunk, block: AuditBlock
) -> Span | None:
    """Return the content lines that a chunk's body holds some of, without blank ones around.

    The range is half-open; None if there are no such lines.
    """
    line_of = audit.source.line_of
    found = [
        line_of(at) - 1 - code.first
        for start, end in part.share(block.start, block.end)
        for at in (start, end - 1)
    ]
    if not found or max(found) < 0:
        return None
    low, high = max(found[0], 0), min(found[-1], len(code.lines) - 1)
    while low <= high and not code.lines[low].strip():
        low += 1
    while high >= low and not code.lines[high].strip():
        high -= 1
    return (low, high + 1) if low <= high else None


def _agree(parsed: Sequence[str], wanted: Sequence[str], *, has_overlap: bool) -> bool:
    """Whether two contents are the same, apart from blank lines around them and indentation.

    The first and the last parsed line may be cut, or lack trailing whitespace.
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
    solid = list(map(str.strip, lines))
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
