"""`fill_context`: ranked chunks become a context within a token budget."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final

from treepack.errors import ChunkRecordError
from treepack.model.chunk import Chunk
from treepack.retrieval.choice import Candidates, Extras
from treepack.retrieval.context import Context, ContextPart, Reason
from treepack.retrieval.hits import Hit, read_scores
from treepack.retrieval.library import Library, by_document, in_order, library_of
from treepack.retrieval.ranking import combined_scores
from treepack.retrieval.writer import write_document
from treepack.tokens import TokenCounter, token_counter

ROUNDS: Final = 6
"""How often a choice is corrected by its exact count."""

_ENOUGH: Final = 0.98
"""A context of this share of the budget is full."""


def fill_context(  # noqa: PLR0913 - the options of a call
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
    r"""Fill a context with what was found, best first, and put it in document order.

    A child's score is its own plus ``parent_weight`` times its parent's. When a second child of
    a parent comes up, the rest of the parent comes with it, if it fits. Without levels there are
    no parents, and the best chunks are taken as they are.

    Args:
        hits: What an index found, children, parents or both: chunks or their ids, best first; or
            these with scores, or records with ``id`` and ``score``; larger scores are better.
        chunks: All chunks of the documents, of all levels; or a `Library` of them, which saves
            time where it serves many questions.
        budget: Most tokens of the text.
        parent_weight: How much a parent's score counts beside its child's. If an index gave some
            parents and not others, the others count as the last of those given.
        neighbours: So many chunks before and after each that was found come with it.
        follow: 1 to bring in what the chunks refer to; 2 for what that refers to, and so on.
        definitions: Bring in the footnotes and link definitions that the chunks use.
        whole_tables: Bring in the other rows of tables that were cut.
        encoding: Whose tokens the budget counts; see `treepack.token_counter`.

    Raises:
        ValueError: ``budget`` is below 1, another number is below 0, or a score is not finite.
        ChunkRecordError: A hit is none of the chunks, or they miss a parent.
        TypeError: ``hits`` or ``chunks`` hold something else.
        TokenizerError: The encoding is unknown.

    >>> from treepack import pack
    >>> chunks = pack("# Valve\n\nOpens at 18 bar.", name="a.md")
    >>> fill_context([chunks[0].id], chunks, budget=50).citations
    ('a.md > Valve, lines 1-3',)
    """
    _check_numbers(budget, parent_weight, neighbours, follow)
    library, scores = library_of(chunks), read_scores(hits)
    _check_known(scores, library)
    ranked = combined_scores(scores, library, parent_weight)
    extras = Extras(library, neighbours, follow, definitions, whole_tables)
    candidates = Candidates(library, ranked, extras)
    return _Filler(candidates, budget, token_counter(encoding)).fill()


class _Filler:
    """Looks for a choice whose text fits the budget and fills it."""

    def __init__(self, candidates: Candidates, budget: int, count: TokenCounter) -> None:
        self.candidates = candidates
        self.budget = budget
        self.count: Callable[[str], int] = count
        self.best = Context(text="", token_count=0, budget=budget, parts=())
        self.chosen: Mapping[str, Reason] = {}

    def fill(self) -> Context:
        """The fullest context that was found.

        The sizes of chunks are known, but not those of their text together: it has fewer paths
        and headers, and its tokens may join. So the room for the choice is corrected by the exact
        count of its text, at most `ROUNDS` times; if nothing fits by then, it is halved until
        something does.
        """
        room = float(self.budget)
        low, high = 0.0, float("inf")
        tried: list[Mapping[str, Reason]] = []
        while room >= 1 and (len(tried) < ROUNDS or not self.chosen):
            chosen = self.candidates.choose(room)
            if not chosen or chosen in tried:
                break
            tried.append(chosen)
            tokens = self._try(chosen)
            if tokens <= self.budget:
                if tokens >= _ENOUGH * self.budget:
                    break
                low, room = room, room + self.budget - tokens
                room = min(room, (low + high) / 2)
            else:
                high, room = room, min(room * self.budget / tokens, room - 1)
                room = max(room, (low + high) / 2) if self.chosen else min(room, high * 0.9)
        left = [key for key in self.candidates.found if key not in self.chosen]
        return self.best.model_copy(update={"left_out": tuple(left)})

    def _try(self, chosen: Mapping[str, Reason]) -> int:
        """Write a choice; keep it if it fits and is fuller than the best so far."""
        parts = _written(self.candidates, chosen)
        text = "".join([part.text for part in parts])
        tokens = self.count(text)
        if self.best.token_count < tokens <= self.budget:
            self.best = Context.trusted(
                text=text, token_count=tokens, budget=self.budget, parts=tuple(parts), left_out=()
            )
            self.chosen = chosen
        return tokens


def _written(candidates: Candidates, chosen: Mapping[str, Reason]) -> list[ContextPart]:
    library, scores = candidates.library, candidates.scores
    documents: list[Sequence[Chunk]] = [
        list(leaves) for _, leaves in groupby(in_order(library, chosen), by_document)
    ]
    # The document with the best chunk first; `candidates.rank` has what was found, best first.
    documents.sort(key=lambda leaves: min(candidates.rank_of(leaf.id) for leaf in leaves))
    parts: list[ContextPart] = []
    for leaves in documents:
        parts += write_document(library, leaves, chosen, scores, is_first=not parts)
    return parts


def _check_numbers(budget: int, parent_weight: float, neighbours: int, follow: int) -> None:
    if budget < 1:
        msg = f"budget is {budget}, but must be at least 1 token"
        raise ValueError(msg)
    numbers = {"parent_weight": parent_weight, "neighbours": neighbours, "follow": follow}
    for name, number in numbers.items():
        if not 0 <= number < float("inf"):
            msg = f"{name} is {number}, but must be a number from 0"
            raise ValueError(msg)


def _check_known(scores: Mapping[str, float], library: Library) -> None:
    unknown = [key for key in scores if key not in library.by_id]
    if unknown:
        msg = (
            f"{len(unknown)} of {len(scores)} hits are none of the chunks, such as {unknown[0]!r}: "
            "give the chunks that the index was made from, of all documents and levels"
        )
        raise ChunkRecordError(msg)
