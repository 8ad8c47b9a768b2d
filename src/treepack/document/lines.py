"""The lines of a text as scanner and parser want them."""

import re
from itertools import accumulate
from typing import Final

from treepack.document.source import LINE_END

_BLANK: Final = re.compile(r"[ \t]*\n")


class Lines:
    r"""A text whose lines end with ``\n``, the last one too (CommonMark 2.1, 2.3).

    Args:
        text: Markdown.

    Attributes:
        text: The text with its line ends, and NUL as U+FFFD.
        starts: Where each line begins, then the length of the text.
        count: How many lines there are.
    """

    def __init__(self, text: str) -> None:
        text = text.replace("\0", "\ufffd")
        if "\r" in text:
            text = LINE_END.sub("\n", text)
        self.text = text if text.endswith("\n") else text + "\n"
        self.starts = line_offsets(self.text)
        self.count = len(self.starts) - 1
        self._matches: dict[re.Pattern[str], tuple[int, re.Match[str] | None]] = {}

    def is_blank(self, line: int) -> bool:
        """Whether a line holds nothing but blanks and tabs."""
        return _BLANK.match(self.text, self.starts[line]) is not None

    def next_text(self, line: int) -> int:
        """The first line from a line on that is not blank; ``count`` where none is."""
        while line < self.count and _BLANK.match(self.text, self.starts[line]):
            line += 1
        return line

    def next_match(self, pattern: re.Pattern[str], offset: int) -> re.Match[str] | None:
        """The first match of a pattern at an offset or behind it.

        The last one is remembered: a fence that is far away, or nowhere, is not looked for again by
        each that may need it.
        """
        begun, match = self._matches.get(pattern, (len(self.text) + 1, None))
        if offset < begun or (match and match.start() < offset):
            match = pattern.search(self.text, offset)
            self._matches[pattern] = (offset, match)
        return match


def line_offsets(text: str) -> list[int]:
    """Where each line of a text begins that ends with a line end, then the text's length."""
    return [0, *accumulate([len(line) + 1 for line in text.split("\n")[:-1]])]
