"""Columns that only place text: reports set a sum of money over three, sign, figure and bracket.

What a page shows as one column becomes one, so that no cell is said three times. What names the
columns, in the first rows of a table that marks none, becomes its header.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import chain, takewhile, zip_longest
from typing import Final, TypeAlias

from treepack.readers.grids import Grid
from treepack.readers.inlines import Inline, Piece, as_parts, flat
from treepack.readers.kept import merged

Laid: TypeAlias = Sequence[Sequence[Inline]]
"""Contents by row and column; those of one cell that spans several places are the same object."""

_BEFORE: Final = re.compile(r"[(+\-−]?[A-Z]{0,3}[$€£¥₹₩][(]?|\(")
_AFTER: Final = re.compile(r"\)?[%‰]?\)?")
_SIGNS: Final = frozenset({"$", "€", "£", "¥", "₹", ")", "%", ")%", "%)"})  # the usual ones
_UNIT: Final = re.compile(r"\(.*\)")  # in the corner of a table: "(in millions)"
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_FEWEST_NAMES: Final = 2  # which nothing but an empty corner tells from values
_MOSTLY: Final = 0.8
_NOTHING, _SIGN, _VALUE, _END = range(4)  # what a place holds so far


def in_few_columns(grid: Grid) -> Grid:
    """Return a grid in which columns that the page shows as one are one.

    Two neighbouring columns are one where a cell spans both, or one has nothing but signs that
    belong to the other; and where no row has more in them than a value, a sign before it and one
    behind it.
    """
    rows = grid.rows
    places = ((row, at) for row in rows for at in range(1, len(row)))
    if not any(_spans(row, at) or flat(row[at]) in _SIGNS for row, at in places):
        return grid  # most tables
    groups = _groups(rows, max(map(len, rows)))
    joined = [tuple(_joined(row[first:after]) for first, after in groups) for row in rows]
    return Grid(tuple(joined), grid.header_rows)


def _groups(rows: Laid, width: int) -> list[tuple[int, int]]:
    """The first column and the end of each group of columns that are one."""
    groups: list[tuple[int, int]] = []
    first = 0
    held = [_held(_NOTHING, row, 0) for row in rows]
    for at in range(1, width):
        now = [
            state if _spans(row, at) else _held(state, row, at)
            for row, state in zip(rows, held, strict=True)
        ]
        belongs = (
            any(_spans(row, at) for row in rows)
            or _holds_only(_AFTER, rows, at)
            or (at == first + 1 and _holds_only(_BEFORE, rows, first))
        )
        if None in now or not belongs:
            groups.append((first, at))
            first = at
            now = [_held(_NOTHING, row, at) for row in rows]
        held = now
    return [*groups, (first, width)]


def _holds_only(sign: re.Pattern[str], rows: Laid, at: int) -> bool:
    """Whether a column has signs and nothing else."""
    said = [text for row in rows if at < len(row) and (text := flat(row[at]))]
    return bool(said) and all(map(sign.fullmatch, said))


def _held(before: int | None, row: Sequence[Inline], at: int) -> int | None:
    """What a place holds with one more cell; None where that is too much for a place."""
    text = flat(row[at]) if at < len(row) else ""
    if not text or before is None:
        return before
    if _BEFORE.fullmatch(text):
        return _SIGN if before == _NOTHING else None
    if _AFTER.fullmatch(text):
        return _END if before in (_VALUE, _END) else None
    return _VALUE if before in (_NOTHING, _SIGN) else None


def _spans(row: Sequence[Inline], at: int) -> bool:
    """Whether a cell with content stands in a column and in the one before.

    Equal texts may be one object; the content of a cell that spans columns is no text.
    """
    if at >= len(row) or isinstance(row[at], str):
        return False
    return row[at] is row[at - 1] and bool(flat(row[at]))


def _joined(cells: Sequence[Inline]) -> Inline:
    distinct: list[Inline] = []
    for cell in cells:
        if flat(cell) and not any(cell is other for other in distinct):
            distinct.append(cell)
    if len(distinct) <= 1:
        return distinct[0] if distinct else ""
    value = next(cell for cell in distinct if not _is_sign(flat(cell)))
    if _is_bold(value):  # and so are its signs
        return [Piece("".join(map(flat, distinct)), "strong")]
    parts = chain.from_iterable(map(as_parts, distinct))
    return merged(part.strip() if isinstance(part, str) else part for part in parts)


def _is_sign(text: str) -> bool:
    return _BEFORE.fullmatch(text) is not None or _AFTER.fullmatch(text) is not None


def with_header(grid: Grid) -> Grid:
    """Return a grid whose columns have names, where its first rows name them and none is marked.

    Those of several rows are one name: ``Year ended May 31,`` and ``2023``.
    """
    if grid.header_rows or grid.width <= 1:
        return grid
    count = len([*takewhile(lambda at: _names_columns(grid.rows, at), range(len(grid.rows)))])
    if not 0 < count < len(grid.rows):
        return grid
    names = [_name(column) for column in zip_longest(*grid.rows[:count], fillvalue="")]
    return Grid((tuple(names), *grid.rows[count:]), 1)


def _names_columns(rows: Laid, at: int) -> bool:
    """Whether a row below others that do names the columns.

    Names are bold or years, or they stand beside an empty corner above rows that have labels. In
    the corner, the unit of the values may stand.
    """
    corner, *names = rows[at]
    said = [name for name in names if flat(name)]
    text = flat(corner)
    if not said:
        return False
    if not text or _UNIT.fullmatch(text):
        if all(_is_bold(name) or _YEAR.fullmatch(flat(name)) for name in said):
            return True
        has_words = all(_is_bold(name) or not flat(name).isdecimal() for name in said)
        is_full = not text and len(said) == len(names) >= _FEWEST_NAMES
        return is_full and has_words and _are_labelled(rows[at + 1 :])
    return not at and all(map(_is_bold, [corner, *said]))


def _are_labelled(rows: Laid) -> bool:
    """Whether nearly all rows begin with a label, as those below a header do."""
    return sum(bool(flat(row[0])) for row in rows) >= _MOSTLY * len(rows)


def _is_bold(content: Inline) -> bool:
    return all(
        part.kind == "strong" if isinstance(part, Piece) else not part.strip()
        for part in as_parts(content)
    )


def _name(column: Iterable[Inline]) -> Inline:
    said: list[str] = []
    for cell in column:
        if (text := flat(cell)) and text not in said[-1:]:
            said.append(text)
    return " ".join(said)
