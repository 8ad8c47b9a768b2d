"""Sentences and words around a boundary, judged so that only sure cuts are seen."""

from typing import Final

import regex

_WEAK_END: Final = regex.compile(
    r"""
    (?: [\p{STerm}:;,|\u2026\uff1a\uff1b\uff0c\u060c\u3001]   # what may end a sentence or its part
        (?: \[[^\[\]\r\n]{0,40}\] | \([^()\r\n]{0,8}\) | </?\w[^<>\r\n]{0,60}>   # a note, a tag
          | [\p{Pe}\p{Pf}\p{Pi}"'*_`~>\s]                                  # closing marks
        |)*+
      | \\\s+ | [ ]{2,}\s* | <br[ ]*/?>\s*                     # a hard line break
    ) \Z
    """,
    regex.VERBOSE,
)
_STRONG_END: Final = regex.compile(
    r"(?<=\p{Ll}{5})[.!?]\s+(?=\p{Lu}\p{Ll}) | [\u3002\uff01\uff1f](?=[\s\p{L}])", regex.VERBOSE
)
_WITHOUT_SPACES: Final = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Bopomofo}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
    r"\p{Tibetan}\p{Yi}\p{Javanese}\p{Balinese}\p{Tai_Le}\p{New_Tai_Lue}\p{Tai_Tham}]"
)
_WORD_CHARACTER: Final = regex.compile(r"\w")
_ENDING: Final = 96


def sentence_around(
    text: str, block: tuple[int, int], cut: tuple[int, int], widest: int
) -> tuple[int, int] | None:
    """The sentence that a cut parts, if it surely parts one.

    A cut behind anything that may end a sentence (even a comma or a colon) is taken for clean; and
    the sentence is taken as long as it may be, between two ends that no splitter would miss.

    Args:
        text: The source.
        block: The paragraph.
        cut: Where the text before ends, and where the text behind begins.
        widest: Look no further than so many characters.
    """
    end, start = cut
    if _is_without_spaces(text[end - 1]) or _is_without_spaces(text[start]):
        return None
    if _WEAK_END.search(text[max(block[0], end - _ENDING) : start]):
        return None
    first, behind = max(block[0], end - widest), min(block[1], start + widest)
    before = list(_STRONG_END.finditer(text, first, end))
    if before:
        first = before[-1].end()
    elif first > block[0]:
        return None
    after = _STRONG_END.search(text, start, behind)
    if after:
        behind = after.start() + 1
    elif behind < block[1]:
        return None
    return first, behind


def word_around(text: str, end: int, start: int, widest: int) -> tuple[int, int] | None:
    """The unbroken run of characters that a cut parts inside a word; None if it parts none."""
    if end != start or not _is_word(text[end - 1]) or not _is_word(text[start]):
        return None
    before = text[max(end - widest, 0) : end].rsplit(maxsplit=1)[-1]
    after = text[start : start + widest].split(maxsplit=1)[0]
    return end - len(before), start + len(after)


def _is_word(character: str) -> bool:
    return bool(_WORD_CHARACTER.match(character)) and not _is_without_spaces(character)


def _is_without_spaces(character: str) -> bool:
    return bool(_WITHOUT_SPACES.match(character))
