"""The chunks as the laws see them: which spans of the source each of them holds.

A record lists its spans. A text of another tool is searched for in the source.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from treepack.laws.reading import Code, Place, Reading, framed_blocks
from treepack.markdown.markdown_it import parse_blocks
from treepack.model.blocks import Span, Table
from treepack.model.chunk import Chunk, Segment
from treepack.model.source import LINE_END, Source

_MOST_ADDED_LINES: Final = 8
_SHORTEST_REST: Final = 12


@dataclass(eq=False)
class AuditedChunk:
    """One chunk.

    Attributes:
        number: Its place among all chunks, from 0.
        text: Its text.
        record: Its record; None for a text of another tool.
        spans: What its body holds of the source, without whitespace at the ends.
        text_before: For a text of another tool, what comes before the body.
        repeated: For a text of another tool, the span that earlier chunks hold already.
        is_exact: Whether a text of another tool occurs in the source unchanged.
    """

    number: int
    text: str
    record: Chunk | None
    spans: tuple[Span, ...] = ()
    text_before: str = ""
    repeated: Span | None = None
    is_exact: bool = True

    @property
    def start(self) -> int:
        """Where the body begins."""
        return self.spans[0][0]

    @property
    def end(self) -> int:
        """Where the body ends."""
        return self.spans[-1][1]

    @property
    def segments(self) -> Sequence[Segment]:
        """The segments of its record."""
        return self.record.segments if self.record else ()

    @cached_property
    def raw(self) -> Span:
        """Where the body begins and ends, whitespace included."""
        spans = [part.span for part in self.segments if part.role == "body" and part.span]
        return (spans[0][0], spans[-1][1]) if spans else (self.start, self.end)

    @property
    def is_slice(self) -> bool:
        """Whether it is one slice of the source, without anything repeated."""
        return len(self.segments) == 1 if self.record else self.is_exact

    def parses_as_source(self, place: Place) -> bool:
        """Whether a block that is in no other chunk certainly parses here as in the source."""
        while place.around is not None:
            place = place.around
        return self.is_slice and place.block.start >= self.raw[0]

    @property
    def shown(self) -> Sequence[Span]:
        """The spans of the source in which its text shows headings: of its body, and repeated."""
        spans = [part.span for part in self.segments if part.role in {"body", "heading"}]
        return [*filter(None, spans)] if self.record else self.spans

    @cached_property
    def overlap(self) -> str:
        """What it repeats from the end of the previous chunk."""
        return "".join([part.text for part in self.segments if part.role == "overlap"])

    @property
    def has_overlap(self) -> bool:
        """Whether it begins with the end of the previous chunk."""
        return self.repeated is not None or bool(self.overlap)

    def spans_within(self, start: int, end: int) -> Iterator[Span]:
        """Yield the parts of a source span that its body holds."""
        for first, after in self.spans:
            if first < end and start < after:
                yield max(first, start), min(after, end)

    @cached_property
    def framed(self) -> list[Table | Code]:
        """The tables and code blocks in the text, parsed alone."""
        blocks = parse_blocks(Source(self.text), lambda _start, _end: 0, scan=False)
        return [block for _, block in framed_blocks(blocks)]


def chunk_of(reading: Reading, number: int, record: Chunk) -> AuditedChunk:
    """Return the chunk that a record describes."""
    spans: list[Span] = []
    for segment in record.segments:
        start, end = segment.span or (0, 0)
        if segment.role != "body" or not 0 <= start < end <= len(reading.text):
            continue  # law 2 reports wrong spans
        start, end = reading.trimmed(start, end)
        if spans and spans[-1][1] == start:
            spans[-1] = spans[-1][0], end
        elif start < end:
            spans.append((start, end))
    return AuditedChunk(number, record.text, record, tuple(spans))


def located(reading: Reading, texts: Sequence[str], *, may_overlap: bool) -> list[AuditedChunk]:
    """Return the chunks of another tool, each searched for after the beginning or end of the last.

    With ``may_overlap``, a chunk may begin before the previous one ends.
    """
    source = reading.document.source.text
    chunks: list[AuditedChunk] = []
    previous = (0, 0)
    for number, text in enumerate(texts):
        search_from = previous[0] + 1 if may_overlap and number else previous[1]
        before, span = _find(source, text, search_from, previous)
        is_exact = span is not None and not before
        chunk = AuditedChunk(number, text, None, text_before=before, is_exact=is_exact)
        chunks.append(chunk)
        if span is None:
            continue
        start, end = reading.trimmed(*span)
        if start < previous[1] and start < end:
            chunk.repeated = (start, min(end, previous[1]))
            chunk.text_before += source[slice(*chunk.repeated)]
            start, end = reading.trimmed(min(end, previous[1]), end)
        if start < end:
            chunk.spans = ((start, end),)
            previous = span
    return chunks


def _find(source: str, text: str, search_from: int, previous: Span) -> tuple[str, Span | None]:
    """Return the first lines of a text that the source lacks there, and the span of the rest.

    It is searched for from ``search_from`` on, else from the previous span on, else anywhere. A
    tool may have added lines, such as a heading.
    """
    for first in (search_from, previous[0], 0):
        if (offset := source.find(text, first)) >= 0:
            return "", (offset, offset + len(text))
    for number, match in enumerate(LINE_END.finditer(text)):
        rest = text[match.end() :]
        if number == _MOST_ADDED_LINES or len(rest.strip()) < _SHORTEST_REST:
            break
        if (offset := source.find(rest, previous[1])) >= 0:
            return text[: match.end()], (offset, offset + len(rest))
    return "", None
