"""Numbers in digits: ``5``, ``5.1.2.3``, ``5.10AA.1``, ``(1.1)``; not dates, amounts, addresses."""

import re
from functools import lru_cache
from typing import Final

from treepack.numbers.clause_number import ClauseNumber, Place
from treepack.numbers.continuations import (
    is_clause_text,
    is_date_or_unit,
    starts_title,
    starts_title_with_digits,
)
from treepack.roman_numerals import roman_value

_MOST_PARTS: Final = 9
_HIGHEST_PART: Final = 1999
_HIGHEST_CHAPTER: Final = 199  # first part of a bare number; higher ones are years, quantities
_SUBSECTION: Final = r"[ \t\u00a0]*(?:[—–]|--?)?[ \t\u00a0]*\(1\)[ \t\u00a0]*\S"
"""The text from a section's number to its first subsection: ``1.—(1) The``, ``1 (1) The``."""
_DECIMAL: Final = re.compile(
    r"(?P<number>\d{1,4}[A-Za-z]{0,2}(?:\.\d{1,4}(?:[A-Z]{1,3}|[a-z]{1,2}|)?+|){0,60}+)(?P<dot>\.?)"
    rf"(?=[\s:]|$|-[ \t\u00a0]|{_SUBSECTION})"
)
_BEFORE_SUBSECTION: Final = re.compile(_SUBSECTION)
_IN_BRACKETS: Final = re.compile(
    r"(?P<printed>[\[(](?P<number>\d{1,3}(?:\.\d{1,3}){1,7})[)\]]|\[(?P<single>\d{1,2})\])(?=\s)"
)
_INSERTED: Final = re.compile(r"[1-9]\d{0,2}[A-Z]{1,2}(?=[ \t\u00a0])")
_ORDINAL: Final = re.compile(r"\d+(?:st|nd|rd|th)$")
_NO_DIGITS: Final = re.compile(r"\D")
_BYTE: Final = 255
_HIGHEST_OF_FOUR: Final = 99  # the highest of four parts of a section number; addresses have more
_IP_PARTS: Final = 4
_PAIR: Final = 2
_THOUSANDS_DIGITS: Final = 3
_FIRST_YEAR: Final = 1000
_POINT: Final = re.compile(
    r"(?P<open>\(?)(?P<label>\d{1,3}[a-z]{0,2}|[A-Za-z]{1,5})\)(?!\S)"
    r"|(?P<number>\d{1,2})°"
    r"(?=[ \u00a0\u202f]{1,3}[(«\"“]?[ \u00a0\u202f]?[^\W\d_]{2})"
)
_COPYRIGHT: Final = re.compile(r"\([cC]\)\s*(?:\d{4}|Copyright)|.{0,40}\bCopyright\b")


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
    is_ordinal = _ORDINAL.match(part) or (part[0] == "0" and part != "0")
    if _value(part) > _HIGHEST_CHAPTER or is_ordinal or is_date_or_unit(rest):
        return None
    if place == "text":
        is_label = has_dot or _BEFORE_SUBSECTION.match(rest)
        return ClauseNumber("paragraph", part, (part,)) if is_label else None
    has_title = starts_title(rest) or starts_title_with_digits(rest)
    is_heading = (has_title if rest.strip() else has_dot) and (has_dot or part.isdigit())
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
    """Whether dotted numbers may be a clause, not an address, date, amount or version.

    164.512 is a section of a code; in a text, it is a quantity like 802.11.
    """
    values = [_value(part) for part in parts]
    is_code = place == "heading" and len(parts) == _PAIR
    if len(parts) > _MOST_PARTS or max(values) > _HIGHEST_PART or (parts[0][0] == "0" != parts[0]):
        return False
    if (values[0] > _HIGHEST_CHAPTER and not is_code) or _is_amount(parts, is_code=is_code):
        return False
    if place == "text" and len(parts) == _PAIR and parts[1][-1].islower():
        return False  # 1.5l
    if len(parts) == _IP_PARTS and max(values) <= _BYTE:
        is_resolver = min(values) == max(values) >= _IP_PARTS  # 4.4.4.4, 8.8.8.8, 9.9.9.9
        return max(values) <= _HIGHEST_OF_FOUR and 0 not in values and not is_resolver
    return not (all(part.isdigit() for part in parts) and _is_date(parts, values))


