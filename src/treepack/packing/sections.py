"""Hierarchical greedy packing: the section tree becomes groups of pieces, one for each chunk.

1. A section whose whole subtree fits the cap is one piece and is never cut.
2. A section that does not fit is opened: its own content first, then its children in order.
3. Neighbouring pieces of one parent are packed greedily from left to right: own content up to the
   target, whole child sections up to the cap. A child that must be cut ends the run and is packed
   alone, so the tail of a section never shares a chunk with the next section.
4. A long run is first divided at cut points, which depend on the text alone; see `runs`.
5. A group below the minimum merges with the previous one, borrows from it, or is carried into the
   next child's first chunk.
"""

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from treepack.model.blocks import Heading
from treepack.model.section import Section
from treepack.packing.budget import Budget
from treepack.packing.context import ContextBuilder
from treepack.packing.pieces import Piece, trimmed_end
from treepack.packing.runs import Run
from treepack.packing.split.blocks import Splitter


class SectionPacker:
    """Groups the pieces of one document.

    Args:
        contexts: Makes the context of any place in the document.
        boundaries: Offsets, in order, that no group may cross: the starts of the parents.
    """

    def __init__(self, contexts: ContextBuilder, boundaries: Sequence[int] = ()) -> None:
        self.document = contexts.document
        self.config = contexts.config
        self.contexts = contexts
        self.budget = Budget(contexts, boundaries)
        self.groups: list[list[Piece]] = []
        self.plain_tables: set[int] = set()
        """Starts of the tables that were cut as lines, see `Splitter`."""

    @cached_property
    def splitter(self) -> Splitter:
        """Makes the pieces; a document that fits whole needs none."""
        return Splitter(self.budget, self.plain_tables)

    def group(self) -> list[list[Piece]]:
        """Return all groups in source order; each has at least its first and its last piece."""
        root = self.document.root
        if root.start < root.end:
            whole = Piece(root.start, root.end)
            may_share = self.config.sections == "pack" or not root.sections
            if may_share and self.budget.fits(whole):
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
        if start is not None and not pieces and heading:
            whole = Piece(start, heading.end)
            groups = [[whole]] if self.budget.fits(whole) else self._heads(start, heading)
            return Run(self.budget, self.splitter, groups, has_only_headings=True)
        if start is not None and pieces:
            heads: list[list[Piece]] = []
            if heading and not self._leaves_room(pieces[0].with_glue(start), heading.end):
                *heads, last = self._heads(start, heading)
                start = last[0].start
            pieces[0] = pieces[0].with_glue(start)
            pieces[:0] = [Piece(group[0].start, group[-1].end) for group in heads]
        if pieces and self.config.sections == "separate":
            first, last_piece = pieces[0], pieces[-1]
            if self.budget.fits(first, last_piece):
                return Run(self.budget, self.splitter, [[first, last_piece]])
        return self._packed_run(pieces)

    def _heads(self, start: int, last: Heading) -> list[list[Piece]]:
        """Return groups of the headings from ``start`` to ``last``, as many in each as fit."""
        first = bisect_right(self._heading_starts, start)
        after = bisect_right(self._heading_starts, last.start)
        starts = [start, *self._heading_starts[first:after]]
        ends = [trimmed_end(self.document.source.text, a, b) for a, b in pairwise(starts)]
        cut = self.splitter.cutter.sentences
        spans = zip(starts, [*ends, last.end], strict=True)
        return self._packed_run([Piece(*span, cut=cut) for span in spans]).groups

    @cached_property
    def _heading_starts(self) -> list[int]:
        sections = self.contexts.sections.sections
        return [section.heading.start for section in sections if section.heading]

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

        If the first block is glued to the next one, as an intro is, that block counts too: all of
        it if the two fit without the text, otherwise its first piece.
        """
        if not section.blocks:
            return False
        piece = self.splitter.pieces(section.blocks[:2], glue_start=start)[0]
        piece = piece.with_glue(section.start)
        end = section.blocks[0].end
        while (
            piece.end > end and not self.budget.fits(piece) and (subs := self.splitter.open(piece))
        ):
            piece = subs[0]
        piece = piece.with_glue(start)
        return piece.end >= end and self.budget.fits(piece)

    def _can_be_carried(self, start: int, section: Section) -> bool:
        """Whether the text from ``start`` and a section's first headings leave room for a body."""
        while not section.blocks and section.sections:
            section = section.sections[0]
        end = section.heading.end if section.heading else section.start
        return self._leaves_room(Piece(start, end), end)

    def _leaves_room(self, piece: Piece, end: int) -> bool:
        """Whether the headings of a piece (its text up to ``end``) leave room under the cap."""
        room = self.config.max_tokens - max(2, self.config.max_tokens // 8)
        return (
            self.document.tokens.count(piece.start, end)
            <= room - self.contexts.context_at(piece).tokens
        )


def _has_content(section: Section) -> bool:
    return any(inner.blocks for inner in section.walk())
