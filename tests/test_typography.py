"""Readers pass on how a paragraph was formatted if markdown has no markup for it."""

from typing import Any

import pytest
from case_files import pairs_of
from docling_documents import Doc
from docx_files import docx, h, p, r
from title_texts import outline

import treepack
from treepack.model.source import Source
from treepack.model.typography import Typography
from treepack.outline.outlined import with_lines_as_headings
from treepack.readers.docling import read_docling
from treepack.readers.docx import read_docx
from treepack.readers.elements.reader import Element, read_elements
from treepack.readers.html import read_html
from treepack.readers.typography import level_of_name
from treepack.readers.writer import MarkdownWriter

Found = dict[str, Typography]
TEXT = "This is the text of the document, which is longer than all of its titles are."
IS_BOLD = Typography(bold=True)


def typography_by_text(source: Source) -> Found:
    """Return the typography of each paragraph, by the first line of its text."""
    return {source.text[at:].partition("\n")[0]: found for at, found in source.typography}


def bold(*texts: str) -> Found:
    return dict.fromkeys(texts, IS_BOLD)


def test_typography_is_recorded_where_the_text_of_a_paragraph_begins() -> None:
    writer = MarkdownWriter()
    writer.paragraph("Plain")
    writer.paragraph("Bold", typography=IS_BOLD)
    writer.open_quote()
    writer.open_list(ordered=True, start=4)
    writer.open_item()
    writer.paragraph("Item", typography=Typography(level=2))
    source = writer.source()
    assert "> 4. Item" in source.text
    assert typography_by_text(source) == {**bold("Bold"), "Item": Typography(level=2)}
    assert [at for at, _ in source.typography] == sorted(at for at, _ in source.typography)


def test_only_sizes_above_the_usual_one_are_recorded() -> None:
    """Most of a document has one size, which shows nothing about a paragraph."""
    writer = MarkdownWriter()
    writer.paragraph("Title", typography=Typography(size=16.0))
    writer.paragraph(TEXT, typography=Typography(size=11.0))
    writer.paragraph("Note", typography=Typography(size=8.0))
    writer.paragraph("Bold text", typography=Typography(bold=True, size=11.0))
    found = typography_by_text(writer.source())
    assert found == {"Title": Typography(size=16.0), **bold("Bold text")}


@pytest.mark.parametrize(
    ("name", "level"),
    [
        ("Titre 2", 2), ("Überschrift3", 3), ("section-heading-4", 4), ("h2", 2), ("H6", 6),
        ("My Heading 1", 1), ("Heading", None), ("paragraph2", None), ("h2o", None), ("h7", None),
        ("ch2", None),
    ],
)  # fmt: skip
def test_a_level_is_read_from_the_name_of_a_style(name: str, level: int | None) -> None:
    assert level_of_name(name) == level


BOLD, PLAIN = "<w:b/>", '<w:b w:val="0"/>'
SIZE = '<w:sz w:val="{}"/>'
STRONG = '<w:rStyle w:val="Strong"/>'


def style(name: str, run: str = "", kind: str = "paragraph", based_on: str = "") -> str:
    """Return a style whose id is its name."""
    base = f'<w:basedOn w:val="{based_on}"/>' if based_on else ""
    inner = f'<w:name w:val="{name}"/>{base}<w:rPr>{run}</w:rPr>'
    return f'<w:style w:type="{kind}" w:styleId="{name}">{inner}</w:style>'


DEFAULT = '<w:style w:type="paragraph" w:default="1" w:styleId="N"><w:name w:val="N"/></w:style>'
DEFAULT_SIZE = f"<w:rPrDefault><w:rPr>{SIZE.format(22)}</w:rPr></w:rPrDefault>"
STYLES = (
    style("Loud", BOLD)
    + style("Louder", based_on="Loud")
    + style("Quiet", PLAIN, based_on="Loud")
    + style("Strong", BOLD, "character")
    + style("Large", SIZE.format(36))
    + style("Kop 2")
    + style("Rubrik")
    + style("List Bullet")
)


@pytest.mark.parametrize(
    ("body", "styles", "expected"),
    [
        (  # punctuation, or a space, that is not bold does not matter
            p(r("All", BOLD) + r(" bold", BOLD) + r(": "))
            + p(r("A term", BOLD) + r(" and what it means"))
            + p(r("Hidden", BOLD) + r(" tail", "<w:vanish/>"))
            + p(r("Off", PLAIN)),
            "",
            bold("All bold:", "Hidden"),
        ),
        (  # the nearest style of a chain counts, the run's own setting wins, bold on bold is plain
            p("By style", "Louder")
            + p("By a nearer style", "Quiet")
            + p(r("By a run", STRONG))
            + p(r("Both", STRONG), "Loud")
            + p(r("Own word", STRONG + BOLD), "Loud")
            + p(r("Own no", PLAIN), "Loud"),
            "",
            bold("By style", "By a run", "Own word"),
        ),
        (  # sizes are in points, and a paragraph is as large as its smallest words
            p(r("Sixteen", SIZE.format(32)))
            + p("Eighteen", "Large")
            + p(r("Drop", SIZE.format(60)) + r("cap"))
            + p(r("Small", SIZE.format(16))),
            f"<w:docDefaults>{DEFAULT_SIZE}</w:docDefaults>",
            {"Sixteen": Typography(size=16.0), "Eighteen": Typography(size=18.0)},
        ),
        (
            p("Two", "Kop 2") + p("Some", "Rubrik") + p("Item", "List Bullet"),
            "",
            {"Two": Typography(level=2)},
        ),
    ],
    ids=["bold", "styles", "sizes", "levels"],
)
def test_typography_of_word_is_resolved_like_in_word(
    body: str, styles: str, expected: Found
) -> None:
    data = docx(p(TEXT) + body, styles=styles + DEFAULT + STYLES)
    assert typography_by_text(read_docx(data, "a.docx")) == expected


