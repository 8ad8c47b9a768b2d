"""Cutting a table into rows that repeat header and caption; a long row into cells."""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from treepack.markdown.block_tokens import cell_spans, cell_text
from treepack.markdown.html_tables import (
    HtmlRow,
    Label,
    read_cells,
    read_tables,
    row_groups,
    row_labels,
)
from treepack.model.blocks import Span, Table
from treepack.model.chunk import Segment
from treepack.packing.frames import Frame, Head, caption_frame, lines_around
from treepack.packing.pieces import Piece, cut_into, trimmed_end
from treepack.packing.split.headers import header_of, opening_tag
from treepack.packing.split.text import TextCutter


class _Cell(NamedTuple):
    """A cell of a row; together the cells cover the row.

    Attributes:
        start: Where its pipe or tag begins.
        end: After its last character.
        key: The span of its text, which is repeated if this is the first cell.
        text_end: Where its text ends, if a closing tag may follow; else -1.
        tag: ``td`` or ``th`` in HTML; empty in GFM.
        columns: How many columns it spans; a piece of its row repeats no other attribute.
    """

    start: int
    end: int
    key: Span
    text_end: int = -1
    tag: str = ""
    columns: int = 1


def cut_rows(
    cutter: TextCutter, table: Table, piece: Piece, *, is_detached: bool
) -> list[Piece] | None:
    """Return a piece for each row; None if there are no rows or the header is too long to repeat.

    Rows that a ``rowspan`` ties together are one piece. ``is_detached`` means that the caption is
    not in the same piece as the first row.
    """
    head = header_of(cutter, table, piece.frames) if table.rows else None
    if head is None:
        return None
    outer = _with_caption(cutter, table, piece, head, is_detached=is_detached)
    read_rows = html_rows(cutter.text, table)
    body = ""
    if any(row.is_header for row in read_rows):  # at the top of a piece, it would be a header row
        body = "<tbody>" if table.header_rows else "<tbody></tbody>"
    frame = lines_around(table.start, table.end, head, table.closing, body)
    # One tuple for all rows: pieces with the same frames are recognised by identity.
    frames = (*outer, frame)
    rows = [Piece(*row, frames, partial(_cells, cutter, table, row)) for row in table.rows]
    _label(cutter, rows, read_rows)
    first = rows[0]._replace(start=piece.start)
    rows = joined_by_rowspan(rows, read_rows)
    if len(head) > 1 and not cutter.fits_cap(first, first.end):
        return [Piece(*table.header, piece.frames, cutter.lines, is_raw=True), *rows]
    return rows


def _label(cutter: TextCutter, rows: list[Piece], read_rows: list[HtmlRow]) -> None:
    """Let each row repeat the cells that reach into it from above, if its chunk begins there."""
    for first, after in row_groups(read_rows):
        if after - first > 1:
            labels = row_labels(read_rows[first:after])
            for number, row in enumerate(rows[first + 1 : after], 1):
                head = _labelled(cutter.text, read_rows[first + number], labels[number])
                opening = "".join([part.text for part in head])
                if head and cutter.is_short(opening, "", row.frames):
                    frame = Frame(rows[first].start, row.end, head)
                    rows[first + number] = row._replace(frames=(*row.frames, frame))


def _labelled(text: str, row: HtmlRow, labels: list[Label]) -> Head:
    """Return the beginning of a row, up to the last cell that reaches into it from above."""
    head: list[Segment] = []
    at = row.start
    for cell, rows, before in labels:
        start = row.cells[before].start
        head += [Segment("body", text[at:start], (at, start))] * (at < start)
        tag = opening_tag("td", cell.columns, rows)
        content = Segment("table_header", text[slice(*cell.content)], cell.content)
        head += [Segment("glue", tag), content, Segment("glue", "</td>")]
        at = start
    return _with_text(head)


def _with_caption(
    cutter: TextCutter, table: Table, piece: Piece, head: Head, *, is_detached: bool
) -> tuple[Frame, ...]:
    """Return the frames, with the table's caption if it is short enough to be repeated."""
    if table.caption_span:
        start = piece.start - is_detached  # then the first piece repeats it too
        frame = caption_frame(cutter.text, start, table.end, table.caption_span)
        header = "".join([part.text for part in (*frame.head, *head)])
        if cutter.is_short(header, table.closing, piece.frames):
            return (*piece.frames, frame)
    return piece.frames


def html_rows(text: str, table: Table) -> list[HtmlRow]:
    """Return the rows of an HTML table; [] for a GFM table."""
    return read_tables(text, table.start, table.end)[0].rows if table.is_html else []


