"""Which numbered heading belongs below which, derived from the numbers alone.

No legal word has a fixed rank: Parts contain Chapters in one country, Chapters contain Parts in the
next. `nest` learns the rank of the words from the order of their numbers in the given document.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from treepack.numbers.heading_numbers import number_value
from treepack.numbers.words import ClauseNumber, roman_value

Key: TypeAlias = tuple[tuple[int, str], ...]
"""The parts of a number as sortable values: 5 < 5a < 6; a letter alone counts as 0."""


class Series(NamedTuple):
    """Numbers that count together: ``Part I, Part II``, but not ``Part A`` below them.

    Attributes:
        word: The word before the number, casefolded; empty for ``5.1`` and ``V2.1``.
        style: ``number``, ``roman`` or ``letter``.
    """

    word: str
    style: str


@dataclass(frozen=True, slots=True)
class OutlineNumber:
    """The number of a heading, as a position in the outline.

    Attributes:
        label: As printed: ``Article 12``.
        series: The series that it belongs to.
        key: Its parts as sortable values.
        parts: Its parts as printed.
        is_annex: Whether it names an annex, which comes last and below no other number.
    """

    label: str
    series: Series
    key: Key
    parts: tuple[str, ...]
    is_annex: bool

    def is_prefix_of(self, other: "OutlineNumber") -> bool:
        """Whether the other number extends this one: 5.1.2 extends 5.1 and Chapter 5."""
        shared = len(self.key)
        if shared >= len(other.key) or other.series.word not in {"", self.series.word}:
            return False
        return other.key[:shared] == self.key or other.parts[:shared] == self.parts

    def follows(self, other: "OutlineNumber") -> bool:
        """Whether this number comes directly after the other: 6 or 5a after 5."""
        (value, letters), (before, letters_before) = self.key[-1], other.key[-1]
        if self.series != other.series or self.key[:-1] != other.key[:-1]:
            return False
        if value == before == 0 and len(letters) == len(letters_before) == 1:  # B after A
            value, before = ord(letters), ord(letters_before)
        return self.key > other.key and value - before <= 1


def outline_numbers(
    numbers: Sequence[ClauseNumber | None], *, with_letters: bool = False
) -> list[OutlineNumber | None]:
    """Return the numbers that take part in the outline.

    Numbers in brackets, and capital letters and roman numerals unless ``with_letters``, become
    None, because they have a meaning only within the clause around them.
    """
    last: dict[str, str] = {}  # the last letter or roman numeral of each word
    return [
        _outline_number(number, last)
        if number and (not number.is_relative or (with_letters and _is_capital(number.label)))
        else None
        for number in numbers
    ]


def _is_capital(label: str) -> bool:
    return label.isalpha() and label.isupper()


# -------------------------------------------------------------------- one number

_FIRST_ROMANS: Final = "IVX"  # without a number before it, "Part C" is a letter


def _outline_number(number: ClauseNumber, last: dict[str, str]) -> OutlineNumber:
    is_id = number.kind == "requirement" and " " not in number.label
    word = "" if number.kind == "decimal" or is_id else number.word or number.kind
    word = "letter" if word == "roman" else word  # I is one after H, and a numeral before II
    first = number.parts[0]
    style, value = "number", number_value(first)
    if word and first.isalpha():
        style = "roman" if _is_roman(first, last.get(word, "")) else "letter"
        value = (roman_value(first) or 0, "") if style == "roman" else value
        last[word] = f"{style} {first}"
    key = (value, *map(number_value, number.parts[1:]))
    series = Series(word, style)
    return OutlineNumber(number.label, series, key, number.parts, number.kind == "annex")


def _is_roman(part: str, before: str) -> bool:
    """Whether a ``C`` is a numeral, judged by the number before it: XCIX, or B, or no number."""
    if roman_value(part) is None or not part.isupper():
        return False
    if len(part) > 1 or not before:
        return len(part) > 1 or part in _FIRST_ROMANS
    style, letter = before.split(" ")
    return style == "roman" or ord(part) != ord(letter[0]) + 1


# -------------------------------------------------------------------- the tree of the numbers


@dataclass(frozen=True)
class Coherence:
    """How many numbers continue the previous one.

    Attributes:
        count: How many numbers take part.
        rising: How many of them are the first below their parent or larger than the previous one.
        coherent: How many of the rising numbers have a single part, a parent, or no number of their
            series before them.
    """

    count: int
    rising: int
    coherent: int


def nest(numbers: Sequence[OutlineNumber | None]) -> tuple[list[int | None], Coherence]:
    """Return the index of the parent of each number, and how coherent the numbers are.

    The open numbers form a stack. Each number closes those that it does not belong to, and is below
    the innermost that is left.
    """
    order = SeriesOrder(numbers)
    parents: list[int | None] = [None] * len(numbers)
    path: list[tuple[int, OutlineNumber]] = []
    last: dict[tuple[int | None, Series], Key] = {}  # below each parent
    rising = coherent = 0
    for index, number in enumerate(numbers):
        if number is None:
            continue
        while path and not _is_parent(path[-1][1], number, order):
            path.pop()
        parent = parents[index] = path[-1][0] if path else None
        path.append((index, number))
        key_before = last.get((parent, number.series))
        rises = key_before is None or key_before < number.key
        is_placed = len(number.key) == 1 or parent is not None or key_before is None
        rising += rises
        coherent += rises and is_placed
        last[parent, number.series] = number.key
    return parents, Coherence(sum(map(bool, numbers)), rising, coherent)


def _is_parent(upper: OutlineNumber, number: OutlineNumber, order: "SeriesOrder") -> bool:
    """Whether a number belongs below an open one."""
    if upper.is_prefix_of(number):
        return True
    if len(number.key) > 1 and not (number.series.word and upper.series.word):
        return False
    if len(upper.key) > 1 or number.is_annex:
        return False
    if upper.is_annex:
        return upper.series != number.series
    return order.is_above(upper.series, number.series)


class SeriesOrder:
    """Which series ranks above which, learnt from the order of their numbers.

    Series A can rank above series B only if numbers of B occur between numbers of A. A is above B
    if A never comes between two rising numbers of B: Section 1 and 2 of Chapter I, Section 1 of
    Chapter II. If each comes between rising numbers of the other (Article 12, Chapter III,
    Article 13), the rarer one is above; if both are equally frequent, the one that comes first.
    """

    def __init__(self, numbers: Sequence[OutlineNumber | None]) -> None:
        self._around: set[tuple[Series, Series]] = set()  # the second is between two of the first
        self._crossed: set[tuple[Series, Series]] = set()  # between two rising numbers of the first
        self._read([number for number in numbers if number])
        counts = Counter(number.series for number in numbers if number)
        by_count = sorted(counts, key=counts.__getitem__)  # stable: first seen comes first
        self._frequency_ranks = {series: rank for rank, series in enumerate(by_count)}
        wins = Counter(outer for outer, inner in self._around if self._wins(outer, inner))
        ranked = sorted(by_count, key=lambda series: -wins[series])
        self._ranks = {series: rank for rank, series in enumerate(ranked)}

    def is_above(self, series: Series, lower: Series) -> bool:
        """Whether numbers of one series belong above those of the other."""
        return (series, lower) in self._around and self._ranks[series] < self._ranks[lower]

    def is_likely_above(self, series: Series, other: Series) -> bool:
        """Like `is_above`; if nothing decides, the rarer or first series is above."""
        if (series, other) in self._around or (other, series) in self._around:
            return self.is_above(series, other)
        return self._frequency_ranks[series] < self._frequency_ranks[other]

    def _wins(self, series: Series, other: Series) -> bool:
        is_crossed, crosses = (series, other) in self._crossed, (other, series) in self._crossed
        is_rarer = self._frequency_ranks[series] < self._frequency_ranks[other]
        return is_rarer if is_crossed == crosses else is_crossed

    def _read(self, numbers: Sequence[OutlineNumber]) -> None:
        seen: list[Series] = []  # ordered by when they were last seen
        last: dict[Series, Key] = {}
        for number in numbers:
            series = number.series
            if series in last:
                position = seen.index(series)
                between = [(series, other) for other in seen[position + 1 :]]
                self._around.update(between)
                if last[series] < number.key:
                    self._crossed.update(between)
                del seen[position]
            seen.append(series)
            last[series] = number.key
