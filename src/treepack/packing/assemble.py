"""Groups of units become drafts of chunk records."""

import copy
import hashlib
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from operator import itemgetter
from typing import Final, NamedTuple

from treepack.config import PackConfig
from treepack.document.tree import Document, path_to, stable_id
from treepack.packing.chunk import Reference, Role, Skipped, TableSlice
from treepack.packing.citations import Citations, NoCitations
from treepack.packing.context import BLANK_LINE, Context, ContextMaker
from treepack.packing.definitions import Definitions
from treepack.packing.drafts import Draft, without_text
from treepack.packing.frames import Enclosed, Frame, Introduced, Part, is_literal, resume, suspend
from treepack.packing.inventory import Inventory
from treepack.packing.overlap import OverlapFinder
from treepack.packing.rendering import Form
from treepack.packing.sentences import SentenceFinder
from treepack.packing.tables import TablePieces
from treepack.packing.units import Unit
from treepack.sentences import sentence_splitter

_BLANKS: Final = re.compile(r"[ \t]*")


class _Content(NamedTuple):
    """What a chunk says, with exact counts.

    Attributes:
        parts: The text in parts.
        text: The parts put together.
        header: The breadcrumb line before it.
        tokens: Of the text.
        embed_tokens: Of the embed text.
        size: What counts against the cap: the embed text, or more if a framework shows more.
        overlap: The overlap's own text.
        missing: References to definitions that do not stand in the chunk.
    """

    parts: tuple[Part, ...]
    text: str
    header: str
    tokens: int
    embed_tokens: int
    size: int
    overlap: str = ""
    missing: tuple[Reference, ...] = ()


