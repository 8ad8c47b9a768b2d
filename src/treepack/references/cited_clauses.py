"""Which clause a citation means; numbers repeat in each annex, and sections in each chapter."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Sequence
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
        indexes: Indexes of clauses, nearest first.
        is_named: Whether the citation names the scope itself (``Section 2 of Chapter III``), so
            that no clause outside it can be meant.
    """

    indexes: tuple[int, ...]
    is_named: bool = False


class CitedClauses:
    """The clauses of one document, indexed by how they are cited."""

    def __init__(self, clauses: Clauses) -> None:
        self._clauses = clauses
        # For each clause: its annex; the kind of the named clause it belongs to; and whether that
        # kind is numbered anew in each division above.
        self._annexes: list[int | None] = []
        self._names: list[ClauseKind] = []
        self._is_repeated: list[bool] = []
        self._numbers: dict[str, list[int]] = defaultdict(list)
        self._matches: dict[tuple[ClauseKind | None, str], tuple[_Matches, _Matches]] = {}
        # The results of `find` that do not depend on the scope.
        self._unscoped: dict[tuple[ClauseKind | None, str], tuple[int, bool]] = {}
        # Those in annexes, by their number within the annex.
        self._in_annexes: dict[str, list[int]] = defaultdict(list)
        for index, clause in enumerate(clauses):
            self._add(index, clause)

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
        if (result := self._unscoped.get((kind, cited))) is not None:
            return result
        nearby: Scope | None = None
        for key, is_exact in _keys(kind, cited):
            everywhere, plain = self._cached_matches(kind, key)
            indexes = everywhere.indexes
            if not indexes:
                continue
            if nearby is None:
                is_single = plain.indexes == indexes and not indexes[1:]
                if is_single and not self._is_repeated[indexes[0]]:
                    result = self._unscoped[kind, cited] = indexes[0], is_exact
                    return result
                nearby = scope()
            if (index := self._nearest(everywhere, plain, nearby)) is not None:
                return index, is_exact
        return None, False

    def exact(self, number: str) -> int | None:
        """Return the index of the only clause that is cited with just this number."""
        indexes = self._with_number(_key(number))
        return indexes[0] if len(indexes) == 1 else None

    def around(self, index: int | None) -> tuple[int, ...]:
        """Return a clause and all clauses around it, innermost first."""
        chain: list[int] = []
        while index is not None:
            chain.append(index)
            index = self._clauses[index].parent
        return tuple(chain)

    def _add(self, index: int, clause: Clause) -> None:
        above, kind, number = clause.parent, clause.kind, clause.number
        annex = index if kind == "annex" else None if above is None else self._annexes[above]
        self._annexes.append(annex)
        if above is not None and kind in RELATIVE:
            self._names.append(self._names[above])
            self._is_repeated.append(self._is_repeated[above])
        else:
            self._names.append(kind)
            self._is_repeated.append(kind in _REPEATED and number[:1] != "§")
        self._numbers[_key(number) if " " in number else number].append(index)
        if annex is None or annex == index:
            return
        inner = number.removeprefix(self._clauses[annex].number)
        if inner.startswith(" "):
            self._in_annexes[_key(inner[1:])].append(index)
        elif kind == "decimal" and inner != number:
            self._in_annexes[clause.path[-1]].append(index)

    def _with_number(self, key: str) -> Sequence[int]:
        """Return the clauses with a number; if there are none, those that differ only in case."""
        return self._numbers.get(key) or self._folded.get(key.casefold()) or ()

    @cached_property
    def _folded(self) -> dict[str, list[int]]:
        """The clauses by their casefolded numbers."""
        folded: dict[str, list[int]] = defaultdict(list)
        for key, indexes in self._numbers.items():
            folded[key.casefold()] += indexes
        for indexes in folded.values():
            indexes.sort()
        return folded

    def _nearest(self, everywhere: "_Matches", plain: "_Matches", scope: Scope) -> int | None:
        """Return the one of several clauses that is meant: the nearest, or the only one."""
        indexes = everywhere.indexes
        for outer in scope.indexes:
            # The clauses inside a clause follow it, up to the first that begins after its end.
            after = bisect_left(self._clauses.starts, self._clauses[outer].end)
            low, high = bisect_left(indexes, outer), bisect_left(indexes, after)
            if low < high:
                return everywhere.only(low, high)
        return None if scope.is_named else plain.only(0, len(plain.indexes))

    def _cached_matches(self, kind: ClauseKind | None, key: str) -> tuple["_Matches", "_Matches"]:
        query = (kind if kind in _EXCLUSIVE else None, key)
        if (matches := self._matches.get(query)) is None:
            matches = self._matches[query] = self._find_matches(*query)
        return matches

    def _find_matches(self, kind: ClauseKind | None, key: str) -> tuple["_Matches", "_Matches"]:
        """Return all clauses that a citation may mean, and those it may mean from anywhere."""
        plain = self._of_kind(kind, self._with_number(key))
        inner = self._of_kind(kind, self._in_annexes.get(key, ()))
        return self._in_order([*plain, *inner]), self._in_order(plain)

    def _of_kind(self, kind: ClauseKind | None, indexes: Sequence[int]) -> list[int]:
        """Return the clauses that name themselves by the cited kind, else by no exclusive kind."""
        if kind is None or not indexes:
            return list(indexes)
        named = [index for index in indexes if self._names[index] == kind]
        return named or [index for index in indexes if self._names[index] not in _EXCLUSIVE]

    def _in_order(self, indexes: list[int]) -> "_Matches":
        if not indexes[1:]:
            return _Matches(indexes, [0] * len(indexes))
        indexes.sort()
        paths = [self._clauses[index].path for index in indexes]
        changes = [0, *accumulate(path != next_path for path, next_path in pairwise(paths))]
        return _Matches(indexes, changes)


class _Matches(NamedTuple):
    """Clauses with one number in source order, and how often the path changed up to each."""

    indexes: list[int]
    changes: list[int]

    def only(self, low: int, high: int) -> int | None:
        """Return the first clause of a range if all have the same path, else None."""
        is_same = low < high and self.changes[low] == self.changes[high - 1]
        return self.indexes[low] if is_same else None


def _key(number: str) -> str:
    """Return a number with its words as kinds: ``Appendix A`` becomes ``annex A``."""
    word, _, rest = number.partition(" ")
    if not rest:
        return number
    return f"{_kind(word)} {' '.join(map(_kind, rest.split(' '))) if ' ' in rest else rest}"


@lru_cache(maxsize=256)
def _kind(word: str) -> str:
    return KIND_OF_WORD.get(word.casefold().rstrip("."), word)


@lru_cache(maxsize=2048)
def _keys(kind: ClauseKind | None, cited: str) -> tuple[tuple[str, bool], ...]:
    """Return the keys of ``5(2)(a)``, then of ``5(2)`` and ``5``, and whether each is exact."""
    keys: list[tuple[str, bool]] = []
    number = cited
    while number:
        keys += [(key, number == cited) for key in _keys_of(kind, number)]
        number = number.rpartition("(")[0] if number.endswith(")") else ""
    return tuple(keys)


def _keys_of(kind: ClauseKind | None, number: str) -> list[str]:
    """Return the keys under which a citation may be found, likeliest first."""
    if kind is None or kind in {"decimal", "paragraph"}:
        return [_key(number)]
    if kind == "section":  # "§ 5" keeps its symbol; "Section 5" may be a division or number 5
        return [f"section {number}", number]
    if kind in CITED_BY_NUMBER or kind == "requirement" or "." in number:
        return [number, f"{kind} {number}"]
    return [f"{kind} {number}"]
