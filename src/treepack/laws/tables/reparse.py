"""What a chunk's text, parsed alone, must show of a table: header, rows, sub-headers, caption."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from treepack.laws.audit_context import AuditContext, quoted
from treepack.laws.pieces import AuditedChunk
from treepack.laws.reading.blocks import AuditBlock
from treepack.laws.reading.chunk_text import ChunkText
from treepack.laws.reading.tables import HtmlRowText, ReadRow, ReadTable, SourceTable
from treepack.laws.reading.titles import holds_words
from treepack.laws.tables.repeats import (
    header_of,
    is_long,
    is_surely_long,
    is_too_deep,
    is_too_wide,
)
from treepack.markdown.html_tables import read_cells
from treepack.model.chunk import TableSlice


@dataclass(eq=False)
class TablePart:
    """What one chunk holds of a table.

    Attributes:
        piece: The chunk.
        first: The first row of which it holds something, from 1; 0 if it holds no row.
        last: The last such row.
        cut: The rows (by number) of which it holds only a part.
        slice: The entry of its record for these rows, if there is one.
    """

    piece: AuditedChunk
    first: int
    last: int
    cut: list[int]
    slice: TableSlice | None = None


def parsed_breaches(audit: AuditContext, part: TablePart, block: AuditBlock) -> Iterator[str]:
    """Yield what is wrong: parsed alone, the chunk must have the table with just its own rows."""
    table, is_html = audit.table(block), block.table.is_html
    found = tables_like(part.piece.reading, table)
    if part.cut and is_html:
        if any(is_too_deep(audit, table.rows[number - 1]) for number in part.cut):
            return
        found = found or tables_like(part.piece.reading.closed(), table)
    held = range(part.first, part.last + 1) if part.first else ()
    if held and is_html and not any(table.row(number).cells for number in held):
        return  # rows without cells do not make a table by themselves
    if not found:
        yield "its text, parsed alone, has no table with this header"
        return
    above = table.band_of(part.first)
    reasons = [_difference(audit, other, table, part) for other in found]
    if all(reasons):
        yield str(reasons[0])
    elif above and not any(
        _has_band(other, table, part, above)
        for other, reason in zip(found, reasons, strict=True)
        if not reason
    ):
        start, end = table.rows[above[0] - 1].start, table.rows[above[-1] - 1].end
        band = audit.source.text[start:end]
        header = header_of(audit, block)
        for caption in audit.captions(block)[1:]:  # it is repeated first, and takes up room
            whole = f"{caption}\n\n{header}"
            header = header if is_surely_long(audit, block, whole) else whole
        if not is_long(audit, block, f"{header}\n{band}"):
            yield f"the sub-header {quoted(band)} above row {part.first} is not repeated"


def tables_like(reading: ChunkText, table: SourceTable) -> list[ReadTable]:
    """Return the tables in a chunk's text that have the header of a table of the source."""
    is_html = table.html is not None
    return [one for one in reading.tables if one.is_html == is_html and one.header == table.header]


def _extra(other: ReadTable, part: TablePart) -> int:
    """Return how many rows of a chunk's table come before those that the chunk holds."""
    return len(other.rows) - (part.last - part.first + 1 if part.first else 0)


def _has_band(other: ReadTable, table: SourceTable, part: TablePart, above: Sequence[int]) -> bool:
    wanted = [table.row(number).comparable for number in above]
    said = [row.comparable for row in other.rows[: _extra(other, part)]]
    places = [len(said) - len(wanted)]
    if part.piece.has_overlap:  # rows of the overlap may come between
        places += range(len(said) - len(wanted))
    return any(place >= 0 and said[place : place + len(wanted)] == wanted for place in places)


