"""Charts of a DoclingDocument as tables: what its models read from the pictures of charts."""

from collections.abc import Callable, Iterator
from typing import Final

from treepack.readers.docling.items import Item
from treepack.readers.grids import Grid, Room, fill
from treepack.readers.json_values import JsonReader

_AXES: Final = ("x_axis_label", "y_axis_label")
# Of each kind of chart: where its marks are, and the columns of one mark.
_MARKS: Final = {
    "bar_chart_data": "bars",
    "stacked_bar_chart_data": "stacked_bars",
    "line_chart_data": "lines",
    "pie_chart_data": "slices",
    "scatter_chart_data": "points",
}


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
