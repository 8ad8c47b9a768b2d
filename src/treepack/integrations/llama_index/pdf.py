"""LlamaIndex: `TreepackPDFReader`, a reader of PDFs for ``SimpleDirectoryReader``."""

from pathlib import Path
from typing import Any

from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import Document

from treepack.integrations.pdf_texts import read_pdf_text
from treepack.readers.pdf import PdfLimits


class TreepackPDFReader(BaseReader):
    """Reads a PDF as one document, so that sections continue across pages.

    Give it to ``SimpleDirectoryReader(file_extractor={".pdf": TreepackPDFReader()})``, and the
    documents to `TreepackNodeParser`, which takes headings and pages from the text.
    """

    def __init__(self, password: str | None = None, limits: PdfLimits | None = None) -> None:
        self.password = password
        self.limits = limits

    def load_data(
        self, file: str | Path, extra_info: dict[str, Any] | None = None, **kwargs: Any
    ) -> list[Document]:
        """Read a file; ``extra_info`` overrides its own metadata, other arguments are ignored.

        Raises:
            SourceError: The file cannot be read; the message names the remedy.
        """
        path = Path(file)
        text, metadata = read_pdf_text(path, path.name, password=self.password, limits=self.limits)
        known = {"file_name": path.name, "file_path": str(path), **metadata}
        return [Document(text=text, metadata={**known, **(extra_info or {})})]
