"""Rows: lines at one height, in the order of the content or from top to bottom."""

from collections.abc import Iterable
from typing import Final, Protocol, TypeVar

from treepack.readers.pdf.lines import PdfLine

SAME_ROW: Final = 2.5
"""Points; baselines that are closer than this are in one row."""


class _Placed(Protocol):
    """Something on a baseline: a line, or the part of a line that is in one column."""

    baseline: float


_T = TypeVar("_T", bound=_Placed)


def lines_by_row(lines: Iterable[PdfLine]) -> list[list[PdfLine]]:
    """Group lines that follow each other at one height."""
    rows: list[list[PdfLine]] = []
    for line in lines:
        row = rows[-1] if rows else []
        if row and row[0].page == line.page and abs(row[0].baseline - line.baseline) < SAME_ROW:
            row.append(line)
        else:
            rows.append([line])
    return rows


def rows_from_top(items: Iterable[_T], tolerance: float = SAME_ROW) -> list[list[_T]]:
    """Group all that is at one height, from top to bottom."""
    rows: list[list[_T]] = []
    for item in sorted(items, key=lambda item: -item.baseline):
        if rows and rows[-1][0].baseline - item.baseline < tolerance:
            rows[-1].append(item)
        else:
            rows.append([item])
    return rows
