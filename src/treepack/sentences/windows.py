"""Runs sentencex in windows, because it is quadratic in a long CJK paragraph; the guard decides."""

import re
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, Final

from treepack.errors import MissingExtraError
from treepack.line_ends import LineFeedOffsets, with_line_feeds
from treepack.sentences.guard import is_sentence_end
from treepack.sentences.rules import RegexSplitter, Span, tiled

WINDOW: Final = 8_000
"""Most characters that sentencex gets at once."""

LONG_SENTENCE: Final = 160
"""Characters. In a longer sentence, the rules look for more sentence ends."""

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_LANGUAGE: Final = "en"
_BREAK: Final = re.compile(r"\s\S*\Z")

_Segmenter = Callable[[str, str], list[dict[str, Any]]]


class SentencexSplitter:
    """Finds sentences with sentencex. Its only state is the function it calls.

    Raises:
        MissingExtraError: The package is not installed.
    """

    def __init__(self) -> None:
        self.segment = _load()
        self._rules = RegexSplitter()

    def spans(self, text: str) -> list[Span]:
        r"""Return the sentences; see `SentenceSplitter.spans`. The spans tile the text.

        sentencex knows only ``\n`` as a line end, so other line ends are converted for it.
        """
        if "\r" not in text:
            return self._spans(text)
        offset = LineFeedOffsets(text).offset
        return [(offset(start), offset(end)) for start, end in self._spans(with_line_feeds(text))]

    def _spans(self, text: str) -> list[Span]:
        starts: list[int] = []
        begin = 0
        while begin < len(text):
            stop = min(begin + WINDOW, len(text))
            inside = [begin + start for start in self._starts(text[begin:stop])]
            starts.extend(start for start in inside if _is_start(text, begin, start))
            begin = stop if stop == len(text) else _next_window(text, begin, stop, inside)
        return list(self._with_long_ones_split(text, tiled(text, starts)))

    def _with_long_ones_split(self, text: str, spans: list[Span]) -> Iterator[Span]:
        """Yield the spans, with long ones split by the rules.

        sentencex does not end sentences inside quotes or brackets, and may take an apostrophe for
        an opening quote. So a single apostrophe could turn a whole page into one sentence.
        """
        for start, end in spans:
            if end - start <= LONG_SENTENCE:
                yield start, end
            else:
                for begin, after in self._rules.spans(text[start:end]):
                    yield start + begin, start + after

    def _starts(self, window: str) -> Iterator[int]:
        # Lone surrogates have no UTF-8 form; any other character can replace them.
        for segment in self.segment(_LANGUAGE, _SURROGATE.sub("\ufffd", window)):
            start = segment["start_index"]
            content = window[start : segment["end_index"]]
            if content.strip():
                yield start + len(content) - len(content.lstrip())

    def __repr__(self) -> str:
        return "sentence_splitter('sentencex')"


def _is_start(text: str, floor: int, start: int) -> bool:
    """Whether the guard accepts a sentence start that sentencex found."""
    end = start
    while end > floor and text[end - 1].isspace():
        end -= 1
    if text.count("\n", end, start) > 1:
        return True
    return end > floor and is_sentence_end(text, end, start)


def _next_window(text: str, begin: int, stop: int, starts: list[int]) -> int:
    """Return the start of the next window: the last sentence, or else after the last whitespace.

    It is never in the first half of this window, so the text is read at most twice.
    """
    middle = begin + (stop - begin) // 2
    if starts and starts[-1] > middle:
        return starts[-1]
    whitespace = _BREAK.search(text[middle:stop])
    return middle + whitespace.start() + 1 if whitespace else stop


def _load() -> _Segmenter:
    try:
        module = import_module("sentencex")
    except ImportError as error:
        message = "the sentence splitter 'sentencex' needs: pip install treepack[sentences]"
        raise MissingExtraError(message) from error
    segmenter: _Segmenter = module.get_sentence_boundaries
    return segmenter
