"""Numbers and lists of Word documents, printed the way Word prints them.

Every document is made here from raw XML. The expected numbers follow the rules of ISO/IEC 29500-1
chapter 17.9, which `treepack.readers.docx.numbering` names one by one.
"""

import pytest
from docx_files import (
    DEFAULT_STYLES,
    abstract,
    docx,
    h,
    lvl,
    num,
    p,
    r,
    start_override,
)
from docx_texts import LIST, OUTLINE, lines_of, text_of

from treepack import parse
from treepack.clauses.walk import find_clauses
from treepack.readers.docx.number_formats import format_number
from treepack.readers.docx.reader import read_docx

# -------------------------------------------------------------------- numbers


CONTRACT = (
    abstract(
        1,
        [
            lvl(0, "Artikel %1", "upperRoman", style="berschrift1"),
            lvl(1, "%1.%2", style="Absatz", more="<w:isLgl/>"),
        ],
    )
    + abstract(
        2,
        [
            lvl(0, "Anhang %1", "upperLetter", style="Anhang1"),
            lvl(1, "%1.%2", style="Anhang2"),
        ],
    )
    + num(1, 1)
    + num(2, 2)
)


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
    body = (
        h(1, "Gegenstand")
        + p("Der Gegenstand.", "Absatz")
        + p("Der Umfang.", "Absatz")
        + h(1, "Pflichten")
        + p("Die erste.", "Absatz")
        + p("Die zweite.", "Absatz")
        + p("Formulare", "Anhang1")
        + p("Antrag", "Anhang2")
        + p("Bescheid", "Anhang2")
    )
    assert lines_of(body, numbering=CONTRACT, styles=CONTRACT_STYLES) == [
        "# Artikel I Gegenstand",
        "1.1 Der Gegenstand.",
        "1.2 Der Umfang.",
        "# Artikel II Pflichten",
        "2.1 Die erste.",
        "2.2 Die zweite.",
        "# Anhang A Formulare",
        "## A.1 Antrag",
        "## A.2 Bescheid",
    ]


def test_the_clauses_of_a_numbered_contract_are_found() -> None:
    body = h(1, "Gegenstand") + p("Der Umfang.", "Absatz") + p("F", "Anhang1") + p("G", "Anhang2")
    source = read_docx(docx(body, numbering=CONTRACT, styles=CONTRACT_STYLES), "a.docx")
    assert [clause.path for clause in find_clauses(parse(source))] == [
        ("Artikel I",),
        ("Artikel I", "1.1"),
        ("Anhang A",),
        ("Anhang A", "A.1"),
    ]


@pytest.mark.parametrize(
    ("levels", "labels"),
    [
        ([0, 1, 1, 0, 1], ["1.", "1.1.", "1.2.", "2.", "2.1."]),
        ([0, 0, 2, 1], ["1.", "2.", "2.1.1.", "2.2."]),  # a skipped level counts as begun
        ([1, 0], ["1.1.", "2."]),
    ],
)
def test_each_level_is_numbered_within_the_level_above(
    levels: list[int], labels: list[str]
) -> None:
    body = "".join(h(level + 1, "x", (1, level)) for level in levels)
    lines = lines_of(body, numbering=OUTLINE + num(1, 1))
    assert [line.split(" ")[1] for line in lines] == labels


def test_instances_of_one_list_share_its_counter() -> None:
    """Word continues where the other instance stopped; this is how a list is resumed."""
    numbering = OUTLINE + num(1, 1) + num(2, 1)
    body = h(1, "a", (1, 0)) + h(1, "b", (2, 0)) + h(1, "c", (1, 0))
    assert lines_of(body, numbering=numbering) == ["# 1. a", "# 2. b", "# 3. c"]


def test_a_start_override_restarts_an_instance_only_once() -> None:
    numbering = OUTLINE + num(1, 1) + num(2, 1, start_override(0, 8))
    body = h(1, "a", (1, 0)) + h(1, "b", (2, 0)) + h(1, "c", (2, 0)) + h(1, "d", (1, 0))
    assert lines_of(body, numbering=numbering) == ["# 1. a", "# 8. b", "# 9. c", "# 10. d"]


def test_a_start_override_applies_to_each_restart_of_its_level() -> None:
    numbering = OUTLINE + num(1, 1, start_override(1, 5))
    body = "".join(h(level + 1, "x", (1, level)) for level in (0, 1, 1, 0, 1))
    assert [line.split(" ")[1] for line in lines_of(body, numbering=numbering)] == [
        "1.",
        "1.5.",
        "1.6.",
        "2.",
        "2.5.",
    ]


