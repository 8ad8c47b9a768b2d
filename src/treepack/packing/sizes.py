"""What units come to together with their context, and whether that is within the limits."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from treepack.config import PackConfig
from treepack.packing.context import Context, ContextMaker
from treepack.packing.frames import suspend
from treepack.packing.units import Unit
from treepack.tokens import TokenIndex

_NEVER_TOO_NEAR: Final = 1.5  # an estimate above so many times the room is not counted

_NEAR: Final = 8  # tokens; an estimate that is farther from the target is taken for the count


class Sizes:
    """Sizes of runs of units.

    Args:
        index: The document's token counts.
        config: The limits.
        contexts: Makes the context of any place in the document.
        walls: Offsets, in order, that no group may reach across: where the parents begin.
    """

    def __init__(
        self,
        index: TokenIndex,
        config: PackConfig,
        contexts: ContextMaker,
        walls: Sequence[int] = (),
    ) -> None:
        self.index = index
        self.config = config
        self.contexts = contexts
        self.walls = walls

    def fits(self, group: Sequence[Unit]) -> bool:
        """Whether what would be embedded of a group stays within the cap.

        Several units leave room for the overlap; a single one is not opened for its sake.
        """
        if self.crosses(group[0].start, group[-1].end):
            return False
        context = self.contexts.of(group[0])
        room = context.cap if group[1:] else self.config.max_tokens
        if self.index.estimate(context.body_start, group[-1].end) > _NEVER_TOO_NEAR * room + 64:
            return False
        return self.size(context, group[0], group[-1]) <= room

    def size(self, context: Context, first: Unit, last: Unit) -> int:
        """Tokens of what would be embedded or shown of the units from first to last.

        ``context`` is that of the first.
        """
        closing = suspend(last.frames, first.start, last.end) if last.frames else ""
        start, end = context.body_start, last.end
        size = context.count_to(end, closing)
        for before, behind in self.contexts.shown(first, end):
            opening = before + context.opening
            shown = self.index.count_slice_in(opening, start, end, closing + behind)
            size = max(size, shown - self.contexts.reserve)
        return size

    def crosses(self, start: int, end: int) -> bool:
        """Whether a wall stands inside a span."""
        if not self.walls:
            return False
        at = bisect_right(self.walls, start)
        return at < len(self.walls) and self.walls[at] < end

    def fits_target(self, unit: Unit, end: int) -> bool:
        """Whether a chunk from the beginning of a unit up to ``end`` is on target."""
        if self.crosses(unit.start, end):
            return False
        context = self.contexts.of(unit)
        room = min(context.target, context.cap)
        if self.index.estimate(context.body_start, end) > _NEVER_TOO_NEAR * room + 64:
            return False
        return self.size(context, unit, unit._replace(end=end)) <= room

    def likely_fits(self, unit: Unit, end: int) -> bool:
        """As `fits_target`, by the estimate where that is not near; who needs to know asks that."""
        context = self.contexts.of(unit)
        room = min(context.target, context.cap) - context.tokens
        over = self.index.estimate(context.body_start, end) - room
        return over < 0 if abs(over) > _NEAR else self.fits_target(unit, end)

    def fits_cap(self, unit: Unit, end: int) -> bool:
        """Whether a chunk from the beginning of a unit up to ``end`` stays within the cap."""
        return self.fits([unit, unit._replace(end=end)])

    def is_crumb(self, group: Sequence[Unit]) -> bool:
        """Whether a group without its context is below the minimum."""
        context = self.contexts.of(group[0])
        return self.size(context, group[0], group[-1]) - context.tokens < self.config.min_tokens
