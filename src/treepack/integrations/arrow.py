r"""Chunks as Arrow tables: from records, and from tables of documents (extra ``arrow``).

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

import builtins
import dataclasses
import json
import typing
from collections.abc import Iterable, Iterator, Sequence
from types import NoneType
from typing import Any, BinaryIO, Final, Literal, TypeAlias, get_args, get_origin, get_type_hints

from pydantic_core import PydanticSerializationError, to_json

from treepack.errors import SourceError, check_choice, missing_extra
from treepack.model.chunk import Chunk
from treepack.model.source import Source
from treepack.packing import Packer

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ModuleNotFoundError as error:
    raise missing_extra(error, {"pyarrow"}, "writing Arrow tables", "arrow") from None

OnError: TypeAlias = Literal["row", "raise"]
Row: TypeAlias = dict[str, Any]

_DOCUMENTS: Final = 32  # packed at a time, so that the rows in memory are few
_ROW_GROUP: Final = 16_384
_SCALARS: Final = {str: pa.string(), int: pa.int64(), bool: pa.bool_()}
_SPAN: Final = pa.struct([("start", pa.int64()), ("end", pa.int64())])
_TYPES_BY_FIELD: Final = {
    "lines": pa.struct([("first", pa.int64()), ("last", pa.int64())]),
    "metadata": pa.string(),  # JSON
}


def _type_of(hint: Any) -> pa.DataType:
    """Return the Arrow type for the type of a record's field; any Arrow type can be null."""
    kind, *others = [argument for argument in get_args(hint) if argument is not NoneType] or [hint]
    match get_origin(hint):
        case typing.Literal:
            return pa.string()
        case builtins.tuple:
            return pa.list_(_type_of(kind)) if others == [...] else _SPAN
        case None:
            return _SCALARS.get(hint) or pa.struct(_fields_of(hint))
        case _:
            return _type_of(kind)


def _fields_of(record: type) -> list[tuple[str, pa.DataType]]:
    hints = get_type_hints(record)
    names = [each.name for each in dataclasses.fields(record)]
    return [(name, _TYPES_BY_FIELD.get(name) or _type_of(hints[name])) for name in names]


SCHEMA: Final = pa.schema([*_fields_of(Chunk), ("error", pa.string())])
"""The columns of chunks: the fields of `treepack.Chunk` in their order, and ``error``.

A document that could not be packed is a row with ``document`` and ``error``; the rest is null.
"""


def to_arrow(chunks: Iterable[Chunk]) -> pa.Table:
    """Return chunks as a table of `SCHEMA`.

    Lone surrogates, which Arrow cannot hold, become U+FFFD.
    """
    return pa.Table.from_batches([_batch([_row(chunk) for chunk in chunks])], SCHEMA)


def pack_table(
    data: Any,
    packer: Packer | None = None,
    *,
    text: str = "text",
    id: str = "doc_id",  # noqa: A002 - the usual word
    on_error: OnError = "row",
) -> pa.Table:
    """Pack a table of documents.

    Args:
        data: A table of any library that speaks the Arrow PyCapsule protocol: pyarrow, Polars,
            pandas, DuckDB. There is one document in each row.
        packer: The packer to use; a packer with default settings if None.
        text: The column with the texts; a cell is never opened as a file.
        id: The column with a different value for each document: its name in the chunks.
        on_error: ``row`` makes a row with the error of a document that cannot be packed.

    Returns:
        A table of `output_schema`, in the order of the documents.

    Raises:
        SourceError: A column is missing, or has the name of a column of `SCHEMA`.
        TypeError: ``packer`` is not a `Packer`.
        ValueError: ``on_error`` is unknown.
    """
    documents = pa.table(data)
    schema = output_schema(documents.schema, text=text, id=id)
    batches = pack_batches(documents.to_batches(), packer, text=text, id=id, on_error=on_error)
    return pa.Table.from_batches(batches, schema)


