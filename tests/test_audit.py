"""The audit: right chunks pass, and each wrong list of chunks breaks exactly the intended law.

Most chunk records are made by hand, so that these tests do not trust the packer.
"""

import ast
import gc
import hashlib
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.container import container_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

import treepack.laws
from treepack.clauses.clause import Clauses
from treepack.clauses.walk import find_clauses
from treepack.laws import AuditReport, audit
from treepack.laws.claims import clauses
from treepack.laws.reading import parsed_source, sentences
from treepack.laws.reading.blocks import AuditBlock
from treepack.markdown.rules import parser_for
from treepack.model.chunk import Chunk, Segment, Skipped, TableSlice
from treepack.model.outline_change import OutlineChange
from treepack.model.section import Section

Part = str | tuple[str, str] | tuple[str, str, int]
Recipe = tuple[tuple[Part, ...], dict[str, Any]]


def words(text: str) -> int:
    """Count words, Chinese characters and punctuation: a counter that a reader can follow."""
    return len(re.findall(r"[\u4e00-\u9fff]|[^\W\u4e00-\u9fff]+|[^\w\s]", text))


def piece(*parts: Part, **changes: Any) -> Recipe:  # noqa: ANN401 - fields of the record
    """The recipe of a chunk: body texts, and context as role, text and perhaps source offset."""
    return parts, changes


def records(source: str, *recipes: Recipe, count: Callable[[str], int] = words) -> list[Chunk]:
    """Chunk records whose body texts are located in the source one after the other."""
    after = 0
    found: list[Chunk] = []
    for index, (parts, changes) in enumerate(recipes):
        segments: list[Segment] = []
        for part in parts:
            if isinstance(part, str):
                start = source.index(part, after)
                after = start + len(part)
                segments.append(Segment(role="body", text=part, span=(start, after)))
            else:
                span = (part[2], part[2] + len(part[1])) if len(part) > 2 else None
                values = {"role": part[0], "text": part[1], "span": span}
                segments.append(Segment.model_validate(values))
        found.append(record(source, index, segments, changes, count))
    return found


def record(
    source: str,
    index: int,
    segments: Sequence[Segment],
    changes: dict[str, Any],
    count: Callable[[str], int],
) -> Chunk:
    text = "".join(segment.text for segment in segments)
    path = tuple(changes.get("breadcrumb", ()))
    unsaid = [entry for entry in path if not re.search(rf"(?m)^#+ {re.escape(entry)}$", text)]
    embed_text = " > ".join(unsaid) + "\n\n" + text if unsaid else text
    spans = [segment.span for segment in segments if segment.span and segment.role == "body"]
    values: dict[str, Any] = {
        "id": str(index),
        "index": index,
        "text": text,
        "segments": tuple(segments),
        "embed_text": embed_text,
        "lexical_text": text,
        "lines": (
            source.count("\n", 0, spans[0][0]) + 1,
            source.count("\n", 0, spans[-1][1] - 1) + 1,
        ),
    }
    values |= changes
    values.setdefault("token_count", count(values["text"]))
    values.setdefault("embed_token_count", count(values["embed_text"]))
    digest = hashlib.sha256(values["text"].encode("utf-8", "surrogatepass")).hexdigest()
    values.setdefault("content_hash", digest)
    return Chunk.model_validate(values)


def judge(
    source: str,
    chunks: Sequence[Chunk] | Sequence[str],
    **settings: Any,  # noqa: ANN401 - settings of the audit
) -> AuditReport:
    return audit(source, chunks, encoding=words, **settings)


def broken(report: AuditReport) -> list[int]:
    return [finding.law for finding in report.findings]


def reasons(report: AuditReport, law: int) -> list[str]:
    return [finding.reason for finding in report.findings if finding.law == law]


SECTIONS = "# Top\n\nIntro.\n\n## One\n\nFirst text.\n\n## Two\n\nSecond text.\n"
TOP = piece("# Top\n\nIntro.\n\n", breadcrumb=("Top",))
ONE = piece("## One\n\nFirst text.\n\n", breadcrumb=("Top", "One"))
TWO = piece("## Two\n\nSecond text.\n", breadcrumb=("Top", "Two"))


def test_right_chunks_have_no_findings() -> None:
    report = judge(SECTIONS, records(SECTIONS, TOP, ONE, TWO), max_tokens=12)
    assert report.ok, report.table()
    assert [result.checked for result in report.laws] == [3, 3, 3, 3, 0, 0, 6, 3, 2]


# ---------------------------------------------------------------- law 1: nothing lost


def test_a_lost_paragraph_breaks_law_1() -> None:
    report = judge(SECTIONS, records(SECTIONS, TOP, TWO), name="a.md")
    assert broken(report) == [1]
    assert str(report.findings[0]) == (
        'a.md:5: law 1 (nothing lost): 19 characters lost: "## One First text."'
    )


def test_body_in_two_chunks_breaks_law_1() -> None:
    chunks = records(SECTIONS, TOP, ONE, TWO)
    again = chunks[2].model_copy(update={"index": 3, "id": "3"})
    report = judge(SECTIONS, [*chunks, again])
    assert broken(report) == [1]
    assert report.findings[0].chunk == 3


def test_chunks_out_of_order_break_law_1() -> None:
    one, two, three = records(SECTIONS, TOP, ONE, TWO)
    swapped = [
        one,
        three.model_copy(update={"index": 1}),
        two.model_copy(update={"index": 2}),
    ]
    assert broken(judge(SECTIONS, swapped)) == [1]


FRONT = "---\ntitle: A\n---\n\nText.\n"


def test_front_matter_may_be_skipped_with_a_reason() -> None:
    skipped = (Skipped(span=(0, 16), reason="front matter"),)
    assert judge(FRONT, records(FRONT, piece("Text.\n", skipped=skipped))).ok


def test_front_matter_may_stay_in_the_text() -> None:
    assert judge(FRONT, records(FRONT, piece("---\ntitle: A\n---\n\nText.\n"))).ok


@pytest.mark.parametrize(
    ("span", "reason", "said"),
    [
        ((0, 16), " ", "without a reason"),
        ((0, 20), "front matter", "stands in a body"),
    ],
)
def test_a_wrong_entry_in_skipped_breaks_law_1(
    span: tuple[int, int], reason: str, said: str
) -> None:
    skipped = (Skipped(span=span, reason=reason),)
    report = judge(FRONT, records(FRONT, piece("Text.\n", skipped=skipped)))
    assert broken(report) == [1]
    assert said in report.findings[0].reason


@pytest.mark.parametrize(
    "source",
    ["", " \n\t\n", "\ufeff", "---\na: 1\n---\n", "\ufeff---\na: 1\n---", "+++\na = 1\n+++\n"],
)
def test_a_document_without_text_needs_no_chunk(source: str) -> None:
    assert judge(source, []).ok


@pytest.mark.parametrize("start", ["", "\ufeff", "\n"])
def test_a_document_of_page_marks_alone_needs_no_chunk(start: str) -> None:
    assert judge(f"{start}<!-- page break -->\n", []).ok
    assert broken(judge(f"{start}<!-- page of text -->\n", [])) == [1]


def test_a_document_with_text_needs_chunks() -> None:
    assert broken(judge("---\nTo be.\n\nOr not.\n", [])) == [1]


# ---------------------------------------------------------------- law 2: exact


def test_text_that_is_not_its_segments_breaks_law_2() -> None:
    chunks = records(SECTIONS, piece(SECTIONS, text=SECTIONS + "!", embed_text=SECTIONS + "!"))
    assert broken(judge(SECTIONS, chunks)) == [2]


def test_a_segment_that_is_not_its_span_breaks_law_2() -> None:
    source = "One\ttwo.\n"
    segment = Segment(role="body", text="One two.\n", span=(0, 9))
    report = judge(source, [record(source, 0, [segment], {}, words)])
    assert broken(report) == [2]


def test_a_span_outside_of_the_source_breaks_law_2() -> None:
    segments = [
        Segment(role="body", text="One.", span=(0, 4)),
        Segment(role="glue", text="", span=(7, 9)),
    ]
    assert broken(judge("One.", [record("One.", 0, segments, {}, words)])) == [2]


def test_body_without_a_span_breaks_law_2() -> None:
    segments = [
        Segment(role="body", text="One.", span=(0, 4)),
        Segment(role="body", text=" More."),
    ]
    assert broken(judge("One.", [record("One.", 0, segments, {}, words)])) == [2]


def test_a_line_break_that_is_lost_between_bodies_breaks_law_2() -> None:
    source = "One.\n\n# Two\n\nThree.\n"
    right = records(source, piece("One.\n\n", "# Two\n\n", "Three.\n"))
    assert judge(source, right).ok
    wrong = records(source, piece("One.", "# Two\n\nThree.\n"))
    assert broken(judge(source, wrong)) == [2]


# ---------------------------------------------------------------- law 3: cap


def test_a_chunk_above_the_cap_breaks_law_3() -> None:
    source = "word " * 30
    report = judge(source, records(source, piece(source)), max_tokens=20)
    assert broken(report) == [3]
    assert "30 tokens, 20 allowed" in report.findings[0].reason


def test_the_breadcrumb_counts_for_the_cap() -> None:
    chunks = records(SECTIONS, TOP, ONE, TWO)
    assert chunks[1].embed_token_count == chunks[1].token_count + 1
    assert 3 in broken(judge(SECTIONS, chunks, max_tokens=chunks[1].token_count))


def test_without_a_cap_law_3_is_reported_as_not_checked() -> None:
    report = judge(SECTIONS, records(SECTIONS, TOP, ONE, TWO))
    assert report.laws[2].checked == 0
    assert report.laws[2].unchecked == {"not checked: no cap given": 1}
    assert "not checked: no cap given" in str(report)


TABLE = "# T\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n"


def whole_table(**changes: Any) -> TableSlice:  # noqa: ANN401 - fields of the record
    values = {"id": "t", "columns": ("a", "b"), "row_start": 1, "row_end": 3, "row_count": 3}
    return TableSlice.model_validate(values | changes)


def test_a_kept_table_may_be_above_the_cap() -> None:
    recipe = piece(TABLE, breadcrumb=("T",), oversize=True, tables=(whole_table(),))
    chunks = records(TABLE, recipe)
    assert judge(TABLE, chunks, max_tokens=20, keep_tables=True).ok
    assert broken(judge(TABLE, chunks, max_tokens=20, keep_code=True)) == [3]
    assert broken(judge(TABLE, chunks, max_tokens=500, keep_tables=True)) == [3]


def test_a_kept_table_shares_its_chunk_with_no_other_text() -> None:
    source = TABLE + "\nMore.\n"
    recipe = piece(source, breadcrumb=("T",), oversize=True, tables=(whole_table(),))
    assert broken(judge(source, records(source, recipe), max_tokens=20, keep_tables=True)) == [3]


@pytest.mark.parametrize(
    "embed_text",
    ["Top\n\n## One", "Top\n## One\n\nFirst text.\n\n", "Bottom\n\n## One\n\nFirst text.\n\n"],
)
def test_a_wrong_embedded_text_breaks_law_3(embed_text: str) -> None:
    parts, changes = ONE
    one = (parts, changes | {"embed_text": embed_text})
    assert broken(judge(SECTIONS, records(SECTIONS, TOP, one, TWO))) == [3]


def test_the_breadcrumb_line_is_cut_only_when_it_takes_half_the_cap() -> None:
    source = "# A very long title of a document\n\nIntro.\n\n## One\n\nText.\n\n## Two\n\nText.\n"
    title = "A very long title of a document"
    recipes = (
        piece("# A very long title of a document\n\nIntro.\n\n", breadcrumb=(title,)),
        piece("## One\n\nText.\n\n", breadcrumb=(title, "One"), embed_text="## One\n\nText.\n\n"),
        piece(
            "## Two\n\nText.\n",
            breadcrumb=(title, "Two"),
            embed_text="A very…\n\n## Two\n\nText.\n",
        ),
    )
    chunks = records(source, *recipes)
    assert judge(source, chunks, max_tokens=16).ok
    assert broken(judge(source, chunks, max_tokens=40))[:2] == [3, 3]


