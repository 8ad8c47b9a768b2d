"""Reads lists of elements: unstructured's JSON, and what any parser gives as `Element`s.

Enters: records, or their JSON as bytes. Leaves: a `Source`. ``records`` knows the names of values,
``reader`` writes sections, tables and lists.
"""

from treepack.readers.elements.reader import DocumentMetadata, Element, read_elements

__all__ = ["DocumentMetadata", "Element", "read_elements"]
