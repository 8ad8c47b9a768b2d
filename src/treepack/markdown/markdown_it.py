"""Turns markdown into blocks: scanner and parser work with lines, blocks with offsets."""

import re
from functools import partial
from typing import Final

from markdown_it.token import Token

from treepack.markdown.block_tokens import BlockTokenizer, Lines, plain_text
from treepack.markdown.html_headings import HTML_HEADING, with_html_headings
from treepack.markdown.prefixes import (
    Position,
    Prefix,
    content_position,
    footnote_prefix,
    item_prefix,
)
from treepack.markdown.scanner import ONLY_IMAGE, Scanner
from treepack.markdown.tables import TableFinder
from treepack.model.blocks import (
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
    indexes_of,
)
from treepack.model.source import ANY_LINE_END, Source

_READ_FOR_TITLE: Final = 8 * LONGEST_TITLE  # characters; nearly always enough for a title
# A link destination or a tag that continues after a cut, such as an image's data; it is not text.
_OPEN_AT_END: Final = re.compile(r"(?:\]\([^\s()]*|<[^<>]*)\Z")
# Attributes of a heading (``{#id}``, ``{: .class }``, ``{#id key=val}``, ``{/* #id */}``, ``{-}``).
_ATTRIBUTES: Final = re.compile(
    r"\{:?[ \t]*(?:-|(?:/\*[ \t]*)?(?:[#.]\w|[\w-]+=)[^{}]*)\}\s*", re.ASCII
)
_FOOTNOTE_MARK: Final = re.compile(r"(`[^`]*`|\\.)|[ \t]?\[\^[^\]\s]{1,100}\]")
# Lines of metadata between two rules, which would be a Setext heading.
_KEYS: Final = re.compile(rf"(?:[ ]{{0,3}}[\w-]+:(?:[ \t][^\r\n]*)?{ANY_LINE_END})+[ ]{{0,3}}-+")
_BLOCKS_OF_ONE_TOKEN: Final[dict[str, type[HtmlBlock | ThematicBreak | MathBlock]]] = {
    "html_block": HtmlBlock,
    "hr": ThematicBreak,
    "math_block": MathBlock,
    "math_block_label": MathBlock,
}
_LINK_DEFINITION: Final = re.compile(r"[ ]{0,3}\[(?!\])(?:[^\]\\]|\\.|)*+\]:", re.DOTALL)


def parse_blocks(source: Source, count: Count, start: int = 0, *, scan: bool = True) -> list[Block]:
    """Parse a source into top-level blocks, which cover all its text except whitespace.

    The text starts after any front matter. With ``scan``, the scanner reads unambiguous blocks.
    """
    return _Reader(source, count, start).read(scan=scan)


