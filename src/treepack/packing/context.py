"""What comes before a chunk's own text: breadcrumb line, repeated heading, reopened wrappers.

All of it depends only on the place where the chunk begins. So it is known before the chunk is cut,
and budgets are exact. If it would take more than half the cap, it is shortened in a fixed order:
overlap, outermost breadcrumb entries, long heading text. The body is never cut to make room.
"""

import sys
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from operator import attrgetter
from typing import Final, NamedTuple

from treepack.clauses.clause import NO_CLAUSES, Clause, Clauses, breadcrumb_clauses
from treepack.config import PackConfig
from treepack.document.document import Document
from treepack.model.chunk import Segment
from treepack.model.section import headings, path_to_content
from treepack.packing.block_index import BlockIndex
from treepack.packing.openings import closing_text, opening_segments
from treepack.packing.pieces import Piece
from treepack.packing.section_index import SectionIndex
from treepack.packing.templates import ELLIPSIS, ChunkLabel, Form, Template, narrowed
from treepack.packing.wrappers import RowWrapper

SEPARATOR: Final = " > "
BLANK_LINE: Final = "\n\n"
_LEAST_BODY: Final = 6  # tokens: a word, with the markup that opens and closes its row


class ChunkContext(NamedTuple):
    """What comes before the body of a chunk that begins at a given place.

    Attributes:
        header: The breadcrumb line with its blank line; may be empty.
        segments: Repeated heading and reopened wrappers.
        body_start: Where the body begins in the source, after the segments.
        opening: The segments as one text.
        count_to: Counts the tokens to embed, given the end of the body and its closing text.
        tokens: Tokens of the header, or of what a framework shows instead if that is more, and of
            the segments with the text that closes them.
        glue: Tokens of a long heading or table header that the chunk begins with, and of what
            closes the table; 0 if it is short. The breadcrumb makes room for it, as it does for a
            repeated heading.
        room: Tokens that the breadcrumb may take, in whatever form it is shown.
        target: The target for the whole chunk, including this context and the glue, in tokens.
        cap: The cap for a chunk of several pieces, in tokens; it leaves room for the overlap.
        safe_end: A chunk that ends at or before this offset is certainly within the target and
            the cap, if whitespace follows its end and its last piece has the same wrappers.
        depth: How many of the run-in clauses and points around the beginning the header may name.
        valid_until: The end of the innermost of these clauses. A longer chunk has another context;
            see `ContextBuilder.context_up_to`.
    """

    header: str
    segments: tuple[Segment, ...]
    body_start: int
    opening: str
    count_to: Callable[[int, str], int]
    tokens: int
    glue: int
    room: int
    target: int
    cap: int
    safe_end: int
    depth: int = 0
    valid_until: int = sys.maxsize


