"""The level of each heading: its own, unless the numbers contradict it or all are on one level.

Which word of law stands below which (Part, Title, Chapter) is told by the levels that a document
has: there is no fixed order. A number contradicts its level only in itself: ``5.1.2`` does not
stand below ``5.1``, ``5.2`` stands below ``5.1``, ``Article 6`` stands below ``Article 5`` from
which it goes on. Where all numbers are on one level, or contradictions are everywhere, the numbers
alone tell the levels, see `nesting.nest`.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from treepack.numbers.nesting import (
    Coherence,
    Nesting,
    OutlineNumber,
    Series,
    is_letter,
    nest,
    outline_numbers,
)
from treepack.numbers.values import heading_numbers

_FEWEST_NUMBERED: Final = 3
_COHERENT: Final = 0.9  # share of the numbers that go on from the one before
# Share of the numbers whose level is the commonest of their series. Where a smaller share agrees,
# levels that contradict numbers say nothing: of levels drawn at random from four, about 0.25 agree;
# where a file runs out of levels, nearly all do.
_AGREEING: Final = 0.7
_FEW_CONTRADICTIONS: Final = 0.05  # share of the numbers; one slip says nothing of the rest

Level = tuple[int, str]
"""The level of a heading, and why it is that; the reason says nothing where the level is its own.
"""


def new_levels(levels: Sequence[int], titles: Sequence[str]) -> list[Level]:
    """The level of each heading of a document, and why it is that.

    Args:
        levels: As written, 1 to 6.
        titles: The headings' plain text.
    """
    own = [(level, "") for level in levels]
    found = heading_numbers(titles)
    if any(number and is_letter(number) for number in found):
        numbers = outline_numbers(found, with_letters=True)
        is_flat = len(_levels_of(numbers, levels)) == 1
        if is_flat and (nested := _from_numbers(levels, numbers, is_scrambled=False)) != own:
            return nested
    if sum(number is not None and not number.is_relative for number in found) < _FEWEST_NUMBERED:
        return own  # most documents
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
    """The levels that numbered headings have."""
    return {level for level, number in zip(levels, numbers, strict=True) if number}


def _agreement(levels: Sequence[int], numbers: Sequence[OutlineNumber | None]) -> float:
    """The share of numbers on the level of their like: of the same series, and as many steps.

    One number of each kind is not counted: it always agrees with itself.
    """
    found: dict[tuple[Series, int], Counter[int]] = {}
    for level, number in zip(levels, numbers, strict=True):
        if number is not None:
            found.setdefault((number.series, len(number.key)), Counter())[level] += 1
    others = sum(counts.total() - 1 for counts in found.values())
    return sum(max(counts.values()) - 1 for counts in found.values()) / others if others else 1.0


# -------------------------------------------------------------------- levels that are a guide


@dataclass(slots=True)
class _Open:
    """A numbered heading that is still going on."""

    place: int
    level: int
    number: OutlineNumber
    is_cut: bool = False  # whether an unnumbered heading of its level or above has come since


class _Written(NamedTuple):
    level: int
    shift: int  # how much deeper it went, and what stands below it as well


class _Walk:
    """One pass over headings whose levels are believed, but for what the numbers contradict."""

    def __init__(self, levels: Sequence[int], numbers: Sequence[OutlineNumber | None]) -> None:
        self.old = levels
        self.numbers = numbers
        self.new: list[int] = []
        self.contradictions: dict[int, str] = {}
        self.cut_off: dict[int, int] = {}  # place of a number, level of the clause it belongs below
        self.coherence = Coherence()
        self.leading = _leading_series(numbers)
        self.open: list[_Open] = []
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
        """The level and the reason of each heading."""
        floor = 0
        found: list[Level] = []
        for at in range(len(self.new) - 1, -1, -1):
            level = self.new[at]
            if self.numbers[at] is not None:
                # What comes next belongs to a clause that began before: so do headings between.
                floor = self.cut_off.get(at, 0) + 1
                reason = self.contradictions.get(at, "it goes with the heading above it")
            else:
                level = max(level, floor)
                reason = "an unnumbered heading goes with the numbered ones around it"
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
        self.open.append(_Open(at, level, number))
        self.last_at[number.series, self.old[at]] = number
        return level

    def _judge(self, at: int, number: OutlineNumber, level: int) -> Level:
        """The level of a numbered heading, and what contradicts the one that it has."""
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
        return entry.level, f"{number.label} goes on from {entry.number.label}, not below it"

    def _below(self, at: int, number: OutlineNumber, level: int, n: int) -> Level:
        """The level of a number that goes deeper from an open one, given by its place in `open`."""
        parent = self.open[n]
        sibling = next((e for e in self.open[n + 1 :] if e.number.series == number.series), None)
        if sibling is not None and number.key <= sibling.number.key:
            return level, ""  # it is counted anew, in something else
        if sibling is not None and _stands_below(level, sibling):
            other = sibling.number.label
            return sibling.level, f"{number.label} goes on from {other}, not below it"
        if _stands_below(level, parent):
            return level, ""
        self.cut_off[at] = parent.level
        reason = f"{number.label} belongs below {parent.number.label}"
        if sibling is not None:
            return sibling.level, reason
        return max(level, parent.level + 1), reason


def _leading_series(numbers: Sequence[OutlineNumber | None]) -> set[Series]:
    """The series whose numbers the dotted numbers below them begin with: 5.1 in Chapter 5.

    Where a single dotted number does not, they are counted in something else, and Chapter 5 before
    a 5.1 is chance.
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


