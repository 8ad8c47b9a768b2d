"""The commands for inspecting documents and choosing settings: report, stats, compare."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import run
from docx_files import docx, p
from pages import Page
from typer.testing import CliRunner, Result

import treepack
from treepack import PackConfig, Source
from treepack.cli.app import app
from treepack.report import render
from treepack.report.packings import packed

GUIDE = """\
# Guide

How to keep a pump.

## Limits

| Quantity | Limit |
|---|---|
| Pressure | 16 bar |
| Temperature | 110 °C |
| Flow | 12 l/min |
| Power | 900 W |

## Care

Clean it every week. Do not use soap.

```sh
pump --clean
```
"""


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads another folder's settings."""
    monkeypatch.chdir(tmp_path)
    Path("guide.md").write_text(GUIDE, encoding="utf-8")
    folder = tmp_path / "docs"
    folder.mkdir()
    for name in ("a.md", "b.md"):
        (folder / name).write_text(GUIDE.replace("pump", name), encoding="utf-8")


def invoke(*arguments: object, stdin: str | None = None) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)


def names() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


# --- report ---


def expected(config: PackConfig, name: str = "guide.md") -> str:
    return render([packed(Source(GUIDE, name), config, "settings")])


def test_the_report_is_written_to_a_file() -> None:
    result = invoke("report", "guide.md", "-o", "r.html")
    assert (0, "") == (result.exit_code, result.stdout), result.stderr
    assert "r.html" in result.stderr
    assert expected(PackConfig()) == Path("r.html").read_text(encoding="utf-8")
    assert ["docs", "guide.md", "r.html"] == names()


@pytest.mark.parametrize("flags", [[], ["-o", "-"], ["--output", "-"]])
def test_the_report_can_be_written_to_a_pipe(flags: list[str]) -> None:
    result = run("report", "guide.md", *flags)
    assert (0, "") == (result.returncode, result.stderr)
    assert expected(PackConfig()) == result.stdout


def test_the_report_can_be_made_from_standard_input() -> None:
    result = run("report", "-", stdin=GUIDE)
    assert 0 == result.returncode, result.stderr
    assert expected(PackConfig(), "") == result.stdout


def test_the_report_uses_the_given_settings() -> None:
    result = run("report", "guide.md", "--max", 40, "--target", 32)
    assert expected(PackConfig(max_tokens=40, target_tokens=32)) == result.stdout


@pytest.mark.parametrize(
    ("description", "config"),
    [
        ("standards", PackConfig.preset("standards")),
        ("standards,max_tokens=600", PackConfig.preset("standards", max_tokens=600)),
        ("max_tokens=64,overlap_tokens=8", PackConfig(max_tokens=64, overlap_tokens=8)),
        ("ours.toml", PackConfig(max_tokens=80)),
        ("ours.toml,max_tokens=90", PackConfig(max_tokens=90)),
        ("tool.toml", PackConfig(max_tokens=70)),
    ],
)
def test_the_report_can_compare_two_packings(description: str, config: PackConfig) -> None:
    Path("ours.toml").write_text("max_tokens = 80\n", encoding="utf-8")
    Path("tool.toml").write_text("[tool.treepack]\nmax_tokens = 70\n", encoding="utf-8")
    result = run("report", "guide.md", "--max", 48, "--compare", description)
    assert 0 == result.returncode, result.stderr
    source = Source(GUIDE, "guide.md")
    compared = [
        packed(source, PackConfig(max_tokens=48), "settings"),
        packed(source, config, description),
    ]
    assert render(compared) == result.stdout
    assert {"a", "b"} == {key[0] for key in Page(result.stdout).sections}


def test_a_report_to_a_terminal_needs_an_output_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("treepack.cli.report_commands._is_terminal", lambda: True)
    result = invoke("report", "guide.md")
    assert (2, "") == (result.exit_code, result.stdout)
    assert "-o report.html" in result.stderr


def test_the_old_report_is_kept_if_the_document_cannot_be_read() -> None:
    Path("old.md").write_bytes(b"Caf\xe9\n")
    Path("r.html").write_text("the old one", encoding="utf-8")
    result = invoke("report", "old.md", "-o", "r.html", "--encoding-errors", "strict")
    assert 1 == result.exit_code
    assert "old.md" in result.stderr
    assert "the old one" == Path("r.html").read_text(encoding="utf-8")
    lenient = invoke("report", "old.md", "-o", "r.html")
    assert 0 == lenient.exit_code
    assert "warning" in lenient.stderr
    assert "Café" in Path("r.html").read_text(encoding="utf-8")


