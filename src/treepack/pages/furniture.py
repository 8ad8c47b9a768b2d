"""Page furniture: running headers and footers, and page numbers, in a text with page marks.

A line is furniture if it is at the edge of its page and either repeats there from page to page,
apart from its numbers, or has the page's number. A bare label (``CHAPTER``, ``Appendix B``) is the
first line of a title and never furniture. Furniture belongs to the page and not to the text, like
page marks. If a paragraph continues across it, the blank lines around it are skipped as well.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import pairwise
from operator import attrgetter
from typing import Final, NamedTuple

from treepack.model.blocks import Span
from treepack.model.source import LINE_END, Lines, Source, TextLine
from treepack.numbers.words import KIND_OF_WORD, OF_TOTAL, PAGE_WORD, any_word
from treepack.pages.gaps import PAGE_FURNITURE, Gap, with_gaps
from treepack.pages.marks import ANCHOR, find_page_marks

NEAR_PAGES: Final = 2
"""The most pages from a running header to the next: it may appear on left pages only."""
_LONGEST_LINE: Final = 130  # characters of a line of furniture
_HEADERS: Final = 2  # lines at a page's top that may be headers
_FOOTERS: Final = 3
_FEWEST: Final = 3  # pages, also those on which a line must repeat; more by shares of the pages
_REPEATED_SHARE: Final = 0.08
_WHOLE_SHARE: Final = 0.4  # for the header of the whole document, and for printed page numbers
_LONGEST_PAGE_NUMBER: Final = 6  # characters: the digits of a page number, and punctuation
SHORTEST_SENTENCE: Final = 20  # characters; a word or two under a heading need no full stop
_SENTENCE_END: Final = frozenset(".:;!?…。：；！？")
_START: Final = attrgetter("start")
_LINE_REST: Final = re.compile(r"[^\r\n\f]*")
_AROUND: Final = " \t.,:;|·•–—-"  # a number in a running header
# Digits, or a word of roman numerals; `re` is fast if a pattern begins with a character class.
_NUMBER: Final = re.compile(r"[\divxlc](?:(?<=\d)\d*|(?<!\w.)[ivxlc]*(?!\w))")
_SEPARATE_NUMBER: Final = re.compile(r"(?<!\S)(\d{1,4})(?!\S)")
_NO_WORD: Final = r"[^\w`{}<>=+]*"  # and no punctuation of code
_NUMBER_ALONE: Final = re.compile(
    rf"{_NO_WORD}(?:(?:{PAGE_WORD})\s+)?(?:\d{{1,4}}|[ivxlc]{{1,7}})"
    rf"(?:\s*(?:{OF_TOTAL})\s*\d+)?{_NO_WORD}",
    re.IGNORECASE,
)
_NUMBER_AT_EDGE: Final = re.compile(r"^\d{1,4}\s+\S|\S\s+\d{1,4}$")
_LABEL_OR_LEADERS: Final = re.compile(
    rf"(?:{any_word(KIND_OF_WORD)})\s*[\dA-Z]{{0,5}}[.:]?\Z|.*(?:\.\s?){{4,}}", re.IGNORECASE
)
_NO_LINE_OF_TEXT: Final = re.compile(r"\||#{1,6}\s|!\[")  # table row, heading, image


class _EdgeLine(NamedTuple):
    """A line at the edge of a page."""

    text: str
    line: TextLine
    page: int  # counted from 0
    is_top: bool
    depth: int  # how many lines are between it and the edge
    words: str  # its letters, without those of roman numerals

    @property
    def page_shifts(self) -> set[tuple[bool, int]]:
        """The first and last number minus the page's index; constant for printed page numbers."""
        numbers = _SEPARATE_NUMBER.findall(self.text)
        return {(self.is_top, int(number) - self.page) for number in numbers[:1] + numbers[-1:]}


def find_furniture(source: Source, rows: Lines, marks: Sequence[Gap]) -> list[Span]:
    """Return the spans of page furniture, in order; a span may include page marks between lines.

    Args:
        source: The text, with its page marks.
        rows: Its lines.
        marks: The gaps for page marks; their lines do not count as lines of a page.
    """
    if len(source.page_marks) < _FEWEST:
        return []
    lines, all_lines, after = list[TextLine](), rows.all, 0
    for start, end, _ in [*marks, (len(source.text), 0, "")]:
        first = bisect_left(all_lines, start, after, key=_START)
        lines += all_lines[after:first]
        after = bisect_left(all_lines, end, first, key=_START)
    starts = [line.start for line in lines]
    breaks = [bisect_left(starts, offset) for offset, _ in source.page_marks]
    bounds = pairwise([0, *breaks, len(lines)])
    pages = [lines[first:after] for first, after in bounds if first < after]
    # If most pages have a single line, that line is their text.
    if len(pages) < _FEWEST or 2 * (len(lines) - len(pages)) < len(pages):
        return []
    furniture = _Edges(source.text, pages).furniture()
    return list(_spans(source.text, lines, furniture)) if furniture else []


