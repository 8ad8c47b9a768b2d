"""Tables written in HTML inside markdown: rows, header rows, caption, cells.

This is a scan over tags, not a parser, because only the positions of rows and cells in the source
are needed, even if closing tags are missing. It takes linear time.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Final, NamedTuple

from treepack.model.blocks import Span
from treepack.model.source import LINE_END

_TAG_OR_COMMENT: Final = re.compile(
    r"""<(/?)([A-Za-z][^\s/<>]*+)((?:[^<>"']|"[^"<]*"|'[^'<]*'|)*+)>|<!--.*?(?:-->|\Z)""",
    re.DOTALL,
)
TABLE_TAG: Final = re.compile(r"</?table[\s/>]", re.IGNORECASE)
VOID: Final = frozenset({"br", "hr", "img", "input", "col", "wbr", "area", "link", "meta"})
_SPAN: Final = re.compile(r"""\b(col|row)span\s*=\s*["']?\s*([0-9]{1,3})""", re.IGNORECASE)
TITLE_ROWS: Final = 3


class Tag(NamedTuple):
    """A tag: its span, its name in lower case, the text after the name."""

    start: int
    end: int
    name: str
    is_closing: bool
    attributes: str


@dataclass(frozen=True, slots=True)
class HtmlCell:
    """A cell: the spans of its element and its content, and the columns and rows it covers."""

    start: int
    end: int
    content: Span
    columns: int
    rows: int
    is_header: bool

    @property
    def name(self) -> str:
        """The name of its tag."""
        return "th" if self.is_header else "td"


@dataclass(slots=True)
class HtmlRow:
    """A row: from its ``<tr>`` to its ``</tr>`` or, without one, to the next row.

    ``section`` is the number of tags of ``<thead>``, ``<tbody>`` and ``<tfoot>`` before it in its
    table, and the name of the one that is open.
    """

    start: int
    end: int
    section: tuple[int, str]
    cells: list[HtmlCell] = field(default_factory=list[HtmlCell])

    @property
    def in_head(self) -> bool:
        """Whether the row is in ``<thead>``."""
        return self.section[1] == "thead"

    @property
    def is_header(self) -> bool:
        """Whether the row is in ``<thead>``, or all its cells are ``<th>``."""
        return self.in_head or (bool(self.cells) and all(cell.is_header for cell in self.cells))


@dataclass(slots=True)
class HtmlTable:
    """A table, from its ``<table>`` to its ``</table>``.

    The header rows at the top name the columns: leading rows in ``<thead>`` or with only ``<th>``
    cells, all in the same ``<thead>`` or ``<tbody>``. If there are none, all rows down to the first
    such row, if that is among the first three. ``caption`` is the content of ``<caption>``.
    """

    start: int
    end: int = 0
    header_rows: list[HtmlRow] = field(default_factory=list[HtmlRow])
    rows: list[HtmlRow] = field(default_factory=list[HtmlRow])
    caption: Span | None = None

    @property
    def closing(self) -> str:
        """The tags that close a piece of the table that ends after a row."""
        section = self.rows[0].section[1]
        return f"</{section}></table>" if section else "</table>"


def open_tables(text: str, start: int, end: int) -> int:
    """Return the number of ``<table>`` less that of ``</table>`` in a slice, outside comments."""
    if not TABLE_TAG.search(text, start, end):
        return 0
    return sum(-1 if tag.is_closing else 1 for tag in tags(text, start, end) if tag.name == "table")


def read_tables(text: str, start: int, end: int) -> list[HtmlTable]:
    """Return the tables that end inside a block of HTML and have body rows with cells."""
    if not TABLE_TAG.search(text, start, end):
        return []
    reader = _Reader(text)
    for tag in tags(text, start, end):
        reader.read(tag)
    return [table for table in reader.tables if any(row.cells for row in table.rows)]


def closing_tags(text: str, start: int, end: int) -> str:
    """Return the tags that close the elements that a slice opens and does not close."""
    names: list[str] = []
    for tag in tags(text, start, end):
        if tag.is_closing and names[-1:] == [tag.name]:
            names.pop()
        elif not tag.is_closing and tag.name not in VOID:
            names.append(tag.name)
    return "".join(f"</{name}>" for name in reversed(names))


def is_blank_html(text: str, start: int, end: int) -> bool:
    """Whether a piece of HTML shows no text to a reader."""
    return not _visible(text, start, end)


def read_cells(text: str, start: int, end: int) -> list[HtmlCell]:
    """Return the cells of one table row."""
    reader = _Reader(text)
    reader.begin(start)
    for tag in tags(text, start, end):
        reader.read(tag)
    reader.end_row(end)
    rows = reader.rows
    return rows[0].cells if rows else []


class Label(NamedTuple):
    """A cell in a row, or one that reaches into it from above.

    Attributes:
        cell: The cell.
        rows: The rows that it covers, from this row on.
        before: The index of the cell of this row that comes after it.
    """

    cell: HtmlCell
    rows: int
    before: int


def _placed(rows: list[HtmlRow]) -> Iterator[list[tuple[int, Label]]]:
    """Yield the cells of each row, with those that reach into it from above, and their columns."""
    above: dict[int, tuple[HtmlCell, int]] = {}  # by column, with the rows still to cover
    for row in rows:
        here: list[tuple[int, Label]] = []
        column = 0
        for number, own in enumerate(row.cells):
            while column in above:
                here.append((column, Label(*above.pop(column), number)))
                column += here[-1][1].cell.columns
            here.append((column, Label(own, own.rows, number)))
            column += own.columns
        here += [(column, Label(*label, len(row.cells))) for column, label in above.items()]
        above = {column: (cell, left - 1) for column, (cell, left, _) in here if left > 1}
        yield here


def column_names(text: str, table: HtmlTable) -> tuple[str, ...]:
    """Return the plain text of each column's header; a cell over several columns names each.

    A column without a cell has an empty name if a column to its right has a cell.
    """
    names: dict[int, str] = {}
    *_, lowest = [[], *_placed(table.header_rows)]
    # a cell of the row itself counts before one from above
    for column, (cell, *_) in sorted(lowest, key=lambda each: each[1].rows == each[1].cell.rows):
        name = plain_html(text, *cell.content)
        names.update(dict.fromkeys(range(column, column + cell.columns), name))
    return tuple(names.get(column, "") for column in range(max(names, default=-1) + 1))


def row_groups(rows: list[HtmlRow]) -> list[tuple[int, int]]:
    """Return half-open row ranges that ``rowspan`` ties together; they cover all rows."""
    groups: list[tuple[int, int]] = []
    first = after = 0
    for number, row in enumerate(rows):
        if number >= after and number > first:
            groups.append((first, number))
            first = number
        after = max([after, *(number + cell.rows for cell in row.cells)])
    return [*groups, (first, len(rows))] if rows else []


def row_labels(rows: list[HtmlRow]) -> list[list[Label]]:
    """Return the cells that reach into each row from above, except those after its last cell."""
    return [
        [each for _, each in here if each.rows < each.cell.rows and each.before < len(row.cells)]
        for row, here in zip(rows, _placed(rows), strict=True)
    ]


def plain_html(text: str, start: int, end: int) -> str:
    """Return the text that a reader sees in a piece of HTML, with whitespace collapsed."""
    return " ".join(html.unescape(_visible(text, start, end)).split())


def first_text(text: str, start: int, end: int) -> Span:
    """Return the span of the first text outside tags and comments; an empty span without text."""
    edges = [
        start,
        *chain.from_iterable(tag.span() for tag in _TAG_OR_COMMENT.finditer(text, start, end)),
        end,
    ]
    for first, after in zip(edges[::2], edges[1::2], strict=True):
        if words := text[first:after].strip():
            begin = text.index(words, first)
            return begin, begin + len(words)
    return start, start


def tags(text: str, start: int, end: int) -> Iterator[Tag]:
    """Yield the tags of a slice, except those in comments; an open comment extends to the end."""
    for match in _TAG_OR_COMMENT.finditer(text, start, end):
        if match[2] is not None:
            yield Tag(match.start(), match.end(), match[2].lower(), bool(match[1]), match[3])


def without_marks(text: str) -> str:
    """Return a text without trailing lines that contain only the markers of a quote."""
    text = text.rstrip()
    line_end = LINE_END.search(text, len(text.rstrip(" \t\r\n>")))
    return text[: line_end.start()].rstrip() if line_end else text


def _visible(text: str, start: int, end: int) -> str:
    """Return the text outside tags and comments, with a space for each of these."""
    return _TAG_OR_COMMENT.sub(" ", text[start:end]).strip()


def _header_row_count(rows: list[HtmlRow]) -> int:
    """Return how many rows at the top of a table name its columns."""
    head = 0
    while head < len(rows) and rows[head].is_header and rows[head].section == rows[0].section:
        head += 1
    if head:
        return head
    # A title row that spans all columns may be above the row that names them.
    return next((at + 1 for at, row in enumerate(rows[:TITLE_ROWS]) if row.is_header), 0)


class _Reader:
    """Reads one tag after another; nested tables are content of their cell."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tables: list[HtmlTable] = []
        self.rows: list[HtmlRow] = []
        self._table: HtmlTable | None = None
        self._depth = 0
        self._section = (0, "")
        self._is_headless = False  # whether an empty <tbody> comes before all rows
        self._row: HtmlRow | None = None
        self._cell: Tag | None = None
        self._caption = -1

    def begin(self, start: int) -> None:
        """Enter a table."""
        self.rows = []
        self._table = HtmlTable(start)
        self._depth = 1
        self._section, self._is_headless, self._caption = (0, ""), False, -1

    def read(self, tag: Tag) -> None:
        """Process the next tag."""
        if tag.name == "table" and tag.is_closing:
            self._depth = max(0, self._depth - 1)
            if not self._depth and self._table is not None:
                self.end_row(tag.start)
                self._end_table(self._table, tag.end)
        elif tag.name == "table":
            self._depth += 1
            if self._depth == 1:
                self.begin(tag.start)
        elif self._depth == 1 and self._table is not None:
            self._read_part(self._table, tag)

    def _read_part(self, table: HtmlTable, tag: Tag) -> None:
        match tag.name, tag.is_closing:
            case "thead" | "tbody" | "tfoot", is_closing:
                self.end_row(tag.start)
                self._section = self._section[0] + 1, "" if is_closing else tag.name
                self._is_headless |= tag.name == "tbody" and is_closing and not self.rows
            case "tr", False:
                self.end_row(tag.start)
                self._begin_row(tag.start)
            case "tr", True:
                self.end_row(tag.end, tag.start)
            case "td" | "th", False:
                if self._row is None or self._has_loose_text(self._row, tag.start):
                    self._begin_row(tag.start)
                self._end_cell(tag.start, tag.start)
                self._cell = tag
            case "td" | "th", True:
                self._end_cell(tag.start, tag.end)
            case "caption", False:
                self._caption = tag.end
            case "caption", True if self._caption >= 0:
                table.caption = (self._caption, tag.start)
            case _:
                pass

    def _begin_row(self, start: int) -> None:
        self._row = HtmlRow(start, start, self._section)

    def _has_loose_text(self, row: HtmlRow, end: int) -> bool:
        """Whether a row has text before its first cell, which browsers show above the table."""
        return self._cell is None and not row.cells and not is_blank_html(self.text, row.start, end)

    def end_row(self, end: int, content_end: int | None = None) -> None:
        """End the open row, if there is one."""
        if content_end is None and self._row is not None:
            end = self._row.start + len(without_marks(self.text[self._row.start : end]))
        inner = end if content_end is None else content_end
        self._end_cell(inner, inner)
        if self._row is not None and not self._has_loose_text(self._row, inner):
            self._row.end = end
            self.rows.append(self._row)
        self._row = None

    def _end_cell(self, content_end: int, end: int) -> None:
        tag, self._cell = self._cell, None
        if tag is None or self._row is None:
            return
        spans = {axis.lower(): int(number) for axis, number in _SPAN.findall(tag.attributes)}
        columns, rows = max(1, spans.get("col", 1)), max(1, spans.get("row", 1))
        content = (tag.end, content_end)
        self._row.cells.append(HtmlCell(tag.start, end, content, columns, rows, tag.name == "th"))

    def _end_table(self, table: HtmlTable, end: int) -> None:
        table.end = end
        head = 0 if self._is_headless else _header_row_count(self.rows)
        table.header_rows, table.rows = self.rows[:head], self.rows[head:]
        self.tables.append(table)
        self._table = None
