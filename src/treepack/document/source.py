r"""Source: a text with a name, and the one definition of a line.

A line ends at ``\r\n``, ``\n`` or ``\r`` and nowhere else, as in CommonMark section 2.1;
``str.splitlines`` would also break at form feeds, U+2028 and others.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Any, Final

from treepack.errors import wrong_type

ANY_LINE_END: Final = r"(?:\r\n|\n|\r(?!\n))"
r"""What patterns are made of that know line ends.

Never ``\r\n?``: where another line end comes next in a pattern, that would give back its ``\n``,
and one CR LF would be taken for two line ends.
"""

LINE_END: Final = re.compile(ANY_LINE_END)
BYTE_ORDER_MARK: Final = "\ufeff"
_AT_ONCE: Final = 1 << 17  # characters


@dataclass(frozen=True)
class Source:
    """A document's text; all offsets in treepack are characters of it, half-open.

    Attributes:
        text: The text, never changed.
        name: File name or any other key that stays the same between runs; may be empty.
        metadata: What is known of the document beside its text.
        page_marks: (offset, page) pairs in rising order: from the offset on, text is on that page.
        origins: (offset, place) pairs in rising order: from the offset on, the text came from that
            place of the original, such as ``html:1200-1310`` or ``docx:paragraph 12``. Empty where
            the text is the original.
    """

    text: str
    name: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])
    page_marks: tuple[tuple[int, int], ...] = ()
    origins: tuple[tuple[int, str], ...] = ()

    def __post_init__(self) -> None:
        # What is wrong here would otherwise show as an error deep in the parser.
        for what, given in (("text", self.text), ("name", self.name)):
            _check_str(given, what)

    @cached_property
    def line_starts(self) -> "array[int]":
        """Offset of each line's first character, then the length of the text.

        A byte order mark is no part of the first line.
        """
        text = self.text
        starts = array("Q", [0])
        if "\r" in text:
            starts.extend(match.end() for match in LINE_END.finditer(text))
        else:  # most texts, in a third of the time
            end = 0
            while end < len(text):  # some at once: an object for each line is more than the text
                start, end = end, text.find("\n", end + _AT_ONCE) + 1 or len(text)
                lengths = [len(line) + 1 for line in text[start:end].split("\n")]
                starts.fromlist(list(accumulate(lengths[:-1], initial=start))[1:])
        if text.startswith(BYTE_ORDER_MARK):
            starts[0] = 1
        if starts[-1] != len(text) or len(starts) == 1:
            starts.append(len(text))
        return starts

    @property
    def line_count(self) -> int:
        """How many lines the text has; a text without characters has one empty line."""
        return len(self.line_starts) - 1

    def line_at(self, offset: int) -> int:
        """The line, from 0, that holds the character at ``offset``."""
        starts = self.line_starts
        return bisect_right(starts, offset, 1, len(starts) - 1) - 1


def _check_str(value: object, what: str) -> None:
    if not isinstance(value, str):
        raise wrong_type(value, "Source", f"a str as its {what}")
