"""Which headings have a clause number, decided with all headings of a document.

``10 Tips`` and ``10 Usability`` look the same; only a heading 9, 11 or 10.1 distinguishes them.
Dotted numbers that fall from heading to heading are the versions of a change log.
"""

from collections.abc import Iterable, Mapping, Sequence
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
    confirming = {key for number in numbers if number for key in _confirming_keys(number)}
    return [
        number if number is None or _is_confirmed(number, confirming) else None
        for number in numbers
    ]


def number_of_title(title: str) -> ClauseNumber | None:
    """Return the clause number of a title, or None; only other headings can confirm it."""
    return _cached_number(title) if len(title) <= _SHORT_TITLE else _read_number(title)


def _read_number(title: str) -> ClauseNumber | None:
    return parse_clause(title) or read_inserted(title)


_cached_number: Final = lru_cache(_CACHE_SIZE)(_read_number)


def ordinals_of_headings(
    headings: Iterable[ClauseNumber], texts: Iterable[ClauseNumber]
) -> dict[str, set[int]]:
    """Return the ordinals of the named clauses that headings have, by kind: chapters 1, 2.

    A kind is left out if texts have more further ordinals than the headings have, because then
    headings have only some of its clauses.
    """
    in_headings = _named_ordinals(headings)
    in_texts = _named_ordinals(texts) if in_headings else {}
    return {
        kind: ordinals
        for kind, ordinals in in_headings.items()
        if len(in_texts.get(kind, ordinals) - ordinals) <= len(ordinals)
    }


def _named_kind(number: ClauseNumber) -> str:
    """Return the kind of a named clause, or ``§``: a § 1 in an article is not the Section 1."""
    return "§" if number.label[0] == "§" else number.kind


def _named_ordinals(numbers: Iterable[ClauseNumber]) -> dict[str, set[int]]:
    ordinals: dict[str, set[int]] = {}
    for number in numbers:
        if (ordinal := _ordinal(number)) is not None:
            ordinals.setdefault(_named_kind(number), set()).add(ordinal)
    return ordinals


def is_mere_mention(number: ClauseNumber, headings: Mapping[str, set[int]]) -> bool:
    """Whether ``CHAPTER 3`` in a text is not a chapter, because the headings have the chapters.

    It is a chapter only if it fills a gap: no heading has its number, but headings have the numbers
    beside it. Otherwise it is a title page, a contents entry, a page header, or half of a title.
    """
    ordinals, ordinal = headings.get(_named_kind(number), ()), _ordinal(number)
    if not ordinals or ordinal is None:
        return False
    return ordinal in ordinals or not (ordinal - 1 in ordinals or ordinal + 1 in ordinals)


def _ordinal(number: ClauseNumber) -> int | None:
    """Return the ordinal of a clause such as ``Part C`` or ``Chapter III``; None for ``§ 5a``."""
    if number.is_relative or number.kind in {"decimal", "requirement"} or len(number.parts) != 1:
        return None
    part = number.parts[0]
    if (roman := roman_value(part)) is not None:
        return roman
    if part[0].isdigit():
        return int(part) if part.isdecimal() else None  # headings have 20, and a text 20 bis
    return ord(part[0])


@lru_cache(_CACHE_SIZE)
def number_value(part: str) -> tuple[int, str]:
    """Return the sortable value of a numeric part: 5 < 5a, 5-A < 6; letters alone count as 0."""
    digits = part.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ").rstrip("-")
    return (int(digits), part[len(digits) :]) if digits.isdecimal() else (0, part)


def _is_change_log(numbers: Sequence[ClauseNumber]) -> bool:
    keys = [tuple(map(number_value, number.parts)) for number in numbers]
    falling = sum(after < before for before, after in pairwise(keys))
    return falling > len(keys) // 2


def _needs_confirmation(number: ClauseNumber) -> bool:
    if number.is_relative:
        return True
    return len(number.parts) == 1 and (
        number.kind == "decimal" or (number.kind == "requirement" and number.label[1:].isdecimal())
    )


def _confirming_keys(number: ClauseNumber) -> list[tuple[str, str | int]]:
    """Return what a number confirms in others: its first part, or its value in its series."""
    if not _needs_confirmation(number):
        return [("first", number.parts[0])] if len(number.parts) > 1 else []
    if number.kind == "decimal" and not number.parts[0].isdecimal():
        return []  # 5A, which may be a 5G
    return _series_values(number)


def _series_values(number: ClauseNumber) -> list[tuple[str, str | int]]:
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


def _is_confirmed(number: ClauseNumber, confirming: set[tuple[str, str | int]]) -> bool:
    if not _needs_confirmation(number) or ("first", number.parts[0]) in confirming:
        return True
    return any(
        (kind, value + difference) in confirming
        for kind, value in _series_values(number)
        if isinstance(value, int)
        for difference in (-1, 1)
    )
