"""The adapter for LlamaIndex: `TreepackNodeParser`.

``parser`` takes documents and settings, ``nodes`` makes nodes of chunks, ``refresh`` brings an
index up to date. Needs the extra ``llama-index``.
"""

from treepack.integrations.llama_index.parser import TreepackNodeParser
from treepack.integrations.llama_index.refresh import Refreshed, refresh_index

__all__ = ["Refreshed", "TreepackNodeParser", "refresh_index"]
