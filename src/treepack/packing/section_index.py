"""The sections of a document in source order, to find those around an offset without a walk."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from itertools import repeat
from typing import Final

from treepack.model.section import Section

ROOT: Final = 0
"""The number of the section that holds the whole document."""


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

    def around(self, start: int, end: int) -> int:
        """Return the number of the deepest section that holds a whole span."""
        number = max(bisect_right(self._starts, start) - 1, ROOT)
        while number and self.sections[number].end < end:
            number = self.parents[number]
        return number

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
        return tuple(
            [
                breadcrumb
                for section, breadcrumb in zip(
                    self.sections[first:after], self.breadcrumbs[first:after], strict=True
                )
                if section.heading and section.end <= end
            ]
        )
