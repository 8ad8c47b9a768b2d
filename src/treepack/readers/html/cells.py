"""Tables of an HTML page: the kind of each table, and the cells of data tables.

Reports put an amount's symbol, figure and bracket in three columns; columns that a page shows as
one become one.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, groupby, islice, product, takewhile, zip_longest
from typing import Final

from treepack.numbers.words import whole_number
from treepack.readers.grids import Cell, FillLimit, Grid, fill
from treepack.readers.html.formatting import has_bold_style
from treepack.readers.html.inline import BLOCKS, collect
from treepack.readers.html.tree import HtmlElement, HtmlTableRow, rows_of
from treepack.readers.inlines import Inline, InlinePiece, as_parts, flat
from treepack.readers.links_and_emphasis import TEXT_ONLY, KeepOptions, in_bold, is_link, merged

_MOST_COLUMNS: Final = 1000  # the HTML standard's limit on spans
_MARKER: Final = re.compile(
    r"""
    (?: \(? (?: [0-9]{1,3} | [A-Za-z]{1,2} | [ivxlc]{1,6} | [IVXLC]{1,6} ) (?: \) | \.\)? )
      | [0-9]{1,3} (?:\.[0-9]{1,3}){1,4} \.?
      | \[[0-9]{1,3}\]
      | [•·◦▪●○■□‣⁃–—*-] )
    """,
    re.VERBOSE,
)
_BULLETS: Final = frozenset("•·◦▪●○■□‣⁃–—*-")
_BLOCK_CONTENT: Final = frozenset({"table", "pre", "ul", "ol", "dl", "blockquote", "form", "hr"})
_LONGEST_LINE_CELL: Final = 200  # characters of a cell
_MOST_DATA_NODES: Final = 500  # nodes; each value of a long list may be in a link
_SIGN_BEFORE: Final = re.compile(r"[(+\-−]?[A-Z]{0,3}[$€£¥₹₩][(]?|\(")
_SIGNS_AFTER: Final = frozenset({")", "%", "‰", ")%", "%)", ")‰", "‰)"})
_SIGNS: Final = _SIGNS_AFTER | {"$", "€", "£", "¥", "₹"}  # the usual ones
_ONE_VALUE: Final = re.compile(r"b?(?:va*)?")  # what joined columns may hold, by `_kind`
_YEARS: Final = frozenset(map(str, range(1900, 2100)))
_NEARLY_ALL: Final = 0.8


def is_layout(table: HtmlElement) -> bool:
    """Whether a table only places text on the page, so that its cells are read in order.

    Its role says so; or it has a heading and no ``<th>``; or it has no caption and only a single
    cell, or only a single cell with content and no ``<th>``.
    """
    if (table.attributes.get("role") or "").lower() in ("presentation", "none"):
        return True
    cells = [cell for row in rows_of(table) for cell in row.cells]
    has_names = any(cell.name == "th" for cell in cells)
    if len(cells) > 1 and (has_names or table.has_heading):
        return not has_names
    has_content = cells if len(cells) <= 1 else list(islice(filter(_has_content, cells), 2))
    return len(has_content) <= 1 and table.first("caption") is None


def as_line(table: HtmlElement) -> HtmlElement | None:
    """Return a layout table with one row of short texts as a paragraph; None for other tables.

    The columns of a single row carry no meaning. Reports lay out page footers in this way, and the
    numbers and titles of their parts. Without widths, the table may hold data.
    """
    rows = rows_of(table)
    filled = [*islice((r.cells for r in rows if any(map(_has_content, r.cells))), 2)]
    if len(filled) != 1 or table.first("caption") is not None:
        return None
    cells = filled[0]
    if any(cell.name == "th" or not _is_one_line(cell) for cell in cells):
        return None
    styles = (part.attributes.get("style") or "" for part in [table, *rows[0].cells, *cells])
    has_widths = any("width" in cell.attributes for cell in [*rows[0].cells, *cells])
    if not (has_widths or any("width" in style for style in styles)):
        return None
    line = HtmlElement("p")
    for cell in cells:
        for inner in [cell, *cell.walk()]:
            inner.name = "span" if inner.name in BLOCKS else inner.name
        line.children += [cell, " "]
    return line


def _is_one_line(cell: HtmlElement) -> bool:
    nodes = cell.few_nodes()
    if nodes is None or len(cell.text()) > _LONGEST_LINE_CELL:
        return False
    blocks = [n.name for n in nodes if isinstance(n, HtmlElement) and n.name in BLOCKS]
    return len(blocks) <= 1 and _BLOCK_CONTENT.isdisjoint(blocks)


def split_at_headings(table: HtmlElement) -> HtmlElement | None:
    """Split a table at headings that have a row to themselves; rows between them become tables.

    Return None if there is no heading, if one shares its row, if other rows hold more than short
    text, or if no table of several columns results.
    """
    parts: list[HtmlElement | str] = []
    rows: HtmlElement | None = None
    has_columns = False
    for row in rows_of(table) if table.has_heading else ():
        if any(cell.has_heading for cell in row.cells):
            filled = [cell for cell in row.cells if _has_content(cell)]
            if len(filled) > 1:
                return None
            parts += filled
            rows = None
            continue
        if not all(map(_is_short, row.cells)):
            return None
        if rows is None:
            rows = HtmlElement("table")
            parts.append(rows)
        rows.children.append(row.element)
        has_columns = has_columns or len(row.cells) > 1
    return HtmlElement("div", has_heading=True, children=parts) if has_columns else None


def _has_content(cell: HtmlElement) -> bool:
    """Whether a cell holds text or an image, or has too many nodes to check."""
    nodes = cell.few_nodes()
    return nodes is None or any(
        node.strip() if isinstance(node, str) else node.name == "img" for node in nodes
    )


def _is_short(cell: HtmlElement) -> bool:
    """Whether a cell is like a cell of data: not large, and without lists, tables and the like."""
    nodes = cell.few_nodes(_MOST_DATA_NODES)
    return nodes is not None and not any(
        isinstance(node, HtmlElement) and node.name in _BLOCK_CONTENT for node in nodes
    )


def with_marker_lists(element: HtmlElement) -> list[HtmlElement | str]:
    """Return an element's children; tables with a marker and a text in each row become lists.

    Laws are laid out in this way: ``(a)`` in the left cell, the point in the right one.
    Consecutive tables become one list.
    """
    if not any(
        isinstance(child, HtmlElement) and child.name == "table" for child in element.children
    ):
        return element.children
    children: list[HtmlElement | str] = []
    open_list: HtmlElement | None = None
    for child in element.children:
        items = [] if isinstance(child, str) else _marker_list_items(child)
        if not items:
            children.append(child)
            open_list = open_list if isinstance(child, str) and not child.strip() else None
            continue
        if open_list is None:
            open_list = HtmlElement("ul")
            children.append(open_list)
        open_list.children += items
        open_list.has_heading = open_list.has_heading or any(item.has_heading for item in items)
    return children


def are_numbered(items: Iterable[HtmlElement]) -> bool:
    """Whether all items of a list, at least one, have labels like ``12.``."""
    labels = [item.attributes.get("label") or "" for item in items]
    numbers = [label[-1:] == "." and whole_number(label[:-1]) is not None for label in labels]
    return bool(numbers) and all(numbers)


def read_table(table: HtmlElement, fill_limit: FillLimit, keep: KeepOptions = TEXT_ONLY) -> Grid:
    """Read the cells of a data table; rows of ``<tfoot>`` come last.

    Columns and rows without text are left out, as they are only spacing. Columns that are shown as
    one are joined.
    """
    rows = rows_of(table)
    rows.sort(key=lambda row: {"thead": 0, "tfoot": 2}.get(row.group.name, 1))
    header_rows = _header_rows(rows)
    rows_left = Counter(id(row.group) for row in rows)  # no cell spans further than its group
    cells: list[list[Cell]] = []
    for number, row in enumerate(rows):
        left = rows_left[id(row.group)]
        rows_left[id(row.group)] -= 1
        is_sub_header = all(cell.name == "th" for cell in row.cells)
        is_strong = [number >= header_rows and (is_sub_header or _is_bold(c)) for c in row.cells]
        pairs = zip(row.cells, is_strong, strict=True)
        cells.append([_cell(cell, left, keep, is_strong=strong) for cell, strong in pairs])
    grid = fill(cells, header_rows, fill_limit)
    return with_header(_without_empty_lines(in_few_columns(grid)))


def _without_empty_lines(grid: Grid) -> Grid:
    has_text = [[bool(flat(cell)) for cell in row] for row in grid.rows]
    columns = [at for at, column in enumerate(zip_longest(*has_text)) if any(column)]
    rows = [number for number, row in enumerate(has_text) if any(row)]
    places = product(enumerate(rows), enumerate(columns))
    return Grid(
        tuple(tuple(grid.rows[n][at] for at in columns if at < len(grid.rows[n])) for n in rows),
        sum(number < grid.header_rows for number in rows),
        {(number, at) for (number, n), (at, old_at) in places if (n, old_at) in grid.continued},
    )


def _header_rows(rows: Sequence[HtmlTableRow]) -> int:
    """Return how many rows at the top name the columns.

    If none is marked, a first row with only bold cells names them, as in Word's HTML.
    """
    in_head = [row.group.name == "thead" for row in rows]
    is_header = [
        in_head[at] or all(c.name == "th" for c in row.cells) for at, row in enumerate(rows)
    ]
    count = len([*takewhile(bool, is_header)])
    is_named = len(rows) > 1 and len(rows[0].cells) > 1 and all(map(_is_bold, rows[0].cells))
    return count or int(is_named)


def _cell(cell: HtmlElement, rows_left: int, keep: KeepOptions, *, is_strong: bool) -> Cell:
    """Read a cell; ``is_strong`` marks its text as bold, so that a row of them is a sub-header."""
    content = collect(cell, keep=keep)
    parts = as_parts(content)
    images = [part for part in parts if isinstance(part, InlinePiece) and part.kind == "image"]
    text = flat([part for part in parts if part not in images])
    if any(map(is_link, parts)):
        content = in_bold(parts) if is_strong else parts
    elif is_strong and text:
        content = [InlinePiece(text, "strong")]
        content += [part for image in images for part in (" ", image)]
    elif _is_bold(cell):
        content = text
    columns, rows = (_span(cell, name) for name in ("colspan", "rowspan"))
    return Cell(content, min(columns or 1, _MOST_COLUMNS), min(rows or rows_left, rows_left))


def _span(cell: HtmlElement, name: str) -> int:
    value = whole_number((cell.attributes.get(name) or "").strip())
    return 1 if value is None or value < 0 else value


def _is_bold(cell: HtmlElement) -> bool:
    """Whether a cell has text, and all of it is bold."""
    has_text = False
    stack: list[HtmlElement | str] = list(cell.children)
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            if node.strip():
                return False
        elif has_bold_style(node):
            has_text = has_text or bool(node.text().strip())
        else:
            stack.extend(node.children)
    return has_text


def _marker_list_items(table: HtmlElement) -> list[HtmlElement]:
    """Return the items of a table that is a list; empty for other elements."""
    if table.name != "table" or table.is_furniture or table.first("caption") is not None:
        return []
    items: list[HtmlElement] = []
    for row in rows_of(table):
        if len(row.cells) != 2 or row.cells[0].name == "th":  # noqa: PLR2004 - marker and text
            return []
        marker = _marker(row.cells[0])
        if marker is None:
            return []
        attributes = {} if marker in _BULLETS else {"label": marker}
        body = row.cells[1]
        item = HtmlElement("li", attributes, has_heading=body.has_heading, children=body.children)
        items.append(item)
    return items


def _marker(cell: HtmlElement) -> str | None:
    """Return a cell's text if it is a list marker and the cell has few nodes, else None."""
    parts = [node for node in cell.few_nodes() or () if isinstance(node, str)]
    text = " ".join("".join(parts).split())
    return text if _MARKER.fullmatch(text) else None


