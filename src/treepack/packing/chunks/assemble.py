"""Groups of pieces become the specs of chunk records: text with exact counts, and values."""

import copy
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from operator import itemgetter

from treepack.document.document import Document
from treepack.model.blocks import Span, Table
from treepack.model.chunk import Segment, Skipped, TableSlice
from treepack.model.section import path_to, stable_id
from treepack.packing.chunks.citations import Citations
from treepack.packing.chunks.overlap import OverlapFinder
from treepack.packing.chunks.specs import ChunkSpec, texts_of
from treepack.packing.context import BLANK_LINE, ChunkContext, ContextBuilder
from treepack.packing.indexes import BlockIndex
from treepack.packing.pieces import Piece, closing_text, opening_segments, trimmed_end


class Assembler:
    """Makes the specs of one document's chunk records.

    Args:
        document: The document, with its page marks.
        contexts: Makes the context of any place in the document, without page marks.
        citations: Cites places of the document.
        boundaries: Where parents begin; a chunk that begins there gets no overlap.
        salt: Part of the ids, so that a parent and a child with the same text have different ids.
    """

    def __init__(
        self,
        document: Document,
        contexts: ContextBuilder,
        citations: Citations,
        *,
        boundaries: Sequence[int] = (),
        salt: str = "",
    ) -> None:
        self.document = document
        self.contexts = contexts
        self.config = contexts.config
        self.source = contexts.document.source
        self.index = contexts.document.tokens
        metadata = document.metadata
        self.metadata = copy.deepcopy(dict(metadata)) if metadata else {}  # callers may change it
        self.citations = citations
        self.boundaries = frozenset(boundaries)
        self._salt = (salt,) if salt else ()
        self._occurrences: dict[str, int] = {}  # by the id that the first of them has

    @cached_property
    def _blocks(self) -> BlockIndex:
        return BlockIndex(self.contexts.sections.sections)

    def assemble(self, groups: list[list[Piece]], plain_tables: set[int]) -> Iterator[ChunkSpec]:
        """Yield one spec for each group, in order; see `table_slices` for ``plain_tables``.

        This consumes ``groups``, so that memory is freed while specs are made.
        """
        contexts = [self.contexts.context_at(group[0]) for group in groups]
        self.contexts.clear_cache()
        if self.document.gaps:
            self._trim(groups)
        self._end_before_markers(groups, contexts)
        slices = table_slices(self.contexts.document, self._blocks.tables, groups, plain_tables)
        previous: list[Piece] | None = None
        groups.reverse()
        contexts.reverse()
        for number in range(len(groups)):
            group, context = groups.pop(), contexts.pop()
            before = None if group[0].start in self.boundaries else previous
            spec = self._spec(group, before, context)
            skipped = self._skipped(previous, group, is_last=not groups)
            yield self._with_values(spec, number, group, tuple(slices.get(number, ())), skipped)
            previous = group

    def _trim(self, groups: Sequence[list[Piece]]) -> None:
        """Remove trailing spaces that replace a page mark after a line of code."""
        for group in groups:
            last = group[-1]
            trimmed = self.source.text[last.start : last.end].rstrip(" \t\r\n")
            after = self.document.source.text[last.start + len(trimmed) : last.end]
            group[-1] = last._replace(end=last.end - len(after.lstrip(" \t")))

    def _end_before_markers(self, groups: list[list[Piece]], contexts: list[ChunkContext]) -> None:
        """End each group before the quote markers that the next chunk begins with.

        A group ends after such a marker only if it was read as the end of an HTML tag; a group that
        has nothing else goes. Elsewhere, pieces tile the source; see `Splitter.open`.
        """
        for number in reversed(range(len(groups) - 1)):
            last, context = groups[number][-1], contexts[number + 1]
            begin = context.body_start
            if context.segments:
                spans = [each.span for each in context.segments if each.role == "body"]
                begin = min([begin, *(span[0] for span in spans if span)])
            if begin < last.end:
                end = trimmed_end(self.source.text, last.start, begin)
                groups[number][-1] = last._replace(end=end)
                if end <= groups[number][0].start:
                    del groups[number], contexts[number]

    # ---------------------------------------------------------------- text

    def _spec(
        self, group: list[Piece], previous: list[Piece] | None, context: ChunkContext
    ) -> ChunkSpec:
        """Return the text of a group with exact counts; the spec has no values yet.

        Overlap may be taken from the ``previous`` pieces; None if no overlap is allowed.
        """
        first, last = group[0], group[-1]
        body = Segment("body", "", (context.body_start, last.end))
        closing = closing_text(last.frames, last.end)
        after: list[Segment] = []
        if closing:
            is_fence = any(frame.foot and frame.role == "fence" for frame in last.frames)
            after = [Segment("fence" if is_fence else "glue", closing)]
        spec = self._counted([*context.segments, body, *after], context.header)
        if previous is None or not self.config.overlap_tokens:
            return spec
        overlap = self._overlaps.before(first, previous, spec.embed_tokens)
        if overlap is None:
            return spec
        segments = self._with_overlap(overlap, [*context.segments, body, *after], first)
        longer = self._counted(segments, context.header)
        overlaps = [each for each in longer.segments if each.role == "overlap"]
        tokens = self.contexts.count("".join(texts_of(overlaps, self.document.source.text)).strip())
        # Counts are not additive at every seam, so the joined text was counted.
        if tokens > self.config.overlap_tokens or longer.embed_tokens > self.config.max_tokens:
            return spec
        return longer._replace(overlap_tokens=tokens)

    def _counted(self, segments: Sequence[Segment], header: str) -> ChunkSpec:
        """Return the spec of a text, divided at gaps such as page marks."""
        joined = _joined(segments) if segments[1:] else segments
        if self.document.gaps:
            outside = self.document.outside_gaps
            joined = [
                Segment(each.role, "" if span else each.text, span)
                for each in joined
                for span in (outside(*each.span) if each.span else (None,))
            ]
        before, span, after = self._around_longest(joined)

        count = self.index.count_slice_in
        tokens = embed_tokens = count(before, *span, after)
        if header:
            embed_tokens = count(header + before, *span, after)
        return ChunkSpec(tuple(joined), header, tokens, embed_tokens)

    def _around_longest(self, segments: Sequence[Segment]) -> tuple[str, Span, str]:
        """Return the longest span, which is not counted again, and the texts around it."""
        first = segments[0].span
        if first and not segments[1:]:
            return "", first, ""
        texts = texts_of(segments, self.document.source.text)
        lengths = [len(text) * bool(each.span) for each, text in zip(segments, texts, strict=True)]
        longest = lengths.index(max(lengths))
        span = segments[longest].span
        assert span is not None, "each chunk has a body"
        return "".join(texts[:longest]), span, "".join(texts[longest + 1 :])

    # ---------------------------------------------------------------- overlap

    @cached_property
    def _overlaps(self) -> OverlapFinder:
        return OverlapFinder(self.contexts, self._blocks.top)

    def _with_overlap(self, overlap: Span, segments: list[Segment], first: Piece) -> list[Segment]:
        """Return the segments with the overlap before the body.

        A separator may come between the overlap and the body. Without a separator, or inside a
        table or code block, the chunk begins earlier: overlap and body are one slice of the source.
        """
        frames = tuple(frame for frame in first.frames if frame.start < first.start)
        separator = self.config.overlap_separator
        if separator and not any(frame.is_literal for frame in frames):
            glue = Segment("glue", f"{BLANK_LINE}{separator}{BLANK_LINE}")
            return [Segment("overlap", "", overlap), glue, *segments]
        spans = [each.span for each in segments if each.role == "body" and each.span]
        body = Segment("body", "", (spans[0][0], spans[-1][1]))
        heading = segments[:2] if segments[0].role == "heading" else []
        opening, start = opening_segments(self.source, frames, overlap[0])
        opening = [
            Segment("overlap", each.text, each.span) if each.role == "body" else each
            for each in opening
        ]
        closing = [each for each in segments[-1:] if each.span is None]
        return [*heading, *opening, Segment("overlap", "", (start, spans[0][0])), body, *closing]

    # ---------------------------------------------------------------- record

    def _with_values(
        self,
        spec: ChunkSpec,
        number: int,
        group: list[Piece],
        tables: tuple[TableSlice, ...],
        skipped: tuple[Skipped, ...],
    ) -> ChunkSpec:
        """Return the spec with the values of its record."""
        start, end = group[0].start, group[-1].end
        source = self.document.source
        own = [each for each in spec.segments if each.role == "body"]
        breadcrumb = self.contexts.sections.breadcrumb(start, end)
        marks = source.page_marks
        pages = _pages_of(marks, self.source.text, start, end) if marks else ()
        lines = (source.line_at(start) + 1, source.line_at(end - 1) + 1)
        values = {
            "id": self._id(breadcrumb, "".join(texts_of(own, source.text))),
            "document": source.name,
            "index": number,
            "breadcrumb": breadcrumb,
            "kinds": self._blocks.kinds(start, end),
            "tables": tables,
            "pages": pages,
            "lines": lines,
            "citation": self.citations.cite((start, end), breadcrumb, pages, lines),
            "sections": self.contexts.sections.whole(start, end),
            "overlap_tokens": spec.overlap_tokens,
            "oversize": group[0].is_kept_whole and spec.embed_tokens > self.config.max_tokens,
            "skipped": skipped,
            "metadata": self.metadata,
            **self.citations.fields(start, end),
        }
        return spec._replace(start=start, end=end, values=values)

    def _id(self, breadcrumb: tuple[str, ...], body: str) -> str:
        """Return an id of the path and the body; equal ones are told apart by their occurrence."""
        parts = ("chunk", self.source.name, *breadcrumb, body)
        first_id = stable_id(*parts, "0", *self._salt)
        occurrence = self._occurrences.get(first_id, 0)
        self._occurrences[first_id] = occurrence + 1
        return stable_id(*parts, str(occurrence), *self._salt) if occurrence else first_id

    def _skipped(
        self, previous: list[Piece] | None, group: list[Piece], *, is_last: bool
    ) -> tuple[Skipped, ...]:
        skipped = self.document.skipped
        if not skipped:
            return ()
        end = len(self.source.text) + 1 if is_last else group[-1].end
        first = bisect_left(skipped, previous[-1].end if previous else 0, key=itemgetter(0))
        after = bisect_left(skipped, end, key=itemgetter(0))
        return tuple([Skipped((a, b), why) for a, b, why in skipped[first:after]])