def test_the_last_piece_of_a_fence_counts_the_closing_that_the_others_needed() -> None:
    """The packer cannot know yet that a piece is the last one, which needs no closing."""
    mark = "`" * 30
    source = f"{mark}\none two three\nfour five six\n"
    chunks = records(
        source,
        piece(f"{mark}\none two three\n", ("fence", mark), breadcrumb=("d",)),
        piece(
            ("fence", f"{mark}\n"),
            "four five six\n",
            breadcrumb=("d",),
            embed_text=f"{mark}\nfour five six\n",
        ),
    )
    assert 3 not in broken(judge(source, chunks, max_tokens=120))
    assert 3 in broken(judge(source, chunks, max_tokens=180)), "there is room for the breadcrumb"


def test_a_kept_table_may_end_with_the_mark_of_its_quote() -> None:
    source = "".join(f"> {line}\n" for line in TABLE.splitlines()[2:]) + ">\n> " + FILLER
    head = source.removesuffix(f"> {FILLER}")
    chunks = records(
        source, piece(head, oversize=True, tables=(whole_table(),)), piece(f"> {FILLER}")
    )
    assert 3 not in broken(judge(source, chunks, max_tokens=24, keep_tables=True))


@pytest.mark.parametrize(("label", "laws"), [("Table 1: ", []), ("About this. ", [3])])
def test_a_caption_in_an_item_may_push_out_the_breadcrumb(label: str, laws: list[int]) -> None:
    title = "A very long title of a document"
    first = f"# {title}\n\n- {FILLER.strip()}\n\n"
    last = f"  {label}{'x ' * 8}\n\n  | a | b |\n  |---|---|\n  | 1 | 2 |\n"
    parts = piece(last, breadcrumb=(title,), embed_text=last, tables=(whole_table(row_end=1),))
    chunks = records(first + last, piece(first, breadcrumb=(title,)), parts)
    found = broken(judge(first + last, chunks, max_tokens=36))
    assert [law for law in found if law == 3] == laws


@pytest.mark.parametrize(("more", "laws"), [("", []), ("More. ", [3])])
def test_a_kept_block_may_begin_with_the_label_of_its_footnote(more: str, laws: list[int]) -> None:
    code = "".join(f"        {FILLER.strip()}\n" for _ in range(4))
    source = f"[^a]: {more}\n\n{code}"
    chunks = records(source, piece(source.rstrip(), oversize=True))
    assert broken(judge(source, chunks, max_tokens=24, keep_code=True)) == laws


def test_long_headings_that_begin_a_chunk_may_push_out_the_breadcrumb() -> None:
    source = "# A\n\nIntro.\n\n## " + "long " * 10 + "\n\nText.\n"
    first, last = "# A\n\nIntro.\n\n", source.split("Intro.\n\n")[1]
    title = "long " * 9 + "long"
    chunks = records(
        source,
        piece(first, breadcrumb=("A",)),
        piece(last, breadcrumb=("A", title), embed_text=last),
    )
    assert judge(source, chunks, max_tokens=17).ok
    assert 3 in broken(judge(source, chunks, max_tokens=60))


def test_a_caption_and_a_header_that_begin_a_chunk_may_push_out_the_breadcrumb() -> None:
    """They stay with the first row, as a heading stays with its text."""
    caption = f"Table 1: {'long ' * 6}"
    head = f"{caption}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    source = f"# A\n\nIntro.\n\n{head}| 3 | 4 |\n"
    tables = [
        (whole_table(caption=caption.strip(), row_start=n, row_end=n, part=n, parts=2),)
        for n in (1, 2)
    ]
    recipes = (
        piece("# A\n\nIntro.\n\n", breadcrumb=("A",)),
        piece(head, breadcrumb=("A",), embed_text=head, tables=tables[0]),
        piece(
            ("caption", f"{caption}\n\n| a | b |\n|---|---|\n"),
            "| 3 | 4 |\n",
            breadcrumb=("A",),
            tables=tables[1],
        ),
    )
    chunks = records(source, *recipes)
    assert 3 not in broken(judge(source, chunks, max_tokens=60))
    assert 3 in broken(judge(source, chunks, max_tokens=120))


def test_what_begins_a_chunk_in_a_quote_may_push_out_the_breadcrumb_as_well() -> None:
    caption = f"Table 1: {'long ' * 6}".strip()
    head = f"> {caption}\n>\n> | a | b |\n> |---|---|\n> | 1 | 2 |\n"
    source = f"# A\n\nIntro.\n\n{head}"
    table = whole_table(caption=caption, row_end=1, row_count=1)
    chunks = records(
        source,
        piece("# A\n\nIntro.\n\n", breadcrumb=("A",)),
        piece(head, breadcrumb=("A",), embed_text=head, tables=(table,)),
    )
    assert 3 not in broken(judge(source, chunks, max_tokens=60))
    assert 3 in broken(judge(source, chunks, max_tokens=120))


def test_a_row_that_was_opened_by_cells_counts_what_would_close_them() -> None:
    """Its cells may fit in one chunk after all, but the breadcrumb made room for their closing."""
    names = tuple(f"c{number}" for number in range(12))
    head = f"| {' | '.join(names)} |\n{'|---' * 12}|\n"
    row = f"| {' | '.join('x' * 12)} |\n"
    first = f"# A\n\nIntro.\n\n{head}{row}"
    tables = [
        (whole_table(columns=names, row_start=n, row_end=n, row_count=2, part=n, parts=2),)
        for n in (1, 2)
    ]
    chunks = records(
        first + row,
        piece(first, breadcrumb=("A",), tables=tables[0]),
        piece(
            ("table_header", head),
            row,
            breadcrumb=("A",),
            embed_text=head + row,
            tables=tables[1],
        ),
    )
    assert 3 not in broken(judge(first + row, chunks, max_tokens=180))
    assert 3 in broken(judge(first + row, chunks, max_tokens=212))


def test_a_heading_in_the_text_stands_for_one_entry_of_its_name() -> None:
    source = f"# Same\n\n{FILLER}\n\n## Same\n\nText.\n"
    first, last = source.split("## ")
    recipes = [
        piece(first, breadcrumb=("Same",)),
        piece(f"## {last}", breadcrumb=("Same", "Same"), embed_text=f"Same\n\n## {last}"),
    ]
    assert 3 not in broken(judge(source, records(source, *recipes), max_tokens=60))
    recipes[1] = piece(f"## {last}", breadcrumb=("Same", "Same"), embed_text=f"## {last}")
    assert 3 in broken(judge(source, records(source, *recipes), max_tokens=60))


def test_an_overlap_above_what_is_allowed_breaks_law_3() -> None:
    source = "One two three. Four five six."
    body, overlap = piece("One two three. "), ("overlap", "One two three. ")
    changes = {"has_overlap": True, "overlap_tokens": 4}
    chunks = records(source, body, piece(overlap, "Four five six.", **changes))
    assert judge(source, chunks, overlap_tokens=4).ok
    assert broken(judge(source, chunks, overlap_tokens=3)) == [3]


# ---------------------------------------------------------------- law 4: honest counts


@pytest.mark.parametrize(
    "changes",
    [
        {"token_count": 99},
        {"embed_token_count": 99},
        {"content_hash": "0" * 64},
        {"overlap_tokens": 3},
        {"has_overlap": True},
        {"lines": (5, 6)},
        {"lines": (4, 7)},
    ],
)
def test_a_wrong_count_breaks_law_4(changes: dict[str, Any]) -> None:
    parts, right = ONE
    chunks = records(SECTIONS, TOP, (parts, right | changes), TWO)
    assert broken(judge(SECTIONS, chunks)) == [4]


def test_a_wrong_index_breaks_law_4() -> None:
    assert broken(judge("One.", records("One.", piece("One.", index=1)))) == [4]


# ---------------------------------------------------------------- law 5: whole rows

HEADER = ("table_header", "| a | b |\n|---|---|\n")
ROWS = ("# T\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", "| 3 | 4 |\n", "| 5 | 6 |\n")


def slices(*ranges: tuple[int, int], **changes: Any) -> list[tuple[TableSlice]]:  # noqa: ANN401 - settings
    return [
        (whole_table(row_start=first, row_end=last, part=part, parts=len(ranges), **changes),)
        for part, (first, last) in enumerate(ranges, 1)
    ]


def cut_table(tables: Iterable[tuple[TableSlice, ...]], header: Part = HEADER) -> list[Chunk]:
    first, second, third = tables
    return records(
        TABLE,
        piece(ROWS[0], breadcrumb=("T",), tables=first),
        piece(header, ROWS[1], breadcrumb=("T",), tables=second),
        piece(header, ROWS[2], breadcrumb=("T",), tables=third),
    )


def test_a_table_cut_between_rows_is_right() -> None:
    report = judge(TABLE, cut_table(slices((1, 1), (2, 2), (3, 3))))
    assert report.ok, report.table()


def test_a_table_piece_without_its_header_breaks_law_5() -> None:
    report = judge(TABLE, cut_table(slices((1, 1), (2, 2), (3, 3)), header=("glue", "")))
    assert broken(report) == [5, 5]
    assert "no table with this header" in report.findings[0].reason


def test_a_table_piece_with_a_foreign_header_breaks_law_5() -> None:
    header = ("table_header", "| a | c |\n|---|---|\n")
    assert broken(judge(TABLE, cut_table(slices((1, 1), (2, 2), (3, 3)), header))) == [5, 5]


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        ([*slices((1, 1), (2, 2), (3, 3))[:2], ()], "its record says nothing"),
        (slices((1, 1), (2, 3), (3, 3)), "holds rows 2-2 of 3, but its record says 2-3 of 3"),
        (slices((1, 1), (2, 2), (3, 3), columns=("a", "c")), "holds rows"),
        (slices((1, 1), (2, 2), (3, 3), header_rows=2), "2 header rows"),
        (slices((1, 1), (2, 2), (3, 3), cell_part=1), "cell_part is 1"),
        (slices((1, 1), (2, 2), (3, 3), row_count=4), "holds rows"),
    ],
)
def test_a_wrong_table_entry_breaks_law_5(tables: list[tuple[TableSlice, ...]], said: str) -> None:
    report = judge(TABLE, cut_table(tables))
    assert set(broken(report)) == {5}
    assert said in report.findings[0].reason


def test_parts_of_a_table_are_numbered() -> None:
    first, _, third = slices((1, 1), (2, 2), (3, 3))
    second = (whole_table(row_start=2, row_end=2, part=3, parts=3),)
    report = judge(TABLE, cut_table([first, second, third]))
    assert broken(report) == [5]
    assert "is part 2 of 3, but says 3 of 3" in report.findings[0].reason


def test_a_header_without_a_row_breaks_law_5() -> None:
    chunks = records(
        TABLE,
        piece("# T\n\n| a | b |\n|---|---|\n", breadcrumb=("T",)),
        piece(
            HEADER,
            "".join(["| 1 | 2 |\n", *ROWS[1:]]),
            breadcrumb=("T",),
            tables=(whole_table(part=2, parts=2),),
        ),
    )
    report = judge(TABLE, chunks)
    assert broken(report) == [5]
    assert "header without a row" in report.findings[0].reason


def test_a_table_without_rows_may_be_only_a_header() -> None:
    source = "| a | b |\n|---|---|\n"
    table = whole_table(row_start=1, row_end=0, row_count=0)
    assert judge(source, records(source, piece(source, tables=(table,)))).ok


def test_a_row_that_is_cut_breaks_law_5() -> None:
    first, second = slices((1, 2), (2, 3))
    chunks = records(
        TABLE,
        piece("# T\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 |", breadcrumb=("T",), tables=first),
        piece(HEADER, ("glue", "| 3 |"), " 4 |\n| 5 | 6 |\n", breadcrumb=("T",), tables=second),
    )
    report = judge(TABLE, chunks)
    assert set(broken(report)) == {5}
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


