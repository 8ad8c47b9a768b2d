"""The lines of a plain text: indentation, and the marker that a line begins with."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from treepack.model.source import Source

_TAB: Final = 8  # columns, as printers have them
_ROMAN: Final = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_MARKER: Final = re.compile(
    r"""
    (?: (?P<bullet> [-*+•‣◦▪·–] | o(?=[ ]{2}|\t) )
      | (?P<number> [0-9]{1,3} ) (?P<after> [.)] )
      | (?P<label> \( (?: [0-9]{1,3} | [A-Za-z] | [ivxlc]{2,6} ) \)
                 | (?: [A-Za-z] | [ivxlc]{2,6} ) [.)] )
    ) [^\S\r\n]+ (?=\S)
    """,
    re.VERBOSE,
)


class Marker(NamedTuple):
    """What a line begins with that may make it an item.

    Attributes:
        text: The marker.
        style: The same for all markers of one list.
        values: What it may count: ``(i)`` is the first roman number and the ninth letter. Empty for
            a bullet.
        content: Where the text after it begins.
        is_label: Whether it is a letter, or in brackets: the label of a paragraph, not of an item.
    """

    text: str
    style: str
    values: tuple[int, ...]
    content: int
    is_label: bool

    def follows(self, before: "Marker") -> bool:
        """Whether it may be the next one of a list after another."""
        if self.style != before.style:
            return False
        return not self.values or any(value + 1 in self.values for value in before.values)

    @property
    def begins(self) -> bool:
        """Whether it may be the first of a list."""
        return not self.values or 1 in self.values


class Line(NamedTuple):
    """A line that is not blank.

    Attributes:
        number: Its number, from 0.
        start: Its first character.
        end: After its last character that is not blank.
        indent: The columns before its text.
        marker: What it begins with, if that may make it an item.
    """

    number: int
    start: int
    end: int
    indent: int
    marker: Marker | None


Run = Sequence[Line]
"""Lines without a blank one between."""


def runs(source: Source, start: int) -> Iterator[Run]:
    """The runs of lines from an offset on, which is the beginning of a line."""
    text, starts = source.text, source.line_starts
    run: list[Line] = []
    for number in range(source.line_at(start), source.line_count):
        begin = max(starts[number], start)
        line = text[begin : starts[number + 1]]
        solid = line.strip()
        if solid:
            blanks = line[: line.index(solid[0])]
            content = begin + len(blanks)
            indent = len(blanks.expandtabs(_TAB))
            match = _MARKER.match(text, content)
            marker = _marker(match) if match else None
            run.append(Line(number, begin, content + len(solid), indent, marker))
        elif run:
            yield run
            run = []
    if run:
        yield run


def _marker(match: re.Match[str]) -> Marker:
    written = match[0].rstrip()
    if match["bullet"]:
        return Marker(written, written, (), match.end(), is_label=False)
    if match["number"]:
        return Marker(written, match["after"], (int(match["number"]),), match.end(), is_label=False)
    sign = written.strip("().")
    style = f"{written[: written.index(sign)]}{_case(sign)}{written[-1]}"
    return Marker(written, style, _values(sign), match.end(), is_label=True)


def _case(sign: str) -> str:
    return "1" if sign.isdigit() else "a" if sign.islower() else "A"


def _values(sign: str) -> tuple[int, ...]:
    if sign.isdigit():
        return (int(sign),)
    found: list[int] = []
    if len(sign) == 1:
        found.append(ord(sign.lower()) - ord("a") + 1)
    if all(letter in _ROMAN for letter in sign.lower()):
        values = [_ROMAN[letter] for letter in sign.lower()]
        pairs = zip(values, [*values[1:], 0], strict=True)
        found.append(sum(-value if value < after else value for value, after in pairs))
    return tuple(found)
