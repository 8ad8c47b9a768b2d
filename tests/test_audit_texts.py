"""The audit of whole texts, mostly on records made by hand: laws 1 to 4, 7 and 8, and levels."""

from typing import Any

import pytest
from audit_records import (
    CAPTIONED,
    FILLER,
    ONE,
    SECTIONS,
    TABLE,
    TOP,
    TWO,
    broken_laws,
    judge,
    piece,
    reasons,
    record,
    records,
    table_slice,
    words,
)
from title_texts import CONTENTS, CONTRACT, MANUAL, PAGES, pages

from treepack import PackConfig, audit, pack
from treepack.model.chunk import Chunk, Segment, Skipped
from treepack.model.outline_change import OutlineChange

# ---------------------------------------------------------------- laws 1 and 2: nothing lost, exact


def test_a_lost_paragraph_breaks_law_1() -> None:
    report = judge(SECTIONS, records(SECTIONS, TOP, TWO), name="a.md")
    assert broken_laws(report) == [1]
    assert str(report.findings[0]) == (
        "a.md:5: law 1 (nothing lost): 19 characters lost (offsets 15:34), "
        'neither in a body nor skipped: "## One First text."'
    )


FRONT = "---\ntitle: A\n---\n\nText.\n"


def test_front_matter_may_be_skipped_with_a_reason() -> None:
    skipped = (Skipped(span=(0, 16), reason="front matter"),)
    assert judge(FRONT, records(FRONT, piece("Text.\n", skipped=skipped))).ok


def test_front_matter_may_stay_in_the_text() -> None:
    assert judge(FRONT, records(FRONT, piece(FRONT)), front_matter="text").ok


@pytest.mark.parametrize(
    "source",
    ["", " \n\t\n", "\ufeff", "---\na: 1\n---\n", "\ufeff---\na: 1\n---", "+++\na = 1\n+++\n"],
)
def test_a_document_without_text_needs_no_chunk(source: str) -> None:
    assert judge(source, []).ok


@pytest.mark.parametrize("start", ["", "\ufeff", "\n"])
def test_a_document_of_only_page_marks_needs_no_chunk(start: str) -> None:
    assert judge(f"{start}<!-- page break -->\n", []).ok
    assert broken_laws(judge(f"{start}<!-- page of text -->\n", [])) == [1]


def test_a_document_with_text_needs_chunks() -> None:
    assert broken_laws(judge("---\nTo be.\n\nOr not.\n", [])) == [1]


def test_body_without_a_span_breaks_law_2() -> None:
    segments = [
        Segment(role="body", text="One.", span=(0, 4)),
        Segment(role="body", text=" More."),
    ]
    assert broken_laws(judge("One.", [record("One.", 0, segments, {}, words)])) == [2]


def test_a_lost_line_break_between_bodies_breaks_law_2() -> None:
    source = "One.\n\n# Two\n\nThree.\n"
    right = records(source, piece("One.\n\n", "# Two\n\n", "Three.\n"))
    assert judge(source, right).ok
    wrong = records(source, piece("One.", "# Two\n\nThree.\n"))
    assert broken_laws(judge(source, wrong)) == [2]


# ------------------------------------------------------------------ law 3: cap


def test_without_a_cap_law_3_is_reported_as_not_checked() -> None:
    report = judge(SECTIONS, records(SECTIONS, TOP, ONE, TWO))
    assert report.laws[2].checked == 0
    assert report.laws[2].unchecked == {"no cap given": 1}
    assert "not checked: no cap given" in str(report)


def test_a_kept_table_may_exceed_the_cap() -> None:
    recipe = piece(TABLE, breadcrumb=("T",), oversize=True, tables=(table_slice(),))
    chunks = records(TABLE, recipe)
    assert judge(TABLE, chunks, max_tokens=20, oversize_table="keep").ok
    assert broken_laws(judge(TABLE, chunks, max_tokens=20, oversize_code="keep")) == [3]
    assert broken_laws(judge(TABLE, chunks, max_tokens=500, oversize_table="keep")) == [3]


def test_an_oversize_kept_table_with_other_text_breaks_law_3() -> None:
    source = TABLE + "\nMore.\n"
    recipe = piece(source, breadcrumb=("T",), oversize=True, tables=(table_slice(),))
    chunks = records(source, recipe)
    assert broken_laws(judge(source, chunks, max_tokens=20, oversize_table="keep")) == [3]


