"""``treepack pack``: what it writes, its messages and its exit codes."""

import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from cli_documents import GUIDE, write_guides
from command_line import chunks_of, invoke, run

import treepack


@pytest.fixture(autouse=True)
def _run_in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads another folder's settings."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """A folder with documents, and with files that are not documents."""
    return write_guides(tmp_path / "docs")


def run_process(*arguments: object, **options: Any) -> "subprocess.CompletedProcess[str]":  # noqa: ANN401 - settings
    """Run the command in its own process, like a shell."""
    command = [sys.executable, "-m", "treepack", *map(str, arguments)]
    return subprocess.run(command, check=False, capture_output=True, encoding="utf-8", **options)


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# --- what pack writes ---


def test_pack_writes_one_json_line_for_each_chunk(docs: Path) -> None:
    result = run("pack", docs / "b.md")
    assert (0, "") == (result.returncode, result.stderr)
    expected = treepack.pack(docs / "b.md")
    assert list(expected) == chunks_of(result.stdout)
    assert {"b.md"} == {chunk.document for chunk in expected}


def test_a_folder_is_walked_in_sorted_order(docs: Path) -> None:
    """Documents are named by their path inside the folder, so ids do not depend on its location."""
    result = invoke("pack", docs)
    assert 0 == result.exit_code, result.stderr
    names = [chunk.document for chunk in chunks_of(result.stdout)]
    assert ["a.txt", "b.md", "sub/D.MDX", "sub/c.markdown"] == list(dict.fromkeys(names))


def test_files_of_the_same_name_are_named_by_their_paths(tmp_path: Path) -> None:
    """Otherwise their chunks could not be distinguished or audited."""
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "README.md").write_text(GUIDE, encoding="utf-8")
    result = invoke("pack", "one", "two/README.md")
    names = {chunk.document for chunk in chunks_of(result.stdout)}
    assert {"one/README.md", "two/README.md"} == names


def test_standard_input_has_no_name() -> None:
    result = run("pack", "-", stdin=GUIDE)
    assert 0 == result.returncode, result.stderr
    assert list(treepack.pack(GUIDE)) == chunks_of(result.stdout)


def test_output_is_written_to_a_file(docs: Path, tmp_path: Path) -> None:
    result = invoke("pack", docs, "-o", "out.jsonl")
    assert (0, "") == (result.exit_code, result.stdout)
    assert (tmp_path / "out.jsonl").read_bytes().decode() == invoke("pack", docs).stdout
    assert "4 documents" in result.stderr
    assert ["docs", "out.jsonl"] == names_in(tmp_path)


def test_the_number_of_processes_does_not_change_the_output(docs: Path, tmp_path: Path) -> None:
    for number in range(20):  # more than are in flight at a time
        (docs / f"{number}.md").write_text(GUIDE * (number + 1), encoding="utf-8")
    for jobs in (1, 2):
        result = run("pack", docs, "-o", f"{jobs}.jsonl", "--jobs", jobs, "--target", 64)
        assert 0 == result.returncode, result.stderr
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()


def test_an_empty_file_is_not_an_error(tmp_path: Path) -> None:
    (tmp_path / "empty.md").touch()
    result = invoke("pack", "empty.md")
    assert (0, "") == (result.exit_code, result.stdout)


# --- what goes wrong with a document ---


