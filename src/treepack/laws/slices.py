"""Laws 1 and 2: nothing of the source is lost or repeated, and chunks are exact slices of it."""

from bisect import bisect_right
from collections.abc import Iterator
from operator import itemgetter

from treepack.display import counted
from treepack.laws.chunks import AuditedChunk
from treepack.laws.judge import SLACK, Audit, quoted
from treepack.model.blocks import Span
from treepack.model.source import BYTE_ORDER_MARK, LINE_END


def check_nothing_lost(audit: Audit) -> None:
    """Check law 1: body and skipped spans hold every character that is not whitespace once."""
    length = len(audit.reading.text)
    bodies: list[Span] = []
    after = 0
    for chunk in audit.chunks:
        _check_repeated(audit, chunk)
        parts = [part.span for part in chunk.segments if part.role == "body" and part.span]
        for start, end in parts if chunk.record else chunk.spans:
            if 0 <= start <= end <= length:
                if start < after:
                    excerpt = quoted(audit.reading.text[start : min(end, after)])
                    reason = f"body text is also in an earlier chunk, or out of order: {excerpt}"
                    audit.find(1, chunk, reason, start)
                after = max(after, end)
                bodies.append((start, end))
    audit.log.checked[1] += len(bodies)
    _check_gaps(audit, bodies)


def _check_repeated(audit: Audit, chunk: AuditedChunk) -> None:
    """Check that a text of another tool repeats no more than the overlap that is allowed."""
    if chunk.repeated is not None:
        text = audit.reading.text[slice(*chunk.repeated)]
        tokens = audit.count(text)
        if not audit.overlap or tokens > audit.overlap + SLACK:
            reason = f"repeats {tokens} tokens of earlier chunks, but may repeat {audit.overlap}"
            audit.find(1, chunk, f"{reason}: {quoted(text)}", chunk.repeated[0])


def _check_gaps(audit: Audit, bodies: list[Span]) -> None:
    """Check that nothing is lost between the bodies and what the document skips."""
    text = audit.reading.document.source.text
    skipped = [(start, end) for start, end, _ in audit.reading.document.skipped]
    if not audit.chunks:  # front matter alone makes no chunk, even if it is kept in the text
        kept = (each for each in audit.reading.tops if each.kind == "front_matter")
        skipped += [(each.start, each.end) for each in kept]
    after = int(text.startswith(BYTE_ORDER_MARK))
    for start, end in sorted([*bodies, *skipped, (len(text), len(text))]):
        if start > after and (lost := text[after:start].strip()):
            at = text.index(lost, after)
            size = counted(len(lost), "character")
            where = f"{size} lost (offsets {at}:{at + len(lost)}), neither in a body nor skipped"
            audit.log.find(1, f"{where}: {quoted(lost)}", at)
        after = max(after, end)


def check_skipped(audit: Audit) -> None:
    """Check law 1: records list as skipped what the document does not hold, and show none of it."""
    source, skipped = audit.reading.document.source.text, audit.reading.document.skipped
    right = {((start, end), reason) for start, end, reason in skipped}
    gaps = [(start, end) for start, end, _ in skipped if start < end]
    records = [(chunk, chunk.record) for chunk in audit.chunks if chunk.record]
    listed: set[tuple[Span, str]] = set()
    for chunk, record in records:
        claims = {(each.span, each.reason) for each in record.skipped}
        listed |= claims
        for span, reason in sorted(claims - right):
            what = reason.strip() or "part without a reason"
            text = quoted(source[slice(*span)])
            audit.find(1, chunk, f"listed as skipped, but is no {what}: {text}", span[0])
        for start, end in [each.span for each in record.segments if each.span and gaps]:
            at = bisect_right(gaps, start, key=itemgetter(1))
            if at < len(gaps) and gaps[at][0] < end:
                text = quoted(source[slice(*gaps[at])])
                audit.find(1, chunk, f"skipped, but is also in the chunk's text: {text}", start)
    for span, reason in sorted(right - listed) if records else ():
        text = quoted(source[slice(*span)])
        audit.log.find(1, f"no record lists the {reason} as skipped: {text}", span[0])


def check_exact(audit: Audit) -> None:
    """Check law 2: a chunk's text is its segments joined, and these are slices of the source."""
    source = audit.reading.document.source.text
    for chunk in audit.chunks:
        audit.log.checked[2] += 1
        if chunk.record is None and not chunk.is_slice:
            audit.find(2, chunk, f"not an exact slice of the source: {quoted(chunk.text)}")
        for reason, position in _breaches(source, chunk) if chunk.record else ():
            audit.log.find(2, reason, position, chunk.number)


def _breaches(source: str, chunk: AuditedChunk) -> Iterator[tuple[str, int | None]]:
    """Yield what is wrong with the segments of a record, with its position in the source if any."""
    if "".join([segment.text for segment in chunk.segments]) != chunk.text:
        yield f"the joined segments are not the chunk's text: {quoted(chunk.text)}", None
    after, around = len(source), ""  # where the last body ended, and what stands around its end
    for segment in chunk.segments:
        around += segment.text[:1] if segment.role == "body" else segment.text
        if segment.span is None:
            if segment.role == "body":
                yield f"a body segment has no span: {quoted(segment.text)}", None
            continue
        start, end = segment.span
        if not 0 <= start <= end <= len(source):
            where = f"the span {start}:{end} of a {segment.role} segment"
            yield f"{where} is not within the source, 0:{len(source)}", None
        elif source[start:end] != segment.text:
            detail = f"the {segment.role} segment is {quoted(segment.text)}"
            yield f"{detail}, but its span holds {quoted(source[start:end])}", start
        if segment.role == "body":
            if LINE_END.search(source, after, start) and not LINE_END.search(around):
                yield f"the line break before {quoted(segment.text)} is lost", start
            after, around = end, source[end - 1 : end]
