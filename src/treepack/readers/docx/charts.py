"""Reads charts of a Word document as tables of the values that Word stores with the drawing."""

from collections.abc import Mapping
from typing import NamedTuple
from xml.etree.ElementTree import Element

from treepack.numbers.words import whole_number
from treepack.readers.docx.package import NO_PART, DocxPackage

Points = Mapping[int, str]


class Chart(NamedTuple):
    """The content of a chart.

    Attributes:
        title: Its title, with the titles of its axes in brackets.
        rows: The names of the columns, then the rows of values; empty if it has no values.
    """

    title: str
    rows: list[list[str]]


def read_chart(package: DocxPackage, part: str) -> Chart:
    """Read the part of a chart.

    Raises:
        SourceError: It is missing or damaged, or has no content that can be read.
    """
    root = package.read(part)
    if root is NO_PART:
        package.fail(part, "is not in the file")
    title = _text(root.find("c_chart/c_title"))
    axes = ", ".join(filter(None, map(_text, root.iterfind("c_chart/c_plotArea/*/c_title"))))
    series = [found for element in root.iter("c_ser") if (found := _series(element))[2]]
    rows = _rows(series) if series else []
    if not (title or axes or rows):
        package.fail(part, "has no values that can be read")
    return Chart(f"{title} ({axes})" if title and axes else title or axes, rows)


def _series(element: Element) -> tuple[str, Points, Points]:
    """Return the name of a series, its categories, and its values."""
    parts = {child.tag: child for child in element}
    categories = parts.get("c_cat", parts.get("c_xVal"))
    values = parts.get("c_val", parts.get("c_yVal"))
    return _text(parts.get("c_tx")), _points(categories), _points(values)


def _points(element: Element | None) -> Points:
    """Return the texts by their place; of several levels, outer labels stand where they begin."""
    points: dict[int, str] = {}
    for point in element.iter("c_pt") if element is not None else ():
        at, text = whole_number(point.get("idx", "")), _text(point)
        if at is not None and text:
            points[at] = f"{text} {points[at]}" if at in points else text
    return points


def _rows(series: list[tuple[str, Points, Points]]) -> list[list[str]]:
    """Return a row for each category and a column for each series, if all have the same ones.

    Otherwise there is a row for each value, with its series and category.
    """
    first = series[0][1]
    if all(labels == first and values.keys() <= labels.keys() for _, labels, values in series):
        rows = [[first[at], *(values.get(at, "") for *_, values in series)] for at in sorted(first)]
        return [["", *(name for name, *_ in series)], *filter(lambda row: any(row[1:]), rows)]
    return [
        ["", "", ""],
        *(
            [name, labels.get(at, ""), values[at]]
            for name, labels, values in series
            for at in sorted(values)
        ),
    ]


def _text(element: Element | None) -> str:
    """Return the text of a title, a name or a point, with its paragraphs as one line."""
    if element is None:
        return ""
    parts = [inner.text or "" for inner in element.iter() if inner.tag in ("a_t", "c_v")]
    return " ".join(" ".join(parts).split())
