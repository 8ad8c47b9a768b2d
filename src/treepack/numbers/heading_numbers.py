"""Which headings have a clause number, decided with all headings of a document.

``10 Tips`` and ``10 Usability`` look the same; only a heading 9, 11 or 10.1 distinguishes them.
Dotted numbers that fall from heading to heading are the versions of a change log.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from treepack.numbers.decimals import read_inserted
from treepack.numbers.grammar import parse_clause
from treepack.numbers.words import ClauseNumber, roman_value

_PART: Final = re.compile(r"(?P<before>\D*)(?P<value>\d+)(?P<after>.*)", re.DOTALL)
_DIGITS: Final = re.compile(r"\d+")


def heading_numbers(titles: Sequence[str]) -> list[ClauseNumber | None]:
    """Return the clause number of each heading, or None."""
    numbers = [*map(number_of_title, titles)]
    if not any(numbers):
        return numbers  # the common case
    dotted = [n for n in numbers if n and n.kind == "decimal" and len(n.parts) > 1]
    if _is_change_log(dotted):
        numbers = [None if number and number.kind == "decimal" else number for number in numbers]
    if any(number.label[0] in "([" for number in dotted):  # (1.1) below (1)
        numbers = [
            ClauseNumber("decimal", n.label, n.parts) if n and n.kind == "paragraph" else n
            for n in numbers
        ]
    known = {key for number in numbers if number for key in _keys(number)}
    firsts = {number.parts[0] for number in numbers if number and len(number.parts) > 1}
    return [n if n and _is_confirmed(n, known, firsts) else None for n in numbers]


@lru_cache(4096)  # titles; the outline reads them first, the clauses read them again
def number_of_title(title: str) -> ClauseNumber | None:
    """Return the clause number of a title, or None; only other headings can confirm it."""
    return parse_clause(title) or read_inserted(title)


@lru_cache(4096)  # parts
def number_value(part: str) -> tuple[int, str]:
    """Return the sortable value of a part: 5 < 5a, 5-9 < 5-10 < 6; letters alone count as 0."""
    match = None if part.isdecimal() else _PART.fullmatch(part)
    if match is None:
        return (int(part), "") if part.isdecimal() else (0, part)
    after = _DIGITS.sub(lambda digits: digits[0].zfill(4), match["after"])
    return int(match["value"]), match["before"] + after


def _is_change_log(numbers: Sequence[ClauseNumber]) -> bool:
    keys = [tuple(map(number_value, number.parts)) for number in numbers]
    falling = sum(after < before for before, after in pairwise(keys))
    return falling > len(keys) // 2


def _keys(number: ClauseNumber) -> Iterator[tuple[str, int]]:
    """Yield the value of a number in each series it may belong to.

    It has none if it needs no others to confirm it, as those with a word or several parts.
    """
    part = number.parts[0]
    if len(number.parts) > 1:
        return
    if number.is_relative or number.kind == "decimal":
        style = "upper" if part.isupper() else "lower"
        if part[0].isdigit():
            yield "number", number_value(part)[0]
        else:
            yield f"letter {style}", ord(part) if len(part) == 1 else 0
        if (roman := roman_value(part)) is not None:
            yield f"roman {style}", roman
    elif number.kind == "requirement" and number.label[1:].isdecimal():
        yield part[0], int(part[1:])


def _is_confirmed(number: ClauseNumber, known: set[tuple[str, int]], firsts: set[str]) -> bool:
    """Whether a number needs no confirmation, or its neighbour or a number below it is known."""
    keys = [*_keys(number)]
    return (
        not keys
        or number.parts[0] in firsts
        or any(not known.isdisjoint({(name, at - 1), (name, at + 1)}) for name, at in keys)
    )
