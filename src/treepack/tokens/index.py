"""Exact token counts of any slice of one text.

Counting each slice anew would send the text through the tokenizer ten times and more.
An index sends it once and answers from prefix sums.
"""

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from treepack.tokens.counters import TokenCounter

SHORT_TEXT: Final = 1024
"""Characters; counts of texts up to this length are remembered."""

REMEMBERED: Final = 4096
"""Counts that are remembered, at most."""


CountTo: TypeAlias = Callable[[int, str], int]
"""Exact tokens of what begins at one place, up to an end, with a suffix."""


class TokenIndex(ABC):
    """Token counts of the slices of a text; offsets are characters from 0 to len(text), half-open.

    An index has no state but remembered counts, so any number of threads may ask it. To another
    process it takes its text and counter only, and counts anew when it is asked there.

    Attributes:
        text: the text.
        counter: the counter whose results the exact methods give.
    """

    text: str
    counter: TokenCounter

    def __init__(self, text: str, counter: TokenCounter) -> None:
        self.text = text
        self.counter = counter
        self._remembered = functools.lru_cache(REMEMBERED)(counter)

        # No method: in a cycle with its own cache, the index would outlive its document.
        @functools.lru_cache(REMEMBERED)
        def count_slice(start: int, end: int) -> int:
            return counter(text[start:end])

        self._count_slice = count_slice

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return type(self), (self.text, self.counter)

    @abstractmethod
    def count(self, start: int, end: int) -> int:
        """Return exactly ``counter(text[start:end])``."""

    @abstractmethod
    def estimate(self, start: int, end: int) -> int:
        """Return about ``count(start, end)`` without asking the tokenizer."""

    @abstractmethod
    def reach(self, start: int, tokens: int) -> int:
        """Return the offset where about ``tokens`` tokens from ``start`` end.

        It is never before ``start`` nor behind the text's end, grows with both arguments and
        does not ask the tokenizer.
        """

    @abstractmethod
    def count_parts(self, parts: Sequence[str]) -> int:
        """Return exactly ``counter("".join(parts))``; the parts need not come from the text."""

    @abstractmethod
    def count_slice_in(self, prefix: str, start: int, end: int, suffix: str) -> int:
        """Return exactly ``counter(prefix + text[start:end] + suffix)``."""

    def opened(self, prefix: str, start: int) -> "CountTo":
        """Return what counts slices from ``start`` on behind a prefix, for one end after another.

        ``opened(prefix, start)(end, suffix)`` is ``count_slice_in(prefix, start, end, suffix)``.
        """
        return functools.partial(self.count_slice_in, prefix, start)

    def count_around(self, before: str, text: str, tokens: int, behind: str) -> int:
        """Return exactly ``counter(before + text + behind)``.

        Args:
            before: What stands before the text.
            text: Any text.
            tokens: What the counter says of it alone.
            behind: What stands behind it.
        """
        return self.count_text(before + text + behind) if before or behind else tokens

    def count_text(self, text: str) -> int:
        """Return exactly ``counter(text)``, remembered if the text is short."""
        return self._remembered(text) if len(text) <= SHORT_TEXT else self.counter(text)
