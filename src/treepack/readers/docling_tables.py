"""Tables of a DoclingDocument: cells by their places, laid out as rows."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from treepack.readers.grids import Cell
from treepack.readers.json_values import JsonReader

MOST_PLACES: Final = 1_000_000
"""Rows times columns, and places that all cells take."""

_BULLET: Final = re.compile("^- ", re.MULTILINE)


class DoclingTable(NamedTuple):
    """The cells of each row that begin there, and how many rows at the top head the columns."""

    rows: list[list[Cell]]
    header_rows: int


class _Placed(NamedTuple):
    text: str
    row: int
    row_end: int
    column: int
    column_end: int
    is_header: bool


ReadRich: TypeAlias = Callable[[str, str], str]


def read_table(
    data: Mapping[str, object], place: str, values: JsonReader, read_rich: ReadRich
) -> DoclingTable:
    """Read a table's data.

    Args:
        data: The ``data`` of a table item.
        place: Where it stands, for messages.
        values: Reads values of the document.
        read_rich: Gives the text behind the reference of a rich cell, as lines; the place of the
            cell is for messages.
    """
    height = values.count(data, "num_rows", place)
    width = values.count(data, "num_cols", place)
    if height * width > MOST_PLACES:
        raise values.fault(place, f"{height} x {width} places are more than {MOST_PLACES}")
    cells = list(_cells(data, place, values, (height, width), read_rich))
    taken = sum((cell.row_end - cell.row) * (cell.column_end - cell.column) for cell in cells)
    if taken > MOST_PLACES:
        raise values.fault(place, f"cells take {taken} places, more than {MOST_PLACES}")
    return _laid_out(cells, height, width)


def _cells(
    data: Mapping[str, object],
    place: str,
    values: JsonReader,
    size: tuple[int, int],
    read_rich: ReadRich,
) -> Iterator[_Placed]:
    height, width = size
    for at, entry in enumerate(values.sequence(data.get("table_cells"), f"{place}/table_cells")):
        where = f"{place}/table_cells/{at}"
        cell = values.mapping(entry, where)
        row = values.count(cell, "start_row_offset_idx", where)
        column = values.count(cell, "start_col_offset_idx", where)
        if row >= height or column >= width:
            raise values.fault(where, f"stands at row {row}, column {column}, outside the table")
        row_end = values.count(cell, "end_row_offset_idx", where)
        column_end = values.count(cell, "end_col_offset_idx", where)
        reference = cell.get("ref")
        rich = ""
        if reference is not None:
            record = values.mapping(reference, f"{where}/ref")
            rich = read_rich(values.text(record, "$ref", f"{where}/ref"), where)
        yield _Placed(
            _fuller(values.text(cell, "text", where), rich),
            row,
            max(row + 1, min(row_end, height)),
            column,
            max(column + 1, min(column_end, width)),
            cell.get("column_header") is True,
        )


def _fuller(text: str, rich: str) -> str:
    """A cell's own text, or that of the items behind it where it holds more: a table, a list."""
    own, behind = (sum(map(str.isalnum, found)) for found in (text, rich))
    has_list = _BULLET.search(rich) is not None and _BULLET.search(text) is None
    return rich if behind > own or (behind == own and has_list) else text


def _laid_out(cells: list[_Placed], height: int, width: int) -> DoclingTable:
    """The rows; a place that two cells claim holds the texts of both.

    Some versions of docling write a cell once for each place that it takes: those are one.
    """
    texts: list[str] = []
    holders: dict[tuple[int, int], int] = {}
    for cell in dict.fromkeys(cells):
        held = holders.get((cell.row, cell.column))
        if held is not None:
            texts[held] = f"{texts[held]} {cell.text}".strip()
            continue
        texts.append(cell.text)
        for row in range(cell.row, cell.row_end):
            for column in range(cell.column, cell.column_end):
                holders.setdefault((row, column), len(texts) - 1)
    rows = [
        [Cell(texts[holders[row, at]] if (row, at) in holders else "") for at in range(width)]
        for row in range(height)
    ]
    return DoclingTable(rows, _header_rows(cells, height))


def _header_rows(cells: list[_Placed], height: int) -> int:
    """The rows at the top whose cells are all column headers, as far as they have text."""
    is_header: dict[int, bool] = {}
    for cell in cells:
        if cell.text.strip() or cell.is_header:
            for row in range(cell.row, cell.row_end):
                is_header[row] = is_header.get(row, True) and cell.is_header
    count = next((row for row in range(height) if not is_header.get(row, False)), height)
    return max(0, min(count, height - 1))
