"""The lists, items and quotes that a `MarkdownWriter` has open, and the prefix of lines inside."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from treepack.readers.inlines import Inline


@dataclass(slots=True)
class OpenContainer:
    """A list, an item or a quote that is open.

    Attributes:
        kind: What it is; the root is the document.
        is_shown: False for a container that is nested too deep; its content is written without it.
        ordered: Whether a list has numbers.
        marker: The marker of an item or quote; of an item, only its number until it has content.
        inside: The prefix of each further line inside.
        ending: The last character of the markers of a list's items: ``.``, ``)``, ``-`` or ``*``.
        label: Text at the beginning of an item's first paragraph.
        next_number: The number of a list's next item.
        blocks: How many blocks were written inside.
        last_ending: The ``ending`` of the last list written directly inside; empty if anything else
            was written after it.
    """

    kind: Literal["root", "list", "item", "quote"]
    is_shown: bool = True
    ordered: bool = False
    marker: str = ""
    inside: str = ""
    ending: str = ""
    label: Inline = ""
    next_number: int = 1
    blocks: int = 0
    last_ending: str = ""


def begin_inside(outer: OpenContainer, held: OpenContainer) -> None:
    """Set the marker of a container before its first block is written.

    A list right after another list of its kind gets a different marker, because markdown would
    join them otherwise.
    """
    if held.kind == "list":
        usual, other = (".", ")") if held.ordered else ("-", "*")
        held.ending = other if outer.last_ending == usual else usual
        outer.last_ending = held.ending
    elif held.kind == "quote":
        held.marker = held.inside = "> "
        outer.last_ending = ""
    else:
        held.marker = f"{held.marker}{outer.ending} "
        held.inside = " " * len(held.marker)


def prefix_inside(containers: Iterable[OpenContainer]) -> str:
    """Return the prefix of further lines; containers without content add nothing to it yet."""
    return "".join([held.inside for held in containers])
