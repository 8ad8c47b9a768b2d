"""Groups of pieces become the specs of chunk records."""

import copy
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import compress, pairwise
from operator import itemgetter
from typing import Final

from treepack.document.document import Document
from treepack.model.chunk import Skipped, TableSlice
from treepack.model.section import framed, id_of
from treepack.packing.chunks.citations import Citations
from treepack.packing.chunks.content import ContentBuilder
from treepack.packing.chunks.specs import ChunkSpec, texts_of
from treepack.packing.chunks.table_slices import table_slices
from treepack.packing.context import ChunkContext, ContextBuilder
from treepack.packing.pieces import Piece, trimmed_end

_SPACES: Final = re.compile(r"[ \t]*")


class Assembler:
    """Makes the specs of one document's chunk records.

    Args:
        document: The document, with its page marks.
        contexts: Makes the context of any place in the document.
        citations: The document's clauses and references.
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
        self.boundaries = frozenset(boundaries)
        self.original = document.source
        self.gaps = document.gaps
        self.skipped = document.skipped
        original, document = document, contexts.document
        self.document = document
        self.config = contexts.config
        self.contexts = contexts
        self.source = document.source
        self.block_index = contexts.block_index
        self.citations = citations
        self.contents = ContentBuilder(original, contexts)
        self._occurrences: dict[str, int] = {}  # by the id that the first of them has
        self._framed_paths: dict[tuple[str, ...], bytes] = {}
        self._framed_salt = framed(salt).encode() if salt else b""

    def assemble(self, groups: list[list[Piece]], plain_tables: set[int]) -> Iterator[ChunkSpec]:
        """Yield one spec for each group, in order; see `table_slices` for ``plain_tables``.

        This consumes ``groups``, so that memory is freed while specs are made.
        """
        contexts = [self.contexts.context_at(group[0]) for group in groups]
        self.contexts.clear_cache()
        if self.gaps:
            self._trim(groups)
        self._drop_next_marker(groups, contexts)
        slices = table_slices(self.document, self.block_index.tables, groups, plain_tables)
        previous: list[Piece] | None = None
        groups.reverse()
        contexts.reverse()
        for number in range(len(groups)):
            group, context = groups.pop(), contexts.pop()
            before = None if group[0].start in self.boundaries else previous
            spec = self.contents.build(group, before, context)
            skipped = self._skipped(previous, group, is_last=not groups) if self.skipped else ()
            yield self._with_values(spec, number, group, tuple(slices.get(number, ())), skipped)
            previous = group

    # ---------------------------------------------------------------- text

    def _trim(self, groups: Sequence[list[Piece]]) -> None:
        """Remove trailing spaces that replace a page mark after a line of code."""
        for group in groups:
            last = group[-1]
            trimmed = self.source.text[last.start : last.end].rstrip(" \t\r\n")
            spaces = _SPACES.match(self.original.text, last.start + len(trimmed), last.end)
            assert spaces is not None, "the pattern also matches the empty string"
            group[-1] = last._replace(end=spaces.end())

    def _drop_next_marker(self, groups: list[list[Piece]], contexts: list[ChunkContext]) -> None:
        """Take from each chunk the marker that comes before the text of the next one's first line.

        A chunk ends after such a marker only if a quote's ``>`` was read as the end of an HTML tag.
        A group that holds nothing else is removed. Elsewhere, pieces tile the source; see
        `Splitter.open`.
        """
        emptied: list[int] = []
        for number, (before, context) in enumerate(zip(groups[:-1], contexts[1:], strict=True)):
            begin = context.body_start
            for segment in context.segments:
                if segment.role == "body" and segment.span:
                    begin = min(begin, segment.span[0])
            if begin < before[-1].end:
                end = trimmed_end(self.source.text, before[-1].start, begin)
                before[-1] = before[-1]._replace(end=end)
                if end <= before[0].start:
                    emptied.append(number)
        for number in reversed(emptied):
            del groups[number], contexts[number]

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
        metadata = self.document.metadata
        texts = texts_of(spec.segments, self.original.text)
        text = body = texts[0]
        if texts[1:]:
            text = "".join(texts)
            roles = [each.role == "body" for each in spec.segments]
            body = "".join(compress(texts, roles))
        breadcrumb = self.contexts.breadcrumb(start, end)
        marks = self.source.page_marks
        pages = pages_of(marks, self.source.text, start, end) if marks else ()
        lines = (self.original.line_at(start) + 1, self.original.line_at(end - 1) + 1)
        data = _encoded(text)
        body_data = data if body is text else _encoded(body)
        values = {
            "id": self._id(breadcrumb, b"%d:%b" % (len(body), body_data)),
            "document": self.source.name,
            "index": number,
            "breadcrumb": breadcrumb,
            "content_hash": sha256(data).hexdigest(),
            "kinds": self.block_index.kinds(start, end),
            "tables": tables,
            "pages": pages,
            "lines": lines,
            "citation": self.citations.cite((start, end), breadcrumb, pages, lines),
            "sections": self.contexts.sections.whole(start, end),
            "overlap_tokens": spec.overlap_tokens,
            "oversize": group[0].is_kept_whole and spec.size > self.config.max_tokens,
            "skipped": skipped,
            "metadata": copy.deepcopy(dict(metadata)) if metadata else {},
            **self.citations.fields(start, end),
        }
        references = self.citations.references_in(start, end)
        return spec.completed(references, start, values)

    def _id(self, breadcrumb: tuple[str, ...], body: bytes) -> str:
        """Return the `stable_id` of "chunk", source, breadcrumb, body, occurrence and salt.

        Args:
            breadcrumb: The breadcrumb.
            body: The body, framed and encoded.
        """
        framed_path = self._framed_paths.get(breadcrumb)
        if framed_path is None:
            names = framed("chunk", self.source.name, *breadcrumb)
            framed_path = self._framed_paths[breadcrumb] = _encoded(names)
        first_id = id_of(b"%b%b1:0%b" % (framed_path, body, self._framed_salt))
        occurrence = self._occurrences.get(first_id, 0)
        self._occurrences[first_id] = occurrence + 1
        if not occurrence:
            return first_id  # the common case
        number = b"%d" % occurrence
        return id_of(b"%b%b%d:%b%b" % (framed_path, body, len(number), number, self._framed_salt))

    def _skipped(
        self, previous: list[Piece] | None, group: list[Piece], *, is_last: bool
    ) -> tuple[Skipped, ...]:
        begin = previous[-1].end if previous else 0
        end = len(self.original.text) + 1 if is_last else group[-1].end
        first = bisect_left(self.skipped, begin, key=itemgetter(0))
        after = bisect_left(self.skipped, end, key=itemgetter(0))
        return tuple(
            Skipped((start, stop), reason) for start, stop, reason in self.skipped[first:after]
        )


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def pages_of(marks: Sequence[tuple[int, int]], text: str, start: int, end: int) -> tuple[int, ...]:
    """Return the pages of a span, in order; text before the first mark has no page.

    Args:
        marks: The offset and the number of each page.
        text: The text, with spaces in place of page furniture: a page with nothing else in the
            middle of the span is left out.
        start: Where the span begins, with a character that is not whitespace.
        end: Where it ends, after such a character.
    """
    first = max(bisect_right(marks, start, key=itemgetter(0)) - 1, 0)
    after = bisect_left(marks, end, key=itemgetter(0))
    spanned = marks[first:after]
    if spanned[2:]:  # the first and the last have text
        spanned = [
            *spanned[:1],
            *(each for each, (stop, _) in pairwise(spanned[1:]) if text[each[0] : stop].strip()),
            spanned[-1],
        ]
    return tuple(dict.fromkeys(page for _, page in spanned))