def test_a_level_override_changes_the_label_of_the_level() -> None:
    override = f'<w:lvlOverride w:ilvl="0">{lvl(0, "§ %1")}</w:lvlOverride>'
    numbering = OUTLINE + num(1, 1) + num(2, 1, override)
    body = h(1, "a", (1, 0)) + h(1, "b", (2, 0)) + h(2, "c", (2, 1))
    assert lines_of(body, numbering=numbering) == ["# 1. a", "# § 2 b", "## 2.1. c"]


def test_a_level_restarts_only_after_the_level_named_by_lvlrestart() -> None:
    levels = [lvl(0, "%1"), lvl(1, "%1.%2"), lvl(2, "n%3", more='<w:lvlRestart w:val="1"/>')]
    body = "".join(h(level + 1, "x", (1, level)) for level in (0, 1, 2, 1, 2, 0, 2))
    labels = [
        line.split(" ")[1] for line in lines_of(body, numbering=abstract(1, levels) + num(1, 1))
    ]
    assert labels == ["1", "1.1", "n1", "1.2", "n2", "2", "n1"]


def test_a_level_that_never_restarts_is_numbered_across_chapters() -> None:
    levels = [lvl(0, "Kapitel %1"), lvl(1, "§ %2", more='<w:lvlRestart w:val="0"/>')]
    body = "".join(h(level + 1, "x", (1, level)) for level in (0, 1, 1, 0, 1))
    lines = lines_of(body, numbering=abstract(1, levels) + num(1, 1))
    assert lines == ["# Kapitel 1 x", "## § 1 x", "## § 2 x", "# Kapitel 2 x", "## § 3 x"]


def test_a_list_id_of_zero_removes_the_number() -> None:
    body = h(1, "a") + h(1, "Vorwort", (0, 0)) + h(1, "b")
    lines = lines_of(body, numbering=CONTRACT, styles=CONTRACT_STYLES)
    assert lines == ["# Artikel I a", "# Vorwort", "# Artikel II b"]


def test_a_style_inherits_the_numbering_of_its_base_style() -> None:
    styles = CONTRACT_STYLES + (
        '<w:style w:type="paragraph" w:styleId="Eigen"><w:name w:val="Eigen"/>'
        '<w:basedOn w:val="berschrift1"/></w:style>'
    )
    body = h(1, "a") + p("b", "Eigen")
    assert lines_of(body, numbering=CONTRACT, styles=styles) == ["# Artikel I a", "# Artikel II b"]


def test_list_style_links_are_resolved_to_their_list() -> None:
    numbering = (
        abstract(1, [lvl(0, "T%1")], '<w:styleLink w:val="Liste"/>')
        + abstract(2, [], '<w:numStyleLink w:val="Liste"/>')
        + num(1, 1)
        + num(2, 2)
    )
    styles = DEFAULT_STYLES + (
        '<w:style w:type="numbering" w:styleId="Liste"><w:name w:val="Liste"/>'
        '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
    )
    body = h(1, "a", (2, 0)) + h(1, "b", (1, 0))
    assert lines_of(body, numbering=numbering, styles=styles) == ["# T1 a", "# T2 b"]


def test_circular_style_links_give_no_number() -> None:
    numbering = (
        abstract(1, [], '<w:numStyleLink w:val="A"/>')
        + abstract(2, [], '<w:numStyleLink w:val="A"/>')
        + num(1, 1)
    )
    styles = DEFAULT_STYLES + (
        '<w:style w:type="numbering" w:styleId="A"><w:name w:val="A"/>'
        '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="X"><w:name w:val="X"/><w:basedOn w:val="Y"/>'
        '</w:style><w:style w:type="paragraph" w:styleId="Y"><w:name w:val="Y"/>'
        '<w:basedOn w:val="X"/></w:style>'
    )
    assert lines_of(p("a", "X", (1, 0)), numbering=numbering, styles=styles) == ["a"]


def test_label_text_that_refers_to_a_deeper_level_is_ignored() -> None:
    """[MS-OI29500] 2.1.283: Word then ignores the whole text."""
    numbering = abstract(1, [lvl(0, "%1.%2")]) + num(1, 1)
    assert lines_of(h(1, "a", (1, 0)), numbering=numbering) == ["# a"]


def test_empty_paragraphs_use_up_a_number_but_hidden_and_deleted_ones_do_not() -> None:
    """An empty paragraph uses up a number, a hidden or deleted one does not."""
    hidden = "<w:rPr><w:vanish/></w:rPr>"
    deleted = "<w:rPr><w:del/></w:rPr>"
    body = (
        h(1, "a", (1, 0))
        + h(1, "", (1, 0))
        + p(r("x", "<w:vanish/>"), "berschrift1", (1, 0), more=hidden)
        + p("<w:del><w:r><w:delText>x</w:delText></w:r></w:del>", "berschrift1", (1, 0), deleted)
        + h(1, "b", (1, 0))
    )
    assert lines_of(body, numbering=OUTLINE + num(1, 1)) == ["# 1. a", "# 3. b"]


