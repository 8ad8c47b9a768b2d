"""Numbers in digits: ``5``, ``5.1.2.3``, ``5.10AA.1``, and in brackets: ``(1)``, ``a)``, ``(1.1)``.

Dates, amounts, versions and addresses are no clause numbers.
"""

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

_SUBSECTION: Final = r"[ \t\u00a0]*(?:[—–]|--?)?[ \t\u00a0]*\(1\)[ \t\u00a0]*\S"
"""The text from a section's number to its first subsection: ``1.—(1) The``, ``1 (1) The``."""
_DECIMAL: Final = re.compile(
    r"(?P<number>(?:\d{1,4}[A-Za-z]{0,2}|[A-Z]{1,2}(?=\.\d\d?(?!\d)))"
    r"(?:\.\d{1,4}(?:[A-Z]{1,3}|[a-z]{1,2}|)?+|){0,60}+)(?P<dot>\.?)"
    rf"(?=[\s:]|$|-[ \t\u00a0]|{_SUBSECTION})"
)
_BEFORE_SUBSECTION: Final = re.compile(_SUBSECTION)
_LOOKALIKE: Final = re.compile(
    r"""
      0[\da-zA-Z] | .*\.0\d\d | (?:.*\.)?[2-9]\d{3} | (?:[^.]+\.){9}  # 1.0005, years, too deep
    | \d+\.\d{4}$ | [1-9]\d{0,2}(?:\.\d{3}){2,}$                      # 5.1999, 1.250.000
    | (?:[0-2]?\d|3[01])\.(?:[0-2]?\d|3[01])\.1\d{3}$ | \d\d?\.0\d\.\d\d$  # dates: 24.12.1999
    | (?=.*(?:\d{3}|\b0\b))\d{1,3}(?:\.\d{1,3}){3}$ | ([4-9])(?:\.\1){3}$  # addresses: 10.0.0.1
    """,
    re.VERBOSE,
)
"""Dotted numbers that are no clause numbers wherever they are."""
_QUANTITY: Final = re.compile(r"[2-9]\d\d|\d{4}|[1-9]\d{0,2}\.\d{3}$|\d+\.\d+[a-z]+$")
"""Quantities in a text: 802.11, 1.250, 1.5l. In a heading, 164.512 is a section of a code."""
_INSERTED: Final = re.compile(r"[1-9]\d{0,2}[A-Z]{1,2}(?=[ \t\u00a0])")
_NO_CHAPTER: Final = re.compile(r"0\w|[2-9]\d\d|\d{4}|\d+(?:st|nd|rd|th)$")
_IN_BRACKETS: Final = re.compile(r"[\[(](?P<number>\d{1,3}(?:\.\d{1,3}){1,7}|\d\d?)[)\]](?=\s)")
_POINT: Final = re.compile(
    r"(?!\([cC]\)\s*+(?:\d{4}|Copyright))(?P<open>\(?)(?P<label>\d{1,3}[a-z]{0,2}|[A-Za-z]{1,5})\)(?!\S)"
    r"|(?P<number>\d{1,2})°(?:[ \u00a0\u202f](?P<insert>bis|ter|quater)(?!\w)|)"
    r"(?=[ \u00a0\u202f]{1,3}[(«\"“]?[ \u00a0\u202f]?[^\W\d_]{2})"
)


def read_decimal(text: str, place: Place) -> ClauseNumber | None:
    """Read ``5``, ``5.1.2.3``, ``5.10AA.1`` or ``A.2``, with or without a trailing dot.

    A single number with a dot before text (``1. This Regulation``) is a ``paragraph``; in a
    heading, a single number is a chapter (``5 Tests``, ``5. Tests``).
    """
    match = _DECIMAL.match(text)
    if match is None:
        return None
    number, rest, has_dot = match["number"], text[match.end() :], bool(match["dot"])
    if "." in number:
        is_clause = _is_clause(number, place) and is_clause_text(rest, place, has_dot=has_dot)
        return ClauseNumber("decimal", number, tuple(number.split("."))) if is_clause else None
    if _NO_CHAPTER.match(number) or is_date_or_unit(rest):
        return None
    if place == "text":
        is_label = has_dot or _BEFORE_SUBSECTION.match(rest)
        return ClauseNumber("paragraph", number, (number,)) if is_label else None
    has_title = starts_title(rest) or starts_title_with_digits(rest)
    is_heading = (has_title if rest.strip() else has_dot) and (has_dot or number.isdigit())
    return ClauseNumber("decimal", number, (number,)) if is_heading else None


def read_inserted(title: str) -> ClauseNumber | None:
    """Read ``5A Scope``, a section that was inserted after 5; ``5G Networks`` looks the same.

    Only other titles, with a 4, 5 or 6, can confirm that it is a section.
    """
    match = _INSERTED.match(title)
    if match is None or not starts_title(title[match.end() :]):
        return None
    return ClauseNumber("decimal", match[0], (match[0],))


def _is_clause(number: str, place: Place) -> bool:
    """Whether a dotted number may be a clause, not an address, date, amount or version."""
    is_code = place == "heading" and number.count(".") == 1
    return not (_LOOKALIKE.match(number) or (not is_code and _QUANTITY.match(number)))


def read_point(text: str, place: Place) -> ClauseNumber | None:
    """Read ``(1)``, ``(12a)``, ``a)``, ``(iv)``, ``1°`` or ``2° bis``; not words in brackets."""
    match = _POINT.match(text)
    if match is None:
        return None
    if number := match["number"]:  # of French law; in a heading, it is a temperature
        part = number + (match["insert"] or "")
        return ClauseNumber("paragraph", match[0], (part,)) if place == "text" else None
    return _point(match[0])


@lru_cache(1024)  # most documents have the same few
def _point(printed: str) -> ClauseNumber | None:
    """Return the number that a printed ``(1)``, ``a)`` or ``(iv)`` is; None for other words."""
    label = printed.strip("()")
    if label[0].isdigit():
        return ClauseNumber("paragraph", printed, (label,))
    is_roman = roman_value(label) is not None and (label.islower() or label.isupper())
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
    number, rest = match["number"], text[match.end() :]
    if place == "heading" and "." in number:
        is_clause = _is_clause(number, place) and is_clause_text(rest, place, has_dot=True)
        return ClauseNumber("decimal", match[0], tuple(number.split("."))) if is_clause else None
    is_point = starts_title(rest) if place == "heading" else "." in number and text[0] == "("
    return ClauseNumber("paragraph", match[0], (number,)) if is_point else None
