r"""Packs Arrow tables of documents into Arrow tables of chunks, and writes chunks as Parquet.

Ray Data, Spark, Daft and Dask ask for a function from a batch to batches. A table of any library
that speaks the Arrow PyCapsule protocol (pyarrow, Polars, pandas, DuckDB) can be packed as it is:

>>> import pyarrow as pa
>>> documents = pa.table({"doc_id": ["a.md"], "text": ["# Pump\n\nClean it."], "year": [2026]})
>>> pack_table(documents).select(["breadcrumb", "text", "year", "error"]).to_pylist()
[{'breadcrumb': ['a.md', 'Pump'], 'text': '# Pump\n\nClean it.', 'year': 2026, 'error': None}]

The columns are always those of the chunk record, whatever the documents contain. Arrow has no type
for values of any kind, so `metadata` is JSON.
"""

# pyright: reportMissingTypeStubs=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownParameterType=false
# pyright: reportUnknownVariableType=false
# All of these because pyarrow has no types.

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, Final, Literal, Protocol, TypeAlias, get_args, overload

from pydantic_core import PydanticSerializationError, to_json

from treepack.errors import SourceError, check_choice
from treepack.integrations.extras import missing_extra
from treepack.model.source import Source
from treepack.packing import Chunk, Packer

try:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from treepack.integrations.arrow.schema import INT, SCHEMA, output_schema
except ModuleNotFoundError as error:
    raise missing_extra(error, {"pyarrow"}, "writing Arrow tables", "arrow") from None

__all__ = [
    "SCHEMA",
    "Update",
    "chunks_to_table",
    "output_schema",
    "pack_batches",
    "pack_table",
    "read_parquet",
    "write_parquet",
]

OnError: TypeAlias = Literal["row", "raise"]
Row: TypeAlias = dict[str, Any]

ROWS: Final = 1024
"""The default number of rows in a batch: some megabytes, whatever the documents contain."""

_ROW_GROUP: Final = 16_384


