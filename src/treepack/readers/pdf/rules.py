"""The rules of a page: pieces that touch become one, and those that cross belong together."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from array import array

_THIN: Final = 2.5  # points
_SHORTEST: Final = 4.0  # points of a rule; less is a dot or a sign
_TOUCH: Final = 3.0  # points between rules that touch
_BIN: Final = 24.0  # points


class Rule(NamedTuple):
    """A rule: where it stands, and from where to where it goes."""

    at: float
    start: float
    end: float


@dataclass(slots=True)
class Frame:
    """Rules that touch each other.

    Attributes:
        across: The horizontal ones, from top to foot.
        down: The vertical ones, from left to right.
    """

    across: list[Rule]
    down: list[Rule]

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, low, right and high."""
        xs = [x for rule in self.across for x in rule[1:]] + [rule.at for rule in self.down]
        ys = [y for rule in self.down for y in rule[1:]] + [rule.at for rule in self.across]
        return min(xs), min(ys), max(xs), max(ys)


def split_rules(values: "array[float]") -> tuple[list[Rule], list[Rule]]:
    """Horizontal and vertical rules of a page, pieces in one line together."""
    across: list[Rule] = []
    down: list[Rule] = []
    for at in range(0, len(values), 4):
        left, low, right, high = values[at : at + 4]
        if high - low <= _THIN and right - left >= _SHORTEST:
            across.append(Rule((low + high) / 2, left, right))
        elif right - left <= _THIN and high - low >= _SHORTEST:
            down.append(Rule((left + right) / 2, low, high))
    return list(_joined(across)), list(_joined(down))


def _joined(rules: Sequence[Rule]) -> Iterator[Rule]:
    """Pieces of one line, where they touch, as one rule."""
    for group in groups((rule.at for rule in rules), _THIN):
        low, high = group[0], group[-1]
        inside = sorted((r for r in rules if low <= r.at <= high), key=lambda rule: rule.start)
        at = sum(rule.at for rule in inside) / len(inside)
        start, end = inside[0].start, inside[0].end
        for rule in inside[1:]:
            if rule.start > end + _TOUCH:
                yield Rule(at, start, end)
                start = rule.start
            end = max(end, rule.end)
        yield Rule(at, start, end)


def groups(values: Iterator[float] | Sequence[float], apart: float) -> list[list[float]]:
    """Values that stand near each other, sorted."""
    found: list[list[float]] = []
    for value in sorted(values):
        if found and value - found[-1][-1] <= apart:
            found[-1].append(value)
        else:
            found.append([value])
    return found


def means(values: Iterator[float] | Sequence[float], apart: float) -> list[float]:
    """One value for each group of those that stand near each other."""
    return [sum(group) / len(group) for group in groups(values, apart)]


def frames(across: Sequence[Rule], down: Sequence[Rule]) -> list[Frame]:
    """Rules that cross or touch each other, together."""
    leaders = list(range(len(across) + len(down)))

    def leader(at: int) -> int:
        while leaders[at] != at:
            leaders[at] = leaders[leaders[at]]
            at = leaders[at]
        return at

    by_height = sorted(range(len(across)), key=lambda at: across[at].at)
    heights = [across[at].at for at in by_height]
    for number, rule in enumerate(down):
        first = bisect_left(heights, rule.start - _TOUCH)
        for at in by_height[first:]:
            if across[at].at > rule.end + _TOUCH:
                break
            if across[at].start - _TOUCH <= rule.at <= across[at].end + _TOUCH:
                leaders[leader(at)] = leader(len(across) + number)
    found: dict[int, Frame] = defaultdict(lambda: Frame([], []))
    for at, rule in enumerate(across):
        found[leader(at)].across.append(rule)
    for at, rule in enumerate(down):
        found[leader(len(across) + at)].down.append(rule)
    for frame in found.values():
        frame.across.sort(key=lambda rule: -rule.at)
        frame.down.sort()
    return list(found.values())


def covers(rules: Sequence[Rule], at: float, low: float, high: float) -> bool:
    """Whether rules at one place go over most of a way."""
    way = sum(
        max(0.0, min(rule.end, high) - max(rule.start, low))
        for rule in rules
        if abs(rule.at - at) <= _TOUCH
    )
    return way > 0.6 * (high - low)


def bands(values: Sequence[float]) -> list[tuple[float, float]]:
    """The ways between values that follow each other."""
    return list(pairwise(values))
