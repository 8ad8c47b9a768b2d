"""Clauses whose numbers are words: ``ARTICLE TWO``, ``First Schedule``; texts cite them so."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from treepack.clauses.clause import Clause
from treepack.numbers.words import any_word
from treepack.numbers.written_out import value_of

_WORD: Final = r"[^\W\d_]+"


class Named(NamedTuple):
    """A place where a text has the label of a clause.

    Attributes:
        start: Where the label begins, with ``the`` before it.
        span: The label.
        clause: The only clause with this label; None if several have it.
    """

    start: int
    span: tuple[int, int]
    clause: Clause | None


class ClausesInWords:
    """The clauses of one document that have a word and a number in words."""

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self._found: dict[str, list[Clause]] = defaultdict(list)
        for clause in clauses:
            if " " in clause.path[-1] and any(map(value_of, clause.path[-1].split())):
                self._found[_plain(clause.path[-1])].append(clause)

    def __bool__(self) -> bool:
        """Whether there are any; most documents have none."""
        return bool(self._found)

    def named(self, text: str, start: int, end: int) -> Iterator[Named]:
        """Yield where a text has one of their labels: the longest one at each place.

        First words are searched, so that the work does not grow with the number of labels.
        """
        for match in self._first_words.finditer(text, start, end):
            ends = [match.end(name) for name in ("three", "two") if match[name]]
            for after in ends:
                span = match.start("one"), after
                found = self._found.get(_plain(text[slice(*span)]))
                if found:
                    yield Named(match.start(), span, found[0] if len(found) == 1 else None)
                    break

    @cached_property
    def _first_words(self) -> re.Pattern[str]:
        first = any_word({label.partition(" ")[0] for label in self._found})
        return re.compile(
            rf"(?<!\w)(?:[tT](?i:he)\s+)?(?P<one>{first})\s+(?P<two>{_WORD})"
            rf"(?:[ -](?P<three>{_WORD})|)"
        )


def _plain(label: str) -> str:
    return " ".join(label.split()).casefold().removeprefix("the ")
