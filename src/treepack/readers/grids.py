"""Tables: cells that span rows and columns laid out as a grid in which every row stands alone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from treepack.readers.inlines import Inline, flat, to_html, to_markdown

# A few cells can claim to span millions. What is filled in may be some times what stands there.
_MOST_PLACES: Final = 100_000
_MOST_FILLED: Final = 1_000_000  # characters
_TIMES: Final = 8


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table as its format has it.

    Attributes:
        content: Plain text or pieces; line ends stay.
        columns: How many columns it takes.
        rows: How many rows it takes; 0 stands for all below.
    """

    content: Inline = ""
    columns: int = 1
    rows: int = 1


@dataclass(frozen=True, slots=True)
class Grid:
    """A rectangle of cells' contents.

    Attributes:
        rows: Header rows first; all as long as the first, but for a ragged table that would grow
            out of all proportion: there, rows end with their own last cell.
        header_rows: How many of them name the columns.
    """

    rows: tuple[tuple[Inline, ...], ...]
    header_rows: int = 0

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.rows[0]) if self.rows else 0


def fill(rows: Sequence[Sequence[Cell | Inline]], header_rows: int = 0) -> Grid:
    """Lay out cells as a rectangle; a cell that spans several places stands in each of them.

    A header cell that reaches down into the body stands there, too: the cells beside it keep their
    columns. Rows that are short are filled up with empty cells.

    Args:
        rows: The cells of each row that begin there, as in HTML.
        header_rows: How many rows at the top name the columns.
    """
    cells = [[cell if isinstance(cell, Cell) else Cell(cell) for cell in row] for row in rows]
    header_rows = min(header_rows, len(cells))
    if not _can_fill(cells):
        cells = [[Cell(cell.content) for cell in row] for row in cells]
    laid = _laid_out(cells)
    width = max((len(row) for row in laid), default=0)
    own = sum(len(row) for row in laid)
    is_even = width * len(laid) <= max(_MOST_PLACES, _TIMES * own)
    filled = (
        (*row, *[""] * (width - len(row) if is_even or not at else 0))
        for at, row in enumerate(laid)
    )
    return Grid(tuple(filled), header_rows)


def _can_fill(rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether the cells' spans ask for places and text in proportion to what stands there."""
    cells = places = own = filled = 0
    for number, row in enumerate(rows):
        for cell in row:
            height = min(cell.rows, len(rows) - number) or len(rows) - number
            size = len(cell.content) if isinstance(cell.content, str) else len(flat(cell.content))
            cells += 1
            places += cell.columns * height
            own += size
            filled += cell.columns * height * size
    return places <= max(_MOST_PLACES, _TIMES * cells) and (
        filled <= max(_MOST_FILLED, _TIMES * own)
    )


def _laid_out(rows: Sequence[Sequence[Cell]]) -> list[list[Inline]]:
    """Each row's contents by column, those from above included."""
    laid: list[list[Inline]] = []
    above: dict[int, tuple[int, Inline]] = {}  # column: rows that it still takes, and its content
    for number, row in enumerate(rows):
        places: dict[int, Inline] = {column: content for column, (_, content) in above.items()}
        below = {column: (left - 1, held) for column, (left, held) in above.items() if left > 1}
        column = 0
        for cell in row:
            while column in places:
                column += 1
            height = cell.rows or len(rows) - number
            for _ in range(max(1, cell.columns)):
                places[column] = cell.content
                if height > 1:
                    below[column] = (height - 1, cell.content)
                column += 1
        above = below
        laid.append([places.get(at, "") for at in range(max(places, default=-1) + 1)])
    return laid


def gfm_lines(grid: Grid) -> Iterable[str]:
    """The lines of a GFM table with one header row; an empty one where the grid has none."""
    header, body = grid.rows[: grid.header_rows], grid.rows[grid.header_rows :]
    assert len(header) <= 1, "GFM has one header row"
    for row in header or [("",) * grid.width]:
        yield _gfm_row(row, is_header=True)
    yield "| " + " | ".join(["---"] * grid.width) + " |"
    for row in body:
        yield _gfm_row(row)


def _gfm_row(row: Sequence[Inline], *, is_header: bool = False) -> str:
    """A row; line ends are ``<br>``, but blanks in the header, whose plain text names columns."""
    line_end = " " if is_header else "<br>"
    cells = [
        to_markdown(cell, dollars=is_header).replace("|", "\\|").replace("\n", line_end)
        for cell in row
    ]
    return "|" + "".join([f" {cell} |" for cell in cells])


def html_lines(grid: Grid, caption: Inline) -> Iterable[str]:
    """The lines of an HTML table, one for each row."""
    yield "<table>"
    if text := to_html(caption):
        yield f"<caption>{text}</caption>"
    header, body = grid.rows[: grid.header_rows], grid.rows[grid.header_rows :]
    for group, name, rows in (("thead", "th", header), ("tbody", "td", body)):
        if rows:
            yield f"<{group}>"
            yield from (_html_row(row, name) for row in rows)
            yield f"</{group}>"
    yield "</table>"


def _html_row(row: Sequence[Inline], name: str) -> str:
    cells = "".join([f"<{name}>{to_html(cell)}</{name}>" for cell in row])
    return f"<tr>{cells}</tr>"
