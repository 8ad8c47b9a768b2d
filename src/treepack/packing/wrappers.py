"""Wrappers: what a chunk opens again when it begins inside a construct, and closes when it ends.

A chunk that begins in the middle of a nested list item, a table or a code block can be read only
if the marker, the header rows or the fence stand before it. Each construct around a text is a
wrapper; `opening_segments` joins their openings, `closing_text` their closings.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

from treepack.markdown.prefixes import Place, Prefix, after_prefix, content_place
from treepack.markdown.tables import is_bare_table
from treepack.model.blocks import Span
from treepack.model.chunk import Role, Segment
from treepack.model.source import Source

# A fence, a container, a footnote, an item or a table, also one in HTML, that is indented. After a
# list marker its indentation would count as the marker's (CommonMark 5.2). Then lines with less
# indentation would not belong to the item, because only a paragraph has lazy continuation lines.
_INDENTED_BLOCK: Final = re.compile(
    r"[ \t]+(?:`{3}|~{3}|:{3}|!{3}|[?]{3}|[-+*][ \t]|\d{1,9}[.)][ \t]|\[\^[^\]\r\n]+\]:"
    r"|<[Tt][Aa][Bb][Ll][Ee]\b|\|[^\r\n]*(?:\r\n?|\n)[ \t>]*\|?[ \t]*:?-[ \t:|-]*(?:[\r\n]|\Z))"
)
_INDENTED_TEXT: Final = re.compile(r"[ ]{1,3}(?![ \t>]|[-+*][ \t]|\d{1,9}[.)])")
"""No code, which has more, and no item, because those after it are indented as well."""
_THEMATIC_BREAK: Final = re.compile(r"[ \t]*([-*])[ \t]*(?:\1[ \t]*){2,}")


@dataclass(frozen=True, slots=True)
class Prefixed:
    """A list item, quote, footnote or admonition: each line of it carries a prefix.

    Attributes:
        is_apart: The marker needs its own line even in the chunk where the item starts.
    """

    start: int
    end: int
    prefix: Prefix
    is_apart: bool = False


@dataclass(frozen=True, slots=True)
class Introduced:
    """A table with a caption, or a list with an intro.

    Attributes:
        words: The caption or the intro.
        is_apart: Not part of the first piece, so that piece repeats it too.
    """

    start: int
    end: int
    words: Segment
    is_apart: bool = False

    def is_within(self, start: int, end: int) -> bool:
        """Whether the caption or intro itself stands in a span of the source."""
        span = self.words.span
        return span is not None and start <= span[0] and span[1] <= end


class SubHeader(NamedTuple):
    """A sub-header of a table: where it stands, and how it reads above the rows of a piece."""

    start: int
    end: int
    parts: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class Enclosed:
    """A construct with lines of its own around or above its content: a fence, a table's header.

    Attributes:
        opening: The opening lines, without the last line end.
        closing: The closing line; empty where none is needed.
        sub_headers: Sub-headers of a table, each repeated for the rows up to the next one.
        heads: Where rows of an HTML table begin that would be taken for header rows, or have such
            rows close below, if they came first in a piece.
        has_header: Whether the opening has header rows: then a ``<tbody>`` tells them from those
            below; else an empty one says that there are none.
    """

    start: int
    end: int
    opening: Segment
    closing: str
    sub_headers: tuple[SubHeader, ...] = ()
    heads: frozenset[int] = frozenset()
    has_header: bool = True

    def band_before(self, offset: int) -> SubHeader | None:
        """The last sub-header that begins before an offset."""
        at = bisect_left(self.sub_headers, offset, key=itemgetter(0)) - 1
        return self.sub_headers[at] if at >= 0 else None


class CellTag(NamedTuple):
    """The tag of an HTML cell, with only the attribute that a piece of its row repeats: colspan.

    Attributes:
        name: ``td`` or ``th``.
        columns: How many columns the cell spans.
    """

    name: str
    columns: int = 1

    @property
    def opening(self) -> str:
        """The tag that begins the cell."""
        return f'<{self.name} colspan="{self.columns}">' if self.columns > 1 else f"<{self.name}>"

    @property
    def closing(self) -> str:
        """The tag that ends the cell."""
        return f"</{self.name}>"

    @property
    def data(self) -> "CellTag":
        """The tag of a repeated cell: always ``td``, because a row of ``th`` would be a header."""
        return self._replace(name="td")


@dataclass(frozen=True, slots=True)
class Row:
    """A table row that is cut by cells.

    Attributes:
        cells: Each cell's span, its leading pipe or tag included; together they cover the row.
        key: The first cell's text, which names the row in each piece; None when it is too long.
        columns: How many columns the table has.
        places: At most how many cells, the key and empty ones, stand before the cell that is cut; 1
            in a table that is too wide to keep all cells in their columns.
        tags: The tag of each cell in an HTML table; empty for a GFM table.
        nested: The tables inside the cells of an HTML table: each offset after a ``<table>`` or
            ``</table>``, and how many are open from there on. A piece reopens and closes them, so
            that their rows do not become rows of the outer table. Empty when too many are open.
    """

    start: int
    end: int
    cells: tuple[Span, ...]
    key: Segment | None
    columns: int
    places: int
    tags: tuple[CellTag, ...] = ()
    nested: tuple[tuple[int, int], ...] = ()

    def tables_at(self, offset: int) -> int:
        """How many tables inside its cells are open at an offset."""
        at = bisect_right(self.nested, offset, key=itemgetter(0))
        return self.nested[at - 1][1] if at else 0


Wrapper: TypeAlias = Prefixed | Introduced | Enclosed | Row


def words_at(role: Role, text: str, start: int, end: int) -> Segment:
    """A caption or intro to repeat, without indentation, which a marker before it would take."""
    start += len(text[start:end]) - len(text[start:end].lstrip(" \t"))
    return Segment.of(role, text[start:end], (start, end))


def is_literal(wrapper: Wrapper) -> bool:
    """Whether no other text may stand between the lines inside: a table, code."""
    return isinstance(wrapper, Enclosed) or (
        isinstance(wrapper, Prefixed) and not wrapper.prefix.first.strip()
    )


def opening_segments(
    source: Source, wrappers: tuple[Wrapper, ...], offset: int
) -> tuple[list[Segment], int]:
    """What goes before a chunk that begins at ``offset``.

    Returns:
        The parts, and where the body then begins in the source.
    """
    wrappers = tuple(wrapper for wrapper in wrappers if _is_entered(wrapper, offset))
    if not wrappers:
        return [], offset
    if isinstance(wrappers[-1], Prefixed) and wrappers[-1].start == offset:
        return _marker_apart(source, wrappers, offset)
    parts: list[Segment] = []
    opened = 0  # how many prefixes were opened on an earlier line
    prefixes: list[Prefix] = []
    for wrapper in wrappers:
        match wrapper:
            case Prefixed():
                prefixes.append(wrapper.prefix)
            case Introduced():
                parts.extend(_line_prefix(prefixes, opened, wrapper.words.text))
                opened = len(prefixes)
                blank = "".join(prefix.following for prefix in prefixes).rstrip()
                parts.extend((wrapper.words, Segment.of("glue", f"\n{blank}\n")))
            case Enclosed():
                parts.extend(_line_prefix(prefixes, opened, wrapper.opening.text))
                opened = len(prefixes)
                parts.extend(_enclosed_opening(wrapper, offset, prefixes))
            case Row():
                parts.extend(_line_prefix(prefixes, opened, ""))
                return [*parts, *_row_opening(wrapper, offset)], offset
    first = _first_line(source, wrappers[-1], offset, prefixes, opened)
    if first and isinstance(wrappers[-1], Prefixed):
        offset = _after_marker(source.text, offset, prefixes[-1])
    return [*parts, *first], offset


def _after_marker(text: str, offset: int, marker: Prefix) -> int:
    """Where text begins behind a new marker: its indentation would count as the marker's."""
    if not marker.first.strip() or marker.is_quote or _INDENTED_BLOCK.match(text, offset):
        return offset
    indentation = _INDENTED_TEXT.match(text, offset)
    return indentation.end() if indentation else offset


