"""All blocks of a document in source order, to look up what a span holds."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from operator import attrgetter
from typing import Final

from treepack.model.blocks import Block, ListItem, all_children
from treepack.model.section import Section

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
        self._starts = list(map(_START, self.top))
        self._ends = list(map(_END, self.top))
        levels = list(_levels(self.top))
        self._levels = [
            (level, list(map(_START, level)), list(map(_END, level))) for level in levels
        ]
        self.tables = [block for block in chain(self.top, *levels) if block.kind == "table"]
        self.tables.sort(key=_START)

    def kinds(self, start: int, end: int) -> tuple[str, ...]:
        """Return the kinds of content in a span, in a fixed order."""
        first = bisect_right(self._ends, start)
        blocks = self.top[first : bisect_left(self._starts, end, first)]
        kinds: frozenset[str] = frozenset([block.kind for block in blocks])
        if not kinds.isdisjoint(_CONTAINER_KINDS):
            for level, starts, ends in self._levels:
                first = bisect_right(ends, start)
                inner = level[first : bisect_left(starts, end, first)]
                if not inner:
                    break
                kinds = kinds.union([block.kind for block in inner])
        return _content_kinds(kinds)


@cache
def _content_kinds(kinds: frozenset[str]) -> tuple[str, ...]:
    names = {_CONTENT_KINDS.get(kind) for kind in kinds}
    return tuple([name for name in _ORDER if name in names])


def _levels(blocks: Sequence[Block | ListItem]) -> Iterator[list[Block | ListItem]]:
    """Yield the children of some blocks, then their grandchildren, and so on, in source order."""
    while blocks := all_children(blocks):
        yield blocks
