"""Numbers in words: ``Article One``, ``First Schedule``, ``Titre premier``, ``Erster Teil``."""

import re
from typing import Final

from treepack.numbers.decimals import SEPARATOR, TITLE, starts_title
from treepack.numbers.words import KIND_OF_WORD, ClauseNumber, Place, letters
from treepack.sentences.small_words import word_set

_CARDINALS: Final = {
    "English": """
        one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
        sixteen seventeen eighteen nineteen twenty
        """,
    "German": "eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf",
    "French": "un deux trois quatre cinq six sept huit neuf dix onze douze",
    "Spanish": "uno dos tres cuatro cinco seis siete ocho nueve diez once doce",
}
_ORDINALS: Final = {  # the endings of all words, and their stems
    "English": (
        "*",
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth",
    ),
    "German": (
        "*er *e *es *en",
        """
        erst zweit dritt viert funft sechst siebt|siebent acht neunt zehnt elft zwolft dreizehnt
        vierzehnt funfzehnt sechzehnt siebzehnt achtzehnt neunzehnt zwanzigst einundzwanzigst
        zweiundzwanzigst dreiundzwanzigst vierundzwanzigst funfundzwanzigst sechsundzwanzigst
        siebenundzwanzigst achtundzwanzigst neunundzwanzigst dreissigst
        """,
    ),
    "French": (
        "* *e",
        "premier deuxiem troisiem quatriem cinquiem sixiem septiem huitiem neuviem dixiem",
    ),
    "Spanish": (
        "*o *a",
        "primer segund tercer cuart quint sext septim octav noven decim undecim duodecim",
    ),
}
"""Both tables without accents, which capitals often lack."""
ENGLISH_CARDINALS: Final = tuple(_CARDINALS["English"].split())
ENGLISH_ORDINALS: Final = tuple(_ORDINALS["English"][1].split())
ORDINAL_VALUES: Final = {
    ending.replace("*", stem): value
    for endings, stems in _ORDINALS.values()
    for value, forms in enumerate(stems.split(), 1)
    for stem in forms.split("|")
    for ending in endings.split()
}
NUMBER_WORDS: Final = ORDINAL_VALUES | {
    word: value for words in _CARDINALS.values() for value, word in enumerate(words.split(), 1)
}
"""The value of each number that is one word, in small letters without accents."""
_NOUNS_AFTER_ENGLISH: Final = word_set("schedule annex appendix part")  # no "First Section"

_LABEL: Final = re.compile(
    r"(?P<article>[Tt][Hh][Ee]\s+|)(?P<first>[^\W\d_]{3,24})\.?[\s\u00a0]+"
    r"(?:[Tt][Hh][Ee]\s+|)(?P<second>[^\W\d_]{3,24})(?![\w-])"
)


def read_written_out(text: str, place: Place) -> ClauseNumber | None:
    """Read a word and a number, or an ordinal and a word, alone or before a separator or title."""
    match = _LABEL.match(text)
    if match is None or not match["first"][0].isupper():
        return None
    first, second = match["first"], match["second"]
    if match["article"] or first.casefold() not in KIND_OF_WORD:
        ordinal, word = letters(first), second
        value = ORDINAL_VALUES.get(ordinal)
        is_english = ordinal in ENGLISH_ORDINALS
        if word[0].islower() or (is_english and letters(word) not in _NOUNS_AFTER_ENGLISH):
            return None
    else:
        word, value = first, NUMBER_WORDS.get(letters(second))
    kind, rest = KIND_OF_WORD.get(word.casefold()), text[match.end() :]
    if kind is None or value is None:
        return None
    is_title = starts_title(rest) if place == "heading" else TITLE.match(rest)
    if not (is_title or SEPARATOR.match(rest)):
        return None
    return ClauseNumber(kind, " ".join(match[0].split()), (str(value),))
