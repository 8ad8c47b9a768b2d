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
from treepack.report.drawn import TableDrawer
from treepack.report.packings import Packing

# One letter for each role keeps the page small; the stylesheet uses these classes.
_CLASSES: Final[Mapping[Role, str]] = {
    "body": "b",
    "overlap": "o",
    "heading": "h",
    "caption": "c",
    "table_header": "t",
    "fence": "f",
    "definition": "d",
    "glue": "g",
}
_FOLDED: Final[Mapping[Role, str]] = {
    "overlap": "end of the previous chunk",
    "heading": "heading",
    "caption": "caption or intro",
    "table_header": "table header",
    "definition": "definitions",
}


class TextView:
    """Shows the texts of one packing's chunks."""

    def __init__(self, packing: Packing) -> None:
        source = packing.document.source
        self._text = source.text
        self._drawer = TableDrawer(packing.document)
        self._pages = source.page_marks
        self._page_starts = [offset for offset, _ in source.page_marks]

    def html(self, chunk: Chunk) -> str:
        """Return the text of a chunk."""
        return "".join(self._parts(chunk))

    def _parts(self, chunk: Chunk) -> Iterator[str]:
        waiting: list[Segment] = []  # repeated segments that follow one another
        reached: int | None = None  # the end of the body so far
        for segment in chunk.segments:
            if segment.role in _FOLDED or (waiting and segment.role == "glue"):
                waiting.append(segment)
                continue
            table_head: list[Segment] = []
            if segment.role == "body" and segment.span and self._begins_with_rows(*segment.span):
                waiting, table_head = _parted(waiting)
            yield _folded(waiting)
            waiting = []
            if segment.role == "body" and segment.span is not None:
                if reached is not None:
                    yield from self._between(chunk, reached, segment.span[0])
                reached = segment.span[1]
                yield from self._body(*segment.span, "".join(map(_span, table_head)))
            else:
                yield _span(segment)
        yield _folded(waiting)

    def _between(self, chunk: Chunk, start: int, end: int) -> Iterator[str]:
        """Yield what is between two stretches of the body: skipped text, and page ends."""
        found = [
            (
                each.span[0],
                _added("gone", f"{each.reason}: {one_line(self._text[slice(*each.span)])}"),
            )
            for each in chunk.skipped
            if start <= each.span[0] < end
        ]
        found += [(offset, _page_mark(page)) for offset, page in self._begun(start, end)]
        yield from (html for _, html in sorted(found, key=itemgetter(0)))

    def _begun(self, start: int, end: int) -> Sequence[tuple[int, int]]:
        """Return the offset and number of each page that begins in a span, its end included."""
        first = bisect_left(self._page_starts, start)
        return self._pages[first : bisect_right(self._page_starts, end)]

    def _begins_with_rows(self, start: int, end: int) -> bool:
        first = next(self._drawer.within(start, end), None)
        return first is not None and not self._text[start : first.start].strip()

    def _body(self, start: int, end: int, table_head: str) -> Iterator[str]:
        for drawn in self._drawer.within(start, end):
            yield from self._stretch(start, drawn.start)
            raw = escaped(self._text[drawn.start : drawn.end])
            yield (
                f'<div class="table"><div class="wide drawn">{drawn.html}</div>'
                f'<details class="raw"><summary data-is="as written"></summary>{table_head}'
                f'<span class="b">{raw}</span></details></div>'
            )
            start, table_head = drawn.end, ""
        yield from self._stretch(start, end)

    def _stretch(self, start: int, end: int) -> Iterator[str]:
        """Yield text of the body that is not drawn, with a mark where a page begins."""
        for offset, page in self._begun(start + 1, end - 1):
            yield f'<span class="b">{escaped(self._text[start:offset])}</span>'
            yield _page_mark(page)
            start = offset
        if start < end:
            yield f'<span class="b">{escaped(self._text[start:end])}</span>'


def _page_mark(page: int) -> str:
    return _added("page-mark", f"page {page}")


def _added(name: str, words: str) -> str:
    """Return an element that shows words that are not in the chunk."""
    return f'<span class="{name}" data-is="{escaped(one_line(words))}"></span>'


def _span(segment: Segment) -> str:
    """Return a segment of the text as an element with the role's class."""
    return f'<span class="{_CLASSES[segment.role]}">{escaped(segment.text)}</span>'


def _parted(segments: list[Segment]) -> tuple[list[Segment], list[Segment]]:
    """Split repeated segments before the first that is a table header."""
    at = next(
        (at for at, segment in enumerate(segments) if segment.role == "table_header"), len(segments)
    )
    return segments[:at], segments[at:]


def _folded(segments: Sequence[Segment]) -> str:
    if not segments:
        return ""
    names = dict.fromkeys(_FOLDED[each.role] for each in segments if each.role in _FOLDED)
    said = f"repeated: {', '.join(names)}"
    inner = "".join(map(_span, segments))
    return f'<details class="again"><summary data-is="{said}"></summary>{inner}</details>'
