"""Cutting a table: by rows with header, caption and sub-header; a row too long by its cells."""

from bisect import bisect_left
from functools import partial
from itertools import chain, groupby, pairwise
from typing import NamedTuple

from treepack.document.blocks import Span, Table
from treepack.document.html_tables import (
    TITLE_ROWS,
    HtmlRow,
    read_cells,
    read_tables,
    row_groups,
)
from treepack.document.source import Source
from treepack.document.tables import cell_spans, sub_headers
from treepack.packing.frames import Band, CellTag, Enclosed, Frame, Introduced, Part, Row
from treepack.packing.units import Unit, listed
from treepack.packing.words import TextCutter, trimmed


class _Cell(NamedTuple):
    """A cell: its span with pipe or tags, and that of its text, which is repeated as a key.

    Attributes:
        glued: Where its own tag begins, which must not be parted from its text.
        tail: Where its text ends, if something closes it.
        tag: What opens and closes it in HTML.
    """

    start: int
    end: int
    key: Span
    glued: int = -1
    tail: int = -1
    tag: CellTag | None = None


class RowCutter:
    """Opens tables and rows of one document.

    Args:
        source: The document's text.
        cutter: Cuts what is text.
    """

    def __init__(self, source: Source, cutter: TextCutter) -> None:
        self.text = source.text
        self.cutter = cutter

    def rows(self, table: Table, unit: Unit, *, is_apart: bool) -> list[Unit] | None:
        """A unit for each row; None where the header is too long to be repeated.

        Rows that a ``rowspan`` ties together are one unit, and a sub-header goes with the row
        behind it. ``is_apart``: the caption does not go with the first row.
        """
        header = self.text[slice(*table.header)]
        empty = "\n<tr><td></td></tr>" if table.is_html else ""
        if not table.rows or not self.cutter.is_short(header + empty, table.closing, unit.frames):
            return None
        bands = self._bands(table)
        frames = self._frames(table, unit.frames, header, bands, is_apart=is_apart)
        read = self.html_rows(table)
        rows = [Unit(*row, frames, partial(self._cells, table, row)) for row in table.rows]
        units = tied(rows, read)
        heads = [number for number, row in enumerate(read) if row.is_header]
        return self._under_others(self._with_bands(units, bands), table, heads)

    def _frames(
        self,
        table: Table,
        outer: tuple[Frame, ...],
        header: str,
        bands: list[Span],
        *,
        is_apart: bool,
    ) -> tuple[Frame, ...]:
        frames = outer
        if table.caption_span:
            words = Part("caption", self.text[slice(*table.caption_span)], table.caption_span)
            if self.cutter.is_short(f"{words.text}\n\n{header}", table.closing, outer):
                frames = (*frames, Introduced(table.start, table.end, words, is_apart))
        short = [
            band
            for band in bands
            if self.cutter.is_short(f"{header}\n{self.text[slice(*band)]}", table.closing, frames)
        ]
        opening = Part("table_header", header, table.header)
        repeated = tuple(Band(*band, self._band_parts(table, band)) for band in short)
        return (*frames, Enclosed(table.start, table.end, opening, table.closing, repeated))

    def _band_parts(self, table: Table, band: Span) -> tuple[Part, ...]:
        """A sub-header as it is repeated; ``<th>`` as ``<td>``, for it would be a header row."""
        first, behind = (bisect_left(table.rows, (place, place)) for place in band)
        rows = table.rows[first:behind] if table.is_html else ()
        names = [
            place
            for cell in chain.from_iterable(read_cells(self.text, *row) for row in rows)
            if cell.is_header
            for place in (cell.start + 1, cell.content[1] + 2)[: 1 + (cell.end > cell.content[1])]
        ]
        parts: list[Part] = []
        at = band[0]
        for place in names:
            parts += [self._header_part(at, place), Part("glue", "td")]
            at = place + 2
        return (*parts, self._header_part(at, band[1]))

    def _header_part(self, start: int, end: int) -> Part:
        return Part("table_header", self.text[start:end], (start, end))

    def _bands(self, table: Table) -> list[Span]:
        """Sub-headers; those that follow each other are one."""
        found = sub_headers(self.text, table)
        runs = groupby(enumerate(found), key=lambda numbered: numbered[1] - numbered[0])
        numbers = [[number for _, number in run] for _, run in runs]
        return [(table.rows[run[0]][0], table.rows[run[-1]][1]) for run in numbers]

    def html_rows(self, table: Table) -> list[HtmlRow]:
        """The rows of a table as its HTML has them; [] for one in markdown."""
        return read_tables(self.text, table.start, table.end)[0].rows if table.is_html else []

    def _with_bands(self, units: list[Unit], bands: list[Span]) -> list[Unit]:
        """Let each sub-header go with the row behind it, if the two fit a chunk."""
        ends = dict(bands)
        found: list[Unit] = []
        for unit in units:
            band = found[-1] if found else None
            joined = unit
            if band and band.start in ends and band.end <= ends[band.start]:
                both = Unit(band.start, unit.end, unit.frames, listed([band, unit]))
                if unit.end <= ends[band.start] or self.cutter.fits_cap(both, both.end):
                    found.pop()
                    joined = both
            found.append(joined)
        return found

    def _under_others(self, units: list[Unit], table: Table, heads: list[int]) -> list[Unit]:
        """Let each row of ``<th>`` alone go with rows before it, if they fit a chunk.

        As one of the first rows of a piece it would be a header row.

        Args:
            units: Of the table's rows.
            table: The table.
            heads: The numbers of those rows.
        """
        above = 1 if table.header_rows else TITLE_ROWS
        found: list[Unit] = []
        for unit in units:
            at = bisect_left(heads, unit.start, key=lambda number: table.rows[number][0])
            group = [unit]
            if at < len(heads) and table.rows[heads[at]][0] < unit.end:
                begin = table.rows[max(0, heads[at] - above)][0]
                while found and group[0].start > begin:
                    group.insert(0, found.pop())
            whole = Unit(group[0].start, unit.end, unit.frames, listed(group))
            is_whole = len(group) > 1 and self.cutter.fits_cap(whole, whole.end)
            found += [whole] if is_whole else group
        return found

    def _cells(self, table: Table, span: Span, unit: Unit) -> list[Unit]:
        """One row by its cells; the first cell is repeated in each piece."""
        cells = self._html_cells(*span) if table.is_html else self._pipe_cells(*span)
        tags = tuple(cell.tag for cell in cells if cell.tag)
        places = min(len(cells), len(table.columns) or len(cells))
        empty = "".join(f"{tag.opening}{tag.closing}" for tag in tags[:places]) or " |" * places
        if self.cutter.index.count_text(empty) > self.cutter.cap // 4:
            places, tags = 1, tuple(CellTag(tag.name) for tag in tags)
        key = self._header_part(*cells[0].key)
        around = (tags[0].opening, tags[0].closing) if tags else ("| ", " |")
        is_short = bool(key.text.strip()) and self.cutter.is_short(
            key.text.join(around), "", unit.frames
        )
        spans = tuple((cell.start, cell.end) for cell in cells)
        row = Row(*span, spans, key if is_short else None, len(table.columns), places, tags)
        frames = (*unit.frames, row)
        cut = self.cutter.html if tags else self.cutter.sentences
        return [
            Unit(cell.start, cell.end, frames, cut, glued=cell.glued, tail=cell.tail)
            for cell in cells
        ]

    def _pipe_cells(self, start: int, end: int) -> list[_Cell]:
        cells: list[_Cell] = []
        for first, behind in cell_spans(self.text, start, end):
            words = self.text[first:behind].strip().removeprefix("|").strip()
            at = self.text.find(words, first, behind)
            key = (at, at + len(words))
            cells.append(_Cell(first, trimmed(self.text, first, behind), key))
        return cells

    def _html_cells(self, start: int, end: int) -> list[_Cell]:
        """The elements; what closes one goes with some of its content."""
        cells = [
            _Cell(
                cell.start,
                trimmed(self.text, cell.start, cell.end),
                cell.content,
                tail=trimmed(self.text, cell.start, cell.content[1]),
                tag=CellTag("th" if cell.is_header else "td", cell.columns),
            )
            for cell in read_cells(self.text, start, end)
        ]
        if not cells:
            return [_Cell(start, end, (start, start), glued=start, tag=CellTag("td"))]
        return [cells[0]._replace(start=start, glued=cells[0].start), *cells[1:]]


def tied(rows: list[Unit], read: list[HtmlRow]) -> list[Unit]:
    """The units of a table's rows, those that a ``rowspan`` ties together as one."""
    groups = row_groups(read) or list(pairwise(range(len(rows) + 1)))
    return [
        rows[first]
        if behind == first + 1
        else rows[first]._replace(end=rows[behind - 1].end, cut=listed(rows[first:behind]))
        for first, behind in groups
    ]
