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
from treepack.references.words import CUES, DOTTED, KIND_OF_REFERENCE, SUBCLAUSE_WORDS
from treepack.sentences.small_words import word_set

CAPTION_WORDS: Final = word_set(
    """
    table tables tabelle tabellen tab tableau tableaux tabla tablas quadro figure figures
    fig figs abbildung abbildungen abb bild figura figuras
    """
)
_LAST_CUE_WORDS: Final = word_set(
    """
    see also cf compare siehe auch vgl voir véase ver nach gemäß to with in by of
    """
)
_WORDS: Final = frozenset({*KIND_OF_REFERENCE, *CAPTION_WORDS, *_LAST_CUE_WORDS, *SUBCLAUSE_WORDS})
_CITING_WORDS: Final = frozenset({*KIND_OF_REFERENCE, *CAPTION_WORDS})
_ENDINGS: Final = frozenset(word[-3:] for word in _WORDS)
_SHORT_WORDS: Final = frozenset(word for word in _WORDS if len(word) < len("see"))


def find_candidates(text: str, literals: Sequence[Span] = ()) -> list[int]:
    """Return the offsets where a reference may be, sorted.

    A candidate is a number, or a ``[`` before a number, if spaces and a word come before it, and
    the word ends like one that cites. So is a symbol that begins a reference: ``§``, ``第``,
    ``{{``, and the ``[`` of a link within the document.

    Args:
        text: The source.
        literals: Spans without references, such as code, in order; their numbers do not count.
    """
    candidates = [*_internal_links(text)]
    for start in range(0, len(text), _WINDOW):
        candidates += _numbers(text, start, start + _WINDOW, literals)
    for symbol, pattern in _SYMBOLS.items():
        if symbol in text:
            candidates += [match.start() for match in pattern.finditer(text)]
    brackets = [match.start() for match in _BRACKETS.finditer(text)]
    candidates += [candidate for candidate in brackets if _is_after_word(text, candidate)]
    return sorted(set(candidates))


def _internal_links(text: str) -> Iterator[int]:
    """Yield the starts of links within the document: ``[the limits](#limits)``.

    Many links lead elsewhere. So the text is searched for ends of links, not for starts.
    """
    for end in _LINK_END.finditer(text):
        low = max(0, end.start() - _LONGEST_LINK_TEXT - 1)
        start = text.rfind("[", low, end.start())
        if start >= 0 and "]" not in text[start : end.start()]:
            yield start


def _numbers(text: str, start: int, end: int, literals: Sequence[Span]) -> list[int]:
    """Return the offsets of numbers that begin between two offsets.

    Only this stretch of the text is turned into byte form, so that the byte form stays small.
    """
    first = max(0, start - _CONTEXT_BEFORE)
    window = text[first : end + _CONTEXT_AFTER].encode("latin-1", "replace")
    classes = bytearray(window.translate(_CLASSES))
    for begin, after in literals[bisect_left(literals, (first, 0)) :]:
        if after > end:
            break
        classes[begin - first : after - first] = b"-" * (after - begin)  # most numbers are in code
    candidates = [
        first + match.start()
        for pattern in _NUMBERS
        for match in pattern.finditer(classes, start - first)
    ]
    is_dotted = _dotted_pattern().match
    return [
        candidate
        for candidate in candidates
        if candidate < end
        and (
            tail in _ENDINGS or (tail[1:] in _SHORT_WORDS and is_dotted(text, candidate))
            if (tail := text[candidate - _LONGEST_ENDING : candidate - 1].lower())[2:].isalpha()
            else _is_after_word(text, candidate)
        )
    ]


def _is_after_word(text: str, candidate: int) -> bool:
    """Whether the word before a candidate, apart from spaces, ends like a word that cites."""
    before = text[max(0, candidate - _LONGEST_SPACE - _LONGEST_ENDING) : candidate].rstrip(_SPACES)
    tail = (before.rstrip(".") if before[-1:] == "." else before)[-3:].lower()
    return tail in _ENDINGS or tail[-2:] in _SHORT_WORDS


