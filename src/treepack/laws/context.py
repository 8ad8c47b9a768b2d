"""What a chunk holds besides its body: it must belong to what the body is cut from."""

from collections.abc import Iterator, Sequence
from typing import Final

from treepack.laws.audit_context import AuditContext, quoted
from treepack.laws.chunks import AuditedChunk
from treepack.laws.reading.blocks import AuditBlock, trimmed
from treepack.laws.reading.titles import same_title
from treepack.model.blocks import Span
from treepack.model.chunk import Segment

_MOST_LABEL_WORDS: Final = 2  # words between an intro and its points; some laws print a label twice
_MARKERS: Final = " \t>-*+.)0123456789"


def check_context(audit: AuditContext) -> None:
    """Check laws 5 and 7 for the context of each record.

    Headings must be ancestors (law 7). Captions and rows must be those of a table in the chunk
    (law 5).
    """
    for chunk in audit.ordered_chunks:
        record = chunk.record
        if record is None or len(record.segments) == 1:
            continue
        tables = audit.source.tables_in(chunk.start, chunk.end)
        for segment in record.segments:
            span = segment.span
            is_wrong = span is not None and audit.source.original[slice(*span)] != segment.text
            if not is_wrong and segment.text.strip():  # law 2 finds wrong spans
                law, reason = _breach(audit, chunk, segment, tables) or (0, "")
                if law:
                    audit.add_finding(law, chunk, f"{reason}: {quoted(segment.text)}")


def _breach(
    audit: AuditContext, chunk: AuditedChunk, segment: Segment, tables: Sequence[AuditBlock]
) -> tuple[int, str] | None:
    span = trimmed(audit.source.text, *segment.span) if segment.span else None
    match segment.role:
        case "heading" if not _is_above(audit, chunk, segment.text, span):
            return 7, "repeats a text that is not a heading or an intro above the body"
        case "caption" if not any(
            same_title(segment.text, *audit.captions(table)) for table in tables
        ):
            return 5, "repeats a caption that belongs to no table in the chunk"
        # a made-up header has no span; law 5 parses the table that it makes
        case "table_header" if span and not any(_contains(table, span) for table in tables):
            return 5, "repeats header rows that belong to no table in the chunk"
        case _:
            return None


def _contains(block: AuditBlock, span: Span) -> bool:
    return block.start <= span[0] and span[1] <= block.end


def _is_above(audit: AuditContext, chunk: AuditedChunk, text: str, span: Span | None) -> bool:
    """Whether a text is from a heading above the body, or introduces the list around the body.

    The points around the body may take the place of the list, if they are paragraphs.
    """
    section = audit.source.section_at(chunk.start)
    path = section.path if section else []
    if span is None:
        return any(same_title(text.strip(" #"), above.title) for above in path)
    return (
        any(_contains(above.heading, span) for above in path)
        or any((intro.start, intro.end) == span for intro in _intros_around(audit, chunk.start))
        or _introduces_points(audit, span, chunk.start)
    )


def _intros_around(audit: AuditContext, position: int) -> Iterator[AuditBlock]:
    """Yield the intros of the lists that are open at a position."""
    for block in audit.source.blocks_at(position):
        intro = audit.source.intro_before(block)
        if intro is not None:
            yield intro


def _introduces_points(audit: AuditContext, span: Span, position: int) -> bool:
    """Whether a span is directly above points, apart from labels, that continue at a position."""
    points = audit.source.points_after(span[1])
    if points is None or not span[1] < position < points[1]:
        return False
    between = audit.source.text[span[1] : points[0]]
    line = audit.source.line_starts[audit.source.line_at(span[0])]
    is_line = not audit.source.text[line : span[0]].strip(_MARKERS)
    return is_line and len(between.split()) <= _MOST_LABEL_WORDS
