"""The rules of a page: pieces that touch become one rule, and rules that cross form a frame."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from array import array

_THIN: Final = 2.5  # points
_SHORTEST: Final = 4.0  # points; a shorter rule is a dot or a character
_NEAR: Final = 4.0  # points between the end of a rule and what it ends at
_TOUCH: Final = 3.0  # points between rules that touch
_MANY: Final = 0.25  # of the rules
_MOST_DRAWN: Final = 20_000  # pieces of rules on a page


class RuledLine(NamedTuple):
    """A rule: its height or horizontal position, and where it starts and ends."""

    at: float
    start: float
    end: float


@dataclass(slots=True)
class Frame:
    """Rules that touch each other.

    Attributes:
        across: The horizontal rules, from top to bottom.
        down: The vertical rules, from left to right.
    """

    across: list[RuledLine]
    down: list[RuledLine]

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, low, right and high."""
        xs = [x for rule in self.across for x in rule[1:]] + [rule.at for rule in self.down]
        ys = [y for rule in self.down for y in rule[1:]] + [rule.at for rule in self.across]
        return min(xs), min(ys), max(xs), max(ys)


def split_rules(values: "array[float]") -> tuple[list[RuledLine], list[RuledLine]]:
    """Return the horizontal and the vertical rules of a page, with pieces in one line joined.

    Both are empty if the page has more pieces than any table.
    """
    across: list[RuledLine] = []
    down: list[RuledLine] = []
    for at in range(0, len(values) if len(values) <= 4 * _MOST_DRAWN else 0, 4):
        left, low, right, high = values[at : at + 4]
        if high - low <= _THIN and right - left >= _SHORTEST:
            across.append(RuledLine((low + high) / 2, left, right))
        elif right - left <= _THIN and high - low >= _SHORTEST:
            down.append(RuledLine((left + right) / 2, low, high))
    return list(_joined(across)), list(_joined(down))


def _joined(rules: Sequence[RuledLine]) -> Iterator[RuledLine]:
    """Yield rules, each made of pieces of one line that touch."""
    ordered = sorted(rules)
    first = 0
    for after in range(1, len(ordered) + 1):
        if after < len(ordered) and ordered[after].at - ordered[after - 1].at <= _THIN:
            continue
        inside = sorted(ordered[first:after], key=lambda rule: rule.start)
        first = after
        at = sum(rule.at for rule in inside) / len(inside)
        start, end = inside[0].start, inside[0].end
        for rule in inside[1:]:
            if rule.start > end + _TOUCH:
                yield RuledLine(at, start, end)
                start = rule.start
            end = max(end, rule.end)
        yield RuledLine(at, start, end)


def groups(values: Iterator[float] | Sequence[float], apart: float) -> list[list[float]]:
    """Return sorted groups of values, in which neighbours are no further apart than ``apart``."""
    found: list[list[float]] = []
    for value in sorted(values):
        if found and value - found[-1][-1] <= apart:
            found[-1].append(value)
        else:
            found.append([value])
    return found


def means(values: Iterator[float] | Sequence[float], apart: float) -> list[float]:
    """Return the mean of each group of values that are near each other."""
    return [sum(group) / len(group) for group in groups(values, apart)]


def frames(across: Sequence[RuledLine], down: Sequence[RuledLine]) -> list[Frame]:
    """Return frames, each made of rules that cross or touch each other."""
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


def covers(rules: Sequence[RuledLine], at: float, low: float, high: float) -> bool:
    """Whether rules at one position cover most of the stretch between two ends."""
    way = sum(
        max(0.0, min(rule.end, high) - max(rule.start, low))
        for rule in rules
        if abs(rule.at - at) <= _TOUCH
    )
    return way > 0.6 * (high - low)


def ends_held(frame: Frame) -> float:
    """Return the share of the ends of rules that are on another rule, or where many others end.

    In a table all ends are; the lines of a drawing end at symbols, or in empty space.
    """
    held = 0
    for rules, others in ((frame.across, frame.down), (frame.down, frame.across)):
        edges = _usual_ends(rules)
        for rule in rules:
            for end in (rule.start, rule.end):
                held += any(abs(end - edge) <= _NEAR for edge in edges) or any(
                    abs(end - other.at) <= _NEAR
                    and other.start - _NEAR <= rule.at <= other.end + _NEAR
                    for other in others
                )
    return held / (2 * (len(frame.across) + len(frame.down)))


def _usual_ends(rules: Sequence[RuledLine]) -> list[float]:
    """Return where the outermost rules end, and where many end, as a footer's rule is longer."""
    ends = sorted(end for rule in rules for end in (rule.start, rule.end))
    found = groups(ends, _NEAR)
    many = [group for group in found if len(group) >= max(2, _MANY * len(rules))]
    return [sum(group) / len(group) for group in [*found[:1], *many, *found[-1:]]]
