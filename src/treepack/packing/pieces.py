"""Pieces: what packing moves as a whole, and opens when it does not fit."""

from collections.abc import Callable  # noqa: TC003 - a dataclass field's type
from typing import NamedTuple

from treepack.model.source import Source
from treepack.packing.frames import Frame


class Piece(NamedTuple):
    """A stretch of the source that packing moves as a whole.

    Attributes:
        start: Where it begins in the source.
        end: After its last character.
        frames: The constructs around it, outermost first.
        cut: Opens it into sub-pieces; None if it cannot be cut any further.
        is_kept_whole: Whether the settings forbid cutting it.
        text_start: Where its own text begins, if something is glued before it that must stay with
            it: a heading, a table's header, a fence. -1 if nothing is glued.
        text_end: Where its own text ends, if something is glued after it, such as a closing fence;
            -1 if nothing is glued.
        is_raw: Whether text on the next line would be read as part of it: lines of HTML, of front
            matter, or of a table whose header is too long to repeat. Tags in it are not cut.
    """

    start: int
    end: int
    frames: tuple[Frame, ...] = ()
    cut: "Callable[[Piece], list[Piece]] | None" = None
    is_kept_whole: bool = False
    text_start: int = -1
    text_end: int = -1
    is_raw: bool = False

    def with_glue(self, start: int) -> "Piece":
        """Return the piece extended back to ``start``, over text that must stay with it."""
        if start == self.start:
            return self
        return self._replace(start=start, text_start=max(self.text_start, self.start))


def cut_into(pieces: "list[Piece]") -> "Callable[[Piece], list[Piece]]":
    """Return a ``cut`` function for a piece whose sub-pieces are known already."""
    return lambda _piece: list(pieces)


def trimmed_end(text: str, start: int, end: int) -> int:
    """Return the end of a span without the whitespace at its end."""
    return start + len(text[start:end].rstrip())


def can_share(source: Source, before: Piece, piece: Piece) -> bool:
    """Whether two neighbouring pieces may share a chunk; there are three reasons against it.

    - Text on the line after raw lines would be read as part of them.
    - A cut table whose caption is elsewhere begins a chunk, so that the caption can precede it.
    - A row that is cut by cells shares its chunks with no other row of its table.
    """
    line_at = source.line_at
    is_next_line = before.is_raw and line_at(piece.start) - line_at(before.end - 1) <= 1
    if is_next_line and not piece.is_raw:
        return False
    if before.frames is piece.frames:  # the common case: none, or the same code or table
        return True
    if any(frame.head and before.end <= frame.start < piece.start for frame in piece.frames):
        return False
    row_before, row = (max([f.row for f in each.frames], default=-1) for each in (before, piece))
    if row_before >= 0 or row < 0:
        return row_before == row
    tables = (frame for frame in piece.frames if frame.is_literal and frame.row < 0)
    return all(before.end <= table.start for table in tables)