# -------------------------------------------------------------------- columns


def in_few_columns(grid: Grid) -> Grid:
    """Return a grid in which columns that the page shows as one are joined.

    Neighbouring columns are joined if a cell spans both, or if one has only symbols that belong to
    the other. In each row, joined columns hold at most a value, a symbol before it and symbols
    after it.
    """
    if not grid.continued and all(flat(c) not in _SIGNS for row in grid.rows for c in row[1:]):
        return grid  # the common case
    kinds = [[_kind(flat(cell)) for cell in row] for row in grid.rows]
    columns = ["".join(column) for column in zip_longest(*kinds, fillvalue=" ")]
    spanned = {column for _, column in grid.continued}
    groups: list[range] = []
    held: list[str] = []  # what each row has in the columns of the last group
    for at, column in enumerate(columns):
        is_joined = at in spanned or _holds_only(column, "a")
        is_joined |= bool(groups) and len(groups[-1]) == 1 and _holds_only(columns[at - 1], "b")
        joined = [a + b.strip() for a, b in zip(held, column, strict=True)] if at else []
        if groups and is_joined and all(map(_ONE_VALUE.fullmatch, joined)):
            groups[-1], held = range(groups[-1].start, at + 1), joined
        else:
            groups.append(range(at, at + 1))
            held = [kind.strip() for kind in column]
    rows = [tuple(_joined(row[group.start : group.stop]) for group in groups) for row in grid.rows]
    places = ((n, at, group) for n in range(len(rows)) for at, group in enumerate(groups))
    continued = {
        (n, at)
        for n, at, group in places
        if (n, group.start) in grid.continued and not flat(rows[n][at])
    }
    return Grid(tuple(rows), grid.header_rows, continued)


