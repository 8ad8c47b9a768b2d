"""What documents consist of before they are cut, to help choose sizes."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import nlargest
from typing import Any, Final

from treepack.document.document import Document
from treepack.report.histogram import doubling
from treepack.report.tables import tables_of

BOUNDS: Final = (32, 64, 128, 256, 512, 1024, 2048, 4096, 8192)
LARGEST: Final = 10


@dataclass(frozen=True, order=True)
class LargeTable:
    """A table and its size.

    Attributes:
        tokens: Its tokens.
        rows: The number of its body rows.
        columns: The number of its columns.
        header_tokens: Tokens of the header that each piece of it must repeat.
        document: The name of its document.
        line: Its first line, from 1.
        caption: Its caption, or else its column headers.
    """

    tokens: int
    rows: int
    columns: int
    header_tokens: int
    document: str
    line: int
    caption: str


@dataclass(frozen=True)
class Census:
    """The content of one or more documents.

    Attributes:
        documents: The number of documents.
        characters: The characters of their texts.
        lines: The lines of their texts.
        tokens: The tokens of their texts.
        section_depths: The number of sections at each depth, from 1.
        section_tokens: Tokens of each section with its sub-sections.
        own_tokens: Tokens of each section without its sub-sections.
        kinds: The number of top-level blocks of each kind.
        kind_tokens: The tokens of those blocks.
        block_tokens: Tokens of each top-level block.
        largest_tables: The largest tables of each document.
    """

    documents: int = 0
    characters: int = 0
    lines: int = 0
    tokens: int = 0
    section_depths: Counter[int] = field(default_factory=Counter[int])
    section_tokens: tuple[int, ...] = ()
    own_tokens: tuple[int, ...] = ()
    kinds: Counter[str] = field(default_factory=Counter[str])
    kind_tokens: Counter[str] = field(default_factory=Counter[str])
    block_tokens: tuple[int, ...] = ()
    largest_tables: tuple[LargeTable, ...] = ()

    @property
    def by_kind(self) -> list[tuple[str, int, int]]:
        """The kinds with the number of their blocks and their tokens, most tokens first."""
        rows = [(kind, count, self.kind_tokens[kind]) for kind, count in self.kinds.items()]
        return sorted(rows, key=lambda row: (-row[2], row[0]))

    @property
    def largest(self) -> list[LargeTable]:
        """The largest tables of all documents, largest first."""
        return nlargest(LARGEST, self.largest_tables)

    def summary(self) -> dict[str, Any]:
        """Return the census as plain values, for JSON."""
        return {
            "documents": self.documents,
            "characters": self.characters,
            "lines": self.lines,
            "tokens": self.tokens,
            "sections": {str(depth): count for depth, count in sorted(self.section_depths.items())},
            "blocks": {
                kind: {"count": count, "tokens": tokens} for kind, count, tokens in self.by_kind
            },
            "section_tokens": dict(doubling(self.section_tokens, BOUNDS)),
            "own_tokens": dict(doubling(self.own_tokens, BOUNDS)),
            "block_tokens": dict(doubling(self.block_tokens, BOUNDS)),
            "largest_tables": [vars(table) for table in self.largest],
        }


def census(document: Document) -> Census:
    """Count the content of one document."""
    source = document.source
    blocks = [block for section in document.root.walk() for block in section.blocks]
    kind_tokens = Counter[str]()
    for block in blocks:
        kind_tokens[block.kind] += block.tokens
    sections = [section for section in document.root.walk() if section.heading is not None]
    return Census(
        documents=1,
        characters=len(source.text),
        lines=source.line_count,
        tokens=document.root.tokens,
        section_depths=_depths(document),
        section_tokens=tuple(section.tokens for section in sections),
        own_tokens=tuple(sum(block.tokens for block in section.blocks) for section in sections),
        kinds=Counter(block.kind for block in blocks),
        kind_tokens=kind_tokens,
        block_tokens=tuple(block.tokens for block in blocks),
        largest_tables=tuple(nlargest(LARGEST, _large_tables(document))),
    )


def _depths(document: Document) -> Counter[int]:
    depths: Counter[int] = Counter()
    layer, depth = document.root.sections, 1
    while layer:
        depths[depth] = len(layer)
        layer, depth = tuple(below for section in layer for below in section.sections), depth + 1
    return depths


def _large_tables(document: Document) -> Iterator[LargeTable]:
    for table in tables_of(document):
        yield LargeTable(
            table.tokens,
            len(table.rows),
            len(table.columns),
            document.tokens.count(*table.header),
            document.source.name,
            document.source.line_at(table.start) + 1,
            table.caption or ", ".join(table.columns),
        )
