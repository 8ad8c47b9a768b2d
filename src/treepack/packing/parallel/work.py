"""Applies one function to many tasks, in one process or several, with results in order."""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path
from traceback import format_exception
from typing import Final, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

IN_FLIGHT_PER_WORKER: Final = 16

_AT_ONCE: Final = 4
"""Tasks sent to a worker together, once there are many: sending takes as long as a small task."""

_THREADS: Final = Path("/proc/self/task")


def map_in_order(
    function: Callable[[Task], Result],
    tasks: Iterable[Task],
    jobs: int,
    *,
    trial: Callable[[], object] | None = None,
) -> Generator[Result, None, None]:
    """Yield the results in the order of the tasks; only a few tasks are in flight at any time.

    Args:
        function: What to call for each task; with several jobs, it is called in other processes.
        tasks: The arguments of the calls.
        jobs: The number of processes.
        trial: Does a task like the others and does not raise. It is called in this process before
            workers are forked, so that they inherit what it loads.

    Raises:
        WorkerError: A worker process died, for any reason and at any time; the others are ended.
    """
    if jobs == 1:
        yield from map(function, tasks)
        return
    from treepack.packing.parallel.workers import Workers  # noqa: PLC0415 - imports multiprocessing

    can_fork = _can_fork()
    if trial is not None and can_fork:
        trial()
    in_flight = jobs * IN_FLIGHT_PER_WORKER
    with closing(Workers(partial(_apply_to_all, function), jobs, fork=can_fork)) as workers:
        for results, error in in_order(
            workers.submit, _batches(tasks, in_flight), in_flight // _AT_ONCE
        ):
            yield from results
            if error is not None:
                raise error


def in_order(
    submit: Callable[[Task], Callable[[], Result]], tasks: Iterable[Task], in_flight: int
) -> Iterator[Result]:
    """Yield the results of tasks that are done elsewhere, in order.

    Args:
        submit: Sends a task away; returns a function that waits for the result.
        tasks: The tasks.
        in_flight: The most tasks that are waited for at a time.
    """
    waiting: deque[Callable[[], Result]] = deque()
    for task in tasks:
        waiting.append(submit(task))
        if len(waiting) >= in_flight:
            yield waiting.popleft()()
    while waiting:
        yield waiting.popleft()()


def _batches(tasks: Iterable[Task], single: int) -> Iterator[list[Task]]:
    """Yield lists of tasks, in order; the first tasks go alone, so that every worker gets some."""
    rest = iter(tasks)
    yield from ([task] for task in islice(rest, single))
    while batch := list(islice(rest, _AT_ONCE)):
        yield batch


def _apply_to_all(
    function: Callable[[Task], Result], tasks: list[Task]
) -> tuple[list[Result], BaseException | None]:
    """Return the results of some tasks, up to the first one that raises, and its error."""
    results: list[Result] = []
    for task in tasks:
        try:
            results.append(function(task))
        except BaseException as error:  # noqa: BLE001 - goes to the parent, which raises it
            error.add_note("".join(format_exception(error)))
            return results, error
    return results, None


def _can_fork() -> bool:
    """Whether a fork is safe: a fork lacks all other threads, but keeps the locks they hold."""
    return _THREADS.is_dir() and len(list(_THREADS.iterdir())) == 1
