"""What must be opened anew when a chunk begins inside a construct, and closed when it ends there.

A chunk that begins in the middle of a nested list item, a table or a code block can only be read
when the marker, the header rows or the fence stand before it. Each enclosing construct is a frame;
`resume` puts their openings together, `suspend` their closings.
"""

import re
from bisect import bisect_left
from dataclasses import dataclass
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

from treepack.document.blocks import Span
from treepack.document.prefixes import Place, Prefix, behind_prefix, content_place
from treepack.document.source import Source
from treepack.packing.chunk import Role

# A table whose rows have no pipe at the edge. Behind a list marker its first line would be read as
# the header of a table outside of the list, so the marker gets a line of its own (CommonMark 5.2).
_BARE_TABLE: Final = re.compile(
    r"(?![ \t]*\|)[^\r\n]*\|[^\r\n]*(?:\r\n?|\n)[ \t>]*[:|-][ \t:|-]*(?:[\r\n]|\Z)"
)
# A fence or a table with indentation of its own. Behind a list marker that would count as the
# marker's (CommonMark 5.2), and lines nearer to the margin would not belong to the item: they
# would be no lazy continuations, as they are of a paragraph.
_INDENTED_BLOCK: Final = re.compile(
    r"[ \t]+(?:`{3}|~{3}|\|[^\r\n]*(?:\r\n?|\n)[ \t>]*\|?[ \t]*:?-[ \t:|-]*(?:[\r\n]|\Z))"
)
_THEMATIC_BREAK: Final = re.compile(r"[ \t]*([-*])[ \t]*(?:\1[ \t]*){2,}")


class Part(NamedTuple):
    """A stretch of a chunk's text before it becomes a segment."""

    role: Role
    text: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Indented:
    """A list item, quote, footnote or admonition: each line of it carries a prefix.

    Attributes:
        is_apart: Also a chunk that begins with it wants its marker on a line of its own.
    """

    start: int
    end: int
    prefix: Prefix
    is_apart: bool = False


@dataclass(frozen=True, slots=True)
class Introduced:
    """What a paragraph of its own introduces: a table with a caption, a list with its lead-in.

    Attributes:
        words: The paragraph.
        is_apart: It does not go with the first piece, which so wants it as well.
    """

    start: int
    end: int
    words: Part
    is_apart: bool = False

    def is_within(self, start: int, end: int) -> bool:
        """Whether the paragraph itself stands in a span of the source."""
        span = self.words.span
        return span is not None and start <= span[0] and span[1] <= end


class Band(NamedTuple):
    """A sub-header of a table: where it stands, and how it reads above the rows of a piece."""

    start: int
    end: int
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Enclosed:
    """A construct with lines of its own around or above its content: a fence, a table's header.

    Attributes:
        opening: What stands on the opening lines, without the last line end.
        closing: What stands on the closing line; empty where none is needed.
        bands: Sub-headers of a table, each repeated for the rows up to the next one.
    """

    start: int
    end: int
    opening: Part
    closing: str
    bands: tuple[Band, ...] = ()


class CellTag(NamedTuple):
    """The tag of an HTML cell, with what a reader of one piece of its row needs: its columns.

    Attributes:
        name: ``td`` or ``th``.
        columns: Over how many columns the cell goes.
    """

    name: str
    columns: int = 1

    @property
    def opening(self) -> str:
        """The tag."""
        return f'<{self.name} colspan="{self.columns}">' if self.columns > 1 else f"<{self.name}>"

    @property
    def closing(self) -> str:
        """The tag that ends the cell."""
        return f"</{self.name}>"

    @property
    def data(self) -> "CellTag":
        """The same for a cell that a piece repeats: a row of ``<th>`` alone would be a header."""
        return self._replace(name="td")


@dataclass(frozen=True, slots=True)
class Row:
    """A table row that is cut by cells.

    Attributes:
        cells: Each cell's span, its leading pipe or tag included; they tile the row.
        key: The first cell's text, which names the row in each piece; None when it is too long.
        columns: How many columns the table has.
        places: So many cells, empty ones and the key, may stand before the one that is cut; 1 in a
            table too wide to keep all cells in their columns.
        tags: Of each cell of an HTML table, its tag; none for GFM.
    """

    start: int
    end: int
    cells: tuple[Span, ...]
    key: Part | None
    columns: int
    places: int
    tags: tuple[CellTag, ...] = ()


Frame: TypeAlias = Indented | Introduced | Enclosed | Row


def is_literal(frame: Frame) -> bool:
    """Whether lines inside belong together and no other text may stand between: table, code."""
    return isinstance(frame, Enclosed) or (
        isinstance(frame, Indented) and not frame.prefix.first.strip()
    )


