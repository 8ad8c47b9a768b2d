"""Where settings come from, what commands print, and how they end."""

import os
import subprocess
import sys
import tomllib
from inspect import signature
from pathlib import Path
from typing import Any, get_args

import pyarrow.parquet as pq
import pytest
from command_line import run
from typer.testing import CliRunner, Result

import treepack
from treepack import PackConfig
from treepack.cli.app import app, pack
from treepack.integrations.arrow.tables import chunks_to_table

COMMANDS = ("pack", "show", "audit", "report", "stats", "compare")
GUIDE = "# Guide\n\nHow to keep a pump.\n\n## Limits\n\nNever above 16 bar. Never below 2 bar.\n"


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads another folder's settings."""
    monkeypatch.chdir(tmp_path)
    Path("guide.md").write_text(GUIDE, encoding="utf-8")


def invoke(*arguments: object, **environment: str) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], env=environment)


def settings(*arguments: object, **environment: str) -> dict[str, Any]:
    result = invoke("pack", "--show-settings", *arguments, **environment)
    assert 0 == result.exit_code, result.stderr
    return tomllib.loads(result.stdout)


def origin(name: str, *arguments: object, **environment: str) -> str:
    lines = invoke("pack", "--show-settings", *arguments, **environment).stdout.splitlines()
    [line] = [line for line in lines if line.removeprefix("# ").startswith(f"{name} ")]
    return line.rpartition("  # ")[2]


# --- where settings come from ---


def test_settings_are_shown_as_a_settings_file() -> None:
    """The output can be used as treepack.toml."""
    shown = settings("--preset", "standards", "--level", 2048, "--level", 1000)
    config = PackConfig.preset("standards", levels=(2048, 1000))
    assert PackConfig(**shown) == config
    assert [2048, 1000] == shown["levels"]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_shows_its_settings_without_a_document(command: str) -> None:
    result = invoke(command, "--show-settings", "--max", 800)
    assert 0 == result.exit_code, result.stderr
    assert 800 == tomllib.loads(result.stdout)["max_tokens"]


def test_settings_have_a_fixed_order_of_precedence() -> None:
    """The order is: flags, --config, environment, settings file, preset, defaults."""
    Path("treepack.toml").write_text("max_tokens = 400\n", encoding="utf-8")
    usual = ["--target", "90", "--min", "10", "--overlap", "10"]
    precedence = [
        (100, "a flag", ["--preset", "standards", "--config", "max_tokens=200", "--max", "100"]),
        (200, "--config", ["--preset", "standards", "--config", "max_tokens=200"]),
        (300, "the environment", ["--preset", "standards"]),
        (400, "treepack.toml", ["--preset", "standards"]),
        (1000, "preset standards", ["--preset", "standards"]),
        (1024, "default", []),
    ]
    for size, expected_origin, flags in precedence:
        environment = {"TREEPACK_MAX_TOKENS": "300"} if size <= 300 else {}
        if size > 400:
            Path("treepack.toml").unlink(missing_ok=True)
        assert size == settings(*flags, *usual, **environment)["max_tokens"]
        assert expected_origin == origin("max_tokens", *flags, *usual, **environment)


@pytest.mark.parametrize(
    ("pair", "name", "value"),
    [
        ("max_tokens=800", "max_tokens", 800),
        ("max-tokens = 800", "max_tokens", 800),
        ("repeat_heading=true", "repeat_heading", True),
        ("overlap_separator=---", "overlap_separator", "---"),
        ("overlap_separator='= ='", "overlap_separator", "= ="),
        ("oversize_table=keep", "oversize_table", "keep"),
        ('oversize_table="keep"', "oversize_table", "keep"),
        ("levels=[2048, 1024]", "levels", [2048, 1024]),
        ("preset=datasheet", "max_tokens", 512),
    ],
)
def test_any_setting_can_be_given_by_name(pair: str, name: str, value: object) -> None:
    assert value == settings("--config", pair)[name]
    key, _, text = pair.partition("=")
    variable = f"TREEPACK_{key.strip().replace('-', '_').upper()}"
    assert value == settings(**{variable: text.strip()})[name]


