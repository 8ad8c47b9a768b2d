"""LangChain: `TreepackPDFLoader` reads a PDF, `TreepackPDFParser` the PDFs of any blob loader."""

from collections.abc import Iterator
from os import PathLike, fspath
from pathlib import PurePath

from langchain_core.document_loaders import BaseBlobParser, BaseLoader, Blob
from langchain_core.documents import Document

from treepack.integrations.pdf_texts import read_pdf_text
from treepack.readers.pdf import PdfLimits


class TreepackPDFParser(BaseBlobParser):
    """Reads a blob that is a PDF as one document, so that sections continue across pages."""

    def __init__(self, password: str | None = None, limits: PdfLimits | None = None) -> None:
        self.password = password
        self.limits = limits

    def lazy_parse(self, blob: Blob) -> Iterator[Document]:
        """Read a PDF, or raise a `SourceError` that names the remedy."""
        source = str(blob.source or "")
        name = PurePath(source).name or "a PDF"
        data = PurePath(blob.path) if blob.data is None and blob.path else blob.as_bytes()
        text, metadata = read_pdf_text(data, name, password=self.password, limits=self.limits)
        yield Document(text, metadata={**metadata, **blob.metadata, "source": source})


class TreepackPDFLoader(BaseLoader):
    """Loads a PDF as one document, whose headings and pages `TreepackTextSplitter` finds."""

    def __init__(
        self,
        file_path: str | PathLike[str],
        password: str | None = None,
        limits: PdfLimits | None = None,
    ) -> None:
        self.file_path = fspath(file_path)
        self._parser = TreepackPDFParser(password, limits)

    def lazy_load(self) -> Iterator[Document]:
        """Read the file, or raise a `SourceError` that names the remedy."""
        yield from self._parser.lazy_parse(Blob.from_path(self.file_path))
