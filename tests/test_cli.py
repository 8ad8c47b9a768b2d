"""The command line: what it writes, its messages, and its exit codes."""

import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from command_line import run
from rich.cells import cell_len
from typer.testing import CliRunner, Result

import treepack
from treepack import Chunk
from treepack.cli.app import app
from treepack.packing.parallel.work import map_in_order

GUIDE = """\
# Guide

How to keep a pump.

## Limits

| Quantity | Limit |
|---|---|
| Pressure | 16 bar |
| Temperature | 110 °C |

## Care

Clean it every week. Do not use soap.
"""


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads another folder's settings."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """A folder with documents, and with files that are not documents."""
    folder = tmp_path / "docs"
    for name in ("b.md", "a.txt", "sub/c.markdown", "sub/D.MDX"):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(GUIDE.replace("pump", f"pump {name}"), encoding="utf-8")
    for name in ("picture.png", ".hidden/e.md", "sub/.git/f.md"):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"\x89PNG no document")
    return folder


def invoke(*arguments: object, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)


def run_process(*arguments: object, **options: Any) -> "subprocess.CompletedProcess[str]":  # noqa: ANN401 - settings
    """Run the command in its own process, like a shell."""
    command = [sys.executable, "-m", "treepack", *map(str, arguments)]
    return subprocess.run(command, check=False, capture_output=True, encoding="utf-8", **options)


def chunks_of(jsonl: str) -> list[Chunk]:
    assert not jsonl or jsonl.endswith("\n")
    return [Chunk.model_validate_json(line) for line in jsonl.split("\n")[:-1]]


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# --- what pack writes ---


def test_a_file_becomes_one_json_line_for_each_chunk(docs: Path) -> None:
    result = run_process("pack", docs / "b.md")
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


def test_several_paths_keep_their_order_and_no_file_comes_twice(docs: Path) -> None:
    result = invoke("pack", docs / "b.md", docs / "sub", docs / "sub" / "c.markdown")
    names = [chunk.document for chunk in chunks_of(result.stdout)]
    assert ["b.md", "D.MDX", "c.markdown"] == list(dict.fromkeys(names))


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


def test_output_goes_to_a_file(docs: Path, tmp_path: Path) -> None:
    result = invoke("pack", docs, "-o", "out.jsonl")
    assert (0, "") == (result.exit_code, result.stdout)
    assert (tmp_path / "out.jsonl").read_bytes().decode() == invoke("pack", docs).stdout
    assert "4 documents" in result.stderr
    assert ["docs", "out.jsonl"] == names_in(tmp_path)


def test_the_number_of_processes_does_not_change_a_byte(docs: Path, tmp_path: Path) -> None:
    for number in range(20):  # more than are in flight at a time
        (docs / f"{number}.md").write_text(GUIDE * (number + 1), encoding="utf-8")
    for jobs in (1, 2):
        result = run("pack", docs, "-o", f"{jobs}.jsonl", "--jobs", jobs, "--target", 64)
        assert 0 == result.returncode, result.stderr
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()


def test_only_a_few_results_wait_at_a_time() -> None:
    """A thousand large documents must not be in memory at once."""
    asked: list[int] = []

    def tasks() -> Any:  # noqa: ANN401 - a generator of tasks
        for number in range(100):
            asked.append(number)
            yield number

    results = map_in_order(str, tasks(), 2)
    assert "0" == next(results)
    assert len(asked) <= 40
    assert [str(number) for number in range(1, 100)] == list(results)


def test_flags_reach_the_settings(docs: Path) -> None:
    flags = {
        "--target": 40,
        "--max": 64,
        "--min": 0,
        "--overlap": 12,
        "--overlap-separator": "---",
        "--encoding": "o200k_base",
        "--sections": "separate",
        "--oversize-table": "keep",
        "--oversize-code": "keep",
        "--front-matter": "text",
        "--page-pattern": r"^\[p (\d+)\]$",
    }
    arguments = [part for flag in flags.items() for part in flag]
    result = invoke("pack", docs / "b.md", *arguments, "--repeat-heading")
    assert 0 == result.exit_code, result.stderr
    config = treepack.PackConfig(
        target_tokens=40,
        max_tokens=64,
        min_tokens=0,
        overlap_tokens=12,
        overlap_separator="---",
        encoding="o200k_base",
        sections="separate",
        oversize_table="keep",
        oversize_code="keep",
        front_matter="text",
        page_pattern=r"^\[p (\d+)\]$",
        repeat_heading=True,
    )
    assert list(treepack.pack(docs / "b.md", config)) == chunks_of(result.stdout)


