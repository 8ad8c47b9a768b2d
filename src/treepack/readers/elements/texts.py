"""Reads tables and lists that elements contain as text.

Tables are HTML, markdown with pipes, or lines of ``A | B``. List items are recognised by their
markers and their indentation.
"""

import re
from typing import Final, TypeAlias

from treepack.markdown.block_tokens import row_cells
from treepack.markdown.html_tables import open_tables, plain_html, read_tables
from treepack.readers.grids import Cell
from treepack.readers.inlines import lines_of
from treepack.readers.lists import OpenLists
from treepack.readers.writer import MarkdownWriter

_DELIMITER: Final = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\Z")
_BULLET: Final = re.compile(r"[-*+•‣◦▪●○·–—∙■□➢✓]\s+")
_NUMBER: Final = re.compile(r"([0-9]{1,9})[.)]\s+")


TextTable: TypeAlias = tuple[list[list[Cell]], int, str]
"""For each row the cells that begin in it, the number of header rows, and the caption."""


def read_table(text: str) -> TextTable | None:
    """Read a text as a table; return None if it is not a table.

    The lines before the delimiter row are header rows. Without one, the first line names the
    columns, as in the ``A | B`` lines that parsers write.
    """
    if "<table" in text.lower():
        return _from_html(text)
    lines = [line.strip() for line in lines_of(text) if line.strip()]
    if not any("|" in line for line in lines):
        return None
    delimiter = next((at for at, line in enumerate(lines) if _DELIMITER.match(line)), None)
    rows = [_cells(line) for at, line in enumerate(lines) if at != delimiter]
    return rows, int(len(rows) > 1) if delimiter is None else delimiter, ""


def _cells(line: str) -> list[Cell]:
    cells = row_cells(line)
    first, last = int(line.startswith("|")), len(cells) - (not cells[-1])
    return [Cell(cell.strip()) for cell in cells[first:last]]


def _from_html(text: str) -> TextTable | None:
    tables = read_tables(text, 0, len(text))
    if len(tables) != 1 or open_tables(text, 0, len(text)):
        return None
    (table,) = tables
    rows = [*table.header_rows, *table.rows]
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
    caption = plain_html(text, *table.caption) if table.caption else ""
    return cells, len(table.header_rows), caption


def write_item(
    writer: MarkdownWriter, lists: OpenLists, text: str, origin: str, depth: int | None = None
) -> None:
    """Write a list item; if no depth is given, its indentation is the depth."""
    indent = text.expandtabs(4)
    text = text.strip()
    number = _NUMBER.match(text)
    marker = number or _BULLET.match(text)
    lists.open_item(
        len(indent) - len(indent.lstrip()) if depth is None else depth,
        int(number[1]) if number else None,
    )
    writer.paragraph(text[marker.end() :] if marker else text, origin)
