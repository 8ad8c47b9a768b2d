"""The README names all that a user can say and get; its examples run as tests of their own."""

import re
from pathlib import Path
from typing import Final, get_args

import pytest
from typer.testing import CliRunner

from treepack import Chunk, PackConfig
from treepack.cli.app import app
from treepack.config import Preset
from treepack.integrations.metadata import KEYS
from treepack.readers.formats import SUFFIXES

pytestmark = pytest.mark.every_python  # typer reads signatures

README: Final = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
SHELL: Final = "".join(re.findall(r"^```sh\n(.*?)^```", README, re.MULTILINE | re.DOTALL))
CALLS: Final = re.findall(r"^treepack .+?(?=  |$)", SHELL, re.MULTILINE)


def test_every_setting_and_field_and_key_is_explained() -> None:
    names = [*PackConfig.model_fields, *Chunk.model_fields, *KEYS, *get_args(Preset), *SUFFIXES]
    assert [] == [name for name in names if f"`{name}`" not in README]


@pytest.mark.parametrize("call", CALLS)
def test_every_call_has_a_command_and_flags_that_are_there(
    call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    command = call.split()[1]
    known = CliRunner().invoke(app, [command, "--help"])
    assert 0 == known.exit_code
    for flag in re.findall(r" (--?[a-z-]+)", call):
        assert flag in known.stdout, flag


def test_every_command_is_shown() -> None:
    listed = {command.callback.__name__ for command in app.registered_commands if command.callback}
    assert listed == {call.split()[1] for call in CALLS}


def test_every_extra_is_named() -> None:
    project = (Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    table = project.partition("[project.optional-dependencies]")[2].partition("\n[")[0]
    extras = re.findall(r"^([a-z-]+) = ", table, re.MULTILINE)
    assert "cli" in extras
    assert [] == [extra for extra in extras if f"`{extra}`" not in README and extra != "all"]