class _Reader:
    """Combines the scanner's blocks with those that markdown-it finds."""

    def __init__(self, source: Source, count: Count, start: int) -> None:
        self.source = source
        self.text = source.text
        self.count = count
        self.lines = Lines(source, start)
        self.tokens: list[Token] = []  # of one block at the top level
        self.at = 0  # the index of the next token
        self.references: dict[str, object] = {}
        self.named: list[Block] = []  # the headings and tables
        # Not a method: a cycle would keep the lines alive after parsing and packing.
        self.plain_text = partial(plain_text, references=self.references)
        self.names: dict[str, str] = {}  # plain column names, because tables often share headers
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
            self.tokens, after = tokenizer.tokens_at(line)
            self.at = 0
            blocks.extend(self._blocks(line, after, ()))
            start = lines.start_of(after)
        blocks = self.tables.finish(blocks, nested=False)
        if HTML_HEADING.search(self.text):
            blocks = with_html_headings(self.text, blocks, self.count)
        for at in indexes_of((Heading, Table), blocks):
            block = blocks[at]
            is_below_rule = at > 0 and isinstance(blocks[at - 1], ThematicBreak)
            if is_below_rule and _KEYS.fullmatch(self.text, block.start, block.end):
                blocks[at] = Paragraph(block.start, block.end, self.count)
            else:
                self.named.append(block)
        for block in self.named:
            self._set_plain_names(block)
        return blocks

    # ---------------------------------------------------------------- from markdown-it

    def _blocks(self, line: int, end_line: int, prefixes: tuple[Prefix, ...]) -> list[Block]:
        """Convert the next tokens of one container, and the text between them that has no token."""
        blocks: list[Block] = []
        tokens = self.tokens
        while self.at < len(tokens) and tokens[self.at].nesting >= 0:
            token = tokens[self.at]
            first, after = self._lines(token)
            if line < first:
                blocks.extend(self._without_tokens(line, first, prefixes))
            block = self._block(token, first, after, prefixes)
            if block.start < block.end:  # for markdown-it, a form feed alone is a paragraph
                blocks.append(block)
            line = max(line, after)
            if isinstance(block, Container):  # the token's lines do not include its closing line
                line = max(line, self.lines.line_at(block.end - 1) + 1)
        if line < end_line:
            blocks.extend(self._without_tokens(line, end_line, prefixes))
        if not prefixes:
            return blocks
        blocks = self.tables.finish(blocks, nested=True)
        self.named += [block for block in blocks if isinstance(block, Heading | Table)]
        return blocks

    def _container_blocks(
        self, first: int, after: int, prefixes: tuple[Prefix, ...], prefix: Prefix
    ) -> tuple[Block, ...]:
        """Convert a container's content, which begins on the container's first line."""
        self.at += 1
        blocks = self._blocks(first, after, (*prefixes, prefix))
        self.at += 1
        return tuple(blocks)

    def _lines(self, token: Token) -> Span:
        assert token.map is not None, f"{token.type} has line numbers"
        return token.map[0], token.map[1]

    def _without_tokens(self, first: int, after: int, prefixes: tuple[Prefix, ...]) -> list[Block]:
        """Convert lines without tokens: link definitions, and content nested too deeply."""
        while first < after:
            content = self._content_position(first, prefixes).offset
            if self.text[content : self.lines.starts[first + 1]].strip():
                break
            first += 1  # it is blank after the containers' markers
        start, end = self._span(first, after, prefixes) if first < after else (0, 0)
        if start >= end:
            return []
        make = LinkDefinition if _LINK_DEFINITION.match(self.text, start, end) else Paragraph
        return [make(start, end, self.count)]

    def _content_position(self, line: int, prefixes: tuple[Prefix, ...]) -> Position:
        """Return where a line's content begins, after the containers' markers."""
        start, end = self.lines.starts[line : line + 2]
        return content_position(self.text, start, end, line, prefixes)

    def _span(self, first: int, after: int, prefixes: tuple[Prefix, ...]) -> Span:
        """Return the span of some lines, without the first markers and trailing whitespace."""
        starts = self.lines.starts
        start, end = starts[first], starts[after]
        while end > start and self.text[end - 1].isspace():
            end -= 1
        if prefixes:
            start = self._content_position(first, prefixes).offset
        return start, max(start, end)

    # ---------------------------------------------------------------- one block

    def _block(  # noqa: PLR0911 - one case for each kind of token
        self, token: Token, first: int, after: int, prefixes: tuple[Prefix, ...]
    ) -> Block:
        """Convert the next block, and move on to the token after it."""
        start, end = self._span(first, after, prefixes)
        count = self.count
        match token.type:
            case "paragraph_open":
                content = self._content_token()
                is_image = content.startswith("!") and ONLY_IMAGE.fullmatch(content)
                return (Image if is_image else Paragraph)(start, end, count)
            case "bullet_list_open" | "ordered_list_open":
                ordered = token.type == "ordered_list_open"
                return ListBlock(start, end, count, ordered, self._items(prefixes))
            case "blockquote_open":
                blocks = self._container_blocks(first, after, prefixes, Prefix.quote(first))
                return BlockQuote(start, end, count, blocks)
            case "heading_open":
                return Heading(start, end, count, int(token.tag[1]), self._content_token())
            case "table_open":
                return self._table((start, end), prefixes)
            case "footnote_reference_open":
                label, prefix = footnote_prefix(self.text, start, first)
                blocks = self._container_blocks(first, after, prefixes, prefix)
                return FootnoteDefinition(start, end, count, label, blocks)
            case "container_container_open" | "admonition_open":
                return self._container(token, first, after, prefixes)
            case _:
                self.at += 1
                return self._single(token, (start, end), after - first)

    def _content_token(self) -> str:
        """Return the content of the block whose three tokens are next, and skip these tokens."""
        content = self.tokens[self.at + 1].content
        self.at += 3
        return content

    def _single(self, token: Token, span: Span, line_count: int) -> Block:
        """Convert a block of one token."""
        match token.type:
            case "fence":
                content = token.content
                lines = content.count("\n") + bool(content and not content.endswith("\n"))
                info, closed = token.info.strip(), line_count == lines + 2
                return CodeBlock(*span, self.count, token.markup, info, closed)
            case "code_block":
                return CodeBlock(*span, self.count, "", "", closed=False)
            case kind:
                return _BLOCKS_OF_ONE_TOKEN[kind](*span, self.count)

    def _table(self, span: Span, prefixes: tuple[Prefix, ...]) -> Table:
        first, after = self._lines(self.tokens[self.at])
        columns: list[str] = []
        rows: list[Span] = []
        in_head = False
        while (token := self.tokens[self.at]).type != "table_close":
            self.at += 1
            if token.type in ("thead_open", "thead_close"):
                in_head = token.type == "thead_open"
            elif token.type == "inline" and in_head:
                columns.append(token.content)
            elif token.type == "tr_open" and not in_head:
                row, below = self._lines(token)
                rows.append(self._span(row, below, prefixes))
        self.at += 1
        _, header_end = self._span(first, min(first + 2, after), prefixes)
        return Table(*span, self.count, tuple(columns), (span[0], header_end), tuple(rows))

    def _items(self, prefixes: tuple[Prefix, ...]) -> tuple[ListItem, ...]:
        items: list[ListItem] = []
        self.at += 1
        while (token := self.tokens[self.at]).nesting >= 0:  # less closes
            first, after = self._lines(token)
            start, end = self._span(first, after, prefixes)
            position = self._content_position(first, prefixes)
            marker, prefix = item_prefix(self.text, position, self.lines.starts[first], first)
            blocks = self._container_blocks(first, after, prefixes, prefix)
            items.append(ListItem(start, end, self.count, marker, prefix.width, blocks))
        self.at += 1
        return tuple(items)

    def _container(
        self, token: Token, first: int, after: int, prefixes: tuple[Prefix, ...]
    ) -> Container:
        """Convert a ``:::`` container, whose closing line has no token, or an admonition."""
        is_admonition = token.type == "admonition_open"
        indent = 4 if is_admonition else 0
        content_end = after
        starts = self.lines.starts
        closing = ""
        if not is_admonition and after < self.lines.count:
            line_end = starts[after + 1]
            line = self.text[self._content_position(after, prefixes).offset : line_end].strip()
            if len(line) >= len(token.markup) and not line.strip(":"):
                after, closing = after + 1, token.markup
        start, end = self._span(first, after, prefixes)
        inner = (*prefixes, Prefix(first, start, indent, "", " " * indent))
        has_title = self.tokens[self.at + 1].type == "admonition_title_open"
        self.at += 4 if has_title else 1
        blocks = self._blocks(first + 1, content_end, inner)
        self.at += 1
        opening = self._span(first, first + 1, prefixes)
        return Container(start, end, self.count, opening, closing, indent, tuple(blocks))

    # ---------------------------------------------------------------- plain text

    def _set_plain_names(self, block: Block) -> None:
        """Make a title, or a caption and column names, plain; all link definitions are known."""
        if isinstance(block, Heading):
            block.text = self._title(block.text)
        elif isinstance(block, Table):
            if not block.is_html:
                names = self.names
                block.columns = tuple(
                    [
                        names.get(column) or names.setdefault(column, self.plain_text(column))
                        for column in block.columns
                    ]
                )
            span = block.caption_span
            if span and not block.start <= span[0] < block.end:
                block.caption = self.plain_text(self.text[slice(*span)].strip())

    def _title(self, content: str) -> str:
        """Return the plain text of a heading, of at most `LONGEST_TITLE` characters."""
        content = _without_marks(content)
        read = content[:_READ_FOR_TITLE]
        title = self.plain_text(read if read == content else _OPEN_AT_END.sub("", read))
        if len(title) <= LONGEST_TITLE < len(content):
            title = self.plain_text(content)
        if len(title) <= LONGEST_TITLE:
            return title
        space = title.rfind(" ", LONGEST_TITLE // 2, LONGEST_TITLE)
        return f"{title[: space if space >= 0 else LONGEST_TITLE]}…"


def _without_marks(content: str) -> str:
    """Return the content of a heading without attributes and footnote marks, if text is left."""
    at = content.rfind("{")
    has_attributes = _ATTRIBUTES.fullmatch(content, at) if content[at - 1 : at] != "\\" else None
    text = content[:at].rstrip() if at > 0 and has_attributes else content
    if "[^" in text:
        text = _FOOTNOTE_MARK.sub(lambda match: match[1] or "", text)
    return text if text.strip() else content
