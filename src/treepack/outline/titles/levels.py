"""The levels of titles without markup: by numbers, tables of contents and styles, in this order."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from treepack.numbers.heading_numbers import opened_by_zero
from treepack.numbers.nesting import OutlineNumber, Series, nest
from treepack.outline.titles.candidates import Candidate
from treepack.outline.titles.contents import Entry, Step
from treepack.outline.titles.lines import Line
from treepack.outline.titles.numbered import CONTAINERS
from treepack.outline.titles.numerals import NUMERAL, numeral_numbers
from treepack.outline.titles.series import counted_titles
from treepack.outline.titles.signs import sign_of
from treepack.outline.titles.spaced import blank_lines, gap_levels
from treepack.outline.titles.style_reader import HANGING, SPACED, Style
from treepack.outline.titles.wording import KNOWN_TITLES, letters, words_of

_PARTS: Final = frozenset({"part", "book"})
"""Kinds of numbered titles below which there are titles without a number as well."""
_MOST_STEPS: Final = 16  # of a table of contents; more are columns of an index


@dataclass(eq=False, slots=True)
class Title:
    """A title that was found.

    Attributes:
        at: The index of its first line.
        lines: How many lines it takes.
        number: The candidate with its number; None for a title without a number.
        style: What sets a title without a number apart.
    """

    at: int
    lines: int
    number: Candidate | None
    style: Style


def title_levels(
    titles: Sequence[Title],
    lines: Sequence[Line],
    entries: Mapping[str, Entry],
    first: Title | None,
) -> list[int]:
    """Return the level of each title, from 1 below ``first``, the document's own title, if any."""
    counted = {
        **counted_titles([None if title.number else lines[title.at].text for title in titles]),
        **numeral_numbers(
            [lines[title.at].text if title.style == NUMERAL else None for title in titles]
        ),
    }
    levels, floors = _numbered_levels(titles, counted)
    by_signs = _is_by_signs(titles, levels, lines)
    own = [place for place, title in enumerate(titles) if title is not first]
    others = [titles[place] for place in own]
    guide = _Guide(
        lines,
        entries,
        _contents_levels(titles, levels, lines, entries),
        _sign_levels(others, [levels[place] for place in own], lines, by_turn=by_signs),
        _font_levels(others, lines),
        _indent_levels(others, lines),
        _gap_levels(titles, lines),
    )
    parts = _Parts(others, lines)
    above = part = 0
    size = 0.0  # font size of the last numbered title, if a word begins it
    gap = 0  # blank lines above the last numbered title
    for place, title in enumerate(titles):
        if by_signs and title is not first and (sign := sign_of(lines[title.at])):
            levels[place] = above = guide.signs[sign]
            gap = blank_lines(lines, title.at)
            parts.leave()
            continue
        if title.number is not None or place in counted:
            above, gap = levels[place], blank_lines(lines, title.at)
            is_named = title.number is None or bool(title.number.word)
            size = lines[title.at].size if is_named else 0.0
            is_part = title.number is not None and title.number.kind in _PARTS
            part = above if is_part else part
            parts.leave()
            continue
        level = guide.told(title, part, above=above, size=size, gap=gap)
        if level is None:
            level = guide.usual(title, above, floors[place]) + (
                title is not first and parts.is_part(title)
            )
        least = part + 1 if title.style == "contents" else 1
        levels[place] = max(level, least, floors[place])
    return levels


def _numbered_levels(
    titles: Sequence[Title], counted: Mapping[int, OutlineNumber]
) -> tuple[list[int], list[int]]:
    """Return the levels by numbers, 0 without one, and the least level that each title may have.

    If the next number belongs to a clause that began earlier, titles in between do as well.

    Args:
        titles: The titles.
        counted: The numbers of titles that are numbered with a word of their own, by index.
    """
    bare = [title.number for title in titles if title.number and not title.number.word]
    zeros = opened_by_zero((tuple(map(str, number.key)) for number in bare), may_lack=True)
    has_annexes = _has_annexes([title.number for title in titles if title.number])
    numbers = [
        _outline_number(title.number, zeros, has_annexes=has_annexes)
        if title.number
        else counted.get(place)
        for place, title in enumerate(titles)
    ]
    parents = nest(numbers).parents
    levels = [0] * len(titles)
    for place, (number, parent) in enumerate(zip(numbers, parents, strict=True)):
        if number is not None:
            levels[place] = 1 + (levels[parent] if parent is not None else 0)
    floors = [1] * len(titles)
    floor = 1
    for place in range(len(titles) - 1, -1, -1):
        floor = levels[place] or floor
        floors[place] = floor
    return levels, floors


