"""Cutting text that is too long: lines, sentences, words, grapheme clusters."""

import re
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Final, NamedTuple

from treepack.document.prefixes import Prefix, content_place
from treepack.graphemes import cluster_end, is_boundary, last_boundary
from treepack.packing.frames import Enclosed, Frame, Indented, Introduced, Row
from treepack.packing.html_text import (
    behind_tag,
    is_literal_html,
    outside_markup,
    without_markup,
)
from treepack.packing.sentences import SentenceFinder
from treepack.packing.sizes import Sizes
from treepack.packing.units import Unit

_LONG_WORD: Final = 64  # characters
_BLANK: Final = re.compile(r"\s")
_TEXT: Final = re.compile(r"\S")
_HEADING_MARK: Final = re.compile(r"#{1,6}[ \t]+")
_CELL_TEXT: Final = re.compile(r"[^\s|]")
_LINE_BREAK: Final = re.compile(r"\r\n?|\n|<[Bb][Rr][ \t]*/?>(?=[ \t]*[^\s])")
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


class _Shown(NamedTuple):
    """A text, or a stretch of HTML without its markup, as it is searched for places to cut at.

    Attributes:
        text: What is searched.
        begin: Where that begins in the whole text; -1 where it is the whole text.
    """

    text: str
    begin: int = -1

    @property
    def is_markup(self) -> bool:
        """Whether it is a stretch of HTML."""
        return self.begin >= 0

    def start_of(self, pattern: re.Pattern[str], start: int, end: int) -> int:
        """Where a pattern first matches between two offsets of the whole text; -1 for nowhere."""
        begin = max(self.begin, 0)
        match = pattern.search(self.text, start - begin, end - begin)
        return match.start() + begin if match else -1


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

    def lines(self, unit: Unit) -> list[Unit]:
        """A unit's text by lines, each with its indentation; a single line by words."""
        lines = self.line_units(*_own(unit), unit.frames)
        return _inside(unit, lines) if len(lines) > 1 else self.words(unit)

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

    def sentences(self, unit: Unit) -> list[Unit]:
        """A unit's text by sentences; a single sentence by lines, and those by words."""
        start, end = _own(unit)
        starts = self.finder.starts(start, end, prefixes_of(unit.frames))
        return self._parts(unit, starts, end, self._text_lines)

    def html(self, unit: Unit) -> list[Unit]:
        """A unit's HTML by block elements; a single one by sentences, lines, words."""
        start, end = _own(unit)
        starts = self.finder.elements(start, end, prefixes_of(unit.frames))
        return self._parts(unit, starts, end, self._html_sentences)

    def _html_sentences(self, unit: Unit) -> list[Unit]:
        start, end = _own(unit)
        if is_literal_html(self.text[start:end]):
            return self.lines(unit)
        starts = self.finder.starts(start, end, prefixes_of(unit.frames), is_html=True)
        return self._parts(unit, starts, end, self._html_lines)

    def _html_lines(self, unit: Unit) -> list[Unit]:
        """By lines; one that begins inside a tag belongs to the line before."""
        return self._lines_of(unit, without_markup)

    def _text_lines(self, unit: Unit) -> list[Unit]:
        return self._lines_of(unit, str)

    def _lines_of(self, unit: Unit, shown: Callable[[str], str]) -> list[Unit]:
        """By lines, each begun with its first word, also after ``<br>``; a single line by words.

        Args:
            unit: What is cut.
            shown: Gives the text, character by character, in which the line ends are looked for.
        """
        start, end = _own(unit)
        prefixes = prefixes_of(unit.frames)
        starts = [start]
        for match in _LINE_BREAK.finditer(shown(self.text[start:end])):
            content = start + match.end()
            if prefixes and content < end:
                content = max(content, self._content(content, prefixes))
            text = _TEXT.search(self.text, content, end)
            if text and text.start() > starts[-1]:
                starts.append(text.start())
        return self._parts(unit, starts, end, self.words)

    def _parts(
        self, unit: Unit, starts: list[int], end: int, cut: Callable[[Unit], list[Unit]]
    ) -> list[Unit]:
        """A unit for each start; where there is only one, what the finer cut makes of the unit."""
        if len(starts) == 1:
            return cut(unit)
        return [
            Unit(
                begin,
                self._part_end(begin, behind, unit.frames),
                unit.frames,
                cut,
                is_torn=unit.is_torn,
            )
            for begin, behind in pairwise([*starts, end])
        ]

    def _part_end(self, begin: int, behind: int, frames: tuple[Frame, ...]) -> int:
        """Where a part ends whose follower begins at ``behind``, its line's marks left out."""
        line_start = self.source.line_starts[self.source.line_at(max(begin, behind - 1))]
        if begin < line_start < behind:
            content = self._content(line_start, prefixes_of(frames))
            if not self.text[content:behind].strip():
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
            content = self._content(behind, prefixes_of(unit.frames))
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
        if not inner or isinstance(inner[0], Row):
            return begin + 1
        return self._first_word_end(behind_tag(self.text, begin, end), end)

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
        is_escaping = self.text[place - 1] == "\\" and place - 1 > begin
        return place - 1 if is_escaping else place  # a backslash stays with what it escapes

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
        """The best place to end a piece at or a little before ``offset``; in HTML not in a tag."""
        if not (piece.is_torn or any(isinstance(f, Row) and f.tags for f in piece.frames)):
            return self._best(piece, begin, offset, end, _Shown(self.text))
        offset = outside_markup(self.text, begin, offset)
        behind = behind_tag(self.text, begin, end)
        if behind > offset and self.fits_cap(piece, behind):
            return behind
        begin = behind if behind < offset else begin
        shown = _Shown(without_markup(self.text[begin : offset + 1]), begin)
        return self._best(piece, begin, offset, end, shown)

    def _best(self, piece: Unit, begin: int, offset: int, end: int, shown: _Shown) -> int:
        """The best place in ``(begin, offset]``, or a little behind it where a word ends.

        A blank in the last half; else where a script without blanks has a comma, or anywhere in
        it; else an earlier blank; else the end of the word, if the cap allows; else inside it.
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
            # A longer word has no room: it is not searched for its end, be it the whole text.
            near = min(end, max(offset, self.index.reach(begin, self.cap + 2)))
            blank = _BLANK.search(self.text, offset, near)
            behind = blank.start() if blank else near
            behind = outside_markup(self.text, begin, behind) if shown.is_markup else behind
            if self.index.estimate(begin, behind) <= self.cap and self.fits_cap(piece, behind):
                return behind
            if place := self._last(_LAST_SIGN, middle, offset, end, shown):
                return place
        return last_boundary(self.text, begin, offset)

    def _last(
        self, pattern: re.Pattern[str], start: int, offset: int, end: int, shown: _Shown
    ) -> int:
        """The last place in ``(start, offset]`` behind a match, outside a cluster; 0 for none.

        Blanks around the place are left out, so that the text on both sides begins clean.
        """
        while (at := shown.start_of(pattern, start, offset + 1)) >= 0:
            ended = trimmed(self.text, start, min(at + 1, offset))
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
        return self._content(offset, prefixes_of(f for f in frames if f.start < line_start))

    def _content(self, offset: int, prefixes: tuple[Prefix, ...]) -> int:
        """Where the content of the line at ``offset`` begins."""
        line = self.source.line_at(offset)
        start, end = self.source.line_starts[line], self.source.line_starts[line + 1]
        return content_place(self.text, start, end, line, prefixes).offset


def _halfway(text: str, start: int, end: int) -> int:
    r"""The place in the middle of a stretch, each line end counted once, ``\r\n`` too."""
    half = (end - start - text.count("\r\n", start, end)) // 2
    middle = start + half
    while middle - start - text.count("\r\n", start, middle) < half:
        middle += 1
    return middle + (text[middle - 1 : middle + 1] == "\r\n")


def _own(unit: Unit) -> tuple[int, int]:
    """The span of a unit's own text, without what is glued before or behind it."""
    start = max(unit.start, unit.glued)
    return start, unit.tail if unit.tail > start else unit.end


def _inside(unit: Unit, parts: list[Unit]) -> list[Unit]:
    """Parts of a unit, torn if it is."""
    return [part._replace(is_torn=True) for part in parts] if unit.is_torn else parts


def trimmed(text: str, start: int, end: int) -> int:
    """The end of a span without the blanks at its end."""
    return start + len(text[start:end].rstrip())


def prefixes_of(frames: Iterable[Frame]) -> tuple[Prefix, ...]:
    """What stands before each line inside some frames."""
    return tuple(frame.prefix for frame in frames if isinstance(frame, Indented))
