"""The guard: decides whether a stop ends a sentence or belongs to an abbreviation or a number.

A missed boundary only makes a sentence longer, but a wrong one splits a citation. So in doubt
there is no boundary. Every look back or ahead is bounded, so any text takes linear time.
"""

import re
import unicodedata
from typing import Final

from treepack.graphemes import LETTERS
from treepack.sentences.abbreviations import (
    ARTICLES,
    CLAUSES,
    ENDING,
    INNER,
    LEADING,
    NUMBERED,
    ORDINALS,
    STARTERS,
    UNITS,
)

UNSPACED_STOPS: Final = "。！？｡．؟۔।॥။።፧։។៕"
"""Stops of scripts that need no space after the end of a sentence."""

CLOSING: Final = (
    r"""(?:["'”’»)\]}*_`」』】》〉）］｝〕]"""  # quotes, brackets, emphasis
    r"""|[ \u00a0\u202f]»(?=\s|\Z)|[“«](?=\s|\Z)"""  # quotes that may open as well
    r"""|\[\^?[\w-]{1,16}\]|</?\w[^<>\r\n]{0,40}>)"""  # a reference to a note, a tag
)
"""A pattern of one closing quote, bracket or the like that belongs to the sentence before it."""

_AROUND: Final = 48  # characters: longer than any abbreviation with the word before it
_CJK_STOPS: Final = "。！？｡．"
_ASKING: Final = "!?！？"
_NO_BREAK: Final = "\u00a0\u202f"
"""No-break spaces. Authors put them after abbreviations, so alone they allow a boundary only after
``?`` and ``!``. But HTML editors put them between sentences, so at a clear boundary they do, too.
"""
_LONG_WORD: Final = 5  # letters

_STOPS: Final = f".!?…;\u037e{UNSPACED_STOPS}"
_STOP: Final = re.compile(rf"([{_STOPS}]+)({CLOSING}*)\Z")
_OPENING: Final = re.compile(
    r"""(?:["'“‘”«»‹„‚(\[{*_~`¿¡「『【《〈（［｛〔]|</?[A-Za-z][^<>\r\n]{0,40}>|)*+"""
)
# Enumerators: (b), iv), a)
_ENUMERATOR: Final = re.compile(r"\((?:\w{1,2}|[ivxl]{1,6})\)|(?:[^\W\d_]|[ivx]{1,5})\)")
_JOINERS: Final = "\u200c\u200d\uff9e\uff9f"
_NEVER_FIRST: Final = frozenset(".,;:!?…)]}%–—-/|\\=+&>”’»、，；：。！？）」』】》〉｝］〕·~")
_LINE_MARKERS: Final = frozenset("-–—|=+")  # a line that begins with one never continues a sentence
_PARTICLES: Final = "とはがをにもので"  # after a quotation, they continue the sentence
_KANA_BRACKETS: Final = "」』）"

_WORD_AROUNDWARDS: Final = re.compile(r"""[^\s(\[{"'“”„«»‹›*_~`/,;:§–—-]*""")
_CHAIN: Final = re.compile(r"(?:[^\W\d_]{1,4}\.\s?)*[^\W\d_]+\Z")
_INTEGER: Final = re.compile(r"\d{1,3}")
_NUMBER: Final = re.compile(r"\(?\d+(?:[.,]\d+)*")
_COUNTER: Final = re.compile(r"\d{1,3}(?:\.\d+)*|[^\W\d_]|[IVXLivxl]{1,6}")
_DOTTED: Final = re.compile(r"(?:[^\W\d_]{1,4}\.)+[^\W\d_]{1,4}")
_LINE_START: Final = re.compile(r"(?:\A|[\r\n])[ \t]*[*_#(]*\Z")
_AFTER_STOP: Final = re.compile(r"[!?:;。！？][\"'”’»)*_]*\Z")
# What may follow a numbered abbreviation: 5, (3), IV, b, (EU), §, A-12, another abbreviation
_NUMBERLIKE: Final = re.compile(
    r"[*_]*[(\[]?(?:[*_]*[\d§№#]|[IVXLCDM]+\b|[^\W\d_]\b(?!['’])|[A-Z]{1,4}[-/.]?\d|\w{1,6}\))"
    r"|[^\W\d_]{1,6}\.\s?\d"
)
_DATE_CONTINUES: Final = re.compile(r"\d{1,2}\.(?:\s|\Z)")


def is_sentence_end(text: str, end: int, start: int) -> bool:
    """Whether a sentence ends at ``end`` and the next one begins at ``start``.

    Args:
        text: Any text.
        end: The offset after a stop and its closing quotes, brackets and the like.
        start: The offset of the next non-whitespace character.
    """
    stops, closing = ".", ""
    if text[end - 1] != "." or text[end - 2 : end - 1] in _STOPS:  # else a full stop alone, usually
        stop = _STOP.search(text[max(0, end - _AROUND) : end])
        if stop is None:
            return False
        stops, closing = stop[1], stop[2]
    if stops[-1] in _CJK_STOPS:
        return _ends_unspaced(text, end, start, stops, closing)
    can_end = _gap_allows_boundary(stops[-1], text[end:start])
    can_end = can_end or _is_clear_boundary(text, end - len(stops + closing), start)
    if not can_end or not _can_begin(text, start):
        return False
    if stops != "." or closing.strip("*_"):
        return True
    return not _is_inside_sentence(text, end - len(closing) - 1, start)


def _is_clear_boundary(text: str, end: int, start: int) -> bool:
    """Whether five letters in lower case end a word, and a capitalized word follows.

    Then there may be a boundary whatever is between the two; see `_NO_BREAK`.
    """
    last, first = text[max(0, end - _LONG_WORD) : end], text[start : start + 2]
    is_long = len(last) == _LONG_WORD and last.isalpha() and last.islower()
    return is_long and first.isalpha() and first.istitle() and first[1:].islower()


