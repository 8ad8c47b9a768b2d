"""The closed union of block kinds, in CommonMark's and GFM's words.

Every block has ``start`` and ``end``, characters of the source, half-open, and ``tokens``, the
exact count of that slice. A block at the top of the document begins where its first line begins
(indentation included); a block inside a list item or quote begins behind the markers. All end
behind their last character that is not blank.
"""

from collections.abc import Callable
from dataclasses import field
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import BeforeValidator, Field, ValidationInfo, field_serializer

from treepack.values import value

Span: TypeAlias = tuple[int, int]
Count: TypeAlias = Callable[[int, int], int]
"""Exact token count of a slice: ``count(start, end)``."""
LONGEST_TITLE: Final = 1000
"""Characters of a heading's plain text; the longest titles of laws have some 600."""


def _count_at_hand(_tokens: object, info: ValidationInfo) -> Count:
    """What a stretch counts by when it is read from JSON: the document knows."""
    assert info.context is not None, "a document reads its stretches"
    count: Count = info.context["count"]
    return count


@value
class Stretch:
    """A stretch of the source that can count its tokens.

    Few are ever asked, so the tokens are counted when they are.

    Attributes:
        start: Its first character.
        end: Behind its last character.
        count: Counts any slice of the source. In JSON, the stretch's tokens stand for it.
    """

    start: int
    end: int
    count: Annotated[Count, BeforeValidator(_count_at_hand), Field(alias="tokens")] = field(
        repr=False, compare=False
    )

    @property
    def tokens(self) -> int:
        """Exact count of the stretch."""
        return self.count(self.start, self.end)

    @field_serializer("count")
    def _written(self, _count: object) -> int:
        return self.tokens


@value
class Heading(Stretch):
    """A heading: ATX, Setext, or an HTML block that is only ``<h1>`` to ``<h6>``.

    Attributes:
        level: 1 to 6.
        text: The plain text, white space folded; of a text longer than `LONGEST_TITLE` the first
            words, with an ellipsis. It stands in the record of each chunk below.
    """

    level: int
    text: str
    kind: Literal["heading"] = "heading"


@value
class Paragraph(Stretch):
    """Lines of text."""

    kind: Literal["paragraph"] = "paragraph"


@value
class Image(Stretch):
    """A paragraph that is only an image."""

    kind: Literal["image"] = "image"


@value
class CodeBlock(Stretch):
    """Fenced or indented code.

    Attributes:
        fence: The opening marker such as ``~~~~``; empty for indented code.
        info: What stands behind the opening marker.
        closed: Whether a closing fence ends the block (always false for indented code).
    """

    fence: str
    info: str
    closed: bool
    kind: Literal["code"] = "code"


@value
class MathBlock(Stretch):
    """Display math between two ``$$``."""

    kind: Literal["math"] = "math"


@value
class Table(Stretch):
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


@value
class HtmlBlock(Stretch):
    """Raw HTML, comments included."""

    kind: Literal["html"] = "html"


@value
class ThematicBreak(Stretch):
    """A rule such as ``---``."""

    kind: Literal["thematic_break"] = "thematic_break"


@value
class LinkDefinition(Stretch):
    """One or more link reference definitions; markdown-it has no token for them."""

    kind: Literal["link_definition"] = "link_definition"


@value
class FrontMatter(Stretch):
    """YAML or TOML at the top that stays in the text because the settings say so."""

    kind: Literal["front_matter"] = "front_matter"


@value
class ListItem(Stretch):
    """One item of a list.

    Attributes:
        marker: ``-``, ``12.`` and so on.
        width: Columns that further lines of the item are indented by.
        blocks: What the item holds.
    """

    marker: str
    width: int
    blocks: tuple["Block", ...]
    kind: Literal["list_item"] = "list_item"


@value
class ListBlock(Stretch):
    """A bullet list or an ordered list."""

    ordered: bool
    items: tuple[ListItem, ...]
    kind: Literal["list"] = "list"


@value
class BlockQuote(Stretch):
    """A block quote."""

    blocks: tuple["Block", ...]
    kind: Literal["quote"] = "quote"


@value
class FootnoteDefinition(Stretch):
    """``[^label]: text``, with further blocks indented by four columns."""

    label: str
    blocks: tuple["Block", ...]
    kind: Literal["footnote"] = "footnote"


@value
class Container(Stretch):
    """A ``:::`` container or an ``!!!`` admonition.

    Attributes:
        opening: The opening line's span.
        closing: The closing marker of a ``:::`` container; empty where there is none.
        indent: Columns that the content is indented by.
    """

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
