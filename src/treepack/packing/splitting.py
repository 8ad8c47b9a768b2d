"""Cutting one block that is too large: each kind by its own rule, from large units to small.

Section, block, list item / row / code line, sentence, word, grapheme cluster: a unit is opened into
its sub-units only when it does not fit, so that each cut is at the highest level that works.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, assert_never

from treepack.document.blocks import (
    Block,
    BlockQuote,
    CodeBlock,
    Container,
    FootnoteDefinition,
    FrontMatter,
    Heading,
    HtmlBlock,
    Image,
    LinkDefinition,
    ListBlock,
    ListItem,
    MathBlock,
    Paragraph,
    Span,
    Table,
    ThematicBreak,
)
from treepack.document.prefixes import Prefix, content_place, footnote_prefix, item_prefix
from treepack.document.source import Source
from treepack.packing.frames import Enclosed, Frame, Indented, Part, Row
from treepack.packing.sentences import cluster_end, is_boundary, last_boundary, sentence_starts
from treepack.tokens import TokenIndex

_UNESCAPED_PIPE: Final = re.compile(r"(?<!\\)(?:\\\\)*\|")
_MATH_FENCE: Final = "$$"
_CODE_INDENT: Final = "    "
_BLANK: Final = re.compile(r"\s")
_TEXT: Final = re.compile(r"\S")
# The last one of a kind before the end of the searched stretch.
_LAST_BLANK: Final = re.compile(r"\s\S*\Z")
_LAST_COMMA: Final = re.compile("[，、；：。！？][^，、；：。！？]*\\Z")
_LAST_SIGN: Final = re.compile(r"[!-/:-@\[-`{-~][^!-/:-@\[-`{-~]*\Z")
# Thai to Khmer, and CJK with its punctuation: scripts written without blanks between words.
_UNSPACED: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch of the source that packing moves as a whole.

    Attributes:
        start: Where its share of the source begins.
        end: Behind its last character.
        frames: The constructs around it, outermost first.
        cut: Opens it into sub-units; None when it cannot be cut any further.
        is_kept: The settings say that it is never cut.
        glued: What goes before its own content and must not be parted from it: a heading, a
            table's header, a fence. It reaches from ``start`` to here; -1 where nothing is glued.
        tail: Where its own content ends when something is glued behind it, as a closing fence.
        is_torn: A line of a table whose header is too long to repeat; alone it is plain text.
    """

    start: int
    end: int
    frames: tuple[Frame, ...] = ()
    cut: "Callable[[Unit], list[Unit]] | None" = None
    is_kept: bool = False
    glued: int = -1
    tail: int = -1
    is_torn: bool = False

    def with_glue(self, start: int) -> "Unit":
        """The unit, begun earlier with something that belongs before it."""
        if start == self.start:
            return self
        return replace(self, start=start, glued=max(self.glued, self.start))


Fits = Callable[[Unit, int], bool]


