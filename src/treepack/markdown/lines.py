"""The lines of a text, as the scanner and the parser need them."""

import re
from bisect import bisect_right
from typing import Final

from treepack.model.source import BYTE_ORDER_MARK, Source

_SEVEN_MARKERS: Final = re.compile(r">(?:[ ]*>){6}")  # found ten times as fast as deep quotes
# markdown-it reads each line once more for each quote around it; letters nest no deeper.
_DEEP_QUOTE: Final = re.compile(r"^((?:[ ]{0,3}>[ ]?){6})((?:[ ]*>)+)", re.MULTILINE)
_BLANK: Final = re.compile(r"(?:[ \t]*\n|[ \t]+\Z|)*+")


class Lines:
    r"""A text in which each line, except maybe the last, ends with ``\n`` (CommonMark 2.1, 2.3).

    Offsets and lines are those of the source, because the ``\r`` of ``\r\n`` becomes a space. If
    nothing has to be replaced, this is the source's own text, because a copy doubles the memory.
    ``starts`` has the start of each line, then the length of the source's text. The text starts
    after front matter and a byte order mark.
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
        if _SEVEN_MARKERS.search(text):
            text = _DEEP_QUOTE.sub(lambda match: match[1] + match[2].replace(">", "·"), text)
        self.text = text

    def start_of(self, line: int) -> int:
        """Return the start of a line; the length of the text after the last one."""
        return self.starts[line] if line < self.count else len(self.text)

    def line_at(self, offset: int) -> int:
        """Return the line that contains an offset; ``count`` after the last one."""
        return bisect_right(self.starts, offset) - 1 if offset < len(self.text) else self.count

    def next_text(self, offset: int) -> int:
        """Return the start of the first non-blank line, from the line that starts at an offset."""
        match = _BLANK.match(self.text, offset)
        assert match is not None, "no blank line is enough"
        return match.end()
