"""The adapter for LangChain (extra ``langchain``)."""

import importlib
from typing import TYPE_CHECKING

# Imported first, because its error is the one to be raised if LangChain is not installed.
from treepack.integrations.langchain.splitter import TreepackTextSplitter

if TYPE_CHECKING:
    from treepack.integrations.langchain.loader import TreepackBlobParser as TreepackBlobParser
    from treepack.integrations.langchain.loader import TreepackLoader as TreepackLoader
    from treepack.integrations.langchain.retriever import TreepackRetriever as TreepackRetriever

__all__ = ["TreepackTextSplitter"]

_MODULES = {
    "TreepackBlobParser": "loader",
    "TreepackLoader": "loader",
    "TreepackRetriever": "retriever",
}
"""What not everybody needs, and where it is: retrieval takes a quarter of the import's time."""


def __getattr__(name: str) -> object:
    """Import and return a loader or a retriever when it is first used."""
    if name not in _MODULES:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
