"""Which headings have a clause number, decided with all headings of a document.

``10 Tips`` and ``10 Usability`` look the same; only a heading 9, 11 or 10.1 distinguishes them.
Dotted numbers that fall from heading to heading are the versions of a change log.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from treepack.numbers.clause_number import ClauseNumber
from treepack.numbers.decimals import read_inserted
from treepack.numbers.grammar import parse_clause
from treepack.roman_numerals import roman_value

# The most titles that are cached: the outline reads them first, the clauses read them again.
_CACHE_SIZE: Final = 4096
_SHORT_TITLE: Final = 200  # characters


def heading_numbers(titles: Sequence[str]) -> list[ClauseNumber | None]:
    """Return the clause number of each heading, or None."""
    numbers = [number_of_title(title) for title in titles]
    if not any(numbers):
        return numbers  # the common case
    if _is_change_log([n for n in numbers if n and n.kind == "decimal" and len(n.parts) > 1]):
        numbers = [None if number and number.kind == "decimal" else number for number in numbers]
    numbers = _with_brackets(numbers)
    known: set[tuple[str, str | int]] = {
        ("first", number.parts[0]) for number in numbers if number and len(number.parts) > 1
    }
    for number in filter(None, numbers):
        known |= _values(number)
    return [number if number and _is_confirmed(number, known) else None for number in numbers]


def number_of_title(title: str) -> ClauseNumber | None:
    """Return the clause number of a title, or None; only other headings can confirm it."""
    return _cached_number(title) if len(title) <= _SHORT_TITLE else _read_number(title)


def _read_number(title: str) -> ClauseNumber | None:
    return parse_clause(title) or read_inserted(title)


_cached_number: Final = lru_cache(_CACHE_SIZE)(_read_number)


@lru_cache(_CACHE_SIZE)
def number_value(part: str) -> tuple[int, str]:
    """Return the sortable value of a numeric part: 5 < 5a, 5-A < 6; letters alone count as 0."""
    digits = part.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ").rstrip("-")
    return (int(digits), part[len(digits) :]) if digits.isdecimal() else (0, part)


def _is_change_log(numbers: Sequence[ClauseNumber]) -> bool:
    keys = [tuple(map(number_value, number.parts)) for number in numbers]
    falling = sum(after < before for before, after in pairwise(keys))
    return falling > len(keys) // 2


def _with_brackets(numbers: Sequence[ClauseNumber | None]) -> list[ClauseNumber | None]:
    """Return the numbers of headings, with ``(1)`` as a decimal if a ``(1.1)`` is among them."""
    if not any(n and n.kind == "decimal" and n.label[0] in "([" for n in numbers):
        return [*numbers]
    return [
        ClauseNumber("decimal", n.label, n.parts) if n and n.kind == "paragraph" else n
        for n in numbers
    ]


def _values(number: ClauseNumber) -> set[tuple[str, int]]:
    """Return the values that a number may have, by its style; empty if it needs no others.

    Only a single number needs others to confirm it; of an inserted 5A, which may be a 5G, only the
    first part counts.
    """
    if number.parts[1:] or not (number.is_relative or number.kind == "decimal"):
        return set()
    part = number.parts[0]
    if part[0].isdigit():
        return {("number", number_value(part)[0])}
    style = "upper" if part.isupper() else "lower"
    found = {(f"letter {style}", ord(part[0]))}
    roman = roman_value(part)
    return found if roman is None else found | {(f"roman {style}", roman)}


def _is_confirmed(number: ClauseNumber, known: set[tuple[str, str | int]]) -> bool:
    """Whether a number needs no confirmation, or its neighbour or a number below it is known."""
    values = _values(number)
    return (
        not values
        or ("first", number.parts[0]) in known
        or any((style, value + step) in known for style, value in values for step in (-1, 1))
    )
