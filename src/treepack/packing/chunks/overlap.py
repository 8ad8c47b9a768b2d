"""Overlap: the end of the previous chunk, repeated at the beginning of the next.

It consists of whole sentences and whole list items. Table rows and code lines are repeated only if
the next chunk continues the same table or code block; they then come after the repeated header or
fence. Other tables and code blocks are repeated whole or not at all. Headings are never repeated.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from treepack.model.blocks import (
    Block,
    Heading,
    HtmlBlock,
    ListBlock,
    Paragraph,
)
from treepack.packing.pieces import Piece
from treepack.packing.split.sentences import SentenceFinder
from treepack.tokens import TokenIndex

_MARKER: Final = re.compile(
    r"(?:[-+*]|#{1,6}|[0-9]{1,9}[.)])(?:\s|\Z)|>|`{3}|~{3}|:{3}|!{3}|[?]{3}|[$]{2}"
    r"|<(?:[!?]|/?[A-Za-z][\w-]*[\s/>])"  # a tag may begin a block of HTML
)


class OverlapFinder:
    """Finds where an overlap may begin.

    Args:
        finder: Finds the document's sentences.
        index: Its token counts.
        blocks: Headings and top-level blocks, in source order.
    """

    def __init__(
        self,
        finder: SentenceFinder,
        index: TokenIndex,
        blocks: list[Block],
    ) -> None:
        self.index = index
        self.finder = finder
        self.blocks = blocks
        self.starts = [block.start for block in blocks]
        self._cached_starts: tuple[int, list[int]] = (-1, [])

    def start(self, previous: list[Piece], first: Piece, room: int) -> int | None:
        """Return where the overlap before a chunk begins, or None if there can be no overlap.

        Args:
            previous: The pieces of the previous chunk.
            first: The first piece of the chunk.
            room: Tokens that the overlap may take.
        """
        start: int | None = None
        for candidate in self._candidates(previous, first):
            if self.index.estimate(candidate, first.start) > 2 * room + 16:
                break
            if self.index.count(candidate, first.start) > room:
                break
            start = candidate
        return start

    def _candidates(self, previous: list[Piece], first: Piece) -> Iterator[int]:
        """Yield the places where an overlap may begin, nearest first."""
        frames = tuple(frame for frame in first.frames if frame.start < first.start)
        if not frames:
            yield from self._before(first.start, previous[0].start)
        elif frames[-1].row < 0:
            text = self.finder.source.text
            for piece in reversed(previous):
                if piece.frames != first.frames or piece.start <= frames[-1].start:
                    return
                if frames[-1].is_literal or not _MARKER.match(text, piece.start):
                    yield piece.start

    def _before(self, end: int, floor: int) -> Iterator[int]:
        """Yield the starts of sentences, items and whole blocks, back to a heading or ``floor``."""
        number = bisect_left(self.starts, end) - 1
        while number >= 0 and not isinstance(self.blocks[number], Heading):
            block = self.blocks[number]
            starts = self._starts_in(block)
            for index in range(bisect_left(starts, end) - 1, -1, -1):
                if starts[index] < floor:
                    return
                yield starts[index]
            number -= 1

    def _starts_in(self, block: Block) -> list[int]:
        """Return all places in a block; cached, because each chunk of a long block needs them."""
        if self._cached_starts[0] != block.start:
            self._cached_starts = (block.start, self._candidates_in(block))
        return self._cached_starts[1]

    def _candidates_in(self, block: Block) -> list[int]:
        match block:
            case Paragraph():
                starts = self.finder.starts(block.start, block.end)
                return self._without_markers(starts, block.start)
            case ListBlock():
                return [item.start for item in block.items]
            case HtmlBlock() if not self.finder.source.text.startswith("<", block.start):
                return []  # text after a table in HTML; alone, it would be read as markdown
            case _:
                return [block.start]

    def _without_markers(self, starts: list[int], begin: int) -> list[int]:
        """Return the starts of sentences at which no other block would begin.

        ``begin`` is where their paragraph begins; text there is never markup.
        """
        text = self.finder.source.text
        return [start for start in starts if start == begin or not _MARKER.match(text, start)]
