"""``treepack pack`` and ``audit``: what they write, their messages and their exit codes.

`cases/cli/cases.json` and `inputs.json` have the files of a folder, calls in it, and what each
prints and leaves.
"""

import json
import os
import re
import shlex
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from case_files import case_table, cases_by_name
from cli_documents import GUIDE, write_guides
from command_line import chunks_of, invoke, run
from typer.testing import CliRunner

import treepack
from treepack import PackConfig
from treepack.cli.app import app

CASES = cases_by_name("cli/cases.json") | cases_by_name("cli/inputs.json")


@pytest.fixture(autouse=True)
def _run_in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads another folder's settings."""
    monkeypatch.chdir(tmp_path)


def write_files(case: dict[str, Any]) -> None:
    """Write a case's files, some in Latin-1; a name that ends in a slash is a folder's."""
    for kind, encoding in (("files", "utf-8"), ("bytes", "latin-1")):
        for name, text in case.get(kind, {}).items():
            path = Path(name)
            (path if name.endswith("/") else path.parent).mkdir(parents=True, exist_ok=True)
            if not name.endswith("/"):
                path.write_bytes(text.encode(encoding))
    if "guides" in case:
        write_guides(Path(case["guides"]))
    for name, (pattern, new) in case.get("changes", {}).items():
        changed = re.sub(pattern, new, Path(name).read_text("utf-8"))
        assert changed != Path(name).read_text("utf-8")
        Path(name).write_text(changed, "utf-8")
    if "removes" in case:
        Path(case["removes"]).unlink()


@pytest.mark.parametrize("name", CASES)
def test_calls_print_and_leave_what_the_case_says(name: str) -> None:
    write_files(CASES[name])
    for each in CASES[name]["calls"]:
        case = {**CASES[name].get("every", {}), **each}
        write_files(each)
        words = shlex.split(case["call"])
        done = CliRunner().invoke(app, words, input=case.get("stdin"), prog_name="treepack")
        said = (case["call"], done.output)
        assert done.exit_code == case.get("exit", 0), said
        for stream, text in (("out", done.stdout), ("err", done.stderr)):
            expected = case.get(stream, [])
            assert text == "" or expected != "", said
            assert all(part in text for part in expected), said
            assert not any(part in text for part in case.get(f"not_{stream}", [])), said
        assert done.stderr.count("\n") == case.get("lines", done.stderr.count("\n")), said
        assert done.stderr.endswith(f"{case['last']}\n" if "last" in case else ""), said
        if "documents" in case:
            names = [json.loads(line)["document"] for line in done.stdout.splitlines()]
            assert list(dict.fromkeys(names)) == case["documents"]
        if "equals" in case:
            assert done.stdout == Path(case["equals"]).read_text("utf-8")
        for file, begin in case.get("begins", {}).items():
            assert Path(file).read_bytes().startswith(begin.encode())
        assert names_here() == case.get("here", names_here())


def names_here() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


# --- what pack writes ---


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """A folder with documents, and with files that are not documents."""
    return write_guides(tmp_path / "docs")


def test_pack_writes_one_json_line_for_each_chunk(docs: Path) -> None:
    result = run("pack", docs / "b.md")
    assert (0, "") == (result.returncode, result.stderr)
    assert list(treepack.pack(docs / "b.md")) == chunks_of(result.stdout)
    result = run("pack", "-", stdin=GUIDE)
    assert list(treepack.pack(GUIDE)) == chunks_of(result.stdout), "standard input has no name"
    assert f"treepack {version('treepack')}\n" == run("--version").stdout


def test_the_number_of_processes_does_not_change_the_output(docs: Path, tmp_path: Path) -> None:
    for number in range(20):  # more than are in flight at a time
        (docs / f"{number}.md").write_text(GUIDE * (number + 1), encoding="utf-8")
    for jobs in (1, 2):
        result = run("pack", docs, "-o", f"{jobs}.jsonl", "--jobs", jobs, "--target", 64)
        assert 0 == result.returncode, result.stderr
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()


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


@pytest.mark.usefixtures("docs")
def test_an_interrupt_leaves_the_old_output(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("out.jsonl").write_text("the old one", encoding="utf-8")

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(treepack, "pack", interrupted)
    result = invoke("pack", "docs", "-o", "out.jsonl")
    assert 130 == result.exit_code
    assert "treepack: interrupted; out.jsonl is unchanged" in result.stderr
    assert "the old one" == Path("out.jsonl").read_text(encoding="utf-8")
    assert ["docs", "out.jsonl"] == names_here()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="finds processes as on Linux")
def test_a_killed_worker_changes_nothing_in_the_output() -> None:
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
    assert ["docs", "expected.jsonl", "out.jsonl"] == names_here()
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
def test_a_stopped_process_leaves_no_temporary_file(number: int) -> None:
    os.mkfifo("pipe.md")  # nobody writes to it, so reading it waits
    command = [sys.executable, "-m", "treepack", "pack", "pipe.md", "-o", "out.jsonl"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None and len(names_here()) == 1:
            time.sleep(0.01)
        process.send_signal(number)
        _, error_output = process.communicate()
    assert 128 + number == process.returncode
    assert "Traceback" not in error_output
    assert ["pipe.md"] == names_here()


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


# --- audits ---


@pytest.mark.parametrize("flags", [[], ["--level", "64,32"], ["--max", "32", "--overlap", "5"]])
@pytest.mark.parametrize("output", ["o.jsonl", "o.ndjson", "o.parquet"])
def test_an_audit_reads_what_pack_wrote(output: str, flags: list[str]) -> None:
    Path("guide.md").write_text(f"---\ntitle: A\n---\n\n{GUIDE}\nSee 1.\n", encoding="utf-8")
    assert 0 == invoke("pack", "guide.md", "-o", output, *flags).exit_code
    for chunks, stdin in ((output, None), ("-", Path(output).read_bytes())):
        result = invoke("audit", "guide.md", "--chunks", chunks, *flags, stdin=stdin)
        assert 0 == result.exit_code, result.output


@pytest.mark.parametrize(("rows", "status", "message"), case_table("cli", "other"))
def test_tables_of_other_tools_are_judged_by_their_text(
    rows: list[dict[str, Any]], status: int, message: str
) -> None:
    Path("a.md").write_text("One.\n\nTwo.\n", encoding="utf-8")
    pq.write_table(pa.Table.from_pylist(rows), "o.parquet")
    result = invoke("audit", "a.md", "--chunks", "o.parquet")
    assert status == result.exit_code
    assert message in result.stderr


def test_an_audit_of_other_tools_chunks_is_grouped_by_law() -> None:
    text = "# A\n\n" + "".join(f"Sentence number {number} of it.\n\n" for number in range(40))
    slices = [text[at : at + 30] for at in range(0, len(text), 37)]
    Path("a.md").write_text(text, encoding="utf-8")
    Path("c.jsonl").write_text("".join(json.dumps({"text": each}) + "\n" for each in slices))
    result = invoke("audit", "a.md", "--chunks", "c.jsonl", "--max", "64")
    assert 1 == result.exit_code
    report = treepack.audit(treepack.read("a.md"), slices, PackConfig(max_tokens=64))
    counts = {law.law: law.findings for law in report.laws if law.findings}
    lines = result.stdout.splitlines()
    heads = [int(line.split()[1]) for line in lines if re.match(r"law \d", line)]
    assert heads == [*counts]
    assert len(counts) > 1
    assert sum(counts.values()) == sum(line.startswith("  a.md") for line in lines)
    assert lines[0] == f"1 document, {report.chunks} chunks"
