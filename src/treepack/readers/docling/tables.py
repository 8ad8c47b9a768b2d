"""The cells of a DoclingDocument's table, which know their places, become rows of cells."""

from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import groupby, product
from operator import itemgetter

from treepack.readers.docling.items import TableCell, TableData
from treepack.readers.grids import Cell, FillLimit


def table_rows(
    data: TableData, text_of: Callable[[TableCell], str], limit: FillLimit
) -> tuple[list[list[Cell]], int]:
    """Return for each row the cells that begin in it, and how many rows name the columns.

    Only rows and columns in which a cell begins or ends count; if they have far more places than
    cells, each row has only its cells. A cell that begins in a place of
    another one adds its text to that one. Some versions of docling write a cell once for each place
    that it takes: copies count once.
    """
    cells = sorted(dict.fromkeys(data.table_cells), key=lambda cell: (cell.row, cell.column))
    texts = [text_of(cell) for cell in cells]
    above = _ends([(cell.row, min(cell.row_end, data.num_rows)) for cell in cells])
    left = _ends([(cell.column, min(cell.column_end, data.num_cols)) for cell in cells])
    pairs = list(zip(cells, texts, strict=True))
    others = {cell.row for cell, text in pairs if text.strip() and not cell.column_header}
    headers = {cell.row for cell in cells if cell.column_header} - others
    header_rows = next((at for at, row in enumerate(above) if row not in headers), len(above))
    fillers = max(0, len(above) * len(left) - len(cells))
    limit.cells += len(cells)
    if not limit.take(fillers):
        by_row = groupby(pairs, key=lambda pair: pair[0].row)
        return [[Cell(text) for _, text in row] for _, row in by_row], header_rows
    limit.cells -= len(cells) + fillers  # `fill` counts all of them as cells
    owners: dict[tuple[int, int], tuple[int, int]] = {}  # of each place: where its cell begins
    laid: dict[tuple[int, int], Cell] = {}
    for cell, text in pairs:
        row, column = start = bisect_left(above, cell.row), bisect_left(left, cell.column)
        if start in owners:
            first = laid[owners[start]]
            laid[owners[start]] = replace(first, content=f"{first.content} {text}".strip())
            continue
        right = max(column + 1, bisect_left(left, cell.column_end))
        right = next((at for at in range(column + 1, right) if (row, at) in owners), right)
        below = max(row + 1, bisect_left(above, cell.row_end))
        places = product(range(row + 1, below), range(column, right))
        below = next((at for at, beside in places if (at, beside) in owners), below)
        owners.update(dict.fromkeys(product(range(row, below), range(column, right)), start))
        laid[start] = Cell(text, right - column, below - row)
    places = product(range(len(above)), range(len(left)))
    rows = groupby((place for place in places if owners.get(place, place) == place), itemgetter(0))
    return [[laid.get(place, Cell()) for place in row] for _, row in rows], header_rows


def _ends(spans: Iterable[tuple[int, int]]) -> list[int]:
    """Return the first and last places of spans, each once, in order."""
    return sorted({at for start, end in spans for at in (start, max(start, end - 1))})
