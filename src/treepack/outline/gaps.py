"""Gaps for page furniture, with the blank lines around it if a sentence continues across it."""

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from treepack.line_ends import with_line_feeds
from treepack.markdown.page_marks import PAGE_FURNITURE
from treepack.model.blocks import Span
from treepack.model.source import LINE_END
from treepack.outline.page_breaks import sentence_continues

PIPE: Final = "|"
"""The first character of a table row, which is text."""
_SEARCHED_AT_ONCE: Final = 130  # characters that are searched at once
_LINE_END_OR_FEED: Final = re.compile(r"[\n\r\f]")
_MOST_ABOVE: Final = 20_000  # characters above a line that are searched for a blank line


def furniture_gaps(
    text: str, pages: Sequence[Sequence[Span]], furniture: AbstractSet[Span]
) -> Iterator[Span]:
    """Yield the spans of furniture, with all that separates the two lines of a split paragraph."""
    before: Span | None = None
    waiting: list[Span] = []
    for page in pages:
        for span in page:
            if span in furniture:
                waiting.append(span)
                continue
            if waiting:
                joined = _span_between(text, before, span) if before else None
                yield from [joined] if joined else _whole_lines(text, waiting)
            before, waiting = span, []
    yield from _whole_lines(text, waiting)


def _span_between(text: str, before: Span, after: Span) -> Span | None:
    """Return the span between two lines of a sentence, except one line end that stays.

    Return None if no sentence continues from the first line to the second.
    """
    if not sentence_continues(text[slice(*before)], text[slice(*after)]):
        return None
    if text[after[0]] == PIPE or _is_in_table(text, before[0]):
        return None
    ends = list(LINE_END.finditer(text, before[1], after[0]))
    if not ends:
        return None
    start = _line_begin(text, after[0])
    if not text[before[1] : ends[0].start()].strip(" \t"):
        return (ends[0].end(), start) if ends[0].end() < start else None
    return (before[1], ends[-1].start()) if ends[-1].end() == start else None


def _is_in_table(text: str, offset: int) -> bool:
    """Whether the paragraph of a line contains a table row or HTML, which ends at a blank line."""
    above = with_line_feeds(text[max(offset - _MOST_ABOVE, 0) : offset + 1])
    above = above[above.rfind("\n\n") + 1 :]
    return above[-1] in "|<" or "\n|" in above or "\n<" in above


def _line_begin(text: str, offset: int) -> int:
    """Return where the line of an offset begins; a form feed ends a line."""
    begin = offset
    while begin:  # piece by piece, because one of the characters may be absent from the text
        after, begin = begin, max(begin - _SEARCHED_AT_ONCE, 0)
        line_end = max(text.rfind(character, begin, after) for character in "\n\r\f")
        if line_end >= 0:
            return line_end + 1
    return 0


def _whole_lines(text: str, spans: Sequence[Span]) -> Iterator[Span]:
    """Yield whole lines without their ends; a form feed at the edge of a line belongs to it."""
    for first, after in spans:
        start = max(_line_begin(text, first), int(text.startswith("\ufeff")))
        match = _LINE_END_OR_FEED.search(text, after)
        end = match.start() if match else len(text)
        has_feed_after = text[end : end + 1] == "\f"
        has_feed_before = text[start - 1 : start] == "\f" and not has_feed_after
        yield start - has_feed_before, end + has_feed_after


def merged_gaps(
    marks: Sequence[tuple[int, int, str]], furniture: Sequence[Span]
) -> tuple[tuple[int, int, str], ...]:
    """Return page marks and furniture in order; a mark inside furniture becomes part of it."""
    merged: list[tuple[int, int, str]] = []
    gaps = [*marks, *((start, end, PAGE_FURNITURE) for start, end in furniture)]
    # if two begin together, the longer comes first
    for gap in sorted(gaps, key=lambda gap: (gap[0], -gap[1])):
        if not merged or merged[-1][1] <= gap[0]:
            merged.append(gap)
        elif gap[2] == PAGE_FURNITURE or gap[1] > merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], gap[1]), PAGE_FURNITURE)
    return tuple(merged)
