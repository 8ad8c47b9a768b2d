"""Reads PDFs that were written by programs as markdown, without a model.

The steps: the worker reads pages (`process`), characters become lines (`lines`), running headers
and footers are skipped (`furniture`), bookmarks name headings (`bookmarks`), tables
are found between rules (`tables`), lines become blocks (`blocks`), blocks are written (`writing`).
"""

import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from math import nan
from typing import Any, Final, Literal

from treepack.markdown.tables import TABLE_NUMBER, TABLE_WORD
from treepack.model.source import Source
from treepack.numbers.words import roman_value
from treepack.readers.inlines import flat
from treepack.readers.neighbours import join_neighbours
from treepack.readers.pdf.blocks import (
    PdfBlock,
    blocks_of,
    body_of,
    ignore_usual_monospace,
    joined_text,
)
from treepack.readers.pdf.bookmarks import match_bookmarks
from treepack.readers.pdf.furniture import mark_furniture, mark_toc
from treepack.readers.pdf.line_patterns import FAR, MOST_LINES, NEARLY_ALL
from treepack.readers.pdf.lines import LEFT_OUT, PdfLine, Role, read_lines
from treepack.readers.pdf.order import in_reading_order
from treepack.readers.pdf.tables.finder import find_tables
from treepack.readers.pdf.writing import hide_labels, hide_title_page, write
from treepack.readers.pdf_worker.messages import PageContent, PdfInfo
from treepack.readers.pdf_worker.process import (
    PdfLimits,
    PdfProblem,
    borrowed_process,
    no_text,
    pages_without_text,
)
from treepack.readers.writer import MarkdownWriter

_REPEATED: Final = "repeated table header"
_FEWEST_CURVED: Final = 500  # segments of shapes: some thirty letters; an ornament has fewer
_FEWEST_TEXTS: Final = 50  # drawn texts; of a page of vertical text, PDFium gives hardly any
Headings = Literal["auto", "fonts"]
"""Where headings come from: bookmarks if the PDF has them, or always fonts and numbers."""
_CAPTION: Final = re.compile(
    rf"{TABLE_WORD}\s*(?P<number>{TABLE_NUMBER})(?P<end>\s*(?:[.:\u2013\u2014|(-]|$))?", re.VERBOSE
)
_ENDS: Final = (".", ":", ";", ",")  # of a sentence about a table


class PagesWithoutTextWarning(UserWarning):
    """Some pages of a PDF are images or drawings, or PDFium does not give their text."""


class ReadPage:
    """A page's lines, and what is needed of its drawings."""

    def __init__(self, content: PageContent, number: int) -> None:
        self.lines = in_reading_order(read_lines(content, number), content.rules)
        _mark_figures(self.lines, content)
        self.rules = content.rules
        if not self.rules:  # only tables need single words
            for line in self.lines:
                line.words = []
        self.low = content.low
        self.has_image = content.has_image
        count = sum(line.count for line in self.lines)
        self.hides_text = content.texts >= _FEWEST_TEXTS and count < content.texts / 2
        self.may_hold_text = content.has_image or content.curve_segments >= _FEWEST_CURVED


def _mark_figures(lines: Sequence[PdfLine], page: PageContent) -> None:
    """Mark the lines inside embedded drawings, except drawings that take most of the page."""
    for left, low, right, high in page.forms:
        if high - low < NEARLY_ALL * page.top:
            for line in lines:
                is_inside = left <= line.left and line.right <= right
                line.is_in_figure |= is_inside and low < line.middle < high


def read_pdf(
    data: bytes,
    name: str,
    *,
    password: str | None = None,
    limits: PdfLimits | None = None,
    headings: Headings = "auto",
) -> Source:
    """Read a PDF.

    Args:
        data: The file's bytes.
        name: The file's name, for the source and for messages.
        password: The password, if the file is encrypted.
        limits: What reading may take.
        headings: Where headings come from.

    Returns:
        The document as markdown, with the page of each text. ``metadata["pdf_headings"]`` states
        where headings come from: ``outline``, ``fonts`` or ``none``.

    Raises:
        SourceError: The file is not a PDF, is damaged, encrypted or without text, or it exceeds a
            limit.
        MissingExtraError: The extra ``pdf`` is not installed.
    """
    limits = limits or PdfLimits()
    try:
        info, pages = read_pages(data, password, limits)
    except PdfProblem as problem:
        raise problem.error(name, limits, has_password=password is not None) from None
    return _make_source(info, pages, len(data), name, headings)


