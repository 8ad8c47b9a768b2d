"""The text of a chunk: context, overlap, body, definitions, with exact counts."""

from collections.abc import Iterable, Iterator
from functools import cached_property

from treepack.config import PackConfig
from treepack.document.document import Document
from treepack.model.blocks import CodeBlock, Container, Span
from treepack.model.chunk import Role, Segment
from treepack.packing.chunks.definitions import Definitions
from treepack.packing.chunks.overlap import OverlapFinder
from treepack.packing.chunks.specs import ChunkSpec, texts_of
from treepack.packing.context import BLANK_LINE, ChunkContext, ContextBuilder
from treepack.packing.openings import closing_text, opening_segments
from treepack.packing.pieces import Piece
from treepack.packing.split.sentences import SentenceFinder
from treepack.packing.split.words import trimmed
from treepack.packing.templates import Form
from treepack.packing.wrappers import FrameWrapper, IntroWrapper, Wrapper
from treepack.sentences import sentence_splitter


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
        stands_apart = bool(self.config.overlap_separator)
        return OverlapFinder(finder, self.index, self.blocks, stands_apart=stands_apart)

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
        first, last = group[0], group[-1]
        closing = closing_text(last.wrappers, first.start, last.end) if last.wrappers else ""
        own = [Segment.of("body", "", (context.body_start, last.end))]
        if closing:
            own.append(Segment.of(_closing_role(last.wrappers), closing))
        forms = self.contexts.shown(first, last.end) if self.contexts.template else ()
        if last.end > context.limit:
            context = self.contexts.reaching(context, first, last.end)
        segments = [*context.segments, *own]
        wanted = _wanted_wrappers(first, last.end) if first.wrappers else ()
        if len(wanted) < len(first.wrappers):
            context, segments = self._without_caption(context, first, wanted, own, forms)
        if self.document.gaps or forms or len(wanted) < len(first.wrappers):
            plain = self._counted(context, segments, forms)
        else:
            plain = self._plain(context, segments, last.end, closing)
        definitions: list[Segment] = []
        if self.definitions:
            definitions, plain = self._defined(self.definitions, group, context, segments, forms)
        if not previous or not self.config.overlap_tokens:
            return plain
        overlap = self._overlap(previous, first, self._overlap_room(plain))
        if overlap is None:
            return plain
        joined = [*self._joined(overlap, segments, first), *definitions]
        spec = self._counted(context, joined, forms)
        said = [each for each in spec.segments if each.role == "overlap"]
        tokens = self.contexts.count("".join(texts_of(said, self.document.source.text)).strip())
        # Counts are not additive at every seam, so the joined text was counted.
        if tokens > self.config.overlap_tokens or spec.size > self.config.max_tokens:
            return plain
        return spec._replace(overlap_tokens=tokens, missing=plain.missing)

    def _defined(
        self,
        found: Definitions,
        group: list[Piece],
        context: ChunkContext,
        segments: list[Segment],
        forms: tuple[Form, ...],
    ) -> tuple[list[Segment], ChunkSpec]:
        """Return the definitions that the body uses, as many as fit, and the spec with them."""
        start, end = group[0].start, group[-1].end
        is_last = segments[-1].role == "body"  # otherwise a segment closes the body
        is_open = is_last and self._ends_in_open_code(end)

        def fits(more: list[Segment]) -> bool:
            size = self._counted(context, [*segments, *more], forms).size
            return not is_open and size <= self.config.max_tokens

        definitions, missing = found.attached(start, end, fits)
        spec = self._counted(context, [*segments, *definitions], forms)
        return definitions, spec._replace(missing=missing)

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

    def _plain(
        self, context: ChunkContext, segments: list[Segment], end: int, closing: str
    ) -> ChunkSpec:
        """Like `_counted`, for a text that is only its context, one slice and what closes it."""
        start = context.body_start
        joined = _join_slices(segments) if segments[1:] else tuple(segments)
        tokens = embed_tokens = context.count_to(end, closing)
        if segments[1:] or not self.index.adds_up(context.header, self.source.text[start:end]):
            tokens = self.index.count_slice_in(context.opening, start, end, closing)
        else:
            tokens -= context.tokens
        return ChunkSpec(joined, context.header, tokens, embed_tokens, embed_tokens)

    def _without_caption(
        self,
        context: ChunkContext,
        first: Piece,
        wrappers: tuple[Wrapper, ...],
        own: list[Segment],
        forms: tuple[Form, ...],
    ) -> tuple[ChunkContext, list[Segment]]:
        """Return the context and the segments without a caption or intro that the body contains.

        Such a caption comes after its table. The room that this frees goes to the breadcrumb or the
        heading, if the result fits. ``own`` is the body and what closes it.
        """
        span = own[0].span
        assert span is not None, "a body is a slice of the source"
        fuller = self.contexts.of(first._replace(wrappers=wrappers))
        fuller = self.contexts.reaching(fuller, first._replace(wrappers=wrappers), span[1])
        segments = [*fuller.segments, *own]
        if self._counted(fuller, segments, forms).size <= self.config.max_tokens:
            return fuller, segments
        reopened = len(opening_segments(self.source, first.wrappers, first.start)[0])
        kept = context.segments[: len(context.segments) - reopened]
        return context, [*kept, *opening_segments(self.source, wrappers, first.start)[0], *own]

    def _counted(
        self, context: ChunkContext, segments: list[Segment], forms: tuple[Form, ...]
    ) -> ChunkSpec:
        joined = _join_slices(segments) if segments[1:] else tuple(segments)
        if self.document.gaps:
            joined = tuple(self._without_gaps(joined))
        texts = texts_of(joined, self.document.source.text)
        tokens = self._count(joined, texts)
        header = context.header
        embed_tokens = self._count(joined, texts, header) if header else tokens
        size = embed_tokens
        for form in forms:
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
        self, segments: tuple[Segment, ...], texts: list[str], line: str = "", end: str = ""
    ) -> int:
        """Return the exact tokens of a text; its longest source slice is not counted again."""
        sizes = [len(text) if each.span else -1 for each, text in zip(segments, texts, strict=True)]
        longest = sizes.index(max(sizes))
        span = segments[longest].span
        assert span is not None, "each chunk has a body"
        before, after = "".join(texts[:longest]), "".join(texts[longest + 1 :])
        return self.index.count_slice_in(line + before, *span, after + end)

    def _overlap_room(self, plain: ChunkSpec) -> int:
        separator = self.config.overlap_separator
        glue = self.contexts.count(f"{BLANK_LINE}{separator}{BLANK_LINE}") if separator else 1
        left = self.config.max_tokens - plain.size - glue
        return min(self.config.overlap_tokens, left)

    def _overlap(self, previous: list[Piece], first: Piece, room: int) -> Span | None:
        start = self.overlaps.start(previous, first, room) if room > 0 else None
        if start is None:
            return None
        end = trimmed(self.source.text, start, first.start)
        return (start, end) if start < end else None

    def _joined(self, overlap: Span, segments: list[Segment], first: Piece) -> list[Segment]:
        """Return the segments with the overlap before the body.

        A separator may come between the overlap and the body. Without a separator, or inside a
        table or code block, the chunk begins earlier: overlap and body are one slice of the source.
        """
        spans = [each.span for each in segments if each.role == "body" and each.span]
        body_start, body_end = spans[0][0], spans[-1][1]
        wrappers = tuple(
            wrapper
            for wrapper in _wanted_wrappers(first, body_end)
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
        tail = [each for each in segments[-1:] if each.span is None]
        between = Segment.of("overlap", "", (start, body_start))
        body = Segment.of("body", "", (body_start, body_end))
        return [*heading, *opening, between, body, *tail]


def _join_slices(segments: list[Segment]) -> tuple[Segment, ...]:
    """Join neighbouring segments of one role that are one slice of the source."""
    joined = segments[:1]
    for segment in segments[1:]:
        held = joined[-1]
        if (
            held.role == segment.role
            and held.span
            and segment.span
            and held.span[1] == segment.span[0]
        ):
            joined[-1] = Segment.of(held.role, "", (held.span[0], segment.span[1]))
        else:
            joined.append(segment)
    return tuple(joined)


def _wanted_wrappers(first: Piece, end: int) -> tuple[Wrapper, ...]:
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
