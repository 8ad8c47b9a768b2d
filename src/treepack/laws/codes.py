"""Law 6: each piece of a code block is a code block with the original marker, and is closed."""

import re
from typing import Final

from treepack.laws.chunks import AuditedChunk
from treepack.laws.judge import Audit, quoted
from treepack.laws.reading import Code, Place
from treepack.model.blocks import CodeBlock, MathBlock, Table
from treepack.model.source import LINE_END, LINE_TEXT

_MATH: Final = "$$"
_MATH_END: Final = re.compile(r"\$\$(?:[ \t]*\([^()\r\n]*\))?[ \t]*\Z")  # a label may follow


def check_fences(audit: Audit) -> None:
    """Check law 6 for each piece of code and of math."""
    for place, code in audit.reading.framed:
        if isinstance(code, Table):
            continue
        audit.log.checked[6] += 1
        chunks = audit.chunks_with(code)
        if len(chunks) == 1 and chunks[0].parses_as_source(place):
            continue
        marks = fences(code)
        if marks and audit.is_above_half(audit.count_inside(place, marks)):
            audit.log.marks[6]["fence left out"] += len(chunks) > 1
            continue
        for chunk in chunks:
            if reason := _breach(audit, place, code, chunk, is_last=chunk is chunks[-1]):
                line = quoted(audit.reading.text[slice(*audit.reading.line_span(code.start))])
                at = max(chunk.start, code.start)
                audit.find(6, chunk, f"{reason} (code block {line})", at)


def fences(code: Code) -> str:
    """Return the markers that each piece needs around its lines; empty for indented code."""
    if isinstance(code, MathBlock):
        return f"{_MATH}\n\n{_MATH}"
    return f"{code.fence}{code.info}\n\n{code.fence}" if code.fence else ""


def _breach(
    audit: Audit, place: Place, code: Code, chunk: AuditedChunk, *, is_last: bool
) -> str | None:
    """Return what is wrong with a chunk's piece of a code block, or None."""
    quotes = sum(holder.block.kind == "quote" for holder in place.holders)
    lines = _lines(audit.reading.text, code, quotes)
    held = [*chunk.spans_within(code.start, code.end)]
    wanted = [line for at, end, line in lines if any(at < b and a < end for a, b in held)]
    if not wanted:
        return "holds only a fence and none of the code" if lines else None
    reason = f"its text, parsed alone, has no block of just the lines from {quoted(wanted[0])} on"
    for piece in chunk.framed:
        if not isinstance(piece, Table) and piece.kind == code.kind:
            found = [line for *_, line in _lines(chunk.text, piece, quotes)]
            if _same_lines(found, wanted, has_overlap=chunk.has_overlap):
                wrong = _wrong_fence(code, piece, is_last=is_last)
                if wrong is None:
                    return None
                reason = wrong
    return reason


def _lines(text: str, code: Code, quotes: int) -> list[tuple[int, int, str]]:
    """Return the lines of a code block that are not blank: start, end, and the text.

    The text is without whitespace around it, and without the markers of ``quotes`` quotes.
    """
    start, end = code.start, code.end
    if isinstance(code, MathBlock):
        start = text.index(_MATH, start) + len(_MATH)
        closing = _MATH_END.search(text, start, end)
        end = closing.start() if closing else end
    elif code.fence:
        line_end = LINE_END.search(text, start, end)
        start = line_end.end() if line_end else end
        end = max(text.rfind("\n", 0, end), text.rfind("\r", 0, end)) if code.closed else end
    markers = re.compile(rf"(?:[ \t]*>){{0,{quotes}}}")
    lines: list[tuple[int, int, str]] = []
    for match in LINE_TEXT.finditer(text, start, end):
        line = match[0] if match.start() == code.start else markers.sub("", match[0], count=1)
        lines += [(*match.span(), line.strip())] if line.strip() else []
    return lines


def _same_lines(lines: list[str], wanted: list[str], *, has_overlap: bool) -> bool:
    """Whether lines are those wanted; the first and the last may be parts, overlap may precede."""
    lines = lines[-len(wanted) :] if has_overlap else lines
    if len(lines) != len(wanted):
        return False
    ends = {0, len(lines) - 1}
    is_end = has_overlap and lines[0].endswith(wanted[0])
    return all(
        line == right or (at in ends and line in right) or (at == 0 and is_end)
        for at, (line, right) in enumerate(zip(lines, wanted, strict=True))
    )


def _wrong_fence(code: Code, piece: Code, *, is_last: bool) -> str | None:
    if not isinstance(code, CodeBlock) or not isinstance(piece, CodeBlock):
        return None
    if piece.fence != code.fence:
        return f"its fence is {quoted(piece.fence)}, but should be {quoted(code.fence)}"
    if piece.info != code.info:
        return f"its info string is {quoted(piece.info)}, but should be {quoted(code.info)}"
    is_open = code.fence and not piece.closed and (code.closed or not is_last)
    return "its fence is not closed" if is_open else None
