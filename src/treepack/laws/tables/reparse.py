"""What the text of a chunk, parsed alone, has of a table: header, rows, sub-headers, caption."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from treepack.laws.audit_context import AuditContext, quoted
from treepack.laws.pieces import Piece
from treepack.laws.reading.blocks import Block
from treepack.laws.reading.captions import Caption
from treepack.laws.reading.parsed_source import ParsedSource
from treepack.laws.reading.tables import band_of, header_cells, said_by
from treepack.laws.reading.titles import holds_words
from treepack.laws.tables.repeats import (
    header_of,
    is_long,
    is_surely_long,
    is_too_deep,
    is_too_wide,
)
from treepack.markdown.html_tables import open_tables

_SLACK: Final = 8


@dataclass(eq=False)
class Held:
    """What one chunk holds of a table.

    Attributes:
        piece: The chunk.
        first: The first row of which it holds something, from 1; 0 when it holds no row.
        last: The last one.
        cut: The rows (by number) of which it holds only a part.
    """

    piece: Piece
    first: int
    last: int
    cut: list[int]


def parsed_breaches(
    audit: AuditContext, part: Held, table: Block, caption: Caption | None
) -> Iterator[str]:
    """Parse the chunk alone: it must have the table, with just the rows it holds."""
    found = tables_like(part.piece.reading, table)
    if part.cut and table.html is not None:
        if any(is_too_deep(audit, table.children[number]) for number in part.cut):
            return
        found = found or tables_like(_closed(part.piece.text), table)
    held = table.children[part.first : part.last + 1]
    if part.first and table.html is not None and not any(row.row and row.row.cells for row in held):
        return  # rows without cells are no table by themselves
    if not found:
        yield "its text has no table with this header"
        return
    above = band_of(audit.bands(table), part.first)
    reasons = [_difference(audit, other, table, part) for other in found]
    if all(reasons):
        yield str(reasons[0])
    elif above and not any(
        _has_band(other, table, part, above)
        for other, reason in zip(found, reasons, strict=True)
        if not reason
    ):
        start, end = table.children[above[0]].start, table.children[above[-1]].end
        band = audit.source.text[start:end]
        header = header_of(audit, table)
        if caption and not is_surely_long(audit, table, f"{caption.raw}\n\n{header}"):
            header = f"{caption.raw}\n\n{header}"  # it is repeated first, and takes its room
        if not is_long(audit, table, f"{header}\n{band}"):
            yield f"the sub-header {quoted(band)} above row {part.first} is not repeated"


def tables_like(reading: ParsedSource, table: Block) -> list[Block]:
    """The tables in a chunk's text with the header of a table of the source."""
    header = header_cells(table)
    tables = reading.tables
    return [one for one in tables if header_cells(one) == header and _same_kind(one, table)]


def _closed(text: str) -> ParsedSource:
    """A text whose open HTML tables end where it ends, as browsers read it.

    A cell that is cut may have a table in it, which is then open at the end of the first piece.
    """
    return ParsedSource(text + "</table>" * open_tables(text, 0, len(text)))


def _same_kind(one: Block, other: Block) -> bool:
    return (one.html is None) == (other.html is None)


def _extra(other: Block, part: Held) -> int:
    """How many rows stand in a chunk's table before those that it holds."""
    return len(other.children) - 1 - (part.last - part.first + 1 if part.first else 0)


def _has_band(other: Block, table: Block, part: Held, above: Sequence[int]) -> bool:
    wanted = [said_by(table.children[number]) for number in above]
    said = [said_by(row) for row in other.children[1 : 1 + _extra(other, part)]]
    places = [len(said) - len(wanted)]
    if part.piece.has_overlap:  # its rows may stand between
        places += range(len(said) - len(wanted))
    return any(place >= 0 and said[place : place + len(wanted)] == wanted for place in places)


def _difference(audit: AuditContext, other: Block, table: Block, part: Held) -> str | None:
    """How the rows of a chunk's table differ from those that it should hold; None if not at all.

    Sub-headers of the rows before may stand above them.
    """
    extra = _extra(other, part)
    wanted = len(other.children) - 1 - extra
    earlier = audit.first_bands(table)
    repeated = other.children[1 : 1 + max(extra, 0)]
    is_repeat = all(earlier.get(said_by(row), part.first) < part.first for row in repeated)
    if extra < 0 or not (is_repeat or part.piece.has_overlap):
        return f"its table has {wanted + extra} rows, but should have {wanted}"
    for number in range(part.first, part.first + wanted):
        row, found = table.children[number], other.children[1 + extra + number - part.first]
        if number in part.cut:
            if reason := _cell_difference(audit, part, row, found.cells):
                return f"row {number}: {reason}"
        elif said_by(row) != said_by(found):
            return f"row {number} reads {quoted(' | '.join(found.cells))}"
    return None


def _cell_difference(
    audit: AuditContext, part: Held, row: Block, parsed: Sequence[str]
) -> str | None:
    cells = row.cells
    if len(parsed) > len(cells):
        return f"it has {len(parsed)} cells, but should have {len(cells)}"
    anywhere = audit.html_row(row).letters if row.row else ""
    if is_too_wide(audit, row):
        anywhere += "\0".join("".join(cell.split()) for cell in cells)
    for place, (whole, piece) in enumerate(zip(cells, parsed, strict=False)):
        said = "".join(piece.split())
        if said not in "".join(whole.split()) and said not in anywhere:
            return f"the cell {quoted(piece)} is no part of {quoted(whole)}"
        key = _raw_key(audit, row, whole)
        is_key = place == 0 and whole and cells[1:]  # the text after a lone cell is its own
        if is_key and not piece and not _is_key_long(audit, part, key):
            return f"the key {quoted(whole)} is not repeated"
    return None


def _raw_key(audit: AuditContext, row: Block, key: str) -> str:
    """The first cell of a row as a piece repeats it: in HTML with the tags in it and its own."""
    if row.row is None:
        return key
    cell = row.row.cells[0]
    columns = f' colspan="{cell.columns}"' if cell.columns > 1 else ""
    return f"<td{columns}>{audit.source.text[cell.start : cell.end].strip()}</td>"


def _is_key_long(audit: AuditContext, part: Held, key: str) -> bool:
    """Whether the key and the other context take half the cap, so that it need not be repeated."""
    cap, chunk = audit.limits.max_tokens, part.piece.chunk
    if cap is None or chunk is None:
        return False
    context = audit.count(key) + audit.repeated_tokens(part.piece)
    line = audit.breadcrumb_tokens(part.piece, part.piece.start, part.piece.end, is_section=False)
    return context + line + _SLACK > cap / 2


def caption_breaches(
    audit: AuditContext, part: Held, table: Block, caption: Caption
) -> Iterator[str]:
    """The words of the caption stand in the text of each piece, unless they are too long."""
    text = part.piece.text
    if holds_words(text, caption.text) or holds_words(text, caption.raw):
        return
    if not is_long(audit, table, f"{caption.raw}\n\n{header_of(audit, table)}"):
        yield f"its text lacks the caption {quoted(caption.raw)}"
