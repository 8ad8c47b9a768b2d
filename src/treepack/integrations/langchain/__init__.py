"""The adapter for LangChain (extra ``langchain``)."""

from typing import TYPE_CHECKING

from treepack.integrations.langchain.splitter import (
    TreepackBlobParser,
    TreepackLoader,
    TreepackTextSplitter,
)

if TYPE_CHECKING:
    from treepack.integrations.langchain.retriever import TreepackRetriever as TreepackRetriever

__all__ = ["TreepackBlobParser", "TreepackLoader", "TreepackTextSplitter"]


def __getattr__(name: str) -> object:
    """Import and return the retriever when it is first used; it takes a quarter of the time."""
    if name != "TreepackRetriever":
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    from treepack.integrations.langchain.retriever import TreepackRetriever  # noqa: PLC0415 - see above

    return TreepackRetriever
