"""The size of pieces together with their context, and whether it is within the limits."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from treepack.packing.context import ChunkContext, ContextBuilder
from treepack.packing.pieces import Piece, closing_text

_WHITESPACE: Final = frozenset({"", " ", "\t", "\r", "\n"})


class Budget:
    """Compares the pieces of one document with the limits.

    Args:
        contexts: Makes the context of any place in the document.
        boundaries: Offsets, in order, that no group may cross: the starts of the parents.
    """

    def __init__(self, contexts: ContextBuilder, boundaries: Sequence[int] = ()) -> None:
        self.index = contexts.document.tokens
        self.config = contexts.config
        self.contexts = contexts
        self.boundaries = boundaries
        self.estimate_above_cap = _estimate_above(self.config.max_tokens)

    def fits(self, first: Piece, last: Piece | None = None) -> bool:
        """Whether the text to embed for a piece, or from one piece to another, is within the cap.

        Several pieces must leave room for the overlap. A single piece need not, so that overlap
        alone never causes a piece to be opened.
        """
        is_single = last is None
        last = first if last is None else last
        if self.boundaries and self.crosses(first.start, last.end):
            return False
        # Most pieces that do not fit are large sections, and need no context.
        if self.index.estimate(first.start, last.end) > self.estimate_above_cap:
            return False
        context = self.contexts.context_at(first)
        if self._certainly_fits(context, first, last):
            return True
        room = self.config.max_tokens if is_single else context.cap
        return self.size(context, last) <= room

    def _certainly_fits(self, context: ChunkContext, first: Piece, last: Piece) -> bool:
        """Whether `safe_end` of the context shows that a chunk is within the limits."""
        is_within = last.end <= context.safe_end and last.frames is first.frames
        return is_within and self.index.text[last.end : last.end + 1] in _WHITESPACE

    def size(self, context: ChunkContext, last: Piece) -> int:
        """Return the tokens to embed up to the piece ``last``, after the context of the first."""
        end = last.end
        return context.count_to(end, closing_text(last.frames, end) if last.frames else "")

    def can_add(self, context: ChunkContext, group: Sequence[Piece], piece: Piece) -> bool:
        """Whether a piece fits after a group; ``context`` is the context of the group.

        The chunk with the piece must be within the target, or within the cap if the group alone is
        undersized.
        """
        if self.boundaries and self.crosses(group[0].start, piece.end):
            return False
        if self._certainly_fits(context, group[0], piece):
            return True
        size = self.size(context, piece)
        return size <= context.cap and (size <= context.target or self.is_undersized(group))

    def crosses(self, start: int, end: int) -> bool:
        """Whether a boundary is inside a span; few documents have boundaries."""
        index = bisect_right(self.boundaries, start)
        return index < len(self.boundaries) and self.boundaries[index] < end

    def fits_target(self, piece: Piece, end: int) -> bool:
        """Whether a chunk from the beginning of a piece up to ``end`` stays within the target."""
        if self.boundaries and self.crosses(piece.start, end):
            return False
        context = self.contexts.context_at(piece)
        room = min(context.target, context.cap)
        if self.index.estimate(context.body_start, end) > _estimate_above(room):
            return False
        return self.size(context, piece._replace(end=end)) <= room

    def likely_end(self, piece: Piece) -> int:
        """Return about where a chunk that begins with a piece reaches the target."""
        context = self.contexts.context_at(piece)
        room = min(context.target, context.cap) - context.tokens
        return self.index.offset_after(context.body_start, room)

    def fits_cap(self, piece: Piece, end: int) -> bool:
        """Whether a chunk from the beginning of a piece up to ``end`` stays within the cap."""
        return self.fits(piece if piece.end == end else piece._replace(end=end))

    def is_undersized(self, group: Sequence[Piece]) -> bool:
        """Whether a group without its context is below the minimum."""
        first, last = group[0], group[-1]
        context = self.contexts.context_at(first)
        return self.size(context, last) - context.tokens < self.config.min_tokens


def _estimate_above(room: int) -> float:
    """Return the estimate above which a text certainly exceeds ``room`` tokens, without a count."""
    return 1.5 * room + 64
