"""Tables of contents: their lines are not titles, but evidence for the titles that they list."""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

from treepack.numbers.grammar import parse_clause
from treepack.numbers.words import KIND_OF_WORD, letters, letters_of_lines, words_of
from treepack.outline.titles.lines import Line
from treepack.outline.titles.printed import ALONE
from treepack.outline.titles.wording import TOC_TITLES

_LEADER_AND_PAGE: Final = re.compile(
    r"(?P<title>.*?\S)\s*(?:(?:\.\s?){3,}|\s{3,}|…+|\t)\s*(?P<page>\d{1,4}|[ivxl]{1,6})"
)
_ENTRY_IN_COLUMN: Final = re.compile(r"(?P<title>[^\W_].*?)\s*(?:\.\s?){3,}\s*\d{1,4}(?!\S)")
_DOTS: Final = re.compile(r"(?:\.\s?){3}|…")
_FULL_SHARE: Final = 0.8  # share of the longest line of the contents
_LONGEST_LEADER: Final = 200  # characters; the pattern is quadratic in them
_PAGE_TAIL: Final = re.compile(r"(?P<title>.*[^\d\s])\s+(?P<page>\d{1,4})")
_SENTENCE_TAIL: Final = re.compile(r"[.;:,]\s+\d+$")
_LONGEST: Final = 110
_LONGEST_PLAIN: Final = 90
_LINES_NEAR: Final = 5  # lines above and below
_FEWEST_LEADERS: Final = 4
_FEWEST_RISING: Final = 8
_FEWEST_ENTRIES: Final = 4
_MOST_MISSED: Final = 2
_MOST_ENTRIES: Final = 900
_MOST_POSITIONS: Final = 50  # entries of one title
_MOST_PAGES: Final = 15  # between two entries
_PAGE: Final = re.compile(r"\d{1,4}|[ivxl]{1,6}")
_LONGEST_BROKEN: Final = 120  # characters of a line of an entry; a longer line ends the contents
_LONGEST_NUMBER: Final = 3  # letters and digits that are hardly a title
_FIRST_PART: Final = 0.3  # share of the document in which the title Contents may be
# A line is compared with `TOC_TITLES` only if it begins like one of them.
_TOC_TITLE_START: Final = re.compile(
    rf"[\W\d]*(?:{'|'.join(title.split()[0] for title in TOC_TITLES)})", re.IGNORECASE
)


EntryStyle: TypeAlias = tuple[int, bool]
"""The indentation of an entry, and whether dots lead to its page.

The text of a PDF has no indentation, but many books print dots only in lower entries.
"""


class Entry(NamedTuple):
    """What tables of contents show about a title.

    Attributes:
        style: How the first line that lists it is printed; the lesser of two styles is the higher
            level.
        positions: The indexes of the lines that list it, in order; for a second column, the
            number of all lines is added.
    """

    style: EntryStyle
    positions: list[int]


def read_toc(lines: Sequence[Line]) -> dict[str, Entry]:
    """Flag the lines of tables of contents; return their entries by the letters of the titles."""
    paged = [index for index, line in enumerate(lines) if _ends_like_page(line)]  # few lines
    letter_index = _LetterIndex(lines)
    toc_lines = {
        *_with_leaders(lines, paged),
        *_rising(lines, paged, letter_index),
        *_below_title(lines, letter_index),
    }
    entries: dict[str, Entry] = {}
    width = max((len(lines[index].text) for index in toc_lines), default=0)
    for index in sorted(toc_lines):
        line = lines[index]
        line.is_toc_entry = True
        if ALONE.fullmatch(line.text) or _PAGE.fullmatch(line.text):
            continue  # a number on a line of its own is not a title
        for column, title in enumerate(_titles_of(line)):
            entry = entries.setdefault(
                letters(title.rstrip(". ")), Entry(_entry_style(line, width), [])
            )
            if len(entry.positions) < _MOST_POSITIONS:
                entry.positions.append(index + column * len(lines))
    entries.pop("", None)
    return entries


