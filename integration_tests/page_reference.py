"""What an HTML page shows, read with the standard library's parser."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import count
from typing import Final

from shown import WORD, Shown, tidy, words_in

_HIDDEN: Final = {
    "aside", "audio", "button", "canvas", "datalist", "footer", "head", "header", "iframe", "nav",
    "noscript", "object", "script", "select", "style", "svg", "template", "textarea", "video",
}  # fmt: skip
_VOID: Final = {
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
}  # fmt: skip
_INLINE: Final = {
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins",
    "kbd", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "tt", "u", "var",
}  # fmt: skip
_MARKS: Final = re.compile(r"[¶🔗▲]|\[edit\]|\bedit\b")
_ROLES: Final = {"navigation", "banner", "contentinfo", "search"}
_NAVIGATION: Final = {"catlinks", "mw-portlet", "navbox", "vector-dropdown"}  # classes of MediaWiki


@dataclass
class _Cell:
    columns: int = 1
    rows: int = 1
    texts: list[str] = field(default_factory=list[str])
    tables: "list[_Table]" = field(default_factory=list["_Table"])
    is_header: bool = False
    has_heading: bool = False


@dataclass
class _Table:
    role: str
    groups: list[tuple[str, list[list[_Cell]]]]
    cell: _Cell | None = None
    has_caption: bool = False

    def cells(self) -> Iterator[_Cell]:
        for _, rows in self.groups:
            for row in rows:
                yield from row


class PageReader(HTMLParser):
    """Reads what a page shows outside navigation and page headers."""

    def __init__(self, *, only_main: bool = False) -> None:
        super().__init__()
        self.shown = Shown()
        self._open: list[tuple[str, bool]] = []
        self._only_main = only_main
        self._main = 0
        self._heading: list[str] | None = None
        self._text: list[str] = []
        self._tables: list[_Table] = []
        self._finished: list[_Table] = []
        self._numbers: list[Iterator[int] | None] = []

    def finish(self) -> Shown:
        """Return what was seen, after all is read."""
        self.close()
        while self._tables:
            self._end_table()
        self.shown.words.update(WORD.findall(_MARKS.sub(" ", "".join(self._text))))
        for table in self._finished:
            self._sort(table)
        return self.shown

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what opens, and whether it hides what is inside."""
        if tag not in _INLINE:
            self._add(" ")
        if tag in _VOID:
            return
        values = dict(attrs)
        style = (values.get("style") or "").replace(" ", "")
        hides = (
            (tag in _HIDDEN and not (tag == "header" and self._main))
            or "hidden" in values
            or "display:none" in style
            or values.get("role") in _ROLES
            or not _NAVIGATION.isdisjoint((values.get("class") or "").split())
        )
        if tag == "main" or values.get("role") == "main":
            self._main += 1
        self._open.append((tag, hides))
        if self._is_shown():
            self._begin(tag, values)

    def _begin(self, tag: str, values: dict[str, str | None]) -> None:
        if re.fullmatch("h[1-6]", tag):
            self._heading = []
            for table in self._tables:
                if table.cell is not None:
                    table.cell.has_heading = True
        elif tag in ("ul", "ol"):
            start = values.get("start") or "1"
            first = int(start) if start.isdecimal() else 1
            self._numbers.append(count(first) if tag == "ol" else None)
        elif tag == "li" and self._numbers and self._tables:
            numbers = self._numbers[-1]
            self._add_to_cells(f" {next(numbers)} " if numbers is not None else " ")
        elif tag == "table":
            if self._tables and self._tables[-1].cell is None:
                self._end_table()
            self._tables.append(_Table(values.get("role") or "", [("", [])]))
        elif self._tables:
            self._begin_part(self._tables[-1], tag, values)

    def _begin_part(self, table: _Table, tag: str, values: dict[str, str | None]) -> None:
        if tag in ("thead", "tbody", "tfoot"):
            table.groups.append((tag, []))
            table.cell = None
        elif tag == "tr":
            table.groups[-1][1].append([])
            table.cell = None
        elif tag in ("td", "th"):
            rows = table.groups[-1][1]
            if not rows:
                rows.append([])
            spans = (values.get(f"{name}span") or "1" for name in ("col", "row"))
            columns, height = (int(span) if span.isdecimal() else 1 for span in spans)
            table.cell = _Cell(max(1, columns), height or len(table.groups) * 1000)
            table.cell.is_header = tag == "th"
            rows[-1].append(table.cell)
        table.has_caption |= tag == "caption"

    def handle_endtag(self, tag: str) -> None:
        """Close everything up to the tag's element."""
        if tag not in _INLINE:
            self._add(" ")
        if all(name != tag for name, _ in self._open):
            return
        was_shown = self._is_shown()
        while self._open.pop()[0] != tag:
            pass
        if self._heading is not None and re.fullmatch("h[1-6]", tag):
            if text := words_in(_MARKS.sub(" ", "".join(self._heading))):
                self.shown.headings.append((int(tag[1]), text))
            self._heading = None
        if tag in ("ul", "ol") and self._numbers:
            self._numbers.pop()
        elif tag == "table" and self._tables and was_shown:
            self._end_table()
        elif tag in ("td", "th", "tr") and self._tables:
            self._tables[-1].cell = None

    def _end_table(self) -> None:
        table = self._tables.pop()
        if self._tables and (holder := self._tables[-1].cell) is not None:
            holder.tables.append(table)
        else:
            self._finished.append(table)

    def handle_data(self, data: str) -> None:
        """Keep the text that is shown."""
        if self._is_shown():
            self._add(data)

    def _add(self, text: str) -> None:
        if self._heading is not None:
            self._heading.append(text)
        self._text.append(text)
        self._add_to_cells(text)

    def _add_to_cells(self, text: str) -> None:
        for table in self._tables:
            if table.cell is not None:
                table.cell.texts.append(text)

    def _is_shown(self) -> bool:
        return (self._main > 0 or not self._only_main) and not any(hides for _, hides in self._open)

    def _sort(self, table: _Table) -> None:
        """Add a table to those with rows and columns, or count the reason why it is not one."""
        cells = list(table.cells())
        is_placed = any(cell.has_heading for cell in cells) and not any(
            cell.is_header for cell in cells
        )
        inner = [held for cell in cells for held in cell.tables]
        if table.role in ("presentation", "none") or is_placed:
            reason = "layout"
        elif len(cells) <= 1 and not table.has_caption:
            reason = "of one cell"
        else:
            self.shown.others["in a cell"] += len(inner)
            if grid := tidy(_laid_out(table)):
                self.shown.tables.append(grid)
            else:
                self.shown.others["without text"] += 1
            return
        self.shown.others[reason] += 1
        for held in inner:
            self._sort(held)


def _laid_out(table: _Table) -> list[list[str]]:
    """Return the texts by row and column, head first and foot last; no span leaves its group."""
    order = {"thead": 0, "tfoot": 2}
    laid: list[list[str]] = []
    for _, rows in sorted(table.groups, key=lambda group: order.get(group[0], 1)):
        places: dict[tuple[int, int], str] = {}
        for number, row in enumerate(rows):
            column = 0
            for cell in row:
                while (number, column) in places:
                    column += 1
                for down in range(min(cell.rows, len(rows) - number)):
                    for right in range(cell.columns):
                        places[number + down, column + right] = "".join(cell.texts)
        width = max((column + 1 for _, column in places), default=0)
        laid += [[places.get((n, at), "") for at in range(width)] for n in range(len(rows))]
    return laid


def read_page(text: str) -> Shown:
    """Return what a page shows; if it marks one main part, only that part."""
    main = len(re.findall(r"<main[\s>]|role=[\"']?main", text))
    reader = PageReader(only_main=main == 1)
    reader.feed(text)
    return reader.finish()
