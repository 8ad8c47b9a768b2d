"""Combines flags, environment and settings files into one checked ``PackConfig``.

The first of these that has a setting wins: flags, ``--config``, environment, settings file, preset,
defaults.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, cast, get_args, get_origin

from pydantic import ValidationError

from treepack.cli.terminal.output import UsageError
from treepack.config import REMEDIES, PackConfig
from treepack.errors import UnknownPresetError
from treepack.settings import check_names

_PREFIX: Final = "TREEPACK_"
_MIN_SIMILARITY: Final = 0.85


@dataclass(frozen=True)
class SettingsLayer:
    """Settings from one place, and the name of that place."""

    values: Mapping[str, Any] = field(default_factory=dict[str, Any])
    origin: str = ""


def read_settings(folder: Path) -> SettingsLayer:
    """Read ``treepack.toml`` in a folder, or else ``[tool.treepack]`` of ``pyproject.toml``."""
    own_file, project_file = folder / "treepack.toml", folder / "pyproject.toml"
    if own_file.is_file():
        return _checked(_load_toml(own_file), own_file.name)
    table = _treepack_table(_load_toml(project_file)) if project_file.is_file() else None
    if table is None:
        return SettingsLayer()
    return _checked(table, f"[tool.treepack] in {project_file.name}")


def read_settings_file(path: Path) -> SettingsLayer:
    """Read a settings file of any name: its ``[tool.treepack]``, or else the whole file."""
    table = _load_toml(path)
    inner_table = _treepack_table(table)
    return _checked(table if inner_table is None else inner_table, str(path))


def _treepack_table(table: Mapping[str, Any]) -> object:
    """Return the value of ``[tool.treepack]``, or None if it is missing."""
    tools = table.get("tool")
    return cast("dict[str, Any]", tools).get("treepack") if isinstance(tools, dict) else None


def read_environment(environment: Mapping[str, str]) -> SettingsLayer:
    """Read variables such as ``TREEPACK_MAX_TOKENS``; an empty one counts as not set.

    Raises:
        UsageError: A variable has nearly the name of a setting; other unknown ones are ignored.
    """
    names = {_PREFIX + setting.upper(): setting for setting in _known_settings()}
    values: dict[str, Any] = {}
    for name, text in environment.items():
        if name in names and text:
            values[names[name]] = parse_value(names[name], text)
        elif name.startswith(_PREFIX) and name not in names:
            suggestions = get_close_matches(name, names, n=1, cutoff=_MIN_SIMILARITY)
            # Flags have shorter names, so TREEPACK_MAX probably means TREEPACK_MAX_TOKENS.
            suggestions += [known for known in names if known.startswith(f"{name}_")]
            if suggestions:
                advice = f"did you mean {suggestions[0]}?"
                msg = f"the environment variable {name} is not a setting; {advice}"
                raise UsageError(msg)
    return SettingsLayer(values, "the environment")


def read_pairs(pairs: Sequence[str], origin: str = "--config") -> SettingsLayer:
    """Read settings given as ``key=value``; the value is TOML, or else a plain word."""
    values: dict[str, Any] = {}
    for pair in pairs:
        key, separator, text = pair.partition("=")
        if not separator:
            msg = f"{origin} {pair!r} is not of the form key=value"
            raise UsageError(msg)
        name = key.strip().replace("-", "_")
        values[name] = parse_value(name, text.strip())
    return _checked(values, origin)


def make_config(flags: Mapping[str, object], *layers: SettingsLayer) -> PackConfig:
    """Join the settings: flags win over layers, and later layers over earlier ones."""
    values: dict[str, Any] = {}
    for layer in layers:
        values.update(layer.values)
    values.update(flags)
    preset = values.pop("preset", "default")
    try:
        return PackConfig.preset(preset, **values)
    except UnknownPresetError as error:
        raise UsageError(str(error)) from None
    except ValidationError as error:
        origins = [layer.origin for layer in layers if layer.values]
        only_flags = not origins or {_field_name(item) for item in error.errors()} <= set(flags)
        origin = "" if only_flags else f" (with the settings from {' and '.join(origins)})"
        raise UsageError(_plain_message(error) + origin) from None


def settings_lines(
    config: PackConfig, flags: Mapping[str, object], *layers: SettingsLayer
) -> Iterator[str]:
    """Yield the settings in effect as lines of a settings file, each with its origin."""
    flag_layer = SettingsLayer(flags, "a flag")
    origins: dict[str, str] = {}
    preset: Any = "default"
    for layer in (*layers, flag_layer):
        origins.update(dict.fromkeys(layer.values, layer.origin))
        preset = layer.values.get("preset", preset)
    preset_config = PackConfig.preset(preset)
    for name in PackConfig.model_fields:
        value = getattr(config, name)
        origin = origins.get(name) or _default_origin(name, value, preset_config, preset)
        line = f"# {name} is not set" if value is None else f"{name} = {_as_toml(value)}"
        yield f"{line}  # {origin}"


def _default_origin(name: str, value: object, preset_config: PackConfig, preset: str) -> str:
    if value != getattr(preset_config, name):
        return "follows from other settings"
    return "default" if value == getattr(PackConfig(), name) else f"preset {preset}"


def _as_toml(value: object) -> str:
    """Return a value as TOML; strings and numbers are written as in JSON."""
    if isinstance(value, Mapping):
        pairs = cast("Mapping[object, object]", value).items()
        return f"{{ {', '.join(f'{key} = {_as_toml(each)}' for key, each in pairs)} }}"
    return json.dumps(value)


def parse_value(name: str, text: str) -> object:
    """Return the value of a setting that was given as plain text.

    The text may be a number, ``true`` or ``false``, a list or a quoted string, as in TOML. A list
    may also have no brackets, and a string no quotes.
    """
    kinds = _types_of(name)
    value = _parse_toml_value(text)
    if str in kinds:
        return value if isinstance(value, str) else text
    return _parse_list(text) if tuple in kinds else value


def _parse_list(text: str) -> object:
    """Return a list that was given with or without brackets."""
    value = _parse_toml_value(text)
    if isinstance(value, list):
        return cast("list[object]", value)
    return [_parse_toml_value(part) for part in re.split(r"[,;\s]+", text.strip("()[] \t"))]


def _types_of(name: str) -> set[object]:
    """Return the types that a setting takes, without the types of items in a tuple."""
    field = PackConfig.model_fields.get(name)
    if field is None:
        return set()
    annotation = field.annotation
    return {get_origin(kind) or kind for kind in (get_args(annotation) or (annotation,))}


def _parse_toml_value(text: str) -> object:
    """Return a text as a value of TOML, or else the text itself."""
    try:
        table = tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError:
        return text  # a bare word, which people write without quotes
    return table["value"] if len(table) == 1 else text


def _load_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        msg = f"{path.name} cannot be read: {error}"
        raise UsageError(msg) from None


def _checked(values: object, origin: str) -> SettingsLayer:
    if not isinstance(values, dict):
        msg = f"{origin} must be a table of settings"
        raise UsageError(msg)
    table = cast("dict[str, Any]", values)
    try:
        check_names(table, _known_settings(), REMEDIES)
    except ValueError as error:
        msg = f"{origin}: {error}"
        raise UsageError(msg) from None
    return SettingsLayer(table, origin)


def _known_settings() -> list[str]:
    return sorted([*PackConfig.model_fields, "preset"])


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
