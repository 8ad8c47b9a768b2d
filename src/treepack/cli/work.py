"""Reads documents and works on each of them by itself; an error is one of the outcomes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from treepack.cli.inputs.files import DocumentFile, collected_warnings, load
from treepack.cli.terminal.output import complain_about, explain, progress
from treepack.errors import SourceError
from treepack.model.source import Source
from treepack.packing.parallel.work import map_in_order

T = TypeVar("T")


@dataclass(frozen=True)
class Task(Generic[T]):
    """Everything that a worker needs for one document.

    Attributes:
        document: The document.
        work: What to do with its text; a worker process must be able to import this function.
    """

    document: DocumentFile
    work: Callable[[Source], T]


@dataclass(frozen=True)
class Done(Generic[T]):
    """The outcome for one document: a result or an error."""

    document: DocumentFile
    result: T | None = None
    warnings: Sequence[str] = ()
    error: str | None = None


def do(task: Task[T], errors: type[Exception] = Exception) -> Done[T]:
    """Read one document and work on it; an exception of type ``errors`` becomes the outcome."""
    result, error = None, None
    with collected_warnings() as said:
        try:
            result = task.work(load(task.document))
        except errors as problem:
            error = explain(problem)
    return Done(task.document, result, tuple(said), error)


def do_one(task: Task[T], *, quiet: bool) -> Done[T]:
    """Do the only task of a call, and print its warnings and what is wrong with its document."""
    done = do(task, SourceError)
    complain_about(done.document.label, () if quiet else done.warnings, done.error)
    return done


def do_all(  # noqa: PLR0913 - each is a choice of its own
    tasks: Sequence[Task[T]],
    jobs: int,
    doing: str,
    *,
    quiet: bool,
    with_progress: bool = True,
    trial: Task[T] | None = None,
) -> Iterator[Done[T]]:
    """Do tasks in order, and print about them like `told`; see also `map_in_order`."""
    tried = partial(do, trial) if trial else None
    results = map_in_order(do, tasks, min(jobs, len(tasks)), trial=tried)
    return told(results, tasks, doing, quiet=quiet, with_progress=with_progress)


def told(
    results: Iterable[Done[T]],
    tasks: Sequence[Task[T]],
    doing: str,
    *,
    quiet: bool,
    with_progress: bool = True,
) -> Iterator[Done[T]]:
    """Yield the results, and print progress, warnings and errors on standard error."""
    sizes = [task.document.size for task in tasks]
    with progress(doing, sizes, shown=with_progress and not quiet) as count_one:
        for done in results:
            complain_about(done.document.label, () if quiet else done.warnings, done.error)
            yield done
            count_one()
