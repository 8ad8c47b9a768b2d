"""A packing: a document, its chunks, and the settings that they were cut with."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from treepack.audit import AuditReport, audit
from treepack.config import PackConfig
from treepack.document import Document, Source, parse
from treepack.packing import Chunk, Packer


@dataclass(frozen=True)
class Packing:
    """One way to cut a document.

    Attributes:
        label: What people know the settings by.
        document: What was cut.
        chunks: The chunks, those of all levels.
        config: How it was cut.
    """

    label: str
    document: Document
    chunks: Sequence[Chunk]
    config: PackConfig

    @cached_property
    def leaves(self) -> list[Chunk]:
        """The chunks of the finest level, which together hold the document once."""
        finest = max((chunk.level for chunk in self.chunks), default=0)
        return [chunk for chunk in self.chunks if chunk.level == finest]

    @cached_property
    def starts(self) -> list[int]:
        """Where the body of each leaf begins."""
        return [body_span(chunk)[0] for chunk in self.leaves]

    @cached_property
    def audit(self) -> AuditReport:
        """The laws, held against the chunks."""
        config = self.config
        return audit(
            self.document.source,
            self.chunks,
            max_tokens=config.max_tokens,
            levels=config.levels,
            overlap_tokens=config.overlap_tokens,
            flat_overlap_tokens=config.flat_overlap_tokens,
            encoding=config.encoding,
            keep_tables=config.oversize_table == "keep",
            keep_code=config.oversize_code == "keep",
            sections=config.sections,
        )


def packed(source: Source, config: PackConfig, label: str) -> Packing:
    """Parse and pack a document under one configuration."""
    document = parsed(source, config)
    return Packing(label, document, Packer(config).pack(document), config)


def parsed(source: str | Source | Document, config: PackConfig) -> Document:
    """The document that packing makes of a source; a document stays what it is."""
    if isinstance(source, Document):
        return source
    return parse(source, **config.parsing)


def body_span(chunk: Chunk) -> tuple[int, int]:
    """From where to where the chunk's own share of the source reaches."""
    spans = [s.span for s in chunk.segments if s.role == "body" and s.span is not None]
    return (spans[0][0], spans[-1][1]) if spans else (0, 0)
