"""Tables: what their records say, and pieces that are usable with nothing else.

Tokens are words here, so that every limit can be counted in the text.
"""

import random
import re
from dataclasses import replace
from typing import Any

import pytest
from by_eye import faults, packed, roles, some, texts, words
from by_eye import sentences as said
from hypothesis import given
from hypothesis import strategies as st
from strategies import generated
from table_pieces import (
    BODY,
    GFM,
    HEAD,
    assert_pieces_cover_all_rows,
    gfm_table,
    html_rows,
    html_table,
    parsed_rows,
    rows_of,
)

from treepack import Chunk, PackConfig, Source, audit, pack, read


def pieces_of(text: str, cap: int, **settings: Any) -> list[Chunk]:  # noqa: ANN401 - settings
    """Return the chunks that hold a piece of the only table, which covers all rows."""
    chunks = packed(f"{text}\n", cap, **settings)
    assert_pieces_cover_all_rows(chunks)
    assert faults(chunks) == []
    pieces = [chunk for chunk in chunks if chunk.tables]
    assert len({chunk.tables[0].id for chunk in pieces}) == 1
    return pieces


# -------------------------------------------------------------------- pieces by eye

LONG_ROW = f"| r1 | {some(9, 'a')} | {some(9, 'b')} |"
HTML_LONG_ROW = "".join(f"<td>{some(9, name)}</td>" for name in "abc")
KEY_VAL = "| key | val |\n|---|---|\n"
WIDE = f"|{' w |' * 8}\n|{'-|' * 8}"
ABC = "| key | a | b |\n|---|---|---|\n"
T7 = "Table 7: Limits"


PIECES: dict[str, tuple[int, dict[str, Any], str, list[str]]] = {
    "a table is cut between rows and repeats its header": (26, {}, gfm_table(8),
        [f"{KEY_VAL}{rows_of(1, 4)}", f"{KEY_VAL}{rows_of(5, 8)}"]),
    "a long row is cut between cells and repeats its key": (26, {},
        f"{ABC}{LONG_ROW}\n| r2 | x | y |", [f"{ABC}| r1 | {some(9, 'a')} | |",
        f"{ABC}| r1 | | {some(9, 'b')} |", f"{ABC}| r2 | x | y |"]),
    "an escaped pipe does not end the key": (24, {},
        f"| k | v |\n|---|---|\n| a \\| b | {some(14)} |",
        [f"| k | v |\n|---|---|\n| a \\| b | {some(12)} |",
        "| k | v |\n|---|---|\n| a \\| b | w12 w13 |"]),
    "a caption is in each piece, with a blank line below it": (30, {},
        f"# A\n\nText.\n\n{T7}\n\n{gfm_table(7)}",
        [f"# A\n\nText.\n\n{T7}\n\n{KEY_VAL}{rows_of(1, 3)}", f"{T7}\n\n{KEY_VAL}{rows_of(4, 7)}"]),
    "the first piece of a table above its caption has the caption too": (30, {},
        f"<div>\n{some(22)}\n</div>\n\n{gfm_table(5)}\n\n{T7}", [f"<div>\n{some(22)}\n</div>",
        f"{T7}\n\n{KEY_VAL}{rows_of(1, 4)}", f"{T7}\n\n{KEY_VAL}{rows_of(5, 5)}\n\n{T7}"]),
    "an attribute line may be the caption": (30, {}, f'{gfm_table(5)}\n{{: title="{T7}"}}',
        [f"{T7}\n\n{KEY_VAL}{rows_of(1, 4)}",
        f'{T7}\n\n{KEY_VAL}{rows_of(5, 5)}\n{{: title="{T7}"}}']),
    "a caption that takes half the cap with the header is not repeated": (30, {},
        f"Table 7: {some(12)}\n\n{gfm_table(6)}",
        [f"Table 7: {some(12)}\n\n{KEY_VAL}{rows_of(1, 2)}", f"{KEY_VAL}{rows_of(3, 6)}"]),
    "a caption in an item is repeated inside it, without its indentation": (30, {},
        f"- Item\n\n   {T7}\n\n   | a |\n   | - |\n   | {said(5)} |",
        [f"- Item\n\n   {T7}\n\n   | a |\n   | - |\n   | {said(3)} |",
        f"- {T7}\n\n  | a |\n   | - |\n  | Sentence3 w0 w1 w2 w3. Sentence4 w0 w1 w2 w3. |"]),
    "a long row of HTML is cut between cells, below their own columns": (20, {},
        f"<table>\n<tr><th>k<th>a<th>b<th>c</tr>\n<tr><td>key</td>{HTML_LONG_ROW}</tr>\n</table>",
        [("<table>\n<tr><th>k<th>a<th>b<th>c</tr>\n<tr><td>key</td>"
        f"<td>{some(9, 'a')}</td><td>{some(9, 'b')}</td></tr>\n</table>"),
        ("<table>\n<tr><th>k<th>a<th>b<th>c</tr>\n"
        f"<tr><td>key</td><td></td><td></td><td>{some(9, 'c')}</td></tr>\n</table>")]),
    "a header of half the cap keeps the first words of its cells": (20, {},
        f"| {some(12)} | d |\n|---|---|\n{rows_of(1, 4)}", [f"| {some(12)} | d |\n|---|---|",
        f"| w0 w1 w2 w3 w4… | d |\n|---|---|\n{rows_of(1, 2)}",
        f"| w0 w1 w2 w3 w4… | d |\n|---|---|\n{rows_of(3, 4)}"]),
    "rows below a header of many cells are lines without it": (20, {},
        f"{WIDE}\n{rows_of(1, 5)}", [WIDE, rows_of(1, 4), rows_of(5, 5)]),
    "a table above the cap is kept whole if asked for": (20, {"oversize_table": "keep"},
        f"# A\n\n{gfm_table(8)}\n\n{some(14)}", [f"# A\n\n{gfm_table(8)}", some(14)]),
    "a table with only a header has no rows": (16, {}, f"{some(14)}\n\n| a | b |\n|---|---|",
        [some(14), "| a | b |\n|---|---|"]),
}  # fmt: skip


