"""Cutting inside a sentence: between words or, failing that, between grapheme clusters."""

import re
from collections.abc import Callable
from functools import partial
from typing import Final

from treepack.graphemes import cluster_end, cluster_start, is_boundary, last_boundary
from treepack.markdown.prefixes import Prefix, content_position
from treepack.model.blocks import Span
from treepack.model.source import Source
from treepack.packing.budget import Budget
from treepack.packing.pieces import Piece, trimmed_end
from treepack.packing.split.markup import markup_around
from treepack.packing.wrappers import IntroWrapper, RowWrapper, Wrapper, prefixes_of

_WHITESPACE: Final = re.compile(r"\s")
TEXT: Final = re.compile(r"\S")
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_HEADING_MARKER: Final = re.compile(r"#{1,6}[ \t]+")
_CELL_TEXT: Final = re.compile(r"[^\s|]")
# Each `_LAST_` pattern finds the last position of its kind before the end of the searched text.
_LAST_WHITESPACE: Final = re.compile(r"\s\S*\Z")
_LAST_COMMA: Final = re.compile("[，、；：。！？][^，、；：。！？]*\\Z")
_BLOCK_MARKER: Final = re.compile(r">|(?:#{1,6}|[-+*]|\d{1,9}[.)])(?!\S)")
_LAST_SYMBOL: Final = re.compile(r"[!-/:-@\[-`{-~][^!-/:-@\[-`{-~]*\Z")
# Scripts written without spaces between words: Thai to Khmer, and CJK with its punctuation. Without
# full-width Latin letters and digits, which form words.
UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff"
    "\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uffef]"
)


