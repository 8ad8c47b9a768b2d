"""Clauses whose titles run into the text: what a breadcrumb names, and where a cut is allowed.

Such clauses (``4. Restrictions. You may ...``) are packed like sections. The package ``clauses``
determines where they are. This module checks in the text that a clause begins with its number or
title, that no heading comes between its beginning and the chunk's end, and that no paragraph with
the next number comes before the chunk.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final

from treepack.clauses.clause import Clause
from treepack.laws.pieces import AuditedChunk
from treepack.laws.reading.blocks import AuditSection
from treepack.laws.reading.parsed_source import LABEL, ParsedSource

_TOKEN: Final = re.compile(r"[^\W_]+")
_ORDINAL: Final = "ºª°"  # after a number
_FIRST_WORDS: Final = 5  # looked at besides the number; a label may have a word or two before it
_LOOKED_AT: Final = 400  # characters


def clauses_named(source: ParsedSource, entry: str, piece: AuditedChunk) -> Iterator[Clause]:
    """Yield the clauses that a breadcrumb entry may mean; they begin at or before the chunk.

    Args:
        source: The source as the audit reads it.
        entry: Number and title of a clause: ``4 Restrictions``, ``Section 2.01 Term``, ``7``.
        piece: The chunk.
    """
    for clause in source.clauses_by_name.get(entry, ()):
        is_before = not _TOKEN.search(source.text, piece.start, clause.start)
        has_heading = source.sections_between(clause.start + 1, piece.end)
        if is_before and not has_heading and _is_said(source, clause):
            following = _next_number(source, clause.start)
            if following is None or piece.start < following:
                yield clause


def is_between_clauses(source: ParsedSource, left: AuditedChunk, right: AuditedChunk) -> bool:
    """Whether the second of two chunks begins with a run-in clause, or after the end of one.

    False if the records name no clauses, because none were looked for then. False also inside a
    list with a lead-in, which is one sentence.
    """
    named = any(piece.chunk and piece.chunk.clauses for piece in (left, right))
    (cut,) = source.blocks_in(right.start, right.start + 1)
    if not named or (cut.start < right.start and source.lead_in(cut)):
        return False
    begun = source.clauses_by_start.get(right.start)
    if begun is not None and begun.is_run_in and _is_said(source, begun):
        return True
    ended = source.clauses_by_end.get(right.start)
    return ended is not None and _is_said(source, ended)


def has_ended(source: ParsedSource, section: AuditSection, piece: AuditedChunk) -> bool:
    """Whether the numbered clause of a heading has ended before a chunk, at the next clause.

    If titles run into the text, no heading shows this end. False if the chunk's record names no
    clause, because clauses were not looked for then.

    Args:
        source: The source as the audit reads it.
        section: A section whose heading comes before the chunk.
        piece: The chunk.
    """
    if piece.chunk is None or not (piece.chunk.clauses or piece.chunk.clause_number):
        return False
    clause = source.clauses_by_start.get(section.start)
    return clause is not None and clause.is_heading and clause.end <= piece.start


def _is_said(source: ParsedSource, clause: Clause) -> bool:
    """Whether the text at the beginning of a clause contains its number, or else its title."""
    begun = source.text[clause.start : clause.start + _LOOKED_AT]
    number = _TOKEN.findall(clause.path[-1])
    first = _TOKEN.findall(begun)[: _FIRST_WORDS + len(number)]
    words = [word.rstrip(_ORDINAL) for word in first]
    if number and (number[-1] in words or "".join(number) in accumulate(words)):
        return True  # "제 5 조" reads as 제5조
    said = "".join(_TOKEN.findall(clause.title))
    return bool(said) and said in "".join(_TOKEN.findall(begun))


def _next_number(source: ParsedSource, start: int) -> int | None:
    """Return where the only later paragraph begins that has the next number in the clause's form.

    None if there is no such paragraph or several, or if numbers start again before it, perhaps in a
    list: then they may be points of the clause.
    """
    label = LABEL.match(source.text, start)
    if label is None:
        return None
    *above, last = label["number"].split(".")
    zero = ""
    if above and last == "0":  # 1.0 holds 1.1 and so on; 2.0 follows it
        last, zero = above.pop(), ".0"
    key = f"{label['form']}{{}}{label['after']}"
    first, after = (
        key.format(".".join([*above, number]) + zero) for number in ("1", str(int(last) + 1))
    )
    following = _after(source.labels.get(after, ()), start)
    again = [
        *_after(source.labels.get(first, ()), start),
        *_after(source.list_labels.get(first, ()), start),
    ]
    is_sure = len(following) == 1 and min(again, default=following[0]) >= following[0]
    return following[0] if is_sure else None


def _after(places: Sequence[int], start: int) -> Sequence[int]:
    """Return the first two places after ``start``."""
    at = bisect_right(places, start)
    return places[at : at + 2]
