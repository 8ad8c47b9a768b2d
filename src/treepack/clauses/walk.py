"""All clauses of a document: their extent, their number as cited, their path.

Headings give clauses through the section tree. In a section, `Numbering` places the labels of
paragraphs and list items among the open clauses. Rows of requirement tables are clauses too.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from treepack.clauses.clause import NO_CLAUSES, Clauses
from treepack.clauses.contents import without_entries
from treepack.clauses.labels import (
    NUMBERED,
    Label,
    LabelItem,
    LabelReader,
    Reading,
    content_end,
    label_of,
)
from treepack.clauses.naming import finished_clauses
from treepack.clauses.numbering import DIVISIONS_AND_ANNEX, Numbering
from treepack.document.document import Document
from treepack.model.blocks import Table
from treepack.model.section import Section
from treepack.numbers.heading_numbers import heading_numbers, number_of_title
from treepack.numbers.words import (
    COLLECTIONS,
    DIVISIONS,
    LEGAL_WORD,
    ClauseNumber,
    cited_numbers,
    is_legal_wording,
)
from treepack.sentences.small_words import word_set


def find_clauses(document: Document) -> Clauses:
    """Return all clauses of a document, in source order."""
    text, sections = document.text, list(document.root.walk())
    reader = LabelReader(text)
    labels = [reader.labels_of(section) for section in sections]
    numbers = heading_numbers([each.heading.text if each.heading else "" for each in sections])
    if not any(numbers) and not any(_may_number(text, label) for own in labels for label in own):
        return NO_CLAUSES  # the common case
    return _Walk(text, sections, without_entries(text, sections, labels), numbers).clauses()


def _may_number(text: str, label: LabelItem) -> bool:
    """Whether a label may be more than the first of a numbering, which may have no second."""
    if isinstance(label, Label):
        return not label.readings or label.is_on_line or label.readings[-1].value != 1
    return isinstance(label, Table) and bool(requirement_rows(text, label, ()))


class _Walk:
    """One pass over the sections, which gathers the clauses."""

    def __init__(
        self,
        text: str,
        sections: Sequence[Section],
        labels: Sequence[Sequence[LabelItem]],
        numbers: Sequence[ClauseNumber | None],
    ) -> None:
        self.text = text
        self.found: list[Label] = []  # the clauses
        self.numbered = [  # the labels of the form ``1.``
            label
            for own in labels
            for label in own
            if isinstance(label, Label) and label.readings and label.readings[0].form == NUMBERED
        ]
        headings = [*self._headings(sections, numbers)]
        self.has_headings = any(headings)
        self.parts = list(zip(sections, headings, labels, strict=True))
        flat = [
            label
            for _, heading, own in self.parts
            for label in (heading, *own)
            if isinstance(label, Label)
        ]
        self.numbering = Numbering(text, flat)
        self.stack = self.numbering.stack

    def _headings(
        self, sections: Sequence[Section], numbers: Sequence[ClauseNumber | None]
    ) -> Iterator[Label | None]:
        """Yield the label of each section's heading: a number, also one that the text confirms.

        ``2. Equipment`` alone among headings may be anything; after a paragraph "1. Purchase." or
        before one that begins with "3. Down Time." it is the clause between them.
        """
        values = {label.readings[0].value for label in self.numbered}
        for section, number in zip(sections, numbers, strict=True):
            heading = section.heading
            sure = number or (number_of_title(heading.text) if heading else None)
            reading = _reading_of_heading(sure)
            is_confirmed = reading and not values.isdisjoint({reading.value - 1, reading.value + 1})
            if sure is None or not (number or (is_confirmed and self._is_legal_text)):
                yield None
                continue
            label = label_of(section.start, sure, 0, section.end)
            label.readings = (reading,) if reading else label.readings
            label.heading = heading
            values |= {reading.value} if reading and not number else set()
            yield label

    def clauses(self) -> Clauses:
        """Return the clauses, from the first heading or label to the last."""
        for section, heading, labels in self.parts:
            self._close_before(section.start)
            if heading and not self._is_filing_number(heading):
                self._push(heading, section)
            for label in labels:
                self._add(label, section)
        self._close(0, len(self.text))
        return Clauses(finished_clauses(self.text, self.found, runs_through=self.numbering.is_act))

    def _is_filing_number(self, label: Label) -> bool:
        """Whether a document's first number is only the one under which the document was filed.

        Contracts filed with an authority begin with ``Exhibit 10.5``, which nobody cites.
        """
        number = label.number
        return not self.found and len(number.parts) > 1 and number.word == "exhibit"

    def _add(self, label: LabelItem, section: Section) -> None:
        if isinstance(label, Table):
            above = next((entry for entry in reversed(self.stack) if entry.index >= 0), None)
            parts = above.number.parts if above else ()
            for start, end, number in requirement_rows(self.text, label, parts):
                self._append(Label(start, number, 0, end, end=end), section)
        elif isinstance(label, int):
            self._close(0, label)
        elif not self._is_filing_number(label):
            place = self.numbering.place(label, lambda: self._is_legal(section))
            if place:
                self._close(place.at, label.start)
                label.reading = place.reading
                self._push(label, section, is_hidden=not place.is_clause)

    def _is_legal(self, section: Section) -> bool:
        """Whether a section is one of a law, judged by its title, the wording and citations."""
        title = section.heading.text.casefold() if section.heading else ""
        return title in COLLECTIONS or self._is_legal_text or self._cites_clauses

    @cached_property
    def _is_legal_text(self) -> bool:
        return is_legal_wording(self.text)

    @cached_property
    def _cites_clauses(self) -> bool:
        """Whether the text cites items of its nested lists, as in ``Section 4.2``."""
        whole, inner = "", set[str]()
        for label in self.numbered if not self.has_headings else ():
            whole = whole if label.depth else label.number.label
            inner |= {f"{whole}.{label.number.label}"} if label.depth else set()
        return bool(inner) and not inner.isdisjoint(cited_numbers(self.text))

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
        outer = (entry.index for entry in reversed(self.stack) if entry.index >= 0)
        label.parent, label.section = next(outer, None), section
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


def _reading_of_heading(number: ClauseNumber | None) -> Reading | None:
    """Return how the number of a heading reads as one of a text: ``6 Fees`` before ``7. Term``."""
    if number is None or number.kind != "decimal" or not number.label.isdecimal():
        return None
    return Reading(NUMBERED, int(number.label))


# -------------------------------------------------------------------- tables of requirements

_CELL: Final = re.compile(
    r"""[>\s]*+ \|?+ (?:[\s*_`\[]|<[^<>|]{0,99}>|)*+
    (?P<prefix> [A-Z]{1,6}[-_]? (?=\d)|)
    (?P<number> \d{1,3} (?:\\?[.-]\d{1,4}[a-z]?){0,7} )
    \.? (?: \]\([^()|\s]{0,99}\) )? (?:[*_`\s]|<[^<>|]{0,99}>|)*+ (?=\||$)
    """,
    re.VERBOSE,
)
"""A first cell that is only a number."""
_HEADERS: Final = word_set(
    """
    # id ids no nr num number req requirement clause section § item ref reference control
    rule article ziffer nummer numéro número numero 编号 条款 №
    """
)
"""Words in the header of a first column with the numbers of requirements."""


def requirement_rows(
    text: str, table: Table, enclosing: Sequence[str]
) -> list[tuple[int, int, ClauseNumber]]:
    """Return (start, end, number) of the rows of a requirement table; [] for other tables.

    A number has a prefix of letters or at least two components. The column's header names the
    numbers, or they continue the number of the clause around the table.
    """
    found = [
        (start, end, number)
        for start, end in table.rows
        if (match := _CELL.match(text, start, end))
        and (number := _number(match["prefix"], match["number"].replace("\\", "")))
    ]
    if not found or 2 * len(found) < len(table.rows):
        return []
    words = LEGAL_WORD.findall(table.columns[0].casefold()) if table.columns else []
    is_named = not _HEADERS.isdisjoint(words)
    above = _values(enclosing)
    is_inside = above and all(_values(each.parts)[: len(above)] == above for *_, each in found)
    return found if is_named or is_inside else []


def _number(prefix: str, number: str) -> ClauseNumber | None:
    """Return the number in a cell; None for a single number, a date or a range."""
    first, *rest = re.split(r"[.-]", number)
    if not prefix and (not rest or "-" in number):
        return None
    letters = prefix.rstrip("-_")
    parts = (letters + first, *rest) if len(letters) == 1 else (letters, first, *rest)
    return ClauseNumber("requirement", prefix + number, tuple(filter(None, parts)))


def _values(parts: Sequence[str]) -> list[int]:
    return [int(re.sub(r"\D", "", part) or 0) for part in parts]
