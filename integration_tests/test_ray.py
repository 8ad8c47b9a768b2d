"""Ray gives what the plain loop gives, row for row; ``tox -e ray`` installs what this needs."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import Any, Final

import engine_documents
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from engine_documents import (
    CONFIG,
    Counting,
    Failing,
    Killed,
    documents,
    expected,
    rows_of_plain_loop,
)
from typer.testing import CliRunner, Result

from treepack import PackConfig, Packer
from treepack.cli import ray_output
from treepack.cli.app import app
from treepack.integrations.arrow.tables import SCHEMA, output_schema, pack_table
from treepack.integrations.ray import pack_dataset, remotely

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # before Ray is loaded: nothing is reported

ray = pytest.importorskip("ray", reason="the tests of Ray need it: tox -e ray")

BLOCKS: Final = 16


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    """Start two workers on this machine."""
    # Workers cannot import the tests' modules.
    ray.cloudpickle.register_pickle_by_value(engine_documents)
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield
    ray.shutdown()


def rows_of(ds: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - Ray's
    rows: list[dict[str, Any]] = pa.concat_tables(ray.get(ds.to_arrow_refs())).to_pylist()
    return rows


def dataset(blocks: int = BLOCKS) -> Any:  # noqa: ANN401 - Ray's
    return ray.data.from_arrow(documents()).repartition(blocks).materialize()


# --- datasets ---


@pytest.mark.parametrize(("blocks", "per_task"), [(1, None), (1, 37), (BLOCKS, 128)])
def test_one_bad_document_of_two_thousand_is_one_row(blocks: int, per_task: int | None) -> None:
    rows = rows_of(pack_dataset(dataset(blocks), Failing(CONFIG), per_task=per_task))
    assert expected() == rows
    assert 1 == sum(row["error"] is not None for row in rows)


def test_without_order_the_set_of_rows_is_the_same() -> None:
    ds = pack_dataset(dataset(), Failing(CONFIG), in_order=False)
    assert not ds.context.execution_options.preserve_order
    rows = {(row["document"], row["index"]): row for row in rows_of(ds)}
    assert rows == {(row["document"], row["index"]): row for row in expected()}


def test_every_block_has_all_columns_even_one_without_chunks() -> None:
    documents = pa.table({"doc_id": ["a", "b"], "text": ["", "Text."], "year": [1, 2]})
    ds = pack_dataset(ray.data.from_arrow(documents).repartition(2), per_task=1)
    blocks = ray.get(ds.to_arrow_refs())
    assert [0, 1] == sorted(block.num_rows for block in blocks)
    assert {output_schema(documents.schema)} == {block.schema for block in blocks}


def test_parquet_is_read_and_written(tmp_path: Path) -> None:
    given = documents().slice(0, 300)
    for number in range(3):
        file = tmp_path / "documents" / f"{number}.parquet"
        file.parent.mkdir(exist_ok=True)
        pq.write_table(given.slice(number * 100, 100), file)
    ds = ray.data.read_parquet(str(tmp_path / "documents"))
    pack_dataset(ds, Packer(CONFIG), per_task=30).write_parquet(str(tmp_path / "chunks"))
    files = [pq.read_table(file) for file in (tmp_path / "chunks").iterdir()]
    assert len(files) > 3
    order = [("doc_id", "ascending"), ("index", "ascending")]
    table, chunks = pack_table(given, Packer(CONFIG)), pa.concat_tables(files)
    assert table.column_names == chunks.column_names
    assert table.sort_by(order).to_pylist() == chunks.sort_by(order).to_pylist()


def test_a_bad_document_can_end_the_job() -> None:
    ds = pack_dataset(dataset(), Failing(CONFIG), on_error="raise")
    with pytest.raises(ray.exceptions.RayTaskError, match="no good"):
        ds.materialize()


def test_a_missing_column_is_named() -> None:
    with pytest.raises(ray.exceptions.RayTaskError, match="there is no column 'body'; the columns"):
        pack_dataset(dataset(), text="body").materialize()


def test_one_large_block_is_divided_among_tasks() -> None:
    """Ray reads files into as few blocks as it can, so a block must be divided."""
    ds = pack_dataset(dataset(1), Packer(CONFIG)).materialize()
    assert BLOCKS == ds.num_blocks()


def test_a_worker_reads_its_vocabulary_once(tmp_path: Path) -> None:
    """This vocabulary is one that no other test reads."""
    packer = Counting(PackConfig(encoding="o200k_base"), tmp_path)
    pack_dataset(dataset(), packer).materialize()
    notes = packer.notes()
    assert 1 <= len(notes) < BLOCKS
    assert all(1 == noted.count("read") for noted in notes)
    assert engine_documents.COUNT == sum(noted.count("pack") for noted in notes)


def test_a_killed_worker_loses_no_rows(tmp_path: Path) -> None:
    """It is killed late in a block, after some thousand rows."""
    marker = tmp_path / "killed"
    texts = [engine_documents.text_of(number) for number in range(engine_documents.COUNT)]
    table = documents().set_column(1, "text", pa.array(texts))
    packer = Killed(CONFIG, marker, "900.md")
    ds = ray.data.from_arrow(table).repartition(2).materialize()
    rows = rows_of(pack_dataset(ds, packer, per_task=None))
    assert not Path(f"/proc/{marker.read_text()}").exists()
    assert rows_of_plain_loop(table) == rows


# --- tasks ---


def test_the_exception_of_a_task_is_raised_unchanged() -> None:
    def fail(task: str) -> None:
        raise OSError(28, "No space left on device", task)

    with (
        remotely(fail) as submit,
        pytest.raises(OSError, match="No space left on device") as raised,
    ):
        submit("part-0")()
    assert (OSError, "part-0") == (type(raised.value), raised.value.filename)


def test_a_task_that_kills_its_worker_is_retried_three_times(
    tmp_path: Path,
) -> None:
    """A task may kill three workers; the fourth kill is an error."""

    def die(times: int) -> int:
        deaths = tmp_path / str(times)
        deaths.mkdir(exist_ok=True)
        if len(list(deaths.iterdir())) < times:
            (deaths / str(os.getpid())).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return times

    with remotely(die) as submit:
        assert 3 == submit(3)()
        with pytest.raises(BrokenExecutor):
            submit(4)()


# --- the command line ---


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return documents for several parts; ``bad.docx`` cannot be read, and some are empty."""
    docs = tmp_path / "docs"
    (docs / "inner").mkdir(parents=True)
    for number in range(60):
        (docs / "inner" / f"{number:02}.md").write_text(engine_documents.text_of(number) * 8)
    (docs / "bad.docx").write_bytes(b"no archive")
    (docs / "old.md").write_bytes("Über".encode("cp1252"))
    return docs


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_ray_writes_a_folder_with_the_same_rows(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ray_output, "PART_BYTES", 20_000)
    local = run("pack", folder, "-o", tmp_path / "local.parquet")
    remote = run("pack", folder, "-o", tmp_path / "remote", "--engine", "ray")
    files = sorted((tmp_path / "remote").iterdir())
    assert len(files) > 3
    assert [f"part-{at:05}.parquet" for at in range(len(files))] == [file.name for file in files]
    one = pq.read_table(tmp_path / "local.parquet")
    assert one.schema.equals(SCHEMA)
    assert one.equals(pa.concat_tables(pq.read_table(file) for file in files))
    assert 1 == local.exit_code == remote.exit_code
    assert local.stderr.replace("local.parquet", "remote") == remote.stderr
    assert "bad.docx" in remote.stderr
    assert "cp1252" in remote.stderr


