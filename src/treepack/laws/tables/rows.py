"""Law 5: a table is cut only between rows, and each piece is a table that knows its rows."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from treepack.laws.audit_context import AuditContext, quoted
from treepack.laws.chunks import AuditedChunk
from treepack.laws.reading.blocks import AuditBlock
from treepack.laws.reading.titles import same_title
from treepack.laws.tables.reparse import TablePart, caption_breaches, parsed_breaches
from treepack.laws.tables.repeats import header_text, is_too_long
from treepack.model.chunk import TableSlice

UnusedEntries: TypeAlias = dict[int, list[TableSlice]]


def check_rows(audit: AuditContext) -> None:
    """Check law 5 for each table of the source, in GFM or HTML."""
    tables_by_id: dict[str, AuditBlock] = {}
    unused: UnusedEntries = {chunk.index: list(chunk.tables) for chunk in audit.ordered_chunks}
    for table, parts in held_tables(audit, unused):
        audit.log.count_checked(5)
        if is_cut_as_lines(audit, parts, table):
            continue
        breaches = [*_breaches(audit, parts, table), *_shared_id(parts, table, tables_by_id)]
        for reason, part in breaches:
            message = f"{reason} (table {quoted(' | '.join(table.table.columns))})"
            audit.add_finding(5, part.chunk, message, max(part.chunk.start, table.start))
    for chunk in audit.ordered_chunks:  # entries of records that belong to no table of the source
        is_reported = audit.log.has_finding(5, chunk.index)
        for entry in unused[chunk.index] if not is_reported else ():
            rows = f"{entry.row_start}-{entry.row_end} of {entry.row_count}"
            reason = f"its record lists rows {rows} of a table that it does not hold"
            audit.add_finding(5, chunk, reason)


def held_tables(
    audit: AuditContext, unused: UnusedEntries
) -> Iterator[tuple[AuditBlock, list[TablePart]]]:
    """Yield each table of the source with what the chunks hold of it.

    Args:
        audit: The document.
        unused: The entries of each chunk's record; those that describe a part are taken out.
    """
    for table in audit.source.tables:
        parts = [_held_part(chunk, table) for chunk in audit.chunks_with(table)]
        for part in parts:
            part.entry = _take_entry(part, table, unused[part.chunk.index])
        yield table, parts


def _shared_id(
    parts: Sequence[TablePart], table: AuditBlock, tables_by_id: dict[str, AuditBlock]
) -> Iterator[tuple[str, TablePart]]:
    for part in parts:
        if part.entry and tables_by_id.setdefault(part.entry.id, table) is not table:
            yield "its record has the id of another table", part
            return


def _held_part(chunk: AuditedChunk, table: AuditBlock) -> TablePart:
    """Return what a chunk holds of a table."""
    rows = table.children
    first, last = 0, 0
    cut_rows: set[int] = set()
    for start, end in chunk.spans_within(table.start, table.end):
        low = bisect_right(rows, start, lo=1, key=lambda row: row.end)
        high = bisect_left(rows, end, lo=1, key=lambda row: row.start) - 1
        if low <= high:
            first, last = first or low, high
            cut_rows |= {number for number in (low, high) if _is_partial(chunk, rows[number])}
    return TablePart(chunk, first, last, sorted(cut_rows))


def _is_partial(chunk: AuditedChunk, row: AuditBlock) -> bool:
    """Whether a chunk holds something of a row, but not all."""
    held = list(chunk.spans_within(row.start, row.end))
    return bool(held) and (held[0][0] > row.start or held[-1][1] < row.end)


def _take_entry(part: TablePart, table: AuditBlock, unused: list[TableSlice]) -> TableSlice | None:
    """Remove and return the entry among a record's unused ones that describes a part."""
    rows = len(table.children) - 1
    for entry in unused:
        is_range = not rows or (entry.row_start, entry.row_end) == (part.first, part.last)
        if is_range and entry.row_count == rows and _same_columns(entry, table):
            unused.remove(entry)
            return entry
    return None


def _same_columns(entry: TableSlice, table: AuditBlock) -> bool:
    columns = table.table.columns
    return len(columns) == len(entry.columns) and all(map(same_title, columns, entry.columns))


