"""Combines the scores of children and parents into one score for each leaf."""

from collections.abc import Mapping

from treepack.retrieval.library import Library


def combined_scores(
    scores: Mapping[str, float], library: Library, parent_weight: float
) -> dict[str, float]:
    """Return the combined score of each candidate leaf, best first; equal ones in document order.

    A leaf's score is its own plus the weighted score of its parent, which includes that of its own
    parent in the same way. An index returns only the best chunks. A leaf or a parent that it did
    not return cannot be better than the last of its kind, so it gets the lowest score of its kind.
    A leaf is a candidate only if the index returned the leaf itself or a chunk above it.

    Args:
        scores: The scores that an index returned, for leaves and other chunks.
        library: The chunks.
        parent_weight: The factor of a parent's score.
    """
    leaf_scores = [score for key, score in scores.items() if key not in library.children]
    parent_scores = [score for key, score in scores.items() if key in library.children]
    lowest_leaf = min(leaf_scores, default=0.0)
    lowest_parent = min(parent_scores, default=0.0)
    known: dict[str, float] = {}

    def parent_score(key: str | None) -> float:
        if key is None or not parent_scores or not parent_weight:
            return 0.0
        if key not in known:
            score = scores.get(key, lowest_parent)
            known[key] = score + parent_weight * parent_score(library.by_id[key].parent_id)
        return known[key]

    combined: dict[str, float] = {}
    for key in scores:
        for leaf in library.leaves_of(key):
            if leaf not in combined:
                score = scores.get(leaf, lowest_leaf)
                combined[leaf] = score + parent_weight * parent_score(library.by_id[leaf].parent_id)
    order = library.order
    return dict(sorted(combined.items(), key=lambda pair: (-pair[1], order[pair[0]])))
