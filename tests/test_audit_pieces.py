"""The audit of cut tables, code and text, on records made by hand: laws 5, 6 and 9."""

from collections.abc import Iterable
from typing import Any

import pytest
from audit_records import (
    CAPTION,
    CAPTIONED,
    FILLER,
    ONE,
    SECTIONS,
    TABLE,
    TOP,
    TWO,
    Part,
    broken_laws,
    judge,
    piece,
    reasons,
    records,
    table_slice,
    table_slices,
    words,
)

from treepack import PackConfig, audit, pack
from treepack.laws import AuditReport
from treepack.model.chunk import Chunk, TableSlice

# ------------------------------------------------------------------ law 5: whole rows


HEADER = ("table_header", "| a | b |\n|---|---|\n")


ROWS = ("# T\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", "| 3 | 4 |\n", "| 5 | 6 |\n")


def cut_table(tables: Iterable[tuple[TableSlice, ...]], header: Part = HEADER) -> list[Chunk]:
    first, second, third = tables
    return records(
        TABLE,
        piece(ROWS[0], breadcrumb=("T",), tables=first),
        piece(header, ROWS[1], breadcrumb=("T",), tables=second),
        piece(header, ROWS[2], breadcrumb=("T",), tables=third),
    )


def test_a_table_cut_between_rows_has_no_findings() -> None:
    report = judge(TABLE, cut_table(table_slices((1, 1), (2, 2), (3, 3))))
    assert report.ok, report.table()


def test_a_header_without_a_row_breaks_law_5() -> None:
    chunks = records(
        TABLE,
        piece("# T\n\n| a | b |\n|---|---|\n", breadcrumb=("T",)),
        piece(
            HEADER,
            "".join(["| 1 | 2 |\n", *ROWS[1:]]),
            breadcrumb=("T",),
            tables=(table_slice(part=2, parts=2),),
        ),
    )
    report = judge(TABLE, chunks)
    assert broken_laws(report) == [5]
    assert "header without any row" in report.findings[0].reason


def test_a_table_without_rows_may_consist_of_its_header() -> None:
    source = "| a | b |\n|---|---|\n"
    table = table_slice(row_start=1, row_end=0, row_count=0)
    assert judge(source, records(source, piece(source, tables=(table,)))).ok


def test_a_cut_row_breaks_law_5() -> None:
    first, second = table_slices((1, 2), (2, 3))
    chunks = records(
        TABLE,
        piece("# T\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 |", breadcrumb=("T",), tables=first),
        piece(HEADER, ("glue", "| 3 |"), " 4 |\n| 5 | 6 |\n", breadcrumb=("T",), tables=second),
    )
    report = judge(TABLE, chunks)
    assert set(broken_laws(report)) == {5}
    assert any("row 2 is cut" in reason for reason in reasons(report, 5))


LONG_ROW = "| k | v |\n|---|---|\n| key | " + "one two three " * 10 + "|\n"


def cut_row(key: str, **changes: Any) -> list[Chunk]:  # noqa: ANN401 - fields of the record
    table = {"id": "t", "columns": ("k", "v"), "row_start": 1, "row_end": 1, "row_count": 1}
    tables = [
        (
            TableSlice.model_validate(
                table | {"part": part, "parts": 2, "cell_part": part} | changes
            ),
        )
        for part in (1, 2)
    ]
    half = "one two three " * 5
    return records(
        LONG_ROW,
        piece(f"| k | v |\n|---|---|\n| key | {half}", ("glue", "|\n"), tables=tables[0]),
        piece(
            ("table_header", f"| k | v |\n|---|---|\n| {key} | "), half + "|\n", tables=tables[1]
        ),
    )


def test_a_row_above_the_cap_may_be_cut_by_cells_with_its_key() -> None:
    report = judge(LONG_ROW, cut_row("key"), max_tokens=60)
    assert 5 not in broken_laws(report), report.table()


def test_a_row_piece_without_the_key_breaks_law_5() -> None:
    report = judge(LONG_ROW, cut_row(""))
    assert broken_laws(report) == [5]
    assert 'the key "key" is not repeated' in report.findings[0].reason


@pytest.mark.parametrize("prefix", ["> ", "  "])
def test_a_table_in_a_quote_or_item_is_judged_like_any_other(prefix: str) -> None:
    lines = ["| a | b |", "|---|---|", "| 1 | 2 |", "| 3 | 4 |"]
    start = "- item\n\n" if prefix == "  " else "> text\n>\n"
    source = start + "".join(f"{prefix}{line}\n" for line in lines)
    head = start + "".join(f"{prefix}{line}\n" for line in lines[:3])
    header = ("table_header", "".join(f"{prefix}{line}\n" for line in lines[:2]))
    first, second = (
        (table_slice(row_start=row, row_end=row, row_count=2, part=row, parts=2),) for row in (1, 2)
    )
    last = f"{prefix}| 3 | 4 |\n"
    right = records(source, piece(head, tables=first), piece(header, last, tables=second))
    assert judge(source, right).ok, judge(source, right).table()
    wrong = records(source, piece(head, tables=first), piece(last, tables=second))
    assert broken_laws(judge(source, wrong)) == [5]


