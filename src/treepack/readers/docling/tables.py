"""Tables of a DoclingDocument, and charts as tables: what its models read from pictures of them."""

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, TypeAlias

from treepack.readers.docling.items import Item, reference_in
from treepack.readers.grids import MOST_PLACES, TIMES, Grid, Room, fill
from treepack.readers.json_values import JsonReader

_BULLET: Final = re.compile("^- ", re.MULTILINE)
_AXES: Final = ("x_axis_label", "y_axis_label")
# Of each kind of chart: where its marks are, and the columns of one mark.
_MARKS: Final = {
    "bar_chart_data": "bars",
    "stacked_bar_chart_data": "stacked_bars",
    "line_chart_data": "lines",
    "pie_chart_data": "slices",
    "scatter_chart_data": "points",
}


class _Placed(NamedTuple):
    text: str
    row: int
    row_end: int
    column: int
    column_end: int
    is_header: bool

    @property
    def places(self) -> int:
        """How many places it takes."""
        return (self.row_end - self.row) * (self.column_end - self.column)

    def within(self, height: int, width: int) -> "_Placed":
        """The cell cut to the size of the table; it keeps at least one place."""
        if self.row < self.row_end <= height and self.column < self.column_end <= width:
            return self
        row_end = max(self.row + 1, min(self.row_end, height))
        column_end = max(self.column + 1, min(self.column_end, width))
        return self._replace(row_end=row_end, column_end=column_end)


ReadRich: TypeAlias = Callable[[str, str], str]


def read_table(data: Item, place: str, values: JsonReader, room: Room, read_rich: ReadRich) -> Grid:
    """Read a table's data; a cell that spans several places stands in each of them.

    Without room for that, it stands only in the first. If a table claims fewer rows or columns than
    its cells need, the cells decide.

    Args:
        data: The ``data`` of a table item.
        place: Where it stands, for messages.
        values: Reads values of the document.
        room: What the tables of the document may fill in.
        read_rich: Gives the text after the reference of a rich cell, as lines; the place of the
            cell is for messages.
    """
    cells = list(_cells(data, place, values, read_rich))
    height = max([values.count(data, "num_rows", place), *(cell.row + 1 for cell in cells)])
    width = max([values.count(data, "num_cols", place), *(cell.column + 1 for cell in cells)])
    cells = [cell.within(height, width) for cell in cells]
    taken = sum(cell.places for cell in cells)
    room.add(len(cells), sum(len(cell.text) for cell in cells))
    if not room.take_places(max(height * width, taken) - len(cells)):
        is_wide = height * width >= taken
        asked = f"{height} x {width} places are" if is_wide else f"cells take {taken} places,"
        limit = f"{MOST_PLACES}, or {TIMES} for each cell"
        raise values.limit(place, f"{asked} more than a document's tables may have: {limit}")
    repeats = room.take_text(sum((cell.places - 1) * len(cell.text) for cell in cells))
    return Grid(_laid_out(cells, height, width, repeats=repeats), _header_rows(cells, height))


def _cells(data: Item, place: str, values: JsonReader, read_rich: ReadRich) -> Iterator[_Placed]:
    for cell, where in values.records(data, "table_cells", place):
        row = values.count(cell, "start_row_offset_idx", where)
        column = values.count(cell, "start_col_offset_idx", where)
        row_end = values.count(cell, "end_row_offset_idx", where)
        column_end = values.count(cell, "end_col_offset_idx", where)
        reference = cell.get("ref")
        rich = ""
        if reference is not None:
            record = values.mapping(reference, f"{where}/ref")
            rich = read_rich(reference_in(record, values, f"{where}/ref"), where)
        yield _Placed(
            _fuller(values.text(cell, "text", where), rich),
            row,
            row_end,
            column,
            column_end,
            cell.get("column_header") is True,
        )


def _fuller(text: str, rich: str) -> str:
    """A cell's own text, or that of the items it refers to if they hold more: a table, a list."""
    own, after = (sum(map(str.isalnum, found)) for found in (text, rich))
    has_list = _BULLET.search(rich) is not None and _BULLET.search(text) is None
    return rich if after > own or (after == own and has_list) else text


