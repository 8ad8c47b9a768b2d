"""Page furniture: running headers and footers, and page numbers, in a text with page marks.

A line is furniture if it is at the edge of its page and either repeats there from page to page,
apart from its numbers, or has the page's number. A bare label (``CHAPTER``, ``Appendix B``) is the
first line of a title and never furniture. Furniture belongs to the page and not to the text, like
page marks. If a paragraph continues across it, the blank lines around it are skipped as well.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import pairwise
from operator import itemgetter
from typing import Final, NamedTuple

from treepack.model.blocks import Span
from treepack.model.source import Source
from treepack.numbers.words import (
    KIND_OF_WORD,
    OF_TOTAL,
    PAGE_WORD,
    any_word,
    letters,
    letters_of_lines,
)
from treepack.outline.gaps import PIPE, furniture_gaps
from treepack.outline.page_breaks import printed_lines

NEAR_PAGES: Final = 2
"""The most pages from a running header to the next: it may appear on left pages only."""
_FEWEST_PAGES: Final = 3
_FEWEST_LINES: Final = 1.5  # on a page, on average
_FEWEST_HEADINGS: Final = 5  # pages on which a heading must repeat to be a running header
_LONGEST_LINE: Final = 130  # characters of a line of furniture
_HEADERS: Final = 2  # lines at a page's top that may be headers
_FOOTERS: Final = 3
_REPEATED_SHARE: Final = 0.08  # share of the pages
_NAME_SHARE: Final = 0.2  # share of the pages whose headers or footers contain the document's name
_FEWEST_LETTERS: Final = 4  # of a line that repeats nearby
_SHORTEST_PAIR: Final = 10  # characters of two words
_WHOLE_SHARE: Final = 0.4  # share of the pages with the header of the whole document
_NUMBERED_SHARE: Final = 0.3  # share of the pages whose printed numbers count up with them
_FEWEST_LEFT_PAGES: Final = 3  # left pages, or right pages, that share a header
_LONGEST_PAGE_NUMBER: Final = 6  # characters: the digits of a page number, and punctuation
_WHITESPACE: Final = " \t\f\r\n\u00a0\ufeff"
# Digits, or a word of roman numerals; `re` is fast if a pattern begins with a character class.
_NUMBER: Final = re.compile(r"[\divxlc](?:(?<=\d)\d*|(?<!\w.)[ivxlc]*(?!\w))")
_DIGITS: Final = re.compile(r"\d{1,4}")
_SEPARATE_NUMBER: Final = re.compile(r"(?<!\S)(\d{1,4})(?!\S)")
_NO_WORD: Final = r"[^\w`{}<>=+]*"  # and no punctuation of code
_NUMBER_ALONE: Final = re.compile(
    rf"{_NO_WORD}(?:(?:{PAGE_WORD})\s+)?(?:\d{{1,4}}|[ivxlc]{{1,7}})"
    rf"(?:\s*(?:{OF_TOTAL})\s*\d+)?{_NO_WORD}",
    re.IGNORECASE,
)
_NUMBER_AT_EDGE: Final = re.compile(r"^\d{1,4}\s+\S|\S\s+\d{1,4}$")
_PAGE_FOOTER: Final = re.compile(r"\[Page \d+\]$")
_BARE_LABEL: Final = re.compile(
    rf"(?:{any_word(KIND_OF_WORD)})\s*[\dA-Z]{{0,5}}[.:]?", re.IGNORECASE
)
_LEADERS: Final = re.compile(r"(?:\.\s?){4,}")
_CLAUSE: Final = re.compile(r"\d+(?:\.\d+)+")
_HEADING: Final = re.compile(r"#{1,6}\s")
_PAGE_BEFORE: Final = re.compile(r"^(#+\s+[*_]*)\d{1,4}\s+")


class _EdgeLine(NamedTuple):
    """A line at the edge of a page.

    Attributes:
        span: Its span, without whitespace around it.
        text: Its text.
        page: Its page, counted from 0.
        is_top: Whether it is at the top.
        depth: How many lines are between it and the edge.
        shape: Its text without its numbers, see `_shape`.
    """

    span: Span
    text: str
    page: int
    is_top: bool
    depth: int
    shape: str

    @property
    def is_heading(self) -> bool:
        """Whether markdown markup makes it a heading."""
        return _HEADING.match(self.text) is not None

    @property
    def page_shifts(self) -> set[int]:
        """The first and last number minus the page's index; constant for printed page numbers."""
        numbers = _SEPARATE_NUMBER.findall(self.text)
        return {int(number) - self.page for number in (numbers[:1] + numbers[-1:])}

    @property
    def outer_pairs(self) -> set[tuple[bool, str]]:
        """Its first two words and its last two, which may belong to the document's name."""
        words = self.text.split()
        pairs = (" ".join(words[:2]), " ".join(words[-2:]))
        return {
            (self.is_top, pair)
            for pair in pairs
            if len(words) > 2 and len(pair) >= _SHORTEST_PAIR  # noqa: PLR2004 - else the same words
        }


