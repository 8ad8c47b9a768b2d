"""Whether a text speaks as contracts, licences and laws do.

A numbered list may be the steps of a recipe or the clauses of a contract. Where no heading tells
which, the wording does: contracts use words that other texts hardly know, and use many of them.
"""

import re
from functools import cache
from typing import Final

_WORDS: Final = (
    # English; without "shall", which standards are full of
    r"here(?:by|of|in|to|under|with|after|inafter)|there(?:of|under|to)|whereas|notwithstanding"
    r"|pursuant|licen[sc](?:or|ee)s?|sublicens\w*|less(?:or|ee)|parties|party|warrant(?:y|ies)"
    r"|liab(?:le|ility)|indemnif\w*|breach|jurisdiction|termination|agreements?"
    # German
    r"|vertragspartei\w*|auftrag(?:nehmer|geber)s?|lizenz(?:geber|nehmer)s?|vertrags|haftung"
    r"|gerichtsstand|kündigung|unberührt|vereinbarung|gewährleistung|vertraulich\w*"
    r"|vertrag(?:es)?|(?:vertrags)?partei(?:en)?|verträge"
    # French and Spanish
    r"|contrats?|résiliation|stipulations?|concédant|cocontractant|ci-après|nonobstant"
    r"|contrato|las partes|rescisión|licenciante|licenciatario"
    r"|cláusulas?|responsabilidad"
)
_FEWEST_WORDS: Final = 4  # different ones
_LETTERS_FOR_ONE: Final = 1200  # characters; contracts have a word of law in each 100 to 800,
# other texts in 2600 or more
_LOOKED_AT: Final = 60_000  # characters


@cache
def _pattern() -> re.Pattern[str]:
    # Compiled at the first call, so that importing costs nothing.
    return re.compile(rf"\b(?:{_WORDS})\b", re.IGNORECASE)


def is_legal_wording(text: str) -> bool:
    """Whether a text has several words of the law, and not only here and there.

    Args:
        text: Any text; some pages of it are looked at.
    """
    text = text[:_LOOKED_AT]
    found = [match.casefold() for match in _pattern().findall(text)]
    is_dense = len(found) * _LETTERS_FOR_ONE > len(text)
    return is_dense and len(set(found)) >= _FEWEST_WORDS
