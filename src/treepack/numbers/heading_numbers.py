"""Which headings have a clause number, decided with all headings of a document.

``10 Tips`` and ``10 Usability`` look the same; only a heading 9, 11 or 10.1 distinguishes them.
Dotted numbers that fall from heading to heading are the versions of a change log. ``1.0 Scope``
above 1.1 means 1 if ``2.0 Terms`` follows.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from treepack.numbers.clause_number import ClauseNumber
from treepack.numbers.decimals import read_inserted
from treepack.numbers.grammar import parse_clause
from treepack.roman_numerals import roman_value

# The most titles that are cached: the outline reads them first, the clauses read them again.
_REMEMBERED: Final = 4096
_SHORT_TITLE: Final = 200  # characters
_WORD: Final = re.compile(r"[^\W\d_]{2}")


def heading_numbers(titles: Sequence[str]) -> list[ClauseNumber | None]:
    """Return the clause number of each heading, or None.

    Args:
        titles: The plain text of all headings of one document, in source order.
    """
    found = [number_of_title(title) for title in titles]
    if not any(found):
        return found  # the common case
    dotted = [
        (title, n)
        for title, n in zip(titles, found, strict=True)
        if n and n.kind == "decimal" and len(n.parts) > 1
    ]
    if _is_change_log([n for _, n in dotted]):
        found = [None if n and n.kind == "decimal" else n for n in found]
    elif all(_has_word(title) for title, _ in dotted):
        zeros = opened_by_zero(n.parts for n in found if n and n.kind == "decimal")
        found = [n and without_zero(n, zeros) for n in found] if zeros else found
    company = {key for number in found if number for key in _keys(number)}
    return [n if n is None or _has_company(n, company) else None for n in found]


def opened_by_zero(numbers: Iterable[tuple[str, ...]], *, may_lack: bool = False) -> set[str]:
    """Return the first parts N for which a document prints N.0: 1.0, 1.1, 1.2, 2.0, 2.1.

    Such numbers rise, or restart with 1.0, and N.1 comes only between N.0 and the next one.

    Args:
        numbers: The parts of the document's dotted and plain numbers, in source order.
        may_lack: Whether one in five chapters may lack its N.0, because not all titles are found.
    """
    zeros: list[str] = []
    lacking: set[str] = set()
    last = ""
    is_continued = False
    for parts in numbers:
        first = parts[0]
        if len(parts) == 1 or not first.isdecimal():
            if first.isdecimal():
                return set()
        elif parts[1:] == ("0",):
            if zeros and 1 < int(first) <= int(last):
                return set()
            zeros.append(first)
            last = first
        elif first == last:
            is_continued = is_continued or first not in lacking
        elif may_lack and zeros and int(first) > int(last):
            lacking.add(first)
            last = first
        else:
            return set()
    is_usual = is_continued and zeros[1:] and 4 * len(lacking) <= len(zeros)
    return set(zeros) if is_usual else set()


def without_zero(number: ClauseNumber, zeros: Collection[str]) -> ClauseNumber:
    """Return the number with the parts of 1 if it is a ``1.0`` that means 1.

    Args:
        number: The number; its label stays as it is printed.
        zeros: The result of `opened_by_zero`.
    """
    if number.kind != "decimal" or number.parts[1:] != ("0",) or number.parts[0] not in zeros:
        return number
    return ClauseNumber(number.kind, number.label, number.parts[:1])


def _has_word(title: str) -> bool:
    return _WORD.search(title) is not None


def number_of_title(title: str) -> ClauseNumber | None:
    """Return the clause number of a title, or None; only other headings can confirm it."""
    return _short(title) if len(title) <= _SHORT_TITLE else _number_in(title)


@lru_cache(_REMEMBERED)
def _short(title: str) -> ClauseNumber | None:
    return _number_in(title)


def _number_in(title: str) -> ClauseNumber | None:
    return parse_clause(title) or read_inserted(title)


def kinds_of_headings(
    headings: Iterable[ClauseNumber], texts: Iterable[ClauseNumber]
) -> dict[str, set[int]]:
    """Return the ordinals of the named clauses that headings have, by kind: chapters 1, 2.

    A kind is left out if texts have more further ordinals than the headings have, because then
    headings have only some of its clauses.
    """
    found = _named_ordinals(headings)
    others = _named_ordinals(texts) if found else {}
    return {
        kind: places
        for kind, places in found.items()
        if len(others.get(kind, places) - places) <= len(places)
    }


def _named_kind(number: ClauseNumber) -> str:
    """Return the kind of a named clause, or ``§``: a § 1 in an article is not the Section 1."""
    return "§" if number.label[0] == "§" else number.kind


def _named_ordinals(numbers: Iterable[ClauseNumber]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for number in numbers:
        if (place := _ordinal(number)) is not None:
            found.setdefault(_named_kind(number), set()).add(place)
    return found


def is_said_apart(number: ClauseNumber, headings: Mapping[str, set[int]]) -> bool:
    """Whether ``CHAPTER 3`` in a text is not a chapter, because the headings have the chapters.

    It is a chapter only if it fills a gap: no heading has its number, but headings have the numbers
    beside it. Otherwise it is a title page, a contents entry, a page header, or half of a title.
    """
    places, own = headings.get(_named_kind(number), ()), _ordinal(number)
    if not places or own is None:
        return False
    return own in places or not (own - 1 in places or own + 1 in places)


def _ordinal(number: ClauseNumber) -> int | None:
    """Return the ordinal of a clause such as ``Part C`` or ``Chapter III``; None for ``§ 5a``."""
    if number.is_relative or number.kind in {"decimal", "requirement"} or len(number.parts) != 1:
        return None
    part = number.parts[0]
    if (roman := roman_value(part)) is not None:
        return roman
    if part[0].isdigit():
        return int(part) if part.isdecimal() else None  # headings have 20, and a text 20 bis
    return None if part[0].islower() and "-" in part else ord(part[0])  # "adicional-1"


@lru_cache(_REMEMBERED)
def number_value(part: str) -> tuple[int, str]:
    """Return the sortable value of a numeric part: 5 < 5a, 5-A < 6; letters alone count as 0."""
    digits = part.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ").rstrip("-")
    return (int(digits), part[len(digits) :]) if digits.isdecimal() else (0, part)


def _is_change_log(numbers: Sequence[ClauseNumber]) -> bool:
    keys = [tuple(map(number_value, number.parts)) for number in numbers]
    falling = sum(after < before for before, after in pairwise(keys))
    return falling > len(keys) // 2


def _needs_company(number: ClauseNumber) -> bool:
    if number.is_relative:
        return True
    return len(number.parts) == 1 and (
        number.kind == "decimal" or (number.kind == "requirement" and number.label[1:].isdecimal())
    )


def _keys(number: ClauseNumber) -> list[tuple[str, str | int]]:
    """Return what a number confirms in others: its first part, or its value in its series."""
    if not _needs_company(number):
        return [("first", number.parts[0])] if len(number.parts) > 1 else []
    return [] if _has_letters(number) else list(_values(number))


def _has_letters(number: ClauseNumber) -> bool:
    """Whether a number is like ``5A``, which may be a ``5G``, so that it confirms no other."""
    return number.kind == "decimal" and not number.parts[0].isdecimal()


def _values(number: ClauseNumber) -> list[tuple[str, str | int]]:
    """Return the value of a number that needs confirmation, in each series it may belong to."""
    part = number.parts[0]
    style = "upper" if part.isupper() else "lower"
    values: list[tuple[str, str | int]] = []
    if number.kind in {"decimal", "paragraph"}:
        values.append(("number", number_value(part)[0]))
    elif number.kind == "requirement":
        values.append((part[0], int(part[1:])))
    else:
        if len(part) == 1:
            values.append((f"letter {style}", ord(part)))
        if (roman := roman_value(part)) is not None:
            values.append((f"roman {style}", roman))
    return values


def _has_company(number: ClauseNumber, company: set[tuple[str, str | int]]) -> bool:
    if not _needs_company(number) or ("first", number.parts[0]) in company:
        return True
    return any(
        (kind, value + step) in company
        for kind, value in _values(number)
        if isinstance(value, int)
        for step in (-1, 1)
    )
