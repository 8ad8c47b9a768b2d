"""The audit of law 5 for Markdown tables: whole rows, headers and captions."""

from collections.abc import Iterable
from typing import Any

import pytest
from audit_records import (
    CAPTION,
    CAPTIONED,
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
)

from treepack.model.chunk import Chunk, TableSlice

# ---------------------------------------------------------------- law 5: whole rows


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


def test_a_table_piece_without_its_header_breaks_law_5() -> None:
    report = judge(TABLE, cut_table(table_slices((1, 1), (2, 2), (3, 3)), header=("glue", "")))
    assert broken_laws(report) == [5, 5]
    assert "no table with this header" in report.findings[0].reason


def test_a_table_piece_with_another_header_breaks_law_5() -> None:
    header = ("table_header", "| a | c |\n|---|---|\n")
    chunks = cut_table(table_slices((1, 1), (2, 2), (3, 3)), header)
    assert broken_laws(judge(TABLE, chunks)) == [5, 5]


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ([*table_slices((1, 1), (2, 2), (3, 3))[:2], ()], "its record says nothing"),
        (table_slices((1, 1), (2, 3), (3, 3)), "holds rows 2-2 of 3, but its record says 2-3 of 3"),
        (table_slices((1, 1), (2, 2), (3, 3), columns=("a", "c")), "holds rows"),
        (table_slices((1, 1), (2, 2), (3, 3), header_rows=2), "2 header rows"),
        (table_slices((1, 1), (2, 2), (3, 3), cell_part=1), "cell_part is 1"),
        (table_slices((1, 1), (2, 2), (3, 3), row_count=4), "holds rows"),
    ],
)
def test_a_wrong_table_entry_breaks_law_5(
    tables: list[tuple[TableSlice, ...]], message: str
) -> None:
    report = judge(TABLE, cut_table(tables))
    assert set(broken_laws(report)) == {5}
    assert message in report.findings[0].reason


def test_a_wrong_part_number_of_a_table_breaks_law_5() -> None:
    first, _, third = table_slices((1, 1), (2, 2), (3, 3))
    second = (table_slice(row_start=2, row_end=2, part=3, parts=3),)
    report = judge(TABLE, cut_table([first, second, third]))
    assert broken_laws(report) == [5]
    assert "is part 2 of 3, but its record says 3 of 3" in report.findings[0].reason


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
    assert "row 2 is cut" in report.findings[0].reason


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


def test_a_wrong_cell_part_breaks_law_5() -> None:
    report = judge(LONG_ROW, cut_row("key", cell_part=1))
    assert broken_laws(report) == [5]
    assert "cell_part is 1, but should be 2" in report.findings[0].reason


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


# ---------------------------------------------------------------- law 5: captions


def captioned_chunks(
    source: str, *captions: str | None, repeated: str = f"{CAPTION}\n\n", first: int = 1
) -> list[Chunk]:
    """Chunk records of a table of two rows that is cut into two pieces."""
    head, rest = source.split("| 3 | 4 |")
    tables = [
        (table_slice(row_start=row, row_end=row, row_count=2, part=row, parts=2, caption=caption),)
        for row, caption in enumerate(captions, first)
    ]
    context = [("caption", repeated)] if repeated else []
    return records(
        source,
        piece(head, tables=tables[0]),
        piece(*context, HEADER, f"| 3 | 4 |{rest}", tables=tables[1]),
    )


def test_a_caption_repeated_in_each_piece_has_no_findings() -> None:
    caption = "Table 3 — Sizes of things"
    report = judge(CAPTIONED, captioned_chunks(CAPTIONED, caption, caption), max_tokens=60)
    assert report.ok, report.table()


@pytest.mark.parametrize(
    ("captions", "message"),
    [
        ((None, None), "does not name the caption"),
        (("Table 4", "Table 4"), "is not in the source"),
        (("Table 3 — Sizes of things", None), "another id or caption"),
    ],
)
def test_a_wrong_caption_in_a_record_breaks_law_5(
    captions: tuple[str | None, ...], message: str
) -> None:
    report = judge(CAPTIONED, captioned_chunks(CAPTIONED, *captions), max_tokens=60)
    assert set(broken_laws(report)) == {5}
    assert any(message in finding.reason for finding in report.findings)


def test_a_piece_without_the_caption_text_breaks_law_5() -> None:
    caption = "Table 3 — Sizes of things"
    chunks = captioned_chunks(CAPTIONED, caption, caption, repeated="")
    found = reasons(judge(CAPTIONED, chunks, max_tokens=80), 5)
    assert len(found) == 1
    assert "its text lacks the caption" in found[0]
    # Caption and header are more than half of this cap, too much to repeat.
    assert not reasons(judge(CAPTIONED, chunks, max_tokens=42), 5)


