"""Which rows of which table stand in which chunk."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from operator import itemgetter

from treepack.document.document import Document
from treepack.model.blocks import Table
from treepack.model.chunk import TableSlice
from treepack.model.section import path_to, stable_id
from treepack.packing.pieces import Piece


class TableSlices:
    """Numbers the pieces of all tables over all chunks of a document.

    Args:
        document: The document.
        tables: Its tables, in source order.
        groups: The pieces of each chunk.
        plain_tables: Starts of the tables that were cut as plain lines, without a header; their
            pieces are not listed.
    """

    def __init__(
        self,
        document: Document,
        tables: list[Table],
        groups: Sequence[list[Piece]],
        plain_tables: set[int],
    ) -> None:
        self.document = document
        self.tables = tables
        self.slices: dict[int, list[TableSlice]] = defaultdict(list)
        self._seen: dict[tuple[str, ...], int] = {}
        bodies = [(group[0].start, group[-1].end) for group in groups] if tables else []
        for table in tables:
            if table.start in plain_tables:
                continue
            first = max(0, bisect_right(bodies, table.start, key=itemgetter(0)) - 1)
            after = bisect_left(bodies, table.end, key=itemgetter(0))
            self._enter(table, bodies, first, after)

    def of(self, number: int) -> tuple[TableSlice, ...]:
        """The table pieces in a chunk."""
        return tuple(self.slices.get(number, ()))

    def _enter(self, table: Table, bodies: list[tuple[int, int]], first: int, after: int) -> None:
        numbers = [n for n in range(first, after) if bodies[n][1] > table.start]
        key = self._id(table)
        row_parts: dict[int, int] = {}
        for part, number in enumerate(numbers, 1):
            start, end = bodies[number]
            row_start = bisect_right(table.rows, start, key=itemgetter(1))
            row_end = bisect_left(table.rows, end, key=itemgetter(0)) - 1
            cell_part = None
            if row_start <= row_end and self._is_cut(table.rows[row_start], start, end):
                cell_part = row_parts[row_start] = row_parts.get(row_start, 0) + 1
            self.slices[number].append(
                TableSlice.trusted(
                    id=key,
                    caption=table.caption or None,
                    columns=table.columns,
                    header_rows=table.header_rows,
                    row_start=row_start + 1 if table.rows else 0,
                    row_end=row_end + 1,
                    row_count=len(table.rows),
                    part=part,
                    parts=len(numbers),
                    cell_part=cell_part,
                )
            )

    def _is_cut(self, row: tuple[int, int], start: int, end: int) -> bool:
        return row[0] < start < row[1] or row[0] < end < row[1]

    def _id(self, table: Table) -> str:
        path = path_to(self.document.root, table.start, table.end)
        names = [section.heading.text for section in path if section.heading]
        key = (self.document.source.name, *names, "\0", *table.columns)
        occurrence = self._seen.get(key, 0)
        self._seen[key] = occurrence + 1
        return stable_id("table", *key, str(occurrence))
