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
_END_TOLERANCE: Final = 4.0  # points between the end of a rule and what it ends at
_TOUCH: Final = 3.0  # points between rules that touch
_LEAST_SHARE: Final = 0.25  # of the rules
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
        if high - low <= _THIN and right - left >= _SHORTEST:
            horizontal.append(RuledLine((low + high) / 2, left, right))
        elif right - left <= _THIN and high - low >= _SHORTEST:
            vertical.append(RuledLine((left + right) / 2, low, high))
    return list(_joined(horizontal)), list(_joined(vertical))


def _joined(rules: Sequence[RuledLine]) -> Iterator[RuledLine]:
    """Yield rules, each made of pieces of one line that touch."""
    ordered = sorted(rules)
    start_index = 0
    for index in range(1, len(ordered) + 1):
        if index < len(ordered) and ordered[index].at - ordered[index - 1].at <= _THIN:
            continue
        inside = sorted(ordered[start_index:index], key=lambda rule: rule.start)
        start_index = index
        at = sum(rule.at for rule in inside) / len(inside)
        start, end = inside[0].start, inside[0].end
        for rule in inside[1:]:
            if rule.start > end + _TOUCH:
                yield RuledLine(at, start, end)
                start = rule.start
            end = max(end, rule.end)
        yield RuledLine(at, start, end)


def grouped(values: Iterator[float] | Sequence[float], largest_gap: float) -> list[list[float]]:
    """Return sorted groups of values, without gaps above ``largest_gap``."""
    groups: list[list[float]] = []
    for value in sorted(values):
        if groups and value - groups[-1][-1] <= largest_gap:
            groups[-1].append(value)
        else:
            groups.append([value])
    return groups


def group_means(values: Iterator[float] | Sequence[float], largest_gap: float) -> list[float]:
    """Return the mean of each group of values that are near each other."""
    return [sum(group) / len(group) for group in grouped(values, largest_gap)]


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
        first = bisect_left(heights, rule.start - _TOUCH)
        for at in by_height[first:]:
            if horizontal[at].at > rule.end + _TOUCH:
                break
            if horizontal[at].start - _TOUCH <= rule.at <= horizontal[at].end + _TOUCH:
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
        if abs(rule.at - at) <= _TOUCH
    )
    return covered > 0.6 * (high - low)


def anchored_share(frame: Frame) -> float:
    """Return the share of the ends of rules that are on another rule, or where many others end.

    In a table all ends are; the lines of a drawing end at symbols, or in empty space.
    """
    anchored = 0
    for rules, others in ((frame.horizontal, frame.vertical), (frame.vertical, frame.horizontal)):
        edges = _usual_ends(rules)
        for rule in rules:
            for end in (rule.start, rule.end):
                anchored += any(abs(end - edge) <= _END_TOLERANCE for edge in edges) or any(
                    abs(end - other.at) <= _END_TOLERANCE
                    and other.start - _END_TOLERANCE <= rule.at <= other.end + _END_TOLERANCE
                    for other in others
                )
    return anchored / (2 * (len(frame.horizontal) + len(frame.vertical)))


def _usual_ends(rules: Sequence[RuledLine]) -> list[float]:
    """Return where the outermost rules end, and where many end, as a footer's rule is longer."""
    ends = sorted(end for rule in rules for end in (rule.start, rule.end))
    groups = grouped(ends, _END_TOLERANCE)
    large_groups = [group for group in groups if len(group) >= max(2, _LEAST_SHARE * len(rules))]
    return [sum(group) / len(group) for group in [*groups[:1], *large_groups, *groups[-1:]]]
