"""Rows of cells that wrap, where no rule stands between the rows.

Two things tell such rows apart. Lines of a cell are closer to each other than the cells of two rows
are, or, where all lines are equally far apart, a line goes on only because its first word found no
room above. Both are asked of the table as a whole.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final

from treepack.readers.pdf.order import rows_from_top
from treepack.readers.pdf.tables.cells import Fragment
from treepack.readers.pdf.wording import may_part_word

_SMALL_STEP: Final = 0.6  # sizes; less is an index or an exponent of the same line
_LARGEST_STEP: Final = 1.6  # sizes between two lines of a cell
_MORE: Final = 1.12  # of the distance between lines of a cell; more is between rows
_OVER: Final = 0.4  # sizes of a line that stand over its baseline for sure
_BLANK: Final = 0.25  # sizes
_DOUBTFUL: Final = 0.2  # of what is counted
_PROSE: Final = 0.75  # of the lines of a column


@dataclass(slots=True)
class _Span:
    """Lines of one column that are close to each other, from top to foot."""

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
    """The rows of a table, by the distances of lines; None where these do not tell.

    Cells whose heights overlap are one row, however they stand in it: at its top or in its middle.

    Args:
        pieces: What stands in the columns.
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
    """Whether texts run down all columns, as on a page that is set in columns.

    Args:
        pieces: What stands in the columns.
        size: The size of the text in points.
    """
    for lines in _columns(pieces, size):
        width = room(lines)
        going_on = sum(is_wrapped(one, two, width, size) is True for one, two in pairwise(lines))
        if going_on <= _PROSE * (len(lines) - 1):
            return False
    return True


def _columns(pieces: Sequence[Fragment], size: float) -> Iterator[list[list[Fragment]]]:
    """The lines of each column from top to foot; indexes are in the line that they stand at."""
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
    """Whether most lines inside of spans had no room for the word that the next one begins with.

    In a table with more space after some of its rows they have. Where no gaps are, all lines must
    say so: the table has one row.
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
    """Spans whose heights overlap, together; None where that joins cells of one column."""
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
    """The width of the longest line of a column, in points."""
    return max(_right(line) - _left(line) for line in lines)


def is_wrapped(
    above: Sequence[Fragment], below: Sequence[Fragment], width: float, size: float
) -> bool | None:
    """Whether a text went on below because its next word found no room; None where none can tell.

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
