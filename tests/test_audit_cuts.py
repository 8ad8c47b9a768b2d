"""The audit of law 9: nothing that fits is cut."""

from typing import Any

import pytest
from audit_records import (
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
)

import treepack.laws
from treepack.laws import AuditReport, audit

# ---------------------------------------------------------------- law 9: clean cuts


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


def cut_line_findings(source: str, max_tokens: int) -> list[str]:
    first, last = source.split("|")
    pieces = piece(first, ("fence", "\n```")), piece(("fence", "```\n"), last)
    chunks = records(first + last, *pieces)
    report = judge(first + last, chunks, max_tokens=max_tokens)
    return [finding.reason[:6] for finding in report.findings if finding.law == 9]


@pytest.mark.parametrize("blank_lines", ["", "\n", "\n\n"])
def test_a_heading_before_a_fence_leaves_less_room_for_the_first_code_line(
    blank_lines: str,
) -> None:
    heading, line = f"# {'x ' * 9}\n\n", "one two |three four five six seven eight\n"
    code = f"```\n{blank_lines}{{}}```\n"
    assert cut_line_findings(FILLER + heading + code.format(line), 28) == []
    assert cut_line_findings(FILLER + heading + code.format("a\n" + line), 28) == ["a line"]


@pytest.mark.parametrize(("marks", "found"), [(3, ["a line"]), (12, [])])
def test_a_closing_fence_leaves_less_room_for_the_last_code_line(
    marks: int, found: list[str]
) -> None:
    line = "one two |three four five six seven eight\n"
    source = f"{FILLER}```\n{'y ' * 10}\n{line}{'`' * marks}\n"
    assert cut_line_findings(source, 24) == found


@pytest.mark.parametrize(("bar", "found"), [("| ", []), ("", ["a sentence"])])
def test_a_sentence_that_begins_with_a_bar_may_be_cut(bar: str, found: list[str]) -> None:
    first, last = f"{'汉' * 30}。 {bar}one two ", f"three four。{'汉' * 30}\n"
    report = audit_cut(first + last, first, last)
    assert [reason[:10] for reason in reasons(report, 9)] == found


@pytest.mark.parametrize(
    ("between", "laws"),
    [("\n\n", []), ("\r\n\r\n", []), ("\n>\n> ", []), ("\n", [9]), ("\r\n", [9])],
)
def test_a_blank_line_ends_a_sentence_in_a_comment(between: str, laws: list[int]) -> None:
    """An HTML comment continues after a blank line, but a sentence in it does not."""
    mark = "> " if ">" in between else ""
    first, last = f"{mark}<!-- {'x ' * 30}ending. Here begins", "a short one.\n"
    found = broken_laws(audit_cut(first + between + last, first, last, max_tokens=24))
    assert [law for law in found if law == 9] == laws


@pytest.mark.parametrize(("mark", "is_sure"), [("", True), ("| ", False)])
def test_a_chinese_full_stop_ends_a_sentence_only_before_a_letter(
    mark: str,
    *,
    is_sure: bool,
) -> None:
    """Before a punctuation mark the sentence may continue."""
    first, last = f"{'检测 ' * 12}方法。 {mark}T1 ", f"A1 合格。 {'符合 ' * 12}要求。"
    found = audit_cut(first + last, first, last, max_tokens=20).findings
    assert any("a sentence of 5 tokens" in x.reason for x in found) == is_sure
    assert any(x.law == 9 for x in found) == is_sure


@pytest.mark.parametrize(("stop", "found"), [("。", []), ("", ["a word"])])
def test_emphasis_markup_after_a_full_stop_is_not_part_of_a_word(
    stop: str, found: list[str]
) -> None:
    first, last = f"{'word ' * 40}__Data{stop}__", f"collected {'word ' * 40}\n"
    report = audit_cut(first + last, first, last, max_tokens=20)
    assert [reason[:6] for reason in reasons(report, 9)] == found


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("It ends at a table. ", "Then it begins again.", []),
        ("It ends at ", "a table. Then it begins again.", ["a sentence"]),
    ],
)
def test_a_tag_above_the_cap_may_be_cut_between_its_sentences(
    before: str, after: str, found: list[str]
) -> None:
    first, last = f'<img alt="{"One two three words. " * 12}{before}', f'{after}" />\n'
    report = audit_cut(first + last, first, last, max_tokens=40)
    assert [reason[:10] for reason in reasons(report, 9)] == found


@pytest.mark.parametrize("opening", ["!!! warning", '??? tip "T"'])
def test_the_first_block_of_an_admonition_stays_with_the_heading_above(opening: str) -> None:
    """The opening line is not its own block. If the heading fits too, the cut is a finding."""
    item = f"    - {'x ' * 12}\n"
    first = f"<h1>A A A</h1>\n\n{opening}\n{item}"
    source = FILLER + first + item
    chunks = records(source, *map(piece, (FILLER, first, item)))
    found = [reasons(judge(source, chunks, max_tokens=cap), 9) for cap in (42, 55)]
    assert found[0] == []
    assert len(found[1]) == 1


def test_cutting_a_row_that_fits_breaks_law_9() -> None:
    report = audit_cut(
        TABLE, "# T\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 ", "| 4 |\n| 5 | 6 |\n", max_tokens=30
    )
    assert any(x.reason.startswith("a row of ") for x in report.findings if x.law == 9)


@pytest.mark.parametrize(("cap", "found"), [(36, 0), (44, 1)])
def test_the_table_header_counts_once_with_the_first_row(cap: int, found: int) -> None:
    head, row = f"| {'name ' * 12}| b |\n|---|---|\n", "| one two three four | 2 |\n"
    source = head + row * 9
    at = source.index(" three")
    report = audit_cut(source, source[:at], source[at:], max_tokens=cap)
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


def test_list_markers_count_as_they_are_written() -> None:
    item = "- " * 3 + "one two three four five six seven eight nine ten eleven\n\n"
    source = item + "      last words\n"
    assert 9 in broken_laws(audit_cut(source, item, "      last words\n", max_tokens=24))


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
def test_repeating_a_heading_that_is_not_above_breaks_law_7(repeated: str) -> None:
    heading: Part = ("heading", repeated, SECTIONS.index(repeated))
    parts, changes = TWO
    last = piece(heading, ("glue", "\n\n"), *parts, **changes)
    chunks = records(SECTIONS, TOP, ONE, last)
    assert 7 in broken_laws(judge(SECTIONS, chunks))


# ---------------------------------------------------------------- the judge itself


def test_an_abbreviated_title_before_a_name_does_not_end_a_sentence() -> None:
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
