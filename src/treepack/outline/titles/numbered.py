"""Which numbered lines are titles: those of the best chain, unless it is a list of steps."""

from bisect import bisect
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from treepack.outline.titles.candidates import Candidate
from treepack.outline.titles.chain import best_chain
from treepack.outline.titles.layout import TextLayout
from treepack.outline.titles.printed import ORDINAL_CHARACTERS

CONTAINERS: Final = frozenset({"article", "chapter", "part", "book", "title", "annex"})
"""Kinds of words that count on their own: CHAPTER II after CHAPTER I, whatever is between."""
CARRIERS: Final = frozenset({"article", "chapter"})
"""The kinds whose numbers decimals extend: 3.1 below Chapter 3."""

_LETTER: Final = "letter"
_BARE: Final = frozenset({"", "roman", _LETTER})
"""The words and group names of numbers without a word."""
_NUMERAL_LETTERS: Final[Mapping[int | str, str]] = {  # by the value of the numeral
    1: "I", 5: "V", 10: "X", 50: "L", 100: "C",
}  # fmt: skip
_FIRST_KEYS: Final = frozenset({(0,), (1,), ("A",)})  # the numbers that a chain begins with
_FEWEST: Final = 3
_FEWEST_PLAIN: Final = 4
_NEAR_LINES: Final = 2  # lines from one list item to the next
_FEWEST_BETWEEN: Final = 6  # lines between chapters whose numbers have one component
_LEAST_TITLES: Final = 0.7  # share of a chain that is on lines of its own
_LEAST_HELD: Final = 0.7  # share of a word's titles that one chain must hold
_LEAST_PROSE: Final = 0.5


def accepted_candidates(candidates: Sequence[Candidate], layout: TextLayout) -> list[Candidate]:
    """Return the candidates that belong to a chain, in order.

    Args:
        candidates: All candidates of the document.
        layout: What the lines have in common.
    """
    candidates = list(_with_all_letters(candidates))
    groups = _series(candidates, has_annexes=False)
    nested = _nested(groups, layout)
    if not nested:
        groups = _series(candidates, has_annexes=True)
    chains = {word: _chain(group, may_restart=word not in _BARE) for word, group in groups.items()}
    outlines = {word: chain for word, chain in chains.items() if not _is_list(chain, word, layout)}
    outlines |= nested
    if _are_points(outlines.get("", ()), outlines):
        del outlines[""]
    accepted: list[Candidate] = []
    for word, chain in outlines.items():
        chosen = chain if _is_regular(chain, word, outlines) else _unbroken(groups[word])
        if chosen is chain or not _is_list(chosen, word, layout):
            accepted += chosen
    return list(_apart(sorted(set(accepted), key=lambda candidate: candidate.line_index)))


