"""All clauses of a document: their extent, their number as cited, their path.

Headings give clauses through the section tree. In a section, `Numbering` places the labels of
paragraphs and list items among the open clauses. Rows of requirement tables are clauses too.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain

from treepack.clauses.clause import NO_CLAUSES, Clauses
from treepack.clauses.contents import without_entries
from treepack.clauses.labels import Label, LabelItem, LabelReader, content_end, label_of
from treepack.clauses.legal_wording import cited_numbers, is_legal_wording
from treepack.clauses.numbering import DIVISIONS_AND_ANNEX, Numbering
from treepack.clauses.readings import NUMBERED, Reading
from treepack.clauses.requirement_tables import requirement_rows
from treepack.clauses.titles import finished_clauses
from treepack.document.document import Document
from treepack.model.blocks import Table
from treepack.model.section import Section
from treepack.numbers.clause_number import ClauseNumber
from treepack.numbers.heading_numbers import heading_numbers, number_of_title
from treepack.numbers.words import COLLECTIONS, DIVISIONS


def find_clauses(document: Document) -> Clauses:
    """Return all clauses of a document, in source order."""
    return clauses_of_tree(document.text, document.root)


def clauses_of_tree(text: str, root: Section) -> Clauses:
    """Return all clauses of a text, given its tree of sections."""
    sections = list(root.walk())
    reader = LabelReader(text)
    labels = [reader.labels_of(section) for section in sections]
    numbers = heading_numbers([each.heading.text if each.heading else "" for each in sections])
    if not any(numbers) and not any(_may_number(text, label) for own in labels for label in own):
        return NO_CLAUSES  # the common case
    walk = _Walk(text, sections, without_entries(text, sections, labels))
    walk.add_headings(numbers)
    return walk.clauses()


def _may_number(text: str, label: LabelItem) -> bool:
    """Whether a label may be more than the first of a numbering, which may have no second."""
    if isinstance(label, Label):
        return not label.readings or label.is_on_line or label.readings[-1].value != 1
    return isinstance(label, Table) and bool(requirement_rows(text, label, ()))


class _Walk:
    """One pass over the sections, which gathers the clauses."""

    def __init__(
        self, text: str, sections: Sequence[Section], labels: Sequence[Sequence[LabelItem]]
    ) -> None:
        self.text = text
        self.labels = dict(zip(map(id, sections), labels, strict=True))
        self.sections = sections
        self.found: list[Label] = []  # the clauses
        self.headings: dict[int, Label] = {}  # by where their sections begin

    def add_headings(self, numbers: Sequence[ClauseNumber | None]) -> None:
        """Take the numbers of the headings, and those that only the text confirms.

        ``2. Equipment`` alone among headings may be anything; after a paragraph "1. Purchase." or
        before one that begins with "3. Down Time." it is the clause between them.
        """
        values = {label.readings[0].value for label in self._numbered()}
        for section, number in zip(self.sections, numbers, strict=True):
            if section.heading is None:
                continue
            sure = number or number_of_title(section.heading.text)
            reading = _reading_of_heading(sure)
            is_confirmed = reading and not values.isdisjoint({reading.value - 1, reading.value + 1})
            if sure and (number or (is_confirmed and self._is_legal_text)):
                label = label_of(section.start, sure, 0, section.end)
                label.readings = (reading,) if reading else label.readings
                label.heading = section.heading
                self.headings[section.start] = label
                values |= {reading.value} if reading and not number else set()

    def clauses(self) -> Clauses:
        """Return the clauses, from the first heading or label to the last."""
        flat: list[Label] = []
        for section in self.sections:
            heading = self.headings.get(section.start) if section.heading else None
            flat += [heading] if heading else []
            flat += [label for label in self.labels[id(section)] if isinstance(label, Label)]
        self.numbering = Numbering(self.text, flat)
        self.stack = self.numbering.stack
        for section in self.sections:
            self._close_before(section.start)
            heading = self.headings.get(section.start) if section.heading else None
            if heading and (self.found or not _is_filing_number(heading.number)):
                self._push(heading, section)
            for label in self.labels[id(section)]:
                self._add(label, section)
        self._close(0, len(self.text))
        return Clauses(finished_clauses(self.text, self.found, runs_through=self.numbering.is_act))

    def _add(self, label: LabelItem, section: Section) -> None:
        if isinstance(label, Table):
            self._add_rows(label, section)
        elif isinstance(label, int):
            self._close(0, label)
        elif self.found or not _is_filing_number(label.number):
            place = self.numbering.place(label, lambda: self._is_legal(section, label))
            if place:
                self._close(place.at, label.start)
                label.reading = place.reading
                self._push(label, section, is_hidden=not place.is_clause)

    def _is_legal(self, section: Section, label: Label) -> bool:
        """Whether a label is in a law, judged by its section's title and the wording.

        A label with a heading mark is one too, and so are those that the text cites.
        """
        title = section.heading.text.casefold() if section.heading else ""
        is_sure = title in COLLECTIONS or self.text[label.start] == "#"
        return is_sure or self._is_legal_text or self._cites_clauses

    @cached_property
    def _is_legal_text(self) -> bool:
        return is_legal_wording(self.text)

    @cached_property
    def _cites_clauses(self) -> bool:
        """Whether the text cites items of its nested lists, as in ``Section 4.2``."""
        whole, inner = "", set[str]()
        for label in self._numbered() if not self.headings else ():
            whole = whole if label.depth else label.number.label
            inner |= {f"{whole}.{label.number.label}"} if label.depth else set()
        return bool(inner) and not inner.isdisjoint(cited_numbers(self.text))

    def _numbered(self) -> Iterator[Label]:
        """Yield the labels of the form ``1.``."""
        for label in chain.from_iterable(self.labels.values()):
            if isinstance(label, Label) and label.readings and label.readings[0].form == NUMBERED:
                yield label

    # ---------------------------------------------------------------- opening and closing

    def _push(self, label: Label, section: Section, *, is_hidden: bool = False) -> None:
        """Open the clause of a label, or the item of a hidden list."""
        for entry in self.stack:  # a label after a list item may continue the item's numbering
            if label.start >= entry.limit and not entry.heading:
                entry.limit = label.limit
        if not (self.stack or label.heading):
            label.limit = max(label.limit, content_end(section))
        if not is_hidden:
            self._append(label, section)
            self._note_main(label)
        self.stack.append(label)

    def _append(self, label: Label, section: Section) -> None:
        label.parent, label.section = None, section
        for entry in reversed(self.stack):
            if entry.index >= 0:
                label.parent = entry.index
                break
        label.index = len(self.found)
        self.found.append(label)

    def _note_main(self, label: Label) -> None:
        """Remember the number of a clause if only divisions are around it."""
        if self.stack and self.stack[-1].number.kind not in DIVISIONS_AND_ANNEX:
            return
        label.is_main = True
        reading = label.reading or _reading_of_heading(label.number if label.heading else None)
        kind = label.number.kind
        if reading is None and (label.number.is_relative or kind in DIVISIONS):
            return
        self.numbering.main = reading

    def _close_before(self, start: int) -> None:
        """Close the sections that end before an offset, and the clauses that began in a text.

        Such a clause ends with its section's own content, before sub-sections.
        """
        at = 0
        while at < len(self.stack) and self.stack[at].heading and self.stack[at].limit > start:
            at += 1
        self._close(at, start)

    def _close(self, at: int, offset: int) -> None:
        """Close the open clauses from a stack index on."""
        for entry in self.stack[at:]:
            # Calls of min and max for each clause would take long.
            end = entry.limit if entry.limit < offset else offset  # noqa: FURB136
            entry.end = end if end > entry.start else entry.start  # noqa: FURB136
        del self.stack[at:]

    def _add_rows(self, table: Table, section: Section) -> None:
        above = next((entry for entry in reversed(self.stack) if entry.index >= 0), None)
        parts = above.number.parts if above else ()
        for start, end, number in requirement_rows(self.text, table, parts):
            self._append(Label(start, number, 0, end, end=end), section)


def _reading_of_heading(number: ClauseNumber | None) -> Reading | None:
    """Return how the number of a heading reads as one of a text: ``6 Fees`` before ``7. Term``."""
    if number is None or number.kind != "decimal" or not number.label.isdecimal():
        return None
    return Reading(NUMBERED, int(number.label))


def _is_filing_number(number: ClauseNumber) -> bool:
    """Whether a document's first number is only the one under which the document was filed.

    Contracts filed with an authority begin with ``Exhibit 10.5``, which nobody cites.
    """
    return number.label.casefold().startswith("exhibit") and len(number.parts) > 1
