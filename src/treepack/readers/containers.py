"""Lists, items and quotes that a `MarkdownWriter` has open, and what lines inside begin with."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from treepack.readers.inlines import Inline


@dataclass(slots=True)
class Container:
    """A list, an item or a quote that is open.

    Attributes:
        kind: What it is; the root is the document.
        is_shown: False for what is nested too deep, which leaves no trace.
        ordered: Whether a list has numbers.
        marker: An item's marker: its number alone until something is written in the item.
        inside: What each further line inside begins with.
        ending: The last character of the markers of a list's items.
        label: Text that an item's first paragraph begins with.
        next_number: Number of a list's next item.
        blocks: How many blocks were written inside.
        last_ending: ``ending`` of the list that was written last directly inside, if nothing else
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


def begin_inside(outer: Container, held: Container) -> None:
    """Give a container that begins its marker.

    A list right after another of its kind gets another marker: else markdown would join them.
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


def prefix_inside(containers: Iterable[Container]) -> str:
    """What a further line inside containers begins with; those not begun have no mark yet."""
    return "".join([held.inside for held in containers])
