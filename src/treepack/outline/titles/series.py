"""Titles that are numbered with a word of their own: Note 1, Note 2; Lesson 1, Lesson 2.

The word is not a legal one, so that only bold type or a larger font shows them as titles. Other
titles that come between them belong below them.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from treepack.numbers.nesting import OutlineNumber, Series

_WORD_AND_NUMBER: Final = re.compile(r"(?P<word>[^\W\d_]{3,})\s+(?P<number>\d{1,3})[A-Z]?(?!\w)")
_FEWEST: Final = 3
_LEAST_CONSECUTIVE: Final = 0.8  # share of neighbouring pairs whose second number is the next one
_MOST_FOR_EACH: Final = 3  # counted titles for each of the other titles


def counted_titles(texts: Sequence[str | None]) -> Mapping[int, OutlineNumber]:
    """Return the numbers of titles that are numbered with a word, by index.

    Args:
        texts: The text of each title; None for a title whose number is known.
    """
    by_word: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for index, text in enumerate(texts):
        if text is not None and (match := _WORD_AND_NUMBER.match(text)):
            by_word[match["word"].casefold()].append((index, int(match["number"])))
    return {
        index: _outline_number(word, number)
        for word, members in by_word.items()
        if _are_series(members, texts)
        for index, number in members
    }


def _are_series(members: Sequence[tuple[int, int]], texts: Sequence[str | None]) -> bool:
    """Whether titles count up and have others between them, unlike the steps of a list.

    They may restart only if a number between them begins another part of the document.
    """
    if len(members) < _FEWEST:
        return False
    consecutive = others = 0
    for (index, number), (next_index, following) in pairwise(members):
        between = texts[index + 1 : next_index]
        if following <= number and None not in between:
            return False
        consecutive += following - number == 1
        others += len(between)
    is_counting = consecutive >= _LEAST_CONSECUTIVE * (len(members) - 1)
    return is_counting and others * _MOST_FOR_EACH >= len(members)


def _outline_number(word: str, number: int) -> OutlineNumber:
    text = str(number)
    return OutlineNumber(text, Series(word, "number"), ((number, ""),), (text,), is_annex=False)
