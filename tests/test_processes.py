"""Whatever kills a worker, and whenever: its document is named, and no other one is lost."""

import multiprocessing
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from worker_tasks import mortal, obedient

from treepack import PackConfig, SourceError, TreepackError, pack, pack_many
from treepack.packing import Failure

LINUX = Path("/proc/self/task").is_dir()
pytestmark = pytest.mark.skipif(not LINUX, reason="signals as on Linux")
SIZES = PackConfig(max_tokens=2000, target_tokens=1000, encoding=obedient)
DEATHS = [f"kill with {signal.Signals[name].value}" for name in ("SIGKILL", "SIGTERM")]


@pytest.fixture(autouse=True)
def _check_that_no_process_is_left() -> Iterator[None]:
    yield
    assert multiprocessing.active_children() == []


@pytest.fixture
def _thread() -> Iterator[None]:
    """Another thread, beside which workers are not forked."""
    done = threading.Event()
    threading.Thread(target=done.wait).start()
    yield
    done.set()


@pytest.mark.parametrize("death", [*DEATHS, "exit with 3"])
def test_a_document_that_kills_its_worker_fails_and_no_other(death: str) -> None:
    texts = [f"Text {number}." for number in range(60)]
    texts[3] = texts[40] = f"Please {death}."

    packed = list(pack_many(texts, SIZES, jobs=2, on_error="failure"))

    failed = [number for number, each in enumerate(packed) if isinstance(each, Failure)]
    assert failed == [3, 40]
    for text, each in zip(texts, packed, strict=True):
        if isinstance(each, Failure):
            assert each.source == text
            assert isinstance(each.error, TreepackError)
            assert "a worker process died" in str(each.error)
        else:
            assert each == pack(text, SIZES)


@pytest.mark.usefixtures("_thread")
def test_a_new_process_that_dies_is_reported_as_well() -> None:
    packed = list(pack_many(["One.", "kill with 9", "Two."], SIZES, jobs=2, on_error="failure"))
    assert [isinstance(each, Failure) for each in packed] == [False, True, False]


def test_the_death_of_a_worker_is_raised_after_all_earlier_results() -> None:
    packed = pack_many([*map(str, range(49)), "kill with 9", "Last."], SIZES, jobs=2)

    assert [chunks[0].text for chunks in islice(packed, 49)] == [*map(str, range(49))]
    with pytest.raises(TreepackError, match=r"a worker process died.*fewer jobs"):
        next(packed)


def test_a_worker_that_dies_by_chance_loses_nothing(tmp_path: Path) -> None:
    marks = [tmp_path / str(number) for number in range(40)]
    marks[5].touch()
    texts = [f"Look at {mark} here." for mark in marks]
    config = SIZES.model_copy(update={"encoding": mortal})

    assert list(pack_many(texts, config, jobs=2)) == [pack(text, SIZES) for text in texts]
    assert list(tmp_path.iterdir()) == []


def test_an_error_is_raised_after_all_earlier_results(tmp_path: Path) -> None:
    """Workers get a few documents at a time; if one fails, the others are not lost."""
    packed = pack_many([*map(str, range(49)), tmp_path / "missing.md", "Last."], SIZES, jobs=2)

    assert len(list(islice(packed, 49))) == 49
    with pytest.raises(SourceError) as raised:
        next(packed)
    assert "Traceback" in str(raised.value.__cause__), "that of the worker"


def test_a_document_that_cannot_be_sent_fails_and_no_other() -> None:
    texts: list[Any] = ["One.", threading.Lock(), "Two."]
    packed = list(pack_many(texts, SIZES, jobs=2, on_error="failure"))
    assert [isinstance(each, Failure) for each in packed] == [False, True, False]


def test_unread_results_leave_no_process() -> None:
    packed = pack_many(["# A\n\nText.\n"] * 200, jobs=2)
    next(packed)
    packed.close()  # type: ignore[attr-defined] # it is a generator


def test_no_thread_outlives_the_results() -> None:
    """A thread that ends with the interpreter writes to a closed pipe and reports the error."""
    before = threading.active_count()

    assert len(list(pack_many(["Text."] * 40, jobs=2))) == 40

    assert threading.active_count() == before


def test_workers_do_not_inherit_signal_handlers() -> None:
    """A handler that continues, or raises into an `except`, would keep a worker alive."""
    before = signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        texts = ["One.", f"kill with {signal.SIGTERM.value}"]
        packed = list(pack_many(texts, SIZES, jobs=2, on_error="failure"))
    finally:
        signal.signal(signal.SIGTERM, before)
    assert [isinstance(each, Failure) for each in packed] == [False, True]


PARENT = """
import os, time
from treepack import PackConfig, pack_many

def busy(text):
    os.write(1, f"{os.getpid()}\\n".encode())  # print may write the line end apart
    time.sleep(60)
    return 1

if __name__ == "__main__":
    list(pack_many(["One.", "Two.", "Three."], PackConfig(encoding=busy), jobs=2))
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
        workers = {int(parent.stdout.readline()) for _ in range(2)}
        parent.send_signal(number)
        assert parent.stdout.read() == "", "it ends when all writers have ended"
    while any(is_alive(worker) for worker in workers):  # however long it takes on a busy machine
        time.sleep(0.01)


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
