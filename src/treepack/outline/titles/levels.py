"""The levels of titles without markup: by numbers, tables of contents and styles, in this order."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar

from treepack.numbers.nesting import OutlineNumber, Series, nest
from treepack.numbers.words import letters, words_of
from treepack.outline.titles.candidates import Candidate
from treepack.outline.titles.lines import Line
from treepack.outline.titles.numbered import CONTAINERS
from treepack.outline.titles.style_reader import Style
from treepack.outline.titles.toc import Entry, EntryStyle
from treepack.outline.titles.wording import KNOWN_TITLES

_PARTS: Final = frozenset({"part", "book"})
"""Kinds of numbered titles below which there are titles without a number as well."""
_T = TypeVar("_T")
_MOST_STYLES: Final = 16  # of a table of contents; more are columns of an index


@dataclass(eq=False, slots=True)
class Title:
    """A title that was found.

    Attributes:
        line_index: The index of its first line.
        line: Its first line.
        line_count: How many lines it takes.
        number: The candidate with its number; None for a title without a number.
        style: What sets a title without a number apart.
    """

    line_index: int
    line: Line
    line_count: int
    number: Candidate | None
    style: Style


def title_at(
    lines: Sequence[Line],
    index: int,
    line_count: int = 1,
    number: Candidate | None = None,
    style: Style = "",
) -> Title:
    """Return the title that begins on a line; for arguments see `Title`."""
    return Title(index, lines[index], line_count, number, style)


def title_levels(
    titles: Sequence[Title], entries: Mapping[str, Entry], first: Title | None
) -> list[int]:
    """Return the level of each title, from 1 below ``first``, the document's own title, if any."""
    levels, floors = _numbered_levels(titles)
    by_underline = _is_by_underline(titles, levels)
    indexes = [index for index, title in enumerate(titles) if title is not first]
    others = [titles[index] for index in indexes]
    guide = _Guide(
        entries,
        _toc_levels(titles, levels, entries),
        _underline_levels(others, [levels[index] for index in indexes], by_order=by_underline),
        fonts=_ranks(sorted({title.line.size for title in others} - {0.0}, reverse=True)),
    )
    section_parts = _SectionParts(others)
    above = part = 0
    size = 0.0  # font size of the last numbered title, if a word begins it
    for index, title in enumerate(titles):
        if by_underline and title is not first and title.line.underline:
            levels[index] = above = guide.underlines[title.line.underline]
            section_parts.leave_section()
            continue
        if title.number is not None:
            above = levels[index]
            size = title.line.size if title.number.word else 0.0
            part = above if title.number.kind in _PARTS else part
            section_parts.leave_section()
            continue
        level = guide.shown_level(title, part, above=above, size=size)
        if level is None:
            level = guide.default_level(title, above, floors[index]) + (
                title is not first and section_parts.is_part(title)
            )
        least = part + 1 if title.style == "contents" else 1
        levels[index] = max(level, least, floors[index])
    return levels


def _numbered_levels(titles: Sequence[Title]) -> tuple[list[int], list[int]]:
    """Return the levels by numbers, 0 without one, and the least level that each title may have.

    If the next number belongs to a clause that began earlier, titles in between do as well.
    """
    has_annexes = _has_annexes([title.number for title in titles if title.number])
    numbers = [
        _outline_number(title.number, has_annexes=has_annexes) if title.number else None
        for title in titles
    ]
    parents, _ = nest(numbers)
    levels = [0] * len(titles)
    for index, (number, parent) in enumerate(zip(numbers, parents, strict=True)):
        if number is not None:
            levels[index] = 1 + (levels[parent] if parent is not None else 0)
    floors = [1] * len(titles)
    floor = 1
    for index in range(len(titles) - 1, -1, -1):
        floor = levels[index] or floor
        floors[index] = floor
    return levels, floors


class _Guide(NamedTuple):
    """What determines the level of a title without a number.

    Attributes:
        entries: The entries of tables of contents, by letters.
        toc_styles: The level of each style of entries, and whether numbers determine it.
        underlines: The level of each underline, by its character.
        fonts: The level of each font size, the largest first.
    """

    entries: Mapping[str, Entry]
    toc_styles: Mapping[EntryStyle, tuple[int, bool]]
    underlines: Mapping[str, int]
    fonts: Mapping[float, int]

    def shown_level(self, title: Title, part: int, *, above: int, size: float) -> int | None:
        """Return the level shown by underlines, TOC or fonts; None without these.

        Args:
            title: The title.
            part: The level of the part that it is in, or 0.
            above: The level of the last numbered title, or 0.
            size: The font size of that title if a word begins it, else 0. A title that is not
                larger is below it. Without the word, a title of equal size may be beside it.
        """
        line = title.line
        if line.underline in self.underlines:
            return self.underlines[line.underline]
        entry = self.entries.get(letters(line.text))
        if entry is not None and entry.style in self.toc_styles:
            level, is_numbered = self.toc_styles[entry.style]
            return level if is_numbered else level + part
        if above and line.size <= size:
            return above + max(1, self.fonts[line.size] - self.fonts[size]) if line.size else None
        return self.fonts.get(line.size, 1) if line.size else None

    def default_level(self, title: Title, above: int, floor: int) -> int:
        """Return the level of any other title; ``above`` is that of the last numbered one, or 0.

        Known titles are above all others. Between two sections of a part they cannot be, and a bold
        one gets the level of other bold titles.
        """
        is_known = words_of(title.line.text) in KNOWN_TITLES
        if is_known and not (floor > 1 and self._is_bold(title)):
            return 1
        if self._is_bold(title) and above:
            return above + 1
        is_below = self._is_bold(title) or (title.style == "plain" and self.fonts)
        return len(self.fonts) + 1 if is_below else 1  # below all titles in larger fonts

    def _is_bold(self, title: Title) -> bool:
        return title.style == "bold" or (title.style == "known" and title.line.is_bold)