def _laid_out(
    cells: list[_Placed], height: int, width: int, *, repeats: bool
) -> tuple[tuple[str, ...], ...]:
    """The rows; a place that two cells claim holds the texts of both.

    Some versions of docling write a cell once for each place that it takes: those are one.
    """
    texts: list[list[str]] = []
    holders: dict[tuple[int, int], int] = {}
    firsts: set[tuple[int, int]] = set()
    for cell in dict.fromkeys(cells):
        held = holders.get((cell.row, cell.column))
        if held is not None:
            texts[held].append(cell.text)
            continue
        firsts.add((cell.row, cell.column))
        texts.append([cell.text])
        for row in range(cell.row, cell.row_end):
            for column in range(cell.column, cell.column_end):
                holders.setdefault((row, column), len(texts) - 1)
    joined = [" ".join(text for text in claims if text) for claims in texts]
    shown = holders if repeats else {place: holders[place] for place in firsts}
    return tuple(
        tuple(joined[shown[row, at]] if (row, at) in shown else "" for at in range(width))
        for row in range(height)
    )


def _header_rows(cells: list[_Placed], height: int) -> int:
    """The rows at the top whose cells are all column headers, as far as they have text."""
    is_header: dict[int, bool] = {}
    for cell in cells:
        if cell.text.strip() or cell.is_header:
            for row in range(cell.row, cell.row_end):
                is_header[row] = is_header.get(row, True) and cell.is_header
    count = next((row for row in range(height) if not is_header.get(row, False)), height)
    return max(0, min(count, height - 1))


# -------------------------------------------------------------------- charts


def charts_of(
    item: Item,
    place: str,
    values: JsonReader,
    read_grid: Callable[[Item, str], Grid],
    room: Room,
) -> Iterator[tuple[str, Grid]]:
    """The charts of a picture, each with its title; one that is said twice is given once.

    Args:
        item: The picture.
        place: Where it stands, for messages.
        values: Reads values of the document.
        read_grid: Reads the data of a table, which stands at the place after it.
        room: What the tables of the document may fill in.
    """
    given: set[tuple[str, Grid]] = set()
    for chart, where in _records(item, place, values):
        title = values.text(chart, "title", where).strip()
        if str(chart.get("kind")) not in _MARKS:
            data = f"{where}/chart_data"
            grid = read_grid(values.mapping(chart.get("chart_data"), data), where)
        else:
            rows = [list(row) for row in _rows(chart, where, values)]
            header = _header(chart, where, values, max(map(len, rows), default=0))
            grid = fill([header, *rows], 1, room)
        if (title, grid) not in given:
            given.add((title, grid))
            yield title, grid


def _records(item: Item, place: str, values: JsonReader) -> Iterator[tuple[Item, str]]:
    """The records of charts, as schema 1.8 and later write them and as older ones did."""
    meta = values.record(item, "meta", place)
    if meta.get("tabular_chart") is not None:
        where = f"{place}/meta/tabular_chart"
        yield values.mapping(meta.get("tabular_chart"), where), where
    for record, where in values.records(item, "annotations", place):
        kind = record.get("kind")
        if isinstance(kind, str) and (kind in _MARKS or kind == "tabular_chart_data"):
            yield record, where


def _header(chart: Item, place: str, values: JsonReader, width: int) -> list[str]:
    names = [values.text(chart, key, place) for key in _AXES]
    return [*[""] * max(0, width - len(names)), *names][-width:] if width else []


def _rows(chart: Item, place: str, values: JsonReader) -> Iterator[list[str]]:
    """A row for each mark of a chart, or for each point of it."""
    key = _MARKS[str(chart.get("kind"))]
    for mark, where in values.records(chart, key, place):
        label = _label(mark, where, values)
        held = mark.get("values", mark.get("value"))
        if key in ("lines", "stacked_bars"):
            for part in values.sequence(held, f"{where}/values"):
                yield [label, *map(_shown, values.sequence(part, f"{where}/values"))]
        elif key == "points":
            yield [*map(_shown, values.sequence(held, f"{where}/value"))]
        else:
            yield [label, _shown(held)]


def _label(mark: Item, place: str, values: JsonReader) -> str:
    label = mark.get("label")
    if label is None or isinstance(label, str):
        return label or ""
    return ", ".join(map(_shown, values.sequence(label, f"{place}/label")))


def _shown(value: object) -> str:
    """A number or a text; whole numbers without the point that JSON may give them."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)
