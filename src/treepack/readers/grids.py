"""The one model of tables: cells, as formats describe them, become grids, and grids are written."""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from treepack.readers.inlines import Inline, flat, to_html, to_markdown

MOST_PLACES: Final = 100_000
"""The places that a document's tables may have beyond their own cells."""
FILL_FACTOR: Final = 8
"""A document may fill in this many times the cells of its tables, if that is more."""
_LONGEST_LABEL: Final = 120
"""Characters of a cell over several rows that labels each; longer ones are texts, written once."""

_MOST_HEADER_ROWS: Final = 8  # rows that are looked at; printed tables have up to four


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table as its format describes it.

    Attributes:
        content: Plain text or pieces; line ends are kept.
        columns: How many columns it spans.
        rows: How many rows it spans; 0 means all rows below.
    """

    content: Inline = ""
    columns: int = 1
    rows: int = 1


@dataclass(frozen=True, slots=True)
class Grid:
    """A rectangle of cell contents.

    Attributes:
        rows: Header rows first. All are as long as the first, unless padding them would make the
            table far larger. Then each row below the first ends with its own last cell.
        header_rows: How many of them name the columns.
        continued: The places, by row and column from 0, that belong to the cell at their left.
    """

    rows: tuple[tuple[Inline, ...], ...]
    header_rows: int = 0
    continued: AbstractSet[tuple[int, int]] = frozenset()

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.rows[0]) if self.rows else 0


@dataclass(slots=True)
class FillLimit:
    """Limits how much all tables of one document may fill in together.

    Without a limit, a few cells could claim millions of places.

    Attributes:
        cells: How many cells the tables have so far.
        places: How many places were filled in beyond those.
    """

    cells: int = 0
    places: int = 0

    def take(self, count: int) -> bool:
        """Reserve places to fill in; return False if fewer are left."""
        has_room = self.places + count <= max(MOST_PLACES, FILL_FACTOR * self.cells)
        self.places += count * has_room
        return has_room


def fill(
    rows: Sequence[Sequence[Cell | Inline]],
    header_rows: int = 0,
    fill_limit: FillLimit | None = None,
) -> Grid:
    """Lay out cells as a rectangle; short rows are padded with empty cells.

    A cell over several columns is written once, in the first of them. A label over several rows is
    repeated in each, as the row would lose it. Without room for the places, each cell takes one.
    If all rows are said to name the columns, only the first does.

    Args:
        rows: For each row, the cells that begin in it, as in HTML.
        header_rows: How many rows at the top name the columns.
        fill_limit: The limit on what may be filled in; if None, a limit for this table alone.
    """
    fill_limit = fill_limit or FillLimit()
    cells = [[cell if isinstance(cell, Cell) else Cell(cell) for cell in row] for row in rows]
    count = sum(map(len, cells))
    fill_limit.cells += count
    claimed = sum(
        cell.columns * _height(cell, len(cells) - at)
        for at, row in enumerate(cells)
        for cell in row
    )
    if not fill_limit.take(claimed - count):
        cells = [[Cell(cell.content) for cell in row] for row in cells]
    laid, continued = _laid_out(cells)
    width = max(map(len, laid), default=0)
    has_room = fill_limit.take(width * len(laid) - sum(map(len, laid)))
    for at, row in enumerate(laid):
        row.extend([""] * (width - len(row) if has_room or not at else 0))
    header_rows = header_rows if header_rows < len(laid) else min(1, len(laid))
    return Grid(tuple(map(tuple, laid)), header_rows, continued)


def _height(cell: Cell, rows_left: int) -> int:
    return min(cell.rows, rows_left) or rows_left


def _laid_out(rows: Sequence[Sequence[Cell]]) -> tuple[list[list[Inline]], set[tuple[int, int]]]:
    """Return each row's contents by column, and the places that continue the cell at their left."""
    laid: list[list[Inline]] = []
    continued: set[tuple[int, int]] = set()
    above: dict[int, tuple[int, Inline, bool]] = {}  # by column: a cell that reaches further down
    for number, row in enumerate(rows):
        places = above
        above = {}
        column = 0
        for cell in row:
            while column in places:
                column += 1
            height = _height(cell, len(rows) - number)
            for at in range(max(1, cell.columns)):
                places[column] = height, "" if at else cell.content, at > 0
                column += 1
        for column, (height, content, is_continued) in places.items():
            if is_continued:
                continued.add((number, column))
            if height > 1:
                is_label = len(flat(content)) <= _LONGEST_LABEL
                above[column] = height - 1, content if is_label else "", is_continued
        width = max(places, default=-1) + 1
        laid.append([places[at][1] if at in places else "" for at in range(width)])
    return laid, continued


