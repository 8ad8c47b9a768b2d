"""The best run of numbers over a whole document.

Each number continues an earlier one: 5 after 4, 5a after 5, 5.1 below 5, 5.2 after 5.1 or after a
number below it; A begins annexes. The run with the greatest weight wins, so that one title in a
list of steps or a stray ``3.`` does not mislead the outline. The search is one pass with a table
keyed by number, and takes linear time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Final, TypeAlias

from treepack.outline.titles.printed import Key

_BELOW: Final = 1.0
_NEXT: Final = 0.5
_STEPS: Final = ((1, _NEXT), (2, -2.0), (3, -3.0))  # steps from the number before, with scores
_GAP: Final = -4.0  # a larger step, as in a law with repealed parts
_LATE_START: Final = -2.0  # a run that does not begin with 0 or 1
_RESTART: Final = -0.5
_RESTART_OF_BARE: Final = -3.0  # a bare number that restarts, in appendices
_STRONG: Final = 3.0  # the least weight of such a title
_NO_PARENT: Final = -1.0  # 3.1 without a printed 3
_LETTER_ALONE: Final = -9.0
_HOPELESS: Final = -5.0
_NEXT_LETTER: Final = 1.0


@dataclass(slots=True)
class _Node:
    score: float
    key: Key
    index: int
    before: "_Node | None"


_Option: TypeAlias = tuple[float, _Node | None]
_SCORE: Final = itemgetter(0)


def best_chain(
    numbers: Sequence[tuple[Key, bool, float]], *, may_restart: bool = False
) -> list[int]:
    """Return the indexes of the numbers in the run with the greatest weight.

    Args:
        numbers: The numbers in source order, each with whether letters show that it was inserted,
            like 5a after 5, and with its weight. A weight below 0 makes a run lighter.
        may_restart: Whether numbers may restart, like Section 1 in each chapter.
    """
    chains = _Chains(may_restart)
    for index, (key, is_inserted, weight) in enumerate(numbers):
        chains.add(index, key, weight, is_inserted=is_inserted)
    indexes: list[int] = []
    node = chains.best
    while node is not None:
        indexes.append(node.index)
        node = node.before
    return indexes[::-1]


class _Chains:
    def __init__(self, may_restart: bool) -> None:  # noqa: FBT001 - the only one
        self._may_restart = may_restart
        self.best: _Node | None = None
        self._ending_at: dict[Key, _Node] = {}  # the best run that ends at a number
        self._ending_below: dict[Key, _Node] = {}  # the best run that ends at a number or below it

    def add(self, index: int, key: Key, weight: float, *, is_inserted: bool) -> None:
        option = self._option(key, weight, is_inserted=is_inserted)
        if option is None:
            return
        score, before = option
        node = _Node(score + weight, key, index, before)
        if node.score <= _HOPELESS:
            return
        if key not in self._ending_at or node.score >= self._ending_at[key].score:
            self._ending_at[key] = node
        for depth in range(1, len(key) + 1):
            prefix = key[:depth]
            if prefix not in self._ending_below or node.score >= self._ending_below[prefix].score:
                self._ending_below[prefix] = node
        if self.best is None or node.score > self.best.score:
            self.best = node

    def _option(self, key: Key, weight: float, *, is_inserted: bool) -> _Option | None:
        """Return the best run that a number can continue, with its score; None if there is none."""
        last, above = key[-1], key[:-1]
        if isinstance(last, str):
            options = self._runs_before_letter(last)
        else:
            options = [*self._starts(above, last, weight), *self._continued_runs(above, last)]
            if is_inserted and (before := self._ending_below.get(key)):
                options.append((before.score + _NEXT, before))  # 39, 39.1 or another 39a
        return max(options, key=_SCORE) if options else None

    def _runs_before_letter(self, letter: str) -> list[_Option]:
        """Return the runs that a letter can continue; A can continue any run."""
        options: list[_Option] = [(0.0 if letter == "A" else _LETTER_ALONE, None)]
        if letter == "A" and self.best is not None:
            options.append((self.best.score, self.best))
        if before := self._ending_below.get((chr(ord(letter) - 1),)):
            options.append((before.score + _NEXT_LETTER, before))
        return options

    def _starts(self, above: Key, last: int, weight: float) -> list[_Option]:
        """Return the options in which a number is the first of all, or the first below another."""
        if above:
            return self._starts_below(above, last) if last <= 1 else []
        if last > 1:
            return [(_LATE_START, None)]
        options: list[_Option] = [(0.0, None)]
        if self.best is not None and (self._may_restart or weight >= _STRONG):
            bonus = _RESTART if self._may_restart else _RESTART_OF_BARE
            options.append((self.best.score + bonus, self.best))
        return options

    def _continued_runs(self, above: Key, last: int) -> list[_Option]:
        """Return the runs that end up to three numbers before, and the best run if even earlier."""
        options: list[_Option] = []
        for step, bonus in _STEPS:
            if last >= step and (before := self._ending_below.get((*above, last - step))):
                options.append((before.score + bonus, before))
        best, depth = self.best, len(above)
        if best is not None and len(best.key) > depth and best.key[:depth] == above:
            component = best.key[depth]
            if not isinstance(component, str) and component < last:
                options.append((best.score + _GAP, best))
        return options

    def _starts_below(self, above: Key, last: int) -> list[_Option]:
        """Return the runs that 3.1 or 3.0 can continue: one up to 3, and one up to 2 or below it.

        The second is possible even if a 3 was printed, because that may be a list item. 3.0 counts
        as a chapter itself.
        """
        options: list[_Option] = []
        if parent := self._ending_at.get(above):
            options.append((parent.score + (_BELOW if last else 0.0), parent))
        first = above[0]
        if len(above) == 1 and not isinstance(first, str):
            before = self._ending_below.get((first - 1,))
            bonus = _NO_PARENT if last else _NEXT
            options.append((before.score + bonus, before) if before else (_NO_PARENT, None))
        return options
