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
        sure: A chunk that ends at or before this offset is certainly within the target and the
            cap, if whitespace follows its end and its last piece has the same wrappers.
        depth: How many of the run-in clauses and points around the beginning the header may name.
        limit: The end of the innermost of these clauses. A longer chunk has another context; see
            `ContextBuilder.reaching`.
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
    sure: int
    depth: int = 0
    limit: int = sys.maxsize


class ContextBuilder:
    """Makes the context for any piece of one document.

    Args:
        document: The document.
        config: The limits.
        template: How a framework shows chunks; None without a framework.
        clauses: The document's clauses; breadcrumbs name those that have no heading.
    """

    def __init__(
        self,
        document: Document,
        config: PackConfig,
        template: Template | None = None,
        clauses: Clauses = NO_CLAUSES,
    ) -> None:
        self.document = document
        self.config = config
        self.template = template
        self._clauses = clauses
        self.reserve = template.reserve if template else 0
        self._shown: dict[tuple[ChunkLabel, int], tuple[tuple[Form, ...], int]] = {}
        self.count = document.tokens.count_text
        self.half = config.max_tokens // 2
        self._least_body = max(_LEAST_BODY, config.max_tokens // 8)
        self._made: dict[tuple[int, int, int | None], tuple[object, ChunkContext]] = {}
        self._lines: dict[tuple[tuple[str, ...], int], tuple[str, int]] = {}
        self.sections = SectionIndex(document.root, document.source.name)
        self._without_name = bool(document.source.name) and not config.name_in_breadcrumb
        separator = config.overlap_separator
        self._separator_tokens = self.count(BLANK_LINE * 2 + separator) if separator else 1

    def context_at(self, piece: Piece, depth: int | None = None) -> ChunkContext:
        """Return the context of a chunk that begins with a piece.

        Args:
            piece: The piece.
            depth: How many of the clauses around it the header may name; None for all.
        """
        place = (piece.start, piece.glued, depth)
        made = self._made.get(place)
        # Pieces at one place nearly always have the same wrappers object; a comparison of their
        # values is slow. The piece is not kept: it refers to the splitter, and so to this builder.
        if made is None or made[0] is not piece.wrappers:
            glue = 0 if piece.glued < 0 else self._glue(piece)
            if glue or piece.glued < 0:
                context = self._make(piece, glue, depth)
            else:  # most glued headings are short; they do not change the context
                context = self.context_at(piece._replace(glued=-1), depth)
            made = self._made[place] = (piece.wrappers, context)
        return made[1]

    def makes_room(self, piece: Piece) -> bool:
        """Whether the text that is glued before a piece makes the breadcrumb shorter."""
        return self.context_at(piece).header != self.context_at(piece._replace(glued=-1)).header

    def forget(self) -> None:
        """Drop the contexts made so far, to free memory; they are made again when needed."""
        self._made.clear()

    def reaching(self, context: ChunkContext, piece: Piece, end: int) -> ChunkContext:
        """Return the context of the chunk from ``piece`` to ``end``; it may name fewer clauses.

        Args:
            context: The context of the piece.
            piece: The first piece.
            end: Where the chunk ends.
        """
        while end > context.limit:
            context = self.context_at(piece, context.depth - 1)
        return context

    def _make(self, piece: Piece, glue: int, depth: int | None) -> ChunkContext:
        """Make a context; ``glue`` is the number of tokens as in `ChunkContext`."""
        start, cap = piece.start, self.config.max_tokens
        around = self._clauses.around(start)[:depth] if self._clauses else []
        inner = _names_of(around, start) if around else []
        segments, body_start, closing, taken = (
            self._reopened(piece, glue) if piece.wrappers else ([], start, "", 0)
        )
        above = self.sections.before(start)
        if self.config.repeat_heading and above:
            segments, rest, taken = self._repeat_heading(segments, above, taken, glue)
            above = above if inner else rest  # a clause's name follows the heading's in the line
        room = min(self.half, cap - self._least_body - glue) - taken
        header, tokens = self._line((*self._names(above), *inner), room)
        if self.template:
            tokens = max(tokens, self._show(self._label(start, start + 1), room)[1])
        taken += tokens
        target = self.config.target_tokens + taken + glue
        cap -= self._overlap_room(start, taken + glue)
        opening = "".join([each.text for each in segments]) if segments else ""
        most = min(target, cap) - len(closing)
        count_to, sure = self.document.tokens.opened(header + opening, body_start, most)
        # What a framework shows, or what closes a row, may grow with the end.
        is_sure = not (self.template or _is_in_row(piece))
        limit = around[-1].end if around else sys.maxsize
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
            sure=min(sure, limit) if is_sure else start,
            depth=len(around),
            limit=limit,
        )

    def _reopened(self, piece: Piece, glue: int) -> tuple[list[Segment], int, str, int]:
        """Return what the wrappers of a piece add before and after it.

        Returns:
            The segments before it, where the body then begins, the closing text, and the tokens of
            the segments and the closing text.
        """
        segments, body_start = opening_segments(self.document.source, piece.wrappers, piece.start)
        closing = closing_text(piece.wrappers, piece.start, piece.start)
        opening = "".join([each.text for each in segments])
        # If there is glue, its tokens include the closing text.
        taken = self.count(opening if glue else opening + closing) if segments else 0
        return segments, body_start, closing, taken

    def _overlap_room(self, start: int, taken: int) -> int:
        """Return the tokens that an overlap may take, if ``taken`` tokens are taken already."""
        if not self.config.overlap_tokens or start <= self.document.root.start:
            return 0
        wanted = self.config.overlap_tokens + self._separator_tokens
        return max(0, min(wanted, self.half - taken))

    def shown(self, piece: Piece, end: int) -> tuple[Form, ...]:
        """Return what a framework puts around a chunk from ``piece`` to ``end``; () without one."""
        if self.template is None:
            return ()
        return self._show(self._label(piece.start, end), self.context_at(piece).room)[0]

    def _label(self, start: int, end: int) -> ChunkLabel:
        """Return a chunk's place as its record will state it: all that frameworks show of it."""
        assert self.template is not None, "a label is for a framework"
        path = path_to_content(self.document.root, start, end)
        clause = self.document.clauses.at(start, end) if self.config.clauses else None
        tables = self.block_index.tables
        table = bisect_right(tables, start, key=attrgetter("end"))
        is_there = table < len(tables) and tables[table].start < end
        return ChunkLabel(
            (*self.template.above, *headings(path), *self._clause_names(start, end)),
            clause.number if clause else None,
            tables[table].caption or None if is_there else None,
        )

    @cached_property
    def block_index(self) -> BlockIndex:
        """The document's blocks; made only when a chunk or a label is described."""
        return BlockIndex(self.sections)

    def _show(self, label: ChunkLabel, room: int) -> tuple[tuple[Form, ...], int]:
        """Return the forms with as much of a label as fits ``room``, and the tokens they add."""
        assert self.template is not None, "only a framework shows labels"
        key = (label, room)
        if key not in self._shown:
            forms: tuple[Form, ...] = ()
            tokens = 0
            most = self.config.breadcrumb_tokens
            path = fitting_entries(label.breadcrumb, most, self.count)
            for less in narrowed(label._replace(breadcrumb=path)):
                forms = self.template.forms(less)
                tokens = max(self.count(before + after) for before, after in forms) - self.reserve
                if tokens <= room:
                    break
            self._shown[key] = (forms, max(tokens, 0))
        return self._shown[key]

    def _glue(self, piece: Piece) -> int:
        index = self.document.tokens
        if index.estimate(piece.start, piece.glued) < self.half // 4:
            return 0
        closing = closing_text(piece.wrappers, piece.start, piece.glued + 1)
        tokens = index.count(piece.start, piece.glued) + self.count(closing)
        return tokens if self.half // 2 < tokens < self.config.max_tokens else 0

    def breadcrumb(self, start: int, end: int) -> tuple[str, ...]:
        """Return the breadcrumb of a span.

        It has the document's name (unless the settings leave it out), the headings of the sections
        around the span, and the clauses without headings around the span.
        """
        names = self._names(self.sections.around(start, end))
        return (*names, *self._clause_names(start, end)) if self._clauses else names

    def _names(self, section: int) -> tuple[str, ...]:
        names = self.sections.names[section]
        return names[1:] if self._without_name else names

    def _clause_names(self, start: int, end: int) -> Iterator[str]:
        around = self._clauses.around(start) if self._clauses else []
        for clause in breadcrumb_clauses([clause for clause in around if clause.end >= end]):
            yield clause.name

    def _repeat_heading(
        self, segments: list[Segment], above: int, taken: int, glue: int
    ) -> tuple[list[Segment], int, int]:
        heading = self.sections.sections[above].heading
        if heading is None:  # a clause; the breadcrumb names it and the heading above it
            return segments, above, taken
        # Counted with this encoding: the document may have been parsed with another one.
        taken_with_it = taken + self.document.tokens.count(heading.start, heading.end)
        if taken_with_it + glue > self.half:
            return segments, above, taken
        text = self.document.source.text[heading.start : heading.end]
        repeated = [
            Segment.of("heading", text, (heading.start, heading.end)),
            Segment.of("glue", BLANK_LINE),
        ]
        return [*repeated, *segments], self.sections.above[above], taken_with_it

    def _line(self, names: tuple[str, ...], room: int) -> tuple[str, int]:
        """Return the breadcrumb line and a blank line, cut to ``room`` tokens, and their tokens."""
        key = (names, room)
        if key not in self._lines:
            shown = fitting_entries(names, self.config.breadcrumb_tokens, self.count)
            self._lines[key] = self._fit_line(shown, room)
        return self._lines[key]

    def _fit_line(self, names: tuple[str, ...], room: int) -> tuple[str, int]:
        while names:
            header = SEPARATOR.join(names) + BLANK_LINE
            tokens = self.count(header)
            if tokens <= room:
                return header, tokens
            if len(names) == 1:
                return self._shorten(names[0], room)
            names = names[1:]
        return "", 0

    def _shorten(self, name: str, room: int) -> tuple[str, int]:
        """Return as much of a long heading as fits with a blank line, and the tokens of both."""
        text = _begun(name, room, lambda text: self.count(text + BLANK_LINE))
        return (text + BLANK_LINE, self.count(text + BLANK_LINE)) if text else ("", 0)


