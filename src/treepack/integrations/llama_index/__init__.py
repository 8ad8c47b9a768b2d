"""The adapter for LlamaIndex (extra ``llama-index``)."""

from treepack.integrations.llama_index.parser import TreepackNodeParser, TreepackReader
from treepack.integrations.llama_index.refresh import Refreshed, refresh_index
from treepack.integrations.llama_index.retriever import TreepackPostprocessor, TreepackRetriever

__all__ = [
    "Refreshed",
    "TreepackNodeParser",
    "TreepackPostprocessor",
    "TreepackReader",
    "TreepackRetriever",
    "refresh_index",
]
