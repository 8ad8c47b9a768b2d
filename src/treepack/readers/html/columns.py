"""Columns that only place text: reports put an amount's symbol, figure and bracket in three.

Columns that a page shows as one become one. If a table marks no header, the first rows become its
header if they name the columns.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import chain, groupby, takewhile, zip_longest
from typing import Final

from treepack.readers.grids import Grid
from treepack.readers.inlines import Inline, InlinePiece, as_parts, flat
from treepack.readers.links_and_emphasis import merged

_SIGN_BEFORE: Final = re.compile(r"[(+\-−]?[A-Z]{0,3}[$€£¥₹₩][(]?|\(")
_SIGNS_AFTER: Final = frozenset({")", "%", "‰", ")%", "%)", ")‰", "‰)"})
_SIGNS: Final = _SIGNS_AFTER | {"$", "€", "£", "¥", "₹"}  # the usual ones
_ONE_VALUE: Final = re.compile(r"b?(?:va*)?")  # what joined columns may hold, by `_kind`
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_MOST: Final = 0.8


def in_few_columns(grid: Grid) -> Grid:
    """Return a grid in which columns that the page shows as one are joined.

    Neighbouring columns are joined if a cell spans both, or if one has only symbols that belong to
    the other. In each row, joined columns hold at most a value, a symbol before it and symbols
    after it.
    """
    if not grid.continued and all(flat(c) not in _SIGNS for row in grid.rows for c in row[1:]):
        return grid  # the common case
    kinds = [[_kind(flat(cell)) for cell in row] for row in grid.rows]
    columns = ["".join(column) for column in zip_longest(*kinds, fillvalue=" ")]
    spanned = {column for _, column in grid.continued}
    groups: list[range] = []
    held: list[str] = []  # what each row has in the columns of the last group
    for at, column in enumerate(columns):
        is_joined = at in spanned or _holds_only(column, "a")
        is_joined |= bool(groups) and len(groups[-1]) == 1 and _holds_only(columns[at - 1], "b")
        joined = [a + b.strip() for a, b in zip(held, column, strict=True)] if at else []
        if groups and is_joined and all(map(_ONE_VALUE.fullmatch, joined)):
            groups[-1], held = range(groups[-1].start, at + 1), joined
        else:
            groups.append(range(at, at + 1))
            held = [kind.strip() for kind in column]
    rows = [tuple(_joined(row[group.start : group.stop]) for group in groups) for row in grid.rows]
    places = ((n, at, group) for n in range(len(rows)) for at, group in enumerate(groups))
    continued = {
        (n, at)
        for n, at, group in places
        if (n, group.start) in grid.continued and not flat(rows[n][at])
    }
    return Grid(tuple(rows), grid.header_rows, continued)


def _holds_only(column: str, kind: str) -> bool:
    return kind in column and {*column} <= {kind, " "}


def _kind(text: str) -> str:
    """Return whether a cell is blank, a value, or a sign that stands before or after one."""
    if not text:
        return " "
    return "b" if _SIGN_BEFORE.fullmatch(text) else "a" if text in _SIGNS_AFTER else "v"


def _joined(cells: Sequence[Inline]) -> Inline:
    filled = [cell for cell in cells if flat(cell)]
    if len(filled) <= 1:
        return filled[0] if filled else ""
    value = next(cell for cell in filled if _kind(flat(cell)) == "v")
    if _is_bold(value):  # and so are its symbols
        return [InlinePiece("".join(map(flat, filled)), "strong")]
    parts = chain.from_iterable(map(as_parts, filled))
    return merged(part.strip() if isinstance(part, str) else part for part in parts)


def with_header(grid: Grid) -> Grid:
    """Return a grid with a header row, if its first rows name the columns and none is marked.

    The names in several rows are joined: ``Year ended May 31,`` and ``2023``.
    """
    if grid.header_rows or grid.width <= 1:
        return grid
    count = len([*takewhile(lambda at: _names_columns(grid, at), range(len(grid.rows)))])
    if not 0 < count < len(grid.rows):
        return grid
    named = [list(row) for row in grid.rows[:count]]
    for number, at in sorted(grid.continued):
        if number < count:
            named[number][at] = named[number][at - 1]  # a name over several columns names each
    names = [_column_name(column) for column in zip_longest(*named, fillvalue="")]
    continued = {(number - count + 1, at) for number, at in grid.continued if number >= count}
    return Grid((tuple(names), *grid.rows[count:]), 1, continued)


def _names_columns(grid: Grid, at: int) -> bool:
    """Whether a row names the columns, if all rows above it do.

    Names are bold or years, or they fill a row with an empty corner above rows that have labels.
    The corner may hold the unit of the values, in brackets. In the first row, it may be bold like
    the names.
    """
    corner, *names = grid.rows[at]
    filled = [name for name in names if flat(name)]
    if not filled:
        return False
    text = flat(corner)
    if text and not (text[0] == "(" and text[-1] == ")"):
        return not at and all(map(_is_bold, [corner, *filled]))
    if all(_is_bold(name) or _YEAR.fullmatch(flat(name)) for name in filled):
        return True
    spanned = sum((at, column) in grid.continued for column in range(1, grid.width))
    is_full = not text and len(filled) + spanned == len(names) > 1  # one may be a value
    has_words = all(_is_bold(name) or not flat(name).isdecimal() for name in filled)
    below = grid.rows[at + 1 :]  # nearly all rows below a header begin with a label
    are_labelled = sum(bool(flat(row[0])) for row in below) >= _MOST * len(below)
    return is_full and has_words and are_labelled


def _is_bold(content: Inline) -> bool:
    return all(
        part.kind == "strong" if isinstance(part, InlinePiece) else not part.strip()
        for part in as_parts(content)
    )


def _column_name(column: Iterable[Inline]) -> Inline:
    names = [name for cell in column if (name := flat(cell))]
    return " ".join(name for name, _ in groupby(names))
