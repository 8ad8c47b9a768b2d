"""Reads Word's tables as rows of cells, with merged cells and header rows."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element

from treepack.readers.docx.styles import number, switch, value
from treepack.readers.grids import Cell, count_header_rows
from treepack.readers.inlines import Inline

_MOST_COLUMNS: Final = 63
"""The most columns that Word allows; a table that claims more is damaged or hostile."""
_NO_CELL: Final = Element("tc")
_ROW_PARENTS: Final = frozenset({"sdt", "sdtContent", "customXml", "ins", "moveTo"})
_TEXTS: Final = frozenset({"t", "m_t"})
_CONTENT: Final = frozenset({"drawing", "pict", "object", "sym"})


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