def captioned_chunks(
    source: str, *captions: str | None, repeated: str = CAPTION, first: int = 1
) -> list[Chunk]:
    """Chunk records of a table of two rows that is cut into two pieces."""
    head, rest = source.split("| 3 | 4 |")
    tables = [
        (table_slice(row_start=row, row_end=row, row_count=2, part=row, parts=2, caption=caption),)
        for row, caption in enumerate(captions, first)
    ]
    caption: Part = ("caption", repeated, source.index(repeated))
    context: list[Part] = [caption, ("glue", "\n\n")] if repeated else []
    return records(
        source,
        piece(head, tables=tables[0]),
        piece(*context, HEADER, f"| 3 | 4 |{rest}", tables=tables[1]),
    )


def test_a_caption_repeated_in_each_piece_has_no_findings() -> None:
    caption = "Table 3 — Sizes of things"
    report = judge(CAPTIONED, captioned_chunks(CAPTIONED, caption, caption), max_tokens=60)
    assert report.ok, report.table()


def test_a_piece_without_the_caption_text_breaks_law_5() -> None:
    caption = "Table 3 — Sizes of things"
    chunks = captioned_chunks(CAPTIONED, caption, caption, repeated="")
    found = reasons(judge(CAPTIONED, chunks, max_tokens=80), 5)
    assert len(found) == 1
    assert "its text lacks the caption" in found[0]
    # Caption and header are more than half of this cap, too much to repeat.
    assert not reasons(judge(CAPTIONED, chunks, max_tokens=42), 5)


def test_tables_that_cannot_keep_the_law_are_marked_and_counted() -> None:
    rows = "".join(f"| {n} | value {n} |\n" for n in range(40))
    long_header = f"| {'key ' * 30} | value |\n|---|---|\n{rows}"
    long_row = f"| key | value |\n|---|---|\n| 1 | {'one two ' * 90} |\n"
    config = PackConfig(max_tokens=64, target_tokens=64, min_tokens=0, encoding=words)
    for source, mark in ((long_header, "header left out"), (long_row, "row cut by cells")):
        chunks = pack(source, config)
        entries = [entry for chunk in chunks for entry in chunk.tables]
        assert len(entries) == len(chunks) > 1
        assert {entry.header_left_out for entry in entries} == {mark == "header left out"}
        report = audit(source, chunks)
        assert report.ok, report.table()
        assert mark in report.laws[4].marks
        assert mark in str(report)
        unmarked = [
            chunk.model_copy(
                update={
                    "tables": tuple(
                        entry.model_copy(update={"header_left_out": False, "cell_part": None})
                        for entry in chunk.tables
                    )
                }
            )
            for chunk in chunks
        ]
        assert 5 in broken_laws(audit(source, unmarked, config))


def test_a_table_entry_without_a_table_breaks_law_5() -> None:
    parts, changes = ONE
    report = judge(
        SECTIONS, records(SECTIONS, TOP, (parts, {**changes, "tables": (table_slice(),)}), TWO)
    )
    assert broken_laws(report) == [5]
    assert "of a table that it does not hold" in report.findings[0].reason


# ------------------------------------------------------------------ law 5: tables in HTML


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
        ({"header_rows": 0}, "its record has the header rows 0, but should have 1"),
        ({"columns": ("a", "c")}, "but its record has the ranges"),
        ({"row_count": 4}, "but its record has the ranges"),
    ],
)
def test_a_wrong_piece_of_an_html_table_breaks_law_5(changes: dict[str, Any], message: str) -> None:
    report = audit_cut_html(**changes)
    assert set(broken_laws(report)) == {5}
    assert any(message in finding.reason for finding in report.findings)


def test_a_caption_element_is_the_caption() -> None:
    header = HTML_HEAD.replace("<thead>", "<caption>Sizes</caption>\n<thead>")
    source = HTML.replace(HTML_HEAD, header)
    assert audit_cut_html(source, header, caption="Sizes").ok
    assert set(broken_laws(audit_cut_html(source, header))) == {5}


def test_a_cut_between_rows_tied_by_a_rowspan_breaks_law_9() -> None:
    rows = "".join(f"<tr><td>{n}</td><td>value</td></tr>\n" for n in (1, 2, 3))
    source = f"{HTML_HEAD}{rows}{HTML_END}"
    assert audit_cut_html(source).ok
    tied = source.replace("<td>1", '<td rowspan="2">1')
    report = audit_cut_html(tied)
    assert broken_laws(report) == [9]
    assert "rows tied by a rowspan" in report.findings[0].reason


