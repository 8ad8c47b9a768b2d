"""Numbers in words and numbers before their word: ``ARTICLE ONE``, ``First Schedule``, ``2. Teil``.

Contracts, older acts and the laws of many countries use these forms. `value_of` reads the words;
`written_out` and `noun_after_number` are rules of `treepack.numbers.grammar`.
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
_GERMAN: Final = """
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


def _plain(word: str) -> str:
    """Return a word in small letters without accents, which capitals often lack."""
    return "".join(
        sign
        for sign in unicodedata.normalize("NFD", word.casefold())
        if not unicodedata.combining(sign)
    )


def _german() -> Iterator[tuple[str, int]]:
    stems = dict(zip(_GERMAN.split(), range(1, 21), strict=True)) | {"siebent": 7}
    for tens, value in _GERMAN_TENS:
        stems[f"{tens}st"] = value
        for unit, name in enumerate(_GERMAN_UNITS.split(), 1):
            stems[f"{name}und{tens}st"] = value + unit
    return ((stem + ending, stems[stem]) for stem in stems for ending in _GERMAN_ENDINGS)


_ORDINAL_VALUES: Final = {
    **{_plain(word): value for word, value in _german()},
    **{_plain(w): value for words in _ORDINALS for value, w in enumerate(words.split(), 1)},
    **dict.fromkeys(("unico", "unica", "unique"), 1),
    "seconde": 2,
    "vingtieme": 20,
    "vigesimo": 20,
    "vigesima": 20,
}
VALUES: Final = {
    **_TENS,
    "preliminar": 0,
    "preliminaire": 0,
    **_ORDINAL_VALUES,
    **{word: value for value, word in enumerate(_CARDINALS.split(), 1)},
}
"""The value of each number that is one word, in small letters without accents."""
_ENGLISH_ORDINALS: Final = word_set(_ENGLISH)
ENGLISH: Final[Sequence[tuple[str, str]]] = tuple(
    zip(_CARDINALS.split(), _ENGLISH.split(), strict=True)
)
"""The words for 1 to 20, each with its ordinal."""
_AFTER_ENGLISH: Final = word_set("schedule annex appendix part")  # no "First Section", "First Book"
_AFTER_DIGITS: Final = word_set("abschnitt unterabschnitt teil buch kapitel titel hauptstück")

_L: Final = r"[^\W\d_]"
_WORDS: Final = re.compile(
    rf"(?P<article>[Tt][Hh][Ee]\s+|)(?P<one>{_L}{{3,24}})(?:[.]?[\s\u00a0]+(?P<two>{_L}{{3,24}})"
    rf"(?:[ -](?P<three>{_L}{{3,12}})|)|)"
)
_LONE: Final = re.compile(
    rf"(?P<words>{_L}{{4,13}}(?:[ -]{_L}{{3,12}}|))"
    r"(?:(?P<stop>[ ]?\.[ ]?[-–—])|[ ][-–—][ ]|[.:](?=\s|$))"
)
_JOINED: Final = re.compile(r"(?:deci|vigesi|trigesi)m[oa](?=[^\W\d_])")
_NOUN: Final = re.compile(
    r"(?P<number>\d{1,2}[a-z]?|[IVXLC]{1,6})\.[ \u00a0]+(?P<word>[^\W\d_]{4,14}+)"
)
_DISPOSITION: Final = "disposicion"
_OF_DISPOSITION: Final = re.compile(
    rf"{_L}{{11}} (?P<sort>adicional|transitoria|derogatoria|final) "
    rf"(?P<words>{_L}{{5,16}}(?:[ -]{_L}{{5,12}}|))(?=[ ]?\.|:|\s*$)",
    re.IGNORECASE,
)
_SEPARATOR: Final = re.compile(r"\s*(?:[:.—–]|-(?!\w))|\s*$")
_TITLE: Final = re.compile(r"[ \t]*(?:[\r\n]\s*)?[^\W\d_a-z]\w*(?:[ ,-]+[^\W\d_]\w*){0,9}\s*$")


