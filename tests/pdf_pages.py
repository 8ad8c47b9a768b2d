"""Pages of prose and tables that tests of PDFs draw, and what is read from them."""

import re
from collections.abc import Sequence

from pdf_files import PdfPage, pdf_bytes

from treepack import read

PROSE = (
    "The pump shall stand on a level floor that carries its weight,",
    "and no pipe shall press on its flanges when the bolts are drawn",
    "to the torque that the table of this manual names for each size.",
)
_WORDS = ("no", "alpha", "beta", "gamma", "delta", "eta", "theta", "kappa", "zeta")
_NARROW = {**dict.fromkeys(" .,:/", 0.278), **dict.fromkeys("()-[]", 0.333), "%": 0.889}
_DIGIT = 0.556  # em; the width of Helvetica's digits

Rows = Sequence[Sequence[str]]


def text_of(*pages: PdfPage) -> str:
    return read(pdf_bytes(*pages)).text


def prose(*, y: float = 700, number: int = 0) -> PdfPage:
    return PdfPage().lines(72, y, *(f"{line} {_WORDS[number]}" for line in PROSE))


def table_text(*pages: PdfPage) -> str:
    """Return the lines of the tables on some pages."""
    found = [line for line in text_of(*pages).splitlines() if line.startswith(("|", "<t"))]
    return "\n".join(found)


def rows_text(*pages: PdfPage) -> str:
    """Return the rows of tables with bars between their cells, also if they are HTML."""
    text = re.sub(r"</t[hd]><t[hd]>", " | ", table_text(*pages))
    return re.sub("</t[hd]></tr>", " |", re.sub(r"<tr><t[hd]>", "| ", text))


def markdown(rows: Rows) -> str:
    """Return rows as a Markdown table whose first row is the header."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, "|" + " --- |" * len(rows[0]))
    return "\n".join(lines)


def fill_cells(page: PdfPage, xs: Sequence[float], ys: Sequence[float], rows: Rows) -> PdfPage:
    """Write the texts of cells, each below and to the right of the rules of its cell."""
    for y, row in zip(ys, rows, strict=False):
        for x, text in zip(xs, row, strict=False):
            if text:
                page.text(x + 4, y - 14, text)
    return page


def ruled(
    *rows: Sequence[str], top: float = 700, page: PdfPage | None = None, right: float = 330
) -> PdfPage:
    """Draw a table of two columns and rows of 20 points, with all its rules."""
    xs, ys = (72, 200, right), [top - 20 * n for n in range(len(rows) + 1)]
    return fill_cells((page or PdfPage()).grid(xs, ys), xs, ys, rows)


def numbers(
    page: PdfPage, y: float, rights: Sequence[float], texts: Sequence[str], size: float = 10
) -> PdfPage:
    """Write a row of numbers that end at given positions; an empty text leaves a gap."""
    for right, text in zip(rights, texts, strict=True):
        width = size * sum(_NARROW.get(char, _DIGIT) for char in text)
        if text:
            page.text(round(right - width, 2), y, text, size)
    return page
