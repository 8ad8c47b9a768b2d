"""Where the command line's settings come from, its help, and how shells complete it."""

from inspect import signature
from pathlib import Path
from typing import Any, get_args

import pytest
from case_files import case_file, case_table
from cli_documents import GUIDE
from command_line import chunks_of, invoke
from processes import run_python

import treepack
from treepack import PackConfig
from treepack.cli.app import pack

COMMANDS = ("pack", "show", "audit", "report")


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads another folder's settings."""
    monkeypatch.chdir(tmp_path)
    Path("guide.md").write_text(GUIDE, encoding="utf-8")


def project(settings: str) -> None:
    Path("pyproject.toml").write_text(f"[tool.treepack]\n{settings}\n", encoding="utf-8")


def packed(**settings: Any) -> list[treepack.Chunk]:  # noqa: ANN401 - settings
    return list(treepack.pack(Path("guide.md"), PackConfig.preset(**settings)))


def test_settings_come_from_pyproject_and_flags_win() -> None:
    assert packed(name="default") == chunks_of(invoke("pack", "guide.md").stdout)
    project("max_tokens = 32\ntarget_tokens = 20\npreset = 'sections'")
    assert packed(name="sections", max_tokens=32, target_tokens=20) == chunks_of(
        invoke("pack", "guide.md").stdout
    )
    flags = ("--preset", "standards", "--max", 40)
    assert packed(name="standards", max_tokens=40, target_tokens=20) == chunks_of(
        invoke("pack", "guide.md", *flags).stdout
    )


def test_flags_reach_the_settings() -> None:
    given = case_file("cli/flags.json")
    settings = given["settings"] | {"levels": (128, 64), "repeat_heading": True, "clauses": False}
    settings["heading_patterns"] = {1: "^ARTICLE"}
    for levels in (("--level", "128", "--level", "64"), ("--level", "128,64")):
        several = (*levels, "--repeat-heading", "--no-clauses")
        result = invoke("pack", "guide.md", *given["arguments"], *several)
        assert 0 == result.exit_code, result.stderr
        assert chunks_of(result.stdout) == packed(name="default", **settings)


def test_help_has_examples_and_names_every_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A setting without a flag, or with one cut short, could not be reached from the shell."""
    monkeypatch.setenv("COLUMNS", "80")
    text = invoke("--help").stdout
    assert all(words in text for words in ("Exit status", "pyproject.toml", *COMMANDS))
    for command in COMMANDS:
        own = invoke(command, "--help").stdout
        assert f"treepack {command} " in own.partition("Example")[2]
        for field in {*PackConfig.model_fields} - {"sentence_splitter"}:  # an object, no name
            name = field.removesuffix("_tokens").removesuffix("s")
            assert name in own.replace("-", "_")


# The types of flags whose settings have values that cannot be written on a command line.
NARROWER: dict[str, Any] = {"levels": list[str], "heading_patterns": list[str], "encoding": str}


def test_each_flag_has_the_type_description_and_default_of_its_setting() -> None:
    flags = {each.name: each.annotation for each in signature(pack).parameters.values()}
    assert {*flags} > {"preset", *PackConfig.model_fields} - {"sentence_splitter"}
    for name, field in PackConfig.model_fields.items():
        if name == "sentence_splitter":
            continue
        taken, option = get_args(flags[name])
        kind: Any = NARROWER.get(name, field.annotation)
        assert taken == kind | None, name
        default = "on" if field.default is True else field.default
        assert option.help.startswith(field.description), name
        assert default in (None, False) or option.help.endswith(f" ({default})"), name


@pytest.mark.slow
@pytest.mark.parametrize("command", ["", "pack"])
def test_help_imports_only_the_modules_it_needs(command: str) -> None:
    """Help should be fast; the test counts loaded modules, as times depend on the machine."""
    script = (
        f"import sys; sys.argv = ['treepack', *{command!r}.split(), '--help']\n"
        "from treepack.cli import main\n"
        "try: main()\n"
        "finally: print(*sys.modules, file=sys.stderr)"
    )
    loaded = run_python(script).stderr.split()
    ours = {name for name in loaded if name.partition(".")[0] == "treepack"}
    cli = {"treepack.cli", "treepack.cli.app", "treepack.cli.flags"}
    assert not {"treepack.packing", "treepack.readers", "treepack.tokens"} & ours
    assert {*cli} <= ours
    assert not {"tiktoken", "yaml", "jinja2", "pyarrow", "mdit_py_plugins"} & {*loaded}
    assert len(loaded) < 600


@pytest.mark.slow
@pytest.mark.parametrize(("words", "completed"), case_table("cli_settings", "completed"))
def test_shells_can_complete_commands_flags_and_values(words: str, completed: list[str]) -> None:
    at = str(max(len(words.split()) - (not words.endswith(" ")), 1))
    asked = {"_TREEPACK_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": at}
    done = run_python("from treepack.cli import main; main()", asked)
    assert completed == done.stdout.split()
