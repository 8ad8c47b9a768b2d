"""Columns that only place text: reports put an amount's symbol, figure and bracket in three.

Columns that a page shows as one become one, so that no cell is repeated three times. If a table
marks no header, the first rows become its header if they name the columns.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import chain, takewhile, zip_longest
from typing import Final, TypeAlias

from treepack.readers.grids import Grid
from treepack.readers.inlines import Inline, InlinePiece, as_parts, flat
from treepack.readers.links_and_emphasis import merged

GridRows: TypeAlias = Sequence[Sequence[Inline]]
"""Contents by row and column. A cell that spans several places is the same object in each."""

_SIGN_BEFORE: Final = re.compile(r"[(+\-−]?[A-Z]{0,3}[$€£¥₹₩][(]?|\(")
_SIGN_AFTER: Final = re.compile(r"\)?[%‰]?\)?")
_SIGNS: Final = frozenset({"$", "€", "£", "¥", "₹", ")", "%", ")%", "%)"})  # the usual ones
_UNIT: Final = re.compile(r"\(.*\)")  # in the corner of a table: "(in millions)"
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_FEWEST_NAMES: Final = 2  # only an empty corner distinguishes fewer names from values
_MOST: Final = 0.8
_EMPTY, _AFTER_SIGN, _AFTER_VALUE, _AFTER_END = range(4)  # what joined columns hold so far in a row


def in_few_columns(grid: Grid) -> Grid:
    """Return a grid in which columns that the page shows as one are joined.

    Neighbouring columns are joined if a cell spans both, or if one has only symbols that belong to
    the other. In each row, joined columns hold at most a value, a symbol before it and symbols
    after it.
    """
    rows = grid.rows
    positions = ((row, at) for row in rows for at in range(1, len(row)))
    if not any(_spans(row, at) or flat(row[at]) in _SIGNS for row, at in positions):
        return grid  # the common case
    groups = _groups(rows, max(map(len, rows)))
    joined = [tuple(_joined(row[first:after]) for first, after in groups) for row in rows]
    return Grid(tuple(joined), grid.header_rows)


def _groups(rows: GridRows, width: int) -> list[tuple[int, int]]:
    """Return the first column and the end of each group of columns to join."""
    groups: list[tuple[int, int]] = []
    first = 0
    states = [_next_state(_EMPTY, row, 0) for row in rows]
    for at in range(1, width):
        next_states = [
            state if _spans(row, at) else _next_state(state, row, at)
            for row, state in zip(rows, states, strict=True)
        ]
        is_joined = (
            any(_spans(row, at) for row in rows)
            or _holds_only(_SIGN_AFTER, rows, at)
            or (at == first + 1 and _holds_only(_SIGN_BEFORE, rows, first))
        )
        if None in next_states or not is_joined:
            groups.append((first, at))
            first = at
            next_states = [_next_state(_EMPTY, row, at) for row in rows]
        states = next_states
    return [*groups, (first, width)]


def _holds_only(symbol: re.Pattern[str], rows: GridRows, at: int) -> bool:
    """Whether a column has symbols that fit the pattern, and nothing else."""
    texts = [text for row in rows if at < len(row) and (text := flat(row[at]))]
    return bool(texts) and all(map(symbol.fullmatch, texts))


def _next_state(before: int | None, row: Sequence[Inline], at: int) -> int | None:
    """Return what joined columns hold with one more cell; None if that is too much for them."""
    text = flat(row[at]) if at < len(row) else ""
    if not text or before is None:
        return before
    if _SIGN_BEFORE.fullmatch(text):
        return _AFTER_SIGN if before == _EMPTY else None
    if _SIGN_AFTER.fullmatch(text):
        return _AFTER_END if before in (_AFTER_VALUE, _AFTER_END) else None
    return _AFTER_VALUE if before in (_EMPTY, _AFTER_SIGN) else None


def _spans(row: Sequence[Inline], at: int) -> bool:
    """Whether a cell with content spans a column and the previous one.

    Equal strings may be one object, but the content of a cell that spans columns is a list.
    """
    if at >= len(row) or isinstance(row[at], str):
        return False
    return row[at] is row[at - 1] and bool(flat(row[at]))


def _joined(cells: Sequence[Inline]) -> Inline:
    distinct: list[Inline] = []
    for cell in cells:
        if flat(cell) and not any(cell is earlier for earlier in distinct):
            distinct.append(cell)
    if len(distinct) <= 1:
        return distinct[0] if distinct else ""
    symbols = (_SIGN_BEFORE, _SIGN_AFTER)
    value = next(c for c in distinct if not any(s.fullmatch(flat(c)) for s in symbols))
    if _is_bold(value):  # and so are its symbols
        return [InlinePiece("".join(map(flat, distinct)), "strong")]
    parts = chain.from_iterable(map(as_parts, distinct))
    return merged(part.strip() if isinstance(part, str) else part for part in parts)


def with_header(grid: Grid) -> Grid:
    """Return a grid with a header row, if its first rows name the columns and none is marked.

    The names in several rows are joined: ``Year ended May 31,`` and ``2023``.
    """
    if grid.header_rows or grid.width <= 1:
        return grid
    count = len([*takewhile(lambda at: _names_columns(grid.rows, at), range(len(grid.rows)))])
    if not 0 < count < len(grid.rows):
        return grid
    names = [_column_name(column) for column in zip_longest(*grid.rows[:count], fillvalue="")]
    return Grid((tuple(names), *grid.rows[count:]), 1)


def _names_columns(rows: GridRows, at: int) -> bool:
    """Whether a row names the columns, if all rows above it do.

    Names are bold or years, or they fill a row with an empty corner above rows that have labels.
    The corner may hold the unit of the values. In the first row, it may be bold like the names.
    """
    corner, *names = rows[at]
    filled = [name for name in names if flat(name)]
    text = flat(corner)
    if not filled:
        return False
    if not text or _UNIT.fullmatch(text):
        if all(_is_bold(name) or _YEAR.fullmatch(flat(name)) for name in filled):
            return True
        has_words = all(_is_bold(name) or not flat(name).isdecimal() for name in filled)
        is_full = not text and len(filled) == len(names) >= _FEWEST_NAMES
        below = rows[at + 1 :]  # nearly all rows below a header begin with a label
        are_labelled = sum(bool(flat(row[0])) for row in below) >= _MOST * len(below)
        return is_full and has_words and are_labelled
    return not at and all(map(_is_bold, [corner, *filled]))


def _is_bold(content: Inline) -> bool:
    return all(
        part.kind == "strong" if isinstance(part, InlinePiece) else not part.strip()
        for part in as_parts(content)
    )


def _column_name(column: Iterable[Inline]) -> Inline:
    names: list[str] = []
    for cell in column:
        if (text := flat(cell)) and text not in names[-1:]:
            names.append(text)
    return " ".join(names)
