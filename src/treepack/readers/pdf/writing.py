"""Blocks become markdown, with the page of each."""

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from treepack.model.typography import Typography
from treepack.readers.inlines import Inline, Piece, flat
from treepack.readers.pdf.blocks import Block, code_text, joined, merged, rows_of
from treepack.readers.pdf.tables.finder import FoundTable
from treepack.readers.pdf.title_signs import typography_of
from treepack.readers.pdf.wording import BULLET, ORDERED
from treepack.readers.writer import MarkdownWriter

_CLOSING_LINES: Final = 2  # of a table that is written as HTML
_SAME_LEFT: Final = 3.0  # points between items of one list


def write(blocks: Iterable[Block], writer: MarkdownWriter) -> None:
    """Write blocks; lists by the places of their bullets."""
    writing = _Writing(writer)
    for block in blocks:
        writing.write(block)
    writing.close_lists()


class _Writing:
    """Writes blocks one after the other; keeps the lists that are open."""

    def __init__(self, writer: MarkdownWriter) -> None:
        self._writer = writer
        self._page = 0
        self._lists: list[tuple[float, bool]] = []  # where the markers stand, and if numbered

    def write(self, block: Block) -> None:
        """Write a block."""
        page = block.lines[0].page + 1
        if page != self._page:  # footnotes are on the page before, where a paragraph went on
            self._writer.page(page)
            self._page = page
        origin = f"pdf:page {page}"
        match block.kind:
            case "heading":
                self.close_lists()
                self._writer.heading(block.lines[0].level, joined(block.lines), origin)
            case "code":
                self.close_lists()
                self._writer.code(code_text(block.lines), origin=origin)
            case "contents":
                self.close_lists()
                rows = [flat(joined(row)) for row in rows_of(block.lines)]
                self._writer.paragraph("\n".join(rows), origin)
            case "term":
                self.close_lists()
                term, definition = joined(block.lines[:1]), joined(block.lines[1:])
                self._writer.paragraph([*term, "\n", *definition], origin)
            case "table":
                self.close_lists()
                assert block.table is not None, "the block is one"
                self._table(block.table, joined(block.caption) if block.caption else "", origin)
                return
            case _:
                self._paragraph(block, origin)
        self._mark_pages(block)

    def close_lists(self) -> None:
        """Close all lists."""
        while self._lists:
            self._close_list()

    def _paragraph(self, block: Block, origin: str) -> None:
        text: Inline = joined(block.lines)
        first = block.lines[0]
        said = flat(text)
        if match := BULLET.match(said):
            self._item(first.left, None)
            text = _without(text, match.end())
        elif match := ORDERED.match(said):
            self._item(first.left, int(match[1]))
            text = _without(text, match.end())
        else:
            self.close_lists()
        typography = Typography() if block.is_plain else typography_of(block.lines)
        self._writer.paragraph(text, origin, typography)

    def _table(self, table: FoundTable, caption: Inline, origin: str) -> None:
        self._writer.table(table.rows, table.header_rows, caption, origin)
        closing = _CLOSING_LINES if table.header_rows > 1 else 0
        for page, row in table.turns:
            self._writer.page_within_lines(len(table.rows) - row + closing, page + 1)
            self._page = page + 1

    # ---------------------------------------------------------------- lists

    def _item(self, left: float, number: int | None) -> None:
        while self._lists and self._lists[-1][0] > left + _SAME_LEFT:
            self._close_list()
        is_numbered = number is not None
        if self._lists and abs(self._lists[-1][0] - left) <= _SAME_LEFT:
            if self._lists[-1][1] == is_numbered:
                self._writer.close()
            else:
                self._close_list()
                self._open_list(left, number)
        else:
            self._open_list(left, number)
        self._writer.open_item(number)

    def _open_list(self, left: float, number: int | None) -> None:
        self._writer.open_list(ordered=number is not None, start=number or 1)
        self._lists.append((left, number is not None))

    def _close_list(self) -> None:
        self._lists.pop()
        self._writer.close()  # the item
        self._writer.close()  # the list

    # ---------------------------------------------------------------- pages

    def _mark_pages(self, block: Block) -> None:
        """Mark where a block goes on to another page."""
        lines = block.lines
        for at, (one, two) in enumerate(pairwise(lines), 1):
            if two.page > one.page:
                words = len(flat(joined(lines[at:])).split()) + (block.kind == "code")
                self._writer.page_within(words, two.page + 1)
                self._page = two.page + 1


def _without(text: Inline, count: int) -> Inline:
    """Inline content without so many characters at its beginning."""
    if isinstance(text, str):
        return text.lstrip()[count:]
    parts = list(merged(text))
    while parts and count:
        part = parts[0]
        said = part if isinstance(part, str) else part.text
        if len(said) > count:
            rest = said[count:]
            parts[0] = rest if isinstance(part, str) else Piece(rest, part.kind)
            return parts
        count -= len(said)
        parts.pop(0)
    return parts
