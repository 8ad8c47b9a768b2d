"""Rows, and the reading order of lines on a page: that of the eye, whatever was drawn first.

Lines side by side make a strip. Strips with a common gap, which no line and no rule crosses, are
columns if each column has lines of prose: then one column is read after the other. The strips of
everything else, such as the rows of tables, are read from top to bottom.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, pairwise
from math import inf
from statistics import median
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias, TypeVar

from treepack.readers.neighbours import in_groups
from treepack.readers.pdf.line_patterns import APART, MOST_EXAMINED, MOSTLY, NEAR
from treepack.readers.pdf.lines import PdfLine

if TYPE_CHECKING:
    from array import array


SAME_ROW: Final = 2.5
"""Points; baselines that are closer than this are in one row."""

PROSE: Final = 8.0
"""Em of a line of prose; a column on a page of four has about twelve."""
_WIDE: Final = 0.5  # of a column of prose, for a figure beside it
_LONG_LIST: Final = 12  # lines of a column of an index
_DEEPEST: Final = 6  # columns in columns
_INNER_LOW, _INNER_HIGH = 0.1, 0.35  # em from the edges of a line that others may overlap

_Span: TypeAlias = tuple[float, float]


class _Placed(Protocol):
    """Something on a baseline: a line, or the part of a line that is in one column."""

    baseline: float


_T = TypeVar("_T", bound=_Placed)


def lines_by_row(lines: Iterable[PdfLine]) -> list[list[PdfLine]]:
    """Group lines that follow each other at one height."""
    return in_groups(
        lines,
        lambda row, line: (
            row[0].page == line.page and abs(row[0].baseline - line.baseline) < SAME_ROW
        ),
    )


def rows_from_top(items: Iterable[_T], tolerance: float = SAME_ROW) -> list[list[_T]]:
    """Group all that is at one height, from top to bottom."""
    from_top = sorted(items, key=lambda item: -item.baseline)
    return in_groups(from_top, lambda row, item: row[0].baseline - item.baseline < tolerance)


def in_reading_order(lines: Sequence[PdfLine], rules: "array[float]") -> list[PdfLine]:
    """Return the lines of a page in reading order, those that are left out at the end.

    Args:
        lines: The lines in any order.
        rules: Left, low, right and high of the page's rules, flat.
    """
    across = [
        _Strip(high, low, [], [(left, right)])
        for left, low, right, high in zip(*(rules[n::4] for n in range(4)), strict=True)
        if right - left > high - low
    ]
    shown = [line for line in lines if not line.is_left_out]
    strips = sorted([*_strips(shown), *across], key=lambda strip: -strip.high)
    return [*_ordered(strips, 0), *(line for line in lines if line.is_left_out)]


@dataclass(slots=True)
class _Strip:
    """Lines side by side, or a rule, with the stretches of the page's width that they take."""

    high: float
    low: float
    lines: list[PdfLine]
    spans: list[_Span]


def _ordered(strips: Sequence[_Strip], depth: int) -> Iterator[PdfLine]:
    """Yield the lines of strips, which are sorted from top to bottom."""
    if depth == _DEEPEST:
        for strip in strips:
            yield from _row_by_row(strip.lines)
        return
    for run, spans in _runs(strips):
        if _are_columns(_by_column(run, spans)):
            for part in _parts(run, spans):
                for column in _by_column(part, spans):
                    yield from _ordered(_strips(column), depth + 1)
        elif len(parts := _without_wide(run, spans)) > 1:
            for part in parts:
                yield from _ordered(part, depth + 1)
        else:
            for strip in run:
                yield from _side_by_side(strip, depth)


def _without_wide(run: Sequence[_Strip], spans: Sequence[_Span]) -> list[list[_Strip]]:
    """Divide a run at single texts over some of its columns, which hide the gaps between them."""
    narrow = merged_spans(span for strip in run if len(strip.spans) > 1 for span in strip.spans)
    if len(_wide(narrow)) <= len(spans):
        return [[*run]]
    groups = groupby(run, lambda strip: len(merged_spans([*narrow, *strip.spans])) < len(narrow))
    return [[*group] for _, group in groups]