def _cells(cutter: TextCutter, table: Table, span: Span, piece: Piece) -> list[Piece]:
    """Cut a row into cells; each piece repeats the first cell if that is short."""
    cells = _html_cells(cutter.text, *span) if table.is_html else _pipe_cells(cutter.text, *span)
    is_html = table.is_html
    leading = min(len(cells), len(table.columns) or len(cells))
    empty = "".join(
        f"{opening_tag(cell.tag, cell.columns)}</{cell.tag}>" for cell in cells[:leading]
    )
    empty = empty if is_html else " |" * leading
    if cutter.index.count_text(empty) > cutter.cap // 4:
        leading, cells = 1, [cell._replace(columns=1) for cell in cells]
    key = Segment("table_header", cutter.text[slice(*cells[0].key)], cells[0].key)
    key_tags = (
        (opening_tag(cells[0].tag, cells[0].columns), f"</{cells[0].tag}>")
        if is_html
        else ("| ", " |")
    )
    has_key = bool(key.text.strip()) and cutter.is_short(key.text.join(key_tags), "", piece.frames)
    repeated = key if has_key else Segment("glue", "")
    row_frames = _html_frames if is_html else _pipe_frames
    outer = tuple([frame for frame in piece.frames if frame.role != "body"])
    pieces: list[Piece] = []
    for number, cell in enumerate(cells):
        start = span[0] if number == 0 else cell.start
        frames = (*outer, *row_frames(table, cells, number, repeated, leading, span))
        made = Piece(start, cell.end, frames, cutter.sentences, is_raw=is_html)
        text_start = cell.start if start < cell.start else -1
        pieces.append(made._replace(text_start=text_start, text_end=cell.text_end))
    return pieces


def _pipe_frames(  # noqa: PLR0913, PLR0917 - a row, and which of its cells
    table: Table, cells: list[_Cell], number: int, key: Segment, leading: int, row: Span
) -> tuple[Frame, Frame]:
    """Return the frames of a cell in GFM: the key and empty cells before it, and its pipe."""
    glue = partial(Segment, "glue")
    repeated = min(number, leading)
    head = (glue("| "), key, glue(" |" * (repeated - 1) + " ")) if repeated else ()
    foot = " |" * max(1, len(table.columns) - number)
    cell = cells[number]
    return (
        Frame(*row, _with_text(head), foot, is_literal=True, row=row[0]),
        Frame(cell.start, cell.end, (glue("| "),), row=row[0]),
    )


def _html_frames(
    _table: Table, cells: list[_Cell], number: int, key: Segment, leading: int, row: Span
) -> tuple[Frame, Frame]:
    """Return the frames of a cell in HTML: the row with its first cells, and the cell's tag."""
    glue = partial(Segment, "glue")
    # A repeated cell is always ``td``, because a row of ``th`` would be a header.
    tags = [opening_tag("td", each.columns) for each in cells[: min(number, leading)]]
    empty = "".join([f"{tag}</td>" for tag in tags[1:]])
    head = (glue(f"<tr>{tags[0]}"), key, glue(f"</td>{empty}")) if tags else (glue("<tr>"),)
    # The first cells of a row, if all are ``th``: an empty ``td`` keeps it from being a header.
    is_header = number + 1 < len(cells) and all(cell.tag == "th" for cell in cells[: number + 1])
    cell = cells[number]
    foot = f"{'<td></td>' * is_header}</tr>"
    return (
        Frame(*row, _with_text(head), foot, is_literal=True, row=row[0]),
        Frame(
            cell.start,
            cell.end,
            (glue(opening_tag(cell.tag, cell.columns)),),
            f"</{cell.tag}>",
            row=row[0],
        ),
    )


def _with_text(head: Sequence[Segment]) -> tuple[Segment, ...]:
    return tuple([segment for segment in head if segment.text])


def _pipe_cells(text: str, start: int, end: int) -> list[_Cell]:
    return [
        _Cell(first, trimmed_end(text, first, after), cell_text(text, first, after))
        for first, after in cell_spans(text, start, end)
    ]


def _html_cells(text: str, start: int, end: int) -> list[_Cell]:
    """Return the cells; a closing tag stays with some of its cell's content."""
    cells = [
        _Cell(
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
        return [_Cell(start, end, (start, start), tag="td")]
    return cells


def joined_by_rowspan(rows: list[Piece], read_rows: list[HtmlRow]) -> list[Piece]:
    """Return the pieces of a table's rows; rows that a ``rowspan`` ties together are one piece."""
    groups = row_groups(read_rows) or list(pairwise(range(len(rows) + 1)))
    return [
        rows[first]
        if after == first + 1
        else rows[first]._replace(end=rows[after - 1].end, cut=cut_into(rows[first:after]))
        for first, after in groups
    ]
