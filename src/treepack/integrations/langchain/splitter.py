"""LangChain: `TreepackTextSplitter`, a text splitter that packs along the heading tree.

LangChain embeds ``page_content``, but no metadata. So the text is cut the way `treepack.pack` cuts
it, which counts the breadcrumb before each text. With ``embed_breadcrumb``, it is there.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from os import PathLike, fspath
from pathlib import PurePath
from typing import Any, Final, Literal, Self, Unpack

from treepack.config import Policies, check_names
from treepack.errors import missing_extra
from treepack.integrations.families import family_records
from treepack.integrations.file_texts import read_file_text
from treepack.integrations.formats import InputFormat
from treepack.integrations.inputs import InputDocument, InputText, read_input
from treepack.integrations.metadata import MetadataStyle, Mode, own_value
from treepack.integrations.pages import MergePages, runs_of_pages
from treepack.integrations.settings import (
    REPLACED_ARGUMENTS,
    FunctionCounter,
    check_options,
    complete_settings,
    make_config,
)
from treepack.packing import Chunk, Chunks
from treepack.presets import DEFAULT_CAP, Preset
from treepack.readers import ReadOptions
from treepack.tokens import token_counter

try:
    from langchain_core.document_loaders import BaseBlobParser, BaseLoader, Blob
    from langchain_core.documents import Document
    from langchain_text_splitters import TextSplitter
except ModuleNotFoundError as error:
    roots = {"langchain_core", "langchain_text_splitters"}
    raise missing_extra(error, roots, "TreepackTextSplitter", "langchain") from error


class TreepackTextSplitter(TextSplitter):
    """Packs documents into chunks along their heading tree; replaces any other text splitter.

    It keeps no state between calls, so many threads may share one instance. It pickles if its
    ``length_function`` does.

    Args:
        chunk_size: The hard cap of ``page_content``, in units of ``length_function``; 400 if
            neither it nor a preset nor ``levels`` is given.
        chunk_overlap: The most of the previous chunk's end that is repeated; 0 without a preset.
        length_function: Counts a text in place of ``encoding_name``; ``len`` counts characters.
        keep_separator: Changes nothing, because no text is dropped.
        add_start_index: Add ``start_index``, the character of the document's text at which a
            chunk's own text begins. Chunks of HTML or DoclingDocument JSON have none.
        target_size: Where a section's own long content is cut; 3/4 of ``chunk_size`` if None.
        min_size: Smaller chunks merge with a neighbour; at most 64 if None.
        encoding_name: See `treepack.tokens.token_counter`.
        breadcrumb_separator: Separates the headings in the metadata ``breadcrumb``.
        metadata_mode: See `treepack.integrations.metadata.Mode`.
        embed_breadcrumb: Begin ``page_content`` with the breadcrumb, within the cap.
        merge_pages: Join neighbouring documents that are pages or elements of one file. A chunk has
            the metadata and the ``start_index`` of the page on which it begins.
        input_format: The format of the documents; see `treepack.integrations.formats`.
        preset: The preset to begin with; settings that are given override it.
        **policies: See `treepack.PackConfig`. With ``levels``, only the finest chunks are returned;
            `split_with_parents` returns their parents as well.

    Raises:
        ValueError: A size makes no sense, or a setting does not exist.
    """

    def __init__(  # noqa: PLR0913 - the base class's, and ours
        self,
        chunk_size: int | None = None,
        chunk_overlap: int | None = None,
        length_function: Callable[[str], int] | None = None,
        *,
        keep_separator: bool | Literal["start", "end"] = False,
        add_start_index: bool = False,
        target_size: int | None = None,
        min_size: int | None = None,
        encoding_name: str = "cl100k_base",
        breadcrumb_separator: str = " > ",
        metadata_mode: Mode = "lean",
        embed_breadcrumb: bool = False,
        merge_pages: MergePages = "auto",
        input_format: InputFormat = "auto",
        preset: Preset | None = None,
        **policies: Unpack[Policies],
    ) -> None:
        check_names(policies, _NAMES, _REMEDIES)
        check_options(metadata_mode, merge_pages, input_format)
        encoding = length_function or encoding_name
        counter = token_counter(encoding)
        sizes = {
            "chunk_size": chunk_size,
            "chunk_overlap": chunk_overlap,
            "target_size": target_size,
            "min_size": min_size,
        }
        given = {name: size for name, size in sizes.items() if size is not None}
        settings = complete_settings({"encoding_name": encoding, **policies, **given}, preset)
        size, overlap = settings.get("chunk_size", DEFAULT_CAP), settings.get("chunk_overlap", 0)
        if not (isinstance(size, int) and isinstance(overlap, int)):
            make_config(settings)  # says what is wrong; the base class checks only numbers
        super().__init__(size, overlap, counter, keep_separator, add_start_index)
        self._config = make_config(settings)
        self._style = MetadataStyle(metadata_mode, breadcrumb_separator)
        self._embed_breadcrumb = embed_breadcrumb
        self._merge_pages: MergePages = merge_pages
        self._input_format: InputFormat = input_format

    @classmethod
    def from_tiktoken_encoder(
        cls,
        encoding_name: str = "cl100k_base",
        model_name: str | None = None,
        allowed_special: Literal["all"] | AbstractSet[str] | None = None,
        disallowed_special: Any = "all",
        **kwargs: Any,
    ) -> Self:
        """Make a splitter that counts tokens of an encoding, or of a model's encoding.

        Text that spells a special token is plain text, whatever ``allowed_special`` says.
        """
        if "length_function" in kwargs:
            msg = "from_tiktoken_encoder counts with tiktoken: leave length_function out"
            raise TypeError(msg)
        return cls(encoding_name=model_name or encoding_name, **kwargs)

    @classmethod
    def from_huggingface_tokenizer(cls, tokenizer: Any, **kwargs: Any) -> Self:
        """Make a splitter that counts with a tokenizer of transformers, and pickles with it."""
        if not hasattr(tokenizer, "tokenize"):
            msg = f"tokenizer must be one of transformers, not {type(tokenizer).__name__}"
            raise ValueError(msg)
        return cls(length_function=FunctionCounter(tokenizer.tokenize), **kwargs)

    # ---------------------------------------------------------------- texts

    def split_text(self, text: str) -> list[str]:
        """Return the contents of the documents that `create_documents` makes of a text."""
        return [document.page_content for document in self.create_documents([text])]

    def create_documents(
        self, texts: list[str], metadatas: list[dict[Any, Any]] | None = None
    ) -> list[Document]:
        """Return a document for each chunk of the texts, with a copy of its text's metadata.

        Raises:
            ValueError: ``metadatas`` is given, but has fewer entries than ``texts``.
            TypeError: ``texts`` is a single text, not a list.
        """
        _check_list(texts, "create_documents", "texts")
        known = metadatas or [dict[Any, Any]() for _ in texts]
        if len(known) < len(texts):
            msg = (
                f"texts has {len(texts)} items, but metadatas {len(known)}: give one for each text"
            )
            raise ValueError(msg)
        inputs = [
            Document(text, metadata=metadata) for text, metadata in zip(texts, known, strict=False)
        ]
        return self.split_documents(inputs)

    def split_documents(self, documents: Iterable[Document]) -> list[Document]:
        """Return a document for each chunk of the documents; of the finest level only."""
        return self.split_with_parents(documents)[0]

    def split_with_parents(
        self, documents: Iterable[Document]
    ) -> tuple[list[Document], list[tuple[str, Document]]]:
        """Return the finest chunks; and all coarser ones with their ids, for ``docstore.mset``.

        For a ``ParentDocumentRetriever``, make it with ``id_key="parent_id"``, add the chunks to
        its ``vectorstore`` and set the parents in its ``docstore``. Without ``levels`` there are
        no parents.
        """
        leaves, parents = list[Document](), list[tuple[str, Document]]()
        for chunks, made, _ in self._packed(documents):
            parent_ids = chunks.parent_ids
            for chunk, document in zip(chunks, made, strict=True):
                if chunk.id in parent_ids:
                    parents.append((own_value(document.metadata, "chunk_id"), document))
                else:
                    leaves.append(document)
        return leaves, parents

    def split_for_retrieval(
        self, documents: Iterable[Document]
    ) -> tuple[list[Document], list[tuple[str, Document]]]:
        """Return what a `TreepackRetriever` needs of documents in at most two levels.

        The chunks of both levels are for the vector store, the records for ``docstore.mset``.
        """
        documents_to_index, records = list[Document](), list[tuple[str, Document]]()
        for chunks, made, document_key in self._packed(documents):
            documents_to_index += made
            families = family_records(chunks, document_key)
            records += [(key, Document(text)) for key, text in families]
        return documents_to_index, records

    def _packed(
        self, documents: Iterable[Document]
    ) -> Iterator[tuple[Chunks, list[Document], str]]:
        """Yield the chunks of each file, a document for each chunk, and the file's key."""
        _check_list(documents, "split_documents", "Documents")
        pages = map(_checked_document, documents)
        seen = set[str]()
        for run in runs_of_pages(pages, lambda page: page.metadata, self._merge_pages):
            texts = [InputText(page.page_content, page.metadata) for page in run.items]
            joined = read_input(texts, self._config, self._input_format, are_pages=run.are_pages)
            chunks = joined.pack(self._config)
            made = [self._document(chunk, joined) for chunk in chunks]
            for document in made:  # a store keeps one document under each id
                key = own_value(document.metadata, "chunk_id")
                document.id = key if joined.key and key not in seen else None
                seen.add(key)
            yield chunks, made, joined.key

    def _document(self, chunk: Chunk, joined: InputDocument) -> Document:
        _, span = joined.position(chunk)
        metadata = joined.metadata_of(chunk, self._style)
        if self._add_start_index and span is not None:
            metadata["start_index"] = span[0]
        content = chunk.embed_text if self._embed_breadcrumb else chunk.text
        return Document(content, metadata=metadata)


_NAMES: Final = frozenset(
    {*inspect.signature(TreepackTextSplitter).parameters, *Policies.__annotations__} - {"policies"}
)
"""The names of all arguments of the splitter."""

_REMEDIES: Final = {
    **REPLACED_ARGUMENTS,
    "tokenizer": "use length_function",
    "strip_whitespace": "chunks never begin or end with whitespace; leave it out",
}


def _check_list(given: object, call: str, what: str) -> None:
    """Refuse an argument that is not a list of texts or documents."""
    is_single = isinstance(given, str | bytes | Document)
    if is_single or not isinstance(given, Iterable):
        msg = f"{call} takes a list of {what}, not {type(given).__name__}"
        raise TypeError(msg)


def _checked_document(document: Document) -> Document:
    if not hasattr(document, "page_content"):
        kind = type(document).__name__
        msg = f"split_documents takes Documents, not {kind}; use create_documents for texts"
        raise TypeError(msg)
    return document


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
