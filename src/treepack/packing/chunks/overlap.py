"""Overlap: the end of the previous chunk, repeated at the beginning of the next.

It consists of whole sentences (or the last words of a sentence that is too long) and whole list
items. Table rows and code lines are repeated only if the next chunk continues the same table or
code block; they then come after the repeated header or fence. Other tables and code blocks are
repeated whole or not at all. Headings are never repeated.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from operator import attrgetter
from typing import Final

from treepack.graphemes import is_boundary
from treepack.model.blocks import (
    Block,
    Heading,
    HtmlBlock,
    ListBlock,
    ListItem,
    Paragraph,
    children,
)
from treepack.packing.pieces import Piece
from treepack.packing.split.sentences import SentenceFinder
from treepack.packing.split.words import UNSPACED
from treepack.packing.wrappers import IntroWrapper, RowWrapper, prefixes_of
from treepack.tokens import TokenIndex

_LINE_END: Final = re.compile(r"[\r\n]\s*")
_MARKER: Final = re.compile(
    r"(?:[-+*]|#{1,6}|[0-9]{1,9}[.)])(?:\s|\Z)|>|`{3}|~{3}|:{3}|!{3}|[?]{3}|[$]{2}"
    r"|<(?:[!?]|/?[A-Za-z][\w-]*[\s/>])"  # a tag may begin a block of HTML
)
_TRIES: Final = 16
"""The most words that are dropped from a tail that an estimate made too long."""


class OverlapFinder:
    """Finds where an overlap may begin.

    Args:
        finder: Finds the document's sentences.
        index: Its token counts.
        blocks: Headings and top-level blocks, in source order.
        stands_apart: Whether a separator comes between the overlap and the body.
    """

    def __init__(
        self,
        finder: SentenceFinder,
        index: TokenIndex,
        blocks: list[Block],
        *,
        has_separator: bool,
    ) -> None:
        self.has_separator = has_separator
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
        return self._tail(previous, first, room) if start is None else start

    def _tail(self, previous: list[Piece], first: Piece, room: int) -> int | None:
        """Return where to begin in a last sentence that is too long: at a line or a word, or None.

        In a list or quote there is a tail only if a separator follows it. The tail has no markers,
        so text on the next line would be read as part of it.
        """
        wrappers = tuple(wrapper for wrapper in first.wrappers if wrapper.start < first.start)
        if any(isinstance(wrapper, RowWrapper) or wrapper.is_literal for wrapper in wrappers):
            return None
        text = self._text_before(first.start)
        if text is None or (not self.has_separator and (wrappers or text not in self.blocks)):
            return None
        end = min(text.end, first.start)
        if ":::" in self.finder.source.text[end : first.start]:
            return None  # the ``:::`` that closes the text's container would open a new one
        start = max(text.start, previous[0].start)
        surplus = self.index.estimate(start, first.start) - room
        start = self.index.offset_after(start, surplus)
        for _ in range(_TRIES):
            start = self._next_word(start, end)
            if start < end and self.index.count(start, first.start) <= room:
                return start if wrappers else self._next_line(start, first.start)
            start += 1
        return None

    def _next_line(self, offset: int, end: int) -> int:
        """Return the beginning of the first line at or after an offset, or else the offset.

        A line that would begin another block does not count.
        """
        source = self.finder.source
        line_start = source.line_starts[source.line_at(offset)]
        if not source.text[line_start:offset].strip():
            return offset
        match = _LINE_END.search(source.text, offset, end)
        is_text = match and match.end() < end and not _MARKER.match(source.text, match.end())
        return match.end() if match and is_text else offset

    def _text_before(self, end: int) -> Paragraph | None:
        """Return the innermost block that begins last before a place, if it is a paragraph."""
        index = bisect_left(self.starts, end) - 1
        block: Block | ListItem | None = self.blocks[index] if index >= 0 else None
        while block is not None and (inner := children(block)):
            index = bisect_left(inner, end, key=attrgetter("start")) - 1
            block = inner[index] if index >= 0 else None
        return block if isinstance(block, Paragraph) else None

    def _next_word(self, offset: int, end: int) -> int:
        """Return the first place where a word begins, or a letter of a script without spaces.

        Words that would be read as the marker of an item, a heading, a fence or the like do not
        count.
        """
        text = self.finder.source.text
        while offset < end:
            is_word_start = text[offset - 1].isspace() or UNSPACED.match(text, offset)
            is_text = not (text[offset].isspace() or _MARKER.match(text, offset))
            if is_word_start and is_text and is_boundary(text, offset):
                return offset
            offset += 1
        return end

    def _candidates(self, previous: list[Piece], first: Piece) -> Iterator[int]:
        """Yield the places where an overlap may begin, nearest first."""
        wrappers = tuple(wrapper for wrapper in first.wrappers if wrapper.start < first.start)
        if not wrappers:
            yield from self._before(first.start, previous[0].start)
        elif not isinstance(wrappers[-1], RowWrapper):
            is_enclosed = wrappers[-1].is_literal or isinstance(wrappers[-1], IntroWrapper)
            for piece in reversed(previous):
                if piece.wrappers != first.wrappers or piece.start <= wrappers[-1].start:
                    return
                # Sentences only in paragraphs: in an item one could begin at a fence inside it.
                text = self._text_before(piece.end)
                if text is None or is_enclosed or text.start > piece.start:
                    is_markup = self.has_separator and self._opens_literal(piece.start)
                    if text is not None and text.start < piece.start:  # a line of a paragraph
                        is_markup |= bool(_MARKER.match(self.finder.source.text, piece.start))
                    if not is_markup:
                        yield piece.start
                else:
                    starts = self.finder.starts(piece.start, piece.end, prefixes_of(piece.wrappers))
                    yield from reversed(self._without_markers(starts, text.start))

    def _opens_literal(self, offset: int) -> bool:
        """Whether a fence or math begins at an offset.

        In an overlap without the markers of the quote or item around it, it would not be closed.
        """
        return self.finder.source.text.startswith(("```", "~~~", "$$"), offset)

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
