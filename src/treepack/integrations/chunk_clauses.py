"""The clauses that a chunk belongs to, for filters of vector stores.

A store's filter only compares values. It knows neither that ``12(3)`` is a part of ``12``, nor that
a chunk which begins in the middle of a clause holds a part of it.
"""

from typing import NamedTuple

from treepack.clauses.clause import Clauses
from treepack.document.document import Document
from treepack.model.chunk import body_span
from treepack.model.section import path_to_content
from treepack.packing import Chunk


class ChunkClause(NamedTuple):
    """The clause that holds a chunk's text, and the path down to the clause."""

    number: str | None
    path: tuple[str, ...]


def clause_of(chunk: Chunk, document: Document, clauses: Clauses) -> ChunkClause:
    """Return the clause that holds a chunk's text, without the bare headings above the text.

    If a chunk begins with the heading of a chapter and continues with one of its articles, the
    result is the article, which is also where the breadcrumb ends.
    """
    own_clause = ChunkClause(chunk.clause_number, chunk.clause_path)
    if not chunk.clauses:
        return own_clause
    start, end = body_span(chunk)
    section = path_to_content(document.root, start, end)[-1]
    if section.start <= start:
        return own_clause
    clause = clauses.at(section.start, end)
    return ChunkClause(clause.number, clause.path) if clause else own_clause


def clauses_of(chunk: Chunk, clauses: Clauses) -> tuple[str, ...]:
    """Return all clauses with a part in a chunk: those around it, then those that begin in it.

    If the chunk continues a clause, the clauses around it are those around its first character.
    """
    if chunk.clause_number is None and chunk.clause_continued is None:
        return chunk.clauses
    start, end = body_span(chunk)
    outer_numbers: list[str] = []
    index = clauses.index_at(start, start + 1 if chunk.clause_continued else end)
    while index is not None:
        clause = clauses[index]
        outer_numbers.append(clause.number)
        index = clause.parent
    return tuple(dict.fromkeys([*reversed(outer_numbers), *chunk.clauses]))
