"""A packing: a document, its chunks, and the settings that made them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from treepack.config import PackConfig
from treepack.document.build import parse
from treepack.document.document import Document
from treepack.laws import AuditReport, audit_packed
from treepack.model.chunk import body_span
from treepack.model.source import Source
from treepack.packing import Chunk, Packer


@dataclass(frozen=True)
class Packing:
    """One way to cut a document.

    Attributes:
        label: The name of the settings.
        document: The document.
        chunks: Its chunks of all levels.
        config: The settings.
    """

    label: str
    document: Document
    chunks: Sequence[Chunk]
    config: PackConfig

    @cached_property
    def leaves(self) -> list[Chunk]:
        """The chunks of the finest level, which together contain the document once."""
        finest = max((chunk.level for chunk in self.chunks), default=0)
        return [chunk for chunk in self.chunks if chunk.level == finest]

    @cached_property
    def starts(self) -> list[int]:
        """The start of each leaf's body."""
        return [body_span(chunk)[0] for chunk in self.leaves]

    @cached_property
    def audit(self) -> AuditReport:
        """The audit of the chunks by the laws."""
        return audit_packed(self.document.source, self.chunks, self.config)


def packed(source: Source, config: PackConfig, label: str) -> Packing:
    """Parse and pack a document with one configuration."""
    document = parsed(source, config)
    return Packing(label, document, Packer(config).pack(document), config)


def parsed(source: str | Source | Document, config: PackConfig) -> Document:
    """Parse a source the way packing parses it; a document is returned unchanged."""
    if isinstance(source, Document):
        return source
    return parse(source, **config.parsing)
