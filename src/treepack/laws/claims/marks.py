"""Page marks: the lines that may stand in no chunk, because they belong to a page."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from treepack.laws.audit_context import Log, quoted
from treepack.laws.pieces import Piece
from treepack.laws.reading.parsed_source import read_blocks
from treepack.markdown.page_marks import (
    GIVEN_PAGE_MARK,
    PAGE_FURNITURE,
    PAGE_MARK,
    find_page_marks,
)
from treepack.model.blocks import Span, code_spans
from treepack.model.chunk import Skipped
from treepack.model.source import BYTE_ORDER_MARK, LINE_END, Source

_BLANKS: Final = " \t\f"
_EDGES: Final = frozenset({"", "\n", "\r", BYTE_ORDER_MARK})  # nothing is the text's edge


def known_marks(source: Source, start: int = 0, *, is_plain: bool = False) -> Mapping[Span, str]:
    """The page marks of a text and its converters' comments, in order, with the reason.

    Args:
        source: The text.
        start: Where its front matter ends.
        is_plain: Whether it is plain text, which has no code.
    """

    def code() -> list[Span]:
        return code_spans(read_blocks(source, start, (), is_plain=False)[0])

    found = find_page_marks(source.text, None if is_plain else code, start=start)
    return {(begin, end): reason for begin, end, reason in found.gaps}


def find_marks(
    source: Source, known: Mapping[Span, str], pieces: Sequence[Piece], log: Log
) -> list[Span]:
    """The spans that records skip as page marks, in order; a wrong one breaks law 1.

    A mark is one that a text is known to have. Lines of a pattern that was given are believed.
    """
    text = source.text
    skipped = sorted(
        (entry.span, entry.reason, piece.index)
        for piece in pieces
        for entry in (piece.chunk.skipped if piece.chunk else ())
        if entry.reason in {PAGE_MARK, GIVEN_PAGE_MARK} or is_printed_comment(text, entry)
    )
    found: list[Span] = []
    for span, reason, index in skipped:
        if not (known.get(span) == reason or (reason == GIVEN_PAGE_MARK and _is_line(text, *span))):
            said = quoted(text[slice(*span)])
            what = PAGE_FURNITURE if reason == PAGE_FURNITURE else f"a {PAGE_MARK}"
            log.found(1, f"skipped as {what}, but is none: {said}", span[0], index)
        elif not found or found[-1][1] <= span[0]:
            found.append(span)
    check_absence(text, pieces, found, log, what=PAGE_MARK)
    return found


def is_printed_comment(text: str, skipped: Skipped) -> bool:
    """Whether a converter's comment is skipped that says what a page prints at head or foot."""
    span = text[slice(*skipped.span)]
    return skipped.reason == PAGE_FURNITURE and span.lstrip(_BLANKS).startswith("<!--")


def _is_line(text: str, start: int, end: int) -> bool:
    """Whether a span is a whole line, or stands at one edge of a line where it is blank."""
    if not 0 <= start < end <= len(text) or LINE_END.search(text, start, end):
        return False
    edges = text[max(start - 1, 0) : start] in _EDGES, text[end : end + 1] in _EDGES
    return all(edges) or (any(edges) and not text[start:end].strip(_BLANKS))


def check_absence(
    text: str, pieces: Sequence[Piece], marks: Sequence[Span], log: Log, *, what: str
) -> None:
    """Law 1: no chunk shows a page mark or page furniture, neither in its body nor in context."""
    ends = [end for _, end in marks]
    for piece in pieces:
        for start, end in _shown(piece):
            place = bisect_right(ends, start)
            if place < len(marks) and marks[place][0] < end:
                said = quoted(text[slice(*marks[place])])
                reason = f"the {what} {said} is skipped, but stands in its text"
                log.found(1, reason, marks[place][0], piece.index)


def _shown(piece: Piece) -> Iterator[Span]:
    for segment in piece.chunk.segments if piece.chunk else ():
        if segment.span is not None:
            yield segment.span
