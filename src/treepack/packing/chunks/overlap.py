"""Overlap: the end of the previous chunk, repeated at the beginning of the next.

It consists of whole sentences and whole list items. Table rows and code lines are repeated only if
the next chunk continues the same table or code block; they then come after the repeated header or
fence. Other tables and code blocks are repeated whole or not at all. Headings are never repeated.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from treepack.model.blocks import Block, Heading, HtmlBlock, ListBlock, Paragraph, Span
from treepack.packing.context import BLANK_LINE, ContextBuilder
from treepack.packing.pieces import Piece, trimmed_end
from treepack.packing.split.text import SentenceFinder

_MARKER: Final = re.compile(
    r"(?:[-+*]|#{1,6}|[0-9]{1,9}[.)])(?:\s|\Z)|>|`{3}|~{3}|:{3}|!{3}|[?]{3}|[$]{2}"
    r"|<(?:[!?]|/?[A-Za-z][\w-]*[\s/>])"  # a tag may begin a block of HTML
)


class OverlapFinder:
    """Finds the overlaps of a document's chunks.

    Args:
        contexts: Has the document, and the limits.
        blocks: Its headings and top-level blocks, in source order.
    """

    def __init__(self, contexts: ContextBuilder, blocks: list[Block]) -> None:
        self.config, self.count = contexts.config, contexts.count
        self.index = contexts.document.tokens
        self.finder = SentenceFinder(contexts.document.source, self.config.sentence_splitter)
        self.blocks = blocks
        self.starts = [block.start for block in blocks]
        self._cached_starts: tuple[int, list[int]] = (-1, [])

    def before(self, first: Piece, previous: list[Piece], size: int) -> Span | None:
        """Return the overlap before a chunk, or None if there can be none.

        Args:
            first: The first piece of the chunk.
            previous: The pieces of the previous chunk.
            size: The tokens of the chunk without an overlap.
        """
        separator = self.config.overlap_separator
        glue = self.count(f"{BLANK_LINE}{separator}{BLANK_LINE}") if separator else 1
        room = min(self.config.overlap_tokens, self.config.max_tokens - size - glue)
        start: int | None = None
        for candidate in self._candidates(previous, first) if room > 0 else ():
            if self.index.estimate(candidate, first.start) > 2 * room + 16:
                break
            if self.index.count(candidate, first.start) > room:
                break
            start = candidate
        if start is None:
            return None
        end = trimmed_end(self.finder.source.text, start, first.start)
        return (start, end) if start < end else None

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
        text = self.finder.source.text
        match block:
            case Paragraph():
                # Where no other block would begin; at the paragraph's start is never markup.
                first, *later = self.finder.starts(block.start, block.end)
                return [first, *(start for start in later if not _MARKER.match(text, start))]
            case ListBlock():
                return [item.start for item in block.items]
            case HtmlBlock() if not text.startswith("<", block.start):
                return []  # text after a table in HTML; alone, it would be read as markdown
            case _:
                return [block.start]
