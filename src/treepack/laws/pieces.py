"""The chunks as the laws see them: which spans of the source each chunk holds.

A chunk record lists its spans. A plain text from another tool is searched for in the source.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Final

from treepack.laws.reading.blocks import AuditBlock, trimmed
from treepack.laws.reading.chunk_text import ChunkText
from treepack.model.blocks import Span
from treepack.model.chunk import Chunk, TableSlice
from treepack.model.source import LINE_END, Source
from treepack.outline.outlined import with_lines_as_headings
from treepack.outline.titles.finder import FoundTitle

_LONGEST_LEAD: Final = 8
_LEAST_REST: Final = 12


@dataclass(eq=False)
class AuditedChunk:
    """One chunk.

    Attributes:
        index: Its index among all chunks.
        text: Its text.
        chunk: Its record; None for a chunk of another tool.
        spans: The spans of the source that are its body, without whitespace around them.
        context_spans: Source spans of the context before the body.
        lead: The text before the body.
        has_overlap: Whether it begins with the end of the previous chunk.
        repeated: For a plain text, the source span that earlier chunks already hold.
        number: The index that its record should have.
        is_exact: Whether a plain text occurs in the source unchanged (true for a record).
        titles: The spans of found titles in the text, each from the beginning of its line.
    """

    index: int
    text: str
    chunk: Chunk | None
    spans: tuple[Span, ...]
    context_spans: tuple[Span, ...] = ()
    lead: str = ""
    has_overlap: bool = False
    repeated: Span | None = None
    number: int = -1
    is_exact: bool = True
    titles: tuple[Span, ...] = ()

    def __post_init__(self) -> None:
        self.number = self.index if self.number < 0 else self.number

    @property
    def tables(self) -> tuple[TableSlice, ...]:
        """The tables in its record."""
        return self.chunk.tables if self.chunk else ()

    @property
    def is_slice(self) -> bool:
        """Whether the text is one unbroken slice of the source."""
        return self.is_exact if self.chunk is None else len(self.chunk.segments) == 1

    def is_whole(self, block: AuditBlock) -> bool:
        """Whether a block that is in no other chunk certainly parses here as in the source."""
        return self.is_slice and block.top.start >= self.start

    @property
    def raw_start(self) -> int:
        """Where the body begins, whitespace included."""
        return self.body_segments[0][0] if self.body_segments else self.start

    @property
    def raw_end(self) -> int:
        """Where the body ends, whitespace included."""
        return self.body_segments[-1][1] if self.body_segments else self.end

    @cached_property
    def body_segments(self) -> list[Span]:
        """The spans of its body as its record has them, whitespace included."""
        segments = self.chunk.segments if self.chunk else ()
        return [part.span for part in segments if part.role == "body" and part.span]

    @property
    def start(self) -> int:
        """Where the body begins."""
        return self.spans[0][0]

    @property
    def end(self) -> int:
        """Where the body ends."""
        return self.spans[-1][1]

    def share(self, start: int, end: int) -> Iterator[Span]:
        """Yield the parts of a source span that this chunk holds."""
        for first, after in self.spans:
            if first < end and start < after:
                yield max(first, start), min(after, end)

    @cached_property
    def reading(self) -> ChunkText:
        """The text, parsed alone, with a markdown heading in place of each found title."""
        return ChunkText(with_lines_as_headings(Source(self.text), self.titles).text)

    def note_titles(self, titles: Sequence[FoundTitle]) -> None:
        """Store which of the source's found titles its text holds; call this before `reading`."""
        found: list[Span] = []
        after = 0
        for segment in self.chunk.segments if self.chunk and titles else ():
            begin, after = after, after + len(segment.text)
            if segment.span is None:
                continue
            start, end = segment.span
            for at in range(bisect_left(titles, start, key=attrgetter("start")), len(titles)):
                if titles[at].end > end:
                    break
                place = titles[at].start + begin - start
                line = max(self.text.rfind("\n", 0, place), self.text.rfind("\r", 0, place)) + 1
                found.append((line, titles[at].end + begin - start))
        self.titles = tuple(found)


def record_pieces(source: str, chunks: Sequence[Chunk]) -> list[AuditedChunk]:
    """Return the pieces that chunk records describe."""
    return [_from_record(source, place, chunk) for place, chunk in enumerate(chunks)]


def _from_record(source: str, place: int, chunk: Chunk) -> AuditedChunk:
    body: list[Span] = []
    context: list[Span] = []
    lead: list[str] = []
    for segment in chunk.segments:
        span = segment.span
        if span is not None and not 0 <= span[0] <= span[1] <= len(source):
            continue  # law 2 reports it
        if segment.role == "body" and span is not None:
            solid = trimmed(source, *span)
            if solid[0] < solid[1]:
                body.append(solid)
        elif not body:
            lead.append(segment.text)
            if span is not None:
                context.append(span)
    overlap = any(segment.role == "overlap" for segment in chunk.segments)
    return AuditedChunk(
        place, chunk.text, chunk, _joined(body), tuple(context), "".join(lead), overlap
    )


def _joined(spans: list[Span]) -> tuple[Span, ...]:
    """Return spans in order, joining those that touch."""
    found: list[Span] = []
    for start, end in spans:
        if found and found[-1][1] == start:
            found[-1] = found[-1][0], end
        else:
            found.append((start, end))
    return tuple(found)


def text_pieces(source: str, texts: Sequence[str], *, may_overlap: bool) -> list[AuditedChunk]:
    """Return the chunks of another tool as pieces, searched for one after the other.

    Args:
        source: The document.
        texts: The chunks.
        may_overlap: Whether a chunk may begin before the previous one ends.
    """
    found: list[AuditedChunk] = []
    last = (0, 0)
    for place, text in enumerate(texts):
        begin = last[0] + 1 if may_overlap and place else last[1]
        lead, span = _find(source, text, begin, last)
        piece = AuditedChunk(
            place, text, None, (), lead=lead, is_exact=span is not None and not lead
        )
        found.append(piece)
        if span is None:
            continue
        start, end = trimmed(source, *span)
        if start < last[1] and start < end:
            piece.repeated = (start, min(end, last[1]))
            piece.has_overlap = True
            piece.lead += source[start : piece.repeated[1]]
            start, end = trimmed(source, min(end, last[1]), end)
        if start < end:
            piece.spans = ((start, end),)
            last = span
    return found


def _find(source: str, text: str, begin: int, last: Span) -> tuple[str, Span | None]:
    """Find a chunk's text: from ``begin`` on, else from where the last one begins, else anywhere.

    If that fails, the first lines are left out, such as a heading that the tool has added.

    Returns:
        The lines left out, and the span of the rest.
    """
    for first in (begin, last[0], 0):
        if (place := source.find(text, first)) >= 0:
            return "", (place, place + len(text))
    for count, match in enumerate(LINE_END.finditer(text)):
        rest = text[match.end() :]
        if count == _LONGEST_LEAD or len(rest.strip()) < _LEAST_REST:
            break
        if (place := source.find(rest, last[1])) >= 0:
            return text[: match.end()], (place, place + len(rest))
    return "", None
