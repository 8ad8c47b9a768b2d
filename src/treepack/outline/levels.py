"""The level of each heading: its own, unless the numbers contradict it or all are on one level.

The order of words such as Part, Title and Chapter is taken from the levels in the document: there
is no fixed order. A number contradicts its level only in these ways: ``5.1.2`` is not below
``5.1``, ``5.2`` is below ``5.1``, or ``Article 6`` is below the ``Article 5`` that it continues. If
all numbers are on one level, or contradictions are everywhere, the numbers alone determine the
levels; see `nesting.nest`.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from treepack.numbers.heading_numbers import heading_numbers
from treepack.numbers.nesting import (
    Coherence,
    Nesting,
    OutlineNumber,
    Series,
    is_letter,
    nest,
    outline_numbers,
)

_FEWEST_NUMBERED: Final = 3
_COHERENT: Final = 0.9  # share of the numbers that continue the numbering
# Share of the numbers at the most common level of their series. If fewer agree, written levels mean
# nothing where they contradict numbers. If levels are drawn at random from four, about 0.25 agree;
# if a file runs out of levels, nearly all agree.
_AGREEING: Final = 0.7
_FEW_CONTRADICTIONS: Final = 0.05  # share of the numbers; one slip does not discredit the rest

Level = tuple[int, str]
"""The level of a heading and the reason for it; if the level is its own, ignore the reason."""


def new_levels(levels: Sequence[int], titles: Sequence[str]) -> list[Level]:
    """Return the level of each heading of a document, and the reason for it.

    Args:
        levels: The levels as written, 1 to 6.
        titles: The headings' plain text.
    """
    own = [(level, "") for level in levels]
    found = heading_numbers(titles)
    if [number for number in found if number and is_letter(number)]:
        numbers = outline_numbers(found, with_letters=True)
        is_flat = len(_levels_of(numbers, levels)) == 1
        if is_flat and (nested := _from_numbers(levels, numbers, is_scrambled=False)) != own:
            return nested
    absolute = [number for number in found if number is not None and not number.is_relative]
    if len(absolute) < _FEWEST_NUMBERED:
        return own  # the common case
    numbers = outline_numbers(found)
    if len(_levels_of(numbers, levels)) == 1:
        return _from_numbers(levels, numbers, is_scrambled=False)
    walk = _Walk(levels, numbers)
    if not walk.contradictions:
        return own
    coherence = walk.coherence
    are_few = len(walk.contradictions) <= max(1, _FEW_CONTRADICTIONS * coherence.count)
    if not are_few and _agreement(levels, numbers) < _AGREEING:
        return _from_numbers(levels, numbers, is_scrambled=True)
    return walk.levels() if coherence.coherent >= _COHERENT * coherence.count else own


def _levels_of(numbers: Sequence[OutlineNumber | None], levels: Sequence[int]) -> set[int]:
    """Return the levels of the numbered headings."""
    return {level for level, number in zip(levels, numbers, strict=True) if number}


def _agreement(levels: Sequence[int], numbers: Sequence[OutlineNumber | None]) -> float:
    """Return the share of numbers on the most common level of their kind.

    Numbers of one kind have the same series and depth. One number of each kind is not counted,
    because it always agrees with itself.
    """
    found: dict[tuple[Series, int], Counter[int]] = {}
    for level, number in zip(levels, numbers, strict=True):
        if number is not None:
            found.setdefault((number.series, len(number.key)), Counter())[level] += 1
    others = sum(counts.total() - 1 for counts in found.values())
    return sum(max(counts.values()) - 1 for counts in found.values()) / others if others else 1.0


# -------------------------------------------------------------------- levels that are believed


@dataclass(slots=True)
class _OpenHeading:
    """A numbered heading whose section has not ended."""

    place: int
    level: int
    number: OutlineNumber
    is_cut: bool = False  # whether an unnumbered heading of its level or above has come since


class _Written(NamedTuple):
    level: int
    shift: int  # how many levels it moved down; headings below it move with it


class _Walk:
    """One pass over headings whose levels are believed unless the numbers contradict them."""

    def __init__(self, levels: Sequence[int], numbers: Sequence[OutlineNumber | None]) -> None:
        self.old = levels
        self.numbers = numbers
        self.new: list[int] = []
        self.contradictions: dict[int, str] = {}
        self.cut_off: dict[int, int] = {}  # index of a number: level of the clause that it is in
        self.coherence = Coherence()
        self.leading = _leading_series(numbers)
        self.open: list[_OpenHeading] = []
        self.last_at: dict[tuple[Series, int], OutlineNumber] = {}
        written: list[_Written] = []
        for at, (level, number) in enumerate(zip(levels, numbers, strict=True)):
            while written and written[-1].level >= level:
                written.pop()
            believed = level + (written[-1].shift if written else 0)
            self.new.append(self._unnumbered(believed) if number is None else believed)
            if number is not None:
                self.new[at] = self._numbered(at, number, believed)
            written.append(_Written(level, self.new[at] - level))

    def levels(self) -> list[Level]:
        """Return the level of each heading with its reason."""
        floor = 0
        found: list[Level] = []
        for at in range(len(self.new) - 1, -1, -1):
            level = self.new[at]
            if self.numbers[at] is not None:
                # If this number belongs to an earlier clause, unnumbered headings before it do too.
                floor = self.cut_off.get(at, 0) + 1
                reason = self.contradictions.get(at, "it belongs to the heading above it")
            else:
                level = max(level, floor)
                reason = "an unnumbered heading belongs to the numbered ones around it"
            found.append((level, reason))
        return found[::-1]

    def _unnumbered(self, level: int) -> int:
        for entry in reversed(self.open):
            if entry.level < level:
                break
            entry.is_cut = True
        return level

    def _numbered(self, at: int, number: OutlineNumber, believed: int) -> int:
        level, reason = self._judge(at, number, believed)
        if reason:
            self.contradictions[at] = reason
        while self.open and self.open[-1].level >= level:
            self.open.pop()
        self.coherence.add(number, self.open[-1].place if self.open else None)
        self.open.append(_OpenHeading(at, level, number))
        self.last_at[number.series, self.old[at]] = number
        return level

    def _judge(self, at: int, number: OutlineNumber, level: int) -> Level:
        """Return the level of a numbered heading, and what contradicts its own level, or ''."""
        for n in range(len(self.open) - 1, -1, -1):
            above = self.open[n].number
            is_led = above.series == number.series or above.series in self.leading
            if is_led and above.is_prefix_of(number):
                return self._below(at, number, level, n)
        entry = next((entry for entry in self.open if _goes_on(entry.number, number)), None)
        if entry is None or not _stands_below(level, entry):
            return level, ""
        beside = self.last_at.get((number.series, self.old[at]))
        if beside is not None and beside is not entry.number and _goes_on(beside, number):
            return level, ""
        return entry.level, f"{number.label} continues {entry.number.label} and is not below it"

    def _below(self, at: int, number: OutlineNumber, level: int, n: int) -> Level:
        """Return the level of a number that extends the open number at index ``n`` of `open`."""
        parent = self.open[n]
        sibling = next((e for e in self.open[n + 1 :] if e.number.series == number.series), None)
        if sibling is not None and number.key <= sibling.number.key:
            return level, ""  # the count restarts, in another numbering
        if sibling is not None and _stands_below(level, sibling):
            other = sibling.number.label
            return sibling.level, f"{number.label} continues {other} and is not below it"
        if _stands_below(level, parent):
            return level, ""
        self.cut_off[at] = parent.level
        reason = f"{number.label} belongs below {parent.number.label}"
        if sibling is not None:
            return sibling.level, reason
        return max(level, parent.level + 1), reason


def _leading_series(numbers: Sequence[OutlineNumber | None]) -> set[Series]:
    """Return the series whose numbers begin the dotted numbers below them: 5.1 in Chapter 5.

    If a single dotted number does not begin so, dotted numbers are independent of the series, and a
    5.1 in Chapter 5 is chance.
    """
    leading: set[Series] = set()
    others: set[Series] = set()
    above: OutlineNumber | None = None
    for number in numbers:
        if number is None:
            continue
        if len(number.key) == 1:
            above = number
        elif above is not None:
            (leading if above.is_prefix_of(number) else others).add(above.series)
    return leading - others


def _stands_below(level: int, entry: _OpenHeading) -> bool:
    return not entry.is_cut and level > entry.level


def _goes_on(before: OutlineNumber, number: OutlineNumber) -> bool:
    """Whether a number may come next in one numbering: 2.1 after 1.3, but only 6 after 5."""
    is_dotted = number.series == before.series and len(number.key) > 1
    return number.follows(before) or (is_dotted and number.key > before.key)


# -------------------------------------------------------------------- levels from numbers alone


def _from_numbers(
    levels: Sequence[int], numbers: Sequence[OutlineNumber | None], *, is_scrambled: bool
) -> list[Level]:
    nesting = nest(numbers)
    # If all headings are on one level, the heading of a chapter itself may be missing.
    held = nesting.rising if len(set(levels)) == 1 else nesting.coherent
    is_told = is_scrambled or any(parent is not None for parent in nesting.parents)
    if held < _COHERENT * nesting.count or not is_told:
        return [(level, "") for level in levels]
    return _Assigned(levels, numbers, nesting, is_scrambled=is_scrambled).levels()


class _Assigned:
    """Assigns levels from the tree of numbers, from the first heading to the last."""

    def __init__(
        self,
        levels: Sequence[int],
        numbers: Sequence[OutlineNumber | None],
        nesting: Nesting,
        *,
        is_scrambled: bool,
    ) -> None:
        self.old = levels
        self.numbers = numbers
        self.parents = nesting.parents
        self.is_scrambled = is_scrambled
        self.base = min(
            level for level, number in zip(levels, numbers, strict=True) if number is not None
        )
        self.new = list(levels)
        self.following = self._following()

    def _following(self) -> list[int | None]:
        """Return for each heading the index of the next numbered one."""
        found: list[int | None] = []
        following: int | None = None
        for at in range(len(self.old) - 1, -1, -1):
            found.append(following)
            following = at if self.numbers[at] is not None else following
        return found[::-1]

    def levels(self) -> list[Level]:
        """Return the level of each heading with its reason."""
        reasons: list[str] = []
        before: int | None = None
        for at, number in enumerate(self.numbers):
            if number is None:
                self.new[at] = self._unnumbered(at, before)
                reasons.append("an unnumbered heading belongs to the numbered ones around it")
                continue
            parent = self.parents[at]
            self.new[at] = self.base if parent is None else self.new[parent] + 1
            reasons.append(self._reason(number, parent))
            before = at
        return list(zip(self.new, reasons, strict=True))

    def _unnumbered(self, at: int, before: int | None) -> int:
        following = self.following[at]
        if before is None:
            return min(self.old[at], self.base)  # a title stays above all numbers
        parent = None if following is None else self.parents[following]
        # If the next number belongs to an earlier clause, so does this heading.
        floor = 1 if parent is None else self.new[parent] + 1
        if not self.is_scrambled and self.old[at] < self.base:
            return max(self.old[at], floor)
        if following is None or self._begins_annexes(following):
            return self.base
        step = 1 if self.is_scrambled else max(self.old[at] - self.base, 1)
        return max(self.new[before] + step, floor)

    def _begins_annexes(self, at: int) -> bool:
        """Whether a numbered heading is the first annex; a heading before it is in no clause."""
        number = self.numbers[at]
        assert number is not None, "only numbered headings follow"
        return number.is_annex and number.key[-1] in {(0, "A"), (1, "")}

    def _reason(self, number: OutlineNumber, parent: int | None) -> str:
        above = None if parent is None else self.numbers[parent]
        told = (
            f"{number.label} is at the top of its numbering"
            if above is None
            else f"{number.label} belongs below {above.label}"
        )
        why = "levels contradict numbers throughout" if self.is_scrambled else "all on one level"
        return f"{told} ({why})"
