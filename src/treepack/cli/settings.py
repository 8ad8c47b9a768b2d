"""Flags and settings files become one checked ``PackConfig``."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from treepack.cli.output import UsageProblem
from treepack.config import PackConfig
from treepack.errors import UnknownPresetError


@dataclass(frozen=True)
class FileSettings:
    """What a settings file says, and which file it was."""

    values: Mapping[str, Any] = field(default_factory=dict[str, Any])
    origin: str = ""


def read_settings(folder: Path) -> FileSettings:
    """Read ``treepack.toml``, or else ``[tool.treepack]`` of ``pyproject.toml``, in a folder."""
    own = folder / "treepack.toml"
    if own.is_file():
        return _checked(_load_toml(own), own.name)
    project = folder / "pyproject.toml"
    if project.is_file():
        tools = _load_toml(project).get("tool", {})
        if isinstance(tools, dict) and "treepack" in tools:
            origin = f"[tool.treepack] in {project.name}"
            return _checked(cast("dict[str, Any]", tools)["treepack"], origin)
    return FileSettings()


def make_config(flags: Mapping[str, object], settings: FileSettings) -> PackConfig:
    """Put flags over the settings of a file; a flag that is None was not given."""
    given = {name: value for name, value in flags.items() if value not in (None, [])}
    values: dict[str, Any] = {**settings.values, **given}
    preset = values.pop("preset", "default")
    try:
        return PackConfig.preset(preset, **values)
    except UnknownPresetError as error:
        raise UsageProblem(str(error)) from None
    except ValidationError as error:
        only_flags = not settings.values or {_place(item) for item in error.errors()} <= set(given)
        origin = "" if only_flags else f" (with the settings of {settings.origin})"
        raise UsageProblem(_in_plain_words(error) + origin) from None


def _load_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        msg = f"{path.name} cannot be read: {error}"
        raise UsageProblem(msg) from None


def _checked(values: object, origin: str) -> FileSettings:
    if not isinstance(values, dict):
        msg = f"{origin} must be a table of settings"
        raise UsageProblem(msg)
    table = cast("dict[str, Any]", values)
    for key in table:
        if key not in _known_settings():
            near = get_close_matches(key, _known_settings(), n=1)
            known = f"did you mean {near[0]}?" if near else f"known: {', '.join(_known_settings())}"
            msg = f"{origin} has an unknown setting {key!r}; {known}"
            raise UsageProblem(msg)
    return FileSettings(table, origin)


def _known_settings() -> list[str]:
    return sorted([*PackConfig.model_fields, "preset"])


def _place(problem: Mapping[str, Any]) -> str:
    return ".".join(str(part) for part in problem["loc"][:1])


def _in_plain_words(error: ValidationError) -> str:
    sentences: dict[str, None] = {}
    for problem in error.errors():
        reason = problem["msg"].removeprefix("Value error, ").removeprefix("Input ")
        place = _place(cast("Mapping[str, Any]", problem))
        if place:
            reason = f"{place} is {problem['input']!r}, but {reason}"
        sentences.setdefault(reason)
    return "; ".join(sentences)
