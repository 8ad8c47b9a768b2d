"""Reads tables of a DoclingDocument, and charts as tables of the values that docling found."""

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, TypeAlias

from treepack.readers.docling.items import Item, reference_in
from treepack.readers.grids import FILL_FACTOR, MOST_PLACES, FillLimit, Grid, fill

_BULLET: Final = re.compile("^- ", re.MULTILINE)
_AXES: Final = ("x_axis_label", "y_axis_label")
# For each kind of chart, the key of its marks (bars, lines, slices ...).
_MARKS: Final = {
    "bar_chart_data": "bars",
    "stacked_bar_chart_data": "stacked_bars",
    "line_chart_data": "lines",
    "pie_chart_data": "slices",
    "scatter_chart_data": "points",
}


class _TableCell(NamedTuple):
    text: str
    row: int
    row_end: int
    column: int
    column_end: int
    is_header: bool

    @property
    def places(self) -> int:
        """The number of places that the cell takes."""
        return (self.row_end - self.row) * (self.column_end - self.column)

    def within(self, height: int, width: int) -> "_TableCell":
        """Return the cell cut to the size of the table; it keeps at least one place."""
        if self.row < self.row_end <= height and self.column < self.column_end <= width:
            return self
        row_end = max(self.row + 1, min(self.row_end, height))
        column_end = max(self.column + 1, min(self.column_end, width))
        return self._replace(row_end=row_end, column_end=column_end)


ReadRich: TypeAlias = Callable[[str, Item], Iterator[str]]


def read_table(data: Item, fill_limit: FillLimit, read_rich: ReadRich) -> Grid:
    """Read a table's data; a cell that spans several places is repeated in each.

    Without room for that, it appears only in the first. If a table claims fewer rows or columns
    than its cells need, the cells decide.

    Args:
        data: The ``data`` of a table item.
        fill_limit: The limit on what the tables of the document may fill in.
        read_rich: Returns the text that a rich cell's reference points to, as lines.
    """
    cells = list(_cells(data, read_rich))
    height = max([data.count("num_rows"), *(cell.row + 1 for cell in cells)])
    width = max([data.count("num_cols"), *(cell.column + 1 for cell in cells)])
    cells = [cell.within(height, width) for cell in cells]
    claimed = sum(cell.places for cell in cells)
    fill_limit.add(len(cells), sum(len(cell.text) for cell in cells))
    if not fill_limit.take_places(max(height * width, claimed) - len(cells)):
        is_wide = height * width >= claimed
        asked = f"{height} x {width} places are" if is_wide else f"its cells take {claimed} places,"
        limit = f"{MOST_PLACES}, or {FILL_FACTOR} for each cell"
        raise data.reader.limit_error(
            data.place, f"{asked} more than all tables of a document may have: {limit}"
        )
    repeats = fill_limit.take_text(sum((cell.places - 1) * len(cell.text) for cell in cells))
    header_rows = _header_rows(cells, height)
    return Grid(_laid_out(cells, height, width, header_rows, repeats=repeats), header_rows)


def _cells(data: Item, read_rich: ReadRich) -> Iterator[_TableCell]:
    for cell in data.records("table_cells"):
        row, column = cell.count("start_row_offset_idx"), cell.count("start_col_offset_idx")
        row_end, column_end = cell.count("end_row_offset_idx"), cell.count("end_col_offset_idx")
        has_more = cell.get("ref") is not None
        rich = "\n".join(read_rich(reference_in(cell.record("ref")), cell)) if has_more else ""
        text = _fuller(cell.text("text"), rich)
        is_header = cell.get("column_header") is True
        yield _TableCell(text, row, row_end, column, column_end, is_header)


def _fuller(text: str, rich: str) -> str:
    """Return a cell's text, or that of the items it refers to if they have more, such as a list."""
    text_length, rich_length = (sum(map(str.isalnum, content)) for content in (text, rich))
    has_list = _BULLET.search(rich) is not None and _BULLET.search(text) is None
    return rich if rich_length > text_length or (rich_length == text_length and has_list) else text


