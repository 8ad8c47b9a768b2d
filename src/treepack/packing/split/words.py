"""Cutting inside a sentence: between words or, failing that, between grapheme clusters."""

import re
from typing import Final

from treepack.graphemes import INK, cluster_end, cluster_start, is_boundary, last_boundary
from treepack.markdown.prefixes import Prefix, content_position
from treepack.model.blocks import Span
from treepack.packing.budget import Budget
from treepack.packing.pieces import Piece, prefixes_of, trimmed_end

_SPACE: Final = re.compile(r"\s")
_CHARACTERS_PER_TOKEN: Final = 8  # hardly any word or cluster has more
_CELL_TEXT: Final = re.compile(r"[^\s|]")
_HEADING_MARKER: Final = re.compile(r"#{1,6}[ \t]+")
_BLOCK_MARKER: Final = re.compile(r"\s*(?:>|(?:#{1,6}|[-+*]|\d{1,9}[.)])(?!\S))")
# Each of these ends at the last place of its kind.
_LAST_SPACE: Final = re.compile(r"(?s:.)*\S(?=\s)")
_LAST_COMMA: Final = re.compile(r"(?s:.)*[，、；：。！？]")
_LAST_SYMBOL: Final = re.compile(r"(?s:.)*[!-/:-@\[-`{-~]")
# Scripts written without spaces between words: Thai to Khmer, and CJK with its punctuation. Without
# full-width Latin letters and digits, which form words.
UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff"
    "\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uffef]"
)
_MARKUP: Final = re.compile(
    r"""</?[A-Za-z][^\s/<>]*+(?:[^<>"']|"[^"<]*"|'[^'<]*'|)*+> | <!--(?:[^-\r\n]|-(?!->)){0,200}-->
    | &(?:\#?[0-9A-Za-z]{1,32});""",
    re.VERBOSE,
)