@pytest.mark.parametrize("rule", PIECES)
def test_a_table_is_cut_into_these_pieces(rule: str) -> None:
    cap, limits, text, expected = PIECES[rule]
    chunks = packed(f"{text}\n", cap, **limits)
    assert texts(chunks) == expected
    assert_pieces_cover_all_rows(chunks)
    assert faults(chunks) == []
    assert [c.oversize for c in chunks if c.tables] == ["oversize_table" in limits] * sum(
        bool(c.tables) for c in chunks
    )


def test_the_record_of_a_piece_says_which_rows_of_which_table_it_holds() -> None:
    first, second = (chunk.tables[0] for chunk in pieces_of(f"{T7}\n\n{gfm_table(7)}", 30))
    assert (first.row_start, first.row_end, first.part) == (1, 4, 1)
    assert second == replace(first, row_start=5, row_end=7, part=2)
    assert (first.caption, first.columns, first.header_rows) == (T7, ("key", "val"), 1)
    assert (first.row_count, first.parts, first.cell_part, first.header_left_out) == (
        (7, 2, None, False)
    )
    long = packed(f"{ABC}{LONG_ROW}\n| r2 | x | y |\n", 26)
    assert [chunk.tables[0].cell_part for chunk in long] == [1, 2, None]
    assert [chunk.tables[0].row_end for chunk in long] == [1, 1, 2]
    plain = packed(f"{WIDE}\n{rows_of(1, 5)}\n", 20)
    assert all(chunk.tables[0].header_left_out for chunk in plain)
    assert all(chunk.kinds == ("table",) for chunk in plain)


def test_the_repeated_parts_of_a_piece_are_not_its_body() -> None:
    _, second = pieces_of(f"{T7}\n\n{gfm_table(7)}", 30)
    assert roles(second) == ["caption", "glue", "table_header", "glue", "body"]
    assert (second.segments[0].text, second.lexical_text) == (T7, rows_of(5, 7))