def test_a_row_above_the_cap_is_cut_by_cells_with_its_key() -> None:
    report = judge(LONG_ROW, cut_row("key"), max_tokens=60)
    assert 5 not in broken(report), report.table()


def test_a_piece_of_a_row_repeats_the_key() -> None:
    report = judge(LONG_ROW, cut_row(""))
    assert broken(report) == [5]
    assert 'the key "key" is not repeated' in report.findings[0].reason


def test_pieces_of_a_row_are_numbered() -> None:
    report = judge(LONG_ROW, cut_row("key", cell_part=1))
    assert broken(report) == [5]
    assert "cell_part is 1, but should be 2" in report.findings[0].reason


@pytest.mark.parametrize("prefix", ["> ", "  "])
def test_a_nested_table_is_judged_like_any_other(prefix: str) -> None:
    lines = ["| a | b |", "|---|---|", "| 1 | 2 |", "| 3 | 4 |"]
    start = "- item\n\n" if prefix == "  " else "> text\n>\n"
    source = start + "".join(f"{prefix}{line}\n" for line in lines)
    head = start + "".join(f"{prefix}{line}\n" for line in lines[:3])
    header = ("table_header", "".join(f"{prefix}{line}\n" for line in lines[:2]))
    first, second = (
        (whole_table(row_start=row, row_end=row, row_count=2, part=row, parts=2),) for row in (1, 2)
    )
    last = f"{prefix}| 3 | 4 |\n"
    right = records(source, piece(head, tables=first), piece(header, last, tables=second))
    assert judge(source, right).ok, judge(source, right).table()
    wrong = records(source, piece(head, tables=first), piece(last, tables=second))
    assert broken(judge(source, wrong)) == [5]


def test_a_table_in_a_cell_may_be_open_at_the_end_of_a_piece() -> None:
    """The cell is cut inside that table, whose end tag is in a later piece."""
    header = "<table>\n<tr><th>k</th><th>v</th></tr>\n<tr><td>{}</td><td>"
    half = "one two three " * 5
    middle = f"<table><tr><td>{half}"
    first, then = header.format("key") + middle, f"{half}</td></tr></table>{middle}"
    last = f"{half}</td></tr></table></td></tr>\n</table>\n"
    end = ("glue", "</td></tr>\n</table>")
    table = {"columns": ("k", "v"), "row_end": 1, "row_count": 1, "parts": 3}
    tables = [(whole_table(**table, part=part, cell_part=part),) for part in (1, 2, 3)]
    for key, found in (("key", []), ("other", [5, 5])):
        again = ("table_header", header.format(key))
        chunks = records(
            first + then + last,
            piece(first, end, tables=tables[0]),
            piece(again, then, end, tables=tables[1]),
            piece(again, last, tables=tables[2]),
        )
        report = judge(first + then + last, chunks)
        assert broken(report) == found, report.table()


# ---------------------------------------------------------------- law 5: captions


CAPTION = "**Table 3 — Sizes of things**"
CAPTIONED = f"{CAPTION}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n"


def captioned(
    source: str, *captions: str | None, repeated: str = f"{CAPTION}\n\n", first: int = 1
) -> list[Chunk]:
    """Chunk records of a table of two rows that is cut into two pieces."""
    head, rest = source.split("| 3 | 4 |")
    tables = [
        (whole_table(row_start=row, row_end=row, row_count=2, part=row, parts=2, caption=caption),)
        for row, caption in enumerate(captions, first)
    ]
    context = [("caption", repeated)] if repeated else []
    return records(
        source,
        piece(head, tables=tables[0]),
        piece(*context, HEADER, f"| 3 | 4 |{rest}", tables=tables[1]),
    )


def test_a_caption_in_each_piece_is_right() -> None:
    said = "Table 3 — Sizes of things"
    report = judge(CAPTIONED, captioned(CAPTIONED, said, said), max_tokens=60)
    assert report.ok, report.table()


@pytest.mark.parametrize(
    ("captions", "said"),
    [
        ((None, None), "does not name the caption"),
        (("Table 4", "Table 4"), "is not in the source"),
        (("Table 3 — Sizes of things", None), "another id or caption"),
    ],
)
def test_a_wrong_caption_in_a_record_breaks_law_5(
    captions: tuple[str | None, ...], said: str
) -> None:
    report = judge(CAPTIONED, captioned(CAPTIONED, *captions), max_tokens=60)
    assert set(broken(report)) == {5}
    assert any(said in finding.reason for finding in report.findings)


def test_a_piece_without_the_words_of_the_caption_breaks_law_5() -> None:
    said = "Table 3 — Sizes of things"
    chunks = captioned(CAPTIONED, said, said, repeated="")
    found = reasons(judge(CAPTIONED, chunks, max_tokens=80), 5)
    assert len(found) == 1
    assert "its text lacks the caption" in found[0]
    # Caption and header are more than half of this cap, too much to repeat.
    assert not reasons(judge(CAPTIONED, chunks, max_tokens=42), 5)


def test_a_caption_of_no_table_breaks_law_5() -> None:
    said = "Table 3 — Sizes of things"
    chunks = captioned(CAPTIONED, said, said, repeated=f"{CAPTION}\n\nTable 7: Foreign\n\n")
    found = reasons(judge(CAPTIONED, chunks, max_tokens=80), 5)
    assert len(found) == 1
    assert "a caption of no table" in found[0]


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
def test_what_the_document_takes_for_a_caption_must_be_one(line: str, *, is_caption: bool) -> None:
    source = CAPTIONED.replace(CAPTION, line)
    report = judge(source, captioned(source, None, None, repeated=""), max_tokens=80)
    assert (5 in broken(report)) == is_caption, report.table()


@pytest.mark.parametrize(
    ("line", "is_caption"), [("Table 3: Sizes", True), ("*Sizes*", False), ("Some words.", False)]
)
def test_only_a_label_below_a_table_is_its_caption(line: str, *, is_caption: bool) -> None:
    said = line.strip("*")
    source = CAPTIONED.replace(f"{CAPTION}\n\n", "") + f"\n{line}\n"
    report = judge(source, captioned(source, said, said))
    is_believed = all("is not in the source" not in finding.reason for finding in report.findings)
    assert is_believed == is_caption


def test_a_label_between_two_tables_is_of_one_of_them() -> None:
    table = "| a | b |\n|---|---|\n| 1 | 2 |\n"
    source = f"{table}\nTable 1: Words\n\n{table}"
    named = {"row_start": 1, "row_end": 1, "row_count": 1}

    def found(first: str | None, second: str | None) -> list[int]:
        one = whole_table(id="one", caption=first, **named)
        two = whole_table(id="two", caption=second, **named)
        return broken(judge(source, records(source, piece(source, tables=(one, two)))))

    assert [found(None, "Table 1: Words"), found("Table 1: Words", None)] == [[], [5, 5]]


def test_an_attribute_line_under_a_table_is_no_row_and_names_the_caption() -> None:
    source = '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n{: #t title="Sizes"}\n'
    head = source.split("| 3", maxsplit=1)[0]
    tables = [t[0].model_copy(update={"row_count": 2}) for t in slices((1, 1), (2, 2), caption="S")]

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


# ---------------------------------------------------------------- law 5: sub-headers

BANDED = "| a | b |\n|---|---|\n| Group | |\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n| 7 | 8 |\n"


def cut_band(source: str, *context: str) -> list[str]:
    head, rest = source.split("| 3 ")
    rows = source.count("\n") - 2
    before = head.count("\n") - 2
    tables = [
        (whole_table(row_start=first, row_end=last, row_count=rows, part=part, parts=2),)
        for part, (first, last) in enumerate(((1, before), (before + 1, rows)), 1)
    ]
    repeated = [("table_header", line) for line in context]
    chunks = records(
        source,
        piece(head, tables=tables[0]),
        piece(HEADER, *repeated, f"| 3 {rest}", tables=tables[1]),
    )
    return reasons(judge(source, chunks, max_tokens=90), 5)


@pytest.mark.parametrize("group", ["| Group | |", "| **Group** | **of rows** |"])
def test_a_sub_header_is_repeated_for_its_rows(group: str) -> None:
    source = BANDED.replace("| Group | |", group)
    assert cut_band(source, f"{group}\n") == []
    found = cut_band(source)
    assert len(found) == 1
    assert "above row 3 is not repeated" in found[0]


def test_only_sub_headers_are_repeated() -> None:
    assert "has 4 rows, but should have 3" in cut_band(BANDED, "| 1 | 2 |\n")[0]


def test_where_most_rows_have_one_cell_none_is_a_sub_header() -> None:
    source = "| a | b |\n|---|---|\n| Group | |\n| 1 | |\n| 3 | |\n| 5 | 6 |\n"
    assert cut_band(source) == []


def test_a_sub_header_that_takes_half_the_cap_need_not_be_repeated() -> None:
    assert cut_band(BANDED.replace("Group", "word " * 40)) == []


def test_a_caption_takes_its_room_before_a_sub_header() -> None:
    """If both take more than half the cap, only the caption is repeated."""
    source = f"Table 1: {'word ' * 9}end\n\n{BANDED}"
    head, rest = source.split("| 3 ")
    caption = source.split("\n", maxsplit=1)[0]
    said = f"{caption}\n\n| a | b |\n|---|---|\n"
    tables = [
        (whole_table(caption=caption, row_start=a, row_end=b, row_count=5, part=part, parts=2),)
        for part, (a, b) in enumerate(((1, 2), (3, 5)), 1)
    ]
    chunks = records(
        source,
        piece(head, tables=tables[0]),
        piece(("glue", said), f"| 3 {rest}", tables=tables[1]),
    )

    def of_bands(cap: int) -> list[str]:
        found = reasons(judge(source, chunks, max_tokens=cap), 5)
        return [reason for reason in found if "sub-header" in reason]

    assert of_bands(70) == []
    assert len(of_bands(90)) == 1


# ---------------------------------------------------------------- law 5: tables in HTML

HTML_HEAD = "<div>\n<table>\n<thead><tr><th>a</th><th>b</th></tr></thead>\n"
HTML_ROWS = [f"<tr><td>{n}</td>\n\n<td>value {n}</td></tr>\n" for n in (1, 2, 3)]
HTML_END = "</table>\n</div>"
HTML = HTML_HEAD + "".join(HTML_ROWS) + HTML_END


def cut_html(
    source: str = HTML,
    header: str = HTML_HEAD,
    closing: str = HTML_END,
    **changes: Any,  # noqa: ANN401 - settings
) -> AuditReport:
    head = source.split("<tr><td>2", maxsplit=1)[0]
    first, second = slices((1, 1), (2, 3), **changes)
    chunks = records(
        source,
        piece(head, ("glue", closing), tables=first),
        piece(("table_header", header), source.removeprefix(head), tables=second),
    )
    return judge(source, chunks, max_tokens=120)


def test_a_table_in_html_is_cut_between_rows_into_whole_tables() -> None:
    assert cut_html().ok, cut_html().table()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"closing": ""}, "no table with this header"),
        ({"header": "<table>"}, "no table with this header"),
        ({"header_rows": 0}, "says 0 header rows, the table has 1"),
        ({"columns": ("a", "c")}, "but its record says"),
        ({"row_count": 4}, "but its record says"),
    ],
)
def test_a_wrong_piece_of_an_html_table_breaks_law_5(changes: dict[str, Any], said: str) -> None:
    report = cut_html(**changes)
    assert set(broken(report)) == {5}
    assert any(said in finding.reason for finding in report.findings)


def test_a_table_with_text_after_it_in_one_block_is_a_table_as_well() -> None:
    source = f"{HTML_HEAD}<tr><td>1</td><td>2</td></tr>\n{HTML_END}\nWords.\n"
    report = judge(source, records(source, piece(source)))
    assert broken(report) == [5]


