"""The hits of an index: reads their scores, and combines those of children and parents."""

import math
from collections.abc import Iterable, Mapping
from functools import cache
from numbers import Real
from typing import Any, Final, Protocol, TypeAlias, cast

from treepack.model.chunk import Chunk
from treepack.retrieval.library import Library

RANK_OFFSET: Final = 60
"""Without a score, a hit gets 1 / (60 + rank): reciprocal rank fusion (Cormack et al., 2009)."""


BEST_FIRST: Final = 3
"""How many leaves come first by their own scores alone.

Chosen on the questions of the benchmark: +.002 [.001, .004] on the mean of four rankers. A leaf
that answers a short question may be in a parent about something else."""


class _Record(Protocol):
    """Anything with an id and a score."""

    @property
    def id(self) -> str: ...
    @property
    def score(self) -> float | None: ...


Hit: TypeAlias = str | Chunk | tuple[str | Chunk, float] | Mapping[str, Any] | _Record
"""A chunk or its id, with or without a score, or a record with ``id`` and ``score``."""


def read_scores(hits: Iterable[Hit] | Mapping[str, float]) -> dict[str, float]:
    """Return the score of each id, in the given order; if an id comes twice, the better score.

    If hits have no scores, each gets a score from its rank.

    Raises:
        TypeError: A hit is not a `Hit`, or only some hits have a score.
        ValueError: A score is not a finite number.
    """
    if isinstance(hits, str):
        msg = f"hits must be a list of ids or of (id, score), not a string: give [{hits!r}]"
        raise TypeError(msg)
    if isinstance(hits, Mapping):
        hits = [*cast("Mapping[str, float]", hits).items()]
    pairs = [_pair(hit) for hit in hits]
    scored = [score is not None for _, score in pairs]
    if any(scored) and not all(scored):
        index = scored.index(False)
        advice = "give a score to all hits or to none"
        msg = f"hit {index} ({pairs[index][0]!r}) has no score, but others do; {advice}"
        raise TypeError(msg)
    scores: dict[str, float] = {}
    for rank, (key, score) in enumerate(pairs, 1):
        value = 1 / (RANK_OFFSET + rank) if score is None else score
        if not math.isfinite(value):
            msg = f"the score of hit {rank - 1} ({key!r}) is {value}, but must be a finite number"
            raise ValueError(msg)
        scores[key] = max(value, scores.get(key, value))
    return scores


def combined_scores(
    scores: Mapping[str, float], library: Library, parent_weight: float
) -> dict[str, float]:
    """Return the combined score of each candidate leaf, best first; equal ones in document order.

    The `BEST_FIRST` leaves with the best scores of their own come before all others.

    A leaf's score is its own plus the weighted score of its parent, which includes that of its own
    parent in the same way. An index returns only the best chunks. A leaf or a parent that it did
    not return cannot be better than the last of its kind, so it gets the lowest score of its kind.
    A leaf is a candidate only if the index returned the leaf itself or a chunk above it.
    """
    leaves = {key: score for key, score in scores.items() if key not in library.children}
    parents = {key: score for key, score in scores.items() if key in library.children}
    lowest_leaf, lowest_parent = (min(each.values(), default=0.0) for each in (leaves, parents))

    @cache
    def parent_score(key: str | None) -> float:
        if key is None:
            return 0.0
        above = parent_score(library.by_id[key].parent_id)
        return parents.get(key, lowest_parent) + parent_weight * above

    def by(values: Mapping[str, float]) -> list[str]:
        in_order = sorted(values, key=library.order.__getitem__)
        return sorted(in_order, key=values.__getitem__, reverse=True)

    combined: dict[str, float] = {}
    for leaf in (leaf for key in scores for leaf in library.leaves_of(key)):
        above = parent_score(library.by_id[leaf].parent_id)
        combined[leaf] = leaves.get(leaf, lowest_leaf) + parent_weight * above
    return {key: combined[key] for key in [*by(leaves)[:BEST_FIRST], *by(combined)]}


def _pair(hit: Any) -> tuple[str, float | None]:  # noqa: ANN401 - checked here
    found: Any
    score: Any
    match hit:
        case str() | Chunk():
            found, score = hit, None
        case (found, score):
            pass
        case {"id": found}:
            score = hit.get("score")
        case _:
            found, score = str(getattr(hit, "id", "")), getattr(hit, "score", None)
    key = found.id if isinstance(found, Chunk) else found
    if not (key and isinstance(key, str) and isinstance(score, Real | None)):
        msg = f"a hit must be an id, (id, score) or a record with id and score, not {hit!r:.80}"
        raise TypeError(msg)
    return key, None if score is None else float(score)
