"""The text of a chunk: context, overlap, body, definitions, with exact counts."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from treepack.config import PackConfig
from treepack.document.document import Document
from treepack.model.blocks import CodeBlock, Container, Span
from treepack.model.chunk import Reference, Role, Segment
from treepack.packing.chunks.definitions import Definitions
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
        is_simple: Whether the segments are those of the context, one slice and the closing text,
            and are embedded as they are.
    """

    context: ChunkContext
    segments: list[Segment]
    closing: str
    forms: tuple[Form, ...]
    is_simple: bool


class ContentBuilder:
    """Builds the texts of one document's chunks.

    Args:
        document: The document, with its page marks.
        config: The limits and policies.
        contexts: Makes the context of any place in the document.
    """

    def __init__(self, document: Document, config: PackConfig, contexts: ContextBuilder) -> None:
        self.document = document
        self.config = config
        self.contexts = contexts
        self.source = contexts.document.source
        self.index = contexts.document.tokens
        self.blocks = contexts.block_index.top
        self.definitions = (
            Definitions(self.source.text, self.blocks, contexts.document.definitions)
            if config.attach_definitions
            else None
        )

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
        definitions, missing = self._attached(draft, first.start, end)
        if draft.is_simple and not definitions and not self.document.gaps:
            spec = self._simple_spec(draft, end)
        else:
            spec = self._counted_spec(draft, definitions)
        if missing:
            spec = spec._replace(missing=missing)
        if not previous or not self.config.overlap_tokens:
            return spec
        return self._with_overlap(previous, first, draft, definitions, spec) or spec

    def _draft(self, group: list[Piece], context: ChunkContext) -> _Draft:
        """Return the body with what opens and closes it, without a caption that it contains."""
        first, last = group[0], group[-1]
        closing = closing_text(last.wrappers, first.start, last.end) if last.wrappers else ""
        body = [Segment.of("body", "", (context.body_start, last.end))]
        if closing:
            body.append(Segment.of(_closing_role(last.wrappers), closing))
        forms = self.contexts.forms_around(first, last.end) if self.contexts.template else ()
        if last.end > context.valid_until:
            context = self.contexts.context_up_to(context, first, last.end)
        draft = _Draft(context, [*context.segments, *body], closing, forms, not forms)
        wrappers = _wrappers_to_reopen(first, last.end) if first.wrappers else ()
        if len(wrappers) == len(first.wrappers):
            return draft  # the common case
        return self._without_caption(draft, first, wrappers)

    def _attached(
        self, draft: _Draft, start: int, end: int
    ) -> tuple[list[Segment], tuple[Reference, ...]]:
        """Return the definitions to append, and the references whose definitions are missing."""
        if self.definitions is None:
            return [], ()
        is_open = not draft.closing and self._ends_in_open_code(end)

        def fits(more: list[Segment]) -> bool:
            return not is_open and self._counted_spec(draft, more).size <= self.config.max_tokens

        return self.definitions.attached(start, end, fits)

    def _with_overlap(
        self,
        previous: list[Piece],
        first: Piece,
        draft: _Draft,
        definitions: list[Segment],
        without_overlap: ChunkSpec,
    ) -> ChunkSpec | None:
        """Return the spec with an overlap before the body, or None if no overlap fits."""
        overlap = self._overlap(previous, first, without_overlap.size)
        if overlap is None:
            return None
        joined = draft._replace(segments=self._prepend(overlap, draft.segments, first))
        spec = self._counted_spec(joined, definitions)
        overlaps = [each for each in spec.segments if each.role == "overlap"]
        tokens = self.contexts.count("".join(texts_of(overlaps, self.document.source.text)).strip())
        # Counts are not additive at every seam, so the joined text was counted.
        if tokens > self.config.overlap_tokens or spec.size > self.config.max_tokens:
            return None
        return spec._replace(overlap_tokens=tokens, missing=without_overlap.missing)

    def _ends_in_open_code(self, end: int) -> bool:
        """Whether a body ends in code without a closing fence, so that added text would be code."""
        last = self.blocks[-1] if self.blocks else None
        while isinstance(last, Container) and last.blocks and not last.indent:
            last = last.blocks[-1]
        return (
            isinstance(last, CodeBlock)
            and bool(last.fence)
            and not last.closed
            and last.start < end
        )

    def _simple_spec(self, draft: _Draft, end: int) -> ChunkSpec:
        """Like `_counted_spec`, for a text of only its context, one slice and what closes it."""
        context, segments, closing = draft.context, draft.segments, draft.closing
        start = context.body_start
        joined = _join_slices(segments) if segments[1:] else tuple(segments)
        tokens = self.index.count_slice_in(context.opening, start, end, closing)
        embed_tokens = context.count_to(end, closing)
        return ChunkSpec(joined, context.header, tokens, embed_tokens, embed_tokens)

    def _without_caption(
        self, draft: _Draft, first: Piece, wrappers: tuple[Wrapper, ...]
    ) -> _Draft:
        """Return the draft without a caption or intro that the body contains.

        Such a caption comes after its table. The room that this frees goes to the breadcrumb or the
        heading, if the result fits.
        """
        context_segments = draft.context.segments
        body = draft.segments[len(context_segments) :]
        span = body[0].span
        assert span is not None, "a body is a slice of the source"
        inner = first._replace(wrappers=wrappers)
        context = self.contexts.context_up_to(self.contexts.context_at(inner), inner, span[1])
        fuller = draft._replace(
            context=context, segments=[*context.segments, *body], is_simple=False
        )
        if self._counted_spec(fuller).size <= self.config.max_tokens:
            return fuller
        reopened = len(opening_segments(self.source, first.wrappers, first.start)[0])
        rest = context_segments[: len(context_segments) - reopened]
        opening = opening_segments(self.source, wrappers, first.start)[0]
        return draft._replace(segments=[*rest, *opening, *body], is_simple=False)

    def _counted_spec(self, draft: _Draft, definitions: Sequence[Segment] = ()) -> ChunkSpec:
        joined = _join_slices([*draft.segments, *definitions])
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
                yield Segment.of(segment.role, "", span)

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
            for wrapper in _wrappers_to_reopen(first, body_end)
            if wrapper.start < first.start or isinstance(wrapper, IntroWrapper)
        )
        separator = self.config.overlap_separator
        is_inside = any(wrapper.is_literal and wrapper.start < first.start for wrapper in wrappers)
        if separator and not is_inside:
            glue = Segment.of("glue", f"{BLANK_LINE}{separator}{BLANK_LINE}")
            return [Segment.of("overlap", "", overlap), glue, *segments]
        intros = {wrapper.words.span for wrapper in wrappers if isinstance(wrapper, IntroWrapper)}
        is_heading = segments[0].role == "heading" and segments[0].span not in intros
        heading = segments[:2] if is_heading else []
        opening, start = opening_segments(self.source, wrappers, overlap[0])
        opening = [
            Segment.of("overlap", each.text, each.span) if each.role == "body" else each
            for each in opening
        ]
        closing = [each for each in segments[-1:] if each.span is None]
        between = Segment.of("overlap", "", (start, body_start))
        body = Segment.of("body", "", (body_start, body_end))
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
            joined[-1] = Segment.of(last.role, "", (last.span[0], segment.span[1]))
        else:
            joined.append(segment)
    return tuple(joined)


def _wrappers_to_reopen(first: Piece, end: int) -> tuple[Wrapper, ...]:
    """Return the wrappers to reopen, without captions and intros that are in the body already."""
    return tuple(
        [
            wrapper
            for wrapper in first.wrappers
            if not (isinstance(wrapper, IntroWrapper) and wrapper.is_within(first.start, end))
        ]
    )


def _closing_role(wrappers: tuple[Wrapper, ...]) -> Role:
    is_fence = any(
        isinstance(wrapper, FrameWrapper) and wrapper.foot and wrapper.head.role == "fence"
        for wrapper in wrappers
    )
    return "fence" if is_fence else "glue"