def test_a_table_keeps_its_id_if_other_text_is_edited() -> None:
    """It names the table in an index, so only the table's own place and columns may change it."""
    text = f"# A\n\nText.\n\n{gfm_table(14)}\n\n# B\n\n{gfm_table(14)}\n\n{gfm_table(3)}\n"

    def ids(edited: str) -> list[str]:
        found = packed(edited, 40, name="d.md")
        return list(dict.fromkeys(table.id for chunk in found for table in chunk.tables))

    before = ids(text)
    assert len(before) == 3
    assert ids(f"# New\n\n{said(20)}\n\n{text}") == before
    assert ids(text.replace("Text.", f"Text. {said(9)}")) == before
    assert ids(text.replace("| r3 | v3 |", "| r3 | changed |")) == before
    assert len(set(ids(text.replace("# A", "# C"))) & set(before)) == 2


# -------------------------------------------------------------------- rows of each form

ODD_ROWS = {
    "ragged": ["| r{n} |", "| r{n} | a | b | c |", "| r{n} | a |"],
    "escaped-pipes": ["| r{n} \\| x | a \\| b |", "| r{n} | \\| |"],
    "pipes-in-code": ["| r{n} | `x \\| y` |", "| `r{n}` | ``a \\| b`` |"],
    "backslashes": ["| r{n} | c:\\\\ |", "| r{n} \\\\| d |"],
    "without-outer-pipes": ["r{n} | a", "r{n} | `b`"],
    "breaks": ["| r{n} | a<br>b |", "| r{n} | a<br/>b |"],
    "empty-cells": ["| r{n} | |", "|  | r{n} |", "| r{n} | x |"],
    "indented": ["   | r{n} | a |", " | r{n} | b |"],
    "control-characters": ["\x85 r{n} word word |"],
}  # fmt: skip


@pytest.mark.parametrize("kind", ODD_ROWS)
def test_each_piece_of_a_gfm_table_parses_to_rows_of_the_whole_table(kind: str) -> None:
    forms = ODD_ROWS[kind]
    lines = [forms[n % len(forms)].format(n=n) for n in range(1, 25)]
    text = "| k | v |\n|---|---|\n" + "\n".join(lines)
    header, *rows = parsed_rows(text)
    pieces = pieces_of(text, 40)
    assert len(pieces) > 2
    for chunk in pieces:
        (table,) = chunk.tables
        assert parsed_rows(chunk.text) == [header, *rows[table.row_start - 1 : table.row_end]]


def test_cells_of_a_long_row_stay_in_their_columns() -> None:
    """This holds even if the row is cut inside a cell; no other row is in its pieces."""
    cells = [some(3, "k"), some(30, "a"), "b \\| b", some(20, "c")]
    text = "| k | a | b | c |\n|---|---|---|---|\n| " + " | ".join(cells) + " |\n| r2 | | | |"
    *pieces, last = pieces_of(text, 30)
    assert [chunk.tables[0].cell_part for chunk in pieces] == list(range(1, len(pieces) + 1))
    assert (last.tables[0].cell_part, last.tables[0].row_start) == (None, 2)
    rows = [row for chunk in pieces for row in parsed_rows(chunk.text)[1:]]
    assert len(rows) == len(pieces)
    key, *columns = (" ".join(filter(None, column)) for column in zip(*rows, strict=True))
    assert key == " ".join([cells[0]] * len(pieces)), "the key column is repeated"
    assert columns == [cells[1], "b | b", cells[3]]


@pytest.mark.parametrize("cap", range(24, 40))
def test_an_escaped_pipe_is_never_separated_from_its_backslash(cap: int) -> None:
    """Alone, the pipe would begin another cell."""
    row = "| r | " + "a\\|b\\|c\\|d\\|e\\|" * 12 + " |"
    pieces = pieces_of(f"| k | v |\n|---|---|\n{row}", cap, encoding="cl100k_base")
    assert len(pieces) > 1
    assert {len(row) for chunk in pieces for row in parsed_rows(chunk.text)} == {2}


