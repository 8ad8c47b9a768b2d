"""Tables: captions, HTML, sub-headers, and pieces that a reader can use with nothing else.

Tokens are words here, so that every limit can be counted in the text.
"""

import re
import time
from collections.abc import Callable, Iterator, Mapping
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from by_eye import packed, roles, said, some, words
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from strategies import generated

from treepack import Chunk, Chunks, PackConfig, Source, audit, pack, parse
from treepack.model.blocks import Block, ListItem, Table, children

GFM = "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |"


def tables(text: str) -> list[Table]:
    """Return all tables of a document, including those in lists and quotes."""

    def inside(block: Block | ListItem) -> Iterator[Table]:
        if isinstance(block, Table):
            yield block
        for child in children(block):
            yield from inside(child)

    sections = parse(text).root.walk()
    return [table for section in sections for block in section.blocks for table in inside(block)]


def captions(text: str) -> list[str]:
    return [table.caption for table in tables(text)]


def context(chunk: Chunk, role: str) -> list[str]:
    return [segment.text for segment in chunk.segments if segment.role == role]


def rows_of(chunks: Chunks) -> list[tuple[int, int]]:
    """Return the first and last row of each piece; the chunks have one table."""
    return [(table.row_start, table.row_end) for chunk in chunks for table in chunk.tables]


def assert_tiled(chunks: Chunks) -> None:
    """Check that each table's pieces are numbered and that their rows continue to the last one."""
    slices = [table for chunk in chunks for table in chunk.tables]
    for key in {table.id for table in slices}:
        pieces = [table for table in slices if table.id == key]
        assert [piece.part for piece in pieces] == list(range(1, len(pieces) + 1))
        assert {piece.parts for piece in pieces} == {len(pieces)}
        assert pieces[0].row_start <= 1
        assert pieces[-1].row_end == pieces[-1].row_count
        for before, piece in pairwise(pieces):
            is_same_row = before.cell_part is not None and piece.cell_part not in (None, 1)
            assert piece.row_start == before.row_end + (not is_same_row)


# -------------------------------------------------------------------- captions, found

LABELS = {
    "Table 3 — Limits": "Table 3 — Limits",
    "Table 3: Limits": "Table 3: Limits",
    "Table 3. Limits": "Table 3. Limits",
    "Table 3 Limits of pressure": "Table 3 Limits of pressure",
    "Table A.2 – Limits": "Table A.2 – Limits",
    "Table 3-1 Limits": "Table 3-1 Limits",
    "TABLE IV: LIMITS": "TABLE IV: LIMITS",
    "Table: Limits": "Table: Limits",
    "**Table 3:** Limits": "Table 3: Limits",
    "**Table 3. Limits**": "Table 3. Limits",
    "*Table 3* – Limits": "Table 3 – Limits",
    "Table 3": "Table 3",
    "Tabelle 3: Grenzwerte": "Tabelle 3: Grenzwerte",
    "Tab. 4 – Grenzwerte": "Tab. 4 – Grenzwerte",
    "Tabelle: Grenzwerte": "Tabelle: Grenzwerte",
    "Tableau 2 : Limites": "Tableau 2 : Limites",
    "Tableau 2 – Limites": "Tableau 2 – Limites",
    "Tabla 1. Límites": "Tabla 1. Límites",
    "Cuadro 5: Datos": "Cuadro 5: Datos",
    "表 3 限值": "表 3 限值",
    "表3-1:限值": "表3-1:限值",
    "附表 1：限值": "附表 1：限值",
    "表：限值": "表：限值",
    "Table 3: Results on PubTabNet. PP: Post-processing.": (
        "Table 3: Results on PubTabNet. PP: Post-processing."
    ),
    "**Table 3.** Limits. Values in bar! Why?": "Table 3. Limits. Values in bar! Why?",
    "**Table 3** Limits. Values in bar.": "Table 3 Limits. Values in bar.",
    "Tabelle 3 – Grenzwerte. Werte in bar. Alle gerundet.": (
        "Tabelle 3 – Grenzwerte. Werte in bar. Alle gerundet."
    ),
    "Tableau 2 – Limites. Valeurs en bar.": "Tableau 2 – Limites. Valeurs en bar.",
    "Tabla 1: Límites. Valores en bar.": "Tabla 1: Límites. Valores en bar.",
    "表 3：限值。单位为巴。": "表 3：限值。单位为巴。",
    "*Table A.1: Limits. Values in bar.*": "Table A.1: Limits. Values in bar.",
    "Table 3. Limits of\nthe pressure. All values\nin bar.": (
        "Table 3. Limits of the pressure. All values in bar."
    ),
    f"Table 3: {'Limits of it. ' * 40}".strip(): f"Table 3: {'Limits of it. ' * 40}".strip(),
}
STYLED = {
    "**Limits of pressure**": "Limits of pressure",
    "*Limits*": "Limits",
    "__Limits__": "Limits",
    "_Limits of `p`_": "Limits of p",
    "***Limits***": "Limits",
    "**Limits**:": "Limits:",
}
PROSE = (
    "Table 3 shows the limits.",
    "Table 3, which is long, shows the limits.",
    "Table 3 and Table 4 give limits",
    "Tables are useful:",
    "The limits stand in the table below:",
    "Table of contents",
    "Tabelle 3 zeigt die Grenzwerte.",
    "Tableau 3 présente les limites.",
    "La tabla 3 muestra los límites.",
    "表3给出了限值。",
    "表 3 是限值，单位为巴。",
    "**Note** that limits change",
    "**One** and **two**",
    "Limits",
    f"Table 3: {some(300)}",
    f"Table 3 {some(120).capitalize()}",
    "Table 3 Limits were met. We saw it.",
    "表 3 给出了限值。结果很好。",
)


@pytest.mark.parametrize("line", [*LABELS, *STYLED])
def test_a_caption_before_a_table_is_its_plain_text(line: str) -> None:
    assert captions(f"Text.\n\n{line}\n\n{GFM}\n\nText.\n") == [(LABELS | STYLED)[line]]


@pytest.mark.parametrize("line", LABELS)
def test_a_line_after_a_table_is_its_caption_if_it_says_so(line: str) -> None:
    assert captions(f"Text.\n\n{GFM}\n\n{line}\n\nText.\n") == [LABELS[line]]


@pytest.mark.parametrize("line", STYLED)
def test_a_bold_line_after_a_table_belongs_to_what_follows(line: str) -> None:
    assert captions(f"Text.\n\n{GFM}\n\n{line}\n\nText.\n") == [""]


@pytest.mark.parametrize("line", PROSE)
def test_prose_is_no_caption(line: str) -> None:
    """A sentence that begins with "Table 3" is about a table; it is not the table's caption."""
    assert captions(f"{line}\n\n{GFM}\n") == [""]
    assert captions(f"{GFM}\n\n{line}\n") == [""]


def test_a_heading_or_a_list_before_a_table_is_no_caption() -> None:
    assert captions(f"## Table 3: Limits\n\n{GFM}\n") == [""]
    assert captions(f"- Table 3: Limits\n\n{GFM}\n") == [""]


def test_only_the_next_neighbour_is_a_caption() -> None:
    assert captions(f"Table 3: Limits\n\nIn bar.\n\n{GFM}\n\nIn bar.\n\nTable 4: Other\n") == [""]


@pytest.mark.parametrize(
    ("line", "caption"),
    [
        ('{: title="Limits of pressure"}', "Limits of pressure"),
        ("{: #t3 .wide title='Limits'}", "Limits"),
        ("{: .wide}", ""),
    ],
)
def test_an_attribute_line_under_a_table_is_no_row_and_may_hold_the_caption(
    line: str, caption: str
) -> None:
    (table,) = tables(f"{GFM}\n{line}\n\nText.\n")
    assert (table.caption, len(table.rows)) == (caption, 2)


def test_a_row_that_only_begins_like_an_attribute_line_is_a_row() -> None:
    assert [len(table.rows) for table in tables(f"{GFM}\n{{: x | y\n\nText.\n")] == [3]


# -------------------------------------------------------------------- captions, of which table


def test_one_paragraph_is_the_caption_of_one_table() -> None:
    """A paragraph between two tables could belong to either."""
    assert captions(f"{GFM}\n\nTable 1: Limits\n\n{GFM}\n") == ["", "Table 1: Limits"]


