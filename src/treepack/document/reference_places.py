"""Where in a text a reference may stand, and where its words begin.

Few numbers are cited, and few words cite. So a text is first looked through for numbers by its
shape, a byte for each character that says no more than what sort of character it is: bytes are
searched many times faster than text. The word before a number is looked at next.
"""

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Final

from treepack.document.clause_words import word_set
from treepack.document.reference_words import CUES, DOTTED, KIND_OF_REFERENCE

CAPTION_WORDS: Final = word_set(
    """
    table tables tabelle tabellen tab tableau tableaux tabla tablas quadro figure figures
    fig figs abbildung abbildungen abb bild figura figuras
    """
)
_CUE_ENDS: Final = word_set(
    """
    see also cf compare siehe auch vgl voir véase ver nach gemäß to with in by of
    """
)
_WORDS: Final = frozenset({*KIND_OF_REFERENCE, *CAPTION_WORDS, *_CUE_ENDS})
_ENDINGS: Final = frozenset(word[-3:] for word in _WORDS)
_SHORT_WORDS: Final = frozenset(word for word in _WORDS if len(word) < len("see"))


def find_places(text: str) -> list[int]:
    """The offsets where a reference may be, in order.

    A number behind a word (or a dot) and blanks with no empty line at their end, or the mark that a
    reference begins with: ``§``, ``第``, ``{{``, and ``[`` before the text of a link within the
    document or before a number.
    """
    numbers = chain.from_iterable(
        _numbers(text, start, start + _AT_ONCE) for start in range(0, len(text), _AT_ONCE)
    )
    patterns = [pattern for sign, pattern in _MARKS.items() if sign in text]
    marks = [match.start() for pattern in patterns for match in pattern.finditer(text)]
    return sorted([*numbers, *marks])


def _numbers(text: str, start: int, end: int) -> Iterator[int]:
    """The numbers that begin between two offsets; so no shape is as long as the text."""
    first = max(0, start - _SEEN_BEFORE)
    shape = text[first : end + _SEEN_BEHIND].encode("latin-1", "replace").translate(_SHAPES)
    for pattern in _NUMBERS:
        for match in pattern.finditer(shape, start - first):
            if first + match.start() < end:
                yield first + match.start()


def start_of_words(text: str, place: int, behind: int, end: int) -> int | None:
    """Where the words begin that make a reference of the number (or the ``[``) at a place.

    Args:
        text: The source.
        place: One of its places.
        behind: Where the words may begin at the earliest.
        end: Where the text ends that is looked at.

    Returns:
        None if there are no such words: so it is at most numbers.
    """
    low = place - _LONGEST_BLANK if place - behind > _LONGEST_BLANK else behind
    before = text[low:place].rstrip(_BLANKS)
    tail = before[-_LONGEST_ENDING:].rstrip(".").lower()
    if tail[-3:] not in _ENDINGS and tail[-2:] not in _SHORT_WORDS:
        return None  # most words
    blank = low + len(before)
    if text[place] != "[" and (blank == place or not _NUMBER.match(text, place, end)):
        return None
    low = max(behind, blank - _LONGEST_WORD)
    word = _WORD_BEFORE.search(text[low:blank])
    if word is None:
        return None
    name = word[0].lower().rstrip(".")
    if name in KIND_OF_REFERENCE or name in CAPTION_WORDS:
        return low + word.start()
    number = place + (text[place] == "[")
    if name not in _CUE_ENDS or not _dotted_pattern().match(text, number, end):
        return None
    low = max(behind, blank - _LONGEST_CUE)
    cue = _cue_pattern().search(text[low:blank])
    return low + cue.start() if cue else None


def _shape_of(sign: str) -> str:
    """The sort of a character; one outside of Latin-1 may be a blank, so ``?`` is."""
    if sign in "0123456789":
        return "0"
    if "A" <= sign <= "Z":
        return "I" if sign in "IVXLC" else "A"
    if sign in " \t\r>\u00a0?":
        return " "
    return sign if sign in ".\n" else "a" if sign.isalpha() else "-"


_AT_ONCE: Final = 1 << 17  # characters
_SEEN_BEFORE: Final = 2
_SEEN_BEHIND: Final = 8
"""How many characters around its first one a pattern of numbers asks for."""

_SHAPES: Final = "".join(map(_shape_of, map(chr, range(256)))).encode()
_BEHIND_WORD: Final = rb"(?<=[aAI.\n ][\n ].)(?<!\n\n.)"
_NUMBERS: Final = (
    re.compile(rb"0" + _BEHIND_WORD),
    re.compile(rb"A" + _BEHIND_WORD + rb"(?:[AI]?\.0|(?![aAI0]))"),
    re.compile(rb"I" + _BEHIND_WORD + rb"(?:A\.0|I{0,6}(?![aAI]))"),
)
"""Numbers in a shape: ``5``; ``A``, ``A.2``, ``AI.2``; ``IV``, ``I.2``, ``V2``; some words too."""
_MARKS: Final = {
    "§": re.compile("§"),
    "第": re.compile("第"),
    "{": re.compile(r"\{\{"),
    "[": re.compile(
        r"\[(?=\d|(?:[A-Z]|[IVXLC]{2,7})(?!\w)|[A-Z]{1,2}\.\d|V\d|[^\[\]]{0,300}\]\(\#)"
    ),
}
_NUMBER: Final = re.compile(r"[0-9]|[A-Z]\b|[A-Z]{1,2}\.\d|[IVXLC]{2,7}\b|V\d")
_WORD_BEFORE: Final = re.compile(r"[^\W\d_](?<!\w.)[\w-]*+\.?$")
_BLANKS: Final = " \t\r\n>\u00a0\u202f"
_LONGEST_ENDING: Final = len("see.")
_LONGEST_BLANK: Final = 50  # with the indentation of a next line
_LONGEST_WORD: Final = 20
_LONGEST_CUE: Final = 40


@cache
def _dotted_pattern() -> re.Pattern[str]:
    """The only numbers that a cue without a word of law makes references of."""
    return re.compile(DOTTED)


@cache
def _cue_pattern() -> re.Pattern[str]:
    """Words after which a bare dotted number is a reference, at the end of a text."""
    return re.compile(rf"(?<!\w)(?i:{CUES})$")
