"""All clauses of a document: their extent, their number as cited, their path.

Headings give clauses through the section tree. In a section, the labels of paragraphs and list
items form running numberings: each label continues an open numbering, begins a deeper one, or is
not a clause. Rows of requirement tables are clauses too.
"""

from collections.abc import Sequence
from functools import cached_property, partial
from typing import Final

from treepack.clauses.beginnings import (
    DIVISIONS_AND_ANNEX,
    Legality,
    below_division,
    can_begin_decimals,
    can_begin_points,
    can_have_clauses,
    interrupted_at,
    is_filing_number,
    is_next_decimal,
    numbers_confirmed_by_text,
    without_repeated_number,
)
from treepack.clauses.clause import Clause, Clauses
from treepack.clauses.contents import without_entries
from treepack.clauses.labels import ClauseLabel, LabelItem, content_end, labels_of
from treepack.clauses.legal_wording import Wording
from treepack.clauses.lookahead import (
    Choice,
    choose,
    has_sections_of_act,
    is_inside_of,
    labels_below,
    next_heading,
)
from treepack.clauses.named_order import NamedOrder
from treepack.clauses.open_clauses import (
    OpenClause,
    cited_number,
    is_next,
    is_prefix,
    is_sibling,
    open_numberings,
    restarted_at,
)
from treepack.clauses.requirement_tables import requirement_rows
from treepack.clauses.sequences import Reading, continuation
from treepack.clauses.titles import Draft, finished_clauses
from treepack.document.document import Document
from treepack.model.blocks import Heading, Table
from treepack.model.section import Section
from treepack.numbers.clause_number import RELATIVE, ClauseNumber
from treepack.numbers.heading_numbers import heading_numbers, is_mere_mention, ordinals_of_headings
from treepack.numbers.words import CITED_BY_NUMBER, COLLECTIONS


def find_clauses(document: Document) -> Clauses:
    """Return all clauses of a document, in source order."""
    return clauses_of_tree(document.text, document.root)


def clauses_of_tree(text: str, root: Section) -> Clauses:
    """Return all clauses of a text, given its tree of sections."""
    return Clauses(_Walk(text, root).clauses())


_FLAT_KINDS: Final = frozenset({"requirement", "recital"})  # they contain only points
_LOOK_AHEAD: Final = 40  # labels; a longer list of roman numerals is not read to its end


