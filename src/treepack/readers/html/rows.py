"""The rows of a table of an HTML page."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from treepack.readers.html.tree import Element

_GROUPS: Final = frozenset({"thead", "tbody", "tfoot"})


@dataclass(slots=True)
class Row:
    """A row: its cells, and the ``<thead>``, ``<tbody>`` or ``<tfoot>`` around it."""

    element: Element
    cells: list[Element]
    group: Element | None

    @property
    def in_head(self) -> bool:
        """Whether it stands in ``<thead>``."""
        return self.group is not None and self.group.name == "thead"

    @property
    def is_header(self) -> bool:
        """Whether it names columns: it stands in ``<thead>``, or has only ``<th>``."""
        return self.in_head or all(cell.name == "th" for cell in self.cells)


def rows_of(table: Element) -> list[Row]:
    """The rows of a table, those of tables inside left out."""
    found: list[Row] = []
    waiting: list[tuple[Element, Element | None]] = [(table, None)]
    while waiting:
        element, group = waiting.pop()
        if element.name == "tr":
            cells = [c for c in elements_of(element) if c.name in ("td", "th")]
            if cells:
                found.append(Row(element, cells, group))
            continue
        for child in reversed(list(elements_of(element))):
            if child.name in _GROUPS:
                waiting.append((child, child))
            elif child.name == "tr":
                waiting.append((child, group))
    return found


def elements_of(element: Element) -> Iterator[Element]:
    """The elements directly inside."""
    return (child for child in element.children if isinstance(child, Element))
