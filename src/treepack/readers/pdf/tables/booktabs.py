"""Tables with rules above, below their header and below their rows, and none between columns."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import Final

from treepack.readers.grids import Cell
from treepack.readers.neighbours import in_groups
from treepack.readers.pdf.line_patterns import (
    APART,
    LARGER,
    MOSTLY,
    NEAR,
    NEARLY_ALL,
    SEVERAL,
    SHIFT,
)
from treepack.readers.pdf.lines import PdfLine, Word
from treepack.readers.pdf.order import rows_from_top
from treepack.readers.pdf.tables.columns import (
    GAP,
    WIDE,
    Fragment,
    are_numbers,
    by_column,
    cell_text,
    column_borders,
    count_wide,
    is_number,
    size_of,
    spans_of,
    texts_of,
    words_of,
)
from treepack.readers.pdf.tables.grid import Frame, RuledLine, TableCells, group_means, row_borders

_PROSE_WORDS: Final = 4  # of a line of running text, on average
_LEADING: Final = 1.3  # em between a row and a line that continues it
_LARGEST_STEP: Final = 1.6  # em between two lines of a cell


def open_frames(horizontal: Sequence[RuledLine], lines: Sequence[PdfLine]) -> Iterator[Frame]:
    """Yield frames of three or more rules of one width, with the shorter rules between them."""
    remaining = sorted(horizontal, key=lambda rule: -rule.at)
    while remaining:
        first = remaining[0]
        wide: list[RuledLine] = []
        for rule in remaining:
            if abs(rule.start - first.start) < SHIFT and abs(rule.end - first.end) < SHIFT:
                if wide and _is_text_between(wide[-1], rule, lines):
                    break
                wide.append(rule)
        last = wide[-1]
        used = {*wide} | {
            rule
            for rule in remaining
            if last.at < rule.at < first.at
            and first.start - SHIFT <= rule.start
            and rule.end <= first.end + SHIFT
        }
        remaining = [rule for rule in remaining if rule not in used]
        if len(wide) > 2:  # noqa: PLR2004 - top, middle, bottom
            yield Frame(sorted(used, key=lambda rule: -rule.at), [])


def _is_text_between(above: RuledLine, below: RuledLine, lines: Sequence[PdfLine]) -> bool:
    """Whether a heading, or a line of running text from edge to edge, is between two rules."""
    width = above.end - above.start
    return any(
        line.level
        or (
            line.is_text
            and abs(line.left - above.start) < 2 * SHIFT
            and line.right - line.left > WIDE * width
            and len(texts_of(line.words, line.size)) == 1
        )
        for line in lines
        if below.at < line.middle < above.at
    )


def open_table(frame: Frame, lines: Sequence[PdfLine]) -> TableCells | None:
    """Return the cells of a table without vertical rules, or None if its words form no columns."""
    left, _, right, _ = frame.box
    wide = [rule for rule in frame.horizontal if rule.end - rule.start > 0.9 * (right - left)]
    ys = group_means([rule.at for rule in wide])[::-1]
    if len(ys) < 3:  # noqa: PLR2004 - above, below the header, below
        return None
    inner = ys[1 : _header_end(ys, lines)]  # rules between rows of the header
    ys = [ys[0], *ys[len(inner) + 1 :]]
    body = [line for line in lines if line.middle < ys[1]]
    head = [line for line in lines if line.middle >= ys[1]]
    xs = [left, *column_borders(body), right]
    xs = sorted({*xs, *_narrow_gaps(xs, head, body)})
    if len(xs) < 3:  # noqa: PLR2004 - two columns
        return None
    fragments = _fragments(body, xs)
    groups = [rule for rule in frame.horizontal if rule not in wide]
    top = rows_from_top(head, NEAR)
    is_ruled = len(ys) > SEVERAL  # with a rule below each row
    if not top or (not is_ruled and _is_prose(fragments)):
        return None
    header = _merged_header(
        [(row[0].baseline, _spanning(row, xs, groups)) for row in top],
        [*inner, *(rule.at for rule in groups)],
    )
    count = len(xs) - 1
    if is_ruled:
        rows = _ruled_rows(fragments, ys[1:], count)
    else:
        printed, size = _by_baseline(fragments), size_of(body)
        body_rows = _by_distance(printed, size) or _with_continuations(printed, size)
        rows = [_cells(row, count) for row in body_rows]
    # If there are rules between all rows, no rule shows the first to be a header.
    is_header = len(ys) - 1 < max(len(rows) + 1, 3) or all(line.is_bold for line in chain(*top))
    return [*header, *rows], len(header) if is_header else 0, count


def _is_prose(fragments: Sequence[Fragment]) -> bool:
    """Whether running text fills the columns: nearly all of its lines are as wide as these."""
    wide = count_wide(fragments)
    words = sum(len(fragment.words) for fragment in fragments)
    return wide > NEARLY_ALL * len(fragments) and words >= _PROSE_WORDS * len(fragments)


def _fragments(lines: Sequence[PdfLine], xs: Sequence[float]) -> list[Fragment]:
    """Return the words of lines by columns; a title of rows is whole, in its first column."""
    gap, fragments = GAP * size_of(lines), list[Fragment]()
    for row in rows_from_top(lines, NEAR):
        pieces = by_column(row, xs)
        words = row[0].words
        if len(row) == 1 and len(spans_of(words, gap)) == 1 and not are_numbers(words):
            pieces[0].words = words
            pieces = pieces[:1]
        fragments += pieces
    return fragments


def _header_end(ys: Sequence[float], lines: Sequence[PdfLine]) -> int:
    """Return the index of the rule below the header: the first, or a lower one above numbers."""
    rows = rows_from_top(lines, NEAR)
    have_numbers = [are_numbers(words_of(row)) for row in rows]
    at = have_numbers.index(True) if any(have_numbers) else 0
    first, below = rows[at][0].middle, have_numbers[at:]
    if 2 * len(below) < len(rows) or sum(below) <= MOSTLY * len(below):
        return 1  # most rows would be the header
    return max(1, sum(y > first for y in ys) - 1)


def _narrow_gaps(
    xs: Sequence[float], head: Sequence[PdfLine], body: Sequence[PdfLine]
) -> Iterator[float]:
    """Yield borders left of titles in the header whose column is hardly set apart, or empty.

    No word of the body crosses the border. Some words of the body begin right below the title, or
    nothing at all is below it and it is far from the previous title.
    """
    words, size = words_of(body), size_of(head)
    for (begin, end), (start, stop) in pairwise(spans_of(words_of(head), GAP * size)):
        if bisect_right(xs, (begin + end) / 2) != bisect_right(xs, (start + stop) / 2):
            continue  # each has a column of its own
        below = [word.left for word in words if abs(word.left - start) < NEAR]
        border = min(below, default=start)
        is_free = not any(word.left < border < word.right for word in words)
        is_empty = not any(word.left < stop and start < word.right for word in words)
        if is_free and (len(below) > 1 or (is_empty and start - end > APART * size)):
            yield border


def _spanning(
    lines: Sequence[PdfLine], xs: Sequence[float], groups: Sequence[RuledLine]
) -> list[Cell]:
    """Return a row of the header: groups of words with wide gaps between them, over their columns.

    A rule right below a group shows which columns the group is over.
    """
    cells: list[Cell] = []
    at = 0
    for group in texts_of(words_of(lines), GAP * size_of(lines)):
        left, right = _extent(group, lines[0], groups)
        columns = [
            column
            for column, (x0, x1) in enumerate(pairwise(xs))
            if column >= at and min(right, x1) - max(left, x0) > 0.25 * min(x1 - x0, right - left)
        ]
        text = " ".join(word.text for word in group)
        if not columns and cells:
            cells[-1] = Cell(f"{cells[-1].content} {text}", cells[-1].columns)
            continue
        first, last = (columns[0], columns[-1]) if columns else (at, at)
        cells += [Cell("")] * (first - at)
        cells.append(Cell(text, last - first + 1))
        at = last + 1
    return [*cells, *[Cell("")] * (len(xs) - 1 - at)]


def _extent(
    words: Sequence[Word], line: PdfLine, groups: Sequence[RuledLine]
) -> tuple[float, float]:
    """Return where a group of words begins and ends; the ends of the rule below it, if any."""
    left, right = words[0].left, words[-1].right
    for rule in groups:
        is_below = -SHIFT < line.baseline - rule.at < line.size
        if is_below and rule.start - SHIFT <= left and right <= rule.end + SHIFT:
            return rule.start, rule.end
    return left, right


def _merged_header(
    rows: Sequence[tuple[float, list[Cell]]], rules: Sequence[float]
) -> list[list[Cell]]:
    """Join lines of a header, each with its baseline, without spanning cells or rules between."""
    merged: list[list[Cell]] = []
    last = float("inf")
    for base, row in rows:
        is_flat = all(cell.columns == 1 for cell in row)
        is_ruled = any(base < rule < last for rule in rules)
        if merged and is_flat and not is_ruled and all(cell.columns == 1 for cell in merged[-1]):
            merged[-1] = [
                Cell(f"{upper.content} {lower.content}".strip())
                for upper, lower in zip(merged[-1], row, strict=True)
            ]
        else:
            merged.append(row)
        last = base
    return merged


def _by_baseline(fragments: Sequence[Fragment]) -> list[list[Fragment]]:
    from_top = sorted(fragments, key=lambda fragment: -fragment.baseline)
    # a subscript is a line of its own, but is within the height of its row
    return in_groups(
        from_top,
        lambda row, fragment: (
            row[0].baseline - fragment.baseline < NEAR or fragment.middle > row[0].low
        ),
    )


def _cells(fragments: Sequence[Fragment], columns: int) -> list[Cell]:
    """Return the cells of a row."""
    cells: list[list[Fragment]] = [[] for _ in range(columns)]
    for fragment in fragments:
        cells[fragment.column].append(fragment)
    return [Cell(cell_text(inside)) for inside in cells]


def _ruled_rows(
    fragments: Sequence[Fragment], ys: Sequence[float], columns: int
) -> list[list[Cell]]:
    """Return a row for each space between two rules, or several rows if the space holds them."""
    rows: list[list[Cell]] = []
    for high, low in pairwise(row_borders(ys, fragments, columns, least=2)):
        inside = [fragment for fragment in fragments if low < fragment.middle <= high]
        rows += [_cells(inside, columns)] if inside else []
    return rows


def _by_distance(rows: Sequence[list[Fragment]], size: float) -> list[list[Fragment]] | None:
    """Return rows of wrapped cells, whose lines are closer to each other than rows are.

    None if the distances are alike, or if lines that are close rarely go on in lower case: then
    some rows only have more space between them.
    """
    steps = [above[0].baseline - below[0].baseline for above, below in pairwise(rows)]
    least = min(steps, default=0.0)
    if not steps or least > _LARGEST_STEP * size or max(steps) <= LARGER * least:
        return None
    grouped, joins, continued = [[*rows[0]]], 0, 0
    for step, row in zip(steps, rows[1:], strict=True):
        if step > LARGER * least:
            grouped.append([*row])
            continue
        grouped[-1] += row
        joins += 1
        continued += any(fragment.words[0].text[:1].islower() for fragment in row)
    return None if 2 * continued < joins or any(map(_joins_numbers, grouped)) else grouped


def _joins_numbers(row: Sequence[Fragment]) -> bool:
    """Whether numbers below each other are in one cell; they are the numbers of several rows."""
    numbers = [fragment.column for fragment in row if all(map(is_number, fragment.words))]
    return len(set(numbers)) < len(numbers)


def _with_continuations(rows: Sequence[list[Fragment]], size: float) -> list[list[Fragment]]:
    """Return the rows; a row without a first cell, close below another one, may continue that row.

    It does so if it has cells in at most half of the columns.
    """
    columns = {fragment.column for row in rows for fragment in row}
    joined: list[list[Fragment]] = []
    last = float("inf")
    for row in rows:
        used = {fragment.column for fragment in row}
        is_close = last - row[0].baseline <= _LEADING * size
        if is_close and min(columns) not in used and len(used) <= len(columns) / 2:
            joined[-1] += row
        else:
            joined.append(list(row))
        last = row[0].baseline
    return joined
