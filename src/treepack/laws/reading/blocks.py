"""Blocks and sections, as the checks look at them: a tree with links to what stands around."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import treepack.model.blocks as model
from treepack.model.blocks import Span

Node: TypeAlias = model.Block | model.ListItem

_KINDS: Final[dict[type, str]] = {
    model.Paragraph: "paragraph",
    model.Image: "paragraph",
    model.ListBlock: "list",
    model.ListItem: "list item",
    model.BlockQuote: "quote",
    model.FootnoteDefinition: "footnote",
    model.Container: "container",
    model.Table: "table",
    model.MathBlock: "math",
    model.HtmlBlock: "html",
    model.ThematicBreak: "rule",
    model.LinkDefinition: "definitions",
    model.FrontMatter: "front matter",
}


@dataclass(eq=False, slots=True)
class Block:
    """A block from its first character that is not blank to its last.

    Attributes:
        kind: heading, paragraph, list, list item, table, row, fence and so on. ``lines`` is text
            whose lines say something, ``code`` is indented code.
        start: First character.
        end: After the last character.
        node: What the document says of it; a row has none.
        children: What it holds: blocks, list items, table rows (the header is the first).
        holder: The block that directly holds it.
        before: The block before it, of the same level.
    """

    kind: str
    start: int
    end: int
    node: Node | None
    children: list["Block"] = field(default_factory=list["Block"])
    holder: "Block | None" = None
    before: "Block | None" = None

    @property
    def top(self) -> "Block":
        """The block at the top level that holds it."""
        block = self
        while block.holder is not None:
            block = block.holder
        return block

    @property
    def containers(self) -> list["Block"]:
        """The items, quotes and other containers around it, from the outermost on."""
        found: list[Block] = []
        block = self.holder
        while block is not None:
            if block.kind not in {"list", "table"}:
                found.append(block)
            block = block.holder
        return found[::-1]

    @property
    def table(self) -> model.Table:
        """What the document says of a table, or of the table that a row belongs to."""
        node = self.node or (self.holder and self.holder.node)
        assert isinstance(node, model.Table), "asked only of tables and rows"
        return node

    @property
    def header_end(self) -> int:
        """Where an opening line ends that is no block of its own; its start if there is none."""
        return self.node.opening[1] if isinstance(self.node, model.Container) else self.start


def linked(text: str, nodes: Sequence[Node], holder: Block | None = None) -> list[Block]:
    """The blocks of one level, and all that they hold, for the checks."""
    found: list[Block] = []
    for node in nodes:
        start, end = trimmed(text, node.start, node.end)
        before = found[-1] if found else None
        block = Block(_kind(node, holder), start, end, node, holder=holder, before=before)
        if isinstance(node, model.Table):
            spans = [trimmed(text, *node.header), *(trimmed(text, *row) for row in node.rows)]
            block.children = [Block("row", *span, None, holder=block) for span in spans]
        elif inner := model.children(node):
            block.children = linked(text, inner, block)
        found.append(block)
    return found


def _kind(node: Node, holder: Block | None) -> str:
    if isinstance(node, model.Heading):
        return "nested heading" if holder else "heading"
    if isinstance(node, model.CodeBlock):
        return "fence" if node.fence else "code"
    if isinstance(node, model.Paragraph) and node.is_laid_out:
        return "lines"
    return _KINDS[type(node)]


@dataclass(eq=False, slots=True)
class Section:
    """A heading with what is under it, up to the next heading of its level or above.

    Attributes:
        heading: The heading.
        level: 1 to 6, or deeper where it was changed.
        title: Its plain text.
        start: Where the heading begins.
        end: Where the next section begins that is no part of this one.
        parent: The section that holds it.
    """

    heading: Block
    level: int
    title: str
    start: int
    end: int
    parent: "Section | None"

    @property
    def path(self) -> list["Section"]:
        """The sections down to this one, itself included."""
        found: list[Section] = [self]
        while (parent := found[-1].parent) is not None:
            found.append(parent)
        return found[::-1]


def trimmed(text: str, start: int, end: int) -> Span:
    """A span without the blank characters at its ends; empty at its start if all are blank."""
    last = end - text.startswith("\n", end - 1)
    if start < last and not (text[start].isspace() or text[last - 1].isspace()):
        return start, last  # most often
    piece = text[start:end]
    solid = piece.strip()
    if not solid:
        return start, start
    start += len(piece) - len(piece.lstrip())
    return start, start + len(solid)
