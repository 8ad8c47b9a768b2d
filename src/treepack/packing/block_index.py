"""All sections and blocks of a document in source order, to look up what a span holds."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from operator import attrgetter
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

_HOLDERS: Final = frozenset({"list", "list_item", "quote", "footnote", "container"})
"""The kinds of blocks that have children; other blocks are not searched for any."""

_END: Final = attrgetter("end")


class BlockIndex:
    """Sections, headings and blocks in source order.

    Attributes:
        top: Headings and top-level blocks.
        tables: All tables, nested ones included.
    """

    def __init__(self, document: Document) -> None:
        self.top: list[Block] = []
        self._section_starts: list[int] = []
        self._sections: list[tuple[int, tuple[str, ...]]] = []
        for section, breadcrumb in _with_breadcrumbs(document):
            if section.heading:
                self.top.append(section.heading)
                self._section_starts.append(section.start)
                self._sections.append((section.end, breadcrumb))
            self.top.extend(section.blocks)
        self.tables: list[Table] = []
        self._find_tables(self.top)

    def _find_tables(self, blocks: Sequence[Block | ListItem]) -> None:
        for block in blocks:
            if isinstance(block, Table):
                self.tables.append(block)
            elif isinstance(block, ListBlock):
                for item in block.items:
                    self._find_tables(item.blocks)
            elif block.kind in _HOLDERS:
                self._find_tables(children(block))

    def whole_sections(self, start: int, end: int) -> tuple[tuple[str, ...], ...]:
        """The breadcrumbs of the whole sections in a span."""
        first = bisect_left(self._section_starts, start)
        after = bisect_left(self._section_starts, end, first)
        return tuple(
            [breadcrumb for stop, breadcrumb in self._sections[first:after] if stop <= end]
        )

    def kinds(self, start: int, end: int) -> tuple[str, ...]:
        """The kinds of content in a span, in a fixed order."""
        found: set[str] = set()
        waiting: list[Sequence[Block | ListItem]] = [self.top]
        for blocks in waiting:
            for at in range(bisect_right(blocks, start, key=_END), len(blocks)):
                block = blocks[at]
                if block.start >= end:
                    break
                found.add(block.kind)
                if block.kind in _HOLDERS:
                    waiting.append(children(block))
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
