"""Both frameworks get each PDF as one document; headings and pages are found in its text."""

from pathlib import Path

import pytest
from langchain_core.document_loaders import Blob
from llama_index.core import SimpleDirectoryReader
from pdf_files import PdfPage, pdf_bytes

import treepack
from treepack import TreepackNodeParser, TreepackTextSplitter
from treepack.integrations.langchain.pdf import TreepackPDFLoader, TreepackPDFParser
from treepack.integrations.llama_index.pdf import TreepackPDFReader

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
    path.write_bytes(
        pdf_bytes(first, second, bookmarks=BOOKMARKS, title="Pumps", labels="0 <</S/r>>")
    )
    return path


def test_llama_index_reads_a_file_as_one_document_with_pages(pump_pdf: Path) -> None:
    reader = SimpleDirectoryReader(
        str(pump_pdf.parent), file_extractor={".pdf": TreepackPDFReader()}
    )
    (document,) = reader.load_data()
    assert ("Pumps", "outline") == (document.metadata["title"], document.metadata["pdf_headings"])
    assert "1: i" == document.metadata["page_labels"]
    nodes = TreepackNodeParser(sections="separate").get_nodes_from_documents([document])
    pages = [(n.metadata["page_start"], n.metadata["page_end"]) for n in nodes]
    assert [(1, 2), (2, 2)] == pages
    assert "drawn to their torque" in " ".join(nodes[0].get_content().split())
    assert "drawn\n\nto" not in nodes[0].get_content()


@pytest.mark.parametrize("way", ["loader", "parser"])
def test_langchain_reads_a_file_as_one_document_with_pages(pump_pdf: Path, way: str) -> None:
    documents = (
        TreepackPDFLoader(pump_pdf).load()
        if way == "loader"
        else TreepackPDFParser().parse(Blob.from_path(pump_pdf))
    )
    assert [str(pump_pdf)] == [document.metadata["source"] for document in documents]
    chunks = TreepackTextSplitter(sections="separate").split_documents(documents)
    pages = [(c.metadata["page_start"], c.metadata["page_end"]) for c in chunks]
    assert [(1, 2), (2, 2)] == pages
    assert ["1 Scope", "2 Terms"] == [c.metadata["breadcrumb"].split(" > ")[-1] for c in chunks]


def test_both_adapters_report_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"%PDF-1.7 damaged")
    with pytest.raises(treepack.SourceError, match=r"a\.pdf: it is damaged"):
        TreepackPDFReader().load_data(path)
    with pytest.raises(treepack.SourceError, match=r"a\.pdf: it is damaged"):
        TreepackPDFLoader(path).load()
