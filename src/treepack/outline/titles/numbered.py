"""Which numbered lines are titles: those of the best chain, if it is no list of steps."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from treepack.outline.titles.candidates import Candidate
from treepack.outline.titles.chain import best_chain
from treepack.outline.titles.lines import Page

CONTAINERS: Final = frozenset({"article", "chapter", "part", "book", "title", "annex"})
"""Kinds of words that count for themselves: CHAPTER II after CHAPTER I, whatever is between."""
SECTIONS: Final = frozenset({"section", "subsection"})
CARRIERS: Final = frozenset({"article", "chapter"})
"""Those that decimals go on from: 3.1 below Chapter 3."""

_FEWEST: Final = 3
_FEWEST_PLAIN: Final = 4
_NEAR_LINES: Final = 2  # items of a list follow each other
_FEWEST_BETWEEN: Final = 6  # lines between chapters with a number of one step
_TITLES: Final = 0.7  # share of a chain that stands on lines of its own
_THROUGH: Final = 0.7  # share of the titles of a word that its chain holds
_PROSE: Final = 0.5


def accepted(candidates: Sequence[Candidate], lines: Sequence[int], page: Page) -> list[Candidate]:
    """The candidates that belong to a chain, in order.

    Args:
        candidates: All of the document.
        lines: The number of each line in the text, by its place.
        page: What the lines have in common.
    """
    found: list[Candidate] = []
    for word, group in _series(candidates).items():
        numbers = [(c.key, c.weight) for c in group]
        restarts = word not in {"", "roman"} and group[0].kind in CONTAINERS
        chain = [group[at] for at in best_chain(numbers, may_restart=restarts)]
        if not _is_list(chain, word, lines, page) and not _is_broken(chain, group):
            found += chain
    return sorted(set(found), key=lambda candidate: candidate.at)


def _series(candidates: Sequence[Candidate]) -> dict[str, list[Candidate]]:
    """Candidates that count on together: those of a word, and all bare numbers."""
    found: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        own = _is_container(candidate)
        found[candidate.word if own else ""].append(candidate)
    carriers = [c for c in candidates if _is_container(c) and c.kind in CARRIERS]
    if carriers:
        found[""] = sorted([*found[""], *carriers], key=lambda candidate: candidate.at)
    return found


def _is_container(candidate: Candidate) -> bool:
    if candidate.word in {"roman", "§"}:
        return True
    is_counted = len(candidate.key) == 1 and not isinstance(candidate.key[0], str)
    return candidate.kind in CONTAINERS | SECTIONS and is_counted and bool(candidate.word)


def _is_broken(chain: Sequence[Candidate], group: Sequence[Candidate]) -> bool:
    """Whether sections do not run through: where they begin anew, their chain tells nothing."""
    if not chain or chain[0].kind not in SECTIONS or not chain[0].word:
        return False
    titles = sum(candidate.role == "title" for candidate in group)
    return chain[0].word != "§" and len(chain) < _THROUGH * titles


def _is_list(chain: Sequence[Candidate], word: str, lines: Sequence[int], page: Page) -> bool:
    """Whether a chain is no outline: too short, or the steps of a list."""
    has_word = word not in {"", "roman"}
    if len(chain) < _FEWEST and not (has_word and len(chain) > 1):
        return True
    places = [lines[candidate.at] for candidate in chain]
    gaps = [after - before for before, after in pairwise(places)]
    near = sum(gap <= _NEAR_LINES for gap in gaps) / max(len(gaps), 1)
    is_deep = any(len(candidate.key) > 1 for candidate in chain)
    is_sure = any(candidate.is_sure for candidate in chain)
    if near > 0.5 and not is_deep and not is_sure:  # noqa: PLR2004 - most
        return True
    if is_deep or has_word or is_sure or page.is_legal:
        return False
    titles = sum(candidate.role == "title" for candidate in chain)
    return (
        len(chain) < _FEWEST_PLAIN
        or page.prose < _PROSE
        or sum(gaps) / len(gaps) < _FEWEST_BETWEEN
        or titles < _TITLES * len(chain)
    )
