"""What references may name: the clauses of a document, and the sections with its anchors."""

import html
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from treepack.clauses.clause import Clauses
from treepack.numbers.words import CITED_BY_NUMBER, KIND_OF_WORD, RELATIVE

_EXCLUSIVE: Final = frozenset({*CITED_BY_NUMBER, "regulation"})
"""A clause that names itself by one of these kinds is not cited by another kind."""


class CitedClauses:
    """The clauses of a document by the numbers with which they are cited."""

    def __init__(self, clauses: Clauses) -> None:
        self._clauses = clauses
        self._numbers: defaultdict[str, list[int]] = defaultdict(list)
        self._numbers_of_kinds: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        kinds: list[str] = []  # of each clause: the kind by which it or one around it is cited
        for index, clause in enumerate(clauses):
            is_part = clause.parent is not None and clause.kind in RELATIVE
            kind = clause.kind if clause.kind in _EXCLUSIVE else ""
            kinds.append(kinds[clause.parent or 0] if is_part else kind)
            self._numbers[_key(clause.number)].append(index)
            self._numbers_of_kinds[kinds[-1], _key(clause.number)].append(index)

    def find(
        self, kind: str | None, cited: str, around: Sequence[int], owner: int | None = None
    ) -> tuple[int | None, bool]:
        """Return the index of the clause that is meant, and whether that is the very one cited.

        It is Article 5 if there is no 5(9). It is None if several clauses have the number and none
        of them is nearer than the others: in the owner that is named, or in a clause ``around``.
        """
        number = cited
        while number:
            for key in _keys(kind, number):
                if (index := self._nearest(kind, key, around, owner)) is not None:
                    return index, number == cited
            number = number.rpartition("(")[0] if number.endswith(")") else ""
        return None, False

    def exact(self, number: str) -> int | None:
        """Return the index of the only clause with this number."""
        indexes = self._numbers.get(_key(number), ())
        return indexes[0] if len(indexes) == 1 else None

    def around(self, start: int, end: int) -> list[int]:
        """Return the indexes of the clauses that contain a span, innermost first."""
        chain, index = list[int](), self._clauses.index_at(start, end)
        while index is not None:
            chain.append(index)
            index = self._clauses[index].parent
        return chain

    def _nearest(
        self, kind: str | None, key: str, around: Sequence[int], owner: int | None
    ) -> int | None:
        found = self._numbers.get(key, [])
        if kind in _EXCLUSIVE:  # those that name themselves by this kind, else by no such kind
            named = self._numbers_of_kinds.get((kind, key))
            found = named or self._numbers_of_kinds.get(("", key), [])
        for outer in around if owner is None else [owner]:
            name = self._clauses[outer].number
            inner = self.exact(f"{name} {key}")  # Annex I Section A
            inner = self.exact(name + bracketed(key)) if inner is None and "." in key else inner
            if inner is not None:
                return inner
            # The clauses inside a clause follow it, up to the first that begins after its end.
            after = bisect_left(self._clauses.starts, self._clauses[outer].end)
            low, high = bisect_left(found, outer), bisect_left(found, after)
            if low < high:
                return self._only(found[low], found[high - 1])
        return self._only(found[0], found[-1]) if found and owner is None else None

    def _only(self, first: int, last: int) -> int | None:
        """Return the first of several clauses, unless the last one has another path."""
        return first if self._clauses[first].path == self._clauses[last].path else None


def bracketed(number: str) -> str:
    """Return a number as the part of another one: ``(2)(a)`` for ``2(a)``."""
    first, bracket, rest = number.partition("(")
    return f"({first}){bracket}{rest}" if first else number


@lru_cache(2048)  # numbers recur
def _key(number: str) -> str:
    """Return a number to compare by: ``Appendix A`` becomes ``annex a``."""
    words = number.casefold().split(" ")
    return " ".join([KIND_OF_WORD.get(word.rstrip("."), word) for word in words])


def _keys(kind: str | None, number: str) -> list[str]:
    """Return the keys under which a citation may be found, likeliest first."""
    plain = _key(number)
    if kind is None or kind == "paragraph":
        return [plain]
    if kind == "section":  # "§ 5" keeps its symbol; "Section 5" may be a division or number 5
        return [f"section {plain}", plain]
    is_plain = kind in CITED_BY_NUMBER or kind == "requirement" or "." in number
    return [plain, f"{kind} {plain}"] if is_plain else [f"{kind} {plain}"]


_ANCHOR: Final = re.compile(
    r"""(?:<[A-Za-z][^<>]{0,300}?\s(?:name|id)\s*=\s*["']?([^"'\s<>]{1,200})[^<>]{0,300}>"""
    r"|\{:?[^{}\r\n]{0,200}?\#([\w.:-]{1,200})[^{}\r\n]{0,300}\})"
    r"(?=(?P<after>(?:\s|<[^<>]{0,300}>){0,40}))"
)
_NO_SLUG: Final = re.compile(r"[^\w\- ]")


class SectionPlace(NamedTuple):
    """What is needed of a section; ``heading_end`` is 0 without a heading."""

    start: int
    heading_end: int
    title: str
    id: str


class Places:
    """The sections of a text, by offset and by anchor."""

    def __init__(self, text: str, sections: Sequence[SectionPlace]) -> None:
        self._text = text
        self._sections = sections
        self._starts = [0, *(section.start for section in sections[1:])]

    def section_at(self, offset: int) -> SectionPlace:
        """Return the deepest section that has begun at an offset."""
        return self._sections[bisect_right(self._starts, offset) - 1]

    def anchored(self, name: str) -> SectionPlace | None:
        """Return the section that contains an anchor, or the one whose heading follows it."""
        return self._anchored.get(name) or self._anchored.get(name.casefold())

    @cached_property
    def _anchored(self) -> dict[str, SectionPlace]:
        """The sections by the anchors in the text, the first of a name; else by those of GitHub."""
        found: dict[str, SectionPlace] = {}
        seen: defaultdict[str, int] = defaultdict(int)
        for section in self._sections:
            slug = _NO_SLUG.sub("", section.title.casefold()).replace(" ", "-")
            if section.heading_end:
                found.setdefault(f"{slug}-{seen[slug]}" if seen[slug] else slug, section)
                seen[slug] += 1
        for match in reversed([*_ANCHOR.finditer(self._text)]):
            section, after = self.section_at(match.end()), match.end("after")
            name = html.unescape(match[1] or match[2])
            found[name] = section if match.end() <= section.heading_end else self.section_at(after)
        return found
