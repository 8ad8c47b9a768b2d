"""Laws 1 and 2: nothing of the source is lost or doubled, and chunks are exact slices of it."""

from bisect import bisect_right
from typing import Final

from treepack.laws.case import Case, quoted
from treepack.laws.claims.marks import known_marks
from treepack.laws.pieces import Piece
from treepack.laws.reading.blocks import trimmed
from treepack.laws.reading.front_matter import front_matter_end
from treepack.laws.reading.reading import LINE_END
from treepack.model.blocks import Span
from treepack.model.chunk import Chunk

_BYTE_ORDER_MARK: Final = "\ufeff"
_OVERLAP_SLACK: Final = 8


def check_nothing_lost(case: Case) -> None:
    """Law 1: body spans and skipped spans hold every character that is not blank exactly once."""
    covered: list[Span] = []
    after = 0
    for piece in case.pieces:
        _check_repeated(case, piece)
        for start, end in _own_spans(piece, len(case.source.text)):
            if start < after:
                repeated = quoted(case.source.text[start : min(end, after)])
                reason = f"body that stands in an earlier chunk too, or out of order: {repeated}"
                case.log.found(1, reason, start, piece.index)
            after = max(after, end)
            covered.append((start, end))
    case.log.checked(1, len(covered))
    covered.sort()
    skipped = _skipped(case, covered)
    if not case.pieces:
        skipped += (0, front_matter_end(case.source.text)), *known_marks(case.source.text)
    _check_gaps(case, sorted([*covered, *skipped]))


def _own_spans(piece: Piece, length: int) -> list[Span]:
    if piece.chunk is None:
        return list(piece.spans)
    spans = [part.span for part in piece.chunk.segments if part.role == "body" and part.span]
    return [span for span in spans if 0 <= span[0] <= span[1] <= length]


def _check_repeated(case: Case, piece: Piece) -> None:
    if piece.repeated is None:
        return
    text = case.source.text[slice(*piece.repeated)]
    allowed = case.limits.overlap_tokens
    if not allowed:
        reason = f"repeats the source, though no overlap is allowed: {quoted(text)}"
        case.log.found(1, reason, piece.repeated[0], piece.index)
    elif (tokens := case.count(text)) > allowed + _OVERLAP_SLACK:
        reason = f"repeats {tokens} tokens where {allowed} are allowed: {quoted(text)}"
        case.log.found(1, reason, piece.repeated[0], piece.index)


def _skipped(case: Case, covered: list[Span]) -> list[Span]:
    """The spans that records say were left out; those that hold body are breaches."""
    found: list[Span] = []
    for piece in case.pieces:
        for skipped in piece.chunk.skipped if piece.chunk else ():
            start, end = skipped.span
            text = case.source.text[start:end]
            if not skipped.reason.strip():
                reason = f"skipped without a reason: {quoted(text)}"
                case.log.found(1, reason, start, piece.index)
            place = bisect_right(covered, (end - 1, len(case.source.text) + 1)) - 1
            if start < end and place >= 0 and covered[place][1] > start:
                reason = f"listed as skipped, but stands in a body: {quoted(text)}"
                case.log.found(1, reason, start, piece.index)
            found.append(skipped.span)
    return found


def _check_gaps(case: Case, spans: list[Span]) -> None:
    text = case.source.text
    after = 1 if text.startswith(_BYTE_ORDER_MARK) else 0
    for start, end in [*spans, (len(text), len(text))]:
        if start > after:
            lost = trimmed(text, after, start)
            if lost[0] < lost[1]:
                reason = f"{lost[1] - lost[0]} characters lost: {quoted(text[slice(*lost)])}"
                case.log.found(1, reason, lost[0])
        after = max(after, end)


def check_exact(case: Case) -> None:
    """Law 2: a chunk's text is its segments put together, and these are slices of the source."""
    for piece in case.pieces:
        case.log.checked(2)
        if piece.chunk is not None:
            _check_segments(case, piece.index, piece.chunk)
            _check_line_breaks(case, piece.index, piece.chunk)
        elif not piece.is_exact:
            reason = f"not an exact slice of the source: {quoted(piece.text)}"
            case.log.found(2, reason, piece.start if piece.spans else None, piece.index)


def _check_line_breaks(case: Case, index: int, chunk: Chunk) -> None:
    """If blanks between two bodies are left out, the line break among them must remain."""
    last: Span | None = None
    between = ""
    for segment in chunk.segments:
        if segment.role != "body" or segment.span is None:
            between += segment.text
            continue
        start = segment.span[0]
        gap = case.source.text[last[1] : start] if last else ""
        around = (
            between + segment.text[:1] + (case.source.text[last[1] - 1 : last[1]] if last else "")
        )
        if LINE_END.search(gap) and not LINE_END.search(around):
            text = quoted(case.source.text[start : segment.span[1]])
            case.log.found(2, f"the line break before {text} is lost", start, index)
        last, between = segment.span, ""


def _check_segments(case: Case, index: int, chunk: Chunk) -> None:
    if "".join(segment.text for segment in chunk.segments) != chunk.text:
        reason = f"the segments put together are not the text: {quoted(chunk.text)}"
        case.log.found(2, reason, None, index)
    for segment in chunk.segments:
        if segment.span is None:
            if segment.role == "body":
                reason = f"body without a span: {quoted(segment.text)}"
                case.log.found(2, reason, None, index)
            continue
        start, end = segment.span
        if not 0 <= start <= end <= len(case.source.text):
            reason = f"the span {start}:{end} is outside of the source"
            case.log.found(2, reason, None, index)
        elif case.source.original[start:end] != segment.text:
            reason = (
                f"{segment.role} {quoted(segment.text)} is not what its span holds:"
                f" {quoted(case.source.original[start:end])}"
            )
            case.log.found(2, reason, start, index)
