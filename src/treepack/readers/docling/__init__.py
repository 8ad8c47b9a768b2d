"""Reads DoclingDocument JSON as markdown.

Enters: the JSON as bytes or as a mapping. Leaves: a `Source`. ``items`` resolves the references
between items, ``reader`` writes.
"""

from treepack.readers.docling.reader import read_docling

__all__ = ["read_docling"]
