"""What a reader would cite of a chunk: its clauses, and where its text refers to."""

from bisect import bisect_left
from operator import attrgetter
from typing import NamedTuple

from treepack.document.clause_walk import clause_at
from treepack.document.tree import Document
from treepack.packing.chunk import Reference


class Cited(NamedTuple):
    """The clause that holds a span, those that begin in it, and the references in it."""

    clause_number: str | None = None
    clause_path: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()


class Citations:
    """Clauses and references of one document, to ask what a span holds."""

    def __init__(self, document: Document) -> None:
        self._clauses = document.clauses
        self._references = document.references

    def of(self, start: int, end: int) -> Cited:
        """What stands in a span of the source."""
        clause = clause_at(self._clauses, start, end)
        first = bisect_left(self._clauses, start, key=attrgetter("start"))
        behind = bisect_left(self._clauses, end, key=attrgetter("start"))
        return Cited(
            clause.number if clause else None,
            clause.path if clause else (),
            tuple(inner.number for inner in self._clauses[first:behind]),
            self._references_in(start, end),
        )

    def _references_in(self, start: int, end: int) -> tuple[Reference, ...]:
        first = bisect_left(self._references, start, key=attrgetter("start"))
        behind = bisect_left(self._references, end, key=attrgetter("start"))
        return tuple(
            Reference.model_construct(
                text=found.text, kind=found.kind, target=found.target, section_id=found.section_id
            )
            for found in self._references[first:behind]
        )


class NoCitations:
    """For settings that want none."""

    def of(self, _start: int, _end: int) -> Cited:
        """Nothing."""
        return Cited()
