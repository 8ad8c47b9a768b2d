"""A clause as a value, and which of many clauses contains a span."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from treepack.model.blocks import Span
from treepack.numbers.words import DIVISIONS, RELATIVE, ClauseKind


@dataclass(slots=True, unsafe_hash=True)  # frozen costs four times as much to make
class Clause:
    """A clause of a document.

    Attributes:
        start: The first character of the block (or table row) with the label.
        end: The start of the next clause of the same or a higher rank, or the end of its section,
            list item or row; characters, half-open.
        number: As people cite it: ``12(3)(a)``, ``5.1.2``, ``A.2``, ``Annex III(1)(a)``.
        path: The labels from the outermost clause down to this one.
        kind: The kind that the last label names.
        section_id: The section in which it begins.
        parent: The index, among all clauses, of the clause around it.
        title: As plain text, from its heading or the beginning of its text; empty without one.
        title_span: Where the title is; characters, half-open; None without one.
        is_heading: Whether a heading begins it.
        is_led: Whether it is a point that the text of the clause around it introduces.
    """

    start: int
    end: int
    number: str
    path: tuple[str, ...]
    kind: ClauseKind
    section_id: str
    parent: int | None
    title: str = ""
    title_span: Span | None = None
    is_heading: bool = False
    is_led: bool = False

    @property
    def is_run_in(self) -> bool:
        """Whether it takes the place of a section: its number and title run into the text.

        That is so for ``5.1 Limits. The ...``, and for the numbers of a text that has no titles at
        all; not for points in brackets or after a lead-in, nor for the rows of a table.
        """
        if self.is_heading or self.is_led or (self.kind in DIVISIONS and not self.title):
            return False
        label = self.path[-1]
        is_listed = self.parent is None and " " in self.number and " " not in label  # a recital
        is_point = label.endswith(")") or self.kind == "requirement" or is_listed
        return not is_point and (bool(self.title) or self.parent is None)

    @property
    def name(self) -> str:
        """Number and title, as a breadcrumb or an outline shows them: ``4 Restrictions``.

        A word before the number stays there: ``Article 4 Definitions``, which is cited as 4.
        """
        is_relative = self.kind in RELATIVE
        return f"{self.number if is_relative else self.path[-1]} {self.title}".rstrip()


class LedPoints(NamedTuple):
    """The clause whose text introduces points, and where the last point begins."""

    clause: Clause
    last: int


def led_points(clauses: Sequence[Clause]) -> dict[int, LedPoints]:
    """Return the points that texts above them introduce, by where the first point begins."""
    first: dict[int, int] = {}  # where the first point of each clause begins
    points: dict[int, LedPoints] = {}
    for clause in clauses:
        if clause.is_led and (parent := clause.parent) is not None:
            start = first.setdefault(parent, clause.start)
            points[start] = LedPoints(clauses[parent], clause.start)
    return points


class Clauses(tuple[Clause, ...]):  # noqa: SLOT001 - it keeps where they begin
    """All clauses of a document, in source order; each lies fully inside its parent."""

    @cached_property
    def starts(self) -> list[int]:
        """Where they begin."""
        return [clause.start for clause in self]

    def index_at(self, start: int, end: int) -> int | None:
        """Return the index of the deepest clause that contains a whole span."""
        at: int | None = bisect_right(self.starts, start) - 1
        if at == -1:
            return None
        while at is not None and self[at].end < end:
            at = self[at].parent
        return at

    def at(self, start: int, end: int) -> Clause | None:
        """Return the deepest clause that contains a whole span."""
        index = self.index_at(start, end)
        return None if index is None else self[index]

    def cited_at(self, start: int, end: int) -> Clause | None:
        """Return the clause by which a span is cited.

        It is the deepest one that contains the span. But the heading of a chapter is no text of its
        own: with a single article below it, the span belongs to the article.
        """
        index = self.index_at(start, end)
        while index is not None and self[index].kind in DIVISIONS:
            first, after = bisect_left(self.starts, start), bisect_left(self.starts, end)
            inside = [n for n in range(first, after) if self[n].parent == index]
            is_whole = len(inside) == 1 and self[inside[0]].end >= end
            if not is_whole or self.index_at(start, start + 1) not in {index, inside[0]}:
                break
            index = inside[0]
        return None if index is None else self[index]


NO_CLAUSES: Final = Clauses()
