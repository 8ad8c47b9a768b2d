"""Cutting inside a sentence: between words or, failing that, between grapheme clusters."""

import re
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from treepack.graphemes import cluster_end, cluster_start, is_boundary, last_boundary
from treepack.markdown.prefixes import Prefix, content_position
from treepack.model.blocks import Span
from treepack.model.source import Source
from treepack.packing.budget import Budget
from treepack.packing.pieces import Piece, trimmed
from treepack.packing.split.html_text import after_tag, outside_markup, without_markup
from treepack.packing.wrappers import FrameWrapper, IntroWrapper, RowWrapper, Wrapper, prefixes_of

_LONG_WORD: Final = 64  # characters
_BLANK: Final = re.compile(r"\s")
TEXT: Final = re.compile(r"\S")
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_HEADING_MARK: Final = re.compile(r"#{1,6}[ \t]+")
_NEXT_HEADING: Final = re.compile(r"[\r\n][ ]{0,3}#{1,6}[ \t]")
_CELL_TEXT: Final = re.compile(r"[^\s|]")
# Each `_LAST_` pattern finds the last position of its kind before the end of the searched text.
_LAST_BLANK: Final = re.compile(r"\s\S*\Z")
_LAST_COMMA: Final = re.compile("[，、；：。！？][^，、；：。！？]*\\Z")
_MARK: Final = re.compile(r">|(?:#{1,6}|[-+*]|\d{1,9}[.)])(?!\S)")
_LAST_TAG: Final = re.compile(r">[^>]*\Z")
_LAST_SIGN: Final = re.compile(r"[!-/:-@\[-`{-~][^!-/:-@\[-`{-~]*\Z")
# Scripts written without spaces between words: Thai to Khmer, and CJK with its punctuation. Without
# full-width Latin letters and digits, which form words.
UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff"
    "\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uffef]"
)
# What can follow a word: whitespace, or a character of those scripts.
_AFTER_WORD: Final = re.compile(rf"\s|{UNSPACED.pattern}")


