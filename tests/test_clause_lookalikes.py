"""Lines that only look like clauses: entries of a TOC, notes, quantities, steps, axis labels."""

import pytest
from clause_texts import blocks, numbers, table

from treepack.document.build import parse


def test_titles_with_dot_leaders_and_page_numbers_are_not_clauses() -> None:
    contents = "8.1 Duties . . . . . . . 91\n\n8.2 Records ........ 92\n\n"
    clauses = "8.1 Fees. The parties pay them.\n\n8.2 Law. That of France.\n\n# 9 End\n\nNone.\n"
    found = parse(f"# 8 Terms\n\n{contents}{clauses}").clauses
    assert [(each.number, each.title) for each in found[1:3]] == [("8.1", "Fees"), ("8.2", "Law")]
    assert len(found) == 4


@pytest.mark.parametrize("dots", [". . . . .", ". . . . . . . . . . . .", "." * 60])
def test_dotted_lines_to_fill_in_do_not_make_a_form_a_toc(dots: str) -> None:
    owner, place = f"2.2 Owner of the pump\n: {dots}", f"2.3 Place\n{dots}"
    text = blocks("# Form", f"2.1 Name: {dots} Date: {dots}", owner, place, "2.4 Pumps")
    assert numbers(text) == ["2.1", "2.2", "2.3", "2.4"]


INDEX = """\
- I
  - - **idempotent**

      **Section 9.1**

    - **inbound**

      **Section 9, Paragraph 4**

- M
  - - **method**

      Section 9

    - **message**

      *Section 9.1*
"""


@pytest.mark.parametrize("title", ["Index", "Where words are said", "Register"])
@pytest.mark.parametrize(
    "index",
    [
        INDEX,
        "inbound\n\nSection 9.1\n\nmethod\n\nSection 9\n\nSection 9.1\n",
        "- Section 9\n- Section 9.1\n- Section 10\n",
        "- Article 4\n- Article 9\n",
        "Section 9.1\n\nSection 9\n\nSection 9.1\n",
    ],
)
def test_index_entries_that_are_only_references_open_no_clause(title: str, index: str) -> None:
    text = blocks("# 9 Methods", "Text.", "## 9.1 Overview", "Text.", f"# {title}", index)
    assert numbers(text) == ["9", "9.1"]
    assert numbers(text.replace("\n", "\r\n")) == numbers(text.replace("\n", "\r")) == ["9", "9.1"]


def test_chapter_labels_away_from_the_chapter_headings_are_not_clauses() -> None:
    """It comes from a title page, a TOC or a torn title. One with a lost heading does count."""
    text = blocks(
        *("**CHAPTER 1 - Pumps**", "A. PURPOSE1-1", "**CHAPTER 2**", "**Pumps of**"),
        *("**CHAPTER 13 CASES**", "# CHAPTER 1 - Pumps", "Text.", "# CHAPTER 2 - Cases", "Text."),
        *("**CHAPTER 3**", "Text.", "# CHAPTER 4", "Text."),
    )
    assert numbers(text) == ["Chapter 1", "Chapter 2", "Chapter 3", "Chapter 4"]
    assert parse(text).clauses[0].start == text.index("# CHAPTER 1")


CONTENTS = ("1.1. Scope", "1.2. Terms", "2.1. Tests", "2.2. *Forms*")


@pytest.mark.parametrize("form", ["{}", "- {}", "    * {}"])
def test_toc_entries_above_headings_are_not_clauses(form: str) -> None:
    entries = [form.format(title) for title in CONTENTS]
    entries = entries if form == "{}" else ["- Contents", *entries]
    headings = [f"## {title}\n\nText." for title in CONTENTS]
    assert numbers(blocks(*entries, "# Pumps", *headings)) == ["1.1", "1.2", "2.1", "2.2"]


def test_one_line_points_repeated_in_two_annexes_stay_clauses() -> None:
    """Two annexes ask for the same data, so both lists are clauses."""
    points = ("1. The name;", "2. The place;", "3. The date.")
    text = blocks("# Article 1", "# Annex I", *points, "# Annex II", *points)
    assert len(numbers(text)) == 9


@pytest.mark.parametrize(
    "rows", [("1.1", "2.5"), ("3.1 Some liquid", "Text"), ("0.0", "7.4"), ("1.01", "1.25")]
)
def test_isolated_decimal_paragraphs_are_not_clauses(rows: tuple[str, ...]) -> None:
    """They are cells of a broken table or quantities: no number before or after continues them."""
    assert numbers(blocks("# Doses", *rows, "Text.")) == []


@pytest.mark.parametrize(
    "text",
    [
        blocks("# Guide", "1. Install it.\n2. Run it.", "(a) is a letter."),
        blocks("# 2 Guide", "## 2.1 Setup", "1. Install it.\n2. Run it."),
        blocks("# Chapter 2 Games", "1. Roll.\n2. Move."),
        blocks("# Rice", "## 3 ways to cook it", "## Salt"),
        blocks("# Changes", "## 1.2.0", "## 1.1.0", "## 1.0.1", "## 1.0.0"),
        blocks("# Net", "10.0.0.1 is the gateway.", "2.5 kg of cable."),
        blocks("# Numbers", "| Version | Date |\n|---|---|\n| 1.2.3 | May |\n| 1.2.4 | June |"),
        blocks("# Prices", "| Item | Price |\n|---|---|\n| Tea | 1.20 |\n| Milk | 2.10 |"),
        blocks("# Quote", "> (1) A law is quoted.\n>\n> (2) It goes on."),
        blocks("# Code", "```\n5.1 Not a clause\n```"),
        blocks("# Contents", "5.1 Limits ........ 12", "5.2 Tests ........ 14"),
    ],
)
def test_ordinary_documents_have_no_clauses_in_their_text(text: str) -> None:
    found = [clause for clause in parse(text).clauses if text[clause.start] != "#"]
    assert found == []


