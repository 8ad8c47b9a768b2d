"""Readers pass on how a paragraph was formatted if markdown has no markup for it."""

from collections.abc import Iterator

import pytest
from docling_documents import Doc
from docx_files import docx, h, p, r

import treepack
from treepack.model.section import Section
from treepack.model.source import Source
from treepack.model.typography import Typography
from treepack.outline.outlined import with_lines_as_headings
from treepack.readers.docling import read_docling
from treepack.readers.docx import read_docx
from treepack.readers.elements.reader import Element, read_elements
from treepack.readers.html import read_html
from treepack.readers.typography import level_of_name
from treepack.readers.writer import MarkdownWriter

BODY = Typography(size=11.0)


def typography_by_text(source: Source) -> dict[str, Typography]:
    """Return the typography of each paragraph, by the first line of its text."""
    return {source.text[at:].partition("\n")[0]: found for at, found in source.typography}


# -------------------------------------------------------------------- the writer


def test_typography_is_recorded_where_the_text_of_a_paragraph_begins() -> None:
    writer = MarkdownWriter()
    writer.paragraph("Plain")
    writer.paragraph("Bold", typography=Typography(bold=True))
    writer.open_quote()
    writer.open_list(ordered=True, start=4)
    writer.open_item()
    writer.paragraph("Item", typography=Typography(level=2))
    source = writer.source()
    assert "> 4. Item" in source.text
    assert typography_by_text(source) == {
        "Bold": Typography(bold=True),
        "Item": Typography(level=2),
    }
    assert [at for at, _ in source.typography] == sorted(at for at, _ in source.typography)


def test_only_sizes_above_the_usual_one_are_recorded() -> None:
    """Most of a document has one size, which shows nothing about a paragraph."""
    writer = MarkdownWriter()
    writer.paragraph("Title", typography=Typography(size=16.0))
    writer.paragraph("Text that goes on for most of the document.", typography=BODY)
    writer.paragraph("Note", typography=Typography(size=8.0))
    writer.paragraph("Bold text", typography=Typography(bold=True, size=11.0))
    assert typography_by_text(writer.source()) == {
        "Title": Typography(size=16.0),
        "Bold text": Typography(bold=True),
    }


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


# -------------------------------------------------------------------- Word

TEXT = "This is the text of the document, which is longer than all of its titles are."
BOLD, PLAIN = "<w:b/>", '<w:b w:val="0"/>'


def style(name: str, more: str = "", kind: str = "paragraph", based_on: str = "") -> str:
    """Return a style whose id is its name."""
    base = f'<w:basedOn w:val="{based_on}"/>' if based_on else ""
    inner = f'<w:name w:val="{name}"/>{base}{more}'
    return f'<w:style w:type="{kind}" w:styleId="{name}">{inner}</w:style>'


def run_properties(properties: str) -> str:
    return f"<w:rPr>{properties}</w:rPr>"


def word_typography(body: str, styles: str = "") -> dict[str, Typography]:
    """Return the typography of the paragraphs of a Word document that is mostly plain text."""
    default = (
        '<w:style w:type="paragraph" w:default="1" w:styleId="N"><w:name w:val="N"/></w:style>'
    )
    return typography_by_text(read_docx(docx(p(TEXT) + body, styles=default + styles), "a.docx"))


def test_a_paragraph_is_bold_if_all_its_words_are() -> None:
    """Punctuation or a space that is not bold does not matter."""
    found = word_typography(
        p(r("All", BOLD) + r(" bold", BOLD) + r(": "))
        + p(r("A term", BOLD) + r(" and what it means"))
        + p(r("Hidden", BOLD) + r(" tail", "<w:vanish/>"))
        + p(r("Off", PLAIN))
    )
    assert found == {"All bold:": Typography(bold=True), "Hidden": Typography(bold=True)}


def test_bold_is_resolved_from_styles_like_in_word() -> None:
    """The nearest style of a chain counts, the run's own setting wins, bold on bold is plain."""
    styles = (
        style("Loud", run_properties(BOLD))
        + style("Louder", based_on="Loud")
        + style("Quiet", run_properties(PLAIN), based_on="Loud")
        + style("Strong", run_properties(BOLD), "character")
    )
    strong = '<w:rStyle w:val="Strong"/>'
    found = word_typography(
        p("By style", "Louder")
        + p("By a nearer style", "Quiet")
        + p(r("By a run", strong))
        + p(r("Both", strong), "Loud")
        + p(r("Own word", strong + BOLD), "Loud")
        + p(r("Own no", PLAIN), "Loud"),
        styles,
    )
    assert {text for text, what in found.items() if what.bold} == {
        "By style",
        "By a run",
        "Own word",
    }


