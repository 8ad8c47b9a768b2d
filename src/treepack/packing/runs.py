"""Runs: neighbouring pieces of one parent become groups, one per chunk, from left to right."""

import zlib
from bisect import bisect_left
from collections import deque
from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from treepack.packing.budget import Budget
from treepack.packing.pieces import Piece
from treepack.packing.split.blocks import Splitter

# In multiples of the target. Measured on 210 chunks without headings (rows, lines, items,
# sentences, paragraphs). Radius 2: a paragraph inserted in front changes 2 to 6 chunks on average,
# and chunks are 7 to 9 % smaller than with greedy packing. Radius 3: 2 to 9 chunks, 4 to 6 %.
_CUT_POINT_RADIUS: Final = 2
_START: Final = attrgetter("start")
# In characters: the value of a piece is a hash of the first ones of its words, joined by single
# spaces, as far as they are among those that are read.
_HASHED: Final = 256
_MOST_READ: Final = 1024


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
        budget, can_add = self.budget, self.budget.can_add
        stack = pieces[::-1]
        current: list[Piece] = []
        context = budget.contexts.context_at(pieces[0])
        cut_points = find_cut_points(pieces, budget)
        while stack:
            piece = stack.pop()
            if current and piece.start in cut_points:
                groups.append(current)
                self.even_out(first)
                first, current = len(groups), []
            if current and self._can_share(current[-1], piece) and can_add(context, current, piece):
                current.append(piece)
            elif not budget.fits(piece) and (subs := self.splitter.open(piece)):
                stack.extend(reversed(subs))
                cut_points |= find_cut_points(subs, budget)
            elif current and (kept := self._count_to_keep(current, piece)) < len(current):
                groups.append(current[:kept])
                stack.extend((piece, *reversed(current[kept:])))
                current = []
            else:
                if current:
                    groups.append(current)
                current = [piece]
                context = budget.contexts.context_at(piece)
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
        if self._can_share(before[-1], last[0]) and self.budget.fits(before[0], last[-1]):
            self.groups[-2:] = [[*before, *last]]
            return
        while (
            before[1:]
            and self._can_share(before[-1], last[0])
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
        """Whether two neighbouring pieces may share a chunk; there are three reasons against it.

        - Text on the line after raw lines would be read as part of them.
        - A cut table whose caption is elsewhere begins a chunk, so that the caption can precede it.
        - A row that is cut by cells shares its chunks with no other row of its table.
        """
        line_at = self.splitter.source.line_at
        is_next_line = before.is_raw and line_at(piece.start) - line_at(before.end - 1) <= 1
        if is_next_line and not piece.is_raw:
            return False
        if before.frames is piece.frames:  # the common case: none, or the same code or table
            return True
        if any(frame.head and before.end <= frame.start < piece.start for frame in piece.frames):
            return False
        row_before, row = (
            max([f.row for f in each.frames], default=-1) for each in (before, piece)
        )
        if row_before >= 0 or row < 0:
            return row_before == row
        tables = (frame for frame in piece.frames if frame.is_literal and frame.row < 0)
        return all(before.end <= table.start for table in tables)

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


def find_cut_points(pieces: Sequence[Piece], budget: Budget) -> set[int]:
    """Return the starts of the pieces whose value is the smallest within the radius on both sides.

    After an edit, greedy packing returns to its old cuts only by chance. So a long run is first
    divided where the text alone decides (Bjørner, Blass and Gurevich, "Content-dependent chunking
    for differential compression", 2010: local extremes of a hash). No cut point is closer than the
    radius to another one, or to an end of the run.

    Args:
        pieces: A run of sibling pieces, in order.
        budget: Has the document, and the target, of which the radius is a multiple.
    """
    index, radius = budget.index, _CUT_POINT_RADIUS * budget.config.target_tokens
    start, end = pieces[0].start, pieces[-1].end
    length = index.estimate(start, end)
    if length < 2 * radius:
        return set()
    positions = index.estimates(start, [piece.start for piece in pieces])
    hashes = _hashes(pieces, budget.contexts.document.source.text)
    cut_points: set[int] = set()
    nearby: deque[int] = deque()  # indices of pieces within the radius, by increasing value
    after, count = 0, len(pieces)
    for at, position in enumerate(positions):
        while after < count and positions[after] <= position + radius:
            value = hashes[after]
            while nearby and hashes[nearby[-1]] > value:
                nearby.pop()
            nearby.append(after)
            after += 1
        while positions[nearby[0]] < position - radius:
            nearby.popleft()
        if nearby[0] == at and radius <= position <= length - radius:
            cut_points.add(pieces[at].start)
    return cut_points


def _hashes(pieces: Sequence[Piece], text: str) -> list[int]:
    """Return a hash of the first words of each piece."""
    ends = [min(piece.end, piece.start + _MOST_READ) for piece in pieces]
    words = (" ".join(text[p.start : end].split()) for p, end in zip(pieces, ends, strict=True))
    return [zlib.crc32(each[:_HASHED].encode("utf-8", "surrogatepass")) for each in words]
