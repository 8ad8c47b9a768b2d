"""The text of a chunk as the page shows it: roles, folded repeats, drawn tables, page ends.

The page holds all characters of the chunk, in order. What it adds is in drawn tables, or in the
attribute ``data-is``, which the stylesheet shows.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Final

from treepack.display import escaped, one_line
from treepack.model.chunk import Role
from treepack.packing import Chunk, Segment
from treepack.report_page.drawn import TableDrawer
from treepack.report_page.packing import Packing

_FOLDED: Final[Mapping[Role, str]] = {
    "overlap": "end of the previous chunk",
    "heading": "heading",
    "caption": "caption or intro",
    "table_header": "table header",
}


class TextView:
    """Shows the texts of one packing's chunks."""

    def __init__(self, packing: Packing) -> None:
        source = packing.document.source
        self._text = source.text
        self._drawer = TableDrawer(packing.document)
        self._pages = source.page_marks
        self._page_starts = [offset for offset, _ in source.page_marks]

    def parts(self, chunk: Chunk) -> Iterator[str]:
        """Yield the text of a chunk in elements of HTML."""
        repeated: list[Segment] = []  # repeated segments that follow one another
        body_end: int | None = None  # the end of the body so far
        for segment in chunk.segments:
            if segment.role in _FOLDED or (repeated and segment.role == "glue"):
                repeated.append(segment)
                continue
            if segment.role != "body" or segment.span is None:
                yield _folded(repeated) + _span(segment)
                repeated = []
                continue
            roles = [each.role for each in repeated]
            folded = len(roles)
            if "table_header" in roles and self._begins_with_rows(*segment.span):
                folded = roles.index("table_header")
            yield _folded(repeated[:folded])
            if body_end is not None:
                yield from self._between(chunk, body_end, segment.span[0])
            body_end = segment.span[1]
            yield from self._body(*segment.span, "".join(map(_span, repeated[folded:])))
            repeated = []
        yield _folded(repeated)

    def _between(self, chunk: Chunk, start: int, end: int) -> Iterator[str]:
        """Yield what is between two stretches of the body: skipped text, and page ends."""
        notes = [
            (begin, _note("gone", f"{skipped.reason}: {one_line(self._text[begin:stop])}"))
            for skipped in chunk.skipped
            for begin, stop in (skipped.span,)
            if start <= begin < end
        ]
        notes += [(offset, _page_mark(page)) for offset, page in self._pages_starting(start, end)]
        yield from (html for _, html in sorted(notes, key=itemgetter(0)))

    def _pages_starting(self, start: int, end: int) -> Sequence[tuple[int, int]]:
        """Return the offset and number of each page that begins in a span, its end included."""
        first = bisect_left(self._page_starts, start)
        return self._pages[first : bisect_right(self._page_starts, end)]

    def _begins_with_rows(self, start: int, end: int) -> bool:
        first = next(self._drawer.within(start, end), None)
        return first is not None and not self._text[start : first[0]].strip()

    def _body(self, start: int, end: int, table_head: str) -> Iterator[str]:
        for drawn_start, drawn_end, html in self._drawer.within(start, end):
            yield from self._undrawn(start, drawn_start)
            raw = escaped(self._text[drawn_start:drawn_end])
            yield (
                f'<div class="table"><div class="wide drawn">{html}</div>'
                f'<details class="raw"><summary data-is="as written"></summary>{table_head}'
                f'<span class="b">{raw}</span></details></div>'
            )
            start, table_head = drawn_end, ""
        yield from self._undrawn(start, end)

    def _undrawn(self, start: int, end: int) -> Iterator[str]:
        """Yield text of the body that is not drawn, with a mark where a page begins."""
        for offset, page in self._pages_starting(start + 1, end - 1):
            yield f'<span class="b">{escaped(self._text[start:offset])}</span>'
            yield _page_mark(page)
            start = offset
        if start < end:
            yield f'<span class="b">{escaped(self._text[start:end])}</span>'


def _page_mark(page: int) -> str:
    return _note("page-mark", f"page {page}")


def _note(name: str, words: str) -> str:
    """Return an element that shows words that are not in the chunk."""
    return f'<span class="{name}" data-is="{escaped(one_line(words))}"></span>'


def _span(segment: Segment) -> str:
    """Return a segment of the text as an element, whose class is the first letter of its role."""
    return f'<span class="{segment.role[0]}">{escaped(segment.text)}</span>'


def _folded(segments: Sequence[Segment]) -> str:
    if not segments:
        return ""
    names = dict.fromkeys(_FOLDED[segment.role] for segment in segments if segment.role in _FOLDED)
    label = f"repeated: {', '.join(names)}"
    inner = "".join(map(_span, segments))
    return f'<details class="again"><summary data-is="{label}"></summary>{inner}</details>'
