"""Finds the pages of a text, and what belongs to them and not to the text."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from treepack.model.blocks import Span
from treepack.model.source import Source
from treepack.pages.furniture import find_furniture
from treepack.pages.gaps import PAGE_FURNITURE, Gap, with_gaps
from treepack.pages.marks import find_page_marks


def find_pages(
    source: Source,
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
    if not with_furniture:
        return source, gaps
    furniture = find_furniture(source, gaps)
    return source, with_gaps(gaps, [(*span, PAGE_FURNITURE) for span in furniture])
