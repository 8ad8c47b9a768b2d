"""What each piece of a table repeats above its rows: the header rows, if need be shortened."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from treepack.graphemes import last_boundary
from treepack.markdown.block_tokens import cell_spans, cell_text
from treepack.markdown.html_tables import first_text, read_tables
from treepack.markdown.loose_tables import unquoted_lines
from treepack.model.blocks import Span, Table
from treepack.model.chunk import Segment
from treepack.packing.context import ELLIPSIS
from treepack.packing.frames import Frame, Head
from treepack.packing.split.text import TextCutter

_LENGTHS: Final = (64, 32, 16, 8)  # characters of a heading cell, if all of them are too long
_CLOSING_TAG: Final = re.compile(r"</([^>]+)>")
_glue: Final = partial(Segment, "glue")


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
