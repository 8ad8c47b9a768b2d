"""The text of a chunk: context, overlap, body, definitions, with exact counts."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

from treepack.config import PackConfig
from treepack.document.document import Document
from treepack.model.blocks import CodeBlock
from treepack.model.chunk import Reference, Role
from treepack.packing.block_index import BlockIndex
from treepack.packing.chunks.definitions import Definitions
from treepack.packing.chunks.overlap import OverlapFinder
from treepack.packing.context import BLANK_LINE, Context, ContextBuilder
from treepack.packing.pieces import Piece
from treepack.packing.split.sentences import SentenceFinder
from treepack.packing.templates import Form
from treepack.packing.wrappers import (
    Enclosed,
    Introduced,
    Part,
    Wrapper,
    closing_text,
    is_literal,
    opening_parts,
)
from treepack.sentences import sentence_splitter


class Content(NamedTuple):
    """What a chunk says, with exact counts.

    Attributes:
        parts: The text in parts.
        text: The parts joined.
        header: The breadcrumb line before it.
        tokens: Tokens of the text.
        embed_tokens: Tokens of the embed text.
        size: Tokens that count against the cap: of the embed text, or of what a framework shows if
            that is more.
        overlap: The overlap's own text.
        missing: References to definitions that are not in the chunk.
    """

    parts: tuple[Part, ...]
    text: str
    header: str
    tokens: int
    embed_tokens: int
    size: int
    overlap: str = ""
    missing: tuple[Reference, ...] = ()


class ContentBuilder:
    """Builds the texts of one document's chunks.

    Args:
        document: The document, with its page marks.
        config: The limits and policies.
        contexts: Makes the context of any place in the document.
        block_index: The document's blocks.
    """

    def __init__(
        self,
        document: Document,
        config: PackConfig,
        contexts: ContextBuilder,
        block_index: BlockIndex,
    ) -> None:
        self.original = document.source
        self.gaps = document.gaps
        self.config = config
        self.contexts = contexts
        self.source = contexts.document.source
        self.index = contexts.document.tokens
        self.block_index = block_index
        self.definitions = (
            Definitions(self.source.text, block_index.top, contexts.document.definitions)
            if config.attach_definitions
            else None
        )

    @cached_property
    def overlaps(self) -> OverlapFinder:
        """Finds where an overlap begins; made only if the settings ask for overlap."""
        finder = SentenceFinder(self.source, sentence_splitter(self.config.sentence_splitter))
        stands_apart = bool(self.config.overlap_separator)
        return OverlapFinder(finder, self.index, self.block_index.top, stands_apart=stands_apart)

    def build(self, group: list[Piece], previous: list[Piece] | None, context: Context) -> Content:
        """Build the text of a group.

        Args:
            group: The chunk's pieces.
            previous: The pieces of the chunk before it, from which overlap may be taken.
            context: What stands before the group.
        """
        first, last = group[0], group[-1]
        closing = closing_text(last.wrappers, first.start, last.end) if last.wrappers else ""
        tail = [Part(_closing_role(last.wrappers), closing)] if closing else []
        body = self._slice("body", context.body_start, last.end)
        forms = self.contexts.shown(first, last.end) if self.contexts.template else ()
        if last.end > context.limit:
            context = self.contexts.reaching(context, first, last.end)
        parts = [*context.parts, body, *tail]
        wanted = _wanted_wrappers(first, last.end) if first.wrappers else ()
        if len(wanted) < len(first.wrappers):
            context, parts = self._without_caption(context, first, wanted, [body, *tail], forms)
        if self.gaps or forms or len(wanted) < len(first.wrappers):
            plain = self._counted(context, parts, forms)
        else:
            plain = self._plain(context, parts, last.end, closing)
        definitions: list[Part] = []
        if self.definitions:
            is_open = not closing and self._ends_in_open_code(last.end)
            definitions, missing = self.definitions.attached(
                first.start,
                last.end,
                lambda more: (
                    not is_open
                    and self._counted(context, [*parts, *more], forms).size
                    <= self.config.max_tokens
                ),
            )
            attached = self._counted(context, [*parts, *definitions], forms)
            plain = attached._replace(missing=missing)
        if not previous or not self.config.overlap_tokens:
            return plain
        overlap = self._overlap(previous, first, self._overlap_room(plain))
        if overlap is None:
            return plain
        joined = [*self._joined(overlap, parts, first), *definitions]
        content = self._counted(context, joined, forms)
        said = "".join([part.text for part in content.parts if part.role == "overlap"]).strip()
        content = content._replace(overlap=said, missing=plain.missing)
        # Counts are not additive at every seam: count the joined text.
        is_within = self.contexts.count(content.overlap) <= self.config.overlap_tokens
        return content if is_within and content.size <= self.config.max_tokens else plain

    def _ends_in_open_code(self, end: int) -> bool:
        """Whether a body ends in code that lacks its closing fence: what follows would be code."""
        last = self.block_index.top[-1] if self.block_index.top else None
        return (
            isinstance(last, CodeBlock)
            and bool(last.fence)
            and not last.closed
            and last.start < end
        )

    def _plain(self, context: Context, parts: list[Part], end: int, closing: str) -> Content:
        """Like `_counted`, for a text that is only its context, a slice, and what closes it."""
        joined = _join_slices(parts) if parts[1:] else tuple(parts)
        text = "".join([part.text for part in joined]) if parts[1:] else parts[0].text
        tokens = embed_tokens = context.count_to(end, closing)
        if parts[1:] or not self.index.adds_up(context.header, text):
            start, opening = context.body_start, context.opening
            tokens = self.index.count_slice_in(opening, start, end, closing)
        else:
            tokens -= context.tokens
        return Content(joined, text, context.header, tokens, embed_tokens, embed_tokens)

    def _without_caption(
        self,
        context: Context,
        first: Piece,
        wrappers: tuple[Wrapper, ...],
        own: list[Part],
        forms: tuple[Form, ...],
    ) -> tuple[Context, list[Part]]:
        """The context and the parts, without a caption that the body holds after its table.

        The room that this frees goes to the breadcrumb or the heading, if the result fits.
        ``own`` is the body and what closes it.
        """
        span = own[0].span
        assert span is not None, "a body is a slice of the source"
        fuller = self.contexts.of(first._replace(wrappers=wrappers))
        fuller = self.contexts.reaching(fuller, first._replace(wrappers=wrappers), span[1])
        parts = [*fuller.parts, *own]
        if self._counted(fuller, parts, forms).size <= self.config.max_tokens:
            return fuller, parts
        reopened = len(opening_parts(self.source, first.wrappers, first.start)[0])
        kept = context.parts[: len(context.parts) - reopened]
        return context, [*kept, *opening_parts(self.source, wrappers, first.start)[0], *own]

    def _counted(self, context: Context, parts: list[Part], forms: tuple[Form, ...]) -> Content:
        joined = _join_slices(parts) if parts[1:] else tuple(parts)
        if self.gaps:
            joined = tuple(self._without_gaps(joined))
        text = "".join([part.text for part in joined])
        tokens = self._count(joined)
        header = context.header
        embed_tokens = self._count(joined, header) if header else tokens
        size = embed_tokens
        for form in forms:
            size = max(size, self._count(joined, *form) - self.contexts.reserve)
        return Content(joined, text, header, tokens, embed_tokens, size)

    def _without_gaps(self, parts: Iterable[Part]) -> Iterator[Part]:
        """The parts as the source has them, divided at page marks."""
        for part in parts:
            if part.span is None:
                yield part
                continue
            start, end = part.span
            at = bisect_right(self.gaps, start, key=itemgetter(1))
            while at < len(self.gaps) and self.gaps[at][0] < end:
                yield from self._own(part, start, self.gaps[at][0])
                start = self.gaps[at][1]
                at += 1
            yield from self._own(part, start, end)

    def _own(self, part: Part, start: int, end: int) -> Iterator[Part]:
        if start < end:
            yield Part(part.role, self.original.text[start:end], (start, end))

    def _count(self, parts: tuple[Part, ...], line: str = "", end: str = "") -> int:
        """Exact tokens of a text; its longest slice of the source is not counted again."""
        if len(parts) == 1 and parts[0].span:
            return self.index.count_slice_in(line, *parts[0].span, end)
        longest = max(
            range(len(parts)), key=lambda at: len(parts[at].text) if parts[at].span else -1
        )
        span = parts[longest].span
        assert span is not None, "each chunk has a body"
        before = line + "".join(part.text for part in parts[:longest])
        after = "".join(part.text for part in parts[longest + 1 :]) + end
        return self.index.count_slice_in(before, *span, after)

    def _slice(self, role: Role, start: int, end: int) -> Part:
        return Part(role, self.source.text[start:end], (start, end))

    def _overlap_room(self, plain: Content) -> int:
        separator = self.config.overlap_separator
        glue = self.contexts.count(f"{BLANK_LINE}{separator}{BLANK_LINE}") if separator else 1
        left = self.config.max_tokens - plain.size - glue
        return min(self.config.overlap_tokens, left)

    def _overlap(self, previous: list[Piece], first: Piece, room: int) -> Part | None:
        start = self.overlaps.start(previous, first, room) if room > 0 else None
        if start is None:
            return None
        length = len(self.source.text[start : first.start].rstrip())
        return self._slice("overlap", start, start + length) if length else None

    def _joined(self, overlap: Part, parts: list[Part], first: Piece) -> list[Part]:
        """The parts with the overlap before the body.

        A separator sets the overlap apart from the body. Without one, or inside a table or code
        block, the chunk begins earlier: the overlap and the body are one slice of the source.
        """
        assert overlap.span is not None, "an overlap is a slice of the source"
        spans = [part.span for part in parts if part.role == "body" and part.span]
        body_start, body_end = spans[0][0], spans[-1][1]
        wrappers = tuple(
            wrapper
            for wrapper in _wanted_wrappers(first, body_end)
            if wrapper.start < first.start or isinstance(wrapper, Introduced)
        )
        separator = self.config.overlap_separator
        is_inside = any(is_literal(wrapper) and wrapper.start < first.start for wrapper in wrappers)
        if separator and not is_inside:
            return [overlap, Part("glue", f"{BLANK_LINE}{separator}{BLANK_LINE}"), *parts]
        intros = {wrapper.words.span for wrapper in wrappers if isinstance(wrapper, Introduced)}
        is_heading = parts[0].role == "heading" and parts[0].span not in intros
        heading = parts[:2] if is_heading else []
        opening, start = opening_parts(self.source, wrappers, overlap.span[0])
        opening = [p._replace(role="overlap") if p.role == "body" else p for p in opening]
        tail = [part for part in parts[-1:] if part.span is None]
        between = self._slice("overlap", start, body_start)
        return [*heading, *opening, between, self._slice("body", body_start, body_end), *tail]


def _join_slices(parts: list[Part]) -> tuple[Part, ...]:
    """Join neighbouring parts of one role that are one slice of the source."""
    joined = parts[:1]
    for part in parts[1:]:
        held = joined[-1]
        if held.role == part.role and held.span and part.span and held.span[1] == part.span[0]:
            joined[-1] = Part(held.role, held.text + part.text, (held.span[0], part.span[1]))
        else:
            joined.append(part)
    return tuple(joined)


def _wanted_wrappers(first: Piece, end: int) -> tuple[Wrapper, ...]:
    """Wrappers to reopen, without captions and intros that are in the body already."""
    return tuple(
        [
            wrapper
            for wrapper in first.wrappers
            if not (isinstance(wrapper, Introduced) and wrapper.is_within(first.start, end))
        ]
    )


def _closing_role(wrappers: tuple[Wrapper, ...]) -> Role:
    is_fence = any(
        isinstance(wrapper, Enclosed) and wrapper.closing and wrapper.opening.role == "fence"
        for wrapper in wrappers
    )
    return "fence" if is_fence else "glue"
