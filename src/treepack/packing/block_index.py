"""All sections and blocks of a document in source order, to look up what a span holds."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cache
from itertools import repeat
from operator import attrgetter
from typing import Final

from treepack.document.document import Document
from treepack.model.blocks import Block, ListItem, Table, all_children
from treepack.model.section import Section

_NAMES: Final = {
    **dict.fromkeys(("paragraph", "heading", "link_definition", "front_matter"), "text"),
    "footnote": "text",
    "table": "table",
    "list": "list",
    "code": "code",
    "image": "figure",
    "math": "math",
    "quote": "quote",
    "html": "html",
}
"""The kinds of content that a chunk names, in this order, by the kinds of blocks."""

_ORDER: Final = tuple(dict.fromkeys(_NAMES.values()))
_HOLDER_KINDS: Final = frozenset({"list", "quote", "footnote", "container"})

_START: Final = attrgetter("start")
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
        name = document.source.name
        self._enter(document.root, (name,) if name else ())
        self._starts = list(map(_START, self.top))
        self._ends = list(map(_END, self.top))
        self.tables = _tables_in(self.top)

    def _enter(self, root: Section, above: tuple[str, ...]) -> None:
        """Enter all sections in source order, each with its breadcrumb."""
        waiting = [(root, above)]
        while waiting:
            section, breadcrumb = waiting.pop()
            if section.heading:
                if section.heading.text:
                    breadcrumb = (*breadcrumb, section.heading.text)
                self.top.append(section.heading)
                self._section_starts.append(section.start)
                self._sections.append((section.end, breadcrumb))
            self.top.extend(section.blocks)
            waiting += zip(reversed(section.sections), repeat(breadcrumb), strict=False)

    def whole_sections(self, start: int, end: int) -> tuple[tuple[str, ...], ...]:
        """The breadcrumbs of the whole sections in a span."""
        first = bisect_left(self._section_starts, start)
        after = bisect_left(self._section_starts, end, first)
        return tuple(
            [breadcrumb for stop, breadcrumb in self._sections[first:after] if stop <= end]
        )

    def kinds(self, start: int, end: int) -> tuple[str, ...]:
        """The kinds of content in a span, in a fixed order."""
        first = bisect_right(self._ends, start)
        blocks = self.top[first : bisect_left(self._starts, end, first)]
        found: frozenset[str] = frozenset([block.kind for block in blocks])
        if not found.isdisjoint(_HOLDER_KINDS):
            found = _kinds_within(blocks, start, end)
        return _names_of(found)


@cache
def _names_of(kinds: frozenset[str]) -> tuple[str, ...]:
    names = {_NAMES.get(kind) for kind in kinds}
    return tuple([name for name in _ORDER if name in names])


def _tables_in(blocks: Sequence[Block]) -> list[Table]:
    """All tables of some blocks, in source order."""
    tables: list[Table] = []
    siblings: Sequence[Block | ListItem] = blocks
    while siblings:
        tables += [block for block in siblings if block.kind == "table"]
        siblings = all_children(siblings)
    tables.sort(key=_START)
    return tables


def _kinds_within(blocks: Sequence[Block], start: int, end: int) -> frozenset[str]:
    """The kinds of some blocks, and of what those of them hold that a span has a part of."""
    found: set[str] = set()
    siblings: Sequence[Block | ListItem] = blocks
    while siblings:
        found |= {block.kind for block in siblings}
        inner = all_children(siblings)
        first = bisect_right(inner, start, key=_END)
        siblings = inner[first : bisect_left(inner, end, first, key=_START)]
    return frozenset(found)