# --- stats ---


def test_stats_describe_the_sections_blocks_and_tables() -> None:
    result = run("stats", "docs")
    assert (0, "") == (result.returncode, result.stderr)
    for words in ("2 documents", "depth 2  4", "table", "code", "up to 64", "a.md:7"):
        assert words in result.stdout, words
    assert "4 rows" in result.stdout
    assert "Quantity, Limit" in result.stdout


def test_stats_as_json_are_exact() -> None:
    found = json.loads(run("stats", "guide.md", "--json").stdout)
    document = treepack.parse(GUIDE)
    assert document.root.tokens == found["tokens"]
    assert {"1": 1, "2": 2} == found["sections"]
    assert {"table", "code", "paragraph"} == set(found["blocks"])
    blocks = [block for section in document.root.walk() for block in section.blocks]
    counted = sum(kind["tokens"] for kind in found["blocks"].values())
    assert sum(block.tokens for block in blocks) == counted
    [table] = found["largest_tables"]
    assert (4, 2, 7, "guide.md") == tuple(
        table[key] for key in ("rows", "columns", "line", "document")
    )
    assert 3 == sum(found["section_tokens"].values())


def test_stats_are_the_same_for_any_number_of_processes() -> None:
    assert run("stats", "docs").stdout == run("stats", "docs", "--jobs", 2).stdout


def test_stats_of_an_empty_document_are_not_an_error() -> None:
    Path("empty.md").touch()
    result = run("stats", "empty.md")
    assert (0, "1 document, 1 line, 0 characters, 0 tokens\n") == (
        result.returncode,
        result.stdout,
    )


def test_stats_count_the_titles_that_pack_finds_by_their_font() -> None:
    title = '<w:p><w:r><w:rPr><w:b/><w:sz w:val="40"/></w:rPr><w:t>%s</w:t></w:r></w:p>'
    body = "".join(title % name + 6 * p(6 * "Text that goes on. ") for name in ("Scope", "Care"))
    Path("big.docx").write_bytes(docx(body))
    chunks = treepack.pack(treepack.read(Path("big.docx")))
    titles = {name for chunk in chunks for path in chunk.sections for name in path[1:]}
    assert {"Scope", "Care"} == titles
    sections = json.loads(run("stats", "big.docx", "--json").stdout)["sections"]
    assert 2 == sum(sections.values())


# --- compare ---


def test_compare_has_a_column_for_each_packing() -> None:
    result = run(
        "compare", "docs", "--preset", "default", "--preset", "max_tokens=32,target_tokens=24"
    )
    assert (0, "") == (result.returncode, result.stderr)
    head, *rows = result.stdout.splitlines()
    assert ["default", "max_tokens=32,target_tokens=24"] == head.split()
    by_name = {row[:22].strip(): row[22:].split() for row in rows}
    assert ["1,024", "32"] == by_name["cap"]
    assert ["2", "2"] == by_name["tables"]
    assert ["0", "2"] == by_name["tables cut"]
    assert "cuts before row" in by_name
    assert len({len(row) for row in rows}) == 1


def test_compare_figures_equal_those_of_the_chunks() -> None:
    result = run("compare", "docs", "--preset", "standards,max_tokens=600", "--json")
    [found] = json.loads(result.stdout)
    config = PackConfig.preset("standards", max_tokens=600)
    chunks = [
        chunk for name in ("a.md", "b.md") for chunk in treepack.pack(Path("docs") / name, config)
    ]
    sizes = [chunk.embed_token_count for chunk in chunks]
    assert (2, len(sizes), sum(sizes)) == (
        found["documents"],
        found["chunks"],
        found["embedded_tokens"],
    )
    assert (min(sizes), max(sizes)) == (found["smallest"], found["largest"])
    assert sum(found["cuts"].values()) == len(chunks) - 2


def test_compare_shows_all_presets_if_none_is_named() -> None:
    head = run("compare", "guide.md").stdout.splitlines()[0]
    assert ["default", "standards", "sections", "datasheet", "retrieval"] == head.split()


