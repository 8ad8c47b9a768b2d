"""Labels of clauses, the words of their grammar, the values of numerals, and legal wording.

A numbered list may be the steps of a recipe or the clauses of a contract. If no heading shows
which, the wording does: contracts use many words that are rare in other texts.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from treepack.sentences.small_words import word_set

ClauseKind: TypeAlias = Literal[
    "article",
    "section",
    "clause",
    "rule",
    "regulation",
    "requirement",
    "recital",
    "book",
    "part",
    "title",
    "chapter",
    "subsection",
    "annex",
    "decimal",
    "paragraph",
    "letter",
    "roman",
]

PAGE_WORD: Final = r"page|seite|página|pagina|p\."
"""The words before a page number, as a pattern."""
OF_TOTAL: Final = r"of|von|de|sur|di|/"
"""The words between a page number and the total number of pages, as a pattern: 3 of 25."""


def any_word(words: Iterable[str], first: str = "[{}]") -> str:
    """Return a pattern that matches any of some words in any case, the longest first.

    The words are grouped by their first letter, so that `re` tries the words of only one group
    instead of every word. ``first`` is how that letter is matched. Their dots may be left out.
    """
    groups: dict[str, list[str]] = defaultdict(list)
    for word in sorted(words, key=len, reverse=True):
        rest = re.escape(word[1:]).replace(r"\.", r"\.?").replace(r"\ ", r"\s+")
        groups[first.format(word[0] + word[0].upper())].append(rest)
    return "|".join(f"{letter}(?i:{'|'.join(rest)})" for letter, rest in groups.items())


_WORDS: Final[dict[ClauseKind, str]] = {
    "article": """
        article art artikel artículo articulo articolo artigo artykuł articolul článek статья
        стаття член άρθρο αρθρο madde điều pasal المادة
        """,
    "section": """
        section sec sect abschnitt sección seccion sezione seção secção secțiunea afdeling раздел
        τμήμα τμημα mục bagian סעיף القسم item §
        """,
    "clause": "clause klausel cláusula clausula ziffer",
    "rule": "rule regla règle regel",
    "regulation": "regulation",
    "requirement": "requirement anforderung exigence requisito",
    "recital": "recital erwägungsgrund considérant considerando",
    "book": "book buch livre libro livro boek",
    "part": """
        part teil partie parte deel partea część část časť часть частина част μέρος μερος kısım phần
        חלק الباب
        """,
    "title": "title titel titre título titulo titolo titlul hlava",
    "chapter": """
        chapter division kapitel hauptstück chapitre capítulo capitulo capo capitolul hoofdstuk
        rozdział kapitola глава розділ κεφάλαιο κεφαλαιο bölüm chương bab פרק الفصل
        """,
    "subsection": "subdivision subsection unterabschnitt sous-section subsección",
    "annex": """
        annex appendix anhang anlage annexe anexo anexa apéndice allegato bijlage bilaga bilag
        załącznik příloha príloha приложение додаток παράρτημα παραρτημα الملحق
        schedule exhibit attachment
        """,
}
KIND_OF_WORD: Final[dict[str, ClauseKind]] = {
    **{word: kind for kind, words in _WORDS.items() for word in words.split()},
    "§§": "section",
}

DIVISIONS: Final[tuple[ClauseKind, ...]] = ("book", "part", "title", "chapter")
"""Kinds that group the clauses of a law; their ranks differ from country to country."""
CITED_BY_NUMBER: Final[frozenset[ClauseKind]] = frozenset({"article", "section", "clause", "rule"})
"""Kinds whose word a citation may leave out: 12(3)(a) is Article 12(3)(a)."""
COLLECTIONS: Final = {
    "recitals": "Recital",
    "considérants": "Considérant",
    "erwägungsgründe": "Erwägungsgrund",
    "considerandos": "Considerando",
}
"""Plural headings that give their word to the numbers below them."""

SUB_UNITS: Final = word_set(
    """
    abs absatz satz nr nummer buchst buchstabe lit halbsatz para paras paragraph paragraphs
    point points subparagraph paragraphe alinéa apartado letra inciso
    """
)
"""Words that continue a citation: a text that begins with ``§ 5 Abs. 2`` is a reference."""
PROSE_CONTINUATIONS: Final = word_set(
    """
    is are was were of or and to in on at by as for from with applies apply shall should
    must may can cannot will would has have had does do through above below than but that
    which when if not only per up times percent x and/or onwards requires require describes
    defines specifies ist sind war waren gilt gelten und oder bis des der dem den die das
    wird werden findet finden est sont et ou à de du s'applique y o es son se a e applies
    """
)
"""Words that continue a number as prose: ``11.5.14.2 of this standard applies``."""
UNITS: Final = word_set(
    """
    kg g mg t km m cm mm nm µm l ml s ms µs ns min h Hz kHz MHz GHz V mV kV mA µA W mW kW MW kWh
    Wh Ω kΩ µF nF pF Nm Pa kPa MPa bar °C °F dB dBm bit bits byte bytes kB KB MB GB TB KiB MiB GiB
    Mbit/s Gbit/s Mbps Gbps kbps fps dpi ppm px pt rpm EUR USD GBP CHF JPY Euro Dollar Dollars
    million Million millions billion Millionen Milliarden Mio Mrd millones Prozent Uhr am pm AM PM
    Jahre Tage Stunden Minuten Meter Kilometer Kilogramm Grad Volt Watt Ampere % ‰ € $ £ ° years
    days hours minutes seconds
    """
)
MONTHS: Final = word_set(
    """
    january february march april may june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec januar jänner februar märz mai juni
    juli oktober dezember okt dez janvier février mars avril juin juillet août septembre
    octobre novembre décembre enero febrero marzo abril mayo junio julio agosto septiembre
    octubre noviembre diciembre
    """
)

# -------------------------------------------------------------------- labels

Place: TypeAlias = Literal["heading", "text"]
"""Where a label is: ``5 Scope`` may be a heading's label; at the start of a text it is prose."""