def find_furniture(source: Source, marks: Sequence[tuple[int, int, str]]) -> list[Span]:
    """Return the spans of page furniture, in order; a span may include page marks between lines.

    Args:
        source: The text, with its page marks.
        marks: The gaps for page marks; their lines do not count as lines of a page.
    """
    if len(source.page_marks) < _FEWEST_PAGES:
        return []
    pages = _pages(source, marks)
    # If most pages have a single line, that line is their text.
    if len(pages) < _FEWEST_PAGES or sum(map(len, pages)) < _FEWEST_LINES * len(pages):
        return []
    edges = [edge for number, page in enumerate(pages) for edge in _edges(source, number, page)]
    furniture = _furniture(edges, len(pages), _times_inside(source.text, pages))
    return list(furniture_gaps(source.text, pages, furniture)) if furniture else []


def with_printed_numbers(source: Source, furniture: Sequence[Span]) -> Source:
    """Return a source whose pages have their printed numbers, if these count up with the pages.

    Pages before the one with the printed number 1 then have no number.

    Args:
        source: The text, with its pages counted from 1.
        furniture: The spans of page furniture.
    """
    offsets = [offset for offset, _ in source.page_marks]
    shifts: Counter[int] = Counter()
    for start, end in furniture:
        page = bisect_right(offsets, start)
        numbers = _DIGITS.findall(source.text[start:end])
        shifts.update({int(number) - page for number in (numbers[:1] + numbers[-1:])})
    shift, times = max(shifts.items(), key=itemgetter(1), default=(0, 0))
    if not shift or 2 * times < len(offsets):
        return source
    marks = [(offset, page + shift) for offset, page in source.page_marks if page + shift > 0]
    return replace(source, page_marks=tuple(marks))


def _pages(source: Source, marks: Sequence[tuple[int, int, str]]) -> list[list[Span]]:
    """Return the lines of each page that are not blank, without whitespace around them."""
    text = source.text
    offsets = [offset for offset, _ in source.page_marks]
    mark_starts = {start for start, end, _ in marks if text[start:end].strip(_WHITESPACE)}
    pages: list[list[Span]] = [[]]
    page = 0
    for _, line_start, line_end in printed_lines(source):
        line = text[line_start:line_end]
        stripped = line.strip(_WHITESPACE)
        if not stripped or line_start in mark_starts:
            continue
        start = line_start
        if line[0] != stripped[0]:
            start += len(line) - len(line.lstrip(_WHITESPACE))
        while page < len(offsets) and offsets[page] <= start:
            page += 1
            if pages[-1]:
                pages.append([])
        pages[-1].append((start, start + len(stripped)))
    return pages


def _times_inside(text: str, pages: Sequence[Sequence[Span]]) -> Counter[str]:
    """Count how often short lines appear inside pages, by their letters.

    Lines that end with a digit do not count, because a table of contents also lists the titles that
    are used as running headers.
    """
    spans = (span for page in pages for span in page[_HEADERS : max(len(page) - _FOOTERS, 0)])
    lines = [
        text[start:end]
        for start, end in spans
        if end - start <= _LONGEST_LINE and not text[end - 1].isdigit()
    ]
    return Counter(letters_of_lines(lines, digits=False))


