"""Reads tables and lists that elements contain as text.

Tables are HTML, markdown with pipes, or lines of ``A | B``. List items are recognised by their
markers and their indentation.
"""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from treepack.markdown.block_tokens import row_cells
from treepack.markdown.html_tables import open_tables, plain_html, read_tables
from treepack.readers.grids import Cell
from treepack.readers.inlines import lines_of
from treepack.readers.lists import OpenLists
from treepack.readers.writer import MarkdownWriter

_DELIMITER: Final = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\Z")
_TABLE: Final = re.compile(r"<table\b", re.IGNORECASE)


_BULLET: Final = re.compile(r"[-*+•‣◦▪●○·–—∙■□➢✓]\s+")
_NUMBER: Final = re.compile(r"([0-9]{1,9})[.)]\s+")
_TAB_WIDTH: Final = 4  # columns


class TextTable(NamedTuple):
    """A table: for each row the cells that begin in it, header rows first, and the caption."""

    rows: list[list[Cell]]
    header_rows: int
    caption: str = ""


def read_table(text: str) -> TextTable | None:
    """Read a text as a table; return None if it is not a table."""
    if _TABLE.search(text):
        return _from_html(text)
    lines = [line.strip() for line in lines_of(text) if line.strip()]
    if not lines or not any("|" in line for line in lines):
        return None
    return _from_pipes(lines)


def _from_pipes(lines: list[str]) -> TextTable:
    """Read cells between pipes; the lines before the delimiter row are header rows.

    Without a delimiter row, the first line names the columns, as in the ``A | B`` lines that
    parsers write.
    """
    delimiter = next((at for at, line in enumerate(lines) if _DELIMITER.match(line)), None)
    rows = [_cells(line) for at, line in enumerate(lines) if at != delimiter]
    header_rows = 1 if delimiter is None and len(rows) > 1 else delimiter or 0
    return TextTable(rows, header_rows)


def _cells(line: str) -> list[Cell]:
    cells = row_cells(line)
    first, last = int(line.startswith("|")), len(cells) - (not cells[-1])
    return [Cell(cell.strip()) for cell in cells[first:last]]


def _from_html(text: str) -> TextTable | None:
    tables = read_tables(text, 0, len(text))
    if len(tables) != 1 or open_tables(text, 0, len(text)):
        return None
    table = tables[0]
    rows = [*table.header_rows, *table.rows]
    header_rows = len(table.header_rows)
    if not header_rows:
        are_headers = [row.cells and all(cell.is_header for cell in row.cells) for row in rows]
        while header_rows < len(rows) - 1 and are_headers[header_rows]:
            header_rows += 1
    in_head = sum(row.in_head for row in rows)  # no cell reaches out of <thead>
    cells = [
        [
            Cell(
                plain_html(text, *cell.content),
                cell.columns,
                min(cell.rows, in_head - at) if row.in_head else cell.rows,
            )
            for cell in row.cells
        ]
        for at, row in enumerate(rows)
    ]
    return TextTable(cells, header_rows, plain_html(text, *table.caption) if table.caption else "")


# -------------------------------------------------------------------- lists


class ListLine(NamedTuple):
    """A list item: its depth (in any unit), its number and its text."""

    depth: int
    number: int | None
    text: str


def list_line(text: str, depth: int | None = None) -> ListLine:
    """Read one item; if no depth is given, its indentation is the depth."""
    content = text.strip()
    indent = text.expandtabs(_TAB_WIDTH)
    depth = len(indent) - len(indent.lstrip()) if depth is None else depth
    if match := _NUMBER.match(content):
        return ListLine(depth, int(match[1]), content[match.end() :])
    if match := _BULLET.match(content):
        content = content[match.end() :]
    return ListLine(depth, None, content)


def write_list(writer: MarkdownWriter, lines: Iterable[ListLine], origin: str) -> None:
    """Write items as a list; deeper items go inside the previous item."""
    lists = OpenLists(writer)
    for line in lines:
        lists.open_item(line.depth, line.number)
        writer.paragraph(line.text, origin)
    lists.close()
