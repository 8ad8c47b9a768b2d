"""The chunk record that packing returns, which is also its public form in JSON lines."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final, Literal, Self, TypeVar

from pydantic import ConfigDict, TypeAdapter

from treepack.display import counted, one_line
from treepack.model.blocks import Span
from treepack.model.section import OutlineChange

Role = Literal["body", "heading", "caption", "table_header", "fence", "overlap", "glue", "path"]

_R = TypeVar("_R", bound="Record")
_MAX_SHOWN: Final = 60
"""Most characters of the breadcrumb, and of the text, in the short form of a chunk."""


@dataclass(frozen=True, slots=True)
class Record:
    """An immutable value; JSON is checked when it is read, the arguments of Python are not.

    The methods have the names and the arguments of pydantic's models.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    def model_dump(self, **options: Any) -> dict[str, Any]:  # noqa: ANN401 - see TypeAdapter
        """Return the fields as plain values; see ``TypeAdapter.dump_python`` for the options."""
        values: dict[str, Any] = _adapter(type(self)).dump_python(self, **options)
        return values

    def model_dump_json(self, **options: Any) -> str:  # noqa: ANN401 - see TypeAdapter
        """Return the fields as JSON; see ``TypeAdapter.dump_json`` for the options.

        Raises:
            PydanticSerializationError: A text has a lone surrogate, which UTF-8 cannot hold.
        """
        return _adapter(type(self)).dump_json(self, **options).decode()

    def model_copy(self, *, update: Mapping[str, Any] | None = None) -> Self:
        """Return the record with some fields replaced, unchecked."""
        return replace(self, **update or {})

    @classmethod
    def model_validate(cls, values: object) -> Self:
        """Make a record of what `model_dump` returned.

        Raises:
            pydantic.ValidationError: A field is missing, unknown, or of a wrong type.
        """
        return _adapter(cls).validate_python(values)

    @classmethod
    def model_validate_json(cls, text: str | bytes) -> Self:
        """Make a record of what `model_dump_json` returned; see `model_validate`."""
        return _adapter(cls).validate_json(text)


_adapters: Final[dict[type[Record], TypeAdapter[Any]]] = {}


def _adapter(record: type[_R]) -> TypeAdapter[_R]:
    """Return what reads and writes a record; making that of chunks takes several ms."""
    if record not in _adapters:
        _adapters[record] = TypeAdapter(record)
    return _adapters[record]


@dataclass(frozen=True, slots=True)
class Segment(Record):
    """A stretch of a chunk's text.

    The role ``body`` is the chunk's own share of the source; all other roles are context. Only what
    `treepack.retrieval.fill_context` makes has a ``path``, a line that names document and headings.
    The span is in characters of the source, half-open; None if the text is synthetic.
    """

    role: Role
    text: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Skipped(Record):
    """Source text that is in no chunk, and why: front matter used as metadata, page marks.

    An empty span shows where a reader left something out, such as the running headers of a PDF's
    pages; the reason names it.
    """

    span: Span
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
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
    header_left_out: bool = False


@dataclass(frozen=True, slots=True)
class Reference(Record):
    """A cross-reference found in the text."""

    text: str
    kind: str
    target: str
    section_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Chunk(Record):
    """One chunk. Offsets are characters of the source, half-open; lines count from 1.

    ``docs/reference/chunk.md`` describes all fields.

    Attributes:
        id: UUID from document name, heading path, body and occurrence; independent of positions.
        text: The content that a framework stores; the joined texts of the segments.
        breadcrumb: Document name (if any) and the headings down to the deepest section that
            contains the whole chunk, as plain text.
        embed_text: The headings of the breadcrumb that are not in the text, at most 80 characters
            of the deepest of them; a blank line; and the text. The cap applies to this.
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
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
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


class _WhenRead:
    """A field of a record that may be given as a function, which is called when it is read."""

    def __init__(self, slot: Any) -> None:  # noqa: ANN401 - a slot has no public type
        self._slot = slot

    def __get__(self, record: Record | None, owner: type[Record]) -> Any:  # noqa: ANN401 - as above
        if record is None:
            return self
        value = self._slot.__get__(record, owner)
        if callable(value):
            value = value()
            self.__set__(record, value)
        return value

    def __set__(self, record: Record, value: object) -> None:
        self._slot.__set__(record, value)


# Most chunks are never asked for their references, which take long to find.
setattr(Chunk, "references", _WhenRead(Chunk.__dict__["references"]))  # noqa: B010 - no assignment


def header_of(chunk: Chunk) -> str:
    """Return what comes before a chunk's text in ``embed_text``: the breadcrumb line, if any."""
    return chunk.embed_text[: len(chunk.embed_text) - len(chunk.text)]


def body_span(chunk: Chunk) -> Span:
    """Return the span from a chunk's first body character to its last; ``(0, 0)`` without body."""
    spans = [segment.span for segment in chunk.segments if segment.role == "body" and segment.span]
    return (spans[0][0], spans[-1][1]) if spans else (0, 0)
