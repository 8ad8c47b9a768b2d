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
    """Return the level of each heading of a document, and the reason for it."""
    unchanged = [(level, "") for level in levels]
    all_numbers = heading_numbers(titles)
    if [number for number in all_numbers if number and is_letter(number)]:
        numbers = outline_numbers(all_numbers, with_letters=True)
        is_flat = len(_levels_of(numbers, levels)) == 1
        if is_flat and (nested := _from_numbers(levels, numbers, is_scrambled=False)) != unchanged:
            return nested
    absolute = [number for number in all_numbers if number is not None and not number.is_relative]
    if len(absolute) < _FEWEST_NUMBERED:
        return unchanged  # the common case
    numbers = outline_numbers(all_numbers)
    if len(_levels_of(numbers, levels)) == 1:
        return _from_numbers(levels, numbers, is_scrambled=False)
    walk = _LevelWalk(levels, numbers)
    if not walk.contradictions:
        return unchanged
    coherence = walk.coherence
    are_few = len(walk.contradictions) <= max(1, _FEW_CONTRADICTIONS * coherence.count)
    if not are_few and _agreement(levels, numbers) < _AGREEING:
        return _from_numbers(levels, numbers, is_scrambled=True)
    return walk.levels() if coherence.coherent >= _COHERENT * coherence.count else unchanged


def _levels_of(numbers: Sequence[OutlineNumber | None], levels: Sequence[int]) -> set[int]:
    """Return the levels of the numbered headings."""
    return {level for level, number in zip(levels, numbers, strict=True) if number}


def _agreement(levels: Sequence[int], numbers: Sequence[OutlineNumber | None]) -> float:
    """Return the share of numbers on the most common level of their kind.

    Numbers of one kind have the same series and depth. One number of each kind is not counted,
    because it always agrees with itself.
    """
    by_kind: dict[tuple[Series, int], Counter[int]] = {}
    for level, number in zip(levels, numbers, strict=True):
        if number is not None:
            by_kind.setdefault((number.series, len(number.key)), Counter())[level] += 1
    others = sum(counts.total() - 1 for counts in by_kind.values())
    return sum(max(counts.values()) - 1 for counts in by_kind.values()) / others if others else 1.0


# -------------------------------------------------------------------- levels that are believed


@dataclass(slots=True)
class _OpenHeading:
    """A numbered heading whose section has not ended."""

    index: int
    level: int
    number: OutlineNumber
    is_cut: bool = False  # whether an unnumbered heading of its level or above has come since


class _Written(NamedTuple):
    level: int
    shift: int  # how many levels it moved down; headings below it move with it


class _LevelWalk:
    """One pass over headings whose levels are believed unless the numbers contradict them."""

    def __init__(self, levels: Sequence[int], numbers: Sequence[OutlineNumber | None]) -> None:
        self.old = levels
        self.numbers = numbers
        self.new: list[int] = []
        self.contradictions: dict[int, str] = {}
        self.clause_levels: dict[int, int] = {}  # level of the clause that a number is in
        self.coherence = Coherence()
        self.leading = _leading_series(numbers)
        self.open: list[_OpenHeading] = []
        self.last_at: dict[tuple[Series, int], OutlineNumber] = {}
        written: list[_Written] = []
        for index, (level, number) in enumerate(zip(levels, numbers, strict=True)):
            while written and written[-1].level >= level:
                written.pop()
            believed = level + (written[-1].shift if written else 0)
            if number is None:
                self._cut_sections(believed)
                self.new.append(believed)
            else:
                self.new.append(self._numbered(index, number, believed))
            written.append(_Written(level, self.new[index] - level))

    def levels(self) -> list[Level]:
        """Return the level of each heading with its reason."""
        floor = 0
        levels: list[Level] = []
        for index in range(len(self.new) - 1, -1, -1):
            level = self.new[index]
            if self.numbers[index] is not None:
                # If this number belongs to an earlier clause, unnumbered headings before it do too.
                floor = self.clause_levels.get(index, 0) + 1
                reason = self.contradictions.get(index, "it belongs to the heading above it")
            else:
                level = max(level, floor)
                reason = "an unnumbered heading belongs to the numbered ones around it"
            levels.append((level, reason))
        return levels[::-1]

    def _cut_sections(self, level: int) -> None:
        for entry in reversed(self.open):
            if entry.level < level:
                break
            entry.is_cut = True

    def _numbered(self, index: int, number: OutlineNumber, believed: int) -> int:
        level, reason = self._judge(index, number, believed)
        if reason:
            self.contradictions[index] = reason
        while self.open and self.open[-1].level >= level:
            self.open.pop()
        self.coherence.add(number, self.open[-1].index if self.open else None)
        self.open.append(_OpenHeading(index, level, number))
        self.last_at[number.series, self.old[index]] = number
        return level

    def _judge(self, index: int, number: OutlineNumber, level: int) -> Level:
        """Return the level of a numbered heading, and what contradicts its own level, or ''."""
        for open_index in range(len(self.open) - 1, -1, -1):
            above = self.open[open_index].number
            may_be_prefix = above.series == number.series or above.series in self.leading
            if may_be_prefix and above.is_prefix_of(number):
                return self._below(index, number, level, open_index)
        entry = next((entry for entry in self.open if _may_continue(entry.number, number)), None)
        if entry is None or not _is_below(level, entry):
            return level, ""
        beside = self.last_at.get((number.series, self.old[index]))
        if beside is not None and beside is not entry.number and _may_continue(beside, number):
            return level, ""
        return entry.level, f"{number.label} continues {entry.number.label} and is not below it"

    def _below(self, index: int, number: OutlineNumber, level: int, at: int) -> Level:
        """Return the level of a number that extends the number at ``at`` of `open`."""
        parent = self.open[at]
        sibling = next((e for e in self.open[at + 1 :] if e.number.series == number.series), None)
        if sibling is not None and number.key <= sibling.number.key:
            return level, ""  # the count restarts, in another numbering
        if sibling is not None and _is_below(level, sibling):
            sibling_label = sibling.number.label
            return sibling.level, f"{number.label} continues {sibling_label} and is not below it"
        if _is_below(level, parent):
            return level, ""
        self.clause_levels[index] = parent.level
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


