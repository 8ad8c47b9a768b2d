"""The audit as a whole: its report, settings that are not given, marks, and hostile input."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from case_files import case_table
from chunkings import words
from function_calls import assert_linear, growing
from hypothesis import given
from hypothesis import strategies as st

from treepack import PackConfig, Source, audit, pack, parse

SECTIONS = "# Top\n\nIntro.\n\n## One\n\nFirst text.\n\n## Two\n\nSecond text.\n"
BY_SECTION = PackConfig(max_tokens=9, target_tokens=9, min_tokens=0, encoding=words)
CHUNKS = list(pack(SECTIONS, BY_SECTION))


def judge(source: str, chunks: Sequence[Any], **settings: Any) -> Any:  # noqa: ANN401 - of the audit
    """Audit chunks that are counted in words, without a cap."""
    return audit(source, chunks, PackConfig(encoding=words), has_cap=False, **settings)


# ---------------------------------------------------------------- the report


def test_a_report_counts_what_was_checked() -> None:
    report = audit(SECTIONS, CHUNKS, BY_SECTION)
    assert report.ok, report.table()
    assert [result.checked for result in report.laws] == [3, 3, 3, 3, 0, 0, 6, 3, 2]


def test_a_finding_names_its_document_line_law_and_text() -> None:
    [finding] = judge(SECTIONS, CHUNKS[::2], name="a.md").findings[:1]
    assert str(finding) == (
        "a.md:5: law 1 (nothing lost): 19 characters lost (offsets 15:34), "
        'neither in a body nor skipped: "## One First text."'
    )


def test_reports_of_many_documents_are_merged_and_name_what_was_not_checked() -> None:
    good, bad = judge(SECTIONS, CHUNKS, name="a.md"), judge(SECTIONS, CHUNKS[::2], name="b.md")
    assert (good.laws[2].checked, good.laws[2].unchecked) == (0, {"no cap given": 1})
    assert "not checked: no cap given" in str(good)
    assert judge(SECTIONS, [SECTIONS]).laws[3].unchecked
    merged = type(good).merge([good, bad])
    assert (merged.documents, merged.chunks, merged.ok) == (2, 5, False)
    assert merged.findings == bad.findings
    assert merged.laws[2].unchecked == {"no cap given": 2}
    assert "law 1 (nothing lost): 1 finding\n  b.md:5: " in str(merged)
    assert type(good).merge([]).ok
    report = judge("\ud800 a\x00b c", [], name="\udcff.md")
    assert json.loads(report.model_dump_json())["findings"][0]["law"] == 1
    assert type(report).model_validate_json(report.model_dump_json()) == report
    str(report).encode()


def test_the_table_limits_the_findings_of_each_law() -> None:
    source = "\n\n".join(f"# {n}\n\ntext" for n in range(10))
    report = judge(source, source.split("\n\n"))
    laws = [finding.law for finding in report.findings]
    expected = [f"  and {laws.count(law) - 2} more findings" for law in sorted({*laws})]
    assert expected
    assert [line for line in report.table(2).splitlines() if line.startswith("  and")] == expected
    assert "more findings" not in report.table(None)


# ---------------------------------------------------------------- settings and marks


@pytest.mark.parametrize(("text", "settings"), case_table("audit", "settings"))
def test_without_settings_the_records_show_how_the_source_was_read(
    text: str, settings: dict[str, Any]
) -> None:
    chunks = list(pack(text, min_tokens=0, name="a.md", **settings))
    assert audit(text, chunks).ok, audit(text, chunks).table()
    document = parse(Source(text, "a.md"), markup=settings.get("markup", "markdown"))
    assert audit(document, chunks).ok


@pytest.mark.parametrize(("source", "mark"), case_table("audit", "marks"))
def test_tables_that_cannot_keep_the_law_are_marked_and_counted(source: str, mark: str) -> None:
    chunks = pack(source, max_tokens=64, target_tokens=64, min_tokens=0, encoding=words)
    entries = [entry for chunk in chunks for entry in chunk.tables]
    assert len(entries) == len(chunks) > 1
    assert {entry.header_left_out for entry in entries} == {mark == "header left out"}
    report = audit(source, chunks)
    assert report.ok, report.table()
    assert mark in report.laws[4].marks
    assert mark in str(report)
    plain = [replace(each, header_left_out=False, cell_part=None) for each in entries]
    unmarked = [replace(chunk, tables=(entry,)) for chunk, entry in zip(chunks, plain, strict=True)]
    assert 5 in {finding.law for finding in audit(source, unmarked, chunks.config).findings}


# ---------------------------------------------------------------- any input


HOSTILE = growing("parts/hostile.json")


@pytest.mark.slow
@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_input_is_judged_with_linear_work(kind: str) -> None:
    def judged(size: int) -> None:
        source = HOSTILE[kind](size)
        step = len(source) // (size // 20)
        texts = [source[n : n + step] for n in range(0, len(source), step)]
        assert audit(source, texts, PackConfig(max_tokens=100)).chunks == len(texts)

    assert_linear(judged, 400)


BLOCKS = case_table("audit", "blocks")


@given(st.lists(st.sampled_from(BLOCKS)), st.integers(1, 9))
def test_slices_of_any_text_break_none_of_laws_1_2_and_4(blocks: list[str], size: int) -> None:
    source = "\n\n".join(blocks)
    texts = [source[n : n + size] for n in range(0, len(source), size)]
    found = audit(source, texts, PackConfig(max_tokens=5, encoding=words)).findings
    assert not {1, 2, 4} & {finding.law for finding in found}


def test_without_settings_texts_may_not_overlap() -> None:
    texts = ["one two three. four five six.", "four five six. seven eight nine."]
    found = audit("one two three. four five six. seven eight nine.", texts).findings
    assert [finding.law for finding in found] == [1]
