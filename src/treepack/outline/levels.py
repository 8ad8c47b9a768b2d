"""The level of each heading: its own, unless the numbers contradict it or all are on one level.

The order of words such as Part, Title and Chapter is taken from the document: there is no fixed
order. A number contradicts its level only in these ways: ``5.1.2`` is not below ``5.1``, ``5.2`` is
below ``5.1``, or ``Article 6`` is below the ``Article 5`` that it continues. If all numbers are on
one level, or contradictions are everywhere, the numbers alone determine the levels.
"""

from collections.abc import Sequence
from typing import TypeAlias

from treepack.numbers.heading_numbers import heading_numbers
from treepack.numbers.nesting import OutlineNumber, nest, outline_numbers
from treepack.outline.lines import SEVERAL

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
            assigned = _assigned(levels, numbers)
            if assigned is not None:
                return assigned
    assigned = None
    if sum(map(bool, numbers)) >= SEVERAL and _are_contradicted(levels, numbers):
        assigned = _assigned(levels, numbers)
    return assigned or [(level, "") for level in levels]


def _levels_of(numbers: _Numbers, levels: Sequence[int]) -> set[int]:
    """Return the levels of the numbered headings."""
    return {level for level, number in zip(levels, numbers, strict=True) if number}


def _are_contradicted(levels: Sequence[int], numbers: _Numbers) -> bool:
    """Whether any number contradicts the level of its heading."""
    parents, _ = nest(numbers)
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
            if not restarts and (parent not in path or beside in path):
                return True
            last_below[parent] = index
        elif number and any(number.follows(each) for at in path if (each := numbers[at])):
            return True
        path.append(index)
    return False


# -------------------------------------------------------------------- levels from numbers alone


def _assigned(levels: Sequence[int], numbers: _Numbers) -> list[Level] | None:
    """Return levels from the numbers alone; None if the numbers are not coherent, or show none.

    Args:
        levels: The written levels, to which headings without a number are relative.
        numbers: The numbers of the headings.
    """
    parents, coherence = nest(numbers)
    is_flat = len(_levels_of(numbers, levels)) == 1
    # If all headings are on one level, the heading of a chapter itself may be missing.
    consistent = coherence.rising if len(set(levels)) == 1 else coherence.coherent
    has_evidence = not is_flat or any(parent is not None for parent in parents)
    is_coherent = 10 * consistent >= 9 * coherence.count  # a few may not continue it
    if not is_coherent or not has_evidence:
        return None
    base = min(_levels_of(numbers, levels))
    shown, floors = levels_by_numbers(numbers, parents, base)
    following: list[OutlineNumber | None] = []  # the next number at or after each heading
    for number in reversed(numbers):
        following.append(number or (following[-1] if following else None))
    following.reverse()
    because = " (all on one level)" if is_flat else ""
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
                step = levels[index] - levels[last]
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
