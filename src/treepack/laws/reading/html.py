"""Tables written in HTML, with what the laws ask of them.

The audit shares the reader of HTML tables with the packer: no law checks how HTML is read. Whether
it is read right is tested with another parser as the judge (tests/test_html_tables.py).
"""

from dataclasses import dataclass
from typing import Final

import treepack.markdown.html_tables as tables
from treepack.markdown.html_tables import plain_html, tags
from treepack.model.blocks import Span

_SEEN: Final = {"img", "input", "svg", "video", "audio", "object", "iframe", "picture", "canvas"}


@dataclass(eq=False, slots=True)
class HtmlCell:
    """A cell of a row.

    Attributes:
        text: What a reader sees of it.
        columns: How many columns it spans.
        rows: How many rows it spans.
        is_filled: Whether a reader sees anything in it, text or not.
        start: Where its content begins, tags and all.
        end: After its content.
    """

    text: str
    columns: int
    rows: int
    is_filled: bool
    start: int
    end: int


@dataclass(eq=False, slots=True)
class HtmlRow:
    """A row: from its ``<tr>`` to its ``</tr>``, or to where the next one begins.

    ``is_header`` says that it names columns: it stands in ``<thead>``, or has only ``<th>``.
    """

    start: int
    end: int
    is_header: bool
    cells: list[HtmlCell]


@dataclass(eq=False, slots=True)
class HtmlTable:
    """A table, from ``<table`` to ``</table>``.

    Attributes:
        start: Where it begins.
        end: After its end.
        header_rows: The rows at its top that name the columns.
        rows: All others.
        caption: The content of ``<caption>``, as it stands in the text.
        columns: The names of its columns; none without header rows.
        tied: The spans of rows that a ``rowspan`` ties together.
    """

    start: int
    end: int
    header_rows: list[HtmlRow]
    rows: list[HtmlRow]
    caption: str
    columns: tuple[str, ...]
    tied: list[Span]


@dataclass(eq=False, slots=True)
class HtmlRowText:
    """What stands in a row that is cut, whatever cell it belongs to.

    Attributes:
        letters: The row without blanks, as a reader sees it and as it is written: broken markup has
            text beside its cells, and a tag longer than a chunk is cut, and then reads as text.
        depth: How many tables inside its cells are open at most.
    """

    letters: str
    depth: int

    @classmethod
    def of(cls, text: str, start: int, end: int) -> "HtmlRowText":
        """Read a stretch of a text."""
        deepest = max((depth for _, depth in tables.nested_tables(text, start, end)), default=0)
        letters = (
            "".join(said.split()) for said in (plain_html(text, start, end), text[start:end])
        )
        return cls("\0".join(letters), deepest)


def html_tables(text: str, start: int, end: int) -> list[HtmlTable]:
    """The tables in a stretch of HTML that have rows with cells below their header and end there.

    A table inside a cell is content of the cell.
    """
    return [_table(text, table) for table in tables.read_tables(text, start, end)]


def _table(text: str, table: tables.HtmlTable) -> HtmlTable:
    groups = [group for group in tables.row_groups(table.rows) if group[1] > group[0] + 1]
    return HtmlTable(
        table.start,
        table.end,
        [_row(text, row) for row in table.header_rows],
        [_row(text, row) for row in table.rows],
        text[slice(*table.caption)] if table.caption else "",
        tables.column_names(text, table),
        [(table.rows[first].start, table.rows[after - 1].end) for first, after in groups],
    )


def _row(text: str, row: tables.HtmlRow) -> HtmlRow:
    return HtmlRow(row.start, row.end, row.is_header, [_cell(text, cell) for cell in row.cells])


def _cell(text: str, cell: tables.HtmlCell) -> HtmlCell:
    said = plain_html(text, *cell.content)
    has_picture = any(tag.name in _SEEN for tag in tags(text, *cell.content))
    return HtmlCell(said, cell.columns, cell.rows, bool(said) or has_picture, *cell.content)