@pytest.mark.parametrize("prefixes", [("- ", "  "), ("> ", "> "), ("12. > ", "    > ")])
@pytest.mark.parametrize("table", [gfm_table(14), f"<table>\n{HEAD}{html_rows(20)}</table>"])
def test_each_piece_of_a_table_in_a_list_or_quote_keeps_the_line_prefixes(
    table: str, prefixes: tuple[str, str]
) -> None:
    first, rest = prefixes
    head, *lines = table.split("\n")
    pieces = pieces_of("\n".join([first + head, *(rest + line for line in lines)]), 30)
    assert len(pieces) > 2
    for chunk in pieces:
        first_line, *others = chunk.text.split("\n")
        assert first_line == first + head
        assert all(line.startswith(rest.rstrip()) for line in others)
        inner = "\n".join([head, *(line[len(rest) :] for line in others)])
        assert html_table(inner)[1] if "<" in table else parsed_rows(chunk.text)


# -------------------------------------------------------------------- any table


@st.composite
def random_html_row(draw: st.DrawFn) -> str:
    """Draw a row with a ``<td>``: a row of ``<th>`` alone may be too long to come under another."""
    spans = st.sampled_from(("", "", " colspan=2", " colspan='3'", " rowspan=2", " class='x'"))
    cell = st.tuples(st.sampled_from(("td", "th")), spans, st.integers(0, 30).map(some))
    cells = draw(st.lists(cell, max_size=3))
    cells.insert(draw(st.integers(0, len(cells))), ("td", "", some(draw(st.integers(0, 30)))))
    return "<tr>" + "".join(f"<{tag}{at}>{text}</{tag}>" for tag, at, text in cells) + "</tr>\n"


@generated
@given(
    rows=st.lists(random_html_row(), min_size=1, max_size=6),
    cap=st.integers(24, 60),
    head=st.sampled_from(("", "", HEAD, f"<thead>\n{HEAD}</thead>\n")),
    caption=st.sampled_from(("", "<caption>Table 7: Limits</caption>\n")),
)
def test_pieces_of_any_html_table_are_complete_and_cover_its_rows(
    rows: list[str], cap: int, head: str, caption: str
) -> None:
    pieces = pieces_of(f"<table>\n{caption}{head}{''.join(rows)}</table>", cap)
    assert {chunk.tables[0].row_count for chunk in pieces} == {len(rows)}
    assert {html_table(chunk.text)[0] for chunk in pieces} == {T7 if caption else ""}


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
    caption=st.sampled_from(("", f"{T7}\n\n", f"Table 7: {some(8)}\n\n")),
)
def test_pieces_of_any_gfm_table_cover_its_rows(
    rows: list[list[str]], cap: int, caption: str
) -> None:
    lines = "".join("| " + " | ".join(row) + " |\n" for row in rows)
    chunks = packed(f"{caption}| a | b |\n|---|---|\n{lines}", cap)
    assert_pieces_cover_all_rows(chunks)
    assert {table.row_count for chunk in chunks for table in chunk.tables} == {len(rows)}
    assert all(words(chunk.embed_text) <= cap for chunk in chunks)


# -------------------------------------------------------------------- tables in HTML

