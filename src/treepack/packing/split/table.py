"""Cutting a table into rows that repeat header, caption and sub-header; a long row into cells."""

from bisect import bisect_left
from functools import partial
from itertools import chain, groupby, pairwise

from treepack.markdown.html_tables import (
    TITLE_ROWS,
    HtmlRow,
    nested_tables,
    read_cells,
    read_tables,
    row_groups,
)
from treepack.markdown.tables import cell_spans, sub_headers
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

    Rows that a ``rowspan`` ties together are one piece, and a sub-header stays with the row after
    it. ``is_detached`` means that the caption is not in the same piece as the first row.
    """
    header = cutter.text[slice(*table.header)]
    empty = "\n<tr><td></td></tr>" if table.is_html else ""
    if not table.rows or not cutter.is_short(header + empty, table.closing, piece.wrappers):
        return None
    sub_headers = _sub_header_spans(cutter.text, table)
    outer = _with_caption(cutter, table, piece.wrappers, header, is_detached=is_detached)
    read_rows = html_rows(cutter.text, table)
    th_rows = [number for number, row in enumerate(read_rows) if row.is_header]
    # One tuple for all rows: pieces with the same wrappers are recognised by identity.
    wrappers = (*outer, _table_frame(cutter, table, outer, sub_headers, th_rows))
    rows = [Piece(*row, wrappers, partial(_cells, cutter, table, row)) for row in table.rows]
    pieces = joined_by_rowspan(rows, read_rows)
    return _join_th_rows(cutter, _glue_sub_headers(cutter, pieces, sub_headers), table, th_rows)


def _with_caption(
    cutter: TextCutter, table: Table, outer: tuple[Wrapper, ...], header: str, *, is_detached: bool
) -> tuple[Wrapper, ...]:
    """Return the wrappers, with the table's caption if it is short enough to be repeated."""
    if table.caption_span:
        words = intro_segment("caption", cutter.text, *table.caption_span)
        if cutter.is_short(f"{words.text}\n\n{header}", table.closing, outer):
            return (*outer, IntroWrapper(table.start, table.end, words, is_detached))
    return outer


def _table_frame(
    cutter: TextCutter,
    table: Table,
    outer: tuple[Wrapper, ...],
    sub_headers: list[Span],
    th_rows: list[int],
) -> FrameWrapper:
    """Return the wrapper with the header, and the sub-headers that are short enough to repeat."""
    header = Segment.of("table_header", cutter.text[slice(*table.header)], table.header)
    repeated = tuple(
        (span, _sub_header_segments(cutter.text, table, span))
        for span in sub_headers
        if cutter.is_short(f"{header.text}\n{cutter.text[slice(*span)]}", table.closing, outer)
    )
    has_header = bool(table.header_rows)
    above = 0 if has_header else TITLE_ROWS - 1
    indexes = {at for number in th_rows for at in range(max(0, number - above), number + 1)}
    starts = frozenset(table.rows[at][0] for at in indexes)
    return FrameWrapper(
        table.start,
        table.end,
        header,
        table.closing,
        repeated,
        starts,
        has_header,
        is_literal=True,
    )


def _sub_header_segments(text: str, table: Table, span: Span) -> tuple[Segment, ...]:
    """Return a sub-header to repeat, with ``td`` for ``th`` so that it is not read as a header."""
    first, after = (bisect_left(table.rows, (offset, offset)) for offset in span)
    rows = table.rows[first:after] if table.is_html else ()
    tag_names = [
        offset
        for cell in chain.from_iterable(read_cells(text, *row) for row in rows)
        if cell.is_header
        for offset in (cell.start + 1, cell.content[1] + 2)[: 1 + (cell.end > cell.content[1])]
    ]
    segments: list[Segment] = []
    at = span[0]
    for offset in tag_names:
        segments += [_header_segment(text, at, offset), Segment.of("glue", "td")]
        at = offset + 2
    return (*segments, _header_segment(text, at, span[1]))


def _header_segment(text: str, start: int, end: int) -> Segment:
    return Segment.of("table_header", text[start:end], (start, end))


