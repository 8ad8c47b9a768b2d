"""Hierarchical greedy packing: the section tree becomes groups of pieces, one for each chunk.

1. A section whose whole subtree fits the cap is one piece and is never cut.
2. A section that does not fit is opened: its own content first, then its children in order.
3. Neighbouring pieces of one parent are packed greedily from left to right: own content up to the
   target, whole child sections up to the cap. A child that must be cut ends the run and is packed
   alone, so the tail of a section never shares a chunk with the next section.
4. A long run is first divided at cut points, which depend on the text alone; see `cut_points`.
5. A group below the minimum merges with the previous one, borrows from it, or is carried into the
   next child's first chunk.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from treepack.config import PackConfig
from treepack.document.document import Document
from treepack.model.blocks import Heading, Span
from treepack.model.section import Section
from treepack.packing.budget import Budget
from treepack.packing.context import ContextBuilder
from treepack.packing.pieces import Piece, trimmed_end
from treepack.packing.runs import Run
from treepack.packing.split.blocks import Splitter
from treepack.packing.split.sentences import SentenceFinder
from treepack.packing.split.text import TextCutter
from treepack.sentences import sentence_splitter


class SectionPacker:
    """Groups the pieces of one document.

    Args:
        document: What to pack.
        config: The limits.
        contexts: Makes the context of any place in the document.
        boundaries: Offsets, in order, that no group may cross: the starts of the parents.
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
        self.splitter = Splitter(
            cutter,
            frozenset(keep),
            is_plain=document.is_plain,
        )
        self.groups: list[list[Piece]] = []

    def group(self) -> list[list[Piece]]:
        """Return all groups in source order; each has at least its first and its last piece."""
        root = self.document.root
        if root.start < root.end:
            whole = Piece(root.start, root.end)
            if self.config.sections == "pack" and self.budget.fits(whole):
                return [[whole]]
            self._pack_section(root, None)
        return self.groups

    # ---------------------------------------------------------------- sections

    def _pack_section(self, section: Section, carried: int | None) -> None:
        """Pack a section that does not fit as a whole.

        Args:
            section: The section.
            carried: Where the text that is carried into its first chunk begins; None if there is
                no such text.
        """
        run = self._pack_content(section, carried)
        for child in section.sections:
            if not self._add_whole(run, child):
                carried = self._take_carried(section, run, child)
                self.groups += run.close()
                self._pack_section(child, carried)
                run = Run(self.budget, self.splitter)
        self.groups += run.close()

    def _packed_run(self, pieces: list[Piece]) -> Run:
        run = Run(self.budget, self.splitter)
        run.pack(pieces)
        return run

    def _pack_content(self, section: Section, carried: int | None) -> Run:
        """Return the groups of a section's own content, as a run."""
        heading = section.heading
        start = heading.start if carried is None and heading else carried
        pieces = self.splitter.pieces(section.blocks, glue_start=start)
        if heading and start is not None:
            if not pieces:
                alone = self._heading_pieces(start, heading, is_alone=True)
                groups = [[piece] for piece in alone]
                return Run(self.budget, self.splitter, groups, has_only_headings=True)
            first = pieces[0].with_glue(start)
            if self._leaves_room(first, heading.end):
                pieces[0] = first
            else:
                pieces = self._under_long_headings(start, heading, pieces)
        elif carried is not None and pieces:  # before a clause; `_take_carried` checked the room
            pieces[0] = pieces[0].with_glue(carried)
        if pieces and self.config.sections == "separate":
            first, last = pieces[0], pieces[-1]
            if self.budget.fits(first, last):
                return Run(self.budget, self.splitter, [[first, last]])
        return self._packed_run(pieces)

    def _heading_pieces(self, start: int, last: Heading, *, is_alone: bool) -> list[Piece]:
        """Return pieces of the headings from ``start`` to ``last``, as many in each as fit.

        Only a heading that does not fit a chunk is cut. Unless the headings are alone, the last
        piece leaves room for some of the text under it.
        """
        pieces: list[Piece] = []
        piece: Piece | None = None
        for span_start, span_end in self._heading_spans(start, last):
            leaves_room = span_end == last.end and not is_alone
            longer = self.splitter.text_piece(piece.start if piece else span_start, span_end)
            if piece and not self._fits_heading(longer, leaves_room=leaves_room):
                pieces.append(piece)
                longer = self.splitter.text_piece(span_start, span_end)
            if not self._fits_heading(longer, leaves_room=leaves_room):
                groups = self._packed_run(self.splitter.open(longer)).groups or [[longer]]
                *before, longer = [Piece(group[0].start, group[-1].end) for group in groups]
                pieces += before
            piece = longer
        assert piece is not None, "there is a last heading"
        return [*pieces, piece]

    def _heading_spans(self, start: int, last: Heading) -> Iterator[Span]:
        """Yield the span at ``start`` (a heading or text before one), then each later heading's."""
        first = bisect_right(self._heading_starts, start)
        after = bisect_right(self._heading_starts, last.start)
        starts = [start, *self._heading_starts[first:after]]
        for span_start, next_start in pairwise(starts):
            yield span_start, trimmed_end(self.document.source.text, span_start, next_start)
        yield starts[-1], last.end

    @cached_property
    def _heading_starts(self) -> list[int]:
        sections = self.contexts.sections.sections
        return [section.heading.start for section in sections if section.heading]

    def _fits_heading(self, headings: Piece, *, leaves_room: bool) -> bool:
        if leaves_room:
            return self._leaves_room(headings, headings.end)
        return self.budget.fits(headings)

    def _under_long_headings(self, start: int, last: Heading, pieces: list[Piece]) -> list[Piece]:
        """Return the pieces if all the headings together leave no room for text."""
        *headings, last_piece = self._heading_pieces(start, last, is_alone=False)
        return [*headings, pieces[0].with_glue(last_piece.start), *pieces[1:]]

    def _add_whole(self, run: Run, child: Section) -> bool:
        """Add a child as one piece if it fits whole, to the last group or as a new group."""
        is_separate = self.config.sections == "separate"
        if is_separate and child.sections and _has_content(child):
            return False
        piece = Piece(child.start, child.end)
        if not run.add_section(piece):
            if run.has_only_headings or not self.budget.fits(piece):
                return False
            if is_separate:
                self.groups += run.close()
            run.groups.append([piece])
        run.has_only_headings = run.has_only_headings and not _has_content(child)
        return True

    def _take_carried(self, section: Section, run: Run, child: Section) -> int | None:
        """Take from a run what is carried into the child after it, which must be cut.

        A group that holds only headings is carried, because a heading shares its chunk with the
        first text under it. Unless the child is the section's first one and has a heading, its
        first headings must fit after the group. An undersized group is carried if it is the run's
        only group and fits before the child's heading and first block.

        Returns:
            Where the carried text begins; None if nothing is carried.
        """
        if child.heading is None and not child.blocks:
            return None
        is_first = child is section.sections[0] and child.heading is not None
        if run.has_only_headings:
            start = run.groups[-1][0].start
            if is_first or self._can_be_carried(start, child):
                run.groups.pop()
                return start
        run.even_out()
        is_small = len(run.groups) == 1 and self.budget.is_undersized(run.groups[0])
        start = run.groups[0][0].start if run.groups else child.start
        if is_small and self.config.sections == "pack" and self._fits_before(start, child):
            run.groups.clear()
            return start
        return None

    def _fits_before(self, start: int, section: Section) -> bool:
        """Whether the text from ``start`` fits before a section's heading and first block.

        If the first block is glued to the next one, as an
        intro is, that block counts too: all of it if the two fit without the text, otherwise its
        first piece.
        """
        if not section.blocks:
            return False
        piece = self.splitter.pieces(section.blocks[:2], glue_start=start)[0]
        piece = piece.with_glue(section.start)
        end = section.blocks[0].end
        while piece.end > end and not self.budget.fits(piece):
            subs = self.splitter.open(piece)
            if not subs:
                break
            piece = subs[0]
        piece = piece.with_glue(start)
        return piece.end >= end and self.budget.fits(piece)

    def _can_be_carried(self, start: int, section: Section) -> bool:
        """Whether the text from ``start`` and a section's first headings leave room for a body."""
        while not section.blocks and section.sections:
            section = section.sections[0]
        heading = section.heading
        if heading is None:
            return self._leaves_room(Piece(start, section.start), section.start)
        return self._leaves_room(Piece(start, heading.end), heading.end)

    def _leaves_room(self, piece: Piece, end: int) -> bool:
        """Whether the headings of a piece (its text up to ``end``) leave room under the cap."""
        room = self.config.max_tokens - max(2, self.config.max_tokens // 8)
        return self.index.count(piece.start, end) <= room - self.contexts.context_at(piece).tokens


def _has_content(section: Section) -> bool:
    return any(inner.blocks for inner in section.walk())
