"""Which files are read and written, and in which format."""

import json
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner, Result

import treepack
from treepack import PackConfig
from treepack.cli.app import app
from treepack.errors import TokenizerError
from treepack.tokens import token_counter

GUIDE = (
    "---\ntitle: Guide\n---\n\n# Guide\n\nHow to keep a pump, see 1.\n\n## 1 Limits\n\n"
    "| Quantity | Limit |\n|---|---|\n| Pressure | 16 bar |\n| Heat | 2 K |\n"
)
FORMATS = [".jsonl", ".ndjson", ".parquet"]


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads another folder's settings."""
    monkeypatch.chdir(tmp_path)
    Path("guide.md").write_text(GUIDE, encoding="utf-8")


def invoke(*arguments: object, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)


def write_documents(folder: str, *names: str) -> None:
    for name in names:
        file = Path(folder, name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("# A\n\ntext\n", encoding="utf-8")


# --- files that are skipped ---


@pytest.mark.parametrize("command", ["pack", "audit"])
def test_skipped_files_are_counted_by_suffix(command: str) -> None:
    write_documents("docs", "a.md", "b.rtf", "sub/c.RTF", "d.csv", "Makefile", "settings.json")
    result = invoke(command, "docs")
    assert 0 == result.exit_code, result.stderr
    message = "treepack: docs: 5 files skipped: 2 .rtf, 1 without a suffix, 1 .csv, 1 .json\n"
    assert message in result.stderr
    assert "skipped" not in invoke(command, "docs", "--quiet").stderr


def test_hidden_files_and_folders_are_not_mentioned() -> None:
    write_documents("docs", "a.md", ".git/config", ".git/HEAD.lock", ".DS_Store", ".cache/x.pdf")
    assert "skipped" not in invoke("pack", "docs").stderr


def test_many_suffixes_are_not_all_listed() -> None:
    write_documents("docs", "a.md", *(f"x.e{number:02}" for number in range(20)), "y.e07")
    message = invoke("pack", "docs").stderr
    assert "21 files skipped: 2 .e07, 1 .e00, 1 .e01, " in message
    assert message.endswith(" and 12 others\n")


def test_the_error_for_a_folder_without_documents_counts_its_files() -> None:
    write_documents("docs", "a.rtf")
    result = invoke("pack", "docs")
    assert 2 == result.exit_code
    assert "1 file skipped: 1 .rtf" in result.stderr


def test_a_binary_file_is_named_and_the_others_are_packed() -> None:
    write_documents("docs", "a.md", "c.md")
    Path("docs/b.md").write_bytes(bytes(range(256)))
    result = invoke("pack", "docs", "-o", "o.jsonl")
    assert 1 == result.exit_code
    assert "docs/b.md: it is binary, not text" in result.stderr
    assert 2 == len(Path("o.jsonl").read_text(encoding="utf-8").splitlines())
    result = invoke("pack", "-", stdin=b"{\\rtf1")
    assert 1 == result.exit_code
    assert "standard input: RTF is not a format that treepack reads" in result.stderr


@pytest.mark.parametrize("output", [[], ["-o", "o.jsonl"]])
def test_the_last_line_counts_all_files_that_were_left_out(output: list[str]) -> None:
    write_documents("docs", "a.md", "b.csv")
    for name in ("c.md", "d.md"):
        Path("docs", name).write_bytes(bytes(range(256)))
    result = invoke("pack", "docs", *output)
    assert 1 == result.exit_code
    assert "treepack: 3 files left out: 2 failed, 1 skipped" == result.stderr.splitlines()[-1]
    assert "left out" not in invoke("pack", "docs", *output, "--quiet").stderr
    assert "left out" not in invoke("pack", "docs/c.md", *output).stderr
    message = invoke("pack", "docs/a.md", "docs/c.md", *output).stderr
    assert "treepack: 1 file left out: 1 failed" == message.splitlines()[-1]


# --- names of output files ---


@pytest.mark.parametrize(
    "name",
    ["x", "x.csv", "x.json", "x.jsonl.gz", "x.parquet.gz", "x.txt", "x.html", "x.", ".jsonl"],
)
def test_an_output_name_without_a_format_is_rejected_and_formats_are_listed(name: str) -> None:
    result = invoke("pack", "guide.md", "-o", name)
    assert 2 == result.exit_code
    assert all(suffix in result.stderr for suffix in FORMATS)
    assert ["guide.md"] == [path.name for path in Path().iterdir()]


@pytest.mark.parametrize("command", ["pack", "report"])
@pytest.mark.parametrize("name", ["new/", "new.jsonl/", "new.html/", "new/x.jsonl", "new/x.html"])
def test_an_output_in_a_missing_folder_or_named_like_one_is_rejected(
    command: str, name: str
) -> None:
    result = invoke(command, "guide.md", "-o", name)
    assert 2 == result.exit_code
    assert "folder" in result.stderr
    assert ["guide.md"] == [path.name for path in Path().iterdir()]


@pytest.mark.parametrize("suffix", [*FORMATS, ".JSONL", ".Parquet"])
def test_the_suffix_of_the_output_determines_its_format(suffix: str) -> None:
    assert 0 == invoke("pack", "guide.md", "-o", f"x{suffix}").exit_code
    begin = Path(f"x{suffix}").read_bytes()[:4]
    assert (b"PAR1" if suffix.lower() == ".parquet" else b'{"id') == begin


# --- chunks to audit ---


@pytest.mark.parametrize("flags", [[], ["--level", "64,32"], ["--max", "32", "--overlap", "5"]])
@pytest.mark.parametrize("output", ["o.jsonl", "o.ndjson", "o.parquet"])
def test_an_audit_reads_what_pack_wrote(output: str, flags: list[str]) -> None:
    assert 0 == invoke("pack", "guide.md", "-o", output, *flags).exit_code
    for chunks, stdin in ((output, None), ("-", Path(output).read_bytes())):
        result = invoke("audit", "guide.md", "--chunks", chunks, *flags, stdin=stdin)
        assert 0 == result.exit_code, result.output


def test_an_audit_reads_a_folder_of_tables() -> None:
    write_documents("docs", "a.md", "b.md")
    Path("parts").mkdir()
    for number, name in enumerate(("a.md", "b.md")):
        invoke("pack", f"docs/{name}", "-o", f"parts/part-{number}.parquet")
    assert 0 == invoke("audit", "docs", "--chunks", "parts").exit_code
    Path("parts/part-1.parquet").unlink()
    assert 1 == invoke("audit", "docs", "--chunks", "parts").exit_code
    shutil.rmtree("parts")
    Path("parts").mkdir()
    result = invoke("audit", "docs", "--chunks", "parts")
    assert 2 == result.exit_code
    assert "the folder parts has no .parquet file" in result.stderr


def test_tables_of_other_tools_are_judged_by_their_text() -> None:
    Path("a.md").write_text("One.\n\nTwo.\n", encoding="utf-8")
    rows = [{"text": "One.", "vector": [0.5]}, {"text": "Two.", "vector": [0.5]}]
    pq.write_table(pa.Table.from_pylist(rows), "o.parquet")
    assert 0 == invoke("audit", "a.md", "--chunks", "o.parquet").exit_code
    pq.write_table(pa.Table.from_pylist(rows[:1]), "o.parquet")
    assert 1 == invoke("audit", "a.md", "--chunks", "o.parquet").exit_code
    pq.write_table(pa.Table.from_pylist([{"body": "One."}]), "o.parquet")
    result = invoke("audit", "a.md", "--chunks", "o.parquet")
    assert 2 == result.exit_code
    assert "o.parquet, row 1: neither a chunk record nor" in result.stderr


@pytest.mark.parametrize("data", [b"PAR1 broken", b"\x1f\x8b\x08", b"> **0** guide", b"[\n{}]"])
def test_the_error_for_a_file_without_chunks_names_it(data: bytes) -> None:
    Path("o.parquet").write_bytes(data)
    result = invoke("audit", "guide.md", "--chunks", "o.parquet")
    assert 2 == result.exit_code
    assert "o.parquet" in result.stderr
    assert "Parquet" in result.stderr


@pytest.mark.parametrize("name", ["utf-8", "UTF8", "latin-1", "cp1252", "utf_16", "ascii"])
def test_a_file_encoding_is_rejected_as_a_tokenizer(name: str) -> None:
    result = invoke("pack", "guide.md", "--encoding", name)
    assert 2 == result.exit_code
    assert "is a file encoding; `encoding` names the tokenizer" in result.stderr
    with pytest.raises(TokenizerError, match="is a file encoding"):
        token_counter(name)


# --- formats ---


def test_the_format_option_applies_if_the_name_gives_no_format() -> None:
    lines = invoke("pack", "guide.md").stdout
    assert 0 == invoke("pack", "guide.md", "-o", "o.json", "--format", "jsonl").exit_code
    assert lines == Path("o.json").read_text(encoding="utf-8")
    table = pq.read_table(
        pa.BufferReader(invoke("pack", "guide.md", "--format=parquet").stdout_bytes)
    )
    assert len(lines.splitlines()) == len(table)


def test_a_format_option_that_contradicts_the_name_is_rejected() -> None:
    result = invoke("pack", "guide.md", "-o", "o.parquet", "--format", "jsonl")
    assert (2, False) == (result.exit_code, Path("o.parquet").exists())
    assert "the suffix of o.parquet means parquet, but --format is jsonl" in result.stderr


# --- wrong calls ---


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["pack", "--exclud", "x"], "no such option: --exclud"),
        (["pck"], "no such command 'pck'. Did you mean 'pack'? See treepack --help"),
        (["pack", "a.md", "--jobs", "0"], "--jobs"),
        (["pack", "a.md", "--format", "csv"], "'csv' is not one of"),
    ],
)
def test_a_wrong_call_is_reported_on_one_line(words: list[str], message: str) -> None:
    result = CliRunner().invoke(app, words, prog_name="treepack")
    assert 2 == result.exit_code
    assert 1 == result.stderr.count("\n"), result.stderr
    assert result.stderr.startswith("treepack: ")
    assert message in result.stderr


