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

from treepack import Chunk, PackConfig, Source, audit, pack, parse
from treepack.model.blocks import children

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


def test_an_overlapped_header_cell_still_spans_down() -> None:
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


def test_rows_joined_by_a_rowspan_are_cut_if_they_exceed_the_cap() -> None:
    """The tied rows do not fit; the cap is a law, and no row is lost."""
    joined = f"<tr><td rowspan=99>key</td><td>v0 word</td></tr>\n{html_rows(40)}"
    chunks = packed(f"<table>\n{HEAD}{joined}</table>\n", 32)
    assert all(words(chunk.embed_text) <= 32 for chunk in chunks)
    assert_pieces_cover_all_rows(chunks)
    assert len(re.findall(r"v\d+ word", "".join(c.lexical_text for c in chunks))) == 41


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


def column_with_word(word: str, chunk: Chunk) -> int:
    """Return the column where the cell with this word begins, in the last row of a piece."""
    piece = ParsedPiece(chunk.text)
    (cell,) = [at for at, (_, text) in enumerate(piece.rows[-1]) if word in text.split()]
    return piece.columns[-1][cell]


def test_no_piece_of_a_row_with_several_th_is_a_header_row() -> None:
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
            assert "td" in {tag for tag, _ in ParsedPiece(chunk.text).rows[-1]}
        assert not audit(text, chunks, max_tokens=20, encoding=words).findings


@pytest.mark.parametrize("key", ["key", some(25, "key")])
def test_cells_beside_a_key_with_a_colspan_stay_in_their_columns(key: str) -> None:
    head = "<tr><th colspan=2>k</th><th colspan=3>a</th><th>b</th></tr>\n"
    a, b = some(25, "a"), some(25, "b")
    row = f"<tr><td colspan=2>{key}</td><td colspan='3'>{a}</td><td>{b}</td></tr>\n"
    text = f"<table>\n{head}{row}{row.replace(key, 'x')}</table>\n"
    chunks = packed(text, 40)
    found = {
        word[0]: column_with_word(word, chunk)
        for chunk in chunks
        if chunk.tables[0].row_end == 1
        for word in chunk.lexical_text.split()
        if re.fullmatch(r"[ab][0-9]+", word)
    }
    assert found == {"a": 2, "b": 5}
    assert not audit(text, chunks, max_tokens=40, encoding=words).findings


def test_a_cell_without_spaces_is_not_cut_inside_its_tag() -> None:
    lines = "<br>".join(f"line{number}" for number in range(40))
    row = f"<tr><td>key</td><td colspan=2 class='wide'>{lines}</td></tr>\n"
    text = f"<table>\n{row}{html_rows(2)}</table>\n"
    chunks = packed(text, 96, encoding="cl100k_base")
    assert not audit(text, chunks, max_tokens=96).findings
    assert all(
        "wide" not in text for chunk in chunks for _, text in ParsedPiece(chunk.text).rows[-1]
    )


def test_an_html_row_without_cells_is_packed() -> None:
    rows = "".join(f"<tr><td>{n}</td><td>Open the valve.</td></tr>\n" for n in range(9))
    table = f"<table>\n<tr><th>Step</th><th>Work</th></tr>\n{rows}<tr></tr>\n{rows}</table>\n"
    chunks = pack(f"# Valve\n\n{table}", max_tokens=60)
    assert len(chunks) > 1
    assert () == chunks.audit().findings


def test_a_tbody_ends_the_header_of_an_html_table() -> None:
    text = f"<table>\n{HEAD}<tbody>\n<tr><th>c</th><th>d</th></tr>\n{html_rows(3)}</table>\n"
    [chunk] = pack(text)
    assert chunk.tables[0].columns == ("a", "b")
    assert chunk.tables[0].row_count == 4


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


@pytest.mark.parametrize("indent", ["   ", "\t"])
@pytest.mark.parametrize("tag", ["table", "TABLE"])
def test_pieces_of_an_indented_html_table_in_an_item_pass_the_audit(indent: str, tag: str) -> None:
    """The marker is on a line of its own, so the indentation does not become part of it."""
    table = f"<{tag}>\n{html_rows(8, 'r{n} word word word')}</{tag}>"
    lines = [f"{indent}{line}\n" for line in table.split("\n")]
    text = f"- Item\n\n{''.join(lines)}"
    chunks = packed(text, 16)
    assert len(chunks) > 2
    report = audit(text, chunks, max_tokens=16, encoding=words)
    assert report.ok, report.table()


@pytest.mark.parametrize("end", ["", "</td>"])
def test_an_unclosed_html_row_in_a_quote_ends_before_the_next_quote_marker(end: str) -> None:
    rows = "".join(f"> <tr><td>r{n}</td><td>{some(9)}{end}\n" for n in range(1, 7))
    text = f"> <table>\n{rows}> </table>\n"
    (table,) = all_tables(text)
    assert [text[slice(*row)] for row in table.rows] == [
        line.removeprefix("> ") for line in rows.splitlines()
    ]
    for cap in (16, 24):
        report = audit(text, packed(text, cap), max_tokens=cap, encoding=words)
        assert report.ok, report.table()


def test_the_closing_tag_of_a_row_may_end_on_the_next_line() -> None:
    text = "<table>\n<tr><td>a</td></tr\n>\n<tr><td>b</td></tr\n>\n</table>\n"
    (table,) = all_tables(text)
    assert text[slice(*table.rows[0])] == "<tr><td>a</td></tr\n>"


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
    assert not audit(text, chunks, max_tokens=cap, encoding=words).findings
    for chunk in chunks:
        ParsedPiece(chunk.text)