def _holds_only(column: str, kind: str) -> bool:
    return kind in column and {*column} <= {kind, " "}


def _kind(text: str) -> str:
    """Return whether a cell is blank, a value, or a sign that stands before or after one."""
    if not text:
        return " "
    return "b" if _SIGN_BEFORE.fullmatch(text) else "a" if text in _SIGNS_AFTER else "v"


def _joined(cells: Sequence[Inline]) -> Inline:
    filled = [cell for cell in cells if flat(cell)]
    if len(filled) <= 1:
        return filled[0] if filled else ""
    value = next(cell for cell in filled if _kind(flat(cell)) == "v")
    if _is_strong(value):  # and so are its symbols
        return [InlinePiece("".join(map(flat, filled)), "strong")]
    parts = chain.from_iterable(map(as_parts, filled))
    return merged(part.strip() if isinstance(part, str) else part for part in parts)


def with_header(grid: Grid) -> Grid:
    """Return a grid with a header row, if its first rows name the columns and none is marked.

    The names in several rows are joined: ``Year ended May 31,`` and ``2023``.
    """
    if grid.header_rows or grid.width <= 1:
        return grid
    count = len([*takewhile(lambda at: _names_columns(grid, at), range(len(grid.rows)))])
    if not 0 < count < len(grid.rows):
        return grid
    named = [list(row) for row in grid.rows[:count]]
    for number, at in sorted(grid.continued):
        if number < count:
            named[number][at] = named[number][at - 1]  # a name over several columns names each
    names = [_column_name(column) for column in zip_longest(*named, fillvalue="")]
    continued = {(number - count + 1, at) for number, at in grid.continued if number >= count}
    return Grid((tuple(names), *grid.rows[count:]), 1, continued)