def _laid_out(
    cells: list[_TableCell], height: int, width: int, header_rows: int, *, repeats: bool
) -> tuple[tuple[str, ...], ...]:
    """Return the rows; a cell that begins in a place of an earlier cell adds its text to that one.

    Some versions of docling write a cell once for each place that it takes. Copies count once. The
    names in a single header row are written once, as by `fill`.
    """
    texts_at: dict[tuple[int, int], list[str]] = {}  # of the first cell that takes the place
    starts: dict[tuple[int, int], list[str]] = {}
    for cell in dict.fromkeys(cells):
        start = cell.row, cell.column
        if start in texts_at:
            texts_at[start].append(cell.text)
            continue
        starts[start] = [cell.text]
        for row in range(cell.row, cell.row_end):
            for column in range(cell.column, cell.column_end):
                texts_at.setdefault((row, column), starts[start])
    first = starts if header_rows == 1 or not repeats else texts_at
    visible = [first, *[texts_at if repeats else starts] * (height - 1)]
    return tuple(
        tuple(" ".join(filter(None, places.get((row, at), ()))) for at in range(width))
        for row, places in enumerate(visible[:height])
    )


def _header_rows(cells: list[_TableCell], height: int) -> int:
    """Count the rows at the top whose cells with text are all column headers."""
    is_header: dict[int, bool] = {}
    for cell in cells:
        if cell.text.strip() or cell.is_header:
            for row in range(cell.row, cell.row_end):
                is_header[row] = is_header.get(row, True) and cell.is_header
    count = next((row for row in range(height) if not is_header.get(row, False)), height)
    return max(0, min(count, height - 1))


# -------------------------------------------------------------------- charts


def charts_of(
    item: Item, read_grid: Callable[[Item], Grid], fill_limit: FillLimit
) -> Iterator[tuple[str, Grid]]:
    """Yield the charts of a picture, each with its title; a repeated chart is given once."""
    yielded: set[tuple[str, Grid]] = set()
    for chart in _records(item):
        title = chart.text("title").strip()
        if str(chart.get("kind")) not in _MARKS:
            grid = read_grid(chart.record("chart_data"))
        else:
            rows = [list(row) for row in _rows(chart)]
            grid = fill([_header(chart, max(map(len, rows), default=0)), *rows], 1, fill_limit)
        if (title, grid) not in yielded:
            yielded.add((title, grid))
            yield title, grid


def _records(item: Item) -> Iterator[Item]:
    """Yield the records of charts, in the form of schema 1.8 and later and in the older form."""
    meta = item.record_or_empty("meta")
    if meta.get("tabular_chart") is not None:
        yield meta.record("tabular_chart")
    for record in item.records("annotations"):
        kind = record.get("kind")
        if isinstance(kind, str) and (kind in _MARKS or kind == "tabular_chart_data"):
            yield record


def _header(chart: Item, width: int) -> list[str]:
    names = [chart.text(key) for key in _AXES]
    return [*[""] * max(0, width - len(names)), *names][-width:] if width else []


def _rows(chart: Item) -> Iterator[list[str]]:
    """Yield a row for each bar, part of a bar, slice or point of a chart."""
    key = _MARKS[str(chart.get("kind"))]
    for mark in chart.records(key):
        label = _label(mark)
        if key in ("lines", "stacked_bars"):
            for part, place in mark.entries("values"):
                yield [label, *map(_shown, mark.reader.array(part, place))]
        elif key == "points":
            yield [*map(_shown, mark.array("value"))]
        else:
            yield [label, _shown(mark.get("values", mark.get("value")))]


def _label(mark: Item) -> str:
    label = mark.get("label")
    if label is None or isinstance(label, str):
        return label or ""
    return ", ".join(map(_shown, mark.array("label")))


def _shown(value: object) -> str:
    """Return a number or a text as text; whole numbers lose the ``.0`` that JSON may give them."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)