class ContextBuilder:
    """Makes the context for any piece of one document.

    Args:
        document: The document.
        config: The limits.
        clauses: The document's clauses.
        named: Those that breadcrumbs name, because they have no heading.
        template: How a framework shows chunks; None without a framework.
    """

    def __init__(
        self,
        document: Document,
        config: PackConfig,
        clauses: Clauses = NO_CLAUSES,
        named: Clauses = NO_CLAUSES,
        template: Template | None = None,
    ) -> None:
        self.document = document
        self.config = config
        self.template = template
        self.clauses = clauses
        self._named = named
        self.reserve = template.reserve if template else 0
        self._shown: dict[tuple[ChunkLabel, int], tuple[tuple[Form, ...], int]] = {}
        self.count = document.tokens.count_text
        self.half_cap = config.max_tokens // 2
        self._least_body = max(_LEAST_BODY, config.max_tokens // 8)
        self._contexts: dict[tuple[int, int, int | None], tuple[object, ChunkContext]] = {}
        self._breadcrumb_lines: dict[tuple[tuple[str, ...], int], tuple[str, int]] = {}
        self.sections = SectionIndex(document.root, document.source.name)
        self._omits_name = bool(document.source.name) and not config.name_in_breadcrumb
        separator = config.overlap_separator
        self._separator_tokens = self.count(BLANK_LINE * 2 + separator) if separator else 1

    def context_at(self, piece: Piece, depth: int | None = None) -> ChunkContext:
        """Return the context of a chunk that begins with a piece.

        Args:
            piece: The piece.
            depth: How many of the clauses around it the header may name; None for all.
        """
        key = (piece.start, piece.text_start, depth)
        cached = self._contexts.get(key)
        # Pieces at one place nearly always have the same wrappers object; a comparison of their
        # values is slow. The piece is not kept: it refers to the splitter, and so to this builder.
        if cached is None or cached[0] is not piece.wrappers:
            glue = 0 if piece.text_start < 0 else self._glue(piece)
            if glue or piece.text_start < 0:
                context = self._make(piece, glue, depth)
            else:  # most glued headings are short; they do not change the context
                context = self.context_at(Piece(piece.start, piece.end, piece.wrappers), depth)
            cached = self._contexts[key] = (piece.wrappers, context)
        return cached[1]

    def glue_shortens_breadcrumb(self, piece: Piece) -> bool:
        """Whether the text that is glued before a piece makes the breadcrumb shorter."""
        without_glue = self.context_at(piece._replace(text_start=-1))
        return self.context_at(piece).header != without_glue.header

    def clear_cache(self) -> None:
        """Drop the contexts made so far, to free memory; they are made again when needed."""
        self._contexts.clear()

    def context_up_to(self, context: ChunkContext, piece: Piece, end: int) -> ChunkContext:
        """Return the context of the chunk from ``piece`` to ``end``; it may name fewer clauses.

        Args:
            context: The context of the piece.
            piece: The first piece.
            end: Where the chunk ends.
        """
        while end > context.valid_until:
            context = self.context_at(piece, context.depth - 1)
        return context

    def _make(self, piece: Piece, glue: int, depth: int | None) -> ChunkContext:
        """Make a context; ``glue`` is the number of tokens as in `ChunkContext`."""
        start, cap = piece.start, self.config.max_tokens
        around = self._named.around(start)[:depth] if self._named else []
        clauses = _clause_names_in_line(around, start) if around else []
        segments, body_start, closing, taken = (
            self._reopened(piece, glue) if piece.wrappers else ([], start, "", 0)
        )
        section = self.sections.before(start)
        if self.config.repeat_heading and section:
            segments, outer, taken = self._repeat_heading(segments, section, taken, glue)
            if not clauses:  # a clause's name follows the heading's in the line
                section = outer
        room = min(self.half_cap, cap - self._least_body - glue) - taken
        header, tokens = self._breadcrumb_line((*self._names(section), *clauses), room)
        if self.template:
            tokens = max(tokens, self._fitting_forms(self._label(start, start + 1), room)[1])
        taken += tokens
        target = self.config.target_tokens + taken + glue
        cap -= self._overlap_room(start, taken + glue)
        opening = "".join([segment.text for segment in segments]) if segments else ""
        limit = min(target, cap) - len(closing)
        count_to, safe_end = self.document.tokens.counter_from(header + opening, body_start, limit)
        # What a framework shows, or what closes a row, may grow with the end.
        is_certain = not (self.template or _is_in_row(piece))
        valid_until = around[-1].end if around else sys.maxsize
        return ChunkContext(
            header=header,
            segments=tuple(segments),
            body_start=body_start,
            opening=opening,
            count_to=count_to,
            tokens=taken,
            glue=glue,
            room=room,
            target=target,
            cap=cap,
            safe_end=min(safe_end, valid_until) if is_certain else start,
            depth=len(around),
            valid_until=valid_until,
        )

    def _reopened(self, piece: Piece, glue: int) -> tuple[list[Segment], int, str, int]:
        """Return what the wrappers of a piece add before and after it.

        Returns:
            The segments before it, where the body then begins, the closing text, and the tokens of
            the segments and the closing text.
        """
        segments, body_start = opening_segments(self.document.source, piece.wrappers, piece.start)
        closing = closing_text(piece.wrappers, piece.start, piece.start)
        opening = "".join([segment.text for segment in segments])
        # If there is glue, its tokens include the closing text.
        taken = self.count(opening if glue else opening + closing) if segments else 0
        return segments, body_start, closing, taken

    def _overlap_room(self, start: int, taken: int) -> int:
        """Return the tokens that an overlap may take, if ``taken`` tokens are taken already."""
        if not self.config.overlap_tokens or start <= self.document.root.start:
            return 0
        wanted = self.config.overlap_tokens + self._separator_tokens
        return max(0, min(wanted, self.half_cap - taken))

    def forms_around(self, piece: Piece, end: int) -> tuple[Form, ...]:
        """Return what a framework puts around a chunk from ``piece`` to ``end``; () without one."""
        if self.template is None:
            return ()
        return self._fitting_forms(self._label(piece.start, end), self.context_at(piece).room)[0]

    def _label(self, start: int, end: int) -> ChunkLabel:
        """Return a chunk's place as its record will state it: all that frameworks show of it."""
        assert self.template is not None, "a label is for a framework"
        sections = path_to_content(self.document.root, start, end)
        clause = self.clauses.at(start, end)
        tables = self.block_index.tables
        index = bisect_right(tables, start, key=attrgetter("end"))
        has_table = index < len(tables) and tables[index].start < end
        return ChunkLabel(
            (*self.template.above, *headings(sections), *self._clause_names(start, end)),
            clause.number if clause else None,
            tables[index].caption or None if has_table else None,
        )

    @cached_property
    def block_index(self) -> BlockIndex:
        """The document's blocks; made only when a chunk or a label is described."""
        return BlockIndex(self.sections)

    def _fitting_forms(self, label: ChunkLabel, room: int) -> tuple[tuple[Form, ...], int]:
        """Return the forms with as much of a label as fits ``room``, and the tokens they add."""
        assert self.template is not None, "only a framework shows labels"
        key = (label, room)
        if key not in self._shown:
            forms: tuple[Form, ...] = ()
            tokens = 0
            for shorter in narrowed(label):
                forms = self.template.forms(shorter)
                tokens = max(self.count(before + after) for before, after in forms) - self.reserve
                if tokens <= room:
                    break
            self._shown[key] = (forms, max(tokens, 0))
        return self._shown[key]

    def _glue(self, piece: Piece) -> int:
        index = self.document.tokens
        if index.estimate(piece.start, piece.text_start) < self.half_cap // 4:
            return 0
        closing = closing_text(piece.wrappers, piece.start, piece.text_start + 1)
        tokens = index.count(piece.start, piece.text_start) + self.count(closing)
        return tokens if self.half_cap // 2 < tokens < self.config.max_tokens else 0

    def breadcrumb(self, start: int, end: int) -> tuple[str, ...]:
        """Return the breadcrumb of a span.

        It has the document's name (unless the settings leave it out), the headings of the sections
        around the span, and the clauses without headings around the span.
        """
        names = self._names(self.sections.around(start, end))
        return (*names, *self._clause_names(start, end)) if self._named else names

    def _names(self, section: int) -> tuple[str, ...]:
        names = self.sections.breadcrumbs[section]
        return names[1:] if self._omits_name else names

    def _clause_names(self, start: int, end: int) -> Iterator[str]:
        around = self._named.around(start) if self._named else []
        for clause in breadcrumb_clauses([clause for clause in around if clause.end >= end]):
            yield clause.name

    def _repeat_heading(
        self, segments: list[Segment], section: int, taken: int, glue: int
    ) -> tuple[list[Segment], int, int]:
        heading = self.sections.sections[section].heading
        if heading is None:  # a clause; the breadcrumb names it and the heading above it
            return segments, section, taken
        # Counted with this encoding: the document may have been parsed with another one.
        total = taken + self.document.tokens.count(heading.start, heading.end)
        if total + glue > self.half_cap:
            return segments, section, taken
        text = self.document.source.text[heading.start : heading.end]
        repeated = [
            Segment("heading", text, (heading.start, heading.end)),
            Segment("glue", BLANK_LINE),
        ]
        return [*repeated, *segments], self.sections.parents[section], total

    def _breadcrumb_line(self, names: tuple[str, ...], room: int) -> tuple[str, int]:
        """Return the breadcrumb line and a blank line, cut to ``room`` tokens, and their tokens."""
        key = (names, room)
        if key not in self._breadcrumb_lines:
            self._breadcrumb_lines[key] = self._fitting_line(names, room)
        return self._breadcrumb_lines[key]

    def _fitting_line(self, names: tuple[str, ...], room: int) -> tuple[str, int]:
        while names:
            header = SEPARATOR.join(names) + BLANK_LINE
            tokens = self.count(header)
            if tokens <= room:
                return header, tokens
            if len(names) == 1:
                return self._shortened_line(names[0], room)
            names = names[1:]
        return "", 0

    def _shortened_line(self, name: str, room: int) -> tuple[str, int]:
        """Return as much of a long heading as fits with a blank line, and the tokens of both."""
        text = _first_words(name, room, lambda text: self.count(text + BLANK_LINE))
        return (text + BLANK_LINE, self.count(text + BLANK_LINE)) if text else ("", 0)


def _clause_names_in_line(around: Sequence[Clause], start: int) -> list[str]:
    """Return the names of the clauses around a place, for the breadcrumb line.

    A run-in clause that begins there has its title in the text. A point is named even if it begins
    there, because its number in the text may be only ``b.``
    """
    return [
        clause.name
        for clause in breadcrumb_clauses(around)
        if clause.start < start or not clause.is_run_in
    ]


def _is_in_row(piece: Piece) -> bool:
    return bool(piece.wrappers) and isinstance(piece.wrappers[-1], RowWrapper)


def _first_words(heading: str, limit: int, count: Callable[[str], int]) -> str:
    """Return as many first words of a long heading as fit, followed by an ellipsis."""
    # No English text has more than 8 characters per token on average.
    words = heading[: 8 * max(limit, 0)].split(" ")
    low, high = 0, len(words) - 1
    while low < high:
        middle = (low + high + 1) // 2
        text = " ".join(words[:middle]) + ELLIPSIS
        low, high = (middle, high) if count(text) <= limit else (low, middle - 1)
    return " ".join(words[:low]) + ELLIPSIS if low else ""
