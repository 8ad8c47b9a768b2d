"""The best run of numbers over a whole document, and which runs are those of titles.

Each number continues an earlier one: 5 after 4, 5a after 5, 5.1 below 5, 5.2 after 5.1 or after a
number below it; A begins annexes. The run with the greatest weight wins, so that one title in a
list of steps or a stray ``3.`` does not mislead the outline. The search is one pass with a table
keyed by number, and takes linear time.
"""

from bisect import bisect
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter
from typing import Final, TypeAlias

from treepack.outline.lines import SEVERAL, Layout
from treepack.outline.numbered import Candidate
from treepack.outline.printed import Key

# The scores were chosen on the unmarked set, together with the weights of the candidates. Twice as
# much or half of each gives the same outlines there.
_NEXT: Final = 0.5  # a number that continues a run, or begins below its last number
_MISSING: Final = -2.0  # one number is missing: 5 after 3, or 3.1 without a printed 3
_FAR: Final = -4.0  # more are, as in a law with repealed parts; or a bare number restarts
_STRONG: Final = 3.0  # the least weight of a bare number that restarts, in appendices

_Option: TypeAlias = tuple[float, "_Node | None"]
_SCORE: Final = itemgetter(0)


@dataclass(slots=True)
class _Node:
    score: float
    key: Key
    candidate: Candidate
    before: "_Node | None"


class _Chains:
    """The best runs up to a candidate."""

    def __init__(self, *, may_restart: bool) -> None:
        self._may_restart = may_restart
        self.best: _Node | None = None
        self._ending_at: dict[Key, _Node] = {}  # the best run that ends at a number
        self._ending_below: dict[Key, _Node] = {}  # the best run that ends at a number or below it

    def add(self, candidate: Candidate) -> None:
        key, weight = candidate.number.key, candidate.weight
        options = self._options(key, weight, is_inserted=candidate.number.is_inserted)
        if not options:
            return
        score, before = max(options, key=_SCORE)
        node = _Node(score + weight, key, candidate, before)
        if key not in self._ending_at or node.score >= self._ending_at[key].score:
            self._ending_at[key] = node
        for depth in range(1, len(key) + 1):
            prefix = key[:depth]
            if prefix not in self._ending_below or node.score >= self._ending_below[prefix].score:
                self._ending_below[prefix] = node
        if self.best is None or node.score > self.best.score:
            self.best = node

    def _options(self, key: Key, weight: float, *, is_inserted: bool) -> list[_Option]:
        """Return the runs that a number can continue, with their scores."""
        last, above = key[-1], key[:-1]
        if isinstance(last, str):
            options: list[_Option] = [(0.0, None), *self._after((chr(ord(last) - 1),), _NEXT)]
            return (
                [*options, (self.best.score, self.best)] if last == "A" and self.best else options
            )
        options = [
            *self._after((*above, last - 1), _NEXT),
            *self._after((*above, last - 2), _MISSING),
        ]
        options += self._after(key, _NEXT) if is_inserted else []  # 39, 39.1 or another 39a
        best, depth = self.best, len(above)
        if best is not None and len(best.key) > depth and best.key[:depth] == above:
            component = best.key[depth]
            if not isinstance(component, str) and component < last:
                options.append((best.score + _FAR, best))
        if above:
            return options + (self._starts_below(above, last) if last <= 1 else [])
        options.append((0.0 if last <= 1 else _FAR, None))
        if last <= 1 and best is not None and (self._may_restart or weight >= _STRONG):
            options.append((best.score + (0.0 if self._may_restart else _FAR), best))
        return options

    def _after(self, key: Key, score: float) -> list[_Option]:
        before = self._ending_below.get(key)
        return [(before.score + score, before)] if before else []

    def _starts_below(self, above: Key, last: int) -> list[_Option]:
        """Return the runs that 3.1 or 3.0 can continue: one up to 3, and one up to 2 or below it.

        The second is possible even if a 3 was printed, because that may be a list item. 3.0 counts
        as a chapter itself.
        """
        parent, first = self._ending_at.get(above), above[0]
        options: list[_Option] = [(parent.score + _NEXT, parent)] if parent else []
        if len(above) == 1 and not isinstance(first, str):
            before = self._after((first - 1,), _MISSING if last else _NEXT)
            options += before or [(_MISSING, None)]
        return options


def best_chain(candidates: Sequence[Candidate], *, may_restart: bool) -> list[Candidate]:
    """Return the candidates of the run with the greatest weight, in order.

    With ``may_restart``, numbers may restart, like Section 1 in each chapter.
    """
    chains = _Chains(may_restart=may_restart)
    for candidate in candidates:
        chains.add(candidate)
    chain: list[Candidate] = []
    node = chains.best
    while node is not None:
        chain.append(node.candidate)
        node = node.before
    return chain[::-1]


# -------------------------------------------------------------------- chains of titles

