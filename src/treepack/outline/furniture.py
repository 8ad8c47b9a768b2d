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
from treepack.numbers.words import KIND_OF_WORD, OF_ALL, PAGE_WORD, any_word
from treepack.outline.gaps import PIPE, furniture_gaps
from treepack.outline.page_breaks import printed_lines
from treepack.outline.titles.wording import letters

NEAR_PAGES: Final = 2
"""The most pages from a running header to the next: it may appear on left pages only."""
_FEWEST_PAGES: Final = 3
_FEWEST_LINES: Final = 1.5  # on a page, on average
_FEWEST_HEADINGS: Final = 5  # pages on which a heading must repeat to be a running header
_LONGEST: Final = 130  # characters of a line of furniture
_HEADS: Final = 2  # lines at a page's top that may be headers
_FEET: Final = 3
_REPEATED: Final = 0.08  # share of the pages
_SHARED: Final = 0.2  # share of the pages whose headers or footers contain the document's name
_FEWEST_LETTERS: Final = 4  # of a line that repeats nearby
_LEAST_SHARED: Final = 10  # characters of two words
_OF_ALL: Final = 0.4  # share of the pages with the header of the whole document
_NUMBERED: Final = 0.3  # share of the pages whose printed numbers count up with them
_FEWEST_LEFT: Final = 3  # left pages, or right pages, that share a header
_LONGEST_ALONE: Final = 6  # characters: the digits of a page number, and punctuation
_BLANKS: Final = " \t\f\r\n\u00a0\ufeff"
# Digits, or a word of roman numerals; `re` is fast if a pattern begins with a character class.
_NUMBER: Final = re.compile(r"[\divxlc](?:(?<=\d)\d*|(?<!\w.)[ivxlc]*(?!\w))")
_DIGITS: Final = re.compile(r"\d{1,4}")
_OWN_NUMBER: Final = re.compile(r"(?<!\S)(\d{1,4})(?!\S)")
_NO_WORD: Final = r"[^\w`{}<>=+]*"  # and no punctuation of code
_ALONE: Final = re.compile(
    rf"{_NO_WORD}(?:(?:{PAGE_WORD})\s+)?(?:\d{{1,4}}|[ivxlc]{{1,7}})"
    rf"(?:\s*(?:{OF_ALL})\s*\d+)?{_NO_WORD}",
    re.IGNORECASE,
)
_PAGE_FOOT: Final = re.compile(r"\[Page \d+\]$")
_BARE_LABEL: Final = re.compile(
    rf"(?:{any_word(KIND_OF_WORD)})"
    r"\s*[\dA-Z]{0,5}[.:]?",
    re.IGNORECASE,
)
_LEADERS: Final = re.compile(r"(?:\.\s?){4,}")
_CLAUSE: Final = re.compile(r"\d+(?:\.\d+)+")
_HEADING: Final = re.compile(r"#{1,6}\s")
_PAGE_BEFORE: Final = re.compile(r"^(#+\s+[*_]*)\d{1,4}\s+")


