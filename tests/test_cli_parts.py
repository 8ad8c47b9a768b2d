"""A folder of Parquet files; this process plays Ray's workers (with real Ray: `tox -e ray`)."""

import os
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from command_line import run

import treepack
from treepack.cli import ray_output
from treepack.integrations import ray
from treepack.integrations.arrow.tables import chunks_to_table

GUIDE = "# Guide\n\nHow to keep a pump.\n\n## Limits\n\nNever above 16 bar.\n"


def in_this_process(
    function: Callable[[object], object],
) -> AbstractContextManager[Callable[[object], Callable[[], object]]]:
    return nullcontext(lambda task: lambda: function(task))


@pytest.fixture(autouse=True)
def _documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ray, "remotely", in_this_process)
    Path("docs").mkdir()
    for name in ("a.md", "b.md", "c.md"):
        Path("docs", name).write_text(GUIDE.replace("pump", name), encoding="utf-8")


def packed(*names: str) -> list[treepack.Chunk]:
    folder = Path("docs")
    return [chunk for name in names for chunk in treepack.pack(folder / name)]


def test_documents_are_grouped_into_parts_by_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_output, "PART_BYTES", 100)
    done = run("pack", "docs", "-o", "out", "--engine", "ray")
    assert (0, "") == (done.returncode, done.stdout), done.stderr
    assert "3 documents in out" in done.stderr
    files = sorted(Path("out").iterdir())
    assert ["part-00000.parquet", "part-00001.parquet"] == [file.name for file in files]
    assert pq.read_table(files[0]).equals(chunks_to_table(packed("a.md", "b.md")))
    assert pq.read_table(files[1]).equals(chunks_to_table(packed("c.md")))


def test_an_unreadable_document_is_reported_and_the_others_are_written() -> None:
    Path("docs/b.md").unlink()
    Path("docs/b.md").symlink_to("nowhere.md")
    done = run("pack", "docs", "-o", "out", "--engine", "ray")
    assert 1 == done.returncode
    assert "b.md" in done.stderr
    assert pq.read_table("out/part-00000.parquet").equals(chunks_to_table(packed("a.md", "c.md")))


def test_no_folder_is_left_if_no_document_could_be_packed() -> None:
    Path("docs/b.md").write_bytes(b"\xff")
    flags = ("--engine", "ray", "--encoding-errors", "strict")
    done = run("pack", "docs/b.md", "-o", "out", *flags)
    assert 1 == done.returncode
    assert "no document could be packed; out was not written" in done.stderr
    assert ["docs"] == [path.name for path in Path().iterdir()]


def test_a_failed_cluster_leaves_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> object:
        msg = "no worker lived\nand more"
        raise BrokenExecutor(msg)

    monkeypatch.setattr(ray_output, "pack_part", broken)
    done = run("pack", "docs", "-o", "out", "--engine", "ray")
    assert 0 != done.returncode
    assert "Ray could not finish the work: no worker lived\n" in done.stderr
    assert ["docs"] == [path.name for path in Path().iterdir()]


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["-o", "out", "--engine", "ray"], "of the output folder cannot be written to"),
        (["-o", "out.jsonl"], "of the output file cannot be written to"),
    ],
)
def test_an_unwritable_folder_is_reported_before_any_work(
    flags: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Faked, because the super-user may write anywhere.
    monkeypatch.setattr("os.access", lambda _, mode, **__: mode != os.W_OK)
    done = run("pack", "docs", *flags)
    assert (2, "") == (done.returncode, done.stdout)
    assert message in done.stderr
