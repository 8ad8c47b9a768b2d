"""Blocks and sections, as the audit reads them."""

from dataclasses import dataclass, field

from markdown_it.token import Token

from treepack.laws.reading.html import HtmlRow, HtmlTable


@dataclass(eq=False, slots=True)
class Block:
    """A stretch of whole lines, from its first character that is not blank to its last.

    Attributes:
        kind: heading, paragraph, list, list item, table, row, fence and so on; ``text`` is what
            the parser has no token for, such as link definitions.
        start: First character.
        end: After the last character.
        lines: First line and the line after, from 0.
        children: What it holds: blocks, list items, table rows (the header row is the first).
        token: The parser's token.
        cells: The cells of a row.
        html: What a table written in HTML says of itself.
        row: What a row written in HTML says of itself.
        attributes: The attribute line (``{: title="..."}``) directly under a table.
        top: The block at the top level that holds it.
        holder: The block that directly holds it.
    """

    kind: str
    start: int
    end: int
    lines: tuple[int, int]
    token: Token | None = None
    children: list["Block"] = field(default_factory=list["Block"])
    cells: tuple[str, ...] = ()
    html: HtmlTable | None = None
    row: HtmlRow | None = None
    attributes: str = ""
    top: "Block | None" = None
    holder: "Block | None" = None

    @property
    def is_nested(self) -> bool:
        """Whether it stands in a list, quote or other container."""
        return self.top is not self

    @property
    def containers(self) -> list["Block"]:
        """The items, quotes and other containers around it, from the outermost on."""
        found: list[Block] = []
        block = self.holder
        while block is not None:
            if block.kind not in {"list", "table", "row", "html"}:
                found.append(block)
            block = block.holder
        return found[::-1]


@dataclass(frozen=True, slots=True)
class Title:
    """A title that no mark shows.

    Attributes:
        start: Its first character.
        end: After its last one, an underline included.
        level: The level that it was given, from 1.
        text: What it says.
    """

    start: int
    end: int
    level: int
    text: str


@dataclass(eq=False, slots=True)
class Section:
    """A heading with what is under it, up to the next heading of its level or above.

    Attributes:
        heading: The heading.
        level: 1 to 6, or deeper where it was changed.
        titles: Its plain text, in each way that it can be read.
        start: Where the heading begins.
        end: Where the next section begins that is no part of this one.
        parent: The section that holds it.
    """

    heading: Block
    level: int
    titles: tuple[str, ...]
    start: int
    end: int
    parent: "Section | None"

    @property
    def title(self) -> str:
        """Its plain text."""
        return self.titles[0]

    @property
    def path(self) -> list["Section"]:
        """The sections down to this one, itself included."""
        found: list[Section] = [self]
        while (parent := found[-1].parent) is not None:
            found.append(parent)
        return found[::-1]


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
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