def test_a_heading_with_a_style_separator_keeps_its_number() -> None:
    """``specVanish`` joins a heading with the text after it on one line; both are visible."""
    mark = "<w:rPr><w:vanish/><w:specVanish/></w:rPr>"
    body = p("Scope.", "berschrift1", (1, 0), more=mark) + p("This applies.") + h(1, "b", (1, 0))
    lines = lines_of(body, numbering=OUTLINE + num(1, 1))
    assert lines == ["# 1. Scope.", "This applies.", "# 2. b"]


@pytest.mark.parametrize(
    ("form", "value", "printed"),
    [
        ("decimal", 12, "12"),
        ("decimalZero", 7, "07"),
        ("upperRoman", 1994, "MCMXCIV"),
        ("lowerRoman", 4, "iv"),
        ("upperLetter", 27, "AA"),
        ("lowerLetter", 28, "bb"),
        ("ordinal", 11, "11th"),
        ("ordinal", 22, "22nd"),
        ("cardinalText", 121, "One Hundred Twenty-One"),
        ("ordinalText", 20, "Twentieth"),
        ("ordinalText", 33, "Thirty-Third"),
        ("none", 3, ""),
        ("chineseCounting", 21, "二十一"),
        ("chineseCountingThousand", 101, "一百〇一"),
        ("decimalEnclosedCircle", 3, "③"),
        ("russianLower", 2, "б"),
        ("decimalFullWidth", 15, "１５"),
        ("custom:001", 4, "004"),
        ("aFormatOfTheFuture", 5, "5"),
        ("upperRoman", 0, "0"),
        ("upperLetter", 100_000, "100000"),
    ],
)
def test_numbers_are_printed_in_the_number_formats_of_word(
    form: str, value: int, printed: str
) -> None:
    assert format_number(value, form) == printed


def test_a_custom_number_format_is_preferred_to_its_fallback() -> None:
    level = (
        '<w:lvl w:ilvl="0"><w:start w:val="1"/><mc:AlternateContent><mc:Choice Requires="w14">'
        '<w:numFmt w:val="custom" w:format="001, 002, 003, ..."/></mc:Choice><mc:Fallback>'
        '<w:numFmt w:val="decimal"/></mc:Fallback></mc:AlternateContent>'
        '<w:lvlText w:val="%1"/></w:lvl>'
    )
    numbering = abstract(1, [level]) + num(1, 1)
    assert lines_of(h(1, "a", (1, 0)), numbering=numbering) == ["# 001 a"]


# -------------------------------------------------------------------- lists and paragraphs


def test_lists_are_nested_and_keep_their_labels() -> None:
    body = (
        p("one", number=(1, 0))
        + p("first", number=(1, 1))
        + p("deep", number=(1, 2))
        + p("second", number=(1, 1))
        + p("two", number=(1, 0))
    )
    assert text_of(body, numbering=LIST + num(1, 1)) == (
        "1. one\n   - (a) first\n     - (i) deep\n   - (b) second\n2. two\n"
    )


def test_a_list_continues_its_numbers_after_a_paragraph() -> None:
    body = p("one", number=(1, 0)) + p("between") + p("two", number=(1, 0))
    assert text_of(body, numbering=LIST + num(1, 1)) == "1. one\n\nbetween\n\n2. two\n"


def test_a_restarted_list_is_numbered_from_one() -> None:
    numbering = LIST + num(1, 1) + num(2, 1, start_override(0, 1))
    body = p("a", number=(1, 0)) + p("b", number=(1, 0)) + p("rest") + p("c", number=(2, 0))
    assert lines_of(body, numbering=numbering) == ["1. a", "2. b", "rest", "1. c"]


def test_bullets_below_a_numbered_item_are_nested_in_it() -> None:
    numbering = LIST + abstract(2, [lvl(0, "•", "bullet"), lvl(1, "o", "bullet")])
    body = p("one", number=(1, 0)) + p("dot", number=(2, 1)) + p("two", number=(1, 0))
    text = text_of(body, numbering=numbering + num(1, 1) + num(2, 2))
    assert text == "1. one\n   - dot\n2. two\n"


def test_labels_that_are_not_markdown_markers_begin_paragraphs() -> None:
    numbering = abstract(1, [lvl(0, "(%1)"), lvl(1, "%2)", "lowerLetter")]) + num(1, 1)
    body = h(1, "§ 1 Zweck") + p("Erstens.", number=(1, 0)) + p("Unter.", number=(1, 1))
    source = read_docx(docx(body, numbering=numbering), "a.docx")
    assert source.text == "# § 1 Zweck\n\n(1) Erstens.\n\na) Unter.\n"
    assert [clause.number for clause in find_clauses(parse(source))][-1] == "§ 1(1)(a)"