def test_config_may_be_given_several_times() -> None:
    shown = settings("--config", "max_tokens=800", "--config", "target_tokens=300")
    assert (800, 300) == (shown["max_tokens"], shown["target_tokens"])


def test_an_invalid_page_pattern_is_rejected_and_the_error_shows_it(tmp_path: Path) -> None:
    """This happens before a document is read; the message shows the pattern as given."""
    (tmp_path / "a.md").write_text("A\n")
    for arguments in (("--page-pattern", "[p ("), ("--config", "page_pattern=[p (")):
        result = invoke("pack", tmp_path / "a.md", *arguments)
        assert 2 == result.exit_code
        assert (
            "page_pattern is '[p (', but the page pattern '[p (' is not a regular expression"
            in result.stderr
        )


def test_every_setting_has_an_environment_variable() -> None:
    for name in PackConfig.model_fields:
        value = PackConfig.model_fields[name].default
        text = (
            "[2048, 1024]" if name == "levels" else str(value).lower() if value is not None else "1"
        )
        text = {
            "overlap_separator": "---",
            "page_pattern": r"^p (\d+)$",
            "heading_patterns": "{1 = 'A'}",
        }.get(name, text)
        expected_origin = origin(name, **{f"TREEPACK_{name.upper()}": text})
        assert "the environment" == expected_origin, name


def test_an_empty_environment_variable_is_ignored() -> None:
    assert 1024 == settings(TREEPACK_MAX_TOKENS="")["max_tokens"]


def test_settings_from_the_environment_change_the_chunks() -> None:
    result = invoke("pack", "guide.md", TREEPACK_SECTIONS="separate")
    expected = treepack.pack(Path("guide.md"), PackConfig(sections="separate"))
    assert expected.to_jsonl() == result.stdout


@pytest.mark.parametrize(
    ("arguments", "environment", "messages"),
    [
        (["--config", "max_tokns=5"], {}, ["--config", "'max_tokns'", "max_tokens"]),
        (["--config", "max_tokens"], {}, ["--config", "key=value"]),
        (["--config", "max_tokens=many"], {}, ["--config", "'many'"]),
        (["--config", "preset=standard"], {}, ["standard", "standards"]),
        (["--config", "encoding=cl100k"], {}, ["cl100k"]),
        ([], {"TREEPACK_MAX_TOKNS": "5"}, ["TREEPACK_MAX_TOKNS", "TREEPACK_MAX_TOKENS"]),
        ([], {"TREEPACK_MAX_TOKENS": "5"}, ["the environment", "16"]),
        ([], {"TREEPACK_SECTIONS": "x\ny = 1"}, ["the environment", "sections"]),
    ],
)
def test_the_error_for_a_wrong_setting_names_it(
    arguments: list[str], environment: dict[str, str], messages: list[str]
) -> None:
    result = invoke("pack", "guide.md", *arguments, **environment)
    assert (2, "") == (result.exit_code, result.stdout)
    assert all(words in result.stderr for words in messages), result.stderr


def test_unrelated_environment_variables_are_ignored() -> None:
    """The tests themselves find the corpus by such a variable."""
    assert 0 == invoke("pack", "guide.md", TREEPACK_CORPUS="/corpus").exit_code


# --- messages, help and completion ---


@pytest.mark.parametrize("flag", ["--quiet", "-q"])
def test_quiet_prints_only_errors(flag: str) -> None:
    Path("old.md").write_bytes(b"Caf\xe9\n")
    for arguments in (
        ["pack", "old.md", "-o", "out.jsonl"],
        ["report", "old.md", "-o", "r.html"],
        ["audit", "old.md", "--chunks", "out.jsonl"],
        ["stats", "old.md"],
        ["compare", "old.md"],
        ["show", "old.md"],
    ):
        assert "" != run(*arguments).stderr
        assert "" == run(*arguments, flag).stderr
    failed = run("pack", "old.md", flag, "--encoding-errors", "strict", "-o", "other.jsonl")
    assert 1 == failed.returncode
    assert "old.md" in failed.stderr
    assert "was not written" in failed.stderr


