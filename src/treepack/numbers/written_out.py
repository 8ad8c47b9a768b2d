"""Numbers in words and numbers before their word: ``ARTICLE ONE``, ``First Schedule``, ``2. Teil``.

Contracts, older acts and the laws of many countries use these forms. `value_of_words` reads the
words; `read_written_out` and `read_noun_after_number` are rules of `treepack.numbers.grammar`.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from treepack.numbers.clause_number import ClauseNumber, Place
from treepack.numbers.continuations import starts_title
from treepack.numbers.words import KIND_OF_WORD, ClauseKind, word_set

_CARDINALS: Final = """
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty
    """
_ENGLISH: Final = """
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
    fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth
    """
_ORDINALS: Final = (
    _ENGLISH,
    """
    premier deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième
    onzième douzième treizième quatorzième quinzième seizième
    """,
    "première",
    """
    primero segundo tercero cuarto quinto sexto séptimo octavo noveno décimo undécimo duodécimo
    """,
    """
    primera segunda tercera cuarta quinta sexta séptima octava novena décima undécima duodécima
    """,
    "primeiro segundo terceiro quarto quinto sexto sétimo oitavo nono décimo",
    "primeira segunda terceira quarta quinta sexta sétima oitava nona décima",
    "primo secondo terzo quarto quinto sesto settimo ottavo nono decimo",
    "prima seconda terza quarta quinta sesta settima ottava nona decima",
)
_GERMAN_STEMS: Final = """
    erst zweit dritt viert fünft sechst siebt acht neunt zehnt elft zwölft dreizehnt vierzehnt
    fünfzehnt sechzehnt siebzehnt achtzehnt neunzehnt zwanzigst
    """
_GERMAN_UNITS: Final = "ein zwei drei vier fünf sechs sieben acht neun"
_GERMAN_TENS: Final = (("zwanzig", 20), ("dreißig", 30), ("vierzig", 40))
_GERMAN_ENDINGS: Final = ("er", "e", "es", "en")
_TENS: Final = {
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "decimo": 10,
    "decima": 10,
    "trigesimo": 30,
    "trigesima": 30,
    "vigesimo": 20,
    "vigesima": 20,
}
"""Words that another may follow: ``twenty-one``, ``décima primera``."""


def _without_accents(word: str) -> str:
    """Return a word in small letters without accents, which capitals often lack."""
    return "".join(
        character
        for character in unicodedata.normalize("NFD", word.casefold())
        if not unicodedata.combining(character)
    )


def _german_ordinals() -> Iterator[tuple[str, int]]:
    stems = dict(zip(_GERMAN_STEMS.split(), range(1, 21), strict=True)) | {"siebent": 7}
    for tens, value in _GERMAN_TENS:
        stems[f"{tens}st"] = value
        for unit, unit_name in enumerate(_GERMAN_UNITS.split(), 1):
            stems[f"{unit_name}und{tens}st"] = value + unit
    return ((stem + ending, stems[stem]) for stem in stems for ending in _GERMAN_ENDINGS)


_ORDINAL_VALUES: Final = {
    **{_without_accents(word): value for word, value in _german_ordinals()},
    **{
        _without_accents(w): value
        for words in _ORDINALS
        for value, w in enumerate(words.split(), 1)
    },
    **dict.fromkeys(("unico", "unica", "unique"), 1),
    "seconde": 2,
    "vingtieme": 20,
    "vigesimo": 20,
    "vigesima": 20,
}
NUMBER_WORDS: Final = {
    **_TENS,
    "preliminar": 0,
    "preliminaire": 0,
    **_ORDINAL_VALUES,
    **{word: value for value, word in enumerate(_CARDINALS.split(), 1)},
}
"""The value of each number that is one word, in small letters without accents."""
_ENGLISH_ORDINALS: Final = word_set(_ENGLISH)
ENGLISH_NUMBERS: Final[Sequence[tuple[str, str]]] = tuple(
    zip(_CARDINALS.split(), _ENGLISH.split(), strict=True)
)
"""The words for 1 to 20, each with its ordinal."""
_NOUNS_AFTER_ENGLISH: Final = word_set("schedule annex appendix part")  # no "First Section"
_NOUNS_AFTER_DIGITS: Final = word_set("abschnitt unterabschnitt teil buch kapitel titel hauptstück")

_LETTER: Final = r"[^\W\d_]"
_WORDS: Final = re.compile(
    rf"(?P<article>[Tt][Hh][Ee]\s+|)(?P<first>{_LETTER}{{3,24}})"
    rf"(?:[.]?[\s\u00a0]+(?P<second>{_LETTER}{{3,24}})(?:[ -](?P<third>{_LETTER}{{3,12}})|)|)"
)
_ORDINAL_CLAUSE: Final = re.compile(
    rf"(?P<words>{_LETTER}{{4,13}}(?:[ -]{_LETTER}{{3,12}}|))"
    r"(?:(?P<stop>[ ]?\.[ ]?[-–—])|[ ][-–—][ ]|[.:](?=\s|$))"
)
_JOINED: Final = re.compile(r"(?:deci|vigesi|trigesi)m[oa](?=[^\W\d_])")
_NOUN: Final = re.compile(
    r"(?P<number>\d{1,2}[a-z]?|[IVXLC]{1,6})\.[ \u00a0]+(?P<word>[^\W\d_]{4,14}+)"
)
_DISPOSITION: Final = "disposicion"
_SPANISH_DISPOSITION: Final = re.compile(
    rf"{_LETTER}{{11}} (?P<sort>adicional|transitoria|derogatoria|final) "
    rf"(?P<words>{_LETTER}{{5,16}}(?:[ -]{_LETTER}{{5,12}}|))(?=[ ]?\.|:|\s*$)",
    re.IGNORECASE,
)
_SEPARATOR: Final = re.compile(r"\s*(?:[:.—–]|-(?!\w))|\s*$")
_TITLE: Final = re.compile(r"[ \t]*(?:[\r\n]\s*)?[^\W\d_a-z]\w*(?:[ ,-]+[^\W\d_]\w*){0,9}\s*$")


@lru_cache(maxsize=256)
def value_of_words(words: str) -> int | None:
    """Return the value of a number in words, such as ``Twenty-one``; None for other words."""
    first, _, second = _without_accents(words).replace(" ", "-").partition("-")
    if not second and (joined := _JOINED.match(first)):
        first, second = joined[0], first[joined.end() :]  # "vigesimoquinta"
    value = NUMBER_WORDS.get(first)
    if not second or value is None:
        return value
    unit = NUMBER_WORDS.get(second)
    return value + unit if first in _TENS and unit and unit < 10 else None  # noqa: PLR2004 - units


def read_written_out(text: str, place: Place) -> ClauseNumber | None:
    """Read ``ARTICLE ONE``, ``Título primero``, ``First Schedule``, ``PRIMERA.-`` and the like.

    Also ``Erster Abschnitt``. It is a label only if it is alone or comes before a separator or a
    title.
    """
    match = _WORDS.match(text)
    if match is None or not match["first"][0].isupper():
        return None
    first, second = match["first"], match["second"] or ""
    kind = KIND_OF_WORD.get(first.casefold())
    if kind is not None and not match["article"]:
        for last in ("third", "second"):
            start, end = match.start("second"), match.end(last)
            value = value_of_words(text[start:end]) if match[last] else None
            if value is not None and _may_follow_label(text[end:], place):
                return _clause_number(kind, text[:end], value)
        return None
    plain_first = _without_accents(first)
    value, noun = _ORDINAL_VALUES.get(plain_first), second.casefold()
    if value is None:
        return _read_disposition(text) if plain_first == _DISPOSITION else None
    kind = KIND_OF_WORD.get(noun)
    is_noun = noun in _NOUNS_AFTER_ENGLISH or plain_first not in _ENGLISH_ORDINALS
    if kind is not None and is_noun and second[0].isupper():
        is_label = _may_follow_label(text[match.end("second") :], place)
        return _clause_number(kind, text[: match.end("second")], value) if is_label else None
    return None if match["article"] else _read_ordinal_clause(text, place)


def _read_disposition(text: str) -> ClauseNumber | None:
    """Read ``Disposición adicional primera. Title``, which follows the articles of Spanish laws."""
    match = _SPANISH_DISPOSITION.match(text)
    value = value_of_words(match["words"]) if match else None
    if match is None or value is None:
        return None
    label = " ".join(text[: match.end("words")].split())
    return ClauseNumber("annex", label, (f"{match['sort'].casefold()}-{value}",))


def _read_ordinal_clause(text: str, place: Place) -> ClauseNumber | None:
    """Read ``PRIMERA.-``, ``SECOND:``: the clauses of Spanish and older American contracts.

    In a heading also ``Primero. Objeto``, as in orders of Spanish ministries.
    """
    match = _ORDINAL_CLAUSE.match(text)
    value = value_of_words(match["words"]) if match else None
    if match is None or not value:
        return None
    is_foreign = _without_accents(match["words"]) in _ORDINAL_VALUES and match[
        "words"
    ].casefold() not in (_ENGLISH_ORDINALS)
    if not (match["stop"] or match["words"].isupper() or (place == "heading" and is_foreign)):
        return None
    return _clause_number("clause", match["words"], value)


def read_noun_after_number(text: str, place: Place) -> ClauseNumber | None:
    """Read ``1. Abschnitt`` or ``II. Teil``: the divisions of Austrian and Swiss acts."""
    match = _NOUN.match(text)
    noun = match["word"].casefold() if match else ""
    if (
        match is None
        or noun not in _NOUNS_AFTER_DIGITS
        or not _may_follow_label(text[match.end() :], place)
    ):
        return None
    return ClauseNumber(KIND_OF_WORD[noun], " ".join(match[0].split()), (match["number"],))


def _clause_number(kind: ClauseKind, label: str, value: int) -> ClauseNumber:
    return ClauseNumber(kind, " ".join(label.split()), (str(value),))


def _may_follow_label(rest: str, place: Place) -> bool:
    if _SEPARATOR.match(rest):
        return True
    return starts_title(rest) if place == "heading" else _TITLE.match(rest) is not None