# -------------------------------------------------------------------- broken and unusual HTML


def test_rows_joined_by_a_rowspan_stay_together_if_the_header_cannot_be_repeated() -> None:
    """The header takes more than half the cap, so the table is cut like plain lines."""
    header = f"<tr><th>{some(40)}</th></tr>"
    joined = [
        f'<tr><td rowspan="2">k{n}</td><td>a{n}</td></tr>\n<tr><td>b{n}</td></tr>' for n in range(4)
    ]
    text = "<table>\n" + "\n".join([header, *joined]) + "\n</table>\n"
    chunks = packed(text, 150, encoding="cl100k_base", target_tokens=80)
    assert len(chunks) > 2
    for rows in joined:
        assert sum(rows in chunk.text for chunk in chunks) == 1, rows


BROKEN_ROWS = "<table>\n<tr><td>a</td></tr>\n{words}\n<tr><td>b</td></tr>\n</table>\n"


@pytest.mark.parametrize("words", ["", "lost words here", "<p>lost</p>", f"{some(60)}"])
@pytest.mark.parametrize("cap", [24, 40, 64])
def test_row_numbers_in_records_exist_in_the_table(words: str, cap: int) -> None:
    """This holds even if broken markup has words between two rows."""
    chunks = packed(BROKEN_ROWS.format(words=words), cap, encoding="cl100k_base")
    for chunk in chunks:
        for table in chunk.tables:
            assert 1 <= table.row_start <= table.row_end <= table.row_count == 2
    all_text = " ".join(chunk.lexical_text for chunk in chunks)
    assert all(word in all_text for word in words.split())


# -------------------------------------------------------------------- nested tables


def nested_table(rows: int, after: str = "") -> str:
    """Return a table with a table in the second cell of its first row."""
    inner = "".join(f"<tr><td>inner{n} x y</td><td>value{n}</td></tr>\n" for n in range(rows))
    return (
        "<table>\n<thead><tr><th>Key</th><th>What</th></tr></thead>\n"
        f"<tr><td>alpha</td><td>First. <table>{inner}</table> {after}</td></tr>\n"
        "<tr><td>beta</td><td>b</td></tr>\n</table>\n"
    )


def count_outer_rows(text: str) -> int:
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
def test_a_nested_table_is_reopened_in_each_piece_of_its_row(cap: int) -> None:
    text = nested_table(30, "And the end.")
    chunks = packed(text, cap)
    assert len(chunks) > 3
    for chunk in chunks:
        assert count_outer_rows(chunk.text) == 2, (
            chunk.text
        )  # the header, and the row or a part of it
    assert audit(text, chunks, max_tokens=cap, encoding=words).ok


def test_tables_nested_too_deep_to_reopen_are_still_cut_within_the_cap() -> None:
    text = "<table><tr><td>a b c" * 400 + "</td></tr></table>" * 400
    chunks = packed(text, 64)
    assert max(chunk.embed_token_count for chunk in chunks) <= 64
    assert audit(text, chunks, max_tokens=64, encoding=words).ok


def test_text_between_the_cells_of_a_row_passes_the_audit() -> None:
    text = f"<table>\n<tr><th>H</th></tr>\n<tr><td>one</td> {some(90)} <b>two</b>\n</table>\n"
    chunks = packed(text, 40)
    assert len(chunks) > 2
    assert audit(text, chunks, max_tokens=40, encoding=words).ok


@pytest.mark.parametrize("words", range(14))
def test_the_breadcrumb_leaves_room_for_the_opening_and_closing_tags_of_a_table(words: int) -> None:
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


def test_text_between_html_tables_in_a_quote_ends_before_the_next_quote_marker() -> None:
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


def test_a_literal_greater_than_sign_above_an_html_table_is_kept() -> None:
    """Outside quotes a `>` is text; if it ends an HTML block, no other block contains it."""
    text = f"<p>{some(9)}</p>\n> and\n>\n<table>\n<tr><td>{some(9)}</td></tr>\n</table>\n"
    chunks = packed(text, 20)
    assert len(chunks) > 1
    assert chunks.audit().findings == ()


def test_a_table_opened_during_a_packing_trial_is_still_recorded() -> None:
    """Its header is too long to repeat, and the packer tried whether text fits before its lines."""
    table = f"<table><tr><th>{some(24)}</th></tr><tr><td>{some(9)}</td></tr></table>"
    text = f"{some(3)}\n\n## {some(4)}\n\n{table}\n{some(2)}\n"
    listed = 0
    for cap in range(36, 48):
        chunks = packed(text, cap, "a.md", min_tokens=4)
        assert chunks.audit().findings == (), cap
        listed += sum(bool(chunk.tables) for chunk in chunks)
    assert listed


def test_literal_greater_than_signs_above_a_table_in_an_item_are_kept() -> None:
    """HTML continues until a blank line, so all lines below are in it, whatever they begin with."""
    table = f"<table>\n  > > <tr><td>{some(9)}</td></tr>\n  > > </table>\n"
    text = f"- <br>\n  > >\n  > >{table}  > \n  > 99. {some(14)}\n  > 100. limit\n"
    for cap in range(24, 44):
        assert packed(text, cap).audit().findings == (), cap
