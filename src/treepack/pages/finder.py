"""Finds the pages of a text, and what belongs to them and not to the text."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from treepack.model.blocks import Span
from treepack.model.lines import Lines
from treepack.model.source import Source
from treepack.pages.furniture import find_furniture
from treepack.pages.gaps import PAGE_FURNITURE, Gap, with_gaps
from treepack.pages.marks import ANCHOR, find_page_marks

_NUMBER: Final = re.compile(r"\d{1,4}")


def find_pages(  # noqa: PLR0913 - what a text is, and where its pages are looked for
    source: Source,
    rows: Lines,
    code: Callable[[], Sequence[Span]] | None,
    *,
    start: int,
    pattern: str | None,
    with_furniture: bool,
) -> tuple[Source, tuple[Gap, ...]]:
    """Return the source with its pages, and the spans of page marks and page furniture.

    Text from a reader contains no page marks, because the reader knows the pages. It contains no
    page furniture either, unless it came from HTML, where furniture is among the text. The other
    arguments are those of `find_page_marks`.
    """
    if source.origins and not source.is_from_html:
        return source, ()
    gaps: tuple[Gap, ...] = ()
    if not source.origins:
        pages, gaps = find_page_marks(source, code, start=start, pattern=pattern)
        if pages and not source.page_marks:
            source = replace(source, page_marks=pages)
    if not with_furniture or ANCHOR in source.text:  # pages do not begin or end at an anchor
        return source, gaps
    furniture = find_furniture(source, rows, gaps)
    if source.is_from_html:
        source = _with_printed_numbers(source, furniture)
    return source, with_gaps(gaps, [(*span, PAGE_FURNITURE) for span in furniture])


def _with_printed_numbers(source: Source, furniture: Sequence[Span]) -> Source:
    """Return a source whose pages have their printed numbers, if these count up with the pages.

    A reader numbered the pages from 1. Pages before the printed number 1 then have no number.
    """
    offsets = [offset for offset, _ in source.page_marks]
    shifts: Counter[int] = Counter()
    for start, end in furniture:
        numbers = _NUMBER.findall(source.text, start, end)
        page = bisect_right(offsets, start)
        shifts.update({int(number) - page for number in numbers[:1] + numbers[-1:]})
    ((shift, times),) = shifts.most_common(1) or [(0, 0)]
    if 2 * times < len(offsets):
        return source
    marks = [(offset, page + shift) for offset, page in source.page_marks if page + shift > 0]
    return replace(source, page_marks=tuple(marks))