class Assembler:
    """Makes the drafts of one document's chunk records.

    Args:
        document: The document, page marks and all.
        config: The limits and policies.
        contexts: Makes the context of any place in the document.
        walls: Where parents begin; no overlap reaches from one into the next.
        salt: Goes into the ids, so that a parent has another than a child with the same text.
    """

    def __init__(
        self,
        document: Document,
        config: PackConfig,
        contexts: ContextMaker,
        *,
        walls: Sequence[int] = (),
        salt: str = "",
    ) -> None:
        self.walls = frozenset(walls)
        self.salt = salt
        self.original = document.source
        self.gaps = document.gaps
        self.skipped = document.skipped
        self.document = document = contexts.document
        self.config = config
        self.contexts = contexts
        self.source = document.source
        self.index = document.tokens
        self.inventory = Inventory(document)
        self.citations = Citations(document) if config.clauses else NoCitations()
        self.definitions = (
            Definitions(self.source.text, self.inventory.top) if config.attach_definitions else None
        )
        self.seen: dict[tuple[tuple[str, ...], bytes], int] = {}

    def assemble(self, groups: list[list[Unit]], torn: set[int]) -> Iterator[Draft]:
        """Make one draft for each group, in order; ``torn`` tables have no pieces to list.

        It takes the groups out of their list: as the drafts come, what they are made of goes.
        """
        contexts = [self.contexts.of(group[0]) for group in groups]
        self.contexts.forget()
        if self.gaps:
            self._trim(groups)
        self._close_gaps(groups, contexts)
        pieces = TablePieces(self.document, self.inventory.tables, groups, torn)
        previous: list[Unit] | None = None
        groups.reverse()
        contexts.reverse()
        for number in range(len(groups)):
            group, context = groups.pop(), contexts.pop()
            before = None if group[0].start in self.walls else previous
            content = self._content(group, before, context)
            skipped = self._skipped(previous, group, is_last=not groups)
            yield self._draft(number, group, content, pieces.of(number), skipped)
            previous = group

    @cached_property
    def overlaps(self) -> OverlapFinder:
        """Finds where an overlap begins, for settings that want one."""
        finder = SentenceFinder(self.source, sentence_splitter(self.config.sentence_splitter))
        stands_apart = bool(self.config.overlap_separator)
        return OverlapFinder(finder, self.index, self.inventory.top, stands_apart=stands_apart)

    # ---------------------------------------------------------------- text

    def _trim(self, groups: Sequence[list[Unit]]) -> None:
        """Let no chunk end with the blanks that stand for a page mark behind a line of code."""
        for group in groups:
            last = group[-1]
            solid = self.source.text[last.start : last.end].rstrip(" \t\r\n")
            own = _BLANKS.match(self.original.text, last.start + len(solid), last.end)
            assert own is not None, "the pattern matches nothing as well"
            group[-1] = last._replace(end=own.end())

    def _close_gaps(self, groups: list[list[Unit]], contexts: list[Context]) -> None:
        """Let each chunk's body reach to the next one's, blanks left out.

        Marks between two units (a quote's ``>`` on a blank line, a container's closing line) are
        no unit's content; whatever is left of them goes with the chunk before, so that nothing can
        be lost. A group with nothing but marks of the next one's first line goes.
        """
        emptied: list[int] = []
        for number, (before, context) in enumerate(zip(groups[:-1], contexts[1:], strict=True)):
            spans = [part.span for part in context.parts if part.role == "body" and part.span]
            begin = spans[0][0] if spans else context.body_start
            end = before[-1].end
            between = self.source.text[end:begin]
            if between and not between.isspace():
                before[-1] = before[-1]._replace(end=end + len(between.rstrip()))
            elif begin < end:  # a quote's mark that closed an HTML tag before it
                start = before[-1].start
                own = self.source.text[start:begin].rstrip()
                before[-1] = before[-1]._replace(end=start + len(own))
                if before[-1].end <= before[0].start:
                    emptied.append(number)
        for number in reversed(emptied):
            del groups[number], contexts[number]

    def _content(
        self, group: list[Unit], previous: list[Unit] | None, context: Context
    ) -> _Content:
        first, last = group[0], group[-1]
        closing = suspend(last.frames, first.start, last.end) if last.frames else ""
        tail = [Part(_closing_role(last.frames), closing)] if closing else []
        body = self._slice("body", context.body_start, last.end)
        forms = self.contexts.shown(first, last.end)
        context, parts = self._without_caption(context, first, body, tail, forms)
        plain = self._counted(context, parts, forms)
        definitions: list[Part] = []
        if self.definitions:
            definitions, missing = self.definitions.attached(
                first.start,
                last.end,
                lambda more: (
                    self._counted(context, [*parts, *more], forms).size <= self.config.max_tokens
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
        content = self._counted(context, joined, forms)._replace(missing=plain.missing)
        # Counts do not add up at every seam: the last word has the text itself.
        is_within = self.contexts.count(content.overlap) <= self.config.overlap_tokens
        return content if is_within and content.size <= self.config.max_tokens else plain

    def _without_caption(
        self, context: Context, first: Unit, body: Part, tail: list[Part], forms: tuple[Form, ...]
    ) -> tuple[Context, list[Part]]:
        """The context and the parts without a caption that stands in the body, behind its table.

        What room the caption leaves goes to the breadcrumb or the heading, if that fits.
        """
        assert body.span is not None, "a body is a slice of the source"
        frames = _wanted_frames(first, body.span[1])
        if len(frames) == len(first.frames):
            return context, [*context.parts, body, *tail]
        fuller = self.contexts.of(first._replace(frames=frames))
        parts = [*fuller.parts, body, *tail]
        if self._counted(fuller, parts, forms).size <= self.config.max_tokens:
            return fuller, parts
        reopened = len(resume(self.source, first.frames, first.start)[0])
        kept = context.parts[: len(context.parts) - reopened]
        return context, [*kept, *resume(self.source, frames, first.start)[0], body, *tail]

    def _counted(self, context: Context, parts: list[Part], forms: tuple[Form, ...]) -> _Content:
        joined = tuple(_join_slices(parts))
        if self.gaps:
            joined = tuple(self._without_gaps(joined))
        overlap = "".join([part.text for part in joined if part.role == "overlap"]).strip()
        text = "".join([part.text for part in joined])
        tokens = self._count(joined)
        header = context.header
        embed_tokens = self._count(joined, header) if header else tokens
        shown = [self._count(joined, *form) - self.contexts.reserve for form in forms]
        size = max([embed_tokens, *shown])
        return _Content(joined, text, header, tokens, embed_tokens, size, overlap)

    def _without_gaps(self, parts: Iterable[Part]) -> Iterator[Part]:
        """The parts as the source has them, cut where a page mark stands."""
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
        """Exact tokens of a text; what is one slice of the source is not counted again."""
        if len(parts) == 1 and parts[0].span:
            return self.index.count_slice_in(line, *parts[0].span, end)
        longest = max(
            range(len(parts)), key=lambda at: len(parts[at].text) if parts[at].span else -1
        )
        span = parts[longest].span
        assert span is not None, "each chunk has a body"
        before = line + "".join(part.text for part in parts[:longest])
        behind = "".join(part.text for part in parts[longest + 1 :]) + end
        return self.index.count_slice_in(before, *span, behind)

    def _slice(self, role: Role, start: int, end: int) -> Part:
        return Part(role, self.source.text[start:end], (start, end))

    def _overlap_room(self, plain: _Content) -> int:
        separator = self.config.overlap_separator
        glue = self.contexts.count(f"{BLANK_LINE}{separator}{BLANK_LINE}") if separator else 1
        left = self.config.max_tokens - plain.size - glue
        return min(self.config.overlap_tokens, left)

    def _overlap(self, previous: list[Unit], first: Unit, room: int) -> Part | None:
        start = self.overlaps.start(previous, first, room) if room > 0 else None
        if start is None:
            return None
        length = len(self.source.text[start : first.start].rstrip())
        return self._slice("overlap", start, start + length) if length else None

    def _joined(self, overlap: Part, parts: list[Part], first: Unit) -> list[Part]:
        """The parts with the overlap before the body.

        Without a separator, or inside a table or code block, the chunk simply begins earlier: the
        overlap and the body are one slice of the source. With one, the overlap stands apart.
        """
        assert overlap.span is not None, "an overlap is a slice of the source"
        spans = [part.span for part in parts if part.role == "body" and part.span]
        body_start, body_end = spans[0][0], spans[-1][1]
        frames = tuple(
            frame
            for frame in _wanted_frames(first, body_end)
            if frame.start < first.start or isinstance(frame, Introduced)
        )
        separator = self.config.overlap_separator
        is_inside = any(is_literal(frame) and frame.start < first.start for frame in frames)
        if separator and not is_inside:
            return [overlap, Part("glue", f"{BLANK_LINE}{separator}{BLANK_LINE}"), *parts]
        leads = {frame.words.span for frame in frames if isinstance(frame, Introduced)}
        is_heading = parts[0].role == "heading" and parts[0].span not in leads
        heading = parts[:2] if is_heading else []
        opening, start = resume(self.source, frames, overlap.span[0])
        opening = [p._replace(role="overlap") if p.role == "body" else p for p in opening]
        tail = [part for part in parts[-1:] if part.span is None]
        between = self._slice("overlap", start, body_start)
        return [*heading, *opening, between, self._slice("body", body_start, body_end), *tail]

    # ---------------------------------------------------------------- record

    def _draft(
        self,
        number: int,
        group: list[Unit],
        content: _Content,
        tables: tuple[TableSlice, ...],
        skipped: tuple[Skipped, ...],
    ) -> Draft:
        start, end = group[0].start, group[-1].end
        metadata = self.document.metadata
        body = "".join([part.text for part in content.parts if part.role == "body"])
        breadcrumb = self.contexts.breadcrumb(path_to(self.document.root, start, end))
        cited = self.citations.of(start, end)
        digest = _sha256(content.text)
        own = digest if body == content.text else _sha256(body)
        values = {
            "id": self._id(breadcrumb, body, own),
            "document": self.source.name,
            "index": number,
            "breadcrumb": breadcrumb,
            "token_count": content.tokens,
            "embed_token_count": content.embed_tokens,
            "content_hash": digest.hex(),
            "kinds": self.inventory.kinds(start, end),
            "clause_number": cited.clause_number,
            "clause_path": cited.clause_path,
            "clauses": cited.clauses,
            "clause_continued": cited.clause_continued,
            "tables": tables,
            "references": (*cited.references, *content.missing),
            "pages": pages_of(self.source.page_marks, start, end),
            "lines": (self.original.line_at(start) + 1, self.original.line_at(end - 1) + 1),
            "sections": self.inventory.whole_sections(start, end),
            "overlap_tokens": self.contexts.count(content.overlap) if content.overlap else 0,
            "has_overlap": bool(content.overlap),
            "oversize": group[0].is_kept and content.size > self.config.max_tokens,
            "skipped": skipped,
            "metadata": copy.deepcopy(dict(metadata)) if metadata else {},
        }
        return Draft(values, content.header, without_text(content.parts))

    def _id(self, breadcrumb: tuple[str, ...], body: str, digest: bytes) -> str:
        place = (breadcrumb, digest)  # all bodies would be the whole text
        occurrence = self.seen.get(place, 0)
        self.seen[place] = occurrence + 1
        salt = (self.salt,) if self.salt else ()
        return stable_id("chunk", self.source.name, *breadcrumb, body, str(occurrence), *salt)

    def _skipped(
        self, previous: list[Unit] | None, group: list[Unit], *, is_last: bool
    ) -> tuple[Skipped, ...]:
        begin = previous[-1].end if previous else 0
        end = len(self.original.text) if is_last else group[-1].end
        first = bisect_left(self.skipped, begin, key=itemgetter(0))
        behind = bisect_left(self.skipped, end, key=itemgetter(0))
        return tuple(
            Skipped.trusted(span=(start, stop), reason=reason)
            for start, stop, reason in self.skipped[first:behind]
        )


def _sha256(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _join_slices(parts: list[Part]) -> Iterator[Part]:
    """Join neighbouring parts of one role that are one slice of the source."""
    held = parts[0]
    for part in parts[1:]:
        if held.role == part.role and held.span and part.span and held.span[1] == part.span[0]:
            held = Part(held.role, held.text + part.text, (held.span[0], part.span[1]))
        else:
            yield held
            held = part
    yield held


def pages_of(marks: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, ...]:
    """The pages of a span, in order; what stands before the first mark is on no page."""
    if not marks:
        return ()
    first = max(bisect_right(marks, start, key=itemgetter(0)) - 1, 0)
    behind = bisect_left(marks, end, key=itemgetter(0))
    return tuple(dict.fromkeys(page for _, page in marks[first:behind]))


def _wanted_frames(first: Unit, end: int) -> tuple[Frame, ...]:
    """The frames of a chunk without those whose words stand in its own body."""
    return tuple(
        frame
        for frame in first.frames
        if not (isinstance(frame, Introduced) and frame.is_within(first.start, end))
    )


def _closing_role(frames: tuple[Frame, ...]) -> Role:
    is_fence = any(
        isinstance(frame, Enclosed) and frame.closing and frame.opening.role == "fence"
        for frame in frames
    )
    return "fence" if is_fence else "glue"
