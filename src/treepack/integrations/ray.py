"""Ray Data: a dataset of documents becomes a dataset of chunks.

Code::

    import ray
    from treepack.integrations.ray import pack_dataset

    documents = ray.data.read_parquet("documents/")  # columns doc_id and text
    pack_dataset(documents).write_parquet("chunks/")

Ray's tasks pack the documents, not actors: if a worker is lost, another one takes its task, and a
worker process reads its vocabulary only once, whichever tasks it gets.
The module has Ray's name, but imports are absolute: inside it, ``ray`` is Ray.
"""

# pyright: reportMissingImports=false, reportMissingTypeStubs=false
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownParameterType=false, reportUnknownVariableType=false
# All of these because pyarrow has no types, and Ray (half a gigabyte) is not there to be checked.

import logging
import os
import signal
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from typing import Any, Final, TypeVar, cast

import pyarrow as pa

from treepack.integrations.arrow.tables import OnError, checked, output_schema, pack_batches
from treepack.integrations.extras import missing
from treepack.packing import Packer

__all__ = ["pack_dataset", "remotely"]

PER_TASK: Final = 128
"""Documents of a task unless other is said: a second's work or some, if they are of usual size."""

Task = TypeVar("Task")
Result = TypeVar("Result")


AnyDataset = TypeVar("AnyDataset")
"""``ray.data.Dataset``."""


def pack_dataset(  # noqa: PLR0913 - each is a choice of its own
    ds: AnyDataset,
    packer: Packer | None = None,
    *,
    text: str = "text",
    id: str = "doc_id",  # noqa: A002 - the word for it
    on_error: OnError = "row",
    per_task: int | None = PER_TASK,
    in_order: bool = True,
    **options: Any,
) -> AnyDataset:
    """Pack a dataset of documents, when it is consumed; see `arrow.pack_batches`.

    Args:
        ds: The documents, a row for each.
        packer: How to pack; with the defaults when None.
        text: The column with the texts.
        id: The column with what tells documents apart.
        on_error: What becomes of a document that cannot be packed: a row that says why, or an
            error that ends the job.
        per_task: A worker is given no more documents than this at a time, without a shuffle. Ray
            would give it a whole block, and reads many a Parquet file into one; None leaves that.
        in_order: Give the rows in the order of the documents. Ray gives them as its workers end
            unless its ``preserve_order`` is set, which this does in the context of the dataset;
            the datasets that it was made from share it. False leaves that as it is.
        options: What else ``map_batches`` takes: ``num_cpus``, ``memory``, ``concurrency``.

    Returns:
        A dataset with the columns of `arrow.output_schema`.
    """
    packing = {"packer": checked(packer, on_error), "text": text, "id": id, "on_error": on_error}
    documents: Any = ds  # Ray is not there to be asked for its types
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
    """Have a function called by Ray's workers, on the cluster there is or else on this machine.

    Which cluster that is, Ray decides (``RAY_ADDRESS``). A task whose worker dies is given to
    another one, but only three times, because the task itself may be what kills them.

    Yields:
        What takes a task and gives a function that waits for its result. That raises what the
        function raised, and ``BrokenExecutor`` if no worker lived to the end of the task.

    Raises:
        MissingExtraError: Ray is not installed.
        BrokenExecutor: No cluster can be reached.
    """
    with _cluster() as (ray, exceptions):
        task_of = ray.remote(max_retries=3)(function)

        def submit(task: Task) -> Callable[[], Result]:
            # Not ray.get, which makes a SystemExit of a signal handler one of status 1.
            waiting = task_of.remote(task).future()

            def result() -> Result:
                try:
                    return cast("Result", waiting.result())
                except exceptions.RayTaskError as error:
                    raise error.cause from None
                except exceptions.RayError as error:
                    raise BrokenExecutor(str(error)) from None

            return result

        yield submit


@contextmanager
def _cluster() -> Generator[tuple[Any, Any], None, None]:
    """Ray and its exceptions, connected; what was connected here is shut down in the end."""
    # What Ray reports of a machine goes over the network; nothing of treepack does that unasked.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray  # noqa: PLC0415 - takes a second, and may be missing
        from ray import exceptions  # noqa: PLC0415 - as above
    except ModuleNotFoundError as error:
        raise missing(error, {"ray"}, "what packs on Ray", "ray") from None
    if ray.is_initialized():
        yield ray, exceptions
        return
    on_termination = signal.getsignal(signal.SIGTERM)
    try:
        ray.init(include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    except ConnectionError as error:
        msg = f"there is no cluster to be reached, see RAY_ADDRESS: {error}"
        raise BrokenExecutor(msg) from None
    # Ray's own would end the process with another status.
    signal.signal(signal.SIGTERM, on_termination)
    try:
        yield ray, exceptions
    finally:
        ray.shutdown()


def _packed(documents: pa.Table, *, text: str, id: str, **packing: Any) -> Iterator[pa.Table]:  # noqa: A002 - as above
    # Before all others, so that a block without chunks has its columns as well.
    yield output_schema(documents.schema, text=text, id=id).empty_table()
    for batch in pack_batches(documents.to_batches(), text=text, id=id, **packing):
        yield pa.Table.from_batches([batch])