class WordCutter:
    """Cuts text of one document into the longest pieces that fit.

    Args:
        budget: Knows the limits, and the document.
    """

    def __init__(self, budget: Budget) -> None:
        self.source = budget.contexts.document.source
        self.text = self.source.text
        self.budget = budget
        self.cap = budget.config.max_tokens

    def words(self, piece: Piece) -> list[Piece]:
        """Cut a piece into the longest parts that fit, at whitespace if near, else at clusters."""
        parts: list[Piece] = []
        part = piece._replace(cut=None)
        while not self.budget.fits_target(part, piece.end):
            end = self._part_end(part, piece)
            if end >= piece.end:
                break
            if not INK.search(self.text, end, piece.end):
                return [*parts, part._replace(end=trimmed_end(self.text, part.start, end))]
            start = self._next_start(piece, end)
            line_start = self.source.line_starts[self.source.line_at(start)]
            content = self.content(start, prefixes_of(piece.frames))
            if part.start < line_start < end and start == content:
                end = line_start  # a quote's marker stays with the text of its line
            end = trimmed_end(self.text, part.start, end)
            if end > part.start:
                parts.append(self._ended(part, end))
            # The indentation of a fence after a heading belongs to the fence.
            later = max(end, part.start + 1)
            starts = [frame.start for frame in part.frames if later <= frame.start < start]
            start = min(starts, default=start)
            text_start = piece.text_start if piece.text_start > start else -1
            part = part._replace(start=start, text_start=text_start)
        return [*parts, part]

    def _next_start(self, piece: Piece, end: int) -> int:
        """Return where the text of a piece continues after a part that ends at ``end``."""
        text = INK.search(self.text, end, piece.end)
        assert text is not None, "asked for only before text"
        line_start = self.source.line_starts[self.source.line_at(text.start())]
        # A marker that opens a container on this line counts as text and may be cut.
        outer = (frame for frame in piece.frames if frame.start < line_start)
        start = max(text.start(), self.content(text.start(), prefixes_of(outer)))
        start = cluster_start(self.text, start, end)
        # After the last text, only a quote's marker on its own line is left.
        return start if start < piece.end else text.start()

    def _ended(self, part: Piece, end: int) -> Piece:
        """Return a part that is cut at ``end``."""
        # A table below a heading, and its caption, are not around the heading.
        is_glue = end <= part.text_start
        frames = tuple(
            frame
            for frame in part.frames
            if frame.start < end and not (is_glue and frame.role == "caption")
        )
        return part._replace(end=end, frames=frames, text_start=-1)

    def _part_end(self, part: Piece, piece: Piece) -> int:
        """Return where the next part of a piece ends; a closing fence stays with some code."""
        limit = piece.text_end if piece.text_end > part.start else piece.end
        begin = self._own_start(part, limit)
        least = self._cluster_end(begin)
        if begin > part.start and not self.budget.fits_cap(part, least):
            begin, limit = part.start, self._glued_end(part, limit)  # no room for text after it
            least = self._cluster_end(begin)
            if self.budget.fits_cap(part, limit):
                return limit
        if not self.budget.fits_cap(part, least):
            least = begin + 1  # a cluster longer than the cap is cut between its code points
        offset = self._farthest(part, least, limit)
        if offset >= limit:
            if limit == piece.end or self.budget.fits_cap(part, piece.end):
                return piece.end
            offset = trimmed_end(self.text, part.start, limit) - 1
            if offset <= least:
                return self._glued_end(part, limit)
        cut = self._best_cut(part, begin, offset)
        # A shorter text can have more tokens than a longer one, because a cut can break a token.
        while cut > least and not self.budget.fits_cap(part, cut):
            cut = self._best_cut(part, begin, cut - 1)
        return max(cut, least)

    def _farthest(self, part: Piece, least: int, limit: int) -> int:
        """Return the last offset up to ``limit`` at which a part is within the target.

        Within letters, each check must count the whole chunk. So the search begins at an estimate,
        which is off by a few tokens, and goes on in steps that double.
        """
        fits = self.budget.fits_target
        high = min(limit, max(least, self.budget.index.offset_after(least, self.cap + 2)))
        low, step = min(max(self.budget.likely_end(part), least), high), 1
        if low == least or fits(part, low):
            while low + step <= high and fits(part, low + step):
                low, step = low + step, 2 * step
            high = min(low + step - 1, high)
        else:
            while low - step > least and not fits(part, low - step):
                low, step = low - step, 2 * step
            low, high = max(low - step, least), low - 1
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if fits(part, middle) else (low, middle - 1)
        return low

    def _best_cut(self, part: Piece, begin: int, offset: int) -> int:
        """Return the best place in ``(begin, offset]``; not in a tag, if the tag fits.

        In this order: whitespace in the last half, or a comma of CJK; in a script without spaces,
        any place; earlier whitespace; the end of the word; punctuation in the last half; any place.
        """
        middle = _halfway(self.text, begin, offset)
        has_words = not UNSPACED.search(self.text, offset - 1, offset + 1)
        cut = self._last(_LAST_SPACE, middle, offset) or self._last(_LAST_COMMA, middle, offset)
        if not cut and has_words:
            mark = _HEADING_MARKER.match(self.text, begin, middle)
            start = mark.end() if mark else begin  # a heading's marker stays with the first word
            cut = self._last(_LAST_SPACE, start, offset) or self._word_end(part, offset)
            cut = cut or self._last(_LAST_SYMBOL, middle, offset)
        cut = cut or last_boundary(self.text, begin, offset)
        if self.text[cut - 1] == "\\" and cut - 1 > begin:
            cut -= 1  # a backslash stays with what it escapes
        tag = markup_around(self.text, begin, cut) if part.is_raw else None
        if tag is None:
            return cut
        if tag[0] > begin:
            return tag[0]
        return tag[1] if self.budget.fits_cap(part, tag[1]) else cut

    def _word_end(self, part: Piece, offset: int) -> int:
        """Return where the word around an offset ends, if the cap allows that, or 0."""
        limit = offset + _CHARACTERS_PER_TOKEN * self.cap  # a longer word is not searched again
        space = _SPACE.search(self.text, offset, min(limit, part.end))
        end = space.start() if space else part.end
        return end if end <= limit and self.budget.fits_cap(part, end) else 0

    def _last(self, pattern: re.Pattern[str], start: int, offset: int) -> int:
        """Return the last end of a pattern in ``(start, offset]``, or 0; not inside a cluster.

        It is not before a marker either: the next part, and the first lines of a table below it,
        would become a quote, an item or a heading.
        """
        end = offset + 1
        while match := pattern.match(self.text, start, end):
            cut = match.end()
            is_near = cut <= offset and not _BLOCK_MARKER.match(self.text, cut)
            if is_near and is_boundary(self.text, cut):
                return cut
            end = cut - 1
        return 0

    def _own_start(self, part: Piece, end: int) -> int:
        """Return where the text of a part begins after the text that is glued before it.

        Whitespace and pipes are skipped, so that a fence never encloses only indentation and a
        table header is never followed by only a pipe.
        """
        begin = max(part.start, part.text_start)
        is_pipe_row = not part.is_raw and any(frame.row >= 0 for frame in part.frames)
        text = (_CELL_TEXT if is_pipe_row else INK).search(self.text, begin, end)
        return text.start() if text else begin

    def _glued_end(self, part: Piece, end: int) -> int:
        """Return the end of the heading that is glued before a fence or table, or ``end``."""
        after = min([frame.start for frame in part.frames if frame.start > part.start], default=end)
        return trimmed_end(self.text, part.start, after)

    def _cluster_end(self, start: int) -> int:
        return cluster_end(self.text, start, start + _CHARACTERS_PER_TOKEN * self.cap)

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


def insides_of_markup(text: str, start: int, end: int) -> list[Span]:
    """Return the offsets, as spans, where a cut divides a tag, a short comment or an entity."""
    return [(match.start() + 1, match.end()) for match in _MARKUP.finditer(text, start, end)]


def markup_around(text: str, begin: int, offset: int) -> Span | None:
    """Return the span of the markup, from ``begin`` on, that a cut at an offset would divide."""
    for character in "<&":
        start = text.rfind(character, begin, offset)
        match = _MARKUP.match(text, start) if start >= 0 else None
        if match and match.end() > offset:
            return match.span()
    return None
