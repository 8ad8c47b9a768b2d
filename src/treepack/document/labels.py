"""The labels of a section's own content: of paragraphs, of list items; and what ends them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from treepack.document.blocks import (
    Block,
    CodeBlock,
    Container,
    ListBlock,
    ListItem,
    Paragraph,
    Table,
)
from treepack.document.clause_number import ClauseNumber
from treepack.document.clauses import LOOKED_AT, parse_clause

if TYPE_CHECKING:
    from treepack.document.tree import Section


@dataclass(slots=True)
class Label:
    """A label in a text, before it is known what it belongs to.

    Attributes:
        start: Where the paragraph or list item begins.
        number: The label.
        depth: How many list items it stands in.
        limit: Where its list item, or the section's own content, ends.
    """

    start: int
    number: ClauseNumber
    depth: int
    limit: int


LabelItem: TypeAlias = Label | Table | int
"""A label, a table that may be one of requirements, or the offset of a closing formula."""

# A law's closing formula: what follows are signatures and notes, up to the annexes.
_CLOSING: Final = re.compile(r"(?:Done|Signed) at [A-Z]|Geschehen zu |Fait à |Hecho en ")
_CLOSING_LETTERS: Final = frozenset("DSGFH")
_POINT: Final = re.compile(r"^[ ]{4,5}(?P<point>\(?\w{1,3}\)[ \t]+\S.{0,40})", re.MULTILINE)


def own_end(section: "Section") -> int:
    """Where a section's own content ends."""
    return section.sections[0].start if section.sections else section.end


def labels_of(
    text: str, blocks: Sequence[Block | ListItem], limit: int, depth: int = 0
) -> Iterator[LabelItem]:
    """The labels of some blocks, in source order; quotes and footnotes have none of their own.

    Args:
        text: The source.
        blocks: The blocks.
        limit: Where the content ends that they belong to.
        depth: How many list items they stand in.
    """
    for block in blocks:
        match block:
            case Paragraph():
                yield from _of_paragraph(text, block, limit, depth)
            case Table():
                yield block
            case ListBlock():
                yield from labels_of(text, block.items, limit, depth)
            case ListItem():
                if block.marker[0].isdigit():
                    # What stands behind an empty item is its own.
                    end = block.end if block.blocks else limit
                    yield Label(block.start, _marker_number(block.marker), depth, end)
                yield from labels_of(text, block.blocks, block.end, depth + 1)
            case Container():
                yield from labels_of(text, block.blocks, limit, depth)
            case CodeBlock(fence=""):
                yield from _points(text, block, limit, depth)
            case _:
                pass


def _of_paragraph(text: str, block: Paragraph, limit: int, depth: int) -> Iterator[LabelItem]:
    start = block.start
    if text[start] in _CLOSING_LETTERS and _CLOSING.match(text, start):
        yield start
    number = parse_clause(text[start : min(block.end, start + LOOKED_AT)], "text")
    if number:
        yield Label(start, number, depth, limit)


def _points(text: str, block: CodeBlock, limit: int, depth: int) -> Iterator[Label]:
    """Points below a clause whose label is no list marker to markdown, as ``5a.`` in German law.

    They are indented as in a list item, so markdown takes them for code.
    """
    for line in _POINT.finditer(text, block.start, block.end):
        number = parse_clause(line["point"], "text")
        if number and number.is_relative:
            yield Label(line.start("point"), number, depth + 1, limit)


def _marker_number(marker: str) -> ClauseNumber:
    """A list item's marker as a label: ``1.`` or ``1)``."""
    digits = marker[:-1]
    return ClauseNumber("paragraph", digits if marker[-1] == "." else marker, (digits,))
