"""Where in a text a reference may be, and where its words begin.

Few numbers are cited, and few words introduce citations. So the text is first searched for numbers
in a simplified form, with one byte per character for its class, because bytes are searched many
times faster than text. Then the word before each number is checked.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from treepack.model.blocks import Span
from treepack.numbers.words import word_set
from treepack.references.words import CUES, DOTTED, KIND_OF_REFERENCE, WORDS_OF_STEPS

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
_WORDS: Final = frozenset({*KIND_OF_REFERENCE, *CAPTION_WORDS, *_CUE_ENDS, *WORDS_OF_STEPS})
_NAMING: Final = frozenset({*KIND_OF_REFERENCE, *CAPTION_WORDS})
_ENDINGS: Final = frozenset(word[-3:] for word in _WORDS)
_SHORT_WORDS: Final = frozenset(word for word in _WORDS if len(word) < len("see"))


def find_places(text: str, literals: Sequence[Span] = ()) -> list[int]:
    """Return the offsets where a reference may be, sorted.

    A place is a number, or a ``[`` before a number, if spaces and a word come before it, and the
    word ends like one that cites. A symbol that begins a reference is a place too: ``§``, ``第``,
    ``{{``, and the ``[`` of a link within the document.

    Args:
        text: The source.
        literals: Spans without references, such as code, in order; no number in them is a place.
    """
    found = [*_links_within(text)]
    for start in range(0, len(text), _AT_ONCE):
        found += _numbers(text, start, start + _AT_ONCE, literals)
    for sign, pattern in _MARKS.items():
        if sign in text:
            found += [match.start() for match in pattern.finditer(text)]
    brackets = [match.start() for match in _BRACKETS.finditer(text)]
    found += [place for place in brackets if _is_after_word(text, place)]
    return sorted(set(found))


def _links_within(text: str) -> Iterator[int]:
    """Yield the starts of links within the document: ``[the limits](#limits)``.

    Many links lead elsewhere. So the text is searched for ends of links, not for starts.
    """
    for end in _LINK_END.finditer(text):
        low = max(0, end.start() - _LONGEST_LINK_TEXT - 1)
        start = text.rfind("[", low, end.start())
        if start >= 0 and "]" not in text[start : end.start()]:
            yield start


def _numbers(text: str, start: int, end: int, literals: Sequence[Span]) -> list[int]:
    """Return the places of numbers that begin between two offsets.

    Only this stretch of the text is turned into byte form, so that the byte form stays small.
    """
    first = max(0, start - _SEEN_BEFORE)
    seen = text[first : end + _SEEN_AFTER].encode("latin-1", "replace")
    shape = bytearray(seen.translate(_SHAPES))
    for begin, after in literals[bisect_left(literals, (first, 0)) :]:
        if after > end:
            break
        shape[begin - first : after - first] = b"-" * (after - begin)  # most numbers are in code
    found = [
        first + match.start()
        for pattern in _NUMBERS
        for match in pattern.finditer(shape, start - first)
    ]
    is_dotted = _dotted_pattern().match
    return [
        place
        for place in found
        if place < end
        and (
            tail in _ENDINGS or (tail[1:] in _SHORT_WORDS and is_dotted(text, place))
            if (tail := text[place - _LONGEST_ENDING : place - 1].lower())[2:].isalpha()
            else _is_after_word(text, place)
        )
    ]


def _is_after_word(text: str, place: int) -> bool:
    """Whether the word before a place, apart from spaces, ends like a word that cites."""
    before = text[max(0, place - _LONGEST_BLANK - _LONGEST_ENDING) : place].rstrip(_BLANKS)
    tail = (before.rstrip(".") if before[-1:] == "." else before)[-3:].lower()
    return tail in _ENDINGS or tail[-2:] in _SHORT_WORDS


def start_of_words(text: str, place: int, after: int, end: int) -> int | None:
    """Return where the words begin that make the number (or the ``[``) at a place a reference.

    Args:
        text: The source.
        place: One of its places.
        after: The earliest offset for the words.
        end: The end of the searched text.

    Returns:
        None if there are no such words; then the number is just a number.
    """
    low = place - _LONGEST_BLANK if place - after > _LONGEST_BLANK else after
    blank = low + len(text[low:place].rstrip(_BLANKS))
    if text[place] != "[" and (blank == place or not _NUMBER.match(text, place, end)):
        return None
    low = max(after, blank - _LONGEST_WORD)
    word = _WORD_BEFORE.search(text[low:blank])
    if word is None:
        return None
    name = word[0].lower().rstrip(".")
    naming = WORDS_OF_STEPS if text[place] == "(" else _NAMING
    if name in naming:
        return low + word.start()
    number = place + (text[place] == "[")
    if name not in _CUE_ENDS or not _dotted_pattern().match(text, number, end):
        return None
    low = max(after, blank - _LONGEST_CUE)
    cue = _cue_pattern().search(text[low:blank])
    return low + cue.start() if cue else None


def _shape_of(sign: str) -> str:
    """Return the class of a character; ``?`` replaces any non-Latin-1 one, which may be a space."""
    if sign in "0123456789":
        return "0"
    if "A" <= sign <= "Z":
        return "I" if sign in "IVXLC" else "A"
    if sign in " \t\r>\u00a0?":
        return " "
    if sign in "([":
        return "("
    return sign if sign in ".\n" else "a" if sign.isalpha() else "-"


_AT_ONCE: Final = 1 << 17  # characters
_SEEN_BEFORE: Final = 2
_SEEN_AFTER: Final = 8
"""Characters after a number's start that its pattern needs to see."""

_SHAPES: Final = "".join(map(_shape_of, map(chr, range(256)))).encode()
_AFTER_WORD: Final = rb"(?<=[aAI.\n ][\n ].)(?<!\n\n.)"
_AFTER_STEP_WORD: Final = rb"(?<=a[\n ].)"
_NUMBERS: Final = (
    re.compile(rb"0" + _AFTER_WORD),
    re.compile(rb"A(?!a)" + _AFTER_WORD + rb"(?:[AI]?\.0|(?![aAI0]))"),
    re.compile(rb"I(?!a)" + _AFTER_WORD + rb"(?:A\.0|I{0,6}(?![aAI]))"),
    re.compile(rb"\(" + _AFTER_STEP_WORD + rb"(?:0{1,3}a?|a{1,4}|[AI])[-(]"),
)
"""Numbers in byte form: ``5``; ``A``, ``A.2``; ``IV``, ``I.2``, ``V2``; ``(1)``; and some words."""
_MARKS: Final = {
    "§": re.compile("§"),
    "第": re.compile("第"),
    "{": re.compile(r"\{\{"),
}
_BRACKETS: Final = re.compile(r"\[(?=\d|(?:[A-Z]|[IVXLC]{2,7})(?!\w)|[A-Z]{1,2}\.\d|V\d)")
_LINK_END: Final = re.compile(r"\](?=\(#)")  # re finds a single character faster
_LONGEST_LINK_TEXT: Final = 300  # characters
_NUMBER: Final = re.compile(r"\(|[0-9]|[A-Z]\b|[A-Z]{1,2}\.\d|[IVXLC]{2,7}\b|V\d")
_WORD_BEFORE: Final = re.compile(r"[^\W\d_](?<!\w.)[\w-]*+\.?$")
_BLANKS: Final = " \t\r\n>\u00a0\u202f"
_LONGEST_ENDING: Final = len("see.")
_LONGEST_BLANK: Final = 50  # includes the indentation of a next line
_LONGEST_WORD: Final = 20
_LONGEST_CUE: Final = 40


@cache
def _dotted_pattern() -> re.Pattern[str]:
    """Return the pattern of numbers that a cue turns into references without a legal word."""
    return re.compile(DOTTED)


@cache
def _cue_pattern() -> re.Pattern[str]:
    """Return the pattern of words at the end of a text that make a dotted number a reference."""
    return re.compile(rf"(?<!\w)(?i:{CUES})$")
