"""The text of a chunk: context, overlap, body, with exact counts."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from treepack.document.document import Document
from treepack.model.blocks import Span
from treepack.model.chunk import Role, Segment
from treepack.packing.chunks.overlap import OverlapFinder
from treepack.packing.chunks.specs import ChunkSpec, texts_of
from treepack.packing.context import BLANK_LINE, ChunkContext, ContextBuilder
from treepack.packing.openings import closing_text, opening_segments
from treepack.packing.pieces import Piece, trimmed_end
from treepack.packing.split.sentences import SentenceFinder
from treepack.packing.templates import Form
from treepack.packing.wrappers import FrameWrapper, IntroWrapper, Wrapper
from treepack.sentences import sentence_splitter


class _Draft(NamedTuple):
    """The text of a chunk while it is built.

    Attributes:
        context: What comes before the body.
        segments: The segments of the context, the body and what closes it.
        closing: The text that closes the body; may be empty.
        forms: What a framework puts around the chunk, in each way to show it.
    """

    context: ChunkContext
    segments: list[Segment]
    closing: str
    forms: tuple[Form, ...]


class ContentBuilder:
    """Builds the texts of one document's chunks.

    Args:
        document: The document, with its page marks.
        contexts: Makes the context of any place in the document.
    """

    def __init__(self, document: Document, contexts: ContextBuilder) -> None:
        self.document = document
        self.config = contexts.config
        self.contexts = contexts
        self.source = contexts.document.source
        self.index = contexts.document.tokens
        self.blocks = contexts.block_index.top

    @cached_property
    def overlaps(self) -> OverlapFinder:
        """Finds where an overlap begins; made only when a chunk may get overlap."""
        finder = SentenceFinder(self.source, sentence_splitter(self.config.sentence_splitter))
        has_separator = bool(self.config.overlap_separator)
        return OverlapFinder(finder, self.index, self.blocks, has_separator=has_separator)

    def build(
        self, group: list[Piece], previous: list[Piece] | None, context: ChunkContext
    ) -> ChunkSpec:
        """Build the text of a group; the spec has no values yet.

        Args:
            group: The chunk's pieces.
            previous: The pieces of the previous chunk, from which overlap may be taken; None if no
                overlap is allowed.
            context: What comes before the group.
        """
        first, end = group[0], group[-1].end
        draft = self._draft(group, context)
        needs_count = draft.forms or self.document.gaps
        spec = self._counted_spec(draft) if needs_count else self._simple_spec(draft, end)
        if not previous or not self.config.overlap_tokens:
            return spec
        return self._with_overlap(previous, first, draft, spec) or spec

    def _draft(self, group: list[Piece], context: ChunkContext) -> _Draft:
        """Return the body with what opens and closes it."""
        first, last = group[0], group[-1]
        closing = closing_text(last.wrappers, first.start, last.end) if last.wrappers else ""
        body = [Segment("body", "", (context.body_start, last.end))]
        if closing:
            body.append(Segment(_closing_role(last.wrappers), closing))
        forms = self.contexts.forms_around(first, last.end) if self.contexts.template else ()
        if last.end > context.valid_until:
            context = self.contexts.context_up_to(context, first, last.end)
        return _Draft(context, [*context.segments, *body], closing, forms)

    def _with_overlap(
        self, previous: list[Piece], first: Piece, draft: _Draft, without_overlap: ChunkSpec
    ) -> ChunkSpec | None:
        """Return the spec with an overlap before the body, or None if no overlap fits."""
        overlap = self._overlap(previous, first, without_overlap.size)
        if overlap is None:
            return None
        joined = draft._replace(segments=self._prepend(overlap, draft.segments, first))
        spec = self._counted_spec(joined)
        overlaps = [each for each in spec.segments if each.role == "overlap"]
        tokens = self.contexts.count("".join(texts_of(overlaps, self.document.source.text)).strip())
        # Counts are not additive at every seam, so the joined text was counted.
        if tokens > self.config.overlap_tokens or spec.size > self.config.max_tokens:
            return None
        return spec._replace(overlap_tokens=tokens)

    def _simple_spec(self, draft: _Draft, end: int) -> ChunkSpec:
        """Like `_counted_spec`, for a text of only its context, one slice and what closes it."""
        context, segments, closing = draft.context, draft.segments, draft.closing
        start = context.body_start
        joined = _join_slices(segments) if segments[1:] else tuple(segments)
        tokens = self.index.count_slice_in(context.opening, start, end, closing)
        embed_tokens = context.count_to(end, closing)
        return ChunkSpec(joined, context.header, tokens, embed_tokens, embed_tokens)

    def _counted_spec(self, draft: _Draft) -> ChunkSpec:
        joined = _join_slices(draft.segments)
        if self.document.gaps:
            joined = tuple(self._without_gaps(joined))
        texts = texts_of(joined, self.document.source.text)
        tokens = self._count(joined, texts)
        header = draft.context.header
        embed_tokens = self._count(joined, texts, header) if header else tokens
        size = embed_tokens
        for form in draft.forms:
            size = max(size, self._count(joined, texts, *form) - self.contexts.reserve)
        return ChunkSpec(joined, header, tokens, embed_tokens, size)

    def _without_gaps(self, segments: Iterable[Segment]) -> Iterator[Segment]:
        """Yield the segments divided at gaps, such as page marks."""
        for segment in segments:
            if segment.span is None:
                yield segment
                continue
            for span in self.document.outside_gaps(*segment.span):
                yield Segment(segment.role, "", span)

    def _count(
        self, segments: tuple[Segment, ...], texts: list[str], prefix: str = "", suffix: str = ""
    ) -> int:
        """Return the exact tokens of a text; its longest source slice is not counted again."""
        lengths = [
            len(text) if each.span else -1 for each, text in zip(segments, texts, strict=True)
        ]
        longest = lengths.index(max(lengths))
        span = segments[longest].span
        assert span is not None, "each chunk has a body"
        before, after = "".join(texts[:longest]), "".join(texts[longest + 1 :])
        return self.index.count_slice_in(prefix + before, *span, after + suffix)

    def _overlap(self, previous: list[Piece], first: Piece, size: int) -> Span | None:
        """Return the overlap before a chunk of ``size`` tokens, or None."""
        separator = self.config.overlap_separator
        glue = self.contexts.count(f"{BLANK_LINE}{separator}{BLANK_LINE}") if separator else 1
        room = min(self.config.overlap_tokens, self.config.max_tokens - size - glue)
        start = self.overlaps.start(previous, first, room) if room > 0 else None
        if start is None:
            return None
        end = trimmed_end(self.source.text, start, first.start)
        return (start, end) if start < end else None

    def _prepend(self, overlap: Span, segments: list[Segment], first: Piece) -> list[Segment]:
        """Return the segments with the overlap before the body.

        A separator may come between the overlap and the body. Without a separator, or inside a
        table or code block, the chunk begins earlier: overlap and body are one slice of the source.
        """
        spans = [each.span for each in segments if each.role == "body" and each.span]
        body_start, body_end = spans[0][0], spans[-1][1]
        wrappers = tuple(
            wrapper
            for wrapper in first.wrappers
            if wrapper.start < first.start or isinstance(wrapper, IntroWrapper)
        )
        separator = self.config.overlap_separator
        is_inside = any(wrapper.is_literal and wrapper.start < first.start for wrapper in wrappers)
        if separator and not is_inside:
            glue = Segment("glue", f"{BLANK_LINE}{separator}{BLANK_LINE}")
            return [Segment("overlap", "", overlap), glue, *segments]
        intros = {wrapper.words.span for wrapper in wrappers if isinstance(wrapper, IntroWrapper)}
        is_heading = segments[0].role == "heading" and segments[0].span not in intros
        heading = segments[:2] if is_heading else []
        opening, start = opening_segments(self.source, wrappers, overlap[0])
        opening = [
            Segment("overlap", each.text, each.span) if each.role == "body" else each
            for each in opening
        ]
        closing = [each for each in segments[-1:] if each.span is None]
        between = Segment("overlap", "", (start, body_start))
        body = Segment("body", "", (body_start, body_end))
        return [*heading, *opening, between, body, *closing]


def _join_slices(segments: list[Segment]) -> tuple[Segment, ...]:
    """Join neighbouring segments of one role that are one slice of the source."""
    joined = segments[:1]
    for segment in segments[1:]:
        last = joined[-1]
        if (
            last.role == segment.role
            and last.span
            and segment.span
            and last.span[1] == segment.span[0]
        ):
            joined[-1] = Segment(last.role, "", (last.span[0], segment.span[1]))
        else:
            joined.append(segment)
    return tuple(joined)


def _closing_role(wrappers: tuple[Wrapper, ...]) -> Role:
    is_fence = any(
        isinstance(wrapper, FrameWrapper) and wrapper.foot and wrapper.head.role == "fence"
        for wrapper in wrappers
    )
    return "fence" if is_fence else "glue"
