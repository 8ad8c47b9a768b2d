"""What documents consist of before they are cut, to help choose sizes."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from heapq import nlargest
from typing import Any, Final

from treepack.document.document import Document
from treepack.model.blocks import Block, ListItem, Table, children
from treepack.report.histogram import doubling

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
        depths: The number of sections at each depth, from 1.
        sections: Tokens of each section with its sub-sections.
        own: Tokens of each section without its sub-sections.
        kinds: For each kind of top-level block, the number of blocks and their tokens.
        blocks: Tokens of each top-level block.
        tables: The largest tables, largest first.
    """

    documents: int = 0
    characters: int = 0
    lines: int = 0
    tokens: int = 0
    depths: Counter[int] = field(default_factory=Counter[int])
    sections: tuple[int, ...] = ()
    own: tuple[int, ...] = ()
    kinds: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    blocks: tuple[int, ...] = ()
    tables: tuple[LargeTable, ...] = ()

    def summary(self) -> dict[str, Any]:
        """Return the census as plain values, for JSON."""
        return {
            "documents": self.documents,
            "characters": self.characters,
            "lines": self.lines,
            "tokens": self.tokens,
            "sections": {str(depth): count for depth, count in sorted(self.depths.items())},
            "blocks": {
                kind: {"count": count, "tokens": tokens}
                for kind, (count, tokens) in self.kinds.items()
            },
            "section_tokens": dict(doubling(self.sections, BOUNDS)),
            "own_tokens": dict(doubling(self.own, BOUNDS)),
            "block_tokens": dict(doubling(self.blocks, BOUNDS)),
            "largest_tables": [vars(table) for table in self.tables],
        }


def census(document: Document) -> Census:
    """Count the content of one document."""
    source = document.source
    blocks = [block for section in document.root.walk() for block in section.blocks]
    depths = _depths(document)
    kinds: dict[str, tuple[int, int]] = {}
    for block in blocks:
        count, tokens = kinds.get(block.kind, (0, 0))
        kinds[block.kind] = (count + 1, tokens + block.tokens)
    sections = [section for section in document.root.walk() if section.heading is not None]
    return Census(
        documents=1,
        characters=len(source.text),
        lines=source.line_count,
        tokens=document.root.tokens,
        depths=depths,
        sections=tuple(section.tokens for section in sections),
        own=tuple(sum(block.tokens for block in section.blocks) for section in sections),
        kinds=_by_tokens(kinds),
        blocks=tuple(block.tokens for block in blocks),
        tables=_largest(table for block in blocks for table in _tables(block, document)),
    )


def merged(every: Iterable[Census]) -> Census:
    """Combine the censuses of several documents."""
    found = list(every)
    depths: Counter[int] = Counter()
    kinds: dict[str, tuple[int, int]] = {}
    for each in found:
        depths.update(each.depths)
        for kind, (count, tokens) in each.kinds.items():
            known = kinds.get(kind, (0, 0))
            kinds[kind] = (known[0] + count, known[1] + tokens)
    return Census(
        documents=sum(each.documents for each in found),
        characters=sum(each.characters for each in found),
        lines=sum(each.lines for each in found),
        tokens=sum(each.tokens for each in found),
        depths=depths,
        sections=tuple(tokens for each in found for tokens in each.sections),
        own=tuple(tokens for each in found for tokens in each.own),
        kinds=_by_tokens(kinds),
        blocks=tuple(tokens for each in found for tokens in each.blocks),
        tables=_largest(table for each in found for table in each.tables),
    )


def _depths(document: Document) -> Counter[int]:
    depths: Counter[int] = Counter()
    layer, depth = document.root.sections, 1
    while layer:
        depths[depth] = len(layer)
        layer, depth = tuple(below for section in layer for below in section.sections), depth + 1
    return depths


def _tables(block: Block | ListItem, document: Document) -> Iterable[LargeTable]:
    if isinstance(block, Table):
        yield LargeTable(
            block.tokens,
            len(block.rows),
            len(block.columns),
            document.tokens.count(*block.header),
            document.source.name,
            document.source.line_at(block.start) + 1,
            block.caption or ", ".join(block.columns),
        )
    for child in children(block):
        yield from _tables(child, document)


def _largest(tables: Iterable[LargeTable]) -> tuple[LargeTable, ...]:
    return tuple(nlargest(LARGEST, tables))


def _by_tokens(kinds: dict[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """Return the kinds, those with the most tokens first."""
    return dict(sorted(kinds.items(), key=lambda each: (-each[1][1], each[0])))
