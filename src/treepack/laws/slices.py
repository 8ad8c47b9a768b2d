"""Laws 1 and 2: nothing of the source is lost or repeated, and chunks are exact slices of it."""

from bisect import bisect_right

from treepack.display import counted
from treepack.laws.audit_context import SLACK, AuditContext, quoted
from treepack.laws.pieces import AuditedChunk
from treepack.laws.reading.blocks import trimmed
from treepack.model.blocks import Span
from treepack.model.chunk import Chunk
from treepack.model.source import BYTE_ORDER_MARK, LINE_END


def check_nothing_lost(audit: AuditContext) -> None:
    """Check law 1: body and skipped spans hold every non-whitespace character exactly once."""
    covered: list[Span] = []
    after = 0
    for piece in audit.pieces:
        _check_repeated(audit, piece)
        for start, end in _own_spans(piece, len(audit.source.text)):
            if start < after:
                said = quoted(audit.source.text[start : min(end, after)])
                reason = f"body text is also in an earlier chunk, or out of order: {said}"
                audit.breach(1, piece, reason, start)
            after = max(after, end)
            covered.append((start, end))
    audit.log.checked(1, len(covered))
    covered.sort()
    skipped = _skipped(audit, covered)
    if not audit.pieces:
        first = audit.source.blocks[:1]
        skipped += [(block.start, block.end) for block in first if block.kind == "front matter"]
    _check_gaps(audit, sorted([*covered, *skipped]))


def _own_spans(piece: AuditedChunk, length: int) -> list[Span]:
    if piece.chunk is None:
        return list(piece.spans)
    return [span for span in piece.body_segments if 0 <= span[0] <= span[1] <= length]


def _check_repeated(audit: AuditContext, piece: AuditedChunk) -> None:
    if piece.repeated is None:
        return
    text = audit.source.text[slice(*piece.repeated)]
    allowed = audit.limits.overlap_tokens
    tokens = audit.count(text) if allowed else 0
    if not allowed:
        reason = f"repeats text of earlier chunks, but no overlap is allowed: {quoted(text)}"
        audit.breach(1, piece, reason, piece.repeated[0])
    elif tokens > allowed + SLACK:
        said = f"repeats {tokens} tokens of earlier chunks, but may repeat {allowed}"
        reason = f"{said}: {quoted(text)}"
        audit.breach(1, piece, reason, piece.repeated[0])


def _skipped(audit: AuditContext, covered: list[Span]) -> list[Span]:
    """Return the spans that records list as skipped; a span that a body holds too is a breach."""
    found: list[Span] = []
    for piece in audit.pieces:
        for skipped in piece.chunk.skipped if piece.chunk else ():
            start, end = skipped.span
            said = quoted(audit.source.text[start:end])
            if not skipped.reason.strip():
                audit.breach(1, piece, f"skipped without a reason: {said}", start)
            place = bisect_right(covered, (end - 1, len(audit.source.text) + 1)) - 1
            if start < end and place >= 0 and covered[place][1] > start:
                reason = f"listed as skipped, but is also in a body: {said}"
                audit.breach(1, piece, reason, start)
            found.append(skipped.span)
    return found


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
                audit.log.found(1, reason, lost[0])
        after = max(after, end)


def check_exact(audit: AuditContext) -> None:
    """Check law 2: a chunk's text is its segments joined, and these are slices of the source."""
    for piece in audit.pieces:
        audit.log.checked(2)
        if piece.chunk is not None:
            _check_segments(audit, piece, piece.chunk)
            _check_line_breaks(audit, piece, piece.chunk)
        elif not piece.is_exact:
            audit.breach(2, piece, f"not an exact slice of the source: {quoted(piece.text)}")


def _check_line_breaks(audit: AuditContext, piece: AuditedChunk, chunk: Chunk) -> None:
    """Check that a line break in whitespace left out between two body segments remains."""
    text = audit.source.text
    last: Span | None = None
    between = ""
    for segment in chunk.segments:
        if segment.role != "body" or segment.span is None:
            between += segment.text
            continue
        start = segment.span[0]
        around = between + segment.text[:1] + (text[last[1] - 1 : last[1]] if last else "")
        if last and LINE_END.search(text, last[1], start) and not LINE_END.search(around):
            said = quoted(text[start : segment.span[1]])
            audit.breach(2, piece, f"the line break before {said} is lost", start)
        last, between = segment.span, ""


def _check_segments(audit: AuditContext, piece: AuditedChunk, chunk: Chunk) -> None:
    original = audit.source.original
    if "".join([segment.text for segment in chunk.segments]) != chunk.text:
        reason = f"the joined segments are not the chunk's text: {quoted(chunk.text)}"
        audit.log.found(2, reason, None, piece.index)
    for segment in chunk.segments:
        if segment.span is None:
            if segment.role == "body":
                reason = f"a body segment has no span: {quoted(segment.text)}"
                audit.log.found(2, reason, None, piece.index)
            continue
        start, end = segment.span
        if not 0 <= start <= end <= len(original):
            where = f"the span {start}:{end} of a {segment.role} segment"
            reason = f"{where} is not within the source, 0:{len(original)}"
            audit.log.found(2, reason, None, piece.index)
        elif original[start:end] != segment.text:
            held = quoted(original[start:end])
            said = f"the {segment.role} segment is {quoted(segment.text)}"
            reason = f"{said}, but its span {start}:{end} holds {held}"
            audit.breach(2, piece, reason, start)
