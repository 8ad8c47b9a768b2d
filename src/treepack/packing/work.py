"""One function over many documents: in order, in one process or several."""

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Final, TypeVar

from treepack.errors import WorkerError

Task = TypeVar("Task")
Result = TypeVar("Result")

IN_FLIGHT_PER_WORKER: Final = 16


def map_in_order(
    function: Callable[[Task], Result], tasks: Iterable[Task], jobs: int
) -> Iterator[Result]:
    """Give the results in the order of the tasks; only a few are in flight at any time.

    Raises:
        WorkerError: A worker process ended without a word.
    """
    if jobs == 1:
        yield from map(function, tasks)
        return
    workers = ProcessPoolExecutor(
        jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_leave_interrupts_alone
    )
    has_all = False
    try:
        yield from in_order(
            lambda task: workers.submit(function, task).result, tasks, jobs * IN_FLIGHT_PER_WORKER
        )
        has_all = True
    except BrokenProcessPool:
        msg = "a worker process ended abruptly, perhaps for want of memory; try fewer jobs"
        raise WorkerError(msg) from None
    finally:
        # With all results at hand nothing is waited for: CPython 3.11 once slept here for ever, its
        # manager thread not having seen that the pool was shut down.
        workers.shutdown(wait=not has_all, cancel_futures=not has_all)


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


def _leave_interrupts_alone() -> None:
    """Let Ctrl-C reach the parent only, which then ends its workers in good order."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
