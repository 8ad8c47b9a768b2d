"""The audit's own reading of a text: its blocks, and of markdown its headings, tables and code.

Nothing here is shared with `treepack.document`: if the audit used the same parser, it would make
the same mistakes. Blocks are whole lines: the markers of a list item or quote on a line belong to
the block.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Final

from markdown_it.token import Token

from treepack.laws.reading.blocks import Block, Section, Title, trimmed
from treepack.laws.reading.parser import block_parser
from treepack.laws.reading.plain import LeadIns, plain_blocks
from treepack.laws.reading.tables import beside_tables, with_tables
from treepack.laws.reading.titled import titled, with_line_ends, with_marks, without, without_text
from treepack.laws.reading.titles import html_heading, titles_of

LINE_END: Final = re.compile(r"\r\n|\n|\r")
_BYTE_ORDER_MARK: Final = "\ufeff"
_KINDS: Final = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "list_item_open": "list item",
    "blockquote_open": "quote",
    "footnote_reference_open": "footnote",
    "table_open": "table",
    "tr_open": "row",
    "fence": "fence",
    "code_block": "code",
    "math_block": "math",
    "math_block_label": "math",
    "html_block": "html",
    "hr": "rule",
}
_COLONS: Final = (":", "\uff1a")
_TABLE_PARTS: Final = {"thead_open", "tbody_open"}


class ParsedSource:
    """A text with its lines and its blocks.

    Attributes:
        original: The text as it is written.
        text: The same with blanks for what is hidden.
        line_starts: Where each line of that begins.
        printed_starts: Where each line of the original begins.
        blocks: The blocks at the top level, in order; together they hold all that is not blank.
        env: What the parser remembers: the link definitions.
        is_plain: Whether it is plain text, which no parser reads.
    """

    def __init__(
        self,
        original: str,
        front_matter_end: int = 0,
        hidden: Sequence[tuple[int, int]] = (),
        titles: Sequence[Title] = (),
        *,
        is_plain: bool = False,
    ) -> None:
        self.original = original
        lined = with_line_ends(original, titles)
        self.text = text = without(lined, hidden, " ")
        self.printed_starts = [0, *(match.end() for match in LINE_END.finditer(original))]
        self.line_starts = [0, *(match.end() for match in LINE_END.finditer(text))]
        self.env: dict[str, Any] = {}
        self.is_plain = is_plain
        self.titles = {title.start: title for title in titles}
        self.blocks = (
            self._plain(titles)
            if is_plain
            else self._parsed(with_marks(lined, titles), front_matter_end, hidden, titles)
        )
        self.starts = [block.start for block in self.blocks]
        self._levels: dict[int, int] = {}  # of headings that were given another, by their start

    def _parsed(
        self,
        marked: str,
        front_matter_end: int,
        hidden: Sequence[tuple[int, int]],
        titles: Sequence[Title],
    ) -> list[Block]:
        """The blocks of markdown, in which a heading's mark stands for each title."""
        text = self.text
        # The parser reports only lines, so hidden text need not be replaced by blanks.
        visible = re.sub(r"[^\r\n]", " ", text[:front_matter_end])
        after = [(start - front_matter_end, end - front_matter_end) for start, end in hidden]
        visible += without(marked[front_matter_end:], after, "")
        visible = visible.removeprefix(_BYTE_ORDER_MARK)
        if not visible.endswith(("\r", "\n")):
            visible += "\n"  # the admonition rule looks one character too far
        tokens = block_parser(visible).parse(visible, self.env)
        found = titled(_blocks(tokens, self), titles)
        return with_tables(_with_gaps(found, self, front_matter_end), text)

    def _plain(self, titles: Sequence[Title]) -> list[Block]:
        """The blocks of plain text."""
        spans = [(title.start, title.end) for title in titles]
        found = plain_blocks(without_text(self.text, spans))
        for start, end in spans:
            heading = Block("heading", start, end, (self.line_of(start) - 1, self.line_of(end - 1)))
            heading.top = heading
            found.append(heading)
        return sorted(found, key=lambda block: block.start)

    def line_of(self, position: int) -> int:
        """The line that holds a character, from 1, where what is hidden has no lines."""
        return bisect_right(self.line_starts, position)

    def printed_line_of(self, position: int) -> int:
        """The line of the original that holds a character, from 1."""
        return bisect_right(self.printed_starts, position)

    def span_of_lines(self, first: int, after: int) -> tuple[int, int]:
        """The characters of some lines without blank ones around; empty if all are blank.

        A byte order mark is no part of the first line.
        """
        start = self.line_starts[first] or int(self.text.startswith(_BYTE_ORDER_MARK))
        end = len(self.text)
        if after < len(self.line_starts):
            end = self.line_starts[after]
        return trimmed(self.text, start, end)

    def blocks_in(self, start: int, end: int) -> Sequence[Block]:
        """The blocks at the top level that share a character with a span."""
        first = bisect_right(self.starts, start) - 1
        if first < 0 or self.blocks[first].end <= start:
            first += 1
        after = first
        while after < len(self.blocks) and self.blocks[after].start < end:
            after += 1
        return self.blocks[first:after]

    def walk(self) -> Iterator[Block]:
        """All blocks, in source order."""
        waiting = self.blocks[::-1]
        while waiting:
            block = waiting.pop()
            yield block
            waiting += block.children[::-1]

    def release(self) -> None:
        """Part the blocks from those around them, so that no circle keeps them in memory."""
        for block in self.walk():
            block.top = block.holder = None

    @cached_property
    def tables(self) -> list[Block]:
        """All tables, nested ones too."""
        return [block for block in self.walk() if block.kind == "table"]

    def tables_in(self, start: int, end: int) -> Sequence[Block]:
        """The tables that share a character with a span."""
        first = bisect_right(self.tables, start, key=lambda table: table.end)
        after = bisect_left(self.tables, end, key=lambda table: table.start)
        return self.tables[first:after]

    @cached_property
    def codes(self) -> list[Block]:
        """All fences, indented code and display math, nested ones too."""
        return [block for block in self.walk() if block.kind in {"fence", "code", "math"}]

    @cached_property
    def sections(self) -> list[Section]:
        """All sections, in source order."""
        found: list[Section] = []
        path: list[Section] = []
        for block in self.blocks:
            level, titles = self.heading(block)
            if level == 0:
                continue
            while path and path[-1].level >= level:
                path.pop().end = block.start
            parent = path[-1] if path else None
            section = Section(block, level, titles, block.start, len(self.text), parent)
            path.append(section)
            found.append(section)
        return found

    def heading(self, block: Block) -> tuple[int, tuple[str, ...]]:
        """A heading's level, and its plain text in each way that it can be read; 0 for others."""
        if block.kind != "heading":
            return 0, ()
        if title := self.titles.get(block.start):
            return title.level, (title.text,)
        token = block.token
        if token is None:
            return 0, ()
        if token.type == "html_block":
            level, text, raw = html_heading(token.content) or (0, "", "")
            titles = (text, *titles_of(text, self.env), *titles_of(raw, self.env))
        else:
            level, titles = int(token.tag[1]), titles_of(token.meta["raw"], self.env)
        return self._levels.get(block.start, level), titles

    def relevel(self, heading: Block, level: int | None) -> None:
        """Give a heading another level, or make it a paragraph; before any section is asked for."""
        assert "sections" not in self.__dict__, "sections are made of levels"
        if level is None:
            heading.kind = "paragraph"
        else:
            self._levels[heading.start] = level

    @cached_property
    def _section_starts(self) -> list[int]:
        return [section.start for section in self.sections]

    @cached_property
    def _neighbours(self) -> dict[int, tuple[Block | None, Block | None, Block | None]]:
        """For each table and list: the two blocks before it and the one after, of its level."""
        found: dict[int, tuple[Block | None, Block | None, Block | None]] = {}
        levels = [block.children for block in self.walk() if block.kind != "html"]
        for level in [self.blocks, *levels]:
            siblings = list(beside_tables(level, self.text))
            for place, block in enumerate(siblings):
                if block.kind in {"table", "list"}:
                    near = [
                        siblings[at] if 0 <= at < len(siblings) else None
                        for at in (place - 2, place - 1, place + 1)
                    ]
                    found[id(block)] = near[0], near[1], near[2]
        return found

    def neighbours(self, block: Block) -> tuple[Block | None, Block | None, Block | None]:
        """The two blocks before a table or list and the one after it, of the same level."""
        return self._neighbours.get(id(block), (None, None, None))

    def lead_in(self, block: Block) -> Block | None:
        """The paragraph ending in a colon directly before a list."""
        before = self.neighbours(block)[1] if block.kind == "list" else None
        if before is None or before.kind != "paragraph":
            return None
        return before if self.text[before.end - 1] in _COLONS else None

    @cached_property
    def lead_ins(self) -> LeadIns:
        """The lead-ins of lists in plain text."""
        return LeadIns(self.text)

    def marked(self, containers: Sequence[Block], text: str) -> str:
        """A text inside containers: with their marks and lines, and then their indentation."""
        opening, first, following, closing = "", "", "", ""
        for block in containers:
            if block.kind == "container":
                start, end = self.span_of_lines(block.lines[0], block.lines[0] + 1)
                opening += self.text[start:end] + "\n"
                is_indented = not self.text[start:end].lstrip("> ").startswith(":")
                mark = "    " if is_indented else ""
                closing += "" if is_indented else "\n:::"
            else:
                mark = _mark(block)
            first += mark
            following += mark if block.kind == "quote" else " " * len(mark)
        return opening + first + LINE_END.sub("\n" + following, text) + closing

    def section_at(self, position: int) -> Section | None:
        """The deepest section that holds a character."""
        place = bisect_right(self._section_starts, position) - 1
        return self.sections[place] if place >= 0 else None

    def sections_between(self, start: int, end: int) -> Sequence[Section]:
        """The sections that begin in a span."""
        first = bisect_left(self._section_starts, start)
        return self.sections[first : bisect_left(self._section_starts, end)]


