"""The splitter that needs no other package: a regular expression proposes, the guard decides."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final, TypeAlias

from treepack.sentences.guard import CLOSING, UNSPACED_STOPS, is_sentence_end

Span: TypeAlias = tuple[int, int]

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
_TEXT: Final = re.compile(r"\S")


class RegexSplitter:
    """Finds sentences by rules. It has no state."""

    def spans(self, text: str) -> list[Span]:
        """Return the sentences; see `SentenceSplitter.spans`. The spans tile the text."""
        starts: list[int] = []
        for candidate in _candidates(text):
            end = candidate.end()
            after = _TEXT.search(text, end)
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
