"""Printed tables of contents: rows that end in page numbers; they are not headings."""

from collections.abc import Iterator, Sequence
from typing import Final

from treepack.readers.pdf.line_patterns import TOC_PAGE_NUMBER, ends_toc_line
from treepack.readers.pdf.lines import PdfLine
from treepack.readers.pdf.order import lines_by_row

_FEWEST: Final = 4  # rows of a page
_FAR: Final = 0.8  # of the width; page numbers are further right


def mark_toc(pages: Sequence[list[PdfLine]]) -> None:
    """Mark the lines of tables of contents, after page furniture."""
    for page in pages:
        entries = list(_entries(page))
        if len(entries) >= _FEWEST:
            for row in entries:
                for line in row:
                    line.is_toc = True


def _entries(page: Sequence[PdfLine]) -> Iterator[list[PdfLine]]:
    """Yield rows with leader dots, or with a number alone at the right edge."""
    lines = [line for line in page if line.is_text]
    if not lines:
        return
    left, right = min(line.left for line in lines), max(line.right for line in lines)
    edge = left + _FAR * (right - left)
    for row in lines_by_row(lines):
        last = max(row, key=lambda line: line.right)
        is_apart = len(row) > 1 and last.right > edge and TOC_PAGE_NUMBER.fullmatch(last.text)
        if is_apart or any(ends_toc_line(line.text) for line in row):
            yield row