def _names_of(around: Sequence[Clause], start: int) -> list[str]:
    """Return the names of the clauses around a place, for the breadcrumb line.

    A run-in clause that begins there has its title in the text. A point is named even if it begins
    there, because its number in the text may be only ``b.``
    """
    return [
        each.name for each in breadcrumb_clauses(around) if each.start < start or not each.is_run_in
    ]


def _is_in_row(piece: Piece) -> bool:
    return bool(piece.wrappers) and isinstance(piece.wrappers[-1], RowWrapper)


def fitting_entries(
    names: Sequence[str], most: int | None, count: Callable[[str], int]
) -> tuple[str, ...]:
    """Return the entries of a breadcrumb that fit ``most`` tokens when joined as ``A > B``.

    The outermost entries are dropped first, then words at the end of the last entry.

    Args:
        names: The entries, outermost first.
        most: The most tokens; None for all entries.
        count: Counts tokens.
    """
    if most is None:
        return tuple(names)
    for depth in range(len(names)):
        if count(SEPARATOR.join(names[depth:])) <= most:
            return tuple(names[depth:])
    text = _begun(names[-1], most, count) if names else ""
    return (text,) if text else ()


def _begun(name: str, most: int, count: Callable[[str], int]) -> str:
    """Return as many first words of a long heading as fit, followed by an ellipsis."""
    # No English text has more than 8 characters per token on average.
    words = name[: 8 * max(most, 0)].split(" ")
    low, high = 0, len(words) - 1
    while low < high:
        middle = (low + high + 1) // 2
        text = " ".join(words[:middle]) + ELLIPSIS
        low, high = (middle, high) if count(text) <= most else (low, middle - 1)
    return " ".join(words[:low]) + ELLIPSIS if low else ""
