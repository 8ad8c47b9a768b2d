"""When two texts have the same words, whatever markup and punctuation they have."""

import re
from typing import Final

_NOTES_AND_ATTRIBUTES: Final = re.compile(r"\[\^[^\[\]]*\]|\{[#.:][^{}]*\}\s*$")
_COMPARED: Final = 4000  # characters; two titles that agree in this many are the same
_SHORTENED: Final = 500  # characters; no title is shortened to fewer
_PUNCTUATION: Final = re.compile(r"[\W_]+")


def same_title(title: str, *candidates: str) -> bool:
    """Whether a title has the same letters and digits as one of the others.

    Titles without letters and digits are compared as they are. A long title may be shortened to its
    first words and an ellipsis, as in breadcrumbs.
    """
    if title.endswith("…") and len(title) > _SHORTENED:
        return any(_begins(candidate, title[:-1]) for candidate in candidates)
    letters = _letters(title[:_COMPARED])
    return any(letters == _letters(candidate[:_COMPARED]) for candidate in candidates)


def holds_title(text: str, title: str) -> bool:
    """Whether the letters and digits of a title occur in a text."""
    return _letters(title) in _letters(text)


def holds_words(text: str, words: str) -> bool:
    """Like `holds_title`, but for any words; note markers and attributes count as words too."""
    wanted = (_PUNCTUATION.sub("", words) or words).casefold()
    return wanted in (_PUNCTUATION.sub("", text) + text).casefold()


def _begins(title: str, words: str) -> bool:
    return title.startswith(words) or _letters(title[:_COMPARED]).startswith(_letters(words))


def _letters(text: str) -> str:
    title = _NOTES_AND_ATTRIBUTES.sub("", text)
    return _PUNCTUATION.sub("", title).casefold() or "".join(title.split())