def _is_below(level: int, entry: _OpenHeading) -> bool:
    return not entry.is_cut and level > entry.level


def _may_continue(before: OutlineNumber, number: OutlineNumber) -> bool:
    """Whether a number may come next in one numbering: 2.1 after 1.3, but only 6 after 5."""
    is_dotted = number.series == before.series and len(number.key) > 1
    return number.follows(before) or (is_dotted and number.key > before.key)


# -------------------------------------------------------------------- levels from numbers alone


def _from_numbers(
    levels: Sequence[int], numbers: Sequence[OutlineNumber | None], *, is_scrambled: bool
) -> list[Level]:
    parents, coherence = nest(numbers)
    # If all headings are on one level, the heading of a chapter itself may be missing.
    consistent = coherence.rising if len(set(levels)) == 1 else coherence.coherent
    has_evidence = is_scrambled or any(parent is not None for parent in parents)
    if consistent < _COHERENT * coherence.count or not has_evidence:
        return [(level, "") for level in levels]
    return _AssignedLevels(levels, numbers, parents, is_scrambled=is_scrambled).levels()


class _AssignedLevels:
    """Assigns levels from the tree of numbers, from the first heading to the last."""

    def __init__(
        self,
        levels: Sequence[int],
        numbers: Sequence[OutlineNumber | None],
        parents: Sequence[int | None],
        *,
        is_scrambled: bool,
    ) -> None:
        self.old = levels
        self.numbers = numbers
        self.parents = parents
        self.is_scrambled = is_scrambled
        self.base = min(_levels_of(numbers, levels))
        self.new = list(levels)

    def levels(self) -> list[Level]:
        """Return the level of each heading with its reason."""
        reasons: list[str] = []
        before: int | None = None
        remaining = (index for index, number in enumerate(self.numbers) if number is not None)
        following = next(remaining, None)
        for index, number in enumerate(self.numbers):
            if number is None:
                self.new[index] = self._unnumbered(index, before, following)
                reasons.append("an unnumbered heading belongs to the numbered ones around it")
                continue
            parent = self.parents[index]
            self.new[index] = self.base if parent is None else self.new[parent] + 1
            reasons.append(self._reason(number, parent))
            before, following = index, next(remaining, None)
        return list(zip(self.new, reasons, strict=True))

    def _unnumbered(self, index: int, before: int | None, following: int | None) -> int:
        """Return the level of a heading between two numbered ones, given by their indexes."""
        if before is None:
            return min(self.old[index], self.base)  # a title stays above all numbers
        parent = None if following is None else self.parents[following]
        # If the next number belongs to an earlier clause, so does this heading.
        floor = 1 if parent is None else self.new[parent] + 1
        if not self.is_scrambled and self.old[index] < self.base:
            return max(self.old[index], floor)
        if following is None or self._begins_annexes(following):
            return self.base
        step = 1 if self.is_scrambled else max(self.old[index] - self.base, 1)
        return max(self.new[before] + step, floor)

    def _begins_annexes(self, index: int) -> bool:
        """Whether a numbered heading is the first annex; a heading before it is in no clause."""
        number = self.numbers[index]
        assert number is not None, "only numbered headings follow"
        return number.is_annex and number.key[-1] in {(0, "A"), (1, "")}

    def _reason(self, number: OutlineNumber, parent: int | None) -> str:
        above = None if parent is None else self.numbers[parent]
        position = (
            f"{number.label} is at the top of its numbering"
            if above is None
            else f"{number.label} belongs below {above.label}"
        )
        why = "levels contradict numbers throughout" if self.is_scrambled else "all on one level"
        return f"{position} ({why})"
