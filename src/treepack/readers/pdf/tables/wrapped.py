"""Rows of cells that wrap, without rules between the rows.

Two things separate such rows. Lines of a cell are closer to each other than cells of two rows are.
And a line continues a cell because its first word had no room above; this alone decides if all
lines are equally far apart. Both are judged for the table as a whole.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final

from treepack.readers.pdf.order import rows_from_top
from treepack.readers.pdf.tables.cells import Fragment
from treepack.readers.pdf.wording import may_part_word

_SMALL_STEP: Final = 0.6  # em; a smaller step leads to a sub- or superscript of the same line
_LARGEST_STEP: Final = 1.6  # em between two lines of a cell
_MORE: Final = 1.12  # of the distance between lines of a cell; more is between rows
_OVER: Final = 0.4  # em; a line is at least this high above its baseline
_BLANK: Final = 0.25  # em; the width of a space
_DOUBTFUL: Final = 0.2  # of the lines or rows that are counted
_PROSE: Final = 0.75  # of the lines of a column


@dataclass(slots=True)
class _Span:
    """Lines of one column that are close to each other, from top to bottom."""

    lines: list[list[Fragment]]

    @property
    def column(self) -> int:
        """The column, from 0."""
        return self.lines[0][0].column

    @property
    def first(self) -> float:
        """The baseline of the first line."""
        return self.lines[0][0].base

    @property
    def last(self) -> float:
        """The baseline of the last line."""
        return self.lines[-1][0].base


def wrapped_rows(pieces: Sequence[Fragment], size: float) -> list[list[Fragment]] | None:
    """Return the rows of a table by the distances of its lines, or None if these are unclear.

    Cells whose heights overlap are one row, whether they are at its top or in its middle.

    Args:
        pieces: The fragments in the columns.
        size: The size of the text in points.
    """
    columns = list(_columns(pieces, size))
    steps = [one[0].base - two[0].base for lines in columns for one, two in pairwise(lines)]
    least = min(steps, default=0.0)
    if not steps or least > _LARGEST_STEP * size:
        return None
    spans: list[_Span] = []
    for lines in columns:
        spans.append(_Span(lines[:1]))
        for one, two in pairwise(lines):
            if one[0].base - two[0].base > _MORE * least:
                spans.append(_Span([two]))
            else:
                spans[-1].lines.append(two)
    has_gaps = max(steps) > _MORE * least
    return _rows(spans, size) if _are_texts(spans, columns, size, has_gaps=has_gaps) else None


def is_prose(pieces: Sequence[Fragment], size: float) -> bool:
    """Whether running text fills all columns, as on a page with several columns of text.

    Args:
        pieces: The fragments in the columns.
        size: The size of the text in points.
    """
    for lines in _columns(pieces, size):
        width = room(lines)
        going_on = sum(is_wrapped(one, two, width, size) is True for one, two in pairwise(lines))
        if going_on <= _PROSE * (len(lines) - 1):
            return False
    return True


def _columns(pieces: Sequence[Fragment], size: float) -> Iterator[list[list[Fragment]]]:
    """Yield the lines of each column from top to bottom, with sub- and superscripts in them."""
    ordered = sorted(pieces, key=lambda piece: piece.column)
    for _, column in groupby(ordered, key=lambda piece: piece.column):
        yield rows_from_top(column, _SMALL_STEP * size)


def _are_texts(
    spans: Sequence[_Span],
    columns: Sequence[Sequence[list[Fragment]]],
    size: float,
    *,
    has_gaps: bool,
) -> bool:
    """Whether most lines inside spans had no room for the first word of the next line.

    If they had room, the table only has more space after some of its rows. Without gaps, all lines
    must have had no room, and the table has one row.
    """
    rooms = {lines[0][0].column: room(lines) for lines in columns}
    votes = Counter(
        is_wrapped(one, two, rooms[span.column], size)
        for span in spans
        for one, two in pairwise(span.lines)
    )
    told = votes[True] + votes[False]
    if not has_gaps:
        return votes.keys() == {True}
    return votes[True] > 0 and votes[False] <= _DOUBTFUL * told


def _rows(spans: Sequence[_Span], size: float) -> list[list[Fragment]] | None:
    """Group spans whose heights overlap; return None if that joins many cells of one column."""
    rows: list[list[_Span]] = []
    low = 0.0
    for span in sorted(spans, key=lambda span: -span.first):
        if rows and span.first + _OVER * size > low:
            rows[-1].append(span)
            low = min(low, span.last)
        else:
            rows.append([span])
            low = span.last
    doubtful = sum(len({span.column for span in row}) < len(row) for row in rows)
    if doubtful > _DOUBTFUL * len(rows):
        return None
    return [[piece for span in row for line in span.lines for piece in line] for row in rows]


def room(lines: Sequence[Sequence[Fragment]]) -> float:
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
    words = sorted((word for piece in above for word in piece.words), key=lambda word: word.left)
    first = min((word for piece in below for word in piece.words), key=lambda word: word.left)
    if may_part_word(words[-1].text):
        return True
    needed = _right(above) - _left(above) + _BLANK * size + first.right - first.left
    if needed < width:
        return False
    begins_here = words[0].text[:1].isupper() and first.text[:1].islower()
    return True if len(words) > 1 or begins_here else None


def _left(line: Sequence[Fragment]) -> float:
    return min(piece.words[0].left for piece in line)


def _right(line: Sequence[Fragment]) -> float:
    return max(piece.words[-1].right for piece in line)
