"""Decimal numbers: ``5``, ``5.1.2.3``, ``5.10AA.1``; and dates and the like that resemble them."""

import re
from typing import Final

from treepack.numbers.clause_number import ClauseNumber, Place
from treepack.numbers.continuations import (
    is_clause_text,
    is_date_or_unit,
    starts_title,
    starts_title_with_digits,
)

_MOST_PARTS: Final = 9
_HIGHEST_PART: Final = 1999
_HIGHEST_CHAPTER: Final = 199  # first part of a bare number; higher ones are years, quantities
_SUBSECTION_ON_LINE: Final = r"[ \t\u00a0]*(?:[—–]|--?)?[ \t\u00a0]*\(1\)[ \t\u00a0]*\S"
_DECIMAL: Final = re.compile(
    r"(?P<number>\d{1,4}[A-Za-z]{0,2}(?:\.\d{1,4}(?:[A-Z]{1,3}|[a-z]{1,2}|)?+|){0,60}+)(?P<dot>\.?)"
    rf"(?=[\s:]|$|-[ \t\u00a0]|{_SUBSECTION_ON_LINE})"
)
_INSERTED: Final = re.compile(r"[1-9]\d{0,2}[A-Z]{1,2}(?=[ \t\u00a0])")
_BEFORE_SUBSECTION: Final = re.compile(_SUBSECTION_ON_LINE)
"""The text from a section's number to its first subsection: ``1.—(1) The``, ``1 (1) The``."""
_ORDINAL: Final = re.compile(r"\d+(?:st|nd|rd|th)$")
_BYTE: Final = 255
_RESOLVER_BYTES: Final = (4, 8, 9)  # 4.4.4.4, 8.8.8.8 and 9.9.9.9 are more often addresses
_IP_PARTS: Final = 4
_PAIR: Final = 2
_THOUSANDS_DIGITS: Final = 3
_FIRST_YEAR: Final = 1000
_MONTHS: Final = 12
_DAYS: Final = 31


def read_decimal(text: str, place: Place) -> ClauseNumber | None:
    """Read ``5``, ``5.1.2.3`` or ``5.10AA.1``, with or without a trailing dot.

    A single number with a dot before text (``1. This Regulation``) is a ``paragraph``; in a
    heading, a single number is a chapter (``5 Tests``, ``5. Tests``).
    """
    match = _DECIMAL.match(text)
    if match is None:
        return None
    parts = tuple(match["number"].split("."))
    rest, has_dot = text[match.end() :], bool(match["dot"])
    if len(parts) == 1:
        return _read_single(parts[0], rest, place, has_dot=has_dot)
    if not _are_clause_parts(parts, place) or not is_clause_text(rest, place, has_dot=has_dot):
        return None
    return ClauseNumber("decimal", match["number"], parts)


def _read_single(part: str, rest: str, place: Place, *, has_dot: bool) -> ClauseNumber | None:
    if (
        _digits_value(part) > _HIGHEST_CHAPTER
        or _has_leading_zero(part)
        or _ORDINAL.match(part)
        or is_date_or_unit(rest)
    ):
        return None
    if place == "text":
        is_label = has_dot or _BEFORE_SUBSECTION.match(rest)
        return ClauseNumber("paragraph", part, (part,)) if is_label else None
    if not (has_dot or part.isdigit()):
        return None  # "5G Networks"; see `read_inserted`
    has_title = starts_title(rest) or starts_title_with_digits(rest)
    is_heading = has_title if rest.strip() else has_dot
    return ClauseNumber("decimal", part, (part,)) if is_heading else None


def read_inserted(title: str) -> ClauseNumber | None:
    """Read ``5A Scope``, a section that was inserted after 5; ``5G Networks`` looks the same.

    Only other titles, with a 4, 5 or 6, can confirm that it is a section.
    """
    match = _INSERTED.match(title)
    if match is None or not starts_title(title[match.end() :]):
        return None
    return ClauseNumber("decimal", match[0], (match[0],))


def _are_clause_parts(parts: tuple[str, ...], place: Place) -> bool:
    """Whether dotted numbers may be a clause, not an address, date, amount or version."""
    values = [_digits_value(part) for part in parts]
    if len(parts) > _MOST_PARTS or max(values) > _HIGHEST_PART or _has_leading_zero(parts[0]):
        return False
    if values[0] > _HIGHEST_CHAPTER and (place == "text" or len(parts) > _PAIR):
        return False  # 164.512 is a section of a code; 802.11 in a text is not
    return not (_is_amount(parts, place) or _is_address(parts, values) or _is_date(parts, values))


def _digits_value(part: str) -> int:
    """Return the number in a part, without its letters."""
    return int(part if part.isdecimal() else re.sub(r"\D", "", part))


def _has_leading_zero(part: str) -> bool:
    return len(part) > 1 and part[0] == "0"


def _is_amount(parts: tuple[str, ...], place: Place) -> bool:
    """Whether dots group thousands (``1.250.000``), or a unit follows a fraction (``1.5l``)."""
    groups = [part for part in parts[1:] if len(part) == _THOUSANDS_DIGITS and part.isdigit()]
    if len(groups) == len(parts) - 1 and (place == "text" or len(parts) > _PAIR):
        return True
    if any(len(part) >= _THOUSANDS_DIGITS and part[0] == "0" for part in parts):
        return True
    return place == "text" and len(parts) == _PAIR and parts[1][-1].islower()


def _is_address(parts: tuple[str, ...], values: list[int]) -> bool:
    if len(parts) != _IP_PARTS or max(values) > _BYTE:
        return False
    is_resolver = len(set(values)) == 1 and values[0] in _RESOLVER_BYTES
    return max(values) > 99 or 0 in values or is_resolver  # noqa: PLR2004 - no section has so many


def _is_date(parts: tuple[str, ...], values: list[int]) -> bool:
    """Whether it reads as day, month and year in digits, or as month and year: ``5.1999``."""
    if not all(part.isdigit() for part in parts):
        return False
    match values:
        case [_, year]:  # or a fraction of four digits
            return year >= _FIRST_YEAR
        case [day, month, year] if year >= _FIRST_YEAR:
            return min(day, month) <= _MONTHS and max(day, month) <= _DAYS
        case [_, _, _]:
            return len(parts[1]) == 2 == len(parts[2]) and parts[1][0] == "0"  # noqa: PLR2004 - 12.05.24
        case _:
            return False
