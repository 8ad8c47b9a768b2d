"""The running numbering of clauses in contracts, standards, licences and requirement tables."""

import re
from typing import Final

import pytest
from audits import findings_in
from clause_texts import LAW_WORDS, blocks, numbers, table

from treepack import PackConfig, audit, pack
from treepack.clauses.walk import find_clauses
from treepack.document.build import parse


def test_a_footnote_reference_may_follow_a_label() -> None:
    pumps, lamps = ("**1.** **Pumps**", "They run."), ("**2.**[^f1] **Lamps**", "They burn.")
    text = blocks("# Article 1 Parts", *pumps, *lamps, "3.[^f2] None.")
    assert numbers(text) == ["1", "1(1)", "1(2)", "1(3)"]


def test_a_nested_list_numbered_like_its_clauses_is_recognised_by_what_follows() -> None:
    text = blocks(
        *(LAW_WORDS, "1. The first is this.", "2. The second is that:", "A. One is named:"),
        *("1. this one;", "2. that one.", "B. The other is not.", "3. The third is kept."),
    )
    assert numbers(text) == ["1", "2", "2(A)", "2(A)(1)", "2(A)(2)", "2(B)", "3"]


def test_numbering_continues_across_headings_and_run_in_titles() -> None:
    text = blocks(
        *(LAW_WORDS, "1. Purchase. The parties buy.", "## 2. Service", "A. One.", "B. Two."),
        *("3. Payment. It is due.", "## 4. End", "It ends.", "## Last words", "5. Law. Of here."),
    )
    assert numbers(text) == ["1", "2", "2(A)", "2(B)", "3", "4", "5"]


def test_points_below_contract_sections_are_clauses() -> None:
    text = blocks(
        "# Lease",
        "## Section 4 Rent",
        "(a) Rent is due.",
        "(h) is no step after (a).",
        "(b) Rent is paid",
        "(i) in cash;",
        "(ii) by cheque.",
        "(c) Rent is kept.",
        "## Section 5 Keys",
        "(a) Keys are kept.",
    )
    assert numbers(text) == [
        *("4", "4(a)", "4(b)", "4(b)(i)", "4(b)(ii)", "4(c)", "5", "5(a)"),
    ]


def test_sections_points_and_annexes_of_a_standard_are_clauses() -> None:
    text = blocks(
        "# 5 Tests",
        "## 5.1 General",
        "### 5.1.2 Limits",
        "The limits are:",
        "a) low;",
        "b) high.",
        "1. Switch it on.\n2. Switch it off.",
        "# Annex A (normative)",
        "## A.2 Set-up",
        "# Annex B",
        "1.1 General remarks",
    )
    assert numbers(text) == [
        *("5", "5.1", "5.1.2", "5.1.2(a)", "5.1.2(b)"),
        *("Annex A", "A.2", "Annex B", "Annex B(1.1)"),
    ]


def test_a_clause_whose_number_is_printed_twice_begins_at_the_first() -> None:
    """Extraction of UN R155 printed the cells of a table as paragraphs, each twice."""
    cells = [cell for n in (1, 2) for cell in (f"6.{n}", f"6.{n}", "Words.", "Words.")]
    text = blocks("# Article 6", "6.1. Words.", "6.2. Words.", "# Annex 5", *cells)
    starts = [clause.start for clause in find_clauses(parse(text)) if clause.kind == "decimal"]
    annex = text.index("# Annex")
    assert starts[2:] == [text.index("6.1", annex), text.index("6.2", annex)]


def test_labels_alone_on_their_lines_are_clauses_if_text_follows() -> None:
    text = blocks(
        *("# The Act", "Part 1", "Chapter 1", "Article 1", "Text.", "Article 2", "(repealed)"),
        *("Part 2", "Chapter 1", "Article 3", "1. One.", "2. Two."),
    )
    assert numbers(text) == [
        *("Part 1", "Chapter 1", "1", "2", "Part 2", "Chapter 1", "3", "3(1)", "3(2)")
    ]