def _names_columns(grid: Grid, at: int) -> bool:
    """Whether a row names the columns, if all rows above it do.

    Names are bold or years, or they fill a row with an empty corner above rows that have labels.
    The corner may hold the unit of the values, in brackets. In the first row, it may be bold like
    the names.
    """
    corner, *names = grid.rows[at]
    filled = [name for name in names if flat(name)]
    if not filled:
        return False
    text = flat(corner)
    if text and not (text[0] == "(" and text[-1] == ")"):
        return not at and all(map(_is_strong, [corner, *filled]))
    if all(_is_strong(name) or flat(name) in _YEARS for name in filled):
        return True
    spanned = sum((at, column) in grid.continued for column in range(1, grid.width))
    is_full = not text and len(filled) + spanned == len(names) > 1  # one may be a value
    has_words = all(_is_strong(name) or not flat(name).isdecimal() for name in filled)
    below = grid.rows[at + 1 :]  # nearly all rows below a header begin with a label
    are_labelled = sum(bool(flat(row[0])) for row in below) >= _NEARLY_ALL * len(below)
    return is_full and has_words and are_labelled


def _is_strong(content: Inline) -> bool:
    return all(
        part.kind == "strong" if isinstance(part, InlinePiece) else not part.strip()
        for part in as_parts(content)
    )


def _column_name(column: Iterable[Inline]) -> Inline:
    names = [name for cell in column if (name := flat(cell))]
    return " ".join(name for name, _ in groupby(names))