def test_captions_after_their_tables_go_to_the_tables_before() -> None:
    text = f"{GFM}\n\nTable 1: One\n\n{GFM}\n\nTable 2: Two\n\n{GFM}\n\nTable 3: Three\n"
    assert captions(text) == ["Table 1: One", "Table 2: Two", "Table 3: Three"]


def test_captions_before_their_tables_go_to_the_tables_after() -> None:
    text = f"Table 1: One\n\n{GFM}\n\nTable 2: Two\n\n{GFM}\n\nTable 3: Three\n\n{GFM}\n"
    assert captions(text) == ["Table 1: One", "Table 2: Two", "Table 3: Three"]


def test_a_table_in_a_list_or_quote_has_its_caption_there() -> None:
    item = "- Table 1: One\n\n" + "".join(f"  {line}\n" for line in GFM.split("\n"))
    quote = "> Table 2: Two\n>\n" + "".join(f"> {line}\n" for line in GFM.split("\n"))
    assert captions(f"{item}\n{quote}") == ["Table 1: One", "Table 2: Two"]


# -------------------------------------------------------------------- captions in pieces


def gfm(rows: int, width: int = 2, inside: Mapping[str, str] | None = None) -> str:
    """Return a table of rows like ``| r1 | v1 |``; ``inside`` gives the text of named rows."""
    given = inside or {}
    head = "| " + " | ".join(["key", "val", "more", "last"][:width]) + " |\n" + "|---" * width + "|"
    lines = [
        given.get(f"r{n}", "| " + " | ".join([f"r{n}", *(f"v{n}",) * (width - 1)]) + " |")
        for n in range(1, rows + 1)
    ]
    return "\n".join([head, *lines])


BESIDE: dict[str, Callable[[str], str]] = {
    "before": lambda table: f"Table 7: Limits\n\n{table}\n",
    "after": lambda table: f"{table}\n\nTable 7: Limits\n",
    "attributes": lambda table: f'{table}\n{{: title="Table 7: Limits"}}\n',
    "bold": lambda table: f"**Table 7: Limits**\n\n{table}\n",
}


@pytest.mark.parametrize("place", BESIDE)
def test_each_piece_has_the_caption_in_its_text_and_its_record(place: str) -> None:
    chunks = packed(f"# A\n\nText.\n\n{BESIDE[place](gfm(14))}\nText.\n", 40)
    pieces = [chunk for chunk in chunks if chunk.tables]
    assert len(pieces) > 2
    for chunk in pieces:
        assert chunk.tables[0].caption == "Table 7: Limits"
        assert chunk.text.count("Table 7: Limits") == 1
        assert words(chunk.embed_text) <= 40
    assert any(context(chunk, "caption") for chunk in pieces[:-1])
    assert_tiled(chunks)


def test_a_caption_stands_apart_from_its_table_in_each_piece() -> None:
    """Directly above the header row, the caption would itself be read as the header row."""
    for chunk in packed(f"Table 7: Limits\n\n{gfm(14)}\n", 40)[1:]:
        assert chunk.text.startswith("Table 7: Limits\n\n| key | val |\n|---|---|\n| r")
        assert roles(chunk) == ["caption", "glue", "table_header", "glue", "body"]


def test_a_caption_counts_against_the_cap() -> None:
    """The same rows need more pieces with a long caption, and no piece exceeds the cap."""
    long = f"Table 7: {some(9)}"
    plain, named = (packed(f"{name}\n\n{gfm(20)}\n", 40) for name in ("Text.", long))
    assert len(named) > len(plain)
    assert all(words(chunk.embed_text) <= 40 for chunk in named)
    assert all(some(9) in chunk.text for chunk in named)


def test_a_caption_that_leaves_no_room_stays_in_the_record_alone() -> None:
    long = f"Table 7: {some(30)}"
    chunks = packed(f"{long}\n\n{gfm(20)}\n", 40)
    pieces = [chunk for chunk in chunks if chunk.tables]
    assert all(chunk.tables[0].caption == long for chunk in pieces)
    assert not any(context(chunk, "caption") for chunk in pieces)
    assert "".join(chunk.lexical_text for chunk in chunks).count("w29") == 1


def test_a_table_in_a_list_has_its_caption_in_each_piece_within_the_item() -> None:
    lines = "".join(f"  {line}\n" for line in gfm(14).split("\n"))
    chunks = packed(f"- Table 7: Limits\n\n{lines}", 40)
    assert len(chunks) > 2
    for chunk in chunks:
        first, *rest = chunk.text.split("\n")
        assert first == "- Table 7: Limits"
        assert all(line.startswith("  ") or not line for line in rest)


@pytest.mark.parametrize("before", ["<div>{}</div>", "{}"])
def test_a_table_above_its_caption_begins_a_chunk_after_any_text(before: str) -> None:
    """The caption can then come above the first piece too."""
    text = f"{before.format(some(40))}\n\n{gfm(14)}\n\nTable 7: Limits\n"
    chunks = packed(text, 36)
    pieces = [chunk for chunk in chunks if chunk.tables]
    assert len(pieces) > 2
    assert all("Table 7: Limits" in chunk.text for chunk in pieces)


def test_a_caption_alone_is_no_chunk() -> None:
    chunks = packed(f"# A\n\n{some(30)}\n\nTable 7: Limits\n\n{gfm(14)}\n", 40)
    assert not any(chunk.text.endswith("Table 7: Limits") for chunk in chunks)


# -------------------------------------------------------------------- HTML tables, read

HEAD = "<tr><th>a</th><th>b</th></tr>\n"
BODY = "<tr><td>1</td><td>2</td></tr>\n<tr><td>3</td><td>4</td></tr>\n"
SPANNED = (
    "<table>\n<thead>\n<tr><th rowspan='2'>k</th><th colspan='2'>v</th></tr>\n"
    "<tr><th>x</th><th>y</th></tr>\n</thead>\n<tr><td>1</td><td>2</td><td>3</td></tr>\n</table>"
)
HTML: dict[str, tuple[str, tuple[str, ...], int, int]] = {
    "th": (f"<table>\n{HEAD}{BODY}</table>", ("a", "b"), 1, 2),
    "thead": (
        f"<table>\n<thead>\n{HEAD}</thead>\n<tbody>\n{BODY}</tbody>\n</table>",
        ("a", "b"),
        1,
        2,
    ),
    "td-in-thead": (
        f"<table><thead>{HEAD.replace('th>', 'td>')}</thead>{BODY}</table>",
        ("a", "b"),
        1,
        2,
    ),
    "two-header-rows": (SPANNED, ("k", "x", "y"), 2, 1),
    "spans-into-the-body": (
        f"<table>\n<tr><th>k<th>v<th rowspan=3>w</tr>\n<tr><th>x</tr>\n{BODY}</table>",
        ("x", "", "w"),
        2,
        2,
    ),
    "no-header": (f"<table>\n{BODY}</table>", (), 0, 2),
    "blank-lines": (
        f"<table>\n\n{HEAD}\n\n{BODY}\n</table>".replace("</tr>\n<tr>", "</tr>\n\n<tr>"),
        ("a", "b"),
        1,
        2,
    ),
    "code-by-indentation": (
        f"<table>\n\n    {HEAD}\n    <tr><td>1</td><td>2</td></tr>\n\n</table>",
        ("a", "b"),
        1,
        1,
    ),
    "div": (f"<div class='t'>\n<table>\n{HEAD}{BODY}</table>\n</div>", ("a", "b"), 1, 2),
    "div-apart": (f"<div>\n\n<table>\n{HEAD}{BODY}</table>\n\n</div>", ("a", "b"), 1, 2),
    "unclosed-cells": (
        "<table>\n<tr><th>a<th>b\n<tr><td>1<td>2\n<tr><td>3<td>4\n</table>",
        ("a", "b"),
        1,
        2,
    ),
    "unclosed-head": (f"<table><thead>{HEAD}<tbody>{BODY}</table>", ("a", "b"), 1, 2),
    "upper-case": (f"<TABLE>\n{HEAD}{BODY}</TABLE>".replace("tr>", "TR>"), ("a", "b"), 1, 2),
    "comments": (
        f"<table>\n<!-- <tr><td>no</td></tr> </table> -->\n{HEAD}{BODY}</table>",
        ("a", "b"),
        1,
        2,
    ),
    "colgroup": (f"<table><colgroup><col><col/></colgroup>{HEAD}{BODY}</table>", ("a", "b"), 1, 2),
    "foot": (
        f"<table>\n{HEAD}<tbody>{BODY}</tbody><tfoot>{BODY}</tfoot></table>",
        ("a", "b"),
        1,
        4,
    ),
    "markdown-in-a-cell": (
        f"<table>\n{HEAD}<tr><td>\n\n- x\n- y\n\n</td><td>2</td></tr>\n</table>",
        ("a", "b"),
        1,
        1,
    ),
    "a-table-in-a-cell": (
        f"<table>\n{HEAD}<tr><td><table>{BODY}</table></td><td>2</td></tr>\n</table>",
        ("a", "b"),
        1,
        1,
    ),
    "marks-in-attributes": (
        f"<table title='a > b'>{HEAD}<tr><td title=\"c > d\">1</td><td>2</td></tr></table>",
        ("a", "b"),
        1,
        1,
    ),
    "entities": (
        f"<table>{HEAD.replace('>a<', '>a &amp; <b>b</b><')}{BODY}</table>",
        ("a & b", "b"),
        1,
        2,
    ),
}