def test_a_single_numbered_heading_is_not_a_clause() -> None:
    assert numbers("# 10 tips\n\n# Tea\n") == []
    assert numbers("# 10 Tips\n\n# Tea\n") == []
    assert numbers("# 9 Tea\n\n# 10 Milk\n") == ["9", "10"]
    assert numbers("# 10 Milk\n\n## 10.1 Skimmed\n") == ["10", "10.1"]


LOOKALIKES = {
    "50 parts": ".".join(map(str, range(1, 51))),
    "roman words": "I mix|MIX|I did|CIVIL law|Mix it|DIM light|LIVID",
    "years": "2024 Report|1998|2001. A year|1066 and all that",
    "IPv4": "10.0.0.1|192.168.1.1 Gateway|127.0.0.1:8080 Loopback|8.8.8.8 Resolver",
    "IPv6": "2001:db8::1|::1 Loopback|fe80::1 Link",
    "versions": "v2.1.3 Released|3.10.2 (2024-05-12)|3.10.2 - 2024-05-12|1.2.3-rc.1 Notes",
    "money": "$5.10|12.50 EUR|1.250.000 Euro|€ 3.20|5.10 € each|17.1250 Note",
    "dates": "12.05.2024|12.05.24 Note|2024-05-12 Note|12/05/2024 Note|05/12/2024|12 May 2024 Note"
    "|May 12, 2024|12. Mai 2024|1 mai 2024 Note|1.1.1970 Epoch|12.31.1999 Note|5.1999 Note",
    "quantities": "12.5 kg|3.3 V supply|5 ms delay|2.4 GHz band|1.5 million people|5.1 %",
}
CASES = [(name, line) for name, rows in LOOKALIKES.items() for line in rows.split("|")]


@pytest.mark.parametrize(("name", "line"), CASES)
def test_lookalikes_of_clause_numbers_are_not_clauses_anywhere(name: str, line: str) -> None:
    """This holds for a heading, a paragraph, a list item or a table cell in a legal document."""
    rows = table("Any", line, line)
    text = blocks(
        *("# Article 1", "Text.", line, f"- {line}", f"**{line}**", rows, f"## {line}", "Text."),
    )
    assert numbers(text) == ["1"], name


def test_axis_labels_of_a_chart_are_not_clauses() -> None:
    chart = "1.0\n\nPressure in bar\n\n1.2\n\nSpeed\n\n1.4\n\nTorque"
    assert [] == [clause.number for clause in parse(chart).clauses]
    clauses = "5.1\n\nPay the rent.\n\n5.2\n\nKeep the house.\n\n5.3\n\nGo."
    assert ["5.1", "5.2", "5.3"] == [clause.number for clause in parse(clauses).clauses]


def test_steps_of_a_manual_that_look_like_sections_are_not_clauses() -> None:
    text = "# Pump\n\n1  Remove the lid\n\n(1) of these has a seal.\n\n12 (1) bolts hold it.\n"
    assert not parse(text).clauses


def test_degrees_are_not_points() -> None:
    text = (
        "# Article 1\n\nLa cuve est chauffée à\n\n40° C au plus.\n\n1° C suffit.\n\n2° C aussi.\n"
    )
    assert [clause.number for clause in parse(text).clauses] == ["1"]


@pytest.mark.parametrize("newlines", ["\n", "\n\n"])
@pytest.mark.parametrize("head", ["# {}. {}\n\n", "**{}. {}**\n\n", "{}. **{}.** ", "{}. {}. "])
def test_a_toc_without_page_numbers_has_no_clauses(head: str, newlines: str) -> None:
    rule = (
        "The licensor and the licensee agree hereby, notwithstanding any warranty, liability or "
        "termination of this agreement."
    )
    titles = ["Definitions", "Grant", "Payment of fees", "Term"]
    entries = newlines.join(f"{number}. {title}" for number, title in enumerate(titles, 1))
    body = "\n\n".join(
        f"{head.format(number, title)}{rule}" for number, title in enumerate(titles, 1)
    )
    text = f"# Agreement\n\n{entries}\n\n{body}\n"
    clauses = parse(text, name="agreement.md").clauses
    assert [(clause.number, clause.title) for clause in clauses] == [
        (str(number), title) for number, title in enumerate(titles, 1)
    ]
    assert clauses[0].start >= text.index(body)
    without = parse(f"# Agreement\n\n{entries}\n\n{rule}\n\n{rule}\n", name="a.md").clauses
    assert len(without) == len(titles)


def test_steps_of_a_guide_that_mentions_agreements_are_not_clauses() -> None:
    text = (
        "# Terms kit\n\nAgreements between parties are made of these terms. An agreement names "
        "both parties, and each agreement has its licence. Licences are free to use.\n\n"
        "## How to use it\n\n1. Copy the agreement.\n\n2. Fill in the parties.\n\n3. Sign it.\n"
    )
    assert not parse(text, name="README.md").clauses
