"""The rules of a page: pieces that touch become one rule, and rules that cross form a frame."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Final, NamedTuple

from treepack.readers.neighbours import in_groups
from treepack.readers.pdf.lines import NEAR

if TYPE_CHECKING:
    from array import array

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
        horizontal: The horizontal rules, from top to bottom.
        vertical: The vertical rules, from left to right.
    """

    horizontal: list[RuledLine]
    vertical: list[RuledLine]

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, low, right and high."""
        xs = [x for rule in self.horizontal for x in rule[1:]] + [rule.at for rule in self.vertical]
        ys = [y for rule in self.vertical for y in rule[1:]] + [rule.at for rule in self.horizontal]
        return min(xs), min(ys), max(xs), max(ys)


def split_rules(flat_rules: "array[float]") -> tuple[list[RuledLine], list[RuledLine]]:
    """Return the horizontal and the vertical rules of a page, with pieces in one line joined.

    Both are empty if the page has more pieces than any table.
    """
    horizontal: list[RuledLine] = []
    vertical: list[RuledLine] = []
    for at in range(0, len(flat_rules) if len(flat_rules) <= 4 * _MOST_DRAWN else 0, 4):
        left, low, right, high = flat_rules[at : at + 4]
        if high - low <= NEAR and right - left >= NEAR:
            horizontal.append(RuledLine((low + high) / 2, left, right))
        elif right - left <= NEAR and high - low >= NEAR:
            vertical.append(RuledLine((left + right) / 2, low, high))
    return list(_joined(horizontal)), list(_joined(vertical))


def _joined(rules: Sequence[RuledLine]) -> Iterator[RuledLine]:
    """Yield rules, each made of pieces of one line that touch."""
    for group in in_groups(sorted(rules), lambda group, rule: rule.at - group[-1].at <= NEAR):
        inside = sorted(group, key=lambda rule: rule.start)
        at = fmean(rule.at for rule in inside)
        start, end = inside[0].start, inside[0].end
        for rule in inside[1:]:
            if rule.start > end + NEAR:
                yield RuledLine(at, start, end)
                start = rule.start
            end = max(end, rule.end)
        yield RuledLine(at, start, end)


def group_means(values: Sequence[float]) -> list[float]:
    """Return the mean of each group of values that are near each other."""
    groups = in_groups(sorted(values), lambda group, value: value - group[-1] <= NEAR)
    return [fmean(group) for group in groups]


def frames(horizontal: Sequence[RuledLine], vertical: Sequence[RuledLine]) -> list[Frame]:
    """Return frames, each made of rules that cross or touch each other."""
    parents = list(range(len(horizontal) + len(vertical)))

    def root(at: int) -> int:
        while parents[at] != at:
            parents[at] = parents[parents[at]]
            at = parents[at]
        return at

    by_height = sorted(range(len(horizontal)), key=lambda at: horizontal[at].at)
    heights = [horizontal[at].at for at in by_height]
    for number, rule in enumerate(vertical):
        first = bisect_left(heights, rule.start - NEAR)
        for at in by_height[first:]:
            if horizontal[at].at > rule.end + NEAR:
                break
            if horizontal[at].start - NEAR <= rule.at <= horizontal[at].end + NEAR:
                parents[root(at)] = root(len(horizontal) + number)
    frame_of_root: dict[int, Frame] = defaultdict(lambda: Frame([], []))
    for at, rule in enumerate(horizontal):
        frame_of_root[root(at)].horizontal.append(rule)
    for at, rule in enumerate(vertical):
        frame_of_root[root(len(horizontal) + at)].vertical.append(rule)
    for frame in frame_of_root.values():
        frame.horizontal.sort(key=lambda rule: -rule.at)
        frame.vertical.sort()
    return list(frame_of_root.values())


def are_covered(rules: Sequence[RuledLine], at: float, low: float, high: float) -> bool:
    """Whether rules at one position cover most of the stretch between two ends."""
    covered = sum(
        max(0.0, min(rule.end, high) - max(rule.start, low))
        for rule in rules
        if abs(rule.at - at) <= NEAR
    )
    return covered > 0.6 * (high - low)
