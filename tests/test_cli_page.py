"""The page that ``show`` draws, and ``pack`` on a terminal: it fits, and no word is cut."""

import fcntl
import os
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from command_line import run
from rich.cells import cell_len

import treepack
from treepack import PackConfig
from treepack.cli.draw import preview_documents
from treepack.cli.inputs.files import DocumentFile

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
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    command = [sys.executable, "-m", "treepack", *words]
    environment = {**os.environ, "TERM": "xterm"}
    with subprocess.Popen(
        command, env=environment, stdin=follower, stdout=follower, stderr=subprocess.DEVNULL
    ) as process:
        os.close(follower)
        data = b""
        while part := _read(leader):
            data += part
        os.close(leader)
        assert 0 == process.wait(60)
    return re.sub("\x1b\\[[0-9;?]*[A-Za-z]", "", data.decode()).replace("\r\n", "\n").splitlines()


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65_536)
    except OSError:  # the end of the stream on Linux
        return b""


def words_of(lines: list[str]) -> set[str]:
    return {word for line in lines for word in re.findall(r"[A-Za-z]{2,}", line)}


LABELS = (
    "Outline tokens chunks chunk Chunks full bar the cap of target more lines long md read as "
    "markdown its name ends with prints one all to on average"
)
KNOWN_WORDS = words_of([LONG, LABELS])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "columns", "rows"),
    [("show", 80, 24), ("show", 40, 24), ("pack", 120, 50), ("pack", 50, 30), ("pack", 40, 24)],
)
def test_the_page_fits_the_terminal_and_no_word_is_cut(
    command: str, columns: int, rows: int
) -> None:
    lines = lines_on_terminal(command, "long.md", columns=columns, rows=rows)
    assert max(map(cell_len, lines)) <= columns
    assert rows - 4 <= len(lines) < rows
    assert set() == words_of(lines) - KNOWN_WORDS
    chunks = treepack.pack(Path("long.md"))
    assert f"{len(chunks)} chunks, " in " ".join(lines[-3:]), "the summary comes last"


