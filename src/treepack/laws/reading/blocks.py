"""Blocks and sections as the checks see them: a tree with links to holders and previous blocks."""

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
class AuditBlock:
    """A block, from its first to its last character that is not whitespace.

    Attributes:
        kind: heading, paragraph, list, list item, table, row, fence and so on. ``lines`` is text
            whose layout in lines has a meaning, ``code`` is indented code.
        start: First character.
        end: After the last character.
        node: The document's block or list item; None for a row.
        children: What it holds: blocks, list items, table rows (the header is the first).
        holder: The block that directly holds it.
        before: The previous block in the same holder.
    """

    kind: str
    start: int
    end: int
    node: Node | None
    children: list["AuditBlock"] = field(default_factory=list["AuditBlock"])
    holder: "AuditBlock | None" = None
    before: "AuditBlock | None" = None

    @property
    def top(self) -> "AuditBlock":
        """The block at the top level that holds it."""
        block = self
        while block.holder is not None:
            block = block.holder
        return block

    @property
    def containers(self) -> list["AuditBlock"]:
        """The items, quotes and other containers around it, outermost first."""
        containers: list[AuditBlock] = []
        block = self.holder
        while block is not None:
            if block.kind not in {"list", "table"}:
                containers.append(block)
            block = block.holder
        return containers[::-1]

    @property
    def table(self) -> model.Table:
        """The document's table, for a table block or for one of its rows."""
        node = self.node or (self.holder and self.holder.node)
        assert isinstance(node, model.Table), "asked only of tables and rows"
        return node


def linked(text: str, nodes: Sequence[Node], holder: AuditBlock | None = None) -> list[AuditBlock]:
    """Return the blocks of one level for the checks, with all blocks that they hold."""
    blocks: list[AuditBlock] = []
    for node in nodes:
        start, end = trimmed(text, node.start, node.end)
        before = blocks[-1] if blocks else None
        block = AuditBlock(_kind(node, holder), start, end, node, holder=holder, before=before)
        if isinstance(node, model.Table):
            spans = [trimmed(text, *node.header), *(trimmed(text, *row) for row in node.rows)]
            block.children = [AuditBlock("row", *span, None, holder=block) for span in spans]
        elif inner := model.children(node):
            block.children = linked(text, inner, block)
        blocks.append(block)
    return blocks


def _kind(node: Node, holder: AuditBlock | None) -> str:
    if isinstance(node, model.Heading):
        return "nested heading" if holder else "heading"
    if isinstance(node, model.CodeBlock):
        return "fence" if node.fence else "code"
    if isinstance(node, model.Paragraph) and node.is_laid_out:
        return "lines"
    return _KINDS[type(node)]


@dataclass(eq=False, slots=True)
class AuditSection:
    """A heading with what is under it, up to the next heading of its level or above.

    Attributes:
        heading: The heading.
        level: 1 to 6, or deeper if it was changed.
        title: Its plain text.
        start: Where the heading begins.
        end: Where the next section begins that is not part of this one, or the text ends.
        parent: The section that holds it, or None.
    """

    heading: AuditBlock
    level: int
    title: str
    start: int
    end: int
    parent: "AuditSection | None"

    @property
    def path(self) -> list["AuditSection"]:
        """The sections down to this one, itself included."""
        sections: list[AuditSection] = [self]
        while (parent := sections[-1].parent) is not None:
            sections.append(parent)
        return sections[::-1]


def trimmed(text: str, start: int, end: int) -> Span:
    """Return a span without whitespace at its ends; empty at its start if all is whitespace."""
    last = end - text.startswith("\n", end - 1)
    if start < last and not (text[start].isspace() or text[last - 1].isspace()):
        return start, last  # the common case
    span_text = text[start:end]
    stripped = span_text.strip()
    if not stripped:
        return start, start
    start += len(span_text) - len(span_text.lstrip())
    return start, start + len(stripped)