@lru_cache(maxsize=256)
def value_of(words: str) -> int | None:
    """Return the value of a number in words, such as ``Twenty-one``; None for other words."""
    first, _, second = _plain(words).replace(" ", "-").partition("-")
    if not second and (joined := _JOINED.match(first)):
        first, second = joined[0], first[joined.end() :]  # "vigesimoquinta"
    value = VALUES.get(first)
    if not second or value is None:
        return value
    unit = VALUES.get(second)
    return value + unit if first in _TENS and unit and unit < 10 else None  # noqa: PLR2004 - units


def written_out(text: str, place: Place) -> ClauseNumber | None:
    """Read ``ARTICLE ONE``, ``Título primero``, ``First Schedule``, ``PRIMERA.-`` and the like.

    Also ``Erster Abschnitt``. It is a label only if it is alone or comes before a separator or a
    title.
    """
    words = _WORDS.match(text)
    if words is None or not words["one"][0].isupper():
        return None
    one, two = words["one"], words["two"] or ""
    kind = KIND_OF_WORD.get(one.casefold())
    if kind is not None and not words["article"]:
        for end in ("three", "two"):
            value = value_of(text[words.start("two") : words.end(end)]) if words[end] else None
            if value is not None and _is_label(text[words.end(end) :], place):
                return _numbered(kind, text[: words.end(end)], value)
        return None
    first = _plain(one)
    value, noun = _ORDINAL_VALUES.get(first), two.casefold()
    if value is None:
        return _disposition(text) if first == _DISPOSITION else None
    kind = KIND_OF_WORD.get(noun)
    is_noun = noun in _AFTER_ENGLISH or first not in _ENGLISH_ORDINALS
    if kind is not None and is_noun and two[0].isupper():
        is_label = _is_label(text[words.end("two") :], place)
        return _numbered(kind, text[: words.end("two")], value) if is_label else None
    return None if words["article"] else _lone(text, place)


def _disposition(text: str) -> ClauseNumber | None:
    """Read ``Disposición adicional primera. Title``, which follows the articles of Spanish laws."""
    found = _OF_DISPOSITION.match(text)
    value = value_of(found["words"]) if found else None
    if found is None or value is None:
        return None
    label = " ".join(text[: found.end("words")].split())
    return ClauseNumber("annex", label, (f"{found['sort'].casefold()}-{value}",))


def _lone(text: str, place: Place) -> ClauseNumber | None:
    """Read ``PRIMERA.-``, ``SECOND:``: the clauses of Spanish and older American contracts.

    In a heading also ``Primero. Objeto``, as in orders of Spanish ministries.
    """
    found = _LONE.match(text)
    value = value_of(found["words"]) if found else None
    if found is None or not value:
        return None
    is_foreign = _plain(found["words"]) in _ORDINAL_VALUES and found["words"].casefold() not in (
        _ENGLISH_ORDINALS
    )
    if not (found["stop"] or found["words"].isupper() or (place == "heading" and is_foreign)):
        return None
    return _numbered("clause", found["words"], value)


def noun_after_number(text: str, place: Place) -> ClauseNumber | None:
    """Read ``1. Abschnitt`` or ``II. Teil``: the divisions of Austrian and Swiss acts."""
    found = _NOUN.match(text)
    noun = found["word"].casefold() if found else ""
    if found is None or noun not in _AFTER_DIGITS or not _is_label(text[found.end() :], place):
        return None
    return ClauseNumber(KIND_OF_WORD[noun], " ".join(found[0].split()), (found["number"],))


def _numbered(kind: ClauseKind, label: str, value: int) -> ClauseNumber:
    return ClauseNumber(kind, " ".join(label.split()), (str(value),))


def _is_label(rest: str, place: Place) -> bool:
    if _SEPARATOR.match(rest):
        return True
    return starts_title(rest) if place == "heading" else _TITLE.match(rest) is not None
