"""Combines flags and ``pyproject.toml`` into one checked ``PackConfig``; flags win."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from treepack.cli.terminal.output import UsageError
from treepack.config import REMEDIES, PackConfig
from treepack.errors import UnknownPresetError
from treepack.settings import check_names

_ORIGIN = "[tool.treepack] in pyproject.toml"


def read_settings(file: Path) -> Mapping[str, Any]:
    """Return ``[tool.treepack]`` of a ``pyproject.toml``; empty if there is none."""
    if not file.is_file():
        return {}
    try:
        tools = tomllib.loads(file.read_text(encoding="utf-8")).get("tool")
    except (OSError, ValueError) as error:
        msg = f"{file.name} cannot be read: {error}"
        raise UsageError(msg) from None
    table: object = {}
    if isinstance(tools, dict):
        table = cast("dict[str, Any]", tools).get("treepack", {})
    if not isinstance(table, dict):
        msg = f"{_ORIGIN} must be a table of settings"
        raise UsageError(msg)
    settings = cast("dict[str, Any]", table)
    try:
        check_names(settings, [*PackConfig.model_fields, "preset"], REMEDIES)
    except ValueError as error:
        msg = f"{_ORIGIN}: {error}"
        raise UsageError(msg) from None
    return settings


def make_config(flags: Mapping[str, object], file_settings: Mapping[str, Any]) -> PackConfig:
    """Join the settings of flags and file."""
    values: dict[str, Any] = {**file_settings, **flags}
    preset = values.pop("preset", "default")
    try:
        return PackConfig.preset(preset, **values)
    except UnknownPresetError as error:
        raise UsageError(str(error)) from None
    except ValidationError as error:
        only_flags = {_field_name(item) for item in error.errors()} <= set(flags)
        origin = f" (with the settings from {_ORIGIN})" if file_settings and not only_flags else ""
        raise UsageError(_plain_message(error) + origin) from None


def _field_name(problem: Mapping[str, Any]) -> str:
    return ".".join(str(part) for part in problem["loc"][:1])


def _plain_message(error: ValidationError) -> str:
    sentences: dict[str, None] = {}
    for problem in error.errors():
        reason = problem["msg"].removeprefix("Value error, ").removeprefix("Input ")
        reason = reason.partition(", unable to")[0]  # the rest repeats it
        name = _field_name(cast("Mapping[str, Any]", problem))
        if name:
            reason = f"{name} is {problem['input']!r}, but {reason}"
        sentences.setdefault(reason)
    return "; ".join(sentences)
