"""Columns that no rules separate: where the words of all rows leave a gap.

Between words, a gap is wide. Between numbers it may be as narrow as a space, because the longest
numbers of two columns nearly touch. A row with only one text, such as the title of some rows, may
cross the gaps.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, TypeAlias

from treepack.readers.neighbours import in_groups
from treepack.readers.pdf.line_patterns import MOSTLY, NEAR, SEVERAL, before_next, plain_hyphens
from treepack.readers.pdf.lines import PdfLine, Word
from treepack.readers.pdf.order import merged_spans, rows_from_top

GAP: Final = 0.6
"""The least gap between two columns of words, in em."""
WIDE: Final = 0.7
"""Of the width of a column or a table; lines of running text are wider."""
_NARROW_GAP: Final = 0.12  # em; the same between two columns of numbers
# 1,234.5 or (12%), perhaps with a mark behind it; or signs and a number: $375
_NUMBER: Final = re.compile(r"[^\w]*+\d[\w.,:/%*-]*+[^\w]*+|[^\w(]++\d\S*+")
_NOTE: Final = re.compile(r"[(\[]\w{1,2}[)\]]|[^\w\s]|\d")  # a mark of a note

_Span: TypeAlias = tuple[float, float]


def size_of(lines: Sequence[PdfLine]) -> float:
    """Return the largest size of some lines, in points."""
    return max((line.size for line in lines), default=10.0)


def column_borders(lines: Sequence[PdfLine]) -> list[float]:
    """Return the positions between the columns of some rows, from left to right."""
    size = size_of(lines)
    rows = _without_titles(_rows(lines), GAP * size)
    spans = spans_of([word for row in rows for word in row], GAP * size)
    borders = [(before[1] + after[0]) / 2 for before, after in pairwise(spans)]
    for inside in _by_span(rows, spans):
        borders += _between_numbers([*inside.values()], _NARROW_GAP * size, GAP * size)
    return sorted(borders)


def number_borders(lines: Sequence[PdfLine], xs: Sequence[float]) -> list[float]:
    """Return the positions between columns of numbers that have rules only around all of them.

    Args:
        lines: The lines of the rows.
        xs: The edges of the spaces in which the columns are, from left to right.
    """
    rows = [[word for word in row if xs[0] <= word.left < xs[-1]] for row in _rows(lines)]
    gap = GAP * size_of(lines)
    spaces = _by_span(rows, [*pairwise(xs)])
    return [at for inside in spaces for at in _between_numbers([*inside.values()], gap, gap)]


def is_number(word: Word) -> bool:
    """Whether a word is a number, perhaps with a unit, brackets or a mark."""
    return _NUMBER.fullmatch(word.text) is not None


def are_numbers(words: Sequence[Word]) -> bool:
    """Whether most words of a row are numbers, apart from the first text."""
    numbers = [*map(is_number, words)]
    first = numbers.index(True) if True in numbers else len(numbers)
    return sum(numbers) > MOSTLY * (len(numbers) - first)


def texts_of(words: Sequence[Word], gap: float) -> list[list[Word]]:
    """Return the words of a row, in order, between gaps of at least ``gap`` points."""
    return in_groups(words, lambda text, word: word.left - text[-1].right < gap)


def spans_of(words: Sequence[Word], gap: float) -> list[_Span]:
    """Return the stretches that words fill, without gaps of at least ``gap`` points."""
    return merged_spans([(word.left, word.right) for word in words], gap)


def words_of(lines: Sequence[PdfLine]) -> list[Word]:
    """Return the words of a row, from left to right."""
    return sorted(word for line in lines for word in line.words)


def _rows(lines: Sequence[PdfLine]) -> list[list[Word]]:
    """Return the words of each row, from left to right."""
    return [words_of(row) for row in rows_from_top(lines, NEAR)]


def _without_titles(rows: list[list[Word]], gap: float) -> list[list[Word]]:
    """Return the rows of numbers without rows of one text that crosses their gaps."""
    are_full = [len(spans_of(row, gap)) > 1 for row in rows]
    full = [row for row, is_full in zip(rows, are_full, strict=True) if is_full]
    if len(full) < max(SEVERAL, MOSTLY * len(rows)):
        return rows
    if sum(map(are_numbers, full)) < MOSTLY * len(full):
        return rows
    spans = spans_of([word for row in full for word in row], gap)
    borders = [(before[1] + after[0]) / 2 for before, after in pairwise(spans)]
    return [
        row
        for row, is_full in zip(rows, are_full, strict=True)
        if is_full or bisect_right(borders, row[0].left) == bisect_left(borders, row[-1].right)
    ]


def _by_span(rows: Sequence[list[Word]], spans: Sequence[_Span]) -> list[dict[int, list[Word]]]:
    """Return the words in each stretch, by the index of their row."""
    starts = [start for start, _ in spans]
    inside: list[dict[int, list[Word]]] = [{} for _ in spans]
    for index, row in enumerate(rows):
        for word in row:
            inside[bisect_right(starts, word.left) - 1].setdefault(index, []).append(word)
    return inside


def _between_numbers(rows: Sequence[list[Word]], least: float, wide: float) -> Iterator[float]:
    """Yield the positions between columns if the right one, in most rows, begins with a number.

    Args:
        rows: The words of each row.
        least: The least gap between two columns, in points.
        wide: If the gap is narrower than this, the left one must begin with a number as well.
    """
    fewest = max(SEVERAL, sum(map(bool, rows)) / 3)  # rows that a column fills
    spans = spans_of([word for row in rows for word in row], least)
    columns = [
        (span, inside)
        for span, inside in zip(spans, _by_span(rows, spans), strict=True)
        if len(inside) >= fewest
    ]
    for ((_, end), left), ((start, _), right) in pairwise(columns):
        beside = [(left[row][-1].text, right[row][0].text) for row in left if row in right]
        if _are_columns(beside, is_wide=start - end >= wide):
            yield (end + start) / 2


def _are_columns(beside: Sequence[tuple[str, str]], *, is_wide: bool) -> bool:
    """Whether words beside each other, one pair for each row, are in columns of their own."""
    numbers = [
        (left, right)
        for left, right in beside
        if _NUMBER.fullmatch(right) and (is_wide or _NUMBER.fullmatch(left))
    ]
    if len(numbers) < max(SEVERAL, MOSTLY * len(beside)):
        return False
    # The digits before and after the space in 120 527
    is_one = all(len(left) <= len(right) == 3 and right.isdecimal() for left, right in numbers)  # noqa: PLR2004 - of them
    is_note = sum(_NOTE.fullmatch(right) is not None for _, right in numbers)
    return is_wide or not (is_one or 2 * is_note >= len(numbers))


# -------------------------------------------------------------------- the text of cells


@dataclass(slots=True)
class Fragment:
    """The part of a line that is in one column."""

    column: int
    baseline: float
    low: float
    high: float
    words: list[Word] = field(default_factory=list[Word])

    @property
    def middle(self) -> float:
        """The height of its middle on the page."""
        return (self.low + self.high) / 2


def by_column(lines: Sequence[PdfLine], xs: Sequence[float]) -> list[Fragment]:
    """Return the words of lines by columns: a fragment for each change of column in a line."""
    fragments: list[Fragment] = []
    for line in lines:
        fragment: Fragment | None = None
        for word in line.words:
            begin = word.left + min(NEAR, (word.right - word.left) / 2)
            column = min(max(0, bisect_right(xs, begin) - 1), len(xs) - 2)
            if fragment is None or fragment.column != column:
                fragment = Fragment(column, line.baseline, line.low, line.high)
                fragments.append(fragment)
            fragment.words.append(word)
    return fragments


def count_wide(fragments: Sequence[Fragment]) -> int:
    """Return how many fragments are nearly as wide as the widest one in their column."""
    widths: dict[int, list[float]] = defaultdict(list)
    for fragment in fragments:
        widths[fragment.column].append(fragment.words[-1].right - fragment.words[0].left)
    return sum(width > WIDE * max(column) for column in widths.values() for width in column)


def cell_text(fragments: Sequence[Fragment]) -> str:
    """Return the text of a cell, with its lines joined."""
    text = ""
    for row in rows_from_top(fragments):
        words = [word for fragment in row for word in fragment.words]
        line = " ".join(word.text for word in sorted(words, key=lambda word: word.left))
        text = f"{before_next(text, line)}{line}".strip()
    return plain_hyphens(text)
