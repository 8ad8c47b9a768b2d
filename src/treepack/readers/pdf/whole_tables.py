"""Gives tables their captions; joins tables that continue over pages with a repeated header.

A caption is a paragraph right above or below a table that begins with "Table" and a number.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from treepack.markdown.tables import TABLE_NUMBER, TABLE_WORD
from treepack.readers.inlines import flat
from treepack.readers.neighbours import join_neighbours
from treepack.readers.pdf.blocks import PdfBlock, joined_text

_CAPTION: Final = re.compile(
    rf"{TABLE_WORD}\s*(?P<number>{TABLE_NUMBER})(?P<end>\s*(?:[.:\u2013\u2014|(-]|$))?", re.VERBOSE
)
_ENDED: Final = re.compile(r"[.:;,]$")  # a sentence about a table
_MOST_LINES: Final = 6
_FAR: Final = 4.0  # em between a caption and its table


def with_captions(blocks: Iterable[PdfBlock]) -> list[PdfBlock]:
    """Return the blocks; captions beside tables become part of the tables.

    Some publishers put captions above their tables, others below. If a caption is between two
    tables, the nearer table takes it.
    """
    found = [*blocks]
    remaining: list[PdfBlock] = []
    for at, block in enumerate(found):
        pairs = [*pairwise(found[max(at - 1, 0) : at + 2])] if _is_caption(block) else []
        beside = [
            (_gap(*pair), table)
            for pair in pairs
            for table in pair
            if table.table is not None and not table.caption
        ]
        gap, nearest = min(beside, key=lambda each: each[0], default=(_FAR, block))
        if gap < _FAR:
            nearest.caption = block.lines
        else:
            remaining.append(block)
    return remaining


def _is_caption(block: PdfBlock) -> bool:
    if block.kind != "paragraph" or len(block.lines) > _MOST_LINES:
        return False
    match = _CAPTION.match(block.lines[0].text)
    if match is None:
        return False
    is_sentence = len(block.lines) > 1 or _ENDED.search(block.lines[-1].text)
    return bool(match["end"]) or not is_sentence


def _gap(above: PdfBlock, below: PdfBlock) -> float:
    """Return the space between two blocks in em; infinite if they are on different pages."""
    last, first = above.lines[-1], below.lines[0]
    if last.page != first.page:
        return float("inf")
    low = min(line.low for line in above.lines if line.page == last.page)
    high = max(line.high for line in below.lines if line.page == first.page)
    return abs(low - high) / max(last.size, first.size, 1.0)


# -------------------------------------------------------------------- over pages


def with_whole_tables(
    blocks: Iterable[PdfBlock], repeated: list[tuple[int, str]]
) -> Iterator[PdfBlock]:
    """Yield the blocks; tables on consecutive pages with the same header become one table.

    Args:
        blocks: The blocks, with captions in their tables.
        repeated: Receives the headers and captions that further pages repeat, as pairs of page,
            from 0, and text.
    """

    def join(previous: PdfBlock, block: PdfBlock) -> PdfBlock | None:
        if not _is_continued(previous, block):
            return None
        _append_rows(previous, block, repeated)
        return previous

    return join_neighbours(blocks, join)


def _append_rows(previous: PdfBlock, block: PdfBlock, repeated: list[tuple[int, str]]) -> None:
    """Add the rows of a table to the table that it continues."""
    assert previous.table is not None, "that was asked"
    assert block.table is not None, "that too"
    page, count = block.lines[0].page, block.table.header_rows
    if block.caption and not previous.caption:
        previous.caption = block.caption
    elif block.caption:
        repeated.append((page, flat(joined_text(block.caption))))
    header = [[flat(cell.content) for cell in row] for row in block.table.rows[:count]]
    repeated += [(page, " | ".join(filter(None, row))) for row in header]
    previous.table.page_starts.append((page, len(previous.table.rows)))
    previous.table.rows += block.table.rows[count:]
    previous.lines += block.lines


def _is_continued(previous: PdfBlock, block: PdfBlock) -> bool:
    upper, lower = previous.table, block.table
    if upper is None or lower is None or block.lines[0].page != previous.lines[-1].page + 1:
        return False
    if block.caption and _number(previous) != _number(block):
        is_below = block.caption[0].baseline < min(line.baseline for line in block.lines)
        if previous.caption or not is_below:
            return False
    count = upper.header_rows
    return (upper.columns, count) == (lower.columns, lower.header_rows) and upper.rows[
        :count
    ] == lower.rows[:count]


def _number(block: PdfBlock) -> str:
    """Return the number in a table's caption; empty if there is none."""
    match = _CAPTION.match(block.caption[0].text) if block.caption else None
    return match["number"] if match else ""