def count_header_rows(rows: Sequence[Sequence[Cell]]) -> int:
    """Return how many rows name the columns, if the format says only that the first does.

    Below names of groups, which span several columns, stand the names of their columns.
    """
    laid, continued = _laid_out(rows[:_MOST_HEADER_ROWS])
    count = min(1, max(0, len(laid) - 1))
    while 0 < count < len(laid) - 1 and _names_groups(laid, count, continued):
        count += 1
    return count


def _names_groups(
    rows: Sequence[Sequence[Inline]], below: int, continued: AbstractSet[tuple[int, int]]
) -> bool:
    """Whether the row above another names groups of columns, and the other only columns in them."""
    if sum(bool(flat(name)) for name in rows[below]) < 2:  # noqa: PLR2004 - one names no columns
        return False
    has_group = False
    for at, (upper, lower) in enumerate(zip(rows[below - 1], rows[below], strict=False)):
        is_group = bool({(below - 1, at), (below - 1, at + 1)} & continued)
        has_group = has_group or (is_group and bool(flat(lower)))
        if not is_group and flat(upper) and flat(lower) and upper is not lower:
            return False
    return has_group


def gfm_lines(grid: Grid) -> Iterable[str]:
    """Yield the lines of a GFM table; if the grid has no header row, an empty one is added."""
    header, body = grid.rows[: grid.header_rows], grid.rows[grid.header_rows :]
    assert len(header) <= 1, "GFM has one header row"
    for row in header or [("",) * grid.width]:
        yield _gfm_row(row, is_header=True)
    yield "| " + " | ".join(["---"] * grid.width) + " |"
    for row in body:
        yield _gfm_row(row)


def _gfm_row(row: Sequence[Inline], *, is_header: bool = False) -> str:
    """Return a row with line ends as ``<br>``, but as spaces in the header, which names columns."""
    line_end = " " if is_header else "<br>"
    cells = [
        to_markdown(cell, dollars=is_header).replace("|", "\\|").replace("\n", line_end)
        for cell in row
    ]
    return "|" + "".join([f" {cell} |" for cell in cells])


def html_lines(grid: Grid, caption: Inline) -> Iterable[str]:
    """Yield the lines of an HTML table, each row on one line."""
    yield "<table>"
    if text := to_html(caption):
        yield f"<caption>{text}</caption>"
    header, body = range(grid.header_rows), range(grid.header_rows, len(grid.rows))
    for group, numbers in (("thead", header), ("tbody", body)):
        if numbers:
            yield f"<{group}>"
            yield from (_html_row(grid, number) for number in numbers)
            yield f"</{group}>"
    yield "</table>"


def _html_row(grid: Grid, number: int) -> str:
    """Return a row; in header rows above the last one, a name over several columns spans them."""
    name = "th" if number < grid.header_rows else "td"
    cells: list[str] = []
    row = grid.rows[number]
    at = 0
    while at < len(row):
        count = 1
        while number < grid.header_rows - 1 and (number, at + count) in grid.continued:
            count += 1
        span = f' colspan="{count}"' if count > 1 else ""
        cells.append(f"<{name}{span}>{to_html(row[at])}</{name}>")
        at += count
    return f"<tr>{''.join(cells)}</tr>"