class WordCutter:
    """Cuts text of one document into the longest pieces that fit.

    Args:
        source: The document's text.
        budget: Knows what is within the target, and what is within the cap.
    """

    def __init__(self, source: Source, budget: Budget) -> None:
        self.source = source
        self.text = source.text
        self.index = budget.index
        self.cap = budget.config.max_tokens
        self.contexts = budget.contexts
        self.fits = budget.fits_target
        self.fits_cap = budget.fits_cap
        self.likely_fits = budget.likely_fits
        self.likely_end = budget.likely_end

    def words(self, piece: Piece) -> list[Piece]:
        """Cut a piece into the longest parts that fit, at whitespace if near, else at clusters."""
        parts: list[Piece] = []
        part = piece._replace(cut=None)
        while not self.fits(part, piece.end):
            end = self._part_end(part, piece)
            if end >= piece.end:
                break
            if not TEXT.search(self.text, end, piece.end):
                return [*parts, part._replace(end=trimmed_end(self.text, part.start, end))]
            start = self._next_start(piece, end)
            line_start = self.source.line_starts[self.source.line_at(start)]
            content = self.content(start, prefixes_of(piece.wrappers))
            if part.start < line_start < end and start == content:
                end = line_start  # a quote's marker stays with the text of its line
            end = trimmed_end(self.text, part.start, end)
            if end > part.start:
                parts.append(self._ended(part, end))
            # The indentation of a fence after a heading belongs to the fence.
            later = max(end, part.start + 1)
            starts = [wrapper.start for wrapper in part.wrappers if later <= wrapper.start < start]
            start = min(starts, default=start)
            text_start = piece.text_start if piece.text_start > start else -1
            part = part._replace(start=start, text_start=text_start)
        return [*parts, part]

    def _next_start(self, piece: Piece, end: int) -> int:
        """Return where the text of a piece continues after a part that ends at ``end``."""
        text = TEXT.search(self.text, end, piece.end)
        assert text is not None, "asked for only before text"
        start = max(text.start(), self._content_after_markers(text.start(), piece.wrappers))
        start = cluster_start(self.text, start, end)
        # After the last text, only a quote's marker on its own line is left.
        return start if start < piece.end else text.start()

    def _ended(self, part: Piece, end: int) -> Piece:
        """Return a part that is cut at ``end``."""
        # A wrapper that begins later, such as a table after a heading, is not around it.
        wrappers = tuple(wrapper for wrapper in part.wrappers if wrapper.start < end)
        # Text that did not count as glue in the whole does not count in its parts either.
        text_start = min(part.text_start, end) if self.contexts.context_at(part).glue else -1
        return part._replace(end=end, wrappers=wrappers, text_start=text_start)

    def _part_end(self, part: Piece, piece: Piece) -> int:
        """Return where the next part of a piece ends; a closing fence stays with some code."""
        if piece.text_end <= part.start:
            return self._farthest_cut(part, piece.end)
        end = self._farthest_cut(part, piece.text_end)
        if TEXT.search(self.text, end, piece.text_end):
            return end
        if self.fits_cap(part, piece.end):
            return piece.end
        end = trimmed_end(self.text, part.start, end)
        begin = self._own_start(part, end)
        least = self._cluster_end(begin) + 1
        if end <= least:
            return self._glued_end(part, end)
        cut = self._best_cut(part, begin, end - 1, end)
        if cut >= end:
            cut = last_boundary(self.text, begin, end - 1)
        return self._fitting_cut(part, cut, least, partial(last_boundary, self.text, begin))

    def _glued_end(self, part: Piece, end: int) -> int:
        """Return the end of the heading that is glued before a fence or table, or ``end``.

        A table's caption stays with the table.
        """
        inner = self._inner_wrappers(part)
        starts = [wrapper.start for wrapper in inner]
        starts += [
            wrapper.words.span[0]
            for wrapper in inner
            if isinstance(wrapper, IntroWrapper) and wrapper.words.span
        ]
        after = min([start for start in starts if start > part.start], default=end)
        return trimmed_end(self.text, part.start, after)

    def _inner_wrappers(self, part: Piece) -> list[Wrapper]:
        """Return the wrappers that begin inside a part, after the prefixes at its beginning."""
        line_content = self.content(part.start, prefixes_of(part.wrappers))
        return [wrapper for wrapper in part.wrappers if wrapper.start > line_content]

    def _own_start(self, part: Piece, end: int) -> int:
        """Return where the text of a part begins after the text that is glued before it.

        Whitespace and pipes are skipped, so that a fence never encloses only indentation and a
        table header is never followed by only a pipe.
        """
        begin = max(part.start, part.text_start)
        is_pipe_row = any(
            isinstance(wrapper, RowWrapper) and not wrapper.is_html for wrapper in part.wrappers
        )
        text = (_CELL_TEXT if is_pipe_row else TEXT).search(self.text, begin, end)
        return text.start() if text else begin

    def _farthest_cut(self, part: Piece, end: int) -> int:
        """Return the last good place, up to ``end``, to end a chunk that begins with the part."""
        begin = self._own_start(part, end)
        if begin > part.start and not self.fits_cap(part, self._cluster_end(begin)):
            # The glued text leaves no room for text after it.
            begin, end = part.start, self._glued_end(part, end)
            if self.fits_cap(part, end):
                return end
        cut = self._farthest_offset(part, begin, end)
        return end if cut >= end else self._best_fitting_cut(part, begin, cut, end)

    def _farthest_offset(self, part: Piece, begin: int, end: int) -> int:
        """Return the last offset up to which a part is within the target, at least one character.

        ``begin`` is where the text that counts as the part's own begins.
        """
        low = self._cluster_end(begin)
        if not self.fits_cap(part, low):
            low = begin + 1  # a cluster longer than the cap is cut between its code points
        high = min(end, max(low, self.index.offset_after(begin, self.cap + 2)))
        if _LETTERS.fullmatch(self.text, begin, high):
            low, high = self._around_estimate(part, low, high)
        cut = self._last_fitting(part, low, high, self.likely_fits)
        if cut > low and not self.fits(part, cut):
            cut = self._last_fitting(part, low, high, self.fits)
        return cut

    def _best_fitting_cut(self, part: Piece, begin: int, offset: int, end: int) -> int:
        """Return the best place at or before ``offset`` where the part fits."""

        def best(offset: int) -> int:
            return self._best_cut(part, begin, offset, end)

        cut = self._fitting_cut(part, best(offset), self._cluster_end(begin), best)
        is_escaping = self.text[cut - 1] == "\\" and cut - 1 > begin
        return cut - 1 if is_escaping else cut  # a backslash stays with what it escapes

    def _fitting_cut(self, part: Piece, cut: int, least: int, earlier: Callable[[int], int]) -> int:
        """Return ``cut`` or, while the part does not fit, an earlier one, down to ``least``.

        A shorter text can have more tokens than a longer one, because a cut can break a token.
        ``earlier`` returns the place to try at or before an offset.
        """
        while cut > least and not self.fits_cap(part, cut):
            cut = earlier(cut - 1)
        return cut

    def _around_estimate(self, part: Piece, low: int, high: int) -> Span:
        """Narrow ``[low, high]`` to a shorter range with the end that `_last_fitting` finds.

        Within letters, each check must count the whole chunk, and the estimate is off by a token or
        two. So only ends near the estimate are checked.
        """
        cut, step = min(max(self.likely_end(part), low), high), 1
        if cut == low or self.fits(part, cut):
            while cut + step <= high and self.fits(part, cut + step):
                cut, step = cut + step, 2 * step
            return cut, min(cut + step - 1, high)
        while cut - step > low and not self.fits(part, cut - step):
            cut, step = cut - step, 2 * step
        return max(cut - step, low), cut - 1

    def _last_fitting(
        self, part: Piece, low: int, high: int, fits: Callable[[Piece, int], bool]
    ) -> int:
        """Bisect ``[low, high]`` for an end where a chunk that begins with the part fits."""
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if fits(part, middle) else (low, middle - 1)
        return low

    def _cluster_end(self, start: int) -> int:
        return cluster_end(self.text, start, start + 8 * self.cap)

    def _best_cut(self, part: Piece, begin: int, offset: int, end: int) -> int:
        """Return the best place to end a part at or near ``offset``; not in a tag that fits."""
        cut = self._best_in_text(part, begin, offset, end)
        tag = markup_around(self.text, begin, cut) if part.is_raw else None
        if tag is None:
            return cut
        if tag[0] > begin:
            return tag[0]
        return tag[1] if self.fits_cap(part, tag[1]) else cut

    def _best_in_text(self, part: Piece, begin: int, offset: int, end: int) -> int:
        """Return the best place in ``(begin, offset]``, or a little after it where a word ends.

        In this order: whitespace in the last half; CJK punctuation there; in a script without
        spaces, any place; earlier whitespace; the end of the word, if the cap allows; punctuation
        inside the word; any place inside the word.
        """
        middle = _halfway(self.text, begin, offset)
        if cut := self._last_cut(_LAST_WHITESPACE, middle, offset, end):
            return cut
        if cut := self._last_cut(_LAST_COMMA, middle, offset, end):
            return cut
        if not UNSPACED.search(self.text, offset - 1, offset + 1):
            mark = _HEADING_MARKER.match(self.text, begin, middle)  # stays with the first word
            start = mark.end() if mark else begin
            if cut := self._last_cut(_LAST_WHITESPACE, start, middle, end):
                return cut
            # A word that ends later cannot fit, so its end is not searched for.
            near = min(end, max(offset, self.index.offset_after(begin, self.cap + 2)))
            whitespace = _WHITESPACE.search(self.text, offset, near)
            after = whitespace.start() if whitespace else near
            if self.index.estimate(begin, after) <= self.cap and self.fits_cap(part, after):
                return after
            if cut := self._last_cut(_LAST_SYMBOL, middle, offset, end):
                return cut
        return last_boundary(self.text, begin, offset)

    def _last_cut(self, pattern: re.Pattern[str], start: int, offset: int, end: int) -> int:
        """Return the last place in ``(start, offset]`` after a match, not inside a cluster, or 0.

        The place is before any whitespace, so that no part ends with it. It is not before a marker
        that would turn the next part, and the first lines of a table below it, into a quote, an
        item or a heading.
        """
        while match := pattern.search(self.text, start, offset + 1):
            cut = trimmed_end(self.text, start, min(match.start() + 1, offset))
            text = TEXT.search(self.text, cut, end)
            if cut <= start:
                return 0
            if is_boundary(self.text, cut) and (
                text is None
                or (
                    is_boundary(self.text, text.start())
                    and not _BLOCK_MARKER.match(self.text, text.start())
                )
            ):
                return cut if cut < end else 0
            offset = cut - 1
        return 0

    def _content_after_markers(self, offset: int, wrappers: tuple[Wrapper, ...]) -> int:
        """Return where the content of the line at ``offset`` begins, for a cut at or in the line.

        A marker that opens a container on this line counts as text and may be cut.
        """
        line_start = self.source.line_starts[self.source.line_at(offset)]
        outer = (wrapper for wrapper in wrappers if wrapper.start < line_start)
        return self.content(offset, prefixes_of(outer))

    def content(self, offset: int, prefixes: tuple[Prefix, ...]) -> int:
        """Return where the content of the line at ``offset`` begins."""
        line = self.source.line_at(offset)
        start, end = self.source.line_starts[line], self.source.line_starts[line + 1]
        return content_position(self.text, start, end, line, prefixes).offset


def _halfway(text: str, start: int, end: int) -> int:
    r"""Return the middle of a span of text, where ``\r\n`` counts as one character."""
    half = (end - start - text.count("\r\n", start, end)) // 2
    middle = start + half
    while middle - start - text.count("\r\n", start, middle) < half:
        middle += 1
    return middle + (text[middle - 1 : middle + 1] == "\r\n")
