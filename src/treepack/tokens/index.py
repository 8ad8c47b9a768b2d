"""Exact token counts of any slice of one text.

Counting each slice separately would tokenize the text ten times or more.
An index tokenizes it once and answers from prefix sums.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeAlias

from treepack.tokens.counters import TokenCounter

LONGEST_CACHED: Final = 1024
"""Longest text (characters) whose count is cached."""

CACHE_SIZE: Final = 4096
"""Most counts in each cache."""


CountTo: TypeAlias = Callable[[int, str], int]
"""Returns the exact tokens from a fixed start to the given end, with the given suffix after it."""


class TokenIndex(ABC):
    """Token counts of the slices of a text; offsets are characters from 0 to len(text), half-open.

    An index has no state except cached counts, so threads may share it. Pickling keeps only what
    the index was made from; the other process counts again.
    """

    text: str
    counter: TokenCounter

    def __init__(self, text: str, counter: TokenCounter) -> None:
        self.text = text
        self.counter = counter
        # A dict, because making an `lru_cache` takes as long as counting a short document.
        self._counts: dict[str | tuple[int, int], int] = {}

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), (self.text, self.counter)

    @abstractmethod
    def count(self, start: int, end: int) -> int:
        """Return exactly ``counter(text[start:end])``."""

    @abstractmethod
    def estimate(self, start: int, end: int) -> int:
        """Return about ``count(start, end)`` without asking the tokenizer."""

    def estimates(self, start: int, ends: Sequence[int]) -> list[int]:
        """Return the result of `estimate` for each of several ends."""
        return [self.estimate(start, end) for end in ends]

    def has_no_gap(self, start: int, end: int) -> bool:  # noqa: ARG002 - all are whole
        """Return whether the count of ``text[start:end]`` leaves nothing out."""
        return True

    @abstractmethod
    def offset_after(self, start: int, tokens: int) -> int:
        """Return the offset where about ``tokens`` tokens from ``start`` end.

        It lies between ``start`` and the text's end, grows with both arguments and needs no
        tokenizer call.
        """

    @abstractmethod
    def count_slice_in(self, prefix: str, start: int, end: int, suffix: str) -> int:
        """Return exactly ``counter(prefix + text[start:end] + suffix)``."""

    def counter_from(self, prefix: str, start: int, limit: int) -> tuple["CountTo", int]:  # noqa: ARG002 - this one is sure of no end
        """Return a function that counts slices from ``start`` to varying ends, and a safe end.

        ``count_to(end, suffix)`` is ``count_slice_in(prefix, start, end, suffix)``. Up to the safe
        end, it certainly returns at most ``limit`` tokens for slices that end before whitespace and
        have no suffix.
        """
        return partial(self.count_slice_in, prefix, start), start

    def count_text(self, text: str) -> int:
        """Return exactly ``counter(text)``; cached if the text is short."""
        count = self._counts.get(text)
        if count is not None:
            return count
        count = self.counter(text)
        return self._kept(text, count) if len(text) <= LONGEST_CACHED else count

    def _count_slice(self, start: int, end: int) -> int:
        """Return exactly ``counter(text[start:end])``; cached. Few documents need it."""
        count = self._counts.get((start, end))
        if count is not None:
            return count
        return self._kept((start, end), self.counter(self.text[start:end]))

    def _kept(self, key: str | tuple[int, int], count: int) -> int:
        if len(self._counts) == CACHE_SIZE:
            self._counts.clear()
        self._counts[key] = count
        return count
