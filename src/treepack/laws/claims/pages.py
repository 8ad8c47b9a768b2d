"""What is skipped because it belongs to a page: page marks, and running headers and footers."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from treepack.laws.audit_context import Log, quoted
from treepack.laws.pieces import AuditedChunk
from treepack.laws.reading.parsed_source import read_blocks
from treepack.markdown.page_marks import GIVEN_PAGE_MARK as GIVEN
from treepack.markdown.page_marks import PAGE_FURNITURE as FURNITURE
from treepack.markdown.page_marks import PAGE_MARK, TEXT_FENCE, find_page_marks
from treepack.model.blocks import Span, code_spans
from treepack.model.source import BYTE_ORDER_MARK, LINE_END, Source
from treepack.outline.running_numbers import pages_by_running_numbers

_LONGEST: Final = 130  # characters of a line of furniture
_LEAST: Final = 10  # characters of two words that running headers share: a document's name
_NEAR: Final = 3  # lines from the edge of a page
_EDGES: Final = frozenset({"", "\n", "\r", "\f", BYTE_ORDER_MARK})  # "" is the edge of the text
_BLANKS: Final = " \t\f\u00a0\ufeff"
_NUMBER: Final = re.compile(r"\d|(?<!\w)[ivxlc]+(?!\w)", re.IGNORECASE)
_LINE: Final = re.compile(r"[^\r\n\f]+")


class _Line(NamedTuple):
    """A line that is neither blank nor a page mark.

    ``keys`` are its letters, and the two words at each end of it if they are long enough.
    """

    start: int
    end: int
    page: int
    keys: tuple[str, ...]


def known_marks(source: Source, start: int = 0, *, is_plain: bool = False) -> Mapping[Span, str]:
    """Return the page marks of a text and converters' comments, in order, each with its reason.

    Args:
        source: The text.
        start: Where its front matter ends.
        is_plain: Whether it is plain text, which has no code.
    """

    def code(text: str) -> list[Span]:
        view = replace(source, text=text)
        return code_spans(read_blocks(view, start, (), is_plain=False)[0])

    found = find_page_marks(source.text, None if is_plain else code, start=start)
    return {(begin, end): reason for begin, end, reason in found.gaps}


def find_hidden(
    source: Source, known: Mapping[Span, str], pieces: Sequence[AuditedChunk], log: Log
) -> list[Span]:
    """Return the spans that records skip because of pages, in order; a wrong one breaks law 1.

    A page mark must be one of the known marks. Lines that matched a given pattern are believed.
    Page furniture must be short and near the edge of a page, and have a number or occur again.
    """
    text = source.text
    claims = sorted(
        (entry.span, entry.reason, piece.index)
        for piece in pieces
        for entry in (piece.chunk.skipped if piece.chunk else ())
        if entry.reason in {PAGE_MARK, GIVEN, FURNITURE, TEXT_FENCE}
    )
    given = [span for span, reason, _ in claims if reason == GIVEN]
    is_printed = any(span not in known and reason == FURNITURE for span, reason, _ in claims)
    lines = list(_lines(source, [*known, *given])) if is_printed else []
    repeats = Counter(key for line in lines for key in set(line.keys))
    found: list[Span] = []
    for span, reason, index in claims:
        breach = ""
        if reason == FURNITURE and span not in known:
            breach = _breach(text, span, lines, repeats)
        elif known.get(span) != reason and not (reason == GIVEN and _is_line(text, *span)):
            breach = "it is not one"
        if breach:
            what = reason if reason == FURNITURE else f"a {reason.removeprefix('given ')}"
            said = f"skipped as {what}, but {breach}: {quoted(text[slice(*span)])}"
            log.found(1, said, span[0], index)
        elif not found or found[-1][1] <= span[0]:
            found.append(span)
    _check_absence(text, pieces, found, log)
    return found


def _check_absence(
    text: str, pieces: Sequence[AuditedChunk], hidden: Sequence[Span], log: Log
) -> None:
    """Check law 1: no chunk shows skipped text, neither in its body nor in its context."""
    ends = [end for _, end in hidden]
    for piece in pieces:
        for segment in piece.chunk.segments if piece.chunk else ():
            start, end = segment.span or (0, 0)
            place = bisect_right(ends, start)
            if place < len(hidden) and hidden[place][0] < end:
                said = quoted(text[slice(*hidden[place])])
                reason = f"skipped as part of a page, but is also in the chunk's text: {said}"
                log.found(1, reason, hidden[place][0], piece.index)


def _lines(source: Source, marks: Sequence[Span]) -> Iterator[_Line]:
    text = source.text
    marked = {start for start, end in marks if text[start:end].strip(_BLANKS)}
    feeds = (match.start() for match in re.finditer("\f", text))
    found = {*marked, *feeds, *(start for start, _ in source.page_marks)}
    edges = sorted(found or (start for start, _ in pages_by_running_numbers(text)))
    for match in _LINE.finditer(text):
        solid = match[0].strip(_BLANKS)
        if solid and match.start() not in marked:
            start = text.find(solid, match.start())
            letters = "".join(filter(str.isalpha, solid.casefold()))
            parts = solid.split()
            pairs = (" ".join(parts[:2]), " ".join(parts[-2:])) if len(parts) > 2 else ()  # noqa: PLR2004 - words
            keys = (letters, *(pair for pair in pairs if len(pair) >= _LEAST))
            yield _Line(start, start + len(solid), bisect_right(edges, start), keys)


def _is_line(text: str, start: int, end: int) -> bool:
    return not (_wrong_edge(text, start, end) or LINE_END.search(text, start, end))


def _wrong_edge(text: str, start: int, end: int) -> str:
    """Return why a span does not consist of whole lines; empty if it does."""
    if not 0 <= start < end <= len(text):
        return f"its span {start}:{end} is not within the source"
    if not {text[max(start - 1, 0) : start], text[start]} & _EDGES:
        return "it begins inside a line"
    if not {text[end : end + 1], text[end - 1]} & _EDGES:
        return "it ends inside a line"
    return ""


def _breach(text: str, span: Span, lines: Sequence[_Line], repeats: Counter[str]) -> str:
    """Return why a span cannot be page furniture; empty if it can."""
    start, end = span
    if reason := _wrong_edge(text, start, end):
        return reason
    for at in range(bisect_right(lines, start, key=lambda line: line.end), len(lines)):
        line, above, below = lines[at], at - _NEAR, at + _NEAR
        if line.start >= end:
            break
        if line.end - line.start > _LONGEST:
            return f"its line has more than {_LONGEST} characters"
        is_inside = above >= 0 and below < len(lines)
        if is_inside and lines[above].page == lines[below].page:
            return f"it is not within {_NEAR} lines of the edge of a page"
        is_numbered = _NUMBER.search(text, line.start, line.end) or not line.keys[0]
        if not is_numbered and all(repeats[key] == 1 for key in line.keys):
            return "it has no number and occurs only once"
    return ""