class _Guide(NamedTuple):
    """What determines the level of a title without a number.

    Attributes:
        lines: All lines.
        entries: The entries of tables of contents, by letters.
        steps: The level of each step of the contents, and whether numbers determine it.
        signs: The level of each `Sign`: an underline or markup.
        fonts: The level of each font size, the largest first.
        indents: The level of each indentation of hanging titles.
        gaps: The level of each number of blank lines above titles; empty without spaced titles.
    """

    lines: Sequence[Line]
    entries: Mapping[str, Entry]
    steps: Mapping[Step, tuple[int, bool]]
    signs: Mapping[str, int]
    fonts: Mapping[float, int]
    indents: Mapping[int, int]
    gaps: Mapping[int, int]

    def told(self, title: Title, part: int, *, above: int, size: float, gap: int) -> int | None:
        """Return the level shown by a sign, contents, indents, gaps or fonts; None without these.

        Args:
            title: The title.
            part: The level of the part that it is in, or 0.
            above: The level of the last numbered title, or 0.
            size: The font size of that title if a word begins it, else 0. A title that is not
                larger is below it. Without the word, a title of equal size may be beside it.
            gap: How many blank lines are above the last numbered title.
        """
        line = self.lines[title.at]
        if (sign := sign_of(line)) in self.signs:
            return self.signs[sign]
        entry = self.entries.get(letters(line.text))
        if entry is not None and entry.step in self.steps:
            level, is_numbered = self.steps[entry.step]
            return level if is_numbered else level + part
        if title.style == HANGING:
            return self.indents.get(line.indent, 1)  # that of the first title may be missing
        if title.style == SPACED:
            own = self.gaps[blank_lines(self.lines, title.at)]
            return above + max(0, own - self.gaps[gap]) if above else own
        if above and line.size <= size:
            return above + max(1, self.fonts[line.size] - self.fonts[size]) if line.size else None
        return self.fonts.get(line.size, 1) if line.size else None

    def usual(self, title: Title, above: int, floor: int) -> int:
        """Return the level of any other title; ``above`` is that of the last numbered one, or 0.

        Known titles are above all others. Between two sections of a part they cannot be, and a bold
        one gets the level of other bold titles.
        """
        is_known = words_of(self.lines[title.at].text) in KNOWN_TITLES
        if is_known and not (floor > 1 and self._is_bold(title)):
            return 1
        if self._is_bold(title) and above:
            return above + 1
        is_below = self._is_bold(title) or (title.style == "plain" and self.fonts)
        return len(self.fonts) + 1 if is_below else 1  # below all titles in larger fonts

    def _is_bold(self, title: Title) -> bool:
        return title.style == "bold" or (title.style == "known" and self.lines[title.at].is_bold)


class _Parts:
    """Distinguishes titles of parts of a section from titles of sections, if they look alike.

    A title that recurs (Example, Parameters) does so in each section. A title that contains the
    words of its section's title and more (Linux mounts, in Mounts) belongs below it.
    """

    def __init__(self, titles: Sequence[Title], lines: Sequence[Line]) -> None:
        self._lines = lines
        self._times = Counter(
            letters(lines[title.at].text) for title in titles if title.number is None
        )
        self._section: frozenset[str] = frozenset()

    def leave(self) -> None:
        """Forget the current section, because another title, such as a numbered one, begins."""
        self._section = frozenset[str]()

    def is_part(self, title: Title) -> bool:
        """Whether a title heads a part of the current section; if not, it begins the next one."""
        text = self._lines[title.at].text
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


def _outline_number(
    candidate: Candidate, zeros: Collection[str], *, has_annexes: bool
) -> OutlineNumber:
    """Return the number of a title in the outline.

    Args:
        candidate: The title.
        zeros: The numbers N for which N.0 is printed.
        has_annexes: Whether bare letters are the numbers of annexes.
    """
    steps = candidate.key
    if steps[1:] == (0,) and str(steps[0]) in zeros and not candidate.word:
        steps = steps[:1]
    is_word = candidate.kind in CONTAINERS or candidate.word in {"§", "roman"}
    is_word = is_word or len(steps) == 1
    word = candidate.word if is_word and candidate.word else ""
    first = steps[0]
    is_bare_letter = isinstance(first, str) and not candidate.word
    is_annex = candidate.kind == "annex" or (is_bare_letter and has_annexes)
    style = "letter" if isinstance(first, str) else "number"
    key = tuple((0, step) if isinstance(step, str) else (step, "") for step in steps)
    parts = tuple(str(step) for step in steps)
    return OutlineNumber(".".join(parts), Series(word, style), key, parts, is_annex)


