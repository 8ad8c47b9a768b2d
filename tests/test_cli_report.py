"""``treepack report``: where the page goes, and what is refused."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import invoke, run
from report_pages import MANUAL, html_of

from treepack import PackConfig


@pytest.fixture(autouse=True)
def _in_a_folder_with_a_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads another folder's settings."""
    monkeypatch.chdir(tmp_path)
    Path("manual.md").write_text(MANUAL, encoding="utf-8")


def names() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


def test_the_report_is_written_to_a_file_or_a_pipe() -> None:
    result = invoke("report", "manual.md", "-o", "r.html")
    assert (0, "") == (result.exit_code, result.stdout), result.stderr
    assert "r.html" in result.stderr
    assert html_of(MANUAL) == Path("r.html").read_text(encoding="utf-8")
    assert ["manual.md", "r.html"] == names()
    for flags in ([], ["-o", "-"]):
        result = invoke("report", "manual.md", *flags)
        assert (html_of(MANUAL), "") == (result.stdout, result.stderr)
    assert html_of(MANUAL, name="") == invoke("report", "-", stdin=MANUAL).stdout


def test_the_report_uses_the_given_settings() -> None:
    result = run("report", "manual.md", "--max", 40, "--target", 32)
    assert html_of(MANUAL, PackConfig(max_tokens=40, target_tokens=32)) == result.stdout


def test_the_old_report_is_kept_if_the_document_cannot_be_read() -> None:
    Path("old.md").write_bytes(b"Caf\xe9\n")
    Path("r.html").write_text("the old one", encoding="utf-8")
    result = invoke("report", "old.md", "-o", "r.html", "--encoding-errors", "strict")
    assert 1 == result.exit_code
    assert "old.md" in result.stderr
    assert "the old one" == Path("r.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "FILE"),
        (["missing.md"], "missing.md does not exist"),
        (["."], ". is a folder"),
        (["manual.md", "-o", "manual.md"], "one of the documents"),
        (["manual.md", "-o", "no/r.html"], "does not exist"),
        (["manual.md", "-o", "r.pdf"], "must end in .html or .htm"),
    ],
)
def test_a_wrong_call_exits_with_2_and_a_reason(arguments: list[str], message: str) -> None:
    result = invoke("report", *arguments)
    assert (2, "") == (result.exit_code, result.stdout)
    assert message in result.stderr
    assert ["manual.md"] == names()


def test_the_report_without_jinja_names_its_extra() -> None:
    script = (
        "import sys; sys.modules['jinja2'] = None; sys.argv = ['treepack', 'report', 'manual.md'];"
        "from treepack.cli import main; main()"
    )
    result = subprocess.run(
        [sys.executable, "-c", script], check=False, capture_output=True, text=True
    )
    message = (
        'the report needs its extra: pip install "treepack[report]", or ".[report]" in a clone'
    )
    assert (2, f"treepack: {message}\n") == (result.returncode, result.stderr)


def test_the_demo_shows_a_law_with_a_table_that_is_cut_under_its_header() -> None:
    result = invoke("demo")
    assert 0 == result.exit_code, result.stderr
    assert result.stdout.startswith("river-act.md\n")
    for words in ("River Mooring Act", "Schedule 1 Charges", "\nriver-act.md: 13 chunks"):
        assert words in result.stdout
    piece = invoke("demo", "--chunk", "9").stdout
    assert "rows 11–16 of 16, piece 2 of 2" in piece
    assert "| Class | Metres | Season | Night | Week | Month | Power |" in piece
    assert 0 == invoke("demo", "-o", "act.html").exit_code
    assert "River Mooring Act" in Path("act.html").read_text(encoding="utf-8")


def test_a_long_heading_leaves_room_for_the_numbers_of_the_outline() -> None:
    Path("long.md").write_text(f"# {'Words and ' * 30}\n\nText.\n", encoding="utf-8")
    outline = invoke("show", "long.md").stdout.partition("Outline")[2].splitlines()[1]
    assert re.fullmatch(r"(Words and )+W.*…\s+\d+\s+0", outline.rstrip()), outline


@pytest.mark.parametrize(
    ("flag", "name"),
    [
        ("--max-tokens", "--max"),
        ("--chunk-size", "--max"),
        ("--target-tokens", "--target"),
        ("--min-tokens", "--min"),
        ("--overlap-tokens", "--overlap"),
        ("--chunk-overlap", "--overlap"),
    ],
)
def test_flags_also_have_the_names_of_settings_and_frameworks(flag: str, name: str) -> None:
    pack = ("demo", "--sections", "pack")
    made = invoke(*pack, name, "240").stdout
    assert "13 chunks" not in made
    assert invoke(*pack, flag, "240").stdout == made != invoke(*pack).stdout
