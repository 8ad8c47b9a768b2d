"""Applies one function to many tasks in several processes, with outcomes in order."""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, suppress
from pathlib import Path
from threading import Thread
from typing import Final, Generic, NoReturn, TypeVar

from treepack.errors import WorkerError

Task = TypeVar("Task")
Result = TypeVar("Result")

IN_FLIGHT_PER_PROCESS: Final = 16

_THREADS: Final = Path("/proc/self/task")


def outcomes(
    function: Callable[[Task], Result], tasks: Iterable[Task], jobs: int
) -> Generator[tuple[Task, Callable[[], Result]], None, None]:
    """Yield each task with a function that returns its result, or raises what the task raised.

    Tasks are asked for when they are needed: only a few for each process are in progress at a time.
    If a process dies, the tasks in progress are done again, one by one,
    and the rest in new processes. A task that kills its process even then raises a `WorkerError`.

    Args:
        function: What to call for each task; other processes must be able to import it.
        tasks: The arguments of the calls.
        jobs: The number of processes.
    """
    waiting: deque[tuple[Task, Future[Result]]] = deque()
    with closing(_Processes(function, jobs)) as several, closing(_Processes(function, 1)) as one:
        for task in tasks:
            waiting.append((task, several.submit(task)))
            if len(waiting) == jobs * IN_FLIGHT_PER_PROCESS:
                yield _outcome(*waiting.popleft(), one)
        while waiting:
            yield _outcome(*waiting.popleft(), one)


class _Processes(Generic[Task, Result]):
    """Processes that apply one function, started when there is work, and anew when one has died."""

    def __init__(self, function: Callable[[Task], Result], jobs: int) -> None:
        self._function = function
        self._jobs = jobs
        self._pool: ProcessPoolExecutor | None = None

    def submit(self, task: Task) -> Future[Result]:
        if self._pool is not None:
            with suppress(BrokenProcessPool, OSError):  # OSError: a start while another one dies
                return self._pool.submit(self._function, task)
            self.close()
        self._pool = _new_pool(self._jobs)
        return self._pool.submit(self._function, task)

    def close(self) -> None:
        if self._pool is None:
            return
        # A pool leaves a process that it starts at the moment when another one dies.
        started = [*(self._pool._processes or {}).values()]  # noqa: SLF001  # pyright: ignore[reportPrivateUsage, reportUnknownMemberType]
        self._pool.shutdown(cancel_futures=True)
        for process in started:
            process.kill()
            process.join()


def _outcome(
    task: Task, future: Future[Result], one: _Processes[Task, Result]
) -> tuple[Task, Callable[[], Result]]:
    if not future.cancelled() and not isinstance(future.exception(), BrokenProcessPool):
        return task, future.result
    alone = one.submit(task)  # so that it is known which task kills its process
    if not isinstance(alone.exception(), BrokenProcessPool):
        return task, alone.result
    return task, _report_death


def _report_death() -> NoReturn:
    msg = (
        "a worker process died at this document, perhaps because memory ran out; "
        "try fewer jobs, or jobs=1 to see the reason"
    )
    raise WorkerError(msg)


def _new_pool(jobs: int) -> ProcessPoolExecutor:
    """Return new processes: forks where that is safe, because they need not import anything.

    A fork lacks all other threads of this process, but keeps the locks that they hold.
    """
    can_fork = _THREADS.is_dir() and len(list(_THREADS.iterdir())) == 1
    context = multiprocessing.get_context("fork" if can_fork else "spawn")
    return ProcessPoolExecutor(jobs, context, initializer=_begin)


def _begin() -> None:
    """Begin a process that ends at once, and says nothing, when it is interrupted or left alone."""
    for number in signal.valid_signals():
        if callable(signal.getsignal(number)):  # a fork inherits the handlers
            signal.signal(number, signal.SIG_DFL)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None, "this process is a worker"
    parent.join()
    os._exit(1)