def _mark(block: Block) -> str:
    """The mark of a list item, quote or footnote, with the widest indentation it may have."""
    token = block.token
    if block.kind == "quote" or token is None:
        return "> "
    if block.kind == "footnote":
        return f"[^{token.meta.get('label', '')}]:     "
    return f"{token.info}{token.markup}    "


def _blocks(tokens: Sequence[Token], reading: ParsedSource) -> list[Block]:
    """Build the tree of blocks from the flat tokens."""
    top: list[Block] = []
    path: list[Block | None] = []  # for each open token, the innermost block
    row_cells: list[str] = []
    for token in tokens:
        holder = path[-1] if path else None
        if token.type == "inline":
            row_cells.append(token.content)
            if holder is not None and holder.kind == "heading" and holder.token is not None:
                holder.token.meta["raw"] = token.content
            continue
        if token.nesting == -1:
            closed = path.pop()
            if closed is not None and token.type == "tr_close":
                closed.cells = tuple(row_cells)
            continue
        block = _block(token, reading)
        if block is not None:
            (top if holder is None else holder.children).append(block)
            block.top = block if holder is None else holder.top
            block.holder = holder
            if block.kind == "row":
                row_cells = []
                block.cells = token.meta.get("cells", ())
        if token.nesting == 1:
            path.append(block or holder)
    return top


