"""The context that a model gets, and where each part of it comes from."""

from dataclasses import dataclass
from typing import Literal

from treepack.model.blocks import Span
from treepack.model.chunk import Record, Segment

Reason = Literal["hit", "rest", "reference", "table"]
"""Why a chunk is in a context: it was found; other children of its parent were; or a hit refers to
it, or has other rows of its table."""


@dataclass(frozen=True, slots=True)
class ContextPart(Record):
    """Chunks of one section that follow each other in a context without a gap.

    Attributes:
        breadcrumb: The breadcrumb of its chunks: document name (if any) and headings.
        clause: The deepest clause that holds all of it; None if there is none.
        clauses: All clauses that begin in the part.
        citation: From the first of its chunks to the last, as a chunk is cited.
        lines: First and last line, from 1.
        span: From the first to the last of its characters, half-open.
        chunk_ids: The chunks, in document order; ``reasons`` says why each is there.
        score: The best combined score of the chunks; None if none of them was found itself.
        segments: The part's text in stretches, with spans of its document; what separates it from
            the previous part is first.
    """

    document: str
    breadcrumb: tuple[str, ...]
    clause: str | None
    clauses: tuple[str, ...]
    citation: str
    pages: tuple[int, ...]
    lines: tuple[int, int]
    span: Span
    chunk_ids: tuple[str, ...]
    reasons: tuple[Reason, ...]
    score: float | None
    segments: tuple[Segment, ...]

    @property
    def text(self) -> str:
        """The part's text, with its path."""
        return "".join([segment.text for segment in self.segments])


@dataclass(frozen=True, slots=True)
class Context(Record):
    """What a model gets for a question: the joined texts of the parts.

    Documents are in the order of their best chunks, the parts of a document in its own order.
    ``left_out`` are the ids of the chunks that were found and did not fit, best first.
    """

    text: str
    token_count: int
    budget: int
    parts: tuple[ContextPart, ...]
    left_out: tuple[str, ...] = ()

    @property
    def citations(self) -> tuple[str, ...]:
        """The citation of each part."""
        return tuple([part.citation for part in self.parts])
