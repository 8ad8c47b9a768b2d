"""One function over many documents: in order, in one process or several."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
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
"""Tasks that make one way to a worker and back, once there are many: small ones take as long."""

_THREADS: Final = Path("/proc/self/task")


def map_in_order(
    function: Callable[[Task], Result],
    tasks: Iterable[Task],
    jobs: int,
    *,
    trial: Task | None = None,
) -> Iterator[Result]:
    """Give the results in the order of the tasks; only a few are in flight at any time.

    Args:
        function: What is done; with several processes, in others than this one.
        tasks: What it is done to.
        jobs: Processes.
        trial: A task that does not raise and whose result nobody wants. It is done here before
            workers are forked, so that they have what it loads.

    Raises:
        WorkerError: A worker process died, of whatever and whenever; no other one is left behind.
    """
    if jobs == 1:
        yield from map(function, tasks)
        return
    # It imports what starts processes, which one process does not need.
    from treepack.packing.workers import Workers  # noqa: PLC0415

    may_fork = _may_fork()
    if trial is not None and may_fork:
        function(trial)
    in_flight = jobs * IN_FLIGHT_PER_WORKER
    with closing(Workers(partial(_each, function), jobs, fork=may_fork)) as workers:
        for results, error in in_order(
            workers.submit, _parts(tasks, in_flight), in_flight // _AT_ONCE
        ):
            yield from results
            if error is not None:
                raise error


def in_order(
    submit: Callable[[Task], Callable[[], Result]], tasks: Iterable[Task], in_flight: int
) -> Iterator[Result]:
    """Give the results of tasks that are worked on elsewhere; ``submit`` says how to wait."""
    waiting: deque[Callable[[], Result]] = deque()
    for task in tasks:
        waiting.append(submit(task))
        if len(waiting) >= in_flight:
            yield waiting.popleft()()
    while waiting:
        yield waiting.popleft()()


def _parts(tasks: Iterable[Task], alone: int) -> Iterator[list[Task]]:
    """Tasks in their order, a few at once; the first ones alone, or few would not be for all."""
    rest = iter(tasks)
    yield from ([task] for task in islice(rest, alone))
    while part := list(islice(rest, _AT_ONCE)):
        yield part


def _each(
    function: Callable[[Task], Result], tasks: list[Task]
) -> tuple[list[Result], BaseException | None]:
    """The results of some tasks in a worker, up to the first that raises, and what it raises."""
    results: list[Result] = []
    for task in tasks:
        try:
            results.append(function(task))
        except BaseException as error:  # noqa: BLE001 - goes to the parent, which raises it
            error.add_note("".join(format_exception(error)))
            return results, error
    return results, None


def _may_fork() -> bool:
    """Whether a copy of this process is a whole one: threads, and locks they hold, stay behind."""
    return _THREADS.is_dir() and len(list(_THREADS.iterdir())) == 1