def _difference(
    audit: AuditContext, other: ReadTable, table: SourceTable, part: TablePart
) -> str | None:
    """Return how the rows of a chunk's table differ from what they should be; None if they agree.

    Sub-headers of earlier rows may be repeated above them.
    """
    extra = _extra(other, part)
    wanted = len(other.rows) - extra
    earlier = table.first_bands
    repeated = other.rows[: max(extra, 0)]
    is_repeat = all(earlier.get(row.comparable, part.first) < part.first for row in repeated)
    if extra < 0 or not (is_repeat or part.piece.has_overlap):
        return f"its table has {len(other.rows)} rows, but should have {wanted}"
    for number in range(part.first, part.first + wanted):
        found = other.rows[extra + number - part.first]
        if number in part.cut:
            if reason := _cell_difference(audit, part, table, number, found):
                return f"row {number}: {reason}"
        elif table.row(number).comparable != found.comparable:
            wanted_cells = quoted(" | ".join(table.row(number).cells))
            return f"row {number} is {quoted(' | '.join(found.cells))} instead of {wanted_cells}"
    return None


def _cell_difference(
    audit: AuditContext, part: TablePart, table: SourceTable, number: int, parsed: ReadRow
) -> str | None:
    row, cells = table.rows[number - 1], table.row(number).cells
    if len(parsed.cells) > len(cells):
        return f"it has {len(parsed.cells)} cells, but should have {len(cells)}"
    anywhere = audit.read(HtmlRowText.of, row).letters if table.html else ""
    if is_too_wide(audit, row):
        anywhere += "\0".join("".join(cell.split()) for cell in cells)
    for place, (whole, piece) in enumerate(zip(cells, parsed.cells, strict=False)):
        said = "".join(piece.split())
        said = _outside_cut_tags(audit, row, said) if table.html else said
        if said not in "".join(whole.split()) and said not in anywhere:
            return f"the cell {quoted(piece)} is not part of {quoted(whole)}"
        is_key = place == 0 and whole and cells[1:]  # a lone cell is not a key
        if is_key and not piece and not _is_key_long(audit, part, _raw_key(audit, row, whole)):
            return f"the key {quoted(whole)} is not repeated"
    return None


def _outside_cut_tags(audit: AuditContext, row: AuditBlock, said: str) -> str:
    """Return a part of a cell without the fragments of tags that are cut at its start or end.

    A tag above the cap, such as a link to a long address, has to be cut.
    """
    raw = "".join(audit.source.text[row.start : row.end].split())
    tag, sign, rest = said.partition(">")
    said = rest if sign and f"{tag}>" in raw else said
    before, sign, tag = said.rpartition("<")
    return before if sign and ">" not in tag and f"<{tag}" in raw else said


def _raw_key(audit: AuditContext, row: AuditBlock, key: str) -> str:
    """Return a row's first cell as a piece repeats it: in HTML with its own tags and inner tags."""
    if not row.table.is_html:
        return key
    cell = read_cells(audit.source.text, row.start, row.end)[0]
    columns = f' colspan="{cell.columns}"' if cell.columns > 1 else ""
    return f"<td{columns}>{audit.source.text[slice(*cell.content)].strip()}</td>"


def _is_key_long(audit: AuditContext, part: TablePart, key: str) -> bool:
    """Whether key and other context take half the cap, so that the key need not be repeated."""
    if part.piece.chunk is None:
        return False
    context = audit.count(key) + audit.repeated_tokens(part.piece)
    line = audit.breadcrumb_tokens(part.piece, part.piece.start, part.piece.end, is_section=False)
    return audit.fills(context + line)


def caption_breaches(audit: AuditContext, part: TablePart, table: AuditBlock) -> Iterator[str]:
    """Yield a breach if a piece's text lacks the words of the caption, unless they are too long."""
    captions = audit.captions(table)
    if not captions or any(holds_words(part.piece.text, caption) for caption in captions):
        return
    if not is_long(audit, table, f"{captions[-1]}\n\n{header_of(audit, table)}"):
        yield f"its text lacks the caption {quoted(captions[-1])}"
