"""Full grids, and tables with rules only above and below their rows.

Tables without rules stay text: of ten that were found in 21 manuals, none was a table. So do
charts, boxes around a text, and empty forms.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from treepack.readers.grids import Cell
from treepack.readers.pdf.line_patterns import MOSTLY
from treepack.readers.pdf.lines import PdfLine
from treepack.readers.pdf.tables.booktabs import open_frames, open_table
from treepack.readers.pdf.tables.grid import Frame, RuledLine, frames, ruled_cells, split_rules

if TYPE_CHECKING:
    from array import array

_EDGE: Final = 4.0  # points that a text may extend beyond an outer rule
_LONGEST: Final = 60  # words of a cell, on average
_MOST_RULES: Final = 4000  # on a page; more rules are a picture


@dataclass(slots=True, eq=False)
class FoundTable:
    """A table.

    Attributes:
        lines: The lines that it is made of, in the order of the page.
        rows: The cells that begin in each row.
        header_rows: How many rows name the columns.
        columns: How many columns it has.
        page_starts: Each further page, from 0, with the index of the first row on it.
    """

    lines: list[PdfLine]
    rows: list[list[Cell]]
    header_rows: int
    columns: int
    page_starts: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])


def find_tables(lines: Sequence[PdfLine], flat_rules: "array[float]") -> list[FoundTable]:
    """Return the tables of a page.

    Args:
        lines: The page's lines, with headings marked.
        flat_rules: Left, low, right and high of its rules, flat.
    """
    horizontal, vertical = split_rules(flat_rules)
    if len(horizontal) + len(vertical) > _MOST_RULES:
        return []
    free = _FreeLines(lines)
    tables: list[FoundTable | None] = []
    free_rules: list[RuledLine] = []
    for frame in frames(horizontal, vertical):
        if _has_columns(frame):
            tables.append(_table(frame, free, is_ruled=True))
        else:
            free_rules += frame.horizontal
    tables += [_table(frame, free, is_ruled=False) for frame in open_frames(free_rules, lines)]
    return [table for table in tables if table is not None]


def _has_columns(frame: Frame) -> bool:
    """Whether rules separate columns; one is enough if it crosses the rules of several rows."""
    vertical, horizontal = len(frame.vertical), len(frame.horizontal)
    return horizontal > 1 and (vertical > 1 or (vertical == 1 and horizontal > 2))  # noqa: PLR2004 - above and below two rows


class _FreeLines:
    """The lines of a page that are in no table yet, by their height."""

    def __init__(self, lines: Sequence[PdfLine]) -> None:
        self._order = {id(line): at for at, line in enumerate(lines)}
        self._lines = sorted((line for line in lines if line.is_text), key=lambda line: line.middle)
        self._heights = [line.middle for line in self._lines]
        self._taken: set[int] = set()

    def inside(self, box: tuple[float, float, float, float]) -> list[PdfLine]:
        """Return the free lines in a box, in the order of the page."""
        left, low, right, high = box
        first = bisect_right(self._heights, low - _EDGE / 2)
        last = bisect_right(self._heights, high + _EDGE / 2)
        inside = [
            line
            for line in self._lines[first:last]
            if id(line) not in self._taken
            and left - _EDGE <= line.left
            and line.right <= right + _EDGE
        ]
        return sorted(inside, key=lambda line: self._order[id(line)])

    def take(self, lines: Sequence[PdfLine]) -> None:
        """Mark lines as taken by a table."""
        self._taken |= {id(line) for line in lines}


def _table(frame: Frame, free: _FreeLines, *, is_ruled: bool) -> FoundTable | None:
    inside = free.inside(frame.box)
    if not inside:
        return None
    cells = ruled_cells(frame, inside) if is_ruled else open_table(frame, inside)
    if cells is None:
        return None
    rows, header_rows, columns = cells
    if not _is_table(rows, columns):
        return None
    free.take(inside)
    return FoundTable(inside, rows, header_rows, columns)


def _is_table(rows: Sequence[Sequence[Cell]], columns: int) -> bool:
    cells = [cell for row in rows for cell in row]
    filled = [cell for cell in cells if cell.content]
    places = sum(cell.columns * cell.rows for cell in filled)
    spanning = sum(cell.columns * cell.rows for cell in cells if cell.columns * cell.rows > 1)
    words = sum(len(str(cell.content).split()) for cell in filled)
    rows_with_two = sum(sum(bool(cell.content) for cell in row) > 1 for row in rows)
    return (
        len(rows) > 1
        and columns > 1
        and rows_with_two > 1
        and places >= (1 - MOSTLY) * len(rows) * columns
        and spanning <= MOSTLY * len(rows) * columns
        and words <= _LONGEST * len(filled)
    )
