"""Titles of clauses: in headings, in bold, or at the beginning of the clause's text."""

import textwrap

import pytest
from clause_texts import blocks, numbers

from treepack import PackConfig, audit, pack
from treepack.clauses.titles import run_in_title
from treepack.clauses.walk import find_clauses
from treepack.document.build import parse

LICENCE = blocks(
    "SHARING LICENCE",
    "This agreement binds the parties; notwithstanding a breach, the licensor gives no warranty.",
    "0. This licence holds for any work whose licensor says so.",
    "What else the parties do is outside of it.",
    "1. **Copying**. You may copy the work, and the licensee bears all liability.",
    "2. **Changing**. You may change the work, provided that you also:\n\n    a) say so; and\n\n"
    "    b) say when.",
    "These conditions hold for the whole.",
    "3. **Ending**. On termination, all sublicensees keep their rights.",
)


def test_clauses_with_run_in_titles_need_no_headings() -> None:
    found = find_clauses(parse(LICENCE))
    assert [c.number for c in found] == ["0", "1", "2", "2(a)", "2(b)", "3"]
    assert [c.title for c in found] == ["", "Copying", "Changing", "", "", "Ending"]
    for clause in found:
        span = clause.title_span
        assert (LICENCE[span[0] : span[1]] if span else "") == clause.title
    by_number = {c.number: c for c in found}
    assert by_number["0"].end == by_number["1"].start, (
        "a paragraph without a label continues the clause"
    )
    assert by_number["2(b)"].end <= LICENCE.index("These conditions") < by_number["2"].end


def test_numbered_run_in_titles_are_clauses_only_in_legal_wording() -> None:
    steps = ("1. **Fill**. Take water.", "2. **Heat**. Wait for steam.", "3. **Pour**. Slowly.")
    assert numbers(blocks("Tea for two", "Some words first.", *steps)) == []
    worded = "The parties to this agreement settle warranties, liability and jurisdiction."
    assert numbers(blocks("Tea for two", worded, *steps)) == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Section 2.1 Term. It lasts a year.", "Term"),
        ("Section 2.1. Term and Termination. It lasts a year.", "Term and Termination"),
        ("Section 2.1 [Term]. Term. It lasts a year.", "Term"),
        ("**2.1.\tTerm.** It lasts a year.", "Term"),
        ("2.1 **Term**: It lasts a year.", "Term"),
        ("2.1 Grant of the licence. It lasts a year.", "Grant of the licence"),
        ("2.1 TERM OF SERVICE. It lasts a year.", "TERM OF SERVICE"),
        ("2.1 Point of Sale. It is in town.", "Point of Sale"),
        ("2.1 It lasts a year. Then it ends.", ""),
        ("2.1 The Buyer shall pay. Then it ends.", ""),
        ("2.1 ACME Inc. sells pumps.", ""),
        ("2.1 Term", ""),
    ],
)
def test_a_run_in_title_is_distinguished_from_the_first_sentence(text: str, title: str) -> None:
    found = find_clauses(parse(blocks("# 2 Duties", text, "# 3 Rights")))
    assert (found[1].number.removeprefix("Section "), found[1].title) == ("2.1", title)


def test_points_that_continue_a_sentence_are_not_sections() -> None:
    """Their sentence begins above. A phrase before a colon is no title, or only a point's title."""
    law = "# § 11 Begriffe\n\n(1) Im Sinne dieses Gesetzes ist\n\n"
    points = "1.  Richter:\n\n    wer Recht spricht;\n\n2.  Behörde:\n\n    auch ein Gericht.\n"
    (_, _, *found) = find_clauses(parse(law + points))
    assert [(each.number, each.title, each.is_led) for each in found] == [
        ("§ 11(1)(1)", "", True),
        ("§ 11(1)(2)", "", True),
    ]
    (_, _, *found) = find_clauses(parse(law.replace("ist", "sind:") + points))
    assert [(each.title, each.is_run_in) for each in found] == [
        ("Richter", False),
        ("Behörde", False),
    ]


@pytest.mark.parametrize(
    "text",
    ["Straftaten nach § 19 Abs. 1 bis 3.", "Daten (§ 202 Satz. Weiteres) in der Absicht."],
)
def test_a_phrase_that_ends_with_an_abbreviation_is_not_a_title(text: str) -> None:
    assert run_in_title(f"1. {text} Mehr.", 0, len(text) + 9, "1.") is None


def test_a_bold_paragraph_that_is_not_a_sentence_titles_a_part() -> None:
    text = blocks(
        "# Anhang 1 Abwasser",
        "**Teil 1 Anwendungsbereich**",
        "(1) Gilt hier.",
        "(2) Gilt dort.",
        "**Teil 2 Anforderungen für Lampen aus anderen Anlagen\nals der Halle**",
        "(1) Gilt nicht.",
        "(2) Gilt doch.",
        "**Teil 3 gilt nicht.**",
    )
    parts = [clause for clause in find_clauses(parse(text)) if clause.kind == "part"]
    assert [(each.number, each.title) for each in parts] == [
        ("Anhang 1 Teil 1", "Anwendungsbereich"),
        ("Anhang 1 Teil 2", "Anforderungen für Lampen aus anderen Anlagen als der Halle"),
    ]