def test_flags_apply_to_every_packing_that_does_not_override_them() -> None:
    result = run(
        *("compare", "guide.md", "--max", 600, "--json"),
        *("--preset", "sections", "--preset", "max_tokens=700"),
    )
    assert [600, 700] == [each["max_tokens"] for each in json.loads(result.stdout)]


def test_compare_counts_the_tokens_of_parents() -> None:
    by_pair = run("compare", "guide.md", "--preset", "levels=96,48", "--json")
    by_flag = run("compare", "guide.md", "--level", "96,48", "--json", "--preset", "default")
    [found], [same] = json.loads(by_pair.stdout), json.loads(by_flag.stdout)
    assert {**found, "packing": ""} == {**same, "packing": ""}
    chunks = treepack.pack(GUIDE, PackConfig(levels=(96, 48)), name="guide.md")
    assert sum(chunk.embed_token_count for chunk in chunks) == found["embedded_tokens"]
    assert sum(chunk.level == 1 for chunk in chunks) == found["chunks"]


# --- what goes wrong ---


@pytest.mark.parametrize("command", ["stats", "compare"])
def test_an_unreadable_document_is_reported_and_the_others_are_read(command: str) -> None:
    Path("docs/aa.md").symlink_to("nowhere.md")
    result = run(command, "docs", "--json")
    assert 1 == result.returncode
    assert "aa.md" in result.stderr
    found = json.loads(result.stdout)
    assert 2 == (found if command == "stats" else found[0])["documents"]
    only = run(command, "docs/aa.md")
    assert 1 == only.returncode
    assert "Traceback" not in only.stderr


@pytest.mark.parametrize(
    ("arguments", "messages"),
    [
        (["report"], ["FILE"]),
        (["report", "missing.md"], ["missing.md does not exist"]),
        (["report", "docs"], ["docs is a folder"]),
        (["report", "guide.md", "-o", "guide.md"], ["one of the documents"]),
        (["report", "guide.md", "-o", "docs"], ["docs is a folder"]),
        (["report", "guide.md", "-o", "no/r.html"], ["no", "does not exist"]),
        (
            ["report", "guide.md", "-o", "r.html", "--compare", "standard"],
            ["'standard'", "standards"],
        ),
        (["report", "guide.md", "-o", "r.html", "--compare", "max_tokns=1"], ["max_tokens"]),
        (["report", "guide.md", "-o", "r.html", "--compare", "max_tokens=1"], ["1", "16"]),
        (["report", "guide.md", "-o", "r.html", "--compare", "encoding=x"], ["x"]),
        (["stats"], ["PATH"]),
        (["stats", "missing.md"], ["missing.md does not exist"]),
        (["compare"], ["PATH"]),
        (["compare", "guide.md", "--preset", "standard"], ["'standard'", "standards"]),
        (["compare", "guide.md", "--preset", "standards,overlap"], ["key=value"]),
    ],
)
def test_a_wrong_call_exits_with_2_and_a_reason(arguments: list[str], messages: list[str]) -> None:
    result = invoke(*arguments)
    assert (2, "") == (result.exit_code, result.stdout)
    assert all(words in result.stderr for words in messages), result.stderr
    assert ["docs", "guide.md"] == names()


def test_the_report_without_jinja_names_its_extra() -> None:
    script = (
        "import sys; sys.modules['jinja2'] = None; sys.argv = ['treepack', 'report', 'guide.md'];"
        "from treepack.cli import main; main()"
    )
    result = subprocess.run(
        [sys.executable, "-c", script], check=False, capture_output=True, text=True
    )
    assert 2 == result.returncode
    assert (
        'treepack: the report needs Jinja2; run: pip install "treepack[report]"\n' == result.stderr
    )


@pytest.mark.parametrize("command", ["show", "report", "stats", "compare", "audit", "pack"])
def test_a_file_may_contain_text_that_looks_like_a_path(command: str) -> None:
    """An example is a symbolic link that was checked out as a text file."""
    Path("link.md").write_text("../docs/guide.md", encoding="utf-8")
    more = {"report": ["-o", "r.html"], "compare": ["--preset", "default", "--preset", "standards"]}
    done = invoke(command, "link.md", *more.get(command, []))
    assert done.exit_code == 0, done.output
