"""Where the sections of a document lie in its chunks: for the outlines of page and terminal."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from treepack.model.outline_change import OutlineChange
from treepack.report.packings import Packing


@dataclass(frozen=True)
class SectionRow:
    """A section, and the chunks that hold something of it.

    Attributes:
        title: Its heading, as plain text; may be empty.
        depth: Its depth, from 0.
        tokens: Its tokens, sub-sections included.
        first: The position among the leaves of the first chunk that holds it.
        last: The same of the last one.
        fill: The mean size of these chunks, as a share of the target.
        change: What the outline pass made of its heading; None if it is as the source has it.
    """

    title: str
    depth: int
    tokens: int
    first: int
    last: int
    fill: float
    change: OutlineChange | None

    @property
    def is_found(self) -> bool:
        """Whether no mark of the source says that its title is a heading."""
        return self.change is not None and not self.change.old_level


def section_rows(packing: Packing) -> Iterator[SectionRow]:
    """Yield the sections of a packed document in its order; without chunks there are none."""
    starts, document = packing.starts, packing.document
    if not starts:
        return
    up_to = [0, *accumulate(chunk.embed_token_count for chunk in packing.leaves)]
    changes = {change.line: change for change in document.outline_changes}
    waiting = [(section, 0) for section in reversed(document.root.sections)]
    while waiting:
        section, depth = waiting.pop()
        assert section.heading is not None, "only the root has no heading"
        first = max(bisect_right(starts, section.start) - 1, 0)
        last = max(bisect_left(starts, section.end) - 1, first)
        mean = (up_to[last + 1] - up_to[first]) / (last + 1 - first)
        yield SectionRow(
            section.heading.text,
            depth,
            section.tokens,
            first,
            last,
            mean / packing.config.target_tokens,
            changes.get(document.source.line_at(section.start) + 1),
        )
        waiting.extend((below, depth + 1) for below in reversed(section.sections))
