"""What comes before a chunk's own text: breadcrumb line, repeated heading, opened frames.

All of it depends only on the place where the chunk begins. So it is known before the chunk is cut,
and budgets are exact. If it would take more than half the cap, it is shortened in a fixed order:
overlap, outermost breadcrumb entries, long heading text. The body is never cut to make room.

The line has no document name, which distinguishes no chunk of a document from another one.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from treepack.clauses.clause import Clauses
from treepack.config import PackConfig
from treepack.document.document import Document
from treepack.model.chunk import Segment
from treepack.packing.indexes import SectionIndex
from treepack.packing.pieces import BLANK, Piece, closing_text, opening_segments

SEPARATOR: Final = " > "
ELLIPSIS: Final = "…"
BLANK_LINE: Final = "\n\n"
LONGEST_LINE: Final = 80
"""The most characters of several headings in a breadcrumb line; the outermost are left out.

Chosen on the questions of the retrieval benchmark, of 40 to 200: cover is .008 [.002, .014] above
that of whole paths on the mean of four rankers, with 5 % fewer vectors."""

_LEAST_BODY: Final = 6  # tokens: a word, with the markup that opens and closes its row


class ChunkContext(NamedTuple):
    """What comes before the body of a chunk that begins at a given place.

    Attributes:
        header: The breadcrumb line with its blank line; may be empty.
        segments: Repeated heading and opened frames.
        body_start: Where the body begins in the source, after the segments.
        count_to: Counts the tokens to embed, given the end of the body and its closing text.
        tokens: Tokens of the header, and of the segments with the text that closes them.
        target: The target for the whole chunk, including this context, in tokens.
        cap: The cap for a chunk of several pieces, in tokens; it leaves room for the overlap.
        safe_end: A chunk that ends at or before this offset is certainly within the target and
            the cap, if whitespace follows its end and its last piece has the same frames.
    """

    header: str
    segments: tuple[Segment, ...]
    body_start: int
    count_to: Callable[[int, str], int]
    tokens: int
    target: int
    cap: int
    safe_end: int


class ContextBuilder:
    """Makes the context for any piece of one document.

    Args:
        document: The document.
        config: The limits.
        clauses: The document's clauses.
        names: What breadcrumbs call the sections without headings, by where they begin.
    """

    def __init__(
        self,
        document: Document,
        config: PackConfig,
        clauses: Clauses,
        names: Mapping[int, str],
    ) -> None:
        self.document = document
        self.config = config
        self.clauses = clauses
        self.count = document.tokens.count_text
        self.half_cap = config.max_tokens // 2
        self._least_body = max(_LEAST_BODY, config.max_tokens // 8)
        self.sections = SectionIndex(document.root, document.source.name, names)
        self._first_heading = 1 if document.source.name else 0
        separator = config.overlap_separator
        self._separator_tokens = self.count(BLANK_LINE * 2 + separator) if separator else 1
        self._contexts: dict[int, tuple[object, ChunkContext]] = {}
        self._lines: dict[tuple[tuple[str, ...], int], tuple[str, int]] = {}

    def context_at(self, piece: Piece) -> ChunkContext:
        """Return the context of a chunk that begins with a piece."""
        cached = self._contexts.get(piece.start)
        # Pieces at one place nearly always have the same tuple of frames; comparing them is slow.
        if cached is None or cached[0] is not piece.frames:
            cached = self._contexts[piece.start] = (piece.frames, self._make(piece))
        return cached[1]

    def clear_cache(self) -> None:
        """Drop the contexts made so far, to free memory; they are made again when needed."""
        self._contexts.clear()

    def _make(self, piece: Piece) -> ChunkContext:
        start, cap = piece.start, self.config.max_tokens
        section = self.sections.before(start)
        opened, body_start, closing, taken = list[Segment](), start, "", 0
        if piece.frames:
            opened, body_start = opening_segments(self.document.source, piece.frames, start)
            closing = closing_text(piece.frames, start) if opened else ""
            repeated = [each.text for each in opened if each.role != "body"]
            taken = self.count("".join([*repeated, closing])) if opened else 0
        heading = self.sections.sections[section].heading if self.config.repeat_heading else None
        if heading:  # not of a clause; the breadcrumb names it and the heading above it
            # Counted with this encoding: the document may have been parsed with another one.
            total = taken + self.document.tokens.count(heading.start, heading.end)
            if total <= self.half_cap:
                text = self.document.source.text[heading.start : heading.end]
                above = Segment("heading", text, (heading.start, heading.end))
                opened = [above, BLANK, *opened]
                section, taken = self.sections.parents[section], total
        room = min(self.half_cap, cap - self._least_body) - taken
        names = self.sections.breadcrumbs[section][self._first_heading :]
        header, tokens = self._line(names, room)
        taken += tokens
        target = self.config.target_tokens + taken
        cap -= self._overlap_room(start, taken)
        opening = "".join([segment.text for segment in opened]) if opened else ""
        limit = min(target, cap) - len(closing)
        count_to, safe_end = self.document.tokens.counter_from(header + opening, body_start, limit)
        # What closes a row may grow with the end.
        may_grow = piece.frames and any(frame.row >= 0 for frame in piece.frames)
        return ChunkContext(
            header,
            tuple(opened),
            body_start,
            count_to,
            taken,
            target,
            cap,
            start if may_grow else safe_end,
        )

    def _overlap_room(self, start: int, taken: int) -> int:
        """Return the tokens that an overlap may take, if ``taken`` tokens are taken already."""
        if not self.config.overlap_tokens or start <= self.document.root.start:
            return 0
        wanted = self.config.overlap_tokens + self._separator_tokens
        return max(0, min(wanted, self.half_cap - taken))

    def _line(self, names: tuple[str, ...], room: int) -> tuple[str, int]:
        """Return the breadcrumb line and a blank line, cut to ``room`` tokens, and their tokens."""
        key = (names, room)
        if key not in self._lines:
            self._lines[key] = self._fitting_line(names, room)
        return self._lines[key]

    def _fitting_line(self, names: tuple[str, ...], room: int) -> tuple[str, int]:
        while names[1:] and len(SEPARATOR.join(names)) > LONGEST_LINE:
            names = names[1:]
        while names:
            line = SEPARATOR.join(names) + BLANK_LINE
            tokens = self.count(line)
            if tokens <= room:
                return line, tokens
            if len(names) == 1:
                # No English text has more than 8 characters for each token on average.
                words = names[0][: 8 * max(room, 0)].split(" ")
                return self._first_words(words, room)
            names = names[1:]
        return "", 0

    def _first_words(self, words: list[str], room: int) -> tuple[str, int]:
        """Return as many first words of a long heading as fit, with an ellipsis."""

        def line(count: int) -> str:
            return " ".join(words[:count]) + ELLIPSIS + BLANK_LINE

        count = bisect_right(range(1, len(words)), room, key=lambda each: self.count(line(each)))
        return (line(count), self.count(line(count))) if count else ("", 0)
