"""A long source whose text is kept in UTF-8, which takes less memory than one string.

A single emoji makes each character of a string take four bytes, and a dash makes each take two. The
text is kept in parts of a fixed number of characters, because offsets count characters, not bytes.
"""

from collections.abc import Sequence
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
        self._parts = [
            text[at : at + _LENGTH].encode("utf-8", "surrogatepass")
            for at in range(0, len(text), _LENGTH)
        ]

    def whole(self) -> Source:
        """Return the source as it was."""
        return replace(self._rest, text=_decoded(self._parts))

    def __getitem__(self, span: slice) -> str:
        first = span.start // _LENGTH
        text = _decoded(self._parts[first : span.stop // _LENGTH + 1])
        return text[span.start - first * _LENGTH : span.stop - first * _LENGTH]


def _decoded(parts: Sequence[bytes]) -> str:
    return b"".join(parts).decode("utf-8", "surrogatepass")
