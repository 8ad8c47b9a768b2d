"""All clauses of a document: their extent, their number as cited, their path.

Headings give clauses through the section tree. In a section, the labels of paragraphs and list
items form running numberings: each label continues an open numbering, begins a deeper one, or is
no clause. Rows of requirement tables are clauses too.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter
from typing import Final, TypeAlias

from treepack.clauses.contents import own_labels
from treepack.clauses.labels import Label, LabelItem, own_end
from treepack.clauses.lookahead import begins_decimals, choose, has_next, is_to_come
from treepack.clauses.named_order import NamedOrder
from treepack.clauses.notes import split_notes
from treepack.clauses.open_clauses import (
    MISSING,
    OpenClause,
    cited_number,
    counting,
    is_counted,
    is_prefix,
    is_sibling,
    restarted_at,
)
from treepack.clauses.requirement_tables import requirement_rows
from treepack.clauses.sequences import Interpretation, interpretations, wrapper_of
from treepack.model.blocks import Table
from treepack.model.section import Section
from treepack.numbers.clause_number import ClauseNumber
from treepack.numbers.values import heading_numbers, is_said_apart, named_ordinals, number_value
from treepack.numbers.words import CITED_BY_NUMBER, DIVISIONS, ClauseKind
from treepack.values import value


@value
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
    """

    start: int
    end: int
    number: str
    path: tuple[str, ...]
    kind: ClauseKind
    section_id: str
    parent: int | None


def find_clauses(text: str, root: Section) -> tuple[Clause, ...]:
    """Return all clauses of a document in source order; each lies fully inside its parent."""
    return _Walk(text, root).clauses()


def clause_at(clauses: Sequence[Clause], start: int, end: int) -> Clause | None:
    """Return the deepest clause that contains a whole span, by bisection."""
    at = place_at(clauses, start, end)
    return None if at is None else clauses[at]


def place_at(clauses: Sequence[Clause], start: int, end: int) -> int | None:
    """Return the index of the deepest clause that contains a whole span."""
    at: int | None = bisect_right(clauses, start, key=_START) - 1
    if at == -1:
        return None
    while at is not None and clauses[at].end < end:
        at = clauses[at].parent
    return at


_START: Final = attrgetter("start")
# Plural headings that give their word to the numbers below them.
_COLLECTIONS: Final = {
    "recitals": "Recital",
    "considérants": "Considérant",
    "erwägungsgründe": "Erwägungsgrund",
    "considerandos": "Considerando",
}
_OF_CONTRACTS: Final = ("schedule", "exhibit")  # an annex may also belong to a how-to
# Headings of these kinds do not show that a text is legal; a how-to may have numbered steps too.
_UNSPOKEN: Final = frozenset({"decimal", "letter", "roman"})
_PLACES: Final = frozenset({*DIVISIONS, "annex"})
_LISTED: Final = frozenset({"requirement", "recital"})  # they contain only points
_FIRST_PARTS: Final = frozenset({"0", "1", "01"})
_BARE: Final = re.compile(r"[\d.]+[ \t]*(?:[\r\n]|$)")
_LOOK_AHEAD: Final = 40  # labels; a list of romans longer than this is not read to its end


# A clause whose end is not yet known: start, number, path, kind, section, parent.
_Draft: TypeAlias = tuple[int, str, tuple[str, ...], ClauseKind, str, int | None]


