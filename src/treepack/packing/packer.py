"""The whole way from a source to its chunks."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from treepack.config import PackConfig, given_or_default
from treepack.document import Document, Source, parse
from treepack.document.arguments import text_source
from treepack.document.collector import collector_paused
from treepack.packing.assemble import Assembler
from treepack.packing.chunk import OutlineChange
from treepack.packing.chunks import Chunks
from treepack.packing.context import ContextMaker
from treepack.packing.drafts import Draft
from treepack.packing.groups import Grouper
from treepack.packing.levels import pack_levels
from treepack.packing.rendering import Rendering
from treepack.readers import read

ALGORITHM: Final = 5
"""Counts up whenever the same input gives other chunks than before."""


class Packer:
    """Packs documents under one configuration; holds no state between calls.

    Args:
        config: The limits and policies; the defaults when None.
        rendering: How a framework shows chunks, for the adapters; see `packing.rendering`.

    Raises:
        TypeError: ``config`` is no `PackConfig`.
    """

    def __init__(
        self, config: PackConfig | None = None, *, rendering: Rendering | None = None
    ) -> None:
        self.config = given_or_default(config)
        self.rendering = rendering

    def pack(
        self,
        source: str | Path | Source | Document,
        *,
        name: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Chunks:
        """Pack one document; see `treepack.pack`."""
        with collector_paused():
            return self._packed(source, name, metadata)

    def _packed(
        self,
        source: str | Path | Source | Document,
        name: str | None,
        metadata: Mapping[str, Any] | None,
    ) -> Chunks:
        """The chunks; all else that was made for them is gone before the collector wakes."""
        document = self._document(source, name, metadata)
        drafts = _noting(document.outline_changes, self._pack(document))
        # What was parsed here can be parsed again; a tree holds more than the text it is of.
        known = document if isinstance(source, Document) else document.source
        return Chunks.drafted(drafts, known, self.config)

    def _pack(self, document: Document) -> Iterator[Draft]:
        config = self.config
        if config.flat_overlap_tokens is not None and not document.root.sections:
            config = config.model_copy(update={"overlap_tokens": config.flat_overlap_tokens})
        if config.levels:
            return pack_levels(document, config, self.rendering)
        view = document.without_gaps
        contexts = ContextMaker(view, config, self.rendering)
        grouper = Grouper(view, config, contexts)
        assembler = Assembler(document, config, contexts)
        return assembler.assemble(grouper.group(), grouper.splitter.torn)

    def _document(
        self,
        source: str | Path | Source | Document,
        name: str | None,
        metadata: Mapping[str, Any] | None,
    ) -> Document:
        if isinstance(source, Document):
            document, wanted = source, (self.config.encoding, self.config.engine)
            if (document.encoding, document.engine) != wanted:
                document = replace(document, encoding=wanted[0], engine=wanted[1])
        else:
            document = parse(_source(source, name), **self.config.parsing)
        return document.described(name, metadata)


def pack(
    source: str | Path | Source | Document,
    config: PackConfig | None = None,
    *,
    name: str | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> Chunks:
    """Pack a document into chunks.

    Args:
        source: Markdown text, the `Path` of a file, a `Source` or a parsed `Document`. A string is
            text and no file is ever opened for it; one line that looks like the path of a document
            is refused, because it is nearly always a mistake. If it is the text, give
            ``Source(text)``.
        config: Limits and policies; the defaults (512 / 1024 tokens) when None. A `Document` given
            without a config keeps the encoding and the engine it was parsed with.
        name: The document's name; it begins each breadcrumb and is part of each chunk's id. A
            file's name when None.
        metadata: Passed on to each chunk, over what front matter says.

    Raises:
        SourceError: The file is missing, unreadable or not text; or a string looks like a path.
        TypeError: An argument has a wrong type.
        TokenizerError: The encoding is unknown.
    """
    if config is None and isinstance(source, Document):
        config = PackConfig(encoding=source.encoding, engine=source.engine)
    return Packer(config).pack(source, name=name, metadata=metadata)


def _noting(changes: tuple[OutlineChange, ...], drafts: Iterator[Draft]) -> Iterator[Draft]:
    """The drafts, of which the first carries the changes of the outline."""
    for draft in drafts:
        yield draft.updated(outline_changes=changes) if changes else draft
        changes = ()


def _source(source: str | Path | Source, name: str | None) -> Source:
    if isinstance(source, Path):
        return read(source)
    takes = "text, a Path, a Source or a Document"
    return text_source(source, name or "", call="pack", takes=takes, opener="Path")
