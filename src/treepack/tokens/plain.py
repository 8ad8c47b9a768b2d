"""The index for a counter of which nothing is known: sums to estimate, the counter to count."""

import functools
import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Final

from treepack.tokens.counters import TokenCounter
from treepack.tokens.index import TokenIndex

_STRETCH: Final = re.compile(r"(?s:.){1,256}[^\r\n]{0,768}(?:\r\n|\r|\n)?")
"""Whole lines together, and at most about a thousand characters: few calls of a slow counter."""


class PlainIndex(TokenIndex):
    """Counts with the counter itself; an estimate is linear within a stretch of a few lines."""

    def __init__(self, text: str, counter: TokenCounter) -> None:
        super().__init__(text, counter)
        self._bounds = [0, *(match.end() for match in _STRETCH.finditer(text))]

    @functools.cached_property
    def _tokens(self) -> list[int]:
        """How many tokens there are before each of the bounds."""
        counts = (self.counter(self.text[a:b]) for a, b in pairwise(self._bounds))
        return list(accumulate(counts, initial=0))

    def count(self, start: int, end: int) -> int:
        """Return exactly ``counter(text[start:end])``."""
        return self._count_slice(start, end)

    def estimate(self, start: int, end: int) -> int:
        """Return about ``count(start, end)`` without asking the counter."""
        return max(0, round(self._tokens_before(end) - self._tokens_before(start)))

    def reach(self, start: int, tokens: int) -> int:
        """Return the offset where about ``tokens`` tokens from ``start`` end."""
        if tokens <= 0:
            return start
        wanted = self._tokens_before(start) + tokens
        at = bisect_right(self._tokens, wanted) - 1
        if at == len(self._bounds) - 1:
            return len(self.text)
        share = (wanted - self._tokens[at]) / (self._tokens[at + 1] - self._tokens[at])
        return max(start, self._bounds[at] + int(share * (self._bounds[at + 1] - self._bounds[at])))

    def count_parts(self, parts: Sequence[str]) -> int:
        """Return exactly ``counter("".join(parts))``."""
        return self.count_text("".join(parts))

    def count_slice_in(self, prefix: str, start: int, end: int, suffix: str) -> int:
        """Return exactly ``counter(prefix + text[start:end] + suffix)``."""
        if prefix or suffix:
            return self.count_text(prefix + self.text[start:end] + suffix)
        return self.count(start, end)

    def _tokens_before(self, offset: int) -> float:
        at = bisect_right(self._bounds, offset) - 1
        if at == len(self._bounds) - 1:
            return self._tokens[-1]
        share = (offset - self._bounds[at]) / (self._bounds[at + 1] - self._bounds[at])
        return self._tokens[at] + share * (self._tokens[at + 1] - self._tokens[at])
