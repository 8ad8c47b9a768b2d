"""The levels of titles that no mark shows: by numbers, contents and styles, in this order."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from treepack.numbers.nesting import OutlineNumber, Series, nest
from treepack.numbers.values import opened_by_zero
from treepack.outline.titles.candidates import Candidate
from treepack.outline.titles.contents import Entry, Step
from treepack.outline.titles.lines import Line
from treepack.outline.titles.numbered import CONTAINERS
from treepack.outline.titles.series import counted_titles
from treepack.outline.titles.signs import sign_of
from treepack.outline.titles.spaced import blank_lines, gap_levels
from treepack.outline.titles.style_reader import HANGING, SPACED, Style
from treepack.outline.titles.wording import KNOWN_TITLES, letters, words_of

_PARTS: Final = frozenset({"part", "book"})
"""Words that hold titles without a number as well."""
_MOST_STEPS: Final = 16  # of a list of contents; more are columns of an index


@dataclass(eq=False, slots=True)
class Title:
    """A title that was found.

    Attributes:
        at: Its first line, by place.
        lines: How many lines it takes.
        number: What its number says; None for one without.
        style: What sets it apart, for one without a number.
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
    """The level of each title, from 1, below the document's own title, if ``first`` is one."""
    counted = counted_titles([None if title.number else lines[title.at].text for title in titles])
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
    size = 0.0  # of the font of the title above that a word and a number begin
    gap = 0  # above the numbered title above
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
    """The levels that numbers tell, 0 for what has none; and the highest that each may have.

    Where the next number belongs to a clause that began before, what stands between does as well.

    Args:
        titles: The titles.
        counted: The numbers of those that count on with a word of their own, by place.
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
    """What tells the level of a title without a number.

    Attributes:
        lines: All lines.
        entries: The entries of lists of contents, by letters.
        steps: The level of each step of the contents, and whether numbers tell it.
        signs: The level of each sign that underlines or marks.
        fonts: The level of each size of a font, the largest first.
        indents: The level of each indentation of titles that stick out.
        gaps: The level of each number of blank lines above titles, where these tell them.
    """

    lines: Sequence[Line]
    entries: Mapping[str, Entry]
    steps: Mapping[Step, tuple[int, bool]]
    signs: Mapping[str, int]
    fonts: Mapping[float, int]
    indents: Mapping[int, int]
    gaps: Mapping[int, int]

    def told(self, title: Title, part: int, *, above: int, size: float, gap: int) -> int | None:
        """The level that an underline, the contents or a font tells; None if nothing does.

        Args:
            title: The title.
            part: The level of the part that it stands in, or 0.
            above: The level of the numbered title above, or 0.
            size: The size of its font if a word stands before its number; what is no larger stands
                below it. A title as large as a bare number's may as well stand beside it.
            gap: How many blank lines are above the numbered title above.
        """
        line = self.lines[title.at]
        if (sign := sign_of(line)) in self.signs:
            return self.signs[sign]
        entry = self.entries.get(letters(line.text))
        if entry is not None and entry.step in self.steps:
            level, is_numbered = self.steps[entry.step]
            return level if is_numbered else level + part
        if title.style == HANGING:
            return self.indents.get(line.indent, 1)  # the first title may stand alone
        if title.style == SPACED:
            own = self.gaps[blank_lines(self.lines, title.at)]
            return above + max(0, own - self.gaps[gap]) if above else own
        if above and line.size <= size:
            return above + max(1, self.fonts[line.size] - self.fonts[size]) if line.size else None
        return self.fonts.get(line.size, 1) if line.size else None

    def usual(self, title: Title, above: int, floor: int) -> int:
        """The level of any other title that comes after a numbered one of a level, or of 0.

        Titles that all documents have stand above all others, unless they cannot: between two
        sections of a part, they are as others of their style.
        """
        is_known = words_of(self.lines[title.at].text) in KNOWN_TITLES
        if is_known and not (floor > 1 and self._is_bold(title)):
            return 1
        if self._is_bold(title) and above:
            return above + 1
        is_below = self._is_bold(title) or (title.style == "plain" and self.fonts)
        return len(self.fonts) + 1 if is_below else 1  # below all that are larger

    def _is_bold(self, title: Title) -> bool:
        return title.style == "bold" or (title.style == "known" and self.lines[title.at].is_bold)


class _Parts:
    """Tells titles that head a part of a section, among titles that all look alike.

    A title that comes again and again (Example, Parameters) does so in each section. One that says
    the title of its section and more (Linux mounts, in Mounts) goes deeper into it.
    """

    def __init__(self, titles: Sequence[Title], lines: Sequence[Line]) -> None:
        self._lines = lines
        self._times = Counter(
            letters(lines[title.at].text) for title in titles if title.number is None
        )
        self._section: frozenset[str] = frozenset()

    def leave(self) -> None:
        """Another section begins, which has a number."""
        self._section = frozenset[str]()

    def is_part(self, title: Title) -> bool:
        """Whether a title heads a part; if not, it heads the section that comes next."""
        text = self._lines[title.at].text
        words = frozenset(word.removesuffix("s") for word in words_of(text).split())
        if self._times[letters(text)] > 1 or (self._section and self._section < words):
            return True
        self._section = words
        return False


def _has_annexes(numbers: Sequence[Candidate]) -> bool:
    """Whether bare letters are the numbers of annexes: they count once, after all others."""
    bare = [number.key[0] for number in numbers if not number.word or number.word == "roman"]
    starts = [number for number in numbers if number.key == ("A",) and not number.word]
    return len(starts) == 1 and isinstance(bare[0], int)


def _outline_number(
    candidate: Candidate, zeros: Collection[str], *, has_annexes: bool
) -> OutlineNumber:
    """The number of a title in the outline.

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
    """Whether signs tell the levels of numbered titles as well.

    They do if each of those has one, and if no sign stands at numbers of two levels.
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
    """The level of each sign that underlines or marks: that of numbers beside it, or its turn.

    Texts in reStructuredText and their like show levels by nothing else.

    Args:
        titles: The titles, without the document's own.
        levels: What their numbers tell, 0 for titles without one.
        lines: All lines.
        by_turn: Whether numbers tell nothing of signs.
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
    """The signs in the order in which they come, but marks by their length.

    A wiki's ``== `` stands above ``=== ``. Where a longer mark comes first, as in the readme files
    of plugins, it is the other way round.
    """
    marks = [sign for sign in signs if sign.endswith(" ")]
    is_longest_first = len(marks) > 1 and len(marks[0]) == max(map(len, marks))
    is_longest_first = is_longest_first and marks[0][0] == "="
    in_turn = iter(sorted(marks, key=len, reverse=is_longest_first))
    return [next(in_turn) if sign.endswith(" ") else sign for sign in signs]


