"""Reads Word's tables as rows of cells, with merged cells and header rows."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element

from treepack.readers.docx.styles import number, switch, value
from treepack.readers.docx.text import chosen_branch
from treepack.readers.grids import Cell
from treepack.readers.inlines import Inline

_MOST_COLUMNS: Final = 63
"""The most columns that Word allows; a table that claims more is damaged or hostile."""
_FIRST_ROW: Final = 0x0020  # the bit of ``tblLook`` that sets the first row apart
_NO_PROPERTIES: Final = Element("tcPr")
_ROW_PARENTS: Final = frozenset({"sdt", "sdtContent", "customXml", "ins", "moveTo"})


@dataclass(slots=True)
class _DraftCell:
    content: Inline
    column: int
    columns: int
    rows: int = 1
    may_be_continued: bool = False  # downwards: cells below may continue it
    is_continuation: bool = False  # it continues the cell above


def read_table(
    table: Element, read_cell: Callable[[Element], Inline]
) -> tuple[list[list[Cell]], int]:
    """Return the cells that begin in each row, as in HTML, and the number of header rows.

    Deleted and hidden rows are left out.
    """
    elements = [row for row in rows_of(table) if not _is_left_out(row)]
    drafts = _merged([list(_draft_cells(row, read_cell)) for row in elements])
    rows = [[Cell(cell.content, cell.columns, cell.rows) for cell in row] for row in drafts]
    return rows, _header_rows(table, elements, rows)


def rows_of(table: Element) -> Iterator[Element]:
    """Yield the rows of a table, including those inside content controls."""
    return _children(table, "tr")


def cells_of(row: Element) -> Iterator[Element]:
    """Yield the cells of a row, including those inside content controls."""
    return _children(row, "tc")


def _children(parent: Element, name: str) -> Iterator[Element]:
    for child in parent:
        if child.tag == name:
            yield child
        elif child.tag in _ROW_PARENTS:
            yield from _children(child, name)
        elif child.tag == "mc_AlternateContent":
            yield from _children(chosen_branch(child), name)


def _is_left_out(row: Element) -> bool:
    properties = row.find("trPr")
    if properties is None:
        return False
    return properties.find("del") is not None or bool(switch(properties, "hidden"))


def _draft_cells(row: Element, read_cell: Callable[[Element], Inline]) -> Iterator[_DraftCell]:
    """Yield the cells of a row; those that continue the cell above are empty."""
    row_properties = row.find("trPr")
    column = _bounded(number(row_properties, "gridBefore"), 0)
    if column:
        yield _DraftCell("", 0, column)
    last: _DraftCell | None = None
    for cell in cells_of(row):
        found = cell.find("tcPr")
        properties = _NO_PROPERTIES if found is None else found
        columns = _bounded(number(properties, "gridSpan"), 1)
        if last and _is_continuation(properties, "hMerge"):
            last.columns += columns
        else:
            is_deleted = properties.find("cellDel") is not None
            is_continuation = _is_continuation(properties, "vMerge")
            content = "" if is_continuation or is_deleted else read_cell(cell)
            may_be_continued = properties.find("vMerge") is not None
            last = _DraftCell(content, column, columns, 1, may_be_continued, is_continuation)
            yield last
        column += columns
    columns_after = _bounded(number(row_properties, "gridAfter"), 0)
    if columns_after:
        yield _DraftCell("", column, columns_after)


def _is_continuation(properties: Element, name: str) -> bool:
    return properties.find(name) is not None and value(properties, name) != "restart"


def _bounded(count: int | None, least: int) -> int:
    return least if count is None else max(least, min(count, _MOST_COLUMNS))


def _merged(rows: Sequence[list[_DraftCell]]) -> list[list[_DraftCell]]:
    """Return rows with the cells that begin there; a cell includes those merged with it below."""
    merged: list[list[_DraftCell]] = []
    above: dict[int, _DraftCell] = {}
    for row in rows:
        by_column: dict[int, _DraftCell] = {}
        begun: list[_DraftCell] = []
        for cell in row:
            upper = above.get(cell.column)
            if cell.is_continuation and upper is not None and upper.may_be_continued:
                upper.rows += 1
                by_column[cell.column] = upper
                continue
            begun.append(cell)
            by_column[cell.column] = cell
        merged.append(begun)
        above = by_column
    return merged


def _header_rows(table: Element, elements: Sequence[Element], rows: Sequence[list[Cell]]) -> int:
    """Count the header rows at the top.

    These are the rows that Word repeats on each page (``tblHeader``). If there are none, it is the
    first row, if the table's look sets it apart. If a cell of that row spans several columns, the
    rows that its cells reach belong to the header too, unless they are more than half of the table.
    """
    count = 0
    for row in elements:
        if not switch(row.find("trPr"), "tblHeader"):
            break
        count += 1
    if not count and rows and _sets_first_row_apart(table):
        is_wide = any(cell.columns > 1 for cell in rows[0])
        count = max((cell.rows for cell in rows[0]), default=1) if is_wide else 1
        if count > len(rows) // 2:
            count = 1
    return min(count, len(rows) - 1) if rows else 0


def _sets_first_row_apart(table: Element) -> bool:
    """Return whether the table's look sets its first row apart, which is the default."""
    table_look = table.find("tblPr/tblLook")
    if table_look is None:
        return True
    if (flag := table_look.get("firstRow")) is not None:
        return flag in ("1", "true", "on")
    try:
        return bool(int(value(table.find("tblPr"), "tblLook") or "20", 16) & _FIRST_ROW)
    except ValueError:
        return True