def _side_by_side(strip: _Strip, depth: int) -> Iterator[PdfLine]:
    """Yield the lines of a strip; what is set in several lines is read before what is beside it."""
    columns = _by_column([strip], strip.spans)
    if len(columns) == 1:
        yield from _row_by_row(strip.lines)
        return
    for column in columns:
        yield from _ordered(_strips(column), depth + 1) if len(column) > 1 else column


def _row_by_row(lines: Sequence[PdfLine]) -> Iterator[PdfLine]:
    for row in rows_from_top(lines):
        yield from sorted(row, key=lambda line: line.left)


def _strips(lines: Sequence[PdfLine]) -> list[_Strip]:
    """Group lines whose heights overlap; what is rotated belongs to the first row beside it."""
    strips = _chained(line for line in lines if not line.is_rotated)
    alone: list[PdfLine] = []
    for line in lines:
        if line.is_rotated:
            low, high = _inner(line)
            at = bisect_left(strips, -high, key=lambda strip: -strip.low)
            if at < len(strips) and low < strips[at].high:
                strips[at].lines.append(line)
            else:
                alone.append(line)
    strips += _chained(alone)
    strips.sort(key=lambda strip: -strip.high)
    for strip in strips:
        strip.spans = merged_spans((line.left, line.right) for line in strip.lines)
        if len(strip.spans) > MOST_EXAMINED:
            strip.spans = [(strip.spans[0][0], strip.spans[-1][1])]
    return strips


def _chained(lines: Iterable[PdfLine]) -> list[_Strip]:
    strips: list[_Strip] = []
    for line in sorted(lines, key=lambda line: -_inner(line)[1]):
        low, high = _inner(line)
        if strips and high > strips[-1].low:
            strips[-1].lines.append(line)
            strips[-1].low = min(low, strips[-1].low)
        else:
            strips.append(_Strip(high, low, [line], []))
    return strips


def _inner(line: PdfLine) -> _Span:
    """Return the heights that no line above or below takes, however tightly they are set."""
    return line.low + _INNER_LOW * line.size, line.high - _INNER_HIGH * line.size


def merged_spans(spans: Iterable[_Span], gap: float = 2 * NEAR) -> list[_Span]:
    """Return the stretches that spans fill together, with gaps of at least ``gap`` points."""
    merged: list[_Span] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1] + gap:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        else:
            merged.append((start, end))
    return merged


def _runs(strips: Iterable[_Strip]) -> Iterator[tuple[list[_Strip], list[_Span]]]:
    """Yield strips below each other that have a common gap, or none at all, and their spans."""
    run: list[_Strip] = []
    spans: list[_Span] = []
    for strip in strips:
        merged = merged_spans([*spans, *strip.spans])
        if len(merged) < 2 <= max(len(spans), len(strip.spans)):  # noqa: PLR2004 - two columns
            kept: list[_Strip] = []
            merged = strip.spans
            if not _are_columns(_by_column(run, _wide(spans))):  # its last strips may be of these
                while len(kept) < min(MOST_EXAMINED, len(run)):
                    wider = merged_spans([*merged, *run[-1 - len(kept)].spans])
                    if len(wider) < 2:  # noqa: PLR2004 - two columns
                        break
                    merged = wider
                    kept.insert(0, run[-1 - len(kept)])
            if len(kept) < len(run):
                yield run[: len(run) - len(kept)], _wide(spans)
            run = kept
        run.append(strip)
        spans = merged
    if run:
        yield run, _wide(spans)


