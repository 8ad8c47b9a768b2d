"""Cutting a table into rows that repeat header and caption; a long row into cells."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Final

from treepack.graphemes import last_boundary
from treepack.markdown.block_tokens import cell_spans, cell_text
from treepack.markdown.html_tables import (
    HtmlCell,
    HtmlRow,
    Label,
    first_text,
    read_cells,
    read_tables,
    row_groups,
    row_labels,
)
from treepack.markdown.tables import unquoted_lines
from treepack.model.blocks import Span, Table
from treepack.model.chunk import Segment
from treepack.packing.context import ELLIPSIS
from treepack.packing.pieces import BLANK, Frame, Head, Piece, cut_into, lines_around, trimmed_end
from treepack.packing.split.text import TextCutter

_LENGTHS: Final = (64, 32, 16, 8)  # characters of a heading cell, if all of them are too long
_CLOSING_TAG: Final = re.compile(r"</([^>]+)>")
_glue: Final = partial(Segment, "glue")


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
        start, end = table.caption_span
        # Without its indentation, which would count as that of a list marker before it.
        start = end - len(cutter.text[start:end].lstrip(" \t"))
        words = Segment("caption", cutter.text[start:end], (start, end))
        # If it is detached, the first piece repeats it too.
        frame = Frame(piece.start - is_detached, table.end, (words, BLANK))
        header = "".join([part.text for part in (*frame.head, *head)])
        if cutter.is_short(header, table.closing, piece.frames):
            return (*piece.frames, frame)
    return piece.frames


def html_rows(text: str, table: Table) -> list[HtmlRow]:
    """Return the rows of an HTML table; [] for a GFM table."""
    return read_tables(text, table.start, table.end)[0].rows if table.is_html else []


def _cells(cutter: TextCutter, table: Table, span: Span, piece: Piece) -> list[Piece]:
    """Cut a row into cells; each piece repeats the first cell if that is short.

    A closing tag stays with some of its cell's content. Of a cell's attributes, the pieces repeat
    how many columns it spans.
    """
    text, is_html = cutter.text, table.is_html
    cells = _row_cells(text, table, *span)
    leading = min(len(cells), len(table.columns) or len(cells))
    empty = "".join([f"{_tag_of(cell)}</{cell.name}>" for cell in cells[:leading]])
    empty = empty if is_html else " |" * leading
    if cutter.index.count_text(empty) > cutter.cap // 4:
        leading, cells = 1, [replace(cell, columns=1) for cell in cells]
    key = Segment("table_header", text[slice(*cells[0].content)], cells[0].content)
    key_tags = (_tag_of(cells[0]), f"</{cells[0].name}>") if is_html else ("| ", " |")
    has_key = bool(key.text.strip()) and cutter.is_short(key.text.join(key_tags), "", piece.frames)
    repeated = key if has_key else _glue("")
    outer = tuple([frame for frame in piece.frames if frame.role != "body"])
    pieces: list[Piece] = []
    for number, cell in enumerate(cells):
        start = span[0] if number == 0 else cell.start
        frames = (*outer, *_cell_frames(table, cells, number, repeated, leading, span))
        text_start = cell.start if start < cell.start else -1
        text_end = trimmed_end(text, cell.start, cell.content[1]) if is_html else -1
        made = Piece(start, cell.end, frames, cutter.sentences, text_start=text_start)
        pieces.append(made._replace(text_end=text_end, is_raw=is_html))
    return pieces


def _tag_of(cell: HtmlCell) -> str:
    return opening_tag(cell.name, cell.columns)


def _cell_frames(  # noqa: PLR0913, PLR0917 - a row, and which of its cells
    table: Table, cells: list[HtmlCell], number: int, key: Segment, leading: int, row: Span
) -> tuple[Frame, Frame]:
    """Return the frames of a cell: the row with key and empty cells before it, and its own marks.

    A repeated cell in HTML is always ``td``, because a row of ``th`` would be a header.
    """
    cell, repeated = cells[number], min(number, leading)
    head: Head
    if table.is_html:
        tags = [opening_tag("td", each.columns) for each in cells[:repeated]]
        empty = "".join([f"{tag}</td>" for tag in tags[1:]])
        head = (_glue(f"<tr>{tags[0]}"), key, _glue(f"</td>{empty}")) if tags else (_glue("<tr>"),)
        # The first cells of a row, if all are ``th``: an empty ``td`` keeps it from being a header.
        is_header = number + 1 < len(cells) and all(each.is_header for each in cells[: number + 1])
        foot = f"{'<td></td>' * is_header}</tr>"
        opening, closing = _tag_of(cell), f"</{cell.name}>"
    else:
        head = (_glue("| "), key, _glue(" |" * (repeated - 1) + " ")) if repeated else ()
        foot = " |" * max(1, len(table.columns) - number)
        opening, closing = "| ", ""
    return (
        Frame(*row, _with_text(head), foot, is_literal=True, row=row[0]),
        Frame(cell.start, cell.end, (_glue(opening),), closing, row=row[0]),
    )


def _with_text(head: Sequence[Segment]) -> tuple[Segment, ...]:
    return tuple([segment for segment in head if segment.text])


def _row_cells(text: str, table: Table, start: int, end: int) -> list[HtmlCell]:
    """Return the cells of a row, which together cover it; there is at least one."""
    if table.is_html:
        cells = read_cells(text, start, end)
        cells = cells or [HtmlCell(start, end, (start, start), 1, 1, is_header=False)]
        return [replace(each, end=trimmed_end(text, each.start, each.end)) for each in cells]
    spans = [
        (first, trimmed_end(text, first, after)) for first, after in cell_spans(text, start, end)
    ]
    return [HtmlCell(*each, cell_text(text, *each), 1, 1, is_header=False) for each in spans]


def joined_by_rowspan(rows: list[Piece], read_rows: list[HtmlRow]) -> list[Piece]:
    """Return the pieces of a table's rows; rows that a ``rowspan`` ties together are one piece."""
    groups = row_groups(read_rows) or list(pairwise(range(len(rows) + 1)))
    return [
        rows[first]
        if after == first + 1
        else rows[first]._replace(end=rows[after - 1].end, cut=cut_into(rows[first:after]))
        for first, after in groups
    ]