def test_an_unreachable_cluster_is_reported_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error is simulated, because Ray itself tries for some minutes before it raises."""

    def unreachable(**_: object) -> None:
        msg = "nobody at 127.0.0.1:9"
        raise ConnectionError(msg)

    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setattr(ray, "init", unreachable)
    (tmp_path / "a.md").write_text("A.", encoding="utf-8")
    done = run("pack", tmp_path / "a.md", "-o", tmp_path / "chunks", "--engine", "ray")
    why = "no Ray cluster can be reached; check RAY_ADDRESS: nobody at 127.0.0.1:9"
    message = f"Ray could not finish the work: {why}"
    assert (1, f"treepack: {message}\n") == (done.exit_code, done.stderr)
    assert ["a.md"] == [file.name for file in tmp_path.iterdir()]


def test_no_folder_is_left_if_no_document_could_be_packed(tmp_path: Path) -> None:
    (tmp_path / "bad.docx").write_bytes(b"no archive")
    done = run("pack", tmp_path / "bad.docx", "-o", tmp_path / "chunks", "--engine", "ray")
    assert 1 == done.exit_code
    assert "was not written" in done.stderr
    assert ["bad.docx"] == [file.name for file in tmp_path.iterdir()]


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_stopped_process_leaves_no_temporary_folder(
    tmp_path: Path, number: signal.Signals, status: int
) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    for at in range(120):
        (docs / f"{at}.md").write_text(engine_documents.text_of(39) * 400, encoding="utf-8")
    call = [sys.executable, "-m", "treepack", "pack", "docs", "-o", "chunks", "--engine", "ray"]
    with subprocess.Popen(call, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        while not list(tmp_path.glob(".chunks.*/part-*")):
            assert process.poll() is None
            time.sleep(0.1)
        process.send_signal(number)
        _, error_output = process.communicate()
    assert status == process.returncode, error_output
    assert ["docs"] == [file.name for file in tmp_path.iterdir()]
