"""Word documents: the numbers that Word prints, headings, tables, captions, notes, limits.

Every document is made here from raw XML. The expected numbers follow the rules of ISO/IEC 29500-1
chapter 17.9, which `treepack.readers.docx.numbering` names one by one.
"""

import gc
import io
import json
import time
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from docx_files import (
    DEFAULT_STYLES,
    STRICT,
    abstract,
    archive,
    docx,
    field,
    h,
    lvl,
    num,
    p,
    r,
    start_override,
    table,
    tc,
    tr,
)
from typer.testing import CliRunner

from treepack import SourceError, audit, pack, parse, read
from treepack.cli.app import app
from treepack.errors import LeftOutWarning
from treepack.model.blocks import Table
from treepack.readers.docx.number_formats import format_number
from treepack.readers.docx.reader import read_docx

pytestmark = pytest.mark.every_python  # expat and zipfile


def text_of(body: str, **parts: object) -> str:
    return read_docx(docx(body, **parts), "a.docx").text  # type: ignore[arg-type]


def lines_of(body: str, **parts: object) -> list[str]:
    return [line for line in text_of(body, **parts).split("\n") if line]


def only_table(data: bytes) -> tuple[str, Table]:
    source = read_docx(data, "a.docx")
    blocks = [block for section in parse(source).root.walk() for block in section.blocks]
    (found,) = (block for block in blocks if isinstance(block, Table))
    return source.text, found


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


def test_the_clauses_of_a_contract_are_found_in_what_was_read() -> None:
    body = h(1, "Gegenstand") + p("Der Umfang.", "Absatz") + p("F", "Anhang1") + p("G", "Anhang2")
    source = read_docx(docx(body, numbering=CONTRACT, styles=CONTRACT_STYLES), "a.docx")
    assert [clause.path for clause in parse(source).clauses] == [
        ("Artikel I",),
        ("Artikel I", "1.1"),
        ("Anhang A",),
        ("Anhang A", "A.1"),
    ]


OUTLINE = abstract(1, [lvl(0, "%1."), lvl(1, "%1.%2."), lvl(2, "%1.%2.%3.")])


@pytest.mark.parametrize(
    ("levels", "labels"),
    [
        ([0, 1, 1, 0, 1], ["1.", "1.1.", "1.2.", "2.", "2.1."]),
        ([0, 0, 2, 1], ["1.", "2.", "2.1.1.", "2.2."]),  # a skipped level counts as begun
        ([1, 0], ["1.1.", "2."]),
    ],
)
def test_levels_count_inside_the_level_above(levels: list[int], labels: list[str]) -> None:
    body = "".join(h(level + 1, "x", (1, level)) for level in levels)
    lines = lines_of(body, numbering=OUTLINE + num(1, 1))
    assert [line.split(" ")[1] for line in lines] == labels


def test_instances_of_one_list_share_its_count() -> None:
    """Word continues where the other instance stopped; this is how a list is resumed."""
    numbering = OUTLINE + num(1, 1) + num(2, 1)
    body = h(1, "a", (1, 0)) + h(1, "b", (2, 0)) + h(1, "c", (1, 0))
    assert lines_of(body, numbering=numbering) == ["# 1. a", "# 2. b", "# 3. c"]


def test_an_instance_with_a_start_override_starts_anew_once() -> None:
    numbering = OUTLINE + num(1, 1) + num(2, 1, start_override(0, 8))
    body = h(1, "a", (1, 0)) + h(1, "b", (2, 0)) + h(1, "c", (2, 0)) + h(1, "d", (1, 0))
    assert lines_of(body, numbering=numbering) == ["# 1. a", "# 8. b", "# 9. c", "# 10. d"]


def test_a_start_override_holds_for_each_start_of_its_level() -> None:
    numbering = OUTLINE + num(1, 1, start_override(1, 5))
    body = "".join(h(level + 1, "x", (1, level)) for level in (0, 1, 1, 0, 1))
    assert [line.split(" ")[1] for line in lines_of(body, numbering=numbering)] == [
        "1.",
        "1.5.",
        "1.6.",
        "2.",
        "2.5.",
    ]


def test_an_override_may_change_the_form_of_a_level() -> None:
    override = f'<w:lvlOverride w:ilvl="0">{lvl(0, "§ %1")}</w:lvlOverride>'
    numbering = OUTLINE + num(1, 1) + num(2, 1, override)
    body = h(1, "a", (1, 0)) + h(1, "b", (2, 0)) + h(2, "c", (2, 1))
    assert lines_of(body, numbering=numbering) == ["# 1. a", "# § 2 b", "## 2.1. c"]


def test_a_level_restarts_only_after_the_level_that_it_names() -> None:
    levels = [lvl(0, "%1"), lvl(1, "%1.%2"), lvl(2, "n%3", more='<w:lvlRestart w:val="1"/>')]
    body = "".join(h(level + 1, "x", (1, level)) for level in (0, 1, 2, 1, 2, 0, 2))
    labels = [
        line.split(" ")[1] for line in lines_of(body, numbering=abstract(1, levels) + num(1, 1))
    ]
    assert labels == ["1", "1.1", "n1", "1.2", "n2", "2", "n1"]


