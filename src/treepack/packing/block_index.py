"""All sections and blocks of a document in source order, to look up what a span holds."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, repeat
from operator import attrgetter
from typing import Final

from treepack.document.document import Document
from treepack.model.blocks import Block, ListItem, all_children
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
        self._levels = list(_levels(self.top))
        self.tables = [block for block in chain(self.top, *self._levels) if block.kind == "table"]
        self.tables.sort(key=_START)

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
            for level in self._levels:
                first = bisect_right(level, start, key=_END)
                inner = level[first : bisect_left(level, end, first, key=_START)]
                if not inner:
                    break
                found = found.union([block.kind for block in inner])
        return _names_of(found)


@cache
def _names_of(kinds: frozenset[str]) -> tuple[str, ...]:
    names = {_NAMES.get(kind) for kind in kinds}
    return tuple([name for name in _ORDER if name in names])


def _levels(blocks: Sequence[Block | ListItem]) -> Iterator[list[Block | ListItem]]:
    """What some blocks hold, then what that holds, and so on, each level in source order."""
    while blocks := all_children(blocks):
        yield blocks