def _edges(source: Source, page_index: int, page: Sequence[Span]) -> Iterator[_EdgeLine]:
    header_count = min(_HEADERS, (len(page) + 1) // 2)
    footer_count = min(_FOOTERS, len(page) - header_count)
    headers = [(span, True, depth) for depth, span in enumerate(page[:header_count])]
    footers = [(span, False, depth) for depth, span in enumerate(page[: -footer_count - 1 : -1])]
    for span, is_top, depth in [*headers, *footers]:
        if span[1] - span[0] <= _LONGEST_LINE and source.text[span[0]] != PIPE:
            text = source.text[slice(*span)]
            yield _EdgeLine(span, text, page_index, is_top, depth, _shape(text))


def _shape(text: str) -> str:
    """Return a line with 0 for each number; a heading only loses a number at its start."""
    if _HEADING.match(text):
        return _PAGE_BEFORE.sub(r"\1", text)
    return _NUMBER.sub("0", text)


def _furniture(edges: Sequence[_EdgeLine], pages: int, times_inside: Counter[str]) -> set[Span]:
    """Return the lines that are furniture.

    A line that repeats throughout, or whose number counts up with the pages, may be inside lines
    that are not furniture. Any other line is furniture only if the lines between it and the page's
    edge are.
    """
    evidence = _Evidence(edges, pages, times_inside)
    furniture: set[Span] = set()
    seen: set[str] = set()
    depths: Counter[tuple[int, bool]] = Counter()  # of the first line that is not furniture
    for edge in edges:
        is_first = edge.shape not in seen
        seen.add(edge.shape)
        if is_first and evidence.may_be_title(edge):
            continue  # the title itself, even if later lines repeat it
        side = (edge.page, edge.is_top)
        is_outermost = edge.depth == depths[side]
        if evidence.makes_furniture(edge, is_outermost=is_outermost):
            furniture.add(edge.span)
            depths[side] += is_outermost
    return furniture


class _Evidence:
    """What the lines at the edges of all pages show together."""

    def __init__(self, edges: Sequence[_EdgeLine], pages: int, times_inside: Counter[str]) -> None:
        self.pages = pages
        self.times_inside = times_inside
        shapes_of_pages = {(edge.page, edge.is_top, edge.shape) for edge in edges}
        self.repeats = Counter((is_top, shape) for _, is_top, shape in shapes_of_pages)
        self.outer_pairs = Counter(
            pair for edge in edges if not edge.depth for pair in edge.outer_pairs
        )
        self.repeated_nearby = _repeated_nearby(edges, times_inside)
        self.running = _running(edges, pages)
        self.other_numbers = _other_numbers(edges, self.running, max(3, _REPEATED_SHARE * pages))

    def may_be_title(self, edge: _EdgeLine) -> bool:
        """Whether the first line of its shape may be the title that later pages repeat."""
        is_running = edge.span in self.running
        if not edge.is_top or edge.depth or is_running or self._has_document_name(edge):
            return False
        return not edge.page or self.repeats[True, edge.shape] <= _WHOLE_SHARE * self.pages

    def makes_furniture(self, edge: _EdgeLine, *, is_outermost: bool) -> bool:
        """Whether a line is furniture, given whether all lines outside it are."""
        text = edge.text
        if _PAGE_FOOTER.search(text):
            return True
        if edge.span in self.other_numbers or _BARE_LABEL.fullmatch(text) or _LEADERS.search(text):
            return False
        has_running_number, repeats_often = edge.span in self.running, self._repeats_often(edge)
        if edge.is_heading and not repeats_often:
            return False  # `repair` handles headings that are the headers of only a few pages
        if _NUMBER_ALONE.fullmatch(text) and not text.isupper():
            # A page number of a few digits with punctuation; a letter may be text.
            is_short = len(text) <= _LONGEST_PAGE_NUMBER and any(map(str.isdigit, text))
            return has_running_number or repeats_often or (is_outermost and is_short)
        is_repeated = repeats_often and any(map(str.isalpha, edge.shape))
        is_near = edge.span in self.repeated_nearby
        if is_repeated or (is_outermost and (is_near or self._has_document_name(edge))):
            return True
        may_be_running = has_running_number and not edge.depth and not _CLAUSE.match(text)
        return may_be_running and _NUMBER_AT_EDGE.search(text) is not None

    def _repeats_often(self, edge: _EdgeLine) -> bool:
        """Whether a line repeats throughout, and not as often inside pages."""
        fewest, share = 3, _REPEATED_SHARE
        if edge.is_heading:
            fewest, share = _FEWEST_HEADINGS, _WHOLE_SHARE
        count, words = self.repeats[edge.is_top, edge.shape], letters(edge.shape, digits=False)
        is_text = words and self.times_inside[words] >= count
        return count >= max(fewest, share * self.pages) and not is_text

    def _has_document_name(self, edge: _EdgeLine) -> bool:
        """Whether a line shares its first or last words, the document's name, with many pages."""
        fewest = max(3, _NAME_SHARE * self.pages)
        return edge.page > 0 and any(self.outer_pairs[pair] >= fewest for pair in edge.outer_pairs)


def _running(edges: Sequence[_EdgeLine], pages: int) -> set[Span]:
    """Return the lines with a number that counts up with the pages."""
    shifts = [(edge, [(edge.is_top, shift) for shift in edge.page_shifts]) for edge in edges]
    counts = Counter(shift for _, of_line in shifts for shift in of_line)
    fewest = max(3, _NUMBERED_SHARE * pages)
    return {
        edge.span for edge, of_line in shifts if any(counts[shift] >= fewest for shift in of_line)
    }


def _other_numbers(
    edges: Sequence[_EdgeLine], running: AbstractSet[Span], most: float
) -> set[Span]:
    """Return bare numbers on pages that also have a page number, e.g. of a section or code line.

    Args:
        edges: The lines at the edges of pages.
        running: The lines with a number that counts up with the pages.
        most: A number on this many pages or more is left out, such as the total number of pages.
    """
    alone = [edge for edge in edges if _NUMBER_ALONE.fullmatch(edge.text)]
    paged = {edge.page for edge in alone if edge.span in running}
    times = Counter((edge.is_top, edge.text) for edge in alone)
    return {
        edge.span
        for edge in alone
        if edge.span not in running and edge.page in paged and times[edge.is_top, edge.text] < most
    }


def _repeated_nearby(edges: Sequence[_EdgeLine], times_inside: Counter[str]) -> set[Span]:
    """Return lines that repeat at the same edge of near pages, such as the header of a chapter.

    Args:
        edges: The lines at the edges of pages.
        times_inside: How often lines occur inside pages, by their letters.
    """
    runs: dict[tuple[bool, str], list[_EdgeLine]] = {}
    repeated: set[Span] = set()
    for edge in edges:
        words = letters(edge.shape, digits=False)
        is_sentence = edge.text[0].islower() or edge.text[-1] == "."  # or a part of one
        if is_sentence or len(words) < _FEWEST_LETTERS:
            continue
        run = runs.setdefault((edge.is_top, words), [])
        if run and edge.page == run[-1].page:
            continue
        if run and edge.page - run[-1].page > NEAR_PAGES:
            repeated |= _repeated_lines(run, times_inside[words])
            run.clear()
        run.append(edge)
    for (_, words), run in runs.items():
        repeated |= _repeated_lines(run, times_inside[words])
    return repeated


def _repeated_lines(run: Sequence[_EdgeLine], times_inside: int) -> set[Span]:
    """Return the lines of a run that are headers or footers; the first may be the title itself.

    Args:
        run: Lines with the same letters, on pages near each other.
        times_inside: How often they occur inside pages; if at least as often as in the run, all of
            them are text.
    """
    is_on_next_page = any(after.page - before.page == 1 for before, after in pairwise(run))
    is_near = is_on_next_page or len(run) >= _FEWEST_LEFT_PAGES
    if not is_near or times_inside >= len(run):
        return set()
    is_title = run[0].is_top and not times_inside
    return {edge.span for edge in run[is_title:]}
