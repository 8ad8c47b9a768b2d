"""Whatever kills a worker, and whenever: the call ends with an error, and no process is left."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from worker_tasks import (
    die_by_signal,
    die_while_answering,
    exit_with_status,
    return_what_cannot_be_pickled,
)

from treepack import pack_many
from treepack.errors import WorkerError
from treepack.packing.parallel.work import in_order, map_in_order
from treepack.packing.parallel.workers import Workers

LINUX = Path("/proc/self/task").is_dir()
pytestmark = pytest.mark.skipif(not LINUX, reason="signals as on Linux")


@pytest.fixture(autouse=True)
def _check_that_no_process_is_left() -> Iterator[None]:
    yield
    assert multiprocessing.active_children() == []


@pytest.fixture(autouse=True)
def _default_handler_of_sighup() -> Iterator[None]:
    """Under ``nohup``, processes ignore SIGHUP, and pass that on to their children."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.fixture(params=[True, False], ids=["fork", "spawn"])
def fork(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def run_in_workers(function: Any, parts: list[Any], *, fork: bool) -> list[Any]:  # noqa: ANN401 - any function and its arguments
    with closing(Workers[Any, Any](function, 2, fork=fork)) as workers:
        return list(in_order(workers.submit, parts, 8))


@pytest.mark.parametrize("killer", ["SIGKILL", "SIGTERM", "SIGALRM", "SIGHUP", "SIGUSR1"])
def test_a_worker_killed_by_a_signal_at_work_raises_an_error(killer: str) -> None:
    parts = [0, 0, 0, signal.Signals[killer].value, *[0] * 40]
    with pytest.raises(WorkerError, match=f"killed by {killer}"):
        run_in_workers(die_by_signal, parts, fork=True)


def test_a_killed_spawned_worker_raises_an_error() -> None:
    with pytest.raises(WorkerError, match="killed by SIGKILL"):
        run_in_workers(die_by_signal, [0, signal.SIGKILL.value, 0], fork=False)


def test_a_worker_killed_while_it_answers_raises_an_error() -> None:
    """The calling process must not wait for the rest of the answer."""
    with closing(Workers[int, bytes](die_while_answering, 1, fork=True)) as workers:
        outcome = workers.submit(50_000_000)
        wait_until(lambda: not multiprocessing.active_children())
        with pytest.raises(WorkerError, match="killed by SIGKILL"):
            outcome()


def test_a_worker_that_exits_raises_an_error() -> None:
    with pytest.raises(WorkerError, match="exit status 3"):
        run_in_workers(exit_with_status, [3], fork=True)


def test_a_killed_idle_worker_raises_an_error() -> None:
    with closing(Workers[int, int](die_by_signal, 2, fork=True)) as workers:
        first, second = workers.submit(0), workers.submit(0)
        idle, _ = first(), second()
        os.kill(idle, signal.SIGKILL)
        wait_until(lambda: len(multiprocessing.active_children()) == 1)
        with pytest.raises(WorkerError, match="killed by SIGKILL"):
            list(in_order(workers.submit, [0] * 9, 4))


def test_workers_do_not_inherit_signal_handlers() -> None:
    """A handler that continues, or raises into an `except`, would keep a worker alive."""
    before = signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        with pytest.raises(WorkerError, match="killed by SIGTERM"):
            run_in_workers(die_by_signal, [signal.SIGTERM.value, 0], fork=True)
    finally:
        signal.signal(signal.SIGTERM, before)


def test_unread_results_leave_no_process() -> None:
    packed = pack_many(["# A\n\nText.\n"] * 200, jobs=2)
    next(packed)
    packed.close()  # type: ignore[attr-defined] # it is a generator


def test_a_task_or_result_that_cannot_be_sent_raises_its_own_error() -> None:
    with pytest.raises(WorkerError, match="a result cannot be sent"):
        run_in_workers(return_what_cannot_be_pickled, [1], fork=True)
    with closing(Workers[Any, int](die_by_signal, 1, fork=True)) as workers:
        good, bad = workers.submit(0), workers.submit(lambda: None)
        assert good() > 0
        with pytest.raises(WorkerError, match="cannot be sent to another process"):
            bad()
        assert workers.submit(0)() > 0, "the worker lives on"


def test_more_data_than_the_pipes_hold_does_not_block(*, fork: bool) -> None:
    """Large parts wait to be sent while large results wait to be read."""
    parts = [bytes([number]) * 3_000_000 for number in range(12)]
    assert run_in_workers(bytes, parts, fork=fork) == parts


def test_no_more_processes_start_than_the_tasks_need() -> None:
    with closing(Workers[int, int](die_by_signal, 8, fork=True)) as workers:
        workers.submit(0)()
        workers.submit(0)()
        assert len(multiprocessing.active_children()) == 1


def test_an_error_raised_by_a_task_is_passed_on() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        list(map_in_order(int, ["1", "two"], 2))


PARENT = """
import os, signal, sys, time
from treepack.packing.parallel.work import map_in_order

def busy(number):
    os.write(1, f"{os.getpid()}\\n".encode())  # print may write the line end apart
    time.sleep(60)

if __name__ == "__main__":
    list(map_in_order(busy, range(4), 2))
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_workers_do_not_outlive_their_parent(tmp_path: Path, number: int) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT, encoding="utf-8")
    command = [sys.executable, str(script)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as parent:
        assert parent.stdout is not None
        workers = [int(parent.stdout.readline()) for _ in range(2)]
        parent.send_signal(number)
        assert parent.stdout.read() == "", "it ends when all writers have ended"
    wait_until(lambda: not any(is_alive(worker) for worker in workers))


def wait_until(is_so: Callable[[], bool]) -> None:
    while not is_so():  # however long it takes on a busy machine
        time.sleep(0.01)


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
