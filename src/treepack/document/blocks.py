"""The closed union of block kinds, in CommonMark's and GFM's words.

Every block has ``start`` and ``end``, characters of the source, half-open, and ``tokens``, the
exact count of that slice. A block at the top of the document begins where its first line begins
(indentation included); a block inside a list item or quote begins behind the markers. All end
behind their last character that is not blank.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Span: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: ATX, Setext, or an HTML block that is only ``<h1>`` to ``<h6>``.

    Attributes:
        level: 1 to 6.
        text: The plain text, white space folded.
    """

    start: int
    end: int
    tokens: int
    level: int
    text: str
    kind: Literal["heading"] = "heading"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines of text."""

    start: int
    end: int
    tokens: int
    kind: Literal["paragraph"] = "paragraph"


@dataclass(frozen=True, slots=True)
class Image:
    """A paragraph that is only an image."""

    start: int
    end: int
    tokens: int
    kind: Literal["image"] = "image"


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Fenced or indented code.

    Attributes:
        fence: The opening marker such as ``~~~~``; empty for indented code.
        info: What stands behind the opening marker.
        closed: Whether a closing fence ends the block (always false for indented code).
    """

    start: int
    end: int
    tokens: int
    fence: str
    info: str
    closed: bool
    kind: Literal["code"] = "code"


@dataclass(frozen=True, slots=True)
class MathBlock:
    """Display math between two ``$$``."""

    start: int
    end: int
    tokens: int
    kind: Literal["math"] = "math"


@dataclass(frozen=True, slots=True)
class Table:
    """A GFM table, or one in HTML.

    Attributes:
        columns: Plain text of the (last) header row's cells; empty where there are none.
        header: What stands before the first body row: the header row and the delimiter row; in
            HTML all up to the first body row's ``<tr>``.
        rows: One span for each body row, from its first character to its last.
        header_rows: How many header rows there are: 1, in HTML also none or several.
        caption: The caption's plain text; empty where there is none.
        caption_span: Where its wording stands: a paragraph before or behind the table, or the
            title in an attribute line; None where the header holds it, as HTML's ``<caption>``.
        closing: The tags that end a piece cut off behind a row; empty for GFM.
    """

    start: int
    end: int
    tokens: int
    columns: tuple[str, ...]
    header: Span
    rows: tuple[Span, ...]
    header_rows: int = 1
    caption: str = ""
    caption_span: Span | None = None
    closing: str = ""
    kind: Literal["table"] = "table"

    @property
    def is_html(self) -> bool:
        """Whether it is written in HTML."""
        return bool(self.closing)


@dataclass(frozen=True, slots=True)
class HtmlBlock:
    """Raw HTML, comments included."""

    start: int
    end: int
    tokens: int
    kind: Literal["html"] = "html"


@dataclass(frozen=True, slots=True)
class ThematicBreak:
    """A rule such as ``---``."""

    start: int
    end: int
    tokens: int
    kind: Literal["thematic_break"] = "thematic_break"


@dataclass(frozen=True, slots=True)
class LinkDefinition:
    """One or more link reference definitions; markdown-it has no token for them."""

    start: int
    end: int
    tokens: int
    kind: Literal["link_definition"] = "link_definition"


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """YAML or TOML at the top that stays in the text because the settings say so."""

    start: int
    end: int
    tokens: int
    kind: Literal["front_matter"] = "front_matter"


@dataclass(frozen=True, slots=True)
class ListItem:
    """One item of a list.

    Attributes:
        marker: ``-``, ``12.`` and so on.
        width: Columns that further lines of the item are indented by.
        blocks: What the item holds.
    """

    start: int
    end: int
    tokens: int
    marker: str
    width: int
    blocks: tuple["Block", ...]
    kind: Literal["list_item"] = "list_item"


@dataclass(frozen=True, slots=True)
class ListBlock:
    """A bullet list or an ordered list."""

    start: int
    end: int
    tokens: int
    ordered: bool
    items: tuple[ListItem, ...]
    kind: Literal["list"] = "list"


@dataclass(frozen=True, slots=True)
class BlockQuote:
    """A block quote."""

    start: int
    end: int
    tokens: int
    blocks: tuple["Block", ...]
    kind: Literal["quote"] = "quote"


@dataclass(frozen=True, slots=True)
class FootnoteDefinition:
    """``[^label]: text``, with further blocks indented by four columns."""

    start: int
    end: int
    tokens: int
    label: str
    blocks: tuple["Block", ...]
    kind: Literal["footnote"] = "footnote"


@dataclass(frozen=True, slots=True)
class Container:
    """A ``:::`` container or an ``!!!`` admonition.

    Attributes:
        opening: The opening line's span.
        closing: The closing marker of a ``:::`` container; empty where there is none.
        indent: Columns that the content is indented by.
    """

    start: int
    end: int
    tokens: int
    opening: Span
    closing: str
    indent: int
    blocks: tuple["Block", ...]
    kind: Literal["container"] = "container"


Block: TypeAlias = (
    Heading
    | Paragraph
    | Image
    | CodeBlock
    | MathBlock
    | Table
    | HtmlBlock
    | ThematicBreak
    | LinkDefinition
    | FrontMatter
    | ListBlock
    | BlockQuote
    | FootnoteDefinition
    | Container
)


def children(block: Block | ListItem) -> tuple["Block | ListItem", ...]:
    """The blocks (or list items) that a block directly holds, in source order."""
    match block:
        case ListBlock():
            return block.items
        case ListItem() | BlockQuote() | FootnoteDefinition() | Container():
            return block.blocks
        case _:
            return ()
