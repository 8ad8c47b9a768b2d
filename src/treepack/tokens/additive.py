"""The index for the bundled encodings: one tokenizer pass, prefix sums, safe cuts."""

import functools
import sys
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from string import punctuation
from typing import Final, NamedTuple

from treepack.graphemes import LETTERS
from treepack.tokens.counters import EncodingCounter
from treepack.tokens.cuts import (
    INDENTED,
    KIND,
    REACH,
    SAFE,
    CutTable,
    cut_table,
    starts_indented_line,
)
from treepack.tokens.index import CountTo, TokenIndex
from treepack.tokens.vocabulary import load_vocabulary

_SEGMENT: Final = 1 << 17
"""Characters given to the tokenizer at once; its list of ids takes 40 bytes per token."""

_STRIDE_BITS: Final = 10
_STRIDE: Final = 1 << _STRIDE_BITS
_LOW: Final = (1 << 16) - 1
_LOW_HALF: Final = int(sys.byteorder == "big")  # which half of four bytes has the low bits

_ESTIMATE_ERROR: Final = 32
"""Most tokens by which an estimate up to whitespace is off; inside a long word it may be more."""

_NO_CUT: Final = -1

_PUNCTUATION: Final = frozenset(punctuation)
"""Characters that are one token after a safe cut. Most blocks end with one of them."""

_O200K: Final = cut_table(slash_joins_break=True)
CUT_TABLES: Final[dict[str, CutTable]] = {
    "cl100k_base": cut_table(slash_joins_break=False),
    "o200k_base": _O200K,
    "o200k_harmony": _O200K,
}
"""The encodings whose patterns obey the rules R1 to R5; r50k and p50k do not."""


