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

_MOST_ADDED_LINES: Final = 8
_SHORTEST_REST: Final = 12


@dataclass(eq=False)
class AuditedChunk:
    """One chunk.

    Attributes:
        index: Its index among all chunks.
        text: Its text.
        record: Its record; None for a chunk of another tool.
        spans: The spans of the source that are its body, without whitespace around them.
        context_spans: Source spans of the context before the body.
        text_before: The text before the body.
        has_overlap: Whether it begins with the end of the previous chunk.
        repeated_span: For a plain text, the source span that earlier chunks already hold.
        expected_index: The index that its record should have.
        is_exact: Whether a plain text occurs in the source unchanged (true for a record).
        titles: The spans of found titles in the text, each from the beginning of its line.
    """

    index: int
    text: str
    record: Chunk | None
    spans: tuple[Span, ...]
    context_spans: tuple[Span, ...] = ()
    text_before: str = ""
    has_overlap: bool = False
    repeated_span: Span | None = None
    expected_index: int = -1
    is_exact: bool = True
    titles: tuple[Span, ...] = ()

    @property
    def tables(self) -> tuple[TableSlice, ...]:
        """The tables in its record."""
        return self.record.tables if self.record else ()

    def parses_as_in_source(self, block: AuditBlock) -> bool:
        """Whether a block that is in no other chunk certainly parses here as in the source."""
        is_slice = self.is_exact if self.record is None else len(self.record.segments) == 1
        return is_slice and block.top.start >= self.start

    @property
    def raw_start(self) -> int:
        """Where the body begins, whitespace included."""
        return self.raw_spans[0][0] if self.raw_spans else self.start

    @property
    def raw_end(self) -> int:
        """Where the body ends, whitespace included."""
        return self.raw_spans[-1][1] if self.raw_spans else self.end

    @cached_property
    def raw_spans(self) -> list[Span]:
        """The spans of its body as its record has them, whitespace included."""
        segments = self.record.segments if self.record else ()
        return [part.span for part in segments if part.role == "body" and part.span]

    @property
    def start(self) -> int:
        """Where the body begins."""
        return self.spans[0][0]

    @property
    def end(self) -> int:
        """Where the body ends."""
        return self.spans[-1][1]

    def spans_within(self, start: int, end: int) -> Iterator[Span]:
        """Yield the parts of a source span that this chunk holds."""
        for first, after in self.spans:
            if first < end and start < after:
                yield max(first, start), min(after, end)

    @cached_property
    def parsed_text(self) -> ChunkText:
        """The text, parsed alone, with a markdown heading in place of each found title."""
        return ChunkText(with_lines_as_headings(Source(self.text), self.titles).text)

    def locate_titles(self, titles: Sequence[FoundTitle]) -> None:
        """Store which found titles of the source its text holds; call it before `parsed_text`."""
        spans: list[Span] = []
        segment_end = 0
        for segment in self.record.segments if self.record and titles else ():
            segment_start, segment_end = segment_end, segment_end + len(segment.text)
            if segment.span is None:
                continue
            start, end = segment.span
            for number in range(bisect_left(titles, start, key=attrgetter("start")), len(titles)):
                if titles[number].end > end:
                    break
                title_start = titles[number].start + segment_start - start
                line_end = max(self.text.rfind(character, 0, title_start) for character in "\n\r")
                spans.append((line_end + 1, titles[number].end + segment_start - start))
        self.titles = tuple(spans)


def chunks_from_records(source: str, records: Sequence[Chunk]) -> list[AuditedChunk]:
    """Return the chunks that records describe."""
    return [_from_record(source, index, record) for index, record in enumerate(records)]


def _from_record(source: str, index: int, record: Chunk) -> AuditedChunk:
    body: list[Span] = []
    context: list[Span] = []
    texts_before: list[str] = []
    for segment in record.segments:
        span = segment.span
        if span is not None and not 0 <= span[0] <= span[1] <= len(source):
            continue  # law 2 reports it
        if segment.role == "body" and span is not None:
            trimmed_span = trimmed(source, *span)
            if trimmed_span[0] < trimmed_span[1]:
                body.append(trimmed_span)
        elif not body:
            texts_before.append(segment.text)
            if span is not None:
                context.append(span)
    return AuditedChunk(
        index,
        record.text,
        record,
        spans=_join_touching(body),
        context_spans=tuple(context),
        text_before="".join(texts_before),
        has_overlap=any(segment.role == "overlap" for segment in record.segments),
        expected_index=index,
    )


def _join_touching(spans: list[Span]) -> tuple[Span, ...]:
    """Return spans in order, joining those that touch."""
    joined: list[Span] = []
    for start, end in spans:
        if joined and joined[-1][1] == start:
            joined[-1] = joined[-1][0], end
        else:
            joined.append((start, end))
    return tuple(joined)


def chunks_from_texts(
    source: str, texts: Sequence[str], *, may_overlap: bool
) -> list[AuditedChunk]:
    """Return the chunks of another tool, each searched for after the one before it.

    Args:
        source: The document.
        texts: The chunks.
        may_overlap: Whether a chunk may begin before the previous one ends.
    """
    chunks: list[AuditedChunk] = []
    previous = (0, 0)
    for index, text in enumerate(texts):
        search_from = previous[0] + 1 if may_overlap and index else previous[1]
        text_before, span = _find(source, text, search_from, previous)
        is_exact = span is not None and not text_before
        chunk = AuditedChunk(index, text, None, (), text_before=text_before, is_exact=is_exact)
        chunks.append(chunk)
        if span is None:
            continue
        start, end = trimmed(source, *span)
        if start < previous[1] and start < end:
            chunk.repeated_span = (start, min(end, previous[1]))
            chunk.has_overlap = True
            chunk.text_before += source[start : chunk.repeated_span[1]]
            start, end = trimmed(source, min(end, previous[1]), end)
        if start < end:
            chunk.spans = ((start, end),)
            previous = span
    return chunks


def _find(source: str, text: str, search_from: int, previous: Span) -> tuple[str, Span | None]:
    """Find a chunk's text: from ``search_from`` on, else from the previous span on, else anywhere.

    If that fails, the first lines are left out, such as a heading that the tool has added.

    Returns:
        The lines left out, and the span of the rest.
    """
    for first in (search_from, previous[0], 0):
        if (offset := source.find(text, first)) >= 0:
            return "", (offset, offset + len(text))
    for line_count, match in enumerate(LINE_END.finditer(text)):
        rest = text[match.end() :]
        if line_count == _MOST_ADDED_LINES or len(rest.strip()) < _SHORTEST_REST:
            break
        if (offset := source.find(rest, previous[1])) >= 0:
            return text[: match.end()], (offset, offset + len(rest))
    return "", None
