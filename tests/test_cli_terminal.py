"""What documents and file names send to a terminal, or to a stream with another encoding."""

import io
import itertools
import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from case_files import case_file
from hypothesis import given
from hypothesis import strategies as st
from terminals import on_terminal

import treepack
from treepack.cli import main
from treepack.display import visible, visible_line

CALLS = case_file("cli/calls.json")
CONTROLS = [
    *map(chr, [*range(0x20), *range(0x7F, 0xA0)]),
    *"\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
]
ESCAPED = [each for each in CONTROLS if each not in "\t\n\r\0"]
FORBIDDEN = re.compile(f"[{re.escape(''.join(set(CONTROLS) - {*chr(9), *chr(10), *chr(13)}))}]")
EVIL = "\x1b]0;pwned\x07 \u202etxt.exe \x9b2J [red]red[/red] \x7f"
DOCUMENT = (
    f"---\ntitle: '{EVIL[5:12]}'\n---\n\n# 1 {EVIL}\n\n## 1.1.1 {EVIL}\n\n"
    f"Text {''.join(ESCAPED)}.\n\nTable 1: {EVIL}\n\n"
    f"| {EVIL} | b |\n|---|---|\n| 1 | {EVIL} |\n\n```{EVIL}\n{EVIL}\n```\n"
)


class Done(NamedTuple):
    """How a call ended, and what it wrote."""

    status: object
    stdout: bytes
    stderr: bytes


def run_treepack(*words: str, encoding: str = "utf-8") -> Done:
    """Run the command's entry point in this process, which has already loaded everything."""
    streams = [io.TextIOWrapper(io.BytesIO(), encoding, "strict") for _ in range(2)]
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["treepack", *words])
        patch.setattr(sys, "stdout", streams[0])
        patch.setattr(sys, "stderr", streams[1])
        with pytest.raises(SystemExit) as ended:
            main()
    for number, handler in handlers.items():
        signal.signal(number, handler)
    for stream in streams:
        stream.flush()
    return Done(ended.value.code, *(stream.buffer.getvalue() for stream in streams))


pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="terminals as on Unix")


@pytest.fixture(autouse=True)
def evil(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Documents, file names and other tools' records, all with sequences that steer a terminal."""
    monkeypatch.chdir(tmp_path)
    name = EVIL.replace("/", "")
    Path("docs").mkdir()
    Path("docs", f"{name}.md").write_bytes(DOCUMENT.encode())
    Path("docs", f"b\nlaw {name}.md").write_bytes(b"# T\n\nbyte \xff\n")
    Path("docs", f"c{name}.md").write_bytes(b"NUL \0")
    Path("docs", f"d.{name}").write_bytes(b"")
    Path("d.md").write_bytes(DOCUMENT.encode())
    record = {"document": "d.md", "text": f"{EVIL} lost"}
    Path("c.jsonl").write_text(json.dumps(record) + "\n")
    pq.write_table(pa.Table.from_pylist([record]), "c.parquet")
    Path("stray.jsonl").write_text(json.dumps({**record, "document": EVIL}) + "\n")
    Path("no.jsonl").write_text(f"{{{EVIL}\n")


@pytest.mark.parametrize("call", CALLS["hostile"])
def test_no_document_record_name_or_argument_controls_the_terminal(call: str) -> None:
    """When a shell expands a pattern, file names become words of the call."""
    done = run_treepack(*[word.replace("EVIL", EVIL) for word in call.split()])
    assert not FORBIDDEN.search((done.stdout + done.stderr).decode())


def test_each_control_character_is_shown_as_an_escape() -> None:
    output = run_treepack("show", "d.md", "--full").stdout.decode()
    for each in ESCAPED:
        assert f"\\u{ord(each):04x}" in output
    assert "[red]red[/red]" in output, "no markup is obeyed"
    done = run_treepack("audit", "docs")
    lines = (done.stdout + done.stderr).decode().splitlines()
    assert not [line for line in lines if line.startswith("law \\u001b")], "a name adds no line"


@pytest.mark.parametrize("call", ["pack docs", "show d.md --full", "audit docs"])
def test_a_terminal_receives_only_the_colours_of_treepack(call: str) -> None:
    output = on_terminal(*call.split(), may_fail=True)
    # Remove the colours and cursor movements that rich writes for its progress and headings.
    ours = re.sub("\x1b\\[[0-9;?]*[A-Za-z]", "", output)
    assert not FORBIDDEN.search(ours), output


def test_json_on_a_terminal_keeps_its_meaning_and_pipes_the_text() -> None:
    expected = list(treepack.pack(treepack.read("d.md"), name="d.md"))
    shown = on_terminal("pack", "d.md", "-o", "-").replace("\r\n", "\n")
    piped = run_treepack("pack", "d.md").stdout.decode()
    for lines in (shown, piped):
        assert list(treepack.Chunks.from_jsonl(lines)) == expected


# --- streams ---

WIDE = "# 漢字 — é\n\n## 1.1.1 漢\n\nTable 1: 漢\n\n| 漢 | b |\n|---|---|\n| 1 | … |\n"


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-16"])
def test_any_text_can_be_written_to_a_stream_of_any_encoding(encoding: str) -> None:
    Path("d.md").write_text(WIDE, encoding="utf-8")
    Path("c.jsonl").write_text('{"text": "漢 lost"}\n', encoding="utf-8")
    for call in CALLS["wide"]:
        done = run_treepack(*call.split(), encoding=encoding)
        assert b"Traceback" not in done.stderr, (call, done.stderr[-300:])
        assert done.status in {0, 1, 2}


def test_unencodable_characters_are_escaped_but_data_is_utf_8() -> None:
    Path("d.md").write_text(WIDE, encoding="utf-8")
    for flags in ([], ["--full"], ["--chunk", "0"]):
        assert b"\\u6f22" in run_treepack("show", "d.md", *flags, encoding="ascii").stdout
    assert "漢字" in run_treepack("pack", "d.md", encoding="ascii").stdout.decode()


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="a shell that closes streams")
@pytest.mark.parametrize(("call", "status"), CALLS["closed"].items())
def test_a_stream_closed_by_the_caller_causes_no_traceback(call: str, status: int) -> None:
    command = f"{sys.executable} -m treepack {call}"
    done = subprocess.run(command, shell=True, check=False, capture_output=True)  # noqa: S602 - redirections and traps are the claim
    assert (status, b"") == (done.returncode, done.stdout)
    assert b"Traceback" not in done.stderr
    assert b"ignored" not in done.stderr


def test_a_process_that_ignores_hangups_survives_its_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As under ``nohup``."""
    monkeypatch.setattr(sys, "argv", ["treepack", "--version"])
    termination = signal.getsignal(signal.SIGTERM)
    hangup = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with pytest.raises(SystemExit):
            main()
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGTERM, termination)
        signal.signal(signal.SIGHUP, hangup)


# --- the function that escapes text ---


@given(st.text(st.sampled_from([*CONTROLS, *"ab\\é漢 "])))
def test_visible_text_has_no_control_characters_and_json_keeps_its_meaning(text: str) -> None:
    assert not FORBIDDEN.search(visible(text))
    assert "\n" not in visible_line(text)
    written = json.dumps(text, ensure_ascii=False)
    assert json.loads(visible(written)) == text


def test_text_without_control_characters_is_unchanged() -> None:
    text = "".join(map(chr, itertools.chain(range(0x20, 0x7F), range(0xA0, 0x600))))
    assert visible(f"{text}\t\n") == f"{text}\t\n"
