"""The adapter for LlamaIndex: `TreepackNodeParser` and `TreepackRetriever`.

``parser`` takes documents and settings, ``nodes`` makes nodes of chunks, ``retriever`` fills a
context with what an index found, ``refresh`` brings an index up to date, ``pdf`` reads PDFs. Needs
the extra ``llama-index``.
"""

from treepack.integrations.llama_index.parser import TreepackNodeParser
from treepack.integrations.llama_index.refresh import Refreshed, refresh_index
from treepack.integrations.llama_index.retriever import TreepackRetriever

__all__ = ["Refreshed", "TreepackNodeParser", "TreepackRetriever", "refresh_index"]
