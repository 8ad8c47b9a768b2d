"""A long source whose text is kept in short parts, which take less memory than one string.

A single emoji makes each character of a string take four bytes, and a dash makes each take two. In
parts, only the characters beside them do.
"""

from dataclasses import replace
from typing import Final

from treepack.model.source import Source

_LENGTH: Final = 4096


class NarrowSource:
    """A source from which chunks are cut.

    Args:
        source: The source.
    """

    def __init__(self, source: Source) -> None:
        text = source.text
        self._rest = replace(source, text="")
        self._parts = [text[at : at + _LENGTH] for at in range(0, len(text), _LENGTH)]

    def whole(self) -> Source:
        """The source as it was."""
        return replace(self._rest, text="".join(self._parts))

    def __getitem__(self, span: slice) -> str:
        first = span.start // _LENGTH
        near = "".join(self._parts[first : span.stop // _LENGTH + 1])
        return near[span.start - first * _LENGTH : span.stop - first * _LENGTH]
