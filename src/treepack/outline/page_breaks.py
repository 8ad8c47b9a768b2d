"""Page breaks: a form feed ends a line, and a sentence may continue across it."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from treepack.model.source import Source

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
    if last in _SENTENCE_END or len(before) < _SHORTEST:  # `ends_sentence`, without the call
        return False
    is_open = last in {",", "-"} and before[-2].isalnum()  # a rule such as ----- is not
    return is_open or after[:1].islower()


def printed_lines(source: Source) -> Iterable[tuple[int, int, int]]:
    """Return the number, start and end of each line; a form feed ends a line as well."""
    starts = source.line_starts
    if "\f" in source.text:
        return _lines_with_form_feeds(source)
    return zip(range(len(starts) - 1), starts, starts[1:], strict=False)


def _lines_with_form_feeds(source: Source) -> Iterator[tuple[int, int, int]]:
    text = source.text
    next_feed = text.find("\f")
    for number, (start, end) in enumerate(pairwise(source.line_starts)):
        line_start = start
        while 0 <= next_feed < end:
            yield number, line_start, next_feed
            line_start = next_feed + 1
            next_feed = text.find("\f", line_start)
        yield number, line_start, end
