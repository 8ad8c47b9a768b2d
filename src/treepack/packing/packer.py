"""All steps from a source to its chunks."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, Unpack

from treepack.clauses.clause import NO_CLAUSES, Clauses
from treepack.clauses.sections import with_clause_sections
from treepack.clauses.walk import find_clauses
from treepack.config import PackConfig, Settings, given_or_default
from treepack.document.build import parse
from treepack.document.document import Document
from treepack.model.source import Source, text_source
from treepack.packing.chunks.assemble import Assembler
from treepack.packing.chunks.chunks import Chunks
from treepack.packing.chunks.citations import Citations
from treepack.packing.chunks.specs import ChunkSpec, References
from treepack.packing.context import ContextBuilder
from treepack.packing.sections import SectionPacker
from treepack.readers import read
from treepack.references.finder import ReferenceFinder

ALGORITHM: Final = 32
"""Increased whenever the same input gives different chunks than before."""


class Packer:
    """Packs documents under one configuration; holds no state between calls.

    Args:
        config: The limits and policies; the defaults if None.

    Raises:
        TypeError: ``config`` is not a `PackConfig`.
    """

    def __init__(self, config: PackConfig | None = None) -> None:
        self.config = given_or_default(config)

    def pack(
        self,
        source: str | Path | Source | Document,
        *,
        name: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        clauses: Clauses | None = None,
    ) -> Chunks:
        """Pack one document; see `treepack.pack`.

        ``clauses`` are those of the document, if they are known already.
        """
        document = self._document(source, name, metadata)
        references = None
        if not self.config.clauses:
            clauses = NO_CLAUSES
        else:
            clauses = find_clauses(document) if clauses is None else clauses
            references = References(document.source, ReferenceFinder(document, clauses))
        config = self.config
        if config.flat_overlap_tokens is not None and not document.root.sections:
            config = config.model_copy(update={"overlap_tokens": config.flat_overlap_tokens})
        specs = _with_reading_notes(document, _packed(document, clauses, config))
        # Of a document parsed here, keep only the source: the tree is larger and can be remade.
        origin = document if isinstance(source, Document) else document.source
        chunks = Chunks(specs, document=origin, config=self.config, references=references)
        if isinstance(source, Path):  # the caller does not hold its text
            chunks.narrow()
        return chunks

    def _document(
        self,
        source: str | Path | Source | Document,
        name: str | None,
        metadata: Mapping[str, Any] | None,
    ) -> Document:
        if isinstance(source, Document):
            document = source.counted_with(self.config.encoding)
        else:
            takes = "text, a Path, a Source or a Document"
            found = (
                read(source)
                if isinstance(source, Path)
                else text_source(source, name or "", call="pack", takes=takes, opener="Path")
            )
            # The name goes into the ids of sections and chunks; both must use the same one, or
            # references would not find their sections.
            named = found if name is None else replace(found, name=name)
            document = parse(named, file=found.name, **self.config.parsing)
        return document.updated(name, metadata)


def pack(
    source: str | Path | Source | Document,
    config: PackConfig | None = None,
    *,
    name: str | None = None,
    metadata: Mapping[str, Any] | None = None,
    **settings: Unpack[Settings],
) -> Chunks:
    r"""Pack a document into chunks.

    >>> pack("# Pump\n\nMount it on a level floor.\n", max_tokens=64)[0]
    <Chunk 0 of 'Pump', 10 tokens: '# Pump Mount it on a level floor.'>

    Args:
        source: Markdown text, the `Path` of a file, a `Source` or a parsed `Document`. A string is
            text; no file is opened for it. A single line that looks like a document's path is
            refused, because it is nearly always a mistake; if it is the text, give
            ``Source(text)``.
        config: Limits and policies; the defaults (300 / 400 tokens) if None. A `Document` given
            without a config keeps the encoding it was parsed with.
        name: The document's name; it begins each breadcrumb and is part of each chunk's id. If
            None, the file's name.
        metadata: Added to each chunk; it wins over front matter.
        settings: Settings of `PackConfig` by their names, instead of ``config``.

    Raises:
        ValueError: A setting does not exist, or the limits contradict each other.
        SourceError: The file is missing, unreadable or not text; or a string looks like a path.
        TypeError: An argument has a wrong type.
        TokenizerError: The encoding is unknown.
    """
    if settings and config is not None:
        msg = f"give the settings by name or as a PackConfig, not both: {', '.join(settings)}"
        raise TypeError(msg)
    if config is None and isinstance(source, Document):
        settings = {"encoding": source.encoding, **settings}
    if settings:
        config = PackConfig(**settings)
    return Packer(config).pack(source, name=name, metadata=metadata)


def _packed(document: Document, clauses: Clauses, config: PackConfig) -> Iterator[ChunkSpec]:
    """Pack a document under one cap, or under each of ``config.levels``, the largest first.

    Each parent comes before its children. No child crosses the boundary between two parents.
    """
    view, names = with_clause_sections(document.without_gaps(), clauses)
    citations = Citations(view, clauses)

    def specs_of(
        config: PackConfig, boundaries: Sequence[int] = (), salt: str = ""
    ) -> Iterator[ChunkSpec]:
        contexts = ContextBuilder(view, config, clauses, names)
        packer = SectionPacker(contexts, boundaries)
        assembler = Assembler(document, contexts, citations, boundaries=boundaries, salt=salt)
        return assembler.assemble(packer.group(), packer.plain_tables)

    if not config.levels:
        return specs_of(config)
    found: list[ChunkSpec] = []
    parents: list[ChunkSpec] = []
    starts: list[int] = []
    for level in range(len(config.levels)):
        salt = f"level {level}" if level < len(config.levels) - 1 else ""
        specs = list(specs_of(config.at_level(level), starts, salt))
        for spec in specs:
            parent = parents[bisect_right(starts, spec.start) - 1] if parents else None
            parent_id = parent.values["id"] if parent else None
            found.append(spec.updated(level=level, parent_id=parent_id))
        parents, starts = specs, [spec.start for spec in specs]
    found.sort(key=attrgetter("start"))  # of one start, the larger level stays first
    return (spec.updated(index=index) for index, spec in enumerate(found))


def _with_reading_notes(document: Document, specs: Iterator[ChunkSpec]) -> Iterator[ChunkSpec]:
    """Add to the first spec how the source was read, so that it can be read the same way again."""
    values: dict[str, Any] = {}
    if document.outline_changes:
        values["outline_changes"] = document.outline_changes
    if document.is_plain:
        values["markup"] = document.markup
    first = [spec.updated(**values) for spec in islice(specs, 1)] if values else []
    return chain(first, specs)
