"""Lists of elements become markdown: unstructured's JSON, and what any parser gives as `Element`s.

Enters: records, or their JSON as bytes. Leaves: a `Source`. ``sections`` and ``texts`` put
together what a list of elements takes apart; ``unstructured`` knows that package's names.
"""

from treepack.readers.elements.reader import DocumentMetadata, Element, read_elements

__all__ = ["DocumentMetadata", "Element", "read_elements"]
