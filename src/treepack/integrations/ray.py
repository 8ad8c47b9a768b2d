"""Ray Data: a dataset of documents becomes a dataset of chunks.

Code::

    import ray
    from treepack.integrations.ray import pack_dataset

    documents = ray.data.read_parquet("documents/")  # columns doc_id and text
    pack_dataset(documents).write_parquet("chunks/")

Ray tasks pack the documents, not actors. If a worker is lost, another one takes over its task. A
worker process reads its vocabulary only once, whichever tasks it gets.
This module is called ``ray`` as well, but imports are absolute: ``import ray`` in it imports Ray.
"""

# pyright: reportMissingImports=false, reportMissingTypeStubs=false
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownParameterType=false, reportUnknownVariableType=false
# All of these because pyarrow has no types, and Ray (half a gigabyte) is not installed to be
# checked.

import logging
import os
import signal
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from typing import Any, Final, TypeVar, cast

import pyarrow as pa

from treepack.integrations.arrow.tables import OnError, checked_packer, output_schema, pack_batches
from treepack.integrations.extras import missing_extra
from treepack.packing import Packer

__all__ = ["pack_dataset", "remotely"]

PER_TASK: Final = 128
"""The default number of documents in a task: one or a few seconds of work for usual sizes."""

Task = TypeVar("Task")
Result = TypeVar("Result")


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


@contextmanager
def remotely(
    function: Callable[[Task], Result],
) -> Generator[Callable[[Task], Callable[[], Result]], None, None]:
    """Let Ray's workers call a function, on a cluster if there is one, else on this machine.

    Ray chooses the cluster (``RAY_ADDRESS``). A task whose worker dies is given to another worker,
    but only three times, because the task itself may be what kills the workers.

    Yields:
        A function that submits a task, and returns a function that waits for the task's result.
        The latter raises what ``function`` raised, or ``BrokenExecutor`` if no worker lived to the
        end of the task.

    Raises:
        MissingExtraError: Ray is not installed.
        BrokenExecutor: No cluster can be reached.
    """
    with _connected_ray() as (ray, exceptions):
        remote_function = ray.remote(max_retries=3)(function)

        def submit(task: Task) -> Callable[[], Result]:
            # Not ray.get, which changes the status of a signal handler's SystemExit to 1.
            future = remote_function.remote(task).future()

            def result() -> Result:
                try:
                    return cast("Result", future.result())
                except exceptions.RayTaskError as error:
                    raise error.cause from None
                except exceptions.RayError as error:
                    raise BrokenExecutor(str(error)) from None

            return result

        yield submit


@contextmanager
def _connected_ray() -> Generator[tuple[Any, Any], None, None]:
    """Connect to Ray, and yield it with its exceptions; a connection made here is closed again."""
    # Ray sends reports about the machine over the network; treepack sends nothing unasked.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray  # noqa: PLC0415 - takes a second, and may be missing
        from ray import exceptions  # noqa: PLC0415 - as above
    except ModuleNotFoundError as error:
        raise missing_extra(error, {"ray"}, "packing on Ray", "ray") from None
    if ray.is_initialized():
        yield ray, exceptions
        return
    on_termination = signal.getsignal(signal.SIGTERM)
    try:
        ray.init(include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    except ConnectionError as error:
        msg = f"no Ray cluster can be reached; check RAY_ADDRESS: {error}"
        raise BrokenExecutor(msg) from None
    # Ray's own handler would end the process with another status.
    signal.signal(signal.SIGTERM, on_termination)
    try:
        yield ray, exceptions
    finally:
        ray.shutdown()


def _packed(documents: pa.Table, *, text: str, id: str, **packing: Any) -> Iterator[pa.Table]:  # noqa: A002 - as above
    # An empty table comes first, so that a block without chunks has the columns as well.
    yield output_schema(documents.schema, text=text, id=id).empty_table()
    for batch in pack_batches(documents.to_batches(), text=text, id=id, **packing):
        yield pa.Table.from_batches([batch])