def _gap_allows_boundary(stop: str, gap: str) -> bool:
    """Whether the whitespace after a stop allows a boundary.

    No-break spaces alone may not; see `_NO_BREAK`. Without whitespace, a full stop or an ellipsis
    does not allow it.
    """
    if not gap:
        return stop not in ".…"
    return stop in _ASKING or bool(gap.strip(_NO_BREAK))


def _ends_unspaced(text: str, end: int, start: int, stops: str, closing: str) -> bool:
    """Whether a Chinese or Japanese stop ends a sentence; no space need follow it."""
    following = text[start : start + 1]
    if stops[-1] == "．" and following.isdigit():
        return False
    if closing and closing[-1] in _KANA_BRACKETS and following in _PARTICLES:
        return False
    if following in _LINE_MARKERS and ("\n" in text[end:start] or "\r" in text[end:start]):
        return True
    return following not in _NEVER_FIRST and not _is_combining(following)


def _can_begin(text: str, start: int) -> bool:
    """Whether a sentence may begin here: with a capital, a caseless letter, a digit or the like."""
    ahead = text[start : start + _AROUND]
    if "A" <= ahead[:1] <= "Z":  # the common case
        return True
    if _ENUMERATOR.match(ahead):
        return True
    opening = _OPENING.match(ahead)
    assert opening is not None, "it may be empty"
    first = ahead[opening.end() : opening.end() + 1]
    if first.islower():
        return opening[0].endswith("`")  # code keeps its case
    if first in _NEVER_FIRST:
        return ahead.startswith("![")  # an image
    return not _is_combining(first)


def _is_combining(character: str) -> bool:
    """Whether a character is missing, or combines with the previous one and begins no sentence."""
    if not character:
        return True
    is_tone = "\U0001f3fb" <= character <= "\U0001f3ff"
    return unicodedata.category(character)[0] == "M" or character in _JOINERS or is_tone


# -------------------------------------------------------------------- abbreviations


def _is_inside_sentence(text: str, dot: int, start: int) -> bool:
    """Whether a full stop belongs to an abbreviation or a number inside a sentence."""
    back = text[max(0, dot - _AROUND) : dot].rstrip()
    ahead = text[start : start + _AROUND]
    match = _WORD_AROUNDWARDS.match(back[::-1])
    assert match is not None, "it may be empty"
    word_start = len(back) - match.end()
    word, before = back[word_start:], back[:word_start]
    if len(word) == _AROUND:
        return False
    if _COUNTER.fullmatch(word) and _is_at_beginning(before):
        return True
    if _NUMBER.fullmatch(word):
        return _is_number_inside(word, before, ahead)
    return _is_abbreviation(word, before, back, ahead)


def _is_abbreviation(word: str, before: str, back: str, ahead: str) -> bool:
    folded = word.casefold()
    if folded in NUMBERED and _has_number_after(folded, ahead):
        return True
    is_single = word.isalpha() and ("." not in back or not before.rstrip().endswith("."))
    chain = None if is_single else _CHAIN.search(back)
    joined = "".join(chain[0].split()).casefold() if chain else folded
    if folded in LEADING or joined in LEADING or word == "MM":
        return True
    if joined in ENDING:
        return False
    is_letter = len(word) == 1 and (word.isupper() or word.islower())
    if is_letter and folded in UNITS and _NUMBER.fullmatch(_last_token(before)):
        return False
    if folded in INNER or joined in INNER or is_letter or _DOTTED.fullmatch(word):
        return not _begins_with_starter(ahead)
    return False


def _has_number_after(folded: str, ahead: str) -> bool:
    if folded == "no":  # may also be an answer
        return bool(re.match(r"[*_(]*(?:\d|[A-Z]{1,4}[-/]?\d)", ahead))
    return bool(_NUMBERLIKE.match(ahead))


def _is_number_inside(word: str, before: str, ahead: str) -> bool:
    """Whether ``3.`` is an ordinal, part of a date, or the number at the beginning of a clause."""
    last = _last_token(before)
    noun = last.rstrip(".").casefold()
    if (noun in CLAUSES or noun in NUMBERED) and _is_at_beginning(before.rstrip()[: -len(last)]):
        return True
    if not _INTEGER.fullmatch(word):
        return bool(_DATE_CONTINUES.match(ahead))
    if ahead[:1].isdigit():
        return True
    following = LETTERS.match(ahead)
    if following and following[0].casefold() in ORDINALS:
        return True
    return noun in ARTICLES and last.islower() and not _begins_with_starter(ahead)


def _is_at_beginning(before: str) -> bool:
    """Whether the text after ``before`` begins a text, a line or a sentence."""
    if _LINE_START.search(before):
        return True
    bare = before.rstrip()
    if _AFTER_STOP.search(bare):
        return True
    token = _last_token(bare).rstrip("*_")
    word = token.rstrip(".").casefold()
    if not token.endswith(".") or word in NUMBERED or word in LEADING or word in INNER:
        return False
    return word.isdigit() or (len(word) > 1 and not _DOTTED.fullmatch(word))


def _begins_with_starter(ahead: str) -> bool:
    """Whether the next word is one that usually begins a sentence."""
    opening = _OPENING.match(ahead)
    word = LETTERS.match(ahead, opening.end() if opening else 0)
    if word is None or (len(word[0]) == 1 and ahead.startswith(".", word.end())):
        return False  # a name's initial, or an abbreviation of several letters
    return word[0].casefold() in STARTERS


def _last_token(text: str) -> str:
    return (text.split() or [""])[-1].lstrip("(*_[")
