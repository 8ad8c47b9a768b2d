"""Tables among the audit's blocks: those in HTML, and the attribute line under a GFM table."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from treepack.laws.reading.blocks import Block, trimmed
from treepack.laws.reading.html import HtmlRow, HtmlTable, html_tables
from treepack.markdown.html_tables import open_tables, plain_html, without_marks

Said: TypeAlias = tuple[tuple[str, int, int], ...]

_ATTRIBUTES: Final = re.compile(r"[\s>]*(\{:[^\r\n]*\})\s*")
_MARKS: Final = re.compile(r"[\s>*+.)\d-]*")  # of the quotes and list items around a block
_LETTER: Final = re.compile(r"\w")
_BOLD: Final = re.compile(r"\*\*[^*].*\*\*|__[^_].*__", re.DOTALL)


def with_tables(blocks: list[Block], text: str) -> list[Block]:
    """Blocks at the top level with their HTML tables read, and attribute lines set apart.

    Blank lines end a block of HTML, but not its table: blocks up to where as many tables are
    closed as opened are taken together, though not beyond a heading.
    """
    has_html = "<table" in text.lower()
    waiting = [block for block in blocks if block.children]
    while waiting:
        holder = waiting.pop()
        if holder.kind == "table":
            _set_attributes_apart(holder, text)
        else:
            if has_html:
                holder.children = [_with_html(child, text) for child in holder.children]
            waiting += [child for child in holder.children if child.children and not child.html]
    return _joined(blocks, text) if has_html else blocks


def _set_attributes_apart(table: Block, text: str) -> None:
    last = table.children[-1]
    match = _ATTRIBUTES.fullmatch(text, last.start, last.end)
    if match and len(table.children) > 1:
        table.children.pop()
        table.attributes = match[1]


def _joined(blocks: list[Block], text: str) -> list[Block]:
    ends = _balanced_ends(blocks, text)
    found: list[Block] = []
    at = tried = 0  # what stands inside of blocks that were tried together is not tried again
    while at < len(blocks):
        block, after = blocks[at], at + 1
        if block.kind == "html":
            if ends[at] > after and at >= tried:
                tried = ends[at]
                whole = _with_html(_together(blocks[at:tried]), text)
                block, after = (whole, tried) if whole.children else (block, after)
            block = block if block.children else _with_html(block, text)
        found.append(block)
        at = after
    return found


def _balanced_ends(blocks: Sequence[Block], text: str) -> list[int]:
    """For each block, the index after the first block where all tables are closed; 0 if none."""
    ends = [0] * len(blocks)
    begun: list[int] = []  # the blocks that opened the tables which are still open
    for place, block in enumerate(blocks):
        if block.kind == "heading":
            begun = []
            continue
        if block.kind in {"fence", "front matter"} or "<" not in text[block.start : block.end]:
            continue
        more = open_tables(text, block.start, block.end)
        if more > 0:
            begun += [place] * more
        elif more < 0:
            closed = begun[more:]
            del begun[more:]
            for opener in closed:
                ends[opener] = place + 1
    return ends


def _together(blocks: Sequence[Block]) -> Block:
    first, last = blocks[0], blocks[-1]
    lines = first.lines[0], last.lines[1]
    whole = Block("html", first.start, last.end, lines, first.token)
    whole.top = whole
    return whole


def _with_html(block: Block, text: str) -> Block:
    """Make a block of HTML a table if it is one; hang the tables in it below it if it has more."""
    if block.kind != "html":
        return block
    tables = html_tables(text, block.start, block.end)
    if not tables:
        return block
    around = plain_html(text, block.start, tables[0].start) + plain_html(
        text, tables[-1].end, block.end
    )
    if len(tables) > 1 or around:
        for table in tables:
            part = Block(
                "table",
                table.start,
                table.end,
                block.lines,
                block.token,
                top=block.top,
                holder=block,
            )
            _fill(part, table, text)
            block.children.append(part)
        return block
    _fill(block, tables[0], text)
    block.kind = "table"
    return block


def _fill(block: Block, table: HtmlTable, text: str) -> None:
    """Give a block the rows of an HTML table: first what stands above the first row of content."""
    block.html = table
    header_end = block.start + len(without_marks(text[block.start : table.rows[0].start]))
    header = Block("row", block.start, header_end, block.lines, cells=table.columns, top=block.top)
    starts = [*(row.start for row in table.rows[1:]), text.rfind("<", 0, table.end)]
    rows = [
        Block(
            "row",
            row.start,
            _row_end(row, following, text),
            block.lines,
            cells=tuple(cell.text for cell in row.cells),
            row=row,
            top=block.top,
        )
        for row, following in zip(table.rows, starts, strict=True)
    ]
    block.children = [header, *rows]


def _row_end(row: HtmlRow, following: int, text: str) -> int:
    """Where a row ends: words that broken markup has before what follows belong to it."""
    has_words = row.end < following and _LETTER.search(plain_html(text, row.end, following))
    return trimmed(text, row.end, following)[1] if has_words else row.end


def beside_tables(blocks: Sequence[Block], text: str) -> Iterator[Block]:
    """Blocks of one level; tables in a block of HTML, and what it says beside them, apart."""
    for block in blocks:
        if block.kind != "html" or not block.children:
            yield block
            continue
        at = block.start
        for table in block.children:
            yield from _between(block, at, table.start, text)
            yield table
            at = table.end
        yield from _between(block, at, block.end, text)


def _between(block: Block, start: int, end: int, text: str) -> Iterator[Block]:
    said = text[start:end]
    if not (_MARKS.fullmatch(said) if block.is_nested else said.isspace() or not said):
        yield Block("html", *trimmed(text, start, end), block.lines, top=block.top)


def header_cells(table: Block) -> list[tuple[str, ...]]:
    """The cells of all header rows."""
    if table.html is None:
        return [table.children[0].cells]
    return [tuple(cell.text for cell in row.cells) for row in table.html.header_rows]


def header_rows(table: Block) -> int:
    """How many header rows a table has; GFM knows only one."""
    return 1 if table.html is None else len(table.html.header_rows)


def sub_headers(table: Block) -> list[int]:
    """The numbers, from 1, of the rows that head the rows after them.

    In such a row only the first cell has text, or all cells are bold (``<th>`` in HTML). If more
    than half of the rows look so, none is a sub-header. A table of one column, or without a
    header, has none either: at the top of a piece, it would read as the header.
    """
    if not header_rows(table):
        return []
    count = len(table.children) - 1
    if table.html is not None:
        width = max((len(row.cells) for row in table.html.rows), default=0)
        is_band = [width > 1 and _heads_html(table, at) for at in range(count)]
    else:
        width = len(table.children[0].cells)
        is_band = [width > 1 and _heads(row.cells) for row in table.children[1:]]
    found = [at + 1 for at, yes in enumerate(is_band) if yes]
    return found if 2 * len(found) <= count else []


def _heads(cells: Sequence[str]) -> bool:
    if not cells[0]:
        return False
    filled = len(cells) - cells.count("")
    is_bold = filled == len(cells) and all(map(_BOLD.fullmatch, cells))
    return filled == 1 or is_bold


def _heads_html(table: Block, at: int) -> bool:
    assert table.html is not None, "asked only of tables in HTML"
    row = table.html.rows[at]
    if row.is_header:
        return True
    filled = [cell for cell in row.cells if cell.is_filled]
    return filled == row.cells[:1] and sum(cell.columns for cell in row.cells) > 1


def said_by(row: Block) -> Said:
    """The cells of a row with their spans; in HTML without the marks of a quote around it."""
    if row.row is None:
        return tuple((cell, 1, 1) for cell in row.cells)
    return tuple(
        ("".join(cell.text.replace(">", "").split()), cell.columns, cell.rows)
        for cell in row.row.cells
    )


def band_of(bands: Sequence[int], row: int) -> list[int]:
    """The sub-headers, directly after each other, that the row with a number stands under.

    Args:
        bands: The numbers of all sub-headers of the table, in order.
        row: The number of a row; a sub-header stands under none.
    """
    place = bisect_left(bands, row)
    if place == 0 or (place < len(bands) and bands[place] == row):
        return []
    first = place - 1
    while first > 0 and bands[first - 1] == bands[first] - 1:
        first -= 1
    return list(bands[first:place])