def resume(source: Source, frames: tuple[Frame, ...], offset: int) -> tuple[list[Part], int]:
    """What goes before a chunk that begins at ``offset``.

    Returns:
        The parts, and where the body then goes on in the source (at or just before ``offset``).
    """
    frames = tuple(frame for frame in frames if _is_entered(frame, offset))
    if not frames:
        return [], offset
    if isinstance(frames[-1], Indented) and frames[-1].start == offset:
        return _marker_apart(source, frames, offset)
    parts: list[Part] = []
    opened = 0  # so many prefixes stand on an earlier line already
    prefixes: list[Prefix] = []
    for frame in frames:
        match frame:
            case Indented():
                prefixes.append(frame.prefix)
            case Introduced():
                parts.extend(_line_prefix(prefixes, opened, frame.words.text))
                opened = len(prefixes)
                blank = "".join(prefix.following for prefix in prefixes).rstrip()
                parts.extend((frame.words, Part("glue", f"\n{blank}\n")))
            case Enclosed():
                parts.extend(_line_prefix(prefixes, opened, frame.opening.text))
                parts.extend((frame.opening, Part("glue", "\n")))
                opened = len(prefixes)
                parts.extend(_band(frame, offset, prefixes))
            case Row():
                parts.extend(_line_prefix(prefixes, opened, ""))
                return [*parts, *_row_opening(frame, offset)], offset
    first = _first_line(source, frames[-1], offset, prefixes, opened)
    return [*parts, *first], offset


def _first_line(
    source: Source, frame: Frame, offset: int, prefixes: list[Prefix], opened: int
) -> list[Part]:
    """What stands before a body on its own first line; ``frame`` is the innermost around it."""
    line = source.line_at(offset)
    start, end = source.line_starts[line], source.line_starts[line + 1]
    content = content_place(source.text, start, end, line, tuple(prefixes)).offset
    if offset < content:
        return []  # a line that has marks and nothing else
    began_here = any(prefix.line == line for prefix in prefixes)  # its mark is in the chunk before
    # The mark of a quote goes with the line's text, though there be more blanks between.
    begins_line = offset == content or (
        any(prefix.is_quote for prefix in prefixes) and source.text[content:offset].isspace()
    )
    if began_here or not begins_line:
        return _line_prefix(prefixes, opened, "")
    indentation = source.text[start:offset]
    if isinstance(frame, Introduced) and frame.start == offset and indentation.isspace():
        # A marker takes its place where no words are repeated: the body begins here in both.
        return [Part("glue", indentation)]
    return _source_prefix(source, line, offset, prefixes, opened)


def _is_entered(frame: Frame, offset: int) -> bool:
    """Whether a chunk that begins at ``offset`` wants the frame's opening."""
    if frame.start == offset and isinstance(frame, Indented):
        return frame.is_apart
    return frame.start < offset or (isinstance(frame, Introduced) and frame.is_apart)


def _marker_apart(source: Source, frames: tuple[Frame, ...], offset: int) -> tuple[list[Part], int]:
    """The marker of the item that begins at ``offset``, on a line of its own."""
    parts, start = resume(source, frames[:-1], offset)
    prefixes = tuple(frame.prefix for frame in frames if isinstance(frame, Indented))
    content = prefixes[-1].content
    marker = source.text[start:content].rstrip()
    following = "".join(prefix.following for prefix in prefixes)
    body = Part("body", marker, (start, start + len(marker)))
    return [*parts, body, Part("glue", f"\n{following}")], content


def is_bare_table(text: str, offset: int) -> bool:
    """Whether a table begins there whose rows have no pipe at the edge."""
    return _BARE_TABLE.match(text, offset) is not None


def _band(frame: Enclosed, offset: int, prefixes: list[Prefix]) -> list[Part]:
    """The sub-header that governs the row at ``offset``, if it stands before it."""
    at = bisect_left(frame.bands, offset, key=itemgetter(0)) - 1
    if at < 0 or frame.bands[at].end > offset:
        return []
    parts = frame.bands[at].parts
    return [*_line_prefix(prefixes, len(prefixes), ""), *parts, Part("glue", "\n")]


def suspend(frames: tuple[Frame, ...], start: int, offset: int) -> str:
    """What goes behind a chunk that begins at ``start`` and ends at ``offset``."""
    closing = ""
    for position in reversed(range(len(frames))):
        frame = frames[position]
        if frame.end <= offset:
            continue
        match frame:
            case Enclosed() if frame.closing:
                closing += "\n" + _following(frames[:position]) + frame.closing
            case Row():
                closing += _row_closing(frame, start, offset)
            case _:
                pass
    return closing


