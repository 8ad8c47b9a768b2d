"""Tables of contents: their lines are not titles, but evidence for the titles that they list."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

from treepack.numbers.grammar import parse_clause
from treepack.numbers.words import KIND_OF_WORD
from treepack.outline.titles.lines import Line
from treepack.outline.titles.printed import ALONE
from treepack.outline.titles.wording import CONTENTS_TITLES, letters, words_of

_LEADER: Final = re.compile(
    r"(?P<title>.*?\S)\s*(?:(?:\.\s?){3,}|\s{3,}|…+|\t)\s*(?P<page>\d{1,4}|[ivxl]{1,6})"
)
_ENTRY: Final = re.compile(r"(?P<title>[^\W_].*?)\s*(?:\.\s?){3,}\s*\d{1,4}(?!\S)")
_DOTS: Final = re.compile(r"(?:\.\s?){3}|…")
_FULL: Final = 0.8  # share of the longest line of the contents
_LONGEST_LEADER: Final = 200  # characters; the pattern is quadratic in them
_TAIL: Final = re.compile(r"(?P<title>.*[^\d\s])\s+(?P<page>\d{1,4})")
_SENTENCE_TAIL: Final = re.compile(r"[.;:,]\s+\d+$")
_LONGEST: Final = 110
_LONGEST_PLAIN: Final = 90
_NEAR: Final = 5  # lines above and below
_FEWEST_LEADERS: Final = 4
_FEWEST_RISING: Final = 8
_FEWEST_ENTRIES: Final = 4
_MOST_MISSED: Final = 2
_MOST_ENTRIES: Final = 900
_MOST_NAMED: Final = 50  # entries of one title
_MOST_PAGES: Final = 15  # between two entries
_MOST_LINES: Final = 6  # of an entry whose number, title, dots and page are on separate lines
_PAGE: Final = re.compile(r"\d{1,4}|[ivxl]{1,6}")
_DOTTED: Final = re.compile(r"(?:\.\s?){4}$")
_LONGEST_BROKEN: Final = 120  # characters of a line of an entry; a longer line ends the contents
_FIRST_PART: Final = 0.3  # share of the document in which the title Contents may be
# A line is compared with `CONTENTS_TITLES` only if it begins like one of them.
_BEGUN: Final = re.compile(
    rf"[\W\d]*(?:{'|'.join(title.split()[0] for title in CONTENTS_TITLES)})", re.IGNORECASE
)


Step: TypeAlias = tuple[int, bool]
"""The indentation of an entry, and whether dots lead to its page.