def test_sizes_come_from_runs_styles_and_defaults() -> None:
    """In points; a paragraph is as large as its smallest words."""
    default = run_properties(SIZE.format(22))
    defaults = f"<w:docDefaults><w:rPrDefault>{default}</w:rPrDefault></w:docDefaults>"
    styles = defaults + style("Large", run_properties(SIZE.format(36)))
    found = word_typography(
        p(r("Sixteen", SIZE.format(32)))
        + p("Eighteen", "Large")
        + p(r("Drop", SIZE.format(60)) + r("cap"))
        + p(r("Small", SIZE.format(16))),
        styles,
    )
    assert found == {
        "Sixteen": Typography(size=16.0),
        "Eighteen": Typography(size=18.0),
    }


SIZE = '<w:sz w:val="{}"/>'


def test_the_level_in_the_name_of_a_style_is_recorded() -> None:
    styles = style("Kop 2") + style("Rubrik") + style("List Bullet")
    found = word_typography(
        p("Two", "Kop 2") + p("Some", "Rubrik") + p("Item", "List Bullet"), styles
    )
    assert found == {
        "Two": Typography(level=2),
    }


def test_an_outline_level_of_any_style_makes_a_heading() -> None:
    """It states the level itself, so nothing has to be guessed."""
    level = '<w:pPr><w:outlineLvl w:val="1"/></w:pPr>'
    data = docx(p("Scope", "Klausel") + p(TEXT), styles=style("Klausel", level))
    source = read_docx(data, "a.docx")
    assert source.text.startswith("## Scope\n")
    assert source.typography == ()


# -------------------------------------------------------------------- HTML


def page_typography(html: str) -> dict[str, Typography]:
    """Return the typography of the paragraphs of a page that is mostly plain text."""
    return typography_by_text(read_html(f"<p>{TEXT}</p>{html}"))


@pytest.mark.parametrize(
    "html",
    [
        "<p><b>Scope</b></p>",
        "<p><strong>Scope</strong>.</p>",
        "<div><b>Scope</b></div>",
        '<div style="font-weight: bold">Scope</div>',
        '<p><span style="font-weight:700">Sc</span><b>ope</b></p>',
        "<ul><li><p><b>Scope</b></p></li></ul>",
    ],
)
def test_an_html_paragraph_is_bold_if_all_its_words_are(html: str) -> None:
    assert list(page_typography(html).values()) == [Typography(bold=True)]


@pytest.mark.parametrize(
    ("html", "points"),
    [
        ('<p style="font-size: 18pt">T</p>', 18.0),
        ('<p><span style="color:red; FONT-SIZE:24px">T</span></p>', 18.0),
        ('<div style="font-size:150%"><p>T</p></div>', 18.0),
        ('<div style="font-size:2em"><p style="font-size:.75em">T</p></div>', 18.0),
        ('<p><span style="font-size:18pt">T</span> and more</p>', None),
        ('<p style="font-size:8pt">T</p>', None),
        ('<p style="max-font-size:18pt">T</p>', None),
    ],
)
def test_font_sizes_in_html_are_converted_to_points(html: str, points: float | None) -> None:
    expected = [] if points is None else [Typography(size=points)]
    assert list(page_typography(html).values()) == expected


def test_levels_that_classes_name_are_recorded() -> None:
    found = page_typography(
        '<p class="x section-title-3">A</p><div class="heading2">B</div>'
        '<p><span class="h4">C</span></p><p>D <span class="title-2">d</span></p>'
        '<p class="lead">E</p>'
    )
    assert found == {
        "A": Typography(level=3), "B": Typography(level=2), "C": Typography(level=4),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("html", "line"),
    [
        ('<div role="heading" aria-level="3">T</div>', "### T"),
        ('<p role="heading" aria-level="9">T</p>', "###### T"),
        ('<span role="heading">T</span>', "## T"),
        ('<div role="HEADING" aria-level="x">T</div>', "## T"),
        ('<h4 role="heading" aria-level="2">T</h4>', "#### T"),
        ('<div role="note" aria-level="3">T</div>', "T"),
    ],
)
def test_a_role_makes_a_heading(html: str, line: str) -> None:
    assert read_html(f"{html}<p>x</p>").text == f"{line}\n\nx\n"


# -------------------------------------------------------------------- docling, element lists


