"""The references of a document, searched when the first chunk is asked for its own."""

from bisect import bisect_left
from collections.abc import Callable
from functools import partial
from operator import itemgetter

from treepack.model.chunk import Reference
from treepack.model.source import Source
from treepack.packing.chunks.narrow_source import NarrowSource
from treepack.references.finder import FoundReference, ReferenceFinder


class References:
    """The references of one document, shared by its chunks, in this process or in another.

    Two threads may search at once; they find the same.

    Args:
        source: The document's source.
        finder: What else of the document the search needs; freed when it is done.
    """

    def __init__(self, source: Source | NarrowSource, finder: ReferenceFinder) -> None:
        self.source = source
        self._found: ReferenceFinder | tuple[FoundReference, ...] = finder

    def reader(self, start: int, end: int) -> Callable[[], tuple[Reference, ...]]:
        """Return a function that returns the references in a span."""
        return partial(self._within, start, end)

    def _within(self, start: int, end: int) -> tuple[Reference, ...]:
        found = self._found
        if isinstance(found, ReferenceFinder):
            source = self.source
            whole = source.whole() if isinstance(source, NarrowSource) else source
            found = self._found = found.find(whole.text)
        first = bisect_left(found, start, key=itemgetter(0))
        after = bisect_left(found, end, first, key=itemgetter(0))
        return tuple([Reference(*each[2:]) for each in found[first:after]])
