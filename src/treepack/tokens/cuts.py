r"""Where token counts add up, and where long whitespace must be cut.

A byte-pair tokenizer first splits the text into words by a pattern, then merges within each word.
If a word must end at an offset, whatever the rest of the text is, the counts of both sides add
up. Such an offset is a *safe cut*. The patterns of cl100k_base and o200k_base make these cuts safe:

====  ============================================  ===============================================
rule  between                                       exceptions
====  ============================================  ===============================================
R1    line break | not whitespace                   o200k: not before ``/``, as in ``{\n//``
R2    line break | indentation, then no whitespace  needs a look ahead: ``INDENTED`` in the table
R3    not whitespace | whitespace                   line breaks: only after a letter or number
R4    letter or number | punctuation, symbol        not ``'``, which may begin ``'ll``
R5    letter | number, number | letter
====  ============================================  ===============================================

Whitespace is the Unicode property White_Space, as in those patterns. ``str.isspace`` is true for
more characters.
"""

import functools
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, TypeAlias

import tiktoken

LONGEST_RUN: Final = 100_000
"""Most whitespace characters in a row that a tokenizer gets; a million make tiktoken crash."""

REACH: Final = 256
"""Most characters on each side of a cut that are read to decide whether it is safe."""

UNSAFE, SAFE, INDENTED = range(3)
"""``INDENTED`` is safe if an indented line starts here, which two characters do not show."""

CutTable: TypeAlias = tuple[tuple[int, ...], ...]
"""UNSAFE, SAFE or INDENTED for the kind of the character before and the kind of the one after."""

_BREAKS: Final = "\r\n"
_SPACES: Final = (
    "\t\v\f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
_WHITESPACE: Final = _BREAKS + _SPACES
_RUN: Final = re.compile(f"[{_WHITESPACE}]+")
_INDENTED_TEXT: Final = re.compile(f"[{_SPACES}]{{1,{REACH}}}[^{_WHITESPACE}]")

_BREAK, _SPACE, _LETTER, _NUMBER, _MARK, _APOSTROPHE, _SLASH, _OTHER = _KINDS = range(8)
_PATTERNS: Final = {r"\p{L}": _LETTER, r"\p{N}": _NUMBER, r"\p{M}": _MARK}


class _KindOfCharacter(dict[str, int]):
    """The kind of each character, found once and then looked up."""

    def __missing__(self, character: str) -> int:
        kinds = (kind for kind, finder in _category_finders() if finder.encode_ordinary(character))
        kind = self[character] = next(kinds, _OTHER)
        return kind


@functools.cache
def _category_finders() -> tuple[tuple[int, tiktoken.Encoding], ...]:
    """Return one encoding per category, which makes tokens only of that category's characters.

    This uses the tokenizer's own tables, because Python may have another Unicode version.
    """
    ranks = {bytes([byte]): byte for byte in range(256)}
    return tuple(
        (
            kind,
            tiktoken.Encoding(pattern, pat_str=pattern, mergeable_ranks=ranks, special_tokens={}),
        )
        for pattern, kind in _PATTERNS.items()
    )


KIND: Final = _KindOfCharacter(
    dict.fromkeys(_BREAKS, _BREAK)
    | dict.fromkeys(_SPACES, _SPACE)
    | {"'": _APOSTROPHE, "/": _SLASH}
)


def cut_table(*, slash_joins_break: bool) -> CutTable:
    """Return the rules R1 to R5 as a table: ``table[KIND[before]][KIND[after]]``."""
    unsafe_after_break = {_BREAK, _SLASH} if slash_joins_break else {_BREAK}
    table = [[UNSAFE for _ in _KINDS] for _ in _KINDS]
    for kind in _KINDS:
        table[_BREAK][kind] = UNSAFE if kind in unsafe_after_break else SAFE  # R1
        if kind not in {_BREAK, _SPACE}:
            table[kind][_SPACE] = SAFE  # R3
    table[_BREAK][_SPACE] = INDENTED  # R2
    for kind in (_LETTER, _NUMBER):
        table[kind][_BREAK] = SAFE  # R3
        table[kind][_OTHER] = table[kind][_SLASH] = SAFE  # R4
    table[_LETTER][_NUMBER] = table[_NUMBER][_LETTER] = SAFE  # R5
    return tuple(map(tuple, table))


def starts_indented_line(text: str, cut: int, begin: int, end: int) -> bool:
    """Return whether R2 holds at a cut between a line break and indentation in text[begin:end].

    The whitespace on both sides of the cut must be short; longer runs are cut elsewhere.
    """
    before = text[max(begin, cut - REACH) : cut]
    return not before.isspace() and _INDENTED_TEXT.match(text, cut, end) is not None


def without_long_runs(text: str, longest: int = LONGEST_RUN) -> Iterator[str]:
    """Cut the text inside whitespace runs of more than ``longest`` characters.

    Such a run is cut after every ``longest`` characters, counted from its start.
    """
    cuts = [0]
    for start, end in _long_runs(text, longest):
        cuts += range(start + longest, end, longest)
    for start, end in pairwise([*cuts, len(text)]):
        yield text[start:end]


def _long_runs(text: str, longest: int) -> Iterator[tuple[int, int]]:
    """Yield the long whitespace runs, found by probing only every ``longest``-th character."""
    end = 0
    for probe in range(0, len(text), longest):
        run = None if probe < end else _RUN.match(text, probe)
        if run is not None:
            before = text[max(0, probe - longest) : probe]
            start = probe - (len(before) - len(before.rstrip(_WHITESPACE)))
            end = run.end()
            if end - start > longest:
                yield start, end
