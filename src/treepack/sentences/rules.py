"""What a sentence splitter is, and the built-in one.

In the built-in one, a regular expression proposes ends of sentences and the guard decides.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final, Protocol, TypeAlias, TypeVar, runtime_checkable

from treepack.errors import SentenceSplitterError
from treepack.graphemes import INK
from treepack.sentences.guard import CLOSING, UNSPACED_STOPS, is_sentence_end

Span: TypeAlias = tuple[int, int]
T = TypeVar("T")


@runtime_checkable
class SentenceSplitter(Protocol):
    """Finds the sentences of a text; any object with this method can be used."""

    def spans(self, text: str) -> list[Span]:
        """Return the sentences, in order, as half-open spans of characters of ``text``.

        Spans do not overlap. Together they cover the text, except whitespace at its start and
        between spans. Other text between two spans is added to the sentence before it. A
        sentence that begins inside a grapheme cluster is joined to the sentence before it. The text
        is a paragraph or more; markers of quotes at the start of lines are replaced by spaces.
        """
        ...


# Linear: a run of stops is matched as a whole, and no match is tried from inside the run, so each
# character is read a bounded number of times.
_CANDIDATE: Final = re.compile(
    rf"""
    (?: (?<![\s.!?…(\[{{]) [.…] | (?<![.!?…(\[{{]) [!?] ) [.!?…]*+
      (?:{CLOSING}|)*+ (?=\s | [\u2e80-\u9fff\uf900-\ufaff])
    | (?<=[^\s.!?…(\[{{][ ]) \. (?=\s)      # a stop after a blank, in text split into tokens
    | [{UNSPACED_STOPS}]++ (?:{CLOSING}|)*+
    | (?<=[\u0370-\u03ff\u1f00-\u1fff]) [;\u037e] (?=\s)    # a Greek question
    | (?:\r\n|\n|\r(?!\n)) [ \t]* [\r\n] \s*+               # a blank line
    """,
    re.VERBOSE,
)
# The characters that begin a candidate. Trying the alternatives at every character would take ten
# times as long. Line feeds count only before a blank line, which few of them precede.
_CANDIDATE_START: Final = re.compile(
    rf"[.…!?;\u037e\r\n{UNSPACED_STOPS}](?:(?<!\n)|(?=[ \t]*+[\r\n]))"
)


class RegexSplitter:
    """Finds sentences by rules. It has no state."""

    def spans(self, text: str) -> list[Span]:
        """Return the sentences; see `SentenceSplitter.spans`. The spans tile the text."""
        starts: list[int] = []
        for candidate in _candidates(text):
            end = candidate.end()
            after = INK.search(text, end)
            if after is None:
                break
            is_blank_line = not candidate[0].strip()
            if is_blank_line or is_sentence_end(text, end, after.start()):
                starts.append(after.start())
        return tiled(text, starts)


def _candidates(text: str) -> Iterator[re.Match[str]]:
    after = 0
    for match in _CANDIDATE_START.finditer(text):
        start = match.start()
        if start >= after and (candidate := _CANDIDATE.match(text, start)):
            after = candidate.end()
            yield candidate


def tiled(text: str, starts: Iterable[int]) -> list[Span]:
    """Return spans from each start to the next; the first span begins at 0."""
    bounds = sorted({0, *starts, len(text)})
    return list(pairwise(bounds))


def sentence_splitter(splitter: str | SentenceSplitter) -> SentenceSplitter:
    """Return the sentence splitter of that name; any other splitter is returned unchanged.

    The built-in rules keep abbreviations of legal and technical texts whole (``Art. 5``, ``No. 3``,
    ``z. B.``) in some twenty languages, and their spans cover the text without gaps.

    Raises:
        SentenceSplitterError: No splitter has that name, or the object has no method ``spans``.

    >>> text = "See Art. 5 of the Regulation. It applies."
    >>> [text[start:end] for start, end in sentence_splitter("regex").spans(text)]
    ['See Art. 5 of the Regulation. ', 'It applies.']
    """
    if not isinstance(splitter, str):
        return checked_splitter(splitter)
    if splitter == "regex":
        return RegexSplitter()
    message = (
        f"there is no sentence splitter {splitter!r}; use regex, or an object with a method spans"
    )
    raise SentenceSplitterError(message)


def checked_splitter(splitter: T) -> T:
    """Return a name or a `SentenceSplitter` unchanged.

    Raises:
        SentenceSplitterError: The value is something else, such as a function.
    """
    if not isinstance(splitter, str | SentenceSplitter):
        kind = type(splitter).__name__
        message = f"a sentence splitter must be a name or an object with a method spans, not {kind}"
        raise SentenceSplitterError(message)
    return splitter