class _Walk:
    """One pass over the section tree, with a stack of open clauses."""

    def __init__(self, text: str, root: Section) -> None:
        self.text = text
        self.sections = list(root.walk())
        self.starts = [section.start for section in self.sections]
        self.drafts: list[Draft] = []
        self.ends: list[int] = []
        self.headings: dict[int, Heading] = {}  # headings that begin clauses, by the clause's index
        self.stack: list[OpenClause] = []
        self.labels: list[list[LabelItem]] = []  # of each section
        self.content_end = 0  # end of the current section's own content
        self.last_root: Reading | None = None  # the last label outside all other clauses
        self.last_section: Reading | None = None  # the last ``1.`` outside all but divisions
        self.plain_lists: set[tuple[str, str]] = set()  # their wrapper and scheme, in one section
        titles = {
            section.start: section.heading.text for section in self.sections if section.heading
        }
        numbers = zip(titles, heading_numbers([*titles.values()]), strict=True)
        self.numbers = {start: number for start, number in numbers if number}
        kinds = [number.kind for number in self.numbers.values()]
        # With articles (or §), a section of a law is a division. Without, sections are cited.
        self.has_articles = any(
            number.kind == "article" or number.label.startswith("§")
            for number in self.numbers.values()
        )
        self.has_legal_headings = any(kind in CITED_BY_NUMBER for kind in kinds)
        self.wording = Wording(text)

    def clauses(self) -> tuple[Clause, ...]:
        self.labels = [
            labels_of(self.text, section.blocks, content_end(section)) for section in self.sections
        ]
        if not self.numbers and not can_have_clauses(self.text, self.sections, self.labels):
            return ()  # the common case
        own_labels = [*without_entries(self.text, self.sections, self.labels, self.numbers)]
        self.numbers |= numbers_confirmed_by_text(own_labels, self.numbers, self.wording.is_legal)
        self.labels = [labels for _, labels in own_labels]
        found = (label for labels in self.labels for label in labels)
        numbers = (label.number for label in found if isinstance(label, ClauseLabel))
        texts = (number for number in numbers if number.kind not in RELATIVE)
        self.named = ordinals_of_headings(self.numbers.values(), texts)
        self.has_sections = has_sections_of_act(self.labels)
        self.has_legal_headings |= self.has_sections
        self.order = NamedOrder(self.numbers, self.labels)
        for section, section_labels in own_labels:
            self._add_section(section, section_labels)
        self._close(0, len(self.text))
        return finished_clauses(self.text, self.drafts, self.ends, self.headings)

    # ---------------------------------------------------------------- one section

    def _add_section(self, section: Section, section_labels: Sequence[LabelItem]) -> None:
        self._close_before(section.start)
        number = self.numbers.get(section.start) if section.heading else None
        if number and (self.drafts or not is_filing_number(number)):
            self._open_heading(number, section)
        self.content_end = content_end(section)
        self.plain_lists = set()
        if not section_labels:
            return  # the common case
        title = section.heading.text if section.heading else ""
        collection = COLLECTIONS.get(title.casefold(), "")
        labels = without_repeated_number(number, section_labels)
        ahead = [*labels, *next_heading(section, self.starts, self.numbers)]
        for at, label in enumerate(labels):
            following = ahead[at + 1 : at + 1 + _LOOK_AHEAD]
            self._add_label(label, following, section, collection)

    # ---------------------------------------------------------------- one label

    def _add_label(
        self,
        label: LabelItem,
        following: Sequence[LabelItem],
        section: Section,
        collection: str,
    ) -> None:
        if isinstance(label, Table):
            self._add_rows(label, section)
        elif isinstance(label, int):
            self._close(0, label)
        elif label.number.kind in RELATIVE:
            self._add_relative(label, following, section, collection)
        elif label.number.kind == "decimal":
            self._add_decimal(label, following, section)
        else:
            self._add_named(label, section)

    def _add_named(self, label: ClauseLabel, section: Section) -> None:
        """Handle a label with a word, such as ``Article 5``: close clauses it is not part of."""
        if not self.drafts and is_filing_number(label.number):
            return
        is_in_annex = any(e.is_heading and e.number.kind == "annex" for e in self.stack)
        if not is_in_annex and is_mere_mention(label.number, self.named):
            self._close_text(len(self.stack), label.start)
            return
        at = len(self.stack)
        while at and self._is_ended_by(self.stack[at - 1], label):
            at -= 1
        self._close(at, label.start)
        self._push(label, section)

    def _is_ended_by(self, entry: OpenClause, label: ClauseLabel) -> bool:
        """Whether a named label ends an open clause because it is not part of it."""
        above, number = entry.number, label.number
        if above.is_relative or above.kind == "decimal":
            return above.is_relative or not entry.is_heading
        if number.kind == "requirement" or above.kind in _FLAT_KINDS:
            return above.kind in _FLAT_KINDS
        if number.kind == "annex" or above.kind == "annex":
            return number.kind == "annex"
        return not self.order.holds(self.drafts[entry.index][0], label.start)

    def _add_decimal(
        self, label: ClauseLabel, following: Sequence[LabelItem], section: Section
    ) -> None:
        """Handle ``5.1.2`` in a text: it belongs below the clause whose number it continues."""
        parts = label.number.parts
        if label.is_doubtful and not (
            any(is_next(entry.number.parts, parts) for entry in self.stack)
            or is_next_decimal(self.stack, label, following)
        ):
            return
        at = len(self.stack)
        while at and not self.stack[at - 1].is_heading:
            above = self.stack[at - 1].number
            if above.parts == parts:
                self._close(at, label.start)
                return  # a converter printed the label twice
            if is_prefix(self.stack[at - 1], parts):
                break
            at -= 1
        if not any(is_prefix(entry, parts) for entry in self.stack):
            closed = self.stack[at:]
            siblings = (
                index for index, e in enumerate(closed, at) if is_sibling(e.number.parts, parts)
            )
            sibling = next(siblings, None)
            if sibling is None and not can_begin_decimals(
                self.text, label, closed, following, is_inside=bool(self.stack)
            ):
                return
            at = below_division(self.stack, at) if sibling is None else sibling
        elif parts not in self.wordless_headings:  # 2.2 is not below a heading 2.1.1
            at = max(after for after, e in enumerate(self.stack, 1) if is_prefix(e, parts))
        self._close(at, label.start)
        self._push(label, section)

    def _add_relative(
        self, label: ClauseLabel, following: Sequence[LabelItem], section: Section, collection: str
    ) -> None:
        """Handle ``(3)``, ``a)``, ``ii.``: continue an open numbering or begin a deeper one."""
        choice = self._choose(label, following, section, collection)
        if choice is None:
            self.plain_lists.add(label.readings[0][:2])
            return
        at, reading = choice
        if label.is_repeated and at < len(self.stack) and self.stack[at].reading == reading:
            self._close(at + 1, label.start)
            return
        self._close(at, label.start)
        self._push(label, section, reading, collection)

    def _choose(
        self, label: ClauseLabel, following: Sequence[LabelItem], section: Section, collection: str
    ) -> Choice | None:
        """Return where in the stack a label belongs and how it reads; None if it is no clause."""
        top = len(self.stack)
        while top and self.stack[top - 1].depth > label.depth:
            top -= 1
        if (at := self._resumed_at(label, top)) is not None:
            return at, label.readings[0]

        def begin_at(first: Reading) -> int | None:
            can_begin = collection or self._can_begin(label, following, section, top)
            return self._new_numbering_at(label, following, top, first) if can_begin else None

        entries = open_numberings(self.stack, top, label.depth)
        return choose(label, entries, following, begin_at)

    def _can_begin(
        self, label: ClauseLabel, following: Sequence[LabelItem], section: Section, top: int
    ) -> bool:
        """Whether a numbering may begin with a label."""
        legal = Legality(self.has_legal_headings, lambda: self.wording.is_legal(section))
        later = partial(labels_below, section, self.starts, self.numbers, self.labels, label)
        return can_begin_points(label, following, self.stack[:top], legal, later)

    def _new_numbering_at(
        self, label: ClauseLabel, following: Sequence[LabelItem], top: int, first: Reading
    ) -> int:
        """Return the stack index where a numbering belongs that begins with a label."""
        above = self.stack[:top]
        at = restarted_at(above, first, label.depth)
        if at == len(above):
            return at
        restarted, *inner = [entry.reading for entry in above[at:] if entry.reading]
        return len(above) if is_inside_of(restarted, inner, label, following) else at

    def _resumed_at(self, label: ClauseLabel, top: int) -> int | None:
        """Return the stack index where a label continues an interrupted numbering, or None."""
        if label.depth or not label.readings or label.readings[0][:2] in self.plain_lists:
            return None
        reading = label.readings[0]
        if not self.stack and self.last_root:
            return 0 if continuation(self.last_root, reading) == "next" else None
        above, last = self.stack[:top], self.last_section
        if (
            self.has_sections
            and above
            and last
            and all(e.number.kind in DIVISIONS_AND_ANNEX for e in above)
        ):
            # sections are numbered through all parts
            return top if continuation(last, reading) == "next" else None
        at = interrupted_at(above, label)
        of_heading = at is not None and label.number.parts in self.wordless_headings
        return None if of_heading else at

    @cached_property
    def wordless_headings(self) -> set[tuple[str, ...]]:
        """The numbers of the headings that have no word, such as ``6`` or ``2.1``."""
        return {number.parts for number in self.numbers.values() if number.kind == "decimal"}

    # ---------------------------------------------------------------- opening and closing

    def _open_heading(self, number: ClauseNumber, section: Section) -> None:
        label = ClauseLabel(section.start, number, -1, section.end)
        self._push(label, section)
        is_whole = number.kind == "decimal" and len(number.parts) == 1 and number.label.isdecimal()
        is_root = is_whole and len(self.stack) == 1
        self.last_root = Reading(".", "number", int(number.label)) if is_root else None
        if section.heading:
            self.headings[self.stack[-1].index] = section.heading
        self.stack[-1].is_heading = True

    def _push(
        self,
        label: ClauseLabel,
        section: Section,
        reading: Reading | None = None,
        collection: str = "",
    ) -> None:
        above = self.stack[-1] if self.stack else None
        start, limit = label.start, label.limit
        for entry in self.stack:  # a label after a list item may continue the item's numbering
            if start >= entry.limit and not entry.is_heading:
                entry.limit = limit
        number = label.number
        if above is None:
            limit = label.limit = max(limit, self.content_end)
            self.last_root = reading
        is_outer = above is None or above.number.kind in DIVISIONS_AND_ANNEX
        if is_outer and reading and reading[:2] == (".", "number"):
            self.last_section = reading
        cited = cited_number(
            number,
            above,
            collection,
            has_articles=self.has_articles,
            is_section=self.has_sections and self.last_section is reading is not None,
        )
        path = (*above.path, number.label) if above else (number.label,)
        index = len(self.drafts)
        parent = above.index if above else None
        self.drafts.append((start, cited, path, number.kind, section.id, parent))
        self.ends.append(start)
        base = cited if number.kind == "annex" else above.annex_prefix if above else ""
        entry = OpenClause(index, number, cited, path, base, limit, label.depth, reading)
        entry.is_root = is_outer and label.wrapper == "."
        self.stack.append(entry)

    def _close_before(self, start: int) -> None:
        """Close clauses that end before an offset: sections, and those that began in their text."""
        if not self.stack:
            return
        at = len(self.stack)
        while at and self.stack[at - 1].limit <= start:
            at -= 1
        # A clause that began in a text ends with its section's own content, before sub-sections.
        self._close_text(at, start)

    def _close_text(self, at: int, offset: int) -> None:
        """Close the clauses that began in a text, and all clauses from a stack index on."""
        first_text = next((n for n, entry in enumerate(self.stack) if not entry.is_heading), at)
        self._close(min(at, first_text), offset)

    def _close(self, at: int, offset: int) -> None:
        """Close the open clauses from a stack index on."""
        closed = self.stack[at:]
        if not closed:
            return
        del self.stack[at:]
        for entry in closed:
            end = min(entry.limit, offset)
            start = self.drafts[entry.index][0]
            self.ends[entry.index] = max(start, end)

    # ---------------------------------------------------------------- tables

    def _add_rows(self, table: Table, section: Section) -> None:
        above = self.stack[-1] if self.stack else None
        parts = above.number.parts if above else ()
        for start, end, number in requirement_rows(self.text, table, parts):
            path = (*(above.path if above else ()), number.label)
            parent = above.index if above else None
            self.drafts.append((start, number.label, path, number.kind, section.id, parent))
            self.ends.append(end)
