"""Counts tokens: of a whole text, and of any slice of it after a single tokenizer pass.

``token_counter(name)`` returns a function that counts the tokens of a text.
``token_index(text, counter)`` returns the counter's results for any slice of one text.
Importing this package loads no vocabulary. The bundled encodings need no download.

========== =====================================================================================
module     what it does
========== =====================================================================================
counters   turns names of encodings into functions that count
vocabulary the bundled vocabularies; ``patterns`` makes their word patterns faster
index      what each index offers: `TokenIndex`
additive   the index for the bundled encodings: one pass, then sums
cuts       where counts add up, which makes those sums exact
plain      the index for any other counter: estimates, and the counter itself for exact counts
gapped     the index for a text with gaps, which no count includes
========== =====================================================================================
"""

from collections.abc import Sequence

from treepack.tokens.additive import CUT_TABLES, AdditiveIndex
from treepack.tokens.counters import EncodingCounter, TokenCounter, token_counter
from treepack.tokens.gapped import GappedIndex
from treepack.tokens.index import TokenIndex
from treepack.tokens.plain import PlainIndex

__all__ = ["TokenCounter", "TokenIndex", "token_counter", "token_index"]


def token_index(
    text: str, counter: TokenCounter, gaps: Sequence[tuple[int, int]] = ()
) -> TokenIndex:
    """Return an index of the text whose counts are exactly the counter's.

    Args:
        text: The text.
        counter: Counts the tokens of a text.
        gaps: Spans of the text that no count includes, sorted and not touching each other.

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
