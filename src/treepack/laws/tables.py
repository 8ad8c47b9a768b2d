"""Law 5: a table is cut only between rows, and each piece is a table that knows its rows."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import itemgetter
from typing import Final, TypeAlias

from treepack.laws.chunks import AuditedChunk
from treepack.laws.judge import Audit, quoted
from treepack.laws.reading import Place
from treepack.markdown.block_tokens import row_cells
from treepack.markdown.html_tables import (
    HtmlCell,
    Label,
    plain_html,
    read_cells,
    read_tables,
    row_labels,
)
from treepack.model.blocks import Span, Table
from treepack.model.chunk import TableSlice
from treepack.model.source import LINE_END

Cell: TypeAlias = tuple[str, int, int]
"""Its text, and the columns and rows that it spans."""

_WORD: Final = re.compile(r"[^\W_]+")


@dataclass(eq=False)
class Part:
    """What one chunk holds of a table.

    Attributes:
        chunk: The chunk.
        first: The first row of which it holds something, from 1; 0 if it holds no row.
        last: The last such row.
        cut: The rows, from 1, of which it holds only a part.
        entry: The entry of its record for these rows, if there is one.
    """

    chunk: AuditedChunk
    first: int = 0
    last: int = 0
    cut: set[int] = field(default_factory=set[int])
    entry: TableSlice | None = None


def check_rows(audit: Audit) -> None:
    """Check law 5 for each table, in GFM or HTML."""
    unused = {each.number: [*each.record.tables] if each.record else [] for each in audit.chunks}
    found: set[int] = set()
    owners: dict[str, Table] = {}
    for place, table in audit.reading.framed:
        if not isinstance(table, Table):
            continue
        audit.log.checked[5] += 1
        parts = [_part(audit, chunk, table) for chunk in audit.chunks_with(table)]
        for part in parts:
            part.entry = _entry(part, table, unused[part.chunk.number])
        breaches = _wrong_entries(parts, table, owners), _breaches(audit, place, table, parts)
        for reason, part in [*chain(*breaches)]:
            found.add(part.chunk.number)
            where = f"{reason} (table {quoted(' | '.join(table.columns))})"
            audit.find(5, part.chunk, where, max(part.chunk.start, table.start))
    for chunk in audit.chunks:
        for entry in unused[chunk.number] if chunk.number not in found else ():
            rows = f"{entry.row_start}-{entry.row_end} of {entry.row_count}"
            audit.find(5, chunk, f"its record lists rows {rows} of a table that it does not hold")


def _part(audit: Audit, chunk: AuditedChunk, table: Table) -> Part:
    part = Part(chunk)
    for start, end in chunk.spans_within(table.start, table.end):
        low = bisect_right(table.rows, start, key=itemgetter(1)) + 1
        high = bisect_left(table.rows, end, key=itemgetter(0))
        if low <= high:
            part.first, part.last = part.first or low, high
            for number in (low, high):
                row = audit.reading.trimmed(*table.rows[number - 1])
                held = [*chunk.spans_within(*row)]
                is_whole = not held or (held[0][0], held[-1][1]) == row
                part.cut |= set() if is_whole else {number}
    return part


def _entry(part: Part, table: Table, unused: list[TableSlice]) -> TableSlice | None:
    """Take the entry for a part out of those that are not used yet."""
    for entry in unused:
        is_range = (entry.row_start, entry.row_end) == (part.first, part.last)
        is_empty = not part.first and entry.row_start > entry.row_end  # only the header, or no rows
        is_alike = (entry.columns, entry.row_count) == (table.columns, len(table.rows))
        if is_alike and (is_range or is_empty or not table.rows):
            unused.remove(entry)
            return entry
    return None


def _wrong_entries(
    parts: Sequence[Part], table: Table, owners: dict[str, Table]
) -> Iterator[tuple[str, Part]]:
    """Yield where records differ from what the chunks hold; ``owners`` has the tables by id."""
    row_part = 0
    for number, part in enumerate(parts, 1):
        entry, before = part.entry, parts[number - 2] if number > 1 else None
        row_part = row_part + 1 if before and part.cut and before.last == part.first else 1
        if entry is None:
            if part.chunk.record is not None and (part.first or not table.rows):
                ranges = [(each.row_start, each.row_end) for each in part.chunk.record.tables]
                rows = f"rows {part.first}-{part.last} of {len(table.rows)}"
                yield f"holds {rows}, but its record has the ranges {ranges}", part
            continue
        is_own = owners.setdefault(entry.id, table) is table
        cell_part = entry.cell_part if entry.header_left_out else row_part if part.cut else None
        for what, found, right in (
            ("part", (entry.part, entry.parts), (number, len(parts))),
            ("header rows", entry.header_rows, table.header_rows),
            ("caption", entry.caption, table.caption or None),
            ("cell_part", entry.cell_part, cell_part),
            ("id", entry.id, (parts[0].entry or entry).id if is_own else "of no other table"),
        ):
            if found != right:
                yield f"its record has the {what} {found}, but should have {right}", part


def _breaches(
    audit: Audit, place: Place, table: Table, parts: Sequence[Part]
) -> Iterator[tuple[str, Part]]:
    if any(part.entry and part.entry.header_left_out for part in parts):
        audit.log.marks[5]["header left out"] += 1
        return
    for part in parts:
        for reason in _part_breaches(audit, place, table, part, is_cut=len(parts) > 1):
            yield reason, part


def _part_breaches(
    audit: Audit, place: Place, table: Table, part: Part, *, is_cut: bool
) -> Iterator[str]:
    if table.rows and not part.first:
        if not _fills_chunk(audit, place, table, part):
            yield "holds the header without any row"
        return
    for number in part.cut:
        row = audit.reading.text[slice(*table.rows[number - 1])]
        if part.entry and part.entry.cell_part is not None and part.first == part.last:
            audit.log.marks[5]["row cut by cells"] += 1
        elif part.chunk.record or not audit.is_above_half(audit.count(row)):
            yield f"row {number} is cut: {quoted(row)}"
    if is_cut or not part.chunk.parses_as_source(place):
        lost = _lost_caption(audit, table, part) if is_cut else ""
        yield from filter(None, (_parsed_breach(audit, table, part), lost))


def _fills_chunk(audit: Audit, place: Place, table: Table, part: Part) -> bool:
    """Whether the header and the first row, with what is above, may not fit into one chunk."""
    chunk = part.chunk
    row = audit.reading.text[audit.lead_start(place) : table.rows[0][1]]
    around = sum(audit.sides(chunk)) + audit.line_tokens(chunk, chunk.start, chunk.end)
    return audit.is_above_half((audit.count(row) + around) // 2)


def _lost_caption(audit: Audit, table: Table, part: Part) -> str:
    """Return what is wrong if a piece lacks the caption, although there is room to repeat it."""
    captions = audit.reading.caption(table)
    if any(_words(each) in _words(part.chunk.text) for each in captions):
        return ""
    header = audit.count(audit.reading.text[slice(*table.header)])
    context = max(header, sum(audit.sides(part.chunk)))
    if not audit.is_above_half(context + audit.count(captions[-1] + table.closing)):
        return f"its text lacks the caption {quoted(captions[-1])}"
    audit.log.marks[5]["caption left out"] += 1
    return ""


def _words(text: str) -> str:
    return "".join(_WORD.findall(text)).casefold() or text


# -------------------------------------------------------------------- parsed alone


def _parsed_breach(audit: Audit, table: Table, part: Part) -> str:
    """Return what is wrong: parsed alone, the chunk must have the table with just its own rows."""
    text = audit.reading.text
    numbers = range(part.first, part.last + 1) if part.first else ()
    rows = {number: _source_cells(audit, table, number) for number in numbers}
    if rows and table.is_html and not any(rows.values()):
        return ""  # rows without cells make no table by themselves
    header = audit.reading.once("header", table.start, lambda: _header(text, table))
    found = [each for each in part.chunk.framed if isinstance(each, Table)]
    alike = [each for each in found if _header(part.chunk.text, each) == header]
    if not alike and (alike := [each for each in found if _is_shortened(audit, table, part, each)]):
        audit.log.marks[5]["header shortened"] += 1
    reasons = [_difference(audit, table, part, rows, parsed) for parsed in alike]
    if not alike:
        return "its text, parsed alone, has no table with this header"
    return reasons[0] if all(reasons) else ""


def _letters(text: str) -> str:
    """Return a text without whitespace and the markers of quotes."""
    return "".join(text.replace(">", "").split())


def _header(text: str, table: Table) -> tuple[bool, int, str]:
    """Return what two tables must share: the kind, the number of header rows, and their text."""
    words = plain_html(text, *table.header) if table.is_html else text[slice(*table.header)]
    return table.is_html, table.header_rows, _letters(words)


def _is_shortened(audit: Audit, table: Table, part: Part, parsed: Table) -> bool:
    """Whether a parsed table has the beginning of each header cell, and the whole has no room."""
    if not audit.is_above_half(
        audit.count(audit.reading.text[slice(*table.header)]) + sum(audit.sides(part.chunk))
    ):
        return False
    whole = _header_cells(audit.reading.text, table)
    short = _header_cells(part.chunk.text, parsed)
    return [*map(len, whole)] == [*map(len, short)] and all(
        _begins(cell, piece)
        for row, pieces in zip(whole, short, strict=True)
        for cell, piece in zip(row, pieces, strict=True)
    )


def _begins(cell: Cell, piece: Cell) -> bool:
    """Whether a piece has the beginning of a cell; only an empty cell may have nothing."""
    whole, part = _letters(cell[0]), _letters(piece[0].removesuffix("…"))
    return whole.startswith(part) and bool(whole) == bool(part) and cell[1:] == piece[1:]


def _header_cells(text: str, table: Table) -> list[list[Cell]]:
    if table.is_html:
        rows = read_tables(text, table.start, table.end)[0].header_rows
        return [_html_cells(text, row.cells) for row in rows]
    lines = [line.strip(" \t>") for line in LINE_END.split(text[slice(*table.header)])]
    return [_pipe_cells(line, len(table.columns)) for line in lines[: table.header_rows]]


def _cells(text: str, row: Span, table: Table) -> list[Cell]:
    if table.is_html:
        return _html_cells(text, read_cells(text, *row))
    return _pipe_cells(text[slice(*row)], len(table.columns))


def _html_cells(text: str, cells: Sequence[HtmlCell]) -> list[Cell]:
    return [(plain_html(text, *each.content), each.columns, each.rows) for each in cells]


def _pipe_cells(line: str, width: int) -> list[Cell]:
    found = [cell.strip() for cell in row_cells(line.strip())]
    found = found[bool(found) and not found[0] :]
    found = found[: -1 if found and not found[-1] else None]
    # Missing cells are added at once: a hostile table has many columns and short rows.
    return [(cell, 1, 1) for cell in (*found[:width], *[""] * (width - len(found)))]


def _source_cells(audit: Audit, table: Table, number: int) -> list[Cell]:
    row, text = table.rows[number - 1], audit.reading.text
    return audit.reading.once("cells", row[0], lambda: _cells(text, row, table))


def _difference(
    audit: Audit, table: Table, part: Part, rows: dict[int, list[Cell]], parsed: Table
) -> str:
    """Return how the rows of a parsed table differ from those of the part; overlap may precede."""
    text = audit.reading.text
    extra = len(parsed.rows) - len(rows)
    if extra < 0 or (extra and not part.chunk.has_overlap):
        return f"its table has {len(parsed.rows)} rows, but should have {len(rows)}"
    for (number, cells), row in zip(rows.items(), parsed.rows[extra:], strict=True):
        found = _cells(part.chunk.text, row, parsed)
        if number in part.cut:
            if reason := _cell_difference(audit, table, part, number, found):
                return f"row {number}: {reason}"
            continue
        labels = _labels(audit, table, number) if number == part.first and not extra else []
        above = [
            (label.before, (plain_html(text, *label.cell.content), label.cell.columns, label.rows))
            for label in labels
        ]
        labelled = [cell for _, cell in sorted([*above, *enumerate(cells)], key=itemgetter(0))]
        if labels and _lettered(found) == _lettered(cells):
            if not _is_long(audit, table, part, labels):
                words = quoted(" ".join([words for _, (words, *_) in above]))
                return f"row {number}: {words}, which reaches into it, is not repeated"
            audit.log.marks[5]["label left out"] += 1
        elif _lettered(found) != _lettered(labelled):
            texts = (quoted(" | ".join(cell[0] for cell in which)) for which in (found, labelled))
            return f"row {number} is {' instead of '.join(texts)}"
    return ""


def _lettered(cells: Sequence[Cell]) -> list[Cell]:
    return [(_letters(text), columns, rows) for text, columns, rows in cells]


def _labels(audit: Audit, table: Table, number: int) -> list[Label]:
    """Return the cells that reach into a row from above."""
    if not table.is_html:
        return []
    rows = audit.reading.html(table).rows
    return audit.reading.once("labels", table.start, lambda: row_labels(rows))[number - 1]


def _is_long(audit: Audit, table: Table, part: Part, labels: Sequence[Label]) -> bool:
    """Whether the cells that reach into a part's first row may be too long to be repeated."""
    text, row = audit.reading.text, table.rows[part.first - 1]
    opening = text[row[0] : read_cells(text, *row)[labels[-1].before].start]
    tokens = audit.count(opening) + sum(
        audit.count(f'<td rowspan="{label.rows}">{text[slice(*label.cell.content)]}</td>')
        for label in labels
    )
    tokens += 2 * (text.count("\n", *table.header) + 1)  # each line may get a prefix
    whole = audit.count(part.chunk.text) + tokens
    return audit.is_above_half(max(sum(audit.sides(part.chunk)) + tokens, whole // 2))


def _cell_difference(
    audit: Audit, table: Table, part: Part, number: int, found: Sequence[Cell]
) -> str:
    """Return what is wrong with a part of a row: each cell has text of its column, and the key."""
    row = table.rows[number - 1]
    text, cells = audit.reading.text[slice(*row)], _source_cells(audit, table, number)
    if len(found) > len(cells):
        return f"it has {len(found)} cells, but should have {len(cells)}"
    # A tag above the cap is cut and reads as text; a row may be too wide to keep its columns.
    is_wide = audit.is_above_half(2 * audit.count(" |" * len(table.columns)))
    is_loose = table.is_html or is_wide
    everywhere = audit.reading.once(
        "row", row[0], lambda: f"{plain_html(text, 0, len(text))} {text}" if is_loose else ""
    )
    for (whole, *_), (piece, *_) in zip(cells, found, strict=False):
        words = _WORD.findall(piece) if is_loose else [piece]
        is_inside = _letters(piece) in _letters(whole)
        if not is_inside and not all(word in everywhere for word in words):
            return f"the cell {quoted(piece)} is not part of {quoted(whole)}"
    if not cells[1:] or not cells[0][0] or found[0][0]:  # a lone cell is not a key
        return ""
    chunk = part.chunk
    key = text.split("</td>", 1)[0] if table.is_html else cells[0][0]
    line = audit.line_tokens(chunk, chunk.start, chunk.end)
    if audit.is_above_half(sum(audit.sides(chunk)) + line + audit.count(key)):
        audit.log.marks[5]["key left out"] += 1
        return ""
    return f"the key {quoted(cells[0][0])} is not repeated"
