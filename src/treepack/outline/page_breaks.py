"""Whether a sentence continues across a page break, or across a heading that interrupts it."""

from typing import Final

_SHORTEST: Final = 20  # characters; a word or two under a heading need no full stop
_SENTENCE_END: Final = frozenset(".:;!?…。：；！？")


def ends_sentence(text: str) -> bool:
    """Whether a text ends with a full stop or other punctuation that ends a sentence."""
    return text[-1:] in _SENTENCE_END


def sentence_continues(before: str, after: str) -> bool:
    """Whether a sentence continues from the end of one text to the beginning of another.

    Args:
        before: The last line or paragraph above the break, without whitespace at its end.
        after: The text below the break, without whitespace at its beginning.
    """
    last = before[-1:]
    if len(before) < _SHORTEST or ends_sentence(before):
        return False
    is_open = last in {",", "-"} and before[-2].isalnum()  # a rule such as ----- is not
    return is_open or after[:1].islower()
