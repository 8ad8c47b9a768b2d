"""Links and emphasis of HTML, Word and Docling are kept if this is requested."""

import re
from typing import Any

import pytest
from case_files import case_table, pairs_of
from docx_files import DEFAULT_STYLES, docx, related

from treepack import PackConfig, audit, pack, read
from treepack.readers.docling.reader import read_docling
from treepack.readers.html.reader import read_html
from treepack.readers.links_and_emphasis import KeepOptions

KEEP_BOTH = KeepOptions(links=True, emphasis=True)


@pytest.mark.parametrize(("html", "expected"), pairs_of("kept_links.txt"))
def test_links_and_emphasis_of_a_page_are_kept_on_request(html: str, expected: str) -> None:
    page = html.replace("{long}", "u" * 2001)
    assert f"{expected}\n" == read_html(page, keep=KEEP_BOTH).text


def test_cells_and_captions_keep_links() -> None:
    row = "<tr><td><a href='u|v'>l ] m</a><td><b>x <a href=q>y</a></b>"
    page = f"<table><caption>C <a href=c>l</a></caption><tr><th>A<th>B{row}</table>"
    text = read_html(page, keep=KEEP_BOTH).text
    assert "| [l \\] m](u\\|v) | **x** [**y**](q) |" in text
    assert "C [l](c)" in text
    [table] = pack(text)[0].tables
    assert table.caption == "C l"


def test_a_table_with_two_header_rows_keeps_links_as_html() -> None:
    head = "<thead><tr><th>a<th>b<tr><th>c<th>d</thead>"
    page = f"<table>{head}<tr><td><a href='u?a=1&amp;b'>k</a><td><em>e</em></table>"
    text = read_html(page, keep=KEEP_BOTH).text
    assert '<td><a href="u?a=1&amp;b">k</a></td><td><em>e</em></td>' in text


def test_links_and_emphasis_are_dropped_by_default() -> None:
    page = b"<p>See <a href='u'>the <b>rules</b></a> and <i>more</i>."
    assert read(page, "html").text == "See the rules and more.\n"
    assert read(page, "html", links="keep").text == "See [the rules](u) and more.\n"
    assert read(page, "html", emphasis="keep").text == "See the **rules** and *more*.\n"


@pytest.mark.parametrize("name", ["links", "emphasis"])
def test_an_invalid_choice_is_rejected(name: str) -> None:
    choice: Any = {name: "keeps"}
    with pytest.raises(ValueError, match=f"{name}.*keep"):
        read(b"<p>a", "html", **choice)


def test_kept_links_count_towards_the_cap_and_keep_the_laws() -> None:
    link = "<a href='https://e.x/a/long/target?of=many&tokens=1'>a linked word</a>"
    page = f"<h1>T</h1><p>{(f'A sentence with {link}. ') * 60}".encode()
    source = read(page, "html", links="keep", emphasis="keep")
    config = PackConfig(max_tokens=96, target_tokens=96, min_tokens=0)
    chunks = pack(source, config)
    assert all(chunk.embed_token_count <= 96 for chunk in chunks)
    assert not audit(source, chunks, PackConfig(max_tokens=96)).findings
    assert len(re.findall(r"\]\(https://e", "".join(c.text for c in chunks))) == 60


def word_file(body: str, **more: Any) -> bytes:  # noqa: ANN401 - as `docx`
    """Return a file whose relationships have a link of id ``link``."""
    link = (
        '<Relationship Id="link" Type="OFFICE/hyperlink" Target="https://e.x/document"'
        ' TargetMode="External"/>'
    )
    return related(docx(body, **more), link)


@pytest.mark.parametrize(("inside", "expected"), case_table("kept_marks", "word"))
def test_links_and_emphasis_of_a_word_paragraph_are_kept_on_request(
    inside: str, expected: str
) -> None:
    emphasis = '<w:style w:type="character" w:styleId="Em"><w:rPr><w:i/></w:rPr></w:style>'
    data = word_file(f"<w:p>{inside}</w:p>", styles=DEFAULT_STYLES + emphasis)
    assert expected == read(data, "docx", links="keep", emphasis="keep").text


def test_links_and_emphasis_of_docling_are_kept_on_request() -> None:
    record = case_table("kept_marks", "docling")
    expected = (
        "# Rules\n\n[the rules](https://e.x/a)\n\n*A term*.\n\n"
        "See [**the rules**](https://e.x/b) [`run()`](https://e.x/c).\n\n"
        "- [an item](https://e.x/d)\n"
    )
    assert expected == read_docling(record, "a", KEEP_BOTH).text
    plain = read_docling(record, "a").text
    assert "](" not in plain
    assert "*" not in plain