def test_docling_bold_formatting_is_recorded() -> None:
    doc = Doc()
    bold = {"bold": True, "italic": False}
    doc.text(TEXT)
    doc.text("Scope", formatting=bold)
    doc.text("Where it is from", label="footnote")
    mixed, whole = doc.group("inline"), doc.group("inline")
    doc.text("Term", mixed, formatting=bold)
    doc.text("is this", mixed)
    doc.text("All", whole, formatting=bold)
    doc.text(":", whole)
    doc.item(doc.group(), "Plain item")
    doc.text("Odd", formatting="bold")
    assert typography_by_text(read_docling(doc.record, "a")) == {
        "Scope": Typography(bold=True),
        "All:": Typography(bold=True),
    }


def test_unstructured_emphasis_is_recorded() -> None:
    def element(kind: str, text: str, contents: object = None, tags: object = None) -> object:
        metadata = {"emphasized_text_contents": contents, "emphasized_text_tags": tags}
        return {"type": kind, "element_id": text, "text": text, "metadata": metadata}

    source = read_elements(
        [
            element("NarrativeText", TEXT),
            element("NarrativeText", "All bold.", ["All", "bold"], ["b", "strong"]),
            element("NarrativeText", "A term here", ["A term"], ["b"]),
            element("NarrativeText", "Slanted", ["Slanted"], ["i"]),
            element("NarrativeText", "Odd", "Odd", 3),
            element("NarrativeText", "..."),
        ],
        "a",
    )
    assert typography_by_text(source) == {
        "All bold.": Typography(bold=True),
    }


def test_elements_of_any_parser_may_give_their_typography() -> None:
    source = read_elements(
        [
            Element("text", TEXT, metadata={"font_size": 10}),
            Element("text", "Scope", metadata={"font_size": 14, "bold": True}),
            Element("text", "Terms", metadata={"style": "Kop 2"}),
            Element("text", "Odd", metadata={"font_size": "9", "bold": "no", "style": 3}),
        ],
        "a",
    )
    assert typography_by_text(source) == {
        "Scope": Typography(bold=True, size=14.0),
        "Terms": Typography(level=2),
    }


# -------------------------------------------------------------------- Word's titles


def outline(body: str) -> list[tuple[int, str]]:
    document = treepack.parse(read_docx(docx(body), "a.docx"))
    return [
        (len(list(above)), section.heading.text)
        for section, above in _walk(document.root, ())
        if section.heading
    ]


def _walk(
    section: Section, above: tuple[Section, ...]
) -> Iterator[tuple[Section, tuple[Section, ...]]]:
    for child in section.sections:
        yield child, above
        yield from _walk(child, (*above, child))


def test_a_title_is_above_the_first_level() -> None:
    body = p("Law", "Titel") + h(1, "Part") + p("x") + h(2, "Clause") + p("y")
    assert outline(body) == [(0, "Law"), (1, "Part"), (2, "Clause")]


def test_without_a_title_levels_stay_as_they_are() -> None:
    source = read_docx(docx(h(1, "Part") + p("x") + h(2, "Clause")), "a.docx")
    assert source.text == "# Part\n\nx\n\n## Clause\n"


def test_lines_of_a_title_are_one_heading() -> None:
    body = p("Act on", "Titel") + p("") + p("Data", "Titel") + h(1, "Part") + p("x")
    assert outline(body) == [(0, "Act on Data"), (1, "Part")]


def test_each_of_several_titles_has_its_own_part() -> None:
    body = "".join(p(title, "Titel") + h(1, f"{title} one") + p("x") for title in "AB")
    assert outline(body) == [(0, "A"), (1, "A one"), (0, "B"), (1, "B one")]


def test_a_title_at_the_end_does_not_contain_the_sections_before_it() -> None:
    body = h(1, "Part") + p("x") + p("Annex", "Titel") + p("y")
    assert outline(body) == [(0, "Part"), (0, "Annex")]


def test_a_title_with_its_own_outline_level_is_still_above_the_parts() -> None:
    level = '<w:outlineLvl w:val="0"/>'
    body = p("Law", "Titel", more=level) + h(1, "Part") + p("x")
    assert outline(body) == [(0, "Law"), (1, "Part")]


def test_marking_a_one_letter_title_does_not_shift_the_text() -> None:
    """The letters of an index, in a large font, once shifted all the text after them."""
    source = Source("S\n\nsignaling, 91")
    assert "#\n\nsignaling, 91" == with_lines_as_headings(source, [(0, 1)]).text
