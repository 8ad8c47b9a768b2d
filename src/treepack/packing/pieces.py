"""Pieces, which packing moves as a whole, and the frames around them.

A frame is what a chunk opens again when it begins inside a construct, and closes when it ends.
A chunk that begins in the middle of a nested list item, a table or a code block is readable only if
the marker, the header rows or the fence come before it. Each construct around a text is a frame.
Its head and foot are written as if it were at the top level; the prefixes of the items and quotes
around it are added after each line end, and a list marker where it is read as a marker.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from treepack.markdown.prefixes import Prefix, after_prefix, content_position
from treepack.model.chunk import Role, Segment
from treepack.model.source import Source

BLANK: Final = Segment("glue", "\n\n")
# A table whose rows have no outer pipes. After a list marker, its first line would be read as the
# header of a table outside the list, so the marker gets a line of its own (CommonMark 5.2).
_BARE_TABLE: Final = re.compile(
    r"(?![ \t]*\|)[^\r\n]*\|[^\r\n]*(?:\r\n?|\n)[ \t>]*[:|-][ \t:|-]*(?:[\r\n]|\Z)"
)
# Not code, which has more spaces, and not an item, because the items after it are indented too.
_INDENTED_TEXT: Final = re.compile(r"[ ]{1,3}(?![ \t>]|(?:[-+*]|\d{1,9}[.)])(?!\S))")


Head: TypeAlias = tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """A construct around a text.

    Attributes:
        start: Where it begins in the source. A caption that is not in the same piece as the first
            row begins one character before its table, so that the first piece repeats it too.
        end: After its last character.
        head: What comes before a piece that begins inside: a fence, header rows, a caption, the
            first cell of a row. If it begins with the piece's own text (role ``body``), it is the
            beginning of a row with the cells that reach into it from above.
        foot: What comes after a piece that ends inside.
        prefix: What an item, a quote, a footnote, a container or indented code puts before each
            line.
        is_literal: Whether the lines inside are code, math or table rows, so that no other text may
            come between them.
        row: Where the row begins that is cut by cells; -1 in all other frames.
    """

    start: int
    end: int
    head: Head = ()
    foot: str = ""
    prefix: Prefix | None = None
    is_literal: bool = False
    row: int = -1

    @property
    def role(self) -> Role:
        """The first role in its head that is not ``glue``; ``glue`` without one."""
        for segment in self.head:
            if segment.role != "glue":
                return segment.role
        return "glue"


def lines_around(start: int, end: int, head: Head, foot: str, below: str = "") -> Frame:
    """Return the frame of literal lines with lines of its own around them.

    Args:
        start: Where it begins.
        end: Where it ends.
        head: The lines above, without the last line end.
        foot: The line below; empty if none is needed.
        below: What separates the head from the lines, at the end of the head; usually empty.
    """
    above = (*head, Segment("glue", f"{below}\n"))
    return Frame(start, end, above, foot and f"\n{foot}", is_literal=True)


def prefixes_of(frames: Iterable[Frame]) -> tuple[Prefix, ...]:
    """Return the prefixes of each line inside some frames, outermost first."""
    return tuple([frame.prefix for frame in frames if frame.prefix])


def opening_segments(
    source: Source, frames: tuple[Frame, ...], offset: int
) -> tuple[list[Segment], int]:
    """Return what must come before a chunk that begins at ``offset``.

    Returns:
        The segments, and where the body then begins in the source.
    """
    frames = tuple([frame for frame in frames if frame.start < offset])
    segments: list[Segment] = []
    prefixes: list[Prefix] = []
    opened = 0  # how many prefixes are open already from an earlier line
    labels = frames[-1].head if frames and frames[-1].role == "body" else ()
    for frame in frames:
        if frame.prefix:
            prefixes.append(frame.prefix)
        elif frame.head and frame.head is not labels:
            if not (segments and segments[-1].text[-1] not in "\n\r" and frame.row >= 0):
                segments += _line_prefix(prefixes, opened, frame.head[0].text, 0)
            opened = len(prefixes)
            segments += _with_prefixes(frame.head, prefixes) if prefixes else frame.head
    if not frames or any(frame.row >= 0 for frame in frames):  # a row's opening ends inside a line
        return segments, offset
    first_line = _first_line(source, offset, prefixes, opened)
    is_item = prefixes and not prefixes[-1].is_quote and not frames[-1].is_literal
    if first_line and is_item:
        indentation = _INDENTED_TEXT.match(source.text, offset)  # it would widen a new marker
        offset = indentation.end() if indentation else offset
    ends = [each.span[1] for each in labels if each.role == "body" and each.span]
    return [*segments, *first_line, *labels], max(ends, default=offset)


def closing_text(frames: tuple[Frame, ...], offset: int) -> str:
    """Return what must come after a chunk that ends at ``offset``."""
    closing = ""
    while frames:
        frame, frames = frames[-1], frames[:-1]
        if frame.foot and frame.end > offset:
            following = "".join([prefix.following for prefix in prefixes_of(frames)])
            closing += frame.foot.replace("\n", f"\n{following}") if following else frame.foot
    return closing


def _with_prefixes(head: Sequence[Segment], prefixes: list[Prefix]) -> Iterator[Segment]:
    """Yield a frame's head, with the prefixes after each line end but the last."""
    following = "".join([prefix.following for prefix in prefixes])
    for number, segment in enumerate(head, 1):
        if segment.text == "\n\n":
            yield Segment("glue", f"\n{following.rstrip()}\n")
            continue
        yield segment
        is_last = number == len(head)
        if following and not is_last and not segment.span and segment.text.endswith("\n"):
            yield Segment("glue", following)


