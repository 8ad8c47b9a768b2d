"""Clauses whose numbers are words: ``ARTICLE TWO``, ``First Schedule``; texts cite them so."""

import re
from collections import defaultdict
from collections.abc import Sequence

from treepack.clauses.clause import Clause
from treepack.numbers.written_out import value_of


class ClausesInWords:
    """The clauses of one document that have a word and a number in words.

    Attributes:
        pattern: Finds their labels in a text; None if there are none, as in most documents.
    """

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self._found: dict[str, list[Clause]] = defaultdict(list)
        for clause in clauses:
            if " " in clause.path[-1] and any(map(value_of, clause.path[-1].split())):
                self._found[_plain(clause.path[-1])].append(clause)
        labels = (r"\s+".join(map(re.escape, label.split())) for label in self._found)
        self.pattern = (
            re.compile(rf"(?<!\w)(?:the\s+)?(?P<label>{'|'.join(labels)})(?!\w)", re.IGNORECASE)
            if self._found
            else None
        )

    def clause(self, label: str) -> Clause | None:
        """Return the only clause with a label; None if several have it."""
        found = self._found.get(_plain(label), [])
        return found[0] if len(found) == 1 else None


def _plain(label: str) -> str:
    return re.sub(r"^the ", "", " ".join(label.split()).casefold())
