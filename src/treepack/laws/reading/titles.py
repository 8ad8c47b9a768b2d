"""When two texts have the same words, whatever markup and punctuation they have."""

import re
from typing import Final

_UNSAID: Final = re.compile(r"\[\^[^\[\]]*\]|\{[#.:][^{}]*\}\s*$")
_COMPARED: Final = 4000  # characters; two titles that agree in this many are the same
_SHORTENED: Final = 500  # characters; no title is shortened to fewer
_SIGN: Final = re.compile(r"[\W_]+")


def same_title(one: str, *others: str) -> bool:
    """Whether a title has the same letters and digits as one of the others.

    Titles without letters and digits are compared as they are. A long title may be shortened to its
    first words and an ellipsis, as in breadcrumbs.
    """
    if one.endswith("…") and len(one) > _SHORTENED:
        return any(_begins(other, one[:-1]) for other in others)
    letters = _letters(one[:_COMPARED])
    return any(letters == _letters(other[:_COMPARED]) for other in others)


def holds_title(text: str, title: str) -> bool:
    """Whether the letters and digits of a title occur in a text."""
    return _letters(title) in _letters(text)


def holds_words(text: str, words: str) -> bool:
    """Like `holds_title`, but for any words; note markers and attributes count as words too."""
    return (_SIGN.sub("", words) or words).casefold() in (_SIGN.sub("", text) + text).casefold()


def _begins(title: str, words: str) -> bool:
    return title.startswith(words) or _letters(title[:_COMPARED]).startswith(_letters(words))


def _letters(text: str) -> str:
    said = _UNSAID.sub("", text)
    return _SIGN.sub("", said).casefold() or "".join(said.split())