HTML = f"<table>\n{HEAD}{html_rows(20)}</table>"
TWO_HEADER_ROWS = (
    "<tr><th rowspan='2'>k</th><th colspan='2'>v</th></tr>\n<tr><th>x</th><th>y</th></tr>\n"
)
HTML_FORMS: dict[str, tuple[str, str]] = {  # a pattern, and what it is replaced with in `HTML`
    "plain": ("", ""),
    "td in a head": (HEAD, f"<thead>{HEAD.replace('th>', 'td>')}</thead>\n"),
    "groups": (f"{HEAD}((?s:.*))</t", f"<thead>\n{HEAD}</thead>\n<tbody>\n\\1</tbody>\n</t"),
    "two header rows": (HEAD, f"<thead>{TWO_HEADER_ROWS}</thead>"),
    "a foot": ("(<tr><td>r20.*)", r"<tfoot>\1</tfoot>"),
    "two bodies": ("(<tr><td>r1 (?s:.*))(<tr><td>r11 (?s:.*))</table>",
                   r"<tbody>\1</tbody>\n<tbody>\2</tbody></table>"),
    "no header": (HEAD, ""),
    "a caption": ("<table>", f"<table><caption>{T7}</caption>"),
    "a div": ("((?s:.*)</table>)", r"<div class='t'>\n\1\n</div>"),
    "blank lines": ("<tr>", r"\n\n<tr>"),
    "lines indented like code": ("<tr>", r"\n\n    <tr>"),
    "unclosed cells and rows": ("</t[drh]>", ""),
    "an unclosed head": (HEAD, f"<thead>{HEAD}<tbody>"),
    "upper case": ("tr>", "TR>"),
    "comments": ("<table>", "<table><!-- <tr><td>no</td></tr> </table> -->"),
    "columns": ("<table>", "<table><colgroup><col><col/></colgroup>"),
    "markdown in a cell": ("r2 word", r"\n\n- x\n- y\n\n"),
    "a table in a cell": ("r2 word", f"<table>{BODY}</table>"),
    "marks in attributes": ("<(table|td)>", r"<\1 title='a > b'>"),
}  # fmt: skip
NOT_TABLES = {
    "never closed": f"<table>\n{HEAD}{BODY}",
    "closed after a heading": f"<table>\n{HEAD}{BODY}\n\n# Heading\n\n</table>",
    "no rows": "<table>\n</table>",
    "header alone": f"<table>\n{HEAD}</table>",
    "in a comment": f"<!--\n<table>{HEAD}{BODY}</table>\n-->",
    "in a fence": f"```html\n<table>{HEAD}{BODY}</table>\n```",
    "another name": f"<tablet>{HEAD}{BODY}</tablet>",
}


def read_tables(text: str) -> list[tuple[tuple[str, ...], int, int]]:
    """Return columns, header rows and rows of each table of a document."""
    tables = [table for chunk in pack(text, max_tokens=1024) for table in chunk.tables]
    return [(table.columns, table.header_rows, table.row_count) for table in tables]


@pytest.mark.parametrize("form", HTML_FORMS)
def test_each_piece_of_an_html_table_is_a_complete_html_table(form: str) -> None:
    text = re.sub(*HTML_FORMS[form], HTML)
    caption, rows = html_table(text)
    header_rows = {"two header rows": 2, "no header": 0}.get(form, 1)
    columns = {"two header rows": ("k", "x", "y"), "no header": ()}.get(form, ("a", "b"))
    assert read_tables(f"Text.\n\n{text}\n\nText.\n") == [(columns, header_rows, 20)]
    pieces = [html_table(chunk.text) for chunk in pieces_of(text, 30)]
    assert len(pieces) > 2
    assert {found for found, _ in pieces} == {caption}
    assert all(found[:header_rows] == rows[:header_rows] for _, found in pieces)
    assert [row for _, found in pieces for row in found[header_rows:]] == rows[header_rows:]


@pytest.mark.parametrize("form", NOT_TABLES)
def test_html_without_a_complete_table_is_not_a_table(form: str) -> None:
    """Cutting HTML by rows would break it unless it is a single table."""
    text = f"Text.\n\n{NOT_TABLES[form]}\n\nText.\n"
    assert read_tables(text) == []
    assert "".join(chunk.lexical_text for chunk in packed(text, 16)).count("Text.") == 2


def test_an_html_table_beside_other_html_is_a_table_of_its_own() -> None:
    """The rest is a block of its own, and pieces close only the table."""
    chunks = packed(
        f"<div>Text {HTML}</div>\n\n{HTML}\n{HTML} and text\n\n<div>\n\n{HTML}\n\n</div>", 30
    )
    tables = [table for chunk in chunks for table in chunk.tables]
    assert [table.row_count for table in tables if table.part == 1] == [20] * 4
    assert not [text for text in texts(chunks) if text.count("<table>") != text.count("</table>")]
    assert_pieces_cover_all_rows(chunks)
    assert faults(chunks) == []


