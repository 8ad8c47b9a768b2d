"""Cutting one block that is too large: each kind by its own rule, from large units to small.

Section, block, list item / row / code line / HTML element, sentence, line, word, grapheme cluster:
a unit is opened into its sub-units only when it does not fit, so that each cut is at the highest
level that works.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
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
    Table,
    ThematicBreak,
    children,
)
from treepack.document.prefixes import Prefix, content_place, footnote_prefix, item_prefix
from treepack.document.source import Source
from treepack.packing.frames import Enclosed, Frame, Indented, Introduced, Part, is_bare_table
from treepack.packing.rows import RowCutter, tied
from treepack.packing.units import Unit, listed
from treepack.packing.words import TextCutter, prefixes_of, trimmed
from treepack.tokens import TokenIndex

# Marks of quotes and items before a line's own text; each chunk that needs them has them anew.
_MARKS: Final = re.compile(r"(?:[ \t>*+-]|[0-9]{1,9}[.)]|)*+")
_MATH_FENCE: Final = "$$"
_CODE_INDENT: Final = "    "
_CLOSERS: Final = ")]}"
_COLONS: Final = ":："
_SHORT_LEAD: Final = 48  # tokens


class Splitter:
    """Opens units of one document.

    Args:
        source: The document's text.
        index: Its token counts.
        cutter: Cuts what is text.
        keep: Kinds of blocks that are never cut.

    Attributes:
        torn: Starts of the tables that were cut as plain lines, their header being too long.
    """

    def __init__(
        self,
        source: Source,
        index: TokenIndex,
        cutter: TextCutter,
        keep: frozenset[str],
    ) -> None:
        self.source = source
        self.text = source.text
        self.index = index
        self.cutter = cutter
        self.keep = keep
        self.torn: set[int] = set()
        self.row_cutter = RowCutter(source, cutter)

    def units(
        self, blocks: Sequence[Block], frames: tuple[Frame, ...] = (), begun: int | None = None
    ) -> list[Unit]:
        """Units of sibling blocks; what introduces a table or a list goes with it.

        Args:
            blocks: The blocks.
            frames: The constructs around them.
            begun: Where the heading begins that the first block is glued to, if there is one.
        """
        units: list[Unit] = []
        before: Block | None = None
        for block in blocks:
            unit = self._unit(block, frames)
            if before and self._introduces(before, block) and units[-1].start == before.start:
                start = begun if len(units) == 1 and begun is not None else before.start
                if self._may_glue(before, block, Unit(start, block.end, frames)):
                    unit = self._unit(block, frames, before).with_glue(units.pop().start)
            elif before and self._belongs_to(before, block):
                whole = units.pop()
                unit = Unit(whole.start, unit.end, frames, listed([whole, unit]))
            units.append(unit)
            before = block
        return units

    def _introduces(self, lead: Block, block: Block) -> bool:
        """Whether a block is the caption before a table, or a list's lead-in."""
        if isinstance(block, Table):
            return block.caption_span == (lead.start, lead.end)
        is_text = isinstance(block, ListBlock) and isinstance(lead, Paragraph)
        return is_text and self.text[lead.end - 1] in _COLONS

    def _belongs_to(self, before: Block, block: Block) -> bool:
        """Whether a block is the caption behind a table, or stands in one block of HTML with it."""
        if not isinstance(before, Table | HtmlBlock):
            return False
        is_caption = isinstance(before, Table) and before.caption_span == (block.start, block.end)
        if is_caption or not (_is_html(before) and _is_html(block)):
            return is_caption
        return self.source.line_at(block.start) - self.source.line_at(before.end - 1) <= 1

    def _may_glue(self, lead: Block, block: Block, glued: Unit) -> bool:
        """Whether a short lead leaves room for the first row or item, if there is room at all."""
        if self._tokens(lead) > self.cutter.cap // 4:
            return False
        firsts = children(block)
        rows = block.rows if isinstance(block, Table) else ()
        end = firsts[0].end if firsts else rows[0][1] if rows else block.end
        alone = Unit(block.start, end, glued.frames)
        return self.cutter.fits_cap(glued, end) or not self.cutter.fits_cap(alone, end)

    def _unit(
        self, block: Block | ListItem, frames: tuple[Frame, ...], lead: Block | None = None
    ) -> Unit:
        cut = partial(self._cut, block, lead)
        return Unit(block.start, block.end, frames, cut, block.kind in self.keep)

    def text_unit(self, start: int, end: int) -> Unit:
        """A unit of plain text, cut by words."""
        return Unit(start, end, (), self.cutter.words)

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
            last = subs[-1]  # what closes it goes with some of its content
            subs[-1] = last._replace(end=unit.end, tail=max(last.tail, last.end))
        for position in range(len(subs) - 1):
            first, second = subs[position], subs[position + 1]
            gap = self.text[first.end : second.start]
            if not gap or gap.isspace():
                continue
            line_start = self.source.line_starts[self.source.line_at(second.start)]
            has_marks = first.end <= line_start and _MARKS.fullmatch(
                self.text, line_start, second.start
            )
            between = self.text[first.end : line_start if has_marks else second.start].rstrip()
            if between:
                subs[position] = first._replace(end=first.end + len(between))
        return subs

    # ---------------------------------------------------------------- by kind

    def _cut(  # noqa: PLR0911 - a kind each
        self, block: Block | ListItem, lead: Block | None, unit: Unit
    ) -> list[Unit]:
        match block:
            case Paragraph() | Image() | Heading() | LinkDefinition() | ThematicBreak():
                return self.cutter.sentences(unit)
            case HtmlBlock():
                return self.cutter.html(unit._replace(is_torn=True))
            case FrontMatter():
                return self.cutter.lines(unit._replace(is_torn=True))
            case ListBlock():
                frames = (*unit.frames, *self._lead_frames(block, lead))
                return [self._unit(item, self._item_frames(item, frames)) for item in block.items]
            case CodeBlock():
                return self._code(block, unit)
            case MathBlock():
                return self._math(block, unit)
            case Table():
                return self._rows(block, unit, is_apart=lead is None)
            case ListItem() | BlockQuote() | FootnoteDefinition() | Container():
                return self._nested(block, unit)
            case _:
                assert_never(block)

    def _nested(
        self, block: ListItem | BlockQuote | FootnoteDefinition | Container, unit: Unit
    ) -> list[Unit]:
        if not block.blocks:
            return self.cutter.lines(unit)
        frames = unit.frames
        if not (frames and isinstance(frames[-1], Indented) and frames[-1].start == block.start):
            frames = (*frames, *self._inner_frames(block, frames))
        return self.units(block.blocks, frames)

    def _item_frames(self, item: ListItem, outer: tuple[Frame, ...]) -> tuple[Frame, ...]:
        """The frames of an item: its own, if its marker must not stand on the line of its table.

        Behind a marker that begins a text, a bare table's first row would be read as the header of
        a table outside of the list, the marker in its first cell.
        """
        first = item.blocks[0] if item.blocks else None
        line = self.source.line_at(item.start)
        if not isinstance(first, Table) or self.source.line_at(first.start) > line:
            return outer
        if not is_bare_table(self.text, first.start):
            return outer
        (frame,) = self._inner_frames(item, outer)
        assert isinstance(frame, Indented), "an item has nothing but its marker"
        return (*outer, replace(frame, is_apart=True))

    def _lead_frames(self, block: ListBlock, lead: Block | None) -> list[Frame]:
        """A short lead-in of one line stands before each piece of its list."""
        if lead is None or self._tokens(lead) > min(_SHORT_LEAD, self.cutter.cap // 8):
            return []
        text = self.text[lead.start : lead.end]
        if "\n" in text or "\r" in text:
            return []
        words = Part("heading", text, (lead.start, lead.end))
        return [Introduced(block.start, block.end, words)]

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
                if self.cutter.is_short(opening, block.closing, outer):
                    part = Part("fence", opening, block.opening)
                    return [Enclosed(start, end, part, block.closing), Indented(start, end, prefix)]
        if not self.cutter.is_short(prefix.first, "", outer):
            prefix = replace(prefix, first="", following="")  # nested too deep to be opened anew
        return [Indented(start, end, prefix)]

    def _item_prefix(self, line: int, outer: tuple[Frame, ...]) -> Prefix:
        start, end = self.source.line_starts[line], self.source.line_starts[line + 1]
        place = content_place(self.text, start, end, line, prefixes_of(outer))
        return item_prefix(self.text, place, start, line)[1]

    def _code(self, block: CodeBlock, unit: Unit) -> list[Unit]:
        """By blank lines, then by lines, each piece with the original fence."""
        first_end = self._line_end(block.start, block.end)
        opening = self.text[block.start : first_end]
        frames = unit.frames
        is_fenced = self.cutter.is_short(opening, block.fence, frames) and bool(block.fence)
        if is_fenced:
            part = Part("fence", opening, (block.start, first_end))
            frames = (*frames, Enclosed(block.start, block.end, part, block.fence))
        elif not block.fence:
            line = self.source.line_at(block.start)
            prefix = Prefix(line, block.start, len(_CODE_INDENT), _CODE_INDENT, _CODE_INDENT)
            frames = (*frames, Indented(block.start, block.end, prefix))
        lines = self.cutter.line_units(block.start, block.end, frames, blanks=True)
        if is_fenced:
            lines = _glue_ends(lines, first=True, last=block.closed)
        return self._by_statements(lines, frames)

    def _by_statements(self, lines: list[Unit], frames: tuple[Frame, ...]) -> list[Unit]:
        """Lines in groups: top-level statements, in them what blank lines part, in that the lines.

        A statement at the top level begins behind a blank line with the least indentation of all
        that do, and with no closing bracket.
        """
        paragraphs = self._by_blank_lines(lines)
        indented = [self._indentation(paragraph[0]) for paragraph in paragraphs]
        margin = min(indented, default=0)
        statements: list[list[Unit]] = []
        for paragraph, indentation in zip(paragraphs, indented, strict=True):
            is_top = indentation == margin and self.text[paragraph[0].start] not in _CLOSERS
            unit = _group(paragraph, frames)
            if statements and not is_top:
                statements[-1].append(unit)
            else:
                statements.append([unit])
        if len(statements) > 1:
            return [_group(statement, frames) for statement in statements]
        return statements[0] if len(paragraphs) > 1 else lines

    def _indentation(self, line: Unit) -> int:
        start = max(line.start, line.glued)
        text = self.text[self.source.line_starts[self.source.line_at(start)] : line.end]
        return len(text) - len(text.lstrip(" \t>"))

    def _by_blank_lines(self, lines: Sequence[Unit]) -> list[list[Unit]]:
        groups = [[unit] for unit in lines[:1]]
        line_at = self.source.line_at
        for before, unit in pairwise(lines):
            is_next = self.text[before.end : unit.start] == "\n"  # as for nearly all
            if is_next or line_at(unit.start) == line_at(before.end - 1) + 1:
                groups[-1].append(unit)
            else:
                groups.append([unit])
        return groups

    def _math(self, block: MathBlock, unit: Unit) -> list[Unit]:
        frames = unit.frames
        mark = self.text.index(_MATH_FENCE, block.start)
        opening = Part("fence", _MATH_FENCE, (mark, mark + len(_MATH_FENCE)))
        if self.cutter.is_short(_MATH_FENCE, _MATH_FENCE, frames):
            frames = (*frames, Enclosed(block.start, block.end, opening, _MATH_FENCE))
        return _glue_ends(
            self.cutter.line_units(block.start, block.end, frames), first=True, last=True
        )

    def _rows(self, table: Table, unit: Unit, *, is_apart: bool) -> list[Unit]:
        rows = self.row_cutter.rows(table, unit, is_apart=is_apart)
        if rows is not None:
            return rows
        self.torn.add(table.start)
        if not table.is_html:
            return self.cutter.lines(unit._replace(is_torn=True))
        by_rows = [
            Unit(*span, unit.frames, self.cutter.html, is_torn=True)
            for span in (table.header, *table.rows)
        ]
        return [by_rows[0], *tied(by_rows[1:], self.row_cutter.html_rows(table))]

    # ---------------------------------------------------------------- small questions

    def _tokens(self, block: Block) -> int:
        """A block's tokens; its own count is of the encoding that it was parsed with."""
        return self.index.count(block.start, block.end)

    def _line_end(self, start: int, end: int) -> int:
        starts = self.source.line_starts
        return trimmed(self.text, start, min(end, starts[bisect_right(starts, start)]))


def _is_html(block: Block) -> bool:
    return isinstance(block, HtmlBlock) or (isinstance(block, Table) and block.is_html)


def _glue_ends(units: list[Unit], *, first: bool, last: bool) -> list[Unit]:
    """Let no piece be only a fence.

    The opening line goes with the one behind it, the closing line with the one before.
    """
    if first and len(units) > 1:
        units = [units[1].with_glue(units[0].start), *units[2:]]
    if last and len(units) > 1:
        units = [*units[:-2], units[-2]._replace(end=units[-1].end, tail=units[-2].end)]
    return units


def _group(units: list[Unit], frames: tuple[Frame, ...]) -> Unit:
    return (
        units[0] if len(units) == 1 else Unit(units[0].start, units[-1].end, frames, listed(units))
    )
