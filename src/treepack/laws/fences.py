"""Law 6: each piece of a code block is a code block with the original marker, and is closed."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from treepack.laws.audit_context import AuditContext, quoted
from treepack.laws.chunks import AuditedChunk
from treepack.laws.reading.blocks import AuditBlock
from treepack.laws.reading.chunk_text import ReadCode
from treepack.laws.reading.parsed_source import ParsedSource
from treepack.model.blocks import CodeBlock, Span
from treepack.model.source import LINE_END

_NAMES: Final = {"fence": "code block", "code": "indented code", "math": "math block"}
_MATH: Final = "$$"
_MATH_END: Final = re.compile(r"\$\$(?:[ \t]*\([^()\r\n]*\))?[ \t]*\Z")  # a label may follow
_QUOTE_MARKERS: Final = " \t>"  # whitespace, and the markers of quotes around the code


class Code:
    """A code block of the source.

    Attributes:
        kind: ``fence``, ``code`` or ``math``.
        containers: What it is nested in.
        marker: The opening marker; empty for indented code.
        info: The info string after the marker.
        first_line: The line of the source on which its content begins, from 0.
        is_closed: Whether it has its closing marker or needs none.
    """

    def __init__(self, source: ParsedSource, block: AuditBlock) -> None:
        node = block.node if isinstance(block.node, CodeBlock) else None
        self._source, self._block = source, block
        self._has_closing = node is not None and node.closed
        self.kind, self.containers = block.kind, block.containers
        self.marker, self.info = (node.fence, node.info) if node else (_MATH, "")
        self.first_line = source.line_at(block.start) + (block.kind == "fence")
        self.is_closed = self._has_closing or block.kind != "fence"

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the content, without the markers of quotes around it."""
        text = self._source.text_of(self._block)
        if self.kind == "math":
            text = _MATH_END.sub("", text).removeprefix(_MATH)
        quotes = sum(container.kind == "quote" for container in self.containers)
        quote_markers = re.compile(rf"(?:[ \t]*>){{0,{quotes}}}")
        first, *following = LINE_END.split(text)
        lines = [first, *(quote_markers.sub("", line, count=1) for line in following)]
        return lines[self.kind == "fence" : len(lines) - self._has_closing]

    @property
    def fences(self) -> str:
        """The fences that each piece needs around its lines; the closing one as it is written.

        The marker that closes math may have a label after it.
        """
        closing, source = self.marker, self._source
        last_line = source.text[slice(*source.line_span(source.line_at(self._block.end - 1)))]
        written = last_line.lstrip(_QUOTE_MARKERS)
        if self._has_closing or (self.kind == "math" and written.startswith(_MATH)):
            closing = written
        return f"{self.marker}{self.info}\n\n{closing}" if self.marker else ""


def check_fences(audit: AuditContext) -> None:
    """Check law 6 for each fence, indented code and display math of the source."""
    for block in audit.source.codes:
        audit.log.count_checked(6)
        chunks = audit.chunks_with(block)
        if len(chunks) == 1 and chunks[0].parses_as_in_source(block):
            continue
        code = Code(audit.source, block)
        if _are_fences_too_long(audit, code):
            continue
        for chunk in chunks:
            if block.kind == "code" and _begins_inside_text(audit, chunk, block):
                continue
            for breach in _breaches(audit, code, chunk, block, is_last=chunk is chunks[-1]):
                reason = f"{breach} ({_NAMES[block.kind]} {_quoted_first_line(audit, block)})"
                audit.add_finding(6, chunk, reason, max(chunk.start, block.start))


def _quoted_first_line(audit: AuditContext, block: AuditBlock) -> str:
    span = audit.source.line_span(audit.source.line_at(block.start))
    return quoted(audit.source.text[slice(*span)])


def _are_fences_too_long(audit: AuditContext, code: Code) -> bool:
    """Whether the two fences alone take half the cap, so that pieces need not repeat them.

    For nested code, the markers of its containers count too, because they are repeated.
    """
    fences = f"{code.marker}{code.info}\n\n{code.marker}" if code.marker else ""
    context = audit.count_inside(code.containers, fences)
    return context > 0 and audit.exceeds_share(context)


