"""The audit of laws 7 and 8: breadcrumbs, outline changes, and headings without their text."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from audit_records import ONE, SECTIONS, TOP, TWO, broken_laws, judge, piece, reasons, records

from treepack.clauses.clause import Clauses
from treepack.clauses.walk import clauses_of_tree
from treepack.laws.claims import clauses
from treepack.laws.reading import parsed_source
from treepack.model.outline_change import OutlineChange
from treepack.model.section import Section

# ---------------------------------------------------------------- law 7: path


def test_a_missing_ancestor_breaks_law_7() -> None:
    parts, _ = ONE
    report = judge(SECTIONS, records(SECTIONS, TOP, (parts, {"breadcrumb": ("One",)}), TWO))
    assert broken_laws(report) == [7]
    assert '"Top"' in report.findings[0].reason


def test_an_ancestor_may_be_in_the_text_instead_of_the_breadcrumb() -> None:
    chunks = records(SECTIONS, piece(SECTIONS))
    assert judge(SECTIONS, chunks).ok


def test_a_breadcrumb_entry_for_only_part_of_the_chunk_breaks_law_7() -> None:
    parts = ("## One\n\nFirst text.\n\n## Two\n\nSecond text.\n",)
    chunks = records(SECTIONS, TOP, (parts, {"breadcrumb": ("Top", "One")}))
    report = judge(SECTIONS, chunks)
    assert broken_laws(report) == [7]
    assert '"One" is not above all' in report.findings[0].reason


@pytest.mark.parametrize(
    ("before", "after"),
    [("    ", ""), ("```\n\n", "\n```"), ("$$\n\n", "\n$$"), ("<!--\n\n", "\n-->")],
    ids=["indented code", "fence", "math", "comment"],
)
def test_a_number_in_code_math_or_a_comment_does_not_end_a_clause(before: str, after: str) -> None:
    def found(line: str) -> list[str]:
        rest = "More text.\n\n4.3. Aims\n\nThe last text.\n"
        source = f"4.1. Rights\n\nThe first text.\n\n{line}\n\n{rest}"
        more, last = source.index("More"), source.index("4.3.")
        continuation = piece(source[more:last], breadcrumb=("4.1 Rights",))
        chunks = records(source, piece(source[:more]), continuation, piece(source[last:]))
        return reasons(judge(source, chunks), 7)

    assert found(f"{before}4.2. Duties{after}") == []
    assert len(found("4.2. Duties")) == 1


@pytest.mark.parametrize(("begin", "name"), [("4.1.", "4.1 Rights")])
def test_a_misread_clause_is_found_by_the_numbers_in_the_text(
    monkeypatch: pytest.MonkeyPatch, begin: str, name: str
) -> None:
    """The packer reads clauses with the same code, so the audit checks the numbers in the text."""
    source = "4.1. Rights\n\nThe first text.\n\n4.2. Duties\n\nMore text.\n\n4.3. Aims\n\nEnd.\n"
    more, last = source.index("More"), source.index("4.3.")

    def wrong(text: str, root: Section) -> Clauses:
        first, *others = clauses_of_tree(text, root)
        return Clauses([replace(first, start=text.index(begin), end=last), *others])

    def found() -> list[str]:
        continuation = piece(source[more:last], breadcrumb=(name,))
        chunks = records(source, piece(source[:more]), continuation, piece(source[last:]))
        return reasons(judge(source, chunks), 7)

    monkeypatch.setattr(parsed_source, "clauses_of_tree", wrong)
    assert found() == [f'the breadcrumb entry "{name}" is not above all of the chunk']
    monkeypatch.setattr(clauses, "_next_number", lambda *_: None)
    monkeypatch.setattr(clauses, "_shows_its_name", lambda *_: True)
    assert found() == []


@pytest.mark.parametrize(
    ("lists", "count"), [({}, 0), ({("list", "1."): [40]}, 1), ({("list", "1."): [80]}, 0)]
)
def test_the_next_number_may_belong_to_a_list_that_begins_before_it(
    lists: dict[tuple[str, str], list[int]], count: int
) -> None:
    clause = SimpleNamespace(start=0, path=("3",), title="Rights")
    source: Any = SimpleNamespace(
        text=f"3. Rights{' ' * 90}",
        clauses_by_name={"3 Rights": [clause]},
        sections_between=lambda *_: [],
        labels={("paragraph", "3."): [0], ("paragraph", "4."): [60], **lists},
    )
    below: Any = SimpleNamespace(start=70, end=90)
    assert len([*clauses.clauses_named(source, "3 Rights", below)]) == count


def test_the_document_name_may_begin_the_breadcrumb() -> None:
    chunks = records(SECTIONS, piece(SECTIONS, document="a.md", breadcrumb=("a.md", "Top")))
    assert judge(SECTIONS, chunks).ok


def test_sections_with_the_same_title_are_distinct() -> None:
    source = "# A\n\none\n\n# A\n\ntwo\n"
    right = records(
        source, piece("# A\n\none\n\n", breadcrumb=("A",)), piece("# A\n\ntwo\n", breadcrumb=("A",))
    )
    assert judge(source, right).ok
    wrong = records(source, piece("# A\n\n", "one\n\n# A\n\ntwo\n", breadcrumb=("A",)))
    assert broken_laws(judge(source, wrong)) == [7]


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
    assert broken_laws(judge(source, wrong)) == [7]


@pytest.mark.parametrize(("title", "laws"), [("1 https://a.b", []), ("1", [7])])
def test_an_html_heading_is_read_as_markdown(title: str, laws: list[int]) -> None:
    source = "<h4>1 <https://a.b></h4>\n\nText.\n"
    chunks = records(source, piece(source, breadcrumb=(title,), embed_text=source))
    assert [law for law in broken_laws(judge(source, chunks)) if law == 7] == laws


@pytest.mark.parametrize("indent", range(4))
def test_a_heading_after_a_byte_order_mark_may_be_indented(indent: int) -> None:
    source = f"\ufeff{' ' * indent}# A\n\nText.\n"
    chunks = records(source, piece("# A\n\nText.\n", breadcrumb=("A",)))
    assert judge(source, chunks).ok, judge(source, chunks).table()


def test_a_byte_order_mark_is_not_part_of_the_first_line() -> None:
    source = "\ufeffDo this:\n\n- one\n- two\n"
    chunks = records(
        source, piece("Do this:\n\n- one\n"), piece(("heading", "Do this:\n\n", 1), "- two\n")
    )
    assert judge(source, chunks).ok, judge(source, chunks).table()


@pytest.mark.parametrize(
    "block", ["> # no\n", "- # no\n", "```\n# no\n```\n", "<!--\n# no\n-->\n", "$$\n# no\n$$\n"]
)
def test_a_heading_line_inside_another_block_is_not_a_heading(block: str) -> None:
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


def test_outline_changes_are_applied_before_judging() -> None:
    chunks = records(FLAT, *FLAT_PIECES)
    assert judge(FLAT, chunks, outline_changes=(HEAD, DEEPER)).ok
    assert set(broken_laws(judge(FLAT, chunks))) == {7, 8}
    assert set(broken_laws(judge(FLAT, chunks, outline_changes=(HEAD,)))) == {7}
    assert set(broken_laws(judge(FLAT, chunks, outline_changes=(DEEPER,)))) == {7, 8}


def test_a_heading_changed_to_a_paragraph_is_neither_ancestor_nor_orphan() -> None:
    text = "# Page 1\n\nText.\n"
    chunks = records(text, piece("# Page 1\n\n"), piece("Text.\n"))
    assert judge(text, chunks, outline_changes=[HEAD]).ok
    named = records(text, piece("# Page 1\n\n"), piece("Text.\n", breadcrumb=("Page 1",)))
    assert broken_laws(judge(text, named, outline_changes=[HEAD])) == [7]


def test_an_outline_change_may_give_a_level_above_six() -> None:
    text = "###### A\n\nText.\n\n###### B\n\nMore.\n"
    chunks = records(
        text,
        piece("###### A\n\nText.\n\n", breadcrumb=("A",)),
        piece("###### B\n\nMore.\n", breadcrumb=("A", "B")),
    )
    assert judge(text, chunks, outline_changes=[OutlineChange(5, "B", 6, 7, "deeper")]).ok
    assert 7 in broken_laws(judge(text, chunks))


def test_the_first_record_carries_the_outline_changes() -> None:
    first, *rest = records(FLAT, *FLAT_PIECES)
    carrying = first.model_copy(update={"outline_changes": (HEAD, DEEPER)})
    report = judge(FLAT, [carrying, *rest], max_tokens=10)
    assert report.ok, report.table()
    assert not judge(FLAT, [carrying, *rest], max_tokens=10, outline_changes=()).ok


def test_given_outline_changes_apply_to_texts_of_other_tools() -> None:
    texts = ["# Page 1\n\n", "## 5 Tests\n\nText.\n\n## 5.1 Limits\n\nMore.\n"]
    assert judge(FLAT, texts, outline_changes=[HEAD]).ok
    assert set(broken_laws(judge(FLAT, texts))) == {7, 8}


def test_the_report_states_that_changed_levels_were_not_checked() -> None:
    chunks = records(FLAT, *FLAT_PIECES)
    report = judge(FLAT, chunks, outline_changes=(HEAD, DEEPER))
    assert report.laws[6].unchecked == {"not checked: whether changed heading levels are right": 1}
    assert judge(FLAT, chunks).laws[6].unchecked == {}


@pytest.mark.parametrize(
    ("change", "line", "message"),
    [
        (OutlineChange(8, "5.1 Limits", 2, 3, "x"), 8, "matches no heading there"),
        (OutlineChange(5, "Text.", 2, 3, "x"), 5, "matches no heading there"),
        (OutlineChange(99, "5.1 Limits", 2, 3, "x"), None, "on line 99"),
        (OutlineChange(0, "5.1 Limits", 2, 3, "x"), None, "on line 0"),
        (OutlineChange(7, "5.2 Limits", 2, 3, "x"), 7, 'not match the heading there, "5.1 Limits"'),
        (OutlineChange(7, "", 2, None, "x"), 7, 'not match the heading there, "5.1 Limits"'),
        (OutlineChange(7, "5.1 Limits", 1, 3, "x"), 7, "old level 1, but the heading has level 2"),
        (OutlineChange(7, "5.1 Limits", 2, 0, "x"), 7, "gives the new level 0"),
        (OutlineChange(7, "5.1 Limits", 2, 3, " "), 7, "has no reason"),
    ],
)
def test_an_invalid_outline_change_breaks_law_7_and_is_not_applied(
    change: OutlineChange, line: int | None, message: str
) -> None:
    text_pieces = (FLAT_PIECES[0], FLAT_PIECES[1], piece("## 5.1 Limits\n\nMore.\n"))
    report = judge(FLAT, records(FLAT, *text_pieces), outline_changes=[HEAD, change])
    assert broken_laws(report) == [7]
    assert report.findings[0].line == line
    assert message in report.findings[0].reason


@pytest.mark.parametrize("character", ["\u0085", "\u00a0", "\u2028"])
def test_a_change_of_an_empty_heading_must_name_its_line(character: str) -> None:
    """For markdown, only spaces and tabs make a blank line; Python's ``strip`` removes more."""
    source = f"text\n\n{character}\n---\n\nmore\n"
    chunks = records(source, piece(source))

    def found(line: int) -> list[int]:
        change = OutlineChange(line, "", 2, None, "empty heading")
        return broken_laws(judge(source, chunks, outline_changes=[change]))

    assert found(3) == []
    assert 7 in found(4)


