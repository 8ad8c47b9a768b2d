"""Headings that are whole sentences.

Lawyers link the numbers of clauses to the heading styles of a word processor. Then each paragraph
of a contract is a "heading", also in markdown that is made from the file. Its whole text would
appear in the breadcrumbs of all chunks below it.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final

LONGEST_TITLE: Final = 80  # characters; a longer heading that ends like a sentence is one
_SENTENCE_ENDS: Final = (".", ";", ":")
_MIN_SENTENCES: Final = 2


def level_of_sentences(headings: Iterable[tuple[int, str, bool]]) -> int | None:
    """Return the highest level at which most headings are sentences; None for most documents.

    Headings of this level and of deeper ones should not head sections: the shorter ones are
    siblings of the sentences. Each heading is given with its level, its text, and whether it has
    text or a deeper heading below it; if so, a sentence counts as a wordy heading.
    """
    counts, sentences = Counter[int](), Counter[int]()
    for level, text, has_content in headings:
        is_sentence = len(text) > LONGEST_TITLE and text.endswith(_SENTENCE_ENDS)
        counts[level] += 1
        sentences[level] += is_sentence and not has_content
    levels = (
        level
        for level, count in counts.items()
        if sentences[level] >= _MIN_SENTENCES and 2 * sentences[level] > count
    )
    return min(levels, default=None)