def _font_levels(titles: Sequence[Title], lines: Sequence[Line]) -> dict[float, int]:
    """The level of each size of a font: the largest is the highest."""
    sizes = {lines[title.at].size for title in titles} - {0.0}
    return {size: place for place, size in enumerate(sorted(sizes, reverse=True), 1)}


def _indent_levels(titles: Sequence[Title], lines: Sequence[Line]) -> dict[int, int]:
    """The level of each indentation of titles that stick out: the least is the highest."""
    indents = {lines[title.at].indent for title in titles if title.style == HANGING}
    return {indent: place for place, indent in enumerate(sorted(indents), 1)}


def _gap_levels(titles: Sequence[Title], lines: Sequence[Line]) -> dict[int, int]:
    """The level of each number of blank lines above titles, if such titles are among them."""
    if not any(title.style == SPACED for title in titles):
        return {}
    return gap_levels(blank_lines(lines, title.at) for title in titles)


def _contents_levels(
    titles: Sequence[Title],
    levels: Sequence[int],
    lines: Sequence[Line],
    entries: Mapping[str, Entry],
) -> dict[Step, tuple[int, bool]]:
    """The level that each step of a list of contents stands for, and whether numbers tell it."""
    steps = sorted({entry.step for entry in entries.values()})
    if len(steps) < 2:  # noqa: PLR2004 - a flat list tells nothing
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
    """The highest level of a step; books with one step for all numbers name a preface on it.

    What only one number says may be a slip.
    """
    sure = [level for level, times in said.items() if times > 1]
    return min(sure or said)
