"""Whether a text is worded like contracts, licences and laws.

A numbered list may be the steps of a recipe or the clauses of a contract. If no heading shows
which, the wording does: contracts use many words that are rare in other texts.
"""

import re
from typing import Final

from treepack.numbers.words import KIND_OF_WORD
from treepack.sentences.small_words import word_set

# Without "shall", which is frequent in standards.
_WORDS: Final = word_set(
    """
    hereby hereof herein hereto hereunder herewith hereafter hereinafter thereof thereunder thereto
    whereas notwithstanding pursuant licensor licensors licensee licensees licencee lessor lessee
    party parties warranty warranties liable liability breach jurisdiction termination agreement
    agreements enactment enactments repealed subsection subsections
    licence licences license licenses licensed copyright copyrights copyrighted redistribute
    redistributed redistribution redistributions disclaimer disclaimers trademark trademarks
    auftragnehmer auftragnehmers auftraggeber auftraggebers lizenzgeber lizenznehmer vertrag
    vertrages vertrags verträge partei parteien haftung gerichtsstand kündigung unberührt
    vereinbarung gewährleistung lizenz lizenzen urheberrecht urheberrechte rechteinhaber
    datenlizenz nutzungsrecht nutzungsrechte
    contrat contrats résiliation stipulation stipulations concédant cocontractant nonobstant
    acceptant licencié préjudice préjudices nullité responsabilité auteurs oeuvre oeuvres
    contrato partes rescisión licenciante licenciatario cláusula cláusulas responsabilidad
    contratante contratada contratado rescisão licenciado responsabilidade
    contratto licenziante licenziatario inadempimento overeenkomst licentiegever aansprakelijkheid
    licentie licenties auteursrecht auteursrechten rechthebbende rechthebbenden
    """
)
_FEWEST_WORDS: Final = 4  # different ones
_ROOT_LENGTH: Final = 6  # letters, so that "license" and "licenses" are one word
_CHARACTERS_PER_WORD: Final = 1200  # characters; contracts have a legal word in each 100 to 800,
# other texts in 2600 or more
_LONGEST_READ: Final = 20_000  # characters
# Bytes are split into words many times faster than text, and each legal word is Latin-1.
_LETTERS: Final = "".join(
    character.lower() if character.isalpha() else " " for character in map(chr, range(256))
).encode("latin-1")
_LEGAL_WORDS: Final = frozenset(word.encode("latin-1") for word in _WORDS)


def is_legal_wording(text: str) -> bool:
    """Whether a text has several different legal words, and has them often enough."""
    text = text[: 2 * _LONGEST_READ].replace("\r\n", "\n")[:_LONGEST_READ]  # CR LF counts like LF
    words = text.encode("latin-1", "replace").translate(_LETTERS).split()
    legal = [word for word in words if word in _LEGAL_WORDS]
    roots = {word[:_ROOT_LENGTH] for word in legal}
    return len(roots) >= _FEWEST_WORDS and len(legal) * _CHARACTERS_PER_WORD > len(text)


_CITATION: Final = re.compile(
    r"(?P<word>§|\b[^\W\d_]+)\.?[ \t\u00a0]+(?P<number>\d+(?:\.\d+)*)(?![\d%]|\.\d)"
)


def cited_numbers(text: str) -> set[str]:
    """Return the numbers that a text cites with a legal word: 4.2 of ``Sections 4.2 and 4.3``."""
    return {
        match["number"]
        for match in _CITATION.finditer(text)
        if not KIND_OF_WORD.keys().isdisjoint({word := match["word"].casefold(), word[:-1]})
    }
