"""Tables written in HTML, as the audit reads them: rows by ``<tr>``, cells with their spans.

A scan over tags, linear in the text: a tag ends before the next ``<``, and after an open comment
there is nothing.
"""

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

_TAG: Final = re.compile(
    r"""<(?P<close>/?)(?P<name>[a-z][^\s/<>]*+)
        (?P<rest> (?: [^<>"'] | "[^"<]*" | '[^'<]*' |)*+ )>
      | <!-- (?P<comment>) """,
    re.VERBOSE | re.IGNORECASE,
)
_SPANS: Final = re.compile(r"""\b(row|col)span\s*=\s*["']?\s*(\d{1,4})""", re.IGNORECASE)
_LINE_END: Final = re.compile(r"[\r\n]")
_SECTIONS: Final = {"thead", "tbody", "tfoot"}
_CELLS: Final = {"td", "th"}
_SEEN: Final = {"img", "input", "svg", "video", "audio", "object", "iframe", "picture", "canvas"}


@dataclass(eq=False, slots=True)
class Tag:
    """A tag in a text, its name in small letters."""

    name: str
    start: int
    end: int
    closes: bool
    rest: str


@dataclass(eq=False, slots=True)
class HtmlCell:
    """A cell of a row.

    Attributes:
        text: What a reader sees of it.
        is_header: Whether it is a ``<th>``.
        columns: How many columns it spans.
        rows: How many rows it spans.
        has_picture: Whether it holds something that is not text.
        start: Where its content begins, tags and all.
        end: After its content.
    """

    text: str
    is_header: bool
    columns: int
    rows: int
    has_picture: bool
    start: int
    end: int

    @property
    def is_filled(self) -> bool:
        """Whether a reader sees anything in it."""
        return bool(self.text) or self.has_picture


@dataclass(eq=False, slots=True)
class HtmlRow:
    """A row: from its ``<tr>`` to its ``</tr>``, or to where the next one begins."""

    start: int
    end: int
    in_head: bool
    part: int  # how often <thead>, <tbody> or <tfoot> began or ended above it in its table
    cells: list[HtmlCell] = field(default_factory=list[HtmlCell])

    @property
    def is_header(self) -> bool:
        """Whether it names columns: it stands in ``<thead>``, or has only ``<th>``."""
        return self.in_head or (bool(self.cells) and all(cell.is_header for cell in self.cells))


@dataclass(eq=False, slots=True)
class HtmlTable:
    """A table, from ``<table`` to ``</table>``.

    Attributes:
        start: Where it begins.
        end: After its end.
        header_rows: The rows at its top that name the columns.
        rows: All others.
        caption: The content of ``<caption>``, as it stands in the text.
        columns: The names of its columns; none without header rows.
        tied: The spans of rows that a ``rowspan`` ties together.
    """

    start: int
    end: int
    header_rows: list[HtmlRow] = field(default_factory=list[HtmlRow])
    rows: list[HtmlRow] = field(default_factory=list[HtmlRow])
    caption: str = ""
    columns: tuple[str, ...] = ()
    tied: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])


@dataclass(eq=False, slots=True)
class HtmlRowText:
    """What stands in a row that is cut, whatever cell it belongs to.

    Attributes:
        letters: The row without blanks, as a reader sees it and as it is written: broken markup has
            text beside its cells, and a tag longer than a chunk is cut, and then reads as text.
        depth: How many tables inside its cells are open at most.
    """

    letters: str
    depth: int

    @classmethod
    def of(cls, text: str, start: int, end: int) -> "HtmlRowText":
        """Read a stretch of a text."""
        depth = deepest = 0
        for tag in tags(text, start, end):
            if tag.name == "table":
                depth = max(0, depth - 1 if tag.closes else depth + 1)
                deepest = max(deepest, depth)
        letters = ("".join(said.split()) for said in (plain(text, start, end), text[start:end]))
        return cls("\0".join(letters), deepest)


def _columns(rows: Sequence[HtmlRow]) -> tuple[str, ...]:
    """The texts of the last header row's places, none where nothing stands.

    A cell over several places names each of them.
    """
    reaching: dict[int, tuple[str, int]] = {}  # place: a text from above, and the rows it has left
    names: list[str] = []
    for row in rows:
        places = {place: text for place, (text, _) in reaching.items()}
        below = {place: (text, left - 1) for place, (text, left) in reaching.items() if left > 1}
        at = 0
        for cell in row.cells:
            while at in places:
                at += 1
            for place in range(at, at + cell.columns):
                places[place] = cell.text
                if cell.rows - 1 > below.get(place, ("", 0))[1]:  # cells may overlap
                    below[place] = (cell.text, cell.rows - 1)
            at += cell.columns
        reaching = below
        names = [places.get(place, "") for place in range(max(places, default=-1) + 1)]
    return tuple(names)


def _tied(rows: Sequence[HtmlRow]) -> list[tuple[int, int]]:
    """The spans of rows that a ``rowspan`` ties together; single rows are left out."""
    found: list[tuple[int, int]] = []
    first = after = 0
    for number, row in enumerate(rows):
        if number >= after:
            first = number
        elif number == first + 1:
            found.append((rows[first].start, row.end))
        else:
            found[-1] = found[-1][0], row.end
        after = max([after, *(number + cell.rows for cell in row.cells)])
    return found


