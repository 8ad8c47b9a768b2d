"""Numbers in the margin that count the lines of each page, as in transcripts, bills and drafts.

They are skipped: in the text, they would interrupt each sentence.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median
from typing import Final, NamedTuple

from treepack.readers.pdf.lines import PdfLine, Role

_NUMBER: Final = re.compile(r"(\d{1,4})(?:\s+|$)")
_FEWEST_LINES: Final = 10  # with a number, on a page
_FEWEST_PAGES: Final = 3
_SHARE_OF_PAGES: Final = 0.5
_SHARE_OF_ROWS: Final = 0.8  # of the rows from the first number to the last
_SPACING: Final = 0.3  # of the usual distance, by which a distance may differ
_SAME_ROW: Final = 3.0  # points between the baselines of a number and of its text


class _Number(NamedTuple):
    """A line that is or begins with a number."""

    value: int
    line: PdfLine


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
        _Number(int(match[1]), line)
        for line in page
        if line.is_text and (match := _NUMBER.match(line.text))
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
        run = [*runs.pop(number.value, []), number]
        done += [runs[number.value + 1]] if number.value + 1 in runs else []
        runs[number.value + 1] = run
    return [*done, *runs.values()]


def _are_in_margin(run: Sequence[_Number], page: Sequence[PdfLine]) -> bool:
    """Whether numbers are left of all text, at equal distances, and beside most lines."""
    right = max(_right(number.line) for number in run)
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
    with_text = sum(_has_text(number.line) for number in run)
    return with_text + len(rows) <= len(run) / _SHARE_OF_ROWS


def _has_text(line: PdfLine) -> bool:
    """Whether text follows the number on the same line."""
    return line.text_left > line.left


def _right(line: PdfLine) -> float:
    """Return an estimate of the right edge of a line's number."""
    return min(line.right, line.text_left) if _has_text(line) else line.right


def _skip(number: _Number, page: list[PdfLine]) -> None:
    """Mark a line number as skipped, and separate it from the text on its line."""
    line = number.line
    digits = str(number.value)
    if not _has_text(line):
        line.role = Role.LINE_NUMBER
        return
    page.append(replace(line, text=digits, parts=[digits], words=[], role=Role.LINE_NUMBER))
    first, *others = line.parts
    line.text = line.text[len(digits) :].lstrip()
    line.parts = [first[len(digits) :].lstrip() if isinstance(first, str) else first, *others]
    line.left = line.text_left
    line.count -= len(digits)
    line.words = line.words[1:]
