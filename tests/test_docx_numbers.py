"""Numbers and lists of Word documents, printed the way Word prints them.

Every document is made here from raw XML. The expected numbers follow the rules of ISO/IEC 29500-1
chapter 17.9, which `treepack.readers.docx.numbering` names one by one.
"""

from collections.abc import Iterable

import pytest
from docx_files import DEFAULT_STYLES, abstract, docx, h, lines_of, lvl, num, p, start_override

from treepack import parse
from treepack.clauses.walk import find_clauses
from treepack.readers.docx.numbering import format_number
from treepack.readers.docx.reader import read_docx

ARTICLES = [
    lvl(0, "Artikel %1", "upperRoman", style="berschrift1"),
    lvl(1, "%1.%2", style="Absatz", more="<w:isLgl/>"),
]
ANNEXES = [lvl(0, "Anhang %1", "upperLetter", style="Anhang1"), lvl(1, "%1.%2", style="Anhang2")]
CONTRACT = abstract(1, ARTICLES) + abstract(2, ANNEXES) + num(1, 1) + num(2, 2)


def numbered_style(style: str, name: str, number_id: int, level: int, more: str = "") -> str:
    return (
        f'<w:style w:type="paragraph" w:styleId="{style}"><w:name w:val="{name}"/>'
        f'<w:basedOn w:val="N"/><w:pPr><w:numPr><w:ilvl w:val="{level}"/>'
        f'<w:numId w:val="{number_id}"/></w:numPr>{more}</w:pPr></w:style>'
    )


CONTRACT_STYLES = (
    DEFAULT_STYLES.replace(
        '<w:name w:val="heading 1"/>',
        '<w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>',
    )
    + numbered_style("Absatz", "Absatz", 1, 1)
    + numbered_style("Anhang1", "Anhang 1", 2, 0, '<w:outlineLvl w:val="0"/>')
    + numbered_style("Anhang2", "Anhang 2", 2, 1, '<w:outlineLvl w:val="1"/>')
)


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


def own(*levels: int) -> list[tuple[int, int]]:
    return [(1, level) for level in levels]


LEVELS = [lvl(0, "%1."), lvl(1, "%1.%2."), lvl(2, "%1.%2.%3.")]
AFTER_FIRST, NEVER = (f'<w:lvlRestart w:val="{level}"/>' for level in (1, 0))
OTHER_LABEL = f'<w:lvlOverride w:ilvl="0">{lvl(0, "§ %1")}</w:lvlOverride>'
LEGAL = [lvl(0, "Article %1", "upperRoman"), lvl(1, "%1.%2", "decimalZero", more="<w:isLgl/>")]
CUSTOM = (
    '<w:lvl w:ilvl="0"><w:start w:val="1"/><mc:AlternateContent><mc:Choice Requires="w14">'
    '<w:numFmt w:val="custom" w:format="001, 002, 003, ..."/></mc:Choice><mc:Fallback>'
    '<w:numFmt w:val="decimal"/></mc:Fallback></mc:AlternateContent><w:lvlText w:val="%1"/></w:lvl>'
)