@pytest.mark.parametrize("kind", HTML)
def test_an_html_table_is_a_table(kind: str) -> None:
    text, columns, header_rows, rows = HTML[kind]
    (table,) = tables(f"Text.\n\n{text}\n\nText.\n")
    assert table.is_html
    assert (table.columns, table.header_rows, len(table.rows)) == (columns, header_rows, rows)


SHARED_BLOCKS = {
    "two-in-a-block": (f"<table>\n{HEAD}{BODY}</table>\n<table>\n{HEAD}{BODY}</table>", 2),
    "text-before": (f"<div>Text <table>{HEAD}{BODY}</table></div>", 1),
    "text-after": (f"<table>{HEAD}{BODY}</table> and text", 1),
}


@pytest.mark.parametrize("kind", SHARED_BLOCKS)
def test_a_table_that_shares_its_block_of_html_stands_alone(kind: str) -> None:
    """The rest of the HTML is a block of its own, and pieces close only the table."""
    html, count = SHARED_BLOCKS[kind]
    found = tables(f"Text.\n\n{html}\n\nText.\n")
    assert len(found) == count
    for table in found:
        assert table.closing.endswith("</table>")


NO_TABLES = {
    "never-closed": f"<table>\n{HEAD}{BODY}",
    "closed-after-a-heading": f"<table>\n{HEAD}{BODY}\n\n# Heading\n\n</table>",
    "no-rows": "<table>\n</table>",
    "header-alone": f"<table>\n{HEAD}</table>",
    "in-a-comment": f"<!--\n<table>{HEAD}{BODY}</table>\n-->",
    "in-a-fence": f"```html\n<table>{HEAD}{BODY}</table>\n```",
    "another-name": f"<tablet>{HEAD}{BODY}</tablet>",
}


@pytest.mark.parametrize("kind", NO_TABLES)
def test_other_html_is_no_table(kind: str) -> None:
    """Cutting HTML by rows would break it unless it is a single table."""
    text = f"Text.\n\n{NO_TABLES[kind]}\n\nText.\n"
    assert tables(text) == []
    assert "".join(chunk.lexical_text for chunk in packed(text, 16)).count("Text.") == 2


def test_the_caption_of_an_html_table_is_its_plain_text() -> None:
    caption = "<caption>Table 7: <b>Limits</b> &amp;\nmore</caption>"
    (table,) = tables(f"<table>{caption}\n{HEAD}{BODY}</table>\n")
    assert table.caption == "Table 7: Limits & more"


def test_a_paragraph_is_the_caption_of_an_html_table_without_one() -> None:
    own = f"<table><caption>Own</caption>{HEAD}{BODY}</table>"
    other = f"<table>{HEAD}{BODY}</table>"
    text = f"Table 1: One\n\n{other}\n\nText.\n\nTable 2: Two\n\n{own}\n"
    assert captions(text) == ["Table 1: One", "Own"]


# -------------------------------------------------------------------- HTML tables, in pieces

_VOID = {"br", "col", "hr", "img"}
_ENDS: dict[str, set[str]] = {  # the open elements that a start tag ends
    "tr": {"td", "th", "tr", "colgroup", "caption"},
    "td": {"td", "th"},
    "th": {"td", "th"},
    "tbody": {"td", "th", "tr", "thead", "tbody", "tfoot"},
    "tfoot": {"td", "th", "tr", "thead", "tbody", "tfoot"},
}
_MAY_STAY_OPEN = {"td", "th", "tr", "tbody", "thead", "tfoot", "li", "p"}


