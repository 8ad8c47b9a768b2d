"""Tables on pages that tests draw: cells in rules, right-aligned numbers, and what is read."""

import re
from collections.abc import Sequence

from pdf_files import PdfPage
from pdf_pages import text_of

_NARROW = {**dict.fromkeys(" .,:/", 0.278), **dict.fromkeys("()-[]", 0.333), "%": 0.889}
_DIGIT = 0.556  # em; the width of Helvetica's digits


def rows_text(*pages: PdfPage) -> str:
    """Return the rows of tables with bars between their cells, also if they are HTML."""
    text = table_text(*pages)
    for found, bars in (
        (r"<tr><t[hd]>", "| "),
        (r"</t[hd]><t[hd]>", " | "),
        ("</t[hd]></tr>", " |"),
    ):
        text = re.sub(found, bars, text)
    return text


def table_text(*pages: PdfPage) -> str:
    """Return the lines of the tables on some pages."""
    found = [line for line in text_of(*pages).splitlines() if line.startswith(("|", "<t"))]
    return "\n".join(found)


def fill_cells(
    page: PdfPage, xs: Sequence[float], ys: Sequence[float], rows: Sequence[Sequence[str]]
) -> PdfPage:
    """Write the texts of cells, each below and to the right of the rules of its cell."""
    for y, row in zip(ys, rows, strict=False):
        for x, text in zip(xs, row, strict=False):
            if text:
                page.text(x + 4, y - 14, text)
    return page


def number_width(text: str, size: float = 10) -> float:
    """Return the width of a number in points."""
    return size * sum(_NARROW.get(char, _DIGIT) for char in text)


def numbers(
    page: PdfPage, y: float, rights: Sequence[float], texts: Sequence[str], size: float = 10
) -> PdfPage:
    """Write a row of numbers that end at given positions; an empty text leaves a gap."""
    for right, text in zip(rights, texts, strict=True):
        if text:
            page.text(round(right - number_width(text, size), 2), y, text, size)
    return page
