"""How a chunk is cited.

The citation is one line as a person would write it: ``Lease, section 3(b)``; ``Pumps, p. 33``.

It states only what is known. The word before a number is the word in the clause's heading
(``Article 12``), or else the word that the text itself uses most before numbers.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from operator import attrgetter
from pathlib import PurePath
from typing import Any, Final

from treepack.clauses.clause import Clause, Clauses
from treepack.document.document import Document
from treepack.model.section import path_to_content
from treepack.numbers.grammar import parse_clause
from treepack.packing.context import SEPARATOR
from treepack.references.finder import LONGEST_BEFORE, MARKUP_BEFORE_LABEL

_START: Final = attrgetter("start")

_LONGEST_TITLE: Final = 100  # characters; a longer heading is not used as the document's title
_WORD: Final = re.compile(r"(?P<word>§|[^\W\d_]+\.?)[\s\u00a0]+(?P<number>\d\S*[ -][^\W\d_]+|\S+)$")
# The first character is one of a set, because `re` searches for that without trying the rest.
_CITING_WORD: Final = re.compile(
    r"([sScCpPaArR](?<!\w.)(?:(?<=[sS])ection|(?<=[cC])lause|(?<=[pP])aragraph|(?<=[aA])rticle"
    r"|(?<=[rR])ule))s?\s(\d(?:[.\w]*\w)?)"
)
_SELF_CITING_WORD: Final = re.compile(
    r"his (?<=[Tt]....)(?<!\w.....)(Section|Clause|Paragraph|Article|section|clause)\b"
)
_PLURALS: Final = {
    **dict.fromkeys(("article", "section", "clause", "paragraph", "rule", "recital"), "s"),
    **dict.fromkeys(("chapter", "part", "schedule", "exhibit", "title"), "s"),
    "annex": "es",
    "§": "§",
}


class Citations:
    """Clauses of one document, to look up those of a span and to cite it.

    Args:
        document: The document.
        clauses: Its clauses.
    """

    def __init__(self, document: Document, clauses: Clauses) -> None:
        self._title = _title(document)
        is_named = document.file and not self._title
        self._file = PurePath(document.file).stem if is_named else ""
        self._name = document.source.name
        self._text = document.source.text
        self._root = document.root
        self._clauses = clauses

    def fields(self, start: int, end: int) -> Mapping[str, Any]:
        """Return the record's fields about the clauses in a span."""
        if not self._clauses:  # most documents
            return {}
        clause = self._clauses.cited_at(start, end)
        first = bisect_left(self._clauses.starts, start)
        after = bisect_left(self._clauses.starts, end, first)
        clauses = self._clauses[first:after]
        return {
            "clause_number": clause.number if clause else None,
            "clause_path": clause.path if clause else (),
            "clauses": tuple([inner.number for inner in clauses]),
            "clause_continued": self._continued(start, clauses[0].start if clauses else end),
        }

    def _continued(self, start: int, next_start: int) -> str | None:
        """Return the clause that continues where a span begins, or None.

        It is None if only anchors and markers come before the next clause's label.
        """
        is_near = next_start - start <= LONGEST_BEFORE
        if is_near and MARKUP_BEFORE_LABEL.fullmatch(self._text, start, next_start):
            return None
        clause = self._clauses.at(start, start + 1)
        return clause.number if clause else None

    def cite(
        self,
        span: tuple[int, int],
        breadcrumb: tuple[str, ...],
        pages: Sequence[int],
        lines: tuple[int, int],
    ) -> str:
        """Return the citation of a chunk.

        Args:
            span: The chunk's body in the source.
            breadcrumb: The headings above it, with the document's name.
            pages: Its pages.
            lines: Its first and last line, from 1.
        """
        clause = self._clause_range(*span) if self._clauses else ""
        if clause:
            citation = ", ".join([part for part in (self._file, self._title, clause) if part])
        else:
            citation = self._headings_citation(breadcrumb, span)
        if clause and not pages:
            return citation
        where = (
            _range("p.", "pp.", pages[0], pages[-1]) if pages else _range("line", "lines", *lines)
        )
        return f"{citation}, {where}" if citation else where

    def _headings_citation(self, breadcrumb: tuple[str, ...], span: tuple[int, int]) -> str:
        """Return the part of a citation by headings, before page or line."""
        headings = breadcrumb[bool(breadcrumb) and breadcrumb[0] == self._name :]
        names = [name for name in headings if name != self._title]
        title = [self._title] if self._title else []
        citation = SEPARATOR.join([*title, *names])
        if not names and (sections := self._section_range(*span)):
            citation = ", ".join([*title, sections])
        # the file's name alone would tell the caller nothing new
        return f"{self._file}, {citation}" if citation and self._file else citation

    def _section_range(self, start: int, end: int) -> str:
        """Return the first and last section in a span: ``Bases to Canvas``; empty for one."""
        inner = path_to_content(self._root, start, end)[-1].sections
        first = max(bisect_right(inner, start, key=_START) - 1, 0)
        last = bisect_left(inner, end, key=_START) - 1
        headings = [each.heading for each in inner[first : last + 1] if each.heading]
        return f"{headings[0].text} to {headings[-1].text}" if headings[1:] else ""

    def _clause_range(self, start: int, end: int) -> str:
        """Return the clause that holds a span, or the range of clauses of which it has parts."""
        around = self._clauses.index_at(start, end)
        clause = self._clauses.cited_at(start, end)
        if clause and around is not None and clause is not self._clauses[around]:
            return self._named(clause)  # the only article of a chapter
        begin = self._after_headings(start, end) if around is None else start
        first = self._below(around, self._clauses.index_at(begin, begin + 1))
        last = self._below(around, self._clauses.index_at(end - 1, end))
        if first is None or last is None:
            return "" if around is None else self._named(self._clauses[around])
        if first == last:
            return self._named(self._clauses[first])
        return self._between(self._clauses[first], self._clauses[last], around)

    def _after_headings(self, start: int, end: int) -> int:
        """Return where the text after a span's first headings begins, or the span's start."""
        section = path_to_content(self._root, start, end)[-1]
        if section.heading is None or section.start < start:
            return start
        rest = self._text[section.heading.end : end]
        return section.heading.end + len(rest) - len(rest.lstrip()) if rest.strip() else start

    def _below(self, around: int | None, index: int | None) -> int | None:
        """Return the clause directly below ``around`` that is the one at ``index`` or holds it."""
        while index is not None and index != around:
            above = self._clauses[index].parent
            if above == around:
                return index
            index = above
        return None

    def _between(self, first: Clause, last: Clause, around: int | None) -> str:
        """Return a range: ``Article 5(2)(a) to (c)``, ``Articles 5 to 7``."""
        number = last.number
        if around is not None:
            within = number.removeprefix(self._clauses[around].number)
            if within != number and within.startswith(("(", " §")):
                return f"{self._named(first)} to {within.strip()}"
        word, number_from = self._word_and_number(first)
        last_word, number_to = self._word_and_number(last)
        plural = _PLURALS.get(word.casefold())
        if word != last_word:
            return f"{self._named(first)} to {self._named(last)}"
        return f"{word}{plural or ''} {number_from} to {number_to}".strip()

    def _named(self, clause: Clause) -> str:
        return " ".join(filter(None, self._word_and_number(clause)))

    def _word_and_number(self, clause: Clause) -> tuple[str, str]:
        """Return a clause's word and number: ``("Article", "12(3)")``, ``("§", "5(2)")``."""
        number = clause.number
        word, space, rest = number.partition(" ")
        if space and not word[0].isdigit():
            return word, rest
        head = number.partition(" §")[0].partition("(")[0]  # "7 § 1" of a Brazilian law
        inner = number.count("(", len(head))  # the "2" of Article 2(2) is a paragraph
        for label in reversed(clause.path[: len(clause.path) - inner]):
            if label == head:
                break  # the "1" of section 1 in Part 1 is not the number of the part
            match = _WORD.fullmatch(label)
            if match and match["number"].casefold() == head.casefold():
                return match["word"].capitalize(), number
        return self._word, number

    @cached_property
    def _word(self) -> str:
        """The word, such as "section", that the text uses most before numbers of its clauses."""
        known = {clause.number for clause in self._clauses}
        words = [word for word, number in _CITING_WORD.findall(self._text) if number in known]
        words = words or _SELF_CITING_WORD.findall(self._text)
        return Counter(map(str.casefold, words)).most_common(1)[0][0] if words else ""


def _title(document: Document) -> str:
    """Return a document's title: from its metadata, its single top heading, or its file name."""
    title = document.metadata.get("title")
    if isinstance(title, str) and title.strip():
        return " ".join(title.split())
    sections = document.root.sections
    top = sections[0].heading if len(sections) == 1 else None
    is_title = top is not None and top.start == document.root.start
    if top and is_title and 0 < len(top.text) <= _LONGEST_TITLE and parse_clause(top.text) is None:
        return top.text
    name = document.source.name
    return PurePath(name).stem if name else ""


def _range(singular: str, plural: str, first: int, last: int) -> str:
    return f"{singular} {first}" if first == last else f"{plural} {first} to {last}"
