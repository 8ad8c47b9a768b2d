"""Law 5: a table is cut only between rows, and each piece is a table that knows its rows."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from treepack.audit.case import MARK_TOKENS, Case, quoted
from treepack.audit.pieces import Piece
from treepack.audit.reading import Block
from treepack.audit.titles import same_title, title_of
from treepack.packing.chunk import TableSlice

_SLACK: Final = 8


@dataclass(eq=False)
class Part:
    """What one chunk holds of a table.

    Attributes:
        piece: The chunk.
        first: The first row of which it holds something, from 1; 0 when it holds no row.
        last: The last one.
        cut: The rows (by number) of which it holds only a part.
        slice: The entry of its record for these rows, if there is one.
    """

    piece: Piece
    first: int
    last: int
    cut: list[int]
    slice: TableSlice | None = None


def check_rows(case: Case) -> None:
    """Law 5, for each GFM table of the source."""
    for table in case.source.tables:
        case.log.checked(5)
        held = case.pieces_of(table)
        parts = [_part(piece, table) for piece in held]
        for part in parts:
            part.slice = _slice_of(case, part, table)
        if not _is_cut_as_lines(case, parts, table):
            for reason, part in _breaches(case, parts, table):
                position = max(part.piece.start, table.start)
                case.log.found(5, f"{reason} (table {_name(table)})", position, part.piece.index)


def _name(table: Block) -> str:
    return quoted(" | ".join(table.children[0].cells))


def _part(piece: Piece, table: Block) -> Part:
    rows = table.children[1:]
    first, last = 0, 0
    cut: list[int] = []
    for start, end in piece.share(table.start, table.end):
        low = bisect_right(rows, start, key=lambda row: row.end)
        high = bisect_left(rows, end, key=lambda row: row.start)
        if low < high:
            first, last = first or low + 1, high
            cut += [number + 1 for number in {low, high - 1} if _is_partial(piece, rows[number])]
    return Part(piece, first, last, sorted(set(cut)))


def _is_partial(piece: Piece, row: Block) -> bool:
    held = list(piece.share(row.start, row.end))
    return bool(held) and (held[0][0] > row.start or held[-1][1] < row.end)


def _slice_of(case: Case, part: Part, table: Block) -> TableSlice | None:
    rows = len(table.children) - 1
    for entry in part.piece.tables:
        is_range = not rows or (entry.row_start, entry.row_end) == (part.first, part.last)
        if is_range and entry.row_count == rows and _same_columns(case, entry, table):
            return entry
    return None


def _same_columns(case: Case, entry: TableSlice, table: Block) -> bool:
    cells = table.children[0].cells
    return len(cells) == len(entry.columns) and all(
        same_title(title_of(cell, case.source.env), column)
        for cell, column in zip(cells, entry.columns, strict=True)
    )


def _is_cut_as_lines(case: Case, parts: Sequence[Part], table: Block) -> bool:
    """Whether the header takes half the cap; then the table may be cut like plain lines.

    Around a nested table the marks of its containers have to be repeated as well.
    """
    if case.limits.max_tokens is None or len(parts) == 1 or any(part.slice for part in parts):
        return False
    marks = MARK_TOKENS * case.source.nesting(table.start, table.end)
    return case.count(header_of(case, table)) + marks + _SLACK > case.limits.max_tokens / 2


def header_of(case: Case, table: Block) -> str:
    """The header row and the delimiter row of a table, as they stand in the source."""
    start, end = case.source.span_of_lines(table.lines[0], table.lines[0] + 2)
    return case.source.text[start:end]


def _breaches(case: Case, parts: Sequence[Part], table: Block) -> Iterator[tuple[str, Part]]:
    rows = table.children[1:]
    for part in parts:
        if rows and not part.first:
            yield "holds the header without a row", part
            continue
        header = table.children[0]
        if not rows and _is_partial(part.piece, header):
            yield f"cuts the header row {_text(case, header)}", part
        yield from _cut_rows(case, part, rows)
        if part.piece.chunk is not None and part.slice is None:
            yield _missing_slice(part, len(rows)), part
        if len(parts) > 1 or not part.piece.is_whole(table):
            yield from _parsed_breaches(case, part, table)
    yield from _numbering(parts)


def _text(case: Case, block: Block) -> str:
    return quoted(case.source.text[block.start : block.end])


def _missing_slice(part: Part, rows: int) -> str:
    entries = part.piece.tables
    said = ", ".join(f"{one.row_start}-{one.row_end} of {one.row_count}" for one in entries)
    return f"holds rows {part.first}-{part.last} of {rows}, but its record says {said or 'nothing'}"


def _cut_rows(case: Case, part: Part, rows: Sequence[Block]) -> Iterator[tuple[str, Part]]:
    for number in part.cut:
        row = rows[number - 1]
        if part.piece.chunk is None and _is_above_cap(case, row):
            continue
        entry = part.slice
        if entry is None or entry.cell_part is None:
            yield f"row {number} is cut: {_text(case, row)}", part
        elif entry.row_start != entry.row_end:
            yield f"a part of row {number} stands with other rows: {_text(case, row)}", part


def _is_above_cap(case: Case, row: Block) -> bool:
    cap = case.limits.max_tokens
    return cap is not None and case.count(case.source.text[row.start : row.end]) > cap / 2


def _parsed_breaches(case: Case, part: Part, table: Block) -> Iterator[tuple[str, Part]]:
    """Parse the chunk alone: it must have the table, with just the rows it holds."""
    header = table.children[0].cells
    found = [other for other in part.piece.reading.tables if other.children[0].cells == header]
    if not found:
        yield "its text has no table with this header", part
        return
    rows = table.children[1:]
    wanted = rows[part.first - 1 : part.last] if part.first else []
    reasons = [_difference(case, other.children[1:], wanted, part) for other in found]
    if all(reasons):
        yield str(reasons[0]), part


def _difference(
    case: Case, parsed: Sequence[Block], wanted: Sequence[Block], part: Part
) -> str | None:
    """How the rows of a chunk's table differ from those that it should hold; None if not at all."""
    if part.piece.has_overlap:
        parsed = parsed[max(len(parsed) - len(wanted), 0) :]
    if len(parsed) != len(wanted):
        return f"its table has {len(parsed)} rows, but should have {len(wanted)}"
    for number, (row, other) in enumerate(zip(wanted, parsed, strict=True), part.first):
        if number in part.cut:
            if reason := _cell_difference(case, part, row.cells, other.cells):
                return f"row {number}: {reason}"
        elif row.cells != other.cells:
            return f"row {number} reads {quoted(' | '.join(other.cells))}"
    return None


