"""The audit as a whole: chunks of other tools, reports, hostile input and shared code."""

import json
from collections import Counter
from collections.abc import Callable

import pytest
from audit_records import ONE, SECTIONS, TOP, TWO, broken_laws, judge, records
from function_calls import assert_linear
from hypothesis import given
from hypothesis import strategies as st

from treepack import PackConfig, audit
from treepack.laws import AuditReport


def test_correct_chunks_have_no_findings() -> None:
    report = judge(SECTIONS, records(SECTIONS, TOP, ONE, TWO), max_tokens=12)
    assert report.ok, report.table()
    assert [result.checked for result in report.laws] == [3, 3, 3, 3, 0, 0, 6, 3, 2]


# ---------------------------------------------------------------- other tools' chunks


def sample_manual() -> str:
    rows = "".join(f"| key {n} | value number {n} |\n" for n in range(40))
    lines = "".join(f"call_{n}(argument)\n" for n in range(40))
    items = "".join(f"- item {n} says something rather short\n" for n in range(40))
    return (
        f"# Manual\n\n## Table\n\n| key | value |\n|---|---|\n{rows}\n## Code\n\n"
        f"```python\n{lines}```\n\n## List\n\n{items}\n"
        + "".join(f"## Part {n}\n\nSome words about part {n}.\n\n" for n in range(20))
    )


def test_chunks_of_a_naive_splitter_break_laws_5_6_7_and_9() -> None:
    text = sample_manual()
    size = 331
    report = judge(text, [text[n : n + size] for n in range(0, len(text), size)], max_tokens=200)
    assert {5, 6, 7, 9} <= set(broken_laws(report))
    assert not {1, 2, 3, 4} & set(broken_laws(report))
    assert report.laws[3].unchecked


def test_a_paragraph_splitter_leaves_orphaned_headings() -> None:
    text = sample_manual()
    report = judge(text, [part + "\n\n" for part in text.split("\n\n") if part])
    assert {7, 8} <= set(broken_laws(report))


def test_the_whole_document_as_one_text_has_no_findings() -> None:
    assert judge(sample_manual(), [sample_manual()], max_tokens=10_000).ok


def test_a_rewritten_text_breaks_laws_1_and_2() -> None:
    report = judge(SECTIONS, [SECTIONS.replace("First", "Fifth")])
    assert broken_laws(report) == [1, 2]


def test_overlap_between_texts_above_the_limit_breaks_law_1() -> None:
    source = "one two three. four five six. seven eight nine."
    texts = ["one two three. four five six.", "four five six. seven eight nine."]
    assert judge(source, texts, overlap_tokens=4).ok
    assert broken_laws(judge(source, texts)) == [1]


def test_texts_with_prepended_headings_are_located_in_the_source() -> None:
    texts = ["# Top\n\nIntro.", "# Top\n\n## One\n\nFirst text.", "# Top\n\n## Two\n\nSecond text."]
    report = judge(SECTIONS, texts)
    assert broken_laws(report) == [2, 2]


def test_a_prepended_table_header_breaks_law_2() -> None:
    rows = [f"| {n} | value of the row {n} |\n" for n in range(4)]
    head = "| a | b |\n|---|---|\n"
    report = judge(head + "".join(rows), [head + rows[0] + rows[1], head + rows[2] + rows[3]])
    assert broken_laws(report) == [2]


# ---------------------------------------------------------------- the report


def test_reports_of_many_documents_are_merged() -> None:
    good = judge(SECTIONS, records(SECTIONS, TOP, ONE, TWO), name="a.md")
    bad = judge(SECTIONS, records(SECTIONS, TOP, TWO), name="b.md")
    merged = AuditReport.merge([good, bad])
    assert (merged.documents, merged.chunks, len(merged.findings), merged.ok) == (2, 5, 1, False)
    assert merged.laws[2].unchecked == {"no cap given": 2}
    assert "law 1 (nothing lost): 1 finding\n  b.md:5: " in str(merged)
    assert AuditReport.merge([]).ok


def test_a_report_survives_a_json_round_trip() -> None:
    report = judge("\ud800 a\x00b c", [], name="\udcff.md")
    assert json.loads(report.model_dump_json())["findings"][0]["law"] == 1
    assert AuditReport.model_validate_json(report.model_dump_json()) == report
    str(report).encode()


def test_the_table_limits_the_findings_of_each_law() -> None:
    source = "\n\n".join(f"# {n}\n\ntext" for n in range(10))
    report = judge(source, source.split("\n\n"))
    counts = Counter(finding.law for finding in report.findings)
    expected = [f"  and {count - 2} more findings" for _, count in sorted(counts.items())]
    assert expected
    assert [line for line in report.table(2).splitlines() if line.startswith("  and")] == expected
    assert "more findings" not in report.table(None)


# ---------------------------------------------------------------- the judge itself


HOSTILE: dict[str, Callable[[int], str]] = {
    "one line": lambda n: "x" * (50 * n),
    "one line of words": lambda n: "word " * (10 * n),
    "nested quotes": lambda n: "> " * n + "x",
    "nested lists": lambda n: "- " * n + "x",
    "tables in tables": lambda n: (
        "<table><tr><td>\n\n" * n + "x\n\n" + "</td></tr></table>\n\n" * n
    ),
    "open tables": lambda n: "<table>\n\n" * n + "<!-- <tr " * n,
    "open math": lambda n: "$$ a\n\n" * n,
    "headings only": lambda n: "# a\n" * n,
    "combining marks": lambda n: "e" + "\u0301" * (10 * n),
    "open brackets": lambda n: "# " + "[" * n,
    "one heading": lambda n: f"# {'pump ' * n}",
    "carriage returns": lambda n: "a\rb\r\n\r# c\r" * n,
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_input_is_judged_with_linear_work(kind: str) -> None:
    def judged(size: int) -> None:
        source = HOSTILE[kind](size)
        step = len(source) // (size // 20)
        texts = [source[n : n + step] for n in range(0, len(source), step)]
        assert audit(source, texts, PackConfig(max_tokens=100)).chunks == len(texts)

    assert_linear(judged, 400)


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
def test_slices_of_any_text_break_none_of_laws_1_2_and_4(blocks: list[str], size: int) -> None:
    source = "\n\n".join(blocks)
    texts = [source[n : n + size] for n in range(0, len(source), size)]
    assert not {1, 2, 4} & set(broken_laws(judge(source, texts, max_tokens=5)))
