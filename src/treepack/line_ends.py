"""Line ends as line feeds, and offsets in a text whose line ends are replaced by them."""

import re
from array import array
from bisect import bisect_left
from typing import Final

_CR_LF: Final = re.compile(r"\r\n")


def with_line_feeds(text: str) -> str:
    """Return the text with each line end as a line feed, in a tenth of the time of a pattern."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


class LineFeedOffsets:
    r"""Converts offsets between a text and the text that `with_line_feeds` makes of it.

    The text itself is not kept. An offset in the converted text counts each line end, even
    ``\r\n``, as one character.
    """

    def __init__(self, text: str) -> None:
        starts = [match.start() for match in _CR_LF.finditer(text)] if "\r" in text else []
        self._between = array("Q", [start + 1 for start in starts])
        """The offsets between the ``\\r`` and the ``\\n`` of line ends."""
        self._converted = array("Q", [start - number for number, start in enumerate(starts)])
        """The offsets of those line ends in the converted text."""

    def offset(self, converted: int) -> int:
        """Convert an offset in the converted text to an offset in the text."""
        return converted + bisect_left(self._converted, converted)

    def converted(self, offset: int) -> int:
        """Convert an offset in the text to an offset in the converted text."""
        return offset - bisect_left(self._between, offset)