def header_of(cutter: TextCutter, table: Table, frames: tuple[Frame, ...]) -> Head | None:
    """Return a table's header, with the beginnings of its cells if it is long; None if too long.

    ``frames`` are the constructs around the table.
    """
    text = cutter.text
    empty = "\n<tr><td></td></tr>" if table.is_html else ""
    start, end = table.header
    start = end - len(text[start:end].lstrip(" \t"))  # after a marker, it would count as its width
    whole = (Segment("table_header", text[start:end], (start, end)),)
    if cutter.is_short(whole[0].text + empty, table.closing, frames):
        return whole
    rows = _header_cells(text, table)
    # The pipes alone are too long: a hostile header may have very many cells.
    if cutter.index.count_text(" |" * len(table.columns)) * len(rows) > cutter.cap // 2:
        return None
    for length in _LENGTHS:
        parts = _short_header(text, table, rows, length)
        short = tuple([part for part in parts if part.text])
        if cutter.is_short("".join([part.text for part in short]) + empty, table.closing, frames):
            return short
    return None


def _header_cells(text: str, table: Table) -> list[list[tuple[str, Span]]]:
    """Return the opening tags and the first texts of the cells of each header row."""
    if table.is_html:
        rows = read_tables(text, table.start, table.end)[0].header_rows
        return [
            [
                (opening_tag("th", cell.columns, cell.rows), first_text(text, *cell.content))
                for cell in row.cells
            ]
            for row in rows
        ]
    lines = unquoted_lines(text, *table.header)[: table.header_rows]
    return [[("", cell_text(text, *cell)) for cell in cell_spans(text, *line)] for line in lines]


def opening_tag(name: str, columns: int, rows: int = 1) -> str:
    """Return the tag that opens a cell, with the columns and rows that it spans."""
    spans = f' rowspan="{rows}"' * (rows > 1) + f' colspan="{columns}"' * (columns > 1)
    return f"<{name}{spans}>"


def _short_header(
    text: str, table: Table, rows: Sequence[Sequence[tuple[str, Span]]], length: int
) -> Iterator[Segment]:
    """Yield the header with at most ``length`` characters of each cell."""
    outer = [f"<{name}>" for name in _CLOSING_TAG.findall(table.closing)[::-1]]
    inside = outer.index("<table>") + 1 if table.is_html else 0
    yield _glue("".join(outer[:inside]) + "<thead>" * table.is_html)
    for row in rows:
        yield _glue("<tr>" if table.is_html else "")
        for tag, (start, end) in row:
            cut = _cut(text, start, end, length)
            yield _glue(tag if table.is_html else "| ")
            yield Segment("table_header", text[start:cut], (start, cut))
            mark = ELLIPSIS * (cut < end)
            yield _glue(f"{mark}</th>" if table.is_html else f"{mark} ")
        yield _glue("</tr>" if table.is_html else "|\n")
    if table.is_html:
        yield _glue("</thead>" + "".join(outer[inside:]))
    else:
        *_, (start, end) = unquoted_lines(text, *table.header)
        yield Segment("table_header", text[start:end], (start, end))


def _cut(text: str, start: int, end: int, length: int) -> int:
    """Return where the first words of a span end that have at most ``length`` characters."""
    if end - start <= length:
        return end
    space = text.rfind(" ", start, start + length + 1)
    return space if space > start else last_boundary(text, start, start + length)
