"""Ray Data: a dataset of documents becomes a dataset of chunks.

Code::

    import ray
    from treepack.integrations.ray import pack_dataset

    documents = ray.data.read_parquet("documents/")  # columns doc_id and text
    pack_dataset(documents).write_parquet("chunks/")

Ray tasks pack the documents, not actors. If a worker is lost, another one takes over its task. A
worker process reads its vocabulary only once, whichever tasks it gets.
"""

# pyright: reportMissingImports=false, reportMissingTypeStubs=false
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownParameterType=false, reportUnknownVariableType=false
# All of these because pyarrow has no types, and Ray (half a gigabyte) is not installed to be
# checked.

from collections.abc import Iterator
from typing import Any, Final, TypeVar, cast

import pyarrow as pa

from treepack.integrations.arrow.tables import OnError, checked_packer, output_schema, pack_batches
from treepack.packing import Packer

__all__ = ["pack_dataset"]

PER_TASK: Final = 128
"""The default number of documents in a task: one or a few seconds of work for usual sizes."""

AnyDataset = TypeVar("AnyDataset")
"""``ray.data.Dataset``."""


def pack_dataset(  # noqa: PLR0913 - each is a choice of its own
    ds: AnyDataset,
    packer: Packer | None = None,
    *,
    text: str = "text",
    id: str = "doc_id",  # noqa: A002 - the usual word
    on_error: OnError = "row",
    per_task: int | None = PER_TASK,
    in_order: bool = True,
    **options: Any,
) -> AnyDataset:
    """Pack a dataset of documents when the result is consumed; see `arrow.pack_batches`.

    Args:
        ds: The documents, one in each row.
        packer: The packer to use; a packer with default settings if None.
        text: The column with the texts.
        id: The column that distinguishes the documents.
        on_error: ``row`` makes a row with the error of a document that cannot be packed, ``raise``
            ends the job with the error.
        per_task: The most documents that a worker gets at a time; nothing is shuffled for that. If
            None, a worker gets a whole block, and Ray reads many Parquet files into one block each.
        in_order: Return the rows in the order of the documents, not in the order in which workers
            finish. This sets Ray's ``preserve_order`` in the context of the dataset, which it
            shares with the datasets that it was made from. False changes nothing.
        options: Other arguments of ``map_batches``: ``num_cpus``, ``memory``, ``concurrency``.

    Returns:
        A dataset with the columns of `arrow.output_schema`.
    """
    packer = checked_packer(packer, on_error)
    packing = {"packer": packer, "text": text, "id": id, "on_error": on_error}
    documents: Any = ds  # Ray is not installed when types are checked
    if per_task is not None:
        documents = documents.repartition(target_num_rows_per_block=per_task)
    packed = documents.map_batches(_packed, batch_format="pyarrow", fn_kwargs=packing, **options)
    if in_order:
        packed.context.execution_options.preserve_order = True
    return cast("AnyDataset", packed)


def _packed(documents: pa.Table, *, text: str, id: str, **packing: Any) -> Iterator[pa.Table]:  # noqa: A002 - as above
    # An empty table comes first, so that a block without chunks has the columns as well.
    yield output_schema(documents.schema, text=text, id=id).empty_table()
    for batch in pack_batches(documents.to_batches(), text=text, id=id, **packing):
        yield pa.Table.from_batches([batch])
