"""Reads Word's tables, with merged cells and header rows, and the values of charts as tables."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from treepack.numbers.words import whole_number
from treepack.readers.docx.package import NO_PART, DocxPackage
from treepack.readers.docx.styles import number, switch, value
from treepack.readers.grids import Cell, count_header_rows
from treepack.readers.inlines import Inline

_MOST_COLUMNS: Final = 63
"""The most columns that Word allows; a table that claims more is damaged or hostile."""
_NO_CELL: Final = Element("tc")
_ROW_PARENTS: Final = frozenset({"sdt", "sdtContent", "customXml", "ins", "moveTo"})
_TEXTS: Final = frozenset({"t", "m_t"})
_CONTENT: Final = frozenset({"drawing", "pict", "object", "sym"})
Points = Mapping[int, str]


@dataclass(slots=True)
class _DraftCell:
    content: Inline
    columns: int
    rows: int = 1
    is_open: bool = False  # cells below may continue it


def layout_cells(table: Element, is_heading: Callable[[Element], bool]) -> list[Element] | None:
    """Return the cells of a table that only places text on the page; None for other tables.

    As in HTML, their content is read in order, and headings inside head sections. There is nothing
    to relate if no row has more than one cell with content: in a frame, or in a column of texts.
    Texts are more than single lines, and no row is marked as their header.
    """
    rows = list(_rows_of(table))
    cells = [[cell for cell in _children(row, "tc") if _has_content(cell)] for row in rows]
    filled = [cell for row in cells for cell in row]
    if max(map(len, cells), default=0) > 1:
        return None
    has_texts = any(_is_text(cell, is_heading) for cell in filled) and not _marked_rows(rows)
    return filled if has_texts or len(filled) <= 1 else None


def _has_content(element: Element) -> bool:
    return any(
        inner.tag in _CONTENT or (inner.tag in _TEXTS and bool((inner.text or "").strip()))
        for inner in element.iter()
    )


def _is_text(cell: Element, is_heading: Callable[[Element], bool]) -> bool:
    """Return whether a cell has a table, a heading, or more than one paragraph."""
    paragraphs = [paragraph for paragraph in cell.iter("p") if _has_content(paragraph)]
    has_table = next(cell.iter("tbl"), None) is not None
    return has_table or len(paragraphs) > 1 or any(map(is_heading, paragraphs))


def read_table(
    table: Element, read_cell: Callable[[Element], Inline]
) -> tuple[list[list[Cell]], int]:
    """Return the cells that begin in each row, as in HTML, and the number of header rows.

    Deleted and hidden rows are left out. The header rows are those that Word repeats on each page
    (``tblHeader``). If there are none, it is the first row, if the table's look sets it apart, and
    what it names groups of.
    """
    elements = list(_rows_of(table))
    drafts: list[list[_DraftCell]] = []
    above: dict[int, _DraftCell] = {}  # by the first column
    for row in elements:
        begun: list[_DraftCell] = []
        by_column: dict[int, _DraftCell] = {}
        for column, columns, cell in _places(row):
            properties = cell.find("tcPr")
            upper = above.get(column)
            is_merged = switch(properties, "vMerge") is not None
            if is_merged and value(properties, "vMerge") != "restart" and upper and upper.is_open:
                upper.rows += 1
                by_column[column] = upper
                continue
            content = "" if switch(properties, "cellDel") is not None else read_cell(cell)
            by_column[column] = _DraftCell(content, columns, is_open=is_merged)
            begun.append(by_column[column])
        drafts.append(begun)
        above = by_column
    rows = [[Cell(cell.content, cell.columns, cell.rows) for cell in row] for row in drafts]
    is_set_apart = _sets_first_row_apart(table)
    return rows, _marked_rows(elements) or (count_header_rows(rows) if is_set_apart else 0)


def _rows_of(table: Element) -> Iterator[Element]:
    """Yield the rows of a table that are neither deleted nor hidden."""
    for row in _children(table, "tr"):
        properties = row.find("trPr")
        if switch(properties, "del") is None and not switch(properties, "hidden"):
            yield row


def _children(parent: Element, name: str) -> Iterator[Element]:
    """Yield rows or cells, including those inside content controls."""
    for child in parent:
        if child.tag == name:
            yield child
        elif child.tag in _ROW_PARENTS:
            yield from _children(child, name)


def _places(row: Element) -> Iterator[tuple[int, int, Element]]:
    """Yield the first column, the number of columns, and the cell; gaps at both ends are cells."""
    properties = row.find("trPr")
    cells = [(number(cell.find("tcPr"), "gridSpan") or 1, cell) for cell in _children(row, "tc")]
    before, after = (number(properties, name) or 0 for name in ("gridBefore", "gridAfter"))
    column = 0
    for columns, cell in [(before, _NO_CELL), *cells, (after, _NO_CELL)]:
        columns = max(0, min(columns, _MOST_COLUMNS))  # noqa: PLW2901 - within limits
        if columns:
            yield column, columns, cell
        column += columns


def _marked_rows(rows: Sequence[Element]) -> int:
    marks = [bool(switch(row.find("trPr"), "tblHeader")) for row in rows]
    return [*marks, False].index(False)


def _sets_first_row_apart(table: Element) -> bool:
    """Return whether the table's look sets its first row apart, which is the default."""
    look = table.find("tblPr/tblLook")
    if look is None:
        return True
    if (flag := look.get("firstRow")) is not None:
        return flag in ("1", "true", "on")
    return look.get("val", "")[-2:-1] in "2367ABEFabef"  # the bit 0x0020 of the flags


# -------------------------------------------------------------------- charts


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
