"""Writes blocks as markdown, with their pages, and which of them may be titles."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Final

from treepack.model.source import Typography
from treepack.readers.inlines import Inline, InlinePiece, flat, plain_of
from treepack.readers.lists import OpenLists
from treepack.readers.pdf.blocks import BodyText, PdfBlock, code_text, joined_text
from treepack.readers.pdf.line_patterns import (
    BULLET,
    LONG,
    MOST_EXAMINED,
    NEAR,
    NUMBERED_TITLE,
    ORDERED,
    SEVERAL,
    TITLE_NUMBER,
    WORD,
    ends_sentence,
)
from treepack.readers.pdf.lines import PdfLine
from treepack.readers.pdf.order import lines_by_row
from treepack.readers.pdf.tables.finder import FoundTable
from treepack.readers.writer import MarkdownWriter

_RELATION: Final = re.compile(
    "[=<>+\u00b1\u00d7\u00f7\u2190-\u21ff\u2200-\u22ff\u27e8\u27e9\u2a00-\u2aff]"
)
_ADMONITION: Final = re.compile(
    r"(?:note|important|warning|caution|tip|hinweis|wichtig|warnung|achtung|vorsicht|tipp"
    r"|remarque|attention|nota|aviso|advertencia|avviso)s?\W*",
    re.IGNORECASE,
)
_WORDS_OF_SENTENCE: Final = 5
_SMALLER: Final = 0.9  # of the size of the text
_EDGE: Final = round(NEAR)  # points


def write(blocks: Iterable[PdfBlock], writer: MarkdownWriter, body: BodyText) -> None:
    """Write blocks; the positions of bullets and numbers determine the lists."""
    pdf_writer = _PdfWriter(writer, body)
    for block in blocks:
        pdf_writer.write(block)
    pdf_writer.lists.close()


class _PdfWriter:
    """Writes blocks one after the other, and keeps track of open lists.

    Attributes:
        lists: The open lists.
    """

    def __init__(self, writer: MarkdownWriter, body: BodyText) -> None:
        self._writer = writer
        self._body = body
        self.lists = OpenLists(writer, NEAR)

    def write(self, block: PdfBlock) -> None:
        """Write a block."""
        page = block.lines[0].page + 1
        self._writer.page(page)  # goes back for footnotes, if a paragraph continued after them
        origin = f"pdf:page {page}"
        if block.kind != "paragraph":
            self.lists.close()
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

    def _paragraph(self, block: PdfBlock, origin: str) -> None:
        text = joined_text(block.lines)
        first = block.lines[0]
        plain = flat(text)
        if match := BULLET.match(plain):
            self.lists.open_item(first.left, None)
            text = _without_start(text, match.end())
        elif (match := ORDERED.match(plain)) and not self._body.is_smaller_than(first):
            self.lists.open_item(first.left, int(match[1]))
            text = _without_start(text, match.end())
        else:
            self.lists.close()
        is_candidate = not block.is_plain and may_be_title(block.lines)
        self._writer.paragraph(text, origin, typography_of(block.lines), may_be_title=is_candidate)

    def _table(self, table: FoundTable, caption: Inline, origin: str) -> None:
        self._writer.table(table.rows, table.header_rows, caption, origin)
        closing = 2 if table.header_rows > 1 else 0  # lines after the rows of HTML
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


# -------------------------------------------------------------------- titles


def typography_of(lines: Sequence[PdfLine]) -> Typography:
    """Return the typography of a paragraph."""
    sizes = {round(line.size * 2) / 2 for line in lines}
    return Typography(
        bold=all(line.is_bold for line in lines), size=sizes.pop() if len(sizes) == 1 else None
    )


def may_be_title(lines: Sequence[PdfLine]) -> bool:
    """Whether a paragraph may be a title if it is formatted like one.

    Rows of columns, formulas, sentences, labels before a value or a note, words in figures and
    single letters are often formatted like titles, too, but are not titles.
    """
    text = " ".join(line.text for line in lines)
    if any(line.is_in_figure or line.is_labelled for line in lines):
        return False
    if sum(map(str.isalpha, text)) <= 1 or (" " in text and not WORD.search(text)):
        return False
    # Words are longer than the names in a formula.
    letters = sum(map(len, WORD.findall(text)))
    is_formula = _RELATION.search(text) and 2 * letters < len(text.replace(" ", ""))
    is_statement = ends_sentence(text) and not text.endswith("?")
    is_sentence = is_statement and text.count(" ") >= _WORDS_OF_SENTENCE
    if is_formula or is_sentence or _ADMONITION.fullmatch(text):
        return False
    return all(len(row) == 1 or TITLE_NUMBER.fullmatch(row[0].text) for row in lines_by_row(lines))


def hide_title_page(blocks: Iterable[PdfBlock], body: BodyText) -> Iterator[PdfBlock]:
    """Yield the blocks; names, places and dates before the text can no longer be titles.

    Of the bold or large paragraphs there, the largest is the document's title. The last one before
    the text, or before a list, is its first heading.
    """
    remaining = iter(blocks)
    front: list[PdfBlock] = []
    for block in remaining:
        front.append(block)
        if _is_text(block, body) or len(front) == MOST_EXAMINED:
            break
    if front and _is_text(front[-1], body):
        _hide_front_matter(front, body)
    yield from chain(front, remaining)


def _is_text(block: PdfBlock, body: BodyText) -> bool:
    return (
        block.kind == "paragraph"
        and not _is_bold_or_large(block, body)
        and sum(len(line.text) for line in block.lines) > LONG
    )


def _is_bold_or_large(block: PdfBlock, body: BodyText) -> bool:
    """Whether a paragraph is bold, or larger than the text."""
    first = block.lines[0]
    return block.kind == "paragraph" and (first.is_bold or first.size > body.size + 0.25)


def _hide_front_matter(front: Sequence[PdfBlock], body: BodyText) -> None:
    """Mark the paragraphs between the title and the first heading as plain."""
    largest = max(
        (block.lines[0].size for block in front if _is_bold_or_large(block, body)), default=0.0
    )
    has_title = False
    for block, next_block in pairwise(front):
        first = block.lines[0]
        if not _is_bold_or_large(block, body) or NUMBERED_TITLE.match(first.text):
            continue
        if first.size == largest and not has_title:
            has_title = True
        elif block.kind == next_block.kind == "paragraph" and not _begins_text(next_block, body):
            block.is_plain = True


def _begins_text(block: PdfBlock, body: BodyText) -> bool:
    """Whether a text or a list begins with this block."""
    return _is_text(block, body) or BULLET.match(block.lines[0].text) is not None


def hide_labels(
    blocks: Iterable[PdfBlock], pages: Sequence[list[PdfLine]], body: BodyText
) -> list[PdfBlock]:
    """Return the blocks; the words of drawings and tables can no longer be titles.

    A title is not smaller than the text. It begins or ends where text does, or begins where other
    titles of its font do, or is in the middle of a column. Words in a drawing can be anywhere.
    Measured on 229 datasheets, manuals and papers with bookmarks: of 8,400 paragraphs formatted as
    titles that no bookmark names, this hides two in five; of 8,200 that one names, 1 in 80.
    """
    all_blocks = list(blocks)
    edges = _Edges(pages)
    alike = Counter(
        _face_and_edge(block.lines[0]) for block in all_blocks if block.kind == "paragraph"
    )
    for block in all_blocks:
        line = block.lines[0]
        if block.kind != "paragraph":
            continue
        is_small = line.size < _SMALLER * body.size
        is_alone = not edges.are_shared_by(line) and _alike(alike, line) < SEVERAL
        block.is_plain |= is_small or is_alone
    return all_blocks


class _Edges:
    """Where text begins, ends and has its middle, on left and on right pages."""

    def __init__(self, pages: Sequence[list[PdfLine]]) -> None:
        self._counts = [Counter[tuple[int, int]]() for _ in range(3)]  # of `_positions`
        for page in pages:
            for line in page:
                if line.is_text:
                    for counts, position in zip(self._counts, _positions(line), strict=True):
                        counts[position, line.page % 2] += line.count
        self._total = self._counts[0].total()

    def are_shared_by(self, line: PdfLine) -> bool:
        """Whether a line begins or ends where text does, or is in the middle of a column."""
        left, middle, right = (
            sum(counts[x, line.page % 2] for x in range(position - _EDGE + 1, position + _EDGE))
            for counts, position in zip(self._counts, _positions(line), strict=True)
        )
        # One in a hundred characters begins there, or one in twenty ends or has its middle there.
        return 100 * left >= self._total or 20 * max(middle, right) >= self._total


def _positions(line: PdfLine) -> tuple[int, int, int]:
    """Return where a line begins, has its middle and ends, in points from the left."""
    return round(line.left), round((line.left + line.right) / 2), round(line.right)


def _face_and_edge(line: PdfLine) -> tuple[tuple[float, bool, str], int]:
    return line.face, round(line.left / _EDGE)


def _alike(counts: Counter[tuple[tuple[float, bool, str], int]], line: PdfLine) -> int:
    """Return how many paragraphs of a line's face begin near its left edge, rounded either way."""
    face, edge = _face_and_edge(line)
    return max(counts[face, edge + step] for step in (-1, 0, 1))