def test_a_heading_can_be_changed_only_once() -> None:
    twice = [HEAD, DEEPER, OutlineChange(7, "5.1 Limits", 3, 4, "again")]
    report = judge(FLAT, records(FLAT, *FLAT_PIECES), max_tokens=10, outline_changes=twice)
    said = "matches no heading there, or one that is already changed"
    assert reasons(report, 7) == [f'the outline change of "5.1 Limits" on line 7 {said}']


@pytest.mark.parametrize(
    "heading", ["Contents ... 3\n===", "<h1>Contents ... 3</h1>", "# Contents ... 3"]
)
def test_a_heading_in_any_syntax_can_be_changed(heading: str) -> None:
    text = f"{heading}\n\n## A\n\nText.\n"
    chunks = records(text, piece(f"{heading}\n\n"), piece("## A\n\nText.\n", breadcrumb=("A",)))
    change = OutlineChange(1, "Contents ... 3", 1, None, "entry of a table of contents")
    assert judge(text, chunks, outline_changes=[change]).ok
    assert not judge(text, chunks).ok


# ---------------------------------------------------------------- law 8: no orphans


def test_a_heading_separated_from_its_text_breaks_law_8() -> None:
    source = "# A\n\ntext\n"
    chunks = records(
        source, piece("# A\n\n", breadcrumb=("A",)), piece("text\n", breadcrumb=("A",))
    )
    assert broken_laws(judge(source, chunks)) == [8]


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
    titles = [f"## Title {number}\n\n" for number in range(40)]
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


# ---------------------------------------------------------------- limits of exceptions


def test_prose_between_rules_is_not_front_matter() -> None:
    source = "---\nSome prose.\nNote: more of it.\n\n# A heading\n---\n\nText.\n"
    chunks = records(source, piece(source.split("Text", maxsplit=1)[0]), piece("Text.\n"))
    assert 7 in broken_laws(judge(source, chunks))


# ---------------------------------------------------------------- the judge itself


@pytest.mark.parametrize(("cap", "laws"), [(48, []), (200, [8])])
def test_a_heading_above_an_admonition_needs_its_first_tag(cap: int, laws: list[int]) -> None:
    comment = "<!-- " + "word " * 30 + "-->"
    source = f"# Title\n\n!!! note\n    {comment}\n\n    And more.\n"
    chunks = [source[:9], source[9:]]
    found = broken_laws(judge(source, chunks, max_tokens=cap))
    assert [law for law in found if law == 8] == laws
