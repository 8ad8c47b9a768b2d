"""Markdown to blocks: scanner and parser know lines, the blocks know characters."""

import re
from dataclasses import replace
from functools import partial
from typing import Final

from markdown_it.token import Token

from treepack.document.blocks import (
    LONGEST_TITLE,
    Block,
    BlockQuote,
    CodeBlock,
    Container,
    Count,
    FootnoteDefinition,
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
from treepack.document.lines import Lines
from treepack.document.parser import BlockTokenizer, plain_text
from treepack.document.prefixes import Prefix, content_place, footnote_prefix, item_prefix
from treepack.document.scanner import ONLY_IMAGE, Scanner
from treepack.document.source import Source
from treepack.document.tables import TableFinder

_HTML_HEADING: Final = re.compile(
    r"\s*<h([1-6])(?:\s[^<>]*)?>(.*)</h\1\s*>\s*", re.DOTALL | re.IGNORECASE
)
_LONGEST_HEADING: Final = 32_768  # characters; no larger block is looked at as a whole
_LINK_DEFINITION: Final = re.compile(r"[ ]{0,3}\[[^\]]+\]:")


def parse_blocks(source: Source, count: Count, start: int = 0, *, scan: bool = True) -> list[Block]:
    """Parse a source into its top-level blocks, which hold all its text that is not blank.

    Args:
        source: The text.
        count: Exact token count of a slice, for the blocks to ask.
        start: Where the text begins; what stands before is front matter and no concern here.
        scan: Whether blocks that can be read in one way only pass by markdown-it.
    """
    return _Reader(source, count, start).read(scan=scan)


class _Reader:
    """Puts together what the scanner reads, and what markdown-it finds by lines."""

    def __init__(self, source: Source, count: Count, start: int) -> None:
        self.source = source
        self.text = source.text
        self.count = count
        self.lines = Lines(source, start)
        self.zero_line = 0  # where the tokens' lines count from
        self.references: dict[str, object] = {}
        self.has_nested_table = False
        # No method of this: in a cycle, the lines would outlive the parse, and the packing.
        self.plain_text = partial(plain_text, references=self.references)
        self.tables = TableFinder(source.text, count, self.plain_text)

    def read(self, *, scan: bool) -> list[Block]:
        lines, blocks = self.lines, list[Block]()
        scanner = Scanner(lines, self.count, self.references) if scan else None
        tokenizer: BlockTokenizer | None = None
        start = lines.start
        while True:
            start = scanner.read(start, blocks) if scanner else lines.next_text(start)
            if start == len(lines.text):
                break
            tokenizer = tokenizer or BlockTokenizer(lines, self.references)
            line = lines.line_at(start)
            tokens, self.zero_line, behind = tokenizer.tokens_at(line)
            blocks.extend(self._blocks(tokens, line, behind, ()))
            start = lines.start_of(behind)
        blocks = self.tables.finish(blocks, nested=False)
        return [self._with_plain_text(block) for block in blocks]

    # ---------------------------------------------------------------- from markdown-it

    def _blocks(
        self, tokens: list[Token], line: int, end_line: int, prefixes: tuple[Prefix, ...]
    ) -> list[Block]:
        """Convert sibling tokens, and what stands between them without a token."""
        blocks: list[Block] = []
        position = 0
        while position < len(tokens):
            close = _closing(tokens, position)
            first, behind = self._lines(tokens[position])
            if line < first:
                blocks.extend(self._gap(line, first, prefixes))
            block = self._block(tokens[position : close + 1], first, behind, prefixes)
            if block.start < block.end:  # a form feed is a paragraph to markdown-it, a blank to us
                blocks.append(block)
            line = max(line, behind)
            if isinstance(block, Container):  # its closing line is not among the token's lines
                line = max(line, self.lines.line_at(block.end - 1) + 1)
            position = close + 1
        if line < end_line:
            blocks.extend(self._gap(line, end_line, prefixes))
        return self.tables.finish(blocks, nested=True) if prefixes else blocks

    def _lines(self, token: Token) -> Span:
        assert token.map is not None, f"{token.type} knows its lines"
        return token.map[0] + self.zero_line, token.map[1] + self.zero_line

    def _gap(self, first: int, behind: int, prefixes: tuple[Prefix, ...]) -> list[Block]:
        """Text without tokens: link definitions, and content nested beyond the parser's limit."""
        starts = self.lines.starts
        while first < behind and not self.text[starts[first] : starts[first + 1]].strip():
            first += 1
        if first >= behind:
            return []
        start, end = self._span(first, behind, prefixes)
        if start >= end:
            return []
        make = LinkDefinition if _LINK_DEFINITION.match(self.text, start, end) else Paragraph
        return [make(start, end, self.count)]

    def _span(self, first: int, behind: int, prefixes: tuple[Prefix, ...]) -> Span:
        """The characters of some lines, without the containers' markers and trailing blanks."""
        starts = self.lines.starts
        start, end = starts[first], starts[behind]
        while end > start and self.text[end - 1].isspace():
            end -= 1
        if prefixes:
            start = content_place(self.text, start, starts[first + 1], first, prefixes).offset
        return start, max(start, end)

    # ---------------------------------------------------------------- one block

    def _block(  # noqa: C901, PLR0911, PLR0912 - one case for each kind of token
        self, tokens: list[Token], first: int, behind: int, prefixes: tuple[Prefix, ...]
    ) -> Block:
        token = tokens[0]
        start, end = self._span(first, behind, prefixes)
        count = self.count
        match token.type:
            case "paragraph_open":
                is_image = tokens[1].content.startswith("!") and ONLY_IMAGE.fullmatch(
                    tokens[1].content
                )
                return (Image if is_image else Paragraph)(start, end, count)
            case "heading_open":
                return Heading(start, end, count, int(token.tag[1]), tokens[1].content)
            case "fence":
                return self._fence(token, (start, end), behind - first)
            case "code_block":
                return CodeBlock(start, end, count, "", "", closed=False)
            case "html_block":
                heading = (
                    _HTML_HEADING.fullmatch(self.text[start:end])
                    if end - start < _LONGEST_HEADING
                    else None
                )
                if heading and not prefixes and f"</h{heading[1]}" not in heading[2].lower():
                    return Heading(start, end, count, int(heading[1]), heading[2])
                return HtmlBlock(start, end, count)
            case "hr":
                return ThematicBreak(start, end, count)
            case "math_block" | "math_block_label":
                return MathBlock(start, end, count)
            case "table_open":
                return self._table(tokens, (start, end), prefixes)
            case "bullet_list_open" | "ordered_list_open":
                items = self._items(tokens[1:-1], prefixes)
                ordered = token.type == "ordered_list_open"
                return ListBlock(start, end, count, ordered, items)
            case "blockquote_open":
                inner = (*prefixes, Prefix.quote(first))
                blocks = self._blocks(tokens[1:-1], first, behind, inner)
                return BlockQuote(start, end, count, tuple(blocks))
            case "footnote_reference_open":
                return self._footnote(tokens, (start, end), prefixes)
            case "container_container_open" | "admonition_open":
                return self._container(tokens, first, behind, prefixes)
            case _:
                msg = f"no block for markdown-it's {token.type}"
                raise AssertionError(msg)

    def _fence(self, token: Token, span: Span, line_count: int) -> CodeBlock:
        content = token.content
        lines = content.count("\n") + bool(content and not content.endswith("\n"))
        closed = line_count == lines + 2
        return CodeBlock(*span, self.count, token.markup, token.info.strip(), closed)

    def _table(self, tokens: list[Token], span: Span, prefixes: tuple[Prefix, ...]) -> Table:
        first, behind = self._lines(tokens[0])
        self.has_nested_table |= bool(prefixes)
        columns: list[str] = []
        rows: list[Span] = []
        in_head = False
        for token in tokens:
            if token.type in ("thead_open", "thead_close"):
                in_head = token.type == "thead_open"
            elif token.type == "inline" and in_head:
                columns.append(token.content)
            elif token.type == "tr_open" and not in_head:
                row, below = self._lines(token)
                rows.append(self._span(row, below, prefixes))
        _, header_end = self._span(first, min(first + 2, behind), prefixes)
        return Table(*span, self.count, tuple(columns), (span[0], header_end), tuple(rows))

    def _items(self, tokens: list[Token], prefixes: tuple[Prefix, ...]) -> tuple[ListItem, ...]:
        items: list[ListItem] = []
        position = 0
        while position < len(tokens):
            close = _closing(tokens, position)
            first, behind = self._lines(tokens[position])
            items.append(self._item(tokens[position + 1 : close], first, behind, prefixes))
            position = close + 1
        return tuple(items)

    def _item(
        self, tokens: list[Token], first: int, behind: int, prefixes: tuple[Prefix, ...]
    ) -> ListItem:
        start, end = self._span(first, behind, prefixes)
        starts = self.lines.starts
        place = content_place(self.text, starts[first], starts[first + 1], first, prefixes)
        marker, prefix = item_prefix(self.text, place, starts[first], first)
        blocks = self._blocks(tokens, first, behind, (*prefixes, prefix))
        return ListItem(start, end, self.count, marker, prefix.width, tuple(blocks))

    def _footnote(
        self, tokens: list[Token], span: Span, prefixes: tuple[Prefix, ...]
    ) -> FootnoteDefinition:
        first, behind = self._lines(tokens[0])
        label, prefix = footnote_prefix(self.text, span[0], first)
        blocks = self._blocks(tokens[1:-1], first, behind, (*prefixes, prefix))
        return FootnoteDefinition(*span, self.count, label, tuple(blocks))

    def _container(
        self, tokens: list[Token], first: int, behind: int, prefixes: tuple[Prefix, ...]
    ) -> Container:
        """A ``:::`` container, whose closing line markdown-it leaves out, or an admonition."""
        token = tokens[0]
        is_admonition = token.type == "admonition_open"
        indent = 4 if is_admonition else 0
        content_end = behind
        starts = self.lines.starts
        closing = ""
        if not is_admonition and behind < self.lines.count:
            line_end = starts[behind + 1]
            at = content_place(self.text, starts[behind], line_end, behind, prefixes)
            line = self.text[at.offset : line_end].strip()
            if len(line) >= len(token.markup) and not line.strip(":"):
                behind, closing = behind + 1, token.markup
        start, end = self._span(first, behind, prefixes)
        inner = (*prefixes, Prefix(first, start, indent, "", " " * indent))
        has_title = tokens[1].type == "admonition_title_open"
        inside = tokens[4:-1] if has_title else tokens[1:-1]
        blocks = self._blocks(inside, first + 1, content_end, inner)
        opening = self._span(first, first + 1, prefixes)
        return Container(start, end, self.count, opening, closing, indent, tuple(blocks))

    # ---------------------------------------------------------------- plain text

    def _with_plain_text(self, block: Block) -> Block:
        """A block with plain titles and column names, now that all link definitions are known."""
        match block:
            case Heading():
                text = _shortened(self.plain_text(block.text))
                return block if text == block.text else replace(block, text=text)
            case Table(is_html=False):
                columns = tuple([self.plain_text(column) for column in block.columns])
                return block if columns == block.columns else replace(block, columns=columns)
            case ListBlock() if self.has_nested_table:
                items = [replace(item, blocks=self._inner(item.blocks)) for item in block.items]
                return replace(block, items=tuple(items))
            case BlockQuote() | Container() | FootnoteDefinition() if self.has_nested_table:
                return replace(block, blocks=self._inner(block.blocks))
            case _:
                return block

    def _inner(self, blocks: tuple[Block, ...]) -> tuple[Block, ...]:
        return tuple([self._with_plain_text(block) for block in blocks])


def _shortened(title: str) -> str:
    """A title, or as much of a longer one as `LONGEST_TITLE` takes, if it can be in whole words."""
    if len(title) <= LONGEST_TITLE:
        return title
    blank = title.rfind(" ", LONGEST_TITLE // 2, LONGEST_TITLE)
    return f"{title[: blank if blank >= 0 else LONGEST_TITLE]}…"


def _closing(tokens: list[Token], position: int) -> int:
    """The index of the token that closes the one at ``position``; itself where none opens."""
    if tokens[position].nesting == 0:
        return position
    level = tokens[position].level
    position += 1
    while tokens[position].level != level:
        position += 1
    return position