class _Edge(NamedTuple):
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
    def steps(self) -> set[int]:
        """The first and last number minus the page's index; constant for printed page numbers."""
        found = _OWN_NUMBER.findall(self.text)
        return {int(number) - self.page for number in (found[:1] + found[-1:])}

    @property
    def ends(self) -> set[tuple[bool, str]]:
        """Its first two words and its last two, which may belong to the document's name."""
        words = self.text.split()
        pairs = (" ".join(words[:2]), " ".join(words[-2:]))
        return {
            (self.is_top, pair)
            for pair in pairs
            if len(words) > 2 and len(pair) >= _LEAST_SHARED  # noqa: PLR2004 - else the same words
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
    found = _furniture(edges, len(pages), _said_inside(source.text, pages))
    return list(furniture_gaps(source.text, pages, found)) if found else []


def with_printed_numbers(source: Source, furniture: Sequence[Span]) -> Source:
    """Return a source whose pages have their printed numbers, if these count up with the pages.

    Pages before the one with the printed number 1 then have no number.

    Args:
        source: The text, with its pages counted from 1.
        furniture: The spans of page furniture.
    """
    offsets = [offset for offset, _ in source.page_marks]
    steps: Counter[int] = Counter()
    for start, end in furniture:
        page = bisect_right(offsets, start)
        numbers = _DIGITS.findall(source.text[start:end])
        steps.update({int(number) - page for number in (numbers[:1] + numbers[-1:])})
    step, times = max(steps.items(), key=itemgetter(1), default=(0, 0))
    if not step or 2 * times < len(offsets):
        return source
    marks = [(offset, page + step) for offset, page in source.page_marks if page + step > 0]
    return replace(source, page_marks=tuple(marks))


def _pages(source: Source, marks: Sequence[tuple[int, int, str]]) -> list[list[Span]]:
    """Return the lines of each page that are not blank, without whitespace around them."""
    text = source.text
    offsets = [offset for offset, _ in source.page_marks]
    marked = {start for start, end, _ in marks if text[start:end].strip(_BLANKS)}
    pages: list[list[Span]] = [[]]
    page = 0
    for _, begin, after in printed_lines(source):
        piece = text[begin:after]
        solid = piece.strip(_BLANKS)
        if not solid or begin in marked:
            continue
        start = begin
        if piece[0] != solid[0]:
            start += len(piece) - len(piece.lstrip(_BLANKS))
        while page < len(offsets) and offsets[page] <= start:
            page += 1
            if pages[-1]:
                pages.append([])
        pages[-1].append((start, start + len(solid)))
    return pages


def _said_inside(text: str, pages: Sequence[Sequence[Span]]) -> Counter[str]:
    """Count how often short lines appear inside pages, by their letters.

    Lines that end with a digit do not count, because a table of contents also lists the titles that
    are used as running headers.
    """
    spans = (span for page in pages for span in page[_HEADS : max(len(page) - _FEET, 0)])
    return Counter(
        letters(text[start:end], digits=False)
        for start, end in spans
        if end - start <= _LONGEST and not text[end - 1].isdigit()
    )


def _edges(source: Source, number: int, page: Sequence[Span]) -> Iterator[_Edge]:
    heads = min(_HEADS, (len(page) + 1) // 2)
    feet = min(_FEET, len(page) - heads)
    tops = [(span, True, depth) for depth, span in enumerate(page[:heads])]
    ends = [(span, False, depth) for depth, span in enumerate(page[: -feet - 1 : -1])]
    for span, is_top, depth in [*tops, *ends]:
        if span[1] - span[0] <= _LONGEST and source.text[span[0]] != PIPE:
            said = source.text[slice(*span)]
            yield _Edge(span, said, number, is_top, depth, _shape(said))


def _shape(said: str) -> str:
    """Return a line with 0 for each number; a heading only loses a number at its start."""
    if _HEADING.match(said):
        return _PAGE_BEFORE.sub(r"\1", said)
    return _NUMBER.sub("0", said)


def _furniture(edges: Sequence[_Edge], pages: int, inside: Counter[str]) -> set[Span]:
    """Return the lines that are furniture.

    A line that repeats throughout, or whose number counts up with the pages, may be inside lines
    that are not furniture. Any other line is furniture only if the lines between it and the page's
    edge are.
    """
    evidence = _Evidence(edges, pages, inside)
    found: set[Span] = set()
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
            found.add(edge.span)
            depths[side] += is_outermost
    return found


class _Evidence:
    """What the lines at the edges of all pages show together."""

    def __init__(self, edges: Sequence[_Edge], pages: int, inside: Counter[str]) -> None:
        self.pages = pages
        self.inside = inside
        self.repeats = Counter(
            (is_top, shape) for _, is_top, shape in {(e.page, e.is_top, e.shape) for e in edges}
        )
        self.ends = Counter(end for edge in edges if not edge.depth for end in edge.ends)
        self.near = _repeated_nearby(edges, inside)
        self.running = _running(edges, pages)
        self.others = _other_numbers(edges, self.running, max(3, _REPEATED * pages))

    def may_be_title(self, edge: _Edge) -> bool:
        """Whether the first line of its shape may be the title that later pages repeat."""
        if not edge.is_top or edge.depth or edge.span in self.running or self._is_named(edge):
            return False
        return not edge.page or self.repeats[True, edge.shape] <= _OF_ALL * self.pages

    def makes_furniture(self, edge: _Edge, *, is_outermost: bool) -> bool:
        """Whether a line is furniture, given whether all lines outside it are."""
        text = edge.text
        if _PAGE_FOOT.search(text):
            return True
        if edge.span in self.others or _BARE_LABEL.fullmatch(text) or _LEADERS.search(text):
            return False
        runs, often = edge.span in self.running, self._repeats_often(edge)
        if edge.is_heading and not often:
            return False  # `repair` handles headings that are the headers of only a few pages
        if _ALONE.fullmatch(text) and not text.isupper():
            # A page number of a few digits with punctuation; a letter may be text.
            is_short = len(text) <= _LONGEST_ALONE and any(map(str.isdigit, text))
            return runs or often or (is_outermost and is_short)
        may_run = runs and not edge.depth and not _CLAUSE.match(text)
        return (
            (often and any(map(str.isalpha, edge.shape)))
            or (is_outermost and (self._is_named(edge) or edge.span in self.near))
            or (may_run and _has_number_at_end(text))
        )

    def _repeats_often(self, edge: _Edge) -> bool:
        """Whether a line repeats throughout, and not as often inside pages."""
        fewest, share = (_FEWEST_HEADINGS, _OF_ALL) if edge.is_heading else (3, _REPEATED)
        count, words = self.repeats[edge.is_top, edge.shape], letters(edge.shape, digits=False)
        is_text = words and self.inside[words] >= count
        return count >= max(fewest, share * self.pages) and not is_text

    def _is_named(self, edge: _Edge) -> bool:
        """Whether a line shares its first or last words, the document's name, with many pages."""
        fewest = max(3, _SHARED * self.pages)
        return edge.page > 0 and any(self.ends[end] >= fewest for end in edge.ends)


def _running(edges: Sequence[_Edge], pages: int) -> set[Span]:
    """Return the lines with a number that counts up with the pages."""
    steps = [(edge, [(edge.is_top, step) for step in edge.steps]) for edge in edges]
    counts = Counter(step for _, own in steps for step in own)
    fewest = max(3, _NUMBERED * pages)
    return {edge.span for edge, own in steps if any(counts[step] >= fewest for step in own)}


def _other_numbers(edges: Sequence[_Edge], running: AbstractSet[Span], most: float) -> set[Span]:
    """Return bare numbers on pages that also have a page number, e.g. of a section or code line.

    Args:
        edges: The lines at the edges of pages.
        running: The lines with a number that counts up with the pages.
        most: A number on this many pages or more is left out, such as the total number of pages.
    """
    alone = [edge for edge in edges if _ALONE.fullmatch(edge.text)]
    paged = {edge.page for edge in alone if edge.span in running}
    times = Counter((edge.is_top, edge.text) for edge in alone)
    return {
        edge.span
        for edge in alone
        if edge.span not in running and edge.page in paged and times[edge.is_top, edge.text] < most
    }


def _has_number_at_end(text: str) -> bool:
    return bool(re.match(r"\d{1,4}\s+\S", text) or re.search(r"\S\s+\d{1,4}$", text))


def _repeated_nearby(edges: Sequence[_Edge], inside: Counter[str]) -> set[Span]:
    """Return lines that repeat at the same edge of near pages, such as the header of a chapter.

    Args:
        edges: The lines at the edges of pages.
        inside: How often lines occur inside pages, by their letters.
    """
    runs: dict[tuple[bool, str], list[_Edge]] = {}
    found: set[Span] = set()
    for edge in edges:
        words = letters(edge.shape, digits=False)
        is_sentence = edge.text[0].islower() or edge.text[-1] == "."  # or a part of one
        if is_sentence or len(words) < _FEWEST_LETTERS:
            continue
        run = runs.setdefault((edge.is_top, words), [])
        if run and edge.page == run[-1].page:
            continue
        if run and edge.page - run[-1].page > NEAR_PAGES:
            found |= _heads(run, inside[words])
            run.clear()
        run.append(edge)
    for (_, words), run in runs.items():
        found |= _heads(run, inside[words])
    return found


def _heads(run: Sequence[_Edge], said_inside: int) -> set[Span]:
    """Return the lines of a run that are headers or footers; the first may be the title itself.

    Args:
        run: Lines with the same letters, on pages near each other.
        said_inside: How often they occur inside pages; if at least as often as in the run, all of
            them are text.
    """
    is_on_next_page = any(other.page - one.page == 1 for one, other in pairwise(run))
    is_near = is_on_next_page or len(run) >= _FEWEST_LEFT
    if not is_near or said_inside >= len(run):
        return set()
    is_title = run[0].is_top and not said_inside
    return {edge.span for edge in run[is_title:]}
