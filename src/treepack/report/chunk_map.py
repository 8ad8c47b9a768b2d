"""The map at the top of the page: a block for each chunk, in the order of the text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from treepack.display import counted, one_line
from treepack.model.chunk import body_span
from treepack.packing import Chunk
from treepack.report.cuts import LEVELS, Cut, Level
from treepack.report.packings import Packing

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
        start: The first character of the chunk's body in the source, from 0.
        end: The character after the body's last one.
        width: The width of the block, from 1 to `MOST_WIDTH`.
        fill: The number of its colour, from 1.
        mark: The CSS class of its mark; empty for the first chunk.
        label: The chunk in words: its size, its heading, and what was cut before it.
    """

    target: str
    start: int
    end: int
    width: int
    fill: int
    mark: str
    label: str


def map_blocks(
    packing: Packing, key: str, cuts: Sequence[Cut | None], longest: int
) -> list[MapBlock]:
    """Return a block for each leaf.

    Args:
        packing: The packing.
        key: The prefix of its chunks' anchors.
        cuts: Why each leaf begins where it does.
        longest: The number of characters that the widest block stands for.
    """
    blocks: list[MapBlock] = []
    config = packing.config
    for chunk, cut in zip(packing.leaves, cuts, strict=True):
        size = chunk.embed_token_count
        heading = one_line(chunk.breadcrumb[-1]) if chunk.breadcrumb else ""
        share = f"{size / config.target_tokens:.0%} of the target"
        words = [f"Chunk {chunk.index}: {counted(size, 'token')}, {share}", heading]
        words += [f"cut before {cut.next_unit}"] if cut else []
        blocks.append(
            MapBlock(
                f"{key}{chunk.index}",
                *body_span(chunk),
                max(round(MOST_WIDTH * length_of(chunk) / max(longest, 1)), 1),
                _fill(size, config.target_tokens, config.max_tokens),
                CUT_MARKS[cut.level] if cut else "",
                ". ".join(word for word in words if word),
            )
        )
    return blocks


def length_of(chunk: Chunk) -> int:
    """Return how many characters of the source a chunk's body spans, without what it repeats."""
    start, end = body_span(chunk)
    return end - start


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
