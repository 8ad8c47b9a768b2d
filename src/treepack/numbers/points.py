"""The labels of points: in brackets, as in ``(1)``, ``a)`` and ``(iv)``, or with a degree sign."""

import re
from functools import lru_cache
from typing import Final

from treepack.numbers.clause_number import ClauseNumber, Place
from treepack.numbers.words import ClauseKind
from treepack.roman_numerals import roman_value

_CACHE_SIZE: Final = 1024  # labels in brackets
_BRACKETED: Final = re.compile(r"(?P<open>\(?)(?P<label>\d{1,3}[a-z]{0,2}|[A-Za-z]{1,5})\)(?!\S)")
_COPYRIGHT: Final = re.compile(r"\([cC]\)\s*(?:\d{4}|Copyright)|.{0,40}\bCopyright\b")


def read_bracketed(text: str, _place: Place) -> ClauseNumber | None:
    """Read ``(1)``, ``(12a)``, ``(a)``, ``a)``, ``(aa)`` or ``(iv)``; not words in brackets."""
    match = _BRACKETED.match(text)
    if match is None:
        return None
    label = match["label"]
    if label in "cC" and _COPYRIGHT.match(text):
        return None
    return _bracketed_number(match[0], label)


@lru_cache(_CACHE_SIZE)
def _bracketed_number(printed: str, label: str) -> ClauseNumber | None:
    """Return the number of a label in brackets; None if a word is in them."""
    kind = "paragraph" if label[0].isdigit() else _letter_kind(label)
    return ClauseNumber(kind, printed, (label,)) if kind else None


def _letter_kind(label: str) -> ClauseKind | None:
    """Return ``roman`` or ``letter``; doubled letters and inserted ones (``ba``) are letters."""
    if len(label) == 1:
        return "roman" if label in "ivxIVX" else "letter"
    if roman_value(label) is not None and (label.islower() or label.isupper()):
        return "roman"
    is_inserted = label[1:] in {"a", "b"} and label.islower()  # "ba" comes after "b"
    return "letter" if len(set(label)) == 1 or is_inserted else None


_DEGREE: Final = re.compile(
    r"(?P<number>\d{1,2})°(?:[ \u00a0\u202f](?P<insert>bis|ter|quater)(?!\w)|)"
    r"(?=[ \u00a0\u202f]{1,3}[(«\"“]?[ \u00a0\u202f]?[^\W\d_]{2})"
)


def read_degree(text: str, place: Place) -> ClauseNumber | None:
    """Read ``1°`` or ``2° bis``: the points of French law; in a heading they are degrees."""
    match = _DEGREE.match(text) if place == "text" else None
    if match is None:
        return None
    return ClauseNumber("paragraph", match[0], (match["number"] + (match["insert"] or ""),))
