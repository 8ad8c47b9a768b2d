"""Both frameworks get a file of any format as one document, with its headings and pages."""

from pathlib import Path

import pytest
from docx_files import docx, h, p
from langchain_core.document_loaders import Blob
from llama_index.core import Document, SimpleDirectoryReader
from pdf_files import PdfPage, pdf_bytes

import treepack
from treepack import TreepackNodeParser, TreepackTextSplitter
from treepack.integrations.langchain import TreepackBlobParser, TreepackLoader
from treepack.integrations.llama_index import TreepackReader

pytest.importorskip("pypdfium2")

LINES = (
    "The pump shall stand on a level floor that carries its weight,",
    "and no pipe shall press on its flanges when the bolts are drawn",
)
BOOKMARKS = [(1, "1 Scope", 0, 735), (1, "2 Terms", 1, 635)]


@pytest.fixture
def pump_pdf(tmp_path: Path) -> Path:
    """A PDF of two sections; a sentence of the first one continues on the next page."""
    first = PdfPage().text(72, 720, "1 Scope", 16, "B").lines(72, 690, *LINES)
    second = PdfPage().lines(72, 720, "to their torque. This ends the section.")
    second.text(72, 620, "2 Terms", 16, "B").lines(72, 590, *LINES)
    path = tmp_path / "pump.pdf"
    labels = "0 <</S/r>>"
    path.write_bytes(pdf_bytes(first, second, bookmarks=BOOKMARKS, title="Pumps", labels=labels))
    return path


def read_folder(folder: Path) -> list[Document]:
    """Read a folder as LlamaIndex's users do."""
    extractors = TreepackReader.extractors()
    return SimpleDirectoryReader(str(folder), file_extractor=extractors).load_data()


def test_llama_index_reads_a_file_as_one_document_with_pages(pump_pdf: Path) -> None:
    (document,) = read_folder(pump_pdf.parent)
    assert ("Pumps", "outline") == (document.metadata["title"], document.metadata["pdf_headings"])
    assert "1: i" == document.metadata["page_labels"]
    nodes = TreepackNodeParser(sections="separate").get_nodes_from_documents([document])
    pages = [(n.metadata["page_start"], n.metadata["page_end"]) for n in nodes]
    assert [(1, 2), (2, 2)] == pages
    assert "drawn to their torque" in " ".join(nodes[0].get_content().split())
    assert "drawn\n\nto" not in nodes[0].get_content()


def test_langchain_reads_a_file_as_one_document_with_pages(pump_pdf: Path) -> None:
    documents = TreepackLoader(pump_pdf).load()
    assert documents == TreepackBlobParser().parse(Blob.from_path(pump_pdf))
    assert [str(pump_pdf)] == [document.metadata["source"] for document in documents]
    chunks = TreepackTextSplitter(sections="separate").split_documents(documents)
    pages = [(c.metadata["page_start"], c.metadata["page_end"]) for c in chunks]
    assert [(1, 2), (2, 2)] == pages
    assert ["1 Scope", "2 Terms"] == [c.metadata["breadcrumb"].split(" > ")[-1] for c in chunks]


def test_both_adapters_report_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"%PDF-1.7 damaged")
    for load in (TreepackLoader(path).load, lambda: TreepackReader().load_data(path)):
        with pytest.raises(treepack.SourceError, match=r"a\.pdf: it is damaged"):
            load()


FILES: dict[str, bytes] = {
    "lease.docx": docx(h(1, "Lease") + p("It ends soon.") + h(2, "Rent") + p("It is due.")),
    "lease.html": b"<h1>Lease</h1><p>It ends soon.</p><h2>Rent</h2><p>It is due.</p>",
    "lease.md": b"# Lease\n\nIt ends soon.\n\n## Rent\n\nIt is due.\n",
    "lease.txt": b"Lease\n=====\n\nIt ends soon.\n\nRent\n----\n\nIt is due.\n",
}


@pytest.mark.parametrize("name", FILES)
def test_headings_of_each_format_reach_nodes_and_documents(tmp_path: Path, name: str) -> None:
    """The usual readers make plain text of a Word file, without its headings."""
    path = tmp_path / name
    path.write_bytes(FILES[name])
    settings: treepack.config.Policies = {"sections": "separate"}
    nodes = TreepackNodeParser(**settings).get_nodes_from_documents(read_folder(tmp_path))
    chunks = TreepackTextSplitter(**settings).split_documents(TreepackLoader(path).load())
    for made in (nodes, chunks):
        assert [each.metadata["breadcrumb"] for each in made] == ["Lease", "Lease > Rent"]
        assert [each.metadata["citation"] for each in made] == ["Lease", "Lease > Rent"]
    assert {chunk.metadata["source"] for chunk in chunks} == {str(path)}
    assert {node.metadata["file_name"] for node in nodes} == {name}


def test_options_of_read_reach_the_reader(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_bytes(b'<p>See <a href="https://x.example/b">b</a>.</p>')
    (kept,) = TreepackLoader(path, links="keep").load()
    (plain,) = TreepackReader().load_data(path)
    assert kept.page_content == "See [b](https://x.example/b).\n"
    assert plain.text == "See b.\n"


def test_markdown_and_plain_text_stay_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("A * b\n-----\n\n1. one\n")
    (document,) = TreepackLoader(path).load()
    assert document.page_content == path.read_text()
    assert document.metadata == {"source": str(path)}  # the splitter decides what markup it is
