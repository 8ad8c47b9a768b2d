"""The levels of titles without markup: by numbers, tables of contents and styles, in this order."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar

from treepack.numbers.nesting import OutlineNumber, Series, nest
from treepack.numbers.words import letters, words_of
from treepack.outline.chain import CONTAINERS
from treepack.outline.contents import Entries, EntryStyle
from treepack.outline.levels import levels_by_numbers
from treepack.outline.lines import Line
from treepack.outline.numbered import Candidate
from treepack.outline.styles import Style

_PARTS: Final = frozenset({"part", "book"})
"""Kinds of numbered titles below which there are titles without a number as well."""
_T = TypeVar("_T")


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
    line_count: int = 1
    number: Candidate | None = None
    style: Style = ""


def title_levels(titles: Sequence[Title], entries: Entries, first: Title | None) -> list[int]:
    """Return the level of each title, from 1 below ``first``, the document's own title, if any."""
    levels, floors = _numbered_levels(titles)
    guide = _guide(titles, levels, entries, first)
    parts = _SectionParts([title for title in titles if title is not first])
    above = part = 0
    for index, title in enumerate(titles):
        if title.number is not None:
            number = title.number.number
            above = levels[index]
            part = above if number.kind in _PARTS else part
            parts.leave_section()
            continue
        level = guide.shown_level(title, part)
        if level is None:
            is_part = title is not first and parts.is_part(title)
            level = guide.default_level(title, above) + is_part
        levels[index] = max(level, floors[index])
    return levels


def _numbered_levels(titles: Sequence[Title]) -> tuple[list[int], list[int]]:
    """Return the levels by numbers, 0 without one, and the least level that each title may have."""
    keys = [title.number.number.key for title in titles if title.number]
    has_annexes = keys.count(("A",)) == 1  # bare letters; in chapters they would begin again
    numbers = [
        _outline_number(title.number, has_annexes=has_annexes) if title.number else None
        for title in titles
    ]
    return levels_by_numbers(numbers, nest(numbers)[0])


def _outline_number(candidate: Candidate, *, has_annexes: bool) -> OutlineNumber:
    """Return the number of a title in the outline."""
    number = candidate.number
    has_own_series = number.kind in CONTAINERS or number.word == "§" or len(number.key) == 1
    word = number.word if has_own_series else ""
    is_letter = isinstance(number.key[0], str)
    is_annex = number.kind == "annex" or (is_letter and has_annexes and not number.word)
    key = tuple((0, part) if isinstance(part, str) else (part, "") for part in number.key)
    parts = tuple(map(str, number.key))
    series = Series(word, "letter" if is_letter else "number")
    return OutlineNumber(".".join(parts), series, key, parts, is_annex)


class _Guide(NamedTuple):
    """What determines the level of a title without a number.

    Attributes:
        entries: The entries of tables of contents.
        entry_styles: The level of each style of entries, and whether numbers determine it.
        underlines: The level of each underline, by its character.
        fonts: The level of each font size, the largest first.
    """

    entries: Entries
    entry_styles: dict[EntryStyle, tuple[int, bool]]
    underlines: dict[str, int]
    fonts: dict[float, int]

    def shown_level(self, title: Title, part: int) -> int | None:
        """Return the level shown by underlines, contents or fonts; None without these.

        ``part`` is the level of the part that the title is in, or 0.
        """
        line = title.line
        if line.underline in self.underlines:
            return self.underlines[line.underline]
        entry = self.entries.get(letters(line.text))
        if entry is not None and entry in self.entry_styles:
            level, is_numbered = self.entry_styles[entry]
            return level if is_numbered else level + part
        return self.fonts.get(line.size, 1) if line.size else None

    def default_level(self, title: Title, above: int) -> int:
        """Return the level of any other title; ``above`` is that of the last numbered one, or 0."""
        if title.style == "bold" and above:
            return above + 1
        # below all titles in larger fonts
        return len(self.fonts) + 1 if title.style in {"bold", "alone"} else 1


def _guide(
    titles: Sequence[Title], levels: Sequence[int], entries: Entries, first: Title | None
) -> _Guide:
    others = [
        (title, level) for title, level in zip(titles, levels, strict=True) if title is not first
    ]
    sizes = sorted({title.line.size for title, _ in others} - {0.0}, reverse=True)
    # In reStructuredText and similar formats, the order of underlines shows levels.
    underlines: dict[str, Counter[int]] = defaultdict(Counter)
    for title, level in others:
        if title.line.underline:
            underlines[title.line.underline][level] += title.number is not None
    by_underline = {
        underline: counts.most_common(1)[0][0] or rank
        for rank, (underline, counts) in enumerate(underlines.items(), 1)
    }
    return _Guide(entries, _entry_levels(titles, levels, entries), by_underline, _ranks(sizes))


def _ranks(values: Iterable[_T]) -> dict[_T, int]:
    return {value: rank for rank, value in enumerate(values, 1)}


def _entry_levels(
    titles: Sequence[Title], levels: Sequence[int], entries: Entries
) -> dict[EntryStyle, tuple[int, bool]]:
    """Return the level of each style of entries, and whether numbers determine it.

    It is the highest level that more than one number shows: some books print a preface and all
    numbered entries in one style.
    """
    styles = sorted({*entries.values()})
    if len(styles) < 2:  # noqa: PLR2004 - a flat list shows no levels
        return {}
    counts: dict[EntryStyle, Counter[int]] = defaultdict(Counter)
    for title, level in zip(titles, levels, strict=True):
        entry = entries.get(letters(title.line.text))
        if entry is not None and title.number is not None:
            counts[entry][level] += 1
    by_numbers = {style: (min(each), True) for style, each in counts.items()}
    return {style: (rank, False) for style, rank in _ranks(styles).items()} | by_numbers


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
