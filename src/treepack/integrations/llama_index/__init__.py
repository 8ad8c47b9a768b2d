"""The adapter for LlamaIndex: `TreepackNodeParser`.

``parser`` takes documents and settings, ``nodes`` makes nodes of chunks. Needs the extra
``llama-index``.
"""

from treepack.integrations.llama_index.parser import TreepackNodeParser

__all__ = ["TreepackNodeParser"]