def test_a_caption_of_no_table_breaks_law_5() -> None:
    caption = "Table 3 — Sizes of things"
    chunks = captioned_chunks(
        CAPTIONED, caption, caption, repeated=f"{CAPTION}\n\nTable 7: Foreign\n\n"
    )
    found = reasons(judge(CAPTIONED, chunks, max_tokens=80), 5)
    assert len(found) == 1
    assert "a caption that belongs to no table" in found[0]


@pytest.mark.parametrize(
    ("line", "is_caption"),
    [
        ("Table 3: Sizes", True),
        ("Tabelle 2.1 – Maße", True),
        ("Table: Sizes", True),
        ("表 3：尺寸", True),
        ("**Sizes**", True),
        ("Table 3 shows that sizes differ.", False),
        ("Some words.", False),
    ],
)
def test_a_record_must_name_the_caption_above_its_table(line: str, *, is_caption: bool) -> None:
    source = CAPTIONED.replace(CAPTION, line)
    report = judge(source, captioned_chunks(source, None, None, repeated=""), max_tokens=80)
    assert (5 in broken_laws(report)) == is_caption, report.table()


@pytest.mark.parametrize(
    ("line", "is_caption"), [("Table 3: Sizes", True), ("*Sizes*", False), ("Some words.", False)]
)
def test_a_line_below_a_table_is_its_caption_only_if_it_is_a_label(
    line: str, *, is_caption: bool
) -> None:
    caption = line.strip("*")
    source = CAPTIONED.replace(f"{CAPTION}\n\n", "") + f"\n{line}\n"
    report = judge(source, captioned_chunks(source, caption, caption))
    is_believed = all("is not in the source" not in finding.reason for finding in report.findings)
    assert is_believed == is_caption


def test_a_label_between_two_tables_is_the_caption_of_the_second() -> None:
    table = "| a | b |\n|---|---|\n| 1 | 2 |\n"
    source = f"{table}\nTable 1: Words\n\n{table}"
    named = {"row_start": 1, "row_end": 1, "row_count": 1}

    def found(first: str | None, second: str | None) -> list[int]:
        one = table_slice(id="one", caption=first, **named)
        two = table_slice(id="two", caption=second, **named)
        return broken_laws(judge(source, records(source, piece(source, tables=(one, two)))))

    assert [found(None, "Table 1: Words"), found("Table 1: Words", None)] == [[], [5, 5]]


def test_an_attribute_line_below_a_table_is_not_a_row_and_gives_the_caption() -> None:
    source = '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n{: #t title="Sizes"}\n'
    head = source.split("| 3", maxsplit=1)[0]
    tables = [
        t[0].model_copy(update={"row_count": 2}) for t in table_slices((1, 1), (2, 2), caption="S")
    ]

    def cut_at_row_two(caption: str | None, context: str) -> list[str]:
        first, second = (
            (table.model_copy(update={"caption": caption, "part": part}),)
            for part, table in enumerate(tables, 1)
        )
        chunks = records(
            source,
            piece(("caption", context), head, tables=first),
            piece(HEADER, source.removeprefix(head), tables=second),
        )
        return reasons(judge(source, chunks, max_tokens=80), 5)

    assert cut_at_row_two("Sizes", "Sizes\n\n") == []
    assert len(cut_at_row_two(None, "Sizes\n\n")) == 1
    assert len(cut_at_row_two("Sizes", "\n\n")) == 1


# ---------------------------------------------------------------- law 5: records


def test_a_table_entry_without_a_table_breaks_law_5() -> None:
    parts, changes = ONE
    report = judge(
        SECTIONS, records(SECTIONS, TOP, (parts, {**changes, "tables": (table_slice(),)}), TWO)
    )
    assert broken_laws(report) == [5]
    assert "of a table that it does not hold" in report.findings[0].reason


def test_two_tables_with_the_same_id_break_law_5() -> None:
    source = TABLE + "\nWords.\n\n" + TABLE.removeprefix("# T\n\n")
    one, two = table_slice(), table_slice(id="u")
    assert judge(source, records(source, piece(source, breadcrumb=("T",), tables=(one, two)))).ok
    report = judge(source, records(source, piece(source, breadcrumb=("T",), tables=(one, one))))
    assert broken_laws(report) == [5]
    assert "the id of another table" in report.findings[0].reason
