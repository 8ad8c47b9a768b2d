"""Laws 1 and 2: nothing of the source is lost or repeated, and chunks are exact slices of it."""

from bisect import bisect_right
from collections.abc import Iterator

from treepack.display import counted
from treepack.laws.audit_context import SLACK, AuditContext, quoted
from treepack.laws.chunks import AuditedChunk
from treepack.laws.reading.blocks import trimmed
from treepack.model.blocks import Span
from treepack.model.chunk import Chunk
from treepack.model.source import BYTE_ORDER_MARK, LINE_END


def check_nothing_lost(audit: AuditContext) -> None:
    """Check law 1: body and skipped spans hold every non-whitespace character exactly once."""
    body_spans: list[Span] = []
    after = 0
    for chunk in audit.chunks:
        _check_repeated(audit, chunk)
        for start, end in _body_spans(chunk, len(audit.source.text)):
            if start < after:
                excerpt = quoted(audit.source.text[start : min(end, after)])
                reason = f"body text is also in an earlier chunk, or out of order: {excerpt}"
                audit.add_finding(1, chunk, reason, start)
            after = max(after, end)
            body_spans.append((start, end))
    audit.log.count_checked(1, len(body_spans))
    body_spans.sort()
    skipped = _skipped(audit, body_spans)
    if not audit.chunks:
        first = audit.source.blocks[:1]
        skipped += [(block.start, block.end) for block in first if block.kind == "front matter"]
    _check_gaps(audit, sorted([*body_spans, *skipped]))


def _body_spans(chunk: AuditedChunk, length: int) -> list[Span]:
    if chunk.record is None:
        return list(chunk.spans)
    return [span for span in chunk.raw_spans if 0 <= span[0] <= span[1] <= length]


def _check_repeated(audit: AuditContext, chunk: AuditedChunk) -> None:
    if chunk.repeated_span is None:
        return
    text = audit.source.text[slice(*chunk.repeated_span)]
    allowed = audit.limits.overlap_tokens
    tokens = audit.count(text) if allowed else 0
    reason = ""
    if not allowed:
        reason = "repeats text of earlier chunks, but no overlap is allowed"
    elif tokens > allowed + SLACK:
        reason = f"repeats {tokens} tokens of earlier chunks, but may repeat {allowed}"
    if reason:
        audit.add_finding(1, chunk, f"{reason}: {quoted(text)}", chunk.repeated_span[0])


def _skipped(audit: AuditContext, body_spans: list[Span]) -> list[Span]:
    """Return the spans that records list as skipped; a span that a body holds too is a breach."""
    spans: list[Span] = []
    for chunk in audit.chunks:
        for skipped in chunk.record.skipped if chunk.record else ():
            start, end = skipped.span
            excerpt = quoted(audit.source.text[start:end])
            if not skipped.reason.strip():
                audit.add_finding(1, chunk, f"skipped without a reason: {excerpt}", start)
            index = bisect_right(body_spans, (end - 1, len(audit.source.text) + 1)) - 1
            if start < end and index >= 0 and body_spans[index][1] > start:
                reason = f"listed as skipped, but is also in a body: {excerpt}"
                audit.add_finding(1, chunk, reason, start)
            spans.append(skipped.span)
    return spans


def _check_gaps(audit: AuditContext, spans: list[Span]) -> None:
    text = audit.source.text
    after = 1 if text.startswith(BYTE_ORDER_MARK) else 0
    for start, end in [*spans, (len(text), len(text))]:
        if start > after:
            lost = trimmed(text, after, start)
            if lost[0] < lost[1]:
                size = counted(lost[1] - lost[0], "character")
                where = f"{size} lost (offsets {lost[0]}:{lost[1]}), neither in a body nor skipped"
                reason = f"{where}: {quoted(text[slice(*lost)])}"
                audit.log.add_finding(1, reason, lost[0])
        after = max(after, end)


def check_exact(audit: AuditContext) -> None:
    """Check law 2: a chunk's text is its segments joined, and these are slices of the source."""
    for chunk in audit.chunks:
        audit.log.count_checked(2)
        if chunk.record is not None:
            for reason, position in _segment_breaches(audit.source.original, chunk.record):
                audit.log.add_finding(2, reason, position, chunk.index)
            _check_line_breaks(audit, chunk, chunk.record)
        elif not chunk.is_exact:
            audit.add_finding(2, chunk, f"not an exact slice of the source: {quoted(chunk.text)}")


def _check_line_breaks(audit: AuditContext, chunk: AuditedChunk, record: Chunk) -> None:
    """Check that a line break in whitespace left out between two body segments remains."""
    text = audit.source.text
    last: Span | None = None
    between = ""
    for segment in record.segments:
        if segment.role != "body" or segment.span is None:
            between += segment.text
            continue
        start = segment.span[0]
        around = between + segment.text[:1] + (text[last[1] - 1 : last[1]] if last else "")
        if last and LINE_END.search(text, last[1], start) and not LINE_END.search(around):
            excerpt = quoted(text[start : segment.span[1]])
            audit.add_finding(2, chunk, f"the line break before {excerpt} is lost", start)
        last, between = segment.span, ""


def _segment_breaches(original: str, record: Chunk) -> Iterator[tuple[str, int | None]]:
    """Yield what is wrong with the segments of a record, with its position in the source if any."""
    if "".join([segment.text for segment in record.segments]) != record.text:
        yield f"the joined segments are not the chunk's text: {quoted(record.text)}", None
    for segment in record.segments:
        if segment.span is None:
            if segment.role == "body":
                yield f"a body segment has no span: {quoted(segment.text)}", None
            continue
        start, end = segment.span
        if not 0 <= start <= end <= len(original):
            where = f"the span {start}:{end} of a {segment.role} segment"
            yield f"{where} is not within the source, 0:{len(original)}", None
        elif original[start:end] != segment.text:
            held_text = quoted(original[start:end])
            detail = f"the {segment.role} segment is {quoted(segment.text)}"
            yield f"{detail}, but its span {start}:{end} holds {held_text}", start
