"""What a framework shows of a chunk's place, and shorter forms of it that leave more room."""

from collections.abc import Iterator
from typing import NamedTuple

from treepack.packing.context import ELLIPSIS


class ChunkLabel(NamedTuple):
    """What a framework shows of a chunk's place.

    Attributes:
        breadcrumb: The headings down to the deepest section that holds everything in the chunk,
            without the document's name.
        clause: The number of the deepest clause that holds the chunk.
        caption: The caption of the chunk's first table.
    """

    breadcrumb: tuple[str, ...] = ()
    clause: str | None = None
    caption: str | None = None


def narrowed(label: ChunkLabel) -> Iterator[ChunkLabel]:
    """Yield the label, then shorter and shorter labels, down to an empty one.

    The outermost breadcrumb entries are dropped first, then the caption, then words of the last
    heading, then that heading, and the clause last.
    """
    yield label
    names = label.breadcrumb
    for depth in range(1, len(names)):
        yield label._replace(breadcrumb=names[depth:])
    if label.caption:
        yield label._replace(breadcrumb=names[-1:], caption=None)
    if names:
        words = names[-1].split(" ")
        while len(words) > 1:
            words = words[: len(words) // 2]
            yield ChunkLabel((" ".join(words) + ELLIPSIS,), label.clause)
        yield ChunkLabel(clause=label.clause)
    if label.clause:
        yield ChunkLabel()
