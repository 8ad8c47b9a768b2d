"""What a reader would cite a chunk by: its clauses; and what its text refers to."""

from bisect import bisect_left
from collections.abc import Sequence
from operator import attrgetter
from typing import Any, Final

from treepack.clauses.clause import clause_at
from treepack.document.document import Document
from treepack.model.chunk import Reference
from treepack.references.words import LEAD

_START: Final = attrgetter("start")
_NO_CLAUSES: Final = {
    "clause_number": None,
    "clause_path": (),
    "clauses": (),
    "clause_continued": None,
}
_LONGEST_LEAD: Final = 200  # characters of HTML anchors and marks before a label


class Citations:
    """Clauses and references of one document, to look up those of a span.

    Args:
        document: The document.
        with_clauses: Whether the settings ask for them; there are none otherwise.
    """

    def __init__(self, document: Document, *, with_clauses: bool = True) -> None:
        self._text = document.source.text
        self._clauses = document.clauses if with_clauses else ()
        self._references = document.references if with_clauses else ()
        self._reference_starts = [reference.start for reference in self._references]

    def fields(self, start: int, end: int, missing: Sequence[Reference] = ()) -> dict[str, Any]:
        """The fields of the record of a span that say by what it is cited, and what it cites.

        Args:
            start: Where the span begins in the source.
            end: Where it ends.
            missing: References that the record has besides those found in the text.
        """
        references = (*self._references_in(start, end), *missing)
        if not self._clauses:  # most documents
            return _NO_CLAUSES | {"references": references}
        clause = clause_at(self._clauses, start, end)
        first = bisect_left(self._clauses, start, key=_START)
        after = bisect_left(self._clauses, end, key=_START)
        begun = self._clauses[first:after]
        return {
            "clause_number": clause.number if clause else None,
            "clause_path": clause.path if clause else (),
            "clauses": tuple([inner.number for inner in begun]),
            "clause_continued": self._continued(start, begun[0].start if begun else end),
            "references": references,
        }

    def _continued(self, start: int, next_start: int) -> str | None:
        """The clause that goes on where a span begins; anchors before a label belong to it."""
        is_near = next_start - start <= _LONGEST_LEAD
        if is_near and LEAD.fullmatch(self._text, start, next_start):
            return None
        clause = clause_at(self._clauses, start, start + 1)
        return clause.number if clause else None

    def _references_in(self, start: int, end: int) -> tuple[Reference, ...]:
        if not self._references:
            return ()
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