def test_a_caption_element_is_the_caption() -> None:
    header = HTML_HEAD.replace("<thead>", "<caption>Sizes</caption>\n<thead>")
    source = HTML.replace(HTML_HEAD, header)
    assert cut_html(source, header, caption="Sizes").ok
    assert set(broken(cut_html(source, header))) == {5}


def quoted_rows(first: str) -> AuditReport:
    """Audit a table of three unclosed rows in a quote; the first chunk ends after ``first``."""
    rows = [f"<tr><td>{n}</td><td>value {n}</td>" for n in (1, 2, 3)]
    source = f"> <table>\n> {rows[0]}\n> {rows[1]}\n> {rows[2]}\n> </table>\n"
    head = source[: source.index(first) + len(first)]
    places = [(1, 1), (2, 3)]
    said = {"columns": (), "header_rows": 0}
    chunks = records(
        source,
        piece(head, ("glue", "</tr>\n> </table>"), tables=slices(*places, **said)[0]),
        piece(
            ("table_header", "> <table>\n"),
            source.removeprefix(head).lstrip("\n"),
            tables=slices(*places, **said)[1],
        ),
    )
    return judge(source, chunks)


def test_an_open_row_in_a_quote_ends_before_the_mark_of_the_next_line() -> None:
    report = quoted_rows("value 1</td>")
    assert 5 not in broken(report), report.table()
    cut = quoted_rows("value")
    assert any("row 1 is cut" in reason for reason in reasons(cut, 5))


def keyless(tags: str, cap: int) -> list[str]:
    """Return what law 5 finds if a cut HTML row's second part has an empty cell for its key."""
    head = "<table>\n<tr><th>k</th><th>v</th></tr>\n"
    source = f"{head}<tr><td>{tags}key</td><td>{'one two three ' * 10}</td></tr>\n</table>\n"
    place = source.index("<td>one")
    parts = [
        {"row_end": 1, "row_count": 1, "columns": ("k", "v"), "part": part, "parts": 2}
        | {"cell_part": part}
        for part in (1, 2)
    ]
    first, second = (whole_table(**part) for part in parts)
    chunks = records(
        source,
        piece(source[:place], ("glue", "</tr>\n</table>"), tables=(first,)),
        piece(
            ("table_header", head),
            ("glue", "<tr><td></td>"),
            source[place:],
            tables=(second,),
        ),
    )
    return reasons(judge(source, chunks, max_tokens=cap), 5)


def test_a_key_in_html_counts_with_the_tags_in_it() -> None:
    tags = "<i></i> " * 12
    assert keyless(tags, 120) == []
    for found in (keyless(tags, 300), keyless("", 120)):
        assert len(found) == 1
        assert 'the key "key" is not repeated' in found[0]


def test_rows_tied_by_a_rowspan_stay_together() -> None:
    rows = "".join(f"<tr><td>{n}</td><td>value</td></tr>\n" for n in (1, 2, 3))
    source = f"{HTML_HEAD}{rows}{HTML_END}"
    assert cut_html(source).ok
    tied = source.replace("<td>1", '<td rowspan="2">1')
    report = cut_html(tied)
    assert broken(report) == [9]
    assert "rows tied by a rowspan" in report.findings[0].reason


def test_columns_of_an_html_table_follow_its_spans() -> None:
    head = (
        "<table>\n<tr><th rowspan=2>k</th><th colspan=2>v</th></tr>\n"
        "<tr><th>min</th><th>max</th></tr>\n"
    )
    source = f"{head}<tr><td>1</td><td>2</td><td>3</td></tr>\n</table>"
    right = whole_table(columns=("k", "min", "max"), header_rows=2, row_end=1, row_count=1)
    assert judge(source, records(source, piece(source, tables=(right,)))).ok
    wrong = right.model_copy(update={"columns": ("min", "max")})
    assert broken(judge(source, records(source, piece(source, tables=(wrong,))))) == [5]


def test_an_open_comment_or_tag_in_html_is_no_table() -> None:
    for source in ("<table>\n<tr><td>1", "<div>\n<!-- <table><tr><td>1</td></tr></table>"):
        assert judge(source, records(source, piece(source))).ok


# ---------------------------------------------------------------- law 5: records


def test_an_entry_for_a_table_that_is_not_there_breaks_law_5() -> None:
    parts, changes = ONE
    report = judge(
        SECTIONS, records(SECTIONS, TOP, (parts, {**changes, "tables": (whole_table(),)}), TWO)
    )
    assert broken(report) == [5]
    assert "of a table that it does not hold" in report.findings[0].reason


def test_two_tables_with_one_id_break_law_5() -> None:
    source = TABLE + "\nWords.\n\n" + TABLE.removeprefix("# T\n\n")
    one, two = whole_table(), whole_table(id="u")
    assert judge(source, records(source, piece(source, breadcrumb=("T",), tables=(one, two)))).ok
    report = judge(source, records(source, piece(source, breadcrumb=("T",), tables=(one, one))))
    assert broken(report) == [5]
    assert "the id of another table" in report.findings[0].reason


# ---------------------------------------------------------------- law 6: balanced fences

CODE = "~~~~python title=x\na = 1\n\nif a:\n    b = 2\n~~~~\n"
OPEN, CLOSE = ("fence", "~~~~python title=x\n"), ("fence", "\n~~~~")


def cut_code(opening: Part, closing: Part) -> list[Chunk]:
    return records(
        CODE,
        piece("~~~~python title=x\na = 1", closing),
        piece(opening, "if a:\n    b = 2\n~~~~\n"),
    )


def test_a_cut_fence_that_is_opened_and_closed_again_is_right() -> None:
    report = judge(CODE, cut_code(OPEN, CLOSE))
    assert report.ok, report.table()


@pytest.mark.parametrize(
    ("opening", "closing", "said"),
    [
        (OPEN, ("glue", ""), "not closed"),
        (("fence", "~~~python title=x\n"), CLOSE, "its fence is"),
        (("fence", "~~~~python\n"), CLOSE, "its info string"),
        (("fence", "```python title=x\n"), CLOSE, "no such block"),
        (("glue", ""), CLOSE, "no such block"),
    ],
)
def test_a_wrong_fence_breaks_law_6(opening: Part, closing: Part, said: str) -> None:
    report = judge(CODE, cut_code(opening, closing))
    assert broken(report) == [6]
    assert said in report.findings[0].reason


def test_a_chunk_with_only_a_fence_breaks_law_6() -> None:
    chunks = records(
        CODE,
        piece("~~~~python title=x\na = 1\n\nif a:\n    b = 2", CLOSE),
        piece(OPEN, "~~~~\n"),
    )
    report = judge(CODE, chunks)
    assert broken(report) == [6]
    assert "only a fence" in report.findings[0].reason


def test_code_lines_that_are_not_those_of_the_source_break_law_6() -> None:
    chunks = records(
        CODE,
        piece("~~~~python title=x\na = 1", ("glue", "\nc = 3"), CLOSE),
        piece(OPEN, "if a:\n    b = 2\n~~~~\n"),
    )
    assert broken(judge(CODE, chunks)) == [6]


def test_an_unclosed_fence_may_stay_open_in_its_last_piece() -> None:
    source = "```\na\nb\n"
    assert judge(
        source,
        records(source, piece("```\na", ("fence", "\n```")), piece(("fence", "```\n"), "b\n")),
    ).ok
    wrong = records(source, piece("```\na"), piece(("fence", "```\n"), "b\n"))
    assert broken(judge(source, wrong)) == [6]


@pytest.mark.parametrize(("cap", "laws"), [(40, []), (60, [6, 6])])
def test_a_closing_fence_above_the_cap_is_cut(cap: int, laws: list[int]) -> None:
    first, last = "```\none two three\n", "`" * 40
    chunks = records(
        first + last,
        piece(first, ("fence", "```")),
        *(piece(("fence", "```\n"), last[:20], *closing) for closing in ([("fence", "\n```")], [])),
    )
    report = judge(first + last, chunks, max_tokens=cap)
    assert [law for law in broken(report) if law == 6] == laws


@pytest.mark.parametrize("end", ["$$\n", "$$ (1)\n"])
def test_display_math_is_opened_and_closed_again(end: str) -> None:
    source = f"$$\na + b\n= c\n{end}"
    right = records(
        source, piece("$$\na + b", ("fence", "\n$$")), piece(("fence", "$$\n"), f"= c\n{end}")
    )
    assert judge(source, right).ok
    wrong = records(source, piece("$$\na + b"), piece(f"= c\n{end}"))
    assert set(broken(judge(source, wrong))) == {6}


def test_indented_code_keeps_its_indentation() -> None:
    source = "Text.\n\n    a = 1\n    b = 2\n"
    right = records(source, piece("Text.\n\n    a = 1\n"), piece("    b = 2\n"))
    assert judge(source, right).ok
    wrong = records(source, piece("Text.\n\n    a = 1\n"), piece("b = 2\n"))
    assert broken(judge(source, wrong)) == [6]


@pytest.mark.parametrize(
    ("head", "line"),
    [("Text that goes on\n", "7. with a number."), ("| a | b |\n|---|---|\n", "[^n]: A row.")],
)
def test_indented_code_is_not_judged_after_text_that_reads_as_another_block(
    head: str, line: str
) -> None:
    """The rest parses as a list item or a footnote that includes the code."""
    rest = f"{line}\n\n    a = 1\n    b = 2\n"
    source = head + rest
    chunks = records(source, piece(head), piece(rest))
    assert 6 not in broken(judge(source, chunks))
    wrong = records(source, piece(head + rest.removesuffix("    b = 2\n")), piece("b = 2\n"))
    assert 6 in broken(judge(source, wrong))


def test_a_fence_in_a_list_is_judged_like_any_other() -> None:
    source = "- item\n\n  ```py\n  a\n  b\n  ```\n"
    right = records(
        source,
        piece("- item\n\n  ```py\n  a", ("fence", "\n  ```")),
        piece(("fence", "  ```py\n"), "  b\n  ```\n"),
    )
    assert judge(source, right).ok, judge(source, right).table()
    wrong = records(source, piece("- item\n\n  ```py\n  a"), piece("  b\n  ```\n"))
    assert set(broken(judge(source, wrong))) == {6}


# ---------------------------------------------------------------- law 7: path


def test_a_missing_ancestor_breaks_law_7() -> None:
    parts, _ = ONE
    report = judge(SECTIONS, records(SECTIONS, TOP, (parts, {"breadcrumb": ("One",)}), TWO))
    assert broken(report) == [7]
    assert '"Top"' in report.findings[0].reason


def test_an_ancestor_may_stand_in_the_text() -> None:
    chunks = records(SECTIONS, piece(SECTIONS))
    assert judge(SECTIONS, chunks).ok


def test_a_heading_that_heads_not_all_of_the_chunk_breaks_law_7() -> None:
    parts = ("## One\n\nFirst text.\n\n## Two\n\nSecond text.\n",)
    chunks = records(SECTIONS, TOP, (parts, {"breadcrumb": ("Top", "One")}))
    report = judge(SECTIONS, chunks)
    assert broken(report) == [7]
    assert '"One" does not head all' in report.findings[0].reason


@pytest.mark.parametrize(
    ("before", "after"),
    [("    ", ""), ("```\n\n", "\n```"), ("$$\n\n", "\n$$"), ("<!--\n\n", "\n-->")],
    ids=["indented code", "fence", "math", "comment"],
)
def test_a_clause_goes_on_after_a_next_number_that_is_no_text(before: str, after: str) -> None:
    def found(line: str) -> list[str]:
        rest = "More text.\n\n4.3. Aims\n\nThe last text.\n"
        source = f"4.1. Rights\n\nThe first text.\n\n{line}\n\n{rest}"
        more, last = source.index("More"), source.index("4.3.")
        goes_on = piece(source[more:last], breadcrumb=("4.1 Rights",))
        chunks = records(source, piece(source[:more]), goes_on, piece(source[last:]))
        return reasons(judge(source, chunks), 7)

    assert found(f"{before}4.2. Duties{after}") == []
    assert len(found("4.2. Duties")) == 1


