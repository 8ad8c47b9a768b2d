"""Cutting text that is too long: lines, sentences, words, grapheme clusters."""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Final

from treepack.document.prefixes import Prefix, content_place
from treepack.graphemes import cluster_end, is_boundary, last_boundary
from treepack.packing.frames import Enclosed, Frame, Indented, Introduced, Row
from treepack.packing.sentences import SentenceFinder
from treepack.packing.sizes import Sizes
from treepack.packing.units import Unit

_LONG_WORD: Final = 64  # characters
_BLANK: Final = re.compile(r"\s")
_TEXT: Final = re.compile(r"\S")
_CELL_TEXT: Final = re.compile(r"[^\s|]")
# The last one of a kind before the end of the searched stretch.
_LAST_BLANK: Final = re.compile(r"\s\S*\Z")
_LAST_COMMA: Final = re.compile("[，、；：。！？][^，、；：。！？]*\\Z")
_LAST_SIGN: Final = re.compile(r"[!-/:-@\[-`{-~][^!-/:-@\[-`{-~]*\Z")
# Thai to Khmer, and CJK with its punctuation: scripts written without blanks between words.
UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]"
)

# What stands behind a word: a blank, or a letter of those scripts.
_BEHIND_WORD: Final = re.compile(rf"\s|{UNSPACED.pattern}")

Fits = Callable[[Unit, int], bool]


