"""LangChain: `TreepackLoader` reads a file of any format, `TreepackBlobParser` a blob."""

from collections.abc import Iterator
from os import PathLike, fspath
from pathlib import PurePath
from typing import Unpack

from langchain_core.document_loaders import BaseBlobParser, BaseLoader, Blob
from langchain_core.documents import Document

from treepack.integrations.file_texts import read_file_text
from treepack.readers import ReadOptions


class TreepackBlobParser(BaseBlobParser):
    """Reads a blob as one document with its headings, tables and pages.

    Args:
        **options: Those of `treepack.read`, such as ``password`` and ``links``.
    """

    def __init__(self, **options: Unpack[ReadOptions]) -> None:
        self.options = options

    def lazy_parse(self, blob: Blob) -> Iterator[Document]:
        """Read a blob, or raise a `SourceError` that names the remedy."""
        source = str(blob.source or "")
        name = PurePath(source).name
        data = PurePath(blob.path) if blob.data is None and blob.path else blob.as_bytes()
        text, metadata = read_file_text(data, name, **self.options)
        yield Document(text, metadata={**metadata, **blob.metadata, "source": source})


class TreepackLoader(BaseLoader):
    """Loads a file of any format as one document; `TreepackTextSplitter` finds headings and pages.

    Args:
        file_path: The file.
        **options: Those of `treepack.read`, such as ``password`` and ``links``.
    """

    def __init__(self, file_path: str | PathLike[str], **options: Unpack[ReadOptions]) -> None:
        self.file_path = fspath(file_path)
        self._parser = TreepackBlobParser(**options)

    def lazy_load(self) -> Iterator[Document]:
        """Read the file, or raise a `SourceError` that names the remedy."""
        yield from self._parser.lazy_parse(Blob.from_path(self.file_path))
