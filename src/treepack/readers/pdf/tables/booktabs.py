"""Tables with rules above, below their header and below their rows, and none between columns."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import Final

from treepack.readers.grids import Cell
from treepack.readers.pdf.lines import PdfLine, Word
from treepack.readers.pdf.order import rows_from_top
from treepack.readers.pdf.tables.cells import Fragment, cell_text, fragments
from treepack.readers.pdf.tables.grid import Made, inner_rows
from treepack.readers.pdf.tables.rules import Frame, RuledLine, means
from treepack.readers.pdf.tables.wrapped import is_prose, is_wrapped, room, wrapped_rows

_SAME_END: Final = 5.0  # points between ends of rules of one table
_NARROWEST: Final = 40.0  # points of a table
_SAME_TABLE_ROW: Final = 3.0  # points between baselines of one row, and between its rules
_GAP: Final = 0.6  # em between two columns
_SAME_LEFT: Final = 2.0  # points between the left edges of a column's title and its cells
_BEFORE: Final = 0.5  # points between a border and the column's cells
_FEWEST_BELOW: Final = 2
_FAR: Final = 2.0  # em between the titles of two columns
_PROSE: Final = 0.7  # of the width of a table; cells that begin a row are narrower
_PROSE_INDENT: Final = 12.0  # points
_LEADING: Final = 1.3
_FEWEST_RULED: Final = 4  # rules of a table with one below each row


def open_frames(across: Sequence[RuledLine], lines: Sequence[PdfLine]) -> Iterator[Frame]:
    """Yield frames of three or more rules of one width, with the shorter rules between them.

    Args:
        across: Horizontal rules that no vertical one touches.
        lines: The lines of the page; a heading ends a table.
    """
    stops = [line.middle for line in lines if line.level]
    waiting = sorted(across, key=lambda rule: -rule.at)
    while waiting:
        first, *rest = waiting
        held, is_over = [first], False
        for rule in rest:
            is_same = abs(rule.start - first.start) < _SAME_END
            is_same = is_same and abs(rule.end - first.end) < _SAME_END
            if is_same and not is_over:
                is_over = any(rule.at < stop < held[-1].at for stop in stops)
                is_over = is_over or _has_prose(held[-1], rule, lines)
                held += [] if is_over else [rule]
        last = held[-1]
        inner = [
            rule
            for rule in rest
            if rule not in held
            and last.at < rule.at < first.at
            and first.start - _SAME_END <= rule.start
            and rule.end <= first.end + _SAME_END
        ]
        used = {*held, *inner}
        waiting = [rule for rule in waiting if rule not in used]
        if len(held) > 2 and first.end - first.start > _NARROWEST:  # noqa: PLR2004 - top, middle, bottom
            yield Frame(sorted(used, key=lambda rule: -rule.at), [])


def _has_prose(above: RuledLine, below: RuledLine, lines: Sequence[PdfLine]) -> bool:
    """Whether a line of running text, from edge to edge, is between two rules."""
    width = above.end - above.start
    return any(
        below.at < line.middle < above.at
        and abs(line.left - above.start) < _PROSE_INDENT
        and line.right - line.left > _PROSE * width
        and all(two.left - one.right < line.size for one, two in pairwise(line.words))
        for line in lines
        if line.is_text
    )


def open_table(frame: Frame, lines: Sequence[PdfLine]) -> Made | None:
    """Return the cells of a table without vertical rules, or None if its words form no columns."""
    left, _, right, _ = frame.box
    wide = [rule for rule in frame.across if rule.end - rule.start > 0.9 * (right - left)]
    ys = means([rule.at for rule in wide], _SAME_TABLE_ROW)[::-1]
    if len(ys) < 3:  # noqa: PLR2004 - above, below the header, below
        return None
    body = [line for line in lines if line.middle < ys[1]]
    head = [line for line in lines if line.middle >= ys[1]]
    xs = _columns(body, left, right)
    xs = sorted({*xs, *_narrow_gaps(xs, head, body)})
    if len(xs) < 3:  # noqa: PLR2004 - two columns
        return None
    pieces = fragments(body, xs)
    groups = [rule for rule in frame.across if rule not in wide]
    top = rows_from_top(head, _SAME_TABLE_ROW)
    if not top or (len(ys) < _FEWEST_RULED and is_prose(pieces, _size(body))):
        return None
    header = _merged_header([(row[0].base, _spanning(row, xs, groups)) for row in top], groups)
    count = len(xs) - 1
    if len(ys) >= _FEWEST_RULED:
        rows = _ruled_rows(pieces, ys[1:], count)
    else:
        rows = [_cells(row, count) for row in _body_rows(pieces, _size(body))]
    is_header = not _is_even(ys, len(rows) + 1) or all(line.bold for row in top for line in row)
    return [*header, *rows], len(header) if is_header else 0, count


def _is_even(ys: Sequence[float], rows: int) -> bool:
    """Whether there are rules between all rows, so that no rule shows the first to be a header."""
    return len(ys) - 1 >= max(rows, 3)


def _columns(lines: Sequence[PdfLine], left: float, right: float) -> list[float]:
    """Return the borders of columns: where no line has a word."""
    inner = [(one[1] + two[0]) / 2 for one, two in pairwise(_word_spans(lines))]
    return [left, *inner, right]


def _word_spans(lines: Sequence[PdfLine]) -> list[tuple[float, float]]:
    """Return the stretches between gaps, in which some line has a word."""
    spans: list[tuple[float, float]] = []
    size = _size(lines)
    for start, end in sorted((word.left, word.right) for line in lines for word in line.words):
        if spans and start < spans[-1][1] + _GAP * size:
            spans[-1] = spans[-1][0], max(spans[-1][1], end)
        else:
            spans.append((start, end))
    return spans


def _narrow_gaps(
    xs: Sequence[float], head: Sequence[PdfLine], body: Sequence[PdfLine]
) -> Iterator[float]:
    """Yield borders left of titles in the header whose column is hardly set apart, or empty.

    No word of the body crosses the border. Some words of the body begin right below the title, or
    nothing at all is below it and it is far from the previous title.
    """
    words = [word for line in body for word in line.words]
    size = _size(head)
    for (begin, end), (start, stop) in pairwise(_word_spans(head)):
        if bisect_right(xs, (begin + end) / 2) != bisect_right(xs, (start + stop) / 2):
            continue  # each has a column of its own
        below = [word.left for word in words if abs(word.left - start) < _SAME_LEFT]
        border = min(below, default=start) - _BEFORE
        is_free = not any(word.left < border < word.right for word in words)
        is_empty = not any(word.left < stop and start < word.right for word in words)
        if is_free and (len(below) >= _FEWEST_BELOW or (is_empty and start - end > _FAR * size)):
            yield border


def _spanning(
    lines: Sequence[PdfLine], xs: Sequence[float], groups: Sequence[RuledLine]
) -> list[Cell]:
    """Return a row of the header: groups of words with wide gaps between them, over their columns.

    A rule right below a group shows which columns the group is over.
    """
    size = max(line.size for line in lines)
    words = sorted(word for line in lines for word in line.words)
    held: list[list[Word]] = []
    for word in words:
        if held and word.left - held[-1][-1].right < _GAP * size:
            held[-1].append(word)
        else:
            held.append([word])
    cells: list[Cell] = []
    at = 0
    for group in held:
        left, right = _extent(group, lines[0], groups)
        over = [
            column
            for column, (x0, x1) in enumerate(pairwise(xs))
            if column >= at and min(right, x1) - max(left, x0) > 0.25 * min(x1 - x0, right - left)
        ]
        text = " ".join(word.text for word in group)
        if not over and cells:
            cells[-1] = Cell(f"{cells[-1].content} {text}", cells[-1].columns)
            continue
        first, last = (over[0], over[-1]) if over else (at, at)
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
        is_below = -_SAME_END < line.base - rule.at < line.size
        if is_below and rule.start - _SAME_END <= left and right <= rule.end + _SAME_END:
            return rule.start, rule.end
    return left, right


def _merged_header(
    rows: Sequence[tuple[float, list[Cell]]], groups: Sequence[RuledLine]
) -> list[list[Cell]]:
    """Return the rows of a header; lines without spanning cells or rules between are one row."""
    made: list[list[Cell]] = []
    last = float("inf")
    for base, row in rows:
        is_flat = all(cell.columns == 1 for cell in row)
        is_parted = any(base < rule.at < last for rule in groups)
        if made and is_flat and not is_parted and all(cell.columns == 1 for cell in made[-1]):
            made[-1] = [
                Cell(f"{one.content} {two.content}".strip())
                for one, two in zip(made[-1], row, strict=True)
            ]
        else:
            made.append(row)
        last = base
    return made


def _size(lines: Sequence[PdfLine]) -> float:
    return max((line.size for line in lines), default=10.0)


def _body_rows(pieces: Sequence[Fragment], size: float) -> list[list[Fragment]]:
    """Return the rows of a body without rules: by distances, or else one for each baseline."""
    return wrapped_rows(pieces, size) or _with_continuations(_by_baseline(pieces), size)


def _by_baseline(pieces: Sequence[Fragment]) -> list[list[Fragment]]:
    rows: list[list[Fragment]] = []
    for piece in sorted(pieces, key=lambda piece: -piece.base):
        # a subscript is a line of its own, but is within the height of its row
        is_same = rows and rows[-1][0].base - piece.base < _SAME_TABLE_ROW
        if is_same or (rows and piece.middle > rows[-1][0].low):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return rows


def _cells(pieces: Sequence[Fragment], columns: int) -> list[Cell]:
    """Return the cells of a row."""
    held: list[list[Fragment]] = [[] for _ in range(columns)]
    for piece in pieces:
        held[piece.column].append(piece)
    return [Cell(cell_text(each)) for each in held]


def _ruled_rows(pieces: Sequence[Fragment], ys: Sequence[float], columns: int) -> list[list[Cell]]:
    """Return a row for each space between two rules, or several rows if the space holds them."""
    rows: list[list[Cell]] = []
    borders = [ys[0]]
    for high, low in pairwise(ys):
        inside = [piece for piece in pieces if low < piece.middle <= high]
        borders += [*inner_rows(inside, columns, least=2), low]
    for high, low in pairwise(borders):
        inside = [piece for piece in pieces if low < piece.middle <= high]
        rows += [_cells(inside, columns)] if inside else []
    return rows


def _with_continuations(rows: Sequence[list[Fragment]], size: float) -> list[list[Fragment]]:
    """Return the rows; a row without a first cell, close below another one, may continue that row.

    It does so if it has few cells, or if each cell begins with a word that had no room above.
    """
    lines: dict[int, list[list[Fragment]]] = defaultdict(list)
    for piece in chain.from_iterable(rows):
        lines[piece.column].append([piece])
    rooms = {column: room(inside) for column, inside in lines.items()}
    made: list[list[Fragment]] = []
    last: list[Fragment] = []
    for row in rows:
        used = {piece.column for piece in row}
        is_close = bool(last) and last[0].base - row[0].base <= _LEADING * size
        is_part = min(rooms) not in used and (
            len(used) <= len(rooms) / 2 or _continues_all(last, row, rooms, size)
        )
        if is_close and is_part:
            made[-1] += row
        else:
            made.append(list(row))
        last = row
    return made


def _continues_all(
    above: Sequence[Fragment], row: Sequence[Fragment], rooms: dict[int, float], size: float
) -> bool:
    """Whether all texts of a row continue those of the line above."""
    for column in {piece.column for piece in row}:
        one = [piece for piece in above if piece.column == column]
        two = [piece for piece in row if piece.column == column]
        if not one or not is_wrapped(one, two, rooms[column], size):
            return False
    return True
