"""Targets of references other than clauses: anchors, and the captions of tables and figures."""

import html
import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import Final

from treepack.clauses.clause import Clause
from treepack.model.blocks import (
    Block,
    CodeBlock,
    HtmlBlock,
    Image,
    ListItem,
    MathBlock,
    Paragraph,
    Table,
    children,
)
from treepack.model.section import Section

# One pattern for each first character of an anchor, because a fixed one is searched fastest.
_ANCHORS: Final = (
    re.compile(
        r"""<[A-Za-z][^<>]{0,300}?\s(?:name|id)\s*=\s*["']?([^"'\s<>]{1,200})[^<>]{0,300}>"""
    ),
    re.compile(r"\{:?[^{}\r\n]{0,200}?\#([\w.:-]{1,200})[^{}\r\n]{0,300}\}"),
)
_CAPTION: Final = re.compile(
    r"""
    [\s>*_]*(?:<[^<>]{0,200}>\s*)*[*_]{0,3}
    (?: (?P<table>(?i:Table|Tabelle|Tab\.|Tableau|Tabla|表))
      | (?P<figure>(?i:Figure|Fig\.|Abbildung|Abb\.|Figura|图)) )
    [ \u00a0]* (?P<number>[A-Z]?\.?\d{1,3}(?:[.-]\d{1,3}){0,3}[a-z]?)
    (?P<sign>[*_]{0,3}(?:\s*[.:—–|-]|[^\S\r\n]*(?=[\r\n]|\Z)|\s+(?=[^\Wa-z\d_])))
    """,
    re.VERBOSE,
)
_CAPTION_STARTS: Final = frozenset(" \t\r\n\v\f\u00a0\u2002\u2003\u2009\u3000>*_<TtFfAa表图")
_NO_SLUG: Final = re.compile(r"[^\w\- ]")
_LONGEST_CAPTION: Final = 400
_BEFORE_HEADING: Final = re.compile(r"(?:\s|<[^<>]{0,300}>)*")
_FIGURES: Final = (Table, Image, CodeBlock, HtmlBlock, MathBlock)


class Targets:
    """The anchors and captions of one document, indexed by how they are cited."""

    def __init__(self, text: str, root: Section, clauses: Sequence[Clause]) -> None:
        self.text = text
        self.root = root
        self.clauses = clauses

    def anchor(self, name: str) -> tuple[str, str | None] | None:
        """Return the section that contains or follows an anchor, and its clause's number."""
        for key in (name, name.casefold()):
            end = self._anchors.get(key)
            section = self._slugs.get(key) if end is None else self._section_of_anchor(end)
            if section is not None:
                return section.id, self._numbers.get(section.start)
        return None

    def caption(self, kind: str, number: str) -> str | None:
        """Return the section of the table or figure with this number."""
        return self._captions.get((kind, number))

    def is_caption(self, start: int) -> bool:
        """Whether the caption of a table or figure begins here."""
        return start in self._caption_starts

    # ---------------------------------------------------------------- sections

    @cached_property
    def _sections(self) -> list[Section]:
        return list(self.root.walk())

    @cached_property
    def _section_starts(self) -> list[int]:
        # The root starts with its first block, but also owns any text before that.
        return [0, *(section.start for section in self._sections[1:])]

    # ---------------------------------------------------------------- anchors

    @cached_property
    def _anchors(self) -> dict[str, int]:
        """The offset after each anchor in the text; if a name occurs twice, the first wins."""
        anchors: dict[str, int] = {}
        after = 0
        matches = chain.from_iterable(pattern.finditer(self.text) for pattern in _ANCHORS)
        for match in sorted(matches, key=re.Match[str].start):
            if match.start() >= after:  # not inside the previous anchor
                after = match.end()
                anchors.setdefault(html.unescape(match[1]), after)
        return anchors

    @cached_property
    def _slugs(self) -> dict[str, Section]:
        """The sections by the anchors that GitHub gives their headings."""
        slugs: dict[str, Section] = {}
        seen: dict[str, int] = {}
        for section in self._sections:
            if section.heading is None:
                continue
            slug = _slug(section.heading.text)
            count = seen.get(slug, 0)
            seen[slug] = count + 1
            slugs.setdefault(f"{slug}-{count}" if count else slug, section)
        return slugs

    @cached_property
    def _numbers(self) -> dict[int, str]:
        """The numbers of clauses by their start."""
        return {clause.start: clause.number for clause in self.clauses}

    def _section_of_anchor(self, end: int) -> Section:
        """Return an anchor's section, or that of the next heading if it follows directly."""
        at = bisect_right(self._section_starts, end) - 1
        heading = self._sections[at].heading
        if at + 1 == len(self._sections) or (heading and end <= heading.end):
            return self._sections[at]
        following = self._section_starts[at + 1]
        after = _BEFORE_HEADING.match(self.text, end, following)
        return self._sections[at + 1 if after and after.end() == following else at]

    # ---------------------------------------------------------------- captions

    @cached_property
    def _captions(self) -> dict[tuple[str, str], str]:
        captions: dict[tuple[str, str], str] = {}
        # a caption next to its table or figure comes before one that is elsewhere
        for _, key, section, _ in sorted(self._found_captions, key=itemgetter(3), reverse=True):
            captions.setdefault(key, section)
        return captions

    @cached_property
    def _caption_starts(self) -> set[int]:
        return {start for start, _, _, _ in self._found_captions}

    @cached_property
    def _found_captions(self) -> list[tuple[int, tuple[str, str], str, bool]]:
        captions: list[tuple[int, tuple[str, str], str, bool]] = []
        for section in self._sections:
            waiting: list[Sequence[Block | ListItem]] = [section.blocks]
            for blocks in waiting:
                for at, block in enumerate(blocks):
                    if not isinstance(block, Paragraph):
                        if inner := children(block):
                            waiting.append(inner)
                    elif self.text[block.start] in _CAPTION_STARTS and (
                        caption := self._caption_of(block, blocks, at)
                    ):
                        start, key, is_adjacent = caption
                        captions.append((start, key, section.id, is_adjacent))
        return sorted(captions)

    def _caption_of(
        self, block: Paragraph, blocks: Sequence[Block | ListItem], at: int
    ) -> tuple[int, tuple[str, str], bool] | None:
        """Return a caption's start and name, and whether the table or figure is next to it."""
        end = min(block.end, block.start + _LONGEST_CAPTION)
        match = _CAPTION.match(self.text, block.start, end)
        if match is None:
            return None
        kind = "table" if match["table"] else "figure"
        near = [*blocks[max(0, at - 1) : at], *blocks[at + 1 : at + 2]]
        is_adjacent = any(isinstance(block, _FIGURES) for block in near)
        if not (is_adjacent or match["sign"].strip()):
            return None
        return match.start(kind), (kind, match["number"]), is_adjacent


def _slug(title: str) -> str:
    """Return a heading's anchor on GitHub: lower case, spaces as hyphens, no other punctuation."""
    return _NO_SLUG.sub("", title.casefold()).replace(" ", "-")