@pytest.mark.parametrize(("begin", "name"), [("The first", "4.1"), ("4.1.", "4.1 Rights")])
def test_a_clause_that_is_read_wrongly_is_found_by_its_numbers(
    monkeypatch: pytest.MonkeyPatch, begin: str, name: str
) -> None:
    """The packer reads clauses with the same code, so the audit checks the numbers in the text."""
    source = "4.1. Rights\n\nThe first text.\n\n4.2. Duties\n\nMore text.\n\n4.3. Aims\n\nEnd.\n"
    more, last = source.index("More"), source.index("4.3.")

    def wrong(text: str, root: Section) -> Clauses:
        first, *others = find_clauses(text, root)
        return Clauses([replace(first, start=text.index(begin), end=last), *others])

    def found() -> list[str]:
        goes_on = piece(source[more:last], breadcrumb=(name,))
        chunks = records(source, piece(source[:more]), goes_on, piece(source[last:]))
        return reasons(judge(source, chunks), 7)

    monkeypatch.setattr(parsed_source, "find_clauses", wrong)
    assert found() == [f'breadcrumb entry "{name}" does not head all of the chunk']
    monkeypatch.setattr(clauses, "_next_number", lambda *_: None)
    monkeypatch.setattr(clauses, "_is_said", lambda *_: True)
    assert found() == []


@pytest.mark.parametrize(("lists", "goes_on"), [({}, 0), ({"1.": [40]}, 1), ({"1.": [80]}, 0)])
def test_the_next_number_may_be_that_of_a_point_if_a_list_begins_anew_before_it(
    lists: dict[str, list[int]], goes_on: int
) -> None:
    clause = SimpleNamespace(start=0, path=("3",), title="Rights")
    source: Any = SimpleNamespace(
        text=f"3. Rights{' ' * 90}",
        clauses_by_name={"3 Rights": [clause]},
        sections_between=lambda *_: [],
        labels={"3.": [0], "4.": [60]},
        list_labels=lists,
    )
    below: Any = SimpleNamespace(start=70, end=90)
    assert len([*clauses.clauses_named(source, "3 Rights", below)]) == goes_on


def test_the_document_name_may_begin_the_breadcrumb() -> None:
    chunks = records(SECTIONS, piece(SECTIONS, document="a.md", breadcrumb=("a.md", "Top")))
    assert judge(SECTIONS, chunks).ok


def test_sections_of_the_same_name_are_different_sections() -> None:
    source = "# A\n\none\n\n# A\n\ntwo\n"
    right = records(
        source, piece("# A\n\none\n\n", breadcrumb=("A",)), piece("# A\n\ntwo\n", breadcrumb=("A",))
    )
    assert judge(source, right).ok
    wrong = records(source, piece("# A\n\n", "one\n\n# A\n\ntwo\n", breadcrumb=("A",)))
    assert broken(judge(source, wrong)) == [7]


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("# A *b* `c`", "A b c"),
        ("A b\n===", "A b"),
        ("<h1 id='x'>A &amp; b</h1>", "A & b"),
        ("# ![A picture](p.png)", "A picture"),
        ("# [A link][x]", "A link"),
        ("# The $x_1$ and $[y](z)$", "The x_1 and [y](z)"),
        ("# Note[^1] {#anchor}", "Note"),
    ],
)
def test_all_kinds_of_headings_are_read(heading: str, title: str) -> None:
    source = f"{heading}\n\none\n\ntwo\n\n[x]: y\n"
    parts = (f"{heading}\n\none\n\n", "two\n\n[x]: y\n")
    embed = f"{title}\n\n{parts[1]}"
    right = records(
        source,
        piece(parts[0], breadcrumb=(title,), embed_text=parts[0]),
        piece(parts[1], breadcrumb=(title,), embed_text=embed),
    )
    assert judge(source, right).ok, judge(source, right).table()
    wrong = records(source, piece(parts[0]), piece(parts[1]))
    assert broken(judge(source, wrong)) == [7]


@pytest.mark.parametrize(("title", "laws"), [("1 https://a.b", []), ("1", [7])])
def test_a_title_in_html_is_read_as_markdown(title: str, laws: list[int]) -> None:
    source = "<h4>1 <https://a.b></h4>\n\nText.\n"
    chunks = records(source, piece(source, breadcrumb=(title,), embed_text=source))
    assert [law for law in broken(judge(source, chunks)) if law == 7] == laws


@pytest.mark.parametrize("indent", range(4))
def test_a_heading_after_a_byte_order_mark_may_be_indented(indent: int) -> None:
    source = f"\ufeff{' ' * indent}# A\n\nText.\n"
    chunks = records(source, piece("# A\n\nText.\n", breadcrumb=("A",)))
    assert judge(source, chunks).ok, judge(source, chunks).table()


def test_a_byte_order_mark_is_no_part_of_the_first_line() -> None:
    source = "\ufeffDo this:\n\n- one\n- two\n"
    chunks = records(
        source, piece("Do this:\n\n- one\n"), piece(("heading", "Do this:\n\n", 1), "- two\n")
    )
    assert judge(source, chunks).ok, judge(source, chunks).table()


@pytest.mark.parametrize(
    "block", ["> # no\n", "- # no\n", "```\n# no\n```\n", "<!--\n# no\n-->\n", "$$\n# no\n$$\n"]
)
def test_headings_inside_other_blocks_are_none(block: str) -> None:
    source = f"{block}\ntext\n"
    assert judge(source, records(source, piece(f"{block}\n"), piece("text\n"))).ok


# ---------------------------------------------------------------- law 7: changed levels


FLAT = "# Page 1\n\n## 5 Tests\n\nText.\n\n## 5.1 Limits\n\nMore.\n"
FLAT_PIECES = (
    piece("# Page 1\n\n"),
    piece("## 5 Tests\n\nText.\n\n", breadcrumb=("5 Tests",)),
    piece("## 5.1 Limits\n\nMore.\n", breadcrumb=("5 Tests", "5.1 Limits")),
)
HEAD = OutlineChange(1, "Page 1", 1, None, "running header")
DEEPER = OutlineChange(7, "5.1 Limits", 2, 3, "5.1 belongs below 5")


def test_changed_levels_are_judged_as_changed() -> None:
    chunks = records(FLAT, *FLAT_PIECES)
    assert judge(FLAT, chunks, outline_changes=(HEAD, DEEPER)).ok
    assert set(broken(judge(FLAT, chunks))) == {7, 8}
    assert set(broken(judge(FLAT, chunks, outline_changes=(HEAD,)))) == {7}
    assert set(broken(judge(FLAT, chunks, outline_changes=(DEEPER,)))) == {7, 8}


def test_a_paragraph_that_looks_like_a_heading_is_no_ancestor_and_no_orphan() -> None:
    text = "# Page 1\n\nText.\n"
    chunks = records(text, piece("# Page 1\n\n"), piece("Text.\n"))
    assert judge(text, chunks, outline_changes=[HEAD]).ok
    named = records(text, piece("# Page 1\n\n"), piece("Text.\n", breadcrumb=("Page 1",)))
    assert broken(judge(text, named, outline_changes=[HEAD])) == [7]


def test_levels_may_be_changed_to_more_than_six() -> None:
    text = "###### A\n\nText.\n\n###### B\n\nMore.\n"
    chunks = records(
        text,
        piece("###### A\n\nText.\n\n", breadcrumb=("A",)),
        piece("###### B\n\nMore.\n", breadcrumb=("A", "B")),
    )
    assert judge(text, chunks, outline_changes=[OutlineChange(5, "B", 6, 7, "deeper")]).ok
    assert 7 in broken(judge(text, chunks))


def test_changes_travel_in_the_first_record() -> None:
    first, *rest = records(FLAT, *FLAT_PIECES)
    carrying = first.model_copy(update={"outline_changes": (HEAD, DEEPER)})
    report = judge(FLAT, [carrying, *rest], max_tokens=10)
    assert report.ok, report.table()
    assert not judge(FLAT, [carrying, *rest], max_tokens=10, outline_changes=()).ok


def test_texts_of_other_tools_are_judged_by_given_changes() -> None:
    texts = ["# Page 1\n\n", "## 5 Tests\n\nText.\n\n## 5.1 Limits\n\nMore.\n"]
    assert judge(FLAT, texts, outline_changes=[HEAD]).ok
    assert set(broken(judge(FLAT, texts))) == {7, 8}


def test_the_report_says_that_levels_were_taken_on_trust() -> None:
    chunks = records(FLAT, *FLAT_PIECES)
    report = judge(FLAT, chunks, outline_changes=(HEAD, DEEPER))
    assert report.laws[6].unchecked == {"not checked: whether changed heading levels are right": 1}
    assert judge(FLAT, chunks).laws[6].unchecked == {}


@pytest.mark.parametrize(
    ("change", "line", "said"),
    [
        (OutlineChange(8, "5.1 Limits", 2, 3, "x"), 8, "names no heading of that line"),
        (OutlineChange(5, "Text.", 2, 3, "x"), 5, "names no heading of that line"),
        (OutlineChange(99, "5.1 Limits", 2, 3, "x"), None, "of line 99"),
        (OutlineChange(0, "5.1 Limits", 2, 3, "x"), None, "of line 0"),
        (OutlineChange(7, "5.2 Limits", 2, 3, "x"), 7, 'another heading than "5.1 Limits"'),
        (OutlineChange(7, "", 2, None, "x"), 7, 'another heading than "5.1 Limits"'),
        (OutlineChange(7, "5.1 Limits", 1, 3, "x"), 7, "was 1, but it is 2"),
        (OutlineChange(7, "5.1 Limits", 2, 0, "x"), 7, "gives it the level 0"),
        (OutlineChange(7, "5.1 Limits", 2, 3, " "), 7, "has no reason"),
    ],
)
def test_a_change_of_what_is_no_such_heading_breaks_law_7_and_is_not_applied(
    change: OutlineChange, line: int | None, said: str
) -> None:
    text_pieces = (FLAT_PIECES[0], FLAT_PIECES[1], piece("## 5.1 Limits\n\nMore.\n"))
    report = judge(FLAT, records(FLAT, *text_pieces), outline_changes=[HEAD, change])
    assert broken(report) == [7]
    assert report.findings[0].line == line
    assert said in report.findings[0].reason


@pytest.mark.parametrize("blank", ["\u0085", "\u00a0", "\u2028"])
def test_an_empty_heading_is_changed_on_its_own_line(blank: str) -> None:
    """For markdown, only spaces and tabs make a blank line; Python's ``strip`` removes more."""
    source = f"text\n\n{blank}\n---\n\nmore\n"
    chunks = records(source, piece(source))

    def found(line: int) -> list[int]:
        change = OutlineChange(line, "", 2, None, "empty heading")
        return broken(judge(source, chunks, outline_changes=[change]))

    assert found(3) == []
    assert 7 in found(4)


def test_a_heading_changes_once() -> None:
    twice = [HEAD, DEEPER, OutlineChange(7, "5.1 Limits", 3, 4, "again")]
    report = judge(FLAT, records(FLAT, *FLAT_PIECES), max_tokens=10, outline_changes=twice)
    assert reasons(report, 7) == [
        'the outline change of "5.1 Limits" names no heading of that line'
    ]


@pytest.mark.parametrize(
    "heading", ["Contents ... 3\n===", "<h1>Contents ... 3</h1>", "# Contents ... 3"]
)
def test_a_heading_in_any_spelling_can_be_changed(heading: str) -> None:
    text = f"{heading}\n\n## A\n\nText.\n"
    chunks = records(text, piece(f"{heading}\n\n"), piece("## A\n\nText.\n", breadcrumb=("A",)))
    change = OutlineChange(1, "Contents ... 3", 1, None, "entry of a table of contents")
    assert judge(text, chunks, outline_changes=[change]).ok
    assert not judge(text, chunks).ok


# ---------------------------------------------------------------- law 8: no orphans