def _is_closing_fence_too_long(audit: AuditContext, code: Code) -> bool:
    """Whether no chunk could hold the opening fence with the closing fence as it is written."""
    if not code.is_closed or code.kind != "fence":
        return False
    return audit.exceeds_share(audit.count_inside(code.containers, code.fences), 1)


def _begins_inside_text(audit: AuditContext, chunk: AuditedChunk, code: AuditBlock) -> bool:
    """Whether a chunk begins in the middle of a block before indented code.

    The rest of that block may parse as another block: a line of a paragraph that begins with a
    number parses as a list item, a table's row without its header as a footnote. Indented code has
    no fence, so it then belongs to that item or footnote.
    """
    segments = chunk.record.segments if chunk.record else ()
    overlaps = [part.span[0] for part in segments if part.role == "overlap" and part.span]
    start = min([chunk.start, *overlaps])
    blocks = [block for block in audit.source.blocks_at(start) if block.kind != "row"]
    return bool(blocks) and blocks[-1] is not code and blocks[-1].start < start


def _breaches(
    audit: AuditContext, code: Code, chunk: AuditedChunk, block: AuditBlock, *, is_last: bool
) -> Iterator[str]:
    held_lines = _held_lines(audit, code, chunk, block)
    if held_lines is None:
        if any(map(str.strip, code.lines)) and not _is_closing_fence_too_long(audit, code):
            yield "holds only a fence and none of the code"
        return
    first, after = held_lines
    wanted = code.lines[first:after]
    parsed_codes = (
        read
        for read in chunk.parsed_text.codes
        if read.kind == code.kind and _same_lines(read.lines, wanted, has_overlap=chunk.has_overlap)
    )
    numbers = f"{code.first_line + first + 1}-{code.first_line + after}"
    lines = f"the lines {numbers}, which begin with {quoted(wanted[0])}"
    reason = f"its text, parsed alone, has no block of exactly {lines}"
    for number, parsed in enumerate(parsed_codes):
        breach = _wrong_fence(code, parsed, is_last=is_last)
        if breach is None:
            return
        reason = reason if number else breach
    yield reason


def _held_lines(
    audit: AuditContext, code: Code, chunk: AuditedChunk, block: AuditBlock
) -> Span | None:
    """Return the content lines that a chunk's body holds some of, without blank ones around.

    The range is half-open; None if there are no such lines.
    """
    line_at = audit.source.line_at
    lines = [
        line_at(offset) - code.first_line
        for start, end in chunk.spans_within(block.start, block.end)
        for offset in (start, end - 1)
    ]
    if not lines:
        return None
    held = range(max(lines[0], 0), min(lines[-1] + 1, len(code.lines)))
    solid = [line for line in held if code.lines[line].strip()]
    return (solid[0], solid[-1] + 1) if solid else None


def _same_lines(parsed: Sequence[str], wanted: Sequence[str], *, has_overlap: bool) -> bool:
    """Whether two contents are the same, apart from blank lines around them and indentation.

    The first and the last parsed line may be cut, or lack trailing whitespace.
    """
    lines, wanted_lines = _without_blank_ends(parsed), _without_blank_ends(wanted)
    if has_overlap:
        lines = lines[max(len(lines) - len(wanted_lines), 0) :]
    if len(lines) != len(wanted_lines):
        return False
    for index in {0, len(lines) - 1}:
        if lines[index] and lines[index] in wanted_lines[index]:
            lines[index] = wanted_lines[index] = ""
    return lines == wanted_lines


def _without_blank_ends(lines: Sequence[str]) -> list[str]:
    stripped = list(map(str.strip, lines))
    indexes = [index for index, line in enumerate(stripped) if line]
    return stripped[indexes[0] : indexes[-1] + 1] if indexes else []


def _wrong_fence(code: Code, parsed: ReadCode, *, is_last: bool) -> str | None:
    if parsed.marker != code.marker:
        return f"its fence is {quoted(parsed.marker)}, but should be {quoted(code.marker)}"
    if parsed.info != code.info:
        return f"its info string is {quoted(parsed.info)}, but should be {quoted(code.info)}"
    if not parsed.is_closed and (code.is_closed or not is_last):
        return "its fence is not closed"
    return None
