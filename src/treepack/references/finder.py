"""Cross-references: where a text cites a clause, a section, a table or a figure, and which one.

A reference is resolved within its own document. References to other documents and unresolved ones
are kept and marked as such. Code, math and inline code contain no references, and the label of a
clause or caption does not refer to itself.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import Final, Literal, TypeAlias

from treepack.clauses.clause import Clauses
from treepack.document.document import Document
from treepack.model.blocks import Span, is_inside, spans_of
from treepack.model.section import Section
from treepack.numbers.clause_number import RELATIVE, WORDLESS
from treepack.numbers.words import DIVISIONS, ClauseKind
from treepack.references import words
from treepack.references.candidates import find_candidates, start_of_words
from treepack.references.cited_clauses import CitedClauses, Scope
from treepack.references.targets import Targets

ReferenceKind: TypeAlias = Literal["clause", "annex", "table", "figure", "link", "external"]


@dataclass(slots=True, unsafe_hash=True)  # frozen costs four times as much to make
class FoundReference:
    """A reference found in a text.

    Attributes:
        start: The offset of its first character.
        end: The offset after its last character.
        text: The text of the reference.
        kind: The kind of its target; ``external`` if it names another document.
        target: The number of the clause it resolves to; otherwise the target as cited:
            ``12(3)(a)``, ``Table 3``, ``#anchor``.
        section_id: The section where the target begins; None if it is unresolved.
    """

    start: int
    end: int
    text: str
    kind: ReferenceKind
    target: str
    section_id: str | None


def find_references(document: Document, clauses: Clauses) -> tuple[FoundReference, ...]:
    """Return all references of a document in source order.

    Args:
        document: The document.
        clauses: Its clauses, from `treepack.clauses.walk.find_clauses`.
    """
    skipped = [(start, end) for start, end, _ in document.without_gaps().skipped]
    return tuple(_Finder(document.text, document.root, clauses, skipped).references())


class _Finder:
    """One pass over the text outside code and math."""

    def __init__(self, text: str, root: Section, clauses: Clauses, skipped: Sequence[Span]) -> None:
        self.text = text
        self.root = root
        self.clauses = clauses
        self.skipped = skipped
        self.targets = Targets(text, root, clauses)
        self.cited = CitedClauses(clauses)
        self.pattern = words.reference_pattern()
        self.found: list[FoundReference] = []

    @cached_property
    def title(self) -> str:
        """The document's own title."""
        return next((s.heading.text for s in self.root.walk() if s.heading), "")

    def references(self) -> list[FoundReference]:
        """Return the references in source order."""
        literals = _literal_spans(self.root, self.skipped)
        candidates = find_candidates(self.text, literals)
        if not candidates:
            return []
        position = 0
        for start, end in [*literals, (len(self.text), len(self.text))]:
            first, last = bisect_left(candidates, position), bisect_left(candidates, start)
            if first < last:
                self._add_between(position, start, candidates[first:last])
            position = max(position, end)
        return self.found

    def _add_between(self, start: int, end: int, candidates: Sequence[int]) -> None:
        """Add the references between two offsets; they do not overlap."""
        after = start
        codes: list[tuple[int, int]] | None = None
        for candidate in candidates:
            match = self._match(candidate, after, end)
            if match is None or match.end() <= candidate:
                continue
            if codes is None:
                codes = [code.span() for code in words.INLINE_CODE.finditer(self.text, start, end)]
            if not (codes and is_inside(candidate, codes)):
                self._add_reference(match)
                after = match.end()

    def _match(self, candidate: int, after: int, end: int) -> re.Match[str] | None:
        """Match the reference at a candidate: from its symbol, or the words before its number."""
        is_symbol = self.text[candidate] in _SYMBOLS
        if candidate - (not is_symbol) < after:
            return None
        match = self.pattern.match(self.text, candidate, end) if is_symbol else None
        if match or (is_symbol and self.text[candidate] != "["):
            return match
        # "Clause [11](file.md)": not a link within the document, or no symbol at all
        at = start_of_words(self.text, candidate, after, end)
        return None if at is None else self.pattern.match(self.text, at, end)

    def _add_reference(self, match: re.Match[str]) -> None:
        if match["word"] or match["cue"]:
            self._add_cited(match)
        elif match["anchor"]:
            self._add_link(match, match["anchor"])
        elif match["kramdown_external"]:
            target = match["kramdown_external"].lstrip("?!")
            self._add(match.start(), match.end(), "external", target, None)
        elif match["kramdown"]:
            self._add_link(match, match["kramdown"])
        elif match["chinese"]:
            if not self._is_label(match.start()):
                cited = words.compact(match[0])
                number, section = self._resolve_clause(None, cited, match)
                self._add(match.start(), match.end(), "clause", number or cited, section)
        elif match["subclause_word"]:
            self._add_subclauses(match)
        elif match["table_word"]:
            self._add_captioned(match, "table")
        elif match["figure_word"]:
            self._add_captioned(match, "figure")

    def _add_link(self, match: re.Match[str], anchor: str) -> None:
        found = self.targets.anchor(anchor)
        target = f"#{anchor}"
        section = None
        if found is not None:
            section, clause = found
            target = clause or target
        self._add(match.start(), match.end(), "link", target, section)

    def _add_captioned(self, match: re.Match[str], kind: Literal["table", "figure"]) -> None:
        if self.targets.is_caption(match.start()):
            return
        is_external = self._is_external(*match.span())
        for part in words.CAPTION_NUMBER.finditer(self.text, match.end("lead"), match.end()):
            name = f"{kind.capitalize()} {part[0]}"
            section = None if is_external else self.targets.caption(kind, part[0])
            start = part.start() if part.start() > match.end("lead") else match.start()
            self._add(start, part.end(), "external" if is_external else kind, name, section)

    def _add_cited(self, match: re.Match[str]) -> None:
        """Add each number of ``Articles 6, 7 and 10(2)``, with the points named around it."""
        printed: str | None = match["word"]
        if self._is_label(match.start()) or words.ends_sentence(printed):
            return
        word = words.folded(printed or "")
        kind = words.KIND_OF_REFERENCE.get(word)
        is_external = self._is_external(*match.span())
        for start, end, cited, is_printed in self._citations(match):
            if is_external and is_printed:
                self._add(start, end, "external", words.as_cited(word, cited), None)
                continue
            if not is_printed and (is_external or self.cited.exact(cited) is None):
                continue  # a range certainly names only its ends
            if kind == "paragraph":
                target, section = self._resolve_paragraph(cited, match)
            else:
                known, section = self._resolve_clause(kind, cited, match)
                target = known or words.as_cited(word, cited)
            self._add(start, end, "annex" if kind == "annex" else "clause", target, section)

    def _citations(self, match: re.Match[str]) -> Iterator[tuple[int, int, str, bool]]:
        """Yield start, end and number of each citation, and whether the number is printed.

        The numbers between the ends of a range (5 to 8) are not printed.
        """
        numbers = words.numbers_in(match["numbers"])
        last, offset = len(numbers) - 1, match.start("numbers")
        before: tuple[int, int, str] | None = None
        for at, (begin, after, cited, ends) in enumerate(numbers):
            if words.is_year(cited):
                continue  # "the rules 2022" cites a year
            number = cited
            start, end = offset + begin, match.end() if at == last else offset + after
            if ends and all(self.cited.exact(first) is not None for first in ends):
                first, number = ends
                yield start, offset + after, first, True
                for member in words.numbers_between(first, "-", number):
                    yield start, offset + after, member, False
            if at == last and match["after"]:
                number += words.components_after(match["after"])
            if at == 0 and match["word"] and "[" not in self.text[match.end("word") : start]:
                start = match.start()
                if point := self._point_before(start):
                    start -= len(point[0])
                    number += f"({point['point']})"
            if before is not None:
                joint = self.text[before[1] : offset + begin]
                for member in words.numbers_between(before[2], joint, number):
                    yield before[0], end, member, False
            before = start, end, number
            yield start, end, number, True

    def _point_before(self, start: int) -> re.Match[str] | None:
        """Return ``point (a) of`` before an offset."""
        before = self.text[max(0, start - _LONGEST_CONTEXT) : start]
        return words.POINT_BEFORE.search(before) if before.rstrip().endswith("of") else None

    def _add_subclauses(self, match: re.Match[str]) -> None:
        """Add each citation of ``subsections (1)(b) and (2)``: parts of a clause around them."""
        owner = words.component_owner_pattern().match(self.text, match.end())
        within = words.compact(owner["number"]) if owner else ""
        around = [self.clauses[at].number for at in self._around(match)]
        start = match.start()
        for components in words.components_pattern().finditer(
            self.text, match.start("components"), match.end()
        ):
            inner = within + words.compact(components[0])
            outer = around if inner[0] == "(" else [""]
            known = (self.cited.exact(number + inner) for number in outer)
            index = next((at for at in known if at is not None), None)
            if index is None:
                self._add(start, components.end(), "clause", inner, None)
            else:
                clause = self.clauses[index]
                self._add(start, components.end(), "clause", clause.number, clause.section_id)
            start = components.end()

    def _resolve_paragraph(self, cited: str, match: re.Match[str]) -> tuple[str, str | None]:
        """Resolve ``paragraph 2``: a paragraph of the article around it, or a clause of a standard.

        If clauses have dotted numbers, "paragraph 7" is the clause 7 that contains 7.1. In an
        annex, paragraphs are the annex's own unless the citation names their owner.
        """
        is_whole = words.OF_THIS_DOCUMENT.match(self.text, match.end()) is not None
        if "." in cited:
            if not is_whole and self._leaves_annex(cited, match):
                return cited, None
            known, section = self._resolve_clause("paragraph", cited, match)
            return known or cited, section
        owner = self._owner(match)
        first, bracket, rest = cited.partition("(")
        number = f"{owner}({first}){bracket}{rest}"
        known, section = (
            (None, None) if is_whole else self._resolve_clause("paragraph", number, match)
        )
        if known is None and (is_whole or "." in owner):
            known, section = self._resolve_clause("paragraph", cited, match)
            return known or cited, section
        if known is None and not words.OF_THIS_CLAUSE.match(self.text, match.end()):
            index = self.cited.exact(cited)
            if index is not None and self.clauses[index].kind in WORDLESS:
                # "paragraph 9(b)" in a contract, whose clauses have a number and no word
                return self.clauses[index].number, self.clauses[index].section_id
        return known or number, section

    def _resolve_clause(
        self, kind: ClauseKind | None, cited: str, match: re.Match[str]
    ) -> tuple[str | None, str | None]:
        """Return the cited clause's number (None if only one around it is known) and section."""
        index, is_exact = self.cited.find(kind, cited, lambda: self._scope(match))
        if not is_exact and (split := _NUMBER_AND_LETTER.fullmatch(cited)):  # "Subsection 2d"
            inner = self.cited.exact(f"{split[1]}({split[2]})")
            index, is_exact = (index, False) if inner is None else (inner, True)
        if index is None:
            return None, None
        clause = self.clauses[index]
        return (clause.number if is_exact else None), clause.section_id

    def _scope(self, match: re.Match[str]) -> Scope:
        """Return the scope that a citation names; if none, the clauses around the citation."""
        named = words.scope_after_pattern().match(self.text, match.end())
        if named is None:
            before = self.text[max(0, match.start() - _LONGEST_CONTEXT) : match.start()]
            named = words.scope_before_pattern().search(before)
        around = self._around(match)
        if named is None:
            return Scope(around)
        kind = words.KIND_OF_REFERENCE[words.folded(named["word"])]
        index, is_exact = self.cited.find(kind, named["number"], lambda: Scope(around))
        return Scope((index,) if index is not None and is_exact else (), is_named=True)

    def _around(self, match: re.Match[str]) -> tuple[int, ...]:
        """Return the clauses around a citation, innermost first."""
        return self.cited.around(self.clauses.index_at(match.start(), match.end()))

    def _leaves_annex(self, cited: str, match: re.Match[str]) -> bool:
        """Whether a citation inside an annex only matches a clause outside it."""
        scope = self._scope(match)
        annex = None if scope.is_named or not scope.indexes else scope.indexes[-1]
        if annex is None or self.clauses[annex].kind != "annex":
            return False
        index, _ = self.cited.find("paragraph", cited, lambda: scope)
        return index is None or annex not in self.cited.around(index)

    def _owner(self, match: re.Match[str]) -> str:
        """Return the number of a paragraph's owner: the clause named after it, or around it."""
        if named := words.owner_pattern().match(self.text, match.end()):
            kind = words.KIND_OF_REFERENCE[words.folded(named["word"])]
            number, _ = self._resolve_clause(kind, words.compact(named["number"]), named)
            return number or words.as_cited(
                words.folded(named["word"]), words.compact(named["number"])
            )
        index = self.clauses.index_at(match.start(), match.end())
        while index is not None and self.clauses[index].kind in RELATIVE:
            index = self.clauses[index].parent
        is_owner = index is not None and self.clauses[index].kind not in DIVISIONS
        return self.clauses[index].number if index is not None and is_owner else ""

    def _add(
        self, start: int, end: int, kind: ReferenceKind, target: str, section: str | None
    ) -> None:
        reference = FoundReference(start, end, self.text[start:end], kind, target, section)
        self.found.append(reference)

    def _is_external(self, start: int, end: int) -> bool:
        """Whether another document is named directly after or before a reference."""
        after = words.other_document_pattern().match(self.text, end)
        if after:
            return not words.is_own_name(after["name"] or after["bare"], self.title)
        if words.LINK_TO_FILE.match(self.text, end):
            return True
        before = self.text[max(0, start - _LONGEST_CONTEXT) : start]
        is_possible = before.rstrip(words.AFTER_DOCUMENT_NAME)[-1:] in words.DOCUMENT_ENDS
        if not is_possible:
            return False
        is_named = words.DOCUMENT_BEFORE.search(before) is not None
        return is_named or words.follows_link_to_file(self.text, start)

    def _is_label(self, start: int) -> bool:
        """Whether this is the label of a clause itself, or the first words of the document."""
        if start < _LONGEST_MARKUP and not self.text[:start].strip():
            return True
        starts = self.clauses.starts
        at = bisect_right(starts, start) - 1
        if at < 0 or start - starts[at] > _LONGEST_MARKUP:
            return False
        return words.MARKUP_BEFORE_LABEL.fullmatch(self.text, starts[at], start) is not None


_SYMBOLS: Final = "§第[{"
_NUMBER_AND_LETTER: Final = re.compile(r"(\d[\d.]*)([a-z])")
_LONGEST_CONTEXT: Final = 60
_LONGEST_MARKUP: Final = 200  # characters of anchors and markup before a label


def _literal_spans(root: Section, skipped: Sequence[Span]) -> list[Span]:
    """Return the spans of code, math and front matter, sorted; they contain no references."""
    kinds = frozenset({"code", "math", "front_matter"})
    blocks = chain.from_iterable(map(attrgetter("blocks"), root.walk()))
    return sorted([*skipped, *spans_of(kinds, [*blocks])])
