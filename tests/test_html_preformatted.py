"""A page that is a plain text in ``<pre>`` is read as plain text."""

import html

from case_files import CASES

import treepack
from treepack import Source
from treepack.readers.html.reader import read_html

BILL = "\n" + (CASES / "texts" / "bill.txt").read_text("utf-8")


def page(*texts: str, around: str = "") -> str:
    return f"<title>Pump Act</title>{around}" + "<hr>".join(
        f"<pre>{html.escape(text)}</pre>" for text in texts
    )


def headings(source: Source, file: str) -> list[tuple[int, str]]:
    document = treepack.parse(source, file=file)
    assert document.is_plain
    return [(s.heading.level, s.heading.text) for s in document.root.walk() if s.heading]


def test_a_pre_page_is_read_like_a_plain_text_file() -> None:
    """Bills, federal rules and RFCs are published like this; as code, they would have no titles."""
    found = read_html(page(BILL, around="<p><a href=x.pdf>PDF</a>"), "x.html")
    assert found.text == BILL[1:]  # HTML leaves out a line end right after the tag
    assert found.metadata == {"title": "Pump Act"}
    expected = headings(Source(found.text), "x.txt")
    assert len(expected) == 4
    assert headings(found, "x.html") == expected


def test_several_pre_elements_are_separate_pages() -> None:
    """RFCs have one ``<pre>`` per page; headers and footers are found like those of text files."""
    sheets = [f"Pumps   May 2026\n{BILL}\nDoe   [Page {n}]\n" for n in range(1, 5)]
    source = read_html(page(*sheets))
    document = treepack.parse(source)
    assert document.source.page_marks[-1][1] == 4
    assert sum("[Page" in source.text[a:b] for a, b, _ in document.skipped) == 4


def test_text_named_html_is_plain_unless_it_has_markup() -> None:
    """Text that loaders extract from pages has no markup; the output of converters has."""
    assert treepack.parse(Source("A pump.\n\nA valve.", "x.html")).is_plain
    assert not treepack.parse(Source("# A pump\n\n**Mind** the [valve](x).", "x.html")).is_plain
