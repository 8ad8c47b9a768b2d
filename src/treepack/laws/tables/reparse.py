"""What a chunk's text, parsed alone, must show of a table: header, rows, caption."""

from collections.abc import Iterator
from dataclasses import dataclass

from treepack.laws.audit_context import AuditContext, quoted
from treepack.laws.chunks import AuditedChunk
from treepack.laws.reading.blocks import AuditBlock
from treepack.laws.reading.chunk_text import ChunkText
from treepack.laws.reading.tables import ReadRow, ReadTable, SourceTable, html_row_letters
from treepack.laws.reading.titles import holds_words
from treepack.laws.tables.repeats import (
    header_text,
    is_too_long,
    is_too_wide,
)
from treepack.markdown.html_tables import read_cells
from treepack.model.chunk import TableSlice


@dataclass(eq=False)
class TablePart:
    """What one chunk holds of a table.

    Attributes:
        chunk: The chunk.
        first: The first row of which it holds something, from 1; 0 if it holds no row.
        last: The last such row.
        cut_rows: The rows (by number) of which it holds only a part.
        entry: The entry of its record for these rows, if there is one.
    """

    chunk: AuditedChunk
    first: int
    last: int
    cut_rows: list[int]
    entry: TableSlice | None = None


def parsed_breaches(audit: AuditContext, part: TablePart, block: AuditBlock) -> Iterator[str]:
    """Yield what is wrong: parsed alone, the chunk must have the table with just its own rows."""
    table, is_html = audit.table(block), block.table.is_html
    parsed_tables = tables_like(part.chunk.parsed_text, table)
    held_rows = range(part.first, part.last + 1) if part.first else ()
    if held_rows and is_html and not any(table.row(number).cells for number in held_rows):
        return  # rows without cells do not make a table by themselves
    if not parsed_tables:
        yield "its text, parsed alone, has no table with this header"
        return
    reasons = [_row_difference(audit, parsed, table, part) for parsed in parsed_tables]
    if all(reasons):
        yield str(reasons[0])


def tables_like(reading: ChunkText, table: SourceTable) -> list[ReadTable]:
    """Return the tables in a chunk's text that have the header of a table of the source."""
    is_html = table.html is not None
    tables = (read for read in reading.tables if read.is_html == is_html)
    return [read for read in tables if read.header == table.header]


def _row_difference(
    audit: AuditContext, parsed: ReadTable, table: SourceTable, part: TablePart
) -> str | None:
    """Return how the rows of a chunk's table differ from what they should be; None if they agree.

    Rows of the overlap may come above them.
    """
    row_count = part.last - part.first + 1 if part.first else 0
    extra = len(parsed.rows) - row_count
    if extra < 0 or (extra and not part.chunk.has_overlap):
        return f"its table has {len(parsed.rows)} rows, but should have {row_count}"
    for number in range(part.first, part.first + row_count):
        parsed_row = parsed.rows[extra + number - part.first]
        if number in part.cut_rows:
            if reason := _cell_difference(audit, part, table, number, parsed_row):
                return f"row {number}: {reason}"
        elif table.row(number).comparable != parsed_row.comparable:
            cells, wanted = (
                quoted(" | ".join(row.cells)) for row in (parsed_row, table.row(number))
            )
            return f"row {number} is {cells} instead of {wanted}"
    return None


def _cell_difference(
    audit: AuditContext, part: TablePart, table: SourceTable, number: int, parsed: ReadRow
) -> str | None:
    row, cells = table.rows[number - 1], table.row(number).cells
    if len(parsed.cells) > len(cells):
        return f"it has {len(parsed.cells)} cells, but should have {len(cells)}"
    row_letters = audit.read_cached(html_row_letters, row) if table.html else ""
    if is_too_wide(audit, row):
        row_letters += "\0".join("".join(cell.split()) for cell in cells)
    for column, (source_cell, cell_part) in enumerate(zip(cells, parsed.cells, strict=False)):
        letters = "".join(cell_part.split())
        letters = _outside_cut_tags(audit, row, letters) if table.html else letters
        if letters not in "".join(source_cell.split()) and letters not in row_letters:
            return f"the cell {quoted(cell_part)} is not part of {quoted(source_cell)}"
        is_key = column == 0 and source_cell and cells[1:]  # a lone cell is not a key
        if not is_key or cell_part:
            continue
        if not _is_key_long(audit, part, _raw_key(audit, row, source_cell)):
            return f"the key {quoted(source_cell)} is not repeated"
    return None


def _outside_cut_tags(audit: AuditContext, row: AuditBlock, letters: str) -> str:
    """Return a part of a cell without the fragments of tags that are cut at its start or end.

    A tag above the cap, such as a link to a long address, has to be cut.
    """
    raw = "".join(audit.source.text_of(row).split())
    tag, bracket, rest = letters.partition(">")
    letters = rest if bracket and f"{tag}>" in raw else letters
    before, bracket, tag = letters.rpartition("<")
    return before if bracket and ">" not in tag and f"<{tag}" in raw else letters


def _raw_key(audit: AuditContext, row: AuditBlock, key: str) -> str:
    """Return a row's first cell as a piece repeats it: in HTML with its own tags and inner tags."""
    if not row.table.is_html:
        return key
    cell = read_cells(audit.source.text, row.start, row.end)[0]
    columns = f' colspan="{cell.columns}"' if cell.columns > 1 else ""
    return f"<td{columns}>{audit.source.text[slice(*cell.content)].strip()}</td>"


def _is_key_long(audit: AuditContext, part: TablePart, key: str) -> bool:
    """Whether key and other context take half the cap, so that the key need not be repeated."""
    if part.chunk.record is None:
        return False
    context = audit.count(key) + audit.repeated_tokens(part.chunk)
    line = audit.breadcrumb_tokens(part.chunk, part.chunk.start, part.chunk.end, is_section=False)
    return audit.exceeds_share(context + line)


def caption_breaches(audit: AuditContext, part: TablePart, table: AuditBlock) -> Iterator[str]:
    """Yield a breach if a piece's text lacks the words of the caption, unless they are too long."""
    captions = audit.captions(table)
    if not captions or any(holds_words(part.chunk.text, caption) for caption in captions):
        return
    if not is_too_long(audit, table, f"{captions[-1]}\n\n{header_text(audit, table)}"):
        yield f"its text lacks the caption {quoted(captions[-1])}"
