"""Cutting one block that is too large: each kind by its own rule, from large pieces to small.

The levels are: section, block, list item / row / code line / HTML element, sentence, line, word,
grapheme cluster. A piece is opened into sub-pieces only if it does not fit, so that each cut is at
the highest level that works.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final, assert_never

from treepack.clauses.clause import NO_CLAUSES, Clauses
from treepack.markdown.prefixes import Prefix, content_position, footnote_prefix, item_prefix
from treepack.model.blocks import (
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
from treepack.model.chunk import Segment
from treepack.packing.openings import intro_segment
from treepack.packing.pieces import Piece, cut_into, separate_glue, trimmed_end
from treepack.packing.split.code import cut_code, cut_math
from treepack.packing.split.leads import COLONS, Leads
from treepack.packing.split.table import cut_rows, html_rows, joined_by_rowspan
from treepack.packing.split.text import TextCutter
from treepack.packing.wrappers import (
    FrameWrapper,
    IntroWrapper,
    PrefixWrapper,
    Wrapper,
    prefixes_of,
)

# Markers of quotes and items before a line's own text; each chunk that needs them repeats them.
_LINE_MARKERS: Final = re.compile(r"(?:[ \t>*+-]|[0-9]{1,9}[.)]|)*+")
_INTRODUCED_KINDS: Final = ("table", "list")
_POINT_KINDS: Final = ("list", "paragraph")
_COMMON_GAPS: Final = frozenset({"", " ", "\n", "\n\n"})  # between nearly all pieces


class Splitter:
    """Opens pieces of one document.

    Args:
        cutter: Cuts text; has the document's text and its token counts.
        keep: Kinds of blocks that are never cut.
        is_plain: Whether the text is plain text, where no prefix before a line is markup.
        clauses: The clauses; the text that introduces a clause's points stays with the first
            point, and is repeated before the others if it is short.

    Attributes:
        plain_tables: Starts of the tables that were cut as lines because they have no rows or their
            header is too long.
    """

    def __init__(
        self,
        cutter: TextCutter,
        keep: frozenset[str],
        *,
        is_plain: bool = False,
        clauses: Clauses = NO_CLAUSES,
    ) -> None:
        self.source = cutter.source
        self.text = cutter.text
        self.index = cutter.index
        self.cutter = cutter
        self.keep = keep
        self.is_plain = is_plain
        self.clauses = clauses
        self.leads = Leads(cutter, clauses, is_plain=is_plain)
        self.plain_tables: set[int] = set()

    def pieces(
        self,
        blocks: Sequence[Block],
        wrappers: tuple[Wrapper, ...] = (),
        glue_start: int | None = None,
    ) -> list[Piece]:
        """Return pieces of sibling blocks; a caption or intro is glued to its table or list.

        Args:
            blocks: The blocks.
            wrappers: The constructs around them.
            glue_start: Where the text that is glued before the first block begins, such as a
                heading; None if there is no such text.
        """
        pieces: list[Piece] = []
        before: Block | None = None
        outer = wrappers
        for block in blocks:
            while wrappers != outer and wrappers[-1].end <= block.start:
                wrappers = wrappers[:-1]
            if before and block.start in self.leads.led_points and isinstance(block, Paragraph):
                wrappers = (*wrappers, *self.leads.wrappers(blocks, block, before, outer))
            piece = self._piece(block, wrappers)
            if before:
                piece = self._join_to_previous(pieces, before, block, piece, glue_start)
            pieces.append(piece)
            before = block
        return pieces

    def _join_to_previous(
        self, pieces: list[Piece], before: Block, block: Block, piece: Piece, glue_start: int | None
    ) -> Piece:
        """Return the piece of a block, joined with what belongs to it in the last of ``pieces``.

        What is joined is taken from ``pieces``. The text glued before them is at ``glue_start``.
        """
        can_have_intro = block.kind in _INTRODUCED_KINDS or block.start in self.leads.led_points
        if can_have_intro and pieces[-1].start == before.start and self._introduces(before, block):
            start = glue_start if len(pieces) == 1 and glue_start is not None else before.start
            if self._can_glue(before, block, Piece(start, block.end, piece.wrappers)):
                return self._piece(block, piece.wrappers, before).with_glue(pieces.pop().start)
        elif isinstance(before, Table) and before.caption_span == (block.start, block.end):
            whole = pieces.pop()
            return Piece(whole.start, piece.end, piece.wrappers, cut_into([whole, piece]))
        return piece

    def _introduces(self, intro: Block, block: Block) -> bool:
        """Whether ``intro`` is the caption before a table, or the intro of a list or of points."""
        if block.kind == "table":
            return block.caption_span == (intro.start, intro.end)
        if intro.kind != "paragraph":
            return False
        if block.kind == "list" and self.text[intro.end - 1] in COLONS:
            return True
        return block.kind in _POINT_KINDS and block.start in self.leads.led_points

    def _can_glue(self, intro: Block, block: Block, glued: Piece) -> bool:
        """Whether an intro may be glued to the block after it.

        A short intro may, if it fits a chunk together with the first row or item. If that does not
        fit even alone, the intro must fit together with the beginning of its text; a caption is
        glued to its table in any case. A longer text that introduces a clause's points may be glued
        if it fits together with the first of them.
        """
        is_short = self._tokens(intro) <= self.cutter.cap // 4
        is_led = block.start in self.leads.led_points
        if not (is_short or (is_led and self._tokens(intro) <= self.cutter.cap // 2)):
            return False
        inner = children(block)
        rows = block.rows if isinstance(block, Table) else ()
        end = inner[0].end if inner else rows[0][1] if rows else block.end
        alone = Piece(block.start, end, glued.wrappers)
        if self.cutter.fits_cap(glued, end):
            return True
        must_be_cut = is_short and not self.cutter.fits_cap(alone, end)
        is_table = block.kind == "table"
        return must_be_cut and (is_table or self.cutter.fits_cap(glued, _first_text(block) + 1))

    def _piece(
        self, block: Block | ListItem, wrappers: tuple[Wrapper, ...], intro: Block | None = None
    ) -> Piece:
        kind, start = block.kind, block.start
        is_raw = kind == "html" and self.text[start] != "<"  # it reads as text
        cut, is_kept_whole = partial(self._cut, block, intro), kind in self.keep
        return Piece(start, block.end, wrappers, cut, is_kept_whole, is_raw=is_raw)

    def text_piece(self, start: int, end: int) -> Piece:
        """Return a piece of plain text that is cut into sentences, lines and words."""
        return Piece(start, end, (), self.cutter.sentences)

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
        wrappers: tuple[Wrapper, ...] = ()
        quote_depth = -1  # around the second piece; -1: no prefixes, so markers before it are text
        for at in range(len(subs) - 1):
            first, second = subs[at], subs[at + 1]
            gap = self.text[first.end : second.start]
            if gap in _COMMON_GAPS or gap.isspace():
                continue
            line_start = self.source.line_starts[self.source.line_at(second.start)]
            if second.wrappers is not wrappers:  # most pieces share those of the piece before
                wrappers, prefixes = second.wrappers, prefixes_of(second.wrappers)
                quote_depth = sum([prefix.is_quote for prefix in prefixes]) if prefixes else -1
            has_only_markers = (
                first.end <= line_start
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
        self, block: Block | ListItem, intro: Block | None, piece: Piece
    ) -> list[Piece]:
        match block:
            case Paragraph(is_laid_out=True):
                return self.cutter.lines(piece)
            case Paragraph() | Image() | Heading() | LinkDefinition() | ThematicBreak():
                return self.cutter.sentences(piece)
            case HtmlBlock():
                return self.cutter.sentences(piece._replace(is_raw=True))
            case FrontMatter():
                return self.cutter.lines(piece._replace(is_raw=True))
            case ListBlock():
                wrappers = (*piece.wrappers, *self._intro_wrappers(block, intro))
                return [self._piece(item, wrappers) for item in block.items]
            case CodeBlock():
                return cut_code(self.cutter, block, piece)
            case MathBlock():
                return cut_math(self.cutter, block, piece)
            case Table():
                return self._cut_table(block, piece, is_detached=intro is None)
            case ListItem() | BlockQuote() | FootnoteDefinition() | Container():
                return self._cut_container(block, piece)
            case _:
                assert_never(block)

    def _cut_container(
        self, block: ListItem | BlockQuote | FootnoteDefinition | Container, piece: Piece
    ) -> list[Piece]:
        if not block.blocks:
            return self.cutter.lines(piece)
        wrappers = piece.wrappers
        if not self.is_plain:
            wrappers = (*wrappers, *self._content_wrappers(block, wrappers))
        return self.pieces(block.blocks, wrappers)

    def _intro_wrappers(self, block: ListBlock, intro: Block | None) -> list[Wrapper]:
        """Return the wrapper that repeats a short, one-line intro before each piece of its list."""
        if intro is None or not self.leads.is_short(intro):
            return []
        text = self.text[intro.start : intro.end]
        if "\n" in text or "\r" in text or text[-1] not in COLONS:
            return []
        words = intro_segment("heading", self.text, intro.start, intro.end)
        return [IntroWrapper(block.start, block.end, words)]

    def _content_wrappers(
        self,
        block: ListItem | BlockQuote | FootnoteDefinition | Container,
        outer: tuple[Wrapper, ...],
    ) -> list[Wrapper]:
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
                    part = Segment("fence", opening, block.opening)
                    return [
                        FrameWrapper(start, end, part, block.closing),
                        PrefixWrapper(start, end, prefix),
                    ]
        if not self.cutter.is_short(prefix.first, "", outer):
            prefix = replace(prefix, first="", following="")  # nested too deep to repeat
        return [PrefixWrapper(start, end, prefix)]

    def _item_prefix(self, line: int, outer: tuple[Wrapper, ...]) -> Prefix:
        start, end = self.source.line_starts[line], self.source.line_starts[line + 1]
        place = content_position(self.text, start, end, line, prefixes_of(outer))
        return item_prefix(self.text, place, start, line)[1]

    def _cut_table(self, table: Table, piece: Piece, *, is_detached: bool) -> list[Piece]:
        rows = cut_rows(self.cutter, table, piece, is_detached=is_detached)
        if rows is not None:
            return rows
        if parts := self._without_rows(table, piece):
            return parts
        self.plain_tables.add(table.start)
        if not table.is_html:
            return self.cutter.lines(piece._replace(is_raw=True))
        by_rows = [
            Piece(*span, piece.wrappers, self.cutter.sentences, is_raw=True)
            for span in (table.header, *table.rows)
        ]
        return [by_rows[0], *joined_by_rowspan(by_rows[1:], html_rows(self.text, table))]

    def _without_rows(self, table: Table, piece: Piece) -> list[Piece]:
        """Separate a table that has only a header from the text that is glued before it.

        The result is empty if the table has rows, nothing is glued or one of the two does not fit.
        """
        start = table.start
        if table.caption_span and piece.start < table.caption_span[0]:
            start = min(start, table.caption_span[0])
        before = "".join(self.text[piece.start : start].split())
        if table.rows or _LINE_MARKERS.fullmatch(before):  # at most a quote's marker is glued
            return []
        parts = separate_glue(self.text, piece, start)
        # Overlap leaves room for the headings if they count as glue.
        parts[0] = parts[0]._replace(text_start=parts[0].end)
        return parts if all(self.cutter.fits_cap(part, part.end) for part in parts) else []

    def _tokens(self, block: Block) -> int:
        """Count a block's tokens again: the document may be parsed with another encoding."""
        return self.index.count(block.start, block.end)


def _first_text(block: Block | ListItem) -> int:
    """Return where the first text in a block begins, after the markers of items and quotes."""
    while inner := children(block):
        block = inner[0]
    return block.start