RELATIVE: Final[frozenset[ClauseKind]] = frozenset({"paragraph", "letter", "roman"})
"""The kinds of labels that have a meaning only within the clause around them."""

WORDLESS: Final[frozenset[ClauseKind]] = frozenset({*RELATIVE, "decimal"})
"""The kinds of labels without a word such as "Article"."""

LEGAL_WORD: Final = re.compile(r"[^\W\d_]+|[#§№]")


@dataclass(slots=True, unsafe_hash=True)  # frozen costs four times as much to make
class ClauseNumber:
    """The label of a clause.

    Attributes:
        kind: The kind that the label names; ``decimal``, ``paragraph`` (a number in brackets or
            with a dot), ``letter`` and ``roman`` are for labels without a word.
        label: As printed, without a trailing dot: ``Article 12``, ``5.1.2``, ``(a)``, ``§ 5``.
        parts: Its parts: ``("5", "1", "2")``; ``("12", "3", "a")`` for ``Article 12(3)(a)``.
    """

    kind: ClauseKind
    label: str
    parts: tuple[str, ...]

    @property
    def word(self) -> str:
        """The legal word in the label, casefolded: ``article``, ``§``; empty if it has none."""
        words = LEGAL_WORD.findall(self.label.casefold())
        return next((word for word in words if word in KIND_OF_WORD), "")

    @property
    def is_relative(self) -> bool:
        """Whether the label has a meaning only within the clause around it, like ``(a)``."""
        return self.kind in RELATIVE


# -------------------------------------------------------------------- texts to compare

_NO_WORDS: Final = re.compile(r"[\W_]+")
_ASCII_PUNCTUATION: Final = bytes(code for code in range(128) if not chr(code).isalnum())


def letters(text: str) -> str:
    """Return the letters of a text without case and accents, to compare by; its digits as well."""
    if text.isascii():  # the common case; translating bytes is eight times as fast as text
        return text.lower().encode().translate(None, _ASCII_PUNCTUATION).decode()
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", text).casefold()))


def letters_of_lines(lines: Sequence[str]) -> list[str]:
    """Return the `letters` of each line; reading them at once is many times as fast."""
    if not lines:
        return []
    joined = "\n".join([line if line.isascii() else "" for line in lines])
    removed = _ASCII_PUNCTUATION.replace(b"\n", b"")
    found = joined.lower().encode().translate(None, removed).decode().split("\n")
    return [
        of_ascii if line.isascii() else letters(line)
        for line, of_ascii in zip(lines, found, strict=True)
    ]


def words_of(text: str) -> str:
    """Return the words and numbers of a text, casefolded, with spaces for all else."""
    return _NO_WORDS.sub(" ", text.casefold()).strip()


# -------------------------------------------------------------------- numerals

_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,9}")


def whole_number(text: str) -> int | None:
    """Return the value of a decimal integer; None for other texts and more than nine digits."""
    return int(text) if _WHOLE.fullmatch(text) else None


_DIGITS: Final = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
}
_MULTIPLIERS: Final = {"十": 10, "百": 100, "千": 1000}


def chinese_value(text: str) -> int | None:
    """Return the value of a numeral in decimal digits or in Chinese ones up to 千, else None.

    Chinese digits may be joined by units (``一百二十``) or be written in a row (``一二〇``).
    """
    if text.isdecimal():
        return int(text)
    total, digits = 0, 0
    for digit in text:
        if digit in _DIGITS:
            digits = 10 * digits + _DIGITS[digit]
        elif digit in _MULTIPLIERS:
            total += (digits or 1) * _MULTIPLIERS[digit]
            digits = 0
        else:
            return None
    return total + digits if text else None


_ROMANS: Final = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
    (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip
_LARGEST_ROMAN: Final = 32_767


def roman_numeral(value: int) -> str:
    """Return a number as a capital roman numeral, or as a decimal if it is not 1 to 32,767."""
    if not 0 < value <= _LARGEST_ROMAN:
        return str(value)
    written = ""
    for letter_value, letter in _ROMANS:
        count, value = divmod(value, letter_value)
        written += letter * count
    return written


_VALUES: Final = {roman_numeral(value): value for value in range(1, 200)}


def roman_value(text: str) -> int | None:
    """Return the value of a roman numeral up to 199; None for words (``mix``, ``did``)."""
    return _VALUES.get(text.upper())


# -------------------------------------------------------------------- legal wording

# Rare in other texts. Without "shall", which is frequent in standards.
_LEGAL_WORDS: Final = word_set(
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
_CHARACTERS_PER_WORD: Final = 1200  # contracts have a legal word in each 100 to 800; others in 2600
_LONGEST_READ: Final = 20_000  # characters
_LATIN_1: Final = frozenset(word.encode("latin-1") for word in _LEGAL_WORDS)
# Bytes are split into words many times faster than text, and each legal word is Latin-1.
_LETTERS: Final = "".join(
    character.lower() if character.isalpha() else " " for character in map(chr, range(256))
).encode("latin-1")


def is_legal_wording(text: str) -> bool:
    """Whether a text has several different legal words, and has them often enough."""
    text = text[: 2 * _LONGEST_READ].replace("\r\n", "\n")[:_LONGEST_READ]  # CR LF counts like LF
    words = text.encode("latin-1", "replace").translate(_LETTERS).split()
    legal = [word for word in words if word in _LATIN_1]
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
