"""Sub-headers of tables: which rows are sub-headers, and how pieces repeat them.

Tokens are words here, so that every limit can be counted in the text.
"""

import re

import pytest
from by_eye import packed, some, words
from table_pieces import (
    HEAD,
    ParsedPiece,
    gfm_table,
    html_rows,
    row_ranges,
    segment_texts,
    stripped_cells,
)

from treepack import Chunks, PackConfig, audit, pack


def table_with_sub_headers(*, markup: str = "{}", width: int = 2) -> str:
    """Return a table of two groups, each under a row whose only filled cell has this markup."""
    empty = " |" * (width - 1)
    rows = {
        f"r{n}": f"| {markup.format(name)} |{empty}" for n, name in ((1, "North"), (9, "South"))
    }
    return gfm_table(16, width, rows)


@pytest.mark.parametrize("markup", ["{}", "**{}**", "_{}_"])
def test_a_sub_header_is_repeated_only_above_its_own_rows(markup: str) -> None:
    chunks = packed(f"{table_with_sub_headers(markup=markup)}\n", 36)
    assert len(chunks) > 2
    for chunk in chunks:
        (table,) = chunk.tables
        expected = {
            "North" if n < 9 else "South" for n in range(table.row_start, table.row_end + 1)
        }
        assert {name for name in ("North", "South") if name in chunk.text} == expected
        assert words(chunk.embed_text) <= 36
    repeated = [chunk for chunk in chunks if len(segment_texts(chunk, "table_header")) == 2]
    assert repeated, "no sub-header was repeated"


def test_a_row_of_bold_cells_is_a_sub_header() -> None:
    rows = {"r1": "| **North** | **Bar** |", "r9": "| __South__ | **Pascal** |"}
    chunks = packed(f"{gfm_table(16, 2, rows)}\n", 36)
    assert [("Bar" in chunk.text, "Pascal" in chunk.text) for chunk in chunks] == [
        (True, False),
        (True, True),
        (False, True),
    ]


def test_consecutive_sub_headers_are_repeated_together() -> None:
    rows = {"r1": "| Europe | |", "r2": "| North | |"}
    for chunk in packed(f"{gfm_table(16, 2, rows)}\n", 40):
        assert re.search(r"\| Europe \| \|\n\| North \| \|\n", chunk.text)


def test_a_sub_header_stays_with_the_row_after_it() -> None:
    """At the end of a chunk it would head nothing."""
    for cap in range(24, 60):
        for chunk in packed(f"{table_with_sub_headers()}\n", cap):
            assert not chunk.text.endswith(("| North | |", "| South | |"))


def test_an_escaped_pipe_does_not_split_a_sub_header() -> None:
    row = r"| North \| East |"
    for chunk in packed(f"{gfm_table(16, 2, {'r1': row})}\n", 36):
        assert row in chunk.text


def test_no_row_is_a_sub_header_if_most_rows_have_one_cell() -> None:
    rows = {f"r{n}": f"| r{n} | |" for n in range(1, 10)}
    for chunk in packed(f"{gfm_table(16, 2, rows)}\n", 30):
        assert len(segment_texts(chunk, "table_header")) <= 1


def test_rows_with_one_cell_are_sub_headers_if_they_are_half_of_the_rows() -> None:
    rows = {f"r{n}": f"| group{n} | |" for n in range(1, 17, 2)}
    for chunk in packed(f"{gfm_table(16, 2, rows)}\n", 40):
        assert row_ranges(Chunks([chunk]))[0][0] % 2 == 1


def test_a_gfm_table_with_one_column_has_no_sub_headers() -> None:
    for chunk in packed("| a |\n|---|\n" + "| **x** |\n| y |\n| z |\n" * 9, 24):
        assert len(segment_texts(chunk, "table_header")) <= 1


def test_a_row_with_an_empty_key_is_not_a_sub_header() -> None:
    """A value below others in a column heads nothing."""
    for chunk in packed(f"{gfm_table(16, 2, {'r1': '| | only |'})}\n", 30)[1:]:
        assert "only" not in chunk.text


