"""Processes that work on parts sent to them; the death of a worker is noticed at once.

Each worker has a connection of its own. Workers share no lock and no queue, so nothing that a dead
worker held can block the others or this process. A ``ProcessPoolExecutor``, in contrast, can wait
forever if a worker dies while it writes a result.
"""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from pickle import loads
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from treepack.errors import WorkerError

if TYPE_CHECKING:  # not there on Windows
    from multiprocessing.context import ForkContext, SpawnContext

Part = TypeVar("Part")
Outcome = TypeVar("Outcome")

_PARTS_PER_WORKER: Final = 2
"""Parts that a worker has at a time: one in progress, and one more so that it need not wait."""

_JOIN_TIMEOUT: Final = 10.0
"""Seconds that a worker without work may take to end; it usually takes a few hundredths."""

_STOP: Final = b""


@dataclass(eq=False)
class _Worker(Generic[Outcome]):
    """A process, the connection to it, and the outcomes that it owes, in order."""

    process: BaseProcess
    connection: "Connection[bytes, bytes]"
    pending: deque[Future[Outcome]] = field(default_factory=deque[Future[Outcome]])


class Workers(Generic[Part, Outcome]):
    """Processes that apply one function; they are started when there is work for them."""

    def __init__(
        self, function: Callable[[Part], Outcome], max_workers: int, *, fork: bool = False
    ) -> None:
        """Prepare workers.

        Args:
            function: What is done with a part. A part, its outcome and, without ``fork``, the
                function are sent between processes and must be picklable.
            max_workers: The most processes that are started.
            fork: Whether they are forks of this process rather than new ones.
        """
        self._function = function
        self._max_workers = max_workers
        self._context = _context(fork=fork)
        self._is_forking = fork
        self._workers: list[_Worker[Outcome]] = []

    def submit(self, part: Part) -> Callable[[], Outcome]:
        """Give a part to a worker, once one has room for it.

        Returns:
            A function that waits for the outcome, and raises what the work raised.

        Raises:
            WorkerError: A worker died; also raised by the function that is returned.
        """
        outcome = Future[Outcome]()
        try:
            message = bytes(ForkingPickler.dumps(part))
        except Exception as problem:  # noqa: BLE001 - pickling may raise anything
            outcome.set_exception(
                WorkerError(f"a task cannot be sent to another process: {problem}")
            )
        else:
            worker = self._with_room()
            try:
                worker.connection.send_bytes(message)
            except OSError:
                raise _death_error(worker.process) from None
            worker.pending.append(outcome)
        return lambda: self._wait_for(outcome)

    def close(self) -> None:
        """End all workers; those that are still at work are killed."""
        for worker in self._workers:
            if worker.pending:
                worker.process.kill()
            else:
                with suppress(OSError):  # it died after it did all its work
                    worker.connection.send_bytes(_STOP)
        for worker in self._workers:
            worker.connection.close()
            worker.process.join(_JOIN_TIMEOUT)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
        self._workers.clear()

    def _with_room(self) -> _Worker[Outcome]:
        while True:
            idlest = min(self._workers, key=lambda worker: len(worker.pending), default=None)
            if (idlest is None or idlest.pending) and len(self._workers) < self._max_workers:
                return self._start()
            assert idlest is not None, "there may be at least one worker"
            if len(idlest.pending) < _PARTS_PER_WORKER:
                return idlest
            self._take_outcomes()

    def _start(self) -> _Worker[Outcome]:
        ours, theirs = self._context.Pipe()
        inherited = [ours, *(each.connection for each in self._workers)] if self._is_forking else []
        process = self._context.Process(
            target=_work,
            args=(self._function, theirs, inherited),
            daemon=True,  # it ends with this process, even if `close` is never called
        )
        process.start()
        theirs.close()  # now only the worker holds this end: it is closed when the worker dies
        worker = _Worker[Outcome](process, ours)
        self._workers.append(worker)
        return worker

    def _wait_for(self, outcome: Future[Outcome]) -> Outcome:
        while not outcome.done():
            self._take_outcomes()
        return outcome.result()

    def _take_outcomes(self) -> None:
        """Wait until a worker sends an outcome, or dies."""
        by_connection = {worker.connection: worker for worker in self._workers}
        for connection in wait(by_connection):
            worker = by_connection[connection]  # type: ignore[index] # it also knows sockets
            try:
                message = worker.connection.recv_bytes()
            except (EOFError, OSError):
                raise _death_error(worker.process) from None
            _settle(worker.pending.popleft(), message)


def _context(*, fork: bool) -> "ForkContext | SpawnContext":
    return multiprocessing.get_context("fork") if fork else multiprocessing.get_context("spawn")


def _settle(outcome: Future[Any], message: bytes) -> None:
    try:
        value, error = loads(message)  # noqa: S301 - our own worker wrote it
    except Exception as problem:  # noqa: BLE001 - unpickling may raise anything
        value, error = None, WorkerError(f"the result of a worker cannot be read: {problem}")
    if error is None:
        outcome.set_result(value)
    else:
        outcome.set_exception(error)


def _death_error(process: BaseProcess) -> WorkerError:
    process.join(_JOIN_TIMEOUT)
    code = process.exitcode
    if code is not None and code < 0:
        names = {each.value: each.name for each in signal.Signals}
        killer = names.get(-code, f"signal {-code}")
        guess = ", perhaps because memory ran out" if killer == "SIGKILL" else ""
        return WorkerError(f"a worker process was killed by {killer}{guess}; try fewer jobs")
    hint = "the reason may be on standard error; try jobs=1"
    return WorkerError(f"a worker process ended with exit status {code}; {hint}")


# -------------------------------------------------------------------- in the worker


def _work(
    function: Callable[[Any], object],
    connection: "Connection[bytes, bytes]",
    inherited: "Sequence[Connection[bytes, bytes]]",
) -> None:
    """Work on parts until there are no more, or the parent is gone."""
    for other in inherited:  # a copy that stays open here would hide the death of its owner
        other.close()
    _reset_signal_handlers()
    # A thread reads parts, so that parent and worker never wait for each other while sending.
    parts: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_receive, args=(connection, parts), daemon=True).start()
    while message := parts.get():
        try:
            outcome = ForkingPickler.dumps((function(loads(message)), None))  # noqa: S301 - ours
        except Exception as problem:  # noqa: BLE001 - the parent raises it
            error = WorkerError(f"a result cannot be sent to another process: {problem}")
            outcome = ForkingPickler.dumps((None, error))
        try:
            with outcome:  # release the buffer; Python 3.13 complains at exit if it is still held
                connection.send_bytes(outcome)
        except OSError:
            return  # the parent is gone


def _receive(connection: "Connection[bytes, bytes]", parts: SimpleQueue[bytes]) -> None:
    while True:
        try:
            message = connection.recv_bytes()
        except (EOFError, OSError):
            os._exit(1)  # the parent died, so nobody needs the result
        parts.put(message)
        if message == _STOP:
            return


def _reset_signal_handlers() -> None:
    """Reset signal handlers that a fork inherited, and leave Ctrl-C to the parent."""
    for number in signal.valid_signals():
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
