"""Cells between crossing rules; where a rule is missing, a cell takes several places."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, TypeAlias

from treepack.readers.grids import Cell
from treepack.readers.pdf.lines import PdfLine
from treepack.readers.pdf.order import SAME_ROW
from treepack.readers.pdf.tables.cells import Fragment, cell_text, fragments
from treepack.readers.pdf.tables.rules import Frame, covers, ends_held, means

_NEAR: Final = 3.0  # points between rules that count as one
_LEAST_LINES: Final = 3  # the fewest rows to separate between two rules
_MOST_RULES: Final = 400  # of a table
_HELD: Final = 0.85  # of the ends of rules
_STRUCK: Final = 0.2  # em from the middle of a text to a rule through it
_FULL: Final = 0.8  # of the lines that begin rows
_WIDE: Final = 0.7  # of the width of a column; wrapped lines are wider
_MOSTLY: Final = 0.6
_PADDING: Final = 8.0  # points from a rule to the text of a cell
_CROSSING: Final = 0.1  # of the lines; more cross the rules of a chart

Made: TypeAlias = tuple[list[list[Cell]], int, int]
"""Rows of cells, how many of them are a header, and how many columns there are."""


def ruled_cells(frame: Frame, lines: Sequence[PdfLine]) -> Made | None:
    """Return the cells of a grid, or None if the rules form no table."""
    if _is_drawing(frame, lines):
        return None
    left, low, right, high = frame.box
    xs = _with_ends(means([rule.at for rule in frame.down], _NEAR), left, right)
    ys = _with_ends(means([rule.at for rule in frame.across], _NEAR), low, high)[::-1]
    if len(xs) < 3 or len(ys) < 2:  # noqa: PLR2004 - two columns
        return None
    if _crossing(lines, frame, xs) > _CROSSING * len(lines):
        return None
    pieces = fragments(lines, xs)
    ys = _with_rows(ys, pieces, len(xs) - 1)
    if len(ys) < 3:  # noqa: PLR2004 - two rows
        return None
    grid = _Grid(frame, xs, ys, pieces, lines)
    rows = grid.rows()
    return rows, _header_rows(rows), len(xs) - 1


def _is_drawing(frame: Frame, lines: Sequence[PdfLine]) -> bool:
    """Whether rules are too many, end anywhere, or cross texts, as in circuits and sheet music."""
    if len(frame.across) + len(frame.down) > _MOST_RULES or ends_held(frame) < _HELD:
        return True
    struck = sum(
        any(
            abs(rule.at - line.middle) < _STRUCK * line.size
            and rule.start < line.right
            and line.left < rule.end
            for rule in frame.across
        )
        for line in lines
    )
    return struck > _CROSSING * len(lines)


def _with_ends(values: list[float], low: float, high: float) -> list[float]:
    """Return the positions of rules, and the ends of the frame where there is no rule."""
    first = [low] if not values or values[0] > low + 2 * _NEAR else []
    last = [high] if not values or values[-1] < high - 2 * _NEAR else []
    return [*first, *values, *last]


def _crossing(lines: Sequence[PdfLine], frame: Frame, xs: Sequence[float]) -> int:
    """Return how many words cross vertical rules, without words that begin a cell."""
    count = 0
    for line in lines:
        for word in line.words:
            at = bisect_right(xs, word.left + _NEAR)
            begins_cell = at > 0 and word.left - xs[at - 1] < _PADDING
            if at < len(xs) and xs[at] < word.right - _NEAR and not begins_cell:
                count += covers(frame.down, xs[at], line.low, line.high)
    return count


def _with_rows(ys: Sequence[float], pieces: Sequence[Fragment], columns: int) -> list[float]:
    """Return the borders between rows, also of rows that no rules separate; see `inner_rows`."""
    made: list[float] = [ys[0]]
    for high, low in pairwise(ys):
        inside = [piece for piece in pieces if low < piece.middle <= high]
        made += inner_rows(inside, columns)
        made.append(low)
    return made


def inner_rows(pieces: Sequence[Fragment], columns: int, least: int = _LEAST_LINES) -> list[float]:
    """Return the borders between several rows in one space between two rules; empty for one row.

    A row begins at a line with text in most columns or in the first one. Other lines continue the
    row above them. If all columns continue over lines, there is one row of wrapped texts.

    Args:
        pieces: The fragments between two rules.
        columns: How many columns the table has.
        least: The fewest rows to separate.
    """
    heights = means([piece.base for piece in pieces], SAME_ROW)[::-1]
    used = len({piece.column for piece in pieces})
    if len(heights) < least or used < 2 or columns < 2:  # noqa: PLR2004 - fewer make no table
        return []
    lines: list[list[Fragment]] = [[] for _ in heights]
    for piece in pieces:
        lines[_nearest(heights, piece.base)].append(piece)
    first = min(piece.column for piece in pieces)
    full = [len({piece.column for piece in line}) >= max(2, 0.7 * used) for line in lines]
    starts = [
        at for at, line in enumerate(lines) if full[at] or any(p.column == first for p in line)
    ]
    if len(starts) < least or starts[0] or sum(full) < _FULL * len(starts):
        return []
    if _is_wrapped_throughout([lines[at] for at in starts]):
        return []
    lows = [min(p.low for line in lines[at:to] for p in line) for at, to in pairwise(starts)]
    highs = [max(p.high for p in lines[at]) for at in starts[1:]]
    return [(low + high) / 2 for low, high in zip(lows, highs, strict=True)]


def _nearest(falling: Sequence[float], value: float) -> int:
    """Return the index of the nearest height, among heights in falling order."""
    at = bisect_left(falling, -value, key=lambda height: -height)
    return min(
        range(max(0, at - 1), min(at + 1, len(falling))), key=lambda n: abs(falling[n] - value)
    )


def _is_wrapped_throughout(lines: Sequence[Sequence[Fragment]]) -> bool:
    """Whether lines of all columns continue those above: in lower case, from edge to edge."""
    going_on = sum(all(p.words[0].text[:1].islower() for p in line) for line in lines[1:])
    edges: dict[int, list[float]] = defaultdict(list)
    for line in lines[:-1]:
        for piece in line:
            edges[piece.column].append(piece.words[-1].right - piece.words[0].left)
    is_wide = all(
        sum(width > _WIDE * max(widths) for width in widths) > _MOSTLY * len(widths)
        for widths in edges.values()
    )
    return is_wide and going_on >= _MOSTLY * (len(lines) - 1)


class _Grid:
    """The places between rules, and which of them are one cell."""

    def __init__(
        self,
        frame: Frame,
        xs: Sequence[float],
        ys: Sequence[float],
        pieces: Sequence[Fragment],
        lines: Sequence[PdfLine],
    ) -> None:
        self._frame = frame
        self._xs, self._ys = xs, ys
        self._ruled = means([rule.at for rule in frame.across], _NEAR)
        self._held: dict[tuple[int, int], list[Fragment]] = defaultdict(list)
        rising = ys[::-1]
        for piece in pieces:
            row = len(ys) - 1 - bisect_right(rising, piece.middle)
            self._held[min(max(row, 0), len(ys) - 2), piece.column].append(piece)
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
                held = [piece for place in places for piece in self._held.get(place, [])]
                cells.append(Cell(cell_text(held), right - column, low - row))
            rows.append(cells)
        return [row for row in rows if any(cell.content for cell in row) or len(row) < 1]

    def _right_end(self, row: int, column: int, taken: set[tuple[int, int]]) -> int:
        """Return the column after the last one that a cell takes."""
        end = column + 1
        while end < len(self._xs) - 1 and (row, end) not in taken:
            if self._has_rule_between(row, end):
                break
            if self._held.get((row, column)) and self._held.get((row, end)):
                if not self._is_text_across(row, end):
                    break
            elif not self._is_spanned(row, column, end):
                break
            end += 1
        return end

    def _has_rule_between(self, row: int, column: int) -> bool:
        high, low = self._ys[row], self._ys[row + 1]
        return covers(self._frame.down, self._xs[column], low, high)

    def _is_text_across(self, row: int, column: int) -> bool:
        """Whether one line of text extends to both sides of where a rule would be."""
        x, high, low = self._xs[column], self._ys[row], self._ys[row + 1]
        return any(
            line.left < x - _NEAR and line.right > x + _NEAR and low < line.middle <= high
            for line in self._lines
        )

    def _is_spanned(self, row: int, column: int, end: int) -> bool:
        """Whether a place belongs to the cell before it: not if only the place has text."""
        return bool(self._held.get((row, column))) or not self._held.get((row, end))

    def _low_end(self, row: int, column: int, right: int) -> int:
        """Return the row after the last one that a cell takes."""
        end = row + 1
        left, edge = self._xs[column], self._xs[right]
        while end < len(self._ys) - 1:
            y = self._ys[end]
            is_ruled = any(abs(y - each) <= _NEAR for each in self._ruled)
            if not is_ruled or covers(self._frame.across, y, left, edge):
                break
            if any(self._has_rule_between(end, c) for c in range(column + 1, right)):
                break
            end += 1
        return end


def _header_rows(rows: Sequence[Sequence[Cell]]) -> int:
    """Return how many rows name the columns: one, and each row below a row with spanning cells."""
    count = 1
    while count < len(rows) - 1 and any(
        cell.columns > 1 and cell.content for cell in rows[count - 1]
    ):
        if len([cell for cell in rows[count - 1] if cell.content]) < 2:  # noqa: PLR2004 - one cell names no columns
            break  # a title over the table
        count += 1
    return count
