"""Clauses whose numbers are words, and their citations: ``ARTICLE TWO``, ``First Schedule``."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from treepack.clauses.clause import Clause
from treepack.numbers.written_out import value_of_words

_WORD: Final = r"[^\W\d_]+"
_THE: Final = re.compile(r"(?<!\w)[tT](?i:he)\s+\Z")
_NEAR: Final = 64  # characters before a label that are searched for it
_SHORT: Final = 1 << 16  # characters that are cheap to copy


class Named(NamedTuple):
    """An occurrence of the label of a clause in a text.

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
        self._clauses_by_label: dict[str, list[Clause]] = defaultdict(list)
        for clause in clauses:
            if " " in clause.path[-1] and any(map(value_of_words, clause.path[-1].split())):
                self._clauses_by_label[_plain(clause.path[-1])].append(clause)

    def __bool__(self) -> bool:
        """Whether there are any; most documents have none."""
        return bool(self._clauses_by_label)

    def named(self, text: str, start: int, end: int) -> Iterator[Named]:
        """Yield where a text has one of their labels: the longest one at each offset.

        Only first words are searched, so the work does not grow with the number of labels.
        """
        if end - start < _SHORT and not self._has_label_word(text[start:end].casefold()):
            return
        for match in self._first_words.finditer(text, start, end):
            label_start = match.start()
            label_ends = [match.end(name) for name in ("three", "two") if match[name]]
            for label_end in label_ends:
                clauses = self._clauses_by_label.get(_plain(text[label_start:label_end]))
                if clauses:
                    the = _THE.search(text, max(start, label_start - _NEAR), label_start)
                    clause = clauses[0] if len(clauses) == 1 else None
                    yield Named(
                        the.start() if the else label_start, (label_start, label_end), clause
                    )
                    break

    def _has_label_word(self, text: str) -> bool:
        """Whether a text has the first or the last word of a label, whichever has fewer forms."""
        for word in self._rarest:  # noqa: SIM110 - runs between all numbers of a text
            if word in text:
                return True
        return False

    @cached_property
    def _rarest(self) -> set[str]:
        first = {label.partition(" ")[0] for label in self._clauses_by_label}
        return min(first, {label.rpartition(" ")[2] for label in self._clauses_by_label}, key=len)

    @cached_property
    def _first_words(self) -> re.Pattern[str]:
        """The pattern of the first words of the labels, with one or two words after each of them.

        A set of first letters is searched many times faster than words.
        """
        rests: dict[str, list[str]] = defaultdict(list)
        for word in sorted({label.partition(" ")[0] for label in self._clauses_by_label}, key=len):
            letter = re.escape(word[0]) + re.escape(word[0].upper())
            rests[letter].insert(0, re.escape(word[1:]))  # the longest first
        letters = "".join(rests)
        first = "|".join(
            f"(?<=[{letter}])(?i:{'|'.join(words)})" for letter, words in rests.items()
        )
        return re.compile(
            rf"[{letters}](?<!\w.)(?:{first})\s+(?P<two>{_WORD})(?:[ -](?P<three>{_WORD})|)"
        )


def _plain(label: str) -> str:
    return " ".join(label.split()).casefold().removeprefix("the ")