def test_a_level_that_never_restarts_goes_on_through_all_chapters() -> None:
    levels = [lvl(0, "Kapitel %1"), lvl(1, "§ %2", more='<w:lvlRestart w:val="0"/>')]
    body = "".join(h(level + 1, "x", (1, level)) for level in (0, 1, 1, 0, 1))
    lines = lines_of(body, numbering=abstract(1, levels) + num(1, 1))
    assert lines == ["# Kapitel 1 x", "## § 1 x", "## § 2 x", "# Kapitel 2 x", "## § 3 x"]


def test_the_number_zero_takes_a_number_away() -> None:
    body = h(1, "a") + h(1, "Vorwort", (0, 0)) + h(1, "b")
    lines = lines_of(body, numbering=CONTRACT, styles=CONTRACT_STYLES)
    assert lines == ["# Artikel I a", "# Vorwort", "# Artikel II b"]


def test_a_style_based_on_a_numbered_style_has_its_number() -> None:
    styles = CONTRACT_STYLES + (
        '<w:style w:type="paragraph" w:styleId="Eigen"><w:name w:val="Eigen"/>'
        '<w:basedOn w:val="berschrift1"/></w:style>'
    )
    body = h(1, "a") + p("b", "Eigen")
    assert lines_of(body, numbering=CONTRACT, styles=styles) == ["# Artikel I a", "# Artikel II b"]


def test_list_styles_are_followed_to_their_list() -> None:
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


def test_links_in_a_circle_give_no_number() -> None:
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


def test_text_that_asks_for_a_lower_level_is_no_label() -> None:
    """[MS-OI29500] 2.1.283: Word then ignores the whole text."""
    numbering = abstract(1, [lvl(0, "%1.%2")]) + num(1, 1)
    assert lines_of(h(1, "a", (1, 0)), numbering=numbering) == ["# a"]


def test_hidden_and_empty_paragraphs_count_as_in_word() -> None:
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


def test_a_style_separator_keeps_its_number() -> None:
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
def test_numbers_are_written_in_words_formats(form: str, value: int, printed: str) -> None:
    assert format_number(value, form) == printed


def test_a_custom_format_beside_its_fallback_is_read() -> None:
    level = (
        '<w:lvl w:ilvl="0"><w:start w:val="1"/><mc:AlternateContent><mc:Choice Requires="w14">'
        '<w:numFmt w:val="custom" w:format="001, 002, 003, ..."/></mc:Choice><mc:Fallback>'
        '<w:numFmt w:val="decimal"/></mc:Fallback></mc:AlternateContent>'
        '<w:lvlText w:val="%1"/></w:lvl>'
    )
    numbering = abstract(1, [level]) + num(1, 1)
    assert lines_of(h(1, "a", (1, 0)), numbering=numbering) == ["# 001 a"]


# -------------------------------------------------------------------- lists and paragraphs

LIST = abstract(1, [lvl(0, "%1."), lvl(1, "(%2)", "lowerLetter"), lvl(2, "(%3)", "lowerRoman")])


def test_lists_nest_and_keep_their_labels() -> None:
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


def test_a_list_resumes_after_a_paragraph_with_its_number() -> None:
    body = p("one", number=(1, 0)) + p("between") + p("two", number=(1, 0))
    assert text_of(body, numbering=LIST + num(1, 1)) == "1. one\n\nbetween\n\n2. two\n"


def test_a_restarted_list_is_a_list_of_its_own() -> None:
    numbering = LIST + num(1, 1) + num(2, 1, start_override(0, 1))
    body = p("a", number=(1, 0)) + p("b", number=(1, 0)) + p("rest") + p("c", number=(2, 0))
    assert lines_of(body, numbering=numbering) == ["1. a", "2. b", "rest", "1. c"]


def test_bullets_below_numbers_stand_inside() -> None:
    numbering = LIST + abstract(2, [lvl(0, "•", "bullet"), lvl(1, "o", "bullet")])
    body = p("one", number=(1, 0)) + p("dot", number=(2, 1)) + p("two", number=(1, 0))
    text = text_of(body, numbering=numbering + num(1, 1) + num(2, 2))
    assert text == "1. one\n   - dot\n2. two\n"


def test_labels_that_are_no_markers_begin_paragraphs() -> None:
    numbering = abstract(1, [lvl(0, "(%1)"), lvl(1, "%2)", "lowerLetter")]) + num(1, 1)
    body = h(1, "§ 1 Zweck") + p("Erstens.", number=(1, 0)) + p("Unter.", number=(1, 1))
    source = read_docx(docx(body, numbering=numbering), "a.docx")
    assert source.text == "# § 1 Zweck\n\n(1) Erstens.\n\na) Unter.\n"
    assert [clause.number for clause in parse(source).clauses][-1] == "§ 1(1)(a)"


# -------------------------------------------------------------------- headings


def test_headings_are_known_by_outline_level_and_by_name_not_by_id() -> None:
    styles = (
        DEFAULT_STYLES
        + '<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="No heading"/></w:style>'
        + '<w:style w:type="paragraph" w:styleId="Z"><w:name w:val="Zwischentitel"/><w:pPr>'
        '<w:outlineLvl w:val="2"/></w:pPr></w:style>'
        + '<w:style w:type="paragraph" w:styleId="K"><w:name w:val="Klein"/>'
        '<w:basedOn w:val="Z"/></w:style>'
        + '<w:style w:type="paragraph" w:styleId="N"><w:name w:val="Kein Titel"/>'
        '<w:basedOn w:val="berschrift1"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>'
    )
    body = (
        h(2, "by name")
        + p("by outline level", "Z")
        + p("by the style below", "K")
        + p("by itself", more='<w:outlineLvl w:val="3"/>')
        + p("no id", "Heading1")
        + p("taken away", "N")
        + p("taken away here", "berschrift1", more='<w:outlineLvl w:val="9"/>')
    )
    assert lines_of(body, styles=styles) == [
        "## by name",
        "### by outline level",
        "### by the style below",
        "#### by itself",
        "no id",
        "taken away",
        "taken away here",
    ]