class _SectionParts:
    """Distinguishes titles of parts of a section from titles of sections, if they look alike.

    A title that recurs (Example, Parameters) does so in each section. A title that contains the
    words of its section's title and more (Linux mounts, in Mounts) belongs below it.
    """

    def __init__(self, titles: Sequence[Title]) -> None:
        self._times = Counter(letters(title.line.text) for title in titles if title.number is None)
        self._section: frozenset[str] = frozenset()

    def leave_section(self) -> None:
        """Forget the current section, because another title, such as a numbered one, begins."""
        self._section = frozenset[str]()

    def is_part(self, title: Title) -> bool:
        """Whether a title heads a part of the current section; if not, it begins the next one."""
        text = title.line.text
        words = frozenset(word.removesuffix("s") for word in words_of(text).split())
        if self._times[letters(text)] > 1 or (self._section and self._section < words):
            return True
        self._section = words
        return False


def _has_annexes(numbers: Sequence[Candidate]) -> bool:
    """Whether bare letters are the numbers of annexes: they begin once, after bare numbers."""
    bare = [number.key[0] for number in numbers if not number.word or number.word == "roman"]
    starts = [number for number in numbers if number.key == ("A",) and not number.word]
    return len(starts) == 1 and isinstance(bare[0], int)


def _outline_number(candidate: Candidate, *, has_annexes: bool) -> OutlineNumber:
    """Return the number of a title in the outline."""
    components = candidate.key
    has_own_series = candidate.kind in CONTAINERS or candidate.word in {"§", "roman"}
    has_own_series = has_own_series or len(components) == 1
    word = candidate.word if has_own_series and candidate.word else ""
    first = components[0]
    is_bare_letter = isinstance(first, str) and not candidate.word
    is_annex = candidate.kind == "annex" or (is_bare_letter and has_annexes)
    style = "letter" if isinstance(first, str) else "number"
    key = tuple((0, part) if isinstance(part, str) else (part, "") for part in components)
    parts = tuple(map(str, components))
    return OutlineNumber(".".join(parts), Series(word, style), key, parts, is_annex)


def _is_by_underline(titles: Sequence[Title], levels: Sequence[int]) -> bool:
    """Whether underlines determine the levels of numbered titles as well.

    They do if each numbered title has one, and none is used for numbers of two levels.
    """
    pairs = {
        (title.line.underline, level)
        for title, level in zip(titles, levels, strict=True)
        if title.number is not None
    }
    underlines = {underline for underline, _ in pairs}
    return "" not in underlines and len(underlines) == len(pairs)


def _underline_levels(
    titles: Sequence[Title], levels: Sequence[int], *, by_order: bool
) -> dict[str, int]:
    """Return the level of each underline: that of numbered titles with it, or its rank in order.

    In reStructuredText and similar formats, nothing else shows levels.
    """
    found: dict[str, Counter[int]] = defaultdict(Counter)
    for title, level in zip(titles, levels, strict=True):
        if underline := title.line.underline:
            found[underline][level] += title.number is not None and not by_order
    return {
        underline: rank if by_order else counts.most_common(1)[0][0] or rank
        for rank, (underline, counts) in enumerate(found.items(), 1)
    }


def _ranks(values: Sequence[_T]) -> dict[_T, int]:
    return {value: rank for rank, value in enumerate(values, 1)}


def _toc_levels(
    titles: Sequence[Title], levels: Sequence[int], entries: Mapping[str, Entry]
) -> dict[EntryStyle, tuple[int, bool]]:
    """Return the level of each style of TOC entries, and whether numbers determine it."""
    styles = sorted({entry.style for entry in entries.values()})
    if len(styles) < 2:  # noqa: PLR2004 - a flat list shows no levels
        return {}
    levels_by_style: dict[EntryStyle, Counter[int]] = defaultdict(Counter)
    for title, level in zip(titles, levels, strict=True):
        entry = entries.get(letters(title.line.text))
        if entry is not None and title.number is not None:
            levels_by_style[entry.style][level] += 1
    by_numbers = {style: (_highest(counts), True) for style, counts in levels_by_style.items()}
    if len(styles) > _MOST_STYLES:
        return by_numbers
    return {style: (rank, False) for style, rank in _ranks(styles).items()} | by_numbers


def _highest(level_counts: Counter[int]) -> int:
    """Return the highest level that numbers show for a style; one number alone may be a slip.

    Some books print a preface and all numbered entries in one style.
    """
    repeated = [level for level, times in level_counts.items() if times > 1]
    return min(repeated or level_counts)