def _first_line(
    source: Source, wrapper: Wrapper, offset: int, prefixes: list[Prefix], opened: int
) -> list[Segment]:
    """What stands before the body on its first line; ``wrapper`` is the innermost one."""
    line = source.line_at(offset)
    start, end = source.line_starts[line], source.line_starts[line + 1]
    content = content_place(source.text, start, end, line, tuple(prefixes)).offset
    if offset < content:
        return []  # the line holds only marks
    began_here = any(prefix.line == line for prefix in prefixes)  # its mark is in the chunk before
    # A quote's mark stays with the line's text, even if extra blanks stand between them.
    begins_line = offset == content or (
        any(prefix.is_quote for prefix in prefixes) and source.text[content:offset].isspace()
    )
    if began_here or not begins_line:
        return _line_prefix(prefixes, opened, "")
    indentation = source.text[start:offset]
    if isinstance(wrapper, Introduced) and wrapper.start == offset and indentation.isspace():
        # Without a repeated caption, the list marker replaces this indentation.
        return [Segment.of("glue", indentation)]
    return _source_prefix(source, line, offset, prefixes, opened)


def _is_entered(wrapper: Wrapper, offset: int) -> bool:
    """Whether a chunk that begins at ``offset`` needs the wrapper's opening."""
    if wrapper.start == offset and isinstance(wrapper, Prefixed):
        return wrapper.is_apart
    return wrapper.start < offset or (isinstance(wrapper, Introduced) and wrapper.is_apart)


