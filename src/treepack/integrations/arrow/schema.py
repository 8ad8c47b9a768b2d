"""The columns of chunks in Arrow, for all that write or ask for them.

The schema is fixed: a batch in which a column happens to be empty has the type of all others.
"""

# pyright: reportMissingTypeStubs=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownParameterType=false
# pyright: reportUnknownVariableType=false
# All of these because pyarrow has no types.

from collections.abc import Sequence
from typing import Final

import pyarrow as pa

from treepack.errors import SourceError

INT: Final = pa.int64()
STRING: Final = pa.string()
_SPAN: Final = pa.struct([("start", INT), ("end", INT)])
_TABLE: Final = pa.struct(
    [
        ("id", STRING),
        ("caption", STRING),
        ("columns", pa.list_(STRING)),
        ("header_rows", INT),
        ("row_start", INT),
        ("row_end", INT),
        ("row_count", INT),
        ("part", INT),
        ("parts", INT),
        ("cell_part", INT),
    ]
)
_OUTLINE_CHANGE: Final = pa.struct(
    [
        ("line", INT),
        ("title", STRING),
        ("old_level", INT),
        ("new_level", INT),
        ("reason", STRING),
    ]
)

SCHEMA: Final = pa.schema(
    [
        ("id", STRING),
        ("document", STRING),
        ("index", INT),
        ("text", STRING),
        (
            "segments",
            pa.list_(pa.struct([("role", STRING), ("text", STRING), ("span", _SPAN)])),
        ),
        ("breadcrumb", pa.list_(STRING)),
        ("embed_text", STRING),
        ("lexical_text", STRING),
        ("token_count", INT),
        ("embed_token_count", INT),
        ("content_hash", STRING),
        ("kinds", pa.list_(STRING)),
        ("clause_number", STRING),
        ("clause_path", pa.list_(STRING)),
        ("clauses", pa.list_(STRING)),
        ("clause_continued", STRING),
        ("citation", STRING),
        ("tables", pa.list_(_TABLE)),
        (
            "references",
            pa.list_(
                pa.struct(
                    [
                        ("text", STRING),
                        ("kind", STRING),
                        ("target", STRING),
                        ("section_id", STRING),
                    ]
                )
            ),
        ),
        ("pages", pa.list_(INT)),
        ("lines", pa.struct([("first", INT), ("last", INT)])),
        ("sections", pa.list_(pa.list_(STRING))),
        ("parent_id", STRING),
        ("level", INT),
        ("overlap_tokens", INT),
        ("has_overlap", pa.bool_()),
        ("oversize", pa.bool_()),
        ("skipped", pa.list_(pa.struct([("span", _SPAN), ("reason", STRING)]))),
        ("metadata", STRING),
        ("outline_changes", pa.list_(_OUTLINE_CHANGE)),
        ("markup", STRING),
        ("error", STRING),
    ]
)
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
    # An id may be called as one of ours, for then it is in `document` as well.
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
