"""Readers pass on how a paragraph was formatted if markdown has no markup for it."""

from typing import Any

import pytest
from case_files import case_table, pairs_of
from docx_files import docx, h, p
from title_texts import outline

import treepack
from treepack.model.source import Source, Typography
from treepack.outline.outlined import with_lines_as_headings
from treepack.readers.docling import read_docling
from treepack.readers.docx import read_docx
from treepack.readers.elements.reader import read_elements
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


@pytest.mark.parametrize(("name", "level"), case_table("typography", "names"))
def test_a_level_is_read_from_the_name_of_a_style(name: str, level: int | None) -> None:
    assert level_of_name(name) == level


@pytest.mark.parametrize(("body", "styles", "found"), case_table("typography", "word"))
def test_typography_of_word_is_resolved_like_in_word(
    body: str, styles: str, found: dict[str, list[Any]]
) -> None:
    data = docx(
        p(TEXT) + body, styles=styles + case_table("typography", "styles of Word")["styles"]
    )
    expected = {text: Typography(*values) for text, values in found.items()}
    assert typography_by_text(read_docx(data, "a.docx")) == expected


def test_an_outline_level_of_any_style_makes_a_heading() -> None:
    """It states the level itself, so nothing has to be guessed."""
    level = '<w:pPr><w:outlineLvl w:val="1"/></w:pPr>'
    klausel = f'<w:style w:type="paragraph" w:styleId="Klausel">{level}</w:style>'
    source = read_docx(docx(p("Scope", "Klausel") + p(TEXT), styles=klausel), "a.docx")
    assert source.text.startswith("## Scope\n")
    assert source.typography == ()


@pytest.mark.parametrize(("paragraphs", "expected"), case_table("typography", "titles"))
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
    record = case_table("typography", "docling")
    assert typography_by_text(read_docling(record, "a")) == bold("Scope", "All:")


FOUND = {"Scope": Typography(bold=True, size=14.0), "Terms": Typography(level=2)}


@pytest.mark.parametrize(
    ("kind", "expected"), [("unstructured", bold("All bold.")), ("elements", FOUND)]
)
def test_elements_may_give_their_typography(kind: str, expected: Found) -> None:
    elements = case_table("typography", kind)
    assert typography_by_text(read_elements(elements, "a")) == expected
