"""Rules of a page, and cells between crossing ones; without a rule, a cell takes more places."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from treepack.readers.grids import Cell, count_header_rows
from treepack.readers.neighbours import in_groups
from treepack.readers.pdf.line_patterns import MOSTLY, NEAR, NEARLY_ALL, SEVERAL
from treepack.readers.pdf.lines import PdfLine
from treepack.readers.pdf.tables.columns import (
    Fragment,
    by_column,
    cell_text,
    count_wide,
    number_borders,
)

if TYPE_CHECKING:
    from array import array

_MOST_DRAWN: Final = 20_000  # pieces of rules on a page
_MOST_RULES: Final = 400  # of a table; drawings have more

TableCells: TypeAlias = tuple[list[list[Cell]], int, int]
"""Rows of cells, how many of them are a header, and how many columns there are."""


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


# -------------------------------------------------------------------- cells


def ruled_cells(frame: Frame, lines: Sequence[PdfLine]) -> TableCells | None:
    """Return the cells of a grid, or None if the rules form no table."""
    if len(frame.horizontal) + len(frame.vertical) > _MOST_RULES:
        return None
    left, low, right, high = frame.box
    xs = _with_ends(group_means([rule.at for rule in frame.vertical]), left, right)
    ys = _with_ends(group_means([rule.at for rule in frame.horizontal]), low, high)[::-1]
    if len(xs) < 3 or len(ys) < 2:  # noqa: PLR2004 - two columns
        return None
    body = [line for line in lines if line.middle < ys[1]]
    if inner := number_borders(body, xs):
        # Below the header, they separate columns as rules do.
        rules = [RuledLine(x, low, ys[1]) for x in inner]
        frame = Frame(frame.horizontal, sorted([*frame.vertical, *rules]))
        xs = sorted([*xs, *inner])
    fragments = by_column(lines, xs)
    ys = row_borders(ys, fragments, len(xs) - 1)
    if len(ys) < 3:  # noqa: PLR2004 - two rows
        return None
    grid = _Grid(frame, xs, ys, fragments, lines)
    rows = grid.rows()
    return rows, count_header_rows(rows), len(xs) - 1


def _with_ends(values: list[float], low: float, high: float) -> list[float]:
    """Return the positions of rules, and the ends of the frame where there is no rule."""
    first = [low] if not values or values[0] > low + 2 * NEAR else []
    last = [high] if not values or values[-1] < high - 2 * NEAR else []
    return [*first, *values, *last]


def row_borders(
    ys: Sequence[float], fragments: Sequence[Fragment], columns: int, least: int = SEVERAL
) -> list[float]:
    """Return the borders between rows, also of rows that no rules separate.

    Args:
        ys: The heights of the rules, from top to bottom.
        fragments: The fragments in the columns.
        columns: How many columns the table has.
        least: The fewest rows to separate between two rules.
    """
    borders: list[float] = [ys[0]]
    for high, low in pairwise(ys):
        inside = [fragment for fragment in fragments if low < fragment.middle <= high]
        borders += [*_inner_rows(inside, columns, least), low]
    return borders


def _inner_rows(fragments: Sequence[Fragment], columns: int, least: int) -> list[float]:
    """Return the borders between several rows in one space between two rules; empty for one row.

    A row begins at a line with text in most columns or in the first one. Other lines continue the
    row above them. If all columns continue over lines, there is one row of wrapped texts.
    """
    heights = group_means([fragment.baseline for fragment in fragments])[::-1]
    used = len({fragment.column for fragment in fragments})
    if len(heights) < least or used < 2 or columns < 2:  # noqa: PLR2004 - fewer make no table
        return []
    lines: list[list[Fragment]] = [[] for _ in heights]
    for fragment in fragments:
        lines[_nearest(heights, fragment.baseline)].append(fragment)
    first = min(fragment.column for fragment in fragments)
    full = [len({fragment.column for fragment in line}) >= max(2, 0.7 * used) for line in lines]
    starts = [
        at
        for at, line in enumerate(lines)
        if full[at] or any(fragment.column == first for fragment in line)
    ]
    if len(starts) < least or starts[0] or sum(full) < NEARLY_ALL * len(starts):
        return []
    if _is_wrapped_throughout([lines[at] for at in starts]):
        return []
    lows = [
        min(fragment.low for line in lines[at:to] for fragment in line)
        for at, to in pairwise(starts)
    ]
    highs = [max(fragment.high for fragment in lines[at]) for at in starts[1:]]
    return [(low + high) / 2 for low, high in zip(lows, highs, strict=True)]


def _nearest(falling: Sequence[float], value: float) -> int:
    """Return the index of the nearest height, among heights in falling order."""
    at = bisect_left(falling, -value, key=lambda height: -height)
    return min(
        range(max(0, at - 1), min(at + 1, len(falling))), key=lambda n: abs(falling[n] - value)
    )


def _is_wrapped_throughout(lines: Sequence[Sequence[Fragment]]) -> bool:
    """Whether lines of all columns continue those above: in lower case, from edge to edge."""
    continued = sum(all(p.words[0].text[:1].islower() for p in line) for line in lines[1:])
    earlier = [fragment for line in lines[:-1] for fragment in line]
    is_wide = count_wide(earlier) > MOSTLY * len(earlier)
    return is_wide and continued >= MOSTLY * (len(lines) - 1)


class _Grid:
    """The places between rules, and which of them are one cell."""

    def __init__(
        self,
        frame: Frame,
        xs: Sequence[float],
        ys: Sequence[float],
        fragments: Sequence[Fragment],
        lines: Sequence[PdfLine],
    ) -> None:
        self._frame = frame
        self._xs, self._ys = xs, ys
        self._ruled = group_means([rule.at for rule in frame.horizontal])
        self._fragments_at: dict[tuple[int, int], list[Fragment]] = defaultdict(list)
        rising = ys[::-1]
        for fragment in fragments:
            row = len(ys) - 1 - bisect_right(rising, fragment.middle)
            self._fragments_at[min(max(row, 0), len(ys) - 2), fragment.column].append(fragment)
        self._lines = lines

    def rows(self) -> list[list[Cell]]:
        """Return the cells that begin in each row, without rows that are empty."""
        taken: set[tuple[int, int]] = set()
        rows: list[list[Cell]] = []
        for row in range(len(self._ys) - 1):
            cells: list[Cell] = []
            for column in range(len(self._xs) - 1):
                if (row, column) in taken:
                    continue
                right = self._right_end(row, column, taken)
                low = self._low_end(row, column, right)
                places = [(r, c) for r in range(row, low) for c in range(column, right)]
                taken.update(places)
                inside = [
                    fragment for place in places for fragment in self._fragments_at.get(place, [])
                ]
                cells.append(Cell(cell_text(inside), right - column, low - row))
            rows.append(cells)
        return [row for row in rows if any(cell.content for cell in row) or len(row) < 1]

    def _right_end(self, row: int, column: int, taken: set[tuple[int, int]]) -> int:
        """Return the column after the last one that a cell takes."""
        end = column + 1
        while end < len(self._xs) - 1 and (row, end) not in taken:
            if self._has_rule_between(row, end):
                break
            is_filled = bool(self._fragments_at.get((row, column)))
            is_across = is_filled and self._has_text_across(row, end)
            if self._fragments_at.get((row, end)) and not is_across:
                break
            end += 1
        return end

    def _has_rule_between(self, row: int, column: int) -> bool:
        high, low = self._ys[row], self._ys[row + 1]
        return are_covered(self._frame.vertical, self._xs[column], low, high)

    def _has_text_across(self, row: int, column: int) -> bool:
        """Whether one line of text extends to both sides of where a rule would be."""
        x, high, low = self._xs[column], self._ys[row], self._ys[row + 1]
        return any(
            line.left < x - NEAR and line.right > x + NEAR and low < line.middle <= high
            for line in self._lines
        )

    def _low_end(self, row: int, column: int, right: int) -> int:
        """Return the row after the last one that a cell takes."""
        end = row + 1
        left, edge = self._xs[column], self._xs[right]
        while end < len(self._ys) - 1:
            y = self._ys[end]
            is_ruled = any(abs(y - height) <= NEAR for height in self._ruled)
            if not is_ruled or are_covered(self._frame.horizontal, y, left, edge):
                break
            if any(self._has_rule_between(end, c) for c in range(column + 1, right)):
                break
            end += 1
        return end