def _wide(spans: Sequence[_Span]) -> list[_Span]:
    """Return the stretches, with narrow ones beside each other as one: numbers after an entry."""
    widest = max((end - start for start, end in spans), default=0.0)
    wide: list[_Span] = []
    was_narrow = False
    for start, end in spans:
        is_narrow = end - start < _WIDE * widest
        if is_narrow and was_narrow:
            wide[-1] = wide[-1][0], end
        else:
            wide.append((start, end))
        was_narrow = is_narrow
    return wide


def _parts(run: Sequence[_Strip], spans: Sequence[_Span]) -> Iterator[Sequence[_Strip]]:
    """Yield the parts of columns that white space separates, if all columns go on below it."""
    filled = [{_index(spans, line) for line in strip.lines} for strip in run]
    above = list(accumulate(filled, set[int].union))
    below = list(accumulate(filled[::-1], set[int].union))[::-1]
    start = 0
    for at, (upper, lower) in enumerate(pairwise(run), 1):
        size = max((line.size for line in lower.lines), default=inf)
        if upper.low - lower.high > APART * size and (
            len(above[at - 1]) == len(below[at]) == len(spans)
        ):
            yield run[start:at]
            start = at
    yield run[start:]


def _index(spans: Sequence[_Span], line: PdfLine) -> int:
    """Return the index of the stretch in which a line begins."""
    return bisect_right(spans, (line.left, inf)) - 1


def _by_column(strips: Iterable[_Strip], spans: Sequence[_Span]) -> list[list[PdfLine]]:
    columns: list[list[PdfLine]] = [[] for _ in spans]
    for line in (line for strip in strips for line in strip.lines):
        columns[_index(spans, line)].append(line)
    return [column for column in columns if column]


def _are_columns(columns: Sequence[Sequence[PdfLine]]) -> bool:
    """Whether columns stand side by side, and have lines of prose or are those of an index."""
    if len(columns) < 2:  # noqa: PLR2004 - two columns
        return False
    heights = [
        (min(line.low for line in column), max(line.high for line in column)) for column in columns
    ]
    em = columns[0][0].size
    if any(
        min(left[1], right[1]) - max(left[0], right[0]) < 2 * em
        for left, right in pairwise(heights)
    ):
        return False
    prose = [column for column in columns if _is_prose(column)]
    if prose and all(column in prose or _is_figure(column, prose) for column in columns):
        return True
    return _are_lists(columns, has_words=bool(prose))


def _is_prose(lines: Sequence[PdfLine]) -> bool:
    """Whether most lines are long, and fill their column."""
    widest = max(line.right - line.left for line in lines)
    full = sum(line.right - line.left >= max(PROSE * line.size, MOSTLY * widest) for line in lines)
    return full > 1 and 2 * full >= len(lines)


def _is_figure(lines: Sequence[PdfLine], prose: Sequence[Sequence[PdfLine]]) -> bool:
    """Whether lines are those of a figure or a table as wide as a column of prose beside it.

    They are on other baselines than the prose, unlike the words that begin items beside a text.
    """
    wide = [max(line.right for line in c) - min(line.left for line in c) for c in (lines, *prose)]
    baselines = sorted(line.baseline for column in prose for line in column)
    level = sum(
        bisect_left(baselines, line.baseline - SAME_ROW / 2)
        < bisect_right(baselines, line.baseline + SAME_ROW / 2)
        for line in lines
    )
    return wide[0] >= _WIDE * max(wide) and level <= MOSTLY * len(lines)


def _are_lists(columns: Sequence[Sequence[PdfLine]], *, has_words: bool) -> bool:
    """Whether columns are many short lines of words, at equal distances, as in an index."""
    lefts = [median(line.left for line in column) for column in columns]
    widths = [right - left for left, right in pairwise(lefts)]
    widths.append(max(line.right for line in columns[-1]) - lefts[-1])
    return 4 * (max(widths) - min(widths)) <= max(widths) and all(
        len(column) >= _LONG_LIST
        and (has_words or 3 * sum(line.text[:1].isalpha() for line in column) > 2 * len(column))
        for column in columns
    )
