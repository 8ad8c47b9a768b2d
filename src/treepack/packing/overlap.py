"""Overlap: the end of the previous chunk, repeated at the beginning of the next.

Whole sentences of text, whole items of lists; a table row or a code line only when the next chunk
goes on with the same table or code block (then it stands behind the repeated header or fence),
other tables and code only whole. Never a heading.
"""

from bisect import bisect_left
from collections.abc import Iterator

from treepack.document.blocks import Block, Heading, ListBlock, Paragraph
from treepack.packing.frames import Row, is_literal
from treepack.packing.sentences import SentenceFinder
from treepack.packing.units import Unit
from treepack.packing.words import prefixes_of
from treepack.tokens import TokenIndex


class OverlapFinder:
    """Finds where an overlap may begin.

    Args:
        finder: Finds the document's sentences.
        index: Its token counts.
        blocks: Headings and top-level blocks, in source order.
    """

    def __init__(self, finder: SentenceFinder, index: TokenIndex, blocks: list[Block]) -> None:
        self.index = index
        self.finder = finder
        self.blocks = blocks
        self.starts = [block.start for block in blocks]
        self._remembered: tuple[int, list[int]] = (-1, [])

    def start(self, previous: list[Unit], first: Unit, room: int) -> int | None:
        """Where the overlap before a chunk begins; None where there can be none.

        Args:
            previous: The units of the chunk before.
            first: The first unit of the chunk.
            room: Tokens that the overlap may take.
        """
        found: int | None = None
        for candidate in self._candidates(previous, first):
            if self.index.estimate(candidate, first.start) > 2 * room + 16:
                break
            if self.index.count(candidate, first.start) > room:
                break
            found = candidate
        return found

    def _candidates(self, previous: list[Unit], first: Unit) -> Iterator[int]:
        """Places where an overlap may begin, nearest first."""
        frames = tuple(frame for frame in first.frames if frame.start < first.start)
        if not frames:
            yield from self._before(first.start, previous[0].start)
        elif not isinstance(frames[-1], Row):
            is_enclosed = is_literal(frames[-1])
            for unit in reversed(previous):
                if unit.frames != first.frames or unit.start <= frames[-1].start:
                    return
                if is_enclosed:
                    yield unit.start
                else:
                    prefixes = prefixes_of(unit.frames)
                    yield from reversed(self.finder.starts(unit.start, unit.end, prefixes))

    def _before(self, end: int, floor: int) -> Iterator[int]:
        """Starts of sentences, items and whole blocks, back to a heading or to ``floor``."""
        at = bisect_left(self.starts, end) - 1
        while at >= 0 and not isinstance(self.blocks[at], Heading):
            block = self.blocks[at]
            starts = self._starts_in(block)
            for place in range(bisect_left(starts, end) - 1, -1, -1):
                if starts[place] < floor:
                    return
                yield starts[place]
            at -= 1

    def _starts_in(self, block: Block) -> list[int]:
        """All places in a block; remembered, for a long one is asked for by each of its chunks."""
        if self._remembered[0] != block.start:
            self._remembered = (block.start, self._found_in(block))
        return self._remembered[1]

    def _found_in(self, block: Block) -> list[int]:
        match block:
            case Paragraph():
                return self.finder.starts(block.start, block.end)
            case ListBlock():
                return [item.start for item in block.items]
            case _:
                return [block.start]