def test_a_heading_parted_from_its_text_breaks_law_8() -> None:
    source = "# A\n\ntext\n"
    chunks = records(
        source, piece("# A\n\n", breadcrumb=("A",)), piece("text\n", breadcrumb=("A",))
    )
    assert broken(judge(source, chunks)) == [8]


def test_a_chain_of_headings_must_reach_text() -> None:
    source = "# A\n\n## B\n\n## C\n\ntext\n"
    wrong = records(
        source,
        piece("# A\n\n## B\n\n", breadcrumb=("A",)),
        piece("## C\n\ntext\n", breadcrumb=("A", "C")),
    )
    assert broken(judge(source, wrong)) == [8]


def test_a_heading_alone_is_right_when_its_section_has_nothing_else() -> None:
    source = "# A\n\n# B\n\ntext\n"
    right = records(
        source, piece("# A\n\n", breadcrumb=("A",)), piece("# B\n\ntext\n", breadcrumb=("B",))
    )
    assert judge(source, right).ok


def test_more_headings_than_fit_a_chunk_may_be_parted() -> None:
    titles = [f"## Title {number}\n\n" for number in range(40)]
    source = "# A\n\n" + "".join(titles) + "text\n"
    bodies = ["# A\n\n" + "".join(titles[:20]), "".join(titles[20:]) + "text\n"]
    chunks = records(source, *(piece(body, breadcrumb=("A",)) for body in bodies))
    assert judge(source, chunks, max_tokens=100).ok
    assert broken(judge(source, chunks, max_tokens=400)) == [8, 9]


def test_headings_without_text_may_be_parted_only_where_they_fit_no_chunk() -> None:
    anchors = '<a name="anchor"></a>' * 4  # no words of the title, but 48 tokens
    titles = [f"# A{anchors}\n\n", "## B\n\n", "### C\n\n", "# D\n\ntext\n"]
    source = "".join(titles)
    chunks = records(
        source,
        piece("".join(titles[:2]), breadcrumb=("A",)),
        piece(titles[2], breadcrumb=("A", "B")),
        piece(titles[3]),
    )
    assert reasons(judge(source, chunks, max_tokens=60), 8) == []
    assert len(reasons(judge(source, chunks, max_tokens=120), 8)) == 1


def test_a_heading_above_a_table_that_shares_its_block_of_html_needs_its_first_row() -> None:
    """As with any table, its first row must follow, even if the block has text after the table."""
    row = "<tr><td>" + "word " * 12 + "</td></tr>"
    source = f"# A b c d e f g h\n\n<table>\n{row}\n</table>\nText after it.\n"
    head, body = source.split("<table>")
    chunks = records(
        source,
        piece(head, breadcrumb=("A b c d e f g h",)),
        piece(f"<table>{body}", breadcrumb=("A b c d e f g h",)),
    )
    assert reasons(judge(source, chunks, max_tokens=40), 8) == []
    assert len(reasons(judge(source, chunks, max_tokens=90), 8)) == 1


# ---------------------------------------------------------------- law 9: clean cuts


def cut(source: str, *bodies: str, max_tokens: int | None = 20, **settings: Any) -> AuditReport:  # noqa: ANN401 - settings
    return judge(source, records(source, *map(piece, bodies)), max_tokens=max_tokens, **settings)


FILLER = "Filler " * 12 + "end.\n\n"


def test_a_section_that_fits_is_not_cut() -> None:
    source = FILLER + "# A\n\none\n\ntwo\n"
    report = judge(
        source,
        records(source, piece(FILLER + "# A\n\none\n\n"), piece("two\n", breadcrumb=("A",))),
        max_tokens=20,
    )
    assert broken(report) == [9]
    assert "a section of 4 tokens that fits is cut" in report.findings[0].reason


def test_a_section_that_does_not_fit_with_its_breadcrumb_may_be_cut() -> None:
    source = FILLER + "# A\n\n" + "one " * 8 + "\n\n" + "two " * 8 + "\n"
    first, last = source.split("two", 1)
    chunks = records(
        source,
        piece(FILLER),
        piece(first.removeprefix(FILLER), breadcrumb=("A",)),
        piece("two" + last, breadcrumb=("A",)),
    )
    assert judge(source, chunks, max_tokens=20).ok


def test_one_chunk_for_each_section_may_be_asked_for() -> None:
    chunks = records(SECTIONS, TOP, ONE, TWO)
    assert broken(judge(SECTIONS, chunks, max_tokens=100)) == [9, 9]
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
def test_what_fits_is_not_cut(first: str, last: str, kind: str) -> None:
    source = FILLER + first + last
    found = [x.reason for x in cut(source, FILLER + first, last).findings if x.law == 9]
    assert len(found) == 1
    assert found[0].startswith(f"a {kind} of ")


def cut_line(source: str, max_tokens: int) -> list[str]:
    first, last = source.split("|")
    pieces = piece(first, ("fence", "\n```")), piece(("fence", "```\n"), last)
    chunks = records(first + last, *pieces)
    report = judge(first + last, chunks, max_tokens=max_tokens)
    return [finding.reason[:6] for finding in report.findings if finding.law == 9]


@pytest.mark.parametrize("blank", ["", "\n", "\n\n"])
def test_a_heading_before_a_fence_takes_its_room_from_the_first_line_of_code(blank: str) -> None:
    heading, line = f"# {'x ' * 9}\n\n", "one two |three four five six seven eight\n"
    code = f"```\n{blank}{{}}```\n"
    assert cut_line(FILLER + heading + code.format(line), 28) == []
    assert cut_line(FILLER + heading + code.format("a\n" + line), 28) == ["a line"]


@pytest.mark.parametrize(("marks", "found"), [(3, ["a line"]), (12, [])])
def test_a_closing_fence_takes_its_room_from_the_last_line(marks: int, found: list[str]) -> None:
    line = "one two |three four five six seven eight\n"
    source = f"{FILLER}```\n{'y ' * 10}\n{line}{'`' * marks}\n"
    assert cut_line(source, 24) == found


@pytest.mark.parametrize(("bar", "found"), [("| ", []), ("", ["a sentence"])])
def test_no_sentence_surely_begins_with_a_bar(bar: str, found: list[str]) -> None:
    first, last = f"{'汉' * 30}。 {bar}one two ", f"three four。{'汉' * 30}\n"
    report = cut(first + last, first, last)
    assert [reason[:10] for reason in reasons(report, 9)] == found


@pytest.mark.parametrize(
    ("between", "laws"),
    [("\n\n", []), ("\r\n\r\n", []), ("\n>\n> ", []), ("\n", [9]), ("\r\n", [9])],
)
def test_a_blank_line_ends_a_sentence_in_a_comment(between: str, laws: list[int]) -> None:
    """An HTML comment continues after a blank line, but a sentence in it does not."""
    mark = "> " if ">" in between else ""
    first, last = f"{mark}<!-- {'x ' * 30}ending. Here begins", "a short one.\n"
    found = broken(cut(first + between + last, first, last, max_tokens=24))
    assert [law for law in found if law == 9] == laws


@pytest.mark.parametrize(("mark", "is_sure"), [("", True), ("| ", False)])
def test_a_chinese_stop_surely_ends_a_sentence_only_before_a_letter(
    mark: str,
    *,
    is_sure: bool,
) -> None:
    """Before a punctuation mark the sentence may continue."""
    first, last = f"{'检测 ' * 12}方法。 {mark}T1 ", f"A1 合格。 {'符合 ' * 12}要求。"
    found = cut(first + last, first, last, max_tokens=20).findings
    assert any("a sentence of 5 tokens" in x.reason for x in found) == is_sure
    assert any(x.law == 9 for x in found) == is_sure


@pytest.mark.parametrize(("stop", "found"), [("。", []), ("", ["a word"])])
def test_marks_of_emphasis_after_a_stop_are_no_part_of_a_word(stop: str, found: list[str]) -> None:
    first, last = f"{'word ' * 40}__Data{stop}__", f"collected {'word ' * 40}\n"
    report = cut(first + last, first, last, max_tokens=20)
    assert [reason[:6] for reason in reasons(report, 9)] == found


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("It ends at a table. ", "Then it begins again.", []),
        ("It ends at ", "a table. Then it begins again.", ["a sentence"]),
    ],
)
def test_a_tag_above_the_cap_may_be_cut_between_the_sentences_in_it(
    before: str, after: str, found: list[str]
) -> None:
    first, last = f'<img alt="{"One two three words. " * 12}{before}', f'{after}" />\n'
    report = cut(first + last, first, last, max_tokens=40)
    assert [reason[:10] for reason in reasons(report, 9)] == found


@pytest.mark.parametrize("opening", ["!!! warning", '??? tip "T"'])
def test_the_first_block_of_an_admonition_goes_with_the_heading_above(opening: str) -> None:
    """The opening line is not its own block. If the heading fits too, the cut is a finding."""
    item = f"    - {'x ' * 12}\n"
    first = f"<h1>A A A</h1>\n\n{opening}\n{item}"
    source = FILLER + first + item
    chunks = records(source, *map(piece, (FILLER, first, item)))
    found = [reasons(judge(source, chunks, max_tokens=cap), 9) for cap in (42, 55)]
    assert found[0] == []
    assert len(found[1]) == 1


def test_a_row_that_fits_is_not_cut() -> None:
    report = cut(
        TABLE, "# T\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 ", "| 4 |\n| 5 | 6 |\n", max_tokens=30
    )
    assert any(x.reason.startswith("a row of ") for x in report.findings if x.law == 9)


@pytest.mark.parametrize(("cap", "found"), [(36, 0), (44, 1)])
def test_the_header_counts_once_with_the_first_row(cap: int, found: int) -> None:
    head, row = f"| {'name ' * 12}| b |\n|---|---|\n", "| one two three four | 2 |\n"
    source = head + row * 9
    at = source.index(" three")
    report = cut(source, source[:at], source[at:], max_tokens=cap)
    assert len([each for each in reasons(report, 9) if each.startswith("a row of ")]) == found


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
def test_what_does_not_fit_may_be_cut(first: str, last: str) -> None:
    assert 9 not in broken(cut(first + last, first, last))


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
def test_a_grapheme_cluster_is_never_cut(first: str, last: str) -> None:
    report = cut(first + last, first, last, max_tokens=None)
    assert broken(report) == [9]
    assert "grapheme cluster" in report.findings[0].reason


def test_a_cut_between_flags_is_clean() -> None:
    assert cut("🇩🇪🇫🇷", "🇩🇪", "🇫🇷", max_tokens=None).ok


LEAD_IN = "The device with all of its parts shall:\n\n"
ITEMS = ["- have one long item of words\n", "- have another item of words\n"]


def test_a_list_may_be_cut_where_it_fits_only_without_its_lead_in() -> None:
    source = FILLER + LEAD_IN + "".join(ITEMS)
    assert 9 not in broken(cut(source, FILLER, LEAD_IN + ITEMS[0], ITEMS[1], max_tokens=22))
    assert 9 in broken(cut(source, FILLER, LEAD_IN + ITEMS[0], ITEMS[1], max_tokens=29))
    plain = source.replace("shall:", "shall.")
    lead = LEAD_IN.replace("shall:", "shall.")
    assert 9 in broken(cut(plain, FILLER, lead + ITEMS[0], ITEMS[1], max_tokens=22))


def test_a_line_may_be_cut_where_it_fits_only_without_its_lead_in() -> None:
    """This holds below a later item of a list, too."""
    line = "word " * 29 + "end"
    source = f"1. One.\n2. Set these words:\n   - {line}\n"
    head = source[: source.index(line) + 60]
    chunks = records(source, piece(head), piece(("glue", "2. - "), source.removeprefix(head)))
    assert 9 not in broken(judge(source, chunks, max_tokens=40))
    assert 9 in broken(judge(source, chunks, max_tokens=50))


def test_a_lead_in_that_takes_half_the_cap_goes_with_nothing() -> None:
    lead = "word " * 30 + "shall:\n\n"
    source = FILLER + lead + "".join(ITEMS)
    assert 9 in broken(cut(source, FILLER, lead + ITEMS[0], ITEMS[1], max_tokens=40))


