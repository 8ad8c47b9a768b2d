"""All clauses of a document: their extent, their number as cited, their path.

Headings give clauses through the section tree. In a section, the labels of paragraphs and list
items form running numberings: each label continues an open numbering, begins a deeper one, or is
not a clause. Rows of requirement tables are clauses too.
"""

from collections.abc import Sequence
from functools import cached_property, partial
from typing import Final

from treepack.clauses.beginnings import (
    PLACES,
    Legality,
    after_repeated,
    bare_annexes,
    interrupted_at,
    is_next_step,
    is_of_filing,
    may_begin_any,
    may_begin_decimals,
    may_begin_points,
    numbered_by_text,
    without_zeros,
)
from treepack.clauses.clause import Clause, Clauses
from treepack.clauses.contents import own_labels
from treepack.clauses.labels import ClauseLabel, LabelItem, labels_of, own_end
from treepack.clauses.legal_wording import Wording
from treepack.clauses.lookahead import (
    Choice,
    choose,
    following_place,
    has_sections_of_act,
    is_inside_of,
    labels_below,
    next_heading,
)
from treepack.clauses.named_order import NamedOrder
from treepack.clauses.notes import split_notes
from treepack.clauses.open_clauses import (
    OpenClause,
    cited_number,
    counting,
    is_next,
    is_prefix,
    is_sibling,
    restarted_at,
)
from treepack.clauses.requirement_tables import requirement_rows
from treepack.clauses.sequences import Interpretation, goes_on
from treepack.clauses.titles import Draft, finished
from treepack.clauses.titles_above import with_titles_above
from treepack.model.blocks import Heading, Table
from treepack.model.section import Section
from treepack.numbers.clause_number import RELATIVE, ClauseNumber
from treepack.numbers.heading_numbers import heading_numbers, is_mere_mention, ordinals_of_headings
from treepack.numbers.words import CITED_BY_NUMBER, COLLECTIONS


def find_clauses(text: str, root: Section) -> Clauses:
    """Return all clauses of a document."""
    return Clauses(_Walk(text, root).clauses())


_LISTED: Final = frozenset({"requirement", "recital"})  # they contain only points
_LOOK_AHEAD: Final = 40  # labels; a longer list of roman numerals is not read to its end