def test_columns_are_named_below_a_header_cell_that_spans_into_the_body() -> None:
    """The last header row has no cell in column 2; the cell that reaches down is in column 3."""
    head = "<tr><th>k</th><th>v</th><th rowspan=3>w</th></tr>\n<tr><th>x</th></tr>\n"
    rows = "".join(f"<tr><td>{n}</td><td>some words</td></tr>\n" for n in range(9))
    first, *others = pieces_of(f"<table>\n{head}{rows}</table>", 30)
    assert {chunk.tables[0].columns for chunk in (first, *others)} == {("x", "", "w")}
    wrong = replace(first, tables=(replace(first.tables[0], columns=("x", "w")),))
    config = PackConfig(max_tokens=30, encoding=words)
    assert audit(f"<table>\n{head}{rows}</table>\n", [wrong, *others], config).findings


def test_rows_joined_by_a_rowspan_stay_together() -> None:
    """After a cut between them, the second row would lack its first cell and shift to the left."""
    pairs = "".join(
        f"<tr><td rowspan=2>r{n} word</td><td>one</td></tr>\n<tr><td>two</td></tr>\n"
        for n in range(1, 9)
    )
    pieces = pieces_of(f"<table>\n{HEAD}{pairs}</table>", 16)
    assert len(pieces) > 2
    assert not [c for c in pieces if c.tables[0].row_start % 2 == 0 or c.tables[0].row_end % 2 == 1]


@pytest.mark.parametrize("cap", [16, 24])
@pytest.mark.parametrize("end", ["", "</td>"])
def test_an_unclosed_html_row_in_a_quote_ends_before_the_next_quote_marker(
    end: str, cap: int
) -> None:
    rows = [f"<tr><td>r{n}</td><td>{some(9)}{end}" for n in range(1, 7)]
    text = "> <table>\n> " + "\n> ".join(rows) + "\n> </table>"
    assert {chunk.tables[0].row_count for chunk in pieces_of(text, cap)} == {6}


def test_a_row_of_th_does_not_become_a_header_in_a_table_without_one() -> None:
    rows = "".join(f"<tr><td>item {n}</td><td>{n} bar</td></tr>\n" for n in range(4))
    groups = "".join(f"<tr><th>Group {n}</th><th></th></tr>\n{rows}" for n in range(3))
    pieces = pieces_of(f"<table>\n{rows}{groups}</table>", 96, encoding="cl100k_base")
    assert [chunk for chunk in pieces if "<tbody></tbody>\n<tr><th>" in chunk.text]
    assert {chunk.tables[0].header_rows for chunk in pieces} == {0}


# -------------------------------------------------------------------- captions

LABELLED = (
    "Table 3 — Limits", "Table 3: Limits", "Table 3. Limits", "Table 3 Limits of pressure",
    "Table A.2 – Limits", "Table 3-1 Limits", "TABLE IV: LIMITS", "Table: Limits",
    "**Table 3:** Limits", "**Table 3. Limits**", "*Table 3* – Limits", "Table 3",
    "Tabelle 3: Grenzwerte", "Tab. 4 – Grenzwerte", "Tabelle: Grenzwerte", "Tableau 2 : Limites",
    "Tableau 2 – Limites", "Tabla 1. Límites", "Cuadro 5: Datos", "表 3 限值", "表3-1:限值",
    "附表 1：限值", "表：限值", "Table 3: Results on PubTabNet. PP: Post-processing.",
    "**Table 3.** Limits. Values in bar! Why?", "**Table 3** Limits. Values in bar.",
    "Tabelle 3 – Grenzwerte. Werte in bar. Alle gerundet.", "Tableau 2 – Limites. Valeurs en bar.",
    "Tabla 1: Límites. Valores en bar.", "表 3：限值。单位为巴。",
    "*Table A.1: Limits. Values in bar.*", f"Table 3: {'Limits of it. ' * 40}".strip(),
    "Table 3. Limits of\nthe pressure. All values\nin bar.",
)  # fmt: skip
EMPHASISED = (
    "**Limits of pressure**", "*Limits*", "__Limits__", "_Limits of `p`_", "***Limits***",
    "**Limits**:",
)  # fmt: skip
NOT_CAPTIONS = (
    "Table 3 shows the limits.", "Table 3, which is long, shows the limits.",
    "Table 3 and Table 4 give limits", "Tables are useful:", "Table of contents", "Limits",
    "The limits stand in the table below:", "Tabelle 3 zeigt die Grenzwerte.",
    "Tableau 3 présente les limites.", "La tabla 3 muestra los límites.", "表3给出了限值。",
    "表 3 是限值，单位为巴。", "**Note** that limits change", "**One** and **two**",
    f"Table 3: {some(300)}", f"Table 3 {some(120).capitalize()}",
    "Table 3 Limits were met. We saw it.", "表 3 给出了限值。结果很好。",
)  # fmt: skip


