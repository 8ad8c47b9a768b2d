"""The adapter for LlamaIndex: `TreepackNodeParser` and `TreepackRetriever`.

``parser`` takes documents and settings, ``nodes`` makes nodes of chunks, ``retriever`` fills a
context with what an index found. Needs the extra ``llama-index``.
"""

from treepack.integrations.llama_index.parser import TreepackNodeParser
from treepack.integrations.llama_index.retriever import TreepackRetriever

__all__ = ["TreepackNodeParser", "TreepackRetriever"]
