"""The columns of chunks in Arrow, for all that write or ask for them.

The schema is fixed: a batch in which a column happens to be empty has the type of all others.
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
_OF_NAMES: Final = {"lines": pa.struct([("first", INT), ("last", INT)]), "metadata": STRING}
"""Fields whose type alone does not say how they are stored: metadata is JSON."""


def _type_of(hint: Any) -> pa.DataType:
    """The Arrow type of a field of a record; None is a value of any."""
    kind, *others = [each for each in get_args(hint) if each is not NoneType] or [hint]
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
    """The fields of a record in their order, each with its type."""
    names = record.model_fields if issubclass(record, BaseModel) else record.__annotations__
    hints = get_type_hints(record)
    return [(name, _OF_NAMES.get(name) or _type_of(hints[name])) for name in names]


SCHEMA: Final = pa.schema([*_fields_of(Chunk), ("error", STRING)])
"""The columns of chunks: the fields of `treepack.Chunk` in their order, and ``error``.

A document that could not be packed is a row with ``document`` and ``error``; all else is null.
"""


def output_schema(schema: pa.Schema, *, text: str = "text", id: str = "doc_id") -> pa.Schema:  # noqa: A002 - the word for it
    """The columns that packing gives for documents with these columns.

    They are those of `SCHEMA` and after them all columns of the documents but the text.

    Raises:
        SourceError: A column is missing, has the wrong type or the name of a column of `SCHEMA`.
    """
    passed = passed_on(schema.names, text=text, id=id)
    if not _is_text(schema.field(text).type):
        msg = f"column {text!r} holds {schema.field(text).type}, but documents are strings"
        raise SourceError(msg)
    return pa.schema([*SCHEMA, *(schema.field(name) for name in passed)])


def passed_on(names: Sequence[str], *, text: str, id: str) -> list[str]:  # noqa: A002 - see above
    """Which columns of the documents stand after those of `SCHEMA`.

    Raises:
        SourceError: A column is missing, or has the name of another or of a column of `SCHEMA`.
    """
    if len(set(names)) < len(names):
        msg = f"two columns have one name; the columns are {', '.join(names)}"
        raise SourceError(msg)
    for name in (text, id):
        if name not in names:
            msg = f"there is no column {name!r}; the columns are {', '.join(names)}"
            raise SourceError(msg)
    # The id may have the name of one of our columns: it is in `document` as well.
    dropped = {text, id} if id in SCHEMA.names else {text}
    passed = [name for name in names if name not in dropped]
    taken = [name for name in passed if name in SCHEMA.names]
    if taken:
        msg = f"rename {', '.join(taken)}: chunks have columns of these names"
        raise SourceError(msg)
    return passed


def _is_text(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return str(kind) in {"string", "large_string", "string_view"}
