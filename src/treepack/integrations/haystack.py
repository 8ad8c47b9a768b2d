"""Haystack: `TreepackSplitter`, a component that packs documents along their heading tree."""

# pyright: reportMissingImports=false, reportUnknownMemberType=false
# pyright: reportUnknownParameterType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUntypedFunctionDecorator=false
# pyright: reportUntypedClassDecorator=false
# All of these because Haystack is not installed when types are checked.

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import Any

from treepack.config import PackConfig
from treepack.errors import missing_extra
from treepack.integrations.formats import InputFormat
from treepack.integrations.inputs import InputText, read_input
from treepack.integrations.metadata import MetadataStyle, Mode, own_value
from treepack.integrations.pages import JoinedDocuments, MergePages, runs_of_pages
from treepack.integrations.settings import check_options
from treepack.presets import Preset

try:
    from haystack import Document, component
    from haystack.core.serialization import default_from_dict, default_to_dict
    from haystack.utils import deserialize_callable, serialize_callable
except ModuleNotFoundError as error:
    raise missing_extra(error, {"haystack"}, "TreepackSplitter", "haystack") from error


@component  # type: ignore[untyped-decorator, unused-ignore]
class TreepackSplitter:
    """Packs documents into chunks along their heading tree; replaces any other splitter.

    Args:
        preset: As for `treepack.TreepackTextSplitter`, and so are the next four.
        embed_breadcrumb: Begin the content with the breadcrumb. The cap counts the breadcrumb in
            any case, so an embedder may add it by ``meta_fields_to_embed`` instead.
        **settings: See `treepack.PackConfig`: ``max_tokens``, ``target_tokens`` and so on.

    Raises:
        ValueError: A setting makes no sense, or does not exist.
    """

    # Haystack 3 loads a saved pipeline only from namespaces that it trusts, such as this one.
    __module__ = "haystack_integrations.components.preprocessors.treepack"

    def __init__(  # noqa: PLR0913 - all by name
        self,
        *,
        preset: Preset | None = None,
        metadata_mode: Mode = "lean",
        breadcrumb_separator: str = " > ",
        merge_pages: MergePages = "auto",
        input_format: InputFormat = "auto",
        embed_breadcrumb: bool = False,
        **settings: Any,
    ) -> None:
        check_options(metadata_mode, merge_pages, input_format)
        self._saved = {
            "preset": preset,
            "metadata_mode": metadata_mode,
            "breadcrumb_separator": breadcrumb_separator,
            "merge_pages": merge_pages,
            "input_format": input_format,
            "embed_breadcrumb": embed_breadcrumb,
            **settings,
        }
        self._config = PackConfig.preset(preset or "default", **settings)
        self._style = MetadataStyle(metadata_mode, breadcrumb_separator)
        self._merge_pages: MergePages = merge_pages
        self._input_format: InputFormat = input_format
        self._embed_breadcrumb = embed_breadcrumb

    @component.output_types(documents=list[Document], parents=list[Document])  # type: ignore[untyped-decorator, unused-ignore]
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """Return a document for each chunk: the finest ones, and apart from them the ``parents``.

        A chunk has a copy of its document's metadata, and that document's id as ``source_id``.

        Raises:
            TypeError: ``documents`` is not a list of documents, or one of them has no text.
        """
        runs = runs_of_pages(_checked(documents), attrgetter("meta"), self._merge_pages)
        packed = [pair for run in runs for pair in self._chunks(run)]
        return {
            "documents": [document for document, is_parent in packed if not is_parent],
            "parents": [document for document, is_parent in packed if is_parent],
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the component as Haystack saves it, with functions by their import names."""
        saved = {name: _serializable(value) for name, value in self._saved.items()}
        return dict(default_to_dict(self, **saved))

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "TreepackSplitter":
        """Return the component that was saved."""
        settings = dict(data.get("init_parameters", {}))
        encoding = settings.get("encoding")
        if isinstance(encoding, dict):
            settings["encoding"] = deserialize_callable(encoding["function"])
        return default_from_dict(cls, {**data, "init_parameters": settings})  # type: ignore[no-any-return, unused-ignore]

    def _chunks(self, run: JoinedDocuments[Document]) -> Iterator[tuple[Document, bool]]:
        """Yield a document for each chunk, and whether it is a parent."""
        texts = [InputText(page.content, page.meta) for page in run.items]
        joined = read_input(texts, self._config, self._input_format, are_pages=run.are_pages)
        chunks = joined.pack(self._config)
        parents = chunks.parent_ids
        for chunk in chunks:
            origin = run.items[joined.position(chunk)[0]]
            meta = joined.metadata_of(chunk, self._style)
            # Equal documents without a name would get equal ids: Haystack's id tells them apart.
            key = own_value(meta, "chunk_id") + ("" if joined.key else f"-{origin.id[:16]}")
            content = chunk.embed_text if self._embed_breadcrumb else chunk.text
            meta["source_id"] = origin.id  # as Haystack's own splitters do
            yield Document(id=key, content=content, meta=meta), chunk.id in parents


def _serializable(value: object) -> object:
    """Return a setting as a value that JSON can hold."""
    if isinstance(value, Callable):  # type: ignore[arg-type, unused-ignore]
        return {"function": serialize_callable(value)}
    return list(value) if isinstance(value, tuple) else value


def _checked(documents: Any) -> list[Document]:
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
    return list(documents)
