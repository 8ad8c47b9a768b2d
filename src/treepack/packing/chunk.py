"""The chunk record: what packing hands out, and its public form as JSON lines."""

import functools
from typing import Any, ClassVar, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from treepack.document.outline import OutlineChange as OutlineChange  # noqa: PLC0414 - of the record

Role = Literal[
    "body", "heading", "caption", "table_header", "fence", "overlap", "definition", "glue"
]
Span = tuple[int, int]

_SHAPES: Final = 32
"""Sets of field names that are remembered, at most; packing makes fewer kinds of record."""

_new: Final = object.__new__
_set: Final = object.__setattr__  # a frozen record refuses its own


class Record(BaseModel):
    """A frozen value that is complete when made."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    _defaults: ClassVar[dict[str, Any]] = {}
    """Each field, in order, with its default; None where it has none or makes it."""

    @classmethod
    def __pydantic_init_subclass__(cls, **_: object) -> None:
        cls._defaults = {
            name: None if field.is_required() or field.default_factory else field.default
            for name, field in cls.model_fields.items()
        }

    @classmethod
    def trusted(cls, **values: Any) -> Self:  # noqa: ANN401 - of each field its own type
        """A record of values that are known to be right, which nothing checks.

        Equal in all to what validating the values gives, and to what `model_construct` gives, in
        two fifths of its time: that asks each field for aliases. Records given the same fields
        share the set of their names, which takes as much memory as the text of a chunk.

        Args:
            values: All fields that have no default, or whose default is made anew for each record.
        """
        record = _new(cls)
        _set(record, "__dict__", cls._defaults | values)
        _set(record, "__pydantic_fields_set__", _names(*values))
        _set(record, "__pydantic_extra__", None)
        _set(record, "__pydantic_private__", None)
        return record


@functools.lru_cache(_SHAPES)
def _names(*names: str) -> set[str]:
    return set(names)


class Segment(Record):
    """A stretch of a chunk's text.

    Attributes:
        role: ``body`` is the chunk's own share of the source; all other roles are context.
        text: The characters.
        span: Where the text stands in the source, in characters, half-open; None where synthetic.
    """

    role: Role
    text: str
    span: Span | None = None


class Skipped(Record):
    """Source text that stands in no chunk, and why: front matter made metadata, page marks."""

    span: Span
    reason: str


class TableSlice(Record):
    """Which rows of which table a chunk holds; rows count from 1, header rows apart.

    Attributes:
        id: Stable across runs and across edits elsewhere in the document.
        caption: The table's caption, or None.
        columns: The plain text of the header cells (of the last header row).
        header_rows: How many header rows the table has.
        row_start: First row in this chunk.
        row_end: Last row in this chunk.
        row_count: Rows of the whole table.
        part: Which piece of the table this is, from 1.
        parts: How many pieces the table was cut into.
        cell_part: Which piece of a single row this is, from 1, when a row had to be cut.
    """

    id: str
    caption: str | None = None
    columns: tuple[str, ...] = ()
    header_rows: int = 1
    row_start: int
    row_end: int
    row_count: int
    part: int = 1
    parts: int = 1
    cell_part: int | None = None


class Reference(Record):
    """A cross-reference found in the text."""

    text: str
    kind: str
    target: str
    section_id: str | None = None


class Chunk(Record):
    """One chunk. Offsets are characters of the source, half-open; lines count from 1.

    Attributes:
        id: UUID from document name, heading path, body and occurrence; nothing positional.
        document: Name of the source; empty when it has none.
        index: Place in the document's chunks, from 0.
        text: What a framework stores as content; the segments' texts put together.
        segments: The parts of the text with role and source span.
        breadcrumb: Document name (if it has one) and the headings down to the deepest section
            that holds everything in the chunk, as plain text.
        embed_text: Breadcrumb line (entries whose heading is not in the text), a blank line, the
            text; the cap counts this.
        lexical_text: The body without repeated context, for word search.
        token_count: Tokens of ``text``.
        embed_token_count: Tokens of ``embed_text``.
        content_hash: SHA-256 of ``text``, in hex.
        kinds: Of text, table, list, code, figure, math, quote, html: what the chunk holds.
        clause_number: Deepest clause that holds the chunk.
        clause_path: The path down to it.
        clauses: All clauses that start in the chunk.
        clause_continued: Deepest clause in whose middle the chunk begins, as 12(3) where it goes on
            to 12(4); None where it begins with a clause, or outside of any.
        tables: The tables, or parts of tables, in the chunk.
        references: Cross-references in the chunk.
        pages: Pages of the body.
        lines: First and last line of the body, from 1.
        sections: Breadcrumbs of the whole sections inside.
        parent_id: The parent chunk, when packed in levels.
        level: 0 for the coarsest level.
        overlap_tokens: Tokens of the overlap at the beginning.
        has_overlap: Whether there is any.
        oversize: True only for a block above the cap that the settings say to keep.
        skipped: What was left out between the previous chunk's body and the end of this one's;
            the last chunk also lists what follows it.
        metadata: The document's own metadata.
        outline_changes: In the document's first chunk, its headings that did not keep the level
            they have in the source, each with the reason; empty in all others. Only with them can
            breadcrumbs be held against the source.
    """

    id: str
    document: str = ""
    index: int
    text: str
    segments: tuple[Segment, ...]
    breadcrumb: tuple[str, ...] = ()
    embed_text: str
    lexical_text: str
    token_count: int
    embed_token_count: int
    content_hash: str
    kinds: tuple[str, ...] = ()
    clause_number: str | None = None
    clause_path: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    clause_continued: str | None = None
    tables: tuple[TableSlice, ...] = ()
    references: tuple[Reference, ...] = ()
    pages: tuple[int, ...] = ()
    lines: tuple[int, int]
    sections: tuple[tuple[str, ...], ...] = ()
    parent_id: str | None = None
    level: int = 0
    overlap_tokens: int = 0
    has_overlap: bool = False
    oversize: bool = False
    skipped: tuple[Skipped, ...] = ()
    metadata: dict[str, Any] = Field(default_factory=dict[str, Any])
    outline_changes: tuple[OutlineChange, ...] = ()
