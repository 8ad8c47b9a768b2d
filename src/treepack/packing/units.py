"""Units: what packing moves as a whole, and opens when it does not fit."""

from collections.abc import Callable  # noqa: TC003 - a dataclass field's type
from typing import NamedTuple

from treepack.packing.frames import Frame


class Unit(NamedTuple):
    """A stretch of the source that packing moves as a whole.

    Attributes:
        start: Where its share of the source begins.
        end: Behind its last character.
        frames: The constructs around it, outermost first.
        cut: Opens it into sub-units; None when it cannot be cut any further.
        is_kept: The settings say that it is never cut.
        glued: What goes before its own content and must not be parted from it: a heading, a
            table's header, a fence. It reaches from ``start`` to here; -1 where nothing is glued.
        tail: Where its own content ends when something is glued behind it, as a closing fence.
        is_torn: A line of HTML, or of a table whose header is too long to repeat; alone it is
            plain text.
    """

    start: int
    end: int
    frames: tuple[Frame, ...] = ()
    cut: "Callable[[Unit], list[Unit]] | None" = None
    is_kept: bool = False
    glued: int = -1
    tail: int = -1
    is_torn: bool = False

    def with_glue(self, start: int) -> "Unit":
        """The unit, begun earlier with something that belongs before it."""
        if start == self.start:
            return self
        return self._replace(start=start, glued=max(self.glued, self.start))


def listed(units: "list[Unit]") -> "Callable[[Unit], list[Unit]]":
    """What opens a unit into sub-units that are known already."""
    return lambda _unit: list(units)
