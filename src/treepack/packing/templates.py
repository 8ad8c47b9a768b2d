"""What a framework shows of a chunk besides its text, so that the cap can count it.

The core counts its own `embed_text`. A framework puts other things around the text: a template,
the document's metadata, the breadcrumb under a key of its own. A `Template` gives the core exactly
these texts before anything is cut. A chunk then fits only if it fits in every form that the
framework shows. Without a framework there is no template.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

ELLIPSIS: Final = "…"

Form: TypeAlias = tuple[str, str]
"""The texts before and after a chunk's text."""


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


@dataclass(frozen=True)
class Template:
    """How a framework renders the chunks of one document.

    Attributes:
        forms: Returns the forms of a chunk with a given label, one for each way to show it.
        above: Headings above the whole document, if it is part of a larger document.
        reserve: Tokens of each form that were already subtracted from the cap.
    """

    forms: Callable[[ChunkLabel], tuple[Form, ...]]
    above: tuple[str, ...] = ()
    reserve: int = 0


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