def captions(text: str) -> list[str]:
    slices = [table for chunk in pack(text) for table in chunk.tables]
    return [table.caption or "" for table in slices if table.part == 1]


@pytest.mark.parametrize("line", [*LABELLED, *EMPHASISED])
def test_a_labelled_or_emphasised_line_before_a_table_is_its_caption(line: str) -> None:
    """After a table, only a labelled line is; the caption is plain text."""
    shown = re.sub("[*_`]", "", line).replace("\n", " ")
    assert captions(f"Text.\n\n{line}\n\n{GFM}\n\nText.\n") == [shown]
    expected = shown if line in LABELLED else ""
    assert captions(f"Text.\n\n{GFM}\n\n{line}\n\nText.\n") == [expected]


@pytest.mark.parametrize("line", NOT_CAPTIONS)
def test_prose_beside_a_table_is_not_its_caption(line: str) -> None:
    """A sentence that begins with "Table 3" is about a table; it is not the table's caption."""
    assert captions(f"{line}\n\n{GFM}\n") == captions(f"{GFM}\n\n{line}\n") == [""]


T1, T2, T3 = "Table 1: One", "Table 2: Two", "Table 3: Three"
SMALL = f"<table>{HEAD}{BODY}</table>"
NEIGHBOURS: dict[str, tuple[str, list[str]]] = {
    "a heading is no caption": (f"## {T1}\n\n{GFM}", [""]),
    "a list is no caption": (f"- {T1}\n\n{GFM}", [""]),
    "a paragraph between tables is the caption of one": (f"{GFM}\n\n{T1}\n\n{GFM}", ["", T1]),
    "captions below": (f"{GFM}\n\n{T1}\n\n{GFM}\n\n{T2}\n\n{GFM}\n\n{T3}", [T1, T2, T3]),
    "captions above": (f"{T1}\n\n{GFM}\n\n{T2}\n\n{GFM}\n\n{T3}\n\n{GFM}", [T1, T2, T3]),
    "in an item": (f"- {T1}\n\n  " + GFM.replace("\n", "\n  "), [T1]),
    "in a quote": (f"> {T2}\n>\n> " + GFM.replace("\n", "\n> "), [T2]),
    "attributes with a title": (f'{GFM}\n{{: title="Limits of pressure"}}', ["Limits of pressure"]),
    "attributes in single quotes": (f"{GFM}\n{{: #t3 .wide title='Limits'}}", ["Limits"]),
    "attributes without a title": (f"{GFM}\n{{: .wide}}", [""]),
    "a row like attributes": (f"{GFM}\n{{: x | y", [""]),
    "an element": (
        f"<table><caption>T: <b>L</b> &amp;\nmore</caption>{SMALL[7:]}", ["T: L & more"]),
    "a paragraph, and an element that wins over it":
        (f"{T1}\n\n{SMALL}\n\nText.\n\n{T2}\n\n<table><caption>Own</caption>{SMALL[7:]}",
        [T1, "Own"]),
}  # fmt: skip


@pytest.mark.parametrize("rule", NEIGHBOURS)
def test_a_caption_belongs_to_one_table(rule: str) -> None:
    text, expected = NEIGHBOURS[rule]
    assert captions(f"{text}\n\nText.\n") == expected
    rows = 3 if "row" in rule else 2
    assert {count for *_, count in read_tables(text)} == {rows}