class ArrowStream(Protocol):
    """A table of any library that speaks the Arrow PyCapsule protocol."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class ArrowArray(Protocol):
    """A batch of any library that speaks the Arrow PyCapsule protocol."""

    def __arrow_c_array__(
        self, requested_schema: object | None = None
    ) -> tuple[object, object]: ...


@dataclass(frozen=True)
class Update:
    """What changes in a store of chunks when their documents are packed again.

    Attributes:
        table: All chunks, as `pack_table` returns them.
        added: Ids of chunks to embed: those that are new, or whose text changed.
        unchanged: Ids of chunks that are in the store with the same text.
        removed: Ids of chunks that are in the store, but no longer in the documents.
    """

    table: pa.Table
    added: list[str]
    unchanged: list[str]
    removed: list[str]

    @property
    def to_embed(self) -> pa.Table:
        """The rows of the chunks that are new, or whose text changed."""
        added, ids = set(self.added), self.table["id"].to_pylist()
        indexes = pa.array([index for index, key in enumerate(ids) if key in added], type=INT)
        columns = [_take(column, indexes) for column in self.table.columns]
        return pa.table(columns, schema=self.table.schema)


def chunks_to_table(chunks: Iterable[Chunk]) -> pa.Table:
    """Return chunks as a table of `SCHEMA`.

    Lone surrogates, which Arrow cannot hold, become U+FFFD.
    """
    return pa.Table.from_batches([_batch([_row(chunk) for chunk in chunks])], SCHEMA)


def write_parquet(tables: Iterable[pa.Table], stream: BinaryIO) -> None:
    """Write tables of `SCHEMA` as one Parquet file; at most some 16,000 rows wait in memory."""
    with pq.ParquetWriter(stream, SCHEMA, compression="zstd") as writer:
        buffered: list[pa.Table] = []
        for table in tables:
            buffered.append(table)
            if sum(table.num_rows for table in buffered) >= _ROW_GROUP:
                writer.write_table(pa.concat_tables(buffered))
                buffered = []
        if buffered:
            writer.write_table(pa.concat_tables(buffered))


def read_parquet(stream: BinaryIO) -> Iterator[Row]:
    """Yield the rows of a Parquet file of chunks, with the values that `treepack.Chunk` takes.

    Columns that are not in `SCHEMA` are left out, and so are rows of documents that could not be
    packed.

    Raises:
        SourceError: The file is not a Parquet file, or is broken.
    """
    try:
        file = pq.ParquetFile(stream)
        columns = [name for name in file.schema_arrow.names if name in SCHEMA.names]
        for batch in file.iter_batches(columns=columns):
            for row in batch.to_pylist():
                if row.pop("error", None) is None:
                    yield _record_values(row)
    except (pa.ArrowException, OSError) as problem:
        msg = f"cannot read as Parquet: {problem}"
        raise SourceError(msg) from problem


def pack_batches(  # noqa: PLR0913 - each is a choice of its own
    batches: Iterable[pa.RecordBatch],
    packer: Packer | None = None,
    *,
    text: str = "text",
    id: str = "doc_id",  # noqa: A002 - the usual word
    on_error: OnError = "row",
    rows: int = ROWS,
) -> Iterator[pa.RecordBatch]:
    """Pack batches of documents, one after the other.

    Args:
        batches: The documents, one in each row.
        packer: The packer to use; a packer with default settings if None.
        text: The column with the texts. A cell is always text, and is never opened as a file.
        id: The column with a different value for each document. The value becomes the document
            name of the chunks, and so a part of their ids and the first entry of their breadcrumbs.
        on_error: ``row`` yields a row with the error of a document that cannot be packed, ``raise``
            raises the error.
        rows: The most rows in a batch that is yielded.

    Yields:
        Batches of `output_schema`, in the order of the documents.

    Raises:
        SourceError: A column is missing, has the wrong type or the name of a column of `SCHEMA`.
        TypeError: ``packer`` is not a `Packer`.
        ValueError: ``on_error`` is unknown.
    """
    packer = checked_packer(packer, on_error)
    for batch in batches:
        schema = output_schema(batch.schema, text=text, id=id)
        buffered: list[tuple[int, Row]] = []
        for index, (document, name) in enumerate(zip(batch[text], batch[id], strict=True)):
            for row in _packed(packer, document.as_py(), name.as_py(), on_error):
                buffered.append((index, row))
                if len(buffered) == rows:
                    yield _with_document_columns(batch, buffered, schema)
                    buffered = []
        if buffered:
            yield _with_document_columns(batch, buffered, schema)


@overload
def pack_table(
    data: ArrowStream | ArrowArray,
    packer: Packer | None = None,
    *,
    text: str = "text",
    id: str = "doc_id",
    on_error: OnError = "row",
    known: None = None,
) -> pa.Table: ...
@overload
def pack_table(
    data: ArrowStream | ArrowArray,
    packer: Packer | None = None,
    *,
    text: str = "text",
    id: str = "doc_id",
    on_error: OnError = "row",
    known: ArrowStream | ArrowArray,
) -> Update: ...
def pack_table(  # noqa: PLR0913 - each is a choice of its own
    data: ArrowStream | ArrowArray,
    packer: Packer | None = None,
    *,
    text: str = "text",
    id: str = "doc_id",  # noqa: A002 - the usual word
    on_error: OnError = "row",
    known: ArrowStream | ArrowArray | None = None,
) -> pa.Table | Update:
    """Pack a table of documents; see `pack_batches` for more about the arguments.

    Args:
        data: A table or batch of any library that speaks the Arrow PyCapsule protocol.
        packer: The packer to use; a packer with default settings if None.
        text: The column with the texts.
        id: The column that distinguishes the documents.
        on_error: What to do with a document that cannot be packed.
        known: The chunks of exactly these documents that a store has, with the columns ``id`` and
            ``content_hash``. The result then shows which chunks to embed and which to delete.
            With a column ``document``, chunks of a document that could not be packed do not count
            as removed; without it, no chunk counts as removed if there is such a document.

    Returns:
        A table of `output_schema`; with ``known``, an `Update`.

    Raises:
        SourceError: A column is missing, has the wrong type or the name of a column of `SCHEMA`.
        TypeError: ``packer`` is not a `Packer`.
        ValueError: ``on_error`` is unknown.
    """
    documents = pa.table(data)
    schema = output_schema(documents.schema, text=text, id=id)
    packed = pack_batches(documents.to_batches(), packer, text=text, id=id, on_error=on_error)
    table = pa.Table.from_batches(packed, schema)
    return table if known is None else _compared(table, pa.table(known))


def checked_packer(packer: object, on_error: object) -> Packer:
    """Check two arguments, and return the packer, or one with default settings if it is None.

    Without this check, a wrong argument would be an error of each document.

    Raises:
        TypeError: ``packer`` is not a `Packer`.
        ValueError: ``on_error`` is unknown.
    """
    check_choice("on_error", on_error, get_args(OnError))
    if packer is None:
        return Packer()
    if not isinstance(packer, Packer):
        msg = f"packer must be a Packer, not {type(packer).__name__}: give Packer(config)"
        raise TypeError(msg)
    return packer


def _packed(packer: Packer, text: str | None, name: object, on_error: OnError) -> Iterator[Row]:
    """Yield the rows of one document."""
    try:
        if text is None or name is None:
            msg = "the text is null" if text is None else "the id is null"
            raise SourceError(msg)  # noqa: TRY301 - caught below, with all other errors
        chunks = packer.pack(Source(text, str(name)))
    except Exception as problem:
        if on_error == "raise":
            raise
        document = None if name is None else str(name)
        yield {"document": document, "error": f"{type(problem).__name__}: {problem}"}
        return
    yield from map(_row, chunks)


def _row(chunk: Chunk) -> Row:
    """Return the record as plain values, with tuples in the order of the structs' fields."""
    return {**chunk.model_dump(), "metadata": _json(chunk.metadata)}


