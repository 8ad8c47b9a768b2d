"""The laws over what readers write: any document of any format is packed without a finding."""

import html
from typing import Any

import pytest
from case_files import case_table
from docling_documents import Doc
from docx_files import abstract, docx, h, lvl, num, p, table, tr
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from strategies import configs, generated, sentences

from treepack import PackConfig, Source, audit, pack
from treepack.readers.docling.reader import read_docling
from treepack.readers.docx.reader import read_docx
from treepack.readers.elements import Element, read_elements
from treepack.readers.html.reader import read_html

LOOKALIKES = case_table("reader_laws", "lookalikes")
TAGS = case_table("reader_laws", "tags")
texts = st.one_of(sentences, sentences, st.sampled_from(LOOKALIKES))
long_texts = st.one_of(texts, texts.map(lambda text: " ".join([text] * 30)))
rows = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(texts, min_size=width, max_size=width), min_size=1, max_size=9)
)
levels = st.integers(1, 6)


@st.composite
def element_lists(draw: DrawFn) -> Source:
    """Draw a list of texts, lists, tables and figures in changing sections."""
    found: list[Element] = []
    for page in range(1, draw(st.integers(2, 8))):
        kind = draw(st.sampled_from(("text", "list", "table", "figure", "heading", "code")))
        content: Any = draw(long_texts)
        if kind == "list":
            content = draw(st.lists(texts, min_size=1, max_size=9))
        elif kind == "table":
            content = "\n".join(" | ".join(row) for row in draw(rows))
        number = [draw(levels) for _ in range(draw(levels))]
        found.append(Element(kind, content, ".".join(map(str, number)), draw(texts), page))
    return read_elements(found, "a.json")


@st.composite
def pages_of_html(draw: DrawFn) -> Source:
    """Draw a page of elements that are closed or not, in any order."""
    parts: list[str] = []
    for tag in draw(st.lists(st.sampled_from(TAGS), max_size=12)):
        if tag == "table":
            cells = ["".join(f"<td>{html.escape(c)}" for c in row) for row in draw(rows)]
            parts.append("<table><tr>" + "<tr>".join(cells) + "</table>")
        else:
            end = draw(st.sampled_from((f"</{tag}>", "")))
            parts.append(f"<{tag}>{html.escape(draw(long_texts))}{end}")
    return read_html("".join(parts).encode("utf-8", "replace"), "a.html")


def in_xml(text: str) -> str:
    """Return a text escaped for XML, without unprintable characters."""
    return html.escape("".join(character for character in text if character.isprintable()))


@st.composite
def word_documents(draw: DrawFn) -> Source:
    """Draw a Word document of numbered headings and paragraphs, lists and tables."""
    legal = [lvl(n, ".".join(f"%{i + 1}" for i in range(n + 1))) for n in range(9)]
    bullets = [lvl(n, "•", "bullet") for n in range(9)]
    numbering = abstract(1, legal) + abstract(2, bullets) + num(1, 1) + num(2, 2)
    body: list[str] = []
    for _ in range(draw(st.integers(1, 10))):
        text = in_xml(draw(long_texts))
        level = draw(levels)
        kinds = (
            h(level, text, (1, level - 1)),
            h(level, text),
            p(text),
            p(text, number=(1, level)),
            p(text, number=(2, level)),
        )
        body.append(draw(st.sampled_from((*kinds, p(text)))))
        if draw(st.integers(0, 3)) == 0:
            body.append(table(*[tr(*map(in_xml, row)) for row in draw(rows)]))
    return read_docx(docx("".join(body), numbering=numbering), "a.docx")


@st.composite
def docling_documents(draw: DrawFn) -> Source:
    """Draw headers, texts, lists and tables on several pages."""
    document = Doc()
    for page in range(1, draw(st.integers(2, 8))):
        document.header(draw(texts), draw(levels), page)
        document.text(draw(long_texts), page=page)
        if draw(st.booleans()):
            group = document.group()
            for text in draw(st.lists(texts, min_size=1, max_size=5)):
                document.item(group, text, draw(st.sampled_from(("-", "1.", "(a)"))))
        if draw(st.booleans()):
            document.table(draw(rows), draw(st.integers(0, 2)))
    return read_docling(document.record, "a.json")


# Each with its smallest cap. Elements may have six headings without text between, which need room.
SOURCES = {
    "elements": (element_lists(), 256),
    "html": (pages_of_html(), 64),
    "docx": (word_documents(), 64),
    "docling": (docling_documents(), 64),
}


@pytest.mark.parametrize("kind", SOURCES)
@generated
@given(data=st.data(), config=configs())
def test_the_audit_finds_nothing_in_documents_of_any_format(
    kind: str, data: st.DataObject, config: PackConfig
) -> None:
    """This holds whatever the document contains."""
    sources, least_cap = SOURCES[kind]
    assume(config.max_tokens >= least_cap)
    source = data.draw(sources)
    report = audit(source.text, pack(source, config), config, name=source.name)
    assert report.findings == ()
