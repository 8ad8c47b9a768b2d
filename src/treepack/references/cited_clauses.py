"""Which clause a citation means; numbers repeat in each annex, and sections in each chapter."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

from treepack.clauses.clause import Clause, Clauses
from treepack.numbers.clause_number import RELATIVE
from treepack.numbers.words import CITED_BY_NUMBER, DIVISIONS, KIND_OF_WORD, ClauseKind

_REPEATED: Final = frozenset({*DIVISIONS, "section", "subsection"})
"""Kinds numbered anew in each division: even if there is one Section 2, another may be meant."""
_EXCLUSIVE: Final = frozenset({*CITED_BY_NUMBER, "regulation"})
"""A clause that names itself by one of these kinds is not cited by another kind."""


class Scope(NamedTuple):
    """Where to look up a citation first.

    Attributes:
        places: Indexes of clauses, nearest first.
        is_named: Whether the citation names the scope itself (``Section 2 of Chapter III``), so
            that no clause outside it can be meant.
    """

    places: tuple[int, ...]
    is_named: bool = False


class CitedClauses:
    """The clauses of one document, indexed by how they are cited."""

    def __init__(self, clauses: Clauses) -> None:
        self._clauses = clauses
        # For each clause: its annex; the kind of the named clause it belongs to; and whether that
        # kind is numbered anew in each division above.
        self._annexes: list[int | None] = []
        self._names: list[ClauseKind] = []
        self._repeated: list[bool] = []
        self._numbers: dict[str, list[int]] = defaultdict(list)
        self._answers: dict[tuple[ClauseKind | None, str], tuple[_Answers, _Answers]] = {}
        self._sure: dict[tuple[ClauseKind | None, str], tuple[int | None, bool] | None] = {}
        # Those in annexes, by their number within the annex.
        self._in_annexes: dict[str, list[int]] = defaultdict(list)
        for place, clause in enumerate(clauses):
            self._add(place, clause)

    def find(
        self, kind: ClauseKind | None, cited: str, scope: Callable[[], Scope]
    ) -> tuple[int | None, bool]:
        """Return the index of the clause that a citation names, and whether it is an exact match.

        Without an exact match, it is the nearest known clause around the cited one, such as Article
        5 for a missing 5(9). The index is None if no clause matches, or if several match and none
        is nearer than the others.

        Args:
            kind: The kind that the citation names.
            cited: The number it names.
            scope: Returns where to look first; called only if the answer depends on it.
        """
        asked = kind, cited
        if asked not in self._sure:
            self._sure[asked] = self._surely(kind, cited)
        if (sure := self._sure[asked]) is not None:
            return sure
        for number in _numbers(cited):
            for key in _keys(kind, number):
                if (place := self._chosen(kind, key, scope)) is not None:
                    return place, number == cited
        return None, False

    def _surely(self, kind: ClauseKind | None, cited: str) -> tuple[int | None, bool] | None:
        """Return the result of `find` if it does not depend on the scope; else None."""
        for number in _numbers(cited):
            for key in _keys(kind, number):
                everywhere, plain = self._known_answers(kind, key)
                places = everywhere.places
                if not places:
                    continue
                is_one = plain.places == places and not places[1:]
                if is_one and not self._repeated[places[0]]:
                    return places[0], number == cited
                return None
        return None, False

    def exact(self, number: str) -> int | None:
        """Return the index of the only clause that is cited with just this number."""
        found = self._known(_key(number))
        return found[0] if len(found) == 1 else None

    def around(self, place: int | None) -> tuple[int, ...]:
        """Return a clause and all clauses around it, innermost first."""
        chain: list[int] = []
        while place is not None:
            chain.append(place)
            place = self._clauses[place].parent
        return tuple(chain)

    def _add(self, place: int, clause: Clause) -> None:
        above, kind, number = clause.parent, clause.kind, clause.number
        annex = place if kind == "annex" else None if above is None else self._annexes[above]
        self._annexes.append(annex)
        if above is not None and kind in RELATIVE:
            self._names.append(self._names[above])
            self._repeated.append(self._repeated[above])
        else:
            self._names.append(kind)
            self._repeated.append(kind in _REPEATED and number[:1] != "§")
        self._numbers[_key(number) if " " in number else number].append(place)
        if annex is None or annex == place:
            return
        inner = number.removeprefix(self._clauses[annex].number)
        if inner.startswith(" "):
            self._in_annexes[_key(inner[1:])].append(place)
        elif kind == "decimal" and inner != number:
            self._in_annexes[clause.path[-1]].append(place)

    def _known(self, key: str) -> Sequence[int]:
        """Return the clauses with a number; if there are none, those that differ only in case."""
        return self._numbers.get(key) or self._folded.get(key.casefold()) or ()

    @cached_property
    def _folded(self) -> dict[str, list[int]]:
        """The clauses by their casefolded numbers."""
        found: dict[str, list[int]] = defaultdict(list)
        for key, places in self._numbers.items():
            found[key.casefold()] += places
        for places in found.values():
            places.sort()
        return found

    def _chosen(self, kind: ClauseKind | None, key: str, scope: Callable[[], Scope]) -> int | None:
        """Return the one of several clauses that is meant: the nearest, or the only one."""
        everywhere, plain = self._known_answers(kind, key)
        places = everywhere.places
        if not places:
            return None
        outer_places, is_named = scope()
        for outer in outer_places:
            # The clauses inside a clause follow it, up to the first that begins after its end.
            after = bisect_left(self._clauses.starts, self._clauses[outer].end)
            low, high = bisect_left(places, outer), bisect_left(places, after)
            if low < high:
                return everywhere.only(low, high)
        return None if is_named else plain.only(0, len(plain.places))

    def _known_answers(self, kind: ClauseKind | None, key: str) -> tuple["_Answers", "_Answers"]:
        asked = (kind if kind in _EXCLUSIVE else None, key)
        if (known := self._answers.get(asked)) is None:
            known = self._answers[asked] = self._answering(*asked)
        return known

    def _answering(self, kind: ClauseKind | None, key: str) -> tuple["_Answers", "_Answers"]:
        """Return all clauses that a citation may mean, and those it may mean from anywhere."""
        plain = self._called(kind, self._known(key))
        inner = self._called(kind, self._in_annexes.get(key, ()))
        return self._in_order([*plain, *inner]), self._in_order(plain)

    def _called(self, kind: ClauseKind | None, places: Sequence[int]) -> list[int]:
        """Return the clauses that name themselves by the cited kind, else by no exclusive kind."""
        if kind is None or not places:
            return list(places)
        named = [place for place in places if self._names[place] == kind]
        return named or [place for place in places if self._names[place] not in _EXCLUSIVE]

    def _in_order(self, places: list[int]) -> "_Answers":
        if not places[1:]:
            return _Answers(places, [0] * len(places))
        places.sort()
        paths = [self._clauses[place].path for place in places]
        changes = [0, *accumulate(one != other for one, other in pairwise(paths))]
        return _Answers(places, changes)


class _Answers(NamedTuple):
    """Clauses with one number in source order, and how often the path changed up to each."""

    places: list[int]
    changes: list[int]

    def only(self, low: int, high: int) -> int | None:
        """Return the first clause of a range if all have the same path, else None."""
        is_one = low < high and self.changes[low] == self.changes[high - 1]
        return self.places[low] if is_one else None


def _key(number: str) -> str:
    """Return a number with its words as kinds: ``Appendix A`` becomes ``annex A``."""
    word, _, rest = number.partition(" ")
    if not rest:
        return number
    return f"{_kind(word)} {' '.join(map(_kind, rest.split(' '))) if ' ' in rest else rest}"


@lru_cache(maxsize=256)
def _kind(word: str) -> str:
    return KIND_OF_WORD.get(word.casefold().rstrip("."), word)


def _numbers(cited: str) -> Iterator[str]:
    """Yield a number and those of the clauses around it: ``5(2)(a)``, ``5(2)``, ``5``."""
    while cited:
        yield cited
        cited = cited.rpartition("(")[0] if cited.endswith(")") else ""


def _keys(kind: ClauseKind | None, number: str) -> list[str]:
    """Return the keys under which a citation may be found, likeliest first."""
    if kind is None or kind in {"decimal", "paragraph"}:
        return [_key(number)]
    if kind == "section":  # "§ 5" keeps its symbol; "Section 5" may be a division or number 5
        return [f"section {number}", number]
    if kind in CITED_BY_NUMBER or kind == "requirement" or "." in number:
        return [number, f"{kind} {number}"]
    return [f"{kind} {number}"]