def _is_by_signs(titles: Sequence[Title], levels: Sequence[int], lines: Sequence[Line]) -> bool:
    """Whether signs determine the levels of numbered titles as well.

    They do if each numbered title has a sign, and no sign is used for numbers of two levels.
    """
    pairs = {
        (sign_of(lines[title.at]), level)
        for title, level in zip(titles, levels, strict=True)
        if title.number is not None
    }
    signs = {sign for sign, _ in pairs}
    return "" not in signs and len(signs) == len(pairs)


def _sign_levels(
    titles: Sequence[Title], levels: Sequence[int], lines: Sequence[Line], *, by_turn: bool
) -> dict[str, int]:
    """Return the level of each sign: that of numbered titles with it, or its place in the order.

    In reStructuredText and similar formats, nothing else shows levels.

    Args:
        titles: The titles, without the document's own.
        levels: Their levels by numbers, 0 for titles without one.
        lines: All lines.
        by_turn: Whether to ignore numbers and use the order only.
    """
    said: dict[str, Counter[int]] = defaultdict(Counter)
    for title, level in zip(titles, levels, strict=True):
        if sign := sign_of(lines[title.at]):
            said[sign][level] += title.number is not None and not by_turn
    return {
        sign: place if by_turn else said[sign].most_common(1)[0][0] or place
        for place, sign in enumerate(_in_turn([*said]), 1)
    }


def _in_turn(signs: Sequence[str]) -> list[str]:
    """Return the signs in the order in which they appear, but markup by its length.

    A wiki's ``== `` is above ``=== ``. If the longest markup comes first, as in the readme files of
    plugins, the order is reversed.
    """
    marks = [sign for sign in signs if sign.endswith(" ")]
    is_longest_first = len(marks) > 1 and len(marks[0]) == max(map(len, marks))
    is_longest_first = is_longest_first and marks[0][0] == "="
    in_turn = iter(sorted(marks, key=len, reverse=is_longest_first))
    return [next(in_turn) if sign.endswith(" ") else sign for sign in signs]


def _font_levels(titles: Sequence[Title], lines: Sequence[Line]) -> dict[float, int]:
    """Return the level of each font size: the largest is the highest."""
    sizes = {lines[title.at].size for title in titles} - {0.0}
    return {size: place for place, size in enumerate(sorted(sizes, reverse=True), 1)}


def _indent_levels(titles: Sequence[Title], lines: Sequence[Line]) -> dict[int, int]:
    """Return the level of each indentation of hanging titles: the least is the highest."""
    indents = {lines[title.at].indent for title in titles if title.style == HANGING}
    return {indent: place for place, indent in enumerate(sorted(indents), 1)}


def _gap_levels(titles: Sequence[Title], lines: Sequence[Line]) -> dict[int, int]:
    """Return the level of each number of blank lines above titles, if any title is spaced."""
    if not any(title.style == SPACED for title in titles):
        return {}
    return gap_levels(blank_lines(lines, title.at) for title in titles)


def _contents_levels(
    titles: Sequence[Title],
    levels: Sequence[int],
    lines: Sequence[Line],
    entries: Mapping[str, Entry],
) -> dict[Step, tuple[int, bool]]:
    """Return the level of each step of a table of contents, and whether numbers determine it."""
    steps = sorted({entry.step for entry in entries.values()})
    if len(steps) < 2:  # noqa: PLR2004 - a flat list shows no levels
        return {}
    said: dict[Step, Counter[int]] = defaultdict(Counter)
    for title, level in zip(titles, levels, strict=True):
        entry = entries.get(letters(lines[title.at].text))
        if entry is not None and title.number is not None:
            said[entry.step][level] += 1
    by_numbers = {step: (_highest(levels_said), True) for step, levels_said in said.items()}
    if len(steps) > _MOST_STEPS:
        return by_numbers
    return {step: (place, False) for place, step in enumerate(steps, 1)} | by_numbers


def _highest(said: Counter[int]) -> int:
    """Return the highest level that numbers show for a step; one number alone may be a slip.

    Some books print a preface and all numbered entries on one step.
    """
    sure = [level for level, times in said.items() if times > 1]
    return min(sure or said)
