"""The index of a text with gaps: skipped characters, which no count includes."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from treepack.tokens.index import CountTo, TokenIndex


class GappedIndex(TokenIndex):
    """Counts the tokens of slices without the gaps inside them.

    Offsets refer to the text with the gaps, which are sorted and do not touch each other; another
    index counts the text without them.
    """

    def __init__(self, text: str, gaps: Sequence[tuple[int, int]], index: TokenIndex) -> None:
        super().__init__(text, index.counter)
        self._gaps = tuple(gaps)
        self._index = index
        self._starts = [start for start, _ in gaps]
        self._ends = [end for _, end in gaps]
        self._skipped = [0, *accumulate(end - start for start, end in gaps)]
        # where each gap would be in the text without gaps
        self._gap_positions = [
            start - skipped for start, skipped in zip(self._starts, self._skipped, strict=False)
        ]

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), (self.text, self._gaps, self._index)

    def count(self, start: int, end: int) -> int:
        """Return exactly the tokens of ``text[start:end]`` without its gaps."""
        return self._index.count(self._position(start), self._position(end))

    def estimate(self, start: int, end: int) -> int:
        """Return about ``count(start, end)`` without asking the tokenizer."""
        return self._index.estimate(self._position(start), self._position(end))

    def estimates(self, start: int, ends: Sequence[int]) -> list[int]:
        """Return the result of `estimate` for each of several ends."""
        return self._index.estimates(self._position(start), [self._position(end) for end in ends])

    def has_no_gap(self, start: int, end: int) -> bool:
        """Return whether no gap is inside ``text[start:end]``."""
        return self._position(end) - self._position(start) == end - start

    def offset_after(self, start: int, tokens: int) -> int:
        """Return the offset where about ``tokens`` tokens from ``start`` end."""
        return max(start, self._offset(self._index.offset_after(self._position(start), tokens)))

    def count_slice_in(self, prefix: str, start: int, end: int, suffix: str) -> int:
        """Return exactly the tokens of the prefix, the slice without its gaps, and the suffix."""
        first, last = self._position(start), self._position(end)
        return self._index.count_slice_in(prefix, first, last, suffix)

    def counter_from(self, prefix: str, start: int, limit: int) -> tuple[CountTo, int]:
        """Like `TokenIndex.counter_from`, but the slices are counted without their gaps."""
        count_to, safe_end = self._index.counter_from(prefix, self._position(start), limit)
        return lambda end, suffix: count_to(self._position(end), suffix), self._offset(safe_end)

    def _offset(self, position: int) -> int:
        """Convert a position in the text without gaps to an offset."""
        return position + self._skipped[bisect_right(self._gap_positions, position)]

    def _position(self, offset: int) -> int:
        """Convert an offset to a position in the text without gaps."""
        index = bisect_left(self._starts, offset)
        if index and offset < self._ends[index - 1]:
            return self._gap_positions[index - 1]
        return offset - self._skipped[index]
