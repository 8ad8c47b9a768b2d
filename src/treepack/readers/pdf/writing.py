"""Writes blocks as markdown, with their pages."""

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from treepack.readers.inlines import Inline, InlinePiece, flat, plain_of
from treepack.readers.lists import OpenLists
from treepack.readers.pdf.blocks import BodyText, PdfBlock, code_text, joined_text
from treepack.readers.pdf.line_patterns import BULLET, ORDERED
from treepack.readers.pdf.order import lines_by_row
from treepack.readers.pdf.tables.finder import FoundTable
from treepack.readers.pdf.title_candidates import may_be_title, typography_of
from treepack.readers.writer import MarkdownWriter

_CLOSING_LINES: Final = 2  # after the rows of a table that is written as HTML
_SAME_LEFT: Final = 3.0  # points between items of one list


def write(blocks: Iterable[PdfBlock], writer: MarkdownWriter, body: BodyText) -> None:
    """Write blocks; the positions of bullets and numbers determine the lists."""
    pdf_writer = _PdfWriter(writer, body)
    for block in blocks:
        pdf_writer.write(block)
    pdf_writer.end()


class _PdfWriter:
    """Writes blocks one after the other, and keeps track of open lists."""

    def __init__(self, writer: MarkdownWriter, body: BodyText) -> None:
        self._writer = writer
        self._body = body
        self._lists = OpenLists(writer, _SAME_LEFT)

    def write(self, block: PdfBlock) -> None:
        """Write a block."""
        page = block.lines[0].page + 1
        self._writer.page(page)  # goes back for footnotes, if a paragraph continued after them
        origin = f"pdf:page {page}"
        if block.kind != "paragraph":
            self._lists.close()
        match block.kind:
            case "heading":
                self._writer.heading(block.lines[0].level, joined_text(block.lines), origin)
            case "code":
                self._writer.code(code_text(block.lines), origin=origin)
            case "contents":
                rows = [flat(joined_text(row)) for row in lines_by_row(block.lines)]
                self._writer.paragraph("\n".join(rows), origin)
            case "term":
                term, definition = joined_text(block.lines[:1]), joined_text(block.lines[1:])
                self._writer.paragraph([*term, "\n", *definition], origin)
            case "table":
                assert block.table is not None, "the block is one"
                self._table(
                    block.table, joined_text(block.caption) if block.caption else "", origin
                )
                return
            case _:
                self._paragraph(block, origin)
        self._mark_pages(block)

    def end(self) -> None:
        """Close the open lists."""
        self._lists.close()

    def _paragraph(self, block: PdfBlock, origin: str) -> None:
        text = joined_text(block.lines)
        first = block.lines[0]
        plain = flat(text)
        if match := BULLET.match(plain):
            self._lists.open_item(first.left, None)
            text = _without_start(text, match.end())
        elif (match := ORDERED.match(plain)) and not self._body.is_smaller_than(first):
            self._lists.open_item(first.left, int(match[1]))
            text = _without_start(text, match.end())
        else:
            self._lists.close()
        is_candidate = not block.is_plain and may_be_title(block.lines)
        self._writer.paragraph(text, origin, typography_of(block.lines), may_be_title=is_candidate)

    def _table(self, table: FoundTable, caption: Inline, origin: str) -> None:
        self._writer.table(table.rows, table.header_rows, caption, origin)
        closing = _CLOSING_LINES if table.header_rows > 1 else 0
        for page, row in table.page_starts:
            self._writer.continue_on_page(page + 1, lines=len(table.rows) - row + closing)

    # ---------------------------------------------------------------- pages

    def _mark_pages(self, block: PdfBlock) -> None:
        """Mark where a block continues on another page."""
        lines = block.lines
        for at, (line, next_line) in enumerate(pairwise(lines), 1):
            if next_line.page > line.page:
                words = len(flat(joined_text(lines[at:])).split()) + (block.kind == "code")
                self._writer.continue_on_page(next_line.page + 1, words=words)


def _without_start(parts: list[str | InlinePiece], count: int) -> list[str | InlinePiece]:
    """Return inline content without its first ``count`` characters."""
    parts = parts.copy()
    while parts and count:
        part = parts.pop(0)
        text = plain_of(part)
        if len(text) > count:
            rest = text[count:]
            return [rest if isinstance(part, str) else InlinePiece(rest, part.kind), *parts]
        count -= len(text)
    return parts
