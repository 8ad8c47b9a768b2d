"""The text of a chunk as the page shows it: roles, folded repeats, drawn tables, page ends.

The page holds all characters of the chunk, in order. What it adds is in drawn tables, or in the
attribute ``data-is``, which the stylesheet shows.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Final

from treepack.display import escaped, one_line
from treepack.document.document import Document
from treepack.markdown.block_tokens import cell_spans
from treepack.markdown.html_tables import plain_html, read_cells
from treepack.model.blocks import Span, Table
from treepack.model.chunk import Role, Segment
from treepack.packing.indexes import BlockIndex
from treepack.view.passages import Passage

_FOLDED: Final[Mapping[Role, str]] = {
    "overlap": "end of the previous chunk",
    "heading": "heading",
    "caption": "caption or intro",
    "table_header": "table header",
    "path": "lines in front",
}
_STYLES: Final = {"heading": "hd", "code": "code", "math": "code", "front_matter": "code"}
"""The classes of the top-level blocks that are not set as running text."""

_LARGEST_SPAN: Final = 100
_CELL_EDGES: Final = re.compile(r"\A\s*\||(?<!\\)\|\s*\Z")
_BREAK: Final = re.compile(r"<br\s*/?>", re.IGNORECASE)
_MARKUP: Final = re.compile(r"\*\*|`")


class TextView:
    """Shows the texts of one document's chunks."""

    def __init__(self, document: Document) -> None:
        source = document.source
        self._text = source.text
        index = BlockIndex(document.root.walk())
        self._tables = index.tables
        self._ends = [table.end for table in self._tables]
        self._styled = [block for block in index.top if block.kind in _STYLES]
        self._styled_ends = [block.end for block in self._styled]
        self._pages = source.page_marks
        self._page_starts = [offset for offset, _ in source.page_marks]

    def parts(self, passage: Passage) -> Iterator[str]:
        """Yield the text of a chunk in elements of HTML."""
        repeated: list[Segment] = []  # repeated segments that follow one another
        body_end: int | None = None  # the end of the body so far
        for segment in passage.segments:
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
                yield from self._between(passage, body_end, segment.span[0])
            body_end = segment.span[1]
            yield from self._body(*segment.span, repeated[folded:])
            repeated = []
        yield _folded(repeated)

    def _between(self, passage: Passage, start: int, end: int) -> Iterator[str]:
        """Yield what is between two stretches of the body: skipped text, and page ends."""
        notes = [
            (begin, _note("gone", f"{skipped.reason}: {one_line(self._text[begin:stop])}"))
            for skipped in passage.skipped
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
        first = next(self._drawn(start, end), None)
        return first is not None and not self._text[start : first[0]].strip()

    def _body(self, start: int, end: int, table_head: Sequence[Segment]) -> Iterator[str]:
        for drawn_start, drawn_end, html in self._drawn(start, end):
            yield from self._undrawn(start, drawn_start)
            raw = escaped(self._text[drawn_start:drawn_end])
            name = "wide drawn again" if table_head else "wide drawn"
            yield (
                f'<div class="table"><div class="{name}">{html}</div>'
                f'<details class="raw"><summary data-is="as written"></summary>'
                f'{"".join(map(_span, table_head))}<span class="b">{raw}</span></details></div>'
            )
            start, table_head = drawn_end, ()
        yield from self._undrawn(start, end)

    def _drawn(self, start: int, end: int) -> Iterator[tuple[int, int, str]]:
        """Yield each table with whole rows in a span, unless the span cuts one of its rows.

        Yields:
            Where the drawn part begins and ends in the source, and its HTML with the names of the
            columns. It begins or ends with the table where that lies in the span.
        """
        index = bisect_right(self._ends, start)
        while index < len(self._tables) and self._tables[index].start < end:
            table, index = self._tables[index], index + 1
            first = bisect_left(table.rows, start, key=lambda row: row[0])
            after = bisect_right(table.rows, end, key=lambda row: row[1])
            is_cut = (first and table.rows[first - 1][1] > start) or (
                after < len(table.rows) and table.rows[after][0] < end
            )
            if first < after and not is_cut:
                drawn_start = table.start if start <= table.start else table.rows[first][0]
                drawn_end = table.end if table.end <= end else table.rows[after - 1][1]
                yield drawn_start, drawn_end, self._table(table, table.rows[first:after])

    def _table(self, table: Table, rows: tuple[Span, ...]) -> str:
        names = "".join(f"<th>{escaped(name)}</th>" for name in table.columns)
        head = f"<thead><tr>{names}</tr></thead>" if names else ""
        cells = self._html_cells if table.is_html else self._pipe_cells
        body = "".join(f"<tr>{''.join(cells(*row))}</tr>" for row in rows)
        return f"<table>{head}<tbody>{body}</tbody></table>"

    def _pipe_cells(self, start: int, end: int) -> Iterator[str]:
        for first, after in cell_spans(self._text, start, end):
            cell = _CELL_EDGES.sub("", self._text[first:after]).strip()
            plain = _MARKUP.sub("", _BREAK.sub("\n", cell)).replace("\\|", "|")
            yield f"<td>{escaped(plain)}</td>"

    def _html_cells(self, start: int, end: int) -> Iterator[str]:
        for cell in read_cells(self._text, start, end):
            spans = "".join(
                f' {name}="{min(count, _LARGEST_SPAN)}"'
                for name, count in (("colspan", cell.columns), ("rowspan", cell.rows))
                if count > 1
            )
            tag = "th" if cell.is_header else "td"
            yield f"<{tag}{spans}>{escaped(plain_html(self._text, *cell.content))}</{tag}>"

    def _undrawn(self, start: int, end: int) -> Iterator[str]:
        """Yield text of the body that is not drawn, with a mark where a page begins."""
        for offset, page in self._pages_starting(start + 1, end - 1):
            yield from self._running(start, offset)
            yield _page_mark(page)
            start = offset
        yield from self._running(start, end)

    def _running(self, start: int, end: int) -> Iterator[str]:
        """Yield a span of the source, with headings and code in elements of their own."""
        first = bisect_right(self._styled_ends, start)
        for index in range(first, len(self._styled)):
            block = self._styled[index]
            if block.start >= end:
                break
            yield self._own(start, max(start, block.start), "b")
            start, after = max(start, block.start), min(end, block.end)
            yield self._own(start, after, f"b {_STYLES[block.kind]}")
            start = after
        yield self._own(start, end, "b")

    def _own(self, start: int, end: int, name: str) -> str:
        text = self._text[start:end]
        gap = " gap" * (text.isspace() and "\n" in text)
        return f'<span class="{name}{gap}">{escaped(text)}</span>' if text else ""


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
