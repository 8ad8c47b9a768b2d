"""Law 5: a table is cut only between rows, and each piece is a table that knows its rows."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from treepack.laws.audit_context import AuditContext, quoted
from treepack.laws.pieces import AuditedChunk
from treepack.laws.reading.blocks import AuditBlock
from treepack.laws.reading.titles import same_title
from treepack.laws.tables.reparse import TablePart, caption_breaches, parsed_breaches
from treepack.laws.tables.repeats import header_of, is_long
from treepack.model.chunk import TableSlice

Unused: TypeAlias = dict[int, list[TableSlice]]


def check_rows(audit: AuditContext) -> None:
    """Check law 5 for each table of the source, in GFM or HTML."""
    owners: dict[str, AuditBlock] = {}
    unused: Unused = {piece.index: list(piece.tables) for piece in audit.bodies}
    for table, parts in held_tables(audit, unused):
        audit.log.checked(5)
        if is_cut_as_lines(audit, parts, table):
            continue
        for reason, part in [*_breaches(audit, parts, table), *_shared_id(parts, table, owners)]:
            said = f"{reason} (table {quoted(' | '.join(table.table.columns))})"
            audit.breach(5, part.piece, said, max(part.piece.start, table.start))
    for piece in audit.bodies:  # entries of records that belong to no table of the source
        reported = audit.log.has_found(5, piece.index)
        for entry in unused[piece.index] if not reported else ():
            rows = f"{entry.row_start}-{entry.row_end} of {entry.row_count}"
            audit.breach(5, piece, f"its record lists rows {rows} of a table that it does not hold")


def held_tables(
    audit: AuditContext, unused: Unused
) -> Iterator[tuple[AuditBlock, list[TablePart]]]:
    """Yield each table of the source with what the chunks hold of it.

    Args:
        audit: The document.
        unused: The entries of each chunk's record; those that describe a part are taken out.
    """
    for table in audit.source.tables:
        parts = [_part(piece, table) for piece in audit.pieces_of(table)]
        for part in parts:
            part.slice = _take_slice(part, table, unused[part.piece.index])
        yield table, parts


def _shared_id(
    parts: Sequence[TablePart], table: AuditBlock, owners: dict[str, AuditBlock]
) -> Iterator[tuple[str, TablePart]]:
    for part in parts:
        if part.slice and owners.setdefault(part.slice.id, table) is not table:
            yield "its record has the id of another table", part
            return


def _part(piece: AuditedChunk, table: AuditBlock) -> TablePart:
    """Return what a chunk holds of a table."""
    rows = table.children[1:]
    first, last = 0, 0
    cut: list[int] = []
    for start, end in piece.share(table.start, table.end):
        low = bisect_right(rows, start, key=lambda row: row.end)
        high = bisect_left(rows, end, key=lambda row: row.start)
        if low < high:
            first, last = first or low + 1, high
            cut += [number + 1 for number in {low, high - 1} if _is_partial(piece, rows[number])]
    return TablePart(piece, first, last, sorted(set(cut)))


def _is_partial(piece: AuditedChunk, row: AuditBlock) -> bool:
    """Whether a chunk holds something of a row, but not all."""
    held = list(piece.share(row.start, row.end))
    return bool(held) and (held[0][0] > row.start or held[-1][1] < row.end)


def _take_slice(part: TablePart, table: AuditBlock, unused: list[TableSlice]) -> TableSlice | None:
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
    if audit.limits.max_tokens is None or len(parts) == 1 or any(part.slice for part in parts):
        return False
    return is_long(audit, table, header_of(audit, table))


def _breaches(
    audit: AuditContext, parts: Sequence[TablePart], table: AuditBlock
) -> Iterator[tuple[str, TablePart]]:
    rows = table.children[1:]
    said = next((part.slice for part in parts if part.slice), None)
    if said is not None:
        yield from _wrong_caption(said, audit.captions(table), parts[0])
    for part in parts:
        if rows and not part.first:
            yield "holds the header without any row", part
            continue
        header = table.children[0]
        if not rows and _is_partial(part.piece, header):
            yield f"cuts the header row {_text(audit, header)}", part
        yield from _cut_rows(audit, part, rows)
        if part.piece.chunk is not None and part.slice is None:
            yield _missing_slice(part, len(rows)), part
        if len(parts) > 1 or not part.piece.is_whole(table):
            for reason in parsed_breaches(audit, part, table):
                yield reason, part
        if len(parts) > 1:
            for reason in caption_breaches(audit, part, table):
                yield reason, part
    yield from _numbering(parts, table.table.header_rows)


def _wrong_caption(
    said: TableSlice, captions: Sequence[str], part: TablePart
) -> Iterator[tuple[str, TablePart]]:
    if said.caption is None:
        if captions:
            yield f"its record does not name the caption {quoted(captions[-1])}", part
    elif not same_title(said.caption, *captions):
        yield f"its caption {quoted(said.caption)} is not in the source", part


def _text(audit: AuditContext, block: AuditBlock) -> str:
    return quoted(audit.source.text[block.start : block.end])


def _missing_slice(part: TablePart, rows: int) -> str:
    entries = part.piece.tables
    said = ", ".join(f"{one.row_start}-{one.row_end} of {one.row_count}" for one in entries)
    return f"holds rows {part.first}-{part.last} of {rows}, but its record says {said or 'nothing'}"


def _cut_rows(
    audit: AuditContext, part: TablePart, rows: Sequence[AuditBlock]
) -> Iterator[tuple[str, TablePart]]:
    for number in part.cut:
        row = rows[number - 1]
        tokens = audit.count_span(row.start, row.end)
        if part.piece.chunk is None and audit.fills(tokens, slack=0):
            continue
        entry = part.slice
        if entry is None or entry.cell_part is None:
            yield f"row {number} is cut: {_text(audit, row)}", part
        elif entry.row_start != entry.row_end:
            yield f"holds a part of row {number} and other rows: {_text(audit, row)}", part


def _numbering(parts: Sequence[TablePart], headers: int) -> Iterator[tuple[str, TablePart]]:
    """Check that parts, and parts of a row, are numbered from 1, and agree about the table."""
    cell_part = 0
    previous: TablePart | None = None
    for number, part in enumerate(parts, 1):
        entry = part.slice
        if entry is None:
            continue
        if (entry.part, entry.parts) != (number, len(parts)):
            said = f"its record says {entry.part} of {entry.parts}"
            yield f"is part {number} of {len(parts)}, but {said}", part
        if entry.header_rows != headers:
            said = f"its record says {entry.header_rows} header rows"
            yield f"{said}, but the table has {headers}", part
        same_row = previous is not None and bool(part.cut) and previous.last == part.first
        cell_part = cell_part + 1 if same_row else 1
        wanted = cell_part if part.cut else None
        if entry.cell_part != wanted and not (part.cut and entry.cell_part is None):
            yield f"cell_part is {entry.cell_part}, but should be {wanted}", part
        first = parts[0].slice
        if first and (entry.id, entry.caption) != (first.id, first.caption):
            yield "its record has another id or caption than that of the first part", part
        previous = part
