"""Writes chosen chunks as the parts of a context: in order, nothing twice, each path once."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from treepack.model.blocks import Span
from treepack.model.chunk import Chunk, Segment, body_span, header_of
from treepack.packing.context import BLANK_LINE, SEPARATOR
from treepack.retrieval.context import ContextPart, Reason
from treepack.retrieval.library import Library

GAP: Final = "\n\n[…]\n\n"
"""Shows that a part of a section is left out."""

_LINE_END: Final = "\n"
_PLACE: Final = re.compile(r"(?:(?:^|, )(?:lines?|pp?\.) \d+(?: to \d+)?)+$")
_NAME_END: Final = re.compile(r", (?:\w+ )?| > ")
_CONSTRUCTS: Final = ("table_header", "fence")


class _Layers(NamedTuple):
    """A chunk's segments: what reopens a construct, its own text, what closes it; and its span."""

    opening: Sequence[Segment]
    body: Sequence[Segment]
    closing: Sequence[Segment]
    span: Span

    @property
    def construct(self) -> Span | None:
        """The span of the header or fence of the innermost construct that the chunk begins in."""
        spans = [part.span for part in self.opening if part.role in _CONSTRUCTS and part.span]
        return spans[-1] if spans else None


def text_to_index(chunk: Chunk) -> str:
    r"""Return the text of a chunk for an index: the headings above it, and its own text.

    >>> from treepack import pack
    >>> [chunk] = pack("# Valve\n\nIt opens at 18 bar.", name="manuals/v2/pump.md")
    >>> text_to_index(chunk) == chunk.text
    True
    """
    return chunk.embed_text


def _path_of(chunk: Chunk) -> tuple[str, ...]:
    """Return the breadcrumb down to the last entry that is before the text in ``embed_text``.

    Deeper entries are in the text itself. If the line of entries was shortened, it is all of them.
    """
    line, names = header_of(chunk).removesuffix(BLANK_LINE), chunk.breadcrumb
    if not line:
        return names[:1] if names[:1] == (chunk.document,) else ()
    paths = (names[:depth] for depth in range(1, len(names)))
    ending = SEPARATOR + line
    return next((path for path in paths if SEPARATOR.join(("", *path)).endswith(ending)), names)


def write_document(
    library: Library,
    leaves: Sequence[Chunk],
    reasons: Mapping[str, Reason],
    scores: Mapping[str, float],
    *,
    is_first: bool,
) -> list[ContextPart]:
    """Return the parts of one document's chosen chunks, which are given in its order."""
    writer = _Writer(library, leaves, is_first=is_first)
    for leaf in leaves:
        writer.add(leaf)
    writer.close()
    return [_part(chunks, segments, reasons, scores) for chunks, segments in writer.runs]


class _Writer:
    """Writes the chunks of one document, one after another."""

    def __init__(self, library: Library, leaves: Iterable[Chunk], *, is_first: bool) -> None:
        self.library = library
        self.runs: list[tuple[list[Chunk], list[Segment]]] = []
        self.last: tuple[Chunk, _Layers] | None = None
        self.is_first = is_first
        self.body_spans = sorted(
            segment.span
            for leaf in leaves
            for segment in leaf.segments
            if segment.role == "body" and segment.span
        )
        self.written_spans: set[Span] = set()

    def add(self, chunk: Chunk) -> None:
        """Write a chunk that comes after all chunks that were written."""
        layers = _layers(chunk)
        glue = self._glue_before(chunk, layers)
        opening = self._opening(chunk, layers) if glue is None else [glue]
        if glue is None or self.runs[-1][0][0].breadcrumb != chunk.breadcrumb:
            self.runs.append(([], []))  # of another section too: each is cited with its own path
        chunks, segments = self.runs[-1]
        chunks.append(chunk)
        segments += [segment for segment in opening if segment.text]
        segments += layers.body
        self.last = chunk, layers

    def close(self) -> None:
        """Close the construct that the last chunk ends in."""
        if self.last:
            self.runs[-1][1].extend(self.last[1].closing)

    def _glue_before(self, chunk: Chunk, layers: _Layers) -> Segment | None:
        """Return the text between the previous chunk and this one; None if there is a gap."""
        if self.last is None:
            return None
        last, before = self.last
        if not self.library.is_next(last, chunk):
            return None
        start, end = before.span[1], layers.span[0]
        parent = self.library.by_id.get(chunk.parent_id or "")
        for segment in parent.segments if parent else ():
            if segment.span and segment.role == "body" and segment.span[0] <= start:
                first, after = segment.span
                if end <= after:
                    text = segment.text[start - first : end - first]
                    return Segment(role="glue", text=text, span=(start, end))
        text = _LINE_END if self._continues(before, layers) else BLANK_LINE
        return Segment(role="glue", text=text if start < end else "")

    def _opening(self, chunk: Chunk, layers: _Layers) -> list[Segment]:
        """Return the beginning of a part: the separator before it, its path, what it reopens."""
        if self.last is not None and self._continues(self.last[1], layers):
            return [Segment(role="glue", text=_LINE_END)]
        self.close()
        path = _path_of(chunk)
        written, glue = SEPARATOR.join(path), BLANK_LINE
        if self.last is None:
            glue = "" if self.is_first else glue if written else GAP
        elif self.last[0].breadcrumb[: len(path)] == path:
            written, glue = "", GAP
        else:
            written = written.removeprefix(f"{chunk.document}{SEPARATOR}")
        segments = [Segment(role="glue", text=glue)]
        if written:
            segments.append(Segment(role="path", text=written))
            segments.append(Segment(role="glue", text=BLANK_LINE))
        return [*segments, *self._unwritten(layers.opening)]

    def _continues(self, before: _Layers, layers: _Layers) -> bool:
        """Whether a chunk begins in the construct in which the previous one ends."""
        wanted = layers.construct
        if wanted is None:
            return False
        start, end = before.span
        return before.construct == wanted or start <= wanted[0] < end

    def _unwritten(self, opening: Sequence[Segment]) -> list[Segment]:
        """Return the opening without what is elsewhere in the context."""
        segments: list[Segment] = []
        is_dropped = False
        for segment in opening:
            if segment.span:
                is_dropped = segment.span in self.written_spans or self._is_in_body(segment.span)
            if not is_dropped:  # what is synthetic belongs to what is before it
                segments.append(segment)
                self.written_spans |= {segment.span} if segment.span else set()
        return segments

    def _is_in_body(self, span: Span) -> bool:
        index = bisect_left(self.body_spans, (span[1], 0))
        return index > 0 and self.body_spans[index - 1][1] > span[0]


