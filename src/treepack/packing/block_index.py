"""All sections and blocks of a document in flat lists, to look up what a span holds."""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import chain
from operator import itemgetter
from typing import Final

from treepack.document.document import Document
from treepack.model.blocks import Block, ListBlock, ListItem, Table, children
from treepack.model.section import Section

_KINDS: Final = {
    "text": {"paragraph", "heading", "link_definition", "front_matter", "footnote"},
    "table": {"table"},
    "list": {"list"},
    "code": {"code"},
    "figure": {"image"},
    "math": {"math"},
    "quote": {"quote"},
    "html": {"html"},
}
"""The kinds of content that a chunk names, in this order, each with its kinds of blocks."""

_HOLDERS: Final = frozenset({"quote", "footnote", "container"})
"""The kinds of blocks that have children, besides lists; other blocks are not searched for any."""

_NO_PARENT: Final = -1


class BlockIndex:
    """Sections, headings and blocks, nested ones included, in source order.

    Attributes:
        top: Headings and top-level blocks.
        tables: All tables, nested ones included.
    """

    def __init__(self, document: Document) -> None:
        self.top: list[Block] = []
        self._sections: list[tuple[int, int, tuple[str, ...]]] = []
        for section, breadcrumb in _with_breadcrumbs(document):
            if section.heading:
                self.top.append(section.heading)
                self._sections.append((section.start, section.end, breadcrumb))
            self.top.extend(section.blocks)
        self.tables: list[Table] = []
        # One column for each property of a block; a parent is stored as its number.
        self._starts = array("Q")
        self._ends = array("Q")
        self._kinds: list[str] = []
        self._parents = array("q")
        self._enter(self.top, _NO_PARENT)

    def _enter(self, blocks: Iterable[Block | ListItem], parent: int) -> None:
        starts, ends, kinds, parents = self._starts, self._ends, self._kinds, self._parents
        for block in blocks:
            kind = block.kind
            number = len(kinds)
            starts.append(block.start)
            ends.append(block.end)
            kinds.append(kind)
            parents.append(parent)
            if isinstance(block, ListBlock):  # its items have no kind of their own
                self._enter(chain.from_iterable([item.blocks for item in block.items]), number)
            elif kind in _HOLDERS:
                self._enter(children(block), number)
            elif isinstance(block, Table):
                self.tables.append(block)

    def whole_sections(self, start: int, end: int) -> tuple[tuple[str, ...], ...]:
        """The breadcrumbs of the whole sections in a span."""
        first = bisect_left(self._sections, start, key=itemgetter(0))
        after = bisect_left(self._sections, end, first, key=itemgetter(0))
        return tuple(
            [breadcrumb for _, stop, breadcrumb in self._sections[first:after] if stop <= end]
        )

    def kinds(self, start: int, end: int) -> tuple[str, ...]:
        """The kinds of content in a span, in a fixed order."""
        first = bisect_left(self._starts, start)
        after = bisect_left(self._starts, end, first)
        found = set(self._kinds[first:after])
        number = first - 1
        while number >= 0:  # blocks that begin before the span and reach into it
            if self._ends[number] > start:
                found.add(self._kinds[number])
            number = self._parents[number]
        return tuple([name for name, kinds in _KINDS.items() if not kinds.isdisjoint(found)])


def _with_breadcrumbs(document: Document) -> Iterator[tuple[Section, tuple[str, ...]]]:
    """Each section with its breadcrumb, from the root on, in source order."""
    name = document.source.name
    waiting: list[tuple[Section, tuple[str, ...]]] = [(document.root, (name,) if name else ())]
    while waiting:
        section, breadcrumb = waiting.pop()
        if section.heading and section.heading.text:
            breadcrumb = (*breadcrumb, section.heading.text)
        yield section, breadcrumb
        waiting.extend([(below, breadcrumb) for below in reversed(section.sections)])