def _marker_apart(
    source: Source, wrappers: tuple[Wrapper, ...], offset: int
) -> tuple[list[Segment], int]:
    """The marker of the item that begins at ``offset``, on a line of its own."""
    parts, start = opening_segments(source, wrappers[:-1], offset)
    prefixes = tuple(wrapper.prefix for wrapper in wrappers if isinstance(wrapper, Prefixed))
    content = prefixes[-1].content
    marker = source.text[start:content].rstrip()
    following = "".join(prefix.following for prefix in prefixes)
    body = Segment.of("body", marker, (start, start + len(marker)))
    return [*parts, body, Segment.of("glue", f"\n{following}")], content


def _enclosed_opening(wrapper: Enclosed, offset: int, prefixes: list[Prefix]) -> Iterator[Segment]:
    """The opening lines and the last sub-header before ``offset``, if it ended before that."""
    last = wrapper.band_before(offset)
    band = last if last and last.end <= offset else None
    yield wrapper.opening
    is_mistakable = offset in wrapper.heads and not (band and wrapper.has_header)
    body = "<tbody>" if wrapper.has_header else "<tbody></tbody>"
    yield Segment.of("glue", f"{body}\n" if is_mistakable else "\n")
    if band:
        yield from (
            *_line_prefix(prefixes, len(prefixes), ""),
            *band.parts,
            Segment.of("glue", "\n"),
        )


def closing_text(wrappers: tuple[Wrapper, ...], start: int, offset: int) -> str:
    """What goes after a chunk that begins at ``start`` and ends at ``offset``."""
    closing = ""
    for position in reversed(range(len(wrappers))):
        wrapper = wrappers[position]
        if wrapper.end <= offset:
            continue
        match wrapper:
            case Enclosed() if wrapper.closing:
                around = wrappers[:position]
                marks = [each.prefix.following for each in around if isinstance(each, Prefixed)]
                closing += f"\n{''.join(marks)}{wrapper.closing}"
            case Row():
                closing += _row_closing(wrapper, start, offset)
            case _:
                pass
    return closing


def _line_prefix(prefixes: list[Prefix], opened: int, content: str) -> list[Segment]:
    """The prefixes before this content, on a line that the source does not have."""
    above, opened = _lines_above(prefixes, opened, content, 0)
    text = above + _marks(prefixes, opened)
    return [Segment.of("glue", text)] if text else []


def _lines_above(prefixes: list[Prefix], opened: int, text: str, offset: int) -> tuple[str, int]:
    """The marks that need lines of their own above some content, and how many are open then."""
    above = ""
    for number in range(opened, len(prefixes)):
        if prefixes[number].stands_alone:
            above += _apart(prefixes[: number + 1], opened)
            opened = number + 1
    if prefixes[opened:] and _wants_line(prefixes[-1], text, offset):
        return above + _apart(prefixes, opened), len(prefixes)
    return above, opened


