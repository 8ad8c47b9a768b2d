"""Turns run-in clauses into sections, so that packing cuts between them like between sections.

If titles run into the text, headings do not show the tree, but the clauses do. Clause 4 with its
points and further paragraphs is packed like a section, and the breadcrumb of a chunk inside it
names the clause. Such a section has no heading of its own, because its title is part of its text.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from treepack.clauses.clause import Clause, Clauses
from treepack.document.document import Document
from treepack.model.blocks import Block, ListBlock, Paragraph
from treepack.model.section import Section

_COLONS = ":："
_NUMBER = re.compile(
    r"(?:[\s#*_\\>]*)(?P<word>(?:§+|[^\W\d_]{2,}\.?)[ \t\u00a0]+)?"
    r"(?P<number>\d+(?:\.\d+|)*+)(?P<end>\\?[.:]?)"
)


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
    heads = {clause.start: clause for clause in clauses if clause.is_heading}
    (root,) = _Builder(document.text, run_in, heads).rebuilt(document.root)
    names = {start: each.name for each_id in run_in.values() for start, each in each_id.items()}
    return replace(document, root=root), names


@dataclass
class _OpenClause:
    """A section that is not complete yet: a clause, or the blocks after one (clause None)."""

    id: str
    clause: Clause | None
    blocks: list[Block] = field(default_factory=list[Block])
    sections: list["_OpenClause"] = field(default_factory=list["_OpenClause"])

    @property
    def end(self) -> int:
        """The end of its clause; 0 without a clause."""
        return self.clause.end if self.clause else 0

    def closed(self, around: Section) -> Section:
        """Return the finished section, with the token counter of the section around it."""
        sections = tuple(inner.closed(around) for inner in self.sections)
        end = (sections or self.blocks)[-1].end
        start = (self.blocks or sections)[0].start
        return Section(start, end, around.count, self.id, None, tuple(self.blocks), sections)


class _Builder:
    """Rebuilds the tree of one document."""

    def __init__(
        self,
        text: str,
        by_id: Mapping[str, Mapping[int, Clause]],
        heads: Mapping[int, Clause],
    ) -> None:
        self.text = text
        self.by_id = by_id
        self.heads = heads
        self.run_in = {start: clause for each in by_id.values() for start, clause in each.items()}

    def rebuilt(self, section: Section) -> list[Section]:
        """Return a section with sub-sections for its run-in clauses, and siblings that follow it.

        A clause that continues the number of the section's heading becomes a sibling, with all that
        follows. If ``1. Definitions`` is on its own line, and the title of ``2. Grant`` runs into
        the text, no heading ends the first section. But if a sub-section with a heading comes
        later, the section continues, and there are no siblings.
        """
        below = [part for inner in section.sections for part in self.rebuilt(inner)]
        starts = self.by_id.get(section.id)
        first, opened = self._opened(section, starts) if starts else ([*section.blocks], [])
        inside = [*(each.closed(section) for each in opened), *below]
        index = next((n for n, part in enumerate(inside) if self._is_next(section, part)), None)
        if index is None or any(part.heading for part in inside[index:]):
            return [replace(section, blocks=tuple(first), sections=tuple(inside))]
        last = [part for part in (*first[-1:], *inside[:index][-1:], section.heading) if part]
        end = max(part.end for part in last)
        closed = replace(section, end=end, blocks=tuple(first), sections=tuple(inside[:index]))
        return [closed, *inside[index:]]

    def _is_next(self, section: Section, part: Section) -> bool:
        """Whether a part is a run-in clause with the next number after the section's heading."""
        head = self.heads.get(section.start)
        clause = self.run_in.get(part.start) if part.heading is None else None
        if head is None or clause is None or section.heading is None:
            return False
        first = _NUMBER.match(self.text, section.start, section.heading.end)
        second = _NUMBER.match(self.text, clause.start, clause.end)
        if first is None or second is None or clause.parent != head.parent:
            return False
        components, following = first["number"].split("."), second["number"].split(".")
        is_same_word = (first["word"], first["end"]) == (second["word"], second["end"])
        is_same_parent = components[:-1] == following[:-1]
        is_next = int(following[-1]) == int(components[-1]) + 1
        return is_same_word and is_same_parent and is_next

    def _opened(
        self, section: Section, starts: Mapping[int, Clause]
    ) -> tuple[list[Block], list[_OpenClause]]:
        """Return the blocks of a section before its first run-in clause, and the clauses."""
        first: list[Block] = []
        clauses: list[_OpenClause] = []
        path: list[_OpenClause] = []
        for block in self._parts(section.blocks, starts):
            while path and path[-1].end <= block.start:
                path.pop()
            clause = starts.get(block.start)
            if clause is not None and clause.end < block.end:
                clause = None  # the block is a list of clauses with a lead-in
            siblings = path[-1].sections if path else clauses
            if clause is None and not siblings:
                (path[-1].blocks if path else first).append(block)
            elif clause is None and siblings[-1].clause is None:
                siblings[-1].blocks.append(block)
            else:
                opened = _OpenClause(f"{section.id} {block.start}", clause, [block])
                siblings.append(opened)
                if clause is not None:
                    path.append(opened)
        return first, clauses

    def _parts(self, blocks: Sequence[Block], starts: Mapping[int, Clause]) -> Iterator[Block]:
        """Yield the blocks; a list without a lead-in is split at its clauses, see `_items`."""
        before: Block | None = None
        for block in blocks:
            if isinstance(block, ListBlock) and not self._is_led(before):
                yield from self._items(block, starts)
            else:
                yield block
            before = block

    def _items(self, block: ListBlock, starts: Mapping[int, Clause]) -> Iterator[ListBlock]:
        """Yield a list in runs of items; a new run begins with a clause, or after its end."""
        first = 0
        for at in range(1, len(block.items) + 1):
            clause = starts.get(block.items[first].start)
            is_end = at == len(block.items) or block.items[at].start in starts
            if is_end or (clause and clause.end <= block.items[at].start):
                items = block.items[first:at]
                start = block.start if not first else items[0].start
                yield replace(block, start=start, end=items[-1].end, items=items)
                first = at

    def _is_led(self, before: Block | None) -> bool:
        """Whether a lead-in such as "the following:" introduces a list."""
        return isinstance(before, Paragraph) and self.text[before.end - 1] in _COLONS
