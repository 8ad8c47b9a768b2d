"""The best run of numbers over a whole document.

Each number goes on from one before: 5 after 4, 5.1 below 5, 5.2 after 5.1 or after what stands
below it; A begins annexes. The heaviest of all runs wins, so that one title in a list of steps or a
stray ``3.`` does not mislead the outline. One pass with a table by number takes linear time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from treepack.outline.titles.printed import Key

_BELOW: Final = 1.0
_NEXT: Final = 0.5
_SKIPS: Final = ((1, _NEXT), (2, -2.0), (3, -3.0))  # how far a number goes on, and its worth
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


def best_chain(numbers: Sequence[tuple[Key, float]], *, may_restart: bool = False) -> list[int]:
    """The places of the numbers that make the heaviest run.

    Args:
        numbers: Numbers in source order with their weights; those below 0 are better left out.
        may_restart: Whether they may begin anew, as Section 1 does in each chapter.
    """
    chains = _Chains(may_restart)
    for place, (key, weight) in enumerate(numbers):
        chains.add(place, key, weight)
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

    def add(self, place: int, key: Key, weight: float) -> None:
        option = self._option(key, weight)
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

    def _option(self, key: Key, weight: float) -> tuple[float, _Node | None] | None:
        """The best run that a number can go on from, with its score; None where there is none."""
        last, above = key[-1], key[:-1]
        options: list[tuple[float, _Node | None]] = []
        if isinstance(last, str):
            options.append((0.0 if last == "A" else _LETTER_ALONE, None))
            if last == "A" and self.best is not None:
                options.append((self.best.score, self.best))
            if before := self._below.get((chr(ord(last) - 1),)):
                options.append((before.score + _NEXT_LETTER, before))
            return max(options, key=lambda option: option[0])
        if not above and last < 2:  # noqa: PLR2004 - 0 or 1 begins
            options.append((0.0, None))
            if self.best is not None and (self._may_restart or weight >= _STRONG):
                worth = _ANEW if self._may_restart else _ANEW_ALONE
                options.append((self.best.score + worth, self.best))
        elif not above:
            options.append((_LATE, None))
        if above and last < 2:  # noqa: PLR2004 - as above
            options += self._begun_below(above, last)
        for step, worth in _SKIPS:
            if last >= step and (before := self._below.get((*above, last - step))):
                options.append((before.score + worth, before))
        return max(options, key=lambda option: option[0]) if options else None

    def _begun_below(self, above: Key, last: int) -> list[tuple[float, _Node | None]]:
        """The runs that 3.1 or 3.0 can go on from: one to 3, and one to 2 or below it.

        The second counts also where a 3 was printed, which may be the item of a list. 3.0 is a
        chapter itself.
        """
        found: list[tuple[float, _Node | None]] = []
        if parent := self._at.get(above):
            found.append((parent.score + (_BELOW if last else 0.0), parent))
        first = above[0]
        if len(above) == 1 and not isinstance(first, str):
            before = self._below.get((first - 1,))
            worth = _NO_PARENT if last else _NEXT
            found.append((before.score + worth, before) if before else (_NO_PARENT, None))
        return found
