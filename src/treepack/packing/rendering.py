"""What a framework shows of a chunk besides its text, so that the cap can count it.

The core counts its own `embed_text`. A framework puts other things around the text: a template,
the document's metadata, the breadcrumb under a key of its own. A `Rendering` tells the core what
exactly, before anything is cut; a chunk then fits only if each form that the framework gives it
fits. Without a framework there is no rendering, and nothing changes.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

_ELLIPSIS: Final = "…"

Form: TypeAlias = tuple[str, str]
"""What stands before and behind a chunk's text."""


class Label(NamedTuple):
    """What is shown of a chunk's place.

    Attributes:
        breadcrumb: The headings down to the deepest section that holds everything in the chunk,
            without the document's name.
        clause: The deepest clause that holds the chunk.
        caption: The caption of its first table.
    """

    breadcrumb: tuple[str, ...] = ()
    clause: str | None = None
    caption: str | None = None


@dataclass(frozen=True)
class Rendering:
    """How a framework renders the chunks of one document.

    Attributes:
        forms: The forms that a chunk with a label takes, one for each way of showing it.
        above: Headings above the whole document, when it is itself a piece of a larger one.
        reserve: Tokens that each form holds and that were taken from the cap already.
    """

    forms: Callable[[Label], tuple[Form, ...]]
    above: tuple[str, ...] = ()
    reserve: int = 0


def narrowed(label: Label) -> Iterator[Label]:
    """The label, then ever less of it, down to an empty one.

    The outermost breadcrumb entries go first, then the caption, then words of the last heading,
    and the clause at the very end.
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
            yield Label((" ".join(words) + _ELLIPSIS,), label.clause)
        yield Label(clause=label.clause)
    if label.clause:
        yield Label()
