"""The lines of a text as scanner and parser want them."""

import re
from array import array
from bisect import bisect_right
from typing import Final

from treepack.document.source import BYTE_ORDER_MARK, Source

_BLANK: Final = re.compile(r"(?:[ \t]*\n|)*+")


class Lines:
    r"""A text whose lines end with ``\n``, the last one too (CommonMark 2.1, 2.3).

    All offsets and lines are those of the source: of ``\r\n``, the ``\r`` becomes a blank.

    Args:
        source: Markdown.
        start: Where it begins; what stands before is front matter.

    Attributes:
        text: The text with its line ends, and NUL as U+FFFD.
        starts: Where each line begins, then the length of the source's text.
        count: How many lines there are.
        start: Where the text begins, behind a byte order mark.
    """

    def __init__(self, source: Source, start: int = 0) -> None:
        text = source.text
        self.start = start or int(text.startswith(BYTE_ORDER_MARK))  # a second one is text
        self.starts = source.line_starts
        self.count = source.line_count
        first = source.line_at(self.start)
        if self.start < len(text) and self.starts[first] != self.start:
            self.starts = array("Q", self.starts)
            self.starts[first] = self.start
        if "\0" in text:
            text = text.replace("\0", "\ufffd")
        if "\r" in text:
            text = text.replace("\r\n", " \n").replace("\r", "\n")
        self.text = text if text.endswith("\n") else text + "\n"
        self._matches: dict[re.Pattern[str], tuple[int, re.Match[str] | None]] = {}

    def between(self, first: int, behind: int) -> str:
        """The text from one line up to another."""
        return self.text[self.starts[first] : self.start_of(behind)]

    def start_of(self, line: int) -> int:
        """Where a line begins; the length of the text behind the last one."""
        return self.starts[line] if line < self.count else len(self.text)

    def line_at(self, offset: int) -> int:
        """The line that begins at an offset, or holds it; ``count`` behind the last one."""
        return bisect_right(self.starts, offset) - 1 if offset < len(self.text) else self.count

    def next_text(self, offset: int) -> int:
        """Where the first line that is not blank begins, from the line at an offset on."""
        match = _BLANK.match(self.text, offset)
        assert match is not None, "no blank line is enough"
        return match.end()

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