def _joined(segments: Sequence[Segment]) -> list[Segment]:
    """Join neighbouring segments of one role that are one slice of the source."""
    joined: list[Segment] = []
    for segment in segments:
        last = joined[-1] if joined else None
        is_same = last is not None and last.role == segment.role
        if last and is_same and last.span and segment.span and last.span[1] == segment.span[0]:
            joined[-1] = Segment(last.role, "", (last.span[0], segment.span[1]))
        else:
            joined.append(segment)
    return joined


def _pages_of(marks: Sequence[tuple[int, int]], text: str, start: int, end: int) -> tuple[int, ...]:
    """Return the pages of a span, from the lowest; text before the first mark has no page.

    The ``text`` has spaces in place of page furniture: a page with nothing else is left out.
    """
    first = max(bisect_right(marks, start, key=itemgetter(0)) - 1, 0)
    after = bisect_left(marks, end, key=itemgetter(0))
    stops = [*(offset for offset, _ in marks[first + 1 : after]), end]
    spanned = zip(marks[first:after], stops, strict=False)  # before the first mark, no page
    with_text = [page for (begin, page), stop in spanned if text[max(begin, start) : stop].strip()]
    return tuple(sorted({*with_text}))


def table_slices(
    document: Document,
    tables: Sequence[Table],
    groups: Sequence[list[Piece]],
    plain_tables: set[int],
) -> dict[int, list[TableSlice]]:
    """Return the slices of tables that each chunk holds, by the chunk's index.

    Args:
        document: The document.
        tables: Its tables, in source order.
        groups: The pieces of each chunk.
        plain_tables: Starts of the tables that were cut as plain lines, without a header.
    """
    slices: dict[int, list[TableSlice]] = defaultdict(list)
    seen: dict[tuple[str, ...], int] = defaultdict(int)
    bodies = [(group[0].start, group[-1].end) for group in groups] if tables else []
    for table in tables:
        first = max(0, bisect_right(bodies, table.start, key=itemgetter(0)) - 1)
        after = bisect_left(bodies, table.end, key=itemgetter(0))
        indexes = [index for index in range(first, after) if bodies[index][1] > table.start]
        path = path_to(document.root, table.start, table.end)
        headings = [section.heading.text for section in path if section.heading]
        names = (document.source.name, *headings, "\0", *table.columns)
        key = stable_id("table", *names, str(seen[names]))
        seen[names] += 1
        is_plain = len(indexes) > 1 and table.start in plain_tables
        table_parts = _slices(table, key, [bodies[index] for index in indexes], is_plain=is_plain)
        for index, table_slice in zip(indexes, table_parts, strict=True):
            slices[index].append(table_slice)
    return slices


def _slices(
    table: Table, key: str, bodies: Sequence[Span], *, is_plain: bool
) -> Iterator[TableSlice]:
    """Yield the slice of a table in each of the bodies that hold a part of it."""
    row_parts: dict[int, int] = defaultdict(int)
    for part, (start, end) in enumerate(bodies, 1):
        row_start = bisect_right(table.rows, start, key=itemgetter(1))
        row_end = bisect_left(table.rows, end, key=itemgetter(0)) - 1
        cell_part = None
        row = table.rows[row_start] if row_start <= row_end else (0, 0)
        if row[0] < start < row[1] or row[0] < end < row[1]:
            row_parts[row_start] += 1
            cell_part = row_parts[row_start]
        yield TableSlice(
            id=key,
            caption=table.caption or None,
            columns=table.columns,
            header_rows=table.header_rows,
            row_start=row_start + 1 if table.rows else 0,
            row_end=row_end + 1,
            row_count=len(table.rows),
            part=part,
            parts=len(bodies),
            cell_part=cell_part,
            header_left_out=is_plain,
        )