class Piece(HTMLParser):
    """Reads one piece as a browser would and insists that it is one complete table.

    Attributes:
        rows: The outermost table's rows, each a list of (tag, text).
        columns: For each row, the columns in which its cells begin and, last, its column count.
        caption: The text of its caption.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[list[tuple[str, str]]] = []
        self.columns: list[list[int]] = []
        self.caption = ""
        self.count = 0
        self.feed(text)
        self.close()
        assert not self.open, f"{self.open} stay open in {text!r}"
        assert self.count == 1, f"{self.count} tables in {text!r}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element, and close those that its start tag ends."""
        while self.open and self.open[-1] in _ENDS.get(tag, set()):
            self.open.pop()
        depth = self.open.count("table")
        if tag == "table":
            self.count += depth == 0
        elif depth == 1 and tag == "tr":
            self.rows.append([])
            self.columns.append([0])
        elif depth == 1 and tag in ("td", "th"):
            assert self.open[-1] == "tr", f"a cell in {self.open}"
            self.rows[-1].append((tag, ""))
            self.columns[-1].append(self.columns[-1][-1] + int(dict(attrs).get("colspan") or 1))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close an element; only cells, rows and their groups may close with it."""
        assert tag in self.open, f"</{tag}> closes nothing in {self.open}"
        while (last := self.open.pop()) != tag:
            assert last in _MAY_STAY_OPEN, f"</{tag}> in <{last}>"

    def handle_data(self, data: str) -> None:
        """Add text to the current cell or to the caption."""
        if "caption" in self.open:
            self.caption += data
        elif {"td", "th"} & set(self.open):
            tag, text = self.rows[-1][-1]
            self.rows[-1][-1] = (tag, text + data)
        else:
            assert not data.strip() or "table" not in self.open, f"{data!r} in no cell"


def html_rows(count: int, cell: str = "r{n} word") -> str:
    return "".join(
        f"<tr><td>{cell.format(n=n)}</td><td>v{n} word</td></tr>\n" for n in range(1, count + 1)
    )


CUT_HTML: dict[str, str] = {
    "plain": f"<table>\n{HEAD}{html_rows(20)}</table>",
    "groups": f"<table>\n<thead>\n{HEAD}</thead>\n<tbody>\n{html_rows(20)}</tbody>\n</table>",
    "two-header-rows": SPANNED.replace(
        "<tr><td>1</td><td>2</td><td>3</td></tr>\n",
        html_rows(20).replace("<td>v", "<td>x</td><td>v"),
    ),
    "caption": f"<table>\n<caption>Table 7: Limits</caption>\n{HEAD}{html_rows(20)}</table>",
    "div": f"<div class='t'>\n<table>\n{HEAD}{html_rows(20)}</table>\n</div>",
    "blank-lines": f"<table>\n\n{HEAD}\n{html_rows(20)}\n</table>".replace("<tr>", "\n<tr>"),
    "unclosed": re.sub("</t[drh]>", "", f"<table>\n{HEAD}{html_rows(20)}") + "</table>",
    "two-bodies": f"<table>\n{HEAD}" + f"<tbody>\n{html_rows(10)}</tbody>\n" * 2 + "</table>",
    "nested": f"<table>\n{HEAD}"
    + html_rows(20, "r{n} <table><tr><td>in word</td></tr></table>")
    + "</table>",
    "no-header": f"<table>\n{html_rows(20)}</table>",
}


@pytest.mark.parametrize("kind", CUT_HTML)
def test_each_piece_of_an_html_table_is_a_complete_table(kind: str) -> None:
    text = CUT_HTML[kind]
    whole = Piece(text)
    chunks = packed(f"{text}\n", 30)
    assert len(chunks) > 2
    header_rows = tables(text)[0].header_rows
    found: list[list[tuple[str, str]]] = []
    for chunk in chunks:
        piece = Piece(chunk.text)
        assert piece.caption == whole.caption
        assert piece.rows[:header_rows] == whole.rows[:header_rows]
        found += piece.rows[header_rows:]
        assert words(chunk.embed_text) <= 30
    assert _stripped(found) == _stripped(whole.rows[header_rows:])
    assert_tiled(chunks)


def _stripped(rows: list[list[tuple[str, str]]]) -> list[list[tuple[str, str]]]:
    return [[(tag, text.strip()) for tag, text in row] for row in rows]


def test_columns_below_a_header_cell_that_reaches_into_the_body_are_known() -> None:
    """The last header row has no cell in column 2; the cell that reaches down is in column 3."""
    head = "<tr><th>k</th><th>v</th><th rowspan=3>w</th></tr>\n<tr><th>x</th></tr>\n"
    rows = "".join(f"<tr><td>{n}</td><td>some words</td></tr>\n" for n in range(9))
    source = f"<table>\n{head}{rows}</table>\n"
    chunks = pack(source, PackConfig(max_tokens=90))
    assert {table.columns for chunk in chunks for table in chunk.tables} == {("x", "", "w")}
    assert audit(source, chunks).findings == ()
    wrong = chunks[0].tables[0].model_copy(update={"columns": ("x", "w")})
    changed = [chunks[0].model_copy(update={"tables": (wrong,)}), *chunks[1:]]
    assert audit(source, changed).findings


def test_a_header_cell_that_another_one_overlaps_still_reaches_down() -> None:
    """As in the HTML standard: both cells take the same slot, and the longer one continues."""
    head = "<tr><th>a</th><th rowspan=7>b</th></tr>\n<tr><td colspan=3>c</td></tr>\n"
    head += "<tr><th>d</th></tr>\n"
    source = f"<table>\n{head}<tr><td>1</td><td>2</td></tr>\n</table>\n"
    chunks = pack(source)
    assert [table.columns for chunk in chunks for table in chunk.tables] == [("a", "b")]
    source = source.replace("<th>a</th><th", "<td>a</td><td").replace("b</th>", "b</td>")
    chunks = pack(source)
    assert [table.columns for chunk in chunks for table in chunk.tables] == [("d", "b")]
    assert audit(source, chunks).findings == ()


def test_rows_that_a_rowspan_ties_stay_together() -> None:
    """After a cut between them, the second row would lack its first cell and shift to the left."""
    pairs = "".join(
        f"<tr><td rowspan=2>r{n} word</td><td>one</td></tr>\n<tr><td>two</td></tr>\n"
        for n in range(1, 9)
    )
    chunks = packed(f"<table>\n{HEAD}{pairs}</table>\n", 16)
    assert len(chunks) > 2
    assert all(first % 2 == 1 and last % 2 == 0 for first, last in rows_of(chunks))
    assert_tiled(chunks)


def test_a_rowspan_longer_than_the_cap_gives_way() -> None:
    """The tied rows do not fit; the cap is a law, and no row is lost."""
    tied = f"<tr><td rowspan=99>key</td><td>v0 word</td></tr>\n{html_rows(40)}"
    chunks = packed(f"<table>\n{HEAD}{tied}</table>\n", 32)
    assert all(words(chunk.embed_text) <= 32 for chunk in chunks)
    assert_tiled(chunks)
    assert len(re.findall(r"v\d+ word", "".join(c.lexical_text for c in chunks))) == 41


def test_an_html_row_above_the_budget_is_cut_by_cells_with_its_key_repeated() -> None:
    long = "<tr><td>key</td>" + "".join(f"<td>{some(9, x)}</td>" for x in "abc") + "</tr>\n"
    head = "<tr><th>k</th><th>a</th><th>b</th><th>c</th></tr>\n"
    rest = "<tr><td>r2</td><td>x</td><td>y</td><td>z</td></tr>\n"
    chunks = packed(f"<table>\n{head}{long}{rest}</table>\n", 20)
    pieces = [chunk for chunk in chunks if chunk.tables[0].cell_part]
    assert [chunk.tables[0].cell_part for chunk in pieces] == list(range(1, len(pieces) + 1))
    assert len(pieces) >= 2
    for chunk in pieces:
        header, row = Piece(chunk.text).rows
        assert [text for _, text in header] == ["k", "a", "b", "c"]
        assert row[0] == ("td", "key")
    for column, name in enumerate("abc", 1):
        assert "".join(
            Piece(chunk.text).rows[1][column][1]
            for chunk in pieces
            if len(Piece(chunk.text).rows[1]) > column
        ) == some(9, name), "each word stands under the header of its own column"
    assert_tiled(chunks)


def column_of(word: str, chunk: Chunk) -> int:
    """Return the column where the cell with this word begins, in the last row of a piece."""
    piece = Piece(chunk.text)
    (cell,) = [at for at, (_, text) in enumerate(piece.rows[-1]) if word in text.split()]
    return piece.columns[-1][cell]


def test_a_piece_of_a_row_with_several_th_is_no_header_row() -> None:
    cells = "".join(f"<th>{some(12, x)}</th>" for x in "abc")
    row = f"<tr><th>key</th>{cells}<td>{some(12, 'd')}</td></tr>\n"
    for text in (
        f"<table>\n{row}{html_rows(3)}</table>\n",
        f"<table>\n{HEAD}{html_rows(3)}{row}</table>\n",
        f"<table>\n{html_rows(3)}{row.replace('key', some(40, 'key'))}</table>\n",
    ):
        chunks = packed(text, 20)
        pieces = [chunk for chunk in chunks if chunk.tables[0].cell_part]
        assert len(pieces) > 2
        for chunk in pieces:
            assert "td" in {tag for tag, _ in Piece(chunk.text).rows[-1]}
        assert not audit(text, chunks, max_tokens=20, encoding=words).findings


@pytest.mark.parametrize("key", ["key", some(25, "key")])
def test_what_stands_beside_a_key_over_several_columns_stays_in_its_column(key: str) -> None:
    head = "<tr><th colspan=2>k</th><th colspan=3>a</th><th>b</th></tr>\n"
    a, b = some(25, "a"), some(25, "b")
    row = f"<tr><td colspan=2>{key}</td><td colspan='3'>{a}</td><td>{b}</td></tr>\n"
    text = f"<table>\n{head}{row}{row.replace(key, 'x')}</table>\n"
    chunks = packed(text, 40)
    found = {
        word[0]: column_of(word, chunk)
        for chunk in chunks
        if chunk.tables[0].row_end == 1
        for word in chunk.lexical_text.split()
        if re.fullmatch(r"[ab][0-9]+", word)
    }
    assert found == {"a": 2, "b": 5}
    assert not audit(text, chunks, max_tokens=40, encoding=words).findings


def test_a_cell_without_blanks_is_not_cut_between_the_attributes_of_its_tag() -> None:
    lines = "<br>".join(f"line{number}" for number in range(40))
    row = f"<tr><td>key</td><td colspan=2 class='wide'>{lines}</td></tr>\n"
    text = f"<table>\n{row}{html_rows(2)}</table>\n"
    chunks = packed(text, 96, encoding="cl100k_base")
    assert not audit(text, chunks, max_tokens=96).findings
    assert all("wide" not in text for chunk in chunks for _, text in Piece(chunk.text).rows[-1])


# -------------------------------------------------------------------- sub-headers


def grouped(*, mark: str = "{}", width: int = 2) -> str:
    """Return a table of two groups, each under a row whose only filled cell has this markup."""
    empty = " |" * (width - 1)
    rows = {f"r{n}": f"| {mark.format(name)} |{empty}" for n, name in ((1, "North"), (9, "South"))}
    return gfm(16, width, rows)


@pytest.mark.parametrize("mark", ["{}", "**{}**", "_{}_"])
def test_a_sub_header_is_repeated_for_the_rows_that_it_governs(mark: str) -> None:
    chunks = packed(f"{grouped(mark=mark)}\n", 36)
    assert len(chunks) > 2
    for chunk in chunks:
        (table,) = chunk.tables
        governed = {
            "North" if n < 9 else "South" for n in range(table.row_start, table.row_end + 1)
        }
        assert {name for name in ("North", "South") if name in chunk.text} == governed
        assert words(chunk.embed_text) <= 36
    repeated = [chunk for chunk in chunks if len(context(chunk, "table_header")) == 2]
    assert repeated, "else this shows nothing"


def test_a_row_of_bold_cells_is_a_sub_header() -> None:
    rows = {"r1": "| **North** | **Bar** |", "r9": "| __South__ | **Pascal** |"}
    chunks = packed(f"{gfm(16, 2, rows)}\n", 36)
    assert [("Bar" in chunk.text, "Pascal" in chunk.text) for chunk in chunks] == [
        (True, False),
        (True, True),
        (False, True),
    ]


def test_sub_headers_on_each_other_are_repeated_together() -> None:
    rows = {"r1": "| Europe | |", "r2": "| North | |"}
    for chunk in packed(f"{gfm(16, 2, rows)}\n", 40):
        assert re.search(r"\| Europe \| \|\n\| North \| \|\n", chunk.text)


def test_a_sub_header_goes_with_the_row_after_it() -> None:
    """At the end of a chunk it would head nothing."""
    for cap in range(24, 60):
        for chunk in packed(f"{grouped()}\n", cap):
            assert not chunk.text.endswith(("| North | |", "| South | |"))


def test_a_row_of_html_without_a_cell_is_packed() -> None:
    rows = "".join(f"<tr><td>{n}</td><td>Open the valve.</td></tr>\n" for n in range(9))
    table = f"<table>\n<tr><th>Step</th><th>Work</th></tr>\n{rows}<tr></tr>\n{rows}</table>\n"
    chunks = pack(f"# Valve\n\n{table}", max_tokens=60)
    assert len(chunks) > 1
    assert () == chunks.audit().findings


def test_a_pipe_that_is_text_parts_no_cells_of_a_sub_header() -> None:
    row = r"| North \| East |"
    for chunk in packed(f"{gfm(16, 2, {'r1': row})}\n", 36):
        assert row in chunk.text


def test_where_most_rows_have_one_cell_none_is_a_sub_header() -> None:
    rows = {f"r{n}": f"| r{n} | |" for n in range(1, 10)}
    for chunk in packed(f"{gfm(16, 2, rows)}\n", 30):
        assert len(context(chunk, "table_header")) <= 1


def test_where_half_of_the_rows_have_one_cell_they_are_sub_headers() -> None:
    rows = {f"r{n}": f"| group{n} | |" for n in range(1, 17, 2)}
    for chunk in packed(f"{gfm(16, 2, rows)}\n", 40):
        assert rows_of(Chunks([chunk]))[0][0] % 2 == 1


def test_a_table_of_one_column_has_no_sub_headers() -> None:
    for chunk in packed("| a |\n|---|\n" + "| **x** |\n| y |\n| z |\n" * 9, 24):
        assert len(context(chunk, "table_header")) <= 1


def test_an_empty_key_makes_no_sub_header() -> None:
    """A value below others in a column heads nothing."""
    for chunk in packed(f"{gfm(16, 2, {'r1': '| | only |'})}\n", 30)[1:]:
        assert "only" not in chunk.text


def test_the_sub_header_of_an_html_table_is_a_row_of_th() -> None:
    band = "<tr><th colspan=2>North</th></tr>\n"
    chunks = packed(f"<table>\n{HEAD}{html_rows(1)}{band}{html_rows(19)}</table>\n", 30)
    assert len(chunks) > 2
    for chunk in chunks:
        assert ("North" in chunk.text) == (chunk.tables[0].row_end > 2)
        Piece(chunk.text)


@pytest.mark.parametrize("overlap", [0, 40])
@pytest.mark.parametrize("cap", [100, 120, 140, 160, 200])
def test_a_row_of_th_that_begins_a_piece_is_no_header_row(cap: int, overlap: int) -> None:
    """Such rows alternate with long ones, so some do not fit in a piece with the row above."""
    cell = "a long cell with some words in it " * 5
    rows = "".join(
        f"<tr><td>{cell}{i}</td><td>x</td></tr>\n<tr><th>bar {i}</th><th>k {i}</th></tr>\n"
        for i in range(12)
    )
    text = f"<table>\n<tr><th>{cell}</th><th>H2</th></tr>\n{rows}</table>\n"
    config = PackConfig(max_tokens=cap, target_tokens=cap, min_tokens=0, overlap_tokens=overlap)
    chunks = pack(text, config)
    assert len(chunks) > 5
    assert audit(text, chunks, max_tokens=cap, overlap_tokens=overlap).findings == ()


def test_a_tbody_ends_the_header_of_an_html_table() -> None:
    text = f"<table>\n{HEAD}<tbody>\n<tr><th>c</th><th>d</th></tr>\n{html_rows(3)}</table>\n"
    [chunk] = pack(text)
    assert chunk.tables[0].columns == ("a", "b")
    assert chunk.tables[0].row_count == 4


@pytest.mark.parametrize("head", [HEAD, f"<thead>\n{HEAD}</thead>\n"])
def test_a_sub_header_of_th_is_repeated_as_data_and_never_stands_first(head: str) -> None:
    band = "<tr><th colspan=2>North\n<tr><TH\nrowspan=1>sea</TH><th>land</th></tr>\n"
    for before in range(1, 12):
        text = f"<table>\n{head}{html_rows(before)}{band}{html_rows(19)}</table>\n"
        chunks = packed(text, 30)
        assert not audit(text, chunks, max_tokens=30, encoding=words).findings
        for chunk in chunks:
            rows = Piece(chunk.text).rows[1:]
            assert {tag for tag, _ in rows[0]} == {"td"}, "a row of <th> would be of the header"
            if chunk.tables[0].row_start > before + 2:
                north, sea = _stripped(rows[:2])
                assert (north, sea) == ([("td", "North")], [("td", "sea"), ("td", "land")])


def test_a_row_of_th_is_no_header_of_a_piece_where_the_table_has_none() -> None:
    for before in range(3, 12):
        names = "<tr><th>North</th><th>sea</th></tr>\n"
        text = f"<table>\n{html_rows(before)}{names}{html_rows(19)}</table>\n"
        chunks = packed(text, 30)
        assert len(chunks) > 2
        assert not audit(text, chunks, max_tokens=30, encoding=words).findings


# -------------------------------------------------------------------- rows and cells of any kind


def parsed_rows(text: str) -> list[list[str]]:
    """Return the rows of a text's only GFM table, as markdown-it's own table rule reads them."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    assert [token.type for token in tokens].count("table_open") == 1, text
    rows: list[list[str]] = []
    for token, following in pairwise(tokens):
        if token.type == "tr_open":
            rows.append([])
        elif token.type in ("td_open", "th_open"):
            rows[-1].append(following.content)
    return rows


