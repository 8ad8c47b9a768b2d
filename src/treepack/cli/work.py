"""Reads documents and works on each of them by itself; an error is one of the outcomes."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Generic, TypeVar

from treepack.cli.inputs.files import DocumentFile, load
from treepack.cli.terminal.output import print_message, progress
from treepack.errors import TreepackError, WorkerError
from treepack.model.source import Source
from treepack.packing.many import outcomes

T = TypeVar("T")


@dataclass(frozen=True)
class Task(Generic[T]):
    """A document, and what to do with its text; a worker process must be able to import that."""

    document: DocumentFile
    work: Callable[[Source], T]


@dataclass(frozen=True)
class TaskOutcome(Generic[T]):
    """The outcome for one document: a result or an error."""

    document: DocumentFile
    result: T | None = None
    warnings: Sequence[str] = ()
    error: str | None = None

    def print_problems(self, *, quiet: bool) -> None:
        """Print warnings and error on standard error, each with the document's name."""
        label = self.document.label
        reasons = [] if quiet else [f"warning: {warning}" for warning in self.warnings]
        for reason in reasons if self.error is None else [*reasons, self.error]:
            print_message(reason if label in reason else f"{label}: {reason}")


def run_task(task: Task[T], errors: type[Exception] = Exception) -> TaskOutcome[T]:
    """Read one document and work on it; an exception of type ``errors`` becomes the outcome."""
    result, error = None, None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = task.work(load(task.document))
        except errors as problem:
            error = str(problem)
            if not isinstance(problem, TreepackError | OSError):
                kind = type(problem).__name__
                error = f"treepack failed with {kind}: {error}; please report this"
    messages = tuple(dict.fromkeys(str(warning.message) for warning in caught))
    return TaskOutcome(task.document, result, messages, error)


def run_all(
    tasks: Sequence[Task[T]], jobs: int, activity: str, *, quiet: bool, with_progress: bool = True
) -> Iterator[TaskOutcome[T]]:
    """Do tasks in order; print progress, warnings and errors on standard error."""
    with (
        closing(outcomes(run_task, tasks, min(jobs, len(tasks)))) as done,
        progress(activity, len(tasks), is_shown=with_progress and not quiet) as count_one,
    ):
        for task, result in done:
            try:
                outcome = result()
            except WorkerError as problem:
                outcome = TaskOutcome[T](task.document, error=str(problem))
            outcome.print_problems(quiet=quiet)
            yield outcome
            count_one()
