"""Many documents, in one process or several."""

import pickle
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias, overload

from treepack.config import PackConfig
from treepack.document import Document, Source
from treepack.errors import WorkerError
from treepack.packing.chunks import Chunks
from treepack.packing.packer import pack

Packable: TypeAlias = str | Path | Source | Document

TRIAL: Final = "# 1 Trial\n\nSee 1.\n"
"""Loads what most documents need: the vocabulary, and what finds clauses and references."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A document that could not be packed.

    Attributes:
        source: What was given.
        error: Why.
    """

    source: Packable
    error: Exception


@dataclass(frozen=True, slots=True)
class _Task:
    source: Packable
    config: PackConfig | None
    on_error: Literal["raise", "failure"]


@overload
def pack_many(
    sources: Iterable[Packable],
    config: PackConfig | None = None,
    *,
    jobs: int = 1,
    on_error: Literal["raise"] = "raise",
) -> Iterator[Chunks]: ...
@overload
def pack_many(
    sources: Iterable[Packable],
    config: PackConfig | None = None,
    *,
    jobs: int = 1,
    on_error: Literal["failure"],
) -> Iterator[Chunks | Failure]: ...
def pack_many(
    sources: Iterable[Packable],
    config: PackConfig | None = None,
    *,
    jobs: int = 1,
    on_error: Literal["raise", "failure"] = "raise",
) -> Iterator[Chunks | Failure]:
    r"""Pack many documents and give their chunks in the order of the documents.

    Sources are asked for as they are packed, and 16 documents for each process are under way at
    most, so any number of them takes bounded memory.

    Args:
        sources: The documents; see `treepack.pack`.
        config: Limits and policies for all of them.
        jobs: Processes. With more than one, a script that calls this must keep what it does at the
            top level under ``if __name__ == "__main__":``, as always with new processes. They are
            forks of this one where that is safe, which is on Linux and without threads.
        on_error: Whether a document that cannot be packed ends everything with its error, or gives
            a `Failure` in its place.

    Raises:
        ValueError: ``jobs`` is below 1.
        WorkerError: The configuration or a document cannot go to other processes, or one of them
            died; none of them is left then.

    >>> [len(chunks) for chunks in pack_many(["# One\n\nText.", "# Two\n\nText."])]
    [1, 1]
    """
    if jobs < 1:
        msg = f"jobs is {jobs}, but must be at least 1"
        raise ValueError(msg)
    tasks = (_Task(source, config, on_error) for source in sources)
    if jobs == 1:
        return map(_pack, tasks)
    # It imports what starts processes, which is a tenth of all that packing imports.
    from treepack.packing.work import map_in_order  # noqa: PLC0415

    _check_portable(config, jobs)
    trial = _Task(Source(TRIAL), config, on_error="failure")
    return map_in_order(_pack, tasks, jobs, trial=trial)


def _pack(task: _Task) -> Chunks | Failure:
    try:
        return pack(task.source, task.config)
    except Exception as error:
        if task.on_error == "raise":
            raise
        return Failure(task.source, error)


def _check_portable(config: PackConfig | None, jobs: int) -> None:
    try:
        pickle.dumps(config)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        msg = (
            f"with jobs={jobs} the configuration goes to other processes, and something in it "
            f"cannot ({error}); give it functions from the top level of a module, or jobs=1"
        )
        raise WorkerError(msg) from error
