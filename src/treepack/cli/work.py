"""Reads documents and works on each of them by itself; an error is one of the outcomes."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from treepack.cli.inputs.files import DocumentFile, collected_warnings, load
from treepack.cli.terminal.output import error_message, print_problems, progress
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
class TaskOutcome(Generic[T]):
    """The outcome for one document: a result or an error."""

    document: DocumentFile
    result: T | None = None
    warnings: Sequence[str] = ()
    error: str | None = None


def run_task(task: Task[T], errors: type[Exception] = Exception) -> TaskOutcome[T]:
    """Read one document and work on it; an exception of type ``errors`` becomes the outcome."""
    result, error = None, None
    with collected_warnings() as messages:
        try:
            result = task.work(load(task.document))
        except errors as problem:
            error = error_message(problem)
    return TaskOutcome(task.document, result, tuple(messages), error)


def run_one(task: Task[T], *, quiet: bool) -> TaskOutcome[T]:
    """Do the only task of a call, and print its warnings and what is wrong with its document."""
    outcome = run_task(task, SourceError)
    print_problems(outcome.document.label, () if quiet else outcome.warnings, outcome.error)
    return outcome


def run_all(  # noqa: PLR0913 - each is a choice of its own
    tasks: Sequence[Task[T]],
    jobs: int,
    activity: str,
    *,
    quiet: bool,
    with_progress: bool = True,
    trial: Task[T] | None = None,
) -> Iterator[TaskOutcome[T]]:
    """Do tasks in order; print progress, warnings and errors on standard error.

    See also `map_in_order`.
    """
    tried = partial(run_task, trial) if trial else None
    outcomes = map_in_order(run_task, tasks, min(jobs, len(tasks)), trial=tried)
    sizes = [task.document.size for task in tasks]
    with progress(activity, sizes, is_shown=with_progress and not quiet) as count_one:
        for outcome in outcomes:
            print_problems(outcome.document.label, () if quiet else outcome.warnings, outcome.error)
            yield outcome
            count_one()
