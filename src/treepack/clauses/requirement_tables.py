"""Requirement tables: rows whose first cell is the number of a requirement."""

import re
from collections.abc import Sequence
from typing import Final

from treepack.model.blocks import Table
from treepack.numbers.clause_number import ClauseNumber
from treepack.sentences.small_words import word_set

_CELL: Final = re.compile(
    r"""[>\s]*+ \|?+ (?:[\s*_`\[]|<[^<>|]{0,99}>|)*+
    (?P<prefix> [A-Z]{1,6}[-_]? (?=\d)|)
    (?P<number> \d{1,3} (?:\\?[.-]\d{1,4}[a-z]?){0,7} )
    \.? (?: \]\([^()|\s]{0,99}\) )? (?:[*_`\s]|<[^<>|]{0,99}>|)*+ (?=\||$)
    """,
    re.VERBOSE,
)
"""A first cell that is only a number."""
_HEADERS: Final = word_set(
    """
    # id ids no nr num number req requirement clause section § item ref reference control
    rule article ziffer nummer numéro número numero 编号 条款 №
    """
)
"""Words in the header of a first column with the numbers of requirements."""
_WORD: Final = re.compile(r"[^\W\d_]+|[#§№]")
_LEAST_SHARE: Final = 0.5  # of the rows


def requirement_rows(
    text: str, table: Table, enclosing: Sequence[str]
) -> list[tuple[int, int, ClauseNumber]]:
    """Return (start, end, number) of the rows of a requirement table; [] for other tables.

    A number has a prefix of letters or at least two components. The column's header names the
    numbers, or they continue the number of the clause around the table.
    """
    found = [
        (start, end, number)
        for start, end in table.rows
        if (match := _CELL.match(text, start, end))
        and (number := _number(match["prefix"], match["number"].replace("\\", "")))
    ]
    if not found or len(found) < len(table.rows) * _LEAST_SHARE:
        return []
    words = _WORD.findall(table.columns[0].casefold()) if table.columns else []
    is_named = not _HEADERS.isdisjoint(words)
    above = _values(enclosing)
    is_inside = above and all(_values(each.parts)[: len(above)] == above for *_, each in found)
    return found if is_named or is_inside else []


def _number(prefix: str, number: str) -> ClauseNumber | None:
    """Return the number in a cell; None for a single number, a date or a range."""
    first, *rest = re.split(r"[.-]", number)
    if not prefix and (not rest or "-" in number):
        return None
    letters = prefix.rstrip("-_")
    parts = (letters + first, *rest) if len(letters) == 1 else (letters, first, *rest)
    return ClauseNumber("requirement", prefix + number, tuple(filter(None, parts)))


def _values(parts: Sequence[str]) -> list[int]:
    return [int(re.sub(r"\D", "", part) or 0) for part in parts]