def test_an_unexpected_error_stops_only_one_document(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long run over many files must not end at the first unexpected error."""
    real_pack = treepack.pack

    def failing_pack(source: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - as `pack`, whatever it takes
        if source.name == "b.md":
            msg = "surprise"
            raise LookupError(msg)
        return real_pack(source, *args, **kwargs)

    monkeypatch.setattr(treepack, "pack", failing_pack)
    result = invoke("pack", docs)
    assert 1 == result.exit_code
    assert f"{docs / 'b.md'}: treepack failed with LookupError: surprise" in result.stderr
    assert 3 == len({chunk.document for chunk in chunks_of(result.stdout)})


def test_text_that_is_not_utf_8_is_read_with_a_warning_or_rejected(tmp_path: Path) -> None:
    (tmp_path / "old.md").write_bytes(b"# Caf\xe9\n\nText.\n")
    lenient = invoke("pack", "old.md")
    assert 0 == lenient.exit_code
    assert "warning" in lenient.stderr
    assert "old.md" in lenient.stderr
    assert "Café" in lenient.stdout
    strict = invoke("pack", "old.md", "--encoding-errors", "strict")
    assert (1, "") == (strict.exit_code, strict.stdout)
    assert "old.md" in strict.stderr


def test_a_failure_leaves_the_old_output(tmp_path: Path) -> None:
    (tmp_path / "old.md").write_bytes(b"Caf\xe9\n")
    (tmp_path / "out.jsonl").write_text("the old one", encoding="utf-8")
    result = invoke("pack", "old.md", "-o", "out.jsonl", "--encoding-errors", "strict")
    assert 1 == result.exit_code
    assert "was not written" in result.stderr
    assert "the old one" == (tmp_path / "out.jsonl").read_text(encoding="utf-8")
    assert ["old.md", "out.jsonl"] == names_in(tmp_path)


def test_an_interrupt_leaves_the_old_output(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "out.jsonl").write_text("the old one", encoding="utf-8")

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(treepack, "pack", interrupted)
    result = invoke("pack", docs, "-o", "out.jsonl")
    assert (130, "treepack: interrupted; out.jsonl is unchanged" in result.stderr) == (
        result.exit_code,
        True,
    )
    assert "the old one" == (tmp_path / "out.jsonl").read_text(encoding="utf-8")
    assert ["docs", "out.jsonl"] == names_in(tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="finds processes as on Linux")
def test_a_killed_worker_changes_nothing_in_the_output(tmp_path: Path) -> None:
    Path("docs").mkdir()
    for number in range(60):
        Path("docs", f"{number}.md").write_text(GUIDE * 400, encoding="utf-8")
    assert 0 == invoke("pack", "docs", "-o", "expected.jsonl").exit_code
    command = [sys.executable, "-m", "treepack", "pack", "docs", "-o", "out.jsonl", "-j", "2"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        while len(workers := children.read_text().split()) < 2:
            assert process.poll() is None
        os.kill(int(workers[1]), signal.SIGKILL)
        process.communicate()
    assert 0 == process.returncode
    expected = Path("expected.jsonl").read_text(encoding="utf-8")
    assert expected == Path("out.jsonl").read_text(encoding="utf-8")
    assert ["docs", "expected.jsonl", "out.jsonl"] == names_in(tmp_path)
    assert not [worker for worker in workers if Path("/proc", worker).exists()]


@pytest.fixture
def default_sighup_handler() -> Iterator[None]:
    """Restore the default for SIGHUP: under ``nohup``, processes and their children ignore it."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.slow
@pytest.mark.usefixtures("default_sighup_handler")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_a_stopped_process_leaves_no_temporary_file(tmp_path: Path, number: int) -> None:
    os.mkfifo("pipe.md")  # nobody writes to it, so reading it waits
    command = [sys.executable, "-m", "treepack", "pack", "pipe.md", "-o", "out.jsonl"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None and len(names_in(tmp_path)) == 1:
            time.sleep(0.01)
        process.send_signal(number)
        _, error_output = process.communicate()
    assert 128 + number == process.returncode
    assert "Traceback" not in error_output
    assert ["pipe.md"] == names_in(tmp_path)


def test_a_new_output_has_usual_permissions_and_an_old_one_keeps_its_own(docs: Path) -> None:
    """Temporary files are private; the finished file must not be."""
    reference, output = Path("reference"), Path("out.jsonl")
    reference.touch()
    invoke("pack", docs, "-o", output)
    assert stat.S_IMODE(reference.stat().st_mode) == stat.S_IMODE(output.stat().st_mode)
    output.chmod(0o640)
    invoke("pack", docs, "-o", output)
    assert 0o640 == stat.S_IMODE(output.stat().st_mode)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_reported_in_one_line(docs: Path) -> None:
    result = run("pack", docs, "-o", "/dev/full")
    assert 1 == result.returncode
    assert "No space left" in result.stderr
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "treepack", "pack", "-q", str(docs)]
        to_stdout = subprocess.run(
            command, check=False, stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert 1 == to_stdout.returncode
    assert 1 == to_stdout.stderr.count("\n"), to_stdout.stderr


# --- invalid calls ---


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["pack", "missing.md"], ["missing.md does not exist"]),
        (["audit", "missing.md"], ["missing.md does not exist"]),
        (["show", "missing.md"], ["missing.md does not exist"]),
        (["show", "."], ["takes one file"]),
        (["pack", "empty"], ["empty contains no file that pack reads", ".md"]),
        (["pack", "x.md", "--target", "300", "--max", "256"], ["300", "256"]),
        (["pack", "x.md", "--max", "15"], ["15", "16"]),
        (["pack", "x.md", "--overlap", "60", "--max", "60"], ["60", "overlap_tokens"]),
        (["pack", "x.md", "--overlap=-5"], ["overlap_tokens is -5", "0"]),
        (["pack", "x.md", "--encoding", "cl100k"], ["cl100k"]),
        (["pack", "x.md", "-o", "empty"], ["empty is a folder"]),
        (["pack", "x.md", "-o", "nowhere/out.jsonl"], ["nowhere", "does not exist"]),
        (["pack", "x.md", "-o", "x.md"], ["x.md is one of the documents"]),
        (["pack", "x.md", "--jobs", "0"], ["--jobs"]),
        (["pack", "x.md", "--sections", "some"], ["some", "separate"]),
        (["audit", "x.md", "--chunks", "missing.jsonl"], ["missing.jsonl"]),
    ],
)
def test_an_invalid_call_exits_with_2_and_explains_why(
    tmp_path: Path, arguments: list[str], expected: list[str]
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "x.md").write_text(GUIDE, encoding="utf-8")
    result = invoke(*arguments)
    assert (2, "") == (result.exit_code, result.stdout)
    assert all(words in result.stderr for words in expected), result.stderr
    assert ["empty", "x.md"] == names_in(tmp_path)


def test_the_version_is_printed() -> None:
    assert f"treepack {version('treepack')}\n" == run_process("--version").stdout
