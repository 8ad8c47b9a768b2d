"""The content of tables, in the source and in a chunk's text that is parsed alone."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from treepack.laws.reading.blocks import AuditBlock
from treepack.markdown import html_tables
from treepack.markdown.block_tokens import row_cells
from treepack.markdown.html_tables import HtmlCell, HtmlRow, HtmlTable, plain_html, read_tables
from treepack.model.source import LINE_END

Cells: TypeAlias = tuple[str, ...]
Comparable: TypeAlias = tuple[tuple[str, int, int], ...]
"""The cells of a row, each with the columns and rows it spans; in HTML without whitespace."""


@dataclass(frozen=True, slots=True)
class ReadRow:
    """A row as a reader sees it: the text of its cells, and the form in which rows are compared."""

    cells: Cells
    comparable: Comparable

    @classmethod
    def of_pipes(cls, cells: Iterable[str]) -> "ReadRow":
        """Read a row of a GFM table."""
        texts = tuple(cells)
        return cls(texts, tuple((text, 1, 1) for text in texts))

    @classmethod
    def of_html(cls, text: str, cells: Sequence[HtmlCell]) -> "ReadRow":
        """Read a row of an HTML table; the markers of a quote around it are not compared."""
        texts = tuple(plain_html(text, *cell.content) for cell in cells)
        letters = ("".join(text.replace(">", "").split()) for text in texts)
        spans = ((cell.columns, cell.rows) for cell in cells)
        return cls(texts, tuple((text, *span) for text, span in zip(letters, spans, strict=True)))


@dataclass(frozen=True, slots=True)
class ReadTable:
    """A table as a reader sees it: the cells of its header rows, and its rows."""

    is_html: bool
    header: list[Cells]
    rows: list[ReadRow]

    @classmethod
    def of_html(cls, text: str, table: HtmlTable) -> "ReadTable":
        """Read a table in HTML."""

        def read(row: HtmlRow) -> ReadRow:
            return ReadRow.of_html(text, row.cells)

        header = [read(row).cells for row in table.header_rows]
        return cls(is_html=True, header=header, rows=[read(row) for row in table.rows])

    @classmethod
    def of_pipes(cls, rows: Sequence[Cells]) -> "ReadTable":
        """Read a GFM table; whitespace around a cell, such as NEL, is dropped."""
        header, *below = [tuple([cell.strip() for cell in row]) for row in rows]
        return cls(is_html=False, header=[header], rows=[*map(ReadRow.of_pipes, below)])


class SourceTable:
    """A table of the source; its cells are read on first use.

    Attributes:
        block: The table.
        rows: Its rows below the header, as blocks.
    """

    def __init__(self, text: str, block: AuditBlock) -> None:
        self._text = text
        self.block = block
        self.rows = block.children[1:]

    @cached_property
    def html(self) -> HtmlTable | None:
        """The table as HTML; None if it is a GFM table."""
        if not self.block.table.is_html:
            return None
        return read_tables(self._text, self.block.start, self.block.end)[0]

    @cached_property
    def _read(self) -> ReadTable:
        if self.html is not None:
            return ReadTable.of_html(self._text, self.html)
        header, *rows = (self._text[row.start : row.end] for row in self.block.children)
        lines = [LINE_END.split(header, maxsplit=1)[0], *rows]
        return ReadTable.of_pipes([*map(self._cells, lines)])

    @property
    def header(self) -> list[Cells]:
        """The cells of its header rows."""
        return self._read.header

    def row(self, number: int) -> ReadRow:
        """Return the content of a row; rows count from 1."""
        return self._read.rows[number - 1]

    def _cells(self, line: str) -> Cells:
        """Return the cells of a line, as many as the table has columns."""
        width = len(self.block.table.columns)
        cells = row_cells(line.strip())
        cells = cells[1:] if cells and not cells[0] else cells
        cells = cells[:-1] if cells and not cells[-1] else cells
        # Missing cells are added at once: a hostile table has many columns and short rows.
        return (*cells[:width], *("",) * (width - len(cells)))

    @cached_property
    def _tied_rows(self) -> list[tuple[int, int, int]]:
        """The runs of rows that a ``rowspan`` ties together: start, end, number of the first."""
        rows = self.html.rows if self.html else []
        groups = [group for group in html_tables.row_groups(rows) if group[1] > group[0] + 1]
        return [(rows[first].start, rows[after - 1].end, first + 1) for first, after in groups]

    def tied_rows_across(self, end: int, start: int) -> tuple[int, int, int] | None:
        """Return the number of the first row, start and end of tied rows that a boundary cuts."""
        index = bisect_left(self._tied_rows, (end, 0, 0)) - 1
        first, after, number = self._tied_rows[index] if index >= 0 else (0, 0, 0)
        return (number, first, after) if after > start else None


def html_row_letters(text: str, row: AuditBlock) -> str:
    """Return the letters of a row, as a reader sees it and as it is written, without whitespace.

    Broken markup has text outside its cells; a tag longer than a chunk is cut, and then reads as
    text.
    """
    span = row.start, row.end
    forms = plain_html(text, *span), text[slice(*span)]
    return "\0".join("".join(form.split()) for form in forms)