class Splitter:
    """Opens units of one document.

    Args:
        source: The document's text.
        index: Its token counts.
        context_limit: Tokens that a repeated fence or table header may take.
        fits: ``fits(unit, end)``: whether a chunk from the unit's start to ``end`` is on target.
        fits_cap: The same for the cap.
        keep: Kinds of blocks that are never cut.

    Attributes:
        torn: Starts of the tables that were cut as plain lines, their header being too long.
    """

    def __init__(
        self,
        source: Source,
        index: TokenIndex,
        context_limit: int,
        fits: Fits,
        fits_cap: Fits,
        keep: frozenset[str],
    ) -> None:
        self.source = source
        self.text = source.text
        self.index = index
        self.context_limit = context_limit
        self.fits = fits
        self.fits_cap = fits_cap
        self.keep = keep
        self.torn: set[int] = set()

    def unit(self, block: Block | ListItem, frames: tuple[Frame, ...] = ()) -> Unit:
        """The unit of one whole block."""
        cut = partial(self._cut, block)
        return Unit(block.start, block.end, frames, cut, block.kind in self.keep)

    def text_unit(self, start: int, end: int) -> Unit:
        """A unit of plain text, cut by words."""
        return Unit(start, end, (), self._words)

    def open(self, unit: Unit) -> list[Unit]:
        """The sub-units of a unit; together they hold all of it.

        The first begins where the unit begins (a heading glued before it stays there), the last
        ends where it ends, and marks between two belong to the one before.
        """
        if unit.cut is None:
            return []
        subs = unit.cut(unit)
        if not subs:
            return []
        if self.text[unit.start : subs[0].start].strip():
            subs[0] = subs[0].with_glue(unit.start)
        if self.text[subs[-1].end : unit.end].strip():
            subs[-1] = replace(subs[-1], end=unit.end)
        for position in range(len(subs) - 1):
            first, second = subs[position], subs[position + 1]
            line_start = self.source.line_starts[self.source.line_at(second.start)]
            behind = line_start if first.end <= line_start else second.start
            between = self.text[first.end : behind].rstrip()
            if between:
                subs[position] = replace(first, end=first.end + len(between))
        return subs

    # ---------------------------------------------------------------- by kind

    def _cut(self, block: Block | ListItem, unit: Unit) -> list[Unit]:
        frames = unit.frames
        match block:
            case Paragraph() | Image() | Heading() | LinkDefinition() | ThematicBreak():
                return self._sentences(unit, block.start, block.end)
            case HtmlBlock() | FrontMatter():
                return self._lines(unit, block.start, block.end)
            case ListBlock():
                return [self.unit(item, frames) for item in block.items]
            case CodeBlock():
                return self._code(block, unit)
            case MathBlock():
                return self._math(block, unit)
            case Table():
                return self._rows(block, unit)
            case ListItem() | BlockQuote() | FootnoteDefinition() | Container():
                return self._nested(block, unit)
            case _:
                assert_never(block)

    def _nested(
        self, block: ListItem | BlockQuote | FootnoteDefinition | Container, unit: Unit
    ) -> list[Unit]:
        if not block.blocks:
            return self._lines(unit, block.start, block.end)
        frames = (*unit.frames, *self._inner_frames(block, unit.frames))
        return [self.unit(child, frames) for child in block.blocks]

    def _inner_frames(
        self,
        block: ListItem | BlockQuote | FootnoteDefinition | Container,
        outer: tuple[Frame, ...],
    ) -> list[Frame]:
        start, end = block.start, block.end
        line = self.source.line_at(start)
        match block:
            case ListItem():
                prefix = self._item_prefix(line, outer)
            case BlockQuote():
                prefix = Prefix.quote(line)
            case FootnoteDefinition():
                prefix = footnote_prefix(self.text, start, line)[1]
            case Container():
                opening = self.text[slice(*block.opening)]
                indent = " " * block.indent
                prefix = Prefix(line, start, block.indent, indent, indent)
                if self._is_short(f"{opening}\n\n{block.closing}", outer):
                    part = Part("fence", opening, block.opening)
                    return [Enclosed(start, end, part, block.closing), Indented(start, end, prefix)]
        if not self._is_short(prefix.first, outer):
            prefix = replace(prefix, first="", following="")  # nested too deep to be opened anew
        return [Indented(start, end, prefix)]

    def _item_prefix(self, line: int, outer: tuple[Frame, ...]) -> Prefix:
        start, end = self.source.line_starts[line], self.source.line_starts[line + 1]
        place = content_place(self.text, start, end, line, _prefixes(outer))
        return item_prefix(self.text, place, start, line)[1]

    def _code(self, block: CodeBlock, unit: Unit) -> list[Unit]:
        """By blank lines, then by lines, each piece with the original fence."""
        first_end = self._line_end(block.start, block.end)
        opening = self.text[block.start : first_end]
        frames = unit.frames
        if block.fence and self._is_short(f"{opening}\n\n{block.fence}", frames):
            part = Part("fence", opening, (block.start, first_end))
            frames = (*frames, Enclosed(block.start, block.end, part, block.fence))
        elif not block.fence:
            line = self.source.line_at(block.start)
            prefix = Prefix(line, block.start, len(_CODE_INDENT), _CODE_INDENT, _CODE_INDENT)
            frames = (*frames, Indented(block.start, block.end, prefix))
        lines = self._line_units(block.start, block.end, frames, blanks=True)
        if block.fence:
            lines = _glue_ends(lines, first=True, last=block.closed)
        groups = self._by_blank_lines(lines)
        if len(groups) < 2:
            return lines
        return [
            Unit(group[0].start, group[-1].end, frames, partial(_listed, group))
            for group in groups
        ]

    def _by_blank_lines(self, lines: Sequence[Unit]) -> list[list[Unit]]:
        groups: list[list[Unit]] = []
        for unit in lines:
            line = self.source.line_at(unit.start)
            is_next = bool(groups) and self.source.line_at(groups[-1][-1].end - 1) == line - 1
            if is_next:
                groups[-1].append(unit)
            else:
                groups.append([unit])
        return groups

    def _math(self, block: MathBlock, unit: Unit) -> list[Unit]:
        frames = unit.frames
        opening = Part("fence", _MATH_FENCE, (block.start, block.start + len(_MATH_FENCE)))
        if self.text.startswith(_MATH_FENCE, block.start) and self._is_short(f"{_MATH_FENCE}\n\n{_MATH_FENCE}", frames):
            frames = (*frames, Enclosed(block.start, block.end, opening, _MATH_FENCE))
        return _glue_ends(self._line_units(block.start, block.end, frames), first=True, last=True)

    def _rows(self, table: Table, unit: Unit) -> list[Unit]:
        """By rows, each piece with the header; rows too long by cells."""
        header = self.text[slice(*table.header)]
        if not table.rows or not self._is_short(header, unit.frames):
            self.torn.add(table.start)
            return [replace(u, is_torn=True) for u in self._lines(unit, table.start, table.end)]
        part = Part("table_header", header, table.header)
        frames = (*unit.frames, Enclosed(table.start, table.end, part, ""))
        return [Unit(*row, frames, partial(self._cells, table, row)) for row in table.rows]

    def _cells(self, table: Table, span: Span, unit: Unit) -> list[Unit]:
        """One row by its cells; the first cell is repeated in each piece."""
        cells = self._cell_spans(*span)
        key = self.text[slice(*cells[0])].strip().removeprefix("|").strip()
        at = self.text.find(key, *cells[0])
        part = Part("table_header", key, (at, at + len(key)))
        is_short = bool(key) and self._is_short(f"| {key} |", unit.frames)
        columns = len(table.columns)
        row = Row(*span, tuple(cells), part if is_short else None, columns)
        frames = (*unit.frames, row)
        return [Unit(c[0], self._trimmed(*c), frames, self._words) for c in cells]

    def _cell_spans(self, start: int, end: int) -> list[Span]:
        pipes = [m.end() - 1 for m in _UNESCAPED_PIPE.finditer(self.text, start, end)]
        if pipes and not self.text[start : pipes[0]].strip():
            pipes = pipes[1:]
        if pipes and not self.text[pipes[-1] + 1 : end].strip():
            pipes = pipes[:-1]
        bounds = [start, *pipes, end]
        return list(zip(bounds, bounds[1:], strict=False))

    # ---------------------------------------------------------------- text

    def _lines(self, unit: Unit, start: int, end: int) -> list[Unit]:
        lines = self._line_units(start, end, unit.frames)
        return lines if len(lines) > 1 else self._words(unit)

    def _line_units(
        self, start: int, end: int, frames: tuple[Frame, ...], *, blanks: bool = False
    ) -> list[Unit]:
        """A unit for each line that is not blank, begun behind the containers' prefixes.

        With ``blanks``, those at the end of a line belong to it.
        """
        starts = self.source.line_starts
        prefixes = _prefixes(frames)
        first, last = self.source.line_at(start), self.source.line_at(max(start, end - 1))
        units: list[Unit] = []
        for line in range(first, last + 1):
            begin, behind = max(starts[line], start), min(starts[line + 1], end)
            if prefixes and line > first:
                begin = content_place(self.text, begin, behind, line, prefixes).offset
            content_end = self._trimmed(begin, behind)
            if blanks:
                behind = begin + len(self.text[begin:behind].rstrip("\r\n"))
            else:
                behind = content_end
            if begin < content_end:
                units.append(Unit(begin, behind, frames, self._words))
        return units

    def _sentences(self, unit: Unit, start: int, end: int) -> list[Unit]:
        found = sentence_starts(self.text, start, end)
        starts = [found[0], *(self._content(offset, end, unit.frames) for offset in found[1:])]
        if len(starts) < 2:
            return self._words(unit)
        bounds = [*starts, end]
        return [
            Unit(begin, self._trimmed(begin, behind), unit.frames, self._words)
            for begin, behind in zip(bounds, bounds[1:], strict=False)
        ]

    def _content(self, offset: int, end: int, frames: tuple[Frame, ...]) -> int:
        """The offset, moved behind the containers' prefixes when it stands before or in them."""
        while offset < end and self.text[offset].isspace():
            offset += 1
        begun = tuple(frame for frame in frames if frame.start < offset)
        return max(offset, self._line_content(offset, begun))

    def _line_content(self, offset: int, frames: tuple[Frame, ...]) -> int:
        """Where the content of the line at ``offset`` begins."""
        line = self.source.line_at(offset)
        start, end = self.source.line_starts[line], self.source.line_starts[line + 1]
        return content_place(self.text, start, end, line, _prefixes(frames)).offset

    def _words(self, unit: Unit) -> list[Unit]:
        """Pieces as long as fit, ended at a blank if one is near, else between two clusters."""
        pieces: list[Unit] = []
        piece = replace(unit, cut=None)
        while not self.fits(piece, unit.end):
            end = self._farthest(piece, unit.tail if unit.tail > piece.start else unit.end)
            if end >= unit.end:
                break
            if end == unit.tail:  # the closing fence goes with some of the code
                if self.fits_cap(piece, unit.end):
                    break
                begin = max(piece.start, piece.glued)
                if end - 1 > self._cluster_end(begin):
                    end = self._clean(piece, begin, end - 1, end)
            if not self.text[end : unit.end].strip():
                return [*pieces, replace(piece, end=self._trimmed(piece.start, end))]
            behind = self._content(end, unit.end, unit.frames)
            if behind >= unit.end:  # what is left is a quote's mark on a line of its own
                behind = end + len(self.text[end : unit.end]) - len(
                    self.text[end : unit.end].lstrip()
                )
            line_start = self.source.line_starts[self.source.line_at(behind)]
            content = self._line_content(behind, unit.frames)
            if piece.start < line_start < end and behind == content:
                end = line_start  # a quote's mark goes with the line behind it
            end = self._trimmed(piece.start, end)
            if end > piece.start:
                pieces.append(replace(piece, end=end))
            piece = replace(piece, start=behind, glued=-1)
        return [*pieces, piece]

    def _farthest(self, piece: Unit, end: int) -> int:
        """The last good place, up to ``end``, where a chunk begun with the piece may end."""
        begin = max(piece.start, piece.glued)
        low = self._cluster_end(begin)
        if begin > piece.start and not self.fits_cap(piece, low):
            # What is glued before it is too long by itself: a heading is parted from a fence or
            # table that begins behind it, before that is torn.
            begin = piece.start
            inner = [frame.start for frame in piece.frames if frame.start > begin]
            end = self._trimmed(begin, min(inner, default=end))
            low = self._cluster_end(begin)
        if not self.fits_cap(piece, low):
            low = begin + 1  # a cluster longer than the cap is cut between its code points
        high = min(end, max(low, self.index.reach(begin, 2 * self.context_limit + 2)))
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self.fits(piece, middle) else (low, middle - 1)
        return end if low >= end else self._clean(piece, begin, low, end)

    def _cluster_end(self, start: int) -> int:
        return cluster_end(self.text, start, start + 16 * self.context_limit)

    def _clean(self, piece: Unit, begin: int, offset: int, end: int) -> int:
        """The best place to end a piece at or a little before ``offset``.

        A blank in the last half; else where a script without blanks has a comma, or anywhere in
        it; else an earlier blank; else the end of the word, if the cap allows; else inside it.
        """
        middle = begin + (offset - begin) // 2
        if place := self._last(_LAST_BLANK, middle, offset, end):
            return place
        if place := self._last(_LAST_COMMA, middle, offset, end):
            return place
        if not _UNSPACED.search(self.text, offset - 1, offset + 1):
            if place := self._last(_LAST_BLANK, begin, middle, end):
                return place
            blank = _BLANK.search(self.text, offset, end)
            behind = blank.start() if blank else end
            if self.index.estimate(begin, behind) <= 2 * self.context_limit and self.fits_cap(
                piece, behind
            ):
                return behind
            if place := self._last(_LAST_SIGN, middle, offset, end):
                return place
        return last_boundary(self.text, begin, offset)

    def _last(self, pattern: re.Pattern[str], start: int, offset: int, end: int) -> int:
        """The last place in ``(start, offset]`` behind a match, outside a cluster; 0 for none.

        Blanks around the place are left out, so that the text on both sides begins clean.
        """
        while match := pattern.search(self.text, start, offset + 1):
            ended = self._trimmed(start, min(match.start() + 1, offset))
            text = _TEXT.search(self.text, ended, end)
            if ended <= start:
                return 0
            if is_boundary(self.text, ended) and (
                text is None or is_boundary(self.text, text.start())
            ):
                return ended if ended < end else 0
            offset = ended - 1
        return 0

    # ---------------------------------------------------------------- small questions

    def _is_short(self, opening: str, frames: tuple[Frame, ...]) -> bool:
        """Whether something may be repeated in each piece without crowding out the body."""
        tokens = self.index.count_text(opening)
        for frame in frames:
            match frame:
                case Indented():
                    tokens += self.index.count_text(frame.prefix.first)
                case Enclosed():
                    tokens += self.index.count_text(f"{frame.opening.text}\n\n{frame.closing}")
                case Row():
                    pass
        return tokens <= self.context_limit

    def _line_end(self, start: int, end: int) -> int:
        starts = self.source.line_starts
        return self._trimmed(start, min(end, starts[bisect_right(starts, start)]))

    def _trimmed(self, start: int, end: int) -> int:
        return start + len(self.text[start:end].rstrip())


def _glue_ends(units: list[Unit], *, first: bool, last: bool) -> list[Unit]:
    """Let no piece be only a fence: the opening line goes with the next, the closing with the one
    before."""
    if first and len(units) > 1:
        units = [units[1].with_glue(units[0].start), *units[2:]]
    if last and len(units) > 1:
        units = [*units[:-2], replace(units[-2], end=units[-1].end, tail=units[-2].end)]
    return units


def _listed(units: list[Unit], _unit: Unit) -> list[Unit]:
    return list(units)


def _prefixes(frames: tuple[Frame, ...]) -> tuple[Prefix, ...]:
    return tuple(frame.prefix for frame in frames if isinstance(frame, Indented))
