"""Reads charts of a Word document as tables of the values that Word stores with the drawing."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from treepack.numbers.words import whole_number

_PLACES_PER_POINT: Final = 8
_FEW_PLACES: Final = 64
"""A table may have so many places for each point, or `_FEW_PLACES`; else it becomes a list."""

Points = Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Chart:
    """The content of a chart.

    Attributes:
        title: Its title, with the titles of its axes in brackets.
        rows: The names of the columns, then the rows of values; empty if it has no values.
    """

    title: str
    rows: list[list[str]]


class _Series(NamedTuple):
    name: str
    categories: Points
    values: Points


def read_chart(root: Element) -> Chart:
    """Read the part of a chart."""
    title = _text(root.find("c_chart/c_title"))
    axes = ", ".join(filter(None, map(_text, root.iterfind("c_chart/c_plotArea/*/c_title"))))
    series = [found for element in root.iter("c_ser") if (found := _series(element)).values]
    return Chart(f"{title} ({axes})" if title and axes else title or axes, _rows(series))


def _series(element: Element) -> _Series:
    parts = {child.tag: child for child in element}
    categories = parts.get("c_cat", parts.get("c_xVal"))
    values = parts.get("c_val", parts.get("c_yVal"))
    return _Series(_text(parts.get("c_tx")), _points(categories), _points(values))


def _points(element: Element | None) -> Points:
    """Return the texts by their place; of several levels, outer labels stand where they begin."""
    points: dict[int, str] = {}
    for point in element.iter("c_pt") if element is not None else ():
        at, text = whole_number(point.get("idx", "")), _text(point)
        if at is not None and text:
            points[at] = f"{text} {points[at]}" if at in points else text
    return points


def _rows(all_series: list[_Series]) -> list[list[str]]:
    """Return a row for each category and a column for each series, or a list of all points.

    It is a list if the series have different categories, or if a table would be mostly empty.
    """
    if not all_series:
        return []
    categories = all_series[0].categories
    indices = sorted({at for series in all_series for at in series.values})
    point_count = sum(len(series.values) for series in all_series)
    places = len(indices) * len(all_series)
    is_full = places <= max(_FEW_PLACES, _PLACES_PER_POINT * point_count)
    if is_full and all(series.categories == categories for series in all_series):
        columns = [("", categories), *((series.name, series.values) for series in all_series)]
        header = [name for name, _ in columns]
        return [header, *([texts.get(at, "") for _, texts in columns] for at in indices)]
    return [
        ["", "", ""],
        *(
            [name, labels.get(at, ""), values[at]]
            for name, labels, values in all_series
            for at in sorted(values)
        ),
    ]


def _text(element: Element | None) -> str:
    """Return the text of a title, a name or a point, with its paragraphs as one line."""
    if element is None:
        return ""
    parts = [inner.text or "" for inner in element.iter() if inner.tag in ("a_t", "c_v")]
    return " ".join(" ".join(parts).split())
