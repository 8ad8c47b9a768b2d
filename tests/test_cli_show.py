"""Output for people: ``treepack show``, and ``pack`` on a terminal."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_documents import FLATTENED_OUTLINE, GUIDE, write_guides
from command_line import invoke
from rich.cells import cell_len


@pytest.fixture(autouse=True)
def _run_in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads another folder's settings."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """A folder with documents, and with files that are not documents."""
    return write_guides(tmp_path / "docs")


def test_show_prints_outline_and_chunks(docs: Path) -> None:
    result = invoke("show", docs / "b.md", "--max", 40, "--full")
    assert 0 == result.exit_code, result.stderr
    for words in ("Limits", "Guide > Care", "| Pressure | 16 bar |", "tokens", "lines"):
        assert words in result.stdout
    assert "\x1b" not in result.stdout


def test_documents_cannot_send_escape_sequences_to_the_terminal(tmp_path: Path) -> None:
    """An escape sequence in a document could change the window's title, or do worse."""
    (tmp_path / "evil.md").write_bytes(b"# \x1b]0;owned\x07\n\nText \x1b[2J\xc2\x9b.\n")
    result = invoke("show", "evil.md", "--full")
    assert 0 == result.exit_code, result.stderr
    assert not {"\x1b", "\x07", "\x9b"} & set(result.stdout)
    assert "\\u001b[2J\\u009b" in result.stdout


def test_show_lists_the_outline_changes_with_their_reasons() -> None:
    Path("flat.md").write_text(FLATTENED_OUTLINE, encoding="utf-8")
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


def test_show_reports_that_no_heading_changed() -> None:
    Path("b.md").write_text(GUIDE, encoding="utf-8")
    assert invoke("show", "--outline-changes", "b.md").stdout.startswith(
        "b.md: no outline changes "
    )
    Path("flat.md").write_text(FLATTENED_OUTLINE, encoding="utf-8")
    output = invoke("show", "--outline-changes", "--outline", "trust", "flat.md").stdout
    assert output.startswith("flat.md: no outline changes, because outline is trust ")


def test_show_prints_the_original_or_the_repaired_outline() -> None:
    Path("flat.md").write_text(FLATTENED_OUTLINE, encoding="utf-8")
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


def test_square_brackets_are_not_treated_as_terminal_markup(tmp_path: Path) -> None:
    (tmp_path / "x.md").write_text("# [bold]Title[/bold]\n\n[red]text[/] :smile:\n")
    assert "[red]text[/] :smile:" in invoke("show", "x.md", "--full").stdout


@pytest.mark.slow
def test_a_terminal_gets_readable_chunks_or_json_on_request(docs: Path) -> None:
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


def _read_all(read: Callable[[], bytes]) -> bytes:
    """Read what a terminal received; its end raises OSError on Linux, and is empty elsewhere."""
    data = b""
    try:
        while part := read():
            data += part
    except OSError:
        pass
    return data
