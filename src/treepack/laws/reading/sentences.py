"""Sentences, words and tags around a boundary; only what is certainly cut is reported."""

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
_BLANK_LINE: Final = regex.compile(r"(?:\r\n|\r(?!\n)|\n)[ \t>]*+[\r\n]")
# "Messrs." is the only abbreviation before names with five lowercase letters.
_STRONG_END: Final = regex.compile(
    r"""(?<=\p{Ll}{5}) (?<![Mm]essrs) [.!?] \s+ (?=\p{Lu}\p{Ll})
      | [\u3002\uff01\uff1f](?=\s*+\p{L})""",
    regex.VERBOSE,
)
_WITHOUT_SPACES: Final = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Bopomofo}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
    r"\u30fc\uff70"  # lengthens vowels of Hiragana and Katakana, but belongs to neither script
    r"\p{Tibetan}\p{Yi}\p{Javanese}\p{Balinese}\p{Tai_Le}\p{New_Tai_Lue}\p{Tai_Tham}]"
)
_TAG: Final = regex.compile(
    r"""</?[a-z][^\s/<>]*+(?:[^<>"']|"[^"<]*"|'[^'<]*'|)*+>""", regex.IGNORECASE
)
_WORD_CHARACTER: Final = regex.compile(r"\w")
_LONGEST_ENDING: Final = 96


def ends_cleanly(
    text: str, span: tuple[int, int], cut: tuple[int, int], *, is_html: bool = False
) -> bool:
    """Whether a cut follows anything that may end a sentence, even a comma or a colon.

    A blank line ends it too: comments and some other HTML may contain blank lines.

    Args:
        text: The source.
        span: The span that is cut: a paragraph, some HTML.
        cut: Where the text before ends, and where the text after begins.
        is_html: Whether it is HTML, where a tag directly before or after the cut is enough.
    """
    end, start = cut
    if is_html and (_TAG.match(text, start) or text[end - 1] == ">"):
        return True
    if _BLANK_LINE.search(text, end, start):
        return True
    return _WEAK_END.search(text[max(span[0], end - _LONGEST_ENDING) : start]) is not None


def sentence_around(
    text: str, span: tuple[int, int], cut: tuple[int, int], max_distance: int
) -> tuple[int, int] | None:
    """Return the sentence that a cut splits, or None if it does not certainly split one.

    The caller knows that no sentence ends at the cut. The sentence is taken as long as possible:
    between two sentence ends that no splitter would miss.

    Args:
        text: The source.
        span: The span that is cut.
        cut: Where the text before ends, and where the text after begins.
        max_distance: How many characters to look at on each side.
    """
    end, start = cut
    if _is_without_spaces(text[end - 1]) or _is_without_spaces(text[start]):
        return None
    first, limit = max(span[0], end - max_distance), min(span[1], start + max_distance)
    before = list(_STRONG_END.finditer(text, first, end))
    if before:
        first = before[-1].end()
    elif first > span[0]:
        return None
    after = _STRONG_END.search(text, start, limit)
    if after:
        limit = after.start() + 1
    elif limit < span[1]:
        return None
    return first, limit


def tag_around(text: str, span: tuple[int, int], offset: int) -> tuple[int, int] | None:
    """Return the tag in HTML that contains the characters before and at a position."""
    tag_start = text.rfind("<", span[0], offset)
    match = _TAG.match(text, tag_start) if tag_start >= 0 else None
    return match.span() if match and match.end() > offset else None


def word_around(text: str, end: int, start: int, max_distance: int) -> tuple[int, int] | None:
    """Return the unbroken run of characters around a cut inside a word; None if no word is cut.

    Underscores before the cut are emphasis markers, not part of a word, if punctuation precedes
    them.
    """
    if end != start or not _is_word(text[end - 1]) or not _is_word(text[start]):
        return None
    before = text[max(end - max_distance, 0) : end].rsplit(maxsplit=1)[-1]
    if not _is_word(before.rstrip("_")[-1:] or "_"):
        return None
    after = text[start : start + max_distance].split(maxsplit=1)[0]
    return end - len(before), start + len(after)


def _is_word(character: str) -> bool:
    return bool(_WORD_CHARACTER.match(character)) and not _is_without_spaces(character)


def _is_without_spaces(character: str) -> bool:
    return bool(_WITHOUT_SPACES.match(character))