def _following(frames: tuple[Frame, ...]) -> str:
    return "".join(f.prefix.following for f in frames if isinstance(f, Indented))


def _line_prefix(prefixes: list[Prefix], opened: int, content: str) -> list[Part]:
    """The prefixes for a line that is not in the source, before this content."""
    text = _marks(prefixes, opened)
    if _wants_line(prefixes[opened:], content, 0):
        text = _apart(prefixes, opened) + "".join(prefix.following for prefix in prefixes)
    return [Part("glue", text)] if text else []


def _marks(prefixes: list[Prefix], opened: int) -> str:
    """What stands before a line's content where all prefixes from ``opened`` on are opened."""
    return "".join(
        prefix.following if number < opened else prefix.first
        for number, prefix in enumerate(prefixes)
    )


def _apart(prefixes: list[Prefix], opened: int) -> str:
    """The marks on a line of their own; on one each where ``- - -`` would be a thematic break."""
    line = _marks(prefixes, opened).rstrip()
    if not _THEMATIC_BREAK.fullmatch(line):
        return f"{line}\n"
    ends = range(opened + 1, len(prefixes) + 1)
    return "".join(f"{_marks(prefixes[:end], end - 1).rstrip()}\n" for end in ends)


def _wants_line(prefixes: list[Prefix], text: str, offset: int) -> bool:
    """Whether the marks to be opened must stand on a line of their own before the content."""
    if not prefixes:
        return False
    is_alone = any(prefix.stands_alone for prefix in prefixes)
    is_marker = bool(prefixes[-1].first.strip()) and not prefixes[-1].is_quote
    is_indented = is_marker and _INDENTED_BLOCK.match(text, offset)
    return is_alone or bool(is_indented) or is_bare_table(text, offset)


def _source_prefix(
    source: Source, line: int, offset: int, prefixes: list[Prefix], opened: int
) -> list[Part]:
    """The prefixes of a line of the source, with indentation replaced by the item's marker.

    What the line has itself stays body: a quote's mark is a character like any other.
    """
    text = source.text
    start, end = source.line_starts[line], source.line_starts[line + 1]
    if _wants_line(prefixes[opened:], text, offset):
        own = Part("body", text[start:offset], (start, offset))
        return [Part("glue", _apart(prefixes, opened)), own]
    if opened == len(prefixes):
        return [Part("body", text[start:offset], (start, offset))] if start < offset else []
    parts: list[Part] = []
    place = Place(start, 0)
    for number, prefix in enumerate(prefixes):
        before = place.offset
        place = behind_prefix(text, start, place, end, line, prefix)
        wanted = prefix.following if number < opened else prefix.first
        found = text[before : min(place.offset, offset)]
        if found and (found == wanted or prefix.is_quote):
            parts.append(Part("body", found, (before, before + len(found))))
        elif wanted:
            parts.append(Part("glue", wanted))
    return parts


def _row_opening(row: Row, offset: int) -> list[Part]:
    column = sum(1 for cell in row.cells if cell[1] <= offset)
    at_cell = column < len(row.cells) and row.cells[column][0] == offset
    if row.tags:  # what stands behind the last cell is taken for a part of it
        column = min(column, len(row.tags) - 1)
    before = min(column, row.places)
    key = row.key if before > 0 else None
    if row.tags:
        opened = [tag.data.opening for tag in row.tags[:before]]
        closed = [f"{tag}</td>" for tag in opened]
        cell = "" if at_cell else row.tags[column].opening
        if key is None:
            return [Part("glue", f"<tr>{''.join(closed)}{cell}")]
        behind = f"</td>{''.join(closed[1:])}{cell}"
        return [Part("glue", f"<tr>{opened[0]}"), key, Part("glue", behind)]
    behind = " |" * (before - 1) + (" " if at_cell else " | ") if before > 0 else ""
    parts = [Part("glue", "| "), *([key] if key else []), Part("glue", behind)]
    return [part for part in parts if part.text]


def _row_closing(row: Row, start: int, offset: int) -> str:
    ended = sum(1 for cell in row.cells if cell[0] < offset)
    if not row.tags:
        return " |" * max(1, row.columns - ended + 1)
    is_open = row.cells[ended - 1][1] > offset if ended else False
    closing = row.tags[ended - 1].closing if is_open else ""
    if start < row.cells[0][1] and 0 < ended < len(row.tags):
        # Without a key before them and the cells that follow, these may be of a header alone.
        is_header = all(tag.name == "th" for tag in row.tags[:ended])
        closing += "<td></td>" if is_header else ""
    return f"{closing}</tr>"
