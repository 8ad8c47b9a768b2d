"""All clauses of a document: their extent, their number as cited, their path.

Headings give clauses through the section tree. In a section, `Numbering` places the labels of
paragraphs and list items among the open clauses. Rows of requirement tables are clauses too.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Final

from treepack.clauses.citing import Draft
from treepack.clauses.clause import NO_CLAUSES, Clauses
from treepack.clauses.contents import without_entries
from treepack.clauses.labels import Label, LabelItem, content_end, label_of, labels_of
from treepack.clauses.legal_wording import Wording, cited_numbers
from treepack.clauses.numbering import DIVISIONS_AND_ANNEX, Numbering, Open, reading_of_heading
from treepack.clauses.readings import NUMBERED
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
    labels = [labels_of(text, section.blocks, content_end(section)) for section in sections]
    titled = [section for section in sections if section.heading]
    found = heading_numbers([section.heading.text for section in titled if section.heading])
    numbers = {
        section.start: number for section, number in zip(titled, found, strict=True) if number
    }
    if not numbers and not any(labels):
        return NO_CLAUSES  # the common case
    labels = without_entries(text, sections, labels)
    wording = Wording(text)
    if not _confirm(numbers, titled, labels, wording) and not any(labels):
        return NO_CLAUSES
    return _Walk(text, sections, numbers, labels, wording).clauses()


class _Walk:
    """One pass over the sections, which gathers the clauses."""

    def __init__(
        self,
        text: str,
        sections: Sequence[Section],
        numbers: Mapping[int, ClauseNumber],
        labels: Sequence[Sequence[LabelItem]],
        wording: Wording,
    ) -> None:
        self.text = text
        self.sections = sections
        self.wording = wording
        self.drafts: list[Draft] = []
        self.labels: list[Sequence[LabelItem]] = []
        flat: list[Label] = []
        self.headings: list[Label | None] = []
        for section, own in zip(sections, labels, strict=True):
            heading = _heading_label(section, numbers.get(section.start))
            self.headings.append(heading)
            flat += [heading] if heading else []
            kept = _without_repeated(heading, own)
            self.labels.append(kept)
            flat += [label for label in kept if isinstance(label, Label)]
        self.numbering = Numbering(text, flat)
        self.stack = self.numbering.stack
        self.main_division: int | None = None  # the division of the last main number
        self.runs_through = self.numbering.is_act

    def clauses(self) -> Clauses:
        for section, heading, labels in zip(
            self.sections, self.headings, self.labels, strict=True
        ):
            self._close_before(section.start)
            if heading and (self.drafts or not _is_filing_number(heading.number)):
                self._push(heading, section, section.end)
            for label in labels:
                self._add(label, section)
        self._close(0, len(self.text))
        return Clauses(finished_clauses(self.text, self.drafts, runs_through=self.runs_through))

    def _add(self, label: LabelItem, section: Section) -> None:
        if isinstance(label, Table):
            self._add_rows(label, section)
            return
        if isinstance(label, int):
            self._close(0, label)
            return
        if not self.drafts and _is_filing_number(label.number):
            return
        place = self.numbering.place(label, lambda: self._is_legal(section, label))
        if place is None:
            return
        self._close(place.at, label.start)
        if not place.is_clause:
            opened = Open(-1, label.number, label.start, label.limit, label.depth, place.reading)
            self.stack.append(opened)
            return
        self._push(label, section, content_end(section))
        self.stack[-1].reading = self.drafts[-1].reading = place.reading
        self._note_main()

    def _is_legal(self, section: Section, label: Label) -> bool:
        """Whether a label is in a law, judged by its section's title and by the wording.

        A label with a heading mark is one too, and so are those that the text cites.
        """
        title = section.heading.text.casefold() if section.heading else ""
        is_sure = title in COLLECTIONS or self.text[label.start] == "#"
        return is_sure or self.wording.is_legal(section) or self._cites_clauses

    @cached_property
    def _cites_clauses(self) -> bool:
        """Whether the text cites items of its nested lists, as in ``Section 4.2``."""
        whole, inner = "", set[str]()
        for label in chain.from_iterable([] if any(self.headings) else self.labels):
            if isinstance(label, Label) and label.readings and label.readings[0].form == NUMBERED:
                whole = whole if label.depth else label.number.label
                inner.add(f"{whole}.{label.number.label}")
        return bool(inner) and not inner.isdisjoint(cited_numbers(self.text))

    # ---------------------------------------------------------------- opening and closing

    def _push(self, label: Label, section: Section, content: int) -> None:
        start, limit = label.start, label.limit
        for entry in self.stack:  # a label after a list item may continue the item's numbering
            if start >= entry.limit and not entry.is_heading:
                entry.limit = limit
        if not self.stack:
            limit = max(limit, content)
        depth = -1 if label.is_heading else label.depth
        heading = section.heading if label.is_heading else None
        title = section.heading.text.casefold() if section.heading else ""
        collection = "" if heading else COLLECTIONS.get(title, "")
        self.drafts.append(
            Draft(start, start, label.number, self._parent, section.id, None, collection, heading)
        )
        opened = Open(len(self.drafts) - 1, label.number, start, limit, depth)
        opened.is_heading = label.is_heading
        self.stack.append(opened)
        if label.is_heading:
            self._note_main()

    def _note_main(self) -> None:
        """Remember the number of the last clause if only divisions are around it."""
        last = self.stack[-1]
        if last.number.kind == "annex":
            self.numbering.main = None
            return
        if any(entry.number.kind not in DIVISIONS_AND_ANNEX for entry in self.stack[:-1]):
            return
        last.is_main = True
        reading = last.reading or reading_of_heading(last.number)
        if reading is None:
            if not (last.number.is_relative or last.number.kind in DIVISIONS):
                self.numbering.main = None
            return
        division = self.stack[-2].index if self.stack[:-1] else None
        is_resumed = self.numbering.main and reading.form == NUMBERED and not reading.is_first
        if is_resumed and last.reading and division != self.main_division is not None:
            self.runs_through = True
        self.numbering.main, self.main_division = reading, division

    @property
    def _parent(self) -> int | None:
        return next((entry.index for entry in reversed(self.stack) if entry.index >= 0), None)

    def _close_before(self, start: int) -> None:
        """Close the sections that end before an offset, and the clauses that began in a text.

        Such a clause ends with its section's own content, before sub-sections.
        """
        at = next(
            (n for n, entry in enumerate(self.stack) if not entry.is_heading), len(self.stack)
        )
        while at and self.stack[at - 1].limit <= start:
            at -= 1
        self._close(at, start)

    def _close(self, at: int, offset: int) -> None:
        """Close the open clauses from a stack index on."""
        for entry in self.stack[at:]:
            if entry.index >= 0:
                draft = self.drafts[entry.index]
                draft.end = max(draft.start, min(entry.limit, offset))
        del self.stack[at:]

    def _add_rows(self, table: Table, section: Section) -> None:
        parent = self._parent
        parts = () if parent is None else self.drafts[parent].number.parts
        for start, end, number in requirement_rows(self.text, table, parts):
            self.drafts.append(Draft(start, end, number, parent, section.id))


# -------------------------------------------------------------------- the numbers of headings


def _heading_label(section: Section, number: ClauseNumber | None) -> Label | None:
    if number is None or section.heading is None:
        return None
    label = label_of(section.start, number, 0, section.end)
    reading = reading_of_heading(number)
    label.readings = (reading,) if reading else label.readings
    label.is_heading = True
    return label


def _confirm(
    numbers: dict[int, ClauseNumber],
    titled: Sequence[Section],
    labels: Sequence[Sequence[LabelItem]],
    wording: Wording,
) -> bool:
    """Add the numbers of headings that only the text confirms; return whether there are numbers.

    ``2. Equipment`` alone among headings may be anything; after a paragraph "1. Purchase." or
    before one that begins with "3. Down Time." it is the clause between them.
    """
    possible = [
        (section, number, reading)
        for section in titled
        if section.start not in numbers
        and section.heading
        and (number := number_of_title(section.heading.text))
        and (reading := reading_of_heading(number))
    ]
    if possible:
        values = {
            label.readings[0].value
            for own in labels
            for label in own
            if isinstance(label, Label)
            and label.depth == 0
            and label.readings
            and label.readings[0].form == NUMBERED
        }
        for section, number, reading in possible:
            is_between = not values.isdisjoint({reading.value - 1, reading.value + 1})
            if is_between and wording.is_legal(section):
                numbers[section.start] = number
                values.add(reading.value)
    return bool(numbers)


_FIRST_PARTS: Final = frozenset({"0", "1"})


def _without_repeated(heading: Label | None, labels: Sequence[LabelItem]) -> Sequence[LabelItem]:
    """Return a section's labels without the first one if it only repeats the heading's number.

    Acts print ``9.—(1) The ...`` below the heading ``9. Records``. The item ``1.`` of a list below
    the heading ``1 Scope`` is no such repetition, because ``2.`` follows.
    """
    first = labels[0] if labels else None
    if heading is None or not isinstance(first, Label) or first.depth or not first.readings:
        return labels
    if first.number.parts != heading.number.parts or first.readings[0].form != NUMBERED:
        return labels
    second = first.readings[0]._replace(value=first.readings[0].value + 1)
    is_list = first.readings[0].is_first and any(
        second in label.readings for label in labels[1:] if isinstance(label, Label)
    )
    return labels if is_list else labels[1:]


def _is_filing_number(number: ClauseNumber) -> bool:
    """Whether a document's first number is only the one under which the document was filed.

    Contracts filed with an authority begin with ``Exhibit 10.5``, which nobody cites.
    """
    return number.label.casefold().startswith("exhibit") and len(number.parts) > 1
