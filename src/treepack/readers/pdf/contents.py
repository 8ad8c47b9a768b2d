"""Printed lists of contents: rows that end in page numbers; they are no headings."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from treepack.readers.pdf.lines import Line
from treepack.readers.pdf.wording import NUMBER_ALONE, ends_contents_line

_SAME_ROW: Final = 2.5  # points
_FEWEST: Final = 4  # rows of a page
_FAR: Final = 0.8  # of the width, where numbers stand


def mark_contents(pages: Sequence[list[Line]]) -> None:
    """Mark the lines of lists of contents.

    Args:
        pages: The lines of all pages, running heads marked.
    """
    for page in pages:
        entries = list(_entries(page))
        if len(entries) >= _FEWEST:
            for row in entries:
                for line in row:
                    line.is_contents = True


def rows(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Lines that follow each other at one height."""
    for _, group in groupby(lines, _Row()):
        yield list(group)


class _Row:
    """Numbers rows: a line at the height of the one before is of its row."""

    def __init__(self) -> None:
        self._number = 0
        self._last: Line | None = None

    def __call__(self, line: Line) -> int:
        if self._last is None or abs(self._last.base - line.base) >= _SAME_ROW:
            self._number += 1
        self._last = line
        return self._number


def _entries(page: Sequence[Line]) -> Iterator[list[Line]]:
    """Rows with leaders, or with a number alone at the right edge."""
    lines = [line for line in page if line.is_text]
    if not lines:
        return
    left, right = min(line.left for line in lines), max(line.right for line in lines)
    edge = left + _FAR * (right - left)
    for row in rows(lines):
        last = max(row, key=lambda line: line.right)
        is_apart = len(row) > 1 and last.right > edge and NUMBER_ALONE.fullmatch(last.text)
        if is_apart or any(ends_contents_line(line.text) for line in row):
            yield row
