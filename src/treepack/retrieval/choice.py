"""Chooses the chunks of a context: the best first, with what they bring along."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from treepack.retrieval.context import Reason
from treepack.retrieval.library import Library

COMPLETED_BY: Final = 2
"""When this many children of a parent are chosen, the rest of its children is added."""

_GLUE: Final = 3
"""The approximate number of tokens between two parts."""


@dataclass(frozen=True)
class Candidates:
    """The leaves that may go into a context, with their combined scores, best first.

    ``follow`` and ``whole_tables`` add leaves to a hit; see `treepack.retrieval.fill_context`.
    """

    library: Library
    scores: Mapping[str, float]
    follow: int = 0
    whole_tables: bool = False

    def choose(self, room: float) -> dict[str, Reason]:
        """Choose leaves, each with its reason, whose sizes add up to at most ``room`` tokens."""
        chosen = _Chosen(self.library, room)
        children: Counter[str] = Counter()
        sizes = (self.library.by_id[key].token_count for key in self.scores)
        smallest_size = min(sizes, default=0)
        for key in self.scores:
            if chosen.room < smallest_size:
                break
            if key not in chosen.reasons and not chosen.take([key], "hit"):
                continue
            if chosen.reasons[key] == "hit":
                for reason, leaf in self._added_by(key):
                    chosen.take([leaf], reason)
            parent = self.library.by_id[key].parent_id
            if parent is not None:
                children[parent] += 1
                if children[parent] == COMPLETED_BY:
                    chosen.take(self.library.leaves_of(parent), "rest")
        return chosen.reasons

    def _added_by(self, key: str) -> Iterator[tuple[Reason, str]]:
        """Yield the leaves that a leaf brings along, with reasons: the rest of its tables first.

        What it refers to follows, breadth first, through at most ``follow`` references.
        """
        if self.whole_tables:
            for leaf in self.library.rest_of_tables(self.library.by_id[key]):
                yield "table", leaf
        seen, current = {key}, [key]
        for _ in range(self.follow):
            if not current:
                return
            chunks = [self.library.by_id[leaf] for leaf in current]
            found = [leaf for chunk in chunks for leaf in self.library.targets(chunk)]
            current = [leaf for leaf in dict.fromkeys(found) if leaf not in seen]
            seen.update(current)
            for leaf in current:
                yield "reference", leaf


class _Chosen:
    """Leaves that were taken, and the room that is left, in tokens."""

    def __init__(self, library: Library, room: float) -> None:
        self.library = library
        self.room = room
        self.reasons: dict[str, Reason] = {}
        self._paths: set[tuple[str, ...]] = set()

    def take(self, leaves: Iterable[str], reason: Reason) -> bool:
        """Take all leaves that were not taken yet, or none of them; return whether they fit."""
        new = [self.library.by_id[key] for key in leaves if key not in self.reasons]
        paths = {chunk.breadcrumb: chunk for chunk in new if chunk.breadcrumb not in self._paths}
        size = sum([chunk.token_count for chunk in new])
        for chunk in paths.values():
            size += chunk.embed_token_count - chunk.token_count + _GLUE
        if size > self.room:
            return False
        self.room -= size
        self._paths.update(paths)
        self.reasons.update(dict.fromkeys([chunk.id for chunk in new], reason))
        return True
