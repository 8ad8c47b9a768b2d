"""Wrappers: what a chunk opens again when it begins inside a construct, and closes when it ends.

A chunk that begins in the middle of a nested list item, a table or a code block is readable only if
the marker, the header rows or the fence come before it. Each construct around a text is a wrapper;
``openings`` joins the texts that the wrappers around a chunk give.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Final, NamedTuple

from treepack.markdown.prefixes import Prefix
from treepack.model.blocks import Span
from treepack.model.chunk import Segment

_START: Final = attrgetter("start")
_END: Final = attrgetter("end")
_LINE_END: Final = Segment("glue", "\n")
_BLANK_LINE: Final = Segment("glue", "\n\n")


@dataclass(frozen=True, slots=True)
class Wrapper:
    """A construct around a text.

    Its opening and closing are written as if the construct were at the top level. The prefixes of
    the constructs around it are added after each line end; see ``openings``.

    Attributes:
        start: Where it begins in the source.
        end: After its last character.
        is_literal: Whether the lines inside are code, math or table rows, so that no other text may
            come between them.
    """

    start: int
    end: int
    is_literal: bool = field(default=False, kw_only=True)

    def needs_opening(self, offset: int) -> bool:
        """Whether a piece that begins at ``offset`` needs the opening."""
        return self.start < offset

    def opening(self, offset: int) -> Sequence[Segment]:  # noqa: ARG002 - each kind has its own
        """Return what comes before a piece that begins at ``offset``."""
        return ()

    def closing(self, start: int, offset: int) -> str:  # noqa: ARG002 - each kind has its own
        """Return what follows a piece from ``start`` to ``offset``, if the construct continues."""
        return ""


@dataclass(frozen=True, slots=True)
class PrefixWrapper(Wrapper):
    """A list item, quote, footnote, container or indented code: each line carries a prefix."""

    prefix: Prefix


@dataclass(frozen=True, slots=True)
class IntroWrapper(Wrapper):
    """A table with a caption, or a list with an intro.

    Attributes:
        words: The caption or the intro.
        is_detached: Whether the first piece lacks the words, so that it repeats them too.
    """

    words: Segment
    is_detached: bool = False

    def needs_opening(self, offset: int) -> bool:
        """Whether a piece repeats the words; the first piece does if they are not part of it."""
        return self.is_detached or self.start < offset

    def opening(self, offset: int) -> Sequence[Segment]:  # noqa: ARG002 - the same everywhere
        """Return the words and a blank line."""
        return self.words, _BLANK_LINE


@dataclass(frozen=True, slots=True)
class FrameWrapper(Wrapper):
    """A construct with lines of its own around or above its content: a fence, a table's header.

    Attributes:
        head: The lines above, without the last line end.
        foot: The line below; empty if none is needed.
        body: What separates the head from the content, on a line of its own; empty if nothing must.
    """

    head: Segment
    foot: str
    body: str = ""

    def opening(self, offset: int) -> Sequence[Segment]:  # noqa: ARG002 - the same everywhere
        """Return the lines above."""
        if not self.body:
            return self.head, _LINE_END
        return self.head, Segment("glue", f"{self.body}\n")

    def closing(self, start: int, offset: int) -> str:  # noqa: ARG002 - the same everywhere
        """Return the line below."""
        return f"\n{self.foot}" if self.foot else ""


class RowCell(NamedTuple):
    """A cell of a row; together the cells cover the row.

    Attributes:
        start: Where its pipe or tag begins.
        end: After its last character.
        key: The span of its text, which is repeated if this is the first cell.
        text_start: Where its own tag begins if text such as ``<tr>`` comes before it; else -1.
        text_end: Where its text ends, if a closing tag may follow; else -1.
        tag: ``td`` or ``th`` in HTML; empty in GFM.
        columns: How many columns it spans; a piece of its row repeats no other attribute.
    """

    start: int
    end: int
    key: Span
    text_start: int = -1
    text_end: int = -1
    tag: str = ""
    columns: int = 1

    def opening(self, tag: str = "") -> str:
        """Return the tag that begins the cell, under another name if one is given."""
        tag = tag or self.tag
        return f'<{tag} colspan="{self.columns}">' if self.columns > 1 else f"<{tag}>"


@dataclass(frozen=True, slots=True)
class RowWrapper(Wrapper):
    """A table row that is cut by cells.

    Attributes:
        cells: Its cells.
        key: The first cell's text, which names the row in each piece; None if it is too long.
        columns: How many columns the table has.
        leading_cells: The most cells (the key and empty cells) that come before the cell that is
            cut; 1 in a table that is too wide to keep all cells in their columns.
    """

    cells: tuple[RowCell, ...]
    key: Segment | None
    columns: int
    leading_cells: int

    @property
    def is_html(self) -> bool:
        """Whether its table is written in HTML."""
        return bool(self.cells[0].tag)

    def opening(self, offset: int) -> Sequence[Segment]:
        """Return the key and empty cells, up to the column of the cell that continues."""
        segments = self._html_opening(offset) if self.is_html else self._pipe_opening(offset)
        return [each for each in segments if each.text]

    def closing(self, start: int, offset: int) -> str:
        """Return what ends the cell and the row; in GFM this includes all missing cells."""
        cell_count = bisect_left(self.cells, offset, key=_START)
        if not self.is_html:
            return " |" * max(1, self.columns - cell_count + 1)
        closing = ""
        if cell_count and self.cells[cell_count - 1].end > offset:
            closing += f"</{self.cells[cell_count - 1].tag}>"
        if start < self.cells[0].end and 0 < cell_count < len(self.cells):
            # These are the first cells of a row. If all are ``<th>``, an empty ``<td>`` keeps the
            # piece from being a header row.
            is_header = all(cell.tag == "th" for cell in self.cells[:cell_count])
            closing += "<td></td>" if is_header else ""
        return f"{closing}</tr>"

    def _pipe_opening(self, offset: int) -> Iterator[Segment]:
        column = bisect_right(self.cells, offset, key=_END)
        repeated = min(column, self.leading_cells)
        yield Segment("glue", "| ")
        if repeated:
            if self.key:
                yield self.key
            is_at_cell = column < len(self.cells) and self.cells[column].start == offset
            yield Segment("glue", " |" * (repeated - 1) + (" " if is_at_cell else " | "))

    def _html_opening(self, offset: int) -> Iterator[Segment]:
        column = bisect_right(self.cells, offset, key=_END)
        column = min(column, len(self.cells) - 1)  # text after the last cell counts as part of it
        cell = self.cells[column]
        repeated = self.cells[: min(column, self.leading_cells)]
        # A repeated cell is always ``td``, because a row of ``th`` would be a header.
        tags = [each.opening("td") for each in repeated]
        empty = "".join([f"{tag}</td>" for tag in tags[1:]])
        continued = "" if cell.start == offset else cell.opening()
        if not tags or self.key is None:
            first = f"{tags[0]}</td>" if tags else ""
            yield Segment("glue", f"<tr>{first}{empty}{continued}")
        else:
            yield Segment("glue", f"<tr>{tags[0]}")
            yield self.key
            yield Segment("glue", f"</td>{empty}{continued}")


def prefixes_of(wrappers: Iterable[Wrapper]) -> tuple[Prefix, ...]:
    """Return the prefixes of each line inside some wrappers, outermost first."""
    return tuple([wrapper.prefix for wrapper in wrappers if isinstance(wrapper, PrefixWrapper)])
