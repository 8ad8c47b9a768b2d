"""Tables: what their records say, and pieces that are usable with nothing else.

Tokens are words here, so that every limit can be counted in the text.
"""

import random
import re
from dataclasses import replace
from typing import Any

import pytest
from by_eye import faults, packed, some, texts, words
from by_eye import sentences as said
from case_files import case_file
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
)

from treepack import Chunk, PackConfig, Source, audit, pack, read

CASES = case_file("packing/tables.json")
"""Rows, captions, and HTML that is a table or none. A form of HTML is a pattern in `HTML` below
and its replacement; a neighbour is a text with the captions of its tables."""


def pieces_of(text: str, cap: int, **settings: Any) -> list[Chunk]:  # noqa: ANN401 - settings
    """Return the chunks that hold a piece of the only table, which covers all rows."""
    chunks = packed(f"{text}\n", cap, **settings)
    assert_pieces_cover_all_rows(chunks)
    assert faults(chunks) == []
    pieces = [chunk for chunk in chunks if chunk.tables]
    assert len({chunk.tables[0].id for chunk in pieces}) == 1
    return pieces


# -------------------------------------------------------------------- pieces by eye

T7 = "Table 7: Limits"


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


@pytest.mark.parametrize("kind", CASES["odd_rows"])
def test_each_piece_of_a_gfm_table_parses_to_rows_of_the_whole_table(kind: str) -> None:
    forms = CASES["odd_rows"][kind]
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
    st.lists(random_html_row(), min_size=1, max_size=6),
    st.integers(24, 60),
    st.sampled_from(("", "", HEAD, f"<thead>\n{HEAD}</thead>\n")),
    st.sampled_from(("", "<caption>Table 7: Limits</caption>\n")),
)
def test_pieces_of_any_html_table_are_complete_and_cover_its_rows(
    rows: list[str], cap: int, head: str, caption: str
) -> None:
    pieces = pieces_of(f"<table>\n{caption}{head}{''.join(rows)}</table>", cap)
    assert {chunk.tables[0].row_count for chunk in pieces} == {len(rows)}
    assert {html_table(chunk.text)[0] for chunk in pieces} == {T7 if caption else ""}


CELLS = st.sampled_from(("x", "", "a \\| b", "two words", some(25)))


@generated
@given(
    st.lists(st.lists(CELLS, min_size=1, max_size=4), min_size=1, max_size=12),
    st.integers(20, 60),
    st.sampled_from(("", f"{T7}\n\n", f"Table 7: {some(8)}\n\n")),
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


def read_tables(text: str) -> list[tuple[tuple[str, ...], int, int]]:
    """Return columns, header rows and rows of each table of a document."""
    tables = [table for chunk in pack(text, max_tokens=1024) for table in chunk.tables]
    return [(table.columns, table.header_rows, table.row_count) for table in tables]


@pytest.mark.parametrize("form", CASES["html_forms"])
def test_each_piece_of_an_html_table_is_a_complete_html_table(form: str) -> None:
    pattern, new = CASES["html_forms"][form]
    text = re.sub(pattern, new, HTML)
    caption, rows = html_table(text)
    header_rows = {"two header rows": 2, "no header": 0}.get(form, 1)
    columns = {"two header rows": ("k", "x", "y"), "no header": ()}.get(form, ("a", "b"))
    assert read_tables(f"Text.\n\n{text}\n\nText.\n") == [(columns, header_rows, 20)]
    pieces = [html_table(chunk.text) for chunk in pieces_of(text, 30)]
    assert len(pieces) > 2
    assert {found for found, _ in pieces} == {caption}
    assert all(found[:header_rows] == rows[:header_rows] for _, found in pieces)
    assert [row for _, found in pieces for row in found[header_rows:]] == rows[header_rows:]


@pytest.mark.parametrize("form", CASES["not_tables"])
def test_html_without_a_complete_table_is_not_a_table(form: str) -> None:
    """Cutting HTML by rows would break it unless it is a single table."""
    text = f"Text.\n\n{CASES['not_tables'][form]}\n\nText.\n"
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


def captions(text: str) -> list[str]:
    slices = [table for chunk in pack(text) for table in chunk.tables]
    return [table.caption or "" for table in slices if table.part == 1]


@pytest.mark.parametrize("line", [*CASES["labelled"], *CASES["emphasised"]])
def test_a_labelled_or_emphasised_line_before_a_table_is_its_caption(line: str) -> None:
    """After a table, only a labelled line is; the caption is plain text."""
    shown = re.sub("[*_`]", "", line).replace("\n", " ")
    assert captions(f"Text.\n\n{line}\n\n{GFM}\n\nText.\n") == [shown]
    expected = shown if line in CASES["labelled"] else ""
    assert captions(f"Text.\n\n{GFM}\n\n{line}\n\nText.\n") == [expected]


@pytest.mark.parametrize("line", CASES["not_captions"])
def test_prose_beside_a_table_is_not_its_caption(line: str) -> None:
    """A sentence that begins with "Table 3" is about a table; it is not the table's caption."""
    assert captions(f"{line}\n\n{GFM}\n") == captions(f"{GFM}\n\n{line}\n") == [""]


SMALL = f"<table>{HEAD}{BODY}</table>"


@pytest.mark.parametrize("rule", CASES["neighbours"])
def test_a_caption_belongs_to_one_table(rule: str) -> None:
    text, expected = CASES["neighbours"][rule]
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
    values, (*groups, wide) = CASES["financial"]["values"], CASES["financial"]["groups"]
    for number in range(draw.randint(3, 6)):
        opening, closing, spacer = draw.choice([*groups, [wide.format(3 + 4 * years), "td", ""]])
        lines.append(f"<tr><{opening}>Group {number}:</{closing}>{spacer * 4 * years}</tr>")
        for at in range(draw.randint(3, 12)):
            drawn = [draw.choice(values).format(draw.randint(1, 99999)) for _ in range(years)]
            first = f"<td></td><td colspan=2>Item {number}.{at} of it</td>"
            lines.append(f"<tr>{first}{''.join(drawn)}</tr>")
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
