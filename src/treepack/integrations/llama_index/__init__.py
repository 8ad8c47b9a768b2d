"""The adapter for LlamaIndex: a node parser, a retriever and a postprocessor.

``parser`` takes documents and settings, ``nodes`` makes nodes of chunks, ``retriever`` fills a
context with what an index found, ``refresh`` brings an index up to date, ``pdf`` reads PDFs. Needs
the extra ``llama-index``.
"""

from treepack.integrations.llama_index.parser import TreepackNodeParser
from treepack.integrations.llama_index.refresh import Refreshed, refresh_index
from treepack.integrations.llama_index.retriever import TreepackPostprocessor, TreepackRetriever

__all__ = [
    "Refreshed",
    "TreepackNodeParser",
    "TreepackPostprocessor",
    "TreepackRetriever",
    "refresh_index",
]
