"""HTML tables in markdown: how they are parsed, and pieces that are complete HTML tables.

Tokens are words here, so that every limit can be counted in the text.
"""

import re

import pytest
from by_eye import packed, some, words
from hypothesis import given
from hypothesis import strategies as st
from strategies import generated
from table_pieces import (
    BODY,
    HEAD,
    ParsedPiece,
    all_tables,
    assert_pieces_cover_all_rows,
    html_rows,
    row_ranges,
    stripped_cells,
)

from treepack import PackConfig, audit, pack

# -------------------------------------------------------------------- parsing


SPANNED_TABLE = (
    "<table>\n<thead>\n<tr><th rowspan='2'>k</th><th colspan='2'>v</th></tr>\n"
    "<tr><th>x</th><th>y</th></tr>\n</thead>\n<tr><td>1</td><td>2</td><td>3</td></tr>\n</table>"
)

HTML_TABLES: dict[str, tuple[str, tuple[str, ...], int, int]] = {
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
    "two-header-rows": (SPANNED_TABLE, ("k", "x", "y"), 2, 1),
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


@pytest.mark.parametrize("kind", HTML_TABLES)
def test_html_tables_are_parsed_into_columns_header_rows_and_rows(kind: str) -> None:
    text, columns, header_rows, rows = HTML_TABLES[kind]
    (table,) = all_tables(f"Text.\n\n{text}\n\nText.\n")
    assert table.is_html
    assert (table.columns, table.header_rows, len(table.rows)) == (columns, header_rows, rows)


SHARED_BLOCKS = {
    "two-in-a-block": (f"<table>\n{HEAD}{BODY}</table>\n<table>\n{HEAD}{BODY}</table>", 2),
    "text-before": (f"<div>Text <table>{HEAD}{BODY}</table></div>", 1),
    "text-after": (f"<table>{HEAD}{BODY}</table> and text", 1),
}


@pytest.mark.parametrize("kind", SHARED_BLOCKS)
def test_an_html_table_beside_other_html_is_a_separate_block(kind: str) -> None:
    """The rest of the HTML is a block of its own, and pieces close only the table."""
    html, count = SHARED_BLOCKS[kind]
    found = all_tables(f"Text.\n\n{html}\n\nText.\n")
    assert len(found) == count
    for table in found:
        assert table.closing.endswith("</table>")


NOT_TABLES = {
    "never-closed": f"<table>\n{HEAD}{BODY}",
    "closed-after-a-heading": f"<table>\n{HEAD}{BODY}\n\n# Heading\n\n</table>",
    "no-rows": "<table>\n</table>",
    "header-alone": f"<table>\n{HEAD}</table>",
    "in-a-comment": f"<!--\n<table>{HEAD}{BODY}</table>\n-->",
    "in-a-fence": f"```html\n<table>{HEAD}{BODY}</table>\n```",
    "another-name": f"<tablet>{HEAD}{BODY}</tablet>",
}


@pytest.mark.parametrize("kind", NOT_TABLES)
def test_html_without_a_complete_table_is_not_a_table(kind: str) -> None:
    """Cutting HTML by rows would break it unless it is a single table."""
    text = f"Text.\n\n{NOT_TABLES[kind]}\n\nText.\n"
    assert all_tables(text) == []
    assert "".join(chunk.lexical_text for chunk in packed(text, 16)).count("Text.") == 2


# -------------------------------------------------------------------- pieces


CUT_HTML: dict[str, str] = {
    "plain": f"<table>\n{HEAD}{html_rows(20)}</table>",
    "groups": f"<table>\n<thead>\n{HEAD}</thead>\n<tbody>\n{html_rows(20)}</tbody>\n</table>",
    "two-header-rows": SPANNED_TABLE.replace(
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
def test_each_piece_of_an_html_table_is_a_complete_html_table(kind: str) -> None:
    text = CUT_HTML[kind]
    whole = ParsedPiece(text)
    chunks = packed(f"{text}\n", 30)
    assert len(chunks) > 2
    header_rows = all_tables(text)[0].header_rows
    found: list[list[tuple[str, str]]] = []
    for chunk in chunks:
        piece = ParsedPiece(chunk.text)
        assert piece.caption == whole.caption
        assert piece.rows[:header_rows] == whole.rows[:header_rows]
        found += piece.rows[header_rows:]
        assert words(chunk.embed_text) <= 30
    assert stripped_cells(found) == stripped_cells(whole.rows[header_rows:])
    assert_pieces_cover_all_rows(chunks)


def test_columns_are_named_below_a_header_cell_that_spans_into_the_body() -> None:
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


def test_rows_joined_by_a_rowspan_stay_together() -> None:
    """After a cut between them, the second row would lack its first cell and shift to the left."""
    pairs = "".join(
        f"<tr><td rowspan=2>r{n} word</td><td>one</td></tr>\n<tr><td>two</td></tr>\n"
        for n in range(1, 9)
    )
    chunks = packed(f"<table>\n{HEAD}{pairs}</table>\n", 16)
    assert len(chunks) > 2
    assert all(first % 2 == 1 and last % 2 == 0 for first, last in row_ranges(chunks))
    assert_pieces_cover_all_rows(chunks)


def test_an_oversized_html_row_is_cut_by_cells_and_repeats_its_key() -> None:
    long = "<tr><td>key</td>" + "".join(f"<td>{some(9, x)}</td>" for x in "abc") + "</tr>\n"
    head = "<tr><th>k</th><th>a</th><th>b</th><th>c</th></tr>\n"
    rest = "<tr><td>r2</td><td>x</td><td>y</td><td>z</td></tr>\n"
    chunks = packed(f"<table>\n{head}{long}{rest}</table>\n", 20)
    pieces = [chunk for chunk in chunks if chunk.tables[0].cell_part]
    assert [chunk.tables[0].cell_part for chunk in pieces] == list(range(1, len(pieces) + 1))
    assert len(pieces) >= 2
    for chunk in pieces:
        header, row = ParsedPiece(chunk.text).rows
        assert [text for _, text in header] == ["k", "a", "b", "c"]
        assert row[0] == ("td", "key")
    for column, name in enumerate("abc", 1):
        assert "".join(
            ParsedPiece(chunk.text).rows[1][column][1]
            for chunk in pieces
            if len(ParsedPiece(chunk.text).rows[1]) > column
        ) == some(9, name), "each word is below the header of its own column"
    assert_pieces_cover_all_rows(chunks)


# -------------------------------------------------------------------- lists and quotes


@pytest.mark.parametrize(("first", "rest"), [("- ", "  "), ("> ", "> ")])
def test_each_piece_of_an_html_table_in_a_list_or_quote_keeps_the_line_prefixes(
    first: str, rest: str
) -> None:
    head, *lines = f"<table>\n{HEAD}{html_rows(20)}</table>".split("\n")
    chunks = packed("\n".join([first + head, *(rest + line for line in lines)]) + "\n", 32)
    assert len(chunks) > 2
    for chunk in chunks:
        first_line, *others = chunk.text.split("\n")
        assert first_line == first + head
        assert all(line.startswith(rest.rstrip()) for line in others)
        ParsedPiece("\n".join([first_line[len(first) :], *(line[len(rest) :] for line in others)]))
    assert_pieces_cover_all_rows(chunks)


@pytest.mark.parametrize("end", ["", "</td>"])
def test_an_unclosed_html_row_in_a_quote_ends_before_the_next_quote_marker(end: str) -> None:
    rows = "".join(f"> <tr><td>r{n}</td><td>{some(9)}{end}\n" for n in range(1, 7))
    text = f"> <table>\n{rows}> </table>\n"
    (table,) = all_tables(text)
    assert [text[slice(*row)] for row in table.rows] == [
        line.removeprefix("> ") for line in rows.splitlines()
    ]
    for cap in (16, 24):
        report = audit(text, packed(text, cap), PackConfig(max_tokens=cap, encoding=words))
        assert report.ok, report.table()


# -------------------------------------------------------------------- any table


@st.composite
def random_html_row(draw: st.DrawFn) -> str:
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
    rows=st.lists(random_html_row(), min_size=1, max_size=6),
    cap=st.integers(24, 60),
    head=st.sampled_from(("", "", HEAD, f"<thead>\n{HEAD}</thead>\n")),
    caption=st.sampled_from(("", "<caption>Table 7: Limits</caption>\n")),
)
def test_pieces_of_any_html_table_keep_the_laws(
    rows: list[str], cap: int, head: str, caption: str
) -> None:
    text = f"<table>\n{caption}{head}{''.join(rows)}</table>\n"
    chunks = packed(text, cap)
    assert not audit(text, chunks, PackConfig(max_tokens=cap, encoding=words)).findings
    for chunk in chunks:
        ParsedPiece(chunk.text)


# -------------------------------------------------------------------- broken and unusual HTML


# -------------------------------------------------------------------- nested tables