def test_a_row_of_th_inside_an_html_table_is_a_sub_header() -> None:
    sub_header = "<tr><th colspan=2>North</th></tr>\n"
    chunks = packed(f"<table>\n{HEAD}{html_rows(1)}{sub_header}{html_rows(19)}</table>\n", 30)
    assert len(chunks) > 2
    for chunk in chunks:
        assert ("North" in chunk.text) == (chunk.tables[0].row_end > 2)
        ParsedPiece(chunk.text)


@pytest.mark.parametrize("overlap", [0, 40])
@pytest.mark.parametrize("cap", [100, 120, 140, 160, 200])
def test_a_th_row_at_the_start_of_a_piece_is_not_a_header_row(cap: int, overlap: int) -> None:
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


@pytest.mark.parametrize("head", [HEAD, f"<thead>\n{HEAD}</thead>\n"])
def test_a_sub_header_of_th_is_repeated_as_td_and_never_begins_a_piece(head: str) -> None:
    sub_headers = "<tr><th colspan=2>North\n<tr><TH\nrowspan=1>sea</TH><th>land</th></tr>\n"
    for before in range(1, 12):
        text = f"<table>\n{head}{html_rows(before)}{sub_headers}{html_rows(19)}</table>\n"
        chunks = packed(text, 30)
        assert not audit(text, chunks, max_tokens=30, encoding=words).findings
        for chunk in chunks:
            rows = ParsedPiece(chunk.text).rows[1:]
            assert {tag for tag, _ in rows[0]} == {"td"}, "a row of <th> would join the header"
            if chunk.tables[0].row_start > before + 2:
                north, sea = stripped_cells(rows[:2])
                assert (north, sea) == ([("td", "North")], [("td", "sea"), ("td", "land")])


def test_a_row_of_th_does_not_become_the_header_of_a_table_without_one() -> None:
    for before in range(3, 12):
        names = "<tr><th>North</th><th>sea</th></tr>\n"
        text = f"<table>\n{html_rows(before)}{names}{html_rows(19)}</table>\n"
        chunks = packed(text, 30)
        assert len(chunks) > 2
        assert not audit(text, chunks, max_tokens=30, encoding=words).findings


GROUPED_HTML = """\
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
    chunks = packed(GROUPED_HTML.format(header="Title"), 60, encoding="cl100k_base", min_tokens=0)
    later = [chunk for chunk in chunks if chunk.tables[0].row_start > 2]
    assert later
    assert all("Group A" in chunk.text for chunk in later)


def test_an_html_table_with_one_column_has_no_sub_headers() -> None:
    rows = "".join(f"<tr><td>row {n} one two three four</td></tr>\n" for n in range(5))
    wide = '<tr><td colspan="2">wide</td></tr>\n'
    chunks = packed(
        f"<table>\n<tr><th>T</th></tr>\n{wide}{rows}</table>\n", 40, encoding="cl100k_base"
    )
    assert len(chunks) > 2
    assert sum("wide" in chunk.text for chunk in chunks) == 1


def test_overlap_never_begins_between_sub_headers_that_are_repeated_together() -> None:
    """The first of them is tied to the row above it, the second stands alone."""
    rows = "".join(f"<tr><td>{name}</td><td>{some(9)}</td></tr>\n" for name in "abcde")
    sub_headers = (
        "<tr><td>f</td><td rowspan=2>v</td></tr>\n"
        "<tr><td>Some:</td><td></td></tr>\n<tr><td colspan=2>Sure:</td><td></td></tr>\n"
    )
    text = f"<table>\n<tr><th>k</th><th>v</th></tr>\n{rows}{sub_headers}{rows}</table>\n"
    for cap in range(28, 84, 4):
        chunks = packed(text, cap, overlap_tokens=4)
        report = audit(text, chunks, max_tokens=cap, overlap_tokens=4, encoding=words)
        assert report.findings == ()