def _stands_below(level: int, entry: _Open) -> bool:
    return not entry.is_cut and level > entry.level


def _goes_on(before: OutlineNumber, number: OutlineNumber) -> bool:
    """Whether a number comes after another in one numbering: 2.1 after 1.3, but only 6 after 5."""
    is_dotted = number.series == before.series and len(number.key) > 1
    return number.follows(before) or (is_dotted and number.key > before.key)


# -------------------------------------------------------------------- levels from numbers alone


def _from_numbers(
    levels: Sequence[int], numbers: Sequence[OutlineNumber | None], *, is_scrambled: bool
) -> list[Level]:
    nesting = nest(numbers)
    # Where all headings are on one level, a chapter's own heading may be missing.
    held = nesting.rising if len(set(levels)) == 1 else nesting.coherent
    is_told = is_scrambled or any(parent is not None for parent in nesting.parents)
    if held < _COHERENT * nesting.count or not is_told:
        return [(level, "") for level in levels]
    return _Assigned(levels, numbers, nesting, is_scrambled=is_scrambled).levels()


class _Assigned:
    """Gives levels by the tree of numbers, from the first heading to the last."""

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
        """For each heading the next numbered one."""
        found: list[int | None] = []
        following: int | None = None
        for at in range(len(self.old) - 1, -1, -1):
            found.append(following)
            following = at if self.numbers[at] is not None else following
        return found[::-1]

    def levels(self) -> list[Level]:
        """The level and the reason of each heading."""
        reasons: list[str] = []
        before: int | None = None
        for at, number in enumerate(self.numbers):
            if number is None:
                self.new[at] = self._unnumbered(at, before)
                reasons.append("an unnumbered heading goes with the numbered ones around it")
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
        # What comes next belongs to a clause that began before: so does this heading.
        floor = 1 if parent is None else self.new[parent] + 1
        if not self.is_scrambled and self.old[at] < self.base:
            return max(self.old[at], floor)
        if following is None or self._begins_annexes(following):
            return self.base
        step = 1 if self.is_scrambled else max(self.old[at] - self.base, 1)
        return max(self.new[before] + step, floor)

    def _begins_annexes(self, at: int) -> bool:
        """Whether a numbered heading is the first annex: what stands before it is in no clause."""
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