def test_an_outline_level_of_any_style_makes_a_heading() -> None:
    """It states the level itself, so nothing has to be guessed."""
    level = '<w:pPr><w:outlineLvl w:val="1"/></w:pPr>'
    klausel = f'<w:style w:type="paragraph" w:styleId="Klausel">{level}</w:style>'
    source = read_docx(docx(p("Scope", "Klausel") + p(TEXT), styles=klausel), "a.docx")
    assert source.text.startswith("## Scope\n")
    assert source.typography == ()


@pytest.mark.parametrize(
    ("paragraphs", "expected"),
    [
        ("Titel:Law|1:Part|x|2:Clause|y", "1 Law|2 Part|3 Clause"),
        ("1:Part|x|2:Clause|y", "1 Part|2 Clause"),
        ("Titel:Act on||Titel:Data|1:Part|x", "1 Act on Data|2 Part"),
        ("Titel:A|1:A one|x|Titel:B|1:B one|x", "1 A|2 A one|1 B|2 B one"),
        ("1:Part|x|Titel:Annex|y", "1 Part|1 Annex"),
        ("Level:Law|1:Part|x", "1 Law|2 Part"),  # a title with an outline level of its own
    ],
)
def test_a_title_of_word_is_above_the_headings_that_follow_it(
    paragraphs: str, expected: str
) -> None:
    body = ""
    for style_name, _, text in (each.rpartition(":") for each in paragraphs.split("|")):
        title = "Titel" if style_name in {"Titel", "Level"} else ""
        level = '<w:outlineLvl w:val="0"/>' * (style_name == "Level")
        is_heading = style_name.isdigit()
        body += h(int(style_name), text) if is_heading else p(text, title, more=level)
    found = outline(treepack.parse(read_docx(docx(body), "a.docx")))
    assert "|".join(f"{depth} {title}" for depth, title in found) == expected


def test_marking_a_one_letter_title_does_not_shift_the_text() -> None:
    """The letters of an index, in a large font, once shifted all the text after them."""
    source = Source("S\n\nsignaling, 91")
    assert "#\n\nsignaling, 91" == with_lines_as_headings(source, [(0, 1)]).text


@pytest.mark.parametrize(("html", "expected"), pairs_of("html_typography.txt", "typography"))
def test_typography_of_html_is_recorded_if_all_words_have_it(html: str, expected: str) -> None:
    kind, _, value = expected.partition(" ")
    wanted = {
        "": [],
        "bold": [IS_BOLD],
        "size": [Typography(size=float(value or 0))],
        "level": [Typography(level=int(value or 0))],
    }
    found = typography_by_text(read_html(f"<p>{TEXT}</p>{html}"))
    assert [*found.values()] == wanted[kind]


@pytest.mark.parametrize(("html", "line"), pairs_of("html_typography.txt", "roles"))
def test_a_role_makes_a_heading(html: str, line: str) -> None:
    assert read_html(f"{html}<p>x</p>").text == f"{line}\n\nx\n"


def test_docling_bold_formatting_is_recorded() -> None:
    doc = Doc()
    formatting = {"bold": True, "italic": False}
    doc.text(TEXT)
    doc.text("Scope", formatting=formatting)
    doc.text("Where it is from", label="footnote")
    mixed, whole = doc.group("inline"), doc.group("inline")
    doc.text("Term", mixed, formatting=formatting)
    doc.text("is this", mixed)
    doc.text("All", whole, formatting=formatting)
    doc.text(":", whole)
    doc.item(doc.group(), "Plain item")
    doc.text("Odd", formatting="bold")
    assert typography_by_text(read_docling(doc.record, "a")) == bold("Scope", "All:")


def unstructured(text: str, contents: object = None, tags: object = None) -> dict[str, Any]:
    metadata = {"emphasized_text_contents": contents, "emphasized_text_tags": tags}
    return {"type": "NarrativeText", "element_id": text, "text": text, "metadata": metadata}


UNSTRUCTURED = [
    *(unstructured(TEXT), unstructured("All bold.", ["All", "bold"], ["b", "strong"])),
    *(unstructured("A term here", ["A term"], ["b"]), unstructured("Slanted", ["Slanted"], ["i"])),
    *(unstructured("Odd", "Odd", 3), unstructured("...")),
]
OF_ANY_PARSER = [
    Element("text", TEXT, metadata={"font_size": 10}),
    Element("text", "Scope", metadata={"font_size": 14, "bold": True}),
    Element("text", "Terms", metadata={"style": "Kop 2"}),
    Element("text", "Odd", metadata={"font_size": "9", "bold": "no", "style": 3}),
]
FOUND = {"Scope": Typography(bold=True, size=14.0), "Terms": Typography(level=2)}


@pytest.mark.parametrize(
    ("elements", "expected"), [(UNSTRUCTURED, bold("All bold.")), (OF_ANY_PARSER, FOUND)]
)
def test_elements_may_give_their_typography(elements: list[Any], expected: Found) -> None:
    assert typography_by_text(read_elements(elements, "a")) == expected