# ------------------------------------------------------------------ law 6: balanced fences


CODE = "~~~~python title=x\na = 1\n\nif a:\n    b = 2\n~~~~\n"


OPEN, CLOSE = ("fence", "~~~~python title=x\n"), ("fence", "\n~~~~")


def cut_code(opening: Part, closing: Part) -> list[Chunk]:
    return records(
        CODE,
        piece("~~~~python title=x\na = 1", closing),
        piece(opening, "if a:\n    b = 2\n~~~~\n"),
    )


def test_a_cut_fence_that_is_closed_and_reopened_has_no_findings() -> None:
    report = judge(CODE, cut_code(OPEN, CLOSE))
    assert report.ok, report.table()


def test_a_chunk_with_only_a_fence_breaks_law_6() -> None:
    chunks = records(
        CODE,
        piece("~~~~python title=x\na = 1\n\nif a:\n    b = 2", CLOSE),
        piece(OPEN, "~~~~\n"),
    )
    report = judge(CODE, chunks)
    assert broken_laws(report) == [6]
    assert "only a fence" in report.findings[0].reason


def test_an_unclosed_fence_may_stay_open_in_its_last_piece() -> None:
    source = "```\na\nb\n"
    assert judge(
        source,
        records(source, piece("```\na", ("fence", "\n```")), piece(("fence", "```\n"), "b\n")),
    ).ok
    wrong = records(source, piece("```\na"), piece(("fence", "```\n"), "b\n"))
    assert broken_laws(judge(source, wrong)) == [6]


@pytest.mark.parametrize("end", ["$$\n", "$$ (1)\n"])
def test_cut_display_math_must_be_closed_and_reopened(end: str) -> None:
    source = f"$$\na + b\n= c\n{end}"
    right = records(
        source, piece("$$\na + b", ("fence", "\n$$")), piece(("fence", "$$\n"), f"= c\n{end}")
    )
    assert judge(source, right).ok
    wrong = records(source, piece("$$\na + b"), piece(f"= c\n{end}"))
    assert set(broken_laws(judge(source, wrong))) == {6}


def test_cut_indented_code_must_keep_its_indentation() -> None:
    source = "Text.\n\n    a = 1\n    b = 2\n"
    right = records(source, piece("Text.\n\n    a = 1\n"), piece("    b = 2\n"))
    assert judge(source, right).ok
    wrong = records(source, piece("Text.\n\n    a = 1\n"), piece("b = 2\n"))
    assert broken_laws(judge(source, wrong)) == [6]


def test_a_fence_in_a_list_is_judged_like_any_other() -> None:
    source = "- item\n\n  ```py\n  a\n  b\n  ```\n"
    right = records(
        source,
        piece("- item\n\n  ```py\n  a", ("fence", "\n  ```")),
        piece(("fence", "  ```py\n"), "  b\n  ```\n"),
    )
    assert judge(source, right).ok, judge(source, right).table()
    wrong = records(source, piece("- item\n\n  ```py\n  a"), piece("  b\n  ```\n"))
    assert set(broken_laws(judge(source, wrong))) == {6}


def test_fences_that_take_half_the_cap_need_not_be_repeated() -> None:
    fence = "`" * 20
    source = f"{fence}\na = 1\nb = 2\n{fence}\n"
    chunks = records(source, piece(f"{fence}\na = 1\n"), piece(f"b = 2\n{fence}\n"))
    assert 6 not in broken_laws(judge(source, chunks, max_tokens=40))
    assert 6 in broken_laws(judge(source, chunks, max_tokens=400))


# ------------------------------------------------------------------ law 9: clean cuts


def audit_cut(
    source: str,
    *bodies: str,
    max_tokens: int | None = 20,
    **settings: Any,  # noqa: ANN401 - settings
) -> AuditReport:
    return judge(source, records(source, *map(piece, bodies)), max_tokens=max_tokens, **settings)


def test_cutting_a_section_that_fits_breaks_law_9() -> None:
    source = FILLER + "# A\n\none\n\ntwo\n"
    report = judge(
        source,
        records(source, piece(FILLER + "# A\n\none\n\n"), piece("two\n", breadcrumb=("A",))),
        max_tokens=20,
    )
    assert broken_laws(report) == [9]
    assert "a section of 4 tokens would fit into one chunk, but is cut" in report.findings[0].reason


def test_sections_that_fit_together_may_be_separate_if_requested() -> None:
    chunks = records(SECTIONS, TOP, ONE, TWO)
    assert broken_laws(judge(SECTIONS, chunks, max_tokens=100)) == [9, 9]
    assert judge(SECTIONS, chunks, max_tokens=100, sections="separate").ok