class _Walk:
    """One pass over the section tree, with a stack of open clauses."""

    def __init__(self, text: str, root: Section) -> None:
        self.text = text
        self.sections = list(root.walk())
        self.starts = [section.start for section in self.sections]
        self.found: list[Draft] = []
        self.ends: list[int] = []
        self.headings: dict[int, Heading] = {}  # headings that begin clauses, by the clause's index
        self.open: list[OpenClause] = []
        self.own: list[list[LabelItem]] = []  # the labels of each section
        self.own_end = 0  # end of the current section's own content
        self.notes_end = 0  # end of the last notes; the text after it refers to the next ones
        self.last_root: Interpretation | None = None  # the last label outside all other clauses
        self.last_section: Interpretation | None = None  # the last ``1.`` outside all but divisions
        self.declined: set[tuple[str, str]] = set()  # wrapper and scheme of a section's plain lists
        titles = {s.start: s.heading.text for s in self.sections if s.heading}
        numbers = zip(titles, heading_numbers([*titles.values()]), strict=True)
        self.numbers = {start: number for start, number in numbers if number}
        self.numbers |= bare_annexes(titles, self.numbers)
        kinds = [number.kind for number in self.numbers.values()]
        # With articles (or §), a section of a law is a division. Without, sections are cited.
        self.has_articles = any(
            number.kind == "article" or number.label.startswith("§")
            for number in self.numbers.values()
        )
        self.has_legal_headings = any(kind in CITED_BY_NUMBER for kind in kinds)
        self.wording = Wording(text)

    def clauses(self) -> tuple[Clause, ...]:
        self.own = [labels_of(self.text, each.blocks, own_end(each)) for each in self.sections]
        if not self.numbers and not may_begin_any(self.text, self.sections, self.own):
            return ()  # the common case
        own = list(own_labels(self.text, self.sections, self.own, self.numbers))
        without_zeros(own, self.numbers)
        self.numbers |= numbered_by_text(own, self.numbers, self.wording.is_legal)
        self.own = [labels for _, labels in own]
        printed = (each for found in self.own for each in found if isinstance(each, ClauseLabel))
        texts = (label.number for label in printed if label.number.kind not in RELATIVE)
        self.named = ordinals_of_headings(self.numbers.values(), texts)
        self.has_sections = has_sections_of_act(self.own)
        self.has_legal_headings |= self.has_sections
        self.order = NamedOrder(self.numbers, self.own)
        for section, labels in own:
            self._section(section, labels)
        self._close(0, len(self.text))
        found = finished(self.text, self.found, self.ends, self.headings)
        return with_titles_above(self.text, found)

    # ---------------------------------------------------------------- one section

    def _section(self, section: Section, found: Sequence[LabelItem]) -> None:
        self._close_before(section.start)
        number = self.numbers.get(section.start) if section.heading else None
        if number and (self.found or not is_of_filing(number)):
            self._open_heading(number, section)
        self.own_end = own_end(section)
        self.declined = set()
        if not found:
            return  # the common case
        title = section.heading.text if section.heading else ""
        collection = COLLECTIONS.get(title.casefold(), "")
        labels, notes = split_notes(self.text, after_repeated(number, found), self.notes_end)
        ahead = [*labels, *next_heading(section, self.starts, self.numbers)]
        for at, label in enumerate(labels):
            following = ahead[at + 1 : at + 1 + _LOOK_AHEAD]
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
        elif label.number.kind in RELATIVE:
            self._relative(label, following, section, collection)
        elif label.number.kind == "decimal":
            self._decimal(label, following, section)
        else:
            self._named(label, section)

    def _named(self, label: ClauseLabel, section: Section) -> None:
        """Handle a label with a word, such as ``Article 5``: close clauses it is not part of."""
        if not self.found and is_of_filing(label.number):
            return
        is_in_annex = any(e.is_heading and e.number.kind == "annex" for e in self.open)
        if not is_in_annex and is_mere_mention(label.number, self.named):
            self._close_text(len(self.open), label.start)
            return
        at = len(self.open)
        while at and self._ends(self.open[at - 1], label):
            at -= 1
        self._close(at, label.start)
        self._push(label, section)

    def _ends(self, entry: OpenClause, label: ClauseLabel) -> bool:
        """Whether a named label ends an open clause because it is not part of it."""
        above, number = entry.number, label.number
        if above.is_relative or above.kind == "decimal":
            return above.is_relative or not entry.is_heading
        if number.kind == "requirement" or above.kind in _LISTED:
            return above.kind in _LISTED
        if number.kind == "annex" or above.kind == "annex":
            return number.kind == "annex"
        return not self.order.holds(self.found[entry.place][0], label.start)

    def _decimal(
        self, label: ClauseLabel, following: Sequence[LabelItem], section: Section
    ) -> None:
        """Handle ``5.1.2`` in a text: it belongs below the clause whose number it continues."""
        parts = label.number.parts
        is_after = label.is_doubtful and any(is_next(e.number.parts, parts) for e in self.open)
        if label.is_doubtful and not is_after and not is_next_step(self.open, label, following):
            return
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
            if before is None and not may_begin_decimals(
                self.text, label, closed, following, is_inside=bool(self.open)
            ):
                return
            at = self._below_division(at) if before is None else before
        elif parts not in self.wordless_headings:  # 2.2 is not below a heading 2.1.1
            at = max(place for place, e in enumerate(self.open, 1) if is_prefix(e, parts))
        self._close(at, label.start)
        self._push(label, section)

    def _below_division(self, at: int) -> int:
        """Return ``at``, or the index after the last division or annex that began in a text."""
        places = range(len(self.open), at, -1)
        return next((n for n in places if self.open[n - 1].number.kind in PLACES), at)

    def _relative(
        self, label: ClauseLabel, following: Sequence[LabelItem], section: Section, collection: str
    ) -> None:
        """Handle ``(3)``, ``a)``, ``ii.``: continue an open numbering or begin a deeper one."""
        choice = self._choice(label, following, section, collection)
        if choice is None:
            self.declined.add(label.ways[0][:2])
            return
        at, reading = choice
        if label.is_repeated and at < len(self.open) and self.open[at].reading == reading:
            self._close(at + 1, label.start)
            return
        self._close(at, label.start)
        self._push(label, section, reading, collection)

    def _choice(
        self, label: ClauseLabel, following: Sequence[LabelItem], section: Section, collection: str
    ) -> Choice | None:
        """Return where in the stack a label belongs and how it reads; None if it is no clause."""
        options = label.ways
        top = len(self.open)
        while top and self.open[top - 1].depth > label.depth:
            top -= 1
        if (at := self._goes_on_at(label, options, top)) is not None:
            return at, options[0]
        entries = counting(self.open, top, label.depth)
        if len(options) == 1 and (at := following_place(entries, options[0])) is not None:
            return at, options[0]

        def begun(first: Interpretation) -> int | None:
            may_begin = collection or self._may_begin(label, following, section, top)
            return self._begun_at(label, following, top, first) if may_begin else None

        return choose(label, options, entries, following, begun)

    def _may_begin(
        self, label: ClauseLabel, following: Sequence[LabelItem], section: Section, top: int
    ) -> bool:
        """Whether a numbering may begin with a label."""
        legal = Legality(self.has_legal_headings, lambda: self.wording.is_legal(section))
        far = partial(labels_below, section, self.starts, self.numbers, self.own, label)
        return may_begin_points(label, following, self.open[:top], legal, far)

    def _begun_at(
        self, label: ClauseLabel, following: Sequence[LabelItem], top: int, first: Interpretation
    ) -> int:
        """Return the stack index where a numbering belongs that begins with a label."""
        above = self.open[:top]
        at = restarted_at(above, first, label.depth)
        before = above[at].reading if at < len(above) else None
        between = [entry.reading for entry in above[at + 1 :] if entry.reading]
        is_inner = before is not None and is_inside_of(before, between, label, following)
        return len(above) if is_inner else at

    def _goes_on_at(
        self, label: ClauseLabel, options: Sequence[Interpretation], top: int
    ) -> int | None:
        """Return the stack index where a label continues an interrupted numbering, or None."""
        if label.depth or not options or options[0][:2] in self.declined:
            return None
        before = self.last_root
        if not self.open and before and options[0] != before:
            return 0 if goes_on(before, options[0]) == "next" else None
        above, last = self.open[:top], self.last_section
        if self.has_sections and above and last and all(e.number.kind in PLACES for e in above):
            is_next = options[0] != last and goes_on(last, options[0]) == "next"
            return top if is_next else None  # sections are numbered through all parts
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
        is_root = is_whole and len(self.open) == 1
        self.last_root = Interpretation(".", "number", int(number.label)) if is_root else None
        if section.heading:
            self.headings[self.open[-1].place] = section.heading
        self.open[-1].is_heading = True

    def _push(
        self,
        label: ClauseLabel,
        section: Section,
        reading: Interpretation | None = None,
        collection: str = "",
    ) -> None:
        above = self.open[-1] if self.open else None
        start, limit = label.start, label.limit
        for entry in self.open:  # a label after a list item may continue the item's numbering
            if start >= entry.limit and not entry.is_heading:
                entry.limit = limit
        number = label.number
        if above is None:
            limit = label.limit = max(limit, self.own_end)
            self.last_root = reading
        is_outer = above is None or above.number.kind in PLACES
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
        place = len(self.found)
        parent = above.place if above else None
        self.found.append((start, cited, path, number.kind, section.id, parent))
        self.ends.append(start)
        base = cited if number.kind == "annex" else above.base if above else ""
        self.open.append(
            OpenClause(
                place,
                number,
                cited,
                path,
                base,
                limit,
                label.depth,
                reading,
                is_root=is_outer and label.wrapper == ".",
            )
        )

    def _close_before(self, start: int) -> None:
        """Close clauses that end before an offset: sections, and those that began in their text."""
        if not self.open:
            return
        at = len(self.open)
        while at and self.open[at - 1].limit <= start:
            at -= 1
        # A clause that began in a text ends with its section's own content, before sub-sections.
        self._close_text(at, start)

    def _close_text(self, at: int, offset: int) -> None:
        """Close the clauses that began in a text, and all clauses from a stack index on."""
        first_text = next((n for n, entry in enumerate(self.open) if not entry.is_heading), at)
        self._close(min(at, first_text), offset)

    def _close(self, at: int, offset: int) -> None:
        """Close the open clauses from a stack index on."""
        closed = self.open[at:]
        if not closed:
            return
        del self.open[at:]
        for entry in closed:
            end = min(entry.limit, offset)
            start = self.found[entry.place][0]
            self.ends[entry.place] = max(start, end)

    # ---------------------------------------------------------------- tables

    def _rows(self, table: Table, section: Section) -> None:
        above = self.open[-1] if self.open else None
        parts = above.number.parts if above else ()
        for start, end, number in requirement_rows(self.text, table, parts):
            path = (*(above.path if above else ()), number.label)
            place = above.place if above else None
            self.found.append((start, number.label, path, number.kind, section.id, place))
            self.ends.append(end)
