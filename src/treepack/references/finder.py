"""Cross-references: where a text cites a clause, a section, a table or a figure, and which one.

Code, math and inline code contain no references; the label of a clause or caption is none.
"""

import re
from bisect import bisect_right
from itertools import chain
from operator import attrgetter
from typing import Final, Literal, NamedTuple, TypeAlias

from treepack.clauses.clause import Clauses
from treepack.document.document import Document
from treepack.model.blocks import Span, spans_of
from treepack.numbers.words import DIVISIONS, RELATIVE, WORDLESS
from treepack.pages.gaps import without_gaps
from treepack.references.grammar import (
    NAME_BEFORE,
    Cited,
    cited_numbers,
    name_after_pattern,
    reference_pattern,
)
from treepack.references.targets import CitedClauses, Places, SectionPlace, bracketed

ReferenceKind: TypeAlias = Literal["clause", "annex", "table", "figure", "link", "external"]

_LITERAL: Final = frozenset({"code", "math", "front_matter"})
_DIVISIONS: Final = frozenset({*DIVISIONS, "annex"})
LONGEST_BEFORE: Final = 300  # characters of markup before a label, or of another document's name
_SHORTEST_NAME: Final = 8  # characters of a document's own name; "Act" may be any act
_DEEPEST: Final = 3  # owners of owners: point 1 of Section A of Annex VIII

MARKUP_BEFORE_LABEL: Final = re.compile(r"(?:[#>*_\s|\[\\-]|<[^<>]*>|\d{1,9}[.)])*")
"""Text that may be between the start of a block and its label."""
_LINE: Final = r"(?:\r\n|\n|\r(?!\n))"
_BEFORE_CAPTION: Final = re.compile(rf"(?:\A|{_LINE}[ \t>]*{_LINE})(?:[\s>*_]|<[^<>]*>)*\Z")
_AFTER_CAPTION: Final = re.compile(
    rf"[*_]{{0,3}}(?:\s*[.:—–|-]|[ \t]*(?:{_LINE}|\Z)|\s+[^\Wa-z\d_])"
)
_OF: Final = re.compile(r",?\s{1,4}(?:of|in|to|des|der|de|del|du)\s{1,4}(?:(?:the|la)\s|l['’])?")
_NEXT: Final = re.compile(rf"(?:{_OF.pattern}|,?\s{{1,4}}(?:(?:or|and)\s{{1,4}})?)")
_COMMA: Final = re.compile(r",?\s{1,4}")
_OF_THIS: Final = re.compile(
    r"\s{1,4}(?:of|to|in)\s{1,4}this\s{1,4}"
    r"(?P<clause>(?i:(?:sub-?)?(?:section|clause|article|paragraph)|point)\b)?"
)


class FoundReference(NamedTuple):
    """A reference and its span; the target is the number of a clause, otherwise as it is cited."""

    start: int
    end: int
    text: str
    kind: ReferenceKind
    target: str
    section_id: str | None


class ReferenceFinder:
    """What the search needs of a document and its clauses: neither its text nor its tree."""

    def __init__(self, document: Document, clauses: Clauses) -> None:
        found = [*document.root.walk()]
        self.sections = [
            SectionPlace(each.start, head.end if head else 0, head.text if head else "", each.id)
            for each, head in [(each, each.heading) for each in found]
        ]
        self.clauses = clauses
        self.gaps = document.gaps
        skipped = {(start, end) for start, end, _ in document.skipped}.difference(self.gaps)
        blocks = [*chain.from_iterable(map(attrgetter("blocks"), found))]
        self.literals = sorted([*skipped, *spans_of(_LITERAL, blocks)])

    def find(self, source: str) -> tuple[FoundReference, ...]:
        """Return all references of the document in source order, given its source's text."""
        text = without_gaps(source, self.gaps) if self.gaps else source
        return _Search(text, self).references()


def find_references(document: Document, clauses: Clauses) -> tuple[FoundReference, ...]:
    """Return all references of a document in source order; see `ReferenceFinder`."""
    return ReferenceFinder(document, clauses).find(document.source.text)


class _Named(NamedTuple):
    """What a citation names: its number or the citation itself, and the nearest known clause."""

    target: str
    at: int | None = None
    is_exact: bool = False