ODD_ROWS = {
    "ragged": ["| r{n} |", "| r{n} | a | b | c |", "| r{n} | a |"],
    "escaped-pipes": ["| r{n} \\| x | a \\| b |", "| r{n} | \\| |"],
    "pipes-in-code": ["| r{n} | `x \\| y` |", "| `r{n}` | ``a \\| b`` |"],
    "backslashes": ["| r{n} | c:\\\\ |", "| r{n} \\\\| d |"],
    "without-outer-pipes": ["r{n} | a", "r{n} | `b`"],
    "breaks": ["| r{n} | a<br>b |", "| r{n} | a<br/>b |"],
    "empty-cells": ["| r{n} | |", "|  | r{n} |", "| r{n} | x |"],
    "indented": ["   | r{n} | a |", " | r{n} | b |"],
}


@pytest.mark.parametrize("kind", ODD_ROWS)
def test_each_piece_re_parses_to_rows_of_the_whole(kind: str) -> None:
    forms = ODD_ROWS[kind]
    lines = [forms[n % len(forms)].format(n=n) for n in range(1, 25)]
    text = "| k | v |\n|---|---|\n" + "\n".join(lines) + "\n"
    header, *rows = parsed_rows(text)
    chunks = packed(text, 40)
    assert len(chunks) > 2
    for chunk in chunks:
        (table,) = chunk.tables
        found = parsed_rows(chunk.text)
        bands = len(context(chunk, "table_header")) - 1 if chunk.index else 0
        assert found[0] == header
        assert found[1 + bands :] == rows[table.row_start - 1 : table.row_end]
    assert_tiled(chunks)


def test_cells_of_a_long_row_stay_in_their_columns() -> None:
    """This holds even if the row is cut inside a cell."""
    cells = [some(3, "k"), some(30, "a"), "b \\| b", some(20, "c")]
    text = "| k | a | b | c |\n|---|---|---|---|\n| " + " | ".join(cells) + " |\n"
    chunks = packed(text, 30)
    assert [chunk.tables[0].cell_part for chunk in chunks] == list(range(1, len(chunks) + 1))
    columns: list[list[str]] = [[], [], [], []]
    for chunk in chunks:
        _, row = parsed_rows(chunk.text)
        assert row[0] == cells[0], "the key column is repeated"
        for column in (1, 2, 3):
            columns[column].extend(row[column].split())
    assert [" ".join(column) for column in columns[1:]] == [cells[1], "b | b", cells[3]]


