"""Many documents give, in order, the same chunks as each alone, in one process or several.

Whatever kills a worker, and whenever: its document is named, and no other one is lost.
"""

import multiprocessing
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

import pytest
from case_files import CASES
from hypothesis import given, settings
from strategies import documents
from worker_tasks import mortal, obedient

import treepack
from treepack import (
    Chunks,
    Document,
    PackConfig,
    Source,
    SourceError,
    TreepackError,
    pack,
    pack_many,
    parse,
)

SMALL = PackConfig(max_tokens=64, target_tokens=32, min_tokens=0)
SIZES = PackConfig(max_tokens=2000, target_tokens=1000, encoding=obedient)
GUIDE = "# Guide\n\n" + "Turn the valve by hand until it is shut. " * 12 + "\n\n## End\n\nDone.\n"
linux_only = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="as on Linux")


@pytest.fixture(autouse=True)
def _check_that_no_process_is_left() -> Iterator[None]:
    yield
    assert multiprocessing.active_children() == []


def failures(packed: Iterable[object]) -> list[int]:
    """Return the positions of what is no `Chunks`."""
    return [number for number, each in enumerate(packed) if not isinstance(each, Chunks)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_each_kind_of_source_gives_the_same_chunks_as_pack(tmp_path: Path, jobs: int) -> None:
    path = tmp_path / "guide.md"
    path.write_text(GUIDE, encoding="utf-8")
    parsed = parse(GUIDE, name="parsed.md")
    pack(parsed, SMALL)  # now it has its token index
    sources: list[str | Path | Source | Document] = [GUIDE, path, Source(GUIDE, "given.md"), parsed]
    packed = list(pack_many(sources, SMALL, jobs=jobs))
    assert packed == [pack(source, SMALL) for source in sources]
    assert min(map(len, packed)) > 1


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_failure_or_an_error_comes_at_the_position_of_its_document(
    tmp_path: Path, jobs: int
) -> None:
    """By default the error is raised after all earlier results; a worker's has its traceback."""
    sources = [tmp_path / "no" if number % 7 == 3 else f"Text {number}." for number in range(90)]
    packed = list(pack_many(sources, SMALL, jobs=jobs, on_error="failure"))
    assert failures(packed) == list(range(3, 90, 7))
    assert packed[89] == pack("Text 89.", SMALL)
    assert not isinstance(packed[3], Chunks)
    assert packed[3].source == tmp_path / "no"
    assert isinstance(packed[3].error, SourceError)
    assert str(tmp_path / "no") in str(packed[3].error)

    raising = pack_many([*map(str, range(49)), tmp_path / "no", "Last."], SMALL, jobs=jobs)
    assert len(list(islice(raising, 49))) == 49
    with pytest.raises(SourceError, match="no") as raised:
        next(raising)
    assert ("Traceback" in str(raised.value.__cause__)) is (jobs > 1)


def test_sources_are_requested_one_by_one_and_jobs_are_checked_immediately() -> None:
    requested: list[int] = []
    packed = pack_many(f"Text {requested.append(number)}." for number in range(9))  # type: ignore[func-returns-value]
    assert requested == []
    next(packed)
    assert requested == [0]
    for jobs in (0, -1):
        with pytest.raises(ValueError, match=f"jobs is {jobs}, but must be at least 1"):
            pack_many(["One."], jobs=jobs)


def test_what_cannot_be_sent_to_a_process_is_named_and_nothing_else_is_lost() -> None:
    config = PackConfig(encoding=lambda text: len(text))  # noqa: PLW0108 - what people write
    with pytest.raises(TreepackError, match=r"jobs=2 .* top level of a module, or jobs=1"):
        pack_many(["One."], config, jobs=2)
    assert len(list(pack_many(["One."], config))) == 1
    locked: list[Any] = ["One.", threading.Lock(), "Two."]
    assert failures(pack_many(locked, SIZES, jobs=2, on_error="failure")) == [1]


@settings(max_examples=20)
@given(text=documents())
def test_documents_and_chunks_survive_pickling(text: str) -> None:
    document = parse(text, name="doc.md")
    chunks = pack(document, SMALL)
    arrived, same = pickle.loads(pickle.dumps((document, chunks)))  # noqa: S301 - our own
    assert (arrived, same) == (document, chunks)
    assert pack(arrived, SMALL) == chunks
    assert treepack.report(same) == treepack.report(chunks)


# -------------------------------------------------------------------- workers


@pytest.fixture
def _with_a_handler() -> Iterator[None]:
    """A handler that continues, or raises into an `except`, would keep a worker alive."""
    before = signal.signal(signal.SIGTERM, lambda *_: None)
    yield
    signal.signal(signal.SIGTERM, before)


@linux_only
@pytest.mark.usefixtures("_with_a_handler")
@pytest.mark.parametrize("death", ["kill with 9", "kill with 15", "exit with 3"])
def test_a_document_that_kills_its_worker_fails_and_no_other(death: str) -> None:
    texts = [f"Text {number}." for number in range(60)]
    texts[3] = texts[40] = f"Please {death}."
    packed = list(pack_many(texts, SIZES, jobs=2, on_error="failure"))
    assert failures(packed) == [3, 40]
    for text, each in zip(texts, packed, strict=True):
        if isinstance(each, Chunks):
            assert each == pack(text, SIZES)
        else:
            assert each.source == text
            assert isinstance(each.error, TreepackError)
            assert "a worker process died" in str(each.error)


@pytest.fixture
def _beside_another_thread() -> Iterator[None]:
    """Workers are not forked then, but started."""
    done = threading.Event()
    threading.Thread(target=done.wait).start()
    yield
    done.set()


@linux_only
@pytest.mark.usefixtures("_beside_another_thread")
def test_a_new_process_that_dies_is_reported_and_one_that_starts_meanwhile_loses_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In some versions, the start fails, because the pool is closed by then."""
    packed = list(pack_many(["One.", "kill with 9", "Two."], SIZES, jobs=2, on_error="failure"))
    assert failures(packed) == [1]
    start, others = SpawnProcess.start, list[SpawnProcess]()

    def late(process: SpawnProcess) -> None:
        if len(others) == 1:
            others[0].join()
            for thread in threading.enumerate():
                if type(thread).__name__ == "_ExecutorManagerThread":
                    thread.join(2)  # it notes the death, or waits for this start
        start(process)
        others.append(process)

    monkeypatch.setattr(SpawnProcess, "start", late)
    packed = list(pack_many(["kill with 9", "One."], SIZES, jobs=2, on_error="failure"))
    assert failures(packed) == [0]
    assert len(others) > 2


@linux_only
def test_the_death_of_a_worker_is_raised_after_all_earlier_results() -> None:
    packed = pack_many([*map(str, range(49)), "kill with 9", "Last."], SIZES, jobs=2)
    assert [chunks[0].text for chunks in islice(packed, 49)] == [*map(str, range(49))]
    with pytest.raises(TreepackError, match=r"a worker process died.*fewer jobs"):
        next(packed)


@linux_only
def test_a_worker_that_dies_by_chance_loses_nothing(tmp_path: Path) -> None:
    marks = [tmp_path / str(number) for number in range(40)]
    marks[5].touch()
    texts = [f"Look at {mark} here." for mark in marks]
    config = SIZES.model_copy(update={"encoding": mortal})
    assert list(pack_many(texts, config, jobs=2)) == [pack(text, SIZES) for text in texts]
    assert list(tmp_path.iterdir()) == []


def test_unread_results_leave_no_process_and_no_thread() -> None:
    """A thread that ends with the interpreter writes to a closed pipe and reports the error."""
    before = threading.active_count()
    packed = pack_many(["# A\n\nText.\n"] * 200, jobs=2)
    next(packed)
    packed.close()  # type: ignore[attr-defined] # it is a generator
    assert len(list(pack_many(["Text."] * 40, jobs=2))) == 40
    assert threading.active_count() == before


def command(tmp_path: Path, script: str) -> list[str]:
    path = tmp_path / "script.py"
    path.write_text((CASES / "texts" / script).read_text("utf-8"), encoding="utf-8")
    return [sys.executable, "-W", "error", str(path)]


@linux_only
def test_workers_are_forked_only_from_a_process_without_threads(tmp_path: Path) -> None:
    """A lock held by another thread would stay locked in the copy forever."""
    call = command(tmp_path, "forking.txt")
    run = subprocess.run(call, check=False, capture_output=True, text=True)
    results = "60 ['TokenizerError', 'TokenizerError']\n"
    assert (run.stdout, run.stderr) == (f"{{'Chunks'}} {results}{{'Failure'}} {results}", "")


@linux_only
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_workers_do_not_outlive_their_parent(tmp_path: Path, number: int) -> None:
    call = command(tmp_path, "parent.txt")
    pipes: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with subprocess.Popen(call, **pipes) as parent:
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