@pytest.mark.slow
def test_a_terminal_shows_progress_and_rate_unless_quiet() -> None:
    pty = pytest.importorskip("pty")
    for number in range(30):
        Path(f"{number}.md").write_text(GUIDE * 200, encoding="utf-8")
    for quiet in ([], ["--quiet"]):
        leader, follower = pty.openpty()
        command = [sys.executable, "-m", "treepack", "pack", ".", "-o", "out.jsonl", *quiet]
        wide = {**os.environ, "COLUMNS": "120", "TERM": "xterm"}
        with subprocess.Popen(command, stderr=follower, env=wide):
            os.close(follower)
            seen = _read_all(leader)
        assert bool(quiet) != ("/31" in seen and "/s" in seen and "packing" in seen), seen


def test_help_has_examples_and_explains_the_exit_status(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    text = invoke("--help").stdout
    for words in ("Exit status", "TREEPACK_MAX_TOKENS", "treepack.toml", "--show-completion"):
        assert words in text
    for command in COMMANDS:
        assert command in text
        own = invoke(command, "--help").stdout
        assert f"treepack {command} " in own.partition("Examples")[2]
        assert "--config" in own


def test_help_names_every_setting_in_every_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """A setting without a flag, or with one cut short, could not be reached from the shell.

    Only a sentence splitter is an object, which has no name.
    """
    monkeypatch.setenv("COLUMNS", "80")
    for command in COMMANDS:
        text = invoke(command, "--help").stdout.replace("-", "_")
        for field in {*PackConfig.model_fields} - {"sentence_splitter"}:
            assert field.removesuffix("_tokens").removesuffix("s") in text


NARROWER: dict[str, Any] = {
    "levels": list[str],
    "heading_patterns": list[str],
    "encoding": str,
    "engine": bool,
}
"""The types of flags whose settings have values that cannot be written on a command line."""


def test_each_flag_has_the_type_description_and_default_of_its_setting() -> None:
    flags = {each.name: each.annotation for each in signature(pack).parameters.values()}
    flags["engine"] = flags.pop("fast")
    assert {*flags} > {"preset", *PackConfig.model_fields} - {"sentence_splitter"}
    for name, field in PackConfig.model_fields.items():
        if name == "sentence_splitter":
            continue
        taken, option = get_args(flags[name])
        kind: Any = NARROWER.get(name, field.annotation)
        assert taken == kind | None, name
        default = "on" if field.default is True else field.default
        if name != "engine":
            assert option.help.startswith(field.description), name
            assert default in (None, False) or option.help.endswith(f" ({default})"), name


@pytest.mark.slow
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_imports_only_the_modules_it_needs(command: str) -> None:
    """Help should be fast; the test counts loaded modules, as times depend on the machine."""
    script = (
        f"import sys; sys.argv = ['treepack', *{command!r}.split(), '--help']\n"
        "from treepack.cli import main\n"
        "try: main()\n"
        "finally: print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], check=False, capture_output=True, text=True
    )
    loaded = done.stderr.split()
    ours = {name for name in loaded if name.partition(".")[0] == "treepack"}
    cli = {"treepack.cli", "treepack.cli.app", "treepack.cli.flags"}
    assert {"treepack", "treepack.views", "treepack.settings", *cli} == ours
    assert not {"tiktoken", "regex", "yaml", "jinja2", "pyarrow", "mdit_py_plugins"} & {*loaded}
    assert len(loaded) < 600


def complete(instruction: str, words: str = "") -> str:
    """Return the command's answer to a shell that asks for completions."""
    at = str(max(len(words.split()) - (not words.endswith(" ")), 1))
    asked = {"_TREEPACK_COMPLETE": instruction, "COMP_WORDS": words, "COMP_CWORD": at}
    command = [sys.executable, "-c", "from treepack.cli import main; main()"]
    environment = {**os.environ, **asked}
    return subprocess.run(
        command, check=False, capture_output=True, text=True, env=environment
    ).stdout


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_can_complete_commands(shell: str) -> None:
    assert "_TREEPACK_COMPLETE" in complete(f"source_{shell}")
    assert "stats" == complete("complete_bash", "treepack st").strip()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("treepack pack --excl", ["--exclude"]),
        ("treepack show --ful", ["--full"]),
        ("treepack pack --format ", ["jsonl", "parquet", "md"]),
        ("treepack pack a.md --preset da", ["datasheet"]),
        ("treepack compare a.md --js", ["--json"]),
    ],
)
def test_shells_can_complete_flags_and_their_values(words: str, completed: list[str]) -> None:
    assert completed == complete("complete_bash", words).split()


