"""An outline: sections, and the clauses whose titles run into the text."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from treepack.clauses.clause import Clause
from treepack.document.document import Document, outline_text
from treepack.model.section import Section


class OutlineRow(NamedTuple):
    """A section or a run-in clause.

    Attributes:
        title: The heading as plain text, which may be empty; for a clause, its number and title.
        depth: The depth, from 0.
        node: The section or the clause.
    """

    title: str
    depth: int
    node: Section | Clause


def outline(document: Document, clauses: Sequence[Clause]) -> str:
    """Return `Document.outline` with the clauses whose titles run into the text."""
    rows = outline_rows(document.root, clauses)
    return outline_text(
        document,
        (
            (row.title or "(empty heading)", row.depth, (row.node.start, row.node.end))
            for row in rows
        ),
    )


def outline_rows(root: Section, clauses: Sequence[Clause]) -> Iterator[OutlineRow]:
    """Yield the rows of an outline in the order of the source.

    Args:
        root: The tree of sections.
        clauses: The clauses of the document; if empty, only the sections have rows.
    """
    run_in: dict[str, list[Clause]] = {}
    for clause in clauses:
        if clause.is_run_in:
            run_in.setdefault(clause.section_id, []).append(clause)
    ends = {clause.start: clause.end for clause in clauses if clause.is_heading}
    return _rows([root], run_in, ends)


def _rows(
    path: Sequence[Section], clauses: Mapping[str, Sequence[Clause]], ends: Mapping[int, int]
) -> Iterator[OutlineRow]:
    """Yield the rows of what is inside the last section of a path.

    Args:
        path: The sections from the root down.
        clauses: The run-in clauses by section id.
        ends: The end of each clause that begins with a heading, by its start.
    """
    section, depth = path[-1], len(path) - 1
    above: list[Clause] = []
    for clause in clauses.get(section.id, ()):
        while above and above[-1].end <= clause.start:
            above.pop()
        ended = sum(ends.get(each.start, clause.end) <= clause.start for each in path[1:])
        yield OutlineRow(clause.name, depth + len(above) - ended, clause)
        above.append(clause)
    for child in section.sections:
        assert child.heading is not None, "only the root has no heading"
        yield OutlineRow(child.heading.text, depth, child)
        yield from _rows([*path, child], clauses, ends)