def start_of_words(text: str, candidate: int, after: int, end: int) -> int | None:
    """Return where the words begin that make the number (or the ``[``) at a candidate a reference.

    Returns:
        None if there are no such words; then the number is just a number.
    """
    low = candidate - _LONGEST_SPACE if candidate - after > _LONGEST_SPACE else after
    word_end = low + len(text[low:candidate].rstrip(_SPACES))
    if text[candidate] != "[" and (
        word_end == candidate or not _NUMBER.match(text, candidate, end)
    ):
        return None
    low = max(after, word_end - _LONGEST_WORD)
    word = _WORD_BEFORE.search(text[low:word_end])
    if word is None:
        return None
    name = word[0].lower().rstrip(".")
    citing_words = SUBCLAUSE_WORDS if text[candidate] == "(" else _CITING_WORDS
    if name in citing_words:
        return low + word.start()
    number = candidate + (text[candidate] == "[")
    if name not in _LAST_CUE_WORDS or not _dotted_pattern().match(text, number, end):
        return None
    low = max(after, word_end - _LONGEST_CUE)
    cue = _cue_pattern().search(text[low:word_end])
    return low + cue.start() if cue else None


def _class_of(character: str) -> str:
    """Return the class of a character; ``?`` replaces any non-Latin-1 one, which may be a space."""
    if character in "0123456789":
        return "0"
    if "A" <= character <= "Z":
        return "I" if character in "IVXLC" else "A"
    if character in " \t\r>\u00a0?":
        return " "
    if character in "([":
        return "("
    return character if character in ".\n" else "a" if character.isalpha() else "-"


_WINDOW: Final = 1 << 17  # characters
_CONTEXT_BEFORE: Final = 2
_CONTEXT_AFTER: Final = 8
"""Characters after a number's start that its pattern needs to see."""

_CLASSES: Final = "".join(map(_class_of, map(chr, range(256)))).encode()
_AFTER_WORD: Final = rb"(?<=[aAI.\n ][\n ].)(?<!\n\n.)"
_AFTER_SUBCLAUSE_WORD: Final = rb"(?<=a[\n ].)"
_NUMBERS: Final = (
    re.compile(rb"0" + _AFTER_WORD),
    re.compile(rb"A(?!a)" + _AFTER_WORD + rb"(?:[AI]?\.0|(?![aAI0]))"),
    re.compile(rb"I(?!a)" + _AFTER_WORD + rb"(?:A\.0|I{0,6}(?![aAI]))"),
    re.compile(rb"\(" + _AFTER_SUBCLAUSE_WORD + rb"(?:0{1,3}a?|a{1,4}|[AI])[-(]"),
)
"""Numbers in byte form: ``5``; ``A``, ``A.2``; ``IV``, ``I.2``, ``V2``; ``(1)``; and some words."""
_SYMBOLS: Final = {
    "§": re.compile("§"),
    "第": re.compile("第"),
    "{": re.compile(r"\{\{"),
}
_BRACKETS: Final = re.compile(r"\[(?=\d|(?:[A-Z]|[IVXLC]{2,7})(?!\w)|[A-Z]{1,2}\.\d|V\d)")
_LINK_END: Final = re.compile(r"\](?=\(#)")  # re finds a single character faster
_LONGEST_LINK_TEXT: Final = 300  # characters
_NUMBER: Final = re.compile(r"\(|[0-9]|[A-Z]\b|[A-Z]{1,2}\.\d|[IVXLC]{2,7}\b|V\d")
_WORD_BEFORE: Final = re.compile(r"[^\W\d_](?<!\w.)[\w-]*+\.?$")
_SPACES: Final = " \t\r\n>\u00a0\u202f"
_LONGEST_ENDING: Final = len("see.")
_LONGEST_SPACE: Final = 50  # includes the indentation of a next line
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
