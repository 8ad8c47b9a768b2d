"""Reads charts of a Word document as tables of the values that Word stores with the drawing."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from treepack.numbers.words import whole_number

_TIMES: Final = 8
_FEW: Final = 64
"""A table may have `_TIMES` places per point, or `_FEW` if that is more; else it is a list."""
_CATEGORIES: Final = ("c_cat", "c_xVal")
_VALUES: Final = ("c_val", "c_yVal")

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
    names, measures = _axes(root)
    if measures:
        title = f"{title} ({measures})" if title else measures
    series = [_series(found) for found in root.iter("c_ser")]
    series = [each for each in series if each.values]
    return Chart(title, _rows(series, names))


def _axes(root: Element) -> tuple[str, str]:
    """Return the titles of the category axis and of the value axis."""
    kinds = [
        (axis.tag, _text(axis.find("c_title"))) for axis in root.iterfind("c_chart/c_plotArea/*")
    ]
    values = [title for tag, title in kinds if tag == "c_valAx"]
    names = [title for tag, title in kinds if tag in ("c_catAx", "c_dateAx", "c_serAx")]
    if not names:  # a scatter chart has two value axes
        names, values = values[:1], values[1:]
    return next(filter(None, names), ""), next(filter(None, values), "")


def _series(element: Element) -> _Series:
    name = _text(element.find("c_tx"))
    categories = next((e for e in map(element.find, _CATEGORIES) if e is not None), None)
    values = next((e for e in map(element.find, _VALUES) if e is not None), None)
    return _Series(name, _labels(categories), _points(values))


def _rows(series: list[_Series], names: str) -> list[list[str]]:
    """Return a row for each category and a column for each series, or a list of all points.

    It is a list if the series have different categories, or if a table would be mostly empty.
    """
    if not series:
        return []
    categories = series[0].categories
    places = sorted({at for each in series for at in each.values})
    points = sum(len(each.values) for each in series)
    is_table = all(each.categories == categories for each in series)
    if is_table and len(places) * len(series) <= max(_FEW, _TIMES * points):
        header = [names, *(each.name for each in series)]
        return [
            header,
            *([categories.get(at, ""), *(s.values.get(at, "") for s in series)] for at in places),
        ]
    found = [["", names, ""]]
    for each in series:
        found += [
            [each.name, each.categories.get(at, ""), each.values[at]] for at in sorted(each.values)
        ]
    return found


def _labels(element: Element | None) -> Points:
    """Return the categories; if they have several levels, outer labels precede inner ones."""
    levels = list(element.iter("c_lvl")) if element is not None else []
    if not levels:
        return _points(element)
    inner, *others = (_points(level) for level in levels)
    found = dict(inner)
    for outer in others:
        starts = sorted(outer)
        held, following = "", 0
        for at in sorted(found):
            while following < len(starts) and starts[following] <= at:
                held, following = outer[starts[following]], following + 1
            found[at] = f"{held} {found[at]}" if held else found[at]
    return found


def _points(element: Element | None) -> Points:
    return dict(_each_point(element, "c_pt", "c_v")) if element is not None else {}


def _each_point(element: Element, point: str, value: str) -> Iterator[tuple[int, str]]:
    for found in element.iter(point):
        at = whole_number(found.get("idx", ""))
        text = found.findtext(value) if value else found.text
        if at is not None and at >= 0 and text and text.strip():
            yield at, text.strip()


def _columns(root: Element) -> list[list[str]]:
    """Return the rows of a Word 2016 chart, with a column for each dimension."""
    levels = (
        level for data in root.iterfind("cx_chartData/cx_data") for level in data.iter("cx_lvl")
    )
    columns = [column for level in levels if (column := dict(_each_point(level, "cx_pt", "")))]
    places = sorted({at for column in columns for at in column})
    names = [_text(tx) for tx in root.iterfind(".//cx_series/cx_tx")]
    header = [""] * max(0, len(columns) - len(names)) + names
    if not places:
        return []
    if len(places) * len(columns) > max(_FEW, _TIMES * sum(map(len, columns))):
        return [[""], *([text] for column in columns for text in column.values())]
    return [header[: len(columns)], *([c.get(at, "") for c in columns] for at in places)]


def _text(element: Element | None) -> str:
    """Return the text of a title or a name, with its paragraphs as one line."""
    if element is None:
        return ""
    parts = [found.text or "" for found in element.iter() if found.tag in ("a_t", "c_v", "cx_v")]
    return " ".join(" ".join(parts).split())
