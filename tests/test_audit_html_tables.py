"""The audit of law 5 for tables in HTML."""

from typing import Any

import pytest
from audit_records import broken_laws, judge, piece, reasons, records, table_slice, table_slices

from treepack.laws import AuditReport
from treepack.model.chunk import TableSlice

# ---------------------------------------------------------------- law 5: whole rows


# ---------------------------------------------------------------- law 5: tables in HTML


HTML_HEAD = "<div>\n<table>\n<thead><tr><th>a</th><th>b</th></tr></thead>\n"


HTML_ROWS = [f"<tr><td>{n}</td>\n\n<td>value {n}</td></tr>\n" for n in (1, 2, 3)]


HTML_END = "</table>\n</div>"


HTML = HTML_HEAD + "".join(HTML_ROWS) + HTML_END


def audit_cut_html(
    source: str = HTML,
    header: str = HTML_HEAD,
    closing: str = HTML_END,
    **changes: Any,  # noqa: ANN401 - settings
) -> AuditReport:
    head = source.split("<tr><td>2", maxsplit=1)[0]
    first, second = table_slices((1, 1), (2, 3), **changes)
    chunks = records(
        source,
        piece(head, ("glue", closing), tables=first),
        piece(("table_header", header), source.removeprefix(head), tables=second),
    )
    return judge(source, chunks, max_tokens=120)


def test_an_html_table_may_be_cut_between_rows_into_whole_tables() -> None:
    assert audit_cut_html().ok, audit_cut_html().table()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"closing": ""}, "no table with this header"),
        ({"header": "<table>"}, "no table with this header"),
        ({"header_rows": 0}, "record says 0 header rows, but the table has 1"),
        ({"columns": ("a", "c")}, "but its record says"),
        ({"row_count": 4}, "but its record says"),
    ],
)
def test_a_wrong_piece_of_an_html_table_breaks_law_5(changes: dict[str, Any], message: str) -> None:
    report = audit_cut_html(**changes)
    assert set(broken_laws(report)) == {5}
    assert any(message in finding.reason for finding in report.findings)


def test_an_html_table_followed_by_text_in_its_block_is_a_table() -> None:
    source = f"{HTML_HEAD}<tr><td>1</td><td>2</td></tr>\n{HTML_END}\nWords.\n"
    report = judge(source, records(source, piece(source)))
    assert broken_laws(report) == [5]


def test_a_caption_element_is_the_caption() -> None:
    header = HTML_HEAD.replace("<thead>", "<caption>Sizes</caption>\n<thead>")
    source = HTML.replace(HTML_HEAD, header)
    assert audit_cut_html(source, header, caption="Sizes").ok
    assert set(broken_laws(audit_cut_html(source, header))) == {5}


def audit_quoted_rows(first: str) -> AuditReport:
    """Audit a table of three unclosed rows in a quote; the first chunk ends after ``first``."""
    rows = [f"<tr><td>{n}</td><td>value {n}</td>" for n in (1, 2, 3)]
    source = f"> <table>\n> {rows[0]}\n> {rows[1]}\n> {rows[2]}\n> </table>\n"
    head = source[: source.index(first) + len(first)]
    ranges = [(1, 1), (2, 3)]
    fields = {"columns": (), "header_rows": 0}
    chunks = records(
        source,
        piece(head, ("glue", "</tr>\n> </table>"), tables=table_slices(*ranges, **fields)[0]),
        piece(
            ("table_header", "> <table>\n"),
            source.removeprefix(head).lstrip("\n"),
            tables=table_slices(*ranges, **fields)[1],
        ),
    )
    return judge(source, chunks)


def test_an_unclosed_row_in_a_quote_ends_before_the_next_quote_marker() -> None:
    report = audit_quoted_rows("value 1</td>")
    assert 5 not in broken_laws(report), report.table()
    cut = audit_quoted_rows("value")
    assert any("row 1 is cut" in reason for reason in reasons(cut, 5))


