"""Word documents: metadata, origins, clauses and the package; `cases/readers` has their texts."""

from pathlib import Path

import pytest
from docx_files import (
    OUTLINE,
    STRICT,
    archive,
    docx,
    h,
    lines_of,
    num,
    p,
    r,
    table,
    text_of,
    tr,
    unpacked,
)

from treepack import parse, read
from treepack.clauses.walk import find_clauses
from treepack.errors import LeftOutWarning
from treepack.readers.docx.reader import read_docx


def test_the_title_becomes_a_heading_and_properties_become_metadata() -> None:
    core = (
        '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/'
        'core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Der  Vertrag'
        "</dc:title><dc:creator>A. B.</dc:creator><dc:subject/></cp:coreProperties>"
    )
    data = docx(p("Vertrag", "Titel") + h(1, "a"))
    files = unpacked(data)
    files["_rels/.rels"] = files["_rels/.rels"].replace(
        b"</Relationships>",
        b'<Relationship Id="c" Type="x/core-properties" Target="/docProps/core.xml"/>'
        b"</Relationships>",
    )
    source = read_docx(archive({**files, "docProps/core.xml": core.encode()}), "a.docx")
    assert source.text == "# Vertrag\n\n## a\n"
    assert source.metadata == {"title": "Der Vertrag", "author": "A. B."}


def test_an_embedded_document_is_left_out_with_a_warning() -> None:
    with pytest.warns(LeftOutWarning, match=r"a\.docx: an embedded document"):
        assert text_of(p("a") + '<w:altChunk r:id="x"/>') == "a\n"


def test_footnotes_come_at_the_end_of_their_section() -> None:
    notes = "".join(
        f'<w:footnote w:id="{note}"{kind}>{p(r(" " + text))}{p("more") if note == 5 else ""}'
        "</w:footnote>"
        for note, kind, text in ((0, ' w:type="separator"', "-"), (5, "", "five"), (6, "", "six"))
    )
    reference = '<w:r><w:footnoteReference w:id="{}"/></w:r>'
    body = h(1, "a") + p(r("x") + reference.format(6) + reference.format(99)) + p("y") + h(1, "b")
    body += p(r("z") + reference.format(5))
    source = read_docx(docx(body, parts={"footnotes": notes}), "a.docx")
    assert source.text == (
        "# a\n\nx[^1]\n\ny\n\n[^1]: six\n\n# b\n\nz[^2]\n\n[^2]: five\n\n    more\n"
    )
    assert ("docx:footnote 6") in [place for _, place in source.origins]


def test_strict_ooxml_is_read_like_transitional_ooxml() -> None:
    body = h(1, "a", (1, 0)) + table(tr("A", "B"), tr("1", "2"))
    data = docx(body, numbering=OUTLINE + num(1, 1), namespace=STRICT)
    assert read_docx(data, "a.docx").text.startswith("# 1. a\n\n| A | B |")


def test_origins_name_paragraphs_and_tables() -> None:
    source = read_docx(docx(h(1, "a") + p() + p("x") + table(tr("A", "B"), tr("1", "2"))), "a.docx")
    assert source.origins == ((0, "docx:paragraph 1"), (5, "docx:paragraph 3"), (8, "docx:table 1"))


def test_templates_and_documents_with_macros_are_read_like_documents(tmp_path: Path) -> None:
    """Macros are not text."""
    files = unpacked(docx(h(1, "A") + p("text")))
    data = archive({**files, "word/vbaProject.bin": b"Sub AutoOpen()"})
    for name in ("a.docm", "b.dotx", "c.dotm", "d.DOCX"):
        (tmp_path / name).write_bytes(data)
        assert read(tmp_path / name).text == "# A\n\ntext\n"


CLAUSE = "Care. The tenant keeps the pumps of the house in good order, and pays for what it breaks."


def test_clauses_in_heading_styles_are_paragraphs() -> None:
    """Lawyers link the numbers of clauses to these styles."""
    clauses = h(2, CLAUSE, (1, 1)) * 3 + h(3, "Keys", (1, 2))
    body = h(1, "Rent", (1, 0)) + clauses + h(1, "Term", (1, 0)) + clauses
    assert lines_of(body, numbering=OUTLINE + num(1, 1)) == [
        line
        for n, title in ((1, "Rent"), (2, "Term"))
        for line in (
            f"# {n}. {title}",
            *(f"{n}.{at}. {CLAUSE}" for at in (1, 2, 3)),
            f"{n}.3.1. Keys",
        )
    ]
    source = read_docx(docx(body, numbering=OUTLINE + num(1, 1)), "a.docx")
    assert [clause.name for clause in find_clauses(parse(source))][1:3] == ["1.1 Care", "1.2 Care"]
