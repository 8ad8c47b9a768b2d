"""What is skipped because it belongs to a page: page marks, and running headers and footers."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from treepack.laws.audit_context import Log, quoted
from treepack.laws.chunks import AuditedChunk
from treepack.laws.reading.parsed_source import read_blocks
from treepack.model.blocks import Span, code_spans
from treepack.model.source import BYTE_ORDER_MARK, LINE_END, Source
from treepack.pages.gaps import GIVEN_PAGE_MARK as GIVEN
from treepack.pages.gaps import PAGE_FURNITURE as FURNITURE
from treepack.pages.gaps import PAGE_MARK
from treepack.pages.marks import find_page_marks

_LONGEST_LINE: Final = 130  # characters of a line of furniture
_SHORTEST_PAIR: Final = 10  # characters of two words that running headers share: a document's name
_EDGE_LINES: Final = 3  # lines from the edge of a page
_LINE_EDGES: Final = frozenset({"", "\n", "\r", "\f", BYTE_ORDER_MARK})  # "": edge of the text
_WHITESPACE: Final = " \t\f\u00a0\ufeff"
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


def find_marks(source: Source, start: int, *, is_plain: bool) -> Mapping[Span, str]:
    """Return the page marks of a text and converters' comments, in order, each with its reason.

    Args:
        source: The text.
        start: Where its front matter ends.
        is_plain: Whether it is plain text, which has no code.
    """

    def code() -> list[Span]:
        return code_spans(read_blocks(source, start, (), is_plain=False)[0])

    _, gaps = find_page_marks(source, None if is_plain else code, start=start)
    return {(begin, end): reason for begin, end, reason in gaps}


def find_gaps(
    source: Source, page_marks: Mapping[Span, str], chunks: Sequence[AuditedChunk], log: Log
) -> list[Span]:
    """Return the spans that records skip because of pages, in order; a wrong one breaks law 1.

    A page mark must be one of the known marks. Lines that matched a given pattern are believed.
    Page furniture must be short and near the edge of a page, and have a number or occur again.
    """
    text = source.text
    claims = sorted(
        (entry.span, entry.reason, chunk.index)
        for chunk in chunks
        for entry in (chunk.record.skipped if chunk.record else ())
        if entry.reason in {PAGE_MARK, GIVEN, FURNITURE}
    )
    given = [span for span, reason, _ in claims if reason == GIVEN]
    is_furniture = any(span not in page_marks and reason == FURNITURE for span, reason, _ in claims)
    lines = list(_lines(source, [*page_marks, *given])) if is_furniture else []
    repeats = Counter(key for line in lines for key in set(line.keys))
    gaps: list[Span] = []
    for span, reason, index in claims:
        breach = ""
        if reason == FURNITURE and span not in page_marks:
            breach = _breach(text, span, lines, repeats)
        elif page_marks.get(span) != reason and not (reason == GIVEN and _is_line(text, *span)):
            breach = "it is not one"
        if breach:
            what = reason if reason == FURNITURE else f"a {reason.removeprefix('given ')}"
            detail = f"{breach}: {quoted(text[slice(*span)])}"
            log.add_finding(1, f"skipped as {what}, but {detail}", span[0], index)
        elif not gaps or gaps[-1][1] <= span[0]:
            gaps.append(span)
    _check_absence(text, chunks, gaps, log)
    return gaps


def _check_absence(
    text: str, chunks: Sequence[AuditedChunk], gaps: Sequence[Span], log: Log
) -> None:
    """Check law 1: no chunk shows skipped text, neither in its body nor in its context."""
    ends = [end for _, end in gaps]
    for chunk in chunks:
        for segment in chunk.record.segments if chunk.record else ():
            start, end = segment.span or (0, 0)
            index = bisect_right(ends, start)
            if index < len(gaps) and gaps[index][0] < end:
                skipped = quoted(text[slice(*gaps[index])])
                reason = f"skipped as part of a page, but is also in the chunk's text: {skipped}"
                log.add_finding(1, reason, gaps[index][0], chunk.index)


def _lines(source: Source, marks: Sequence[Span]) -> Iterator[_Line]:
    text = source.text
    mark_starts = {start for start, end in marks if text[start:end].strip(_WHITESPACE)}
    feeds = (match.start() for match in re.finditer("\f", text))
    page_starts = {*mark_starts, *feeds, *(start for start, _ in source.page_marks)}
    page_edges = sorted(page_starts)
    for match in _LINE.finditer(text):
        visible = match[0].strip(_WHITESPACE)
        if visible and match.start() not in mark_starts:
            start = text.find(visible, match.start())
            letters = "".join(filter(str.isalpha, visible.casefold()))
            words = visible.split()
            pairs = (" ".join(words[:2]), " ".join(words[-2:])) if len(words) > 2 else ()  # noqa: PLR2004 - words
            keys = (letters, *(pair for pair in pairs if len(pair) >= _SHORTEST_PAIR))
            yield _Line(start, start + len(visible), bisect_right(page_edges, start), keys)


def _is_line(text: str, start: int, end: int) -> bool:
    return not (_wrong_edge(text, start, end) or LINE_END.search(text, start, end))


def _wrong_edge(text: str, start: int, end: int) -> str:
    """Return why a span does not consist of whole lines; empty if it does."""
    if not 0 <= start < end <= len(text):
        return f"its span {start}:{end} is not within the source"
    if not {text[max(start - 1, 0) : start], text[start]} & _LINE_EDGES:
        return "it begins inside a line"
    if not {text[end : end + 1], text[end - 1]} & _LINE_EDGES:
        return "it ends inside a line"
    return ""


def _breach(text: str, span: Span, lines: Sequence[_Line], repeats: Counter[str]) -> str:
    """Return why a span cannot be page furniture; empty if it can."""
    start, end = span
    if reason := _wrong_edge(text, start, end):
        return reason
    for index in range(bisect_right(lines, start, key=lambda line: line.end), len(lines)):
        line, above, below = lines[index], index - _EDGE_LINES, index + _EDGE_LINES
        if line.start >= end:
            break
        if line.end - line.start > _LONGEST_LINE:
            return f"its line has more than {_LONGEST_LINE} characters"
        is_inside = above >= 0 and below < len(lines)
        if is_inside and lines[above].page == lines[below].page:
            return f"it is not within {_EDGE_LINES} lines of the edge of a page"
        is_numbered = _NUMBER.search(text, line.start, line.end) or not line.keys[0]
        if not is_numbered and all(repeats[key] == 1 for key in line.keys):
            return "it has no number and occurs only once"
    return ""