def test_an_empty_file_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "empty.md").touch()
    result = invoke("pack", "empty.md")
    assert (0, "") == (result.exit_code, result.stdout)


# --- what goes wrong with a document ---


def test_an_unreadable_file_is_reported_and_the_rest_goes_on(docs: Path) -> None:
    (docs / "aa.md").symlink_to(docs / "nowhere.md")
    for jobs in (1, 2):
        result = run("pack", docs, "-o", "out.jsonl", "--jobs", jobs)
        assert 1 == result.returncode
        assert "aa.md" in result.stderr
        assert "Traceback" not in result.stderr
        chunks = chunks_of(Path("out.jsonl").read_text(encoding="utf-8"))
        assert 4 == len({chunk.document for chunk in chunks})


def test_a_fault_of_treepack_itself_stops_one_document_only(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long run over many files must not end at the first unexpected error."""
    packed = treepack.pack

    def surprise(source: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - as `pack`, whatever it takes
        if source.name == "b.md":
            msg = "surprise"
            raise LookupError(msg)
        return packed(source, *args, **kwargs)

    monkeypatch.setattr(treepack, "pack", surprise)
    result = invoke("pack", docs)
    assert 1 == result.exit_code
    assert f"{docs / 'b.md'}: treepack failed with LookupError: surprise" in result.stderr
    assert 3 == len({chunk.document for chunk in chunks_of(result.stdout)})


def test_text_that_is_not_utf_8_is_read_with_a_warning_or_refused(tmp_path: Path) -> None:
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
    assert 130 == result.exit_code
    assert "the old one" == (tmp_path / "out.jsonl").read_text(encoding="utf-8")
    assert ["docs", "out.jsonl"] == names_in(tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="finds processes as on Linux")
def test_a_worker_that_is_killed_ends_the_command_and_leaves_the_old_output(
    tmp_path: Path,
) -> None:
    Path("docs").mkdir()
    for number in range(60):
        Path("docs", f"{number}.md").write_text(GUIDE * 2_000, encoding="utf-8")
    Path("out.jsonl").write_text("the old one", encoding="utf-8")
    command = [sys.executable, "-m", "treepack", "pack", "docs", "-o", "out.jsonl", "-j", "2"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        while len(workers := children.read_text().split()) < 2:
            assert process.poll() is None
        os.kill(int(workers[1]), signal.SIGKILL)
        _, complaint = process.communicate(timeout=60)
    assert 1 == process.returncode
    assert "treepack: a worker process was killed by SIGKILL" in complaint
    assert "the old one" == Path("out.jsonl").read_text(encoding="utf-8")
    assert ["docs", "out.jsonl"] == names_in(tmp_path)
    assert not [worker for worker in workers if Path("/proc", worker).exists()]


@pytest.fixture
def signals_end_a_process() -> Iterator[None]:
    """Restore the default for SIGHUP: under ``nohup``, processes and their children ignore it."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.slow
@pytest.mark.usefixtures("signals_end_a_process")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_stopped_process_leaves_no_draft(tmp_path: Path, number: int) -> None:
    (tmp_path / "large.md").write_text(GUIDE * 20_000, encoding="utf-8")
    command = [sys.executable, "-m", "treepack", "pack", "large.md", "-o", "out.jsonl"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None and len(names_in(tmp_path)) == 1:
            time.sleep(0.01)
        process.send_signal(number)
        _, complaint = process.communicate()
    assert 128 + number == process.returncode
    assert "Traceback" not in complaint
    assert ["large.md"] == names_in(tmp_path)


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
def test_a_reader_that_stops_early_sees_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "long.md").write_text(GUIDE * 2000, encoding="utf-8")
    command = [sys.executable, "-m", "treepack", "pack", "long.md", "--target", "64"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert b"" == process.stderr.read()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_said_in_a_line(docs: Path) -> None:
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
    ("arguments", "said"),
    [
        (["pack", "missing.md"], ["missing.md does not exist"]),
        (["audit", "missing.md"], ["missing.md does not exist"]),
        (["show", "missing.md"], ["missing.md does not exist"]),
        (["show", "."], ["takes one file"]),
        (["pack", "empty"], ["empty holds no document", ".md"]),
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
def test_a_call_that_makes_no_sense_ends_with_2_and_says_why(
    tmp_path: Path, arguments: list[str], said: list[str]
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "x.md").write_text(GUIDE, encoding="utf-8")
    result = invoke(*arguments)
    assert (2, "") == (result.exit_code, result.stdout)
    assert all(words in result.stderr for words in said), result.stderr
    assert ["empty", "x.md"] == names_in(tmp_path)


def test_nonsense_is_said_in_one_line_without_pydantic() -> None:
    Path("x.md").touch()
    result = run_process("pack", "x.md", "--target", 300, "--max", 256)
    message = "treepack: target_tokens is 300, but must be at most max_tokens, which is 256\n"
    assert (2, message) == (result.returncode, result.stderr)


# --- settings files ---


def sizes(*arguments: object) -> list[int]:
    result = invoke("pack", "guide.md", *arguments)
    assert 0 == result.exit_code, result.stderr
    return [chunk.embed_token_count for chunk in chunks_of(result.stdout)]


@pytest.mark.parametrize(
    ("file", "head"), [("treepack.toml", ""), ("pyproject.toml", "[tool.treepack]\n")]
)
def test_settings_come_from_a_file_and_flags_win(file: str, head: str) -> None:
    Path("guide.md").write_text(GUIDE * 20, encoding="utf-8")
    Path(file).write_text(f"{head}max_tokens = 100\ntarget_tokens = 50\n", encoding="utf-8")
    assert max(sizes()) <= 100
    assert sizes() == sizes("--max", 100, "--target", 50)
    assert max(sizes("--max", 2000, "--target", 2000)) > 100


def test_an_own_settings_file_goes_before_pyproject() -> None:
    Path("guide.md").write_text(GUIDE * 20, encoding="utf-8")
    Path("pyproject.toml").write_text("[tool.treepack]\nmax_tokens = 1\n", encoding="utf-8")
    Path("treepack.toml").write_text("max_tokens = 64\n", encoding="utf-8")
    assert max(sizes()) <= 64


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("max_tokns = 5", ["treepack.toml", "'max_tokns'", "max_tokens"]),
        ("max_tokens = 8", ["treepack.toml", "8", "16"]),
        ("max_tokens = 'many'", ["treepack.toml", "max_tokens", "'many'"]),
        ("max_tokens = ", ["treepack.toml"]),
    ],
)
def test_a_wrong_settings_file_is_named(content: str, said: list[str]) -> None:
    Path("treepack.toml").write_text(content, encoding="utf-8")
    Path("x.md").touch()
    result = invoke("pack", "x.md")
    assert 2 == result.exit_code
    assert all(words in result.stderr for words in said), result.stderr


# --- audit ---


def test_packed_chunks_keep_the_laws(docs: Path) -> None:
    assert 0 == invoke("pack", docs, "-o", "out.jsonl", "--max", 64).exit_code
    for arguments in (["--chunks", "out.jsonl"], ["--chunks", "out.jsonl", "--jobs", "2"], []):
        result = run("audit", docs, "--max", 64, *arguments)
        assert 0 == result.returncode, result.stdout + result.stderr
        assert "nothing lost" in result.stdout


def test_a_broken_law_is_a_finding_with_its_place(docs: Path) -> None:
    records = [json.loads(line) for line in invoke("pack", docs / "b.md").stdout.splitlines()]
    records[-1]["token_count"] += 1
    lines = [json.dumps(record) for record in records]
    Path("out.jsonl").write_text("\n".join(lines), encoding="utf-8")
    result = invoke("audit", docs / "b.md", "--chunks", "out.jsonl")
    assert 1 == result.exit_code
    assert f"{docs / 'b.md'}:" in result.stdout
    assert "honest counts" in result.stdout


def test_a_document_without_records_has_lost_its_text(docs: Path) -> None:
    result = invoke("pack", docs)
    kept = [line for line in result.stdout.splitlines() if '"b.md"' not in line]
    Path("out.jsonl").write_text("\n".join(kept), encoding="utf-8")
    result = invoke("audit", docs, "--chunks", "out.jsonl")
    assert 1 == result.exit_code
    assert f"{docs / 'b.md'}:" in result.stdout


def test_records_of_a_document_that_is_not_there_are_reported(docs: Path) -> None:
    Path("out.jsonl").write_text(invoke("pack", docs).stdout, encoding="utf-8")
    (docs / "b.md").unlink()
    result = invoke("audit", docs, "--chunks", "out.jsonl")
    assert 1 == result.exit_code
    assert "'b.md'" in result.stderr


def test_the_cap_is_judged_if_it_is_known(docs: Path) -> None:
    Path("out.jsonl").write_text(invoke("pack", docs).stdout, encoding="utf-8")
    assert 0 == invoke("audit", docs, "--chunks", "out.jsonl").exit_code
    assert 0 == invoke("audit", docs, "--chunks", "out.jsonl", "--max", 1024).exit_code
    assert 1 == invoke("audit", docs, "--chunks", "out.jsonl", "--max", 16).exit_code


def test_bare_texts_of_other_tools_are_judged() -> None:
    Path("a.md").write_text("One.\n\nTwo.\n", encoding="utf-8")
    Path("good.jsonl").write_text('{"text": "One."}\n\n{"text": "Two."}\n', encoding="utf-8")
    Path("bad.jsonl").write_text('{"text": "One.", "document": "a.md"}\n', encoding="utf-8")
    assert 0 == invoke("audit", "a.md", "--chunks", "good.jsonl").exit_code
    result = invoke("audit", "a.md", "--chunks", "bad.jsonl")
    assert 1 == result.exit_code
    assert "a.md:3" in result.stdout


@pytest.mark.parametrize(
    "line",
    ["{", "[]", "3", '{"document": "a.md"}', '{"text": 3}', '{"text": "", "segments": 1}', "\xff"],
)
def test_a_broken_line_is_named(line: str) -> None:
    Path("a.md").write_text("One.\n", encoding="utf-8")
    Path("out.jsonl").write_bytes(b'{"text": "One."}\n' + line.encode("latin-1") + b"\n")
    result = invoke("audit", "a.md", "--chunks", "out.jsonl")
    assert 2 == result.exit_code
    assert "out.jsonl:2:" in result.stderr


def test_chunks_come_from_standard_input_as_well() -> None:
    Path("a.md").write_text("One.\n", encoding="utf-8")
    assert 0 == invoke("audit", "a.md", "--chunks", "-", stdin='{"text": "One."}').exit_code
    assert 1 == invoke("audit", "a.md", "--chunks", "-", stdin='{"text": "Two."}').exit_code


def test_a_text_of_no_named_document_needs_a_single_one(docs: Path) -> None:
    Path("out.jsonl").write_text('{"text": "One."}\n', encoding="utf-8")
    result = invoke("audit", docs, "--chunks", "out.jsonl")
    assert 2 == result.exit_code
    assert "4 documents" in result.stderr


FLAT = """\
## 5 Tests

One sentence of text.

## 5.1 Limits

One more sentence of text.

## 5.1.2 Pressure \x1b[2J

Another sentence of text.

#
"""


def test_chunks_of_a_repaired_outline_are_judged_with_its_changes() -> None:
    """The changes are in the first record; without them, the levels of the source count."""
    Path("flat.md").write_text(FLAT, encoding="utf-8")
    lines = invoke("pack", "flat.md", "--max", 24, "--min", 0).stdout.splitlines()
    Path("out.jsonl").write_text("\n".join(lines), encoding="utf-8")
    arguments = ("audit", "flat.md", "--chunks", "out.jsonl", "--max", 24)
    result = invoke(*arguments)
    assert 0 == result.exit_code, result.output
    assert 0 == invoke("audit", "flat.md", "--max", 24).exit_code
    bare = {**json.loads(lines[0]), "outline_changes": []}
    Path("out.jsonl").write_text("\n".join([json.dumps(bare), *lines[1:]]), encoding="utf-8")
    result = invoke(*arguments)
    assert 1 == result.exit_code
    assert '"5 Tests" does not head all of the chunk' in result.stdout


# --- output for people ---


def test_show_prints_outline_and_chunks(docs: Path) -> None:
    result = invoke("show", docs / "b.md", "--max", 40, "--full")
    assert 0 == result.exit_code, result.stderr
    for words in ("Limits", "Guide > Care", "| Pressure | 16 bar |", "tokens", "lines"):
        assert words in result.stdout
    assert "\x1b" not in result.stdout


def test_documents_cannot_steer_the_terminal(tmp_path: Path) -> None:
    """An escape sequence in a document could change the window's title, or do worse."""
    (tmp_path / "evil.md").write_bytes(b"# \x1b]0;owned\x07\n\nText \x1b[2J\xc2\x9b.\n")
    result = invoke("show", "evil.md", "--full")
    assert 0 == result.exit_code, result.stderr
    assert not {"\x1b", "\x07", "\x9b"} & set(result.stdout)
    assert "\\u001b[2J\\u009b" in result.stdout


def test_show_lists_the_outline_changes_with_their_reasons() -> None:
    Path("flat.md").write_text(FLAT, encoding="utf-8")
    result = invoke("show", "--outline-changes", "flat.md")
    assert 0 == result.exit_code, result.stderr
    head, *table = result.stdout.splitlines()
    assert head.startswith("flat.md: 3 outline changes ")
    assert [" ".join(row.split()) for row in table] == [
        "line old new title reason",
        "5 2 3 5.1 Limits 5.1 belongs below 5 (all on one level)",
        "9 2 4 5.1.2 Pressure \\u001b[2J 5.1.2 belongs below 5.1 (all on one level)",
        "13 1 text empty heading",
    ]
    assert (
        len({row.find(word) for row, word in zip(table, ("title", "5.1", "5.1"), strict=False)})
        == 1
    )


def test_show_says_when_no_heading_changed() -> None:
    Path("b.md").write_text(GUIDE, encoding="utf-8")
    assert invoke("show", "--outline-changes", "b.md").stdout.startswith(
        "b.md: no outline changes "
    )
    Path("flat.md").write_text(FLAT, encoding="utf-8")
    said = invoke("show", "--outline-changes", "--outline", "trust", "flat.md").stdout
    assert said.startswith("flat.md: no outline changes, because outline is trust ")


def test_show_prints_a_flattened_outline_as_it_was_and_as_it_is_repaired() -> None:
    Path("flat.md").write_text(FLAT, encoding="utf-8")
    before = invoke("show", "flat.md", "--full", "--outline", "trust").stdout
    after = invoke("show", "flat.md", "--full").stdout
    assert "\n  5.1 Limits (" in before
    assert "\n    5.1 Limits (" in after
    assert "\n      5.1.2 " in after
    assert "(empty heading)" in before
    assert "(empty heading)" not in after


def test_a_long_title_is_shortened_and_the_reason_stays_in_its_column() -> None:
    titles = ["1 A", "1.1 " + "漢字 " * 40, "1.2 B"]
    Path("long.md").write_text("\n\n".join(f"## {each}" for each in titles), encoding="utf-8")
    _, head, first, second = invoke("show", "--outline-changes", "long.md").stdout.splitlines()
    assert "…" in first
    columns = {
        cell_len(row[: row.index(word)])
        for row, word in ((head, "reason"), (first, "1.1 belongs"), (second, "1.2 belongs"))
    }
    assert len(columns) == 1


def test_brackets_are_no_markup(tmp_path: Path) -> None:
    (tmp_path / "x.md").write_text("# [bold]Title[/bold]\n\n[red]text[/] :smile:\n")
    assert "[red]text[/] :smile:" in invoke("show", "x.md", "--full").stdout


@pytest.mark.slow
def test_a_terminal_gets_chunks_to_read_and_a_choice_of_json(docs: Path) -> None:
    pty = pytest.importorskip("pty")

    def on_terminal(*arguments: str) -> str:
        leader, follower = pty.openpty()
        command = [sys.executable, "-m", "treepack", "pack", str(docs / "b.md"), *arguments]
        wide = {**os.environ, "COLUMNS": "400"}  # the path of a temporary folder may be long
        subprocess.run(command, check=True, stdout=follower, stderr=subprocess.DEVNULL, env=wide)
        os.close(follower)
        with os.fdopen(leader, "rb") as stream:
            return _read_all(stream.read1).decode()

    assert "b.md: " in on_terminal()
    assert '"segments"' not in on_terminal()
    assert '"segments"' in on_terminal("-o", "-")


def test_the_version_is_printed() -> None:
    assert f"treepack {version('treepack')}\n" == run_process("--version").stdout


def _read_all(read: Callable[[], bytes]) -> bytes:
    """Read what a terminal received; its end raises OSError on Linux, and is empty elsewhere."""
    data = b""
    try:
        while part := read():
            data += part
    except OSError:
        pass
    return data