# --- audits ---


def test_an_audit_of_other_tools_chunks_is_grouped_by_law() -> None:
    text = "# A\n\n" + "".join(f"Sentence number {number} of it.\n\n" for number in range(40))
    Path("a.md").write_text(text, encoding="utf-8")
    Path("c.jsonl").write_text(
        "".join(json.dumps({"text": text[at : at + 30]}) + "\n" for at in range(0, len(text), 37)),
        encoding="utf-8",
    )
    result = invoke("audit", "a.md", "--chunks", "c.jsonl", "--max", "64")
    assert 1 == result.exit_code
    lines = result.stdout.splitlines()
    heads = [line for line in lines if line.startswith("law ")][1:]
    found = treepack.audit(
        treepack.read("a.md"),
        [text[at : at + 30] for at in range(0, len(text), 37)],
        PackConfig(max_tokens=64),
    )
    counts = {law.law: law.findings for law in found.laws if law.findings}
    assert [f"law {law} " for law in counts] == [head[:6] for head in heads]
    assert len(counts) > 1
    assert sum(counts.values()) == sum(line.startswith("  a.md") for line in lines)
    assert max(counts.values()) > 10
    assert f"  and {max(counts.values()) - 10} more findings" in str(found)
    assert lines[0] == f"1 document, {found.chunks} chunks"


def test_a_count_of_one_is_printed_in_the_singular() -> None:
    Path("one.md").write_text("One.\n", encoding="utf-8")
    message = invoke("audit", "one.md").stdout
    assert message.startswith("1 document, 1 chunk\n")
    assert " 1 chunk " in message
    assert " 1 chunks" not in message