def _sub_header_spans(text: str, table: Table) -> list[Span]:
    """Return the spans of the sub-headers; adjacent sub-headers share one span."""
    rows = sub_headers(text, table)
    runs = groupby(enumerate(rows), key=lambda numbered: numbered[1] - numbered[0])
    numbers = [[number for _, number in run] for _, run in runs]
    return [(table.rows[run[0]][0], table.rows[run[-1]][1]) for run in numbers]


def html_rows(text: str, table: Table) -> list[HtmlRow]:
    """Return the rows of an HTML table; [] for a GFM table."""
    return read_tables(text, table.start, table.end)[0].rows if table.is_html else []


def _glue_sub_headers(
    cutter: TextCutter, pieces: list[Piece], sub_headers: list[Span]
) -> list[Piece]:
    """Join each sub-header with the row after it, if both fit one chunk."""
    ends = dict(sub_headers)
    joined: list[Piece] = []
    for piece in pieces:
        before = joined[-1] if joined else None
        whole = piece
        if before and before.start in ends and before.end <= ends[before.start]:
            both = Piece(before.start, piece.end, piece.wrappers, cut_into([before, piece]))
            if piece.end <= ends[before.start] or cutter.fits_cap(both, both.end):
                joined.pop()
                whole = both
        joined.append(whole)
    return joined


def _join_th_rows(
    cutter: TextCutter, pieces: list[Piece], table: Table, th_rows: list[int]
) -> list[Piece]:
    """Join each row that has only ``<th>`` with the row before it, if they fit one chunk.

    As the first row of a piece it would be read as a header row.

    Args:
        cutter: Knows what fits a chunk.
        pieces: The pieces of the table's rows.
        table: The table.
        th_rows: The indices of the rows that have only ``<th>``.
    """
    if not (th_rows and table.header_rows):
        return pieces  # the opening of a table without header rows shows that there are none
    joined: list[Piece] = []
    for piece in pieces:
        at = bisect_left(th_rows, piece.start, key=lambda number: table.rows[number][0])
        group = [piece]
        if at < len(th_rows) and table.rows[th_rows[at]][0] < piece.end:
            begin = table.rows[max(0, th_rows[at] - 1)][0]
            while joined and group[0].start > begin:
                group.insert(0, joined.pop())
        whole = Piece(group[0].start, piece.end, piece.wrappers, cut_into(group))
        is_whole = len(group) > 1 and cutter.fits_cap(whole, whole.end)
        joined += [whole] if is_whole else group
    return joined


def _cells(cutter: TextCutter, table: Table, span: Span, piece: Piece) -> list[Piece]:
    """Cut a row into cells; each piece repeats the first cell if that is short."""
    cells = _html_cells(cutter.text, *span) if table.is_html else _pipe_cells(cutter.text, *span)
    is_html = table.is_html
    leading = min(len(cells), len(table.columns) or len(cells))
    empty = "".join(f"{cell.opening()}</{cell.tag}>" for cell in cells[:leading])
    empty = empty if is_html else " |" * leading
    if cutter.index.count_text(empty) > cutter.cap // 4:
        leading, cells = 1, [cell._replace(columns=1) for cell in cells]
    key = _header_segment(cutter.text, *cells[0].key)
    key_tags = (cells[0].opening(), f"</{cells[0].tag}>") if is_html else ("| ", " |")
    is_short = bool(key.text.strip()) and cutter.is_short(
        key.text.join(key_tags), "", piece.wrappers
    )
    tables = _nested_tables(cutter, *span) if is_html else ()
    repeated = key if is_short else None
    row = RowWrapper(*span, tuple(cells), repeated, len(table.columns), leading, tables)
    wrappers = (*piece.wrappers, row)
    cut = cutter.html if is_html else cutter.sentences
    return [
        Piece(
            cell.start, cell.end, wrappers, cut, text_start=cell.text_start, text_end=cell.text_end
        )
        for cell in cells
    ]


def _nested_tables(cutter: TextCutter, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """Return the tables inside the cells of a row; () if reopening them takes too much room."""
    found = nested_tables(cutter.text, start, end)
    deepest = max((depth for _, depth in found), default=0)
    size = deepest * cutter.index.count_text("<table></table>")
    return () if size > cutter.cap // 4 else found


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
