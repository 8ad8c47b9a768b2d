"""Overlap: the end of the previous chunk, repeated at the beginning of the next.

Whole sentences of text (of one too long its last words), whole items of lists; a table row or a
code line only when the next chunk goes on with the same table or code block (then it stands behind
the repeated header or fence), other tables and code only whole. Never a heading.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from operator import attrgetter
from typing import Final

from treepack.document.blocks import Block, Heading, ListBlock, ListItem, Paragraph, children
from treepack.graphemes import is_boundary
from treepack.packing.frames import Introduced, Row, is_literal
from treepack.packing.sentences import SentenceFinder
from treepack.packing.units import Unit
from treepack.packing.words import UNSPACED, prefixes_of
from treepack.tokens import TokenIndex

_LINE_END: Final = re.compile(r"[\r\n]\s*")
_TRIES: Final = 16
"""Words that are left out, at most, when the estimate of where a tail begins was too early."""


class OverlapFinder:
    """Finds where an overlap may begin.

    Args:
        finder: Finds the document's sentences.
        index: Its token counts.
        blocks: Headings and top-level blocks, in source order.
        stands_apart: Whether a separator stands between the overlap and the body.
    """

    def __init__(
        self,
        finder: SentenceFinder,
        index: TokenIndex,
        blocks: list[Block],
        *,
        stands_apart: bool,
    ) -> None:
        self.stands_apart = stands_apart
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
        return self._tail(previous, first, room) if found is None else found

    def _tail(self, previous: list[Unit], first: Unit, room: int) -> int | None:
        """Where the end of a last sentence begins that is too long as a whole: a line, or a word.

        Text in a list or quote only where a separator sets it apart: without its marks, what
        follows on the next line would be read as a part of it.
        """
        frames = tuple(frame for frame in first.frames if frame.start < first.start)
        if any(isinstance(frame, Row) or is_literal(frame) for frame in frames):
            return None
        text = self._text_before(first.start)
        if text is None or (not self.stands_apart and (frames or text not in self.blocks)):
            return None
        start = max(text.start, previous[0].start)
        surplus = self.index.estimate(start, first.start) - room
        place = self.index.reach(start, surplus)
        for _ in range(_TRIES):
            place = self._next_word(place, min(text.end, first.start))
            if place < first.start and self.index.count(place, first.start) <= room:
                return place if frames else self._next_line(place, first.start)
            place += 1
        return None

    def _next_line(self, offset: int, end: int) -> int:
        """Where the first line begins from an offset on, or the offset where none does."""
        source = self.finder.source
        begun = source.line_starts[source.line_at(offset)]
        if not source.text[begun:offset].strip():
            return offset
        match = _LINE_END.search(source.text, offset, end)
        return match.end() if match and match.end() < end else offset

    def _text_before(self, end: int) -> Paragraph | None:
        """The paragraph that stands last before a place, if it is one."""
        at = bisect_left(self.starts, end) - 1
        block: Block | ListItem | None = self.blocks[at] if at >= 0 else None
        while block is not None and (inside := children(block)):
            at = bisect_left(inside, end, key=attrgetter("start")) - 1
            block = inside[at] if at >= 0 else None
        return block if isinstance(block, Paragraph) else None

    def _next_word(self, offset: int, end: int) -> int:
        """The first place where a word begins, or any letter of a script without blanks."""
        text = self.finder.source.text
        while offset < end:
            is_word = text[offset - 1].isspace() or UNSPACED.match(text, offset)
            if is_word and not text[offset].isspace() and is_boundary(text, offset):
                return offset
            offset += 1
        return end

    def _candidates(self, previous: list[Unit], first: Unit) -> Iterator[int]:
        """Places where an overlap may begin, nearest first."""
        frames = tuple(frame for frame in first.frames if frame.start < first.start)
        if not frames:
            yield from self._before(first.start, previous[0].start)
        elif not isinstance(frames[-1], Row):
            is_enclosed = is_literal(frames[-1]) or isinstance(frames[-1], Introduced)
            for unit in reversed(previous):
                if unit.frames != first.frames or unit.start <= frames[-1].start:
                    return
                # Only in text: a sentence of an item may begin at a fence that the item holds.
                text = None if is_enclosed else self._text_before(unit.end)
                if text is None or text.start > unit.start:
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
