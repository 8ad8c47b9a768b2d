"""Runs: neighbouring pieces of one parent become groups, one per chunk, from left to right."""

from bisect import bisect_left
from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from treepack.packing.budget import Budget
from treepack.packing.cut_points import find_cut_points
from treepack.packing.pieces import Piece, can_share
from treepack.packing.split.blocks import Splitter

# In multiples of the target. Measured on 210 chunks without headings (rows, lines, items,
# sentences, paragraphs). Radius 2: a paragraph inserted in front changes 2 to 6 chunks on average,
# and chunks are 7 to 9 % smaller than with greedy packing. Radius 3: 2 to 9 chunks, 4 to 6 %.
_CUT_POINT_RADIUS: Final = 2
_START: Final = attrgetter("start")


class Run:
    """The groups of one parent that may still change.

    Args:
        budget: Compares groups with the limits.
        splitter: Opens pieces that do not fit.
        groups: The groups so far.
        has_only_headings: Whether the last group holds only headings.
    """

    def __init__(
        self,
        budget: Budget,
        splitter: Splitter,
        groups: Sequence[list[Piece]] = (),
        *,
        has_only_headings: bool = False,
    ) -> None:
        self.budget = budget
        self.config = budget.config
        self.splitter = splitter
        self.groups = list(groups)
        self.has_only_headings = has_only_headings

    def pack(self, pieces: list[Piece]) -> None:
        """Add pieces greedily, and open those that do not fit a chunk of their own.

        A group ends before a cut point even if it is not full.
        """
        if not pieces:
            return
        groups, first = self.groups, len(self.groups)
        can_share, can_add = self._can_share, self.budget.can_add
        stack = pieces[::-1]
        current: list[Piece] = []
        context = self.budget.contexts.context_at(pieces[0])
        cut_points = self._cut_points(pieces)
        while stack:
            piece = stack.pop()
            if current and piece.start in cut_points:
                groups.append(current)
                self.even_out(first)
                first, current = len(groups), []
            if current and can_share(current[-1], piece) and can_add(context, current, piece):
                current.append(piece)
            elif not self.budget.fits(piece) and (subs := self.splitter.open(piece)):
                stack.extend(reversed(subs))
                cut_points |= self._cut_points(subs)
            elif current and (kept := self._count_to_keep(current, piece)) < len(current):
                groups.append(current[:kept])
                stack.extend((piece, *reversed(current[kept:])))
                current = []
            else:
                if current:
                    groups.append(current)
                current = [piece]
                context = self.budget.contexts.context_at(piece)
        if current:
            groups.append(current)

    def add_section(self, section: Piece) -> bool:
        """Add a whole section to the last group, if it fits."""
        if not self.groups or not (self.has_only_headings or self.config.sections == "pack"):
            return False
        last = self.groups[-1]
        if not self.budget.fits(last[0], section):
            return False
        if self.has_only_headings:
            last[:] = [Piece(last[0].start, section.end)]  # one piece: never split again
        else:
            last.append(section)
        return True

    def even_out(self, first: int = 0) -> None:
        """Merge an undersized last group with the one before it, or let it borrow pieces from it.

        Args:
            first: The index of the first group that may be changed.
        """
        if not self.groups[first + 1 :] or not self.budget.is_undersized(self.groups[-1]):
            return
        before, last = self.groups[-2:]
        can_share = self._can_share
        if can_share(before[-1], last[0]) and self.budget.fits(before[0], last[-1]):
            self.groups[-2:] = [[*before, *last]]
            return
        while (
            before[1:]
            and can_share(before[-1], last[0])
            and not before[-1].is_kept_whole
            and self.budget.is_undersized(last)
            and self.budget.fits(before[-1], last[-1])
        ):
            last.insert(0, before.pop())

    def close(self) -> list[list[Piece]]:
        """Even out the last group, return all groups, and leave the run empty."""
        self.even_out()
        groups, self.groups = self.groups, []
        if not self.config.overlap_tokens:  # only overlap needs the pieces in between
            for group in groups:
                del group[1:-1]
        return groups

    def _can_share(self, before: Piece, piece: Piece) -> bool:
        return can_share(self.splitter.source, before, piece)

    def _cut_points(self, pieces: list[Piece]) -> set[int]:
        radius = _CUT_POINT_RADIUS * self.config.target_tokens
        return find_cut_points(pieces, self.splitter.text, self.budget.index, radius)

    def _count_to_keep(self, current: list[Piece], piece: Piece) -> int:
        """Return how many of its pieces a group keeps when it has no room for the next piece.

        If a clause no longer than the target begins in the group and continues in the next piece,
        its beginning moves on with that piece, as long as the group stays half full.
        """
        clause = self.budget.contexts.clauses.at(piece.start, piece.start + 1)
        kept = bisect_left(current, clause.start, key=_START) if clause else len(current)
        if clause is None or kept == len(current) or current[kept].start != clause.start:
            return len(current)
        estimate, target = self.budget.index.estimate, self.config.target_tokens
        is_half_full = 2 * estimate(current[0].start, clause.start) >= target
        fits = estimate(clause.start, clause.end) <= target
        return kept if is_half_full and fits else len(current)
