"""Scores of children and parents become one score for each leaf."""

from collections.abc import Mapping

from treepack.retrieval.library import Library


def combined_scores(
    scores: Mapping[str, float], library: Library, parent_weight: float
) -> dict[str, float]:
    """Each candidate leaf with its combined score, best first; equal ones in document order.

    A leaf has its own score plus the weighted one of its parent, which has its own parent's in
    the same way. An index gives only the best. What it did not give is no better than the last one
    that it gave, so the score of that one counts for it. A leaf is a candidate only if itself or
    something above it was given.

    Args:
        scores: What an index gave, leaves and others.
        library: The chunks.
        parent_weight: Times the parent's score.
    """
    leaf_scores = [score for key, score in scores.items() if key not in library.children]
    parent_scores = [score for key, score in scores.items() if key in library.children]
    least_leaf = min(leaf_scores, default=0.0)
    least_parent = min(parent_scores, default=0.0)
    above: dict[str, float] = {}

    def of_parent(key: str | None) -> float:
        if key is None or not parent_scores or not parent_weight:
            return 0.0
        if key not in above:
            own = scores.get(key, least_parent)
            above[key] = own + parent_weight * of_parent(library.by_id[key].parent_id)
        return above[key]

    found: dict[str, float] = {}
    for key in scores:
        for leaf in library.leaves_of(key):
            if leaf not in found:
                own = scores.get(leaf, least_leaf)
                found[leaf] = own + parent_weight * of_parent(library.by_id[leaf].parent_id)
    order = library.order
    return dict(sorted(found.items(), key=lambda pair: (-pair[1], order[pair[0]])))
