"""LlamaIndex: `TreepackReader` reads files of all formats, for ``SimpleDirectoryReader``."""

from pathlib import Path
from typing import Any, Unpack

from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import Document

from treepack.integrations.file_texts import read_file_text
from treepack.integrations.pages import MARKUP
from treepack.readers import ReadOptions
from treepack.readers.formats import DATA_SUFFIXES, suffixes


class TreepackReader(BaseReader):
    """Reads a file as one document with its headings, tables and pages.

    ``SimpleDirectoryReader(folder, file_extractor=TreepackReader.extractors())`` reads all formats
    with it: PDF, Word, HTML, markdown, text, JSON of Docling and unstructured. From the text,
    `TreepackNodeParser` takes headings and pages.

    Args:
        **options: Those of `treepack.read`, such as ``password`` and ``links``.
    """

    def __init__(self, **options: Unpack[ReadOptions]) -> None:
        self.options = options

    @classmethod
    def extractors(cls, **options: Unpack[ReadOptions]) -> dict[str, BaseReader]:
        """Return one reader under each suffix that can be read, except those of tables of data."""
        reader = cls(**options)
        return dict.fromkeys(sorted(suffixes() - DATA_SUFFIXES), reader)

    def load_data(
        self, file: str | Path, extra_info: dict[str, Any] | None = None, **kwargs: Any
    ) -> list[Document]:
        """Read a file; ``extra_info`` overrides its own metadata.

        Args:
            file: Its path, in the file system ``fs`` (fsspec) if that is given.
            extra_info: More metadata.
            **kwargs: ``fs``; others are ignored.

        Raises:
            SourceError: The file cannot be read; the message names the remedy.
        """
        path, file_system = Path(file), kwargs.get("fs")
        source = path if file_system is None else bytes(file_system.cat_file(str(file)))
        text, metadata = read_file_text(source, path.name, **self.options)
        known = {"file_name": path.name, "file_path": str(path), **metadata, **(extra_info or {})}
        hidden = [MARKUP, "file_path"]
        return [
            Document(
                text=text,
                metadata=known,
                excluded_embed_metadata_keys=hidden,
                excluded_llm_metadata_keys=hidden,
            )
        ]
