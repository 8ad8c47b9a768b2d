"""The chunk record that packing returns, which is also its public form in JSON lines."""

from typing import Annotated, Any, ClassVar, Final, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
)

from treepack.display import counted, one_line
from treepack.model.blocks import Span
from treepack.model.outline_change import OutlineChange

Role = Literal["body", "heading", "caption", "table_header", "fence", "overlap", "glue"]

_MAX_SHOWN: Final = 60
"""Most characters of the breadcrumb, and of the text, in the short form of a chunk."""

_new: Final = object.__new__
_set: Final = object.__setattr__  # a frozen record's own method raises an error


class Record(BaseModel):
    """An immutable value; all its fields are set when it is made."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    defaults: ClassVar[dict[str, Any]] = {}
    """Each field in order, with its default; None if it has no fixed default."""
    _field_names: ClassVar[set[str]] = set()
    """All field names; records share this set, which takes as much memory as a chunk's text."""

    @classmethod
    def __pydantic_init_subclass__(cls, **_: object) -> None:
        cls.defaults = {
            name: None if field.is_required() or field.default_factory else field.default
            for name, field in cls.model_fields.items()
        }
        cls._field_names = set(cls.defaults)

    @classmethod
    def trusted(cls, **values: Any) -> Self:  # noqa: ANN401 - of each field its own type
        """Make a record of valid values, in a third of the time of `model_construct`.

        They must have all fields without a default, or with a ``default_factory``.
        """
        return cls.complete(cls.defaults | values)

    @classmethod
    def complete(cls, fields: dict[str, Any]) -> Self:
        """Make a record from the values of all fields, in their order; see `trusted`."""
        record = _new(cls)
        _set(record, "__dict__", fields)
        _set(record, "__pydantic_fields_set__", cls._field_names)
        _set(record, "__pydantic_extra__", None)
        _set(record, "__pydantic_private__", None)
        return record


class Segment(Record):
    """A stretch of a chunk's text.

    The role ``body`` is the chunk's own share of the source; all other roles are context. The span
    is in characters of the source, half-open; None if the text is synthetic.
    """

    role: Role
    text: str
    span: Span | None = None

    @classmethod
    def of(cls, role: Role, text: str, span: Span | None = None) -> Self:
        """Make a segment from values that are known to be valid; see `Record.trusted`."""
        return cls.complete({"role": role, "text": text, "span": span})


class Skipped(Record):
    """Source text that is in no chunk, and why: front matter used as metadata, page marks.

    An empty span shows where a reader left something out, such as the running headers of a PDF's
    pages; the reason names it.
    """

    span: Span
    reason: str


def _false_if_missing(value: object) -> object:
    """Read a field that is only written if it is true: Arrow has a null in its place."""
    return False if value is None else value


class TableSlice(Record):
    """The rows of a table that a chunk contains; rows count from 1, without header rows.

    Attributes:
        id: Stable across runs and across edits elsewhere in the document.
        columns: The plain text of the header cells (of the last header row).
        row_start: First row in this chunk.
        row_end: Last row in this chunk.
        row_count: The number of rows in the whole table.
        part: The number of this piece of the table, from 1 to ``parts``.
        cell_part: The number of this piece of a single row, from 1; None unless a row was cut.
        header_left_out: Whether the table is cut as plain lines, because its header takes more
            than half the cap, or it has no rows.
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
    header_left_out: Annotated[bool, BeforeValidator(_false_if_missing)] = False

    @model_serializer(mode="wrap")
    def _without_false(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Write the last field only if it is true, because it is so rare."""
        fields: dict[str, Any] = handler(self)
        if not self.header_left_out:
            del fields["header_left_out"]
        return fields


class Reference(Record):
    """A cross-reference found in the text."""

    text: str
    kind: str
    target: str
    section_id: str | None = None


class Chunk(Record):
    """One chunk. Offsets are characters of the source, half-open; lines count from 1.

    ``docs/reference/chunk.md`` describes all fields.

    Attributes:
        id: UUID from document name, heading path, body and occurrence; independent of positions.
        text: The content that a framework stores; the joined texts of the segments.
        breadcrumb: Document name (if any) and the headings down to the deepest section that
            contains the whole chunk, as plain text.
        embed_text: The breadcrumb line (only entries whose heading is not in the text), a blank
            line, and the text; the cap applies to this.
        clause_continued: The deepest clause that the chunk begins in the middle of: 12(3) if the
            chunk begins inside 12(3) and 12(4) follows. None if the chunk begins with a clause or
            outside all clauses.
        skipped: The source text left out between the previous chunk's body and the end of this
            one's; the last chunk also lists what follows it.
        outline_changes: In the document's first chunk, the headings whose level differs from the
            source, each with the reason; needed to check breadcrumbs against the source.
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
    citation: str = ""
    tables: tuple[TableSlice, ...] = ()
    references: tuple[Reference, ...] = ()
    pages: tuple[int, ...] = ()
    lines: tuple[int, int]
    sections: tuple[tuple[str, ...], ...] = ()
    parent_id: str | None = None
    level: int = 0
    overlap_tokens: int = 0
    oversize: bool = False
    skipped: tuple[Skipped, ...] = ()
    metadata: dict[str, Any] = Field(default_factory=dict[str, Any])
    outline_changes: tuple[OutlineChange, ...] = ()
    markup: Literal["plain"] | None = None

    def __repr__(self) -> str:
        """One line: index, breadcrumb, size and first words; `model_dump` gives all fields."""
        breadcrumb = one_line(" › ".join(self.breadcrumb), _MAX_SHOWN)
        words = one_line(self.lexical_text, _MAX_SHOWN)
        tokens = counted(self.embed_token_count, "token")
        return f"<Chunk {self.index} of {breadcrumb!r}, {tokens}: {words!r}>"

    __str__ = __repr__

    def __hash__(self) -> int:
        """Return a hash of id and content, because metadata may hold lists, which have no hash."""
        return hash((self.id, self.content_hash))


def header_of(chunk: Chunk) -> str:
    """Return what comes before a chunk's text in ``embed_text``: the breadcrumb line, if any."""
    return chunk.embed_text[: len(chunk.embed_text) - len(chunk.text)]


def body_span(chunk: Chunk) -> Span:
    """Return the span from a chunk's first body character to its last; ``(0, 0)`` without body."""
    spans = [segment.span for segment in chunk.segments if segment.role == "body" and segment.span]
    return (spans[0][0], spans[-1][1]) if spans else (0, 0)
