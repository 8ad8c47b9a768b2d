"""Rows, and the reading order of lines on a page.

That is the order of the content, except for columns that are drawn row by row.
"""

from collections.abc import Iterable, Sequence
from statistics import median
from typing import Final, Protocol, TypeVar

from treepack.readers.pdf.lines import PdfLine

SAME_ROW: Final = 2.5
"""Points; baselines that are closer than this are in one row."""

_FEWEST: Final = 6  # lines of a column
_NARROWEST: Final = 6.0  # points between columns
_LEAST: Final = 25  # characters of a usual line; the cells of a table have fewer

_Rows = Sequence[list[PdfLine]]


class _Placed(Protocol):
    """Something on a baseline: a line, or the part of a line that is in one column."""

    baseline: float


_T = TypeVar("_T", bound=_Placed)


def lines_by_row(lines: Iterable[PdfLine]) -> list[list[PdfLine]]:
    """Group lines that follow each other at one height."""
    rows: list[list[PdfLine]] = []
    for line in lines:
        row = rows[-1] if rows else []
        if row and row[0].page == line.page and abs(row[0].baseline - line.baseline) < SAME_ROW:
            row.append(line)
        else:
            rows.append([line])
    return rows


def rows_from_top(items: Iterable[_T], tolerance: float = SAME_ROW) -> list[list[_T]]:
    """Group all that is at one height, from top to bottom."""
    rows: list[list[_T]] = []
    for item in sorted(items, key=lambda item: -item.baseline):
        if rows and rows[-1][0].baseline - item.baseline < tolerance:
            rows[-1].append(item)
        else:
            rows.append([item])
    return rows


def in_reading_order(lines: Sequence[PdfLine]) -> list[PdfLine]:
    """Return the lines of a page, column after column.

    Most programs write a column to its end before the next one. That order is kept, because it also
    keeps boxes and notes apart. Only lines that are written row by row over all columns are sorted
    into their columns.
    """
    ordered: list[PdfLine] = []
    rows = lines_by_row(lines)
    at = 0
    while at < len(rows):
        end, left, right = _columns(rows, at)
        if end > at and _are_columns(left, right):
            ordered += [*in_reading_order(left), *in_reading_order(right)]
            at = end
        else:
            ordered += rows[at]
            at += 1
    return ordered


def _columns(rows: _Rows, at: int) -> tuple[int, list[PdfLine], list[PdfLine]]:
    """Return the end of the rows from an index on that have a common gap, and their two sides."""
    left: list[PdfLine] = []
    right: list[PdfLine] = []
    if len(rows[at]) < 2:  # noqa: PLR2004 - two columns
        return at, left, right
    start, end = 0.0, float("inf")
    after = at
    for row in rows[at:]:
        ordered = sorted(row, key=lambda line: line.left)
        split = _split(ordered, start, end)
        if split is None:
            break
        before, behind = ordered[:split], ordered[split:]
        start = max([start, *(line.right for line in before)])
        end = min([end, *(line.left for line in behind)])
        left += before
        right += behind
        after += 1
    return after, left, right


def _split(row: Sequence[PdfLine], start: float, end: float) -> int | None:
    """Return how many lines of a row are before the gap between two columns; None without gap."""
    for count in range(len(row) + 1):
        inner = max([start, *(line.right for line in row[:count])])
        outer = min([end, *(line.left for line in row[count:])])
        if outer - inner >= _NARROWEST and (inner > 0 and outer < float("inf")):
            return count
    return None


def _are_columns(left: Sequence[PdfLine], right: Sequence[PdfLine]) -> bool:
    return all(
        len(side) >= _FEWEST and median(len(line.text) for line in side) >= _LEAST
        for side in (left, right)
    )