def with_style(name: str) -> str:
    """The default styles, and one with the id K and the given name."""
    style = f'<w:style w:type="paragraph" w:styleId="K"><w:name w:val="{name}"/></w:style>'
    return DEFAULT_STYLES + style


LINES = ["$ run *all*", "", "    # no heading", "1. no item", "```"]


@pytest.mark.parametrize(
    "name", ["Source Code", "HTML Preformatted", "Preformatted Text", "CodeWide", "code"]
)
def test_paragraphs_of_code_are_one_fence(name: str) -> None:
    body = p("Say:") + "".join(p(line, "K") for line in LINES) + p("It runs.") + p("$ end", "K")
    code = "\n".join(LINES)
    expected = f"Say:\n\n````\n{code}\n````\n\nIt runs.\n\n```\n$ end\n```\n"
    assert text_of(body, styles=with_style(name)) == expected


def test_an_empty_paragraph_and_a_frame_end_a_listing() -> None:
    first, second = p("$ a", "K") + p("$ b", "K"), p("$ c", "K")
    listings = "```\n$ a\n$ b\n```\n\n```\n$ c\n```\n"
    frame = "<w:tbl><w:tr><w:tc>{}</w:tc></w:tr></w:tbl>"
    for body in (
        first + p("") + second,
        first + frame.format(second),
        frame.format(first) + second,
        frame.format(first) + p("") + frame.format(second),
    ):
        assert text_of(body, styles=with_style("Code")) == listings
    whole = "```\n$ a\n$ b\n\n$ c\n```\n"
    assert text_of(first + p("", "K") + second, styles=with_style("Code")) == whole


@pytest.mark.parametrize("name", ["Code Caption", "Code of Conduct", "Barcode"])
def test_paragraphs_of_other_styles_are_no_code(name: str) -> None:
    styles = with_style(name)
    assert text_of(p("a", "K") + p("b", "K"), styles=styles) == "a\n\nb\n"


def test_a_heading_and_a_numbered_line_in_a_style_of_code_are_no_code() -> None:
    styles = with_style("Code")
    numbering = abstract(0, [lvl(0, "%1.")]) + num(1, 0)
    body = p("Pumps", "K", more='<w:outlineLvl w:val="0"/>') + p("Water", "K", number=(1, 0))
    assert lines_of(body, styles=styles, numbering=numbering) == ["# Pumps", "1. Water"]


def test_the_title_is_a_heading_and_metadata_come_from_the_properties() -> None:
    core = (
        '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/'
        'core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Der  Vertrag'
        "</dc:title><dc:creator>A. B.</dc:creator><dc:subject/></cp:coreProperties>"
    )
    data = docx(p("Vertrag", "Titel") + h(1, "a"))
    files = {info: zipfile.ZipFile(io.BytesIO(data)).read(info) for info in names(data)}
    files["_rels/.rels"] = files["_rels/.rels"].replace(
        b"</Relationships>",
        b'<Relationship Id="c" Type="x/core-properties" Target="/docProps/core.xml"/>'
        b"</Relationships>",
    )
    source = read_docx(archive({**files, "docProps/core.xml": core.encode()}), "a.docx")
    assert source.text == "# Vertrag\n\n## a\n"
    assert source.metadata == {"title": "Der Vertrag", "author": "A. B."}


def names(data: bytes) -> list[str]:
    return zipfile.ZipFile(io.BytesIO(data)).namelist()


# -------------------------------------------------------------------- what is read or left out


def test_deleted_hidden_and_code_text_is_out_inserted_text_is_in() -> None:
    body = p(
        r("a ")
        + "<w:del><w:r><w:delText>deleted </w:delText></w:r></w:del>"
        + f"<w:moveFrom>{r('moved away ')}</w:moveFrom>"
        + f"<w:ins>{r('inserted ')}</w:ins>"
        + f"<w:moveTo>{r('moved here ')}</w:moveTo>"
        + r("hidden ", "<w:vanish/>")
        + r("shown ", '<w:vanish w:val="0"/>')
        + field("PAGEREF x", r("7 "))
        + '<w:hyperlink r:id="x">'
        + r("link ")
        + "</w:hyperlink><w:sdt><w:sdtPr/><w:sdtContent>"
        + r("control")
        + "</w:sdtContent></w:sdt>"
    )
    assert text_of(body) == "a inserted moved here shown 7 link control\n"


def test_text_hidden_by_its_styles_is_out() -> None:
    styles = DEFAULT_STYLES + (
        '<w:style w:type="character" w:styleId="H"><w:name w:val="H"/><w:rPr><w:vanish/></w:rPr>'
        '</w:style><w:style w:type="character" w:styleId="I"><w:name w:val="I"/>'
        '<w:basedOn w:val="H"/></w:style>'
    )
    body = p(r("a") + r("b", '<w:rStyle w:val="I"/>'))
    assert text_of(body, styles=styles) == "a\n"


def test_a_deleted_paragraph_end_joins_two_paragraphs() -> None:
    body = p("one ", more="<w:rPr><w:del/></w:rPr>") + p("two")
    assert text_of(body) == "one two\n"