class _Search:
    """One pass over the text outside code and math."""

    def __init__(self, text: str, known: ReferenceFinder) -> None:
        self.text = text
        self.known = known
        self.clauses = known.clauses
        self.places = Places(text, known.sections)
        self.cited = CitedClauses(known.clauses)
        self.title = next((each.title for each in known.sections if each.heading_end), "")
        self.found: list[FoundReference] = []
        self.captions: dict[str, str] = {}  # sections by names
        self.division: tuple[int, _Named] = (len(text), _Named(""))  # the last one, and its end

    def references(self) -> tuple[FoundReference, ...]:
        """Return the references in source order."""
        position = 0
        for start, end in [*self.known.literals, (len(self.text), len(self.text))]:
            for match in reference_pattern().finditer(self.text, position, max(position, start)):
                self._add_match(match)
            position = max(position, end)
        for at, each in enumerate(self.found):
            if each.kind in {"table", "figure"}:
                self.found[at] = each._replace(section_id=self.captions.get(each.target))
        return tuple(self.found)

    def _add_match(self, match: re.Match[str]) -> None:
        if name := match["anchor"] or match["label"]:
            section = self.places.anchored(name)
            clause = section and self.clauses.at(section.start, section.start + 1)
            is_clause = section and clause and clause.start == section.start
            if section or match["anchor"]:
                target = clause.number if clause and is_clause else f"#{name}"
                self._add(match.span(), "link", target, section and section.id)
            else:  # {{RFC9000}} in the source of an RFC
                self._add(match.span(), "external", name.lstrip("?!"), None)
        elif numbers := cited_numbers(match):
            if numbers[0].kind in {"table", "figure"}:
                self._add_captioned(numbers)
            elif not self._is_label(match.start()):
                self._add_cited(numbers)

    def _add(self, span: Span, kind: ReferenceKind, target: str, section: str | None) -> None:
        self.found.append(FoundReference(*span, self.text[slice(*span)], kind, target, section))

    def _is_label(self, start: int) -> bool:
        """Whether this is the label of a clause itself, or the first words of the document."""
        at = bisect_right(self.clauses.starts, start)
        begin = self.clauses.starts[at - 1] if at else 0
        is_near = start - begin <= LONGEST_BEFORE
        return is_near and MARKUP_BEFORE_LABEL.fullmatch(self.text, begin, start) is not None

    def _add_captioned(self, numbers: list[Cited]) -> None:
        first, end = numbers[0], numbers[-1].end
        before = self.text[max(0, first.start - LONGEST_BEFORE) : first.start]
        if _BEFORE_CAPTION.search(before) and _AFTER_CAPTION.match(self.text, first.end):
            # The last one of a name counts, because a list of tables is at the beginning.
            self.captions[first.name] = self.places.section_at(first.start).id
            return
        is_external = self._is_external(first.start, end)
        for each in numbers:
            kind: ReferenceKind = "table" if each.kind == "table" else "figure"
            self._add(each[:2], "external" if is_external else kind, each.name, None)

    # ---------------------------------------------------------------- clauses

    def _add_cited(self, numbers: list[Cited]) -> None:
        """Add each number of ``Articles 6, 7 and 10(2)``, and the known ones within a range."""
        end, kind = numbers[-1].end, numbers[0].kind
        is_external = self._is_external(numbers[0].start, end)
        owner = None if is_external else self._owner(numbers[0], end)
        for cited in numbers:
            named = _Named(cited.name) if is_external else self._named(cited, owner)
            # A bare number after such a word may count anything, such as the points of a plan.
            is_part = kind == "paragraph" and cited.number.isalnum() and not (owner or is_external)
            if named.is_exact or (cited.is_printed and not is_part):
                section = None if named.at is None else self.clauses[named.at].section_id
                name: ReferenceKind = "annex" if kind == "annex" else "clause"
                self._add(cited[:2], "external" if is_external else name, named.target, section)
        if kind in _DIVISIONS and not is_external:
            self.division = end, self._named(numbers[-1], owner)

    def _named(self, cited: Cited, owner: _Named | None) -> _Named:
        """Return what a citation names, given what it names as its owner."""
        this = _OF_THIS.match(self.text, cited.end)
        is_whole = this is not None and not this["clause"]
        around, number = self.cited.around(cited.start, cited.end), cited.number
        within = owner.at if owner and owner.is_exact else None
        if number[0] != "(" and (cited.kind != "paragraph" or "." in number):
            index, is_exact = self.cited.find(cited.kind, number, around, within)
            known = self.clauses[index].number if index is not None and is_exact else cited.name
            return _Named(known, index, is_exact)
        first, inner = number[0] != "(", bracketed(number)
        outer = [self.clauses[at] for at in around if not is_whole]
        names = [each.number for each in outer if not first or each.kind not in RELATIVE]
        names = [owner.target] if owner else names
        found = [self.cited.exact(name + inner) for name in names]
        index = next((at for at in found if at is not None), None)
        if index is None and not owner and first and not (this and this["clause"]):
            # In a contract or a standard, "paragraph 9" is the clause 9, which has no word.
            index, is_exact = self.cited.find(None, number, around)
            is_dotted = is_whole or any("." in name for name in names)
            is_plain = index is not None and self.clauses[index].kind in WORDLESS
            index = index if is_exact and (is_dotted or is_plain) else None
        if index is not None:
            return _Named(self.clauses[index].number, index, is_exact=True)
        return _Named(owner.target + inner, owner.at) if owner else _Named(cited.name)

    def _owner(self, cited: Cited, end: int, depth: int = 0) -> _Named | None:
        """Return what is named as the owner: ``of Article 5`` after, ``Annex I,`` before."""
        numbers = self._numbers_after(_OF, end)
        if numbers and depth < _DEEPEST and numbers[0].word not in {cited.word, ""}:
            return self._named(numbers[0], self._owner(numbers[0], numbers[0].end, depth + 1))
        is_after = _COMMA.fullmatch(self.text, self.division[0], cited.start)
        return self.division[1] if is_after else None

    def _numbers_after(self, joint: re.Pattern[str], end: int) -> list[Cited]:
        """Return the numbers of the reference that a joint connects with the one before it."""
        between = joint.match(self.text, end)
        match = between and reference_pattern().match(self.text, between.end())
        return cited_numbers(match) if match else []

    def _is_external(self, start: int, end: int, depth: int = 0) -> bool:
        """Whether a reference, or one that follows it directly, names another document."""
        if after := name_after_pattern().match(self.text, end):
            last = after[0].casefold().split()[-1].removesuffix("s").removesuffix("e")
            return len(last) < _SHORTEST_NAME or last not in self.title.casefold()
        if not depth and NAME_BEFORE.search(self.text[max(0, start - LONGEST_BEFORE) : start]):
            return True
        numbers = self._numbers_after(_NEXT, end) if depth < _DEEPEST else []
        return bool(numbers) and self._is_external(numbers[0].start, numbers[-1].end, depth + 1)
