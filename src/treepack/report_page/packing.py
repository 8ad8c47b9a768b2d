"""A packing: a document, its chunks, and the settings that made them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from treepack.clauses.clause import NO_CLAUSES, Clauses
from treepack.clauses.walk import find_clauses
from treepack.config import PackConfig
from treepack.document.build import parse
from treepack.document.document import Document
from treepack.laws import AuditReport, audit
from treepack.model.chunk import body_span
from treepack.model.source import Source
from treepack.packing import Chunk, Packer


@dataclass(frozen=True)
class Packing:
    """One way to cut a document.

    Attributes:
        document: The document.
        chunks: Its chunks of all levels.
        config: The settings.
    """

    document: Document
    chunks: Sequence[Chunk]
    config: PackConfig

    @cached_property
    def clauses(self) -> Clauses:
        """The document's clauses; none if the settings do not ask for them."""
        return find_clauses(self.document) if self.config.clauses else NO_CLAUSES

    @cached_property
    def leaves(self) -> list[Chunk]:
        """The chunks of the finest level, which together contain the document once."""
        return leaves_of(self.chunks)

    @cached_property
    def starts(self) -> list[int]:
        """The start of each leaf's body."""
        return [body_span(chunk)[0] for chunk in self.leaves]

    @cached_property
    def audit(self) -> AuditReport:
        """The audit of the chunks by the laws."""
        return audit(self.document, self.chunks, self.config)


def leaves_of(chunks: Sequence[Chunk]) -> list[Chunk]:
    """Return the chunks of the finest level."""
    finest = max((chunk.level for chunk in chunks), default=0)
    return [chunk for chunk in chunks if chunk.level == finest]


def packed(source: Source, config: PackConfig) -> Packing:
    """Parse and pack a document."""
    document = parse(source, **config.parsing)
    return Packing(document, Packer(config).pack(document), config)
