"""Each piece of a table has its header: several rows, loose separators, long cells, row spans."""

import re

import pytest
from by_eye import packed
from case_files import pairs_of

from treepack import Chunks, Source, audit, pack, read

ROWS = [f"| Item {n} | {n}00 | a b c {n} |" for n in range(40)]


def cut(text: str, cap: int, target: int = 0) -> Chunks:
    """Pack a text into several chunks that keep the laws."""
    chunks = pack(text, max_tokens=cap, target_tokens=target or cap, min_tokens=0)
    assert len(chunks) > 2
    assert not audit(Source(text), chunks).findings
    return chunks


@pytest.mark.parametrize("prefix", ["", "> ", "    "], ids=["top", "quote", "item"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize(("header", "columns"), pairs_of("table_headers.txt", "headers"))
def test_each_piece_has_all_rows_above_the_delimiters(
    header: str, columns: str, line_end: str, prefix: str
) -> None:
    lines = header.split("\n")
    above = ["1.  Prices", ""] if prefix.isspace() else []
    text = line_end.join([*above, *(prefix + line for line in [*lines, *ROWS])])
    chunks = cut(text, 160)
    assert len(chunks) > 3
    for chunk in chunks:
        assert all(line in chunk.text for line in lines)
        (table,) = chunk.tables
        assert (", ".join(table.columns), table.header_rows) == (columns, len(lines) - 1)
        assert table.row_count == 40


def test_text_above_the_header_rows_is_no_part_of_the_table() -> None:
    text = "**Table 1: Prices**\n| A | B |\n| a | b |\n|---|---|\n| 1 | 2 |"
    (table,) = pack(text)[0].tables
    assert (table.caption, table.columns, table.row_count) == ("Table 1: Prices", ("a", "b"), 1)


@pytest.mark.parametrize(("text", "_"), pairs_of("table_headers.txt", "no tables"))
def test_lines_that_are_no_table_stay_text(text: str, _: str) -> None:
    assert not any(chunk.tables for chunk in pack(text))


NAMES = [f"Column {n} with the amounts of things that were measured" for n in range(6)]
CELLS = [[f"{row}.{n}" for n in range(6)] for row in range(20)]


def in_pipes(header_rows: int) -> str:
    rows = [*[NAMES] * header_rows, ["---"] * 6, *CELLS]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def in_html(header_rows: int) -> str:
    def row(tag: str, cells: list[str]) -> str:
        return f"<tr>{''.join(f'<{tag}>{cell}</{tag}>' for cell in cells)}</tr>"

    bold = [f"<b>{name}</b>" for name in NAMES]
    lines = ['<table class="wide">', "<thead>", *[row("th", bold)] * header_rows, "</thead>"]
    lines += ["<tbody>", *(row("td", cells) for cells in CELLS), "</tbody>", "</table>"]
    return "\n".join(lines)


@pytest.mark.parametrize("prefix", ["", "> "])
@pytest.mark.parametrize(
    ("text", "cap"),
    [(in_pipes(1), 96), (in_pipes(2), 200), (in_html(1), 180), (in_html(2), 300)],
    ids=["pipes", "two rows in pipes", "HTML", "two rows in HTML"],
)
def test_a_header_above_half_the_cap_keeps_the_first_words_of_its_cells(
    text: str, cap: int, prefix: str
) -> None:
    text = prefix + text.replace("\n", f"\n{prefix}")
    chunks = cut(text, cap)
    assert not any(chunk.tables[0].header_left_out for chunk in chunks)
    with_rows = [chunk for chunk in chunks if chunk.tables[0].row_end]
    assert len(with_rows) > 2
    for chunk in with_rows[1:]:
        assert all(re.search(rf"Column {n}[ \w]*…", chunk.text) for n in range(6))


def test_a_shortened_header_keeps_the_delimiters_and_marks_what_it_lacks() -> None:
    name = "Amount of water that the pump moves in an hour at full power and full load"
    text = "\n".join([f"| Key | {name} |", "|:--|--:|", *[f"| k{n} | {n}{n} |" for n in range(9)]])
    chunks = packed(text, 140, encoding=len)
    head = "| Key | Amount of water that the pump… |\n|:--|--:|\n"
    assert [chunk.text.startswith(head) for chunk in chunks] == [False, *[True] * len(chunks[1:])]
    assert len(chunks) > 1


GROUPS = [
    f"<tr>{f'<td rowspan=4>Group {n // 4}</td>' if n % 4 == 0 else ''}"
    f"<td>lamp {n} that is bright</td><td>{n} W</td></tr>"
    for n in range(12)
]
LAMPS = "<table><thead><tr><th>Group</th><th>Name</th><th>Power</th></tr></thead><tbody>"


@pytest.mark.parametrize("prefix", ["", "> "])
@pytest.mark.parametrize("between", ["", "\n"])
@pytest.mark.parametrize("cap", [120, 150])
def test_the_first_row_of_a_piece_has_the_cells_that_reach_into_it(
    cap: int, between: str, prefix: str
) -> None:
    lines = [LAMPS, *GROUPS, "</tbody></table>"]
    text = prefix + (between + prefix * bool(between)).join(lines)
    for chunk in cut(text, cap):
        first = (chunk.tables[0].row_start - 1) // 4
        left = 4 * (first + 1) - chunk.tables[0].row_start + 1
        assert f">Group {first}</td>" in chunk.text
        assert f'rowspan="{left}">Group {first}<' in chunk.text or left in {1, 4}


def test_cells_in_the_middle_of_a_row_are_repeated_in_their_column() -> None:
    rows = [f"<tr><td>a{n}</td><td>b{n}</td></tr>" for n in range(6)]
    rows[0] = rows[0].replace("<td>b", "<td rowspan=6>the middle</td><td>b")
    text = "<table><tbody>\n" + "\n".join(rows) + "\n</tbody></table>"
    chunks = cut(text, 100, 60)
    number = chunks[1].tables[0].row_start - 1
    label = f'<td rowspan="{6 - number}">the middle</td>'
    assert f"<tr><td>a{number}</td>{label}<td>b{number}</td></tr>" in chunks[1].text


@pytest.mark.parametrize("rows", [1, 2])
def test_a_heading_over_several_columns_of_a_page_is_written_once(rows: int) -> None:
    names = "".join(f"<th>s{n}</th>" for n in range(4))
    page = (
        f"<h1>Lamps</h1><table><thead><tr><th rowspan={rows}>Model</th><th colspan=4>Season</th>"
        f"</tr>{f'<tr>{names}</tr>' * (rows - 1)}</thead><tbody>"
        "<tr><td>a</td><td>1</td><td>2</td><td>3</td><td>4</td></tr></tbody></table>"
    )
    text = read(page.encode(), "html").text
    assert text.count("Season") == 1
    columns = ("Model", "Season", "", "", "") if rows == 1 else ("Model", "s0", "s1", "s2", "s3")
    assert pack(text)[0].tables[0].columns == columns


@pytest.mark.parametrize("first", ["1. Service", "1. **Service**", "1. Service:", "1. Service."])
def test_the_first_line_of_a_list_is_not_cut_from_a_list_that_can_be_cut(first: str) -> None:
    points = [f"   {n}. The provider gives access number {n} to the service." for n in range(1, 40)]
    text = "\n".join(["# Agreement", "", first, *points])
    whole = pack(text, max_tokens=8000)[0].token_count
    chunks = pack(text, max_tokens=whole - 3, target_tokens=whole // 2)
    assert min(chunk.token_count for chunk in chunks) > 64
