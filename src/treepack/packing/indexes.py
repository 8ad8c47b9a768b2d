"""Sections and blocks in source order: what holds a span, and what it holds, without a walk."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain, repeat
from operator import attrgetter
from typing import Final

from treepack.model.blocks import Block, ListItem, all_children
from treepack.model.section import Section

ROOT: Final = 0
"""The number of the section that holds the whole document."""
_CONTENT_KINDS: Final = {
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
"""Maps kinds of blocks to the kinds of content that a chunk lists, in this order."""
_ORDER: Final = tuple(dict.fromkeys(_CONTENT_KINDS.values()))
_CONTAINER_KINDS: Final = frozenset({"list", "quote", "footnote", "container"})
_START: Final = attrgetter("start")
_END: Final = attrgetter("end")


class SectionIndex:
    """The sections of a tree, numbered in source order.

    Args:
        root: The root of the tree.
        name: The document's name; may be empty.
        names: What the sections without headings are called, by where they begin.

    Attributes:
        sections: The sections.
        parents: For each section, the number of its parent; the root is its own parent.
        breadcrumbs: For each section, its breadcrumb: the document's name and the headings.
    """

    def __init__(self, root: Section, name: str, names: Mapping[int, str]) -> None:
        self.sections: list[Section] = []
        self.parents: list[int] = []
        self.breadcrumbs: list[tuple[str, ...]] = []
        top: tuple[str, ...] = (name,) if name else ()
        waiting: list[tuple[Section, int, tuple[str, ...]]] = [(root, ROOT, top)]
        while waiting:
            section, parents, breadcrumbs = waiting.pop()
            number = len(self.sections)
            title = section.heading.text if section.heading else names.get(section.start)
            if title and (number or section.heading):
                breadcrumbs = (*breadcrumbs, title)
            self.sections.append(section)
            self.parents.append(parents)
            self.breadcrumbs.append(breadcrumbs)
            if section.sections:
                waiting += zip(reversed(section.sections), repeat(number), repeat(breadcrumbs))
        self._starts = [section.start for section in self.sections]

    def breadcrumb(self, start: int, end: int) -> tuple[str, ...]:
        """Return the breadcrumb of the deepest section that holds a whole span."""
        number = max(bisect_right(self._starts, start) - 1, ROOT)
        while number and self.sections[number].end < end:
            number = self.parents[number]
        return self.breadcrumbs[number]

    def before(self, start: int) -> int:
        """Return the number of the deepest section around ``start`` whose heading comes before it.

        A heading that is cut is not above its own second half.
        """
        number = max(bisect_left(self._starts, start) - 1, ROOT)
        while number and self.sections[number].end <= start:
            number = self.parents[number]
        heading = self.sections[number].heading
        return self.parents[number] if heading and heading.end > start else number

    def whole(self, start: int, end: int) -> tuple[tuple[str, ...], ...]:
        """Return the breadcrumbs of the sections that lie completely in a span."""
        first = bisect_left(self._starts, start)
        after = bisect_left(self._starts, end, first)
        if first == after:
            return ()  # the common case
        sections = enumerate(self.sections[first:after], first)
        whole = [at for at, section in sections if section.heading and section.end <= end]
        return tuple([self.breadcrumbs[at] for at in whole])


class BlockIndex:
    """Headings and blocks in source order.

    Args:
        sections: The document's sections, in source order.

    Attributes:
        top: Headings and top-level blocks.
        tables: All tables, nested ones included.
    """

    def __init__(self, sections: Iterable[Section]) -> None:
        self.top: list[Block] = []
        for section in sections:
            if section.heading:
                self.top.append(section.heading)
            self.top += section.blocks
        self._levels: list[tuple[list[Block | ListItem], list[int], list[int]]] = []
        level: list[Block | ListItem] = [*self.top]
        while level:
            starts, ends = ([*map(edge, level)] for edge in (_START, _END))
            self._levels.append((level, starts, ends))
            level = all_children(level)
        blocks = chain.from_iterable(level for level, *_ in self._levels)
        self.tables = sorted([each for each in blocks if each.kind == "table"], key=_START)

    def kinds(self, start: int, end: int) -> tuple[str, ...]:
        """Return the kinds of content in a span, in a fixed order."""
        kinds: frozenset[str] = frozenset()
        for level, starts, ends in self._levels:
            first = bisect_right(ends, start)
            inner = level[first : bisect_left(starts, end, first)]
            kinds = kinds.union([block.kind for block in inner])
            if not inner or kinds.isdisjoint(_CONTAINER_KINDS):
                break
        return _content_kinds(kinds)


@cache
def _content_kinds(kinds: frozenset[str]) -> tuple[str, ...]:
    names = {_CONTENT_KINDS.get(kind) for kind in kinds}
    return tuple([name for name in _ORDER if name in names])