def _first_line(source: Source, offset: int, prefixes: list[Prefix], opened: int) -> list[Segment]:
    """Return what comes before the body on its first line."""
    line = source.line_at(offset)
    start, end = source.line_starts[line], source.line_starts[line + 1]
    content = content_position(source.text, start, end, line, tuple(prefixes)).offset
    if offset < content:
        return []  # the body begins before the line's content, such as at a lone ``>``
    begins_here = any(prefix.line == line for prefix in prefixes)  # marker is in the previous chunk
    # A quote's ``>`` stays with the line's text, even with extra spaces between them.
    begins_line = offset == content or (
        any(prefix.is_quote for prefix in prefixes) and source.text[content:offset].isspace()
    )
    if begins_here or not begins_line:
        return _line_prefix(prefixes, opened, source.text, offset)
    return _source_prefix(source, line, offset, prefixes, opened)


def _line_prefix(prefixes: list[Prefix], opened: int, text: str, offset: int) -> list[Segment]:
    """Return the prefixes before a text, for a line that is not in the source."""
    above = ""
    if prefixes[opened:] and _BARE_TABLE.match(text, offset):
        above, opened = _own_line(prefixes, opened), len(prefixes)
    line = above + _prefix_text(prefixes, opened)
    return [Segment("glue", line)] if line else []


def _own_line(prefixes: list[Prefix], opened: int) -> str:
    return f"{_prefix_text(prefixes, opened).rstrip()}\n"


def _prefix_text(prefixes: list[Prefix], opened: int) -> str:
    """Return the prefixes of a line that opens those from index ``opened`` on."""
    return "".join(
        prefix.following if number < opened else prefix.first
        for number, prefix in enumerate(prefixes)
    )


def _source_prefix(
    source: Source, line: int, offset: int, prefixes: list[Prefix], opened: int
) -> list[Segment]:
    """Return the prefixes of a source line, with the item's marker in place of indentation.

    A prefix that the line itself contains, such as a quote's ``>``, stays in the body.
    """
    text = source.text
    start, end = source.line_starts[line], source.line_starts[line + 1]
    segments: list[Segment] = []
    if prefixes[opened:] and _BARE_TABLE.match(text, offset):
        segments, opened = [Segment("glue", _own_line(prefixes, opened))], len(prefixes)
    place = content_position(text, start, end, line, ())
    for number, prefix in enumerate(prefixes):
        begin = place.offset
        place = after_prefix(text, start, place, end, line, prefix)
        wanted = prefix.following if number < opened else prefix.first
        present = text[begin : min(place.offset, offset)]
        follows_marker = bool(segments) and segments[-1].role == "glue"
        is_code = not segments and present.expandtabs(4).startswith(" " * 4)
        if prefix.is_quote and (follows_marker or is_code):
            # After a new marker, a quote's indentation would count as the marker's. A quote may
            # continue with a ``>`` that is indented as far as code, but it cannot begin with one.
            begin += len(present) - len(present.lstrip(" \t"))
            present = text[begin : min(place.offset, offset)]
        if present and ((present == wanted and number >= opened) or prefix.is_quote):
            segments.append(Segment("body", present, (begin, begin + len(present))))
        elif wanted:
            segments.append(Segment("glue", wanted))
    return segments


class Piece(NamedTuple):
    """A stretch of the source that packing moves as a whole.

    Attributes:
        start: Where it begins in the source.
        end: After its last character.
        frames: The constructs around it, outermost first.
        cut: Opens it into sub-pieces; None if it cannot be cut any further.
        is_kept_whole: Whether the settings forbid cutting it.
        text_start: Where its own text begins, if something is glued before it that must stay with
            it: a heading, a table's header, a fence. -1 if nothing is glued.
        text_end: Where its own text ends, if something is glued after it, such as a closing fence;
            -1 if nothing is glued.
        is_raw: Whether text on the next line would be read as part of it: lines of HTML, of front
            matter, or of a table whose header is too long to repeat. Tags in it are not cut.
    """

    start: int
    end: int
    frames: tuple[Frame, ...] = ()
    cut: "Callable[[Piece], list[Piece]] | None" = None
    is_kept_whole: bool = False
    text_start: int = -1
    text_end: int = -1
    is_raw: bool = False

    def with_glue(self, start: int) -> "Piece":
        """Return the piece extended back to ``start``, over text that must stay with it."""
        return self._replace(start=start, text_start=max(self.text_start, self.start))


def cut_into(pieces: "list[Piece]") -> "Callable[[Piece], list[Piece]]":
    """Return a ``cut`` function for a piece whose sub-pieces are known already."""
    return lambda _piece: list(pieces)


def trimmed_end(text: str, start: int, end: int) -> int:
    """Return the end of a span without the whitespace at its end."""
    return start + len(text[start:end].rstrip())
