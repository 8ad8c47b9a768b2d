"""The index for an unknown counter: prefix sums for estimates, the counter for exact counts."""

import functools
import re
from bisect import bisect_right
from itertools import accumulate, pairwise
from typing import Final

from treepack.errors import TokenizerError
from treepack.line_ends import LineFeedOffsets, with_line_feeds
from treepack.tokens.counters import TokenCounter
from treepack.tokens.index import TokenIndex

_STRETCH: Final = re.compile(r"(?s:.){1,256}[^\n]{0,768}\n?")
"""256 characters and the rest of their last line, or 768 more: a slow counter is called rarely."""


class PlainIndex(TokenIndex):
    r"""Counts with the counter itself; estimates are linear within a stretch of a few lines.

    Estimates count each line end as one character, as `LineFeedOffsets` does. So a counter
    that ignores the kind of line end gets the same estimates for every kind.
    """

    def __init__(self, text: str, counter: TokenCounter) -> None:
        super().__init__(text, counter)
        self._line_ends = LineFeedOffsets(text)
        self._bounds = [0, *(match.end() for match in _STRETCH.finditer(with_line_feeds(text)))]

    @functools.cached_property
    def _tokens(self) -> list[int]:
        """The number of tokens before each stretch, and at the end of the text."""
        bounds = pairwise(map(self._line_ends.offset, self._bounds))
        counts = [self.counter(self.text[a:b]) for a, b in bounds]
        if wrong := [count for count in counts if not count >= 0]:
            msg = f"the token counter returned {wrong[0]!r}, but a count is 0 or more"
            raise TokenizerError(msg)
        return list(accumulate(counts, initial=0))

    def count(self, start: int, end: int) -> int:
        """Return exactly ``counter(text[start:end])``."""
        return self._count_slice(start, end)

    def estimate(self, start: int, end: int) -> int:
        """Return about ``count(start, end)`` without asking the counter."""
        return max(0, round(self._tokens_before(end) - self._tokens_before(start)))

    def offset_after(self, start: int, tokens: int) -> int:
        """Return the offset where about ``tokens`` tokens from ``start`` end."""
        if tokens <= 0:
            return start
        target = self._tokens_before(start) + tokens
        at = bisect_right(self._tokens, target) - 1
        if at == len(self._bounds) - 1:
            return len(self.text)
        share = (target - self._tokens[at]) / (self._tokens[at + 1] - self._tokens[at])
        position = self._bounds[at] + int(share * (self._bounds[at + 1] - self._bounds[at]))
        return max(start, self._line_ends.offset(position))

    def count_slice_in(self, prefix: str, start: int, end: int, suffix: str) -> int:
        """Return exactly ``counter(prefix + text[start:end] + suffix)``."""
        if prefix or suffix:
            return self.count_text(prefix + self.text[start:end] + suffix)
        return self.count(start, end)

    def _tokens_before(self, offset: int) -> float:
        position = self._line_ends.converted(offset)
        at = bisect_right(self._bounds, position) - 1
        if at == len(self._bounds) - 1:
            return self._tokens[-1]
        share = (position - self._bounds[at]) / (self._bounds[at + 1] - self._bounds[at])
        return self._tokens[at] + share * (self._tokens[at + 1] - self._tokens[at])
