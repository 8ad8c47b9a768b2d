"""Haystack 2: `TreepackSplitter`, a component that packs documents along their heading tree.

Code::

    from haystack import Pipeline
    from treepack import TreepackSplitter

    pipeline = Pipeline()
    pipeline.add_component("splitter", TreepackSplitter(max_tokens=512))

The text is cut the way `treepack.pack` cuts it. Haystack embeds the content, and of the metadata
only the keys that an embedder is told to embed. ``embed_breadcrumb`` puts the headings before the
content, within the cap. Haystack 3 loads a saved pipeline only from modules that it is told to
trust: ``Pipeline.loads(saved, allowed_modules=["treepack.integrations.haystack"])``.

This module is called ``haystack`` as well, but imports are absolute: ``import haystack`` in it
imports Haystack.
"""

# pyright: reportMissingImports=false, reportUnknownMemberType=false
# pyright: reportUnknownParameterType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUntypedFunctionDecorator=false
# pyright: reportUntypedClassDecorator=false
# All of these because Haystack is not installed when types are checked.

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from treepack.config import PackConfig
from treepack.integrations.extras import missing_extra
from treepack.integrations.formats import InputFormat
from treepack.integrations.inputs import InputDocument, InputText, read_input
from treepack.integrations.metadata import MetadataStyle, Mode
from treepack.integrations.pages import JoinedDocuments, MergePages, runs_of_pages
from treepack.integrations.settings import check_options
from treepack.packing import Chunk, Packer
from treepack.presets import Preset, with_preset

try:
    from haystack import Document, component
    from haystack.core.serialization import default_from_dict, default_to_dict
    from haystack.utils import deserialize_callable, serialize_callable
except ModuleNotFoundError as error:
    raise missing_extra(error, {"haystack"}, "TreepackSplitter", "haystack") from error

_SOURCE_KEY: Final = "source_id"
"""The key of Haystack's own splitters for the id of the document that a piece comes from."""

_FUNCTION_KEY: Final = "function"
_ID_LENGTH: Final = 16  # characters of the hash that Haystack uses as an id


@component  # type: ignore[untyped-decorator, unused-ignore]
class TreepackSplitter:
    """Packs documents into chunks along their heading tree; replaces any other splitter.

    Args:
        preset: The preset to begin with; all other settings that are given override it.
        metadata_mode: See `treepack.integrations.metadata.Mode`.
        breadcrumb_separator: Separates the headings in the metadata ``breadcrumb``.
        merge_pages: Join neighbouring documents that are pages of one file before packing; see
            `treepack.integrations.pages`.
        input_format: The format of the documents; see `treepack.integrations.formats`.
        embed_breadcrumb: Begin the content with the breadcrumb. The cap counts the breadcrumb in
            any case, so an embedder may add it by ``meta_fields_to_embed`` instead.
        **settings: See `treepack.PackConfig`: ``max_tokens``, ``target_tokens`` and so on.

    Raises:
        ValueError: A setting makes no sense, or does not exist.
    """

    def __init__(  # noqa: PLR0913 - all by name
        self,
        *,
        preset: Preset | None = None,
        metadata_mode: Mode = "sparse",
        breadcrumb_separator: str = " > ",
        merge_pages: MergePages = "auto",
        input_format: InputFormat = "auto",
        embed_breadcrumb: bool = False,
        **settings: Any,
    ) -> None:
        check_options(metadata_mode, merge_pages, input_format)
        self._settings = settings
        self._options = {
            "preset": preset,
            "metadata_mode": metadata_mode,
            "breadcrumb_separator": breadcrumb_separator,
            "merge_pages": merge_pages,
            "input_format": input_format,
            "embed_breadcrumb": embed_breadcrumb,
        }
        config = PackConfig(**(with_preset(preset, settings) if preset else settings))
        self._packer = Packer(config)
        self._style = MetadataStyle(metadata_mode, breadcrumb_separator)
        self._merge_pages: MergePages = merge_pages
        self._input_format: InputFormat = input_format
        self._embed_breadcrumb = embed_breadcrumb

    @component.output_types(documents=list[Document], parents=list[Document])  # type: ignore[untyped-decorator, unused-ignore]
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """Return a document for each chunk.

        Args:
            documents: Documents with text; each chunk has a copy of its document's metadata, and
                the id of that document as ``source_id``.

        Returns:
            ``documents``: the chunks; with ``levels``, the finest ones. ``parents``: the coarser
            ones, whose ``chunk_id`` is the ``parent_id`` of their children.

        Raises:
            TypeError: ``documents`` is not a list of documents, or one of them has no text.
        """
        _check_documents(documents)
        packed = [
            pair
            for run in runs_of_pages(documents, _meta, self._merge_pages)
            for pair in self._chunks(run)
        ]
        return {
            "documents": [document for document, is_parent in packed if not is_parent],
            "parents": [document for document, is_parent in packed if is_parent],
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the component as Haystack saves it, with functions by their import names."""
        settings = {name: _serializable(value) for name, value in self._settings.items()}
        return dict(default_to_dict(self, **self._options, **settings))

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "TreepackSplitter":
        """Return the component that was saved."""
        settings = dict(data.get("init_parameters", {}))
        encoding = settings.get("encoding")
        if isinstance(encoding, dict):
            settings["encoding"] = deserialize_callable(encoding[_FUNCTION_KEY])
        return default_from_dict(cls, {**data, "init_parameters": settings})  # type: ignore[no-any-return, unused-ignore]

    def _chunks(self, run: JoinedDocuments[Document]) -> Iterator[tuple[Document, bool]]:
        texts = [InputText(page.content, page.meta) for page in run.items]
        joined = read_input(texts, self._packer.config, self._input_format, are_pages=run.are_pages)
        chunks = self._packer.pack(joined.document)
        parents = chunks.parent_ids
        for chunk in chunks:
            page, _ = joined.position(chunk)
            yield self._document(chunk, joined, run.items[page]), chunk.id in parents

    def _document(self, chunk: Chunk, joined: InputDocument, origin: Document) -> Document:
        label = joined.label(chunk)
        meta = joined.metadata_of(chunk, label, self._style)
        content = chunk.embed_text if self._embed_breadcrumb else chunk.text
        # Equal documents without a name would get equal ids: Haystack's id tells them apart.
        suffix = "" if joined.key else f"-{origin.id[:_ID_LENGTH]}"
        return Document(
            id=meta["chunk_id"] + suffix, content=content, meta={**meta, _SOURCE_KEY: origin.id}
        )


def _meta(document: Document) -> dict[str, Any]:
    return dict(document.meta)


def _serializable(value: object) -> object:
    """Return a setting as a value that JSON can hold."""
    if isinstance(value, Callable):  # type: ignore[arg-type, unused-ignore]
        return {_FUNCTION_KEY: serialize_callable(value)}
    return list(value) if isinstance(value, tuple) else value


def _check_documents(documents: object) -> None:
    if isinstance(documents, str | Document) or not isinstance(documents, Sequence):
        msg = f"run takes a list of Documents, not {type(documents).__name__}"
        raise TypeError(msg)
    for document in documents:
        if not isinstance(document, Document):
            msg = f"run takes Documents, not {type(document).__name__}"
            raise TypeError(msg)
        if document.content is None:
            msg = f"the document {document.id} has no text; convert it before the splitter"
            raise TypeError(msg)