def _titles_of(line: Line) -> list[str]:
    """Return the title of an entry, or two titles if the contents have two columns."""
    if (match := _match_leader(line)) and _DOTS.search(match["title"]):
        return [each["title"] for each in _ENTRY_IN_COLUMN.finditer(line.text)]
    match = match or _match_page_tail(line)
    return [match["title"] if match else line.text]


def _entry_style(line: Line, width: int) -> EntryStyle:
    """Return how an entry is printed; an entry that fills its line has no room for dots."""
    is_full = len(line.text) > _FULL_SHARE * width
    return line.indent, is_full or _DOTS.search(line.text) is not None


def is_in_toc(entries: Collection[str], *texts: str) -> bool:
    """Whether a table of contents lists any of these texts."""
    keys = map(letters, texts) if entries else ()
    return any(len(key) > _LONGEST_NUMBER and key in entries for key in keys)


def in_order(keys: Sequence[str], entries: Mapping[str, Entry]) -> list[int]:
    """Return the indexes of the longest run of titles that are in the order of their entries.

    A title occurs in the text as often as in the contents; other lines may have the same text.
    """
    last_positions: list[int] = []  # for each length of a run, the lowest entry that may end it
    nodes: list[tuple[int, int]] = []  # a line, and the node before it
    last_nodes: list[int] = []  # the node of each entry in `last_positions`
    for index, key in enumerate(keys):
        for position in reversed(entries[key].positions):
            length = bisect_left(last_positions, position)
            nodes.append((index, last_nodes[length - 1] if length else -1))
            last_positions[length : length + 1] = [position]
            last_nodes[length : length + 1] = [len(nodes) - 1]
    indexes: list[int] = []
    node = last_nodes[-1] if last_nodes else -1
    while node >= 0:
        index, node = nodes[node]
        indexes.append(index)
    return indexes[::-1]


def _ends_like_page(line: Line) -> bool:
    return line.text[-1] in "ivxl" or line.text[-1].isdecimal()


def _match_leader(line: Line) -> re.Match[str] | None:
    text = line.text
    if len(text) > _LONGEST_LEADER or not _ends_like_page(line):
        return None  # the common case
    may_have_leader = ".." in text or ". ." in text or "   " in text or "…" in text or "\t" in text
    return _LEADER_AND_PAGE.fullmatch(text) if may_have_leader else None


def _match_page_tail(line: Line) -> re.Match[str] | None:
    if len(line.text) >= _LONGEST or not line.text[-1].isdecimal():
        return None  # the common case
    match = _PAGE_TAIL.fullmatch(line.text)
    if match is not None and match["title"].lstrip("0123456789. ").casefold() in KIND_OF_WORD:
        return None  # "Chapter 1" heads what follows, and "1. Part 1" has no page
    return match


def _with_leaders(lines: Sequence[Line], paged: Sequence[int]) -> Iterator[int]:
    """Yield lines with leaders and a page that have several other such lines near them."""
    leaders = {index: match for index in paged if (match := _match_leader(lines[index]))}
    for index, match in leaders.items():
        if len(letters(match["title"])) < 2:  # noqa: PLR2004 - letters of a title
            continue
        if match["title"].rstrip(". ").endswith(";"):
            continue
        near = range(index - _LINES_NEAR, index + _LINES_NEAR + 1)
        if sum(neighbour in leaders for neighbour in near) >= _FEWEST_LEADERS:
            yield index


def _rising(
    lines: Sequence[Line], paged: Sequence[int], letter_index: "_LetterIndex"
) -> Iterator[int]:
    """Yield lines that end with page numbers, if these rise from line to line."""
    run: list[tuple[int, int]] = []
    for index in paged:
        match = _match_page_tail(lines[index])
        if match is None or _SENTENCE_TAIL.search(lines[index].text):
            continue
        page = int(match["page"])
        continues = run and index - run[-1][0] <= 2 and 0 <= page - run[-1][1] <= _MOST_PAGES  # noqa: PLR2004 - at most one other line between
        if not continues:
            yield from _accepted_run(run, letter_index)
            run = []
        run.append((index, page))
    yield from _accepted_run(run, letter_index)