# --- previews ---


def test_an_output_name_in_md_gives_a_readable_preview() -> None:
    result = invoke("pack", "guide.md", "-o", "out.md", "--sections", "separate")
    assert 0 == result.exit_code, result.stderr
    text = Path("out.md").read_text(encoding="utf-8")
    chunks = treepack.pack(Path("guide.md"), PackConfig(sections="separate"))
    for chunk in chunks:
        assert f"> **{chunk.index}** {' › '.join(chunk.breadcrumb)}" in text
        assert f"\n\n{chunk.text.strip()}\n\n---\n" in text
    assert len(chunks) == text.count("\n---\n")


def test_a_breadcrumb_is_escaped_in_a_preview() -> None:
    Path("evil.md").write_text("# <b>\\*x\\* [y](z) `c`\n\nText.\n", encoding="utf-8")
    invoke("pack", "evil.md", "-o", "out.md")
    head = Path("out.md").read_text(encoding="utf-8").splitlines()[0]
    assert "\\<b\\>" in head or "<b>" not in head
    assert "\\*x\\*" in head


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_output_name_in_parquet_gives_a_table(jobs: int) -> None:
    Path("broken.html").write_bytes(b"\xff\xfe\x00")
    Path("second.md").write_text("# Second\n\nText.\n", encoding="utf-8")
    files = ("guide.md", "broken.html", "second.md")
    flags = ("--jobs", str(jobs), "--encoding-errors", "strict")
    result = invoke("pack", *files, "-o", "out.parquet", *flags)
    assert 1 == result.exit_code
    assert "broken.html" in result.stderr
    chunks = [chunk for name in ("guide.md", "second.md") for chunk in treepack.pack(Path(name))]
    table = pq.read_table("out.parquet")
    assert table.equals(chunks_to_table(chunks))
    assert f"{len(chunks)} chunks of 2 documents" in result.stderr


def test_the_old_table_is_kept_if_no_document_can_be_read() -> None:
    Path("out.parquet").write_text("old", encoding="utf-8")
    Path("broken.md").write_bytes(b"\xff")
    result = invoke("pack", "broken.md", "-o", "out.parquet", "--encoding-errors", "strict")
    assert 1 == result.exit_code
    assert "old" == Path("out.parquet").read_text(encoding="utf-8")


def test_parquet_without_pyarrow_names_the_extra_before_any_work() -> None:
    script = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "sys.argv = ['treepack', 'pack', 'guide.md', '-o', 'out.parquet']\n"
        "from treepack.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], check=False, capture_output=True, text=True
    )
    assert 2 == done.returncode
    assert (
        'treepack: writing Arrow tables needs its extra: pip install "treepack[arrow]"\n'
        == done.stderr
    )
    assert not Path("out.parquet").exists()


# --- how it ends ---


@pytest.mark.slow
@pytest.mark.parametrize("command", ["pack", "report", "stats"])
def test_a_closed_pipe_ends_the_command_with_status_141(command: str) -> None:
    Path("long.md").write_text(GUIDE * 4000, encoding="utf-8")
    arguments = [sys.executable, "-m", "treepack", command, "long.md"]
    if command == "stats":  # its output is short, so the pipe must be closed first
        arguments.append("--json")
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert b"" == process.stderr.read()
    assert 141 == process.returncode


def _read_all(leader: int) -> str:
    """Read what a terminal received; its end raises OSError on Linux, and is empty elsewhere."""
    data = b""
    with os.fdopen(leader, "rb") as stream:
        try:
            while part := stream.read1():
                data += part
        except OSError:
            pass
    return data.decode()
