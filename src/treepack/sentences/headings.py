"""Headings that are whole sentences.

Lawyers link the numbers of clauses to the heading styles of a word processor, so that each
paragraph of a contract is a "heading", also in the markdown that is made of it. In the breadcrumbs
of all chunks below it would say its whole text.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final

LONGEST_TITLE: Final = 80  # characters, if it ends as a sentence does
_ENDS: Final = (".", ";", ":")
_FEWEST: Final = 2


def level_of_sentences(headings: Iterable[tuple[int, str, bool]]) -> int | None:
    """The highest level of which most headings are sentences; None in most documents.

    No heading of it, and of the levels below it, heads a section: what is shorter stands beside
    the sentences. A sentence that holds something is a heading that says much.

    Args:
        headings: The level and the text of each heading, and whether a text or a deeper heading
            stands below it.
    """
    counts, sentences = Counter[int](), Counter[int]()
    for level, text, holds_some in headings:
        is_sentence = len(text) > LONGEST_TITLE and text.endswith(_ENDS)
        counts[level] += 1
        sentences[level] += is_sentence and not holds_some
    found = (
        level
        for level, count in counts.items()
        if sentences[level] >= _FEWEST and 2 * sentences[level] > count
    )
    return min(found, default=None)
