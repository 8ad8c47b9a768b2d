"""Cut points: they divide a long run by its text alone, so that an edit changes few chunks.

After an edit, greedy packing returns to its old cuts only by chance, when an old and a new cut
coincide. In a long list, table or code block without headings, that may never happen. So a run of
many chunks is first divided at cut points, and each part is packed separately. This is how
content-defined chunking works (Bjørner, Blass and Gurevich, "Content-dependent chunking for
differential compression", 2010: local extremes of a hash). A cut point depends only on the text
within its radius.
"""

import zlib
from collections import deque
from collections.abc import Sequence
from typing import Final

from treepack.packing.pieces import Piece
from treepack.tokens import TokenIndex

# All in characters. The value of a piece is a hash of the first 256 characters of its words, joined
# by single spaces. Most pieces have these in their first 320; otherwise up to 1024 are read.
_HASHED: Final = 256
_USUALLY_READ: Final = 320
_MOST_READ: Final = 1024


def find_cut_points(pieces: Sequence[Piece], text: str, index: TokenIndex, radius: int) -> set[int]:
    """Return the starts of the pieces whose value is the smallest within the radius on both sides.

    No cut point is closer than the radius to another one, or to an end of the run.

    Args:
        pieces: A run of sibling pieces, in order.
        text: The document's text, with spaces in place of page marks.
        index: The document's token counts.
        radius: How far from a cut point values are compared, in tokens.
    """
    start, end = pieces[0].start, pieces[-1].end
    length = index.estimate(start, end)
    if length < 2 * radius:
        return set()
    positions = index.estimates(start, [piece.start for piece in pieces])
    hashes = _hashes(pieces, text)
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
    hashes: list[int] = []
    for piece in pieces:
        start, end = piece.start, piece.end
        is_long = end - start > _USUALLY_READ
        words = " ".join(text[start : start + _USUALLY_READ if is_long else end].split())
        if is_long and len(words) < _HASHED:
            words = " ".join(text[start : min(end, start + _MOST_READ)].split())
        hashes.append(zlib.crc32(words[:_HASHED].encode("utf-8", "surrogatepass")))
    return hashes
