"""`fill_context`: fills a context with ranked chunks, within a token budget."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from operator import attrgetter
from typing import Final

from treepack.errors import ChunkRecordError
from treepack.model.chunk import Chunk
from treepack.retrieval.choice import Candidates
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
    follow: int = 0,
    whole_tables: bool = False,
    encoding: str | TokenCounter = "cl100k_base",
) -> Context:
    r"""Fill a context with the best hits, and put them in document order.

    The three children with the best scores of their own come first. The others follow by their own
    score plus ``parent_weight`` times their parent's. When a second child of a parent is chosen,
    the rest of the parent is added, if it fits. Without levels there are no parents, and the best
    chunks are taken as they are.

    Args:
        hits: What an index found, children, parents or both: chunks or their ids, best first; or
            these with scores, or records with ``id`` and ``score``; larger scores are better.
        chunks: All chunks of the documents, of all levels; or a `Library` of them, which saves
            time if there are many questions.
        budget: The most tokens of the text.
        parent_weight: The weight of a parent's score. If an index returned only some parents, the
            others get the lowest score of those.
        follow: 1 adds what the hits refer to; 2 also adds what that refers to, and so on.
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
    _check_numbers(budget, parent_weight, follow)
    library = chunks if isinstance(chunks, Library) else Library(chunks)
    scores = read_scores(hits)
    _check_known(scores, library)
    ranked = combined_scores(scores, library, parent_weight)
    candidates = Candidates(library, ranked, follow, whole_tables)
    return _filled(candidates, budget, token_counter(encoding))


def _filled(candidates: Candidates, budget: int, count: TokenCounter) -> Context:
    """Return the fullest context that was found within the budget.

    The sizes of chunks are known, but not the size of their joined text, which has fewer paths and
    headers, and in which tokens may join. So the exact count of a choice's text corrects the room
    for the next choice, up to `ROUNDS` choices. As long as no text fits, the room is lowered by at
    least a tenth, even after that.
    """
    best = Context("", 0, budget, (), tuple(candidates.scores))
    room, low, high = float(budget), 0.0, float("inf")
    tried: list[Mapping[str, Reason]] = []
    while room >= 1 and (len(tried) < ROUNDS or not best.parts):
        chosen = candidates.choose(room)
        if not chosen or chosen in tried:
            break
        tried.append(chosen)
        parts = tuple(_write_parts(candidates, chosen))
        text = "".join([part.text for part in parts])
        tokens = count(text)
        if tokens <= budget:
            left_out = tuple([key for key in candidates.scores if key not in chosen])
            if tokens > best.token_count:
                best = Context(text, tokens, budget, parts, left_out)
            if tokens >= _ENOUGH * budget:
                break
            low, room = room, min(room + budget - tokens, (room + high) / 2)
        else:
            high, room = room, min(room * budget / tokens, room - 1)
            room = max(room, (low + high) / 2) if best.parts else min(room, high * 0.9)
    return best


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


def _check_numbers(budget: int, parent_weight: float, follow: int) -> None:
    if budget < 1:
        msg = f"budget is {budget}, but must be at least 1 token"
        raise ValueError(msg)
    for name, number in {"parent_weight": parent_weight, "follow": follow}.items():
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
