"""An outline: sections, and the clauses whose titles run into the text."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from treepack.clauses.clause import Clauses
from treepack.clauses.sections import with_clause_sections
from treepack.document.document import Document
from treepack.model.section import Section


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
