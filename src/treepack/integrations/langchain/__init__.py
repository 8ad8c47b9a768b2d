"""The adapter for LangChain (extra ``langchain``)."""

from typing import TYPE_CHECKING

# Imported first, because its error is the one to be raised if LangChain is not installed.
from treepack.integrations.langchain.splitter import TreepackTextSplitter

# isort: split
from treepack.config import Policies

if TYPE_CHECKING:
    from treepack.integrations.langchain.retriever import TreepackRetriever as TreepackRetriever

__all__ = ["Policies", "TreepackTextSplitter"]


def __getattr__(name: str) -> object:
    """Import the retriever when it is first used: it takes a quarter of the import's time."""
    if name != "TreepackRetriever":
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    from treepack.integrations.langchain.retriever import TreepackRetriever  # noqa: PLC0415

    return TreepackRetriever