def test_marks_of_containers_count_as_they_are() -> None:
    item = "- " * 3 + "one two three four five six seven eight nine ten eleven\n\n"
    source = item + "      last words\n"
    assert 9 in broken(cut(source, item, "      last words\n", max_tokens=24))


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


@pytest.mark.parametrize("repeated", ["One", "First text.", "## One"])
def test_a_heading_that_is_not_above_is_not_repeated(repeated: str) -> None:
    heading: Part = ("heading", repeated, SECTIONS.index(repeated))
    parts, changes = TWO
    last = piece(heading, ("glue", "\n\n"), *parts, **changes)
    chunks = records(SECTIONS, TOP, ONE, last)
    assert 7 in broken(judge(SECTIONS, chunks))


# ---------------------------------------------------------------- definitions


NOTED = "Text with a note[^n] and [a link][ref].\n\nMore.\n\n[^n]: A note.\n\n[ref]: http://a.b\n"


def noted(*parts: Part, **changes: Any) -> AuditReport:  # noqa: ANN401 - fields of the record
    first, rest = NOTED.split("More")
    return judge(NOTED, records(NOTED, piece(first, *parts, **changes), piece(f"More{rest}")))


def definition(text: str, *, moved: int = 0) -> Part:
    return "definition", text, NOTED.index(text) + moved


def test_definitions_after_the_body_are_right() -> None:
    glue = ("glue", "\n\n")
    report = noted(definition("[^n]: A note."), glue, definition("[ref]: http://a.b"))
    assert report.ok, report.table()


@pytest.mark.parametrize(
    ("part", "law"),
    [
        (("definition", "More.", NOTED.index("More.")), 1),
        (("definition", "[^n]: A note."), 1),
        (("definition", "A note.", NOTED.index("A note.")), 1),
        (("definition", "[^n]: A n0te.", NOTED.index("[^n]: A note.")), 2),
    ],
)
def test_a_wrong_definition_is_found(part: Part, law: int) -> None:
    assert broken(noted(part)) == [law]


def test_a_definition_must_be_used_and_stand_after() -> None:
    first, after = NOTED.split("More")
    source = NOTED.replace("[^n] and", " and")
    shift = len("[^n]")
    one, rest = source.split("More")
    attached = definition("[^n]: A note.", moved=-shift)
    report = judge(source, records(source, piece(one, attached), piece(f"More{rest}")))
    assert broken(report) == [1]
    before = piece(definition("[^n]: A note."), ("glue", "\n\n"), first)
    assert broken(judge(NOTED, records(NOTED, before, piece(f"More{after}")))) == [1]


@pytest.mark.parametrize(
    ("meaning", "use", "laws"),
    [
        ('"Goods" means wares.', "The Goods are sold.", []),
        ("**Goods**: what is sold.", "Many Goods are sold.", []),
        ('"Good" means right.', "The Goods are sold.", []),  # the plural
        ('"Goods" means wares.', "The goods are sold.", [1]),
        ('"Goods" means wares.', "Goodsheds are sold.", [1]),
        ("Goods are wares.", "The Goods are sold.", [1]),
    ],
)
def test_an_attached_term_is_used(meaning: str, use: str, laws: list[int]) -> None:
    head = "# Definitions\n\n"
    source = f"{head}{meaning}\n\n{use}\n"
    attached = (("glue", "\n"), ("definition", meaning, len(head)))
    held = piece(f"{use}\n", *attached, breadcrumb=("Definitions",))
    chunks = records(source, piece(f"{head}{meaning}\n\n"), held)
    assert broken(judge(source, chunks)) == laws


def test_no_body_is_cut_for_definitions() -> None:
    source = FILLER + "One two. Three four[^n].\n\n" + "[^n]: " + "word " * 12 + "\n"
    note = source[source.index("[^n]: ") :].strip()
    chunks = records(
        source,
        piece(FILLER + "One two. "),
        piece("Three four[^n].\n\n", ("definition", note, source.index(note))),
        piece(note),
    )
    assert 9 in broken(judge(source, chunks, max_tokens=26))


# ---------------------------------------------------------------- levels


