"""A packing: a document, its chunks, the settings that made them, and what each section got."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from treepack.clauses.clause import NO_CLAUSES, Clauses
from treepack.clauses.sections import outline_rows
from treepack.clauses.walk import find_clauses
from treepack.config import PackConfig
from treepack.display import counted, one_line, ranged
from treepack.document.build import parse
from treepack.document.document import Document
from treepack.laws import AuditReport, audit
from treepack.model.chunk import body_span
from treepack.model.section import OutlineChange
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
        finest = max((chunk.level for chunk in self.chunks), default=0)
        return [chunk for chunk in self.chunks if chunk.level == finest]

    @cached_property
    def sizes(self) -> list[int]:
        """The tokens of each leaf."""
        return [chunk.embed_token_count for chunk in self.leaves]

    @property
    def cap(self) -> int:
        """The most tokens of a leaf."""
        return self.config.cap(max((chunk.level for chunk in self.chunks), default=0))

    @cached_property
    def audit(self) -> AuditReport:
        """The audit of the chunks by the laws."""
        return audit(self.document, self.chunks, self.config)


def packed(source: Source, config: PackConfig) -> Packing:
    """Parse and pack a document."""
    document = parse(source, **config.parsing)
    return Packing(document, Packer(config).pack(document), config)


@dataclass(frozen=True)
class SectionRow:
    """A section or a run-in clause, and the chunks that hold something of it.

    Attributes:
        title: Its heading as plain text, which may be empty; for a clause, its number and title.
        depth: Its depth, from 0.
        tokens: Its tokens, sub-sections included.
        first: The index of the first chunk that holds something of it.
        last: The index of the last such chunk.
        fill: The mean size of these chunks, as a share of the cap.
        change: What the outline pass changed about its heading; None if it changed nothing.
    """

    title: str
    depth: int
    tokens: int
    first: int
    last: int
    fill: float
    change: OutlineChange | None


def section_rows(packing: Packing) -> Iterator[SectionRow]:
    """Yield the sections and run-in clauses of a packed document in its order.

    Without chunks there are none. If the settings switch clauses off, there are only sections.
    """
    starts, document = [body_span(chunk)[0] for chunk in packing.leaves], packing.document
    if not starts:
        return
    tokens_before = [0, *accumulate(packing.sizes)]
    changes = {change.line: change for change in document.outline_changes}
    for title, depth, part in outline_rows(document, packing.clauses):
        first = max(bisect_right(starts, part.start) - 1, 0)
        last = max(bisect_left(starts, part.end) - 1, first)
        mean_tokens = (tokens_before[last + 1] - tokens_before[first]) / (last + 1 - first)
        line = document.source.line_at(part.start) + 1
        yield SectionRow(
            title,
            depth,
            document.tokens.count(part.start, part.end),
            packing.leaves[first].index,
            packing.leaves[last].index,
            mean_tokens / packing.cap,
            changes.get(line) if part.heading else None,
        )


def facts_of(chunk: Chunk) -> Iterator[str]:
    """Yield what is told of a chunk besides its path and its tokens, in words."""
    yield ranged(*chunk.lines, "line")
    if chunk.pages:
        yield ranged(chunk.pages[0], chunk.pages[-1], "page")
    yield ", ".join(chunk.kinds)
    if chunk.embed_token_count > chunk.token_count:
        yield f"path of {counted(chunk.embed_token_count - chunk.token_count, 'token')}"
    if chunk.overlap_tokens:
        yield f"overlap of {counted(chunk.overlap_tokens, 'token')}"
    if chunk.clause_continued:
        yield "continues clause " + one_line(chunk.clause_continued)
    if chunk.clauses:
        yield "clauses " + one_line(", ".join(chunk.clauses))
    if chunk.references:
        yield counted(len(chunk.references), "reference")
    if chunk.oversize:
        yield "kept above the cap"
    for table in chunk.tables:
        if table.parts > 1 or table.cell_part is not None:
            rows = ranged(table.row_start, table.row_end, "row")
            part = f", part {table.cell_part} of the row" * (table.cell_part is not None)
            piece = f"{rows} of {table.row_count}{part}, piece {table.part} of {table.parts}"
            name = table.caption or ", ".join(filter(None, dict.fromkeys(table.columns)))
            yield f"{piece}: {one_line(name)}" if name else piece
