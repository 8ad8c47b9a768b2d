"""Which rows of which table are in which chunk."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from operator import itemgetter

from treepack.document.document import Document
from treepack.model.blocks import Span, Table
from treepack.model.chunk import TableSlice
from treepack.model.section import path_to, stable_id
from treepack.packing.pieces import Piece


def table_slices(
    document: Document,
    tables: Sequence[Table],
    groups: Sequence[list[Piece]],
    plain_tables: set[int],
) -> dict[int, list[TableSlice]]:
    """Return the slices of tables that each chunk holds, by the chunk's index.

    Args:
        document: The document.
        tables: Its tables, in source order.
        groups: The pieces of each chunk.
        plain_tables: Starts of the tables that were cut as plain lines, without a header.
    """
    slices: dict[int, list[TableSlice]] = defaultdict(list)
    seen: dict[tuple[str, ...], int] = defaultdict(int)
    bodies = [(group[0].start, group[-1].end) for group in groups] if tables else []
    for table in tables:
        first = max(0, bisect_right(bodies, table.start, key=itemgetter(0)) - 1)
        after = bisect_left(bodies, table.end, key=itemgetter(0))
        indexes = [index for index in range(first, after) if bodies[index][1] > table.start]
        names = _identifying_names(document, table)
        key = stable_id("table", *names, str(seen[names]))
        seen[names] += 1
        is_plain = len(indexes) > 1 and table.start in plain_tables
        table_parts = _slices(table, key, [bodies[index] for index in indexes], is_plain=is_plain)
        for index, table_slice in zip(indexes, table_parts, strict=True):
            slices[index].append(table_slice)
    return slices


def _slices(
    table: Table, key: str, bodies: Sequence[Span], *, is_plain: bool
) -> Iterator[TableSlice]:
    """Yield the slice of a table in each of the bodies that hold a part of it."""
    row_parts: dict[int, int] = defaultdict(int)
    for part, (start, end) in enumerate(bodies, 1):
        row_start = bisect_right(table.rows, start, key=itemgetter(1))
        row_end = bisect_left(table.rows, end, key=itemgetter(0)) - 1
        cell_part = None
        if row_start <= row_end and _is_cut(table.rows[row_start], start, end):
            row_parts[row_start] += 1
            cell_part = row_parts[row_start]
        yield TableSlice(
            id=key,
            caption=table.caption or None,
            columns=table.columns,
            header_rows=table.header_rows,
            row_start=row_start + 1 if table.rows else 0,
            row_end=row_end + 1,
            row_count=len(table.rows),
            part=part,
            parts=len(bodies),
            cell_part=cell_part,
            header_left_out=is_plain,
        )


def _is_cut(row: Span, start: int, end: int) -> bool:
    return row[0] < start < row[1] or row[0] < end < row[1]


def _identifying_names(document: Document, table: Table) -> tuple[str, ...]:
    """Return what identifies a table wherever it is: document, headings above it, columns."""
    path = path_to(document.root, table.start, table.end)
    names = [section.heading.text for section in path if section.heading]
    return (document.source.name, *names, "\0", *table.columns)