def findings_without_key(tags: str, cap: int) -> list[str]:
    """Return what law 5 finds if a cut HTML row's second part has an empty cell for its key."""
    head = "<table>\n<tr><th>k</th><th>v</th></tr>\n"
    source = f"{head}<tr><td>{tags}key</td><td>{'one two three ' * 10}</td></tr>\n</table>\n"
    offset = source.index("<td>one")
    parts = [
        {"row_end": 1, "row_count": 1, "columns": ("k", "v"), "part": part, "parts": 2}
        | {"cell_part": part}
        for part in (1, 2)
    ]
    first, second = (table_slice(**part) for part in parts)
    chunks = records(
        source,
        piece(source[:offset], ("glue", "</tr>\n</table>"), tables=(first,)),
        piece(
            ("table_header", head),
            ("glue", "<tr><td></td>"),
            source[offset:],
            tables=(second,),
        ),
    )
    return reasons(judge(source, chunks, max_tokens=cap), 5)


def test_the_tags_in_an_html_key_count_towards_its_size() -> None:
    tags = "<i></i> " * 12
    assert findings_without_key(tags, 120) == []
    for found in (findings_without_key(tags, 300), findings_without_key("", 120)):
        assert len(found) == 1
        assert 'the key "key" is not repeated' in found[0]


def test_a_cut_between_rows_tied_by_a_rowspan_breaks_law_9() -> None:
    rows = "".join(f"<tr><td>{n}</td><td>value</td></tr>\n" for n in (1, 2, 3))
    source = f"{HTML_HEAD}{rows}{HTML_END}"
    assert audit_cut_html(source).ok
    tied = source.replace("<td>1", '<td rowspan="2">1')
    report = audit_cut_html(tied)
    assert broken_laws(report) == [9]
    assert "rows tied by a rowspan" in report.findings[0].reason


def test_columns_of_an_html_table_respect_rowspan_and_colspan() -> None:
    head = (
        "<table>\n<tr><th rowspan=2>k</th><th colspan=2>v</th></tr>\n"
        "<tr><th>min</th><th>max</th></tr>\n"
    )
    source = f"{head}<tr><td>1</td><td>2</td><td>3</td></tr>\n</table>"
    right = table_slice(columns=("k", "min", "max"), header_rows=2, row_end=1, row_count=1)
    assert judge(source, records(source, piece(source, tables=(right,)))).ok
    wrong = right.model_copy(update={"columns": ("min", "max")})
    assert broken_laws(judge(source, records(source, piece(source, tables=(wrong,))))) == [5]


def test_an_unclosed_table_or_a_table_in_a_comment_is_not_a_table() -> None:
    for source in ("<table>\n<tr><td>1", "<div>\n<!-- <table><tr><td>1</td></tr></table>"):
        assert judge(source, records(source, piece(source))).ok


# ---------------------------------------------------------------- the judge itself


CELL = "<table>\n<tr><th>H</th></tr>\n<tr><td>one</td> beside <b>two</b> more</tr>\n"


CELLS = CELL + "<tr><td>other</td></tr>\n</table>\n"


@pytest.mark.parametrize(("beside", "laws"), [("beside two", []), ("other", [5])])
def test_a_row_piece_may_contain_text_outside_its_cells(beside: str, laws: list[int]) -> None:
    header = ("table_header", "<table>\n<tr><th>H</th></tr>\n", 0)
    table = {"id": "t", "columns": ("H",), "row_count": 2, "parts": 3}
    table_slices = [
        (TableSlice.model_validate(table | {"row_start": r, "row_end": r, "part": p} | more),)
        for p, r, more in [(1, 1, {"cell_part": 1}), (2, 1, {"cell_part": 2}), (3, 2, {})]
    ]
    first = piece(
        CELL[: CELL.index("</td>")], ("glue", "</td></tr></table>"), tables=table_slices[0]
    )
    rest = CELL[CELL.index("</td>") : -1]
    second = piece(
        header, ("glue", f"<tr><td>{beside}"), rest, ("glue", "</table>"), tables=table_slices[1]
    )
    third = piece(header, "<tr><td>other</td></tr>\n</table>", tables=table_slices[2])
    report = judge(CELLS, records(CELLS, first, second, third), max_tokens=60)
    assert [law for law in broken_laws(report) if law == 5] == laws, report.table()