def _block(token: Token, reading: ParsedSource) -> Block | None:
    if token.map is None or token.type in _TABLE_PARTS:
        return None
    first, after = token.map[0], min(token.map[1], len(reading.line_starts))
    if token.type.startswith("container_") and _closes_container(reading, after):
        after += 1
    start, end = reading.span_of_lines(first, max(after, first))
    kind = _KINDS.get(token.type, "container")
    is_top = token.level == 0
    if kind == "html" and is_top and html_heading(token.content):
        kind = "heading"
    if kind == "heading":
        token.meta.setdefault("raw", "")
    if kind == "heading" and not is_top:
        kind = "nested heading"
    return Block(kind, start, end, (first, after), token)


def _closes_container(reading: ParsedSource, line: int) -> bool:
    if line >= len(reading.line_starts):
        return False
    start, end = reading.span_of_lines(line, line + 1)
    return reading.text.startswith(":::", start) and not reading.text[start:end].strip(":")


def _with_gaps(blocks: list[Block], reading: ParsedSource, hidden_end: int) -> list[Block]:
    """Add what the parser has no token for: front matter, link definitions, closing marks."""
    found: list[Block] = []
    line = 0
    if hidden_end:
        line = reading.line_of(hidden_end - 1)
        found.append(Block("front matter", *trimmed(reading.text, 0, hidden_end), (0, line)))
    for block in blocks:
        found += _gap(reading, line, block.lines[0])
        found.append(block)
        line = max(line, block.lines[1])
    found += _gap(reading, line, len(reading.line_starts))
    for block in found:
        block.top = block.top or block
    return [block for block in found if block.start < block.end]


def _gap(reading: ParsedSource, first: int, after: int) -> Iterator[Block]:
    for line in range(first, after):
        start, end = reading.span_of_lines(line, line + 1)
        if start < end:
            yield Block("text", start, end, (line, line + 1))
