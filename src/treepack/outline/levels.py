"""The level of each heading: its own, unless the numbers contradict it or all are on one level.

The order of words such as Part, Title and Chapter is taken from the document: there is no fixed
order. A number contradicts its level only in these ways: ``5.1.2`` is not below ``5.1``, ``5.2`` is
below ``5.1``, or ``Article 6`` is below the ``Article 5`` that it continues. If all numbers are on
one level, or contradictions are everywhere, the numbers alone determine the levels.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final, TypeAlias

from treepack.numbers.heading_numbers import heading_numbers
from treepack.numbers.nesting import OutlineNumber, Series, nest, outline_numbers
from treepack.outline.lines import SEVERAL

_COHERENT: Final = 0.9  # share of the numbers that continue the numbering
# Share of the numbers at the most common level of their series. If fewer agree, written levels mean
# nothing where they contradict numbers. If levels are drawn at random from four, about 0.25 agree;
# if a file runs out of levels, nearly all agree.
_AGREEING: Final = 0.7
_SCRAMBLED: Final = "levels contradict numbers throughout"
_FEW_CONTRADICTIONS: Final = 0.05  # share of the numbers; one slip does not discredit the rest

Level: TypeAlias = tuple[int, str]
"""The level of a heading and the reason for it; if the level is its own, ignore the reason."""
_Numbers: TypeAlias = Sequence[OutlineNumber | None]


def new_levels(levels: Sequence[int], titles: Sequence[str]) -> list[Level]:
    """Return the level of each heading of a document, and the reason for it."""
    all_numbers = heading_numbers(titles)
    if not any(all_numbers):
        return [(level, "") for level in levels]  # the common case
    for with_letters in (True, False):  # A, B, C count only if nothing else shows levels
        numbers = outline_numbers(all_numbers, with_letters=with_letters)
        if len(_levels_of(numbers, levels)) == 1:
            assigned = _assigned(levels, numbers, "all on one level")
            if assigned is not None:
                return assigned
    contradictions = _contradictions(levels, numbers)
    count = sum(number is not None for number in numbers)
    why: str | None = None
    if contradictions and count >= SEVERAL:
        are_few = contradictions <= max(1, _FEW_CONTRADICTIONS * count)
        is_scrambled = not are_few and _agreement(levels, numbers) < _AGREEING
        why = _SCRAMBLED if is_scrambled else ""
    assigned = None if why is None else _assigned(levels, numbers, why)
    return assigned or [(level, "") for level in levels]


def _levels_of(numbers: _Numbers, levels: Sequence[int]) -> set[int]:
    """Return the levels of the numbered headings."""
    return {level for level, number in zip(levels, numbers, strict=True) if number}


def _agreement(levels: Sequence[int], numbers: _Numbers) -> float:
    """Return the share of numbers on the most common level of their series and depth.

    One number of each kind is not counted, because it always agrees with itself.
    """
    by_kind: dict[tuple[Series, int], Counter[int]] = {}
    for level, number in zip(levels, numbers, strict=True):
        if number is not None:
            by_kind.setdefault((number.series, len(number.key)), Counter())[level] += 1
    others = sum(counts.total() - 1 for counts in by_kind.values())
    return sum(max(counts.values()) - 1 for counts in by_kind.values()) / max(others, 1)


def _contradictions(levels: Sequence[int], numbers: _Numbers) -> int:
    """Return how many numbers contradict the level of their heading."""
    parents, _ = nest(numbers)
    count = 0
    path: list[int] = []  # the indexes of the open headings
    last_below: dict[int | None, int] = {}  # the last number below each number
    for index, (level, number) in enumerate(zip(levels, numbers, strict=True)):
        while path and levels[path[-1]] >= level:
            path.pop()
        parent = parents[index]
        upper = None if parent is None else numbers[parent]
        if number is not None and upper is not None and upper.is_prefix_of(number):
            beside = last_below.get(parent)
            last = None if beside is None else numbers[beside]
            restarts = last is not None and number.key <= last.key  # in another numbering
            count += not restarts and (parent not in path or beside in path)
            last_below[parent] = index
        elif number is not None:
            beside = next((at for at in path if _may_continue(numbers[at], number)), None)
            count += beside is not None
        path.append(index)
    return count


def _may_continue(before: OutlineNumber | None, number: OutlineNumber) -> bool:
    """Whether a number may come next in one numbering: 2.1 after 1.3, but only 6 after 5."""
    if before is None:
        return False
    is_dotted = number.series == before.series and len(number.key) > 1
    return number.follows(before) or (is_dotted and number.key > before.key)


# -------------------------------------------------------------------- levels from numbers alone


def _assigned(levels: Sequence[int], numbers: _Numbers, why: str) -> list[Level] | None:
    """Return levels from the numbers alone; None if the numbers are not coherent, or show none.

    Args:
        levels: The written levels, to which headings without a number are relative.
        numbers: The numbers of the headings.
        why: Why the written levels do not count; empty if a few of them contradict the numbers.
    """
    parents, coherence = nest(numbers)
    is_flat = len(_levels_of(numbers, levels)) == 1
    # If all headings are on one level, the heading of a chapter itself may be missing.
    consistent = coherence.rising if len(set(levels)) == 1 else coherence.coherent
    has_evidence = not is_flat or any(parent is not None for parent in parents)
    if consistent < _COHERENT * coherence.count or not has_evidence:
        return None
    base = min(_levels_of(numbers, levels))
    shown, floors = levels_by_numbers(numbers, parents, base)
    following: list[OutlineNumber | None] = []  # the next number at or after each heading
    for number in reversed(numbers):
        following.append(number or (following[-1] if following else None))
    following.reverse()
    because = f" ({why})" if why else ""
    new: list[int] = []
    reasons: list[str] = []
    last: int | None = None
    for index, (number, parent, after) in enumerate(zip(numbers, parents, following, strict=True)):
        above = None if parent is None else numbers[parent]
        if number and above:
            level, reason = shown[index], f"{number.label} belongs below {above.label}{because}"
        elif number:
            level, reason = base, f"{number.label} is at the top of its numbering{because}"
        else:
            reason = "an unnumbered heading belongs to the numbered ones around it"
            if last is None:
                level = min(levels[index], base)  # a title stays above all numbers
            elif after is None or _begins_annexes(after):
                level = base
            else:
                step = 1 if why == _SCRAMBLED else levels[index] - levels[last]
                level = max(new[last] + (max(step, 1) if is_flat else step), floors[index])
        last = index if number else last
        new.append(level)
        reasons.append(reason)
    return [*zip(new, reasons, strict=True)]


def levels_by_numbers(
    numbers: _Numbers, parents: Sequence[int | None], top: int = 1
) -> tuple[list[int], list[int]]:
    """Return the levels by numbers, 0 without one, and the least level of each heading.

    If the next number belongs to a clause that began earlier, headings in between do as well.
    """
    levels = [0] * len(numbers)
    for index, (number, parent) in enumerate(zip(numbers, parents, strict=True)):
        if number is not None:
            levels[index] = top if parent is None else levels[parent] + 1
    floors = [1] * len(numbers)
    floor = 1
    for index in range(len(numbers) - 1, -1, -1):
        if levels[index]:
            floor = 1 if parents[index] is None else levels[index]
        floors[index] = floor
    return levels, floors


def _begins_annexes(number: OutlineNumber) -> bool:
    """Whether a number is that of the first annex; a heading before it is in no clause."""
    return number.is_annex and number.key[-1] in {(0, "A"), (1, "")}
