"""Finds the chunks of sections and run-in clauses, for the outlines of page and terminal."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from treepack.clauses.outline_rows import outline_rows
from treepack.model.outline_change import OutlineChange
from treepack.model.section import Section
from treepack.report_page.packing import Packing


@dataclass(frozen=True)
class SectionRow:
    """A section or a run-in clause, and the chunks that hold something of it.

    Attributes:
        title: Its heading as plain text, which may be empty; for a clause, its number and title.
        depth: Its depth, from 0.
        tokens: Its tokens, sub-sections included.
        first: The index of the first chunk that holds something of it.
        last: The index of the last such chunk.
        fill: The mean size of these chunks, as a share of the target.
        change: What the outline pass changed about its heading; None if it changed nothing.
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
        """Whether its title is a heading without markup in the source."""
        return self.change is not None and not self.change.old_level


def section_rows(packing: Packing) -> Iterator[SectionRow]:
    """Yield the sections and run-in clauses of a packed document in its order.

    Without chunks there are none. If the settings switch clauses off, there are only sections.
    """
    starts, document = packing.starts, packing.document
    if not starts:
        return
    tokens_before = [0, *accumulate(chunk.embed_token_count for chunk in packing.leaves)]
    changes = {change.line: change for change in document.outline_changes}
    for title, depth, part in outline_rows(document.root, packing.clauses):
        first = max(bisect_right(starts, part.start) - 1, 0)
        last = max(bisect_left(starts, part.end) - 1, first)
        mean_tokens = (tokens_before[last + 1] - tokens_before[first]) / (last + 1 - first)
        line = document.source.line_at(part.start) + 1
        yield SectionRow(
            title,
            depth,
            document.tokens.count(part.start, part.end),
            packing.leaves[first].index,
            packing.leaves[last].index,
            mean_tokens / packing.config.target_tokens,
            changes.get(line) if isinstance(part, Section) else None,
        )
