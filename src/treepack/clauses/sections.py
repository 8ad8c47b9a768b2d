"""Turns run-in clauses into sections, so that packing cuts between them like between sections.

If titles run into the text, headings do not show the tree, but the clauses do. Clause 4 with its
points and further paragraphs is packed like a section, and the breadcrumb of a chunk inside it
names the clause. Such a section has no heading of its own, because its title is part of its text.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from treepack.clauses.clause import Clause, Clauses
from treepack.clauses.naming import COLONS
from treepack.document.document import Document
from treepack.model.blocks import Block, ListBlock, Paragraph
from treepack.model.section import Section


def with_clause_sections(document: Document, clauses: Clauses) -> tuple[Document, dict[int, str]]:
    """Return the document as it is packed, and what breadcrumbs call the sections without headings.

    Run-in clauses become such sections, and breadcrumbs name the clauses. If none is run-in, the
    document stays as it is. The names are in order of where the sections begin.
    """
    run_in: dict[str, dict[int, Clause]] = {}
    for clause in clauses:
        if clause.is_run_in and clause.start < clause.end:
            run_in.setdefault(clause.section_id, {})[clause.start] = clause
    if not run_in:
        return document, {}
    ends = {clause.start: clause.end for clause in clauses if clause.is_heading}
    (root,) = _rebuilt(document.text, document.root, run_in, ends)
    names = {start: each.name for each_id in run_in.values() for start, each in each_id.items()}
    return replace(document, root=root), names


def _rebuilt(
    text: str,
    section: Section,
    run_in: Mapping[str, Mapping[int, Clause]],
    ends: Mapping[int, int],
) -> list[Section]:
    """Return a section with sub-sections for its run-in clauses, and siblings that follow it.

    Where the clause of the section's heading ends, its siblings begin: ``1. Definitions`` is on
    its own line, and the title of ``2. Grant`` runs into the text. But if a sub-section with a
    heading comes later, the section continues, and there are no siblings. ``run_in`` has the
    clauses by the id of their section and by their start, ``ends`` the ends of those of headings.
    """
    below = [part for inner in section.sections for part in _rebuilt(text, inner, run_in, ends)]
    top = _Part(section.id, None)
    top.add(text, section.blocks, run_in.get(section.id, {}))
    inside = [*(each.closed(section) for each in top.sections), *below]
    end = ends.get(section.start, section.end) if section.heading else section.end
    index = next((n for n, part in enumerate(inside) if part.start >= end), len(inside))
    if index == len(inside) or any(part.heading for part in inside[index:]):
        return [replace(section, blocks=tuple(top.blocks), sections=tuple(inside))]
    last = [part for part in (*top.blocks[-1:], *inside[:index][-1:], section.heading) if part]
    end = max(part.end for part in last)
    sections = tuple(inside[:index])
    return [replace(section, end=end, blocks=tuple(top.blocks), sections=sections), *inside[index:]]


@dataclass
class _Part:
    """A section that is not complete yet: a run-in clause, or the blocks after one (None)."""

    id: str
    clause: Clause | None
    blocks: list[Block] = field(default_factory=list[Block])
    sections: list["_Part"] = field(default_factory=list["_Part"])

    def closed(self, around: Section) -> Section:
        """Return the finished section, with the token counter of the section around it."""
        sections = tuple(inner.closed(around) for inner in self.sections)
        end = (sections or self.blocks)[-1].end
        start = (self.blocks or sections)[0].start
        return Section(start, end, around.count, self.id, None, tuple(self.blocks), sections)

    def add(self, text: str, blocks: Sequence[Block], starts: Mapping[int, Clause]) -> None:
        """Add blocks: first those before the first run-in clause, then the clauses."""
        path: list[_Part] = []
        for block in _split(text, blocks, starts) if starts else blocks:
            while path and path[-1].clause and path[-1].clause.end <= block.start:
                path.pop()
            clause = starts.get(block.start)
            if clause is not None and clause.end < block.end:
                clause = None  # the block is a list of clauses with a lead-in
            around = path[-1] if path else self
            if clause is None and (not around.sections or around.sections[-1].clause is None):
                (around.sections[-1] if around.sections else around).blocks.append(block)
                continue
            around.sections.append(_Part(f"{self.id} {block.start}", clause, [block]))
            path += around.sections[-1:] if clause else []


def _split(text: str, blocks: Sequence[Block], starts: Mapping[int, Clause]) -> Iterator[Block]:
    """Yield the blocks; a list that no lead-in introduces is split at its clauses."""
    before: Block | None = None
    for block in blocks:
        is_led = isinstance(before, Paragraph) and text[before.end - 1] in COLONS
        before = block
        if not isinstance(block, ListBlock) or is_led:
            yield block
            continue
        first = 0
        for at in range(1, len(block.items) + 1):
            clause = starts.get(block.items[first].start)
            is_end = at == len(block.items) or block.items[at].start in starts
            if is_end or (clause and clause.end <= block.items[at].start):
                items = block.items[first:at]
                start = items[0].start if first else block.start
                yield replace(block, start=start, end=items[-1].end, items=items)
                first = at


# -------------------------------------------------------------------- outlines


class OutlineRow(NamedTuple):
    """A section or a run-in clause: its title, which may be empty, and its depth from 0."""

    title: str
    depth: int
    node: Section


def outline_rows(document: Document, clauses: Clauses) -> Iterator[OutlineRow]:
    """Yield the rows of an outline, with those of run-in clauses, in the order of the source."""
    view, names = with_clause_sections(document, clauses)
    return _rows(view.root.sections, names, 0)


def _rows(
    sections: Sequence[Section], names: Mapping[int, str], depth: int
) -> Iterator[OutlineRow]:
    for section in sections:
        title = section.heading.text if section.heading else names.get(section.start)
        if title is not None:  # else it is text after a clause
            yield OutlineRow(title, depth, section)
        yield from _rows(section.sections, names, depth + (title is not None))
