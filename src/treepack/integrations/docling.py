"""Docling: `TreepackChunker`, a chunker that packs a document along its heading tree.

It replaces docling's `HybridChunker`, and imports only docling-core.
"""

# pyright: reportMissingImports=false, reportUnknownMemberType=false
# pyright: reportUnknownParameterType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUntypedBaseClass=false
# All of these because docling-core is not installed when types are checked.

from collections.abc import Iterator
from typing import Any, ClassVar, Final

from pydantic import Field

from treepack.config import PackConfig
from treepack.errors import missing_extra
from treepack.integrations.inputs import origins_of, parsed
from treepack.integrations.metadata import (
    DocumentName,
    MetadataStyle,
    chunk_metadata,
    label_of,
)
from treepack.model.chunk import header_of
from treepack.model.source import Source
from treepack.packing import Chunk, Packer
from treepack.readers.docling import read_docling
from treepack.readers.links_and_emphasis import TextOrKeep, keep_options

_PACKAGES: Final = {"docling_core", "huggingface_hub", "transformers"}
try:
    from docling_core.transforms.chunker import BaseChunk, BaseChunker, DocMeta
    from docling_core.types.doc import DocItem, DoclingDocument, RefItem
except ModuleNotFoundError as error:
    raise missing_extra(error, _PACKAGES, "TreepackChunker", "docling") from error

_ORIGIN: Final = "docling:"
_OWN_KEYS: Final = ["breadcrumb", "chunk_metadata", "chunk_id"]


class TreepackMeta(DocMeta):  # type: ignore[misc, unused-ignore]
    """The metadata of a chunk: docling's own fields, and treepack's.

    Attributes:
        chunk_id: Stable: an edit elsewhere in the document does not change it.
        breadcrumb: What an embedder gets before the text; empty if the text contains it.
        chunk_metadata: The same keys as in the other frameworks; see
            `treepack.integrations.metadata`.
    """

    chunk_id: str
    breadcrumb: str = ""
    chunk_metadata: dict[str, Any]

    excluded_embed: ClassVar[list[str]] = [*DocMeta.excluded_embed, *_OWN_KEYS]
    excluded_llm: ClassVar[list[str]] = [*DocMeta.excluded_llm, *_OWN_KEYS]


class TreepackChunk(BaseChunk):  # type: ignore[misc, unused-ignore]
    """A chunk of a DoclingDocument."""

    meta: TreepackMeta


class TreepackChunker(BaseChunker):  # type: ignore[misc, unused-ignore]
    """Packs DoclingDocuments into chunks along their heading tree.

    It is a pydantic model, like docling's own chunkers: ``model_dump`` saves it.

    Attributes:
        config: The settings.
        links: As for `treepack.read`.
        emphasis: As for `treepack.read`.
    """

    config: PackConfig = Field(default_factory=PackConfig)
    links: TextOrKeep = "text"
    emphasis: TextOrKeep = "text"

    def chunk(self, dl_doc: DoclingDocument, **kwargs: Any) -> Iterator[TreepackChunk]:
        """Yield the chunks of a document; with ``levels``, the finest ones.

        Raises:
            SourceError: The document contradicts itself.
        """
        keep = keep_options(self.links, self.emphasis)
        source = read_docling(dl_doc.export_to_dict(), dl_doc.name, keep)
        document, clauses = parsed(source, self.config, is_markdown=True)
        chunks = Packer(self.config).pack(document, clauses=clauses)
        parents = chunks.parent_ids
        for chunk in chunks:
            if chunk.id not in parents:
                # Never empty: the reader gives each block an item.
                items = _items_in(chunk, dl_doc, source)
                label = label_of(chunk, document, clauses)
                metadata = chunk_metadata(
                    chunk, label, clauses, DocumentName(file=dl_doc.name), MetadataStyle("native")
                )
                meta = TreepackMeta(
                    doc_items=items,
                    headings=list(label.breadcrumb) or None,
                    origin=dl_doc.origin,
                    chunk_id=metadata["chunk_id"],
                    breadcrumb=header_of(chunk),
                    chunk_metadata=metadata,
                )
                yield TreepackChunk(text=chunk.text, meta=meta)

    def contextualize(self, chunk: BaseChunk) -> str:
        """Return a chunk's text after the headings that are not in it, as the cap counts it."""
        if not isinstance(chunk.meta, TreepackMeta):
            return str(super().contextualize(chunk))
        return chunk.meta.breadcrumb + str(chunk.text)


def _items_in(chunk: Chunk, document: DoclingDocument, source: Source) -> list[DocItem]:
    """Return the items of a chunk in their order; for a group, the items inside it."""
    items: dict[str, DocItem] = {}
    for place in origins_of(chunk, source):
        item = RefItem(cref=place.removeprefix(_ORIGIN).partition(" ")[0]).resolve(document)
        inner = [(item, 0)] if isinstance(item, DocItem) else document.iterate_items(item)
        items.update((each.self_ref, each) for each, _ in inner if isinstance(each, DocItem))
    return list(items.values())
