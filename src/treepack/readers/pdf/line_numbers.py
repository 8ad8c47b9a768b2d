"""Numbers in the margin that count the lines of each page, as in transcripts, bills and drafts.

They are skipped: in the text, they would interrupt each sentence.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median
from typing import Final, NamedTuple

from treepack.readers.inlines import plain_of
from treepack.readers.pdf.lines import PdfLine, Role

_NUMBER: Final = re.compile(r"\d{1,4}(?= |$)")
_FEWEST_LINES: Final = 10  # with a number, on a page
_FEWEST_PAGES: Final = 3
_SHARE_OF_PAGES: Final = 0.5
_SHARE_OF_ROWS: Final = 0.8  # of the rows from the first number to the last
_SPACING: Final = 0.3  # of the usual distance, by which a distance may differ
_SAME_ROW: Final = 3.0  # points between the baselines of a number and of its text


class _Number(NamedTuple):
    """A line that is or begins with a number, and the number as printed."""

    digits: str
    line: PdfLine

    @property
    def has_text(self) -> bool:
        """Whether text follows the number on the same line."""
        return self.digits != self.line.text

    @property
    def right(self) -> float:
        """An estimate of its right edge."""
        return self.line.text_left if self.has_text else self.line.right


def skip_line_numbers(pages: Sequence[list[PdfLine]]) -> None:
    """Take the line numbers of a document, if it has any, out of its lines.

    Args:
        pages: The lines of all pages. A line that begins with its number becomes two lines.
    """
    found = [(page, _line_numbers(page)) for page in pages]
    numbered = [(page, numbers) for page, numbers in found if numbers]
    full = sum(len(page) >= _FEWEST_LINES for page in pages)
    if len(numbered) < max(_FEWEST_PAGES, _SHARE_OF_PAGES * full):
        return  # a list on some pages may be numbered in the same way
    for page, numbers in numbered:
        for number in numbers:
            _skip(number, page)
        # At the end, because the distance from line to line is measured between neighbours.
        page.sort(key=lambda line: line.role is Role.LINE_NUMBER)


def _line_numbers(page: Sequence[PdfLine]) -> list[_Number]:
    """Return the numbers that count the lines of a page from top to bottom, or none."""
    candidates = [
        _Number(match[0], line)
        for line in page
        if line.is_text and (match := _NUMBER.match(line.text)) and _is_separable(line, match[0])
    ]
    if len(candidates) < _FEWEST_LINES:
        return []  # the common case
    candidates.sort(key=lambda number: -number.line.baseline)
    run = max(_runs(candidates), key=len)
    return run if len(run) >= _FEWEST_LINES and _are_in_margin(run, page) else []


def _runs(numbers: Sequence[_Number]) -> list[list[_Number]]:
    """Return the runs of numbers that count up by one; other numbers may come between them."""
    runs: dict[int, list[_Number]] = {}  # by the next number
    done: list[list[_Number]] = []
    for number in numbers:
        value = int(number.digits)
        run = runs.pop(value, [])
        run.append(number)
        done += [runs[value + 1]] if value + 1 in runs else []
        runs[value + 1] = run
    return [*done, *runs.values()]


def _are_in_margin(run: Sequence[_Number], page: Sequence[PdfLine]) -> bool:
    """Whether numbers are left of all text, at equal distances, and beside most lines."""
    right = max(number.right for number in run)
    numbered = {id(number.line) for number in run}
    high, low = run[0].line.baseline, run[-1].line.baseline
    beside = [
        line
        for line in page
        if line.is_text and id(line) not in numbered and low <= line.baseline <= high
    ]
    if any(line.left < right for line in beside):
        return False
    steps = [one.line.baseline - other.line.baseline for one, other in pairwise(run)]
    usual = median(steps)
    if usual <= 0 or any(abs(step - usual) > _SPACING * usual for step in steps):
        return False
    rows = {round(line.baseline / _SAME_ROW) for line in beside}
    with_text = sum(number.has_text for number in run)
    return with_text + len(rows) <= len(run) / _SHARE_OF_ROWS


def _is_separable(line: PdfLine, digits: str) -> bool:
    """Whether a line is only a number, or its number can be separated from the text after it."""
    first = line.parts[0]
    is_plain = isinstance(first, str) and first.lstrip().startswith(digits)
    return line.text == digits or (is_plain and line.text_left > line.left)


def _skip(number: _Number, page: list[PdfLine]) -> None:
    """Mark a line number as skipped, and separate it from the text on its line."""
    digits, line = number
    if not number.has_text:
        line.role = Role.LINE_NUMBER
        return
    page.append(replace(line, text=digits, parts=[digits], words=[], role=Role.LINE_NUMBER))
    first, *others = line.parts
    line.text = line.text[len(digits) :].lstrip()
    line.parts = [plain_of(first).lstrip()[len(digits) :].lstrip(), *others]
    line.left = line.text_left
    line.count -= len(digits)
    line.words = line.words[1:]