def _cell_difference(
    case: Case, part: Part, cells: Sequence[str], parsed: Sequence[str]
) -> str | None:
    for place, (whole, piece) in enumerate(zip(cells, parsed, strict=True)):
        if "".join(piece.split()) not in "".join(whole.split()):
            return f"the cell {quoted(piece)} is no part of {quoted(whole)}"
        if place == 0 and whole and not piece and not _is_key_long(case, part, whole):
            return f"the key {quoted(whole)} is not repeated"
    return None


def _is_key_long(case: Case, part: Part, key: str) -> bool:
    """Whether the key and the other context take half the cap, so that it need not be repeated."""
    cap, chunk = case.limits.max_tokens, part.piece.chunk
    if cap is None or chunk is None:
        return False
    context = case.count(key) + case.repeated_tokens(part.piece)
    line = case.breadcrumb_tokens(part.piece, part.piece.start, part.piece.end, is_section=False)
    return context + line + _SLACK > cap / 2


def _numbering(parts: Sequence[Part]) -> Iterator[tuple[str, Part]]:
    """Parts and parts of a row are numbered from 1, and all say the same of the table."""
    cell_part = 0
    previous: Part | None = None
    for number, part in enumerate(parts, 1):
        entry = part.slice
        if entry is None:
            continue
        if (entry.part, entry.parts) != (number, len(parts)):
            yield f"is part {number} of {len(parts)}, but says {entry.part} of {entry.parts}", part
        if entry.header_rows != 1:
            yield f"says {entry.header_rows} header rows, a GFM table has 1", part
        same_row = previous is not None and bool(part.cut) and previous.last == part.first
        cell_part = cell_part + 1 if same_row else 1
        wanted = cell_part if part.cut else None
        if entry.cell_part != wanted and not (part.cut and entry.cell_part is None):
            yield f"cell_part is {entry.cell_part}, but should be {wanted}", part
        first = parts[0].slice
        if first and (entry.id, entry.caption) != (first.id, first.caption):
            yield "has another id or caption than the part before", part
        previous = part
