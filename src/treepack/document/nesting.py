"""Which numbered heading another numbered heading belongs below, told by the numbers alone."""

from collections.abc import Sequence
from dataclasses import dataclass

from treepack.document.clause_number import ClauseNumber
from treepack.document.clause_words import DIVISIONS, roman_value
from treepack.document.numbering import number_value


@dataclass(frozen=True, slots=True)
class Nesting:
    """The tree that numbers tell.

    Attributes:
        is_numbered: For each heading, whether its number takes part: letters, roman numerals and
            numbers in brackets do not, as they say nothing without the clause around them.
        parents: For each heading, the place of the numbered heading it belongs below.
        count: How many numbers take part.
        rising: How many of them come behind a smaller one of the same parent, or first.
        coherent: How many of those stand below their parent, too, where their number names one.
    """

    is_numbered: tuple[bool, ...]
    parents: tuple[int | None, ...]
    count: int
    rising: int
    coherent: int


_Key = tuple[tuple[int, str], ...]


@dataclass(slots=True)
class _Open:
    place: int
    number: ClauseNumber
    key: _Key


def nest(numbers: Sequence[ClauseNumber | None]) -> Nesting:
    """Find the parent of each number, from the first to the last."""
    is_numbered = tuple(number is not None and not number.is_relative for number in numbers)
    parents: list[int | None] = [None] * len(numbers)
    path: list[_Open] = []
    last: dict[tuple[int | None, bool], tuple[int, _Key]] = {}
    rising = coherent = 0
    for at, number in enumerate(numbers):
        if number is None or not is_numbered[at]:
            continue
        entry = _Open(at, number, _key(number))
        _pop(path, entry)
        parent = path[-1].place if path else None
        parents[at] = parent
        group = (parent, _is_dotted(number))
        rank = number.rank
        before = last.get(group)
        is_new = before is None or before[0] != rank
        rises = is_new or (before is not None and before[1] < entry.key)
        is_placed = len(entry.key) == 1 or bool(path) or before is None
        rising += rises
        coherent += rises and is_placed
        last[group] = (rank, entry.key)
        path.append(entry)
    return Nesting(is_numbered, tuple(parents), sum(is_numbered), rising, coherent)


def _pop(path: list[_Open], entry: _Open) -> None:
    """Leave on the path what the new number belongs below."""
    while path and not _holds(path[-1], entry):
        path.pop()


def _holds(above: _Open, entry: _Open) -> bool:
    if _is_dotted(entry.number):
        shared = len(above.key)
        same = entry.key[:shared] == above.key or entry.number.parts[:shared] == above.number.parts
        if shared < len(entry.key) and same:
            return True
        # "1 Scope" restarts below a part or an annex; "7 Index" behind an annex does not.
        is_part = above.number.kind in DIVISIONS
        is_restart = above.number.kind == "annex" and entry.key[0][0] == 1
        return len(entry.key) == 1 and (is_part or is_restart)
    if _is_dotted(above.number):
        return False
    return above.number.rank < entry.number.rank


def _is_dotted(number: ClauseNumber) -> bool:
    return number.kind == "decimal" or (number.kind == "requirement" and " " not in number.label)


def _key(number: ClauseNumber) -> _Key:
    """Parts as values that are ordered; ``IV`` is 4 behind a word, ``A`` stays a letter."""
    values: list[tuple[int, str]] = []
    for part in number.parts:
        roman = roman_value(part) if not _is_dotted(number) and part.isupper() else None
        if part.isdecimal() or not part[0].isalpha() or not part[1:].isdecimal():
            values.append((roman, "") if roman is not None else number_value(part))
        else:
            values.append((int(part[1:]), part[0]))  # V2
    return tuple(values)
