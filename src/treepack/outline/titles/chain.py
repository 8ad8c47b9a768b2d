"""The best run of numbers over a whole document.

Each number goes on from one before: 5 after 4, 5a after 5, 5.1 below 5, 5.2 after 5.1 or after what
stands below it; A begins annexes. The heaviest of all runs wins, so that one title in a list of
steps or a stray ``3.`` does not mislead the outline. One pass with a table by number takes linear
time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Final, TypeAlias

from treepack.outline.titles.printed import Key

_BELOW: Final = 1.0
_NEXT: Final = 0.5
_SKIPS: Final = ((1, _NEXT), (2, -2.0), (3, -3.0))  # how far a number goes on, and its worth
_GAP: Final = -4.0  # it goes on further, as where parts of a law were repealed
_LATE: Final = -2.0  # a run that begins with another number than 0 or 1
_ANEW: Final = -0.5
_ANEW_ALONE: Final = -3.0  # a bare number that begins anew, in appendices
_STRONG: Final = 3.0  # what such a title must weigh
_NO_PARENT: Final = -1.0  # 3.1 where no 3 was printed
_LETTER_ALONE: Final = -9.0
_HOPELESS: Final = -5.0
_NEXT_LETTER: Final = 1.0


@dataclass(slots=True)
class _Node:
    score: float
    key: Key
    place: int
    before: "_Node | None"


_Option: TypeAlias = tuple[float, _Node | None]
_SCORE: Final = itemgetter(0)


def best_chain(
    numbers: Sequence[tuple[Key, bool, float]], *, may_restart: bool = False
) -> list[int]:
    """The places of the numbers that make the heaviest run.

    Args:
        numbers: Numbers in source order; for each whether letters say that it was inserted, as 5a
            was after 5, and its weight. Those that weigh less than 0 are better left out.
        may_restart: Whether they may begin anew, as Section 1 does in each chapter.
    """
    chains = _Chains(may_restart)
    for place, (key, is_inserted, weight) in enumerate(numbers):
        chains.add(place, key, weight, is_inserted=is_inserted)
    found: list[int] = []
    node = chains.best
    while node is not None:
        found.append(node.place)
        node = node.before
    return found[::-1]


class _Chains:
    def __init__(self, may_restart: bool) -> None:  # noqa: FBT001 - the only one
        self._may_restart = may_restart
        self.best: _Node | None = None
        self._at: dict[Key, _Node] = {}  # the best run that ends with a number
        self._below: dict[Key, _Node] = {}  # the best that ends with it or below it

    def add(self, place: int, key: Key, weight: float, *, is_inserted: bool) -> None:
        option = self._option(key, weight, is_inserted=is_inserted)
        if option is None:
            return
        score, before = option
        node = _Node(score + weight, key, place, before)
        if node.score <= _HOPELESS:
            return
        if key not in self._at or node.score >= self._at[key].score:
            self._at[key] = node
        for depth in range(1, len(key) + 1):
            prefix = key[:depth]
            if prefix not in self._below or node.score >= self._below[prefix].score:
                self._below[prefix] = node
        if self.best is None or node.score > self.best.score:
            self.best = node

    def _option(self, key: Key, weight: float, *, is_inserted: bool) -> _Option | None:
        """The best run that a number can go on from, with its score; None where there is none."""
        last, above = key[-1], key[:-1]
        if isinstance(last, str):
            options = self._before_letter(last)
        else:
            options = [*self._begun(above, last, weight), *self._before(above, last)]
            if is_inserted and (before := self._below.get(key)):
                options.append((before.score + _NEXT, before))  # 39, 39.1 or another 39a
        return max(options, key=_SCORE) if options else None

    def _before_letter(self, letter: str) -> list[_Option]:
        """The runs that a letter can go on from; A from any."""
        found: list[_Option] = [(0.0 if letter == "A" else _LETTER_ALONE, None)]
        if letter == "A" and self.best is not None:
            found.append((self.best.score, self.best))
        if before := self._below.get((chr(ord(letter) - 1),)):
            found.append((before.score + _NEXT_LETTER, before))
        return found

    def _begun(self, above: Key, last: int, weight: float) -> list[_Option]:
        """The runs in which a number may be the first of all, or the first below another."""
        if above:
            return self._begun_below(above, last) if last <= 1 else []
        if last > 1:
            return [(_LATE, None)]
        found: list[_Option] = [(0.0, None)]
        if self.best is not None and (self._may_restart or weight >= _STRONG):
            worth = _ANEW if self._may_restart else _ANEW_ALONE
            found.append((self.best.score + worth, self.best))
        return found

    def _before(self, above: Key, last: int) -> list[_Option]:
        """The runs that end with the numbers before, or with any smaller one if they are best."""
        found: list[_Option] = []
        for step, worth in _SKIPS:
            if last >= step and (before := self._below.get((*above, last - step))):
                found.append((before.score + worth, before))
        best, depth = self.best, len(above)
        if best is not None and len(best.key) > depth and best.key[:depth] == above:
            other = best.key[depth]
            if not isinstance(other, str) and other < last:
                found.append((best.score + _GAP, best))
        return found

    def _begun_below(self, above: Key, last: int) -> list[_Option]:
        """The runs that 3.1 or 3.0 can go on from: one to 3, and one to 2 or below it.

        The second counts also where a 3 was printed, which may be the item of a list. 3.0 is a
        chapter itself.
        """
        found: list[_Option] = []
        if parent := self._at.get(above):
            found.append((parent.score + (_BELOW if last else 0.0), parent))
        first = above[0]
        if len(above) == 1 and not isinstance(first, str):
            before = self._below.get((first - 1,))
            worth = _NO_PARENT if last else _NEXT
            found.append((before.score + worth, before) if before else (_NO_PARENT, None))
        return found
