"""The splitter that needs no other package: a regular expression proposes, the guard decides."""

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Final, TypeAlias

from treepack.sentences.guard import CLOSING, UNSPACED_STOPS, is_sentence_end

Span: TypeAlias = tuple[int, int]

# Each character is looked at a bounded number of times: a run of stops is taken at once, and no
# match is tried from inside it.
_CANDIDATE: Final = re.compile(
    rf"""
    (?: (?<![\s.!?…(\[{{]) [.…] | (?<![.!?…(\[{{]) [!?] ) [.!?…]*+
      (?:{CLOSING}|)*+ (?=\s | [\u2e80-\u9fff\uf900-\ufaff])
    | (?<=[^\s.!?…(\[{{][ ]) \. (?=\s)      # a stop apart, in text that was cut into tokens
    | [{UNSPACED_STOPS}]++ (?:{CLOSING}|)*+
    | (?<=[\u0370-\u03ff\u1f00-\u1fff]) [;\u037e] (?=\s)    # a Greek question
    | (?:\r\n|\n|\r(?!\n)) [ \t]* [\r\n] \s*+               # a blank line
    """,
    re.VERBOSE,
)
_TEXT: Final = re.compile(r"\S")


class RegexSplitter:
    """Sentences by rules. It holds no state."""

    def spans(self, text: str) -> list[Span]:
        """Return the sentences; see `SentenceSplitter.spans`. The spans tile the text."""
        starts: list[int] = []
        for candidate in _CANDIDATE.finditer(text):
            end = candidate.end()
            behind = _TEXT.search(text, end)
            if behind is None:
                break
            is_blank_line = not candidate[0].strip()
            if is_blank_line or is_sentence_end(text, end, behind.start()):
                starts.append(behind.start())
        return tiled(text, starts)

    def __repr__(self) -> str:
        return "sentence_splitter('regex')"


def tiled(text: str, starts: Iterable[int]) -> list[Span]:
    """Spans from each start to the next; the first begins with the text."""
    bounds = sorted({0, *starts, len(text)})
    return list(pairwise(bounds))