def test_the_breadcrumb_line_may_be_cut_only_if_it_takes_half_the_cap() -> None:
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
    assert broken_laws(judge(source, chunks, max_tokens=40))[:2] == [3, 3]


def test_a_kept_table_may_end_with_the_marker_of_its_quote() -> None:
    source = "".join(f"> {line}\n" for line in TABLE.splitlines()[2:]) + ">\n> " + FILLER
    head = source.removesuffix(f"> {FILLER}")
    chunks = records(
        source, piece(head, oversize=True, tables=(table_slice(),)), piece(f"> {FILLER}")
    )
    assert 3 not in broken_laws(judge(source, chunks, max_tokens=24, oversize_table="keep"))


def test_an_overlap_above_the_limit_breaks_law_3() -> None:
    source = "One two three. Four five six."
    body, overlap = piece("One two three. "), ("overlap", "One two three. ", 0)
    changes = {"overlap_tokens": 4}
    chunks = records(source, body, piece(overlap, "Four five six.", **changes))
    assert judge(source, chunks, overlap_tokens=4).ok
    assert broken_laws(judge(source, chunks, overlap_tokens=3)) == [3]


@pytest.mark.parametrize("after", ["> 1. 2. 3.", "> 1234", "> ***"])
def test_an_oversize_kept_table_with_more_quoted_text_breaks_law_3(after: str) -> None:
    table = "".join(f"> {line}\n" for line in TABLE.splitlines()[2:])
    source = f"{table}>\n{after}\n"
    chunks = records(source, piece(source, oversize=True, tables=(table_slice(),)))
    assert broken_laws(judge(source, chunks, max_tokens=24, oversize_table="keep")) == [3]


def test_a_kept_table_may_include_its_caption() -> None:
    table = table_slice(row_end=2, row_count=2, caption="Table 3 — Sizes of things")
    chunks = records(CAPTIONED, piece(CAPTIONED, oversize=True, tables=(table,)))
    assert judge(CAPTIONED, chunks, max_tokens=24, oversize_table="keep").ok


def test_a_document_without_headings_may_have_its_own_overlap_limit() -> None:
    for head, laws in (("", []), ("# A\n\n", [3])):
        source = f"{head}One two three. Four five six."
        first = piece(f"{head}One two three. ")
        overlap = ("overlap", "One two three. ", len(head))
        path = ("A",) if head else ()
        last = piece(overlap, "Four five six.", breadcrumb=path, overlap_tokens=4)
        chunks = records(source, first, last)
        assert broken_laws(judge(source, chunks, flat_overlap_tokens=4)) == laws


# ------------------------------------------------------------------ laws 7 and 8: path, no orphans


def test_an_ancestor_may_be_in_the_text_instead_of_the_breadcrumb() -> None:
    chunks = records(SECTIONS, piece(SECTIONS))
    assert judge(SECTIONS, chunks).ok


def test_a_breadcrumb_entry_for_only_part_of_the_chunk_breaks_law_7() -> None:
    parts = ("## One\n\nFirst text.\n\n## Two\n\nSecond text.\n",)
    chunks = records(SECTIONS, TOP, (parts, {"breadcrumb": ("Top", "One")}))
    report = judge(SECTIONS, chunks)
    assert broken_laws(report) == [7]
    assert '"One" is not above all' in report.findings[0].reason


def test_sections_with_the_same_title_are_distinct() -> None:
    source = "# A\n\none\n\n# A\n\ntwo\n"
    right = records(
        source, piece("# A\n\none\n\n", breadcrumb=("A",)), piece("# A\n\ntwo\n", breadcrumb=("A",))
    )
    assert judge(source, right).ok
    wrong = records(source, piece("# A\n\n", "one\n\n# A\n\ntwo\n", breadcrumb=("A",)))
    assert broken_laws(judge(source, wrong)) == [7]


def test_a_chain_of_headings_must_stay_with_its_text() -> None:
    source = "# A\n\n## B\n\n## C\n\ntext\n"
    wrong = records(
        source,
        piece("# A\n\n## B\n\n", breadcrumb=("A",)),
        piece("## C\n\ntext\n", breadcrumb=("A", "C")),
    )
    assert broken_laws(judge(source, wrong)) == [8]


def test_a_heading_may_be_alone_if_its_section_is_empty() -> None:
    source = "# A\n\n# B\n\ntext\n"
    right = records(
        source, piece("# A\n\n", breadcrumb=("A",)), piece("# B\n\ntext\n", breadcrumb=("B",))
    )
    assert judge(source, right).ok


