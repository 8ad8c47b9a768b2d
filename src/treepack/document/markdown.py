"""Markdown to blocks: scanner and parser know lines, the blocks know characters."""

import re
from collections.abc import Callable
from typing import Final

from markdown_it.token import Token

from treepack.document.blocks import (
    Block,
    BlockQuote,
    CodeBlock,
    Container,
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
from treepack.document.scanner import (
    PlainBlock,
    PlainFence,
    PlainHeading,
    PlainInItem,
    PlainItem,
    PlainList,
    PlainParagraph,
    PlainRule,
    PlainTable,
    Scanner,
)
from treepack.document.source import BYTE_ORDER_MARK, Source
from treepack.document.tables import TableFinder

_HTML_HEADING: Final = re.compile(
    r"\s*<h([1-6])(?:\s[^<>]*)?>(.*)</h\1\s*>\s*", re.DOTALL | re.IGNORECASE
)
_ONLY_IMAGE: Final = re.compile(
    r"!\[[^\[\]]*\](?:\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+[\"'(][^\n]*[\"')])?\)|\[[^\[\]]*\])?"
)
_LONGEST_HEADING: Final = 8192  # tokens; no larger block is looked at as a whole
_LINK_DEFINITION: Final = re.compile(r"[ ]{0,3}\[[^\]]+\]:")

Count = Callable[[int, int], int]


def parse_blocks(source: Source, count: Count, start: int = 0, *, scan: bool = True) -> list[Block]:
    """Parse a source into its top-level blocks, which hold all its text that is not blank.

    Args:
        source: The text.
        count: Exact token count of a slice, ``count(start, end)``.
        start: Where the text begins; what stands before is front matter and no concern here.
        scan: Whether blocks that can be read in one way only pass by markdown-it.
    """
    return _Converter(source, count, start).convert(scan=scan)


class _Converter:
    """Turns what scanner and parser find, by lines, into blocks, which know characters."""

    def __init__(self, source: Source, count: Count, start: int) -> None:
        self.source = source
        self.text = source.text
        self.count = count
        if source.text.startswith(BYTE_ORDER_MARK, start):
            start += 1
        self.first_line = source.line_at(start) if start < len(source.text) else source.line_count
        self.origin = start
        self.zero_line = self.first_line  # where the tokens' lines count from
        self.references: dict[str, object] = {}
        self.tables = TableFinder(source.text, count, self._plain)

    def convert(self, *, scan: bool) -> list[Block]:
        lines = Lines(self.text[self.origin :])
        scanner = Scanner(lines)
        tokenizer: BlockTokenizer | None = None
        blocks: list[Block] = []
        line = 0
        while (line := lines.next_text(line)) < lines.count:
            plain = scanner.block_at(line) if scan else None
            if plain:
                blocks.append(self._plain_block(plain))
                line = plain.behind
                continue
            tokenizer = tokenizer or BlockTokenizer(lines, self.references)
            tokens, zero, behind = tokenizer.tokens_at(line)
            self.zero_line = self.first_line + zero
            first, end = self.first_line + line, self.first_line + behind
            blocks.extend(self._blocks(tokens, first, end, ()))
            line = behind
        blocks = self.tables.finish(blocks, nested=False)
        return [
            self._with_plain_text(block) if isinstance(block, Heading) else block
            for block in blocks
        ]

    # ---------------------------------------------------------------- from the scanner

    def _plain_block(self, plain: PlainBlock) -> Block:
        match plain:
            case PlainHeading(first, behind, level, content):
                start, end = self._lines_span(first, behind, 0)
                return Heading(start, end, self.count(start, end), level, content)
            case PlainRule(first, behind):
                start, end = self._lines_span(first, behind, 0)
                return ThematicBreak(start, end, self.count(start, end))
            case PlainTable():
                return self._plain_table(plain)
            case PlainParagraph() | PlainFence() | PlainList():
                return self._plain_in_item(plain)

    def _plain_table(self, plain: PlainTable) -> Table:
        start, end = self._lines_span(plain.first, plain.behind, 0)
        columns = tuple([self._plain(content) for content in plain.columns])
        header = self._lines_span(plain.first, plain.first + 2, 0)
        lines = range(plain.first + 2, plain.behind)
        rows = tuple([self._lines_span(line, line + 1, 0) for line in lines])
        return Table(start, end, self.count(start, end), columns, header, rows)

    def _plain_in_item(self, plain: PlainInItem) -> Block:
        match plain:
            case PlainParagraph():
                return self._plain_paragraph(plain)
            case PlainFence(first, behind, column, fence, info, closed):
                start, end = self._lines_span(first, behind, column)
                return CodeBlock(start, end, self.count(start, end), fence, info, closed)
            case PlainList():
                return self._plain_list(plain)

    def _plain_paragraph(self, plain: PlainParagraph) -> Paragraph | Image:
        start, end = self._lines_span(plain.first, plain.behind, plain.column)
        text = self.text[start:end].lstrip(" ")
        is_image = text.startswith("!") and _ONLY_IMAGE.fullmatch(text)
        return (Image if is_image else Paragraph)(start, end, self.count(start, end))

    def _plain_list(self, plain: PlainList) -> ListBlock:
        start, end = self._lines_span(plain.first, plain.items[-1].behind, plain.column)
        items = tuple([self._plain_item(item) for item in plain.items])
        is_ordered = len(items[0].marker) > 1
        return ListBlock(start, end, self.count(start, end), is_ordered, items)

    def _plain_item(self, plain: PlainItem) -> ListItem:
        start, end = self._lines_span(plain.first, plain.behind, plain.column)
        blocks = tuple([self._plain_in_item(block) for block in plain.blocks])
        width = plain.content - plain.column
        return ListItem(start, end, self.count(start, end), plain.marker, width, blocks)

    def _lines_span(self, first: int, behind: int, column: int) -> Span:
        """The characters of some lines from a column on, without trailing blanks."""
        starts = self.source.line_starts
        start = max(starts[self.first_line + first], self.origin) + column
        end = starts[self.first_line + behind]
        while self.text[end - 1].isspace():
            end -= 1
        return start, end

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
                line = max(line, self.source.line_at(block.end - 1) + 1)
            position = close + 1
        if line < end_line:
            blocks.extend(self._gap(line, end_line, prefixes))
        return self.tables.finish(blocks, nested=True) if prefixes else blocks

    def _lines(self, token: Token) -> Span:
        assert token.map is not None, f"{token.type} knows its lines"
        return token.map[0] + self.zero_line, token.map[1] + self.zero_line

    def _gap(self, first: int, behind: int, prefixes: tuple[Prefix, ...]) -> list[Block]:
        """Text without tokens: link definitions, and content nested beyond the parser's limit."""
        starts = self.source.line_starts
        while first < behind and not self.text[starts[first] : starts[first + 1]].strip():
            first += 1
        if first >= behind:
            return []
        start, end = self._span(first, behind, prefixes)
        if start >= end:
            return []
        make = LinkDefinition if _LINK_DEFINITION.match(self.text, start, end) else Paragraph
        return [make(start, end, self.count(start, end))]

    def _span(self, first: int, behind: int, prefixes: tuple[Prefix, ...]) -> Span:
        """The characters of some lines, without the containers' markers and trailing blanks."""
        starts = self.source.line_starts
        start = max(starts[first], self.origin)
        end = starts[behind]
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
        size = self.count(start, end)
        match token.type:
            case "paragraph_open":
                is_image = tokens[1].content.startswith("!") and _ONLY_IMAGE.fullmatch(
                    tokens[1].content
                )
                return (Image if is_image else Paragraph)(start, end, size)
            case "heading_open":
                return Heading(start, end, size, int(token.tag[1]), tokens[1].content)
            case "fence":
                return self._fence(token, (start, end), size, behind - first)
            case "code_block":
                return CodeBlock(start, end, size, "", "", closed=False)
            case "html_block":
                heading = (
                    _HTML_HEADING.fullmatch(self.text[start:end])
                    if size < _LONGEST_HEADING
                    else None
                )
                if heading and not prefixes and f"</h{heading[1]}" not in heading[2].lower():
                    return Heading(start, end, size, int(heading[1]), heading[2])
                return HtmlBlock(start, end, size)
            case "hr":
                return ThematicBreak(start, end, size)
            case "math_block" | "math_block_label":
                return MathBlock(start, end, size)
            case "table_open":
                return self._table(tokens, (start, end), size, prefixes)
            case "bullet_list_open" | "ordered_list_open":
                items = self._items(tokens[1:-1], prefixes)
                ordered = token.type == "ordered_list_open"
                return ListBlock(start, end, size, ordered, items)
            case "blockquote_open":
                inner = (*prefixes, Prefix.quote(first))
                blocks = self._blocks(tokens[1:-1], first, behind, inner)
                return BlockQuote(start, end, size, tuple(blocks))
            case "footnote_reference_open":
                return self._footnote(tokens, (start, end), size, prefixes)
            case "container_container_open" | "admonition_open":
                return self._container(tokens, first, behind, prefixes)
            case _:
                msg = f"no block for markdown-it's {token.type}"
                raise AssertionError(msg)

    def _fence(self, token: Token, span: Span, size: int, line_count: int) -> CodeBlock:
        content = token.content
        lines = content.count("\n") + bool(content and not content.endswith("\n"))
        closed = line_count == lines + 2
        return CodeBlock(*span, size, token.markup, token.info.strip(), closed)

    def _table(
        self, tokens: list[Token], span: Span, size: int, prefixes: tuple[Prefix, ...]
    ) -> Table:
        first, behind = self._lines(tokens[0])
        columns: list[str] = []
        rows: list[Span] = []
        in_head = False
        for token in tokens:
            if token.type in ("thead_open", "thead_close"):
                in_head = token.type == "thead_open"
            elif token.type == "inline" and in_head:
                columns.append(self._plain(token.content))
            elif token.type == "tr_open" and not in_head:
                row, below = self._lines(token)
                rows.append(self._span(row, below, prefixes))
        _, header_end = self._span(first, min(first + 2, behind), prefixes)
        return Table(*span, size, tuple(columns), (span[0], header_end), tuple(rows))

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
        starts = self.source.line_starts
        place = content_place(self.text, starts[first], starts[first + 1], first, prefixes)
        marker, prefix = item_prefix(self.text, place, starts[first], first)
        blocks = self._blocks(tokens, first, behind, (*prefixes, prefix))
        size = self.count(start, end)
        return ListItem(start, end, size, marker, prefix.width, tuple(blocks))

    def _footnote(
        self, tokens: list[Token], span: Span, size: int, prefixes: tuple[Prefix, ...]
    ) -> FootnoteDefinition:
        first, behind = self._lines(tokens[0])
        label, prefix = footnote_prefix(self.text, span[0], first)
        blocks = self._blocks(tokens[1:-1], first, behind, (*prefixes, prefix))
        return FootnoteDefinition(*span, size, label, tuple(blocks))

    def _container(
        self, tokens: list[Token], first: int, behind: int, prefixes: tuple[Prefix, ...]
    ) -> Container:
        """A ``:::`` container, whose closing line markdown-it leaves out, or an admonition."""
        token = tokens[0]
        is_admonition = token.type == "admonition_open"
        indent = 4 if is_admonition else 0
        content_end = behind
        starts = self.source.line_starts
        closing = ""
        if not is_admonition and behind < self.source.line_count:
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
        size = self.count(start, end)
        opening = self._span(first, first + 1, prefixes)
        return Container(start, end, size, opening, closing, indent, tuple(blocks))

    # ---------------------------------------------------------------- plain text

    def _plain(self, content: str) -> str:
        return plain_text(content, {"references": self.references})

    def _with_plain_text(self, heading: Heading) -> Heading:
        """A heading with its plain text, now that all link definitions are known."""
        text = self._plain(heading.text)
        return Heading(heading.start, heading.end, heading.tokens, heading.level, text)


def _closing(tokens: list[Token], position: int) -> int:
    """The index of the token that closes the one at ``position``; itself where none opens."""
    if tokens[position].nesting == 0:
        return position
    level = tokens[position].level
    position += 1
    while tokens[position].level != level:
        position += 1
    return position
