"""The lines of a text, as the scanner and the parser need them."""

import re
from bisect import bisect_right
from typing import Final

from treepack.model.source import BYTE_ORDER_MARK, Source

_BLANK: Final = re.compile(r"(?:[ \t]*\n|[ \t]+\Z|)*+")


class Lines:
    r"""A text in which each line ends with ``\n``, but maybe the last one (CommonMark 2.1, 2.3).

    Offsets and lines are those of the source, because the ``\r`` of ``\r\n`` becomes a blank. The
    text is the source's own where nothing is to be replaced: a copy would take as much memory.

    Args:
        source: Markdown.
        start: The start of the text, after any front matter.

    Attributes:
        text: The text with its line ends, and NUL as U+FFFD.
        starts: The start of each line, then the length of the source's text.
        count: The number of lines.
        start: The start of the text, after a byte order mark.
    """

    def __init__(self, source: Source, start: int = 0) -> None:
        text = source.text
        self.start = start or int(text.startswith(BYTE_ORDER_MARK))  # a second one is text
        self.starts = source.line_starts
        self.count = source.line_count
        if self.starts[0] < self.start < len(text):  # the text begins after front matter
            first = source.line_at(self.start)
            if self.starts[first] != self.start:
                self.starts = self.starts[:]
                self.starts[first] = self.start
        if "\0" in text:
            text = text.replace("\0", "\ufffd")
        if "\r" in text:
            text = text.replace("\r\n", " \n").replace("\r", "\n")
        self.text = text
        self._matches: dict[re.Pattern[str], tuple[int, re.Match[str] | None]] = {}

    def between(self, first: int, after: int) -> str:
        """Return the text from one line up to another; its last line ends with a line end."""
        text = self.text[self.starts[first] : self.start_of(after)]
        return text if text.endswith("\n") else text + "\n"

    def start_of(self, line: int) -> int:
        """Return the start of a line; the length of the text after the last one."""
        return self.starts[line] if line < self.count else len(self.text)

    def line_at(self, offset: int) -> int:
        """Return the line that contains an offset; ``count`` after the last one."""
        return bisect_right(self.starts, offset) - 1 if offset < len(self.text) else self.count

    def next_text(self, offset: int) -> int:
        """Return the start of the first line that is not blank, from the line at an offset on."""
        match = _BLANK.match(self.text, offset)
        assert match is not None, "no blank line is enough"
        return match.end()

    def next_match(self, pattern: re.Pattern[str], offset: int) -> re.Match[str] | None:
        """Return the first match of a pattern at or after an offset.

        The last match is remembered, so that each caller need not search again for a fence that is
        far away or missing.
        """
        begun, match = self._matches.get(pattern, (len(self.text) + 1, None))
        if offset < begun or (match and match.start() < offset):
            match = pattern.search(self.text, offset)
            self._matches[pattern] = (offset, match)
        return match
