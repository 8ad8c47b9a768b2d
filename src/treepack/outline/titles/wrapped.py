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
from treepack.outline.titles.layout import TextLayout
from treepack.outline.titles.lines import Line
from treepack.outline.titles.printed import FARTHEST
from treepack.outline.titles.wording import (
    has_capitals,
    is_caption,
    is_list_item,
    is_title,
    letters,
)

_MOST_MORE: Final = 2  # lines
_CONTINUATION_START: Final = re.compile(r"\(?[^\W_]")  # other characters may begin a block
_DATE_END: Final = re.compile(r"\b\d[\d.]*$")  # a date or a version
_OPEN: Final = re.compile(r"[-\ufffe/&]$|\([^)]*$")
_ABBREVIATION: Final = re.compile(r"\([A-Z][A-Z\d/, -]+\)")

_Pair: TypeAlias = tuple[str, str]
"""The words before and after a line end, casefolded."""


def with_all_lines(
    chain: Sequence[Candidate], layout: TextLayout, entries: Container[str]
) -> list[Candidate]:
    """Return the titles, each with the lines on which it continues.

    Args:
        chain: The chain of numbers, in order.
        layout: All lines, and what they have in common.
        entries: What tables of contents list, by letters; a listed title is complete.
    """
    lines, starts = layout.lines, {title.line_index for title in chain}
    breaks = {
        title.line_index: ends
        for title in chain
        if not _is_in_toc(title, lines, entries)
        if (ends := [*_breaks(title, starts, lines)])
    }
    joined_pairs = _pairs_on_lines({pair for ends in breaks.values() for pair, _ in ends}, lines)
    extended = (
        _with_further_lines(title, breaks.get(title.line_index, ()), joined_pairs, lines)
        for title in chain
    )
    if not layout.is_spaced:
        return list(extended)
    return [
        new if lines[new.line_index + new.line_count - 1].is_before_blank else title
        for title, new in zip(chain, extended, strict=True)
    ]


def _is_in_toc(title: Candidate, lines: Sequence[Line], entries: Container[str]) -> bool:
    """Whether contents list a title with its number; an index may list a part without it."""
    title_lines = lines[title.line_index : title.line_index + title.line_count]
    return letters("".join(line.text for line in title_lines)) in entries


def _breaks(
    title: Candidate, starts: Container[int], lines: Sequence[Line]
) -> Iterator[tuple[_Pair, bool]]:
    """Yield the line ends that may be inside a title, and whether each certainly is.

    Args:
        title: The title.
        starts: The indexes of lines on which numbers of the chain are.
        lines: All lines of the text.
    """
    joined, last = title.title, title.title
    first = title.line_index + title.line_count
    for index in range(first, min(first + _MOST_MORE, len(lines))):
        line = lines[index]
        joined = f"{joined} {line.text}"
        if not last or index in starts or not _may_continue(title.title, line, joined):
            return
        if line.number - lines[title.line_index].number > FARTHEST:
            return
        is_certain = _OPEN.search(last) or _ABBREVIATION.fullmatch(line.text)
        yield (last.casefold().split()[-1], line.text.casefold().split()[0]), bool(is_certain)
        last = line.text


def _may_continue(title: str, line: Line, joined: str) -> bool:
    if not line.is_open or line.starts_page:
        return False
    if not _CONTINUATION_START.match(line.text) or _DATE_END.search(line.text):
        return False
    if is_caption(line.text) or is_list_item(line.text) or not is_title(joined):
        return False
    return has_capitals(joined) or not has_capitals(title)


def _pairs_on_lines(wanted: set[_Pair], lines: Sequence[Line]) -> set[_Pair]:
    """Return the wanted pairs of words that occur together on a line."""
    pairs = set[_Pair]()
    for line in lines if wanted else ():
        words = line.text.casefold().split()
        pairs |= wanted.intersection(pairwise(words))
    return pairs


def _with_further_lines(
    title: Candidate,
    breaks: Sequence[tuple[_Pair, bool]],
    joined_pairs: Container[_Pair],
    lines: Sequence[Line],
) -> Candidate:
    """Return a title with the lines on which it continues."""
    more = 0
    for pair, is_certain in breaks:
        if not (is_certain or pair in joined_pairs):
            break
        more += 1
    if not more:
        return title
    below = title.line_index + title.line_count
    text = " ".join([title.title, *(line.text for line in lines[below : below + more])])
    return replace(title, line_count=title.line_count + more, title=text)