@pytest.mark.parametrize("word", ["Appendix", "Annex", "Schedule"])
@pytest.mark.parametrize("letter", ["A", "C", "I", "L"])
def test_a_dotted_number_of_an_annex_is_cited_without_the_word(word: str, letter: str) -> None:
    own = f"{word} {letter}"
    text = blocks(f"# {own} Grammar", "Text.", f"## {own}.1 Rules", "Text.", f"### {own}.1.2 More")
    assert numbers(text) == [own, f"{letter}.1", f"{letter}.1.2"]


def test_numbering_restarts_below_each_clause() -> None:
    text = blocks("# Article 1", "1. A", "(a) x", "(b) y", "2. B", "(a) x", "# Article 2", "1. A")
    assert numbers(text) == ["1", "1(1)", "1(1)(a)", "1(1)(b)", "1(2)", "1(2)(a)", "2", "2(1)"]


def test_repeated_labels_are_one_clause() -> None:
    """Extraction of UN R155 printed each label and each paragraph twice."""
    text = blocks(
        *("# Article 7", "7.1.", "7.1.", "A text.", "A text.", "7.2.", "7.2.", "7.2.1.", "7.2.1."),
        *("(a)", "(a)", "One.", "One.", "(b)", "(b)", "Two.", "Two.", "7.3.", "7.3."),
    )
    assert numbers(text) == ["7", "7.1", "7.2", "7.2.1", "7.2.1(a)", "7.2.1(b)", "7.3"]


def test_ids_from_a_broken_table_do_not_interrupt_the_numbering() -> None:
    """Extraction printed each cell as a paragraph; the ids are not numbers of this part."""
    text = blocks(
        *("# Article 1", "# Annex 5", "Part B. Mitigations", "1. For links", "M10", "4.1", "4.2"),
        *("2. For updates", "12.1", "12.2", "Part C. More", "1. For servers", "3. For losses"),
    )
    assert numbers(text) == [
        *("1", "Annex 5", "Annex 5 Part B", "Annex 5 Part B(1)", "Annex 5 Part B(2)"),
        *("Annex 5 Part C", "Annex 5 Part C(1)", "Annex 5 Part C(3)"),
    ]


def test_decimals_in_annex_5_that_begin_with_5_belong_to_the_annex() -> None:
    text = blocks("# 5 Tests", "## 5.1 General", "# Annex 5", "5.1 Forms", "5.2 Marks")
    assert numbers(text) == ["5", "5.1", "Annex 5", "Annex 5(5.1)", "Annex 5(5.2)"]


def test_sections_of_an_annex_are_cited_with_the_annex() -> None:
    text = blocks(
        *("# Article 1", "# ANNEX I", "Section A. Laws", "1. One", "Section B. More laws"),
        *("1. One", "# ANNEX II", "Section A", "1. One"),
    )
    assert numbers(text) == [
        *("1", "Annex I", "Annex I Section A", "Annex I Section A(1)"),
        *("Annex I Section B", "Annex I Section B(1)"),
        *("Annex II", "Annex II Section A", "Annex II Section A(1)"),
    ]


def test_numbering_may_skip_repealed_clauses() -> None:
    text = blocks("# § 1", "(1) Eins.", "(4) Vier.", "(5) Fünf.")
    assert numbers(text) == ["§ 1", "§ 1(1)", "§ 1(4)", "§ 1(5)"]


@pytest.mark.parametrize(
    ("headings", "expected"),
    [
        ("1 A|2 B|1 C|2 D", ["1", "2", "1", "2"]),  # restart
        ("1 A|1 A|2 B", ["1", "1", "2"]),  # duplicates
        ("1 A|2 B|9 C|10 D", ["1", "2", "9", "10"]),  # gaps
        ("5.1 A|5.9 B|7.3 C", ["5.1", "5.9", "7.3"]),
        ("Article 1|Article 1|Article 7a", ["1", "1", "7a"]),
    ],
)
def test_heading_numbers_keep_restarts_duplicates_and_gaps(
    headings: str, expected: list[str]
) -> None:
    assert (
        numbers(blocks(*(f"# {heading}\n\nText." for heading in headings.split("|")))) == expected
    )


