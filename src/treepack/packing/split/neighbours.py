"""Which neighbouring pieces may share a chunk."""

from treepack.model.source import Source
from treepack.packing.pieces import Piece
from treepack.packing.wrappers import IntroWrapper, RowWrapper


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
    if before.wrappers is piece.wrappers:  # the common case: none, or the same code or table
        return True
    for wrapper in piece.wrappers:
        is_detached = isinstance(wrapper, IntroWrapper) and wrapper.is_detached
        if is_detached and before.end <= wrapper.start:
            return False
    row_before, row = _cut_row(before), _cut_row(piece)
    if row_before is not None or row is None:
        return row_before is row
    table = piece.wrappers[piece.wrappers.index(row) - 1]
    return before.end <= table.start


def _cut_row(piece: Piece) -> RowWrapper | None:
    return next((wrapper for wrapper in piece.wrappers if isinstance(wrapper, RowWrapper)), None)
