"""Numbers and lists of Word documents, printed the way Word prints them.

Every document is made here from raw XML. The expected numbers follow the rules of ISO/IEC 29500-1
chapter 17.9, which `treepack.readers.docx.numbering` names one by one.
"""

from collections.abc import Iterable
from typing import Any

import pytest
from case_files import case_table
from docx_files import DEFAULT_STYLES, abstract, docx, h, lines_of, lvl, num, p

from treepack import parse
from treepack.clauses.walk import find_clauses
from treepack.readers.docx.numbering import format_number
from treepack.readers.docx.reader import read_docx

CONTRACT, OWN_STYLES = case_table("docx_numbers", "contract").values()
NUMBERED = "<w:pPr><w:numPr><w:numId w:val='1'/></w:numPr></w:pPr>"
FIRST = '<w:name w:val="heading 1"/>'
CONTRACT_STYLES = DEFAULT_STYLES.replace(FIRST, FIRST + NUMBERED) + OWN_STYLES


def test_articles_and_annexes_are_numbered_as_word_prints_them() -> None:
    """For this contract, docling prints other numbers: 2.2, 2.4, 3 and 3.1."""
    body = h(1, "Gegenstand") + p("Der Umfang.", "Absatz") * 2 + h(1, "Pflichten")
    body += p("Die Pflicht.", "Absatz") * 2 + p("Formulare", "Anhang1")
    body += p("Antrag", "Anhang2") + p("Bescheid", "Anhang2")
    source = read_docx(docx(body, numbering=CONTRACT, styles=CONTRACT_STYLES), "a.docx")
    assert source.text.split("\n")[:-1:2] == [
        "# Artikel I Gegenstand", "1.1 Der Umfang.", "1.2 Der Umfang.", "# Artikel II Pflichten",
        "2.1 Die Pflicht.", "2.2 Die Pflicht.", "# Anhang A Formulare", "## A.1 Antrag",
        "## A.2 Bescheid",
    ]  # fmt: skip
    paths = [clause.path for clause in find_clauses(parse(source))]
    assert paths[:2] == [("Artikel I",), ("Artikel I", "1.1")]
    assert paths[-3:] == [("Anhang A",), ("Anhang A", "A.1"), ("Anhang A", "A.2")]


def numbered(levels: Iterable[str], *places: tuple[int, int], more: str = "") -> list[str]:
    """The numbers of headings, given their instance and level; the list is instance 1."""
    body = "".join(h(level + 1, "x", (number, level)) for number, level in places)
    lines = lines_of(body, numbering=abstract(1, levels) + num(1, 1) + more)
    return [line.lstrip("#").removesuffix("x").strip() for line in lines]


@pytest.mark.parametrize(
    ("levels", "places", "more", "numbers"), case_table("docx_numbers", "levels")
)
def test_levels_are_counted_as_word_counts_them(
    levels: list[Any], places: list[tuple[int, int]], more: str, numbers: str
) -> None:
    made = [
        level if isinstance(level, str) else lvl(at, level[0], level[1], more=level[2])
        for at, level in enumerate(levels)
    ]
    assert " ".join(numbered(made, *places, more=more)) == numbers


@pytest.mark.parametrize("number", [(0, 0), (99, 0), (1, 10)])
def test_a_list_that_is_removed_or_does_not_exist_gives_no_number(number: tuple[int, int]) -> None:
    body = h(1, "a") + h(1, "Vorwort", number) + h(1, "b")
    lines = lines_of(body, numbering=CONTRACT, styles=CONTRACT_STYLES)
    assert lines == ["# Artikel I a", "# Vorwort", "# Artikel II b"]


def test_a_style_inherits_the_numbering_of_its_base_style() -> None:
    styles = CONTRACT_STYLES + (
        '<w:style w:type="paragraph" w:styleId="Eigen"><w:name w:val="Eigen"/>'
        '<w:basedOn w:val="berschrift1"/></w:style>'
    )
    body = h(1, "a") + p("b", "Eigen")
    assert lines_of(body, numbering=CONTRACT, styles=styles) == ["# Artikel I a", "# Artikel II b"]


@pytest.mark.parametrize(("form", "printed"), case_table("docx_numbers", "formats"))
def test_numbers_are_printed_in_the_formats_of_word(form: str, printed: dict[str, str]) -> None:
    assert {value: format_number(int(value), form) for value in printed} == printed


def test_labels_that_are_not_markdown_markers_begin_paragraphs() -> None:
    numbering = abstract(1, [lvl(0, "(%1)"), lvl(1, "%2)", "lowerLetter")]) + num(1, 1)
    body = h(1, "§ 1 Zweck") + p("Erstens.", number=(1, 0)) + p("Unter.", number=(1, 1))
    source = read_docx(docx(body, numbering=numbering), "a.docx")
    assert source.text == "# § 1 Zweck\n\n(1) Erstens.\n\na) Unter.\n"
    assert [clause.number for clause in find_clauses(parse(source))][-1] == "§ 1(1)(a)"
