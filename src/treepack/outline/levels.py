"""The level of each heading: its own, unless the numbers contradict it or all are on one level.

There is no fixed order of words such as Part, Title and Chapter. A number contradicts its level if
``5.1.2`` is not below ``5.1``, or ``5.2`` is below ``5.1``. If all numbers are on one level, the
numbers alone determine the levels; see `nesting.nest`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from treepack.numbers.heading_numbers import heading_numbers
from treepack.numbers.nesting import (
    Coherence,
    OutlineNumber,
    is_letter,
    nest,
    outline_numbers,
)

_FEWEST_NUMBERED: Final = 3
_COHERENT: Final = 0.9  # share of the numbers that continue the numbering

Level = tuple[int, str]
"""The level of a heading and the reason for it; if the level is its own, ignore the reason."""


def new_levels(levels: Sequence[int], titles: Sequence[str]) -> list[Level]:
    """Return the level of each heading of a document, and the reason for it."""
    unchanged = [(level, "") for level in levels]
    all_numbers = heading_numbers(titles)
    if any(number and is_letter(number) for number in all_numbers):
        numbers = outline_numbers(all_numbers, with_letters=True)
        of_numbers = {level for level, number in zip(levels, numbers, strict=True) if number}
        if len(of_numbers) == 1 and (nested := _from_numbers(levels, numbers, *of_numbers)):
            return nested
    numbers = outline_numbers(all_numbers)
    levels_of_numbers = [level for level, number in zip(levels, numbers, strict=True) if number]
    if len(levels_of_numbers) < _FEWEST_NUMBERED:
        return unchanged  # the common case
    if len(set(levels_of_numbers)) == 1:
        return _from_numbers(levels, numbers, levels_of_numbers[0]) or unchanged
    walk = _LevelWalk(levels, numbers)
    is_coherent = walk.coherence.coherent >= _COHERENT * walk.coherence.count
    return walk.levels() if walk.contradictions and is_coherent else unchanged


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
        self.open: list[_OpenHeading] = []
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
        return level

    def _judge(self, index: int, number: OutlineNumber, level: int) -> Level:
        """Return the level of a numbered heading, and what contradicts its own level, or ''."""
        for open_index in range(len(self.open) - 1, -1, -1):
            above = self.open[open_index].number
            if above.series == number.series and above.is_prefix_of(number):
                return self._below(index, number, level, open_index)
        return level, ""

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
        return max(level, parent.level + 1), reason


def _is_below(level: int, entry: _OpenHeading) -> bool:
    return not entry.is_cut and level > entry.level


# -------------------------------------------------------------------- levels from numbers alone


def _from_numbers(
    levels: Sequence[int], numbers: Sequence[OutlineNumber | None], base: int
) -> list[Level]:
    """Return levels from the tree of numbers that are all on one level; none without evidence."""
    parents, coherence = nest(numbers)
    # The heading of a chapter itself may be missing, so a number need not have a parent.
    if coherence.rising < _COHERENT * coherence.count or not any(p is not None for p in parents):
        return []
    found: list[Level] = []
    before: int | None = None  # level of the last number
    last = max(index for index, number in enumerate(numbers) if number)
    for index, (old, number, parent) in enumerate(zip(levels, numbers, parents, strict=True)):
        if number is not None:
            before = base if parent is None else found[parent][0] + 1
            found.append((before, _reason(number, None if parent is None else numbers[parent])))
            continue
        level = base if index > last else (before or 0) + max(old - base, 1)
        # A title stays above all numbers.
        level = min(old, base) if before is None else level
        found.append((level, "an unnumbered heading belongs to the numbered ones around it"))
    return found


def _reason(number: OutlineNumber, above: OutlineNumber | None) -> str:
    below = f"belongs below {above.label}" if above else "is at the top of its numbering"
    return f"{number.label} {below} (all on one level)"