CONTAINERS: Final = frozenset({"article", "chapter", "part", "book", "title", "annex"})
"""Kinds of words that count on their own: CHAPTER II after CHAPTER I, whatever is between."""
_CARRIERS: Final = frozenset({"article", "chapter"})
"""The kinds whose numbers decimals extend: 3.1 below Chapter 3."""
_LETTER: Final = "letter"
_WORDLESS: Final = frozenset({"", "roman", _LETTER})
"""The words and group names of numbers without a word."""
_LEAST_BETWEEN: Final = 80  # characters from one chapter to the next; steps may have fewer
_LEAST_TITLES: Final = 0.7  # share of such a chain that is on lines of its own


def chains_of_titles(candidates: Sequence[Candidate], layout: Layout) -> list[Candidate]:
    """Return the candidates of a document that belong to a chain of titles, in order."""
    groups = _groups(candidates, are_letters_apart=True)
    nested = _nested({word: best_chain(each, may_restart=True) for word, each in groups.items()})
    groups = groups if nested else _groups(candidates, are_letters_apart=False)
    chains = {
        word: best_chain(group, may_restart=word in nested or word not in _WORDLESS)
        for word, group in groups.items()
    }
    outlines = {word: chain for word, chain in chains.items() if not _is_list(chain, word, layout)}
    accepted: dict[int, Candidate] = {}
    for word, chain in outlines.items():
        if word in nested or _is_regular(chain, word, outlines):
            accepted.update((candidate.line_index, candidate) for candidate in chain)
    last = max(accepted, default=len(layout.lines))
    accepted |= {  # an annex after the last clause needs no second one
        each.line_index: each
        for each in candidates
        if each.number.kind == "annex" and each.role == "title" and each.line_index > last
    }
    return [accepted[index] for index in sorted(accepted)]


def _nested(chains: Mapping[str, Sequence[Candidate]]) -> set[str]:
    """Return the words of bare numbers that restart below each of another chain: I, A, 1."""
    nested = set[str]()
    for word, chain in chains.items():
        restarts = [
            (before.line_index, after.line_index)
            for before, after in pairwise(chain)
            if after.number.key == chain[0].number.key
        ]
        if word not in _WORDLESS or not restarts or len(chain) < SEVERAL:
            continue  # the common case
        for name, other in chains.items():
            lines = [each.line_index for each in other]
            below = [(bisect(lines, before), bisect(lines, after)) for before, after in restarts]
            are_below = all(before < after for before, after in below)
            if name != word and are_below and 2 * len(restarts) + 2 >= len(other) > 1:
                nested |= {word, name}
    return nested


def _groups(
    candidates: Sequence[Candidate], *, are_letters_apart: bool
) -> dict[str, list[Candidate]]:
    """Group candidates that count together: those with the same word, and all bare numbers.

    Decimals extend the numbers of chapters and articles: 3.1 below Chapter 3. Letters are those of
    annexes after bare numbers, unless they count apart.
    """
    groups: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        number = candidate.number
        is_letter = not number.word and isinstance(number.key[0], str) and are_letters_apart
        word = number.word if _is_counted(candidate) else _LETTER if is_letter else ""
        groups[word].append(candidate)
    carriers = [each for each in candidates if _is_counted(each) and each.number.kind in _CARRIERS]
    groups[""] = sorted([*groups[""], *carriers], key=lambda each: each.line_index)
    return groups


def _is_counted(candidate: Candidate) -> bool:
    """Whether a candidate counts with those of its word."""
    number = candidate.number
    if number.word in {"roman", "§"}:
        return True
    is_lettered_annex = isinstance(number.key[0], str) and number.kind == "annex"
    return bool(number.word) and len(number.key) == 1 and not is_lettered_annex


def _is_regular(
    chain: Sequence[Candidate], word: str, chains: Mapping[str, Sequence[Candidate]]
) -> bool:
    """Whether a chain restarts in most of the sections of another, if it restarts at all.

    Chapters and articles may restart anywhere, and so may Chinese sections. For other words, a
    sentence about Section 1 would look like a restart, so there must be a restart in most sections.
    """
    if not chain or word in _WORDLESS or chain[0].number.kind in CONTAINERS:
        return True
    starts = sum(each.number.key == chain[0].number.key for each in chain)
    others = (len(other) for name, other in chains.items() if name not in {word, ""})
    return starts == 1 or any(count < 2 * starts <= 2 * count + 2 for count in others)


def _is_list(chain: Sequence[Candidate], word: str, layout: Layout) -> bool:
    """Whether a chain is not an outline: it is too short, or the steps of a list."""
    has_word = word not in _WORDLESS
    if len(chain) < (2 if has_word else SEVERAL):
        return True
    is_sure = any(each.is_confirmed or len(each.number.key) > 1 for each in chain)
    starts = [layout.lines[each.line_index].start for each in chain]
    gaps = [after - before for before, after in pairwise(starts)]
    if not (word or is_sure) and 2 * sum(gap < _LEAST_BETWEEN for gap in gaps) > len(gaps):
        return True
    if has_word or is_sure or layout.is_legal:
        return False
    is_dense = sum(gaps) < _LEAST_BETWEEN * len(gaps)
    titles = sum(each.role == "title" for each in chain)
    return is_dense or titles < _LEAST_TITLES * len(chain)