@pytest.mark.parametrize(
    ("header", "cells", "expected"),
    [
        ("#", ["**2.1.1**", "**2.1.2**"], ["2.1.1", "2.1.2"]),
        ("Req. ID", ["2.1.1", "2.1.2"], ["2.1.1", "2.1.2"]),
        ("Nr.", [r"2\.1\.1", r"2\.1\.2"], ["2.1.1", "2.1.2"]),
        ("编号", ["2.1.1", "2.1.2"], ["2.1.1", "2.1.2"]),
        ("ID", ["REQ-1", "REQ-2"], ["REQ-1", "REQ-2"]),
        ("Id", ["V3.1.1", "V3.1.2"], ["V3.1.1", "V3.1.2"]),
        ("Control", ["[AC-2](#ac2)", "[AC-3](#ac3)"], ["AC-2", "AC-3"]),
        ("Version", ["1.2.3", "1.2.4"], []),
        ("Any", ["REQ-2", "REQ-1"], []),
        ("Any", ["UTF-8", "SHA-256"], []),
        ("Register", ["CR1", "CR2"], []),
        ("Level", ["IAL2", "IAL3"], []),
        ("Bits", ["31-24", "23-16"], []),
        ("Date", ["2024-05-12", "2024-05-13"], []),
        ("Address", ["10.0.0.1", "10.0.0.2"], []),
        ("#", ["1", "2"], []),
        ("#", ["Tea", "Milk", "2.1.1"], []),
    ],
)
def test_rows_of_requirement_tables_are_clauses(
    header: str, cells: list[str], expected: list[str]
) -> None:
    assert numbers(f"# Rules\n\n{table(header, *cells)}\n") == expected


def test_a_row_is_a_clause_below_its_section() -> None:
    text = f"# V2 Keys\n\n## V2.1 Words\n\n{table('Any', '2.1.1', '2.1.2')}\n"
    row = find_clauses(parse(text))[-1]
    assert row.path == ("V2", "V2.1", "2.1.2")
    assert text[row.start : row.end] == "| 2.1.2 | Do it. |"


def test_the_audit_recognises_a_paragraph_sign_before_a_letter() -> None:
    text = (
        "\n\n".join(
            f"§ {letter}. The lessee keeps the pump, its pipes and the valves below."
            for letter in "ABC"
        )
        + "\n"
    )
    chunks = pack(text, PackConfig(max_tokens=20))
    assert [chunk.breadcrumb for chunk in chunks] == [("§ A",), ("§ B",), ("§ C",)]
    assert not audit(text, chunks, PackConfig(max_tokens=20)).findings


def test_the_audit_recognises_a_bold_chinese_chapter() -> None:
    text = "**第20章 水泵的保护措施**\n"
    chunks = pack(text)
    assert chunks[0].breadcrumb == ("第20章 水泵的保护措施",)
    assert not audit(text, chunks).findings


@pytest.mark.parametrize("title", [" Interest.", "", " **Interest.**"])
def test_the_first_point_may_be_on_the_line_of_its_clause(title: str) -> None:
    """Credit agreements have this; it is a point only if the second has its own paragraph."""
    text = (
        "# Article II\n\n"
        f"Section 2.02{title or '.'} (a) Each loan bears interest.\n\n"
        "(b) If there is a default:\n\n(i) on principal; and\n\n(ii) on the rest.\n\n"
        "Section 2.03 Dates. (a) The first day of each quarter, and (b) the last one.\n"
    )
    numbers = [clause.number for clause in find_clauses(parse(text))]
    own = [number for number in numbers if "2.02" in number]
    assert own == [
        "Section 2.02",
        "Section 2.02(a)",
        "Section 2.02(b)",
        "Section 2.02(b)(i)",
        "Section 2.02(b)(ii)",
    ]
    assert numbers[-1] == "Section 2.03"