@pytest.mark.parametrize("table", ["| [name][one] | [two] |\n|---|---|\n| 1 | 2 |", SMALL])
@pytest.mark.parametrize("prefixes", [("", ""), ("- ", "  "), ("> ", "> "), ("1. > ", "   > ")])
def test_captions_and_column_names_resolve_links_that_are_defined_later(
    prefixes: tuple[str, str], table: str
) -> None:
    first, rest = prefixes
    text = first + f"Table 1: *[name][one]*\n\n{table}".replace("\n", f"\n{rest}")
    defined = f"{text}\n\nWords.\n\n[one]: http://a.b\n[two]: http://c.d\n"
    assert captions(defined) == ["Table 1: name"]
    if table != SMALL:
        assert [columns for columns, *_ in read_tables(defined)] == [("name", "two")]
        assert [columns for columns, *_ in read_tables(text)] == [("[name][one]", "[two]")]


@pytest.mark.parametrize("table", [gfm_table(14), GFM[:19], SMALL, f"<table>{HEAD}</table>"])
@pytest.mark.parametrize("before", ["", "# A\n\n", "# "])
@pytest.mark.parametrize("caption", ["", f"{T7}\n\n"])
def test_a_caption_is_never_separated_from_the_table_below_it(
    before: str, table: str, caption: str
) -> None:
    """Nor does any text or heading above them lead to a piece that breaks a law."""
    for size in range(112, 128):
        chunks = packed(f"{before}{some(size)}\n\n{caption}{table}\n\nText below.\n", 128)
        if before != "# " and "</th>" not in table[-20:]:
            assert not [text for text in texts(chunks) if text.endswith(T7)], size
        assert faults(chunks) == [], size


# -------------------------------------------------------------------- tables of annual reports


def financial_table(seed: int) -> str:
    """Return over 30 columns: years over three columns each, empty spacer cells, sub-headers."""
    draw = random.Random(seed)  # noqa: S311 - the same documents in each run
    years, tag = draw.randint(7, 12), draw.choice(["td", "th"])
    names = (f"<{tag} colspan=3><b>{2010 + n}</b></{tag}><{tag}></{tag}>" for n in range(years))
    head = f"<tr><{tag} colspan=3></{tag}>{''.join(names)}</tr>"
    head += re.sub("20..", "audited", head) * draw.randint(0, 1)
    lines = [draw.choice(["{}", "<thead>{}</thead>"]).format(head)]
    values = ("<td>$</td><td>{}</td><td>)</td><td></td>", "<td></td><td colspan=2>{}</td><td></td>")
    for number in range(draw.randint(3, 6)):
        forms = ("td colspan=3><b", "b></td", "<td></td>"), ("th colspan=3", "th", "<th></th>")
        opening, closing, spacer = draw.choice([*forms, (f"td colspan={3 + 4 * years}", "td", "")])
        lines.append(f"<tr><{opening}>Group {number}:</{closing}>{spacer * 4 * years}</tr>")
        for at in range(draw.randint(3, 12)):
            cells = [draw.choice(values).format(draw.randint(1, 99999)) for _ in range(years)]
            first = f"<td></td><td colspan=2>Item {number}.{at} of it</td>"
            lines.append(f"<tr>{first}{''.join(cells)}</tr>")
        lines += [f"<tr><td colspan={3 + 4 * years}>&nbsp;</td></tr>"] * draw.randint(0, 1)
    return "<table>" + "\n".join(lines) + "</table>"


@pytest.mark.parametrize("seed", range(6))
def test_a_wide_table_keeps_all_laws(seed: int) -> None:
    """It is read as HTML in markdown, with HTML pieces, and as a page; each table has one cap."""
    cap, table = (256, 512, 1024)[seed % 3], financial_table(seed)
    page = f"<h1>Report</h1><p>The statement:</p>{table}".encode()
    for source in (
        Source(f"# Report\n\nThe statement:\n\n{table}\n\nAfter.\n", "a.md"),
        read(page, "html", name="a"),
    ):
        chunks = pack(source, max_tokens=cap, target_tokens=cap, min_tokens=0)
        assert faults(chunks) == []
