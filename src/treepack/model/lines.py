"""The lines of a text, each found once by one pattern: pages, titles and plain blocks take them."""

import re
from functools import cached_property
from typing import Final, NamedTuple

_LINE: Final = re.compile(r"([\s\ufeff]*+)([^\r\n\f]*)")
_LINE_END: Final = re.compile(r"\r\n|[\r\n\f]")


class TextLine(NamedTuple):
    """A line that is not blank.

    Attributes:
        start: Its first character that is not whitespace.
        end: After its last one; characters, half-open.
        indent: The characters before it on its line.
        number: Its number in the text, from 0; a form feed ends a line as well.
    """

    start: int
    end: int
    indent: int
    number: int


class Lines:
    """The lines of a text, found when they are first needed."""

    def __init__(self, text: str) -> None:
        """Take the text."""
        self.text = text

    @cached_property
    def all(self) -> list[TextLine]:
        """All lines that are not blank, in order."""
        lines: list[TextLine] = []
        spaces: dict[str, tuple[int, int]] = {}  # few, and measuring them takes half of the time
        end = number = 0
        for space, body in _LINE.findall(self.text):
            ends, indent = spaces.get(space) or spaces.setdefault(space, _ends_and_indent(space))
            start, number = end + len(space), number + ends
            end = start + len(body)
            if body:
                lines.append(TextLine(start, start + len(body.rstrip()), indent, number))
        return lines


def _ends_and_indent(space: str) -> tuple[int, int]:
    """Return how many lines end in whitespace, and its length after the last line end."""
    ends = [match.end() for match in _LINE_END.finditer(space)]
    return len(ends), len(space) - (ends[-1] if ends else 0)