class _Walk:
    """One pass over the section tree, with a stack of open clauses."""

    def __init__(self, text: str, root: Section) -> None:
        self.text = text
        self.sections = list(root.walk())
        self.found: list[_Draft] = []
        self.ends: list[int] = []
        self.open: list[OpenClause] = []
        self.own_end = 0  # end of the current section's own content
        self.notes_end = 0  # end of the last notes; the text after it calls the next ones
        sections = [section for section in self.sections if section.heading]
        titles = [section.heading.text for section in sections if section.heading]
        self.numbers = {
            section.start: number
            for section, number in zip(sections, heading_numbers(titles), strict=True)
            if number
        }
        self.named = named_ordinals(self.numbers.values())
        kinds = [number.kind for number in self.numbers.values()]
        # With articles (or §), a section of a law is a division; without, people cite sections.
        self.has_articles = any(
            number.kind == "article" or number.label.startswith("§")
            for number in self.numbers.values()
        )
        self.is_legal = any(kind in CITED_BY_NUMBER for kind in kinds)

    def clauses(self) -> tuple[Clause, ...]:
        own = list(own_labels(self.text, self.sections, self.numbers.values()))
        self.order = NamedOrder(self.numbers, (label for _, labels in own for label in labels))
        for section, labels in own:
            self._section(section, labels)
        self._close(0, len(self.text))
        return tuple(
            Clause(draft[0], end, *draft[1:])
            for draft, end in zip(self.found, self.ends, strict=True)
        )

    # ---------------------------------------------------------------- one section

    def _section(self, section: Section, found: Sequence[LabelItem]) -> None:
        self._close_before(section.start)
        if section.heading and (number := self.numbers.get(section.start)):
            self._open_heading(number, section)
        self.own_end = own_end(section)
        if not found:
            return  # most sections
        title = section.heading.text if section.heading else ""
        collection = _COLLECTIONS.get(title.casefold(), "")
        labels, notes = split_notes(self.text, found, self.notes_end)
        for at, label in enumerate(labels):
            following = labels[at + 1 : at + 1 + _LOOK_AHEAD]
            self._label(label, following, section, collection)
        if notes is not None:
            self._close_text(len(self.open), notes)
            self.notes_end = self.own_end

    # ---------------------------------------------------------------- one label

    def _label(
        self,
        label: LabelItem,
        following: Sequence[LabelItem],
        section: Section,
        collection: str,
    ) -> None:
        if isinstance(label, Table):
            self._rows(label, section)
        elif isinstance(label, int):
            self._close(0, label)
        elif label.number.is_relative:
            self._relative(label, following, section, collection)
        elif label.number.kind == "decimal":
            self._decimal(label, following, section)
        else:
            self._named(label, section)

    def _named(self, label: Label, section: Section) -> None:
        """Handle a word and a number that fill a paragraph: close the clauses it is not part of."""
        is_in_annex = any(e.is_heading and e.number.kind == "annex" for e in self.open)
        if not is_in_annex and is_said_apart(label.number, self.named):
            self._close_text(len(self.open), label.start)
            return
        at = len(self.open)
        while at and self._ends(self.open[at - 1], label):
            at -= 1
        self._close(at, label.start)
        self._push(label, section)

    def _ends(self, entry: OpenClause, label: Label) -> bool:
        """Whether a named label ends an open clause because it is not part of it."""
        above, number = entry.number, label.number
        if above.is_relative or above.kind == "decimal":
            return above.is_relative or not entry.is_heading
        if number.kind == "requirement" or above.kind in _LISTED:
            return above.kind in _LISTED
        if number.kind == "annex" or above.kind == "annex":
            return number.kind == "annex"
        return not self.order.holds(self.found[entry.place][0], label.start)

    def _decimal(self, label: Label, following: Sequence[LabelItem], section: Section) -> None:
        """Handle ``5.1.2`` in a text: it goes below the clause whose number it continues."""
        parts = label.number.parts
        at = len(self.open)
        while at and not self.open[at - 1].is_heading:
            above = self.open[at - 1].number
            if above.parts == parts:
                self._close(at, label.start)
                return  # a converter printed the label twice
            if is_prefix(self.open[at - 1], parts):
                break
            at -= 1
        if not any(is_prefix(entry, parts) for entry in self.open):
            closed = self.open[at:]
            siblings = (n for n, e in enumerate(closed, at) if is_sibling(e.number.parts, parts))
            before = next(siblings, None)
            if before is None and not self._may_begin_decimals(label, closed, following):
                return
            at = self._below_division(at) if before is None else before
        self._close(at, label.start)
        self._push(label, section)

    def _may_begin_decimals(
        self, label: Label, closed: Sequence[OpenClause], following: Sequence[LabelItem]
    ) -> bool:
        """Whether ``3.1`` may begin decimals anew; not if it interrupts "1." before its "2.".

        If no clause is around it, or no text follows it (a table cell that extraction broke), it
        may do so only if its numbering is continued.
        """
        parts = label.number.parts
        if parts[-1] not in _FIRST_PARTS:
            return False
        is_bare = _BARE.match(self.text, label.start) is not None
        if (is_bare or not self.open) and not has_next(parts, following):
            return False
        broken = next((e.reading for e in reversed(closed) if is_counted(e)), None)
        if broken is None:
            return True
        wrapper, value = broken.wrapper, number_value(parts[0])[0]
        is_near = 0 < value - broken.value <= MISSING + 1
        return is_near and not is_to_come(parts[0], wrapper, following)

    def _below_division(self, at: int) -> int:
        """Return ``at``, or the index after the last division or annex that a text began."""
        places = range(len(self.open), at, -1)
        return next((n for n in places if self.open[n - 1].number.kind in _PLACES), at)

    def _relative(
        self,
        label: Label,
        following: Sequence[LabelItem],
        section: Section,
        collection: str,
    ) -> None:
        """Handle ``(3)``, ``a)``, ``ii.``: continue an open numbering or begin a deeper one."""
        options = interpretations(label.number, wrapper_of(label.number))
        top = len(self.open)
        while top and self.open[top - 1].depth > label.depth:
            top -= 1
        entries = list(counting(self.open[:top], label.depth))

        def begun(first: Interpretation) -> int | None:
            if not self._may_begin(label, following, top, collection):
                return None
            return restarted_at(self.open[:top], first, label.depth)

        choice = choose(
            label, options, entries, following, begun, lambda at: self._is_repeated(at, label)
        )
        if choice is None:
            return
        at, reading = choice
        if (
            at < len(self.open)
            and self.open[at].reading == reading
            and self._is_repeated(at, label)
        ):
            self._close(at + 1, label.start)
            return
        self._close(at, label.start)
        self._push(label, section, reading, collection)

    def _is_repeated(self, at: int, label: Label) -> bool:
        """Whether the same label came just before; converters print some labels twice."""
        entry = self.open[at]
        between = self.text[self.found[entry.place][0] : label.start]
        return entry.number == label.number and len(between.strip()) <= len(label.number.label) + 1

    def _may_begin(
        self, label: Label, following: Sequence[LabelItem], top: int, collection: str
    ) -> bool:
        """Whether a new numbering may begin here: in legal text, not in a how-to's steps."""
        if collection or begins_decimals(label, following):
            return True
        # Skip points: the steps of a point are only as legal as the clause around it.
        at = top - 1
        while at > 0 and self.open[at].number.is_relative and not self.open[at].is_heading:
            at -= 1
        above = self.open[at] if top else None
        if above is None or above.number.kind == "requirement":
            return False
        if above.number.kind in _PLACES:
            return self.is_legal or above.number.label.casefold().startswith(_OF_CONTRACTS)
        is_bare = wrapper_of(label.number) != "()" and label.number.kind == "paragraph"
        return not (above.is_heading and is_bare and above.number.kind in _UNSPOKEN)

    # ---------------------------------------------------------------- opening and closing

    def _open_heading(self, number: ClauseNumber, section: Section) -> None:
        label = Label(section.start, number, -1, section.end)
        self._push(label, section)
        self.open[-1].is_heading = True

    def _push(
        self,
        label: Label,
        section: Section,
        reading: Interpretation | None = None,
        collection: str = "",
    ) -> None:
        above = self.open[-1] if self.open else None
        for entry in self.open:  # a label after a list item may continue the item's numbering
            if not entry.is_heading and label.start >= entry.limit:
                entry.limit = label.limit
        number = label.number
        if above is None:
            label.limit = max(label.limit, self.own_end)
        cited = cited_number(number, above, collection, has_articles=self.has_articles)
        path = (*(above.path if above else ()), number.label)
        place = len(self.found)
        parent = above.place if above else None
        self.found.append((label.start, cited, path, number.kind, section.id, parent))
        self.ends.append(label.start)
        base = cited if number.kind == "annex" else above.base if above else ""
        is_root = above is None or above.number.kind in _PLACES
        self.open.append(
            OpenClause(
                place,
                number,
                cited,
                path,
                base,
                label.limit,
                label.depth,
                reading,
                is_root=is_root and wrapper_of(number) == ".",
            )
        )

    def _close_before(self, start: int) -> None:
        """Close the clauses that end before an offset: sections, and those their text began."""
        if not self.open:
            return
        at = len(self.open)
        while at and self.open[at - 1].limit <= start:
            at -= 1
        # A clause of a text ends with its section's own content, even if sub-sections follow.
        self._close_text(at, start)

    def _close_text(self, at: int, offset: int) -> None:
        """Close the clauses that a text began, and all from a stack index on."""
        first_text = next((n for n, entry in enumerate(self.open) if not entry.is_heading), at)
        self._close(min(at, first_text), offset)

    def _close(self, at: int, offset: int) -> None:
        """Close the open clauses from a stack index on."""
        while len(self.open) > at:
            entry = self.open.pop()
            start = self.found[entry.place][0]
            self.ends[entry.place] = max(min(entry.limit, offset), start)

    # ---------------------------------------------------------------- tables

    def _rows(self, table: Table, section: Section) -> None:
        above = self.open[-1] if self.open else None
        parts = above.number.parts if above else ()
        for start, end, number in requirement_rows(self.text, table, parts):
            path = (*(above.path if above else ()), number.label)
            place = above.place if above else None
            self.found.append((start, number.label, path, number.kind, section.id, place))
            self.ends.append(end)
