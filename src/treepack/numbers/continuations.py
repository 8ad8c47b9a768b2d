"""The text after a number: a title, a clause's text, or prose that continues the number."""

import re
from typing import Final

from treepack.numbers.clause_number import Place
from treepack.numbers.words import MONTHS, PROSE_CONTINUATIONS, SUB_UNITS, UNITS

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