class _Shown(NamedTuple):
    """The text that is searched for places to cut: the whole text, or some HTML with markup masked.

    Attributes:
        text: The text that is searched.
        begin: Where it begins in the whole text; -1 if it is the whole text.
    """

    text: str
    begin: int = -1

    @property
    def is_markup(self) -> bool:
        """Whether it is HTML."""
        return self.begin >= 0

    def start_of(self, pattern: re.Pattern[str], start: int, end: int) -> int:
        """Return where a pattern first matches between two offsets of the whole text, or -1."""
        begin = max(self.begin, 0)
        match = pattern.search(self.text, start - begin, end - begin)
        return match.start() + begin if match else -1


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
            end = self._next_end(part, piece)
            if end >= piece.end:
                break
            if not TEXT.search(self.text, end, piece.end):
                return [*parts, part._replace(end=trimmed(self.text, part.start, end))]
            start = self._next_start(piece, end)
            line_start = self.source.line_starts[self.source.line_at(start)]
            content = self.content(start, prefixes_of(piece.wrappers))
            if part.start < line_start < end and start == content:
                end = line_start  # a quote's marker stays with the text of its line
            end = trimmed(self.text, part.start, end)
            if end > part.start:
                parts.append(self._ended(part, end))
            # The indentation of a fence after a heading belongs to the fence.
            later = max(end, part.start + 1)
            begins = [wrapper.start for wrapper in part.wrappers if later <= wrapper.start < start]
            start = min(begins, default=start)
            part = part._replace(start=start, glued=piece.glued if piece.glued > start else -1)
        return [*parts, part]

    def _next_start(self, piece: Piece, end: int) -> int:
        """Return where the text of a piece continues after a part that ends at ``end``."""
        text = TEXT.search(self.text, end, piece.end)
        assert text is not None, "asked for only before text"
        start = max(text.start(), self._after_marks(text.start(), piece.wrappers))
        start = cluster_start(self.text, start, end)
        # After the last text, only a quote's marker on its own line is left.
        return start if start < piece.end else text.start()

    def _ended(self, part: Piece, end: int) -> Piece:
        """Return a part that is cut at ``end``."""
        # A wrapper that begins later, such as a table after a heading, is not around it.
        begun = tuple(wrapper for wrapper in part.wrappers if wrapper.start < end)
        # Text that did not count as glue in the whole does not count in its parts either.
        glued = min(part.glued, end) if self.contexts.context_at(part).glue else -1
        return part._replace(end=end, wrappers=begun, glued=glued)

    def _next_end(self, part: Piece, piece: Piece) -> int:
        """Return where the next part of a piece ends; a closing fence stays with some code."""
        if piece.tail <= part.start:
            return self._farthest(part, piece.end)
        end = self._farthest(part, piece.tail)
        if TEXT.search(self.text, end, piece.tail):
            return end
        if self.fits_cap(part, piece.end):
            return piece.end
        end = trimmed(self.text, part.start, end)
        begin = self._begin(part, end)
        least = max(self._cluster_end(begin) + 1, self._least_end(part, begin, end))
        if end <= least:
            return self._glued_end(part, end)
        place = self._clean(part, begin, end - 1, end)
        if place >= end:
            inside = outside_markup(self.text, begin, end - 1) if _may_have_tags(part) else end - 1
            place = last_boundary(self.text, begin, inside)
        return self._shortened(part, place, least, partial(last_boundary, self.text, begin))

    def _least_end(self, part: Piece, begin: int, end: int) -> int:
        """Return the end of the least text that must fit after what is glued before a part.

        After a heading it is one cluster, because a heading should not be alone. In code or a table
        it is one character, because a fence or table header is never left alone. If a fence or
        table header begins inside the part, it is a whole word: a heading before the fence is
        separated rather than that word cut.
        """
        inner = self._inner(part)
        block = next(
            (wrapper for wrapper in inner if isinstance(wrapper, FrameWrapper | RowWrapper)), None
        )
        if block is None and not any(isinstance(each, FrameWrapper) for each in part.wrappers):
            return self._cluster_end(begin)
        if block is None or isinstance(block, RowWrapper):
            return begin + 1
        return self._first_word_end(after_tag(self.text, begin, end), end)

    def _glued_end(self, part: Piece, end: int) -> int:
        """Return the end of the heading that is glued before a fence or table, or ``end``.

        A table's caption stays with the table.
        """
        inner = self._inner(part)
        starts = [wrapper.start for wrapper in inner]
        starts += [
            wrapper.words.span[0]
            for wrapper in inner
            if isinstance(wrapper, IntroWrapper) and wrapper.words.span
        ]
        after = min([start for start in starts if start > part.start], default=end)
        return trimmed(self.text, part.start, after)

    def _inner(self, part: Piece) -> list[Wrapper]:
        """Return the wrappers that begin inside a part, after the prefixes at its beginning."""
        begun = self.content(part.start, prefixes_of(part.wrappers))
        return [wrapper for wrapper in part.wrappers if wrapper.start > begun]

    def _begin(self, part: Piece, end: int) -> int:
        """Return where the text of a part begins after the text that is glued before it.

        Whitespace and pipes are skipped, so that a fence never encloses only indentation and a
        table header is never followed by only a pipe.
        """
        begin = max(part.start, part.glued)
        is_pipe_row = any(
            isinstance(wrapper, RowWrapper) and not wrapper.is_html for wrapper in part.wrappers
        )
        text = (_CELL_TEXT if is_pipe_row else TEXT).search(self.text, begin, end)
        return text.start() if text else begin

    def _farthest(self, part: Piece, end: int) -> int:
        """Return the last good place, up to ``end``, to end a chunk that begins with the part."""
        begin = self._begin(part, end)
        if begin > part.start and not self.fits_cap(part, self._least_end(part, begin, end)):
            # The glued text leaves no room for text after it.
            begin, end = part.start, self._glued_end(part, end)
            if place := self._after_headings(part, end):
                return place
        place = self._longest(part, begin, end)
        return end if place >= end else self._clean_fitting(part, begin, place, end)

    def _after_headings(self, part: Piece, end: int) -> int:
        """Return the end of the glued text, or of as many whole headings in it as fit, or 0."""
        if self.fits_cap(part, end):
            return end
        near = min(end, self.index.reach(part.start, self.cap + 2))
        for heading in reversed([*_NEXT_HEADING.finditer(self.text, part.start, near)]):
            place = trimmed(self.text, part.start, heading.start())
            if place > part.start and self.fits_cap(part, place):
                return place
        return 0

    def _longest(self, part: Piece, begin: int, end: int) -> int:
        """Return the last offset up to which a part is within the target, at least one character.

        ``begin`` is where the text that counts as the part's own begins.
        """
        low = self._cluster_end(begin)
        if not self.fits_cap(part, low):
            low = begin + 1  # a cluster longer than the cap is cut between its code points
        high = min(end, max(low, self.index.reach(begin, self.cap + 2)))
        if _LETTERS.fullmatch(self.text, begin, high):
            low, high = self._around_estimate(part, low, high)
        found = self._last_fitting(part, low, high, self.likely_fits)
        if found > low and not self.fits(part, found):
            found = self._last_fitting(part, low, high, self.fits)
        return found

    def _clean_fitting(self, part: Piece, begin: int, offset: int, end: int) -> int:
        """Return the best place at or before ``offset`` where the part fits."""

        def clean(offset: int) -> int:
            return self._clean(part, begin, offset, end)

        place = self._shortened(part, clean(offset), self._cluster_end(begin), clean)
        is_escaping = self.text[place - 1] == "\\" and place - 1 > begin
        return place - 1 if is_escaping else place  # a backslash stays with what it escapes

    def _shortened(self, part: Piece, place: int, least: int, before: Callable[[int], int]) -> int:
        """Return ``place`` or, while the part does not fit, an earlier one, down to ``least``.

        A shorter text can have more tokens than a longer one, because a cut can break a token.
        ``before`` returns the place to try at or before an offset.
        """
        while place > least and not self.fits_cap(part, place):
            place = before(place - 1)
        return place

    def _around_estimate(self, part: Piece, low: int, high: int) -> Span:
        """Narrow ``[low, high]`` to a shorter range with the end that `_last_fitting` finds.

        Within letters, each check must count the whole chunk, and the estimate is off by a token or
        two. So only ends near the estimate are checked.
        """
        place, step = min(max(self.likely_end(part), low), high), 1
        if place == low or self.fits(part, place):
            while place + step <= high and self.fits(part, place + step):
                place, step = place + step, 2 * step
            return place, min(place + step - 1, high)
        while place - step > low and not self.fits(part, place - step):
            place, step = place - step, 2 * step
        return max(place - step, low), place - 1

    def _last_fitting(
        self, part: Piece, low: int, high: int, fits: Callable[[Piece, int], bool]
    ) -> int:
        """Bisect ``[low, high]`` for an end where a chunk that begins with the part fits."""
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if fits(part, middle) else (low, middle - 1)
        return low

    def _first_word_end(self, start: int, end: int) -> int:
        """Return the end of the first word, or of the first cluster if no word ends near it."""
        after = _AFTER_WORD.search(self.text, start + 1, min(end, start + _LONG_WORD))
        if UNSPACED.match(self.text, start) or (after is None and end - start > _LONG_WORD):
            return self._cluster_end(start)
        return after.start() if after else end

    def _cluster_end(self, start: int) -> int:
        return cluster_end(self.text, start, start + 8 * self.cap)

    def _clean(self, part: Piece, begin: int, offset: int, end: int) -> int:
        """Return the best place to end a part at or near ``offset``, never inside a tag."""
        if not _may_have_tags(part):
            return self._best(part, begin, offset, end, _Shown(self.text))
        offset = outside_markup(self.text, begin, offset)
        after = after_tag(self.text, begin, end)
        if after > offset and self.fits_cap(part, after):
            return after
        is_behind_tag = begin < after and self._cluster_end(after) <= offset
        begin = after if is_behind_tag else begin
        shown = _Shown(without_markup(self.text[begin : offset + 1]), begin)
        place = self._best(part, begin, offset, end, shown)
        is_cut = is_behind_tag and place < end and self._is_in_word(after, place)
        return after if is_cut else place  # rather than in the first word after the tag

    def _is_in_word(self, start: int, place: int) -> bool:
        """Whether a place is inside the first word after ``start``, in a script with spaces."""
        if self.text[place - 1] == ">" or self.text[place] == "<":
            return False  # next to a tag; a text may have many tags
        word = TEXT.search(self.text, start, place)
        is_one = word is not None and not _BLANK.search(self.text, word.start(), place + 1)
        return is_one and not UNSPACED.search(self.text, place - 1, place + 1)

    def _best(self, part: Piece, begin: int, offset: int, end: int, shown: _Shown) -> int:
        """Return the best place in ``(begin, offset]``, or a little after it where a word ends.

        In this order: whitespace in the last half; CJK punctuation there; in a script without
        spaces, any place; earlier whitespace; the end of the word, if the cap allows; punctuation
        inside the word; any place inside the word.
        """
        middle = _halfway(self.text, begin, offset)
        if place := self._last(_LAST_BLANK, middle, offset, end, shown):
            return place
        if place := self._last(_LAST_COMMA, middle, offset, end, shown):
            return place
        if not UNSPACED.search(self.text, offset - 1, offset + 1):
            mark = _HEADING_MARK.match(self.text, begin, middle)  # stays with the first word
            start = mark.end() if mark else begin
            if place := self._last(_LAST_BLANK, start, middle, end, shown):
                return place
            # A word that ends later cannot fit, so its end is not searched for.
            near = min(end, max(offset, self.index.reach(begin, self.cap + 2)))
            blank = _BLANK.search(self.text, offset, near)
            after = blank.start() if blank else near
            after = outside_markup(self.text, begin, after) if shown.is_markup else after
            if self.index.estimate(begin, after) <= self.cap and self.fits_cap(part, after):
                return after
            for last in (_LAST_TAG, _LAST_SIGN) if shown.is_markup else (_LAST_SIGN,):
                if place := self._last(last, middle, offset, end, shown):
                    return place
        return last_boundary(self.text, begin, offset)

    def _last(
        self, pattern: re.Pattern[str], start: int, offset: int, end: int, shown: _Shown
    ) -> int:
        """Return the last place in ``(start, offset]`` after a match, not inside a cluster, or 0.

        The place is before any whitespace, so that no part ends with it. It is not before a marker
        that would turn the next part, and the first lines of a table below it, into a quote, an
        item or a heading.
        """
        while (at := shown.start_of(pattern, start, offset + 1)) >= 0:
            ended = trimmed(self.text, start, min(at + 1, offset))
            text = TEXT.search(self.text, ended, end)
            if ended <= start:
                return 0
            if is_boundary(self.text, ended) and (
                text is None
                or (
                    is_boundary(self.text, text.start())
                    and not _MARK.match(self.text, text.start())
                )
            ):
                return ended if ended < end else 0
            offset = ended - 1
        return 0

    def _after_marks(self, offset: int, wrappers: tuple[Wrapper, ...]) -> int:
        """Return where the content of the line at ``offset`` begins, for a cut at or in the line.

        A marker that opens a container on this line counts as text and may be cut.
        """
        line_start = self.source.line_starts[self.source.line_at(offset)]
        begun = (wrapper for wrapper in wrappers if wrapper.start < line_start)
        return self.content(offset, prefixes_of(begun))

    def content(self, offset: int, prefixes: tuple[Prefix, ...]) -> int:
        """Return where the content of the line at ``offset`` begins."""
        line = self.source.line_at(offset)
        start, end = self.source.line_starts[line], self.source.line_starts[line + 1]
        return content_position(self.text, start, end, line, prefixes).offset


def _may_have_tags(part: Piece) -> bool:
    """Whether a part may contain HTML tags: it is raw or is in an HTML row."""
    return part.is_raw or any(
        isinstance(wrapper, RowWrapper) and wrapper.is_html for wrapper in part.wrappers
    )


def _halfway(text: str, start: int, end: int) -> int:
    r"""Return the middle of a span of text, where ``\r\n`` counts as one character."""
    half = (end - start - text.count("\r\n", start, end)) // 2
    middle = start + half
    while middle - start - text.count("\r\n", start, middle) < half:
        middle += 1
    return middle + (text[middle - 1 : middle + 1] == "\r\n")
