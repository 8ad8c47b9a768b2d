"""Spark: a data frame of documents becomes a data frame of chunks.

Code::

    from treepack.integrations.spark import pack_dataframe

    documents = spark.read.parquet("documents/")  # columns doc_id and text
    pack_dataframe(documents).write.parquet("chunks/")

Nothing is shuffled: each partition is packed where it lies, and one with large documents holds up
no other. The workers' Python (``PYSPARK_PYTHON``) needs ``treepack[spark]`` as well.
"""

# pyright: reportMissingImports=false, reportMissingTypeStubs=false
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownParameterType=false, reportUnknownVariableType=false
# All of these because pyarrow has no types, and PySpark, which pip builds, is not there to be
# checked.

from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeVar, cast

import pyarrow as pa

from treepack.integrations.arrow.schema import passed_on
from treepack.integrations.arrow.tables import SCHEMA, OnError, checked, pack_batches
from treepack.integrations.extras import missing
from treepack.packing import Packer

__all__ = ["SPARK_DDL", "pack_dataframe"]

_SCALARS: Final = {pa.int64(): "BIGINT", pa.string(): "STRING", pa.bool_(): "BOOLEAN"}


AnyDataFrame = TypeVar("AnyDataFrame")
"""``pyspark.sql.DataFrame``, also that of Spark Connect."""


def pack_dataframe(
    df: AnyDataFrame,
    packer: Packer | None = None,
    *,
    text: str = "text",
    id: str = "doc_id",  # noqa: A002 - the word for it
    on_error: OnError = "row",
) -> AnyDataFrame:
    """Pack a data frame of documents, when it is asked for; see `arrow.pack_batches`.

    Spark gives a worker 10,000 documents at a time; for large ones set
    ``spark.sql.execution.arrow.maxRecordsPerBatch`` to fewer.

    Args:
        df: The documents, a row for each.
        packer: How to pack; with the defaults when None.
        text: The column with the texts.
        id: The column with what tells documents apart.
        on_error: What becomes of a document that cannot be packed: a row that says why, or an
            error that ends the job.

    Returns:
        A data frame with the columns of `SPARK_DDL` and after them all columns of the documents
        but the text, in the partitions and the order of the documents.

    Raises:
        SourceError: A column is missing, or has the name of a column of `SPARK_DDL`.
        MissingExtraError: PySpark is not installed.
    """
    packer = checked(packer, on_error)
    documents: Any = df  # PySpark is not there to be asked for its types

    def packed(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return pack_batches(batches, packer, text=text, id=id, on_error=on_error)

    schema = _schema(documents, passed_on(documents.columns, text=text, id=id))
    return cast("AnyDataFrame", documents.mapInArrow(packed, schema))


def _schema(df: Any, passed: Sequence[str]) -> Any:
    """The columns of chunks and those of the documents, these as Spark itself has them."""
    try:
        from pyspark.sql.types import StructType  # noqa: PLC0415 - the DDL is there without it
    except ModuleNotFoundError as error:
        raise missing(error, {"pyspark"}, "what packs on Spark", "spark") from None
    return StructType([*StructType.fromDDL(SPARK_DDL), *(df.schema[name] for name in passed)])


def _ddl(kind: pa.DataType) -> str:
    """An Arrow type as Spark's data definition language writes it."""
    if pa.types.is_list(kind):
        return f"ARRAY<{_ddl(kind.value_type)}>"
    if pa.types.is_struct(kind):
        return f"STRUCT<{', '.join(f'`{field.name}`: {_ddl(field.type)}' for field in kind)}>"
    return _SCALARS[kind]


SPARK_DDL: Final = ", ".join(f"`{field.name}` {_ddl(field.type)}" for field in SCHEMA)
"""The columns of `SCHEMA` in Spark's data definition language."""