class TextCutter:
    """Cuts text of one document into units.

    Args:
        finder: Has the document's text, and finds its sentences.
        sizes: Tells what is on target, and what is within the cap.
    """

    def __init__(self, finder: SentenceFinder, sizes: Sizes) -> None:
        self.source = finder.source
        self.text = finder.source.text
        self.index = sizes.index
        self.finder = finder
        self.cap = sizes.config.max_tokens
        self.fits = sizes.fits_target
        self.fits_cap = sizes.fits_cap
        self.likely_fits = sizes.likely_fits

    def is_short(self, opening: str, closing: str, frames: tuple[Frame, ...]) -> bool:
        """Whether something may be repeated in each piece without crowding out the body."""
        first = "".join(f.prefix.first for f in frames if isinstance(f, Indented))
        following = "".join(f.prefix.following for f in frames if isinstance(f, Indented))
        around = "".join(
            f"{f.opening.text}\n{following}{f.closing}\n" for f in frames if isinstance(f, Enclosed)
        )
        words = "".join(f"{f.words.text}\n\n" for f in frames if isinstance(f, Introduced))
        text = f"{first}{words}{around}{opening}"
        if closing:
            text += f"\n\n{following}{closing}"
        return self.index.count_text(text) <= self.cap // 2

    def lines(self, unit: Unit, start: int, end: int) -> list[Unit]:
        """A unit's text by lines; a single line by words."""
        lines = self.line_units(start, end, unit.frames)
        return lines if len(lines) > 1 else self.words(unit)

    def line_units(
        self, start: int, end: int, frames: tuple[Frame, ...], *, blanks: bool = False
    ) -> list[Unit]:
        """A unit for each line that is not blank, begun behind the containers' prefixes.

        With ``blanks``, those at the end of a line belong to it.
        """
        starts = self.source.line_starts
        prefixes = prefixes_of(frames)
        first, last = self.source.line_at(start), self.source.line_at(max(start, end - 1))
        units: list[Unit] = []
        for line in range(first, last + 1):
            begin, behind = max(starts[line], start), min(starts[line + 1], end)
            if prefixes and line > first:
                begin = content_place(self.text, begin, behind, line, prefixes).offset
            content = self.text[begin:behind].rstrip("\r\n" if blanks else None)
            if content and not content.isspace():
                units.append(Unit(begin, begin + len(content), frames, self.words))
        return units

    def sentences(self, unit: Unit, start: int, end: int) -> list[Unit]:
        """A unit's text by sentences; a single sentence by words."""
        starts = self.finder.starts(start, end, prefixes_of(unit.frames))
        if len(starts) == 1:
            return self.words(unit)
        return [
            Unit(begin, self._sentence_end(begin, behind, unit.frames), unit.frames, self.words)
            for begin, behind in pairwise([*starts, end])
        ]

    def _sentence_end(self, begin: int, behind: int, frames: tuple[Frame, ...]) -> int:
        """Where a sentence ends whose follower begins at ``behind``, its line's marks left out."""
        line_start = self.source.line_starts[self.source.line_at(max(begin, behind - 1))]
        if begin < line_start < behind and self._line_content(line_start, frames) >= behind:
            behind = line_start
        return trimmed(self.text, begin, behind)

    def words(self, unit: Unit) -> list[Unit]:
        """Pieces as long as fit, ended at a blank if one is near, else between two clusters."""
        pieces: list[Unit] = []
        piece = unit._replace(cut=None)
        while not self.fits(piece, unit.end):
            end = self._piece_end(piece, unit)
            if end >= unit.end:
                break
            text = _TEXT.search(self.text, end, unit.end)
            if text is None:
                return [*pieces, piece._replace(end=trimmed(self.text, piece.start, end))]
            behind = max(text.start(), self._behind_marks(text.start(), unit.frames))
            if behind >= unit.end:  # what is left is a quote's mark on a line of its own
                behind = text.start()
            line_start = self.source.line_starts[self.source.line_at(behind)]
            content = self._line_content(behind, unit.frames)
            if piece.start < line_start < end and behind == content:
                end = line_start  # a quote's mark goes with the line behind it
            end = trimmed(self.text, piece.start, end)
            if end > piece.start:
                # What begins behind it, as a table behind its heading, is not around it.
                begun = tuple(frame for frame in piece.frames if frame.start < end)
                pieces.append(piece._replace(end=end, frames=begun))
            piece = piece._replace(start=behind, glued=unit.glued if unit.glued > behind else -1)
        return [*pieces, piece]

    def _piece_end(self, piece: Unit, unit: Unit) -> int:
        """Where the next piece of a unit ends; a closing fence goes with some of the code."""
        if unit.tail <= piece.start:
            return self._farthest(piece, unit.end)
        end = self._farthest(piece, unit.tail)
        if _TEXT.search(self.text, end, unit.tail):
            return end
        if self.fits_cap(piece, unit.end):
            return unit.end
        begin = max(piece.start, piece.glued)
        if end - 1 <= self._cluster_end(begin):
            return self._glued_end(piece, end)
        place = self._clean(piece, begin, end - 1, end)
        return place if place < end else last_boundary(self.text, begin, end - 1)

    def _least_end(self, piece: Unit, begin: int, end: int) -> int:
        """The end of the least text that what is glued before a piece must have room for.

        A character: a heading, a fence or a table's header is nothing alone. But a heading is
        parted from a fence or table before a word of that is torn.
        """
        inner = [frame for frame in piece.frames if frame.start > piece.start]
        if inner and not isinstance(inner[0], Row):
            return self._first_word_end(begin, end)
        return begin + 1

    def _glued_end(self, piece: Unit, end: int) -> int:
        """Where the heading ends that is glued before a fence or table; ``end`` without one.

        A table's caption stays with the table.
        """
        inner = [frame for frame in piece.frames if frame.start > piece.start]
        starts = [frame.start for frame in inner]
        starts += [f.words.span[0] for f in inner if isinstance(f, Introduced) and f.words.span]
        behind = min([start for start in starts if start > piece.start], default=end)
        return trimmed(self.text, piece.start, behind)

    def _farthest(self, piece: Unit, end: int) -> int:
        """The last good place, up to ``end``, where a chunk begun with the piece may end."""
        begin = max(piece.start, piece.glued)
        is_pipe_row = any(isinstance(frame, Row) and not frame.tags for frame in piece.frames)
        # Indentation alone is no code to stand by a fence, nor a pipe a cell to stand by a header.
        if text := (_CELL_TEXT if is_pipe_row else _TEXT).search(self.text, begin, end):
            begin = text.start()
        low = self._cluster_end(begin)
        if begin > piece.start and not self.fits_cap(piece, self._least_end(piece, begin, end)):
            # What is glued before it is too long by itself.
            begin, end = piece.start, self._glued_end(piece, end)
            if self.fits_cap(piece, end):
                return end
            low = self._cluster_end(begin)
        if not self.fits_cap(piece, low):
            low = begin + 1  # a cluster longer than the cap is cut between its code points
        high = min(end, max(low, self.index.reach(begin, self.cap + 2)))
        found = self._last_fitting(piece, low, high, self.likely_fits)
        if found > low and not self.fits(piece, found):
            found = self._last_fitting(piece, low, high, self.fits)
        low = found
        return end if low >= end else self._clean_fitting(piece, begin, low, end)

    def _clean_fitting(self, piece: Unit, begin: int, offset: int, end: int) -> int:
        """The best place at or before ``offset`` where the piece fits.

        A shorter text can have more tokens than a longer one: at a cut, a token may fall apart.
        """
        shortest = self._cluster_end(begin)
        place = self._clean(piece, begin, offset, end)
        while place > shortest and not self.fits_cap(piece, place):
            place = self._clean(piece, begin, place - 1, end)
        return place

    def _last_fitting(self, piece: Unit, low: int, high: int, fits: Fits) -> int:
        """An end in ``[low, high]`` where a chunk begun with the piece fits, and no more behind."""
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if fits(piece, middle) else (low, middle - 1)
        return low

    def _first_word_end(self, start: int, end: int) -> int:
        """The end of the first word, or of the first cluster where no word ends near."""
        behind = _BEHIND_WORD.search(self.text, start + 1, min(end, start + _LONG_WORD))
        if UNSPACED.match(self.text, start) or (behind is None and end - start > _LONG_WORD):
            return self._cluster_end(start)
        return behind.start() if behind else end

    def _cluster_end(self, start: int) -> int:
        return cluster_end(self.text, start, start + 8 * self.cap)

    def _clean(self, piece: Unit, begin: int, offset: int, end: int) -> int:
        """The best place to end a piece at or a little before ``offset``.

        A blank in the last half; else where a script without blanks has a comma, or anywhere in
        it; else an earlier blank; else the end of the word, if the cap allows; else inside it.
        """
        if any(isinstance(frame, Row) and frame.tags for frame in piece.frames):
            offset = self._outside_tag(begin, offset)
            begin = self._behind_tag(begin, offset)
        middle = begin + (offset - begin) // 2
        if place := self._last(_LAST_BLANK, middle, offset, end):
            return place
        if place := self._last(_LAST_COMMA, middle, offset, end):
            return place
        if not UNSPACED.search(self.text, offset - 1, offset + 1):
            if place := self._last(_LAST_BLANK, begin, middle, end):
                return place
            # A longer word has no room: it is not searched for its end, be it the whole text.
            near = min(end, max(offset, self.index.reach(begin, self.cap + 2)))
            blank = _BLANK.search(self.text, offset, near)
            behind = blank.start() if blank else near
            if self.index.estimate(begin, behind) <= self.cap and self.fits_cap(piece, behind):
                return behind
            if place := self._last(_LAST_SIGN, middle, offset, end):
                return place
        return last_boundary(self.text, begin, offset)

    def _outside_tag(self, begin: int, offset: int) -> int:
        """A place at or before ``offset`` that is not inside an HTML tag, if there is one."""
        opened = self.text.rfind("<", begin, offset)
        closed = self.text.rfind(">", max(begin, opened), offset)
        return opened if opened > begin and closed < opened else offset

    def _behind_tag(self, begin: int, offset: int) -> int:
        """Behind the HTML tag that stands at ``begin``, if one does and ends before ``offset``.

        The blanks between its attributes are no places to cut at.
        """
        closed = self.text.find(">", begin, offset - 1)
        return closed + 1 if self.text[begin] == "<" and closed > 0 else begin

    def _last(self, pattern: re.Pattern[str], start: int, offset: int, end: int) -> int:
        """The last place in ``(start, offset]`` behind a match, outside a cluster; 0 for none.

        Blanks around the place are left out, so that the text on both sides begins clean.
        """
        while match := pattern.search(self.text, start, offset + 1):
            ended = trimmed(self.text, start, min(match.start() + 1, offset))
            text = _TEXT.search(self.text, ended, end)
            if ended <= start:
                return 0
            if is_boundary(self.text, ended) and (
                text is None or is_boundary(self.text, text.start())
            ):
                return ended if ended < end else 0
            offset = ended - 1
        return 0

    def _behind_marks(self, offset: int, frames: tuple[Frame, ...]) -> int:
        """Where the content of the line at ``offset`` goes on, for a cut before or in the line.

        A mark that opens a construct on this line is text like any other: it may be what is cut.
        """
        line_start = self.source.line_starts[self.source.line_at(offset)]
        return self._line_content(offset, tuple(f for f in frames if f.start < line_start))

    def _line_content(self, offset: int, frames: tuple[Frame, ...]) -> int:
        """Where the content of the line at ``offset`` begins."""
        line = self.source.line_at(offset)
        start, end = self.source.line_starts[line], self.source.line_starts[line + 1]
        return content_place(self.text, start, end, line, prefixes_of(frames)).offset


def trimmed(text: str, start: int, end: int) -> int:
    """The end of a span without the blanks at its end."""
    return start + len(text[start:end].rstrip())


def prefixes_of(frames: tuple[Frame, ...]) -> tuple[Prefix, ...]:
    """What stands before each line inside some frames."""
    return tuple(frame.prefix for frame in frames if isinstance(frame, Indented))
