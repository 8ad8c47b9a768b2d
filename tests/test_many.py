"""Many documents give, in order, the same chunks as each alone, in one process or several."""

import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from strategies import documents

import treepack
from treepack import Chunks, Document, PackConfig, Source, SourceError, pack, pack_many, parse
from treepack.errors import WorkerError
from treepack.packing import Failure

SMALL = PackConfig(max_tokens=64, target_tokens=32, min_tokens=0)
GUIDE = "# Guide\n\n" + "Turn the valve by hand until it is shut. " * 12 + "\n\n## End\n\nDone.\n"


@pytest.mark.parametrize("jobs", [1, 2])
def test_each_kind_of_source_gives_the_same_chunks_as_pack(tmp_path: Path, jobs: int) -> None:
    path = tmp_path / "guide.md"
    path.write_text(GUIDE, encoding="utf-8")
    parsed = parse(GUIDE, name="parsed.md")
    pack(parsed, SMALL)  # now it has its token index
    sources: list[str | Path | Source | Document] = [GUIDE, path, Source(GUIDE, "given.md"), parsed]

    packed = list(pack_many(sources, SMALL, jobs=jobs))

    assert packed == [pack(source, SMALL) for source in sources]
    assert [len(chunks) > 1 for chunks in packed] == [True] * 4


def test_a_document_that_cannot_be_packed_gives_a_failure_at_its_position(tmp_path: Path) -> None:
    missing = tmp_path / "missing.md"

    first, second, third = pack_many(["One.", missing, "Two."], on_error="failure")

    assert isinstance(first, Chunks)
    assert isinstance(third, Chunks)
    assert isinstance(second, Failure)
    assert second.source == missing
    assert isinstance(second.error, SourceError)
    assert str(missing) in str(second.error)


def test_an_error_is_raised_by_default(tmp_path: Path) -> None:
    packed = pack_many(["One.", tmp_path / "missing.md", "Two."])

    assert [chunk.text for chunk in next(packed)] == ["One."]
    with pytest.raises(SourceError, match=r"missing\.md"):
        next(packed)


def test_sources_are_requested_one_by_one() -> None:
    requested: list[int] = []

    def sources() -> Iterator[str]:
        for number in range(9):
            requested.append(number)
            yield f"Text {number}."

    packed = pack_many(sources())

    assert requested == []
    next(packed)
    assert requested == [0]


def test_an_unpicklable_configuration_is_rejected_immediately() -> None:
    config = PackConfig(encoding=lambda text: len(text))  # noqa: PLW0108 - what people write

    with pytest.raises(WorkerError, match=r"jobs=2 .* top level of a module, or jobs=1"):
        pack_many(["One."], config, jobs=2)

    assert len(list(pack_many(["One."], config))) == 1


@pytest.mark.parametrize("jobs", [0, -1])
def test_fewer_than_one_process_is_rejected_immediately(jobs: int) -> None:
    with pytest.raises(ValueError, match=f"jobs is {jobs}, but must be at least 1"):
        pack_many(["One."], jobs=jobs)


def test_chunks_that_were_pickled_make_the_same_report() -> None:
    pytest.importorskip("jinja2")
    chunks = pickle.loads(pickle.dumps(pack(Source(GUIDE, "guide.md"), SMALL)))  # noqa: S301 - our own

    assert treepack.report(chunks) == treepack.report(pack(Source(GUIDE, "guide.md"), SMALL))


@settings(max_examples=20)
@given(text=documents())
def test_documents_and_chunks_survive_pickling(text: str) -> None:
    document = parse(text, name="doc.md")
    chunks = pack(document, SMALL)

    assert pickle.loads(pickle.dumps(chunks)) == chunks  # noqa: S301 - our own
    arrived = pickle.loads(pickle.dumps(document))  # noqa: S301 - our own
    assert arrived == document
    assert pack(arrived, SMALL) == chunks


# -------------------------------------------------------------------- where the work is done


def test_failures_among_many_documents_keep_their_positions(tmp_path: Path) -> None:
    sources = [tmp_path / "no" if number % 7 == 3 else f"Text {number}." for number in range(90)]

    packed = list(pack_many(sources, SMALL, jobs=2, on_error="failure"))

    failed = [number for number, each in enumerate(packed) if isinstance(each, Failure)]
    assert failed == list(range(3, 90, 7))
    assert packed[89] == pack("Text 89.", SMALL)


FORKING = """
import sys, threading
import treepack
from treepack import pack_many

def count(text):
    # A new process has no mark.
    return len(text) if vars(treepack).get("marked") else 1 / 0

if __name__ == "__main__":
    treepack.marked = True
    for thread in (None, threading.Thread(target=threading.Event().wait, daemon=True)):
        if thread:
            thread.start()
        marked = treepack.PackConfig(max_tokens=900, encoding=count)
        counted = pack_many(["A", "B"], marked, jobs=2, on_error="failure")
        seen = [type(each).__name__ for each in counted]
        packed = list(pack_many(["# 1 A\\n\\nSee 1.", "B."] * 30, jobs=2))
        assert packed[-2:] == [treepack.pack("# 1 A\\n\\nSee 1."), treepack.pack("B.")]
        unknown = treepack.PackConfig(encoding="unknown")
        failures = list(pack_many(["A", "B"], unknown, jobs=2, on_error="failure"))
        print({*seen}, len(packed), [type(each.error).__name__ for each in failures])
"""


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="forks on Linux only")
def test_workers_are_forked_only_from_a_process_without_threads(tmp_path: Path) -> None:
    """A lock held by another thread would stay locked in the copy forever."""
    script = tmp_path / "script.py"
    script.write_text(FORKING, encoding="utf-8")
    command = [sys.executable, "-W", "error", str(script)]

    done = subprocess.run(command, check=False, capture_output=True, text=True)

    results = "60 ['TokenizerError', 'TokenizerError']\n"
    assert (done.stdout, done.stderr) == (f"{{'Chunks'}} {results}{{'Failure'}} {results}", "")