def _batch(rows: Sequence[Row]) -> pa.RecordBatch:
    try:
        return _encoded(rows)
    except UnicodeEncodeError:  # lone surrogates
        return _encoded([_encodable(row) for row in rows])


def _encoded(rows: Sequence[Row]) -> pa.RecordBatch:
    columns = [pa.array([row.get(field.name) for row in rows], type=field.type) for field in SCHEMA]
    return pa.RecordBatch.from_arrays(columns, schema=SCHEMA)


def _with_document_columns(
    batch: pa.RecordBatch, rows: Sequence[tuple[int, Row]], schema: pa.Schema
) -> pa.RecordBatch:
    """Return rows as a batch, with the other columns of their documents."""
    indexes = pa.array([index for index, _ in rows], type=INT)
    document_columns = [_take(batch[name], indexes) for name in schema.names[len(SCHEMA) :]]
    columns = [*_batch([row for _, row in rows]).columns, *document_columns]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def _take(column: pa.Array | pa.ChunkedArray, indexes: pa.Array) -> pa.Array | pa.ChunkedArray:
    try:
        return column.take(indexes)
    except pa.ArrowNotImplementedError:  # for the strings of Polars, in Arrow 26
        return pa.array([column[index.as_py()].as_py() for index in indexes], type=column.type)


def _compared(table: pa.Table, known: pa.Table) -> Update:
    """Compare packed chunks with those in a store."""
    known_hashes = dict(zip(_strings(known, "id"), _strings(known, "content_hash"), strict=True))
    rows = zip(_strings(table, "id"), _strings(table, "content_hash"), strict=True)
    hashes = {key: digest for key, digest in rows if key is not None}
    names, errors = _strings(table, "document"), _strings(table, "error")
    failed = {name for name, error in zip(names, errors, strict=True) if error is not None}
    removed = [key for key in known_hashes if key is not None and key not in hashes]
    # A document that cannot be read today is no reason to delete its chunks of yesterday.
    if failed and "document" in known.column_names:
        known_documents = dict(zip(_strings(known, "id"), _strings(known, "document"), strict=True))
        removed = [key for key in removed if known_documents[key] not in failed]
    elif failed:
        removed = []
    return Update(
        table,
        added=[key for key, digest in hashes.items() if known_hashes.get(key) != digest],
        unchanged=[key for key, digest in hashes.items() if known_hashes.get(key) == digest],
        removed=removed,
    )


def _strings(table: pa.Table, name: str) -> list[str | None]:
    if name not in table.column_names:
        msg = f"known has no column {name!r}; its columns are {', '.join(table.column_names)}"
        raise SourceError(msg)
    strings: list[str | None] = table[name].to_pylist()
    return strings


def _record_values(row: Row) -> Row:
    """Return a row with pairs in place of structs, and with metadata in place of its JSON."""
    values = {name: _with_pairs(value) for name, value in row.items()}
    if isinstance(values.get("metadata"), str):
        values["metadata"] = json.loads(values["metadata"])
    return values


def _with_pairs(value: Any) -> Any:
    if isinstance(value, list):
        return [_with_pairs(inner) for inner in value]
    if isinstance(value, dict):
        if value.keys() in ({"start", "end"}, {"first", "last"}):
            return tuple(value.values())
        return {name: _with_pairs(inner) for name, inner in value.items()}
    return value


def _json(metadata: dict[str, Any]) -> str:
    try:
        return to_json(metadata, fallback=str).decode()
    except PydanticSerializationError:
        # Lone surrogates have no UTF-8 form; JSON can still escape them.
        return json.dumps(metadata, default=str)


def _encodable(value: Any) -> Any:
    """Return the value with U+FFFD for each lone surrogate."""
    if isinstance(value, str):
        return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in value)
    if isinstance(value, dict):
        return {name: _encodable(inner) for name, inner in value.items()}
    if isinstance(value, tuple):
        return tuple(_encodable(inner) for inner in value)
    return value
