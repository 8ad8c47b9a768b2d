"""Overlap: the end of the previous chunk, repeated at the beginning of the next.

Whole sentences of text, whole items of lists; a table row or a code line only when the next chunk
goes on with the same table or code block (then it stands behind the repeated header or fence),
other tables and code only whole. Never a heading.
"""

from bisect import bisect_left
from collections.abc import Iterator

from treepack.document.blocks import Block, Heading, ListBlock, Paragraph
from treepack.document.source import Source
from treepack.packing.frames import Row, is_literal
from treepack.packing.sentences import sentence_starts
from treepack.packing.units import Unit
from treepack.tokens import TokenIndex


class OverlapFinder:
    """Finds where an overlap may begin.

    Args:
        source: The document's text.
        index: Its token counts.
        blocks: Headings and top-level blocks, in source order.
    """

    def __init__(self, source: Source, index: TokenIndex, blocks: list[Block]) -> None:
        self.text = source.text
        self.index = index
        self.blocks = blocks
        self.starts = [block.start for block in blocks]

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
                    yield from reversed(sentence_starts(self.text, unit.start, unit.end))

    def _before(self, end: int, floor: int) -> Iterator[int]:
        """Starts of sentences, items and whole blocks, back to a heading or to ``floor``."""
        at = bisect_left(self.starts, end) - 1
        while at >= 0 and not isinstance(self.blocks[at], Heading):
            block = self.blocks[at]
            for start in reversed(self._starts_in(block, end)):
                if start < floor:
                    return
                yield start
            at -= 1

    def _starts_in(self, block: Block, end: int) -> list[int]:
        match block:
            case Paragraph():
                return sentence_starts(self.text, block.start, min(block.end, end))
            case ListBlock():
                return [item.start for item in block.items if item.start < end]
            case _:
                return [block.start]
