"""Exact token counts of any slice of one text.

Counting each slice separately would tokenize the text ten times or more.
An index tokenizes it once and answers from prefix sums: `PlainIndex` for an unknown counter,
`AdditiveIndex` for the bundled encodings, `GappedIndex` around either one.
"""

import re
from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from itertools import accumulate, pairwise
from typing import Final, TypeAlias

from treepack.errors import TokenizerError
from treepack.graphemes import LineFeedOffsets, with_line_feeds
from treepack.tokens.counters import TokenCounter

LONGEST_CACHED: Final = 1024
"""Longest text (characters) whose count is cached."""

CACHE_SIZE: Final = 4096
"""Most counts in each cache."""

_STRETCH: Final = re.compile(r"(?s:.){1,256}[^\n]{0,768}\n?")
"""256 characters and the rest of their last line, or 768 more: a slow counter is called rarely."""

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


class PlainIndex(TokenIndex):
    r"""Counts with the counter itself; estimates are linear within a stretch of a few lines.

    Estimates count each line end as one character, as `LineFeedOffsets` does. So a counter
    that ignores the kind of line end gets the same estimates for every kind.
    """

    def __init__(self, text: str, counter: TokenCounter) -> None:
        super().__init__(text, counter)
        self._line_ends = LineFeedOffsets(text)
        self._bounds = [0, *(match.end() for match in _STRETCH.finditer(with_line_feeds(text)))]

    @cached_property
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
