"""Numbered titles that take several lines.

PDFs print them in narrow columns: ``12.3 Reading the Program``, then ``Memory``. A title below a
title looks the same. A title continues if the two words around the line end occur together
elsewhere in the text, or if its first line is open. If blank lines separate the paragraphs, it also
ends at a blank line.
"""

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, TypeAlias

from treepack.outline.titles.candidates import Candidate
from treepack.outline.titles.lines import Line
from treepack.outline.titles.page import TextLayout
from treepack.outline.titles.printed import FARTHEST
from treepack.outline.titles.wording import (
    has_capitals,
    is_caption,
    is_list_item,
    is_title,
    letters,
)

_MOST_MORE: Final = 2  # lines
_BEGUN: Final = re.compile(r"\(?[^\W_]")  # other characters may begin a block
_DATED: Final = re.compile(r"\b\d[\d.]*$")  # a date or a version
_OPEN: Final = re.compile(r"[-\ufffe/&]$|\([^)]*$")
_ABBREVIATION: Final = re.compile(r"\([A-Z][A-Z\d/, -]+\)")

_Pair: TypeAlias = tuple[str, str]
"""The words before and after a line end, casefolded."""


def with_all_lines(
    chain: Sequence[Candidate], lines: Sequence[Line], page: TextLayout, entries: Container[str]
) -> list[Candidate]:
    """Return the titles, each with the lines on which it continues.

    Args:
        chain: The chain of numbers, in order.
        lines: All lines of the text.
        page: What they have in common.
        entries: What tables of contents list, by letters; a listed title is complete.
    """
    reader = _FurtherLines(chain, lines)
    breaks = {
        title.at: found
        for title in chain
        if not _is_named(title, lines, entries)
        if (found := [*reader.breaks(title)])
    }
    said = _said({pair for found in breaks.values() for pair, _ in found}, lines)
    whole = (_whole(title, breaks.get(title.at, ()), said, lines) for title in chain)
    if not page.is_spaced:
        return list(whole)
    return [
        new if lines[new.at + new.lines - 1].is_last else title
        for title, new in zip(chain, whole, strict=True)
    ]


def _is_named(title: Candidate, lines: Sequence[Line], entries: Container[str]) -> bool:
    """Whether contents list a title with its number; an index may list a part without it."""
    own = lines[title.at : title.at + title.lines]
    return letters("".join(line.text for line in own)) in entries


class _FurtherLines:
    """Looks at the lines below each title."""

    def __init__(self, chain: Sequence[Candidate], lines: Sequence[Line]) -> None:
        self.lines = lines
        self.begun = {candidate.at for candidate in chain}

    def breaks(self, title: Candidate) -> Iterator[tuple[_Pair, bool]]:
        """Yield the line ends that may be inside a title, and whether each certainly is."""
        said, last = title.title, title.title
        first = title.at + title.lines
        for at in range(first, min(first + _MOST_MORE, len(self.lines))):
            line = self.lines[at]
            said = f"{said} {line.text}"
            if not last or at in self.begun or not self._may_go_on(title.title, line, said):
                return
            if line.number - self.lines[title.at].number > FARTHEST:
                return
            is_sure = _OPEN.search(last) or _ABBREVIATION.fullmatch(line.text)
            yield (last.casefold().split()[-1], line.text.casefold().split()[0]), bool(is_sure)
            last = line.text

    def _may_go_on(self, title: str, line: Line, said: str) -> bool:
        if not line.is_open or line.is_first:
            return False
        if not _BEGUN.match(line.text) or _DATED.search(line.text):
            return False
        if is_caption(line.text) or is_list_item(line.text) or not is_title(said):
            return False
        return has_capitals(said) or not has_capitals(title)


def _said(wanted: set[_Pair], lines: Sequence[Line]) -> set[_Pair]:
    """Return the wanted pairs of words that occur together on a line."""
    found = set[_Pair]()
    for line in lines if wanted else ():
        words = line.text.casefold().split()
        found |= wanted.intersection(pairwise(words))
    return found


def _whole(
    title: Candidate,
    breaks: Sequence[tuple[_Pair, bool]],
    said: Container[_Pair],
    lines: Sequence[Line],
) -> Candidate:
    """Return a title with the lines on which it continues."""
    more = 0
    for pair, is_sure in breaks:
        if not (is_sure or pair in said):
            break
        more += 1
    if not more:
        return title
    below = title.at + title.lines
    text = " ".join([title.title, *(line.text for line in lines[below : below + more])])
    return replace(title, lines=title.lines + more, title=text)
