"""The closed union of block kinds, named as in CommonMark and GFM.

Every block has ``start`` and ``end``, characters of the source, half-open, and ``tokens``, the
exact count of that slice. A top-level block begins where its first line begins (indentation
included); a block inside a list item or quote begins after the markers. All blocks end after
their last non-whitespace character.
"""

from bisect import bisect_right
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from itertools import compress, repeat
from operator import itemgetter
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import BeforeValidator, Field, ValidationInfo, field_serializer

Span: TypeAlias = tuple[int, int]
Count: TypeAlias = Callable[[int, int], int]
"""Exact token count of a slice: ``count(start, end)``."""
Evidence: TypeAlias = Literal[
    "mark", "number", "contents", "bold", "underline", "title", "font", "pattern"
]
"""What shows that a line is a heading: its own markup; its number, which continues the numbers of
other headings; the table of contents; bold type; an underline;
its words and position; its font, as the reader saw it; a user's pattern.
"""
LONGEST_TITLE: Final = 1000
"""Characters of a heading's plain text; the longest titles of laws have about 600."""


def _counter_of_document(_tokens: object, info: ValidationInfo) -> Count:
    """Return the counter of a stretch that is read from JSON; the document provides it.

    Raises:
        ValueError: The stretch is not in the text.
    """
    assert info.context is not None, "the document passes its counter and its length"
    start, end, length = info.data.get("start", 0), info.data.get("end", 0), info.context["length"]
    if not 0 <= start <= end <= length:
        msg = f"the span {start}:{end} is not within the text, 0:{length}"
        raise ValueError(msg)
    count: Count = info.context["count"]
    return count


@dataclass(slots=True, unsafe_hash=True)  # frozen costs four times as much to make
class Stretch:
    """A stretch of the source that can count its tokens.

    Tokens are counted when they are requested, because most never are. ``count`` counts any slice
    of the source; JSON has the stretch's token count instead.
    """

    start: int
    end: int
    count: Annotated[Count, BeforeValidator(_counter_of_document), Field(alias="tokens")] = field(
        repr=False, compare=False
    )

    @property
    def tokens(self) -> int:
        """Exact count of the stretch."""
        return self.count(self.start, self.end)

    @field_serializer("count")
    def _serialized_tokens(self, _count: object) -> int:
        return self.tokens


@dataclass(slots=True, unsafe_hash=True)  # frozen costs four times as much to make
class Heading(Stretch):
    """A heading: ATX, Setext, an HTML block that is only ``<h1>`` to ``<h6>``, or a found title.

    A heading without markup spans the lines on which it is printed. The level may be above 6 if it
    was changed or the title found. The text is plain, with whitespace collapsed; one longer than
    `LONGEST_TITLE` is cut to its first words, because each chunk below stores it.
    """

    level: int
    text: str
    evidence: Evidence = "mark"
    kind: Literal["heading"] = "heading"


@dataclass(slots=True, unsafe_hash=True)  # frozen costs four times as much to make
class Paragraph(Stretch):
    """Lines of text; with a meaningful layout, such as columns, they are cut at line ends only."""

    is_laid_out: bool = False
    kind: Literal["paragraph"] = "paragraph"


@dataclass(slots=True, unsafe_hash=True)  # frozen costs four times as much to make
class Image(Stretch):
    """A paragraph that is only an image."""

    kind: Literal["image"] = "image"


@dataclass(slots=True, unsafe_hash=True)  # frozen costs four times as much to make
class CodeBlock(Stretch):
    """Fenced or indented code.

    ``fence`` is the opening marker such as ``~~~~``, ``info`` the text after it, and ``closed``
    whether a closing fence ends the block. Indented code has none of these.
    """

    fence: str
    info: str
    closed: bool
    kind: Literal["code"] = "code"


@dataclass(slots=True, unsafe_hash=True)  # frozen costs four times as much to make
class MathBlock(Stretch):
    """Display math between two ``$$``."""

    kind: Literal["math"] = "math"