def test_headings_may_be_separated_if_they_do_not_fit_one_chunk() -> None:
    titles = ["## Title\n\n" for _ in range(40)]
    source = "# A\n\n" + "".join(titles) + "text\n"
    bodies = ["# A\n\n" + "".join(titles[:20]), "".join(titles[20:]) + "text\n"]
    chunks = records(source, *(piece(body, breadcrumb=("A",)) for body in bodies))
    assert judge(source, chunks, max_tokens=100).ok
    assert broken_laws(judge(source, chunks, max_tokens=400)) == [8, 9]


def test_headings_of_empty_sections_may_be_separated_only_if_they_do_not_fit() -> None:
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


def test_a_heading_needs_the_first_row_of_an_html_table_below_it() -> None:
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


# ------------------------------------------------------------------ parents and children


def chunks_of_two_levels(**changes: Any) -> list[Chunk]:  # noqa: ANN401 - fields of the last child
    head = SECTIONS.split("## Two", maxsplit=1)[0]
    parents = records(SECTIONS, piece(head, breadcrumb=("Top",)), TWO)
    children = records(SECTIONS, TOP, ONE, TWO)
    ids = ["p0", "p1"]
    whole = [
        parent.model_copy(update={"id": name, "index": index})
        for index, (parent, name) in enumerate(zip(parents, ids, strict=True))
    ]
    below = [
        child.model_copy(
            update={"id": f"c{n}", "index": n + 2, "level": 1, "parent_id": ids[n // 2]}
        )
        for n, child in enumerate(children)
    ]
    below[-1] = below[-1].model_copy(update=changes)
    return [*whole, *below]


def test_each_level_is_judged_separately() -> None:
    report = judge(SECTIONS, chunks_of_two_levels(), levels=(18, 12))
    assert report.ok, report.table()
    assert report.chunks == 5
    assert broken_laws(judge(SECTIONS, chunks_of_two_levels(), levels=(18, 5)))[0] == 3
    assert judge(SECTIONS, chunks_of_two_levels()).ok


@pytest.mark.parametrize(
    ("changes", "law", "message"),
    [
        ({"parent_id": "p0"}, 1, "not inside the body of its parent"),
        ({"parent_id": "c0"}, 4, "no chunk of the level above"),
        ({"parent_id": None}, 4, "no chunk of the level above"),
        ({"id": "c1"}, 4, "another chunk has the same id"),
        ({"id": "p1"}, 4, "another chunk has the same id"),
    ],
)
def test_a_wrong_child_is_found(changes: dict[str, Any], law: int, message: str) -> None:
    report = judge(SECTIONS, chunks_of_two_levels(**changes), levels=(18, 12))
    assert broken_laws(report) == [law]
    assert message in report.findings[0].reason


def test_an_unexpected_level_or_a_missing_child_is_found() -> None:
    assert 4 in broken_laws(judge(SECTIONS, chunks_of_two_levels(), levels=(18,)))
    lost = chunks_of_two_levels()[:-1]
    assert broken_laws(judge(SECTIONS, lost, levels=(18, 12))) == [1]


# ------------------------------------------------------------------ found titles


@pytest.mark.parametrize("text", [MANUAL, CONTENTS + MANUAL, PAGES, CONTRACT, pages(*[MANUAL] * 4)])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_the_laws_hold_for_found_titles_and_skipped_furniture(text: str, line_end: str) -> None:
    config = PackConfig(max_tokens=64, target_tokens=48, min_tokens=0)
    source = text.replace("\n", line_end)
    assert audit(source, list(pack(source, config)), config).findings == ()


@pytest.mark.parametrize(
    ("field", "wrong", "law"),
    [
        ("outline_changes", (OutlineChange(1, "Pumps", 1, 2, "numbers"),), 7),
        ("markup", "plain", 7),
        ("skipped", (), 1),
        ("pages", (9,), 4),
        ("lines", (1, 99), 4),
        ("clauses", ("9",), 4),
        ("clause_number", "9", 4),
    ],
)
def test_what_a_record_says_about_the_source_must_be_what_the_source_says(
    field: str, wrong: object, law: int
) -> None:
    config = PackConfig(max_tokens=64, target_tokens=48, min_tokens=0, markup="markdown")
    first, *others = pack(PAGES, config)
    assert audit(PAGES, [first, *others], config).ok
    report = audit(PAGES, [first.model_copy(update={field: wrong}), *others], config)
    assert {law} == {finding.law for finding in report.findings}