@pytest.mark.parametrize(
    ("first", "last", "kind"),
    [
        ("- one\n- two\n", "- three\n", "list"),
        (f"- {'x ' * 15}\n- two\n", f"  more\n- {'x ' * 15}\n", "list item"),
        ("One. ", "Two.\n", "paragraph"),
        (f"{'x ' * 30}ending. Here begins ", "a short one.\n", "sentence"),
        (f"{'x ' * 30} wor", f"ding {'x ' * 30}.\n", "word"),
        ("> one\n>\n", "> two\n", "quote"),
        (f"> {'x ' * 30}\n>\n> one\n", "> two\n", "paragraph"),
        (f"<pre>\n{'x ' * 30}\none ", "two\n</pre>\n", "line"),
    ],
)
def test_cutting_a_unit_that_fits_breaks_law_9(first: str, last: str, kind: str) -> None:
    source = FILLER + first + last
    found = [x.reason for x in audit_cut(source, FILLER + first, last).findings if x.law == 9]
    assert len(found) == 1
    assert found[0].startswith(f"a {kind} of ")


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("x " * 30 + ". ", "Two.\n"),
        ("x, " * 30, "x, " * 30 + "\n"),
        ("汉字" * 30, "汉字" * 30 + "\n"),
        ("汉 " * 30 + "10ムカー", "ーナデ" + " 汉" * 30 + "\n"),
        ("w" + "-w" * 30, "w" + "-w" * 30 + "\n"),
        ("- " + "x " * 30 + "\n", "- two\n"),
    ],
)
def test_a_unit_that_does_not_fit_may_be_cut(first: str, last: str) -> None:
    assert 9 not in broken_laws(audit_cut(first + last, first, last))


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("e", "\u0301"),
        ("👩", "\u200d🔬"),
        ("👩\u200d", "🔬"),
        ("🇩🇪🇫", "🇷"),
        ("line\r", "\nline"),
        ("각", "\u11a8"),
    ],
)
def test_cutting_a_grapheme_cluster_breaks_law_9(first: str, last: str) -> None:
    report = audit_cut(first + last, first, last, max_tokens=None)
    assert broken_laws(report) == [9]
    assert "grapheme cluster" in report.findings[0].reason


def test_a_cut_between_two_flags_has_no_findings() -> None:
    assert audit_cut("🇩🇪🇫🇷", "🇩🇪", "🇫🇷", max_tokens=None).ok


LEAD_IN = "The device with all of its parts shall:\n\n"


ITEMS = ["- have one long item of words\n", "- have another item of words\n"]


def test_a_list_may_be_cut_if_it_fits_only_without_its_lead_in() -> None:
    source = FILLER + LEAD_IN + "".join(ITEMS)
    assert 9 not in broken_laws(
        audit_cut(source, FILLER, LEAD_IN + ITEMS[0], ITEMS[1], max_tokens=22)
    )
    assert 9 in broken_laws(audit_cut(source, FILLER, LEAD_IN + ITEMS[0], ITEMS[1], max_tokens=29))
    plain = source.replace("shall:", "shall.")
    lead = LEAD_IN.replace("shall:", "shall.")
    assert 9 in broken_laws(audit_cut(plain, FILLER, lead + ITEMS[0], ITEMS[1], max_tokens=22))


def test_a_line_may_be_cut_if_it_fits_only_without_its_lead_in() -> None:
    """This holds below a later item of a list, too."""
    line = "word " * 29 + "end"
    source = f"1. One.\n2. Set these words:\n   - {line}\n"
    head = source[: source.index(line) + 60]
    chunks = records(source, piece(head), piece(("glue", "2. - "), source.removeprefix(head)))
    assert 9 not in broken_laws(judge(source, chunks, max_tokens=40))
    assert 9 in broken_laws(judge(source, chunks, max_tokens=50))


def test_a_lead_in_that_takes_half_the_cap_is_no_reason_to_cut_a_list() -> None:
    lead = "word " * 30 + "shall:\n\n"
    source = FILLER + lead + "".join(ITEMS)
    assert 9 in broken_laws(audit_cut(source, FILLER, lead + ITEMS[0], ITEMS[1], max_tokens=40))


def test_a_list_piece_may_repeat_its_lead_in_and_a_heading_above() -> None:
    source = f"# Top\n\n{LEAD_IN}" + "".join(ITEMS)
    first = source.removesuffix(ITEMS[1])
    heading = ("heading", "# Top\n\n", 0)
    lead = ("heading", LEAD_IN, source.index(LEAD_IN))
    chunks = records(
        source,
        piece(first, breadcrumb=("Top",)),
        piece(heading, lead, ITEMS[1], breadcrumb=("Top",)),
    )
    assert judge(source, chunks).ok, judge(source, chunks).table()
