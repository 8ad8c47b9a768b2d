"""Lays out tables as grids: a cell that spans several places is repeated, so rows are complete."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from treepack.readers.inlines import Inline, flat, to_html, to_markdown

MOST_PLACES: Final = 100_000
MOST_REPEATED: Final = 1_000_000
"""The places and characters that a document's tables may fill in beyond their own content."""
FILL_FACTOR: Final = 8
"""A document may fill in this many times the content of its tables, if that is more."""


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
    """

    rows: tuple[tuple[Inline, ...], ...]
    header_rows: int = 0

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.rows[0]) if self.rows else 0


@dataclass(slots=True)
class FillLimit:
    """Limits how much all tables of one document may fill in together.

    Without a limit, a few cells could claim millions of places, each filled with a long text.

    Attributes:
        cells: How many cells the tables have so far.
        places: How many places were filled in beyond those.
        length: The characters of the cells.
        repeated: The characters of repeated texts.
    """

    cells: int = 0
    places: int = 0
    length: int = 0
    repeated: int = 0

    def add(self, cells: int, length: int) -> None:
        """Count the cells of a table and their characters."""
        self.cells += cells
        self.length += length

    def take_places(self, count: int) -> bool:
        """Reserve places to fill in; return False if fewer are left."""
        has_room = self.places + count <= max(MOST_PLACES, FILL_FACTOR * self.cells)
        self.places += count * has_room
        return has_room

    def take_text(self, count: int) -> bool:
        """Reserve characters to repeat; return False if fewer are left."""
        has_room = self.repeated + count <= max(MOST_REPEATED, FILL_FACTOR * self.length)
        self.repeated += count * has_room
        return has_room


def length_of(content: Inline) -> int:
    """Return the number of characters of inline content, including targets of links."""
    if isinstance(content, str):
        return len(content)
    targets = sum(len(part.target) for part in content if not isinstance(part, str))
    return len(flat(content)) + targets


def fill(
    rows: Sequence[Sequence[Cell | Inline]],
    header_rows: int = 0,
    fill_limit: FillLimit | None = None,
) -> Grid:
    """Lay out cells as a rectangle; a cell that spans several places is repeated in each.

    A single header row names each of its columns once, so its cells are not repeated.
    A header cell that reaches down into the body is repeated there too, so that the cells beside it
    keep their columns. Short rows are padded with empty cells. Without room to repeat texts, a
    cell's text appears only in its first place. Without room for the places, each cell takes one.

    Args:
        rows: For each row, the cells that begin in it, as in HTML.
        header_rows: How many rows at the top name the columns.
        fill_limit: The limit on what may be filled in; if None, a limit for this table alone.
    """
    fill_limit = fill_limit or FillLimit()
    cells = [[cell if isinstance(cell, Cell) else Cell(cell) for cell in row] for row in rows]
    header_rows = min(header_rows, len(cells))
    count = places = length = repeated = 0
    for number, row in enumerate(cells):
        for cell in row:
            size, taken = length_of(cell.content), cell.columns * _height(cell, len(cells) - number)
            count += 1
            places += taken - 1
            length += size
            repeated += (taken - 1) * size
    fill_limit.add(count, length)
    if not fill_limit.take_places(places):
        cells = [[Cell(cell.content) for cell in row] for row in cells]
        repeated = 0
    laid = _laid_out(cells, header_rows, repeats=fill_limit.take_text(repeated))
    width = max((len(row) for row in laid), default=0)
    has_room = fill_limit.take_places(width * len(laid) - sum(len(row) for row in laid))
    filled = (
        (*row, *[""] * (width - len(row) if has_room or not at else 0))
        for at, row in enumerate(laid)
    )
    return Grid(tuple(filled), header_rows)


def _height(cell: Cell, rows_left: int) -> int:
    return min(cell.rows, rows_left) or rows_left


def _laid_out(
    rows: Sequence[Sequence[Cell]], header_rows: int, *, repeats: bool
) -> list[list[Inline]]:
    """Return each row's contents by column, including cells that reach down from rows above.

    The names in a single header row are written once: no row below says which columns they have.
    """
    laid_out: list[list[Inline]] = []
    above: dict[int, tuple[int, Inline]] = {}  # column: rows that it still takes, and its content
    for number, row in enumerate(rows):
        places: dict[int, Inline] = {column: content for column, (_, content) in above.items()}
        below = {column: (left - 1, text) for column, (left, text) in above.items() if left > 1}
        column = 0
        for cell in row:
            while column in places:
                column += 1
            height = _height(cell, len(rows) - number)
            is_name = header_rows == 1 and not number
            repeated = cell.content if repeats and not (is_name and height == 1) else ""
            for at in range(max(1, cell.columns)):
                places[column] = repeated if at else cell.content
                if height > 1:
                    below[column] = (height - 1, repeated)
                column += 1
        above = below
        laid_out.append([places.get(at, "") for at in range(max(places, default=-1) + 1)])
    return laid_out


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
    header, body = grid.rows[: grid.header_rows], grid.rows[grid.header_rows :]
    if header:
        yield "<thead>"
        yield from map(_names_of_columns, header[:-1])
        yield _html_row("th", header[-1])
        yield "</thead>"
    if body:
        yield "<tbody>"
        yield from (_html_row("td", row) for row in body)
        yield "</tbody>"
    yield "</table>"


def _html_row(name: str, row: Sequence[Inline]) -> str:
    cells = "".join([f"<{name}>{to_html(cell)}</{name}>" for cell in row])
    return f"<tr>{cells}</tr>"


def _names_of_columns(row: Sequence[Inline]) -> str:
    """Return a header row above others; a name over several columns is written once."""
    cells: list[str] = []
    for cell, run in groupby(row):
        count = len([*run])
        span = f' colspan="{count}"' if cell and count > 1 else ""
        cells += [f"<th{span}>{to_html(cell)}</th>"] * (1 if cell else count)
    return f"<tr>{''.join(cells)}</tr>"
