"""All blocks of a document in one list, to ask what a span holds."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from typing import Final

from treepack.document.blocks import Block, ListItem, Table, children
from treepack.document.tree import Document

_KINDS: Final = {
    "paragraph": "text",
    "heading": "text",
    "link_definition": "text",
    "front_matter": "text",
    "footnote": "text",
    "table": "table",
    "list": "list",
    "code": "code",
    "image": "figure",
    "math": "math",
    "quote": "quote",
    "html": "html",
}
_HOLDERS: Final = frozenset({"list", "list_item", "quote", "footnote", "container"})
"""The kinds that have children: most blocks have none, and are not asked for them."""

_ORDER: Final = tuple(dict.fromkeys(_KINDS.values()))


class Inventory:
    """Headings and blocks, nested ones included, in source order.

    Attributes:
        top: Headings and top-level blocks.
        tables: All tables, nested ones included.
    """

    def __init__(self, document: Document) -> None:
        self.top: list[Block] = []
        for section in document.root.walk():
            if section.heading:
                self.top.append(section.heading)
            self.top.extend(section.blocks)
        self.tables: list[Table] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._kinds: list[str | None] = []
        self._parents: list[int] = []
        self._enter(self.top, -1)

    def _enter(self, blocks: Iterable[Block | ListItem], parent: int) -> None:
        for block in blocks:
            self._starts.append(block.start)
            self._ends.append(block.end)
            self._kinds.append(_KINDS.get(block.kind))
            self._parents.append(parent)
            if block.kind in _HOLDERS:
                self._enter(children(block), len(self._starts) - 1)
            elif isinstance(block, Table):
                self.tables.append(block)

    def kinds(self, start: int, end: int) -> tuple[str, ...]:
        """The kinds of content in a span, in a fixed order."""
        found = set(self._kinds[bisect_left(self._starts, start) : bisect_left(self._starts, end)])
        found.update(self._kinds[number] for number in self._around(start))
        return tuple(kind for kind in _ORDER if kind in found)

    def _around(self, offset: int) -> Iterator[int]:
        """The blocks that begin before an offset and go on behind it."""
        number = bisect_right(self._starts, offset) - 1
        while number >= 0:
            if self._ends[number] > offset:
                yield number
            number = self._parents[number]
