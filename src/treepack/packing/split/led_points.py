"""Points of a clause, and the texts that lead to them: ``provided that you also:``."""

from bisect import bisect_right
from collections.abc import Container, Sequence
from operator import attrgetter
from typing import Final

from treepack.clauses.clause import Clause
from treepack.packing.pieces import Piece
from treepack.packing.split.words import trimmed

_START: Final = attrgetter("start")


def parted_lead(
    piece: Piece, led: Container[int], clauses: Sequence[Clause], text: str
) -> list[Piece]:
    """Part a single point from the texts that lead to it, which are glued before it.

    Args:
        piece: The piece.
        led: Where points begin to which the text before them leads.
        clauses: The clauses of the document.
        text: The document's text.

    Returns:
        The texts and the point; empty if the piece is something else.
    """
    first, last = (bisect_right(clauses, at, key=_START) for at in (piece.start, piece.glued))
    glued = (clause.start for clause in reversed(clauses[first:last]))  # perhaps a label alone
    starts = (*glued, *(wrapper.start for wrapper in reversed(piece.wrappers)))
    point = next((start for start in starts if start in led), -1)
    after = bisect_right(clauses, point, key=_START)
    is_single = after == len(clauses) or clauses[after].start >= piece.end
    if not (piece.start < point and is_single):
        return []
    end = trimmed(text, piece.start, point)
    begun = tuple(wrapper for wrapper in piece.wrappers if wrapper.start < end)
    own = piece.glued if piece.glued > point else -1
    return [Piece(piece.start, end, begun), piece._replace(start=point, glued=own)]
