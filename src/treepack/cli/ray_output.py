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

from treepack.cli.flags import Form
from treepack.cli.inputs.files import STANDARD_INPUT, DocumentFile
from treepack.cli.pack import FORMS, Packed, Tally, packing, writer
from treepack.cli.terminal.output import UsageProblem, check_folder, making_folder
from treepack.cli.work import Done, Task, do, told
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

    tasks: Sequence[Task[Packed]]
    file: Path


def pack_into_folder(  # noqa: PLR0913 - one for each part of the call
    documents: Sequence[DocumentFile],
    config: PackConfig,
    output: Path | None,
    jobs: int,
    *,
    form: Form | None = None,
    quiet: bool = False,
) -> int:
    """Pack documents into a new folder, on Ray; return how many could be packed.

    Workers read the documents and write the folder, so all of them must be able to reach both.
    """
    if form not in {None, "parquet"}:
        msg = f"--engine ray writes a folder of Parquet files, but --format is {form}; leave it out"
        raise UsageProblem(msg)
    output = _folder(output, jobs)
    # Paths are absolute, because workers may have another current folder.
    whole = [replace(document, path=document.path.absolute()) for document in documents]
    tasks = packing(whole, config, "parquet")
    tally = Tally()
    with making_folder(output) as draft:
        results = chain.from_iterable(_pack_on_ray(_parts(tasks, draft.place)))
        for _ in tally.well_packed(told(results, tasks, "packing", quiet=quiet)):
            pass  # `tally` counts them
        draft.keep = tally.documents > 0
    tally.tell(output, quiet=quiet)
    return tally.documents


def pack_part(part: OutputPart) -> list[Done[Packed]]:
    """Write one file; return the result for each document, without its chunks."""
    seen: list[Done[Packed]] = []

    def well_packed() -> Iterator[Packed]:
        for task in part.tasks:
            done = do(task)
            packed = done.result
            seen.append(replace(done, result=packed and replace(packed, table=None)))
            if packed is not None:
                yield packed

    with part.file.open("wb") as stream:
        writer("parquet")(well_packed(), stream)
    return seen


def _pack_on_ray(parts: Iterator[OutputPart]) -> Iterator[list[Done[Packed]]]:
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
        first = str(problem).strip().partition("\n")[0]
        msg = f"Ray could not finish the work: {first}"
        raise WorkerError(msg) from None


def _folder(output: Path | None, jobs: int) -> Path:
    """Check the call, and return the folder to write."""
    if output is None or str(output) == STANDARD_INPUT:
        msg = "--engine ray writes a folder of Parquet files; name it with --output"
        raise UsageProblem(msg)
    if FORMS.get(output.suffix.lower(), "parquet") != "parquet":
        msg = f"--engine ray writes a folder of Parquet files: {output} must be a name of a folder"
        raise UsageProblem(msg)
    if jobs > 1:
        msg = (
            "--jobs is only for --engine local; leave it out, because Ray uses all CPUs of its "
            "cluster or of this machine"
        )
        raise UsageProblem(msg)
    check_folder(output)
    return output


def _parts(tasks: Sequence[Task[Packed]], folder: Path) -> Iterator[OutputPart]:
    """Yield groups of neighbouring documents, of about `PART_BYTES` each."""
    waiting: list[Task[Packed]] = []
    size = number = 0
    for task in tasks:
        size += task.document.size
        waiting.append(task)
        if size >= PART_BYTES:
            yield OutputPart(waiting, folder / f"part-{number:05}.parquet")
            waiting, size, number = [], 0, number + 1
    if waiting:
        yield OutputPart(waiting, folder / f"part-{number:05}.parquet")
