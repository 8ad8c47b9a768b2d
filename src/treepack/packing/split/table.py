"""Cutting a table into rows that repeat header and caption; a long row into cells."""

from functools import partial
from itertools import pairwise

from treepack.markdown.html_tables import (
    HtmlRow,
    read_cells,
    read_tables,
    row_groups,
)
from treepack.markdown.tables import cell_spans
from treepack.model.blocks import Span, Table
from treepack.model.chunk import Segment
from treepack.packing.openings import intro_segment
from treepack.packing.pieces import Piece, cut_into, trimmed_end
from treepack.packing.split.text import TextCutter
from treepack.packing.wrappers import (
    FrameWrapper,
    IntroWrapper,
    RowCell,
    RowWrapper,
    Wrapper,
)


def cut_rows(
    cutter: TextCutter, table: Table, piece: Piece, *, is_detached: bool
) -> list[Piece] | None:
    """Return a piece for each row; None if there are no rows or the header is too long to repeat.

    Rows that a ``rowspan`` ties together are one piece. ``is_detached`` means that the caption is
    not in the same piece as the first row.
    """
    header = cutter.text[slice(*table.header)]
    empty = "\n<tr><td></td></tr>" if table.is_html else ""
    if not table.rows or not cutter.is_short(header + empty, table.closing, piece.wrappers):
        return None
    outer = _with_caption(cutter, table, piece.wrappers, header, is_detached=is_detached)
    read_rows = html_rows(cutter.text, table)
    body = ""
    if any(row.is_header for row in read_rows):  # at the top of a piece, it would be a header row
        body = "<tbody>" if table.header_rows else "<tbody></tbody>"
    head = Segment("table_header", header, table.header)
    frame = FrameWrapper(table.start, table.end, head, table.closing, body, is_literal=True)
    # One tuple for all rows: pieces with the same wrappers are recognised by identity.
    wrappers = (*outer, frame)
    rows = [Piece(*row, wrappers, partial(_cells, cutter, table, row)) for row in table.rows]
    return joined_by_rowspan(rows, read_rows)


def _with_caption(
    cutter: TextCutter, table: Table, outer: tuple[Wrapper, ...], header: str, *, is_detached: bool
) -> tuple[Wrapper, ...]:
    """Return the wrappers, with the table's caption if it is short enough to be repeated."""
    if table.caption_span:
        words = intro_segment("caption", cutter.text, *table.caption_span)
        if cutter.is_short(f"{words.text}\n\n{header}", table.closing, outer):
            return (*outer, IntroWrapper(table.start, table.end, words, is_detached))
    return outer


def html_rows(text: str, table: Table) -> list[HtmlRow]:
    """Return the rows of an HTML table; [] for a GFM table."""
    return read_tables(text, table.start, table.end)[0].rows if table.is_html else []


def _cells(cutter: TextCutter, table: Table, span: Span, piece: Piece) -> list[Piece]:
    """Cut a row into cells; each piece repeats the first cell if that is short."""
    cells = _html_cells(cutter.text, *span) if table.is_html else _pipe_cells(cutter.text, *span)
    is_html = table.is_html
    leading = min(len(cells), len(table.columns) or len(cells))
    empty = "".join(f"{cell.opening()}</{cell.tag}>" for cell in cells[:leading])
    empty = empty if is_html else " |" * leading
    if cutter.index.count_text(empty) > cutter.cap // 4:
        leading, cells = 1, [cell._replace(columns=1) for cell in cells]
    key = Segment("table_header", cutter.text[slice(*cells[0].key)], cells[0].key)
    key_tags = (cells[0].opening(), f"</{cells[0].tag}>") if is_html else ("| ", " |")
    is_short = bool(key.text.strip()) and cutter.is_short(
        key.text.join(key_tags), "", piece.wrappers
    )
    repeated = key if is_short else None
    row = RowWrapper(*span, tuple(cells), repeated, len(table.columns), leading)
    wrappers = (*piece.wrappers, row)
    return [
        Piece(
            cell.start,
            cell.end,
            wrappers,
            cutter.sentences,
            text_start=cell.text_start,
            text_end=cell.text_end,
            is_raw=is_html,
        )
        for cell in cells
    ]


def _pipe_cells(text: str, start: int, end: int) -> list[RowCell]:
    cells: list[RowCell] = []
    for first, after in cell_spans(text, start, end):
        words = text[first:after].strip().removeprefix("|").strip()
        at = text.find(words, first, after)
        key = (at, at + len(words))
        cells.append(RowCell(first, trimmed_end(text, first, after), key))
    return cells


def _html_cells(text: str, start: int, end: int) -> list[RowCell]:
    """Return the cells; a closing tag stays with some of its cell's content."""
    cells = [
        RowCell(
            cell.start,
            trimmed_end(text, cell.start, cell.end),
            cell.content,
            text_end=trimmed_end(text, cell.start, cell.content[1]),
            tag="th" if cell.is_header else "td",
            columns=cell.columns,
        )
        for cell in read_cells(text, start, end)
    ]
    if not cells:
        return [RowCell(start, end, (start, start), text_start=start, tag="td")]
    return [cells[0]._replace(start=start, text_start=cells[0].start), *cells[1:]]


def joined_by_rowspan(rows: list[Piece], read_rows: list[HtmlRow]) -> list[Piece]:
    """Return the pieces of a table's rows; rows that a ``rowspan`` ties together are one piece."""
    groups = row_groups(read_rows) or list(pairwise(range(len(rows) + 1)))
    return [
        rows[first]
        if after == first + 1
        else rows[first]._replace(end=rows[after - 1].end, cut=cut_into(rows[first:after]))
        for first, after in groups
    ]