def read_pages(
    data: bytes, password: str | None, limits: PdfLimits
) -> tuple[PdfInfo, list[ReadPage]]:
    """Return what is known of a PDF, and the lines of all pages with page furniture marked.

    Raises:
        PdfProblem: The file cannot be read, or reaches a limit.
    """
    with borrowed_process() as process:
        stream = process.document(data, password, limits)
        info = next(stream)
        assert isinstance(info, PdfInfo), "it comes first"
        pages = [
            ReadPage(content, number)
            for number, content in enumerate(stream)
            if isinstance(content, PageContent)
        ]
    lines = [page.lines for page in pages]
    ignore_usual_monospace(lines)
    rules = [page.rules for page in pages]
    bookmarks = [
        mark._replace(y=mark.y - pages[mark.page].low)
        if mark.y is not None and mark.page is not None and 0 <= mark.page < len(pages)
        else mark
        for mark in info.bookmarks
    ]
    mark_furniture(lines, info.labels, body_of(lines).size, rules)
    return replace(info, bookmarks=bookmarks), pages


def _make_source(
    info: PdfInfo, contents: Sequence[ReadPage], size: int, name: str, headings: Headings
) -> Source:
    pages = [page.lines for page in contents]
    _check_text(contents, name)
    mark_toc(pages)
    body = body_of(pages)
    is_marked = headings == "auto" and match_bookmarks(info.bookmarks, pages, body.size)
    heading_origin = "outline" if is_marked else "none"
    writer = MarkdownWriter(name, _metadata(info, pages), size)
    tables = [find_tables(page.lines, page.rules) for page in contents]
    repeated: list[tuple[int, str]] = []
    blocks: Iterable[PdfBlock] = with_captions(blocks_of(pages, tables, body))
    blocks = with_whole_tables(blocks, repeated)
    if not is_marked:
        blocks = hide_labels(hide_title_page(blocks, body), pages, body)
    write(blocks, writer, body)
    source = writer.source()
    if not is_marked and source.typography:
        heading_origin = "fonts"
    source.metadata["pdf_headings"] = heading_origin  # type: ignore[index] # made above
    return replace(source, left_out=tuple(_left_out(pages, repeated, source)))


def _left_out(
    pages: Sequence[list[PdfLine]], repeated: Sequence[tuple[int, str]], source: Source
) -> Iterator[tuple[int, str]]:
    """Yield what is left out of the text: the offset where its page begins, and a description.

    That includes headers and captions that further pages of tables repeat.
    """
    starts = {page - 1: offset for offset, page in reversed(source.page_marks)}
    end = len(source.text)
    from_last = (starts.get(page, end) for page in reversed(range(len(pages))))
    texts: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for page, text in repeated:
        texts[page].append((_REPEATED, text))
    for page, offset in enumerate([*accumulate(from_last, min)][::-1]):
        hidden = [(line.role.value, line.text) for line in pages[page] if line.is_left_out]
        for what, text in hidden + texts[page]:
            yield offset, f"{what} of page {page + 1}: {text}"


def _check_text(pages: Sequence[ReadPage], name: str) -> None:
    empty = {
        at
        for at, page in enumerate(pages, 1)
        if all(line.role is Role.FURNITURE for line in page.lines)
    }
    if len(empty) == len(pages):
        raise no_text(name, len(pages), has_images=any(page.has_image for page in pages))
    scanned = [
        at
        for at, page in enumerate(pages, 1)
        if page.hides_text or (at in empty and page.may_hold_text)
    ]
    if scanned:
        warnings.warn(pages_without_text(name, scanned), PagesWithoutTextWarning, stacklevel=2)


def _metadata(info: PdfInfo, pages: Sequence[list[PdfLine]]) -> dict[str, Any]:
    metadata: dict[str, Any] = {key.casefold(): text for key, text in info.metadata.items()}
    metadata["pdf_pages"] = info.pages
    if labels := _label_ranges(info.labels):
        metadata["page_labels"] = labels
    roles = Counter(line.role for page in pages for line in page)
    left_out = {role.value: roles[role] for role in LEFT_OUT if roles[role]}
    if left_out:
        metadata["pdf_lines_left_out"] = left_out
    return metadata


def _label_ranges(labels: Sequence[str]) -> dict[str, str]:
    """Return the pages where printed numbers restart, with labels; empty if they run 1, 2, 3."""
    ranges: dict[str, str] = {}
    for page, label in enumerate(labels, 1):
        if label and (page == 1 or not _follows(labels[page - 2], label)):
            ranges[str(page)] = label
    return {} if ranges in ({}, {"1": "1"}) else ranges


