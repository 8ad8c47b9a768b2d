"""What records say about the source: it must be what a reading of the source says."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from operator import itemgetter

from treepack.laws.chunks import AuditedChunk
from treepack.laws.judge import Audit, quoted
from treepack.model.blocks import Span
from treepack.model.chunk import Chunk


def check_claims(audit: Audit) -> None:
    """Check law 7 for changed headings and markup, law 4 for lines, pages and clauses."""
    records = [chunk.record for chunk in audit.chunks if chunk.record]
    for chunk in audit.chunks:
        for reason in _breaches(audit, chunk, chunk.record) if chunk.record and chunk.spans else ():
            audit.find(4, chunk, reason)
    if not any(record.index == 0 for record in records):
        return  # only the document's first chunk says how the source was read
    document, source = audit.reading.document, audit.reading.document.source
    listed = {change for record in records for change in record.outline_changes}
    for change in listed ^ {*document.outline_changes}:
        where = f"the heading {quoted(change.title)} of line {change.line}"
        how = f"level {change.old_level} becomes {change.new_level}, because {change.reason}"
        missing = "source" if change in listed else "record"
        is_line = 1 <= change.line <= source.line_count
        at = source.line_starts[change.line - 1] if is_line else None
        audit.log.find(7, f"{where}: {how}; but the {missing} does not say so", at)
    if document.is_plain != any(record.markup == "plain" for record in records):
        audit.log.find(7, f"the text was read as {document.markup}, but the records differ", 0)


def _breaches(audit: Audit, chunk: AuditedChunk, record: Chunk) -> Iterator[str]:
    """Yield which claims about the body are not true; whitespace around it may count or not."""
    source, clauses = audit.reading.document.source, audit.reading.clauses
    lines = [
        (source.line_at(start) + 1, source.line_at(max(end - 1, 0)) + 1)
        for start in {chunk.start, chunk.raw[0]}
        for end in {chunk.end, chunk.raw[1]}
    ]
    if record.lines not in lines:
        first, last = min(lines)
        yield f"lines are {record.lines[0]}-{record.lines[1]}, but should be {first}-{last}"
    pages = tuple(sorted({*_pages(audit, chunk.spans)}))
    if record.pages != pages:
        yield f"pages are {record.pages}, but should be {pages}"
    claimed = (record.clause_number, record.clause_path, record.clauses)
    first, after = (bisect_left(audit.reading.clause_starts, at) for at in (chunk.start, chunk.end))
    inner = tuple(clause.number for clause in clauses[first:after])
    around = [clauses.cited_at(start, chunk.end) for start in (chunk.raw[0], chunk.start)]
    right = [(each.number, each.path, inner) if each else (None, (), inner) for each in around]
    if claimed not in right:
        yield f"clauses are {claimed}, but should be {right[0]}"


def _pages(audit: Audit, spans: Sequence[Span]) -> Iterator[int]:
    """Yield the pages on which the spans have text; text before the first mark has no page."""
    marks, text = audit.reading.document.source.page_marks, audit.reading.text
    for start, end in spans if marks else ():
        first = max(bisect_right(marks, start, key=itemgetter(0)) - 1, 0)
        for number in range(first, bisect_left(marks, end, key=itemgetter(0))):
            stop = marks[number + 1][0] if number + 1 < len(marks) else end
            if text[max(marks[number][0], start) : min(stop, end)].strip():
                yield marks[number][1]
