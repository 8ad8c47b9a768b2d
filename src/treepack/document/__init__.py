"""Build: what a document is. No opinion about chunk sizes."""

from treepack.document.build import parse
from treepack.document.clause_number import ClauseNumber
from treepack.document.clause_walk import Clause, clause_at, find_clauses
from treepack.document.clauses import parse_clause
from treepack.document.decoding import DecodingWarning, decode
from treepack.document.outline import OutlineChange
from treepack.document.source import Source
from treepack.document.tree import Document, Section

__all__ = [
    "Clause",
    "ClauseNumber",
    "DecodingWarning",
    "Document",
    "OutlineChange",
    "Section",
    "Source",
    "clause_at",
    "decode",
    "find_clauses",
    "parse",
    "parse_clause",
]