The text of a PDF has no indentation, but many books print dots only in lower entries.
"""


class Entry(NamedTuple):
    """What tables of contents show about a title.

    Attributes:
        step: How the first line that lists it is printed; the lesser of two steps is the higher
            level.
        places: The indexes of the lines that list it, in order; for a second column, the number of
            all lines is added.
    """

    step: Step
    places: list[int]


def read_contents(lines: Sequence[Line]) -> dict[str, Entry]:
    """Flag the lines of tables of contents; return their entries by the letters of the titles."""
    paged = [at for at, line in enumerate(lines) if _ends_as_page(line)]  # few lines
    beginnings = _Beginnings(lines)
    found = {
        *_with_leaders(lines, paged),
        *_with_pages_below(lines, paged),
        *_rising(lines, paged, beginnings),
        *_below_title(lines, beginnings),
    }
    entries: dict[str, Entry] = {}
    width = max((len(lines[at].text) for at in found), default=0)
    for at in sorted(found):
        line = lines[at]
        line.is_contents = True
        if ALONE.fullmatch(line.text) or _PAGE.fullmatch(line.text):
            continue  # a number on a line of its own is not a title
        for column, title in enumerate(_titles_of(line)):
            entry = entries.setdefault(letters(title.rstrip(". ")), Entry(_step(line, width), []))
            if len(entry.places) < _MOST_NAMED:
                entry.places.append(at + column * len(lines))
    entries.pop("", None)
    return entries


def _titles_of(line: Line) -> list[str]:
    """Return the title of an entry, or two titles if the contents have two columns."""
    if (match := _leader(line)) and _DOTS.search(match["title"]):
        return [each["title"] for each in _ENTRY.finditer(line.text)]
    match = match or _tail(line)
    return [match["title"] if match else line.text]


def _step(line: Line, width: int) -> Step:
    """Return how an entry is printed; an entry that fills its line has no room for dots."""
    is_full = len(line.text) > _FULL * width
    return line.indent, is_full or _DOTS.search(line.text) is not None


def in_order(keys: Sequence[str], entries: Mapping[str, Entry]) -> list[int]:
    """Return the indexes of the longest run of titles that are in the order of their entries.

    A title occurs in the text as often as in the contents; other lines may have the same text.

    Args:
        keys: The letters of the lines, each in ``entries``.
        entries: The entries, by letters.
    """
    last: list[int] = []  # for each length of a run, the lowest entry that may end it
    nodes: list[tuple[int, int]] = []  # a line, and the node before it
    tops: list[int] = []  # the node of each entry in `last`
    for at, key in enumerate(keys):
        for place in reversed(entries[key].places):
            length = bisect_left(last, place)
            nodes.append((at, tops[length - 1] if length else -1))
            last[length : length + 1] = [place]
            tops[length : length + 1] = [len(nodes) - 1]
    found: list[int] = []
    node = tops[-1] if tops else -1
    while node >= 0:
        at, node = nodes[node]
        found.append(at)
    return found[::-1]


def _ends_as_page(line: Line) -> bool:
    return line.text[-1] in "ivxl" or line.text[-1].isdecimal()


def _leader(line: Line) -> re.Match[str] | None:
    text = line.text
    if len(text) > _LONGEST_LEADER or not _ends_as_page(line):
        return None  # the common case
    may_lead = ".." in text or ". ." in text or "   " in text or "…" in text or "\t" in text
    return _LEADER.fullmatch(text) if may_lead else None


def _tail(line: Line) -> re.Match[str] | None:
    if len(line.text) >= _LONGEST or not line.text[-1].isdecimal():
        return None  # the common case
    match = _TAIL.fullmatch(line.text)
    if match is not None and match["title"].lstrip("0123456789. ").casefold() in KIND_OF_WORD:
        return None  # "Chapter 1" heads what follows, and "1. Part 1" has no page
    return match


def _with_leaders(lines: Sequence[Line], paged: Sequence[int]) -> Iterator[int]:
    """Yield lines with leaders and a page that have several other such lines near them."""
    leaders = {at: match for at in paged if (match := _leader(lines[at]))}
    for at, match in leaders.items():
        if len(letters(match["title"])) < 2:  # noqa: PLR2004 - letters of a title
            continue
        if match["title"].rstrip(". ").endswith(";"):
            continue
        near = range(at - _NEAR, at + _NEAR + 1)
        if sum(other in leaders for other in near) >= _FEWEST_LEADERS:
            yield at


def _with_pages_below(lines: Sequence[Line], paged: Sequence[int]) -> Iterator[int]:
    """Yield the lines of entries that take several lines, as in the text of some PDFs.

    The number, the title with its dots, and the page are on separate lines. If there are no dots,
    the pages must rise below the title Contents.
    """
    pages = [at for at in paged if at and _PAGE.fullmatch(lines[at].text)]
    for run in _near_runs(at for at in pages if _DOTTED.search(lines[at - 1].text)):
        if len(run) >= _FEWEST_LEADERS:
            has_title = letters(lines[run[0] - 1].text)
            yield from range(run[0] - (1 if has_title else 2), run[-1] + 1)
    rising = [-1]
    for title in _contents_titles(lines) if len(pages) >= _FEWEST_ENTRIES else ():
        if title <= rising[-1]:
            continue
        rising, last = [title], 0
        for at in islice(pages, bisect_left(pages, title), None):
            if at - rising[-1] > _MOST_LINES:
                break
            page = int(lines[at].text) if lines[at].text.isdecimal() else last
            if 0 <= page - last <= _MOST_PAGES and at - rising[-1] > 1:
                rising.append(at)
                last = page
        if len(rising) > _FEWEST_ENTRIES:
            yield from range(title + 1, rising[-1] + 1)


def _near_runs(places: Iterable[int]) -> Iterator[list[int]]:
    """Yield runs of indexes that are near each other."""
    run: list[int] = []
    for at in places:
        if run and at - run[-1] > _MOST_LINES:
            yield run
            run = []
        run.append(at)
    yield run


def _rising(
    lines: Sequence[Line], paged: Sequence[int], beginnings: "_Beginnings"
) -> Iterator[int]:
    """Yield lines that end with page numbers, if these rise from line to line."""
    run: list[tuple[int, int]] = []
    for at in paged:
        match = _tail(lines[at])
        if match is None or _SENTENCE_TAIL.search(lines[at].text):
            continue
        page = int(match["page"])
        goes_on = run and at - run[-1][0] <= 2 and 0 <= page - run[-1][1] <= _MOST_PAGES  # noqa: PLR2004 - at most one other line between
        if not goes_on:
            yield from _accepted_run(run, beginnings)
            run = []
        run.append((at, page))
    yield from _accepted_run(run, beginnings)


def _accepted_run(run: Sequence[tuple[int, int]], beginnings: "_Beginnings") -> Iterator[int]:
    """Yield the lines of a run that is long, or whose entries are numbered and recur below it."""
    if len(run) < _FEWEST_ENTRIES or run[-1][1] <= run[0][1]:
        return
    if len(run) >= _FEWEST_RISING or beginnings.come_again(run):
        yield from range(run[0][0], run[-1][0] + 1)


class _Beginnings:
    """Finds lines by the letters that they begin with; the index is built when first needed."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines

    @cached_property
    def _sorted(self) -> list[tuple[str, int]]:
        return sorted((letters(line.text[:_LONGEST]), at) for at, line in enumerate(self.lines))

    def come_again(self, run: Sequence[tuple[int, int]]) -> bool:
        """Whether the titles of a run are numbered, and each begins a line below the run."""
        titles = [match["title"] for at, _ in run if (match := _tail(self.lines[at]))]
        return all(map(parse_clause, titles)) and all(
            self._stands_after(title, run[-1][0]) for title in titles
        )

    def is_said_after(self, title: str, place: int) -> bool:
        """Whether a line below a place has exactly the text of a title."""
        wanted = letters(title)
        return any(said == wanted and at > place for said, at in self._near(wanted))

    def _stands_after(self, title: str, place: int) -> bool:
        wanted = letters(title)
        near = self._near(wanted)
        return bool(wanted) and any(said.startswith(wanted) and at > place for said, at in near)

    def _near(self, wanted: str) -> Iterable[tuple[str, int]]:
        first = bisect_left(self._sorted, (wanted, 0))
        return islice(self._sorted, first, first + _MOST_NAMED)


