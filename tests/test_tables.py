"""Tables in pieces: rows, cells, ids and columns, each piece usable with nothing else.

Tokens are words here, so that every limit can be counted in the text.
"""

import pytest
from audits import findings_in
from by_eye import packed, sentences, some, words
from hypothesis import given
from hypothesis import strategies as st
from strategies import generated
from table_pieces import (
    HEAD,
    all_tables,
    assert_pieces_cover_all_rows,
    gfm_table,
    parsed_rows,
    row_ranges,
)

from treepack import Chunks, PackConfig, audit

# -------------------------------------------------------------------- rows and cells


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
def test_each_piece_of_a_gfm_table_parses_to_rows_of_the_whole_table(kind: str) -> None:
    forms = ODD_ROWS[kind]
    lines = [forms[n % len(forms)].format(n=n) for n in range(1, 25)]
    text = "| k | v |\n|---|---|\n" + "\n".join(lines) + "\n"
    header, *rows = parsed_rows(text)
    chunks = packed(text, 40)
    assert len(chunks) > 2
    for chunk in chunks:
        (table,) = chunk.tables
        found = parsed_rows(chunk.text)
        assert found[0] == header
        assert found[1:] == rows[table.row_start - 1 : table.row_end]
    assert_pieces_cover_all_rows(chunks)


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


def test_chunks_of_a_row_cut_by_cells_contain_no_other_row() -> None:
    text = gfm_table(6, 3, {"r3": f"| r3 | {some(20, 'a')} | {some(20, 'b')} |"})
    for chunk in packed(f"{text}\n", 36):
        (table,) = chunk.tables
        assert table.cell_part is None or table.row_start == table.row_end == 3


@pytest.mark.parametrize(("first", "rest"), [("- ", "  "), ("> ", "> "), ("12. > ", "    > ")])
def test_each_piece_of_a_table_in_a_list_or_quote_keeps_the_line_prefixes(
    first: str, rest: str
) -> None:
    head, *lines = gfm_table(14).split("\n")
    chunks = packed("\n".join([first + head, *(rest + line for line in lines)]) + "\n", 36)
    assert len(chunks) > 2
    for chunk in chunks:
        first_line, *others = chunk.text.split("\n")
        assert first_line == first + head
        assert all(line.startswith(rest + "|") for line in others)
        assert len(parsed_rows(chunk.text)) == len(others)
    assert_pieces_cover_all_rows(chunks)


def test_a_table_with_only_a_header_is_one_piece_without_rows() -> None:
    (chunk,) = packed("| a | b |\n|---|---|\n", 16)
    assert row_ranges(Chunks([chunk])) == [(0, 0)]
    assert chunk.tables[0].row_count == 0


# -------------------------------------------------------------------- ids


def test_a_table_keeps_its_id_if_other_text_is_edited() -> None:
    """It names the table in an index, so only the table's own place and columns may change it."""
    text = f"# A\n\nText.\n\n{gfm_table(14)}\n\n# B\n\n{gfm_table(14)}\n\n{gfm_table(3)}\n"

    def ids(edited: str) -> list[str]:
        found = packed(edited, 40, name="d.md")
        return list(dict.fromkeys(table.id for chunk in found for table in chunk.tables))

    before = ids(text)
    assert len(before) == 3
    assert ids(f"# New\n\n{sentences(20)}\n\n{text}") == before
    assert ids(text.replace("Text.", f"Text. {sentences(9)}")) == before
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
def test_row_ranges_of_the_pieces_cover_any_table_without_gaps(
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
    assert_pieces_cover_all_rows(chunks)
    assert {table.row_count for chunk in chunks for table in chunk.tables} == {len(rows)}
    assert all(words(chunk.embed_text) <= cap for chunk in chunks)


# -------------------------------------------------------------------- column names


@pytest.mark.parametrize(
    ("first", "rest"), [("", ""), ("- ", "  "), ("> ", "> "), ("1. > ", "   > ")]
)
def test_column_names_resolve_link_references_that_are_defined_later(first: str, rest: str) -> None:
    lines = ["| [name][one] | [two] |", "|---|---|", "| 1 | 2 |"]
    table = first + f"\n{rest}".join(lines)
    (found,) = all_tables(f"{table}\n\n[one]: http://a.b\n[two]: http://c.d\n")
    assert found.columns == ("name", "two")


def test_undefined_link_references_in_column_names_stay_unchanged() -> None:
    (found,) = all_tables("| [name][one] |\n|---|\n| 1 |\n")
    assert found.columns == ("[name][one]",)


@pytest.mark.parametrize("cap", range(24, 40))
def test_an_escaped_pipe_is_never_separated_from_its_backslash(cap: int) -> None:
    """Alone, the pipe would begin another cell."""
    cell = "a\\|b\\|c\\|d\\|e\\|" * 12
    chunks = packed(f"| k | v |\n|---|---|\n| r | {cell} |\n", cap, encoding="cl100k_base")
    assert len(chunks) > 1
    for chunk in chunks:
        header, *rows = parsed_rows(chunk.text)
        assert all(len(row) == len(header) for row in rows)
    assert audit(f"| k | v |\n|---|---|\n| r | {cell} |\n", chunks, PackConfig(max_tokens=cap)).ok


def test_the_audit_ignores_whitespace_around_cells_that_markdown_it_keeps() -> None:
    """It once took the row for another: it read the source's cells without that whitespace."""
    rows = "".join(f"\x85 row{number} {some(4)}\n" for number in range(6))
    text = f"| a | b |\n|---|---|\n{rows}"
    chunks = packed(text, 16)
    assert len(chunks) > 2
    assert findings_in(chunks) == ()
