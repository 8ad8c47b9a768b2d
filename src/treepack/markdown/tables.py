"""Finishes tables: turns HTML into tables, and finds captions and cells."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final, NamedTuple

from treepack.markdown.block_tokens import cell_spans, cell_text
from treepack.markdown.html_headings import with_html_parts
from treepack.markdown.html_tables import (
    TABLE_TAG,
    HtmlTable,
    closing_tags,
    column_names,
    is_blank_html,
    open_tables,
    plain_html,
    read_tables,
    without_marks,
)
from treepack.model.blocks import (
    LONGEST_TITLE,
    Block,
    CodeBlock,
    Count,
    Heading,
    HtmlBlock,
    Paragraph,
    Span,
    Table,
)
from treepack.model.source import LINE_END, LINE_TEXT

PlainText = Callable[[str], str]

_LONGEST_PLAIN_CAPTION: Final = 400  # without punctuation or emphasis
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
DELIMITER: Final = re.compile(r"-:?[ \t]*\|")
_DELIMITERS: Final = re.compile(r"[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?[ \t]*)?")


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
        self.has_html = TABLE_TAG.search(text) is not None

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
            if between and any(map(str.isalnum, plain_html(between, 0, len(between)))):
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
        if not isinstance(block, Paragraph) or block.end - block.start > LONGEST_TITLE:
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


def with_loose_tables(text: str, blocks: Sequence[Block]) -> list[Block]:
    """Return top-level blocks, with the rows of tables that markdown-it leaves in paragraphs.

    GFM allows one header row, and as many delimiters (``---``) as it has cells. Here, all rows in
    pipes right above the delimiters are header rows, and the number of delimiters does not matter.
    """
    found: list[Block] = []
    for block in blocks:
        before = found[-1] if found else None
        if isinstance(block, Table) and not block.is_html and isinstance(before, Paragraph):
            found[-1:] = _with_rows_above(text, before, block)
        elif isinstance(block, Paragraph) and text.find("|", block.start, block.end) >= 0:
            found += _parted(text, block)
        else:
            found.append(block)
    return found


def _with_rows_above(text: str, paragraph: Paragraph, table: Table) -> list[Block]:
    """Give a table the rows in pipes at the end of the paragraph that touches it."""
    rows = unquoted_lines(text, paragraph.start, paragraph.end)
    first = _first_row(text, rows, len(rows))
    if first == len(rows) or len(LINE_END.findall(text, paragraph.end, table.start)) != 1:
        return [paragraph, table]
    columns, header = _names(text, rows[first:], table.columns), (rows[first][0], table.header[1])
    count = len(rows) - first + 1
    table = replace(table, start=header[0], header=header, header_rows=count, columns=columns)
    return [*_above(paragraph, rows, first), table]


def _parted(text: str, paragraph: Paragraph) -> list[Block]:
    """Return the table of a paragraph, with the text above it; the paragraph if it has none."""
    lines = unquoted_lines(text, paragraph.start, paragraph.end)
    at = next((at for at, line in enumerate(lines) if _DELIMITERS.fullmatch(text, *line)), 0)
    rows = lines[at + 1 :]
    if not at or not rows or not all("|" in text[slice(*line)] for line in (lines[at - 1], *rows)):
        return [paragraph]
    first = min(_first_row(text, lines, at), at - 1)
    header, columns = (lines[first][0], lines[at][1]), _names(text, lines[first:at], ())
    span = header[0], paragraph.end
    table = Table(*span, paragraph.count, columns, header, tuple(rows), at - first)
    return [*_above(paragraph, lines, first), table]


def unquoted_lines(text: str, start: int, end: int) -> list[Span]:
    """Return the spans of lines, without the markers of quotes."""
    lines = [
        (match.end() - len(match[0].lstrip(" \t>")), match.start() + len(match[0].rstrip()))
        for match in LINE_TEXT.finditer(text, start, end)
    ]
    return [line for line in lines if line[0] < line[1]]


def _first_row(text: str, lines: Sequence[Span], after: int) -> int:
    """Return the index of the first of the lines that begin with a pipe, just before ``after``."""
    while after and text[lines[after - 1][0]] == "|":
        after -= 1
    return after


def _above(paragraph: Paragraph, lines: Sequence[Span], count: int) -> list[Block]:
    return [replace(paragraph, end=lines[count - 1][1])] if count else []


def _names(text: str, rows: Sequence[Span], lowest: tuple[str, ...]) -> tuple[str, ...]:
    """Return the name of each column: the lowest cell of the header that is not empty."""
    names = [*lowest]
    for row in reversed(rows):
        spans = [cell_text(text, *cell) for cell in cell_spans(text, *row)]
        cells = [text[start:end] for start, end in spans]
        names += [""] * (len(cells) - len(names)) * (not lowest)
        names = [
            name or cell for name, cell in zip_longest(names, cells[: len(names)], fillvalue="")
        ]
    return tuple(names)