def _value(part: str) -> int:
    """Return the number in a part, without its letters."""
    return int(part if part.isdecimal() else _NO_DIGITS.sub("", part))


def _is_amount(parts: tuple[str, ...], *, is_code: bool) -> bool:
    """Whether dots group thousands (``1.250.000``), or digits begin with zeros (``1.0005``)."""
    long = [part for part in parts if len(part) >= _THOUSANDS_DIGITS]
    groups = [part for part in long if len(part) == _THOUSANDS_DIGITS and part.isdigit()]
    are_all = len([part for part in groups if part is not parts[0]]) == len(parts) - 1
    return (are_all and not is_code) or any(part[0] == "0" for part in long)


def _is_date(parts: tuple[str, ...], values: list[int]) -> bool:
    """Whether it reads as day, month and year, or as month and year: ``5.1999``."""
    if len(parts) == _PAIR:
        return values[1] >= _FIRST_YEAR  # or a fraction of four digits
    if len(parts) != _PAIR + 1:
        return False
    day, month, year = values
    if year >= _FIRST_YEAR:
        return min(day, month) <= 12 and max(day, month) <= 31  # noqa: PLR2004 - months and days
    return len(parts[1]) == len(parts[2]) == _PAIR and parts[1][0] == "0"  # 12.05.24


# -------------------------------------------------------------------- points


def read_point(text: str, place: Place) -> ClauseNumber | None:
    """Read ``(1)``, ``(12a)``, ``a)``, ``(iv)``, or ``1°``; not words in brackets."""
    match = _POINT.match(text)
    if match is None:
        return None
    if number := match["number"]:  # of French law; in a heading, it is a temperature
        return ClauseNumber("paragraph", match[0], (number,)) if place == "text" else None
    is_copyright = match["label"] in "cC" and _COPYRIGHT.match(text)
    return None if is_copyright else _point(match[0], match["label"])


@lru_cache(1024)  # most documents have the same few
def _point(printed: str, label: str) -> ClauseNumber | None:
    if label[0].isdigit():
        return ClauseNumber("paragraph", printed, (label,))
    is_one_case = label.islower() or label.isupper()
    is_roman = roman_value(label) is not None and is_one_case
    is_inserted = label[1:] in {"a", "b"} and label.islower()  # "ba" comes after "b"
    if len(label) > 1 and not (is_roman or is_inserted or len(set(label)) == 1):
        return None
    is_numeral = is_roman and (len(label) > 1 or label in "ivxIVX")
    return ClauseNumber("roman" if is_numeral else "letter", printed, (label,))


def read_in_brackets(text: str, place: Place) -> ClauseNumber | None:
    """Read ``(1.1)``, ``[1.1]`` and ``[1]`` in a heading, where they nest as they do alone.

    In a text, ``(1.1)`` is a point that was inserted after ``(1)``.
    """
    match = _IN_BRACKETS.match(text)
    if match is None:
        return None
    rest = text[match.end() :]
    if place == "text":
        is_point = match["number"] and text[0] == "("
        part = match["number"] or ""
        return ClauseNumber("paragraph", match["printed"], (part,)) if is_point else None
    if single := match["single"]:
        is_title = starts_title(rest)
        return ClauseNumber("paragraph", match["printed"], (single,)) if is_title else None
    parts = tuple(match["number"].split("."))
    is_clause = _are_clause_parts(parts, place) and is_clause_text(rest, place, has_dot=True)
    return ClauseNumber("decimal", match["printed"], parts) if is_clause else None
