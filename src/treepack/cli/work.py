"""One function over many documents: in order, in one process or several."""

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Final, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

IN_FLIGHT_PER_WORKER: Final = 16


class WorkerDiedError(Exception):
    """A worker process ended without a word, as when the system runs out of memory."""


def map_in_order(
    function: Callable[[Task], Result], tasks: Iterable[Task], jobs: int
) -> Iterator[Result]:
    """Give the results in the order of the tasks; only a few are in flight at any time."""
    if jobs == 1:
        yield from map(function, tasks)
        return
    workers = ProcessPoolExecutor(
        jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_leave_interrupts_alone
    )
    waiting: deque[Future[Result]] = deque()
    try:
        for task in tasks:
            waiting.append(workers.submit(function, task))
            if len(waiting) >= jobs * IN_FLIGHT_PER_WORKER:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool:
        msg = "a worker process ended abruptly, perhaps for want of memory; try fewer --jobs"
        raise WorkerDiedError(msg) from None
    finally:
        workers.shutdown(cancel_futures=True)


def _leave_interrupts_alone() -> None:
    """Let Ctrl-C reach the parent only, which then ends its workers in good order."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
