"""Whether a text speaks as contracts, licences and laws do.

A numbered list may be the steps of a recipe or the clauses of a contract. Where no heading tells
which, the wording does: contracts use words that other texts hardly know, and use many of them.
"""

import re
from typing import Final

from treepack.numbers.words import word_set

# Without "shall", which standards are full of.
_WORDS: Final = word_set(
    """
    hereby hereof herein hereto hereunder herewith hereafter hereinafter thereof thereunder thereto
    whereas notwithstanding pursuant licensor licensors licensee licensees licencee lessor lessee
    party parties warranty warranties liable liability breach jurisdiction termination agreement
    agreements
    auftragnehmer auftragnehmers auftraggeber auftraggebers lizenzgeber lizenznehmer vertrag
    vertrages vertrags verträge partei parteien haftung gerichtsstand kündigung unberührt
    vereinbarung gewährleistung
    contrat contrats résiliation stipulation stipulations concédant cocontractant nonobstant
    contrato partes rescisión licenciante licenciatario cláusula cláusulas responsabilidad
    """
)
_STEMS: Final = ("indemnif", "sublicens", "vertraulich", "vertragspartei")
_FIRST_LETTERS: Final = frozenset(stem[:4] for stem in _STEMS)
_FEWEST_WORDS: Final = 4  # different ones
_LETTERS_FOR_ONE: Final = 1200  # characters; contracts have a word of law in each 100 to 800,
# other texts in 2600 or more
_LOOKED_AT: Final = 20_000  # characters
_WORD: Final = re.compile(r"[^\W\d_]{5,}")  # no word of law is shorter


def is_legal_wording(text: str) -> bool:
    """Whether a text has several words of the law, and not only here and there.

    Args:
        text: Any text; some pages of it are looked at.
    """
    text = text[:_LOOKED_AT]
    found = [
        word
        for word in _WORD.findall(text.lower())
        if word in _WORDS or (word[:4] in _FIRST_LETTERS and word.startswith(_STEMS))
    ]
    is_dense = len(found) * _LETTERS_FOR_ONE > len(text)
    return is_dense and len(set(found)) >= _FEWEST_WORDS
