"""Packs documents into a folder of Parquet files, each written by one task on Ray.

If a worker dies, another worker takes its task and writes the file again. Which documents go into
which file depends only on their order and sizes, so the folder is the same on any cluster.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Final

from treepack.cli.flags import OutputFormat
from treepack.cli.inputs.files import STANDARD_INPUT, DocumentFile
from treepack.cli.pack import OUTPUT_FORMATS, PackedDocument, Tally, pack_tasks, writer
from treepack.cli.terminal.output import UsageError, check_output_folder, making_folder
from treepack.cli.work import Task, TaskOutcome, run_task, with_messages
from treepack.config import PackConfig
from treepack.errors import WorkerError
from treepack.packing.parallel.work import in_order

PART_BYTES: Final = 8_000_000
"""The bytes of documents that go into one file: a few seconds of work."""

IN_FLIGHT: Final = 1000
"""The files in progress at a time, for all workers; a cluster grows while tasks wait."""


@dataclass(frozen=True)
class OutputPart:
    """Documents that become one file."""

    tasks: Sequence[Task[PackedDocument]]
    file: Path


def pack_into_folder(  # noqa: PLR0913 - one for each part of the call
    documents: Sequence[DocumentFile],
    config: PackConfig,
    output: Path | None,
    jobs: int,
    *,
    output_format: OutputFormat | None = None,
    quiet: bool = False,
) -> int:
    """Pack documents into a new folder, on Ray; return how many could be packed.

    Workers read the documents and write the folder, so all of them must be able to reach both.
    """
    if output_format not in {None, "parquet"}:
        msg = (
            f"--engine ray writes a folder of Parquet files, but --format is {output_format}; "
            "leave it out"
        )
        raise UsageError(msg)
    output = _checked_folder(output, jobs)
    # Paths are absolute, because workers may have another current folder.
    absolute = [replace(document, path=document.path.absolute()) for document in documents]
    tasks = pack_tasks(absolute, config, "parquet")
    tally = Tally()
    with making_folder(output) as draft:
        outcomes = chain.from_iterable(_pack_on_ray(_parts(tasks, draft.target)))
        for _ in tally.count_packed(with_messages(outcomes, tasks, "packing", quiet=quiet)):
            pass  # `tally` counts them
        draft.keep = tally.documents > 0
    tally.print_summary(output, quiet=quiet)
    return tally.documents


def pack_part(part: OutputPart) -> list[TaskOutcome[PackedDocument]]:
    """Write one file; return the result for each document, without its chunks."""
    outcomes: list[TaskOutcome[PackedDocument]] = []

    def packed_documents() -> Iterator[PackedDocument]:
        for task in part.tasks:
            outcome = run_task(task)
            packed = outcome.result
            outcomes.append(replace(outcome, result=packed and replace(packed, table=None)))
            if packed is not None:
                yield packed

    with part.file.open("wb") as stream:
        writer("parquet")(packed_documents(), stream)
    return outcomes


def _pack_on_ray(parts: Iterator[OutputPart]) -> Iterator[list[TaskOutcome[PackedDocument]]]:
    """Write parts on Ray, and yield their results in order.

    Raises:
        MissingExtraError: Ray is not installed.
        WorkerError: No cluster can be reached, or every worker that took a part died.
    """
    from treepack.integrations.ray import remotely  # noqa: PLC0415 - its extra may be missing

    try:
        with remotely(pack_part) as submit:
            yield from in_order(submit, parts, IN_FLIGHT)
    except BrokenExecutor as problem:
        first_line = str(problem).strip().partition("\n")[0]
        msg = f"Ray could not finish the work: {first_line}"
        raise WorkerError(msg) from None


def _checked_folder(output: Path | None, jobs: int) -> Path:
    """Check the call, and return the folder to write."""
    if output is None or str(output) == STANDARD_INPUT:
        msg = "--engine ray writes a folder of Parquet files; name it with --output"
        raise UsageError(msg)
    if OUTPUT_FORMATS.get(output.suffix.lower(), "parquet") != "parquet":
        msg = f"--engine ray writes a folder of Parquet files: {output} must be a name of a folder"
        raise UsageError(msg)
    if jobs > 1:
        msg = (
            "--jobs is only for --engine local; leave it out, because Ray uses all CPUs of its "
            "cluster or of this machine"
        )
        raise UsageError(msg)
    check_output_folder(output)
    return output


def _parts(tasks: Sequence[Task[PackedDocument]], folder: Path) -> Iterator[OutputPart]:
    """Yield groups of neighbouring documents, of about `PART_BYTES` each."""
    part_tasks: list[Task[PackedDocument]] = []
    size = number = 0
    for task in tasks:
        size += task.document.size
        part_tasks.append(task)
        if size >= PART_BYTES:
            yield OutputPart(part_tasks, folder / f"part-{number:05}.parquet")
            part_tasks, size, number = [], 0, number + 1
    if part_tasks:
        yield OutputPart(part_tasks, folder / f"part-{number:05}.parquet")
