"""Reads Word's tables as rows of cells, with merged cells and header rows."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element

from treepack.readers.docx.styles import number, switch, value
from treepack.readers.docx.text import chosen
from treepack.readers.grids import Cell
from treepack.readers.inlines import Inline

_WIDEST: Final = 63
"""The most columns that Word allows; a table that claims more is damaged or hostile."""
_FIRST_ROW: Final = 0x0020  # the bit of ``tblLook`` that sets the first row apart
_NO_SETTING: Final = Element("tcPr")
_ROW_PARENTS: Final = frozenset({"sdt", "sdtContent", "customXml", "ins", "moveTo"})


@dataclass(slots=True)
class _Draft:
    content: Inline
    column: int
    columns: int
    rows: int = 1
    is_merged: bool = False  # downwards: cells below may continue it
    goes_on: bool = False  # it continues the cell above


def read_table(
    table: Element, read_cell: Callable[[Element], Inline]
) -> tuple[list[list[Cell]], int]:
    """Return the cells that begin in each row, as in HTML, and the number of header rows.

    Deleted and hidden rows are left out.
    """
    elements = [row for row in rows_of(table) if not _is_left_out(row)]
    drafts = _merged([list(_drafts(row, read_cell)) for row in elements])
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
            yield from _children(chosen(child), name)


def _is_left_out(row: Element) -> bool:
    properties = row.find("trPr")
    if properties is None:
        return False
    return properties.find("del") is not None or bool(switch(properties, "hidden"))


def _drafts(row: Element, read_cell: Callable[[Element], Inline]) -> Iterator[_Draft]:
    """Yield the cells of a row; those that continue the cell above are empty."""
    properties = row.find("trPr")
    column = _bounded(number(properties, "gridBefore"), 0)
    if column:
        yield _Draft("", 0, column)
    last: _Draft | None = None
    for cell in cells_of(row):
        found = cell.find("tcPr")
        setting = _NO_SETTING if found is None else found
        columns = _bounded(number(setting, "gridSpan"), 1)
        if last and _goes_on(setting, "hMerge"):
            last.columns += columns
        else:
            is_deleted = setting.find("cellDel") is not None
            goes_on = _goes_on(setting, "vMerge")
            content = "" if goes_on or is_deleted else read_cell(cell)
            is_merged = setting.find("vMerge") is not None
            last = _Draft(content, column, columns, is_merged=is_merged, goes_on=goes_on)
            yield last
        column += columns
    after = _bounded(number(properties, "gridAfter"), 0)
    if after:
        yield _Draft("", column, after)


def _goes_on(properties: Element, name: str) -> bool:
    return properties.find(name) is not None and value(properties, name) != "restart"


def _bounded(count: int | None, least: int) -> int:
    return least if count is None else max(least, min(count, _WIDEST))


def _merged(rows: Sequence[list[_Draft]]) -> list[list[_Draft]]:
    """Return rows with the cells that begin there; a cell includes those merged with it below."""
    merged: list[list[_Draft]] = []
    above: dict[int, _Draft] = {}
    for row in rows:
        held: dict[int, _Draft] = {}
        kept: list[_Draft] = []
        for cell in row:
            upper = above.get(cell.column)
            if cell.goes_on and upper is not None and upper.is_merged:
                upper.rows += 1
                held[cell.column] = upper
                continue
            kept.append(cell)
            held[cell.column] = cell
        merged.append(kept)
        above = held
    return merged


def _header_rows(table: Element, elements: Sequence[Element], rows: Sequence[list[Cell]]) -> int:
    """Count the header rows at the top.

    These are the rows that Word repeats on each page (``tblHeader``). If there are none, it is the
    first row, if the table's look sets it apart. If a cell of that row spans several columns, the
    rows that its cells reach belong to the header too, unless they are more than half of the table.
    """
    marked = 0
    for row in elements:
        if not switch(row.find("trPr"), "tblHeader"):
            break
        marked += 1
    if not marked and rows and _sets_first_row_apart(table):
        is_wide = any(cell.columns > 1 for cell in rows[0])
        marked = max((cell.rows for cell in rows[0]), default=1) if is_wide else 1
        if marked > len(rows) // 2:
            marked = 1
    return min(marked, len(rows) - 1) if rows else 0


def _sets_first_row_apart(table: Element) -> bool:
    """Return whether the table's look sets its first row apart, which is the default."""
    look = table.find("tblPr/tblLook")
    if look is None:
        return True
    if (flag := look.get("firstRow")) is not None:
        return flag in ("1", "true", "on")
    try:
        return bool(int(value(table.find("tblPr"), "tblLook") or "20", 16) & _FIRST_ROW)
    except ValueError:
        return True
