"""Spark: a data frame of documents becomes a data frame of chunks.

The workers' Python (``PYSPARK_PYTHON``) needs ``treepack[spark]`` too.
"""

# pyright: reportMissingImports=false, reportMissingTypeStubs=false
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownParameterType=false, reportUnknownVariableType=false
# All of these because pyarrow has no types, and PySpark is not installed to be checked.

from collections.abc import Iterator
from typing import Any, Final

import pyarrow as pa

from treepack.errors import missing_extra
from treepack.integrations.arrow import (
    SCHEMA,
    OnError,
    checked_packer,
    pack_batches,
    passed_columns,
)
from treepack.packing import Packer

_SCALARS: Final = {pa.int64(): "BIGINT", pa.string(): "STRING", pa.bool_(): "BOOLEAN"}


def _ddl(kind: pa.DataType) -> str:
    """Return an Arrow type in Spark's data definition language."""
    if pa.types.is_list(kind):
        return f"ARRAY<{_ddl(kind.value_type)}>"
    if pa.types.is_struct(kind):
        return f"STRUCT<{', '.join(f'`{field.name}`: {_ddl(field.type)}' for field in kind)}>"
    return _SCALARS[kind]


SPARK_DDL: Final = ", ".join(f"`{field.name}` {_ddl(field.type)}" for field in SCHEMA)
"""The columns of `SCHEMA` in Spark's data definition language."""


def pack_dataframe(
    df: Any,
    packer: Packer | None = None,
    *,
    text: str = "text",
    id: str = "doc_id",  # noqa: A002 - the usual word
    on_error: OnError = "row",
) -> Any:
    """Pack a ``pyspark.sql.DataFrame`` of documents when the result is used.

    Spark gives a worker 10,000 documents at a time. For large documents, set
    ``spark.sql.execution.arrow.maxRecordsPerBatch`` to a smaller number. For the arguments, see
    `arrow.pack_table`.

    Returns:
        A data frame with the columns of `SPARK_DDL`, then all columns of the documents except the
        text. Partitions and order are those of the documents.

    Raises:
        SourceError: A column is missing, or has the name of a column of `SPARK_DDL`.
        MissingExtraError: PySpark is not installed.
    """
    packer = checked_packer(packer, on_error)
    passed = passed_columns(df.columns, text=text, id=id)
    try:
        from pyspark.sql.types import StructType  # noqa: PLC0415 - SPARK_DDL does not need it
    except ModuleNotFoundError as error:
        raise missing_extra(error, {"pyspark"}, "packing on Spark", "spark") from None
    schema = StructType([*StructType.fromDDL(SPARK_DDL), *(df.schema[name] for name in passed)])

    def packed(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return pack_batches(batches, packer, text=text, id=id, on_error=on_error)

    return df.mapInArrow(packed, schema)
