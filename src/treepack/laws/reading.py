"""The source as the checks see it: its blocks, sections and clauses.

How a source is read, no law is about; it is read as for packing, up to the clauses that act as
sections. What the packer then does with it is not used here.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Final, TypeAlias, TypeVar, cast

from treepack.clauses.clause import Clauses, led_points
from treepack.clauses.sections import with_clause_sections
from treepack.document.document import Document
from treepack.graphemes import INK
from treepack.markdown.html_tables import HtmlTable, read_tables, row_groups
from treepack.model.blocks import (
    Block,
    CodeBlock,
    Heading,
    ListBlock,
    ListItem,
    MathBlock,
    Paragraph,
    Span,
    Table,
    children,
)
from treepack.model.section import Section, path_to

T = TypeVar("T")
Node: TypeAlias = Block | ListItem
Code: TypeAlias = CodeBlock | MathBlock

_START: Final = attrgetter("start")
_END: Final = attrgetter("end")
_QUOTE_MARKERS: Final = " \t>"
_INTRO_ENDS: Final = frozenset(":：,")


@dataclass(frozen=True, slots=True)
class Place:
    """A block among its siblings, and the place of the block around them."""

    siblings: Sequence[Node]
    index: int
    around: "Place | None" = None

    @property
    def block(self) -> Node:
        """The block itself."""
        return self.siblings[self.index]

    @property
    def end(self) -> int:
        """Where the block ends; the last one inside another reaches over what closes that."""
        is_last = self.index == len(self.siblings) - 1
        return self.around.end if self.around and is_last else self.block.end

    @property
    def holders(self) -> "list[Place]":
        """The places of the items, quotes and other containers around it, outermost first."""
        above = [] if self.around is None else [*self.around.holders, self.around]
        return [place for place in above if not isinstance(place.block, ListBlock)]

    def sibling(self, step: int) -> "Place | None":
        """Return the place of the next (1) or the previous (-1) sibling, or None."""
        at = self.index + step
        return Place(self.siblings, at, self.around) if 0 <= at < len(self.siblings) else None

    def inside(self) -> "Iterator[Place]":
        """Yield the places of the blocks directly inside."""
        inner = children(self.block)
        return (Place(inner, at, self) for at in range(len(inner)))


def framed_blocks(tops: Sequence[Node]) -> list[tuple[Place, Table | Code]]:
    """Return the tables, code blocks and math blocks inside some blocks, in source order."""
    found: list[tuple[Place, Table | Code]] = []
    stack = [Place(tops, at) for at in range(len(tops) - 1, -1, -1)]
    while stack:
        place = stack.pop()
        if isinstance(place.block, Table | CodeBlock | MathBlock):
            found.append((place, place.block))
        elif place.block.kind not in {"paragraph", "heading"}:
            stack += [*place.inside()][::-1]
    return found


class Reading:
    """A document with its blocks in one sequence.

    Attributes:
        document: The document.
        text: Its text with spaces in place of page marks and page furniture.
        clauses: Its clauses; none if they are not looked for.
        sections: All sections, the root first; run-in clauses are sections without a heading.
        tops: The top-level blocks, headings included, in source order.
    """

    def __init__(self, document: Document, clauses: Clauses) -> None:
        self.document = document
        self.text = document.text
        self.clauses = clauses
        view, self._names = with_clause_sections(document, clauses)
        self.sections = [*view.root.walk()]
        self.tops: list[Node] = []
        self._made: dict[tuple[str, int], object] = {}
        for section in self.sections:
            self.tops += (section.heading, *section.blocks) if section.heading else section.blocks

    # ---------------------------------------------------------------- text

    def trimmed(self, start: int, end: int) -> Span:
        """Return a span without whitespace at its ends; empty if all of it is whitespace."""
        text = self.text[start:end]
        start += len(text) - len(text.lstrip())
        return start, max(start, end - len(text) + len(text.rstrip()))

    def ink(self, position: int) -> int:
        """Return the first character at or after a position that is not whitespace."""
        found = INK.search(self.text, position)
        return found.start() if found else len(self.text)

    def line(self, position: int) -> int:
        """Return where the line of a position begins."""
        return self.document.source.line_starts[self.document.source.line_at(position)]

    def line_start(self, position: int) -> int:
        """Return the start of a position's line if only quote markers precede it, or itself."""
        start = self.line(position)
        return position if self.text[start:position].strip(_QUOTE_MARKERS) else start

    def line_span(self, position: int) -> Span:
        """Return the trimmed span of the line around a position."""
        source = self.document.source
        line = source.line_at(position)
        return self.trimmed(source.line_starts[line], source.line_starts[line + 1])

    # ---------------------------------------------------------------- sections and clauses

    def section_at(self, position: int) -> Section:
        """Return the deepest section that holds a character."""
        return path_to(self.sections[0], position, position + 1)[-1]

    def path(self, position: int) -> list[Section]:
        """Return the sections around a character, outermost first, without the root."""
        return path_to(self.sections[0], position, position + 1)[1:]

    def headed(self, position: int, end: int = 0) -> list[Section]:
        """Return the sections with a heading around a position that go on up to an end."""
        return [each for each in self.path(position) if each.heading and each.end >= end]

    def named(self, position: int, end: int = 0) -> list[tuple[Section, str]]:
        """Return the run-in clauses around a position that go on up to an end, with their names."""
        return [
            (section, self._names[section.start])
            for section in self.path(position)
            if section.heading is None and section.start in self._names and section.end >= end
        ]

    def headings_in(self, start: int, end: int) -> list[Section]:
        """Return the sections of which a span has the heading, or a part of it."""
        first = max(bisect_right(self.sections, start, key=_START) - 1, 0)
        near = self.sections[first : bisect_left(self.sections, end, key=_START)]
        return [each for each in near if each.heading and each.heading.end > start]

    @cached_property
    def clause_starts(self) -> list[int]:
        """Where the clauses begin, whitespace not counted."""
        return [self.ink(clause.start) for clause in self.clauses]

    # ---------------------------------------------------------------- blocks

    def tops_in(self, start: int, end: int) -> Sequence[Node]:
        """Return the top-level blocks that share a character with a span."""
        first = bisect_right(self.tops, start, key=_END)
        return self.tops[first : bisect_left(self.tops, end, key=_START)]

    def across(self, end: int, start: int) -> list[Place]:
        """Return the blocks that begin before ``end`` and go on after ``start``, outermost first.

        Those around a single character are ``across(position + 1, position)``.
        """
        places: list[Place] = []
        siblings: Sequence[Node] = self.tops
        while siblings:
            index = bisect_right(siblings, end - 1, key=_START) - 1
            if index < 0 or siblings[index].end <= start:
                break
            places.append(Place(siblings, index, places[-1] if places else None))
            siblings = children(siblings[index])
        return places

    @cached_property
    def framed(self) -> list[tuple[Place, Table | Code]]:
        """The tables and code blocks, nested ones too, in source order."""
        return framed_blocks(self.tops)

    def framed_in(self, start: int, end: int) -> list[tuple[Place, Table | Code]]:
        """Return the tables and code blocks that share a character with a span."""
        first = bisect_right(self.framed, start, key=lambda each: each[1].end)
        return self.framed[first : bisect_left(self.framed, end, key=lambda each: each[1].start)]

    def once(self, kind: str, start: int, make: Callable[[], T]) -> T:
        """Return what ``make`` gives for a part of the text, made only once for each."""
        if (kind, start) not in self._made:
            self._made[kind, start] = make()
        return cast("T", self._made[kind, start])

    def html(self, table: Table) -> HtmlTable:
        """Return the cells and rows of an HTML table."""
        start, end = table.start, table.end
        return self.once("html", start, lambda: read_tables(self.text, start, end)[0])

    def caption(self, table: Table) -> tuple[str, ...]:
        """Return a table's caption as a reader sees it and as it is written, perhaps empty."""
        span = table.caption_span
        if table.is_html and table.caption and span is None:
            span = self.html(table).caption
        return table.caption, self.text[slice(*span)] if span else table.caption

    def tied_rows(self, table: Table) -> list[tuple[int, int, int]]:
        """Return runs of rows that a rowspan ties together, most of one row.

        Each has the start, the end, and the index of its first row.
        """

        def runs() -> list[tuple[int, int, int]]:
            groups = row_groups(self.html(table).rows) if table.is_html else []
            groups = groups or [(at, at + 1) for at in range(len(table.rows))]
            return [(table.rows[a][0], table.rows[b - 1][1], a) for a, b in groups]

        return self.once("rows", table.start, runs)

    # ---------------------------------------------------------------- what stays together

    @cached_property
    def _points(self) -> dict[int, int]:
        """Where the points of a text begin that introduces them, and where the last one ends."""
        found = led_points(self.clauses)
        last = {start: self.clauses.at(each.last, each.last + 1) for start, each in found.items()}
        return {start: clause.end if clause else start for start, clause in last.items()}

    def introduces(self, intro: Place, position: int) -> bool:
        """Whether a paragraph introduces the list, or the points, around a position."""
        after = intro.sibling(1)
        if after is None or not isinstance(intro.block, Paragraph):
            return False
        is_list = isinstance(after.block, ListBlock) and self.text[intro.block.end - 1] in ":："
        end = max(after.block.end if is_list else 0, self._points.get(after.block.start, 0))
        return after.block.start <= position < end

    def leading(self, place: Place, minimum: int) -> Place | None:
        """Return the paragraph that must stay with the beginning of a list or table, if any.

        That is a table's caption, or text that continues in the list below it or has
        fewer tokens than the minimum.
        """
        before, block = place.sibling(-1), place.block
        if before is None or not isinstance(before.block, Paragraph):
            return None
        if isinstance(block, Table):
            return before if block.caption_span == (before.block.start, before.block.end) else None
        last = self.text[before.block.end - 1]
        tokens = self.document.tokens.count(before.block.start, before.block.end)
        is_open = last in _INTRO_ENDS or last.isalnum() or tokens < minimum
        is_led = block.start in self._points or (isinstance(block, ListBlock) and is_open)
        return before if is_led else None

    @cached_property
    def _runs(self) -> list[tuple[int, int]]:
        """For each top-level block, what is above and below it.

        That is the index of the first of the headings directly above it, or its own; and the index
        of the first block from it on that is no heading.
        """
        above, below = [0], [len(self.tops)]
        for index, top in enumerate(self.tops, 1):
            above.append(above[-1] if isinstance(top, Heading) else index)
        for index in range(len(self.tops) - 1, -1, -1):
            below.append(below[-1] if isinstance(self.tops[index], Heading) else index)
        return [*zip(above, below[:0:-1], strict=False)]

    def headings_start(self, start: int) -> int:
        """Return where the headings directly above a top-level position begin."""
        index = bisect_right(self.tops, start, key=_START) - 1
        return min(self.tops[self._runs[index][0]].start, start)

    def content(self, place: Place) -> Place | None:
        """Return the place of the first top-level block from one on that is no heading."""
        index = self._runs[place.index][1]
        return Place(self.tops, index) if index < len(self.tops) else None
