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
from treepack.laws.chunks import AuditedChunk
from treepack.laws.reading.blocks import AuditSection
from treepack.laws.reading.parsed_source import LABEL, ParsedSource

_TOKEN: Final = re.compile(r"[^\W_]+")
_ORDINAL: Final = "ºª°"  # after a number
_FIRST_WORDS: Final = 5  # looked at besides the number; a label may have a word or two before it
_LONGEST_BEGINNING: Final = 400  # characters


def clauses_named(source: ParsedSource, entry: str, chunk: AuditedChunk) -> Iterator[Clause]:
    """Yield the clauses that a breadcrumb entry may mean; they begin at or before the chunk.

    Args:
        source: The source as the audit reads it.
        entry: Number and title of a clause: ``4 Restrictions``, ``Section 2.01 Term``, ``7``.
        chunk: The chunk.
    """
    for clause in source.clauses_by_name.get(entry, ()):
        is_before = not _TOKEN.search(source.text, chunk.start, clause.start)
        has_heading = source.sections_between(clause.start + 1, chunk.end)
        if is_before and not has_heading and _shows_its_name(source, clause):
            following = _next_number(source, clause.start)
            if following is None or chunk.start < following:
                yield clause


def is_between_clauses(source: ParsedSource, left: AuditedChunk, right: AuditedChunk) -> bool:
    """Whether the second of two chunks begins with a run-in clause, or after the end of one.

    False if the records name no clauses, because none were looked for then. False also inside a
    list with an intro, which is one sentence.
    """
    has_clauses = any(chunk.record and chunk.record.clauses for chunk in (left, right))
    (block,) = source.blocks_in(right.start, right.start + 1)
    if not has_clauses or (block.start < right.start and source.intro_before(block)):
        return False
    starting = source.clauses_by_start.get(right.start)
    if starting is not None and starting.is_run_in and _shows_its_name(source, starting):
        return True
    ending = source.clauses_by_end.get(right.start)
    return ending is not None and _shows_its_name(source, ending)


def has_ended(source: ParsedSource, section: AuditSection, chunk: AuditedChunk) -> bool:
    """Whether the numbered clause of a heading has ended before a chunk, at the next clause.

    If titles run into the text, no heading shows this end. False if the chunk's record names no
    clause, because clauses were not looked for then.

    Args:
        source: The source as the audit reads it.
        section: A section whose heading comes before the chunk.
        chunk: The chunk.
    """
    if chunk.record is None or not (chunk.record.clauses or chunk.record.clause_number):
        return False
    clause = source.clauses_by_start.get(section.start)
    return clause is not None and clause.is_heading and clause.end <= chunk.start


def _shows_its_name(source: ParsedSource, clause: Clause) -> bool:
    """Whether the text at the beginning of a clause contains its number, or else its title."""
    beginning = source.text[clause.start : clause.start + _LONGEST_BEGINNING]
    number = _TOKEN.findall(clause.path[-1])
    first = _TOKEN.findall(beginning)[: _FIRST_WORDS + len(number)]
    words = [word.rstrip(_ORDINAL) for word in first]
    if number and (number[-1] in words or "".join(number) in accumulate(words)):
        return True  # "제 5 조" reads as 제5조
    title = "".join(_TOKEN.findall(clause.title))
    return bool(title) and title in "".join(_TOKEN.findall(beginning))


def _next_number(source: ParsedSource, start: int) -> int | None:
    """Return where the only later paragraph begins that has the next number in the clause's form.

    None if there is no such paragraph or several, or if numbers start again before it, perhaps in a
    list: then they may be points of the clause.
    """
    label = LABEL.match(source.text, start)
    if label is None:
        return None
    *outer_numbers, number = label["number"].split(".")
    form = f"{label['form']}{{}}{label['after']}"
    first, after = (
        form.format(".".join([*outer_numbers, component]))
        for component in ("1", str(int(number) + 1))
    )
    following = _next_two(source, "paragraph", after, start)
    restarts = [
        *_next_two(source, "paragraph", first, start),
        *_next_two(source, "list", first, start),
    ]
    is_certain = len(following) == 1 and min(restarts, default=following[0]) >= following[0]
    return following[0] if is_certain else None


def _next_two(source: ParsedSource, kind: str, label: str, start: int) -> Sequence[int]:
    """Return where the first two blocks after ``start`` begin that have a label."""
    offsets = source.labels.get((kind, label), ())
    first = bisect_right(offsets, start)
    return offsets[first : first + 2]
