"""Finishes tables: turns HTML into tables, and finds captions and cells."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from treepack.markdown.html_headings import with_html_parts
from treepack.markdown.html_tables import (
    HtmlTable,
    closing_tags,
    column_names,
    is_blank_html,
    open_tables,
    plain_html,
    read_tables,
    without_marks,
)
from treepack.markdown.loose_tables import DELIMITER, with_loose_tables
from treepack.model.blocks import (
    Block,
    CodeBlock,
    Count,
    Heading,
    HtmlBlock,
    Paragraph,
    Span,
    Table,
)

PlainText = Callable[[str], str]

_HTML_TABLE: Final = re.compile(r"<[Tt][Aa][Bb][Ll][Ee]")
_LONGEST_CAPTION: Final = 1000  # characters; papers explain their columns in it
_LONGEST_PLAIN_CAPTION: Final = 400  # without punctuation or emphasis
_LETTER: Final = re.compile(r"\w")
# "Table" in English, German, French, Spanish, Italian, Portuguese, Dutch, Chinese and Japanese.
TABLE_WORD: Final = r"""(?: (?i:tables?|tabellen?|tableaux?|tablas?|cuadros?|tabell[ae]|tabelas?
    |quadros?|tabel) \b | (?i:tab|tbl)\. | 附?表格? )"""
TABLE_NUMBER: Final = (
    r"(?: (?:[A-Z]{1,2}[.-]?)?[0-9]+(?:[.–-][0-9A-Za-z]+)*[a-z]? | [IVXLC]+ | [A-Z] )"
)
# "Table" and a number, then a dash, colon, full stop or pipe (group `sign`), or the end, or a word
# that begins like a title: "Table 3 shows ..." is a sentence, and so is a text with "。". Without a
# number, there must be a colon.
_LABEL: Final = re.compile(
    rf"""[*_]*\s*{TABLE_WORD}\s*
    (?: [*_]*\s*{TABLE_NUMBER}\s*(?P<closing>[*_]*)\s*
        (?: (?P<sign>[:：.—–|-]) | [*_]*\Z | (?![\W\d_]|[^\r\n]*。)[^a-zß-öø-ÿ] | ["“«(] )
      | [*_]*\s*(?P<colon>[:：])\s*\S )""",
    re.VERBOSE,
)
_STYLED: Final = re.compile(
    r"(\*\*\*|\*\*|\*|___|__|_)(?![\s*_])[^*\r\n]*[^\s*_][^*\r\n]*(?<![\s])\1[ \t]*:?"
)
# An attribute line of kramdown, which the parser takes for the last row of the table above it.
_ATTRIBUTES: Final = re.compile(
    r"""[ \t]*\{:(?:[^\r\n]*?\btitle=(?:"([^"\r\n]*)"|'([^'\r\n]*)'))?[^\r\n]*\}[ \t]*"""
)
_SENTENCE: Final = re.compile(r"[.!?。！？]\s+\S")


class _Caption(NamedTuple):
    text: str
    span: Span
    is_label: bool


class TableFinder:
    """Finishes the tables of one document."""

    def __init__(self, text: str, count: Count, plain_text: PlainText) -> None:
        self.text = text
        self.count = count
        self.plain_text = plain_text
        self.has_delimiters = DELIMITER.search(text) is not None
        self.has_html = _HTML_TABLE.search(text) is not None

    def finish(self, blocks: list[Block], *, nested: bool) -> list[Block]:
        """Return sibling blocks, with HTML tables turned into tables, and with captions."""
        if self.has_html:
            blocks = blocks if nested else self._with_joined_tables(blocks)
            parts = self._tables_in
            blocks = with_html_parts(self.text, blocks, self.count, parts, nested=nested)
        if self.has_delimiters:
            blocks = with_loose_tables(self.text, blocks)
        if Table in map(type, blocks):
            return self._with_captions(blocks, nested=nested)
        return blocks

    # ---------------------------------------------------------------- HTML

    def _with_joined_tables(self, blocks: Sequence[Block]) -> list[Block]:
        """Join the blocks of tables that blank lines split; a table does not go over a heading."""
        joined: list[Block] = []
        first = depth = 0  # the block in which a table begins, and the open tables
        for block in blocks:
            joined.append(block)
            was_open = depth > 0
            if isinstance(block, Heading):
                depth = 0
            elif isinstance(block, HtmlBlock) or (was_open and not isinstance(block, CodeBlock)):
                depth = max(depth + open_tables(self.text, block.start, block.end), 0)
                if not was_open:
                    first = len(joined) - 1
                elif not depth:
                    joined[first:] = [HtmlBlock(joined[first].start, block.end, self.count)]
        return joined

    def _tables_in(self, block: HtmlBlock) -> list[Table]:
        """Return the tables of a block; a single one takes in what is blank around it."""
        start, end = block.start, block.end
        tables = read_tables(self.text, start, end)
        if len(tables) == 1:
            table = tables[0]
            around = (start, table.start), (table.end, end)
            if all(is_blank_html(self.text, *span) for span in around):
                closing = table.closing + closing_tags(self.text, start, table.start)
                return [self._html_table(table, start, end, closing)]
        return [self._html_table(each, each.start, each.end, each.closing) for each in tables]

    def _html_table(self, table: HtmlTable, start: int, end: int, closing: str) -> Table:
        header_end = start + len(without_marks(self.text[start : table.rows[0].start]))
        return Table(
            start,
            end,
            self.count,
            column_names(self.text, table),
            (start, header_end),
            tuple(self._row_spans(table)),
            len(table.header_rows),
            plain_html(self.text, *table.caption) if table.caption else "",
            None,
            closing,
        )

    def _row_spans(self, table: HtmlTable) -> Iterator[Span]:
        """Yield the spans of rows; stray words after a row are added to it."""
        closing = self.text.rindex("<", table.start, table.end)
        following = [*(row.start for row in table.rows[1:]), closing]
        for row, after in zip(table.rows, following, strict=True):
            end = row.end
            between = without_marks(self.text[end:after])
            if between and _LETTER.search(plain_html(between, 0, len(between))):
                end += len(between)
            yield row.start, end

    # ---------------------------------------------------------------- captions

    def _with_captions(self, blocks: list[Block], *, nested: bool) -> list[Block]:
        """Give each table its caption; a paragraph is the caption of at most one table."""
        blocks = [self._without_attributes(b) if isinstance(b, Table) else b for b in blocks]
        indexes = [
            at for at, block in enumerate(blocks) if isinstance(block, Table) and not block.caption
        ]
        neighbours = {at for index in indexes for at in (index - 1, index + 1)}
        captions = {
            at: caption
            for at in neighbours & set(range(len(blocks)))
            if (caption := self._caption_of(blocks[at], nested=nested))
        }
        labels = {at: caption for at, caption in captions.items() if caption.is_label}
        votes = sum((at + 1 in labels) - (at - 1 in labels) for at in indexes)
        sides = ((-1, captions), (1, labels))
        taken: set[Span] = set()
        for side, found in sides[::-1] if votes > 0 else sides:
            for at in indexes:
                table, caption = blocks[at], found.get(at + side)
                assert isinstance(table, Table), "only tables were collected"
                if caption and caption.span not in taken and not table.caption_span:
                    blocks[at] = replace(table, caption=caption.text, caption_span=caption.span)
                    taken.add(caption.span)
        return blocks

    def _caption_of(self, block: Block, *, nested: bool) -> _Caption | None:
        """Return the paragraph as a caption, or None; in a list or quote it must be a single line.

        A label without punctuation or emphasis introduces at most one sentence.
        """
        if not isinstance(block, Paragraph) or block.end - block.start > _LONGEST_CAPTION:
            return None
        text = self.text[block.start : block.end]
        content = text.strip()
        if nested and ("\n" in text or "\r" in text):
            return None
        label = _LABEL.match(content)
        is_styled = _STYLED.fullmatch(content) is not None
        if not label and not is_styled:
            return None
        plain = self.plain_text(content)
        is_set_off = is_styled or (label and (label["sign"] or label["closing"] or label["colon"]))
        is_long = len(text) > _LONGEST_PLAIN_CAPTION
        if not is_set_off and (is_long or _SENTENCE.search(plain.partition(" ")[2])):
            return None
        return _Caption(plain, (block.start, block.end), label is not None) if plain else None

    def _without_attributes(self, table: Table) -> Table:
        """Return a table without its attribute line, whose title is its caption."""
        line = _ATTRIBUTES.fullmatch(self.text, *table.rows[-1]) if table.rows else None
        if line is None or table.is_html:
            return table
        table, title = replace(table, rows=table.rows[:-1]), line.lastindex
        if title is None:
            return table
        return replace(table, caption=line[title].strip(), caption_span=line.span(title))