def test_a_row_cut_by_cells_shares_its_chunks_with_no_other_row() -> None:
    text = gfm(6, 3, {"r3": f"| r3 | {some(20, 'a')} | {some(20, 'b')} |"})
    for chunk in packed(f"{text}\n", 36):
        (table,) = chunk.tables
        assert table.cell_part is None or table.row_start == table.row_end == 3


@pytest.mark.parametrize(("first", "rest"), [("- ", "  "), ("> ", "> "), ("12. > ", "    > ")])
def test_a_table_in_a_list_or_quote_is_cut_within_it(first: str, rest: str) -> None:
    head, *lines = gfm(14).split("\n")
    chunks = packed("\n".join([first + head, *(rest + line for line in lines)]) + "\n", 36)
    assert len(chunks) > 2
    for chunk in chunks:
        mark, *others = chunk.text.split("\n")
        assert mark == first + head
        assert all(line.startswith(rest + "|") for line in others)
        assert len(parsed_rows(chunk.text)) == len(others)
    assert_tiled(chunks)


@pytest.mark.parametrize(("first", "rest"), [("- ", "  "), ("> ", "> ")])
def test_an_html_table_in_a_list_or_quote_is_cut_within_it(first: str, rest: str) -> None:
    head, *lines = f"<table>\n{HEAD}{html_rows(20)}</table>".split("\n")
    chunks = packed("\n".join([first + head, *(rest + line for line in lines)]) + "\n", 32)
    assert len(chunks) > 2
    for chunk in chunks:
        mark, *others = chunk.text.split("\n")
        assert mark == first + head
        assert all(line.startswith(rest.rstrip()) for line in others)
        Piece("\n".join([mark[len(first) :], *(line[len(rest) :] for line in others)]))
    assert_tiled(chunks)


@pytest.mark.parametrize("indent", ["   ", "\t"])
@pytest.mark.parametrize("tag", ["table", "TABLE"])
def test_an_indented_html_table_is_cut_within_its_item(indent: str, tag: str) -> None:
    """The marker is on a line of its own, so the indentation does not become part of it."""
    table = f"<{tag}>\n{html_rows(8, 'r{n} word word word')}</{tag}>"
    lines = [f"{indent}{line}\n" for line in table.split("\n")]
    text = f"- Item\n\n{''.join(lines)}"
    chunks = packed(text, 16)
    assert len(chunks) > 2
    report = audit(text, chunks, max_tokens=16, encoding=words)
    assert report.ok, report.table()


def test_an_indented_caption_is_repeated_within_its_item() -> None:
    """The caption loses its indentation, which after the marker would become part of it."""
    lines = ["- Item\n\n", "   Table 1: T\n\n", "   | a |\n", "   | - |\n"]
    text = "".join([*lines, f"   | {said(8)} |\n"])
    chunks = packed(text, 30)
    assert len(chunks) > 2
    assert [chunk.text.split("\n")[0] for chunk in chunks[1:]] == ["- Table 1: T"] * 2
    report = audit(text, chunks, max_tokens=30, encoding=words)
    assert report.ok, report.table()


@pytest.mark.parametrize("end", ["", "</td>"])
def test_an_open_html_row_ends_before_the_mark_of_the_next_line(end: str) -> None:
    rows = "".join(f"> <tr><td>r{n}</td><td>{some(9)}{end}\n" for n in range(1, 7))
    text = f"> <table>\n{rows}> </table>\n"
    (table,) = tables(text)
    assert [text[slice(*row)] for row in table.rows] == [
        line.removeprefix("> ") for line in rows.splitlines()
    ]
    for cap in (16, 24):
        report = audit(text, packed(text, cap), max_tokens=cap, encoding=words)
        assert report.ok, report.table()


def test_a_row_may_end_inside_of_its_last_tag_on_a_line_of_its_own() -> None:
    text = "<table>\n<tr><td>a</td></tr\n>\n<tr><td>b</td></tr\n>\n</table>\n"
    (table,) = tables(text)
    assert text[slice(*table.rows[0])] == "<tr><td>a</td></tr\n>"


def test_a_table_of_a_header_alone_is_one_piece_without_rows() -> None:
    (chunk,) = packed("| a | b |\n|---|---|\n", 16)
    assert rows_of(Chunks([chunk])) == [(0, 0)]
    assert chunk.tables[0].row_count == 0


# -------------------------------------------------------------------- ids


def test_the_id_of_a_table_outlives_edits_elsewhere() -> None:
    """It names the table in an index, so only the table's own place and columns may change it."""
    text = f"# A\n\nText.\n\n{gfm(14)}\n\n# B\n\n{gfm(14)}\n\n{gfm(3)}\n"

    def ids(edited: str) -> list[str]:
        found = packed(edited, 40, name="d.md")
        return list(dict.fromkeys(table.id for chunk in found for table in chunk.tables))

    before = ids(text)
    assert len(before) == 3
    assert ids(f"# New\n\n{said(20)}\n\n{text}") == before
    assert ids(text.replace("Text.", f"Text. {said(9)}")) == before
    assert ids(text.replace("| r3 | v3 |", "| r3 | changed |")) == before
    assert len(set(ids(text.replace("# A", "# C"))) & set(before)) == 2


# -------------------------------------------------------------------- any table


