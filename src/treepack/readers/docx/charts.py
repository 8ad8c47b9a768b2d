"""Reads charts of a Word document as tables of the values that Word stores with the drawing."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from treepack.numbers.words import whole_number

_PLACES_PER_POINT: Final = 8
_FEW_PLACES: Final = 64
"""A table may have so many places for each point, or `_FEW_PLACES`; else it becomes a list."""
_CATEGORY_TAGS: Final = ("c_cat", "c_xVal")
_VALUE_TAGS: Final = ("c_val", "c_yVal")

Points = Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Chart:
    """The content of a chart.

    Attributes:
        title: Its title, with the title of the value axis in brackets.
        rows: The names of the columns, then the rows of values; empty if it has no values.
    """

    title: str
    rows: list[list[str]]


class _Series(NamedTuple):
    name: str
    categories: Points
    values: Points


def read_chart(root: Element) -> Chart:
    """Read the part of a chart, in the form of Word 2007 (``c:``) or Word 2016 (``cx:``)."""
    if root.tag.startswith("cx_"):
        return Chart(_text(root.find("cx_chart/cx_title")), _columns(root))
    title = _text(root.find("c_chart/c_title"))
    category_title, value_title = _axes(root)
    if value_title:
        title = f"{title} ({value_title})" if title else value_title
    all_series = [_series(element) for element in root.iter("c_ser")]
    all_series = [series for series in all_series if series.values]
    return Chart(title, _rows(all_series, category_title))


def _axes(root: Element) -> tuple[str, str]:
    """Return the titles of the category axis and of the value axis."""
    titles = [
        (axis.tag, _text(axis.find("c_title"))) for axis in root.iterfind("c_chart/c_plotArea/*")
    ]
    values = [title for tag, title in titles if tag == "c_valAx"]
    names = [title for tag, title in titles if tag in ("c_catAx", "c_dateAx", "c_serAx")]
    if not names:  # a scatter chart has two value axes
        names, values = values[:1], values[1:]
    return next(filter(None, names), ""), next(filter(None, values), "")


def _series(element: Element) -> _Series:
    name = _text(element.find("c_tx"))
    categories = next((e for e in map(element.find, _CATEGORY_TAGS) if e is not None), None)
    values = next((e for e in map(element.find, _VALUE_TAGS) if e is not None), None)
    return _Series(name, _labels(categories), _points(values))


def _rows(all_series: list[_Series], category_title: str) -> list[list[str]]:
    """Return a row for each category and a column for each series, or a list of all points.

    It is a list if the series have different categories, or if a table would be mostly empty.
    """
    if not all_series:
        return []
    categories = all_series[0].categories
    indices = sorted({at for series in all_series for at in series.values})
    point_count = sum(len(series.values) for series in all_series)
    is_table = all(series.categories == categories for series in all_series)
    places = len(indices) * len(all_series)
    if is_table and places <= max(_FEW_PLACES, _PLACES_PER_POINT * point_count):
        rows = [[category_title, *(series.name for series in all_series)]]
        for at in indices:
            rows += [[categories.get(at, ""), *(s.values.get(at, "") for s in all_series)]]
        return rows
    rows = [["", category_title, ""]]
    for series in all_series:
        name, labels, values = series
        rows += [[name, labels.get(at, ""), values[at]] for at in sorted(values)]
    return rows


def _labels(element: Element | None) -> Points:
    """Return the categories; if they have several levels, outer labels precede inner ones."""
    levels = list(element.iter("c_lvl")) if element is not None else []
    if not levels:
        return _points(element)
    inner, *outer_levels = (_points(level) for level in levels)
    labels = dict(inner)
    for outer in outer_levels:
        starts = sorted(outer)
        label, next_start = "", 0
        for at in sorted(labels):
            while next_start < len(starts) and starts[next_start] <= at:
                label, next_start = outer[starts[next_start]], next_start + 1
            labels[at] = f"{label} {labels[at]}" if label else labels[at]
    return labels


def _points(element: Element | None) -> Points:
    return dict(_numbered_points(element, "c_pt", "c_v")) if element is not None else {}


def _numbered_points(element: Element, point: str, value: str) -> Iterator[tuple[int, str]]:
    for point_element in element.iter(point):
        at = whole_number(point_element.get("idx", ""))
        text = point_element.findtext(value) if value else point_element.text
        if at is not None and at >= 0 and text and text.strip():
            yield at, text.strip()


def _columns(root: Element) -> list[list[str]]:
    """Return the rows of a Word 2016 chart, with a column for each dimension."""
    levels = (
        level for data in root.iterfind("cx_chartData/cx_data") for level in data.iter("cx_lvl")
    )
    columns = [column for level in levels if (column := dict(_numbered_points(level, "cx_pt", "")))]
    indices = sorted({at for column in columns for at in column})
    names = [_text(tx) for tx in root.iterfind(".//cx_series/cx_tx")]
    header = [""] * max(0, len(columns) - len(names)) + names
    if not indices:
        return []
    if len(indices) * len(columns) > max(_FEW_PLACES, _PLACES_PER_POINT * sum(map(len, columns))):
        return [[""], *([text] for column in columns for text in column.values())]
    return [header[: len(columns)], *([c.get(at, "") for c in columns] for at in indices)]


def _text(element: Element | None) -> str:
    """Return the text of a title or a name, with its paragraphs as one line."""
    if element is None:
        return ""
    parts = [inner.text or "" for inner in element.iter() if inner.tag in ("a_t", "c_v", "cx_v")]
    return " ".join(" ".join(parts).split())
