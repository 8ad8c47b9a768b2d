"""Clauses whose titles run into the text: what a breadcrumb names, and where one may cut.

Such clauses (``4. Restrictions. You may ...``) are packed as sections are. The room of clauses says
where they are; that the text begins there with the number or the title is looked up in the text,
and that no heading ends the clause before the chunk does.
"""

import re
from collections.abc import Iterator
from typing import Final

from treepack.clauses.clause import Clause
from treepack.laws.pieces import Piece
from treepack.laws.reading.blocks import Section
from treepack.laws.reading.parsed_source import ParsedSource

_TOKEN: Final = re.compile(r"[^\W_]+")
_ORDINAL: Final = "ºª°"  # after a number
_FIRST_WORDS: Final = 6  # among which the number is; a label may have a word or two before it
_LOOKED_AT: Final = 400  # characters


def clauses_named(source: ParsedSource, entry: str, piece: Piece) -> Iterator[Clause]:
    """The clauses that a breadcrumb entry may mean: they begin at or before a chunk.

    Args:
        source: The source as the audit reads it.
        entry: Number and title of a clause: ``4 Restrictions``, ``Section 2.01 Term``, ``7``.
        piece: The chunk.
    """
    for clause in source.clauses_by_name.get(entry, ()):
        is_before = not _TOKEN.search(source.text, piece.start, clause.start)
        if is_before and _is_said(source, clause):
            is_whole = not source.sections_between(clause.start + 1, piece.end)
            if is_whole:
                yield clause


def is_between_clauses(source: ParsedSource, left: Piece, right: Piece) -> bool:
    """Whether the second of two chunks begins with a run-in clause, or after the end of one.

    Where records name no clauses, none was looked for; and a list with a lead-in is one sentence.
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


def has_ended(source: ParsedSource, section: Section, piece: Piece) -> bool:
    """Whether the numbered clause of a heading ends before a chunk, with the next clause's number.

    No heading shows that where titles run into the text; the record names the clause.

    Args:
        source: The source as the audit reads it.
        section: A section whose heading stands before the chunk.
        piece: The chunk.
    """
    if piece.chunk is None or not (piece.chunk.clauses or piece.chunk.clause_number):
        return False
    clause = source.clauses_by_start.get(section.start)
    return clause is not None and clause.is_heading and clause.end <= piece.start


def _is_said(source: ParsedSource, clause: Clause) -> bool:
    """Whether the text at the beginning of a clause says its number, or else its title."""
    begun = source.text[clause.start : clause.start + _LOOKED_AT]
    words = [word.rstrip(_ORDINAL) for word in _TOKEN.findall(begun)[:_FIRST_WORDS]]
    number = _TOKEN.findall(clause.path[-1])
    if number and number[-1] in words:
        return True
    said = "".join(_TOKEN.findall(clause.title))
    return bool(said) and said in "".join(_TOKEN.findall(begun))