def test_points_with_dotted_numbers_may_continue_the_sentence_above() -> None:
    text = (
        "# Lease\n\n## 1 Rent\n\nIt is due.\n\n"
        "## 2 Duties\n\n2.1 The Tenant shall:\n\n2.1.1 pay the rent;\n\n"
        "2.1.2 keep the house clean;\n\n2.2 The Landlord may enter.\n\n"
        "2.2.1 million people do not count.\n\n2.5 years pass.\n"
    )
    numbers = [clause.number for clause in find_clauses(parse(text))]
    assert numbers == ["1", "2", "2.1", "2.1.1", "2.1.2", "2.2"]


def test_points_in_a_list_item_need_no_blank_line_between_them() -> None:
    text = (
        "# Agreement\n\n## Article 1\n\n1. The licensee pays:\n   a) the fee; and\n   b) the tax.\n"
        "2. The licensor delivers:\na) the goods;\nb) the papers.\n3. Nothing else is due under\n"
        "a) or b) of it.\n"
    )
    numbers = [clause.number for clause in find_clauses(parse(text))]
    points = ["1(1)", "1(1)(a)", "1(1)(b)", "1(2)", "1(2)(a)", "1(2)(b)", "1(3)"]
    assert numbers == ["1", *points]


_FREE_LICENCE: Final = (
    "1. You may copy the program with its copyright notice.\n\n"
    "2. You may change your copy under this licence, provided that you:\n\n"
    "a) keep the disclaimer; or\n\nb) redistribute the program to nobody.\n\n"
    "3. The trademarks of the copyright holder are not licensed.\n"
)


def test_a_licence_in_everyday_words_has_clauses_and_a_recipe_has_none() -> None:
    numbers = [
        clause.number for clause in find_clauses(parse(f"# Free licence\n\n{_FREE_LICENCE}"))
    ]
    assert numbers == ["1", "2", "2(a)", "2(b)", "3"]
    recipe = "# Bread\n\n1. You may take rye.\n\n2. Knead it.\n\na) by hand; or\n\nb) by machine.\n"
    assert not find_clauses(parse(recipe))


def test_numbering_continues_across_sections_without_numbers() -> None:
    titles = {"1": "Copies", "2": "Changes", "3": "Marks"}
    points = re.sub(r"(?m)^(\d)\. ", lambda at: f"## {titles[at[1]]}\n\n({at[1]}) ", _FREE_LICENCE)
    text = f"# Free licence\n\n{points}"
    clauses = find_clauses(parse(text))
    assert [clause.number for clause in clauses] == ["1", "2", "2(a)", "2(b)", "3"]


def test_each_part_of_an_agreement_contains_its_own_clauses() -> None:
    text = (
        f"# Agreement\n\n## Part A. Copies\n\n{_FREE_LICENCE}\n## Part B. Marks\n\n{_FREE_LICENCE}"
    )
    numbers = [clause.number for clause in find_clauses(parse(text))]
    assert len(numbers) == 2 * 6
    assert numbers[:2] == ["Part A", "Part A(1)"]


def test_a_nested_list_does_not_break_the_numbering_of_clauses() -> None:
    text = (
        "# Free licence\n\n## 1. Definitions\n\nThe program is what has a copyright notice.\n\n"
        "2. Grant. The copyright holder licenses the program, without a warranty.\n\n"
        "3. Copies. You may redistribute it under this licence, if you do as follows:\n\n"
        "1. You keep the disclaimer.\n\n2. You change no trademark.\n\n"
        "4. Marks. No trademark is licensed.\n"
    )
    clauses = find_clauses(parse(text))
    assert [clause.number for clause in clauses] == ["1", "2", "3", "3(1)", "3(2)", "4"]


@pytest.mark.parametrize(
    "text", ["제 5 조 (정의) 이 법에서 쓰는 뜻은 같다.", "第 五 条 本法适用。"]
)
def test_the_audit_recognises_labels_with_spaces_inside(text: str) -> None:
    chunks = pack(text, max_tokens=64, name="law.md")
    assert chunks[0].breadcrumb == ("law.md", "".join(text.split()[:3]))
    assert findings_in(chunks) == ()
