"""Many documents, in one process or several."""

import pickle
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath
from typing import Literal, SupportsIndex, TypeAlias, TypeVar, get_args, overload

from treepack.config import PackConfig, given_or_default
from treepack.document.document import Document
from treepack.errors import WorkerError, check_choice
from treepack.model.source import Source
from treepack.packing.chunks.chunks import Chunks
from treepack.packing.packer import pack

Packable: TypeAlias = str | Path | Source | Document
OnError: TypeAlias = Literal["raise", "failure"]
Task = TypeVar("Task")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Failure:
    """A document that could not be packed.

    Attributes:
        source: What was given.
        error: Why.
    """

    source: Packable
    error: Exception


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
    on_error: OnError = "raise",
) -> Iterator[Chunks | Failure]:
    r"""Pack many documents and yield their chunks in the order of the documents.

    Sources are read only when they are needed. With several processes, at most 16 documents per
    process are in progress at a time, so memory stays bounded for any number of documents.

    Args:
        sources: The documents; see `treepack.pack`. A string is text; give a file as a `Path`.
        config: Limits and policies for all of them.
        jobs: The number of processes. With more than one, a script that calls this must put its
            top-level code under ``if __name__ == "__main__":``, as always with new processes. They
            are forks of this process where that is safe: on Linux, without other threads.
        on_error: ``raise`` stops at a document that cannot be packed and raises its error;
            ``failure`` yields a `Failure` in its place. A document whose process dies is
            one of them; all others are done.

    Raises:
        ValueError: ``jobs`` is below 1, or ``on_error`` is unknown.
        TypeError: ``sources`` is a single document, or another argument has a wrong type.
        WorkerError: The configuration cannot be sent to another process, or a document killed one.

    >>> [len(chunks) for chunks in pack_many(["# One\n\nText.", "# Two\n\nText."])]
    [1, 1]
    """
    _check(sources, jobs, on_error)
    given_or_default(config)
    if jobs > 1:
        _check_portable(config, jobs)
    return _packed(sources, partial(pack, config=config), jobs, on_error)


def outcomes(
    function: Callable[[Task], Result], tasks: Iterable[Task], jobs: int
) -> Generator[tuple[Task, Callable[[], Result]], None, None]:
    """Yield each task with a function that returns its result, or raises what the task raised."""
    if jobs == 1:
        yield from ((task, partial(function, task)) for task in tasks)
        return
    # This import takes a tenth of the time of all other imports of packing.
    from treepack.packing import processes  # noqa: PLC0415 - multiprocessing

    yield from processes.outcomes(function, tasks, jobs)


def _packed(
    sources: Iterable[Packable],
    pack_one: Callable[[Packable], Chunks],
    jobs: int,
    on_error: OnError,
) -> Generator[Chunks | Failure, None, None]:
    with closing(outcomes(pack_one, sources, jobs)) as packed:
        for source, outcome in packed:
            try:
                yield outcome()
            except Exception as error:
                if on_error == "raise":
                    raise
                yield Failure(source, error)


def _check(sources: object, jobs: object, on_error: object) -> None:
    kind = type(sources).__name__
    # A string is an iterable of characters, and each character would be packed.
    is_one = isinstance(sources, str | bytes | PurePath | Source | Document)
    if is_one or not isinstance(sources, Iterable):
        msg = f"pack_many takes an iterable of documents, not {kind}; call pack for one document"
        raise TypeError(msg)
    if not isinstance(jobs, SupportsIndex):
        msg = f"jobs is {jobs!r}, but must be a whole number"
        raise TypeError(msg)
    if jobs.__index__() < 1:
        msg = f"jobs is {jobs}, but must be at least 1"
        raise ValueError(msg)
    check_choice("on_error", on_error, get_args(OnError))


def _check_portable(config: PackConfig | None, jobs: int) -> None:
    try:
        pickle.dumps(config)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        msg = (
            f"with jobs={jobs} the configuration is sent to other processes, but it cannot be "
            f"pickled ({error}); use functions from the top level of a module, or jobs=1"
        )
        raise WorkerError(msg) from error
