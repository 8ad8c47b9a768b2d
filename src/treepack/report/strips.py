"""The maps of a comparison, in rows that hold the same part of the text for all packings."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from treepack.report.chunk_map import MapBlock

ROW_WIDTH: Final = 10_000
"""Columns of a row; it is drawn as wide as the window."""

_BLOCKS_PER_ROW: Final = 60
"""The blocks in a row of the finer packing, on average; more would be too small for a finger."""

_MOST_ROWS: Final = 12


@dataclass(frozen=True)
class StripPart:
    """A block, or the part of it that one row holds.

    Attributes:
        block: The block.
        x: Its left edge, in units of the row.
        width: Its width in the same units, at least 1.
        is_first: Whether the block begins in this row, and not in an earlier one.
    """

    block: MapBlock
    x: int
    width: int
    is_first: bool


def strips(maps: Sequence[Sequence[MapBlock]], length: int) -> list[list[list[StripPart]]]:
    """Return rows; each has a strip for each packing, and one place has the same x in all strips.

    Args:
        maps: The blocks of each packing, in the order of the text.
        length: The characters of the text.
    """
    count = min(max(ceil(len(blocks) / _BLOCKS_PER_ROW) for blocks in maps), _MOST_ROWS)
    rows: list[list[list[StripPart]]] = [[[] for _ in maps] for _ in range(count)]
    size = length / max(count, 1)
    for number, blocks in enumerate(maps):
        for block in blocks:
            first = min(int(block.start / size), count - 1)
            for row in range(first, count):
                start, end = block.start - row * size, block.end - row * size
                if end <= 0 and row > first:
                    break
                x = round(ROW_WIDTH * max(start, 0) / size)
                width = round(ROW_WIDTH * min(end, size) / size) - x
                rows[row][number].append(StripPart(block, x, max(width, 1), row == first))
    return rows