def pack_batches(
    batches: Iterable[pa.RecordBatch],
    packer: Packer | None = None,
    *,
    text: str = "text",
    id: str = "doc_id",  # noqa: A002 - the usual word
    on_error: OnError = "row",
) -> Iterator[pa.RecordBatch]:
    """Pack batches of documents one after the other, and yield batches; see `pack_table`."""
    packer = checked_packer(packer, on_error)
    for batch in batches:
        schema = output_schema(batch.schema, text=text, id=id)
        for start in range(0, batch.num_rows, _DOCUMENTS):
            documents = batch.slice(start, _DOCUMENTS)
            pairs = zip(documents[text].to_pylist(), documents[id].to_pylist(), strict=True)
            packed = enumerate(_packed(packer, *pair, on_error) for pair in pairs)
            rows = [(index, row) for index, made in packed for row in made]
            indexes = pa.array([index for index, _ in rows], type=pa.int64())
            columns = _batch([row for _, row in rows]).columns
            columns += [_take(documents[name], indexes) for name in schema.names[len(SCHEMA) :]]
            yield pa.RecordBatch.from_arrays(columns, schema=schema)


def output_schema(schema: pa.Schema, *, text: str = "text", id: str = "doc_id") -> pa.Schema:  # noqa: A002 - the usual word
    """Return the columns of `SCHEMA`, then all columns of the documents except the text.

    Raises:
        SourceError: A column is missing, or has the name of a column of `SCHEMA`.
    """
    passed = passed_columns(schema.names, text=text, id=id)
    return pa.schema([*SCHEMA, *(schema.field(name) for name in passed)])


def passed_columns(names: Sequence[str], *, text: str, id: str) -> list[str]:  # noqa: A002 - see above
    """Return the columns of the documents that follow those of `SCHEMA`, or raise an error."""
    # An id column with the name of one of our columns is dropped: its values are in `document`.
    dropped = {text, id} if id in SCHEMA.names else {text}
    passed = [name for name in names if name not in dropped]
    missing = [name for name in (text, id) if name not in names]
    if missing:
        msg = f"there is no column {missing[0]!r}; the columns are {', '.join(names)}"
    elif len(set(names)) < len(names):
        msg = f"two columns have the same name; the columns are {', '.join(names)}"
    elif conflicting := [name for name in passed if name in SCHEMA.names]:
        msg = f"rename the columns {', '.join(conflicting)}: the table of chunks uses these names"
    else:
        return passed
    raise SourceError(msg)


def checked_packer(packer: object, on_error: object) -> Packer:
    """Return the packer, or a default one; a wrong argument would be an error of each document."""
    check_choice("on_error", on_error, get_args(OnError))
    packer = Packer() if packer is None else packer
    if not isinstance(packer, Packer):
        msg = f"packer must be a Packer, not {type(packer).__name__}: give Packer(config)"
        raise TypeError(msg)
    return packer


def write_parquet(tables: Iterable[pa.Table], stream: BinaryIO) -> None:
    """Write tables of `SCHEMA` as one Parquet file; at most some 16,000 rows wait in memory."""
    with pq.ParquetWriter(stream, SCHEMA, compression="zstd") as writer:
        waiting = SCHEMA.empty_table()
        for table in tables:
            waiting = pa.concat_tables([waiting, table])
            if waiting.num_rows >= _ROW_GROUP:
                writer.write_table(waiting)
                waiting = SCHEMA.empty_table()
        if waiting.num_rows:
            writer.write_table(waiting)


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
                    values = _with_pairs(row)
                    if isinstance(values.get("metadata"), str):
                        values["metadata"] = json.loads(values["metadata"])
                    yield values
    except (pa.ArrowException, OSError) as problem:
        msg = f"cannot read as Parquet: {problem}"
        raise SourceError(msg) from problem


def _packed(packer: Packer, text: object, name: object, on_error: OnError) -> Iterator[Row]:
    """Yield the rows of one document."""
    try:
        if name is None or not isinstance(text, str):
            what, value = ("id", name) if isinstance(text, str) else ("text", text)
            kind = "null" if value is None else f"of type {type(value).__name__}"
            msg = f"the {what} is {kind}"
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


def _batch(rows: list[Row]) -> pa.RecordBatch:
    try:
        return pa.RecordBatch.from_pylist(rows, schema=SCHEMA)
    except UnicodeEncodeError:  # lone surrogates
        return pa.RecordBatch.from_pylist(_encodable(rows), schema=SCHEMA)


def _take(column: pa.Array, indexes: pa.Array) -> pa.Array:
    try:
        return column.take(indexes)
    except pa.ArrowNotImplementedError:  # for the strings of Polars, in Arrow 26
        return pa.array([column[index.as_py()].as_py() for index in indexes], type=column.type)


def _with_pairs(value: Any) -> Any:
    """Return a value with pairs in place of the structs that are spans."""
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
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {name: _encodable(inner) for name, inner in value.items()}
    if isinstance(value, tuple | list):
        return type(value)(map(_encodable, value))
    return value