class AdditiveIndex(TokenIndex):
    """Counts by subtracting prefix sums at safe cuts; only the text outside them is tokenized.

    The difference is exact: a safe cut of the whole text is the end of a token, so the text
    between two such cuts has the same tokens alone as within the whole text.
    """

    def __init__(self, text: str, counter: EncodingCounter) -> None:
        super().__init__(text, counter)
        self._encoding = counter
        self._table = CUT_TABLES[counter.name]

    @functools.cached_property
    def _positions(self) -> "_Positions":
        """Where the tokens end; the text is tokenized when this is first needed."""
        return _positions(_ends(self._encoding, self._segments()), len(self.text))

    def count(self, start: int, end: int) -> int:
        """Return exactly ``counter(text[start:end])``; text between safe cuts is not encoded."""
        if start >= end:
            return 0
        # Called for each block, so the checks are written out instead of calling methods.
        text, table, first, last, total = self.text, self._table, start, end, 0
        if start:
            verdict = table[KIND[text[start - 1]]][KIND[text[start]]]
            if verdict != SAFE and (
                verdict != INDENTED or not starts_indented_line(text, start, 0, len(text))
            ):
                first = self._safe_cut_after(start, end)
        if end < len(text):
            verdict = table[KIND[text[end - 1]]][KIND[text[end]]]
            if (
                first != _NO_CUT
                and verdict != SAFE
                and (verdict != INDENTED or not starts_indented_line(text, end, 0, len(text)))
            ):
                last = end - 1
                is_safe = first < last and table[KIND[text[last - 1]]][KIND[text[last]]] == SAFE
                if is_safe and text[last] in _PUNCTUATION:
                    end, total = last, 1
                else:
                    last = self._safe_cut_before(first, end)
        if _NO_CUT in (first, last):
            return self._count_slice(start, end)
        total += self.estimate(first, last)
        if start < first:
            total += self.count_text(text[start:first])
        if last < end:
            total += self.count_text(text[last:end])
        return total

    def estimate(self, start: int, end: int) -> int:
        """Return about ``count(start, end)``; exact if both ends are safe cuts."""
        if start >= end:
            return 0
        ends, marks = self._positions
        first, last = start >> _STRIDE_BITS, end >> _STRIDE_BITS
        return bisect_right(ends, end & _LOW, marks[last], marks[last + 1]) - bisect_right(
            ends, start & _LOW, marks[first], marks[first + 1]
        )

    def estimates(self, start: int, ends: Sequence[int]) -> list[int]:
        """Return the result of `estimate` for each of several ends, in half the time."""
        (token_ends, marks), before = self._positions, self._tokens_before(start)
        strides = [end >> _STRIDE_BITS for end in ends]
        return [
            bisect_right(token_ends, end & _LOW, marks[stride], marks[stride + 1]) - before
            for end, stride in zip(ends, strides, strict=True)
        ]

    def offset_after(self, start: int, tokens: int) -> int:
        """Return the offset where about ``tokens`` tokens from ``start`` end."""
        if tokens <= 0:
            return start
        return max(start, self._end_of(self._tokens_before(start) + tokens))

    def _end_of(self, tokens: int) -> int:
        """Return the offset where the first ``tokens`` tokens of the text end."""
        ends, marks = self._positions
        if tokens > len(ends):
            return len(self.text)
        stride = bisect_right(marks, tokens - 1) - 1
        return (stride << _STRIDE_BITS) + ends[tokens - 1] % _STRIDE

    def count_slice_in(self, prefix: str, start: int, end: int, suffix: str) -> int:
        """Return exactly ``counter(prefix + text[start:end] + suffix)``.

        If the prefix may share a token with the slice, it is counted together with the slice's
        start, up to the first safe cut. The same holds for the suffix.
        """
        if start >= end:
            return self.count_text(prefix + suffix)
        if not (prefix or suffix):
            return self.count(start, end)
        text, first, last, head, tail = self.text, start, end, prefix, suffix
        is_safe = not prefix or self._table[KIND[prefix[-1]]][KIND[text[start]]] == SAFE
        is_safe = is_safe or self._is_safe_seam(prefix, text[start : min(end, start + REACH + 1)])
        if not is_safe:
            first = self._safe_cut_after(start, end)
            if first == _NO_CUT:
                return self.count_text(prefix + text[start:end] + suffix)
            head = prefix + text[start:first]
        if suffix and not self._is_safe_seam(text[max(first, end - REACH) : end], suffix):
            last = self._safe_cut_before(first, end)
            if last == _NO_CUT:
                return self.count_text(prefix + text[start:end] + suffix)
            tail = text[last:end] + suffix
        total = self.count(first, last)
        if head:
            total += self.count_text(head)
        if tail:
            total += self.count_text(tail)
        return total

    def counter_from(self, prefix: str, start: int, limit: int) -> tuple[CountTo, int]:
        """Return a function that counts slices from ``start``, and a safe end; see `TokenIndex`.

        The beginning is counted once, up to a safe cut, because the function is called with many
        ends.
        """
        text, table = self.text, self._table
        first = self._cut_safe_for_any_end(prefix, start)
        if first == _NO_CUT:
            return super().counter_from(prefix, start, limit)
        before = self.count_text(prefix + text[start:first]) - self._tokens_before(first)
        (ends, marks), length = self._positions, len(text)

        def count_to(end: int, suffix: str) -> int:
            if end <= first:
                return self.count_slice_in(prefix, start, end, suffix)
            last, character = end, text[end - 1]
            verdicts = table[KIND[character]]
            is_cut = end == length or verdicts[KIND[text[end]]] == SAFE
            if not is_cut or (suffix and verdicts[KIND[suffix[0]]] != SAFE):
                last = end - 1
                is_safe = first < last and table[KIND[text[last - 1]]][KIND[character]] == SAFE
                if not is_safe:
                    last = self._safe_cut_before(first, end)
                if last == _NO_CUT:
                    return self.count_slice_in(prefix, start, end, suffix)
            stride = last >> _STRIDE_BITS  # `_tokens_before`, without the call
            tokens = before + bisect_right(ends, last & _LOW, marks[stride], marks[stride + 1])
            rest = text[last:end] + suffix
            if not rest:
                return tokens
            return tokens + (1 if rest in _PUNCTUATION else self.count_text(rest))

        certain = limit - _ESTIMATE_ERROR - before
        return count_to, self._end_of(certain) if certain > 0 else start

    def _cut_safe_for_any_end(self, prefix: str, start: int) -> int:
        """Return a cut at or near ``start`` that is safe for every end of the slice."""
        text, table = self.text, self._table
        if start >= len(text):
            return _NO_CUT
        kind = KIND[text[start]]
        is_cut = not start or table[KIND[text[start - 1]]][kind] == SAFE
        if is_cut and (not prefix or table[KIND[prefix[-1]]][kind] == SAFE):
            return start
        for cut in range(start + 1, min(len(text), start + REACH)):
            if table[KIND[text[cut - 1]]][KIND[text[cut]]] == SAFE:
                return cut
        return _NO_CUT

    def _tokens_before(self, offset: int) -> int:
        """Return the number of tokens up to the offset; exact if it is a safe cut."""
        stride, (ends, marks) = offset >> _STRIDE_BITS, self._positions
        return bisect_right(ends, offset & _LOW, marks[stride], marks[stride + 1])

    def _is_safe_seam(self, left: str, right: str) -> bool:
        """Return whether the counts of two strings add up; looks only at the text near the seam."""
        verdict = self._table[KIND[left[-1]]][KIND[right[0]]]
        if verdict != INDENTED:
            return verdict == SAFE
        before, near = left[-REACH:], left[-REACH:] + right[: REACH + 1]
        return starts_indented_line(near, len(before), 0, len(near))

    def _safe_cut_after(self, start: int, end: int) -> int:
        """Return the first safe cut inside text[start:end], or `_NO_CUT` if none is near."""
        text, table = self.text, self._table
        limit = min(end, start + max(REACH, (end - start) // 8))  # cheaper than encoding
        start = _in_word(text, start, limit)
        before = KIND[text[start]]
        for cut in range(start + 1, limit):
            after = KIND[text[cut]]
            verdict = table[before][after]
            if verdict == SAFE or (
                verdict == INDENTED and starts_indented_line(text, cut, start, end)
            ):
                return cut
            before = after
        return _NO_CUT

    def _safe_cut_before(self, start: int, end: int) -> int:
        """Return the last safe cut inside text[start:end], or ``start`` if near, or `_NO_CUT`."""
        text, table = self.text, self._table
        length = end - start
        search_length = length // 8 if length > 8 * REACH else REACH
        after = KIND[text[end - 1]]
        for cut in range(end - 1, end - search_length if search_length < length else start, -1):
            before = KIND[text[cut - 1]]
            verdict = table[before][after]
            if verdict == SAFE or (
                verdict == INDENTED and starts_indented_line(text, cut, start, end)
            ):
                return cut
            after = before
        return start if length <= search_length else _NO_CUT

    def _segments(self) -> Iterator[str]:
        """Split the text at safe cuts that are never inside a run of whitespace."""
        text, start = self.text, 0
        while len(text) - start > _SEGMENT:
            cut = start + _SEGMENT
            while cut < len(text) and self._table[KIND[text[cut - 1]]][KIND[text[cut]]] != SAFE:
                cut = _in_word(text, cut, len(text)) + 1
            yield text[start:cut]
            start = cut
        yield text[start:]


class _Positions(NamedTuple):
    """Where the tokens of a text end.

    Attributes:
        ends: For each token, the number of characters that begin before its end (it may end inside
            one). Only the low 16 bits, because a search covers one stride, in which they ascend.
        marks: For each stride of characters, the number of tokens that end before it; then the
            number of all tokens.
    """

    ends: "array[int]"
    marks: "array[int]"


def _positions(segments: Iterable["array[int]"], length: int) -> _Positions:
    """Return the positions of tokens whose ends are given in order, in a text of this length."""
    low, marks = array("H"), array("I", [0])
    for ends in filter(None, segments):
        before = len(low)
        for stride in range(len(marks) << _STRIDE_BITS, ends[-1] + 1, _STRIDE):
            marks.append(before + bisect_left(ends, stride))
        low.frombytes(memoryview(ends).cast("B").cast("H")[_LOW_HALF::2].tobytes())
    marks.extend([len(low)] * ((length >> _STRIDE_BITS) + 2 - len(marks)))
    return _Positions(low, marks)


def _ends(counter: EncodingCounter, segments: Iterable[str]) -> Iterator["array[int]"]:
    """Yield, for each segment, how many characters begin before the end of each token."""
    starts = load_vocabulary(counter.name).character_starts
    assert starts is not None, "additive encodings are bundled"
    before = 0
    for segment in segments:
        yield array("I", [before := before + starts[token] for token in counter.encode(segment)])


def _in_word(text: str, start: int, end: int) -> int:
    """Return the offset of the last letter of a run of letters at ``start``; else ``start``.

    A cut between two letters is never safe, and a run of letters may be as long as the text.
    """
    letters = LETTERS.match(text, start, end)
    return letters.end() - 1 if letters else start
