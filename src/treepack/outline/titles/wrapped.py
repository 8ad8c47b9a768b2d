"""Numbered titles that take several lines.

PDFs print them in narrow columns: ``12.3 Reading the Program``, then ``Memory``. A title below a
title looks the same. So a title continues only if the two words around the line end occur together
elsewhere in the text. If blank lines separate the paragraphs, it also ends at a blank line.
"""

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, TypeAlias

from treepack.outline.titles.candidates import Candidate
from treepack.outline.titles.layout import TextLayout
from treepack.outline.titles.lines import Line
from treepack.outline.titles.wording import has_capitals, is_caption, is_list_item, is_title

_MOST_MORE: Final = 2  # lines

_Pair: TypeAlias = tuple[str, str]
"""The words before and after a line end, casefolded."""


def with_all_lines(chain: Sequence[Candidate], layout: TextLayout) -> list[Candidate]:
    """Return the titles of a chain of numbers, each with the lines on which it continues."""
    lines, starts = layout.lines, {title.line_index for title in chain}
    breaks = [[*_breaks(title, starts, lines)] for title in chain]
    wanted = {pair for pairs in breaks for pair in pairs}
    joined = set[_Pair]()  # pairs of words that occur together on a line
    for line in lines if wanted else ():
        joined |= wanted.intersection(pairwise(line.text.casefold().split()))
    extended = [
        _with_further_lines(title, pairs, joined, lines)
        for title, pairs in zip(chain, breaks, strict=True)
    ]
    if not layout.is_spaced:
        return extended
    return [
        new if lines[new.line_index + new.line_count - 1].is_before_blank else title
        for title, new in zip(chain, extended, strict=True)
    ]


def _breaks(title: Candidate, starts: Container[int], lines: Sequence[Line]) -> Iterator[_Pair]:
    """Yield the line ends that may be inside a title; numbers of the chain begin on ``starts``."""
    joined = last = title.title
    first = title.line_index + title.line_count
    for index in range(first, min(first + _MOST_MORE, len(lines))):
        line = lines[index]
        joined = f"{joined} {line.text}"
        if not last or index in starts or not _may_continue(title.title, line, joined):
            return
        yield last.casefold().split()[-1], line.text.casefold().split()[0]
        last = line.text


def _may_continue(title: str, line: Line, joined: str) -> bool:
    if not line.is_open or line.starts_page or is_caption(line.text) or is_list_item(line.text):
        return False
    return is_title(joined) and (has_capitals(joined) or not has_capitals(title))


def _with_further_lines(
    title: Candidate, pairs: Sequence[_Pair], joined: Container[_Pair], lines: Sequence[Line]
) -> Candidate:
    """Return a title with the lines on which it continues."""
    more = next((count for count, pair in enumerate(pairs) if pair not in joined), len(pairs))
    if not more:
        return title
    below = title.line_index + title.line_count
    text = " ".join([title.title, *(line.text for line in lines[below : below + more])])
    return replace(title, line_count=title.line_count + more, title=text)
