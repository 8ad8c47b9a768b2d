"""What distinguishes prose from titles, in the languages of the clause grammar.

A title seldom has a finite verb, and never ends with an article or a preposition.

Some headings are whole sentences: lawyers link the numbers of clauses to the heading styles of a
word processor. Then each paragraph of a contract is a "heading", also in markdown that is made from
the file. Its whole text would appear in the breadcrumbs of all chunks below it.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text; a table of words is easier to read as a text."""
    return frozenset(text.split())


FINITE_VERBS: Final = (
    r"(?:is|are|was|were|has|have|had|will|would|shall|should|must|may|can|could|do|does|did|be|been"
    r"|ist|sind|wird|werden|haben|kann|muss|darf|soll|findet|finden|umfasst|umfassen|gilt|gelten"
    r"|est|sont|sera|seront|peut|peuvent|doit|doivent"
    r"|es|está|están|tiene|tienen|puede|pueden|debe|deben|fue|será|serán"
    r"|são|é|pode|podem|deve|devem|foi|è|sono|può|possono|deve|devono"
    r"|\w{2,20}(?:ará|erá|irá|arán|erán|irán|arão|erão|irão|eranno|iranno)"
    r"|moet|moeten|kan|wordt|worden|zijn|heeft)"
)
"""A pattern of finite verbs that are rare in titles; the caller adds word boundaries.

Verbs that are nouns in another language are left out, such as ``son`` and ``hat``.
"""

OPEN_ENDS: Final = (
    r"(?:a|al|and|ao|au|aux|com|da|dans|das|de|dei|del|della|dem|der|des|di|do|dos|du|e|een|el|em|en"
    r"|et|für|gli|het|il|im|is|its|la|las|le|les|lo|los|na|o|of|or|os|ou|oder|para|por|que|su|sus"
    r"|that|the|to|um|un|una|und|une|vom|von|voor|which|with|y|zum|zur)"
)
"""A pattern of words that never end a title: articles, prepositions, conjunctions.

Words that may end a title, in another language or as part of a verb, are left out:
``Single sign-on``, ``Bare die``.
"""

LONGEST_TITLE: Final = 80  # characters; a longer heading that ends like a sentence is one
_SENTENCE_ENDS: Final = (".", ";", ":")


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
        if sentences[level] > 1 and 2 * sentences[level] > count
    )
    return min(levels, default=None)