@pytest.mark.parametrize(
    ("levels", "places", "more", "numbers"),
    [
        (LEVELS, own(0, 1, 1, 0, 1), "", "1. 1.1. 1.2. 2. 2.1."),
        (LEVELS, own(0, 0, 2, 1), "", "1. 2. 2.1.1. 2.2."),  # a skipped level counts as begun
        (LEVELS, own(1, 0), "", "1.1. 2."),
        # instances of one list share its count: this is how a list is resumed
        (LEVELS, [(1, 0), (2, 0), (1, 0)], num(2, 1), "1. 2. 3."),
        # an override restarts an instance once, and each time its level restarts
        (LEVELS, [(1, 0), (2, 0), (2, 0), (1, 0)], num(2, 1, start_override(0, 8)), "1. 8. 9. 10."),
        (LEVELS, [(2, at) for at in (0, 1, 1, 0, 1)], num(2, 1, start_override(1, 5)),
         "1. 1.5. 1.6. 2. 2.5."),
        (LEVELS, [(1, 0), (2, 0), (2, 1)], num(2, 1, OTHER_LABEL), "1. § 2 2.1."),
        ([lvl(0, "%1"), lvl(1, "%1.%2"), lvl(2, "n%3", more=AFTER_FIRST)],
         own(0, 1, 2, 1, 2, 0, 2), "", "1 1.1 n1 1.2 n2 2 n1"),
        ([lvl(0, "K %1"), lvl(1, "§ %2", more=NEVER)], own(0, 1, 1, 0, 1), "",
         "K 1 § 1 § 2 K 2 § 3"),
        (LEGAL, own(0, 1, 0, 1), "", "Article I 1.01 Article II 2.01"),
        ([CUSTOM], own(0, 0), "", "001 002"),
        # [MS-OI29500] 2.1.283: text that refers to a deeper level is ignored as a whole
        ([lvl(0, "%1.%2")], own(0), "", ""),
    ],
)  # fmt: skip
def test_levels_are_counted_as_word_counts_them(
    levels: list[str], places: list[tuple[int, int]], more: str, numbers: str
) -> None:
    assert " ".join(numbered(levels, *places, more=more)) == numbers


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


@pytest.mark.parametrize(
    ("form", "printed"),
    {
        "decimal": {12: "12"},
        "decimalZero": {7: "07", 12: "12"},
        "custom:001": {4: "004"},
        "upperRoman": {1994: "MCMXCIV", 0: "0"},
        "lowerRoman": {4: "iv"},
        "upperLetter": {26: "Z", 27: "AA", 100_000: "100000"},
        "lowerLetter": {28: "bb"},
        "ordinal": {1: "1st", 11: "11th", 22: "22nd", 33: "33rd", 100: "100th"},
        "cardinalText": {
            0: "Zero", 8: "Eight", 20: "Twenty", 21: "Twenty-one", 100: "One hundred",
            121: "One hundred twenty-one", 4012: "Four thousand twelve", 10**9: "1000000000",
        },
        "ordinalText": {
            0: "Zeroth", 8: "Eighth", 20: "Twentieth", 21: "Twenty-first", 33: "Thirty-third",
            100: "One hundredth", 4012: "Four thousand twelfth", 10**9: "1000000000",
        },
        "none": {3: ""},
        "chineseCounting": {
            0: "〇", 3: "三", 10: "十", 12: "十二", 20: "二十", 21: "二十一", 101: "一百〇一",
            110: "一百一十", 1001: "一千〇一", 10**9: "1000000000",
        },
        "decimalEnclosedCircle": {3: "③", 20: "⑳", 21: "21"},
        "ideographTraditional": {10: "癸", 11: "11"},
        "russianLower": {2: "б"},
        "decimalFullWidth": {15: "１５"},
        "aFormatOfTheFuture": {5: "5"},
    }.items(),
)  # fmt: skip
def test_numbers_are_printed_in_the_formats_of_word(form: str, printed: dict[int, str]) -> None:
    assert {value: format_number(value, form) for value in printed} == printed


def test_labels_that_are_not_markdown_markers_begin_paragraphs() -> None:
    numbering = abstract(1, [lvl(0, "(%1)"), lvl(1, "%2)", "lowerLetter")]) + num(1, 1)
    body = h(1, "§ 1 Zweck") + p("Erstens.", number=(1, 0)) + p("Unter.", number=(1, 1))
    source = read_docx(docx(body, numbering=numbering), "a.docx")
    assert source.text == "# § 1 Zweck\n\n(1) Erstens.\n\na) Unter.\n"
    assert [clause.number for clause in find_clauses(parse(source))][-1] == "§ 1(1)(a)"
