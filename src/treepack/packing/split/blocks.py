"""Cutting one block that is too large: each kind by its own rule, from large pieces to small.

The levels are: section, block, list item / row / code line / HTML element, sentence, line, word,
grapheme cluster. A piece is opened into sub-pieces only if it does not fit, so that each cut is at
the highest level that works.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Final, TypeAlias

from treepack.clauses.clause import led_points
from treepack.markdown.prefixes import Prefix, content_position, footnote_prefix, item_prefix
from treepack.model.blocks import (
    Block,
    BlockQuote,
    CodeBlock,
    Container,
    FootnoteDefinition,
    ListItem,
    MathBlock,
    Table,
    children,
)
from treepack.model.chunk import Segment
from treepack.model.source import LINE_END
from treepack.packing.budget import Budget
from treepack.packing.pieces import (
    BLANK,
    Frame,
    Piece,
    cut_into,
    lines_around,
    prefixes_of,
    trimmed_end,
)
from treepack.packing.split.table import cut_rows, html_rows, joined_by_rowspan
from treepack.packing.split.text import TextCutter

# Markers of quotes and items before a line's own text; each chunk that needs them repeats them.
_LINE_MARKERS: Final = re.compile(r"(?:[ \t>*+-]|[0-9]{1,9}[.)]|)*+")
_COLONS: Final = ":："
_SHORT: Final = 48  # the most tokens of a text that is repeated


_Holder: TypeAlias = ListItem | BlockQuote | FootnoteDefinition | Container
_MATH_FENCE: Final = "$$"
_CODE_INDENT: Final = "    "


class Splitter:
    """Opens pieces of one document.

    Args:
        budget: Knows the limits, and the document.
        plain_tables: Takes the starts of the tables that are cut as lines because they have no rows
            or their header is too long.
    """

    def __init__(self, budget: Budget, plain_tables: set[int]) -> None:
        self.cutter = TextCutter(budget)
        self.source = self.cutter.source
        self.text = self.cutter.text
        self.index = budget.index
        self.minimum = budget.config.min_tokens
        uses = {"table": budget.config.oversize_table, "code": budget.config.oversize_code}
        self.keep = {kind for kind, use in uses.items() if use == "keep"}
        self.led = led_points(budget.contexts.clauses)  # by where the first point begins
        self.is_plain = budget.contexts.document.is_plain  # then no prefix of a line is markup
        self.plain_tables = plain_tables

    def pieces(
        self,
        blocks: Sequence[Block],
        frames: tuple[Frame, ...] = (),
        glue_start: int | None = None,
    ) -> list[Piece]:
        """Return pieces of sibling blocks; a caption or intro is glued to its table or list.

        Args:
            blocks: The blocks.
            frames: The constructs around them.
            glue_start: Where the text that is glued before the first block begins, such as a
                heading; None if there is no such text.
        """
        pieces: list[Piece] = []
        before: Block | None = None
        intros: list[Frame] = []  # the texts that introduce the next block, outermost first
        around = frames  # one tuple for all blocks around which nothing changes
        for block in blocks:
            while intros and block.start >= intros[-1].end:
                intros.pop()
                around = (*frames, *intros) if intros else frames
            is_glued = False
            is_intro = before and before.start in {pieces[-1].start, pieces[-1].text_start}
            if before and is_intro and self._introduces(before, block):
                if intro := self._intro_frame(before, block, frames):
                    intros.append(intro)
                    around = (*frames, *intros)
                start = pieces[-1].start
                if glue_start is not None and len(pieces) == 1:
                    start = glue_start
                is_glued = self._can_glue(before, block, Piece(start, block.end, around))
            piece = self._piece(block, around, is_glued=is_glued)
            if is_glued:
                piece = piece.with_glue(pieces.pop().start)
            elif isinstance(before, Table) and before.caption_span == (block.start, block.end):
                whole = pieces.pop()
                piece = Piece(whole.start, piece.end, piece.frames, cut_into([whole, piece]))
            pieces.append(piece)
            before = block
        return pieces

    def _intro_frame(self, intro: Block, block: Block, frames: tuple[Frame, ...]) -> Frame | None:
        """Return what repeats a short text with a colon before each piece of its list or points."""
        tokens = self.index.count(intro.start, intro.end)
        is_short = tokens <= min(_SHORT, self.cutter.cap // 8)
        if self.text[intro.end - 1] not in _COLONS or block.kind == "table" or not is_short:
            return None
        start = intro.start
        if self.is_plain:  # the number of an item comes before its first paragraph
            start = self.source.line_starts[self.source.line_at(start)]
        is_inside = bool(frames)  # then its lines have prefixes
        has_gap = not self.index.has_no_gap(start, intro.end)
        if has_gap or (is_inside and LINE_END.search(self.text, start, intro.end)):
            return None
        end = max(block.end, self.led[block.start].last + 1 if block.start in self.led else 0)
        words = Segment("heading", self.text[start : intro.end], (start, intro.end))
        return Frame(block.start, end, (words, BLANK))

    def _introduces(self, intro: Block, block: Block) -> bool:
        """Whether ``intro`` is the caption before a table, or the intro of a list or of points."""
        if isinstance(block, Table):
            return block.caption_span == (intro.start, intro.end)
        if intro.kind != "paragraph":
            return False
        last = self.text[intro.end - 1]
        is_open = last in _COLONS or last.isalnum()
        is_list = block.kind == "list" and (
            is_open or self.index.count(intro.start, intro.end) < self.minimum
        )
        return is_list or (block.kind in {"list", "paragraph"} and block.start in self.led)

    def _can_glue(self, intro: Block, block: Block, glued: Piece) -> bool:
        """Whether a short intro fits a chunk with the first row or item, or that must be cut."""
        share = 2 if block.start in self.led else 4
        if self.index.count(intro.start, intro.end) > self.cutter.cap // share:
            return False
        inner = children(block)
        rows = block.rows if isinstance(block, Table) else ()
        end = inner[0].end if inner else rows[0][1] if rows else block.end
        alone = Piece(block.start, end, glued.frames)
        return self.cutter.fits_cap(glued, end) or not self.cutter.fits_cap(alone, end)

    def _piece(
        self, block: Block | ListItem, frames: tuple[Frame, ...], *, is_glued: bool = False
    ) -> Piece:
        kind, start = block.kind, block.start
        is_raw = kind == "html" and self.text[start] != "<"  # it reads as text
        cut, is_kept_whole = partial(self._cut, block, has_caption=is_glued), kind in self.keep
        return Piece(start, block.end, frames, cut, is_kept_whole, is_raw=is_raw)

    def open(self, piece: Piece) -> list[Piece]:
        """Return the sub-pieces of a piece; together they hold all of it.

        The first sub-piece begins where the piece begins and keeps a heading that is glued there.
        The last one ends where the piece ends. Markup between two sub-pieces belongs to the first
        of them.
        """
        if piece.cut is None or piece.is_kept_whole:
            return []
        subs = piece.cut(piece)
        if not subs:
            return []
        if self.text[piece.start : subs[0].start].strip():
            subs[0] = subs[0].with_glue(piece.start)
        if self.text[subs[-1].end : piece.end].strip():
            last = subs[-1]  # keep a closing marker with the last content
            text_end = last.text_end if last.text_end >= 0 else last.end
            subs[-1] = last._replace(end=piece.end, text_end=text_end)
        for at in range(len(subs) - 1):
            first, second = subs[at], subs[at + 1]
            gap = self.text[first.end : second.start]
            if gap in {"", " ", "\n", "\n\n"} or gap.isspace():  # mostly one of these
                continue
            line_start = self.source.line_starts[self.source.line_at(second.start)]
            prefixes = prefixes_of(second.frames)  # without any, markers before the piece are text
            quote_depth = [prefix.content < 0 for prefix in prefixes].count(True)
            has_only_markers = (
                prefixes
                and first.end <= line_start
                and self.text.count(">", line_start, second.start) <= quote_depth
                and _LINE_MARKERS.fullmatch(self.text, line_start, second.start)
            )
            after = line_start if has_only_markers else second.start
            end = trimmed_end(self.text, first.end, after)
            if end > first.end:
                subs[at] = first._replace(end=end, text_end=max(first.text_end, first.end))
        return subs

    # ---------------------------------------------------------------- by kind

    def _cut(  # noqa: PLR0911 - one return for each kind
        self, block: Block | ListItem, piece: Piece, *, has_caption: bool
    ) -> list[Piece]:
        cutter = self.cutter
        match block.kind:
            case "paragraph":
                return cutter.lines(piece) if block.is_laid_out else cutter.sentences(piece)
            case "image" | "heading" | "link_definition" | "thematic_break":
                return cutter.sentences(piece)
            case "html":
                return cutter.sentences(piece._replace(is_raw=True))
            case "front_matter":
                return cutter.lines(piece._replace(is_raw=True))
            case "list":
                return [self._piece(item, piece.frames) for item in block.items]
            case "code":
                return cut_code(cutter, block, piece)
            case "math":
                return cut_math(cutter, block, piece)
            case "table":
                return self._cut_table(block, piece, is_detached=not has_caption)
            case "list_item" | "quote" | "footnote" | "container":
                return self._cut_container(block, piece)

    def _cut_container(self, block: _Holder, piece: Piece) -> list[Piece]:
        if not block.blocks:
            return self.cutter.lines(piece)
        frames = piece.frames
        if not self.is_plain:
            frames = (*frames, *self._content_frames(block, frames))
        return self.pieces(block.blocks, frames)

    def _content_frames(self, block: _Holder, outer: tuple[Frame, ...]) -> list[Frame]:
        start, end = block.start, block.end
        line = self.source.line_at(start)
        match block:
            case ListItem():
                line_start, line_end = self.source.line_starts[line : line + 2]
                place = content_position(self.text, line_start, line_end, line, prefixes_of(outer))
                prefix = item_prefix(self.text, place, line_start, line)[1]
            case BlockQuote():
                prefix = Prefix.quote(line)
            case FootnoteDefinition():
                prefix = footnote_prefix(self.text, start, line)[1]
            case Container():
                opening = self.text[slice(*block.opening)]
                indent = " " * block.indent
                prefix = Prefix(line, start, block.indent, indent, indent)
                if self.cutter.is_short(opening, block.closing, outer):
                    part = Segment("fence", opening, block.opening)
                    above = (part, Segment("glue", "\n"))
                    foot = block.closing and f"\n{block.closing}"
                    return [Frame(start, end, above, foot), Frame(start, end, prefix=prefix)]
        if not self.cutter.is_short(prefix.first, "", outer):
            prefix = replace(prefix, first="", following="")  # nested too deep to repeat
        return [Frame(start, end, prefix=prefix)]

    def _cut_table(self, table: Table, piece: Piece, *, is_detached: bool) -> list[Piece]:
        rows = cut_rows(self.cutter, table, piece, is_detached=is_detached)
        if rows is not None:
            return rows
        self.plain_tables.add(table.start)
        if not table.is_html:
            lines = self.cutter.line_pieces(table.start, table.end, piece.frames)
            return [line._replace(cut=self.cutter.lines, is_raw=True) for line in lines]
        by_rows = [
            Piece(*span, piece.frames, self.cutter.sentences, is_raw=True)
            for span in (table.header, *table.rows)
        ]
        return [by_rows[0], *joined_by_rowspan(by_rows[1:], html_rows(self.text, table))]


def cut_code(cutter: TextCutter, block: CodeBlock, piece: Piece) -> list[Piece]:
    """Cut code at blank lines or else into lines, each with the original fence."""
    starts = cutter.source.line_starts
    line_end = min(block.end, starts[bisect_right(starts, block.start)])
    opening_end = trimmed_end(cutter.text, block.start, line_end)
    opening = cutter.text[block.start : opening_end]
    frames = piece.frames
    is_fenced = cutter.is_short(opening, block.fence, frames) and bool(block.fence)
    if is_fenced:
        head = Segment("fence", opening, (block.start, opening_end))
        # In the opening's column: if the chunk is read as a list item, the fence is closed inside.
        indentation = opening[: len(opening) - len(opening.lstrip())]
        closing = indentation + block.fence
        frames = (*frames, lines_around(block.start, block.end, (head,), closing))
    elif not block.fence:
        line = cutter.source.line_at(block.start)
        prefix = Prefix(line, block.start, len(_CODE_INDENT), _CODE_INDENT, _CODE_INDENT)
        frames = (*frames, Frame(block.start, block.end, prefix=prefix, is_literal=True))
    lines = cutter.line_pieces(block.start, block.end, frames, keeps_spaces=True)
    if is_fenced:
        lines = _glue_ends(lines, has_opening=True, has_closing=block.closed)
    paragraphs = _by_blank_lines(cutter, lines)
    if len(paragraphs) == 1:
        return lines
    return [
        Piece(each[0].start, each[-1].end, frames, cut_into(each)) if each[1:] else each[0]
        for each in paragraphs
    ]


def _by_blank_lines(cutter: TextCutter, lines: list[Piece]) -> list[list[Piece]]:
    line_at = cutter.source.line_at
    starts = [
        at
        for at, (before, piece) in enumerate(pairwise(lines), 1)
        if cutter.text[before.end : piece.start] != "\n"  # rarely true, so the slow test is last
        and line_at(piece.start) != line_at(before.end - 1) + 1
    ]
    return [lines[first:after] for first, after in pairwise([0, *starts, len(lines)])]


def cut_math(cutter: TextCutter, block: MathBlock, piece: Piece) -> list[Piece]:
    """Cut math into lines, each with ``$$`` around it."""
    frames = piece.frames
    if cutter.is_short(_MATH_FENCE, _MATH_FENCE, frames):
        fence = cutter.text.index(_MATH_FENCE, block.start)
        opening = Segment("fence", _MATH_FENCE, (fence, fence + len(_MATH_FENCE)))
        frames = (*frames, lines_around(block.start, block.end, (opening,), _MATH_FENCE))
    lines = cutter.line_pieces(block.start, block.end, frames)
    first, last = (cutter.text[line.start : line.end].strip() for line in (lines[0], lines[-1]))
    # A label may follow the closing marker: ``$$ (1)``.
    return _glue_ends(
        lines, has_opening=first == _MATH_FENCE, has_closing=last.startswith(_MATH_FENCE)
    )


def _glue_ends(pieces: list[Piece], *, has_opening: bool, has_closing: bool) -> list[Piece]:
    """Join fences with other lines, so that no piece is only a fence.

    The opening line is glued to the line after it, the closing line to the line before it.
    """
    if has_opening and len(pieces) > 1:
        pieces = [pieces[1].with_glue(pieces[0].start), *pieces[2:]]
    if has_closing and len(pieces) > 1:
        line = pieces[-2]
        text_end = line.end if line.text_end < 0 else line.text_end
        pieces = [*pieces[:-2], line._replace(end=pieces[-1].end, text_end=text_end)]
    return pieces
