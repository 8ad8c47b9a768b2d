"""Counts tokens: of a whole text, and of any slice of it after a single tokenizer pass.

``counters`` turns names into functions that count; a `TokenIndex` answers for slices.
Importing this package loads no vocabulary. The bundled encodings need no download.
"""

from collections.abc import Sequence

from treepack.tokens.additive import CUT_TABLES, AdditiveIndex
from treepack.tokens.counters import EncodingCounter, TokenCounter, token_counter
from treepack.tokens.index import GappedIndex, PlainIndex, TokenIndex

__all__ = ["TokenCounter", "TokenIndex", "token_counter", "token_index"]


def token_index(
    text: str, counter: TokenCounter, gaps: Sequence[tuple[int, int]] = ()
) -> TokenIndex:
    """Return an index of the text whose counts are exactly the counter's.

    No count includes the gaps, spans that are sorted and do not touch each other.

    >>> index = token_index("one two three", token_counter("cl100k_base"))
    >>> index.count(4, 13)
    2
    """
    if gaps:
        bounds = [0, *(offset for gap in gaps for offset in gap), len(text)]
        whole = "".join(text[a:b] for a, b in zip(bounds[::2], bounds[1::2], strict=True))
        return GappedIndex(text, gaps, token_index(whole, counter))
    if isinstance(counter, EncodingCounter) and counter.name in CUT_TABLES:
        return AdditiveIndex(text, counter)
    return PlainIndex(text, counter)
