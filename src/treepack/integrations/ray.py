"""Ray Data: a dataset of documents becomes a dataset of chunks."""

# pyright: reportMissingTypeStubs=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownParameterType=false
# pyright: reportUnknownVariableType=false
# All of these because pyarrow has no types.

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from treepack.integrations.arrow import OnError, checked_packer, output_schema, pack_batches
from treepack.packing import Packer


def pack_dataset(  # noqa: PLR0913 - each is a choice of its own
    ds: Any,
    packer: Packer | None = None,
    *,
    text: str = "text",
    id: str = "doc_id",  # noqa: A002 - the usual word
    on_error: OnError = "row",
    per_task: int | None = 128,
    in_order: bool = True,
    **options: Any,
) -> Any:
    """Pack a ``ray.data.Dataset`` of documents when the result is consumed.

    Args:
        ds: The documents, one in each row.
        packer: As for `arrow.pack_table`, and so are ``text``, ``id`` and ``on_error``.
        text: See there.
        id: See there.
        on_error: See there.
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
    documents = ds if per_task is None else ds.repartition(target_num_rows_per_block=per_task)
    packed = documents.map_batches(_packed, batch_format="pyarrow", fn_kwargs=packing, **options)
    if in_order:
        packed.context.execution_options.preserve_order = True
    return packed


def _packed(documents: pa.Table, *, text: str, id: str, **packing: Any) -> Iterator[pa.Table]:  # noqa: A002 - as above
    # An empty table comes first, so that a block without chunks has the columns as well.
    yield output_schema(documents.schema, text=text, id=id).empty_table()
    for batch in pack_batches(documents.to_batches(), text=text, id=id, **packing):
        yield pa.Table.from_batches([batch])
