"""Tables without rules: rows of numbers in the same columns, below the titles of these columns.

Rows of words are left alone, because text in columns looks the same.
"""

import math
import re
from collections.abc import Iterator, Sequence
from typing import Final

from treepack.readers.pdf.line_patterns import BULLET
from treepack.readers.pdf.lines import PdfLine, Word
from treepack.readers.pdf.order import rows_from_top
from treepack.readers.pdf.tables.columns import (
    GAP,
    SAME_TABLE_ROW,
    by_column,
    column_borders,
    is_number,
    size_of,
    text_of,
    texts_of,
    words_of,
)
from treepack.readers.pdf.tables.rules import Frame, RuledLine
from treepack.readers.pdf.tables.wrapped import has_prose

_FEWEST_ROWS: Final = 4  # rows of numbers
_FEWEST_WIDE: Final = 3  # the same if there are more than two columns
_MOST_TITLES: Final = 1  # rows in sequence with only one text: titles of the rows below
_MOST_HEADER: Final = 4  # rows of titles of columns
_FAR: Final = 2.5  # em between the baselines of two rows
_NO_NUMBER: Final = re.compile(r"[-–—†‡#*.…]{1,3}|n/?a\.?", re.IGNORECASE)
"""What is in a cell without a number."""
_AXIS_LABEL: Final = re.compile(r"[-+\u2212$]?[\d.,]+%?")
_YEAR: Final = re.compile(r"(?:FY)?(?:19|20)\d\d(?:[-–/]\d{2,4})?")
_EDGE: Final = 1.0  # points around a table

_Row = Sequence[PdfLine]


def may_hold_numbers(lines: Sequence[PdfLine]) -> bool:
    """Whether enough lines of a page end with a number, so that they may be rows of a table."""
    ends = (line.text.rsplit(" ", 1)[-1] for line in lines)
    return sum(any(map(str.isdigit, end)) for end in ends) >= _FEWEST_WIDE


def aligned_frames(lines: Sequence[PdfLine]) -> Iterator[Frame]:
    """Yield frames of free lines, as rules above and below header and rows would make them."""
    shown = [line for line in lines if line.words and not line.is_toc]
    rows = rows_from_top(shown, SAME_TABLE_ROW)
    start = 0
    while start < len(rows):
        end = _end_of_numbers(rows, start)
        body = _body_start(rows[start:end]) + start
        header = _header_start(rows, body) if body < end else body
        if header < body:
            yield _frame(rows[header:body], rows[body:end])
        start = max(end, start + 1)


def _end_of_numbers(rows: Sequence[_Row], start: int) -> int:
    """Return the index after the last row of numbers in sequence; the start if there is none."""
    end, titles = start, 0
    for index in range(start, len(rows)):
        if index > start and _is_far(rows[index - 1], rows[index]):
            break
        if _is_row_of_numbers(rows[index]):
            end, titles = index + 1, 0
        elif index == start or titles == _MOST_TITLES or len(_texts(rows[index])) > 1:
            break
        else:
            titles += 1
    return end


def _is_row_of_numbers(row: _Row) -> bool:
    """Whether a row has several texts, and at least half of them but the first are numbers."""
    if any(line.is_mono for line in row):
        return False
    first, *texts = _texts(row)
    numbers = [
        text
        for text in texts
        if all(is_number(word) or _NO_NUMBER.fullmatch(word.text) for word in text)
    ]
    return bool(texts) and 2 * len(numbers) >= len(texts) and not BULLET.match(text_of(first))


def _body_start(rows: Sequence[_Row]) -> int:
    """Return the index of the first row below the header if rows share their columns; else the end.

    The first rows may be years, with or without a text in the first column.
    """
    lines = [line for row in rows for line in row]
    borders = column_borders(lines)
    full = [_texts(row) for row in rows if _is_row_of_numbers(row)]
    if not borders or len(full) < (_FEWEST_WIDE if len(borders) > 1 else _FEWEST_ROWS):
        return len(rows)
    labels = [
        texts[0]
        for texts in full
        if texts[0][0].left < borders[0]
        and (len(borders) > 1 or not _AXIS_LABEL.fullmatch(texts[0][0].text))
    ]
    filled = sum(len(texts) > len(borders) / 2 for texts in full)
    if 2 * len(labels) <= len(full) or 2 * filled <= len(full):
        return len(rows)
    if has_prose(by_column(lines, [-math.inf, *borders, math.inf]), size_of(lines)):
        return len(rows)
    return next(
        (
            index
            for index, row in enumerate(rows)
            if words_of(row)[0].left < borders[0] and not _are_years(row)
        ),
        len(rows),
    )


def _are_years(row: _Row) -> bool:
    """Whether all texts of a row but the first are years."""
    _, *texts = _texts(row)
    years = [text for text in texts if len(text) == 1 and _YEAR.fullmatch(text[0].text)]
    return len(years) == len(texts) > 0


def _header_start(rows: Sequence[_Row], start: int) -> int:
    """Return the index of the first row of the titles above some rows; the start if none are."""
    first = start
    edge = _texts(rows[start])[0][-1].right
    while first > max(0, start - _MOST_HEADER):
        row, texts = rows[first - 1], _texts(rows[first - 1])
        is_label = texts[0][0].left < edge
        is_text = len(texts) == 1 and is_label
        if is_text or _is_far(row, rows[first]):
            break
        if is_label and _is_row_of_numbers(row) and not _are_years(row):
            break  # a row of another table
        first -= 1
    return first


def _is_far(above: _Row, below: _Row) -> bool:
    size = max(size_of(above), size_of(below))
    return above[0].baseline - below[0].baseline > _FAR * size


def _texts(row: _Row) -> list[list[Word]]:
    return texts_of(words_of(row), GAP * size_of(row))


def _frame(header: Sequence[_Row], body: Sequence[_Row]) -> Frame:
    lines = [line for row in (*header, *body) for line in row]
    left = min(line.left for line in lines) - _EDGE
    right = max(line.right for line in lines) + _EDGE
    heights = (
        max(line.high for row in header for line in row) + _EDGE,
        (min(line.low for line in header[-1]) + max(line.high for line in body[0])) / 2,
        min(line.low for row in body for line in row) - _EDGE,
    )
    return Frame([RuledLine(at, left, right) for at in heights], [])