def _apart(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """Yield the candidates that do not begin on a line of the previous one."""
    next_free = 0
    for candidate in candidates:
        if candidate.line_index >= next_free:
            next_free = candidate.line_index + candidate.line_count
            yield candidate


def _chain(group: Sequence[Candidate], *, may_restart: bool) -> list[Candidate]:
    numbers = [(candidate.key, candidate.is_inserted, candidate.weight) for candidate in group]
    return [group[at] for at in best_chain(numbers, may_restart=may_restart)]


def _nested(
    groups: Mapping[str, Sequence[Candidate]], layout: TextLayout
) -> dict[str, list[Candidate]]:
    """Return the chains of bare numbers that restart below another, with that one: I, A, 1."""
    nested: dict[str, list[Candidate]] = {}
    if not any(_may_restart(groups.get(word, ())) for word in _BARE):
        return nested  # the common case
    chains = {word: _chain(group, may_restart=True) for word, group in groups.items()}
    for word, chain in chains.items():
        restarts = word in _BARE and _starts(chain) > 1
        if not restarts or _is_list(chain, word, layout):
            continue
        for name, other in chains.items():
            if name != word and len(other) > 1 and _is_below_each(chain, other):
                nested[word] = chain
                nested[name] = other
    return nested


def _may_restart(group: Sequence[Candidate]) -> bool:
    return sum(candidate.key in _FIRST_KEYS for candidate in group) > 1


def _starts(chain: Sequence[Candidate]) -> int:
    return sum(candidate.key == chain[0].key for candidate in chain)


def _is_below_each(chain: Sequence[Candidate], other: Sequence[Candidate]) -> bool:
    """Whether a chain begins below half of another chain's titles, and hardly anywhere else."""
    line_indexes = [candidate.line_index for candidate in other]
    starts = [bisect(line_indexes, c.line_index) for c in chain if c.key == chain[0].key]
    below = len({start for start in starts if start})
    return 2 * below >= len(other) and len(starts) <= below + 1


def _with_all_letters(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """Yield the candidates; a numeral that continues a letter becomes a letter: I after H."""
    last: dict[str, str] = {}  # the last letter of each word
    for candidate in candidates:
        is_bare = candidate.word in _BARE
        word, (first, *others) = "" if is_bare else candidate.word, candidate.key
        letter = _NUMERAL_LETTERS.get(first, "") if candidate.word and not others else ""
        if letter and word in last and ord(letter) == ord(last[word]) + 1:
            kind = "letter" if is_bare else candidate.kind
            last[word] = letter
            yield replace(candidate, key=(letter,), word=word, kind=kind)
            continue
        if isinstance(first, str):
            last[word] = first
        yield candidate


def _series(candidates: Sequence[Candidate], *, has_annexes: bool) -> dict[str, list[Candidate]]:
    """Group candidates that count together: those with the same word, and all bare numbers.

    Letters form their own group, unless they are the numbers of annexes after numbered sections.
    """
    groups: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        has_own_word = _is_counted(candidate)
        is_letter = not (has_annexes or candidate.word) and isinstance(candidate.key[0], str)
        groups[candidate.word if has_own_word else _LETTER if is_letter else ""].append(candidate)
    carriers = [c for c in candidates if _is_counted(c) and c.kind in CARRIERS]
    if carriers and _may_continue_words(groups[""]):
        groups[""] = sorted([*groups[""], *carriers], key=lambda candidate: candidate.line_index)
    return groups


def _may_continue_words(bare: Sequence[Candidate]) -> bool:
    """Whether bare numbers may continue Chapter 3: 3.1 does, letters may, 3 counts on its own."""
    is_deep = any(len(candidate.key) > 1 for candidate in bare)
    return is_deep or all(isinstance(candidate.key[0], str) for candidate in bare)


def _is_counted(candidate: Candidate) -> bool:
    if candidate.word in {"roman", "§"}:
        return True
    is_annex = isinstance(candidate.key[0], str) and candidate.kind == "annex"
    return bool(candidate.word) and len(candidate.key) == 1 and not is_annex


def _is_regular(
    chain: Sequence[Candidate], word: str, chains: Mapping[str, Sequence[Candidate]]
) -> bool:
    """Whether a chain restarts in most of the sections of another, if it restarts at all.

    Chapters and articles may restart anywhere, and so may Chinese sections. For other words, a
    sentence about Section 1 would look like a restart, so there must be a restart in most sections.
    """
    if word in _BARE or chain[0].kind in CONTAINERS or word[0] in ORDINAL_CHARACTERS:
        return True
    starts = _starts(chain)
    others = (len(other) for name, other in chains.items() if name not in {word, ""})
    return starts == 1 or any(count < 2 * starts <= 2 * count + 2 for count in others)


def _are_points(chain: Sequence[Candidate], outlines: Mapping[str, Sequence[Candidate]]) -> bool:
    """Whether numbers are points in a section with a word: 1. to 6. in Section 2.

    They have one component. One of them may be on a line of its own, above its own points, and look
    like a title.
    """
    if not chain or any(len(candidate.key) > 1 or candidate.is_confirmed for candidate in chain):
        return False
    titles = sum(candidate.role == "title" for candidate in chain)
    return titles < _LEAST_TITLES * len(chain) and any(
        len(other) >= _FEWEST and other[0].line_index < chain[0].line_index
        for word, other in outlines.items()
        if word not in _BARE
    )


def _unbroken(group: Sequence[Candidate]) -> list[Candidate]:
    """Return the best chain without a restart, if it holds most of the titles."""
    chain = _chain(group, may_restart=False)
    titles = sum(candidate.role == "title" for candidate in group)
    return chain if len(chain) >= _LEAST_HELD * titles else []


def _is_list(chain: Sequence[Candidate], word: str, layout: TextLayout) -> bool:
    """Whether a chain is not an outline: it is too short, or the steps of a list."""
    has_word = word not in _BARE
    if len(chain) < _FEWEST and not (has_word and len(chain) > 1):
        return True
    line_numbers = [layout.line_numbers[candidate.line_index] for candidate in chain]
    gaps = [after - before for before, after in pairwise(line_numbers)]
    near = sum(gap <= _NEAR_LINES for gap in gaps) / max(len(gaps), 1)
    is_deep = any(len(candidate.key) > 1 for candidate in chain)
    is_sure = any(candidate.is_confirmed for candidate in chain)
    if near > 0.5 and not is_deep and not is_sure:  # noqa: PLR2004 - most
        return True
    if is_deep or has_word or is_sure or layout.is_legal:
        return False
    titles = sum(candidate.role == "title" for candidate in chain)
    return (
        len(chain) < _FEWEST_PLAIN
        or layout.prose < _LEAST_PROSE
        or sum(gaps) / len(gaps) < _FEWEST_BETWEEN
        or titles < _LEAST_TITLES * len(chain)
    )
