"""Reads lists of elements: unstructured's JSON, and what any parser gives as `Element`s.

Enters: records, or their JSON as bytes. Leaves: a `Source`. ``sections`` and ``texts`` put
together the sections, tables and lists; ``unstructured`` knows the names of that package.
"""

from treepack.readers.elements.reader import DocumentMetadata, Element, read_elements

__all__ = ["DocumentMetadata", "Element", "read_elements"]