def _marks(prefixes: list[Prefix], opened: int) -> str:
    """The prefixes of a line on which those from number ``opened`` on are opened."""
    return "".join(
        prefix.following if number < opened else prefix.first
        for number, prefix in enumerate(prefixes)
    )


def _apart(prefixes: list[Prefix], opened: int) -> str:
    """The marks on their own line; one line each where they would be a break such as ``- - -``."""
    line = _marks(prefixes, opened).rstrip()
    if not _THEMATIC_BREAK.fullmatch(line):
        return f"{line}\n"
    ends = range(opened + 1, len(prefixes) + 1)
    return "".join(f"{_marks(prefixes[:end], end - 1).rstrip()}\n" for end in ends)


def _wants_line(innermost: Prefix, text: str, offset: int) -> bool:
    """Whether the innermost mark to open needs a line of its own before the content."""
    is_marker = bool(innermost.first.strip()) and not innermost.is_quote
    is_indented = is_marker and _INDENTED_BLOCK.match(text, offset)
    return bool(is_indented) or is_bare_table(text, offset)


def _source_prefix(
    source: Source, line: int, offset: int, prefixes: list[Prefix], opened: int
) -> list[Segment]:
    """The prefixes of a line of the source, with the item's marker in place of indentation.

    A mark that the line itself has, such as a quote's, is source text and stays in the body.
    """
    text = source.text
    start, end = source.line_starts[line], source.line_starts[line + 1]
    above, opened = _lines_above(prefixes, opened, text, offset)
    parts = [Segment.of("glue", above)] if above else []
    if opened == len(prefixes):
        own = [Segment.of("body", text[start:offset], (start, offset))] if start < offset else []
        return parts + own
    place = Place(start, 0)
    for number, prefix in enumerate(prefixes):
        before = place.offset
        place = after_prefix(text, start, place, end, line, prefix)
        wanted = prefix.following if number < opened else prefix.first
        found = text[before : min(place.offset, offset)]
        if prefix.is_quote and parts and parts[-1].role == "glue":
            # After a new marker, a quote's indentation would count as the marker's.
            before += len(found) - len(found.lstrip(" \t"))
            found = text[before : min(place.offset, offset)]
        if found and (found == wanted or prefix.is_quote):
            parts.append(Segment.of("body", found, (before, before + len(found))))
        elif wanted:
            parts.append(Segment.of("glue", wanted))
    return parts


def _row_opening(row: Row, offset: int) -> list[Segment]:
    column = sum(1 for cell in row.cells if cell[1] <= offset)
    at_cell = column < len(row.cells) and row.cells[column][0] == offset
    if row.tags:  # text after the last cell counts as part of it
        column = min(column, len(row.tags) - 1)
    before = min(column, row.places)
    key = row.key if before > 0 else None
    if row.tags:
        opened = [tag.data.opening for tag in row.tags[:before]]
        closed = [f"{tag}</td>" for tag in opened]
        cell = "" if at_cell else row.tags[column].opening
        cell += "<table>" * row.tables_at(offset)
        if key is None:
            return [Segment.of("glue", f"<tr>{''.join(closed)}{cell}")]
        after = f"</td>{''.join(closed[1:])}{cell}"
        return [Segment.of("glue", f"<tr>{opened[0]}"), key, Segment.of("glue", after)]
    after = " |" * (before - 1) + (" " if at_cell else " | ") if before > 0 else ""
    parts = [Segment.of("glue", "| "), *([key] if key else []), Segment.of("glue", after)]
    return [part for part in parts if part.text]


def _row_closing(row: Row, start: int, offset: int) -> str:
    ended = sum(1 for cell in row.cells if cell[0] < offset)
    if not row.tags:
        return " |" * max(1, row.columns - ended + 1)
    is_open = row.cells[ended - 1][1] > offset if ended else False
    closing = "</table>" * row.tables_at(offset)
    closing += row.tags[ended - 1].closing if is_open else ""
    if start < row.cells[0][1] and 0 < ended < len(row.tags):
        # The first cells of a row. If all are ``<th>``, an empty ``<td>`` keeps this piece from
        # being a header row.
        is_header = all(tag.name == "th" for tag in row.tags[:ended])
        closing += "<td></td>" if is_header else ""
    return f"{closing}</tr>"