@dataclass(slots=True, unsafe_hash=True)  # frozen costs four times as much to make
class Table(Stretch):
    """A GFM table, or an HTML table.

    Attributes:
        columns: Plain text of the (last) header row's cells; empty without a header.
        header: The span before the first body row: the header row and the delimiter row. In HTML,
            everything up to the first body row's ``<tr>``.
        rows: One span for each body row, from its first character to its last.
        header_rows: The number of header rows: 1, or in HTML any number.
        caption: The caption's plain text; empty without a caption.
        caption_span: The span of the caption's words: a paragraph before or after the table, or
            the title in an attribute line. None if there is no caption, or if the table's own
            markup contains it, like HTML's ``<caption>``.
        closing: The tags that close a piece that ends after a row; empty for GFM.
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
        """Whether the table is written in HTML."""
        return bool(self.closing)


@dataclass(slots=True, unsafe_hash=True)  # frozen costs four times as much to make
class HtmlBlock(Stretch):
    """Raw HTML, comments included."""

    kind: Literal["html"] = "html"


@dataclass(slots=True, unsafe_hash=True)  # frozen costs four times as much to make
class ThematicBreak(Stretch):
    """A rule such as ``---``."""

    kind: Literal["thematic_break"] = "thematic_break"


@dataclass(slots=True, unsafe_hash=True)  # frozen costs four times as much to make
class LinkDefinition(Stretch):
    """One or more link reference definitions; markdown-it has no token for them."""

    kind: Literal["link_definition"] = "link_definition"


@dataclass(slots=True, unsafe_hash=True)  # frozen costs four times as much to make
class FrontMatter(Stretch):
    """YAML or TOML at the top, kept in the text by the settings or because it cannot be read."""

    kind: Literal["front_matter"] = "front_matter"


@dataclass(slots=True, unsafe_hash=True)  # frozen costs four times as much to make
class ListItem(Stretch):
    """One item of a list, whose further lines are indented by ``width`` columns.

    The marker is empty for items of plain text whose first line is outdented.
    """

    marker: str
    width: int
    blocks: tuple["Block", ...]
    kind: Literal["list_item"] = "list_item"


@dataclass(slots=True, unsafe_hash=True)  # frozen costs four times as much to make
class ListBlock(Stretch):
    """A bullet list or an ordered list."""

    ordered: bool
    items: tuple[ListItem, ...]
    kind: Literal["list"] = "list"


@dataclass(slots=True, unsafe_hash=True)  # frozen costs four times as much to make
class BlockQuote(Stretch):
    """A block quote."""

    blocks: tuple["Block", ...]
    kind: Literal["quote"] = "quote"


@dataclass(slots=True, unsafe_hash=True)  # frozen costs four times as much to make
class FootnoteDefinition(Stretch):
    """``[^label]: text``; further blocks are indented by four columns."""

    label: str
    blocks: tuple["Block", ...]
    kind: Literal["footnote"] = "footnote"


@dataclass(slots=True, unsafe_hash=True)  # frozen costs four times as much to make
class Container(Stretch):
    """A ``:::`` container or an ``!!!`` admonition, with the span of its opening line.

    ``closing`` is the closing marker of a ``:::`` container, or empty; the content is indented by
    ``indent`` columns.
    """

    opening: Span
    closing: str
    indent: int
    blocks: tuple["Block", ...]
    kind: Literal["container"] = "container"


Block: TypeAlias = Annotated[
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
    | Container,
    # Without the discriminator, pydantic tries each kind for each block, at every nesting level.
    Field(discriminator="kind"),
]

_LEAVES: Final = frozenset({"paragraph", "heading", "code", "table"})


def children(block: Block | ListItem) -> tuple["Block | ListItem", ...]:
    """Return the blocks (or list items) directly inside a block, in source order."""
    return tuple(all_children((block,)))


def indexes_of(
    kinds: type[Stretch] | tuple[type[Stretch], ...], blocks: Sequence[Block | ListItem]
) -> list[int]:
    """Return the indexes of the blocks of some kinds, without a Python loop over the blocks."""
    return [*compress(range(len(blocks)), map(isinstance, blocks, repeat(kinds)))]


def all_children(blocks: Sequence[Block | ListItem]) -> list[Block | ListItem]:
    """Return the blocks (or list items) directly inside some blocks, in source order."""
    inner: list[Block | ListItem] = []
    for block in blocks:
        if block.kind in _LEAVES:  # the common case
            continue
        match block.kind:
            case "list":
                inner += block.items
            case "list_item" | "quote" | "footnote" | "container":
                inner += block.blocks
            case _:
                pass
    return inner


def code_spans(blocks: Sequence[Block]) -> list[Span]:
    """Return the sorted spans of code blocks, also inside lists and quotes."""
    return spans_of(frozenset({"code"}), blocks)


def spans_of(kinds: Collection[str], blocks: Sequence[Block]) -> list[Span]:
    """Return the sorted spans of the blocks of some kinds, also inside lists and quotes."""
    spans: list[Span] = []
    level: Sequence[Block | ListItem] = blocks
    while level:
        spans += [(block.start, block.end) for block in level if block.kind in kinds]
        level = all_children(level)
    return sorted(spans)


def is_inside(offset: int, spans: Sequence[Span]) -> bool:
    """Whether an offset is inside one of the spans, which are sorted and do not overlap."""
    index = bisect_right(spans, offset, key=itemgetter(0)) - 1
    return index >= 0 and offset < spans[index][1]