def _follows(before: str, label: str) -> bool:
    """Whether a printed page number comes right after another one."""
    (prefix_before, number_before), (prefix, number) = _parts(before), _parts(label)
    return prefix == prefix_before and number == number_before + 1


def _parts(label: str) -> tuple[str | None, float]:
    """Return a printed page number's prefix, None before Roman numerals, and its value."""
    prefix = label.rstrip("0123456789")
    return (
        (None, roman_value(label) or nan)
        if prefix == label
        else (prefix, int(label[len(prefix) :]))
    )


# -------------------------------------------------------------------- captions of tables


def with_captions(blocks: Iterable[PdfBlock]) -> list[PdfBlock]:
    """Return the blocks; captions beside tables become part of the tables.

    Some publishers put captions above their tables, others below. If a caption is between two
    tables, the nearer table takes it.
    """
    found = [*blocks]
    remaining: list[PdfBlock] = []
    for at, block in enumerate(found):
        pairs = [*pairwise(found[max(at - 1, 0) : at + 2])] if _is_caption(block) else []
        beside = [
            (_gap(*pair), table)
            for pair in pairs
            for table in pair
            if table.table is not None and not table.caption
        ]
        gap, nearest = min(beside, key=lambda each: each[0], default=(FAR, block))
        if gap < FAR:
            nearest.caption = block.lines
        else:
            remaining.append(block)
    return remaining


def _is_caption(block: PdfBlock) -> bool:
    if block.kind != "paragraph" or len(block.lines) > MOST_LINES:
        return False
    match = _CAPTION.match(block.lines[0].text)
    if match is None:
        return False
    is_sentence = len(block.lines) > 1 or block.lines[-1].text.endswith(_ENDS)
    return bool(match["end"]) or not is_sentence


def _gap(above: PdfBlock, below: PdfBlock) -> float:
    """Return the space between two blocks in em; infinite if they are on different pages."""
    last, first = above.lines[-1], below.lines[0]
    if last.page != first.page:
        return float("inf")
    low = min(line.low for line in above.lines if line.page == last.page)
    high = max(line.high for line in below.lines if line.page == first.page)
    return abs(low - high) / max(last.size, first.size, 1.0)


# -------------------------------------------------------------------- over pages


def with_whole_tables(
    blocks: Iterable[PdfBlock], repeated: list[tuple[int, str]]
) -> Iterator[PdfBlock]:
    """Yield the blocks; tables on consecutive pages with the same header become one table.

    Args:
        blocks: The blocks, with captions in their tables.
        repeated: Receives the headers and captions that further pages repeat, as pairs of page,
            from 0, and text.
    """

    def join(previous: PdfBlock, block: PdfBlock) -> PdfBlock | None:
        if not _is_continued(previous, block):
            return None
        _append_rows(previous, block, repeated)
        return previous

    return join_neighbours(blocks, join)


def _append_rows(previous: PdfBlock, block: PdfBlock, repeated: list[tuple[int, str]]) -> None:
    """Add the rows of a table to the table that it continues."""
    assert previous.table is not None, "that was asked"
    assert block.table is not None, "that too"
    page, count = block.lines[0].page, block.table.header_rows
    if block.caption and not previous.caption:
        previous.caption = block.caption
    elif block.caption:
        repeated.append((page, flat(joined_text(block.caption))))
    header = [[flat(cell.content) for cell in row] for row in block.table.rows[:count]]
    repeated += [(page, " | ".join(filter(None, row))) for row in header]
    previous.table.page_starts.append((page, len(previous.table.rows)))
    previous.table.rows += block.table.rows[count:]
    previous.lines += block.lines


def _is_continued(previous: PdfBlock, block: PdfBlock) -> bool:
    upper, lower = previous.table, block.table
    if upper is None or lower is None or block.lines[0].page != previous.lines[-1].page + 1:
        return False
    if block.caption and _number(previous) != _number(block):
        is_below = block.caption[0].baseline < min(line.baseline for line in block.lines)
        if previous.caption or not is_below:
            return False
    count = upper.header_rows
    return (upper.columns, count) == (lower.columns, lower.header_rows) and upper.rows[
        :count
    ] == lower.rows[:count]


def _number(block: PdfBlock) -> str:
    """Return the number in a table's caption; empty if there is none."""
    match = _CAPTION.match(block.caption[0].text) if block.caption else None
    return match["number"] if match else ""
