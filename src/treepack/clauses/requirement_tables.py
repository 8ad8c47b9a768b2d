"""Requirement tables: rows whose first cell is the number of a requirement."""

import re
from collections.abc import Sequence
from typing import Final

from treepack.model.blocks import Table
from treepack.numbers.clause_number import ClauseNumber
from treepack.numbers.words import word_set

_CELL: Final = re.compile(
    r"""(?:
    [>\s]*+ \|?+ (?:[\s*_`\[]|<[^<>|]{0,99}>|)*+
    (?P<prefix> [A-Z]{1,6}[-_]? (?=\d))?
    (?P<number> \d{1,4} (?:\\?[.-]\d{1,4}[a-z]?){0,7} )
    \.? (?: \]\([^()|\s]{0,99}\) )? (?:[*_`\s]|<[^<>|]{0,99}>|)*+ (?=\||$)
    | [>\s]*+\|?\s*+[^|\s] )
    """,
    re.VERBOSE,
)
"""A first cell that is not empty, with its number if it holds one."""
# Headers of a first column with requirement numbers.
_HEADERS: Final = word_set(
    """
    # id ids no nr num number req requirement clause section § item ref reference control
    rule article ziffer nummer numéro número numero 编号 条款 №
    """
)
_WORD: Final = re.compile(r"[^\W\d_]+|[#§№]")
_LEAST_SHARE: Final = 0.5  # share of the rows


def requirement_rows(
    text: str, table: Table, enclosing: Sequence[str]
) -> list[tuple[int, int, ClauseNumber]]:
    """Return (start, end, number) of the rows of a requirement table; [] for other tables.

    A number has a prefix of letters or at least two components. Numbers without a prefix count only
    if the column's header names them, or if they continue the number of the clause around the
    table.

    Args:
        text: The source.
        table: The table.
        enclosing: The components of the number of the clause around the table.
    """
    found: list[tuple[int, int, ClauseNumber]] = []
    filled = 0
    for start, end in table.rows:
        match = _CELL.match(text, start, end)
        filled += match is not None
        if match is None or match["number"] is None:
            if filled > len(table.rows) * (1 - _LEAST_SHARE):
                return []
            continue
        if number := _number(match):
            found.append((start, end, number))
    if not found or len(found) < filled * _LEAST_SHARE:
        return []
    if _is_named(table) or _continues_number(found, enclosing):
        return found
    return found if _has_prefixes(found) else []


def _number(match: re.Match[str]) -> ClauseNumber | None:
    prefix, number = match["prefix"] or "", match["number"].replace("\\", "")
    parts = tuple(re.split(r"[.-]", number))
    if not prefix and len(parts) == 1:
        return None
    if not prefix and ("-" in number or max(int(re.sub(r"\D", "", part)) for part in parts) > 999):  # noqa: PLR2004 - dates and ranges
        return None
    if prefix:
        letters = prefix.rstrip("-_")
        parts = (letters + parts[0], *parts[1:]) if len(letters) == 1 else (letters, *parts)
    return ClauseNumber("requirement", prefix + number, parts)


def _is_named(table: Table) -> bool:
    header = table.columns[0] if table.columns else ""
    words = _WORD.findall(header.casefold())
    return 0 < len(words) <= 3 and any(word in _HEADERS for word in words)  # noqa: PLR2004 - words of a column's name


def _continues_number(
    found: Sequence[tuple[int, int, ClauseNumber]], enclosing: Sequence[str]
) -> bool:
    """Whether all numbers continue the number of the clause around: 2.1.7 in section V2.1."""
    if not enclosing:
        return False
    prefix = tuple(_digits(part) for part in enclosing)
    return all(
        len(number.parts) > len(prefix)
        and tuple(_digits(part) for part in number.parts[: len(prefix)]) == prefix
        for _, _, number in found
    )


def _has_prefixes(found: Sequence[tuple[int, int, ClauseNumber]]) -> bool:
    """Whether all ids are composed, share one prefix of letters, and increase."""
    if len(found) < 2:  # noqa: PLR2004 - a single id proves nothing
        return False
    # ``CR1``, letters and one number, is a register's name
    if not all(any(character in number.label for character in "-_.") for _, _, number in found):
        return False
    prefixes = {number.label.rstrip("0123456789.-abcdefghij") for _, _, number in found}
    values = [tuple(_digits(part) for part in number.parts) for _, _, number in found]
    return len(prefixes) == 1 and "" not in prefixes and values == sorted(set(values))


def _digits(part: str) -> int:
    return int(re.sub(r"\D", "", part) or 0)
