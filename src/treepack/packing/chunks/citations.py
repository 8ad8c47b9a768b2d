"""What a reader would cite a chunk by: its clauses; and what its text refers to."""

from bisect import bisect_left
from operator import attrgetter
from typing import Final, NamedTuple

from treepack.clauses.clause import clause_at
from treepack.document.document import Document
from treepack.model.chunk import Reference
from treepack.references.words import LEAD

_START: Final = attrgetter("start")
_LONGEST_LEAD: Final = 200  # characters of HTML anchors and marks before a label


class Cited(NamedTuple):
    """The clause that holds a span, those that begin in it, and the references in it.

    ``clause_continued`` is the clause that goes on at the beginning of the span; None if the span
    begins with a clause, or outside any clause.
    """

    clause_number: str | None = None
    clause_path: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    clause_continued: str | None = None
    references: tuple[Reference, ...] = ()


class Citations:
    """Clauses and references of one document, to look up those of a span."""

    def __init__(self, document: Document) -> None:
        self._text = document.source.text
        self._clauses = document.clauses
        self._references = document.references
        self._reference_starts = [reference.start for reference in self._references]

    def of(self, start: int, end: int) -> Cited:
        """The clauses and references of a span of the source."""
        references = self._references_in(start, end) if self._references else ()
        if not self._clauses:  # most documents
            return Cited(references=references)
        clause = clause_at(self._clauses, start, end)
        first = bisect_left(self._clauses, start, key=_START)
        after = bisect_left(self._clauses, end, key=_START)
        begun = self._clauses[first:after]
        return Cited(
            clause.number if clause else None,
            clause.path if clause else (),
            tuple([inner.number for inner in begun]),
            self._continued(start, begun[0].start if begun else end),
            references,
        )

    def _continued(self, start: int, next_start: int) -> str | None:
        """The clause that goes on where a span begins; anchors before a label belong to it."""
        is_near = next_start - start <= _LONGEST_LEAD
        if is_near and LEAD.fullmatch(self._text, start, next_start):
            return None
        clause = clause_at(self._clauses, start, start + 1)
        return clause.number if clause else None

    def _references_in(self, start: int, end: int) -> tuple[Reference, ...]:
        first = bisect_left(self._reference_starts, start)
        after = bisect_left(self._reference_starts, end, first)
        return tuple(
            [
                Reference.trusted(
                    text=found.text,
                    kind=found.kind,
                    target=found.target,
                    section_id=found.section_id,
                )
                for found in self._references[first:after]
            ]
        )


class NoCitations:
    """Used when the settings ask for no clauses."""

    def of(self, _start: int, _end: int) -> Cited:
        """No clauses and no references."""
        return Cited()