def is_cut_as_lines(audit: AuditContext, parts: Sequence[TablePart], table: AuditBlock) -> bool:
    """Whether a table is cut like plain lines, which it may be if its header takes half the cap."""
    if audit.limits.max_tokens is None or len(parts) == 1 or any(part.entry for part in parts):
        return False
    return is_too_long(audit, table, header_text(audit, table))


def _breaches(
    audit: AuditContext, parts: Sequence[TablePart], table: AuditBlock
) -> Iterator[tuple[str, TablePart]]:
    entry = next((part.entry for part in parts if part.entry), None)
    if entry and (reason := _wrong_caption(entry, audit.captions(table))):
        yield reason, parts[0]
    for part in parts:
        for reason in _part_breaches(audit, part, table, is_whole=len(parts) == 1):
            yield reason, part
    yield from _numbering(parts, table.table.header_rows)


def _wrong_caption(entry: TableSlice, captions: Sequence[str]) -> str:
    """Return what is wrong with the caption in a record; empty if it is right."""
    if entry.caption is None:
        return f"its record does not name the caption {quoted(captions[-1])}" if captions else ""
    is_right = same_title(entry.caption, *captions)
    return "" if is_right else f"its caption {quoted(entry.caption)} is not in the source"


def _part_breaches(
    audit: AuditContext, part: TablePart, table: AuditBlock, *, is_whole: bool
) -> Iterator[str]:
    header, row_count = table.children[0], len(table.children) - 1
    if row_count and not part.first:
        yield "holds the header without any row"
        return
    if not row_count and _is_partial(part.chunk, header):
        yield f"cuts the header row {quoted(audit.source.text_of(header))}"
    yield from _cut_row_breaches(audit, part, table)
    if part.chunk.record is not None and part.entry is None:
        yield _missing_entry(part, row_count)
    if not is_whole or not part.chunk.parses_as_in_source(table):
        yield from parsed_breaches(audit, part, table)
    if not is_whole:
        yield from caption_breaches(audit, part, table)


def _missing_entry(part: TablePart, rows: int) -> str:
    listed = ", ".join(f"{e.row_start}-{e.row_end} of {e.row_count}" for e in part.chunk.tables)
    record = f"its record says {listed or 'nothing'}"
    return f"holds rows {part.first}-{part.last} of {rows}, but {record}"


def _cut_row_breaches(audit: AuditContext, part: TablePart, table: AuditBlock) -> Iterator[str]:
    entry = part.entry
    for number in part.cut_rows:
        row = table.children[number]
        tokens = audit.count_span(row.start, row.end)
        if part.chunk.record is None and audit.exceeds_share(tokens, slack=0):
            continue
        if entry is None or entry.cell_part is None:
            yield f"row {number} is cut: {quoted(audit.source.text_of(row))}"
        elif entry.row_start != entry.row_end:
            text = quoted(audit.source.text_of(row))
            yield f"holds a part of row {number} and other rows: {text}"


def _numbering(parts: Sequence[TablePart], header_rows: int) -> Iterator[tuple[str, TablePart]]:
    """Check that parts, and parts of a row, are numbered from 1, and agree about the table."""
    cell_part = 0
    previous: TablePart | None = None
    for number, part in enumerate(parts, 1):
        entry = part.entry
        if entry is None:
            continue
        if (entry.part, entry.parts) != (number, len(parts)):
            recorded = f"its record says {entry.part} of {entry.parts}"
            yield f"is part {number} of {len(parts)}, but {recorded}", part
        if entry.header_rows != header_rows:
            recorded = f"its record says {entry.header_rows} header rows"
            yield f"{recorded}, but the table has {header_rows}", part
        is_same_row = previous and part.cut_rows and previous.last == part.first
        cell_part = cell_part + 1 if is_same_row else 1
        expected = cell_part if part.cut_rows else None
        if entry.cell_part != expected and not (part.cut_rows and entry.cell_part is None):
            yield f"cell_part is {entry.cell_part}, but should be {expected}", part
        first_entry = parts[0].entry
        if first_entry and (entry.id, entry.caption) != (first_entry.id, first_entry.caption):
            yield "its record has another id or caption than that of the first part", part
        previous = part
