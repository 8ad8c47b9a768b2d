"""Words by which a line of prose is told from a title, in the languages of the clause grammar.

A title seldom has a finite verb, and never ends in an article or a preposition.
"""

from typing import Final

FINITE_VERBS: Final = (
    r"(?:is|are|was|were|has|have|had|will|would|shall|should|must|may|can|could|do|does|did|be|been"
    r"|means?|agrees?|ist|sind|wird|werden|hat|haben|kann|muss|darf|soll"
    r"|est|sont|sera|seront|peut|peuvent|doit|doivent"
    r"|es|son|está|están|tiene|tienen|puede|pueden|debe|deben|fue|será|serán"
    r"|são|é|pode|podem|deve|devem|foi|è|sono|può|possono|deve|devono"
    r"|\w{2,20}(?:ará|erá|irá|arán|erán|irán|arão|erão|irão|eranno|iranno)"
    r"|moet|moeten|kan|wordt|worden|zijn|heeft)"
)
"""A pattern of finite verbs that titles hardly have; word borders are the caller's."""

OPEN_ENDS: Final = (
    r"(?:a|ai|al|als|am|an|and|ao|as|at|au|aus|aux|bei|by|com|con|da|dans|das|de|dei|del|della|dem"
    r"|den|der|des|di|die|do|dos|du|e|een|ein|el|em|en|et|for|from|für|gli|het|i|il|im|in|is|its"
    r"|la|las|le|les|lo|los|met|mit|na|nach|no|o|of|on|or|os|ou|oder|over|para|par|per|por|pour|que"
    r"|se|su|sur|sus|that|the|to|u|um|un|una|und|une|van|vom|von|voor|which|with|y|zu|zum|zur)"
)
"""A pattern of words that end no title: articles, prepositions, conjunctions."""