def leveled(**changes: Any) -> list[Chunk]:  # noqa: ANN401 - fields of the last child
    head = SECTIONS.split("## Two", maxsplit=1)[0]
    parents = records(SECTIONS, piece(head, breadcrumb=("Top",)), TWO)
    children = records(SECTIONS, TOP, ONE, TWO)
    ids = ["p0", "p1"]
    whole = [
        parent.model_copy(update={"id": name, "index": place})
        for place, (parent, name) in enumerate(zip(parents, ids, strict=True))
    ]
    below = [
        child.model_copy(
            update={"id": f"c{n}", "index": n + 2, "level": 1, "parent_id": ids[n // 2]}
        )
        for n, child in enumerate(children)
    ]
    below[-1] = below[-1].model_copy(update=changes)
    return [*whole, *below]


def test_each_level_is_judged_by_itself() -> None:
    report = judge(SECTIONS, leveled(), levels=(18, 12))
    assert report.ok, report.table()
    assert report.chunks == 5
    assert broken(judge(SECTIONS, leveled(), levels=(18, 5)))[0] == 3
    assert broken(judge(SECTIONS, leveled(), levels=(5, 12)))[0] == 3
    assert judge(SECTIONS, leveled()).ok


def test_levels_may_be_numbered_each_by_itself() -> None:
    chunks = [
        chunk.model_copy(update={"index": chunk.index - 2 * chunk.level}) for chunk in leveled()
    ]
    assert judge(SECTIONS, chunks).ok
    assert broken(judge(SECTIONS, [*chunks[:-1], leveled()[-1]])) != []


@pytest.mark.parametrize(
    ("changes", "law", "said"),
    [
        ({"parent_id": "p0"}, 1, "does not lie in that of its parent"),
        ({"parent_id": "c0"}, 4, "no chunk of the level above"),
        ({"parent_id": None}, 4, "no chunk of the level above"),
        ({"id": "c1"}, 4, "that of another chunk"),
        ({"id": "p1"}, 4, "that of another chunk"),
    ],
)
def test_a_wrong_child_is_found(changes: dict[str, Any], law: int, said: str) -> None:
    report = judge(SECTIONS, leveled(**changes), levels=(18, 12))
    assert broken(report) == [law]
    assert said in report.findings[0].reason


def test_a_level_that_there_is_not_is_found() -> None:
    assert 4 in broken(judge(SECTIONS, leveled(), levels=(18,)))
    lost = leveled()[:-1]
    assert broken(judge(SECTIONS, lost, levels=(18, 12))) == [1]


def test_a_parent_of_the_first_level_is_found() -> None:
    chunks = records(SECTIONS, TOP, ONE, piece(*TWO[0], **TWO[1], parent_id="0"))
    assert broken(judge(SECTIONS, chunks)) == [4]


# ---------------------------------------------------------------- limits of exceptions


@pytest.mark.parametrize("after", ["> 1. 2. 3.", "> 1234", "> ***"])
def test_a_kept_table_shares_its_quote_with_nothing(after: str) -> None:
    table = "".join(f"> {line}\n" for line in TABLE.splitlines()[2:])
    source = f"{table}>\n{after}\n"
    chunks = records(source, piece(source, oversize=True, tables=(whole_table(),)))
    assert broken(judge(source, chunks, max_tokens=24, keep_tables=True)) == [3]


def test_a_kept_table_has_its_caption_with_it() -> None:
    table = whole_table(row_end=2, row_count=2, caption="Table 3 — Sizes of things")
    chunks = records(CAPTIONED, piece(CAPTIONED, oversize=True, tables=(table,)))
    assert judge(CAPTIONED, chunks, max_tokens=24, keep_tables=True).ok


def test_prose_between_rules_is_no_front_matter() -> None:
    source = "---\nSome prose.\nNote: more of it.\n\n# A heading\n---\n\nText.\n"
    chunks = records(source, piece(source.split("Text", maxsplit=1)[0]), piece("Text.\n"))
    assert 7 in broken(judge(source, chunks))


def test_a_flat_document_may_have_an_overlap_of_its_own() -> None:
    body, overlap = piece("One two three. "), ("overlap", "One two three. ")
    changes = {"has_overlap": True, "overlap_tokens": 4}
    for head, laws in (("", []), ("# A\n\n", [3])):
        source = f"{head}One two three. Four five six."
        first = piece(f"{head}One two three. ") if head else body
        last = piece(overlap, "Four five six.", breadcrumb=("A",) if head else (), **changes)
        assert broken(judge(source, records(source, first, last), flat_overlap_tokens=4)) == laws


# ---------------------------------------------------------------- other tools' chunks


def document() -> str:
    rows = "".join(f"| key {n} | value number {n} |\n" for n in range(40))
    lines = "".join(f"call_{n}(argument)\n" for n in range(40))
    items = "".join(f"- item {n} says something rather short\n" for n in range(40))
    return (
        f"# Manual\n\n## Table\n\n| key | value |\n|---|---|\n{rows}\n## Code\n\n"
        f"```python\n{lines}```\n\n## List\n\n{items}\n"
        + "".join(f"## Part {n}\n\nSome words about part {n}.\n\n" for n in range(20))
    )


def test_a_naive_splitter_is_found_out() -> None:
    text = document()
    size = 331
    report = judge(text, [text[n : n + size] for n in range(0, len(text), size)], max_tokens=200)
    assert {5, 6, 7, 9} <= set(broken(report))
    assert not {1, 2, 3, 4} & set(broken(report))
    assert report.laws[3].unchecked


def test_a_splitter_by_paragraphs_orphans_headings() -> None:
    text = document()
    report = judge(text, [part + "\n\n" for part in text.split("\n\n") if part])
    assert {7, 8} <= set(broken(report))


def test_the_whole_document_as_one_text_is_right() -> None:
    assert judge(document(), [document()], max_tokens=10_000).ok


def test_a_rewritten_text_breaks_law_2_and_1() -> None:
    report = judge(SECTIONS, [SECTIONS.replace("First", "Fifth")])
    assert broken(report) == [1, 2]


def test_overlap_of_texts_is_bounded() -> None:
    source = "one two three. four five six. seven eight nine."
    texts = ["one two three. four five six.", "four five six. seven eight nine."]
    assert judge(source, texts, overlap_tokens=4).ok
    assert broken(judge(source, texts)) == [1]


def test_texts_with_a_heading_put_in_front_are_still_found() -> None:
    texts = ["# Top\n\nIntro.", "# Top\n\n## One\n\nFirst text.", "# Top\n\n## Two\n\nSecond text."]
    report = judge(SECTIONS, texts)
    assert broken(report) == [2, 2]


def test_a_table_header_put_in_front_of_texts_counts() -> None:
    rows = [f"| {n} | value of the row {n} |\n" for n in range(4)]
    head = "| a | b |\n|---|---|\n"
    report = judge(head + "".join(rows), [head + rows[0] + rows[1], head + rows[2] + rows[3]])
    assert broken(report) == [2]


# ---------------------------------------------------------------- the report


def test_reports_of_many_documents_are_merged() -> None:
    good = judge(SECTIONS, records(SECTIONS, TOP, ONE, TWO), name="a.md")
    bad = judge(SECTIONS, records(SECTIONS, TOP, TWO), name="b.md")
    merged = AuditReport.merge([good, bad])
    assert (merged.documents, merged.chunks, len(merged.findings), merged.ok) == (2, 5, 1, False)
    assert merged.laws[2].unchecked == {"not checked: no cap given": 2}
    assert "law 1 (nothing lost): 1 finding\n  b.md:5: " in str(merged)
    assert AuditReport.merge([]).ok


def test_a_report_is_json() -> None:
    report = judge("\ud800 a\x00b c", [], name="\udcff.md")
    assert json.loads(report.model_dump_json())["findings"][0]["law"] == 1
    assert AuditReport.model_validate_json(report.model_dump_json()) == report
    str(report).encode()


def test_the_table_shows_only_so_many_findings_of_each_law() -> None:
    source = "\n\n".join(f"# {n}\n\ntext" for n in range(10))
    report = judge(source, source.split("\n\n"))
    of_laws = Counter(finding.law for finding in report.findings)
    left = [f"  and {count - 2} more findings" for _, count in sorted(of_laws.items())]
    assert left
    assert [line for line in report.table(2).splitlines() if line.startswith("  and")] == left
    assert "more findings" not in report.table(None)


# ---------------------------------------------------------------- the judge itself


def test_the_audit_shares_readings_with_the_packer_but_nothing_that_cuts() -> None:
    """Sharing code for cuts, repeated text or metadata would hide the packer's mistakes."""
    readings = (
        "treepack.clauses",
        "treepack.document.document",  # a type
        "treepack.markdown",
        "treepack.model",
        "treepack.outline",
        "treepack.plain",
    )
    tools = ("treepack.config", "treepack.display", "treepack.errors", "treepack.gc_pause")
    allowed = (*readings, *tools, "treepack.tokens", "treepack.laws")
    modules = list(Path(treepack.laws.__file__).parent.rglob("*.py"))
    assert len(modules) > 20
    for path in modules:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("treepack"):
                assert str(node.module).startswith(allowed)
                assert "scanner" not in str(node.module)


HOSTILE = {
    "one line of a megabyte": "x" * 1_000_000,
    "one line of words": "word " * 200_000,
    "nested quotes": "> " * 10_000 + "x",
    "nested lists": "- " * 10_000 + "x",
    "lone surrogates": "# \ud800\n\n\udfff" + "a\udc00 " * 1000,
    "nul": "# a\x00b\n\n\x00\x00 c\x00" * 500,
    "tables in tables": "<table><tr><td>\n\n" * 3000 + "x\n\n" + "</td></tr></table>\n\n" * 3000,
    "open tables": "<table>\n\n" * 5000 + "<!-- <tr " * 5000,
    "rows of sub-headers": "|a|b|\n|-|-|\n" + "|g||\n|1|2|\n" * 5000,
    "open math": "$$ a\n\n" * 4000,
    "headings only": "# a\n" * 20_000,
    "combining marks": "e" + "\u0301" * 100_000,
    "a table of pipes": "|a" * 2000 + "\n" + "|-" * 2000 + "\n" + ("|b" * 2000 + "\n") * 10,
    "open brackets": "# " + "[" * 20_000,
    "carriage returns": "a\rb\r\n\r# c\r" * 5000,
}


@pytest.mark.slow
@pytest.mark.parametrize("source", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_input_is_judged_in_seconds(source: str) -> None:
    size = max(len(source) // 50, 1)
    texts = [source[n : n + size] for n in range(0, len(source), size)]
    began = time.process_time()
    report = audit(source, texts, max_tokens=100)
    assert report.chunks == len(texts)
    assert time.process_time() - began < 20  # a quadratic algorithm takes many times that


class Asked:
    """A pattern that counts the characters and positions that it is asked to look at."""

    def __init__(self, pattern: Any) -> None:  # noqa: ANN401 - of the module regex
        self.pattern = pattern
        self.looked = 0

    def match(self, text: str, start: int) -> object:
        """Match at one position."""
        self.looked += 1
        return self.pattern.match(text, start)

    def finditer(self, text: str, start: int, end: int) -> object:
        """Search a stretch of text."""
        self.looked += end - start
        return self.pattern.finditer(text, start, end)


def test_tags_are_looked_for_once_however_many_cuts_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source = "<? a\n" * 4000
    texts = [source[n : n + 402] for n in range(0, len(source), 402)]
    tag = Asked(sentences._TAG)  # noqa: SLF001 - its work is counted
    any_tag = Asked(sentences._COMMENT_OR_TAG)  # noqa: SLF001 - its work is counted
    monkeypatch.setattr(sentences, "_TAG", tag)
    monkeypatch.setattr(sentences, "_COMMENT_OR_TAG", any_tag)
    audit(source, texts, max_tokens=100)
    assert len(source) <= tag.looked + any_tag.looked <= 2 * len(source)


@given(
    st.lists(
        st.sampled_from(
            [
                "# a",
                "## b",
                "- c",
                "| d |\n|-|\n| e |",
                "```\nf\n```",
                "g. h",
                "> i",
                "",
                "\x00",
                "\ud800",
            ]
        )
    ),
    st.integers(1, 9),
)
def test_any_slices_of_any_text_are_exact_and_complete(blocks: list[str], size: int) -> None:
    source = "\n\n".join(blocks)
    texts = [source[n : n + size] for n in range(0, len(source), size)]
    assert not {1, 2, 4} & set(broken(judge(source, texts, max_tokens=5)))


def test_fences_that_take_half_the_cap_need_not_be_repeated() -> None:
    fence = "`" * 20
    source = f"{fence}\na = 1\nb = 2\n{fence}\n"
    chunks = records(source, piece(f"{fence}\na = 1\n"), piece(f"b = 2\n{fence}\n"))
    assert 6 not in broken(judge(source, chunks, max_tokens=40))
    assert 6 in broken(judge(source, chunks, max_tokens=400))


CELL = "<table>\n<tr><th>H</th></tr>\n<tr><td>one</td> beside <b>two</b> more</tr>\n"
CELLS = CELL + "<tr><td>other</td></tr>\n</table>\n"


@pytest.mark.parametrize(("beside", "laws"), [("beside two", []), ("other", [5])])
def test_a_piece_of_a_row_may_hold_text_beside_its_cells(beside: str, laws: list[int]) -> None:
    header = ("table_header", "<table>\n<tr><th>H</th></tr>\n", 0)
    table = {"id": "t", "columns": ("H",), "row_count": 2, "parts": 3}
    slices = [
        (TableSlice.model_validate(table | {"row_start": r, "row_end": r, "part": p} | more),)
        for p, r, more in [(1, 1, {"cell_part": 1}), (2, 1, {"cell_part": 2}), (3, 2, {})]
    ]
    first = piece(CELL[: CELL.index("</td>")], ("glue", "</td></tr></table>"), tables=slices[0])
    rest = CELL[CELL.index("</td>") : -1]
    second = piece(
        header, ("glue", f"<tr><td>{beside}"), rest, ("glue", "</table>"), tables=slices[1]
    )
    third = piece(header, "<tr><td>other</td></tr>\n</table>", tables=slices[2])
    report = judge(CELLS, records(CELLS, first, second, third), max_tokens=60)
    assert [law for law in broken(report) if law == 5] == laws, report.table()


@pytest.mark.parametrize(("depth", "laws"), [(1, [5]), (40, [])])
def test_rows_of_a_table_in_a_cell_are_none_of_the_outer_table(depth: int, laws: list[int]) -> None:
    opening, closing = "<table>" * depth, "</table>" * depth
    row = "<tr><td>x</td></tr>"
    source = f"<table><tr><th>H</th></tr><tr><td>one {opening}{row}{row}{closing}</td></tr></table>"
    cut = source.index(row + closing)
    table = {"id": "t", "columns": ("H",), "row_count": 1, "parts": 2, "row_start": 1, "row_end": 1}
    slices = [
        (TableSlice.model_validate(table | {"part": part, "cell_part": part}),) for part in (1, 2)
    ]
    header = ("table_header", "<table><tr><th>H</th></tr>", 0)
    chunks = records(
        source,
        piece(source[:cut], ("glue", f"{closing}</td></tr></table>"), tables=slices[0]),
        piece(header, ("glue", "<tr><td>"), source[cut:], tables=slices[1]),
    )
    report = judge(source, chunks, max_tokens=400)
    assert [law for law in broken(report) if law == 5] == laws, report.table()


@pytest.mark.parametrize(("cap", "laws"), [(48, []), (200, [8])])
def test_a_heading_above_an_admonition_needs_the_tag_that_begins_it(
    cap: int, laws: list[int]
) -> None:
    comment = "<!-- " + "word " * 30 + "-->"
    source = f"# Title\n\n!!! note\n    {comment}\n\n    And more.\n"
    chunks = [source[:9], source[9:]]
    found = broken(judge(source, chunks, max_tokens=cap))
    assert [law for law in found if law == 8] == laws


@pytest.mark.parametrize(
    ("after", "laws"),
    [("    code = 1", []), ("3. three", []), ("1. one", [8]), ("Text.", [8]), ("> quote", [8])],
)
def test_the_rest_of_a_long_heading_is_parted_only_from_what_would_join_it(
    after: str, laws: list[int]
) -> None:
    source = f"# {'word ' * 60}end\n{after}\n"
    cut = source.index("word", 200)
    chunks = [
        source[:cut],
        source[cut : source.index("end") + 4],
        source[source.index("end") + 4 :],
    ]
    found = broken(judge(source, chunks, max_tokens=60))
    assert [law for law in found if law == 8] == laws


LINES = (
    *(
        "",
        "text",
        "    text",
        "a | b",
        "| a | b |",
        "|---|---|",
        "|x",
        "---",
        "===",
        "***",
        "* * *",
    ),
    *(
        "# head",
        "- item",
        "* ",
        "1. one",
        "2) two",
        "  - in",
        "> quote",
        ">",
        "```",
        "~~~",
        "  ```",
    ),
    *("<div>", "<!-- c", "-->", "[r]: /u", "[r]: /u 'open", "'title'", "[^1]: note", "$$", "$$ x"),
    *("!!! note", "::: box", ":::", "::::", "\\| a \\| b |", "-", "+ x", "_ _ _", "\ta", "- - -"),
)


@given(st.lists(st.sampled_from(LINES), max_size=12))
@example(["a | b", "|---|---|", "text", "|x"])
def test_the_rules_that_read_a_source_are_those_of_markdown_it(lines: list[str]) -> None:
    text = "".join(f"{line}\n" for line in lines)
    plain = MarkdownIt("commonmark").enable("table").use(footnote_plugin).use(dollarmath_plugin)
    plain.use(admon_plugin).use(container_plugin, "any", validate=lambda _info, _mark: True)
    plain.disable(["inline", "text_join", "footnote_tail"])
    assert shapes(parser_for(text).parse(text)) == shapes(plain.parse(text))


def shapes(tokens: list[Token]) -> list[tuple[str, Any, tuple[str, ...]]]:
    """The tokens that have lines, with their text, but without the cells of a table's body.

    treepack's parser makes no tokens for these cells.
    """
    found: list[tuple[str, Any, tuple[str, ...]]] = []
    in_body = False
    for token in tokens:
        if token.type in {"tbody_open", "tbody_close"}:
            in_body = token.type == "tbody_open"
        elif token.type == "inline" and found and not in_body:
            kind, lines, cells = found[-1]
            found[-1] = kind, lines, (*cells, token.content)
        elif token.map and token.type not in {"tbody_open", "inline"}:
            kind = token.type.replace("container_container", "container_any")
            found.append((kind, token.map, ()))
    return found


def test_nothing_that_the_audit_read_waits_for_the_collector() -> None:
    source = "# One\n\n- a\n- b\n\n| c | d |\n|---|---|\n| e | f |\n"
    gc.collect()
    gc.disable()
    try:
        audit(source, [source[:9], source[9:]], max_tokens=20)
        assert not [each for each in gc.get_objects() if type(each) is AuditBlock]
    finally:
        gc.enable()


def test_a_title_before_a_name_ends_no_sentence() -> None:
    """A sentence above the cap may be cut anywhere; no new sentence begins after such a title."""
    text = (
        "# Controls\n\nMessrs. Moeller and Schulten have concluded that the controls and "
        "procedures of the company are such that what reports must disclose is (1) recorded, "
        "processed and summarized within the time that rules and forms of the state say, and (2) "
        "accumulated and communicated to those who decide, including Messrs. Moeller and "
        "Schulten, to allow their timely decisions regarding required disclosure.\n"
    )
    for cap in range(40, 72, 4):
        chunks = treepack.pack(text, max_tokens=cap, target_tokens=cap)
        assert audit(text, chunks, max_tokens=cap).findings == ()
