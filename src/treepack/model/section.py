"""The tree of sections: its type, how it is built from blocks, how to find sections in it."""

import hashlib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

from treepack.model.blocks import Block, Count, Heading, Stretch, indexes_of


@dataclass(frozen=True, slots=True)
class OutlineChange:
    """A heading whose level was changed, or a title without markup that was found.

    Attributes:
        line: The heading's line, from 1.
        title: Its plain text.
        old_level: The level in the source, 1 to 6; 0 for a title without markup.
        new_level: The new level, from 1; above 6 if numbers are nested deeper. None if the heading
            is now a paragraph, not a section.
        reason: The reason for the change.
    """

    line: int
    title: str
    old_level: int
    new_level: int | None
    reason: str


_START: Final = attrgetter("start")
_VARIANTS: Final = dict(zip("0123456789abcdef", "89ab" * 4, strict=True))


@dataclass(slots=True, unsafe_hash=True)  # frozen costs four times as much to make
class Section(Stretch):
    """A heading and the content below it; the root has no heading and contains the document.

    It begins with its heading (the root with its first block) and ends after its last
    non-whitespace character, sub-sections included.

    Attributes:
        id: UUID from document name, heading path and occurrence; it does not depend on offsets.
        heading: None only for the root.
        blocks: The section's own content, without the heading.
        sections: The sections directly below.
    """

    id: str
    heading: Heading | None
    blocks: tuple[Block, ...]
    sections: tuple["Section", ...]

    def walk(self) -> Iterator["Section"]:
        """Return an iterator of this section and all below it, in source order."""
        found: list[Section] = [self]
        for section in found:
            found += section.sections
        found.sort(key=attrgetter("start"))  # stable: of equal starts, the outer section is first
        return iter(found)  # faster than a generator, which would be resumed for each section


def build_tree(blocks: Sequence[Block], name: str, count: Count) -> Section:
    """Nest blocks under their headings.

    A heading opens a section that ends before the next heading of the same or a higher level.
    Skipped levels do not create sections, so `#`, `###`, `##` gives two children.
    """
    indexes = indexes_of(Heading, blocks)
    ends = [*indexes, len(blocks)]
    root = _OpenSection(None, tuple(blocks[: ends[0]]))
    path = [root]
    for index, end in zip(indexes, ends[1:], strict=True):
        heading = blocks[index]
        assert isinstance(heading, Heading), "its place is that of a heading"
        while path[-1].level >= heading.level:
            path.pop()
        opened = _OpenSection(heading, tuple(blocks[index + 1 : end]))
        path[-1].sections.append(opened)
        path.append(opened)
    return root.close(("section", name), {}, count)


class _OpenSection:
    """A section that is not complete yet."""

    def __init__(self, heading: Heading | None, blocks: tuple[Block, ...]) -> None:
        self.heading = heading
        self.level = heading.level if heading else 0
        self.blocks = blocks
        self.sections: list[_OpenSection] = []

    def close(
        self, above: tuple[str, ...], seen: dict[tuple[str, ...], int], count: Count
    ) -> Section:
        """Return the finished section, with all sections below it.

        Args:
            above: The path of the section above.
            seen: How often each path has occurred so far.
            count: Counts the tokens of a slice.
        """
        heading, blocks = self.heading, self.blocks
        path = (*above, heading.text) if heading else above
        occurrence = seen.get(path, 0)
        seen[path] = occurrence + 1
        sections = tuple([section.close(path, seen, count) for section in self.sections])
        first: Sequence[Stretch] = (heading,) if heading else blocks or sections
        last = sections or blocks or first
        start, end = (first[0].start, last[-1].end) if first else (0, 0)
        section_id = stable_id(*path, str(occurrence))
        return Section(start, end, count, section_id, heading, blocks, sections)


def stable_id(*parts: str) -> str:
    """Return a UUID that depends only on the parts, in any process and on any machine."""
    # The lengths distinguish ("ab", "c") from ("a", "bc").
    framed = "".join([f"{len(part)}:{part}" for part in parts])
    data = hashlib.sha256(framed.encode("utf-8", "surrogatepass")).hexdigest()
    # The version digit and the two variant bits, as in RFC 9562, 5.5.
    variant = _VARIANTS[data[16]]
    return f"{data[:8]}-{data[8:12]}-5{data[13:16]}-{variant}{data[17:20]}-{data[20:32]}"


def path_to(root: Section, start: int, end: int) -> list[Section]:
    """Return the sections, from the root down, that contain a whole span."""
    path = [root]
    while True:
        children = path[-1].sections
        index = bisect_right(children, start, key=_START) - 1
        if index < 0 or children[index].end < end:
            return path
        path.append(children[index])


def headings(path: Sequence[Section]) -> tuple[str, ...]:
    """Return the headings of a path as plain text, without empty ones."""
    return tuple(s.heading.text for s in path if s.heading and s.heading.text)


def path_to_content(root: Section, start: int, end: int) -> list[Section]:
    """Like `path_to`, but continue into the first sub-section below a heading without content.

    If a span begins with a bare heading and the heading of its first sub-section, and ends in that
    sub-section, then the path ends there too.
    """
    path = path_to(root, start, end)
    while path[-1].start >= start and path[-1].sections and not path[-1].blocks:
        child = path[-1].sections[0]
        if not child.start < end <= child.end:
            break
        path.append(child)
    return path
