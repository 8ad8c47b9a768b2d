"""Rows of cells that wrap, without rules between the rows.

Two things separate such rows. Lines of a cell are closer to each other than cells of two rows are.
And a line continues a cell because its first word had no room above; this alone decides if all
lines are equally far apart. Both are judged for the table as a whole. Sizes of text are in
points.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Final, TypeAlias

from treepack.readers.pdf.line_patterns import may_split_word
from treepack.readers.pdf.order import rows_from_top
from treepack.readers.pdf.tables.columns import Fragment

_SMALL_STEP: Final = 0.6  # em; a smaller step leads to a sub- or superscript of the same line
_LARGEST_STEP: Final = 1.6  # em between two lines of a cell
_MORE: Final = 1.12  # of the distance between lines of a cell; more is between rows
_OVER: Final = 0.4  # em; a line is at least this high above its baseline
_BLANK: Final = 0.25  # em; the width of a space
_DOUBTFUL: Final = 0.2  # of the lines or rows that are counted
_PROSE: Final = 0.75  # of the lines of a column
_FEWEST_WORDS: Final = 4  # of a line of running text, on average
_MOST_WORDS: Final = 7  # of a label of a row, on average


_Lines: TypeAlias = list[list[Fragment]]
"""Lines of one column, from top to bottom."""


def wrapped_rows(fragments: Sequence[Fragment], size: float) -> list[list[Fragment]] | None:
    """Return the rows of a table by the distances of its lines, or None if these are unclear.

    Cells whose heights overlap are one row, whether they are at its top or in its middle.
    """
    columns = list(_columns(fragments, size))
    steps = [
        above[0].baseline - below[0].baseline
        for lines in columns
        for above, below in pairwise(lines)
    ]
    smallest = min(steps, default=0.0)
    if not steps or smallest > _LARGEST_STEP * size:
        return None
    spans: list[_Lines] = []  # lines that are close to each other
    for lines in columns:
        spans.append(lines[:1])
        for above, below in pairwise(lines):
            if above[0].baseline - below[0].baseline > _MORE * smallest:
                spans.append([below])
            else:
                spans[-1].append(below)
    has_gaps = max(steps) > _MORE * smallest
    return _rows(spans, size) if _are_texts(spans, columns, size, has_gaps=has_gaps) else None


def is_prose(fragments: Sequence[Fragment], size: float) -> bool:
    """Whether running text fills all columns, as on a page with several columns of text."""
    return all(_is_prose_column(lines, size) for lines in _columns(fragments, size))


def has_prose(fragments: Sequence[Fragment], size: float) -> bool:
    """Whether running text fills a column, as beside a chart or the numbers of lines."""
    for lines in _columns(fragments, size):
        words = sum(len(fragment.words) for line in lines for fragment in line) / len(lines)
        if words > _MOST_WORDS or (words >= _FEWEST_WORDS and _is_prose_column(lines, size)):
            return True
    return False


def _is_prose_column(lines: _Lines, size: float) -> bool:
    width = longest_width(lines)
    continued = sum(
        is_wrapped(above, below, width, size) is True for above, below in pairwise(lines)
    )
    return continued > _PROSE * (len(lines) - 1)


def _columns(fragments: Sequence[Fragment], size: float) -> Iterator[_Lines]:
    """Yield the lines of each column from top to bottom, with sub- and superscripts in them."""
    ordered = sorted(fragments, key=lambda fragment: fragment.column)
    for _, column in groupby(ordered, key=lambda fragment: fragment.column):
        yield rows_from_top(column, _SMALL_STEP * size)


def _are_texts(
    spans: Sequence[_Lines], columns: Sequence[_Lines], size: float, *, has_gaps: bool
) -> bool:
    """Whether most lines inside spans had no room for the first word of the next line.

    If they had room, the table only has more space after some of its rows. Without gaps, all lines
    must have had no room, and the table has one row.
    """
    widths = {lines[0][0].column: longest_width(lines) for lines in columns}
    votes = Counter(
        is_wrapped(above, below, widths[above[0].column], size)
        for span in spans
        for above, below in pairwise(span)
    )
    if not has_gaps:
        return votes.keys() == {True}
    return votes[True] > 0 and votes[False] <= _DOUBTFUL * (votes[True] + votes[False])


def _rows(spans: Sequence[_Lines], size: float) -> list[list[Fragment]] | None:
    """Group spans whose heights overlap; return None if that joins many cells of one column."""
    rows: list[list[_Lines]] = []
    low = 0.0
    for span in sorted(spans, key=lambda span: -span[0][0].baseline):
        first, last = span[0][0].baseline, span[-1][0].baseline
        if rows and first + _OVER * size > low:
            rows[-1].append(span)
            low = min(low, last)
        else:
            rows.append([span])
            low = last
    doubtful = sum(len({span[0][0].column for span in row}) < len(row) for row in rows)
    if doubtful > _DOUBTFUL * len(rows):
        return None
    return [[fragment for span in row for line in span for fragment in line] for row in rows]


def longest_width(lines: Sequence[Sequence[Fragment]]) -> float:
    """Return the width of the longest line of a column, in points."""
    return max(_right(line) - _left(line) for line in lines)


def is_wrapped(
    above: Sequence[Fragment], below: Sequence[Fragment], width: float, size: float
) -> bool | None:
    """Whether a text continues below because its next word had no room; None if that is unclear.

    Args:
        above: A line of a cell.
        below: The line below it in the same column.
        width: The width that lines of this column may have, in points.
        size: The size of the text in points.
    """
    words = sorted(
        (word for fragment in above for word in fragment.words), key=lambda word: word.left
    )
    first = min((word for fragment in below for word in fragment.words), key=lambda word: word.left)
    if may_split_word(words[-1].text):
        return True
    needed = _right(above) - _left(above) + _BLANK * size + first.right - first.left
    if needed < width:
        return False
    begins_here = words[0].text[:1].isupper() and first.text[:1].islower()
    return True if len(words) > 1 or begins_here else None


def _left(line: Sequence[Fragment]) -> float:
    return min(fragment.words[0].left for fragment in line)


def _right(line: Sequence[Fragment]) -> float:
    return max(fragment.words[-1].right for fragment in line)
