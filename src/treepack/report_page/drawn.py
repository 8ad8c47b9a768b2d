"""Draws the tables of a document as tables of the page; their text is escaped."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Final

from treepack.display import escaped
from treepack.document.document import Document
from treepack.markdown.html_tables import plain_html, read_cells
from treepack.markdown.tables import cell_spans
from treepack.model.blocks import Block, ListItem, Span, Table, children

_LARGEST_SPAN: Final = 100
_CELL_EDGES: Final = re.compile(r"\A\s*\||(?<!\\)\|\s*\Z")
_BREAK: Final = re.compile(r"<br\s*/?>", re.IGNORECASE)
_MARKUP: Final = re.compile(r"\*\*|`")


class TableDrawer:
    """Draws those rows of a document's tables that lie in a span of the source."""

    def __init__(self, document: Document) -> None:
        self._text = document.source.text
        self._tables = [
            table
            for section in document.root.walk()
            for block in section.blocks
            for table in _tables_in(block)
        ]
        self._ends = [table.end for table in self._tables]

    def within(self, start: int, end: int) -> Iterator[tuple[int, int, str]]:
        """Yield each table with whole rows in a span, unless the span cuts one of its rows.

        Yields:
            Where the drawn part begins and ends in the source, and its HTML with the names of the
            columns. It begins or ends with the table where that lies in the span.
        """
        index = bisect_right(self._ends, start)
        while index < len(self._tables) and self._tables[index].start < end:
            table, index = self._tables[index], index + 1
            first = bisect_left(table.rows, start, key=lambda row: row[0])
            after = bisect_right(table.rows, end, key=lambda row: row[1])
            is_cut = (first and table.rows[first - 1][1] > start) or (
                after < len(table.rows) and table.rows[after][0] < end
            )
            if first < after and not is_cut:
                drawn_start = table.start if start <= table.start else table.rows[first][0]
                drawn_end = table.end if table.end <= end else table.rows[after - 1][1]
                yield drawn_start, drawn_end, self._html(table, table.rows[first:after])

    def _html(self, table: Table, rows: tuple[Span, ...]) -> str:
        names = "".join(f"<th>{escaped(name)}</th>" for name in table.columns)
        head = f"<thead><tr>{names}</tr></thead>" if names else ""
        cells = self._html_cells if table.is_html else self._pipe_cells
        body = "".join(f"<tr>{''.join(cells(*row))}</tr>" for row in rows)
        return f"<table>{head}<tbody>{body}</tbody></table>"

    def _pipe_cells(self, start: int, end: int) -> Iterator[str]:
        for first, after in cell_spans(self._text, start, end):
            cell = _CELL_EDGES.sub("", self._text[first:after]).strip()
            plain = _MARKUP.sub("", _BREAK.sub("\n", cell)).replace("\\|", "|")
            yield f"<td>{escaped(plain)}</td>"

    def _html_cells(self, start: int, end: int) -> Iterator[str]:
        for cell in read_cells(self._text, start, end):
            spans = "".join(
                f' {name}="{min(count, _LARGEST_SPAN)}"'
                for name, count in (("colspan", cell.columns), ("rowspan", cell.rows))
                if count > 1
            )
            tag = "th" if cell.is_header else "td"
            yield f"<{tag}{spans}>{escaped(plain_html(self._text, *cell.content))}</{tag}>"


def _tables_in(block: Block | ListItem) -> Iterator[Table]:
    """Yield all tables in source order, also those inside lists, quotes and other blocks."""
    if isinstance(block, Table):
        yield block
    for child in children(block):
        yield from _tables_in(child)
