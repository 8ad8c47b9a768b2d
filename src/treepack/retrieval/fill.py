"""`fill_context`: fills a context with ranked chunks, within a token budget."""

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from operator import attrgetter
from typing import Final

from treepack.errors import ChunkRecordError
from treepack.model.chunk import Chunk
from treepack.retrieval.choice import Candidates, Extras
from treepack.retrieval.context import Context, ContextPart, Reason
from treepack.retrieval.hits import Hit, combined_scores, read_scores
from treepack.retrieval.library import Library
from treepack.retrieval.writer import write_document
from treepack.tokens import TokenCounter, token_counter

ROUNDS: Final = 6
"""How many choices are tried; the exact count of each corrects the next."""

_ENOUGH: Final = 0.98
"""A context that takes this share of the budget is full."""


def fill_context(  # noqa: PLR0913 - each is an option of its own
    hits: Iterable[Hit] | Mapping[str, float],
    chunks: Iterable[Chunk] | Library,
    budget: int,
    *,
    parent_weight: float = 0.5,
    neighbours: int = 0,
    follow: int = 0,
    definitions: bool = False,
    whole_tables: bool = False,
    encoding: str | TokenCounter = "cl100k_base",
) -> Context:
    r"""Fill a context with the best hits, and put them in document order.

    A child's score is its own plus ``parent_weight`` times its parent's. When a second child of
    a parent is chosen, the rest of the parent is added, if it fits. Without levels there are no
    parents, and the best chunks are taken as they are.

    Args:
        hits: What an index found, children, parents or both: chunks or their ids, best first; or
            these with scores, or records with ``id`` and ``score``; larger scores are better.
        chunks: All chunks of the documents, of all levels; or a `Library` of them, which saves
            time if there are many questions.
        budget: The most tokens of the text.
        parent_weight: The weight of a parent's score. If an index returned only some parents, the
            others get the lowest score of those.
        neighbours: How many chunks before and after each hit are added.
        follow: 1 adds what the hits refer to; 2 also adds what that refers to, and so on.
        definitions: Add the footnotes and link definitions that the hits use.
        whole_tables: Add the other rows of tables that were cut.
        encoding: The encoding whose tokens the budget counts; see `treepack.tokens.token_counter`.

    Raises:
        ValueError: ``budget`` is below 1, another number is below 0, or a number is not finite.
        ChunkRecordError: A hit or a parent is not among the chunks, or an id occurs twice.
        TypeError: ``hits`` or ``chunks`` contain something else.
        TokenizerError: The encoding is unknown.

    >>> from treepack import pack
    >>> chunks = pack("# Valve\n\nOpens at 18 bar.", name="a.md")
    >>> fill_context([chunks[0].id], chunks, budget=50).citations
    ('Valve, lines 1 to 3',)
    """
    _check_numbers(budget, parent_weight, neighbours, follow)
    library = chunks if isinstance(chunks, Library) else Library(chunks)
    scores = read_scores(hits)
    _check_known(scores, library)
    ranked = combined_scores(scores, library, parent_weight)
    extras = Extras(library, neighbours, follow, definitions, whole_tables)
    candidates = Candidates(ranked, extras)
    return _Filler(candidates, budget, token_counter(encoding)).fill()


class _Filler:
    """Searches for a choice whose text fits the budget and fills it."""

    def __init__(self, candidates: Candidates, budget: int, count: TokenCounter) -> None:
        self.candidates = candidates
        self.budget = budget
        self.count: Callable[[str], int] = count
        self.best = Context(text="", token_count=0, budget=budget, parts=())
        self.chosen: Mapping[str, Reason] = {}

    def fill(self) -> Context:
        """Return the fullest context that was found.

        The sizes of chunks are known, but not the size of their joined text, which has fewer paths
        and headers, and in which tokens may join. So the exact count of a choice's text corrects
        the room for the next choice, up to `ROUNDS` choices. As long as no text fits, the room is
        lowered by at least a tenth, even after that.
        """
        room = float(self.budget)
        low, high = 0.0, float("inf")
        tried: list[Mapping[str, Reason]] = []
        while room >= 1 and (len(tried) < ROUNDS or not self.chosen):
            chosen = self.candidates.choose(room)
            if not chosen or chosen in tried:
                break
            tried.append(chosen)
            tokens = self._try_choice(chosen)
            if tokens <= self.budget:
                if tokens >= _ENOUGH * self.budget:
                    break
                low, room = room, room + self.budget - tokens
                room = min(room, (low + high) / 2)
            else:
                high, room = room, min(room * self.budget / tokens, room - 1)
                room = max(room, (low + high) / 2) if self.chosen else min(room, high * 0.9)
        left = [key for key in self.candidates.scores if key not in self.chosen]
        return self.best.model_copy(update={"left_out": tuple(left)})

    def _try_choice(self, chosen: Mapping[str, Reason]) -> int:
        """Write a choice; keep it if it fits and is fuller than the best so far."""
        parts = _write_parts(self.candidates, chosen)
        text = "".join([part.text for part in parts])
        tokens = self.count(text)
        if self.best.token_count < tokens <= self.budget:
            self.best = Context(
                text=text, token_count=tokens, budget=self.budget, parts=tuple(parts), left_out=()
            )
            self.chosen = chosen
        return tokens


def _write_parts(candidates: Candidates, chosen: Mapping[str, Reason]) -> list[ContextPart]:
    library = candidates.library
    ranks = {key: rank for rank, key in enumerate(candidates.scores)}
    in_order = [library.by_id[key] for key in sorted(chosen, key=library.order.__getitem__)]
    documents = [list(leaves) for _, leaves in groupby(in_order, attrgetter("document"))]
    # The document with the best chunk comes first; chunks that were not found are the last.
    documents.sort(key=lambda leaves: min(ranks.get(leaf.id, len(ranks)) for leaf in leaves))
    parts: list[ContextPart] = []
    for leaves in documents:
        parts += write_document(library, leaves, chosen, candidates.scores, is_first=not parts)
    return parts


def _check_numbers(budget: int, parent_weight: float, neighbours: int, follow: int) -> None:
    if budget < 1:
        msg = f"budget is {budget}, but must be at least 1 token"
        raise ValueError(msg)
    numbers = {"parent_weight": parent_weight, "neighbours": neighbours, "follow": follow}
    for name, number in numbers.items():
        if not 0 <= number < float("inf"):
            msg = f"{name} is {number}, but must be a finite number, at least 0"
            raise ValueError(msg)


def _check_known(scores: Mapping[str, float], library: Library) -> None:
    unknown = [key for key in scores if key not in library.by_id]
    if unknown:
        msg = (
            f"{len(unknown)} of {len(scores)} hits are not among the chunks, such as "
            f"{unknown[0]!r}: give the chunks that the index was made from, of all documents and "
            "levels"
        )
        raise ChunkRecordError(msg)