def tags(text: str, start: int, end: int) -> Iterator[Tag]:
    """The tags in a stretch of a text, without those in comments."""
    while match := _TAG.search(text, start, end):
        start = match.end()
        if match["comment"] is None:
            yield Tag(
                match["name"].lower(), match.start(), start, bool(match["close"]), match["rest"]
            )
        else:
            close = text.find("-->", start, end)
            start = end if close < 0 else close + len("-->")


def plain(text: str, start: int, end: int) -> str:
    """What a reader sees of a stretch of HTML, white space folded."""
    parts: list[str] = []
    while match := _TAG.search(text, start, end):
        parts.append(text[start : match.start()])
        start = match.end()
        if match["comment"] is not None:
            close = text.find("-->", start, end)
            start = end if close < 0 else close + len("-->")
    parts.append(text[start:end])
    return " ".join(html.unescape(" ".join(parts)).split())


def without_marks(text: str) -> str:
    """A text without last lines that hold nothing but the marks of a quote."""
    text = text.rstrip()
    line_end = _LINE_END.search(text, len(text.rstrip(" \t\r\n>")))
    return text[: line_end.start()].rstrip() if line_end else text


def open_tables(text: str, start: int, end: int) -> int:
    """How many more tables are opened than closed in a stretch of HTML."""
    return sum(-1 if tag.closes else 1 for tag in tags(text, start, end) if tag.name == "table")


def html_tables(text: str, start: int, end: int) -> list[HtmlTable]:
    """The tables in a stretch of HTML that end there; one inside a cell is content of the cell."""
    found: list[HtmlTable] = []
    depth, first = 0, start
    inside: list[Tag] = []
    for tag in tags(text, start, end):
        if tag.name == "table" and not tag.closes:
            depth += 1
            if depth == 1:
                first, inside = tag.start, []
        elif tag.name == "table" and depth:
            depth -= 1
            if depth == 0:
                found.append(_Builder(text, HtmlTable(first, tag.end), tag.start).build(inside))
        elif depth == 1 or tag.name in _SEEN:
            inside.append(tag)
    return found


class _Builder:
    """Puts the rows of one table together from its tags."""

    def __init__(self, text: str, table: HtmlTable, inner_end: int) -> None:
        self.text = text
        self.table = table
        self.inner_end = inner_end
        self.rows: list[HtmlRow] = []
        self.row: HtmlRow | None = None
        self.cell: Tag | None = None
        self.caption: int | None = None
        self.in_head = self.has_picture = False
        self.is_headless = False  # an empty <tbody> says that no row names the columns
        self.part = 0

    def build(self, inside: Sequence[Tag]) -> HtmlTable:
        """Read the tags; what is open at the end of the table ends there."""
        for tag in inside:
            self._take(tag)
        self._end_row(self.inner_end)
        rows = self.rows
        first = rows[0].part if rows else 0
        body = (at for at, row in enumerate(rows) if not row.is_header or row.part != first)
        head = next(body, len(rows))
        if self.is_headless:
            head = 0
        elif not head:  # a title row may stand above the row that names the columns
            head = next((at + 1 for at, row in enumerate(rows[:3]) if row.is_header), 0)
        self.table.header_rows, self.table.rows = rows[:head], rows[head:]
        self.table.columns = _columns(self.table.header_rows)
        self.table.tied = _tied(self.table.rows)
        return self.table

    def _take(self, tag: Tag) -> None:
        if tag.name in _SEEN:
            self.has_picture = True
        elif tag.name in _SECTIONS:
            self._end_row(tag.start)
            self.in_head = tag.name == "thead" and not tag.closes
            self.part += 1
            self.is_headless |= tag.name == "tbody" and tag.closes and not self.rows
        elif tag.name == "tr":
            if tag.closes:
                self._end_row(tag.end, tag.start)
            else:
                self._end_row(tag.start)
                self.row = HtmlRow(tag.start, tag.end, self.in_head, self.part)
        elif tag.name in _CELLS:
            self._end_cell(tag.start)
            if not tag.closes:
                self.row = self.row or HtmlRow(tag.start, tag.end, self.in_head, self.part)
                self.cell, self.has_picture = tag, False
        elif tag.name == "caption" and not tag.closes:
            self.caption = tag.end
        elif tag.name == "caption" and self.caption is not None:
            self.table.caption = self.text[self.caption : tag.start]

    def _end_row(self, end: int, cell_end: int | None = None) -> None:
        if cell_end is None and self.row is not None:
            end = self.row.start + len(without_marks(self.text[self.row.start : end]))
        self._end_cell(end if cell_end is None else cell_end)
        if self.row is not None:
            self.row.end = end
            self.rows.append(self.row)
        self.row = None

    def _end_cell(self, end: int) -> None:
        if self.cell is not None and self.row is not None:
            spans = {name.lower(): max(int(n), 1) for name, n in _SPANS.findall(self.cell.rest)}
            text = plain(self.text, self.cell.end, end)
            is_header = self.cell.name == "th"
            columns, rows = spans.get("col", 1), spans.get("row", 1)
            self.row.cells.append(
                HtmlCell(text, is_header, columns, rows, self.has_picture, self.cell.end, end)
            )
        self.cell = None
