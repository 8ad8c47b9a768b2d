"""Numbers in digits: ``5``, ``5.1.2.3``, ``5.10AA.1``, and in brackets: ``(1)``, ``a)``, ``(1.1)``.

Dates, amounts, versions and addresses are no clause numbers. The text after a number shows it: a
title, a clause's text, or prose that continues the number.
"""

import re
from functools import lru_cache
from typing import Final

from treepack.numbers.words import (
    MONTHS,
    PROSE_CONTINUATIONS,
    SUB_UNITS,
    UNITS,
    ClauseNumber,
    Place,
    roman_value,
)

_SUBSECTION: Final = r"[ \t\u00a0]*(?:[—–]|--?)?[ \t\u00a0]*\(1\)[ \t\u00a0]*\S"
"""The text from a section's number to its first subsection: ``1.—(1) The``, ``1 (1) The``."""
_DECIMAL: Final = re.compile(
    r"(?P<number>(?:\d{1,4}[A-Za-z]{0,2}|[A-Z]{1,2}(?=\.\d\d?(?!\d)))"
    r"(?:\.\d{1,4}(?:[A-Z]{1,3}|[a-z]{1,2}|)?+|){0,60}+)(?P<dot>\.?)"
    rf"(?=[\s:]|$|-[ \t\u00a0]|{_SUBSECTION})"
)
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
        is_label = has_dot or re.match(_SUBSECTION, rest)
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


# -------------------------------------------------------------------- the text after a number

SEPARATOR: Final = re.compile(r"(?<=[ºª°])\s?[.-]|[ ]?\.[-–—]|\s*[:—–]|\.(?=\s|$)|\s+[-−]\s|\s*$")
"""What separates a label with a word, ``Article 5``, from the text after it."""
TITLE: Final = re.compile(
    r"\s+(?:\(\w+\)\s+)?[^\W\d_a-z]\w*"
    r"(?:[ ,/’'&-]+(?:[a-z]{1,4}\b|[A-Z(]\w*\)?)){0,9}\s*(?:[.:]|$)"
    r"|\s+\[[A-Z][^\[\]\r\n]{1,80}\](?!\()"  # some print the title in brackets and again
)
"""A title after such a label; else the label is a reference in prose."""
_FIRST_WORD: Final = re.compile(r"\W*([^\W\d_]++)(?!_|\(\))")  # no name in code: is_open, and()
_ALSO_OTHER_WORDS: Final = frozenset({"may", "march", "mars", "mar", "dec", "sep"})
_MONTH: Final = re.compile(r"[\s(]*(?P<month>[^\W\d_]{3,10})\b\.?(?P<date>\s+\d|\s*,|\s*$)?")
_TITLE_START: Final = re.compile(
    r"""\s*[-—–:.]*\s*(?P<open>["“”„«‘'(\[「『《〈【（]*)\s*"""
    r"(?P<first>[^\W\d_]|$|[<$/…]|&(?=[#\w])|[\\@#~\u223c](?=[^\W\d_]))"
)
_TITLE_WITH_DIGITS: Final = re.compile(
    r"""
    \s+ (?: \d{1,4} -?+ (?=[A-Z]) [A-Za-z]++ (?=[\s:,;.)-]|$)   # 3GPP, 2D, 8-Bit
         | \d{1,4} (?:[.]\d{1,3} | -[A-Za-z]++ | st | nd | rd | th)? [ \u00a0]+ (?=[^\W\d_]) )
    (?P<words>.*)
    """,
    re.VERBOSE | re.DOTALL,
)
_SUB_UNIT: Final = re.compile(
    r"\W*(?P<unit>[^\W\d_]++)\.?[ \u00a0]*(?:$|\(?(?:\d|[a-z]\b|[a-z]{1,3}\)|[IVX]+\b))"
)


def is_date_or_unit(rest: str) -> bool:
    """Whether the text after a number makes it a date or quantity: a month, unit or currency."""
    month = _MONTH.match(rest)
    first = rest.strip().partition(" ")[0].rstrip(".,;:")
    name = month["month"].casefold() if month else ""
    if month and name in MONTHS and (name not in _ALSO_OTHER_WORDS or month["date"] is not None):
        return True
    return first in UNITS or first.startswith(("€", "$", "£", "%", "‰", "°"))


def starts_title(rest: str) -> bool:
    """Whether the text begins like a title: not in lower case."""
    match = _TITLE_START.match(rest)
    return match is not None and (not match["first"].islower() or bool(match["open"]))


def starts_title_with_digits(rest: str) -> bool:
    """Whether the title itself begins with digits: ``100 Continue``, ``3GPP access``."""
    match = _TITLE_WITH_DIGITS.match(rest)
    if match is None or is_date_or_unit(match["words"]):
        return False
    is_prose = first_word(match["words"]) in PROSE_CONTINUATIONS
    return match["words"][:1].isupper() or not is_prose


def is_clause_text(rest: str, place: Place, *, has_dot: bool) -> bool:
    """Whether the text is a title or a clause's text, not prose that continues the number."""
    if place == "heading" and starts_title_with_digits(rest):
        return True
    match = _TITLE_START.match(rest)
    if match is None or is_date_or_unit(rest) or names_sub_unit(rest):
        return False
    word = first_word(rest)
    is_prose = match["first"].islower() and not match["open"]
    return not is_prose or ((place == "heading" or has_dot) and word not in PROSE_CONTINUATIONS)


def names_sub_unit(rest: str) -> bool:
    """Whether the text continues a citation: ``§ 5 Abs. 2``, but not ``5.5 Point of Sale``."""
    match = _SUB_UNIT.match(rest)
    return match is not None and match["unit"].casefold() in SUB_UNITS


def first_word(text: str) -> str:
    """Return the first word of a text, casefolded; empty if it begins with code or has none."""
    match = _FIRST_WORD.match(text)
    return match[1].casefold() if match else ""
