"""Titles that are only a numeral: ``II``, and below it ``A`` and ``B``, as in court opinions.

A numeral alone on a line may also be a cell of a table or part of a wrapped sentence. So it is a
title only if others continue it, with text between them.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from operator import attrgetter
from typing import Final, NamedTuple

from treepack.numbers.nesting import OutlineNumber, Series
from treepack.outline.titles.lines import LEAST_TEXT, Line
from treepack.outline.titles.style_reader import is_centred
from treepack.outline.titles.wording import is_capitals, is_title
from treepack.roman_numerals import roman_value

NUMERAL: Final = "numeral"
"""The style of these titles."""
_LONGEST: Final = 10  # characters: XXXIX, a full stop, and markup of bold type
_ALONE: Final = re.compile(r"([IVX]{1,5}|[A-Z])\.?")
_LABEL: Final = re.compile(r"(?:[IVX]{1,5}|[A-Z]|\d{1,3})(?:[.)]|\Z)")
_FEWEST: Final = 2  # numerals that count up; an I alone may be the pronoun
_FEWEST_LETTERS: Final = 2
_LEAST_BETWEEN: Final = 200  # characters of text between two numerals
_LAST: Final = 12  # lines of the last text that are read; a table may follow
_LONG: Final = 0.5  # share of this text that is in long lines, unlike the cells of a table


class _Numeral(NamedTuple):
    """A line that is only a numeral or a letter."""

    at: int
    text: str


def numeral_titles(lines: Sequence[Line]) -> Mapping[int, int]:
    """Return the indexes of the lines that are such titles, and how many lines each takes."""
    alone = [
        _Numeral(at, line.text.rstrip("."))
        for at, line in enumerate(lines)
        if line.end - line.start <= _LONGEST and line.is_open and _ALONE.fullmatch(line.text)
    ]
    runs = [
        run for run in _runs(alone, roman_value) if len(run) >= _FEWEST and _have_text(run, lines)
    ]
    if not runs:
        return {}  # the common case
    numerals = sorted(each.at for run in runs for each in run)
    found = list(numerals)
    for start, end in zip(numerals, [*numerals[1:], len(lines)], strict=True):
        first, last = (bisect_left(alone, at, key=attrgetter("at")) for at in (start + 1, end))
        for run in _runs(alone[first:last], _letter_value):
            if len(run) >= _FEWEST_LETTERS and _have_text(run, lines):
                found += [each.at for each in run]
    return {at: _height(lines, at) for at in sorted(found)}


def numeral_numbers(texts: Sequence[str | None]) -> Mapping[int, OutlineNumber]:
    """Return the numbers of titles that are only numerals, by index.

    Args:
        texts: The text of each such title; None for any other title.
    """
    found: dict[int, OutlineNumber] = {}
    expected = 1
    for at, text in enumerate(texts):
        sign = (text or "").rstrip(".")
        if not sign:
            continue
        value = roman_value(sign)
        if value is not None and value in {1, expected}:
            expected = value + 1
            series = Series("", "roman")
        else:
            value, series = _letter_value(sign), Series("", "letter")
        found[at] = OutlineNumber(sign, series, ((value, ""),), (sign,), is_annex=False)
    return found


def _letter_value(letter: str) -> int:
    """Return the place of a capital letter in the alphabet, from 1; 0 for several letters."""
    return ord(letter) - ord("A") + 1 if len(letter) == 1 else 0


def _runs(
    numerals: Iterable[_Numeral], value_of: Callable[[str], int | None]
) -> Iterator[list[_Numeral]]:
    """Yield the runs of numerals that count up from 1; others may come between them."""
    run: list[_Numeral] = []
    for each in numerals:
        value = value_of(each.text)
        if value == len(run) + 1:
            run.append(each)
        elif value == 1:
            yield run
            run = [each]
    yield run


def _have_text(run: Sequence[_Numeral], lines: Sequence[Line]) -> bool:
    """Whether text, mostly in long lines, follows each numeral of a run; the last may have less."""
    if not run or not _is_text(lines[run[-1].at + 1 : run[-1].at + 1 + _LAST], LEAST_TEXT):
        return False
    return all(
        _is_text(lines[each.at + 1 : after.at], _LEAST_BETWEEN) for each, after in pairwise(run)
    )


def _is_text(lines: Sequence[Line], least: int) -> bool:
    """Whether lines have at least so many characters, and most of them in long lines."""
    lengths = [line.end - line.start for line in lines]
    long = sum(length for length in lengths if length >= LEAST_TEXT)
    return sum(lengths) >= least and long > _LONG * sum(lengths)


def _height(lines: Sequence[Line], at: int) -> int:
    """Return how many lines a title takes: two if words of the title are below the numeral."""
    below = lines[at + 1]
    if _LABEL.match(below.text) or not (below.is_open and is_title(below.text)):
        return 1
    is_set = (
        is_capitals(below.text)
        or is_centred(below)
        or (below.is_after_blank and below.is_before_blank)
    )
    return 2 if is_set else 1
