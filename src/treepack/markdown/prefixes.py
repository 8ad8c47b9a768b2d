"""The markers and indentation before a line's content in list items, quotes and the like."""

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

TAB: Final = 4  # CommonMark 2.2: tab stops of four characters; with so many before it, code
_LIST_MARKER: Final = re.compile(r"[ \t]*([-+*]|[0-9]{1,9}[.)])[ \t]*")
_FOOTNOTE_MARKER: Final = re.compile(r"[ \t]*(\[\^[^\]\n\r]+\]:)[ \t]*")


@dataclass(slots=True, unsafe_hash=True)  # frozen costs four times as much to make
class Prefix:
    """The markers or indentation that one container puts before each line of its content.

    Attributes:
        line: The container's first line, from 0.
        content: Offset of the content on that line; -1 for a quote, whose lines all have a ``>``.
        width: Columns of indentation on further lines.
        first: The text that opens the container again, as on its first line (``"1. "``).
        following: The text before further lines (``"   "``, ``"> "``).
    """

    line: int
    content: int
    width: int
    first: str
    following: str

    @classmethod
    def quote(cls, line: int) -> "Prefix":
        """Return the prefix of a block quote that begins on ``line``."""
        return cls(line, -1, 0, "> ", "> ")

    @property
    def is_quote(self) -> bool:
        """Whether the container is a quote, whose lines all have a ``>``."""
        return self.content < 0


class Position(NamedTuple):
    """A position on a line; inside a tab, ``column`` is to the right of the tab's start."""

    offset: int
    column: int


def item_prefix(text: str, position: Position, line_start: int, line: int) -> tuple[str, Prefix]:
    """Return the marker at a position, and the prefix of its item's lines (CommonMark 5.2)."""
    match = _LIST_MARKER.match(text, position.offset)
    assert match is not None, "a list item begins with its marker"
    (begin, after), content = match.span(1), match.end()
    if "\t" in text[line_start:content]:
        begin, after, column = (column_at(text, line_start, at) for at in (begin, after, content))
    else:
        begin, after, column = begin - line_start, after - line_start, content - line_start
    is_blank = content >= len(text) or text[content] in "\r\n"
    if is_blank or column - after > TAB:
        content, column = min(match.end(1) + 1, content), after + 1
    width = column - position.column
    first = (" " * (begin - position.column) + match[1]).ljust(width)
    return match[1], Prefix(line, content, width, first, " " * width)


def footnote_prefix(text: str, start: int, line: int) -> tuple[str, Prefix]:
    """Return the label of the footnote at ``start``, and the prefix of its further lines."""
    match = _FOOTNOTE_MARKER.match(text, start)
    assert match is not None, "a footnote definition begins with its label"
    prefix = Prefix(line, match.end(), TAB, f"{match[1]} ", " " * TAB)
    return match[1][2:-2], prefix


def column_at(text: str, line_start: int, offset: int) -> int:
    """Return the column, from 0, of ``offset`` on the line that begins at ``line_start``."""
    if "\t" not in text[line_start:offset]:
        return offset - line_start
    column = 0
    for character in text[line_start:offset]:
        column += TAB - column % TAB if character == "\t" else 1
    return column


def content_position(
    text: str, line_start: int, line_end: int, line: int, prefixes: tuple[Prefix, ...]
) -> Position:
    """Return where a line's content begins, after its containers' markers and indentation.

    A lazy continuation line (CommonMark 5.1) lacks some of them; the content then begins after
    those that are present.
    """
    position = Position(line_start, 0)
    without_marker: Position | None = None
    for prefix in prefixes:
        is_quote = prefix.content < 0  # `prefix.is_quote`, without the call
        if is_quote and position is without_marker:
            continue  # if the marker of one quote is missing here, so is that of the next quote
        before, position = (
            position,
            after_prefix(text, line_start, position, line_end, line, prefix),
        )
        if is_quote and position is before:
            without_marker = position
    return position


def after_prefix(  # noqa: PLR0913, PLR0917 - a position on a line, and what to skip
    text: str, line_start: int, position: Position, line_end: int, line: int, prefix: Prefix
) -> Position:
    """Return the position after one container's marker or indentation, at or after ``position``."""
    if prefix.content < 0:  # `prefix.is_quote`, without the call
        if text.startswith("> ", position.offset, line_end):  # the common case
            return Position(position.offset + 2, position.column + 2)
        # markdown-it allows a quote's further lines to be indented by four columns or more.
        widest = TAB - 1 if line == prefix.line else line_end - position.offset
        marker = _after_whitespace(text, position, line_end, widest)
        if marker.offset >= line_end or text[marker.offset] != ">":
            return position
        return _after_whitespace(text, Position(marker.offset + 1, marker.column + 1), line_end, 1)
    if line == prefix.line and prefix.content > position.offset:
        return Position(prefix.content, column_at(text, line_start, prefix.content))
    indentation = prefix.following
    if len(indentation) == prefix.width and text.startswith(indentation, position.offset, line_end):
        # the common case
        return Position(position.offset + len(indentation), position.column + len(indentation))
    return _after_whitespace(text, position, line_end, prefix.width)


def _after_whitespace(text: str, position: Position, line_end: int, columns: int) -> Position:
    """Skip at most ``columns`` columns of spaces and tabs; a tab may be skipped in part."""
    offset, column = position.offset, position.column
    target = column + columns
    while offset < line_end and column < target and text[offset] in " \t":
        step = TAB - column % TAB if text[offset] == "\t" else 1
        if column + step > target:
            return Position(offset, target)
        offset, column = offset + 1, column + step
    return Position(offset, column)
