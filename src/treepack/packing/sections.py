"""Hierarchical greedy packing: the section tree becomes groups of pieces, one for each chunk.

1. A section whose whole subtree fits the cap is one piece, never cut.
2. A section that does not fit is opened: its own content first, then its children in order.
3. Neighbouring pieces of one parent are packed greedily from the left: own content up to the
   target, whole child sections up to the cap. A child that must be cut ends the run, so the tail of
   a section never shares a chunk with the next section.
4. A long run is first divided at cut points, which depend on the text alone; see `cut_points`.
5. A group below the minimum merges with the previous one, borrows from it, or is carried into the
   next child's first chunk.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from typing import Final

from treepack.clauses.clause import clause_at
from treepack.config import PackConfig
from treepack.document.document import Document
from treepack.model.blocks import Heading, Span
from treepack.model.section import Section
from treepack.packing.budget import Budget
from treepack.packing.context import Context, ContextBuilder
from treepack.packing.cut_points import find_cut_points
from treepack.packing.pieces import Piece
from treepack.packing.split.blocks import Splitter
from treepack.packing.split.sentences import SentenceFinder
from treepack.packing.split.text import TextCutter
from treepack.packing.split.words import trimmed
from treepack.packing.wrappers import Introduced, Row
from treepack.sentences import sentence_splitter

Group = list[Piece]

# Blocks that cannot interrupt a paragraph: indented code, math, an ordered list that does not begin
# with 1.
_LAZY: Final = re.compile(r"[ ]{4}|[ ]{0,3}(?:\t|\$\$|[0-9]*[02-9][.)])")
# In targets. Measured on 210 chunks without headings (rows, lines, items, sentences, paragraphs).
# Radius 2: a paragraph inserted in front changes 2 to 6 chunks on average, and chunks are 7 to 9 %
# smaller than greedy ones. Radius 3: 2 to 9 chunks, 4 to 6 % smaller.
_CUT_POINT_RADIUS: Final = 2


class SectionPacker:
    """Groups the pieces of one document.

    Args:
        document: What to pack.
        config: The limits.
        contexts: Makes the context of any place in the document.
        boundaries: Offsets, in order, that no group may cross: where the parents begin.
    """

    def __init__(
        self,
        document: Document,
        config: PackConfig,
        contexts: ContextBuilder,
        boundaries: Sequence[int] = (),
    ) -> None:
        self.document = document
        self.config = config
        self.contexts = contexts
        self.budget = Budget(document.tokens, config, contexts, boundaries)
        self.index = document.tokens
        keep = {"table"} if config.oversize_table == "keep" else set[str]()
        keep |= {"code"} if config.oversize_code == "keep" else set[str]()
        finder = SentenceFinder(document.source, sentence_splitter(config.sentence_splitter))
        cutter = TextCutter(finder, self.budget)
        self.clauses = document.clauses if config.clauses else ()
        self.splitter = Splitter(
            document.source,
            self.index,
            cutter,
            frozenset(keep),
            is_plain=document.is_plain,
            clauses=self.clauses,
        )
        self.groups: list[Group] = []

    def group(self) -> list[Group]:
        """All groups, in source order, each with at least its first and its last piece."""
        root = self.document.root
        if root.start < root.end:
            whole = Piece(root.start, root.end)
            if self.config.sections == "pack" and self.budget.fits([whole]):
                return [[whole]]
            self._section(root, None)
        return self.groups

    # ---------------------------------------------------------------- sections

    def _section(self, section: Section, carried: int | None) -> None:
        """Pack a section that does not fit as a whole.

        Args:
            section: The section.
            carried: Where the text begins that is carried into its first chunk; None for none.
        """
        run, is_bare = self._own_content(section, carried)
        for child in section.sections:
            if self._take_whole(run, child, is_bare=is_bare):
                is_bare = is_bare and not _has_content(child)
                continue
            self._section(child, self._carried_into(section, run, child, is_bare=is_bare))
            run, is_bare = [], False
        self._finish(run)

    def _own_content(self, section: Section, carried: int | None) -> tuple[list[Group], bool]:
        """The groups of a section's own content, and whether the last one holds only headings."""
        heading = section.heading
        start = heading.start if carried is None and heading else carried
        pieces = self.splitter.pieces(section.blocks, begun=start)
        if heading and start is not None:
            if not pieces:
                return [[piece] for piece in self._headings(start, heading, is_alone=True)], True
            first = pieces[0].with_glue(start)
            if self._has_room(first, heading.end):
                pieces[0] = first
            else:
                pieces = self._under_long_headings(start, heading, pieces)
        elif carried is not None and pieces:  # before a clause; `_carried_into` saw to the room
            pieces[0] = pieces[0].with_glue(carried)
        if pieces and self.config.sections == "separate":
            whole = [pieces[0], pieces[-1]]
            if self.budget.fits(whole):
                return [whole], False
        return self._greedy(pieces), False

    def _headings(self, start: int, last: Heading, *, is_alone: bool) -> list[Piece]:
        """Pieces of the headings from ``start`` to ``last``, each with as many as fit a chunk.

        Only a heading that fits no chunk is cut. Unless the headings are alone, the last piece
        leaves room for some of the text under it.
        """
        done: list[Piece] = []
        piece: Piece | None = None
        for begin, end in self._heading_spans(start, last):
            leaves_room = end == last.end and not is_alone
            longer = self.splitter.text_piece(piece.start if piece else begin, end)
            if piece and not self._holds(longer, leaves_room=leaves_room):
                done.append(piece)
                longer = self.splitter.text_piece(begin, end)
            if not self._holds(longer, leaves_room=leaves_room):
                groups = self._greedy(self.splitter.open(longer)) or [[longer]]
                *before, longer = [Piece(group[0].start, group[-1].end) for group in groups]
                done += before
            piece = longer
        assert piece is not None, "there is a last heading"
        return [*done, piece]

    def _heading_spans(self, start: int, last: Heading) -> Iterator[Span]:
        """The span at ``start``, a heading or text before one, then that of each later heading."""
        first = bisect_right(self._heading_starts, start)
        after = bisect_right(self._heading_starts, last.start)
        starts = [start, *self._heading_starts[first:after]]
        for begin, following in pairwise(starts):
            yield begin, trimmed(self.document.source.text, begin, following)
        yield starts[-1], last.end

    @cached_property
    def _heading_starts(self) -> list[int]:
        return [each.heading.start for each in self.document.root.walk() if each.heading]

    def _holds(self, headings: Piece, *, leaves_room: bool) -> bool:
        has_room = not leaves_room or self._has_room(headings, headings.end)
        return has_room and (leaves_room or self.budget.fits([headings]))

    def _under_long_headings(self, start: int, last: Heading, pieces: list[Piece]) -> list[Piece]:
        """The pieces when the headings together leave no room; the last gets the first block.

        With one exception: the last piece is the rest of a heading that was cut, which reads as a
        paragraph, and the block on the next line would be read as part of it.
        """
        *headings, nearest = self._headings(start, last, is_alone=False)
        source = self.document.source
        is_heading = nearest.start <= last.start
        is_apart = source.line_at(pieces[0].start) - source.line_at(last.end - 1) > 1
        if is_heading or is_apart or not _LAZY.match(source.text, pieces[0].start):
            return [*headings, pieces[0].with_glue(nearest.start), *pieces[1:]]
        return [*headings, nearest._replace(is_plain=True), *pieces]

    def _take_whole(self, run: list[Group], child: Section, *, is_bare: bool) -> bool:
        """Add a child as one piece, to the last group or as a new one, if it fits whole."""
        if self.config.sections == "separate" and child.sections and _has_content(child):
            return False
        piece = Piece(child.start, child.end)
        if (
            run
            and (is_bare or self.config.sections == "pack")
            and not self.splitter.reads_as_fence(run[-1][-1])
            and self.budget.fits([run[-1][0], piece])
        ):
            # Below bare headings one piece, which is never split again.
            run[-1] = [Piece(run[-1][0].start, piece.end)] if is_bare else [*run[-1], piece]
            return True
        if is_bare or not self.budget.fits([piece]):
            return False
        if self.config.sections == "separate":
            self._finish(run)
            run.clear()
        run.append([piece])
        return True

    def _carried_into(
        self, section: Section, run: list[Group], child: Section, *, is_bare: bool
    ) -> int | None:
        """Finish the run before a child that must be cut, and find what is carried into the child.

        A group of headings alone is carried, because a heading shares its chunk with the first
        text under it. Headings of other children are carried only if the child's first headings
        fit after them. An undersized group is carried if it fits before the child's heading and
        first block.

        Returns:
            Where the carried text begins; None for none.
        """
        carried: int | None = None
        if child.heading is None and not child.blocks:
            self._finish(run)
            return None
        is_next = child is section.sections[0] and child.heading is not None
        if is_bare and (is_next or self._may_be_carried(run[-1][0].start, child)):
            carried = run.pop()[0].start
        else:
            self._even_out(run)
            is_small = len(run) == 1 and self.budget.is_undersized(run[0])
            if is_small and self.config.sections == "pack" and self._fits_before(run[0], child):
                carried = run.pop()[0].start
        self._finish(run)
        return carried

    def _fits_before(self, group: Group, section: Section) -> bool:
        """Whether a group fits, with its breadcrumb, before a section's heading and first block.

        What the first block leads into counts: as a whole if that fits alone, or its first piece.
        """
        if not section.blocks:
            return False
        piece = self.splitter.pieces(section.blocks[:2], begun=section.start)[0]
        end = section.blocks[0].end
        is_led = piece.end > end and not piece.is_kept
        is_cut = is_led and not self.budget.fits([piece.with_glue(section.start)])
        piece = piece.with_glue(group[0].start)
        while is_cut and not self.budget.fits([piece]) and (subs := self.splitter.open(piece)):
            piece = subs[0]
        fits = piece.end >= end and self.budget.fits([piece])
        return fits and not self.contexts.makes_room(piece)

    def _may_be_carried(self, start: int, section: Section) -> bool:
        """Whether these and the next section's first headings fit one chunk with room for text."""
        while not section.blocks and section.sections:
            section = section.sections[0]
        heading = section.heading
        if heading is None:
            return self._has_room(Piece(start, section.start), section.start)
        return self._has_room(Piece(start, heading.end), heading.end)

    def _has_room(self, piece: Piece, end: int) -> bool:
        """Whether the headings of a piece, its text up to ``end``, leave room under the cap."""
        room = self.config.max_tokens - max(2, self.config.max_tokens // 8)
        return self.index.count(piece.start, end) <= room - self.contexts.of(piece).tokens

    # ---------------------------------------------------------------- groups

    def _greedy(self, pieces: list[Piece]) -> list[Group]:
        """Pack pieces from the left, and open those that fit no chunk of their own.

        A group ends at a cut point even if it is not full.
        """
        if not pieces:
            return []
        done: list[Group] = []
        run: list[Group] = []
        stack = pieces[::-1]
        current: Group = []
        context = self.contexts.of(pieces[0])
        cut_points = self._cut_points(pieces)
        while stack:
            piece = stack.pop()
            if current and piece.start in cut_points:
                run.append(current)
                self._even_out(run)
                done.extend(run)
                run, current = [], []
            if current and self._may_add(current, context, piece):
                current.append(piece)
            elif (
                not piece.is_kept
                and not self.budget.fits([piece])
                and (subs := self.splitter.open(piece))
            ):
                stack.extend(reversed(subs))
                cut_points |= self._cut_points(subs)
            elif current and (kept := self._up_to_clause(current, piece)) < len(current):
                run.append(current[:kept])
                stack.extend((piece, *reversed(current[kept:])))
                current = []
            else:
                if current:
                    run.append(current)
                current = [piece]
                context = self.contexts.of(piece)
        if current:
            run.append(current)
        return [*done, *run]

    def _cut_points(self, pieces: list[Piece]) -> set[int]:
        radius = _CUT_POINT_RADIUS * self.config.target_tokens
        return find_cut_points(pieces, self.document.source.text, self.index, radius)

    def _up_to_clause(self, current: Group, piece: Piece) -> int:
        """How many of its pieces a group keeps when it has no room for the next piece.

        All of them, with one exception: when a clause begins in the group, goes on in the next
        piece and fits a chunk, its beginning moves to the rest of it. The group must be half full
        without it.
        """
        clause = clause_at(self.clauses, piece.start, piece.start + 1)
        if clause is None or not current[0].start < clause.start < piece.start:
            return len(current)
        kept = bisect_left(current, clause.start, key=attrgetter("start"))
        size = self.index.estimate(clause.start, clause.end)
        left = self.index.estimate(current[0].start, clause.start)
        is_whole = kept < len(current) and current[kept].start == clause.start
        may_part = is_whole and self._may_share(current[kept], piece)
        is_better = 2 * left >= self.config.target_tokens and size <= self.config.target_tokens
        return kept if may_part and is_better else len(current)

    def _may_add(self, current: Group, context: Context, piece: Piece) -> bool:
        if not self._may_share(current[-1], piece):
            return False
        if self.budget.boundaries and self.budget.crosses(current[0].start, piece.end):
            return False
        size = self.budget.size(context, current[0], piece)
        return size <= context.cap and (
            size <= context.target or self.budget.is_undersized(current)
        )

    def _finish(self, run: list[Group]) -> None:
        self._even_out(run)
        if not self.config.overlap_tokens:  # only overlap needs the pieces in between
            for group in run:
                del group[1:-1]
        self.groups.extend(run)

    def _even_out(self, run: list[Group]) -> None:
        """Merge an undersized last group with the one before it, or let it borrow pieces."""
        if not run[1:] or not self.budget.is_undersized(run[-1]):
            return
        last, before = run[-1], run[-2]
        if self._may_share(before[-1], last[0]) and self.budget.fits([before[0], last[-1]]):
            run[-2:] = [[*before, *last]]
            return
        while self._may_move(before, last):
            last.insert(0, before.pop())

    def _may_move(self, before: Group, last: Group) -> bool:
        if not before[1:] or not self._may_share(before[-1], last[0]) or before[-1].is_kept:
            return False
        return self.budget.is_undersized(last) and self.budget.fits([before[-1], last[-1]])

    def _may_share(self, before: Piece, piece: Piece) -> bool:
        """Whether two neighbouring pieces may share a chunk; there are four reasons against it.

        A row that is cut by cells shares its chunks with no other row of its table. Text on the
        line after a plain table would be read as part of it. A table that is cut, and whose caption
        is elsewhere, begins a chunk, so that the caption can stand above it. Text that reads as
        the opening of a fence would turn what follows into code.
        """
        if self.splitter.reads_as_fence(before):
            return False
        if before.is_plain and not piece.is_plain:
            source = self.document.source
            if source.line_at(piece.start) - source.line_at(before.end - 1) <= 1:
                return False
        if before.wrappers is piece.wrappers:  # most pairs: none, or the same code or table
            return True
        if any(
            isinstance(wrapper, Introduced) and wrapper.is_apart and before.end <= wrapper.start
            for wrapper in piece.wrappers
        ):
            return False
        row_before, row = _cut_row(before), _cut_row(piece)
        if row_before is not None or row is None:
            return row_before is row
        table = piece.wrappers[piece.wrappers.index(row) - 1]
        return before.end <= table.start


def _cut_row(piece: Piece) -> Row | None:
    return next((wrapper for wrapper in piece.wrappers if isinstance(wrapper, Row)), None)


def _has_content(section: Section) -> bool:
    return any(inner.blocks for inner in section.walk())
