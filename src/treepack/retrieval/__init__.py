"""Retrieval: fills a context with ranked chunks within a token budget, and gives citations.

Any index may rank the chunks. `fill_context` takes the children and parents that it found, and
makes the text that a model gets: in document order, no character twice, each part with its place,
never above the budget. No framework is needed.
"""

from treepack.retrieval.context import Context, ContextPart
from treepack.retrieval.fill import fill_context
from treepack.retrieval.hits import Hit
from treepack.retrieval.library import Library
from treepack.retrieval.writer import text_to_index

__all__ = [
    "Context",
    "ContextPart",
    "Hit",
    "Library",
    "fill_context",
    "text_to_index",
]