def _accepted_run(run: Sequence[tuple[int, int]], letter_index: "_LetterIndex") -> Iterator[int]:
    """Yield the lines of a run that is long, or whose entries are numbered and recur below it."""
    if len(run) < _FEWEST_ENTRIES or run[-1][1] <= run[0][1]:
        return
    if len(run) >= _FEWEST_RISING or letter_index.recur_below(run):
        yield from range(run[0][0], run[-1][0] + 1)


class _LetterIndex:
    """Finds lines by the letters that they begin with; the index is built when first needed."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines

    @cached_property
    def _sorted(self) -> list[tuple[str, int]]:
        keys = letters_of_lines([line.text[:_LONGEST] for line in self.lines])
        return sorted(zip(keys, range(len(keys)), strict=True))

    def recur_below(self, run: Sequence[tuple[int, int]]) -> bool:
        """Whether the titles of a run are numbered, and each begins a line below the run."""
        titles = [
            match["title"] for index, _ in run if (match := _match_page_tail(self.lines[index]))
        ]
        return all(map(parse_clause, titles)) and all(
            self._begins_line_below(title, run[-1][0]) for title in titles
        )

    def is_line_below(self, title: str, after: int) -> bool:
        """Whether a line below that with an index has exactly the text of a title."""
        wanted = letters(title)
        return wanted in self._below(wanted, after)

    def _begins_line_below(self, title: str, after: int) -> bool:
        wanted = letters(title)
        below = self._below(wanted, after)
        return bool(wanted) and any(line.startswith(wanted) for line in below)

    def _below(self, wanted: str, after: int) -> Iterator[str]:
        """Yield the letters of lines below that with an index, from the wanted letters on."""
        first = bisect_left(self._sorted, (wanted, 0))
        near = islice(self._sorted, first, first + _MOST_POSITIONS)
        return (line for line, index in near if index > after)


def _toc_titles(lines: Sequence[Line]) -> Iterator[int]:
    """Yield the lines that read Contents, in any of its forms."""
    for index, line in enumerate(lines[: int(_FIRST_PART * len(lines)) + 1]):
        if not _TOC_TITLE_START.match(line.text):
            continue  # the common case
        if words_of(line.text).lstrip("0123456789 ") in TOC_TITLES:
            yield index


def _below_title(lines: Sequence[Line], letter_index: _LetterIndex) -> Iterator[int]:
    """Yield the lines below the title Contents, as long as they look like entries."""
    next_index = 0
    for index in _toc_titles(lines):
        if index < next_index:
            continue
        run: list[int] = []
        missed, next_index, leaders = 0, index + 1, 0
        while next_index < len(lines) and missed < _MOST_MISSED and len(run) < _MOST_ENTRIES:
            if len(lines[next_index].text) > _LONGEST_BROKEN:
                break
            has_leader = _match_leader(lines[next_index]) is not None
            leaders += has_leader
            is_entry = has_leader or (
                not (leaders == len(run) >= _FEWEST_LEADERS)
                and _is_entry(lines[next_index], next_index, letter_index)
            )
            missed = 0 if is_entry else missed + 1
            if is_entry:
                run.append(next_index)
            next_index += 1
        if len(run) >= _FEWEST_ENTRIES:
            yield from range(run[0], run[-1] + 1)


def _is_entry(line: Line, index: int, letter_index: _LetterIndex) -> bool:
    """Whether a line without leaders may be an entry."""
    if _match_page_tail(line):
        return True
    if len(line.text) >= _LONGEST_PLAIN or line.text[-1] in ".;,":
        return False
    if parse_clause(line.text) is None:
        return False
    return line.indent > 0 or letter_index.is_line_below(line.text, index)
