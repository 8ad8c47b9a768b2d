"""Sentences by a regular expression good enough for Latin and CJK text."""

import re
from typing import Final

import regex

# A sentence ends behind a terminator and its closing quotes or brackets: in Latin text before white
# space and something that can begin a sentence, in CJK text at once.
_SENTENCE_END: Final = re.compile(
    r"""
      [。！？｡][」』”’）】》]*+                       # CJK terminators need no blank
    | (?<![\s.!?…]) [.!?…]++ ["'”’»)\]*_]*+ (?=\s)   # Latin; the whole run at once
      (?=\s++["'“‘«(\[*_]*+[^\W_a-z])              # then a capital, a digit or a letter without case
    | [؟।॥။۔]++ (?=\s|\Z)                           # Arabic, Devanagari, Burmese, Urdu
    """,
    re.VERBOSE,
)
# Full stops that end no sentence: initials and the abbreviations that legal and technical texts use.
_ABBREVIATION: Final = re.compile(
    r"""(?:^|[\s(\[§])
    (?: \w | Art | Arts | No | Nos | Nr | Sec | Secs | para | paras | Fig | Figs | Abs | al | cf | Cf
      | vol | Vol | pp | ch | Ch | approx | Dr | Mr | Mrs | Ms | St | vs | e\.g | i\.e | etc | ca
      | bzw | vgl | Vgl | Eq | Ref | Tab | Ziff | lit )
    \.$""",
    re.VERBOSE,
)
_LONGEST_ABBREVIATION: Final = 8

_CLUSTER: Final = regex.compile(r"\X")
# Below U+0300 nothing joins its neighbour but a line feed its carriage return (UAX 29).
_FIRST_JOINING: Final = "\u0300"
_WINDOW: Final = 256


def sentence_starts(text: str, start: int, end: int) -> list[int]:
    """Offsets in ``text[start:end]`` at which a sentence begins, ``start`` included.

    Linear: each character is looked at a bounded number of times.
    """
    starts = [start]
    for match in _SENTENCE_END.finditer(text, start, end):
        behind = match.end()
        if match[0] == ".":
            before = text[max(start, match.start() - _LONGEST_ABBREVIATION) : behind]
            if _ABBREVIATION.search(before):
                continue
        while behind < end and text[behind].isspace():
            behind += 1
        if behind < end and is_boundary(text, behind):
            starts.append(behind)
    return starts


def is_boundary(text: str, offset: int) -> bool:
    """Whether ``offset`` lies between two grapheme clusters (UAX 29), not inside one."""
    if not 0 < offset < len(text):
        return True
    before, behind = text[offset - 1], text[offset]
    if before < _FIRST_JOINING and behind < _FIRST_JOINING:
        return not (before == "\r" and behind == "\n")
    start = offset - 1
    while start > max(0, offset - _WINDOW) and text[start] >= _FIRST_JOINING:
        start -= 1
    return any(m.start() == offset for m in _CLUSTER.finditer(text, start, offset + 1))


def cluster_end(text: str, start: int, limit: int) -> int:
    """Where the grapheme cluster that begins at ``start`` ends; ``limit`` if it is longer."""
    match = _CLUSTER.match(text, start, min(len(text), limit + 1))
    return min(match.end(), limit) if match else limit


def last_boundary(text: str, start: int, end: int) -> int:
    """The last cluster boundary in ``(start, end]``, or ``end`` when a single cluster fills it.

    ``start`` is a boundary itself. A cluster longer than a chunk has to be cut between its code
    points: the cap goes before.
    """
    last = start
    for match in _CLUSTER.finditer(text, start, min(len(text), end + 1)):
        if match.end() > end:
            break
        last = match.end()
    return last if last > start else end
