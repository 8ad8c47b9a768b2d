"""The Arrow columns of chunks, for all modules that write or read them.

The schema is fixed: a column has the same type in all batches, even if it is empty in one of them.
"""

# pyright: reportMissingTypeStubs=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownParameterType=false
# pyright: reportUnknownVariableType=false
# All of these because pyarrow has no types.

import builtins
import typing
from collections.abc import Sequence
from types import NoneType
from typing import Any, Final, get_args, get_origin, get_type_hints

import pyarrow as pa
from pydantic import BaseModel

from treepack.errors import SourceError
from treepack.model.chunk import Chunk
from treepack.model.outline_change import OutlineChange

INT: Final = pa.int64()
STRING: Final = pa.string()
_SCALARS: Final = {str: STRING, int: INT, bool: pa.bool_()}
_SPAN: Final = pa.struct([("start", INT), ("end", INT)])
_TYPES_BY_FIELD: Final = {"lines": pa.struct([("first", INT), ("last", INT)]), "metadata": STRING}
"""Fields whose Arrow type does not follow from their own type: metadata is JSON."""


def _type_of(hint: Any) -> pa.DataType:
    """Return the Arrow type for the type of a record's field; any Arrow type can be null."""
    kind, *others = [argument for argument in get_args(hint) if argument is not NoneType] or [hint]
    match get_origin(hint):
        case typing.Literal:
            return STRING
        case builtins.tuple:
            return pa.list_(_type_of(kind)) if others == [...] else _SPAN
        case None if hint in _SCALARS:
            return _SCALARS[hint]
        case None:
            return pa.struct(_fields_of(hint))
        case _:
            return _type_of(kind)


def _fields_of(record: type[BaseModel] | type[OutlineChange]) -> list[tuple[str, pa.DataType]]:
    """Return the fields of a record in their order, each with its Arrow type."""
    names = record.model_fields if issubclass(record, BaseModel) else record.__annotations__
    hints = get_type_hints(record)
    return [(name, _TYPES_BY_FIELD.get(name) or _type_of(hints[name])) for name in names]


SCHEMA: Final = pa.schema([*_fields_of(Chunk), ("error", STRING)])
"""The columns of chunks: the fields of `treepack.Chunk` in their order, and ``error``.

A document that could not be packed is a row with ``document`` and ``error``; the rest is null.
"""


def output_schema(schema: pa.Schema, *, text: str = "text", id: str = "doc_id") -> pa.Schema:  # noqa: A002 - the usual word
    """Return the columns of packed documents, given the columns of the documents.

    They are those of `SCHEMA`, then all columns of the documents except the text.

    Raises:
        SourceError: A column is missing, has the wrong type or the name of a column of `SCHEMA`.
    """
    passed = passed_columns(schema.names, text=text, id=id)
    if not _is_text(schema.field(text).type):
        kind = schema.field(text).type
        msg = f"column {text!r} has the type {kind}, but must hold the documents as strings"
        raise SourceError(msg)
    return pa.schema([*SCHEMA, *(schema.field(name) for name in passed)])


def passed_columns(names: Sequence[str], *, text: str, id: str) -> list[str]:  # noqa: A002 - see above
    """Return the columns of the documents that follow those of `SCHEMA`.

    Raises:
        SourceError: A column is missing, or has the name of another one or of one of `SCHEMA`.
    """
    if len(set(names)) < len(names):
        msg = f"two columns have the same name; the columns are {', '.join(names)}"
        raise SourceError(msg)
    for name in (text, id):
        if name not in names:
            msg = f"there is no column {name!r}; the columns are {', '.join(names)}"
            raise SourceError(msg)
    # An id column with the name of one of our columns is dropped: its values are in `document`.
    dropped = {text, id} if id in SCHEMA.names else {text}
    passed = [name for name in names if name not in dropped]
    conflicting = [name for name in passed if name in SCHEMA.names]
    if conflicting:
        msg = f"rename the columns {', '.join(conflicting)}: the table of chunks uses these names"
        raise SourceError(msg)
    return passed


def _is_text(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return str(kind) in {"string", "large_string", "string_view"}
