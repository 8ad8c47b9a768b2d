"""The index of a text with gaps: skipped characters, which no count includes."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from treepack.tokens.index import CountTo, TokenIndex


class GappedIndex(TokenIndex):
    """Counts the tokens of slices without the gaps inside them.

    Offsets refer to the text with the gaps; another index counts the text without them.

    Args:
        text: The text.
        gaps: Spans of the text, sorted and not touching each other.
        index: The index of the text without the gaps.
    """

    def __init__(self, text: str, gaps: Sequence[tuple[int, int]], index: TokenIndex) -> None:
        super().__init__(text, index.counter)
        self._gaps = tuple(gaps)
        self._index = index
        self._starts = [start for start, _ in gaps]
        self._ends = [end for _, end in gaps]
        self._skipped = [0, *accumulate(end - start for start, end in gaps)]
        # where each gap would be in the text without gaps
        self._places = [
            start - skipped for start, skipped in zip(self._starts, self._skipped, strict=False)
        ]

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), (self.text, self._gaps, self._index)

    def count(self, start: int, end: int) -> int:
        """Return exactly the tokens of ``text[start:end]`` without its gaps."""
        return self._index.count(self._without(start), self._without(end))

    def estimate(self, start: int, end: int) -> int:
        """Return about ``count(start, end)`` without asking the tokenizer."""
        return self._index.estimate(self._without(start), self._without(end))

    def estimates(self, start: int, ends: Sequence[int]) -> list[int]:
        """Return the result of `estimate` for each of several ends."""
        return self._index.estimates(self._without(start), [self._without(end) for end in ends])

    def is_whole(self, start: int, end: int) -> bool:
        """Return whether no gap is inside ``text[start:end]``."""
        return self._without(end) - self._without(start) == end - start

    def reach(self, start: int, tokens: int) -> int:
        """Return the offset where about ``tokens`` tokens from ``start`` end."""
        return max(start, self._with_gaps(self._index.reach(self._without(start), tokens)))

    def count_parts(self, parts: Sequence[str]) -> int:
        """Return exactly ``counter("".join(parts))``; the parts need not come from the text."""
        return self._index.count_parts(parts)

    def count_slice_in(self, prefix: str, start: int, end: int, suffix: str) -> int:
        """Return exactly the tokens of the prefix, the slice without its gaps, and the suffix."""
        first, last = self._without(start), self._without(end)
        return self._index.count_slice_in(prefix, first, last, suffix)

    def count_around(self, before: str, text: str, tokens: int, after: str) -> int:
        """Return exactly ``counter(before + text + after)``."""
        return self._index.count_around(before, text, tokens, after)

    def opened(self, prefix: str, start: int, most: int) -> tuple[CountTo, int]:
        """Like `TokenIndex.opened`, but the slices are counted without their gaps."""
        count_to, sure = self._index.opened(prefix, self._without(start), most)
        return lambda end, suffix: count_to(self._without(end), suffix), self._with_gaps(sure)

    def _with_gaps(self, place: int) -> int:
        """Convert a position in the text without gaps to an offset."""
        return place + self._skipped[bisect_right(self._places, place)]

    def _without(self, offset: int) -> int:
        """Convert an offset to a position in the text without gaps."""
        at = bisect_left(self._starts, offset)
        if at and offset < self._ends[at - 1]:
            return self._places[at - 1]
        return offset - self._skipped[at]