def _contents_titles(lines: Sequence[Line]) -> Iterator[int]:
    """Yield the lines that read Contents, in any of its forms."""
    for at, line in enumerate(lines[: int(_FIRST_PART * len(lines)) + 1]):
        if not _BEGUN.match(line.text):
            continue  # the common case
        if words_of(line.text).lstrip("0123456789 ") in CONTENTS_TITLES:
            yield at


def _below_title(lines: Sequence[Line], beginnings: _Beginnings) -> Iterator[int]:
    """Yield the lines below the title Contents, as long as they look like entries."""
    after = 0
    for at in _contents_titles(lines):
        if at < after:
            continue
        run: list[int] = []
        missed, after, leaders = 0, at + 1, 0
        while after < len(lines) and missed < _MOST_MISSED and len(run) < _MOST_ENTRIES:
            if len(lines[after].text) > _LONGEST_BROKEN:
                break
            has_leader = _leader(lines[after]) is not None
            leaders += has_leader
            is_entry = has_leader or (
                not (leaders == len(run) >= _FEWEST_LEADERS)
                and _is_entry(lines[after], after, beginnings)
            )
            missed = 0 if is_entry else missed + 1
            if is_entry:
                run.append(after)
            after += 1
        if len(run) >= _FEWEST_ENTRIES:
            yield from range(run[0], run[-1] + 1)


def _is_entry(line: Line, at: int, beginnings: _Beginnings) -> bool:
    """Whether a line without leaders may be an entry."""
    if _tail(line):
        return True
    if len(line.text) >= _LONGEST_PLAIN or line.text[-1] in ".;,":
        return False
    if parse_clause(line.text) is None:
        return False
    return line.indent > 0 or beginnings.is_said_after(line.text, at)
