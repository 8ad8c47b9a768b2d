"""What people see in a terminal: the page of ``show``, chunks, and lines about documents."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cli_documents import FLATTENED_OUTLINE
from command_line import run
from rich.cells import cell_len
from terminals import on_terminal

import treepack
from treepack import PackConfig

WORDS = "The pump must stand on a level floor and be kept from frost in winter. "
LONG = "# Pump manual\n\n" + "".join(
    f"## {part} Part of the manual\n\n"
    + "".join(f"### {part}.{number} Title of it\n\n{WORDS * 12}\n\n" for number in range(1, 6))
    for part in range(1, 9)
)


@pytest.fixture(autouse=True)
def _in_a_folder_with_a_long_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    Path("long.md").write_text(LONG, encoding="utf-8")


def lines_on_terminal(*words: str, columns: int = 80, rows: int = 24) -> list[str]:
    """The lines that a terminal of this size gets, without colours."""
    shown = on_terminal(*words, columns=columns, rows=rows)
    return re.sub("\x1b\\[[0-9;?]*[A-Za-z]", "", shown).replace("\r\n", "\n").splitlines()


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (40, 30)])
def test_the_page_fits_the_terminal(columns: int, rows: int) -> None:
    lines = lines_on_terminal("show", "long.md", columns=columns, rows=rows)
    assert max(map(cell_len, lines)) <= columns
    assert rows - 6 <= len(lines) <= rows
    chunks = treepack.pack(Path("long.md"))
    assert f"{len(chunks)} chunks, " in " ".join(lines[-3:]), "the summary comes last"
    assert any(re.match(r"… \d+ more", line) for line in lines)


@pytest.mark.slow
def test_texts_are_wrapped_between_words_on_a_terminal() -> None:
    call = ("show", "long.md", "--chunk", "3")
    lines = lines_on_terminal(*call, columns=50)
    assert max(map(cell_len, lines)) <= 50
    assert " ".join(lines).split() == run(*call).stdout.split()


@pytest.mark.slow
def test_pack_on_a_terminal_prints_a_line_for_each_document_or_json_on_request() -> None:
    Path("short.md").write_text("# Short\n\nText.\n", encoding="utf-8")
    [long, short] = lines_on_terminal("pack", "long.md", "short.md")
    assert long.startswith(f"long.md: {len(treepack.pack(Path('long.md')))} chunks, ")
    assert short.startswith("short.md: 1 chunk, ")
    assert '"segments"' in "".join(lines_on_terminal("pack", "short.md", "-o", "-"))


def test_each_chunk_has_a_line_with_number_size_path_and_text() -> None:
    lines = run("show", "long.md").stdout.splitlines()
    chunks = treepack.pack(Path("long.md"))
    rows = [line for line in lines if re.match(r" *\d+ +[\d,]+  [━╸]", line)]
    assert len(chunks) == len(rows)
    for chunk, row in zip(chunks, rows, strict=True):
        number, size, _, rest = row.split(maxsplit=3)
        assert (chunk.index, chunk.embed_token_count) == (int(number), int(size.replace(",", "")))
        assert "Pump manual" in rest or "Part" in rest
        assert "The pump must" in rest
    assert lines[-1].startswith(f"long.md: {len(chunks)} chunks, ")


def test_the_words_of_a_chunk_omit_titles_and_table_rules() -> None:
    plain = "1. Scope\n\nThis act is about pumps.\n\n2. Limits\n\n2.1 Pressure\n\nBelow 16 bar.\n"
    Path("act.txt").write_text(plain, encoding="utf-8")
    rows = run("show", "act.txt", "--max", "24", "--min", "0").stdout.splitlines()
    assert ", 3 titles found" in rows[1]
    words = [re.split(r" {2,}", row.rstrip())[-1] for row in rows[-4:-2]]
    assert ["This act is about pumps.", "Below 16 bar."] == words
    table = "# Pump\n\n| | |\n|---|---|\n| Pressure | 16 bar |\n"
    Path("table.md").write_text(table, encoding="utf-8")
    assert "  Pressure 16 bar  " in run("show", "table.md").stdout


def test_the_outline_shows_which_chunks_contain_each_section() -> None:
    lines = run("show", "long.md").stdout.splitlines()
    document, chunks = treepack.parse(LONG, name="long.md"), treepack.pack(Path("long.md"))
    assert lines[5].split()[-2:] == [f"{document.root.tokens:,}", f"0–{len(chunks) - 1}"]
    [section] = [s for s in document.root.walk() if s.heading and s.heading.text[:3] == "5.2"]
    [row] = [line for line in lines if line.strip().startswith("5.2 ")]
    spans = [(chunk.index, s.span) for chunk in chunks for s in chunk.segments if s.span]
    [holder] = {index for index, (start, end) in spans if start <= section.start < end}
    assert row.split()[-2:] == [str(section.tokens), str(holder)]


def test_the_outline_lists_clauses_with_run_in_titles() -> None:
    titles = [f"Title{letter}" for letter in "bcdefghijklm"]
    text = "# Licence\n\n" + "".join(
        f"{number}. **{title}.** The licensor agrees hereby with the "
        "licensee that no warranty and no liability follows from the agreement.\n\n"
        for number, title in enumerate(titles, 1)
    )
    Path("licence.md").write_text(text, encoding="utf-8")
    for words in ((), ("--full",)):
        drawn = run("show", "licence.md", *words).stdout
        found = re.findall(r"(?m)^[ ]+(\d+ Title\w)\s", drawn)
        assert found == [f"{number} {title}" for number, title in enumerate(titles, 1)]


def test_one_chunk_or_the_outline_and_all_chunks_are_printed_whole() -> None:
    chunks = treepack.pack(Path("long.md"))
    output = run("show", "long.md", "--chunk", 7).stdout
    assert chunks[7].text.strip() in output
    assert "Outline" not in output
    for number in (-1, 700):
        done = run("show", "long.md", f"--chunk={number}")
        assert 2 == done.returncode
        assert f"long.md has no chunk {number}: its chunks are 0 to " in done.stderr
    output = run("show", "long.md", "--full").stdout
    assert all(chunk.text.strip() in output for chunk in chunks)
    assert "8.5 Title of it" in output.partition("[0]")[0]


def test_the_summary_counts_parents_separately() -> None:
    done = run("show", "long.md", "--level", "2048,256")
    chunks = treepack.pack(Path("long.md"), PackConfig(levels=(2048, 256)))
    parents = sum(chunk.level == 0 for chunk in chunks)
    assert done.stdout.splitlines()[-1].endswith(f"; {parents} parents")


@pytest.mark.parametrize("text", ["", "Text without a heading.\n", "#\n\n# \n"])
def test_show_draws_a_page_for_any_document(text: str) -> None:
    Path("small.md").write_text(text, encoding="utf-8")
    done = run("show", "small.md")
    assert 0 == done.returncode, done.stderr
    assert done.stdout.splitlines()[-1].startswith("small.md: ")


def test_changes_of_the_outline_are_listed_with_their_reasons() -> None:
    Path("flat.md").write_text(FLATTENED_OUTLINE, encoding="utf-8")
    changes = treepack.pack(Path("flat.md")).outline_changes
    lines = run("show", "--full", "flat.md").stdout.splitlines()
    assert f"{len(changes)} outline changes" in lines[1]
    [head] = [number for number, line in enumerate(lines) if line.split()[-1:] == ["reason"]]
    for change, row in zip(changes, lines[head + 1 :], strict=False):
        assert row.split()[0] == str(change.line)
        assert row.rstrip().endswith(change.reason)
    trusted = run("show", "--full", "--outline", "trust", "flat.md").stdout
    assert "outline change" not in trusted


def test_square_brackets_are_not_treated_as_terminal_markup() -> None:
    Path("x.md").write_text("# [bold]Title[/bold]\n\n[red]text[/] :smile:\n")
    assert "[red]text[/] :smile:" in run("show", "x.md", "--full").stdout


@pytest.mark.slow
def test_a_reader_that_stops_ends_the_command_with_141() -> None:
    Path("long.md").write_text(LONG * 20, encoding="utf-8")
    command = [sys.executable, "-m", "treepack", "pack", "long.md"]
    environment = {**os.environ, "PYTHONUTF8": "1"}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(1)
        process.stdout.close()
        assert b"" == process.stderr.read()
    assert 141 == process.returncode