def test_a_clause_that_is_a_heading_takes_its_title_from_the_heading() -> None:
    text = blocks("# Article 5", "Words.", "# Article 6 — Duties of *makers*", "Words.")
    assert [(c.title, c.is_heading) for c in find_clauses(parse(text))] == [
        ("", True),
        ("Duties of makers", True),
    ]


@pytest.mark.parametrize("mark", ["<!-- page 2 -->\n", "[Page 2]\n"])
def test_half_a_sentence_before_a_page_mark_is_not_a_title(mark: str) -> None:
    text = (
        "# Lease\n\n3.1 Deposit\n\nThe deposit is 900 EUR.\n\n3.2 The tenant pays the rent\n"
        f"{mark}by the third working day.\n\n3.3 Interest\n\na. Late payments bear interest.\n"
    )
    titles = [clause.title for clause in find_clauses(parse(text)) if "(" not in clause.number]
    assert titles == ["Deposit", "", "Interest"]


def test_deep_numbers_with_lower_case_titles_are_clauses_if_in_sequence() -> None:
    text = (
        "# 3.2 Functions\n\n3.2.1 Printing of values. The value is printed at once.\n\n"
        "3.2.2 printf(format). Prints by a format that the text gives.\n\n"
        "3.2.3 puts(text). Prints a text and ends the line.\n\nThe function of section\n\n"
        "3.2.9 prints nothing.\n\n3.2.4 Reading. Reads a line and gives it back.\n"
    )
    numbers = [clause.number for clause in find_clauses(parse(text))]
    assert numbers == ["3.2", "3.2.1", "3.2.2", "3.2.3", "3.2.4"]
    chunks = pack(text, PackConfig(max_tokens=40))
    assert not audit(text, chunks, PackConfig(max_tokens=40)).findings


def test_deep_numbers_out_of_sequence_before_lower_case_are_not_clauses() -> None:
    text = "# Functions\n\nThe function of section\n\n3.2.9 prints nothing.\n\n3.2.10 prints all.\n"
    assert not find_clauses(parse(text))


def test_a_short_clause_with_a_bold_title_is_not_a_heading() -> None:
    """If it were a heading, its siblings would be below it."""
    long = "shall, pursuant to this agreement, be made by either party within thirty days of notice"
    chapters = "".join(
        f"**{number}. PART {number}.**\n\n{number}.1 **Payment.** All payments {long}.\n\n"
        f"{number}.2 **Notice.** Any notice of breach, warranty or termination {long}.\n\n"
        for number in range(1, 6)
    )
    text = (
        "# Contract\n\n## Table of Contents\n\n1. Part 1\n2. Part 2\n3. Part 3\n4. Part 4\n"
        "5. Part 5\n6. Term\n\n"
        f"{chapters}**6. TERM.**\n\n"
        "6.1 **Term.** This agreement begins on the first day.\n\n"
        f"6.2 **End.** Any notice of liability {long}.\n\n6.3 **Rest.** Section 6.1 survives.\n"
    )
    found = {clause.number: clause for clause in find_clauses(parse(text))}
    assert [number for number, clause in found.items() if clause.is_heading] == list("123456")
    assert [found[number].title for number in ("6.1", "6.2", "6.3")] == ["Term", "End", "Rest"]


def test_a_point_alone_on_its_line_in_a_section_is_not_a_title() -> None:
    rule = "The licensor grants the licensee a licence, without any warranty or liability."
    points = [textwrap.fill(f"{number}. Right. {3 * f'{rule} '}", 76) for number in range(1, 7)]
    points[4] = f"5. Recipients.\n\nA. Offer. {rule}\n\nB. Limits. {rule}"
    texts = {
        "Definitions": f"a. Work. {rule}\n\nb. You. {rule}",
        "Scope": "a. Rights.\n\n" + "\n\n".join(points) + f"\n\nb. Others. {rule}",
        "Conditions": f"a. Notice. {rule}\n\nb. Marks. {rule}",
        "Term": rule,
    }
    text = "Free Licence\n\n" + "\n\n".join(
        f"Section {number} {title}.\n\n{body}"
        for number, (title, body) in enumerate(texts.items(), 1)
    )
    numbers = [clause.number for clause in find_clauses(parse(text, name="licence.txt"))]
    inner = [*(f"2(a)({number})" for number in range(1, 6)), "2(a)(5)(A)", "2(a)(5)(B)", "2(a)(6)"]
    assert numbers == ["1", "1(a)", "1(b)", "2", "2(a)", *inner, "2(b)", "3", "3(a)", "3(b)", "4"]