def test_generated_tables_of_contents_are_left_out() -> None:
    begin, end = field("TOC \\o", "|").split("|")
    contents = (
        p(begin + r("1 Scope 3"), "Verz1")
        + p(r("2 Terms 4"))
        + p(end)
        + '<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/>'
        f"</w:docPartObj></w:sdtPr><w:sdtContent>{p('Inhalt')}</w:sdtContent></w:sdt>"
        + p("typed 5", "Verz1")
    )
    assert text_of(contents + h(1, "Scope") + p("x")) == "# Scope\n\nx\n"


def test_a_table_of_contents_without_end_does_not_swallow_the_document() -> None:
    begin, _ = field("TOC", "|").split("|")
    assert text_of(p(begin + r("a 1")) + h(1, "a") + p("x")) == "# a\n\nx\n"


def test_text_boxes_stand_after_their_paragraph_once() -> None:
    box = f"<w:txbxContent>{p('in the box', number=(1, 0))}</w:txbxContent>"
    content = (
        "<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wps:wsp><wps:txbx>"
        f"{box}</wps:txbx></wps:wsp></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>{box}"
        "</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    body = p("a", number=(1, 0)) + p(r("anchor") + content) + p("b", number=(1, 0))
    assert lines_of(body, numbering=LIST + num(1, 1)) == [
        "1. a",
        "anchor",
        "1. in the box",
        "2. b",
    ]


def test_an_old_text_box_is_read() -> None:
    box = f"<v:textbox><w:txbxContent>{p('x')}</w:txbxContent></v:textbox>"
    assert text_of(p(f"<w:r><w:pict>{box}</w:pict></w:r>")) == "x\n"


def test_signs_that_are_elements_become_characters() -> None:
    body = p(
        "<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:noBreakHyphen/><w:t>c</w:t><w:softHyphen/>"
        '<w:sym w:font="Wingdings" w:char="F0FE"/><w:sym w:font="Symbol" w:char="F0B3"/>'
        '<w:sym w:font="Arial" w:char="2190"/><w:sym w:font="Odd" w:char="F041"/>'
        '<w:sym w:char="zz"/><w:br/><w:t>d</w:t><w:br w:type="page"/><w:t>e</w:t></w:r>'
    )
    assert text_of(body) == "a b-c☒≥←\ufffd\nd e\n"


def test_an_exponent_is_no_digit() -> None:
    raised = '<w:vertAlign w:val="superscript"/>'
    body = p(r("10") + r("-3", raised) + r(" am 1") + r("st", raised) + r(" m") + r("2", raised))
    assert text_of(body) == "10<sup>-3</sup> am 1st m2\n"


def test_pictures_keep_their_description() -> None:
    drawing = (
        '<w:r><w:drawing><wp:inline><wp:docPr id="1" name="x" descr="A  duck"/><a:graphic>'
        '<a:blip r:embed="picture"/></a:graphic></wp:inline></w:drawing></w:r>'
    )
    assert text_of(p(drawing)) == "![A duck](image1.png)\n"
    assert text_of(p(drawing, "K"), styles=with_style("Code")) == "![A duck](image1.png)\n"


def test_math_is_tex() -> None:
    power = (
        "<m:oMath><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup>"
        "</m:sSup></m:oMath>"
    )
    fraction = (
        "<m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r>"
        "</m:den></m:f></m:oMath>"
    )
    body = p(r("so ") + power + r(".")) + p(f"<m:oMathPara>{fraction}</m:oMathPara>")
    assert text_of(body) == "so $x^{2}$.\n\n$$\n\\frac{a}{b}\n$$\n"


def m(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


def e(text: str, name: str = "e") -> str:
    return f"<m:{name}>{m(text)}</m:{name}>"


@pytest.mark.parametrize(
    ("omml", "tex"),
    [
        (f"<m:sSub>{e('a')}{e('1', 'sub')}</m:sSub>", "a_{1}"),
        (f"<m:sSubSup>{e('ab')}{e('1', 'sub')}{e('2', 'sup')}</m:sSubSup>", "{ab}_{1}^{2}"),
        (f"<m:sPre>{e('2', 'sub')}{e('4', 'sup')}{e('H')}</m:sPre>", "{}_{2}^{4}H"),
        (
            f'<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>{e("i", "sub")}</m:nary>',
            "\\sum_{i}",
        ),
        (f"<m:d>{e('x')}{e('y')}</m:d>", "(x | y)"),
        (f'<m:d><m:dPr><m:begChr m:val="{{"/><m:endChr m:val=""/></m:dPr>{e("x")}</m:d>', "\\{x"),
        (f"<m:rad>{e('3', 'deg')}{e('x')}</m:rad>", "\\sqrt[3]{x}"),
        (f"<m:func>{e('sin', 'fName')}{e('x')}</m:func>", "\\sin x"),
        (f"<m:limLow>{e('lim')}{e('n', 'lim')}</m:limLow>", "\\lim_{n}"),
        (f"<m:limUpp>{e('f')}{e('n', 'lim')}</m:limUpp>", "f^{n}"),
        (f"<m:acc>{e('x')}</m:acc>", "\\hat{x}"),
        (f"<m:bar>{e('x')}</m:bar>", "\\overline{x}"),
        (f"<m:m><m:mr>{e('a')}{e('b')}</m:mr></m:m>", "\\begin{matrix} a & b \\end{matrix}"),
        (f"<m:eqArr>{e('a')}{e('b')}</m:eqArr>", "\\begin{aligned} a \\\\ b \\end{aligned}"),
        (f"<m:eqArr>{e('a')}</m:eqArr>", "a"),
        (f"<m:box>{e('5%')}</m:box>", "5\\%"),
        (
            f'<m:f><m:fPr><m:type m:val="noBar"/></m:fPr>{e("n", "num")}{e("k", "den")}</m:f>',
            "\\binom{n}{k}",
        ),
    ],
)
def test_the_usual_kinds_of_math_are_known(omml: str, tex: str) -> None:
    assert text_of(p(f"<m:oMath>{omml}</m:oMath>")) == f"$$\n{tex}\n$$\n"


def test_what_wraps_text_does_not_hide_it() -> None:
    body = (
        '<w:customXml w:element="x">'
        + p('<w:fldSimple w:instr="REF x">' + r("a") + "</w:fldSimple>")
        + "</w:customXml><mc:AlternateContent><mc:Choice Requires='x'>"
        + p(
            "<w:r><w:ruby><w:rt>"
            + r("no")
            + "</w:rt><w:rubyBase>"
            + r("漢")
            + "</w:rubyBase></w:ruby></w:r>"
        )
        + "</mc:Choice></mc:AlternateContent>"
    )
    assert text_of(body) == "a\n\n漢\n"


def test_cells_merged_the_old_way_are_read() -> None:
    """Word 97 wrote ``hMerge``; a cell may also continue one above that does not exist."""
    wide = tc("wide", '<w:hMerge w:val="restart"/>') + tc("", "<w:hMerge/>")
    row = f"<w:tr>{wide}{tc('lost', '<w:vMerge/>')}{tc('gone', '<w:cellDel/>')}</w:tr>"
    text = text_of(table(tr("A", "B", "C", "D"), row))
    assert text.split("\n")[2] == "| wide | wide |  |  |"


def test_a_cell_merged_from_the_header_down_keeps_the_columns_beside_it() -> None:
    begins, goes_on = '<w:vMerge w:val="restart"/>', "<w:vMerge/>"
    wide = '<w:gridSpan w:val="2"/>'
    head = f"<w:tr>{tc('a', begins)}{tc('b', wide)}</w:tr>"
    row = f"<w:tr>{tc('', goes_on)}{tc('c')}{tc('d', begins)}</w:tr>"
    last = f"<w:tr>{tc('e', wide)}{tc('', goes_on)}</w:tr>"
    assert text_of(table(head, row, last)) == (
        "| a | b | b |\n| --- | --- | --- |\n| a | c | d |\n| e | e | d |\n"
    )


def test_markdown_in_the_text_stays_text() -> None:
    assert text_of(p("# no heading") + p("1. no list") + p("&lt;b>*a* b*")) == (
        "\\# no heading\n\n1\\. no list\n\n\\<b>\\*a\\* b\\*\n"
    )


def test_an_embedded_document_is_left_out_with_a_warning() -> None:
    with pytest.warns(LeftOutWarning, match=r"a\.docx: an embedded document"):
        assert text_of(p("a") + '<w:altChunk r:id="x"/>') == "a\n"


# -------------------------------------------------------------------- notes


def test_footnotes_stand_at_the_end_of_their_section() -> None:
    notes = "".join(
        f'<w:footnote w:id="{note}"{kind}>{p(r(" " + text))}{p("more") if note == 5 else ""}'
        "</w:footnote>"
        for note, kind, text in ((0, ' w:type="separator"', "-"), (5, "", "five"), (6, "", "six"))
    )
    reference = '<w:r><w:footnoteReference w:id="{}"/></w:r>'
    body = (
        h(1, "a")
        + p(r("x") + reference.format(6) + reference.format(99))
        + p("y")
        + h(1, "b")
        + p(r("z") + reference.format(5))
    )
    source = read_docx(docx(body, parts={"footnotes": notes}), "a.docx")
    assert source.text == (
        "# a\n\nx[^1]\n\ny\n\n[^1]: six\n\n# b\n\nz[^2]\n\n[^2]: five\n\n    more\n"
    )
    assert ("docx:footnote 6") in [place for _, place in source.origins]


def test_a_note_of_a_heading_stands_in_its_section_and_in_no_breadcrumb() -> None:
    notes = "".join(f'<w:footnote w:id="{n}">{p(f"n{n}")}</w:footnote>' for n in (1, 2))
    reference = '<w:r><w:footnoteReference w:id="{}"/></w:r>'
    body = (
        p(r("A") + reference.format(1), "berschrift1")
        + p("x")
        + p(r("B") + reference.format(2), "berschrift1")
    )
    assert lines_of(body, parts={"footnotes": notes}) == [
        "# A",
        "x",
        "[^1]: n1",
        "# B",
        "[^2]: n2",
    ]


def test_a_note_that_refers_to_itself_ends() -> None:
    reference = '<w:r><w:endnoteReference w:id="1"/></w:r>'
    note = f'<w:endnote w:id="1">{p(r("n") + reference)}</w:endnote>'
    body = p(r("a") + reference)
    assert text_of(body, parts={"endnotes": note}) == "a[^e1]\n\n[^e1]: n[^e1]\n"


# -------------------------------------------------------------------- tables


def test_merged_cells_stand_in_every_place() -> None:
    data = docx(
        table(
            tr("A", "B", "C"),
            tr(tc("wide", '<w:gridSpan w:val="2"/>'), tc("tall", '<w:vMerge w:val="restart"/>')),
            tr("x", "y", tc("", "<w:vMerge/>")),
            tr("late", more='<w:gridBefore w:val="2"/>'),
        )
    )
    text, found = only_table(data)
    assert found.columns == ("A", "B", "C")
    assert text.split("\n")[2:5] == [
        "| wide | wide | tall |",
        "| x | y | tall |",
        "|  |  | late |",
    ]


def test_several_header_rows_are_kept_as_such() -> None:
    mark = "<w:tblHeader/>"
    data = docx(
        table(
            tr(
                tc("Class", '<w:vMerge w:val="restart"/>'),
                tc("Limit", '<w:gridSpan w:val="2"/>'),
                more=mark,
            ),
            tr(tc("", "<w:vMerge/>"), "Min", "Max", more=mark),
            tr("A", "1", "2"),
        )
    )
    _, found = only_table(data)
    assert (found.header_rows, len(found.rows)) == (2, 1)
    assert found.columns == ("Class", "Min", "Max")


def test_a_merged_first_row_is_a_header_of_two_rows_without_marks_too() -> None:
    data = docx(
        table(
            tr(tc("Class", '<w:vMerge w:val="restart"/>'), tc("Limit", '<w:gridSpan w:val="2"/>')),
            tr(tc("", "<w:vMerge/>"), "Min", "Max"),
            tr("A", "1", "2"),
            tr("B", "3", "4"),
        )
    )
    assert only_table(data)[1].header_rows == 2


def test_a_table_whose_first_row_is_not_set_apart_has_no_header() -> None:
    text = text_of(table(tr("a", "b"), tr("c", "d"), look='<w:tblLook w:val="0480"/>'))
    assert text == "|  |  |\n| --- | --- |\n| a | b |\n| c | d |\n"


def test_deleted_and_hidden_rows_are_left_out() -> None:
    text = text_of(
        table(
            tr("A", "B"),
            tr("x", "y", more="<w:del/>"),
            tr("h", "i", more="<w:hidden/>"),
            tr("1", "2"),
        )
    )
    assert text == "| A | B |\n| --- | --- |\n| 1 | 2 |\n"


def test_a_frame_of_one_cell_is_no_table() -> None:
    assert text_of(table(tr(tc(h(1, "a") + p("x"))))) == "# a\n\nx\n"


def test_cells_hold_lists_lines_and_tables() -> None:
    inner = table(tr("p", "q"), tr("r", "s"))
    cell = tc(p("one", number=(1, 0)) + p("two", number=(1, 0)) + inner + p())
    text = text_of(table(tr("A", "B"), tr(cell, "x")), numbering=LIST + num(1, 1))
    assert text.split("\n")[2] == "| 1. one<br>2. two<br>p; q<br>r; s | x |"


def test_rows_and_cells_in_content_controls_are_read() -> None:
    control = "<w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt>"
    row = f"<w:tr>{control.format(tc('1'))}{tc('2')}</w:tr>"
    text = text_of(table(tr("A", "B"), control.format(row)))
    assert text == "| A | B |\n| --- | --- |\n| 1 | 2 |\n"


SEQUENCE = p(r("Tabelle ") + field("SEQ Tabelle", r("1")) + r(": Grenzwerte"), "Beschriftung")


@pytest.mark.parametrize("is_above", [True, False])
def test_a_caption_belongs_to_the_table_beside_it(is_above: bool) -> None:  # noqa: FBT001 - a parameter
    rows = table(tr("A", "B"), tr("1", "2"))
    _, found = only_table(docx(SEQUENCE + rows if is_above else rows + SEQUENCE))
    assert found.caption == "Tabelle 1: Grenzwerte"


def test_captions_below_stay_with_their_own_table() -> None:
    rows = table(tr("A", "B"), tr("1", "2"))
    captions = [p(f"Table {number} x{number}", "Beschriftung") for number in (1, 2, 3)]
    source = read_docx(docx("".join(rows + caption for caption in captions)), "a.docx")
    blocks = [block for section in parse(source).root.walk() for block in section.blocks]
    found = [block.caption for block in blocks if isinstance(block, Table)]
    assert found == ["Table 1 x1", "Table 2 x2", "Table 3 x3"]


def test_the_caption_of_a_figure_is_not_a_tables() -> None:
    figure = p("Abbildung 1: Eine Ente", "Beschriftung")
    assert text_of(figure + table(tr("A", "B"), tr("1", "2"))).startswith(
        "Abbildung 1: Eine Ente\n\n| A"
    )


# -------------------------------------------------------------------- the package


def test_the_strict_form_reads_the_same() -> None:
    body = h(1, "a", (1, 0)) + table(tr("A", "B"), tr("1", "2"))
    data = docx(body, numbering=OUTLINE + num(1, 1), namespace=STRICT)
    assert read_docx(data, "a.docx").text.startswith("# 1. a\n\n| A | B |")


def test_origins_name_paragraphs_and_tables() -> None:
    source = read_docx(docx(h(1, "a") + p() + p("x") + table(tr("A", "B"), tr("1", "2"))), "a.docx")
    assert source.origins == ((0, "docx:paragraph 1"), (5, "docx:paragraph 3"), (8, "docx:table 1"))


def test_the_chunks_of_a_document_keep_the_laws() -> None:
    body = "".join(h(1 + n % 3, f"h{n}", (1, n % 3)) + p(f"text {n}. " * 40) for n in range(30))
    source = read_docx(docx(body, numbering=OUTLINE + num(1, 1)), "a.docx")
    assert not audit(source.text, pack(source), name=source.name).findings


def test_templates_and_documents_with_macros_are_read_as_documents(tmp_path: Path) -> None:
    """Macros are not text; in a folder, one broken file does not stop the rest."""
    packed = zipfile.ZipFile(io.BytesIO(docx(h(1, "A") + p("text"))))
    files = {name: packed.read(name) for name in packed.namelist()}
    with_macros = archive({**files, "word/vbaProject.bin": b"Sub AutoOpen()"})
    folder = tmp_path / "docs"
    folder.mkdir()
    for name in ("a.docm", "b.dotx", "c.dotm", "d.DOCX"):
        (folder / name).write_bytes(with_macros)
        assert read(folder / name).text == "# A\n\ntext\n"
    (folder / "e.docx").write_bytes(with_macros[:100])
    result = CliRunner().invoke(app, ["pack", str(folder), "-o", str(tmp_path / "out.jsonl")])
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    assert [row["document"] for row in rows] == ["a.docm", "b.dotx", "c.dotm", "d.DOCX"]
    assert "e.docx: not a whole .docx file" in result.stderr
    assert result.exit_code == 1


# -------------------------------------------------------------------- hostile and damaged input

GOOD = docx(p("a"))


def without(data: bytes, name: str) -> bytes:
    packed = zipfile.ZipFile(io.BytesIO(data))
    return archive({held: packed.read(held) for held in packed.namelist() if held != name})


def with_document(xml: bytes) -> bytes:
    packed = zipfile.ZipFile(io.BytesIO(GOOD))
    files = {held: packed.read(held) for held in packed.namelist()}
    return archive({**files, "word/document.xml": xml})


BOMB = (
    b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">'
    b'<!ENTITY c "&b;&b;&b;&b;&b;">]><a>&c;</a>'
)


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (GOOD[: len(GOOD) // 2], "not a whole .docx file"),
        (b"PK\x03\x04", "not a whole .docx file"),
        (b"", "not a whole .docx file"),
        (b"%PDF-1.7 x", r"no zip archive, for it begins with b'%PDF-1\.7'"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "encrypted with a password"),
        (without(GOOD, "word/document.xml"), "has no word/document.xml"),
        (with_document(b"<w:document"), "word/document.xml is no well-formed XML"),
        (with_document(b"<html/>"), "word/document.xml holds no WordprocessingML document"),
        (with_document(BOMB), "word/document.xml has a document type declaration"),
        (
            with_document(BOMB.decode().replace("?>", ' encoding="utf-16"?>', 1).encode("utf-16")),
            "has a document type declaration",
        ),
        (with_document(b"<w:document xmlns:w='x'>" + b"<w:a>" * 400), "is no well-formed XML"),
        (
            with_document(b"<a>" + b"<b>" * 100_000 + b"</b>" * 100_000 + b"</a>"),
            "nested deeper than 160",
        ),
        (archive({f"f{n}": b"" for n in range(20_001)}), "has 20001 entries, more than 20000"),
    ],
    ids=range(13),
)
def test_what_is_no_document_is_refused_with_name_format_and_place(data: bytes, place: str) -> None:
    with pytest.raises(SourceError, match=place) as caught:
        read_docx(data, "bad.docx")
    assert str(caught.value).startswith("bad.docx: ")
    assert ".docx" in str(caught.value).removeprefix("bad.docx")


def test_a_zip_bomb_is_refused_before_it_is_unpacked() -> None:
    """The archive's directory states the size (here 64 MB in 64 KB), so nothing is unpacked."""
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed,
        packed.open("word/document.xml", "w") as file,
    ):
        for _ in range(64):
            file.write(bytes(2**20))
    tracemalloc.start()
    try:
        with pytest.raises(SourceError, match=r"word/document\.xml is packed [\d,]+ to 1"):
            read_docx(buffer.getvalue(), "bomb.docx")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2**20


def with_size(size: int) -> bytes:
    """A document whose archive directory states ``size`` as the unpacked size of its text."""
    data = bytearray(GOOD)
    at = data.rindex(b"word/document.xml") - 46 + 24  # the size in the central directory
    data[at : at + 4] = size.to_bytes(4, "little")
    return bytes(data)


def test_a_size_that_lies_is_refused() -> None:
    """No more is unpacked than the archive's directory states."""
    size = len(zipfile.ZipFile(io.BytesIO(GOOD)).read("word/document.xml"))
    assert with_size(size) == GOOD
    with pytest.raises(SourceError, match=r"word/document\.xml cannot be unpacked"):
        read_docx(with_size(size // 2), "bad.docx")
    with pytest.raises(SourceError, match=r"word/document\.xml is too large .* \(4,096 MiB\)"):
        read_docx(with_size(2**32 - 2), "bad.docx")


@pytest.mark.parametrize(
    ("limit", "value", "place"),
    [
        ("LARGEST_SUM", 4000, r"part word/\w+\.xml is too large when unpacked"),
        ("MOST_TAGS", 9, r"part word/\w+\.xml has \d+ tags, more than 9"),
    ],
)
def test_many_parts_and_many_tags_are_bounded(
    limit: str, value: int, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each part alone may be small, and small tags are large in memory."""
    monkeypatch.setattr(f"treepack.readers.docx.package.{limit}", value)
    with pytest.raises(SourceError, match=place):
        read_docx(docx(p("a") * 5), "bad.docx")


def test_wide_and_endless_spans_are_bounded() -> None:
    cell = tc("x", '<w:gridSpan w:val="99999999"/>')
    text = text_of(table(*[tr(cell)] * 50, tr("a", "b")))
    assert len(text) < 1_000_000


def seconds(data: bytes) -> float:
    """Return the CPU time of the shortest of three runs; a busy machine only makes runs longer.

    The garbage collector is off, because it looks through what other tests have left.
    """
    found: list[float] = []
    gc.disable()
    try:
        for _ in range(3):
            started = time.process_time()
            read_docx(data, "a.docx")
            found.append(time.process_time() - started)
    finally:
        gc.enable()
    return min(found)


@pytest.mark.slow
def test_many_numbered_paragraphs_take_linear_time() -> None:
    body = "".join(p("x", number=(1, n % 3)) for n in range(1_500))
    data = {n: docx(body * n, numbering=LIST + num(1, 1)) for n in (1, 4)}
    assert seconds(data[4]) < 12 * max(seconds(data[1]), 0.02)


@pytest.mark.slow
def test_many_notes_beside_many_lists_take_linear_time() -> None:
    """Each note has its own counts, which once began as a copy of all lists."""

    def with_notes(n: int) -> bytes:
        notes = "".join(f'<w:footnote w:id="{at}">{p("x")}</w:footnote>' for at in range(n))
        body = "".join(f'<w:r><w:footnoteReference w:id="{at}"/></w:r>' for at in range(n))
        lists = LIST + "".join(num(at, 1) for at in range(1, n))
        return docx(f"<w:p>{body}</w:p>", numbering=lists, parts={"footnotes": notes})

    assert read_docx(with_notes(750), "a.docx").text.count("]: x") == 750
    assert seconds(with_notes(3_000)) < 12 * max(seconds(with_notes(750)), 0.02)


BOX = "<v:textbox><w:txbxContent>{}</w:txbxContent></v:textbox>"


@pytest.mark.parametrize(
    ("outer", "inner", "levels"),
    [
        ("<w:smartTag>{}</w:smartTag>", r("x"), 1),
        ("<m:e>{}</m:e>", "<m:r><m:t>x</m:t></m:r>", 1),
        ("<w:tbl><w:tr><w:tc><w:p/></w:tc><w:tc>{}</w:tc></w:tr></w:tbl>", p("x"), 3),
        ("<w:tbl><w:tr><w:tc>{}</w:tc></w:tr></w:tbl>", p("x"), 3),
        ("<w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt>", p("x"), 2),
        (f"<w:p><w:r><w:pict>{BOX}</w:pict></w:r></w:p>", p("x"), 5),
    ],
)
def test_what_is_nested_as_deep_as_allowed_is_read(outer: str, inner: str, levels: int) -> None:
    """This also holds if the caller already uses 300 frames of Python's stack."""
    body = inner
    for _ in range(150 // levels):
        body = outer.format(body)
    if levels == 1:
        body = p(f"<m:oMath>{body}</m:oMath>" if "m:" in outer else body)
    frames = 300

    def deeper(depth: int) -> str:
        return deeper(depth - 1) if depth else text_of(body)

    assert "x" in deeper(frames)


@pytest.mark.slow
def test_one_paragraph_of_many_runs_and_fields_takes_linear_time() -> None:
    field = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
    data = {n: docx(p(r("word ") * n) + p((r("word ") + field) * n)) for n in (2_000, 8_000)}
    assert seconds(data[8_000]) < 12 * max(seconds(data[2_000]), 0.02)


# -------------------------------------------------------------------- clauses in heading styles

CARE = "Care. The tenant keeps the pumps of the house in good order, and pays for what it breaks."


def test_clauses_in_the_style_of_headings_are_paragraphs() -> None:
    """Lawyers link the numbers of clauses to these styles."""
    clauses = h(2, CARE, (1, 1)) * 3 + h(3, "Keys", (1, 2))
    body = h(1, "Rent", (1, 0)) + clauses + h(1, "Term", (1, 0)) + clauses
    assert lines_of(body, numbering=OUTLINE + num(1, 1)) == [
        "# 1. Rent",
        f"1.1. {CARE}",
        f"1.2. {CARE}",
        f"1.3. {CARE}",
        "1.3.1. Keys",
        "# 2. Term",
        f"2.1. {CARE}",
        f"2.2. {CARE}",
        f"2.3. {CARE}",
        "2.3.1. Keys",
    ]
    source = read_docx(docx(body, numbering=OUTLINE + num(1, 1)), "a.docx")
    assert [clause.name for clause in parse(source).clauses][1:3] == ["1.1 Care", "1.2 Care"]


def test_a_long_heading_above_a_text_stays() -> None:
    body = h(1, CARE) + p("The rule.") + h(1, CARE) + p("The other rule.")
    assert lines_of(body) == [f"# {CARE}", "The rule.", f"# {CARE}", "The other rule."]


@pytest.mark.parametrize(
    "body",
    [
        h(1, "It pays.") * 3,  # short
        (h(1, CARE) + h(2, "Keys")) * 3,  # each holds a heading
        h(1, CARE),  # alone
    ],
)
def test_other_headings_that_are_sentences_stay(body: str) -> None:
    assert all(line.startswith("#") for line in lines_of(body))
