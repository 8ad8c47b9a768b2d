"""The map at the top of the page: a block for each chunk, in the order of the text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from treepack.display import counted, one_line
from treepack.model.chunk import body_span
from treepack.report_page.cuts import LEVELS, Cut, Level
from treepack.report_page.packing import Packing

MOST_WIDTH: Final = 40
"""The largest width of a block, which the longest chunk has."""

_FILLS: Final = (0.25, 0.5, 0.75, 1.0)
ABOVE_TARGET: Final = len(_FILLS) + 1
ABOVE_CAP: Final = ABOVE_TARGET + 1
_LEGEND: Final = {
    **{
        number: f"{low:.0%} to {high:.0%}" if low else f"up to {high:.0%}"
        for number, (low, high) in enumerate(pairwise((0.0, *_FILLS)), 1)
    },
    ABOVE_TARGET: "above the target",
    ABOVE_CAP: "above the cap",
}

CUT_MARKS: Final[Mapping[Level, str]] = dict(zip(LEVELS, "skirltdx", strict=True))
"""The CSS class of the mark at the beginning of a block, by what was cut there."""


@dataclass(frozen=True)
class MapBlock:
    """A block of the map.

    Attributes:
        target: The anchor of the chunk.
        width: The width of the block, from 1 to `MOST_WIDTH`.
        fill: The number of its colour, from 1.
        mark: The CSS class of its mark; empty for the first chunk.
        label: The chunk in words: its size, its heading, and what was cut before it.
    """

    target: str
    width: int
    fill: int
    mark: str
    label: str


def map_blocks(packing: Packing, cuts: Sequence[Cut | None]) -> list[MapBlock]:
    """Return a block for each leaf, given why each begins where it does."""
    blocks: list[MapBlock] = []
    config = packing.config
    lengths = [end - start for start, end in map(body_span, packing.leaves)]
    longest = max([1, *lengths])
    for chunk, cut, length in zip(packing.leaves, cuts, lengths, strict=True):
        size = chunk.embed_token_count
        heading = one_line(chunk.breadcrumb[-1]) if chunk.breadcrumb else ""
        share = f"{size / config.target_tokens:.0%} of the target"
        words = [f"Chunk {chunk.index}: {counted(size, 'token')}, {share}", heading]
        words += [f"cut before {cut.next_unit}"] if cut else []
        blocks.append(
            MapBlock(
                f"a{chunk.index}",
                max(round(MOST_WIDTH * length / longest), 1),
                _fill(size, config.target_tokens, config.max_tokens),
                CUT_MARKS[cut.level] if cut else "",
                ". ".join(word for word in words if word),
            )
        )
    return blocks


def fills_in(blocks: Sequence[MapBlock]) -> list[tuple[int, str]]:
    """Return the colours that occur, each with what it means."""
    return [(number, _LEGEND[number]) for number in sorted({block.fill for block in blocks})]


def cuts_in(blocks: Sequence[MapBlock]) -> list[tuple[str, str]]:
    """Return the marks that occur, each with what was cut there."""
    present = {block.mark for block in blocks}
    return [(mark, level) for level, mark in CUT_MARKS.items() if mark in present]


def _fill(size: int, target: int, cap: int) -> int:
    if size > cap:
        return ABOVE_CAP
    shares = (fill for fill, high in enumerate(_FILLS, 1) if size <= high * target)
    return next(shares, ABOVE_TARGET)