@generated
@given(
    rows=st.lists(
        st.lists(
            st.sampled_from(("x", "", "a \\| b", "two words", some(25))), min_size=1, max_size=4
        ),
        min_size=1,
        max_size=12,
    ),
    cap=st.integers(20, 60),
    caption=st.sampled_from(("", "Table 7: Limits\n\n", f"Table 7: {some(8)}\n\n")),
    is_html=st.booleans(),
)
def test_row_ranges_tile_any_table(
    rows: list[list[str]],
    cap: int,
    caption: str,
    is_html: bool,  # noqa: FBT001 - drawn
) -> None:
    if is_html:
        lines = ["<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows]
        text = "<table>\n" + "\n".join([HEAD, *lines]) + "\n</table>"
    else:
        text = "\n".join(["| a | b |\n|---|---|", *("| " + " | ".join(row) + " |" for row in rows)])
    chunks = packed(f"{caption}{text}\n", cap)
    assert_tiled(chunks)
    assert {table.row_count for chunk in chunks for table in chunk.tables} == {len(rows)}
    assert all(words(chunk.embed_text) <= cap for chunk in chunks)


@st.composite
def html_row(draw: st.DrawFn) -> str:
    """Draw a row with a ``<td>``: a row of ``<th>`` alone may be too long to come under another."""
    cells = draw(
        st.lists(
            st.tuples(
                st.sampled_from(("td", "th")),
                st.sampled_from(("", "", " colspan=2", " colspan='3'", " rowspan=2", " class='x'")),
                st.integers(0, 30).map(some),
            ),
            max_size=3,
        )
    )
    cells.insert(draw(st.integers(0, len(cells))), ("td", "", some(draw(st.integers(0, 30)))))
    return "<tr>" + "".join(f"<{tag}{at}>{text}</{tag}>" for tag, at, text in cells) + "</tr>\n"


@generated
@given(
    rows=st.lists(html_row(), min_size=1, max_size=6),
    cap=st.integers(24, 60),
    head=st.sampled_from(("", "", HEAD, f"<thead>\n{HEAD}</thead>\n")),
    caption=st.sampled_from(("", "<caption>Table 7: Limits</caption>\n")),
)
def test_pieces_of_any_html_table_keep_the_laws(
    rows: list[str], cap: int, head: str, caption: str
) -> None:
    text = f"<table>\n{caption}{head}{''.join(rows)}</table>\n"
    chunks = packed(text, cap)
    assert not audit(text, chunks, max_tokens=cap, encoding=words).findings
    for chunk in chunks:
        Piece(chunk.text)


# -------------------------------------------------------------------- hostile input


class Recorder:
    """Counts words, and records how many characters it was asked to count."""

    def __init__(self) -> None:
        self.characters = 0

    def __call__(self, text: str) -> int:
        """Count the words of a text."""
        self.characters += len(text)
        return words(text)


GROWING: dict[str, Callable[[int], str]] = {
    "rows": lambda n: gfm(40 * n),
    "captioned": lambda n: f"Table 7: Limits\n\n{gfm(40 * n)}",
    "groups": lambda n: gfm(
        40 * n, 2, {f"r{at}": f"| group {at} | |" for at in range(1, 40 * n, 5)}
    ),
    "html": lambda n: f"<table>\n{HEAD}{html_rows(40 * n)}</table>",
    "tied": lambda n: f"<table>\n{HEAD}<tr><td rowspan=999>\n{html_rows(40 * n)}</table>",
    "one-row": lambda n: f"| a | b |\n|---|---|\n| key | {some(200 * n)} |",
    "cells": lambda n: f"<table>\n{HEAD}<tr>{'<td>cell of words</td>' * (40 * n)}</tr></table>",
    "tables": lambda n: f"Table 1: One\n\n{GFM}\n\n" * (10 * n),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", GROWING)
def test_twice_the_table_is_twice_the_work_for_the_counter(kind: str) -> None:
    seen: list[int] = []
    for n in (20, 40):
        recorder = Recorder()
        pack(Source(GROWING[kind](n)), PackConfig(max_tokens=128, encoding=recorder))
        seen.append(recorder.characters)
    assert seen[1] <= 2.4 * seen[0] + 20_000


HOSTILE: dict[str, Callable[[int], str]] = {
    "open-tables": lambda n: "<table>\n" * n,
    "open-tables-apart": lambda n: "<table>\n\n" * n,
    "open-rows": lambda n: "<table>\n" + "<tr>" * n,
    "open-cells": lambda n: "<table><tr>" + "<td>" * n + "</table>",
    "open-elements": lambda n: "<table><tr><td>x</td></tr>" + "<b>" * n + "</b>" * n + "</table>",
    "closing-nothing": lambda n: "<table><tr><td>x</td></tr>" + "<i></b>" * n + "</table>",
    "open-around-rows": lambda n: "<table>" + "<b><tr>" * n + "<td>x</td></table>",
    "open-comments": lambda n: "<table>" + "<!-- " * n,
    "open-tags": lambda n: "<table><tr><td>x</td></tr>" + "<a b='" * n + "</table>",
    "quotes": lambda n: "<table><tr><td " + "\"'" * n + "></table>",
    "small-tables": lambda n: "<table><tr><td>x</td></tr></table>\n\n" * (n // 4),
    "closed-at-the-end": lambda n: "<table>\n\n" * n + "</table>\n\n" * n,
    "labels": lambda n: f"Table 1: x\n\n{GFM}\n\n" * (n // 8),
    "stars": lambda n: "*" * 380 + f"x\n\n{GFM}\n\n" + "*_" * n + f"\n\n{GFM}\n",
    "pipes": lambda n: "|a|b|\n|-|-|\n" + "|" * n,
    "escapes": lambda n: "|a|b|\n|-|-|\n|" + "\\" * n + "|",
    "attributes": lambda n: "|a|\n|-|\n|x|\n{:" + " title=" * n + "}",
    "spans": lambda n: "<table>" + "<tr><td rowspan=999 colspan=999>x" * (n // 4) + "</table>",
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_tables_take_time_in_proportion(kind: str) -> None:
    """Quadratic work takes 16 times as long for 4 times the text.

    The shortest of three runs counts, because other work on the machine only makes a run longer.
    """

    def seconds(n: int) -> float:
        text = HOSTILE[kind](n)
        found: list[float] = []
        for _ in range(3):
            start = time.process_time()
            parse(text)
            found.append(time.process_time() - start)
        return min(found)

    assert seconds(6_000) <= 9 * seconds(1_500) + 0.05


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["open-tables", "open-tables-apart", "open-comments", "spans"])
def test_hostile_html_is_packed_with_work_in_proportion(kind: str) -> None:
    seen: list[int] = []
    for n in (10_000, 20_000):
        recorder = Recorder()
        text = HOSTILE[kind](n)
        chunks = pack(Source(text), PackConfig(max_tokens=128, encoding=recorder))
        assert len("".join("".join(c.lexical_text for c in chunks).split())) == len(
            "".join(text.split())
        )
        seen.append(recorder.characters)
    assert seen[1] <= 2.4 * seen[0] + 20_000


@pytest.mark.slow
def test_a_table_of_fifty_thousand_rows_is_cut_in_proportion() -> None:
    """The text is counted in one pass, whatever the number of rows."""
    recorder = Recorder()
    text = gfm(50_000)
    chunks = pack(Source(text), PackConfig(max_tokens=1024, encoding=recorder))
    assert recorder.characters <= 60 * len(text)
    assert_tiled(chunks)


@pytest.mark.parametrize("cap", [56, 60, 64, 68, 72])
def test_the_piece_that_holds_its_caption_has_the_whole_breadcrumb(cap: int) -> None:
    """Other pieces need room to repeat the caption; in this one the breadcrumb has that room."""
    rows = "".join(f"| part {n} | a value of {n} |\n" for n in range(12))
    text = (
        "# Pumps of the second kind\n\n## Limits of all of their parts\n\n"
        f"| Part | Value |\n|---|---|\n{rows}\n"
        "Table 1: What each part of a pump can bear for an hour\n"
    )
    config = PackConfig(max_tokens=cap, target_tokens=cap, min_tokens=0)

    *before, last = pack(Source(text, "pumps.md"), config)

    assert before
    assert "Table 1" in last.text
    assert last.embed_text.startswith(" > ".join(last.breadcrumb) + "\n")
    assert last.embed_token_count <= cap


# -------------------------------------------------------------------- odd tables


@pytest.mark.parametrize(
    ("first", "rest"), [("", ""), ("- ", "  "), ("> ", "> "), ("1. > ", "   > ")]
)
def test_column_names_know_link_references_that_are_defined_later(first: str, rest: str) -> None:
    lines = ["| [name][one] | [two] |", "|---|---|", "| 1 | 2 |"]
    table = first + f"\n{rest}".join(lines)
    (found,) = tables(f"{table}\n\n[one]: http://a.b\n[two]: http://c.d\n")
    assert found.columns == ("name", "two")


@pytest.mark.parametrize("table", ["| a |\n|---|\n| 1 |", "<table><tr><td>1</td></tr></table>"])
@pytest.mark.parametrize(("first", "rest"), [("", ""), ("> ", "> "), ("- ", "  ")])
def test_captions_know_link_references_that_are_defined_later(
    first: str, rest: str, table: str
) -> None:
    lines = "\n".join(["Table 1: *[name][one]*", "", *table.split("\n")])
    text = first + lines.replace("\n", f"\n{rest}")
    (found,) = tables(f"{text}\n\nWords.\n\n[one]: http://a.b\n")
    assert found.caption == "Table 1: name"


def test_column_names_of_undefined_references_stay_as_they_are() -> None:
    (found,) = tables("| [name][one] |\n|---|\n| 1 |\n")
    assert found.columns == ("[name][one]",)


@pytest.mark.parametrize("cap", range(24, 40))
def test_an_escaped_pipe_is_never_cut_from_its_backslash(cap: int) -> None:
    """Alone, the pipe would begin another cell."""
    cell = "a\\|b\\|c\\|d\\|e\\|" * 12
    chunks = packed(f"| k | v |\n|---|---|\n| r | {cell} |\n", cap, encoding="cl100k_base")
    assert len(chunks) > 1
    for chunk in chunks:
        header, *rows = parsed_rows(chunk.text)
        assert all(len(row) == len(header) for row in rows)
    assert audit(f"| k | v |\n|---|---|\n| r | {cell} |\n", chunks, max_tokens=cap).ok


HTML_GROUPS = """\
<table>
<tr><th>{header}</th></tr>
<tr><td colspan="2">Group A</td></tr>
<tr><td>a1</td><td>one two three four five six</td></tr>
<tr><td>a2</td><td>one two three four five six</td></tr>
<tr><td>a3</td><td>one two three four five six</td></tr>
<tr><td>a4</td><td>one two three four five six</td></tr>
</table>
"""


def test_a_sub_header_is_repeated_under_a_header_of_one_cell() -> None:
    chunks = packed(HTML_GROUPS.format(header="Title"), 60, encoding="cl100k_base", min_tokens=0)
    later = [chunk for chunk in chunks if chunk.tables[0].row_start > 2]
    assert later
    assert all("Group A" in chunk.text for chunk in later)


def test_in_a_table_of_one_column_no_row_is_a_sub_header() -> None:
    rows = "".join(f"<tr><td>row {n} one two three four</td></tr>\n" for n in range(5))
    wide = '<tr><td colspan="2">wide</td></tr>\n'
    chunks = packed(
        f"<table>\n<tr><th>T</th></tr>\n{wide}{rows}</table>\n", 40, encoding="cl100k_base"
    )
    assert len(chunks) > 2
    assert sum("wide" in chunk.text for chunk in chunks) == 1


def test_rows_that_a_rowspan_ties_stay_together_without_a_header_to_repeat() -> None:
    """The header takes more than half the cap, so the table is cut like plain lines."""
    header = f"<tr><th>{some(40)}</th></tr>"
    tied = [
        f'<tr><td rowspan="2">k{n}</td><td>a{n}</td></tr>\n<tr><td>b{n}</td></tr>' for n in range(4)
    ]
    text = "<table>\n" + "\n".join([header, *tied]) + "\n</table>\n"
    chunks = packed(text, 150, encoding="cl100k_base", target_tokens=80)
    assert len(chunks) > 2
    for rows in tied:
        assert sum(rows in chunk.text for chunk in chunks) == 1, rows


BROKEN_ROWS = "<table>\n<tr><td>a</td></tr>\n{words}\n<tr><td>b</td></tr>\n</table>\n"


@pytest.mark.parametrize("words", ["", "lost words here", "<p>lost</p>", f"{some(60)}"])
@pytest.mark.parametrize("cap", [24, 40, 64])
def test_records_name_rows_that_there_are(words: str, cap: int) -> None:
    """This holds even if broken markup has words between two rows."""
    chunks = packed(BROKEN_ROWS.format(words=words), cap, encoding="cl100k_base")
    for chunk in chunks:
        for table in chunk.tables:
            assert 1 <= table.row_start <= table.row_end <= table.row_count == 2
    held = " ".join(chunk.lexical_text for chunk in chunks)
    assert all(word in held for word in words.split())


# ---------------------------------------------------------------- tables inside cells


def nested(rows: int, after: str = "") -> str:
    """Return a table with a table in the second cell of its first row."""
    inner = "".join(f"<tr><td>inner{n} x y</td><td>value{n}</td></tr>\n" for n in range(rows))
    return (
        "<table>\n<thead><tr><th>Key</th><th>What</th></tr></thead>\n"
        f"<tr><td>alpha</td><td>First. <table>{inner}</table> {after}</td></tr>\n"
        "<tr><td>beta</td><td>b</td></tr>\n</table>\n"
    )


def outer_rows(text: str) -> int:
    """Return the number of rows of the outermost table, as a browser counts them."""
    depth = rows = 0
    for closes, name in re.findall(r"<(/?)(table|tr)\b", text):
        if name == "table":
            depth += -1 if closes else 1
        elif depth == 1 and not closes:
            rows += 1
    assert depth == 0
    return rows


@pytest.mark.parametrize("cap", [24, 32, 40])
def test_a_table_in_a_cell_is_opened_again_in_each_piece_of_the_row(cap: int) -> None:
    text = nested(30, "And the end.")
    chunks = packed(text, cap)
    assert len(chunks) > 3
    for chunk in chunks:
        assert outer_rows(chunk.text) == 2, chunk.text  # the header, and the row or a part of it
    assert audit(text, chunks, max_tokens=cap, encoding=words).ok


def test_tables_nested_too_deep_to_open_again_are_cut_within_the_cap() -> None:
    text = "<table><tr><td>a b c" * 400 + "</td></tr></table>" * 400
    chunks = packed(text, 64)
    assert max(chunk.embed_token_count for chunk in chunks) <= 64
    assert audit(text, chunks, max_tokens=64, encoding=words).ok


def test_text_beside_the_cells_of_a_row_is_no_breach() -> None:
    text = f"<table>\n<tr><th>H</th></tr>\n<tr><td>one</td> {some(90)} <b>two</b>\n</table>\n"
    chunks = packed(text, 40)
    assert len(chunks) > 2
    assert audit(text, chunks, max_tokens=40, encoding=words).ok


@pytest.mark.parametrize("words", range(14))
def test_the_path_leaves_room_for_what_opens_and_closes_a_table(words: int) -> None:
    """Each piece of the first row has part of a cell, even if a tag in it fits no chunk."""
    size = "width: 100px;height: 100px;min-width:100px;min-height:100px;"
    text = (
        f"# Guide to gauges\n\n{'Text of it. ' * 20}\n\n"
        f"## 5 Requirements for gauges{' and valves' * 3}\n\n{'Text of it. ' * 20}\n\n"
        f'### <a name="g1"></a> 5.1 Gauges{" on pipes" * words}\n\n'
        '<div class="text-left" markdown="1">\n<table style="width:100%">\n  <tr>\n'
        f'    <td><img src="media/gauge.png" alt="gauge" style="{size}"/></td>\n'
        f"    <td>A gauge shows the pressure.{' More of it.' * 30}</td>\n  </tr>\n"
        "  </table>\n  </div>\n"
    )
    chunks = pack(Source(text, "d.md"), max_tokens=64, target_tokens=64)
    assert chunks.audit().findings == ()


def test_no_overlap_begins_between_sub_headers_that_are_repeated_together() -> None:
    """The first of them is tied to the row above it, the second stands alone."""
    rows = "".join(f"<tr><td>{name}</td><td>{some(9)}</td></tr>\n" for name in "abcde")
    bands = (
        "<tr><td>f</td><td rowspan=2>v</td></tr>\n"
        "<tr><td>Some:</td><td></td></tr>\n<tr><td colspan=2>Sure:</td><td></td></tr>\n"
    )
    text = f"<table>\n<tr><th>k</th><th>v</th></tr>\n{rows}{bands}{rows}</table>\n"
    for cap in range(28, 84, 4):
        chunks = packed(text, cap, overlap_tokens=4)
        report = audit(text, chunks, max_tokens=cap, overlap_tokens=4, encoding=words)
        assert report.findings == ()


def test_the_audit_ignores_blanks_around_a_cell_that_markdown_it_keeps() -> None:
    """It once took the row for another: it read the source's cells without that whitespace."""
    rows = "".join(f"\x85 row{number} {some(4)}\n" for number in range(6))
    text = f"| a | b |\n|---|---|\n{rows}"
    chunks = packed(text, 16)
    assert len(chunks) > 2
    assert chunks.audit().findings == ()


def test_text_between_two_html_tables_ends_before_the_mark_of_the_next_line() -> None:
    """The `>` was once the text's last character, so a cut before the table was inside the text."""
    rows = "".join(f"> <tr><td>{some(4)}</td></tr>\n" for _ in range(6))
    text = f"> <table>\n> </table>\n> and\n> <table>\n{rows}> </table>\n"
    (quote,) = parse(text).root.blocks
    between, _ = children(quote)
    assert text[between.start : between.end].endswith("and")
    assert packed(text, 40).audit().findings == ()
    table = "> <table>\n> <tr><td>a</td></tr>\n> </table>"
    (quote,) = parse(f"{table}\n>\n{table}\n").root.blocks
    assert [block.kind for block in children(quote)] == ["table", "table"]


def test_a_sign_like_a_quotes_mark_above_an_html_table_is_not_lost() -> None:
    """Outside quotes a `>` is text; if it ends an HTML block, no other block contains it."""
    text = f"<p>{some(9)}</p>\n> and\n>\n<table>\n<tr><td>{some(9)}</td></tr>\n</table>\n"
    chunks = packed(text, 20)
    assert len(chunks) > 1
    assert chunks.audit().findings == ()


def test_a_table_that_was_opened_for_a_trial_is_listed_where_one_chunk_holds_it() -> None:
    """Its header is too long to repeat, and the packer tried whether text fits before its lines."""
    table = f"<table><tr><th>{some(24)}</th></tr><tr><td>{some(9)}</td></tr></table>"
    text = f"{some(3)}\n\n## {some(4)}\n\n{table}\n{some(2)}\n"
    listed = 0
    for cap in range(36, 48):
        chunks = packed(text, cap, "a.md", min_tokens=4)
        assert chunks.audit().findings == (), cap
        listed += sum(bool(chunk.tables) for chunk in chunks)
    assert listed


def test_a_sign_that_is_no_mark_of_a_quote_is_not_lost_above_a_table_in_an_item() -> None:
    """HTML continues until a blank line, so all lines below are in it, whatever they begin with."""
    table = f"<table>\n  > > <tr><td>{some(9)}</td></tr>\n  > > </table>\n"
    text = f"- <br>\n  > >\n  > >{table}  > \n  > 99. {some(14)}\n  > 100. limit\n"
    for cap in range(24, 44):
        assert packed(text, cap).audit().findings == (), cap