def _letters(text: str) -> str:
    """Return the letters of a text, casefolded."""
    return "".join(filter(str.isalpha, unicodedata.normalize("NFKC", text).casefold()))


def _edges(text: str, pages: Sequence[Sequence[TextLine]]) -> Iterator[_EdgeLine]:
    for number, page in enumerate(pages):
        headers = min(_HEADERS, (len(page) + 1) // 2)
        footers = min(_FOOTERS, len(page) - headers)
        for is_top, lines in ((True, page[:headers]), (False, page[: -footers - 1 : -1])):
            for depth, line in enumerate(lines):
                content = text[line.start : line.end]
                if len(content) <= _LONGEST_LINE and not _NO_LINE_OF_TEXT.match(content):
                    words = _letters(_NUMBER.sub("0", content))
                    yield _EdgeLine(content, line, number, is_top, depth, words)


class _Edges:
    """What the lines at the edges of all pages show together."""

    def __init__(self, text: str, pages: Sequence[Sequence[TextLine]]) -> None:
        self._edges = list(_edges(text, pages))
        self._pages = len(pages)
        # How often short lines appear inside pages. Lines that end with a digit do not count,
        # because contents also list the titles that are used as running headers.
        self._times_inside = Counter(
            [
                text[start:end].casefold()
                for page in pages
                for start, end, *_ in page[_HEADERS : max(len(page) - _FOOTERS, 0)]
                if end - start <= _LONGEST_LINE
            ]
        )
        shifts = Counter(shift for edge in self._edges for shift in edge.page_shifts)
        counting = {s for s, count in shifts.items() if count >= self._fewest(_WHOLE_SHARE)}
        self._running = {edge.line for edge in self._edges if edge.page_shifts & counting}
        """The lines with a number that counts up with the pages."""
        self._numbered = {edge.page for edge in self._edges if edge.line in self._running}
        self._times = Counter((edge.is_top, edge.text) for edge in self._edges)
        self._throughout: set[TextLine] = set()
        self._near: set[TextLine] = set()
        self._find_repeated()

    def furniture(self) -> set[TextLine]:
        """Return the lines that are furniture.

        A line that repeats throughout, or whose number counts up with the pages, may be inside
        lines that are not furniture. Any other line is furniture only if the lines between it and
        the page's edge are.
        """
        furniture: set[TextLine] = set()
        depths: Counter[tuple[int, bool]] = Counter()  # of the first line that is not furniture
        for edge in self._edges:
            side = (edge.page, edge.is_top)
            is_outermost = edge.depth == depths[side]
            if self._makes_furniture(edge, is_outermost=is_outermost):
                furniture.add(edge.line)
                depths[side] += is_outermost
        return furniture

    def _fewest(self, share: float) -> float:
        return max(_FEWEST, share * self._pages)

    def _makes_furniture(self, edge: _EdgeLine, *, is_outermost: bool) -> bool:
        """Whether a line is furniture, given whether all lines outside it are."""
        text, is_running = edge.text, edge.line in self._running
        if _LABEL_OR_LEADERS.match(text):
            return False
        if _NUMBER_ALONE.fullmatch(text):
            # A page number of a few digits with punctuation; a letter may be text.
            is_short = len(text) <= _LONGEST_PAGE_NUMBER and any(map(str.isdigit, text))
            is_often = self._times[edge.is_top, text] >= self._fewest(_REPEATED_SHARE)
            is_other = edge.page in self._numbered and not is_often  # of a clause or code line
            return is_running or (is_outermost and is_short and not is_other)
        is_near = is_outermost and edge.line in self._near
        has_page_number = is_running and not edge.depth and _NUMBER_AT_EDGE.search(text)
        return edge.line in self._throughout or is_near or bool(has_page_number)

    def _find_repeated(self) -> None:
        """Find the lines that repeat at the same edge, throughout or on near pages.

        The first line of a run at the top may be the title that later pages repeat. If the line
        occurs at least as often inside pages as in the run, all of it is text.
        """
        alike: dict[tuple[bool, str], dict[int, _EdgeLine]] = defaultdict(dict)  # by page
        for edge in self._edges:
            if len(edge.words) > _FEWEST:
                alike[edge.is_top, edge.words].setdefault(edge.page, edge)
        for (is_top, _), lines_by_page in alike.items():
            lines = list(lines_by_page.values())
            names = {_NUMBER.sub("", line.text).strip(_AROUND).casefold() for line in lines}
            inside = sum(self._times_inside[name] for name in names)
            is_throughout = len(lines) >= self._fewest(_REPEATED_SHARE)
            if not is_throughout and _is_sentence(lines[0].text):
                continue
            steps = [after - before for before, after in pairwise(lines_by_page)]
            longest = self._pages if is_throughout else NEAR_PAGES
            cuts = [at for at, step in enumerate(steps, 1) if step > longest]
            for start, end in pairwise([0, *cuts, len(lines)]):
                is_enough = 1 in steps[start : end - 1] or end - start >= _FEWEST
                if is_enough and inside < end - start:
                    found = self._throughout if is_throughout else self._near
                    is_of_all = lines[start].page > 0 and len(lines) > _WHOLE_SHARE * self._pages
                    has_title = is_top and not inside and not is_of_all
                    found.update(edge.line for edge in lines[start + has_title : end])


def _is_sentence(text: str) -> bool:
    """Whether a line is a sentence or a part of one."""
    return text[0].islower() or text[-1] == "."


# -------------------------------------------------------------------- what is skipped with it


def _spans(
    text: str, lines: Sequence[TextLine], furniture: AbstractSet[TextLine]
) -> Iterator[Span]:
    """Yield the spans of furniture, with all that separates the two lines of a split paragraph."""
    before: TextLine | None = None
    waiting: list[Span] = []
    for line in lines:
        if line in furniture:
            waiting.append(_whole_line(text, line))
            continue
        if waiting:
            joined = _span_between(text, before, line) if before else None
            yield from [joined] if joined else waiting
            waiting = []
        before = line
    yield from waiting


def _whole_line(text: str, line: TextLine) -> Span:
    """Return the span of a line without its end, but with a form feed at its edge."""
    start, after = line.start - line.indent, _LINE_REST.match(text, line.end)
    end = after.end() if after else line.end
    has_feed_after = text.startswith("\f", end)
    has_feed_before = text[start - 1 : start] == "\f" and not has_feed_after
    return start - has_feed_before, end + has_feed_after


def _span_between(text: str, before: TextLine, after: TextLine) -> Span | None:
    """Return the span between two lines of a sentence, except one line end that stays.

    Return None if no sentence continues from the first line to the second.
    """
    content = text[after.start : after.end]
    if content[0] in "|<" or not _sentence_continues(text[before.start : before.end], content):
        return None
    end, start = before.end, after.start - after.indent
    line_ends = [match.span() for match in LINE_END.finditer(text, end, start)]
    if not line_ends:
        return None
    (first, first_end), (last, last_end) = line_ends[0], line_ends[-1]
    if not text[end:first].strip(" \t"):
        return (first_end, start) if first_end < start else None
    return (end, last) if last_end == start else None


def _sentence_continues(before: str, after: str) -> bool:
    """Whether a sentence continues from the end of one line to the beginning of another."""
    last = before[-1]
    if last in _SENTENCE_END or len(before) < SHORTEST_SENTENCE:
        return False
    # a rule such as ----- is not open
    return after[0].islower() or (last in ",-" and before[-2].isalnum())


def find_pages(  # noqa: PLR0913 - what a text is, and where its pages are looked for
    source: Source,
    rows: Lines,
    code: Callable[[], Sequence[Span]] | None,
    *,
    start: int,
    pattern: str | None,
    with_furniture: bool,
) -> tuple[Source, tuple[Gap, ...]]:
    """Return the source with its pages, and the spans of page marks and page furniture.

    Text from a reader contains no page marks, because the reader knows the pages. It contains no
    page furniture either, unless it came from HTML, where furniture is among the text. The other
    arguments are those of `find_page_marks`.
    """
    if source.origins and not source.is_from_html:
        return source, ()
    gaps: tuple[Gap, ...] = ()
    if not source.origins:
        pages, gaps = find_page_marks(source, code, start=start, pattern=pattern)
        if pages and not source.page_marks:
            source = replace(source, page_marks=pages)
    if not with_furniture or ANCHOR in source.text:  # pages do not begin or end at an anchor
        return source, gaps
    furniture = find_furniture(source, rows, gaps)
    if source.is_from_html:
        source = _with_printed_numbers(source, furniture)
    return source, with_gaps(gaps, [(*span, PAGE_FURNITURE) for span in furniture])


def _with_printed_numbers(source: Source, furniture: Sequence[Span]) -> Source:
    """Return a source whose pages have their printed numbers, if these count up with the pages.

    A reader numbered the pages from 1. Pages before the printed number 1 then have no number.
    """
    offsets = [offset for offset, _ in source.page_marks]
    shifts: Counter[int] = Counter()
    for start, end in furniture:
        numbers = _SEPARATE_NUMBER.findall(source.text, start, end)
        page = bisect_right(offsets, start)
        shifts.update({int(number) - page for number in numbers[:1] + numbers[-1:]})
    ((shift, times),) = shifts.most_common(1) or [(0, 0)]
    if 2 * times < len(offsets):
        return source
    marks = [(offset, page + shift) for offset, page in source.page_marks if page + shift > 0]
    return replace(source, page_marks=tuple(marks))