def _layers(chunk: Chunk) -> _Layers:
    roles = [segment.role for segment in chunk.segments]
    first = roles.index("body")
    last = len(roles) - roles[::-1].index("body")
    opening: list[Segment] = []
    is_overlap = False
    for segment in chunk.segments[:first]:
        is_overlap = segment.role == "overlap" or (is_overlap and segment.role == "glue")
        opening += [] if is_overlap else [segment]
    return _Layers(opening, chunk.segments[first:last], chunk.segments[last:], body_span(chunk))


def _clause_of(chunks: Sequence[Chunk]) -> str | None:
    """Return the clause of the chunk with the shortest clause path, if it holds all chunks."""
    outer = min(chunks, key=lambda chunk: len(chunk.clause_path))
    depth = len(outer.clause_path)
    holds_all = all(chunk.clause_path[:depth] == outer.clause_path for chunk in chunks)
    return outer.clause_number if holds_all else None


def _citation(chunks: Sequence[Chunk], pages: Sequence[int], lines: tuple[int, int]) -> str:
    """Return one citation for chunks that follow each other: ``Lease, section 3(a) to 3(c)``."""
    names = [_PLACE.sub("", chunk.citation) for chunk in (chunks[0], chunks[-1])]
    first, last = names
    ends = (match.end() for match in _NAME_END.finditer(first))
    shared = max((end for end in ends if first[:end] == last[:end]), default=0)
    is_whole = last.startswith(first)  # Article 9 has Article 9(4)
    cited = first if is_whole else f"{first} to {last[shared:]}"
    if pages:
        where = f"p. {pages[0]}" if len(pages) == 1 else f"pp. {pages[0]} to {pages[-1]}"
    elif names == [chunk.citation for chunk in (chunks[0], chunks[-1])]:
        return cited  # clauses need no lines
    else:
        start, end = lines
        where = f"line {start}" if start == end else f"lines {start} to {end}"
    return f"{cited}, {where}" if cited else where


def _part(
    chunks: Sequence[Chunk],
    segments: Sequence[Segment],
    reasons: Mapping[str, Reason],
    scores: Mapping[str, float],
) -> ContextPart:
    first = chunks[0]
    pages = tuple(sorted({page for chunk in chunks for page in chunk.pages}))
    lines = first.lines[0], max(chunk.lines[1] for chunk in chunks)
    return ContextPart(
        document=first.document,
        breadcrumb=first.breadcrumb,
        clause=_clause_of(chunks),
        clauses=tuple(dict.fromkeys([name for chunk in chunks for name in chunk.clauses])),
        citation=_citation(chunks, pages, lines),
        pages=pages,
        lines=lines,
        span=(body_span(first)[0], body_span(chunks[-1])[1]),
        chunk_ids=tuple([chunk.id for chunk in chunks]),
        reasons=tuple([reasons[chunk.id] for chunk in chunks]),
        score=max((scores[chunk.id] for chunk in chunks if chunk.id in scores), default=None),
        segments=tuple(segments),
    )