@pytest.mark.slow
@pytest.mark.parametrize("columns", [80, 50])
@pytest.mark.parametrize("command", ["audit", "stats", "compare"])
def test_figures_fit_the_terminal_and_no_word_is_cut(command: str, columns: int) -> None:
    plain = "".join(f"Section {n}. Title\n\nThe text of it is here.\n\n" for n in range(1, 6))
    names = "Address of the register | Name of the register | Access of the register"
    Path("plain.txt").write_text(plain, encoding="utf-8")
    Path("wide.md").write_text(f"| {names} |\n|---|---|---|\n| 1 | 2 | 3 |\n", encoding="utf-8")
    lines = lines_on_terminal(command, "plain.txt", "wide.md", columns=columns)
    assert max(map(len, lines)) <= columns
    assert words_of(lines) == words_of(run(command, "plain.txt", "wide.md").stdout.splitlines())


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (38, 30), (25, 24)])
@pytest.mark.parametrize("names", [["long.md"], ["long.md", "short.md"]])
def test_lines_fit_a_terminal_of_any_width(
    names: list[str],
    columns: int,
    rows: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It runs in this process: FORCE_COLOR makes rich treat any stream as a terminal."""
    Path("short.md").write_text("# Short\n\nText.\n", encoding="utf-8")
    for name, value in {"FORCE_COLOR": "1", "COLUMNS": columns, "LINES": rows}.items():
        monkeypatch.setenv(name, str(value))
    documents = [DocumentFile(each, Path(each)) for each in names]
    assert len(names) == preview_documents(documents, PackConfig(), 1, quiet=True)
    lines = re.sub("\x1b\\[[0-9;?]*[A-Za-z]", "", capsys.readouterr().out).splitlines()
    assert max(map(cell_len, lines)) <= columns
    assert len(lines) < rows or columns < 40
    assert "average" in " ".join(lines[-5:])


def test_an_unreadable_document_is_reported_and_the_others_are_drawn(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("zero.md").write_bytes(bytes(range(256)))
    documents = [DocumentFile(each, Path(each)) for each in ("zero.md", "long.md")]
    assert 1 == preview_documents(documents, PackConfig(), 1)
    assert 0 == preview_documents(documents[:1], PackConfig(), 1)
    output = capsys.readouterr()
    assert 2 == output.err.count("treepack: zero.md: it is binary, not text")
    assert "1 document: " in output.out


@pytest.mark.slow
def test_a_text_is_wrapped_between_words_on_a_terminal() -> None:
    lines = lines_on_terminal("show", "long.md", "--chunk", "3", columns=50)
    assert max(map(cell_len, lines)) <= 50
    assert set() == words_of(lines) - KNOWN_WORDS - words_of(["with breadcrumb text"])


@pytest.mark.slow
def test_several_documents_have_one_line_each_and_a_total() -> None:
    Path("short.md").write_text("# Short\n\nText.\n", encoding="utf-8")
    *_, long, short, hint, total = lines_on_terminal("pack", "long.md", "short.md")
    chunks = len(treepack.pack(Path("long.md")))
    assert re.search(rf"^{chunks} chunks +█+[░┆]* +long\.md$", long), long
    assert re.search(r"^ *1 chunk +█[░┆]+ +short\.md$", short), short
    assert "-o FILE" in hint
    assert total.startswith(f"2 documents: {chunks + 1} chunks, ")


def test_each_chunk_has_a_line_with_number_size_bar_path_and_text() -> None:
    lines = run("show", "long.md").stdout.splitlines()
    config, chunks = PackConfig(), treepack.pack(Path("long.md"))
    rows = [line for line in lines if re.match(r" *\d+ +[\d,]+ [█░┆]+  ", line)]
    assert len(chunks) == len(rows)
    for chunk, row in zip(chunks, rows, strict=True):
        number, size, bar, rest = row.split(maxsplit=3)
        assert (chunk.index, chunk.embed_token_count) == (int(number), int(size.replace(",", "")))
        assert round(10 * chunk.embed_token_count / config.max_tokens) == bar.count("█")
        assert "Title" in rest or "Part" in rest or "Pump" in rest
        assert "The pump must stand" in rest
    assert lines[-1].startswith(f"long.md: {len(chunks)} chunks, ")


def test_the_preview_of_a_chunk_omits_titles_and_table_rules() -> None:
    plain = "1. Scope\n\nThis act is about pumps.\n\n2. Limits\n\n2.1 Pressure\n\nBelow 16 bar.\n"
    Path("act.txt").write_text(plain, encoding="utf-8")
    rows = run("show", "act.txt", "--max", "24", "--min", "0").stdout.splitlines()
    assert ", 3 titles found, " in rows[1]
    words = [re.split(r" {2,}", row)[-1] for row in rows[-4:-2]]
    assert ["This act is about pumps.", "Below 16 bar."] == words
    table = "# Pump\n\n| | |\n|---|---|\n| Pressure | 16 bar |\n"
    Path("table.md").write_text(table, encoding="utf-8")
    assert "  Pressure 16 bar\n" in run("show", "table.md").stdout


def test_the_outline_shows_which_chunks_contain_each_section() -> None:
    lines = run("show", "long.md").stdout.splitlines()
    document, chunks = treepack.parse(LONG, name="long.md"), treepack.pack(Path("long.md"))
    assert lines[4].split()[-2:] == [f"{document.root.tokens:,}", f"0–{len(chunks) - 1}"]
    for section in document.root.walk():
        if section.heading and section.heading.text.startswith("5.2"):
            [row] = [line for line in lines if line.strip().startswith("5.2 ")]
            [holder] = [
                chunk
                for chunk in chunks
                if any(s.span and s.span[0] <= section.start < s.span[1] for s in chunk.segments)
            ]
            assert re.search(rf" {section.tokens}  +{holder.index}$", row), row


def test_one_chunk_is_printed_whole() -> None:
    chunk = treepack.pack(Path("long.md"))[7]
    output = run("show", "long.md", "--chunk", 7).stdout
    assert chunk.text.strip() in output
    assert "Outline" not in output
    for number in (-1, 700):
        done = run("show", "long.md", f"--chunk={number}")
        assert 2 == done.returncode
        assert f"long.md has no chunk {number}: its chunks are 0 to " in done.stderr


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


def test_an_ascii_stream_gets_ascii_symbols() -> None:
    command = [sys.executable, "-m", "treepack", "show", "long.md"]
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii"}
    output = subprocess.run(command, check=True, capture_output=True, env=ascii_only).stdout
    assert b"#####" in output
    assert b"\\u" not in output


@pytest.mark.slow
@pytest.mark.parametrize(
    ("call", "unbuffered"),
    [
        *[("show long.md", ""), ("show --full long.md", "1"), ("pack long.md", "")],
        *[("pack long.md", "1"), ("pack -", "")],
    ],
)
def test_a_reader_that_stops_ends_the_command_with_141(call: str, unbuffered: str) -> None:
    Path("long.md").write_text(LONG * 40, encoding="utf-8")
    command = [sys.executable, "-m", "treepack", *call.split()]
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered, "PYTHONUTF8": "1"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with (
        Path("long.md").open("rb") as stdin,
        subprocess.Popen(command, stdin=stdin, env=environment, **pipes) as process,  # type: ignore[call-overload]
    ):
        process.stdout.read(1)
        process.stdout.close()
        assert b"" == process.stderr.read()
    assert 141 == process.returncode


LICENCE = "# Licence\n\n" + "".join(
    f"{number}. **Title{'abcdefghijklmnop'[number]}.** The licensor agrees hereby with the "
    "licensee that no warranty and no liability follows from termination of the agreement.\n\n"
    for number in range(1, 13)
)


def test_the_outline_lists_clauses_with_run_in_titles() -> None:
    Path("licence.md").write_text(LICENCE, encoding="utf-8")
    wanted = [f"{number} Title{'abcdefghijklmnop'[number]}" for number in range(1, 13)]
    for words in ((), ("--full",)):
        drawn = run("show", "licence.md", *words).stdout
        assert re.findall(r"(?m)^[ ]+(\d+ Title\w)\s", drawn) == wanted
    assert not re.search(r"(?m)^[ ]+1 Title", run("show", "licence.md", "--no-clauses").stdout)


@pytest.mark.slow
def test_the_first_clauses_are_drawn_if_not_all_fit_the_terminal() -> None:
    Path("licence.md").write_text(LICENCE, encoding="utf-8")
    lines = lines_on_terminal("show", "licence.md", "--max", "64", rows=24)
    assert len(lines) <= 24
    drawn = [line.split()[1] for line in lines if re.match(r"  \d+ Title", line)]
    assert drawn[:2] == ["Titleb", "Titlec"]
    assert len(drawn) < 12
    assert any(re.match(r"… \d+ more", line) for line in lines)
