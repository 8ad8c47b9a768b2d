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
        line_prefix: The prefix of each further line inside.
        delimiter: The last character of the markers of a list's items: one of ``.)-*``.
        label: Text at the beginning of an item's first paragraph.
        next_number: The number of a list's next item.
        block_count: How many blocks were written inside.
        last_delimiter: The ``delimiter`` of the last list written directly inside; empty if other
            blocks were written after it.
    """

    kind: Literal["root", "list", "item", "quote"]
    is_shown: bool = True
    ordered: bool = False
    marker: str = ""
    line_prefix: str = ""
    delimiter: str = ""
    label: Inline = ""
    next_number: int = 1
    block_count: int = 0
    last_delimiter: str = ""


def set_marker(outer: OpenContainer, container: OpenContainer) -> None:
    """Set the marker of a container before its first block is written.

    A list right after another list of its kind gets a different marker, because markdown would
    join them otherwise.
    """
    if container.kind == "list":
        delimiter, alternative = (".", ")") if container.ordered else ("-", "*")
        container.delimiter = alternative if outer.last_delimiter == delimiter else delimiter
        outer.last_delimiter = container.delimiter
    elif container.kind == "quote":
        container.marker = container.line_prefix = "> "
        outer.last_delimiter = ""
    else:
        container.marker = f"{container.marker}{outer.delimiter} "
        container.line_prefix = " " * len(container.marker)


def line_prefix_of(containers: Iterable[OpenContainer]) -> str:
    """Return the prefix of further lines; containers without content add nothing to it yet."""
    return "".join([container.line_prefix for container in containers])
