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

from treepack.cli.terminal.output import UsageProblem
from treepack.config import REMEDIES, PackConfig
from treepack.errors import UnknownPresetError
from treepack.settings import check_names

PREFIX: Final = "TREEPACK_"
_SURELY_MEANT: Final = 0.85


@dataclass(frozen=True)
class FileSettings:
    """Settings from one place, and the name of that place."""

    values: Mapping[str, Any] = field(default_factory=dict[str, Any])
    origin: str = ""


def read_settings(folder: Path) -> FileSettings:
    """Read ``treepack.toml`` in a folder, or else ``[tool.treepack]`` of ``pyproject.toml``."""
    own, project = folder / "treepack.toml", folder / "pyproject.toml"
    if own.is_file():
        return _checked(_load_toml(own), own.name)
    inner = _inner(_load_toml(project)) if project.is_file() else None
    if inner is None:
        return FileSettings()
    return _checked(inner, f"[tool.treepack] in {project.name}")


def read_settings_file(path: Path) -> FileSettings:
    """Read a settings file of any name: its ``[tool.treepack]``, or else the whole file."""
    table = _load_toml(path)
    inner = _inner(table)
    return _checked(table if inner is None else inner, str(path))


def _inner(table: Mapping[str, Any]) -> object:
    """Return the value of ``[tool.treepack]``, or None if it is missing."""
    tools = table.get("tool")
    return cast("dict[str, Any]", tools).get("treepack") if isinstance(tools, dict) else None


def read_environment(environment: Mapping[str, str]) -> FileSettings:
    """Read variables such as ``TREEPACK_MAX_TOKENS``; an empty one counts as not set.

    Raises:
        UsageProblem: A variable has nearly the name of a setting; other unknown ones are ignored.
    """
    names = {PREFIX + setting.upper(): setting for setting in _known_settings()}
    values: dict[str, Any] = {}
    for name, text in environment.items():
        if name in names and text:
            values[names[name]] = value_of(names[name], text)
        elif name.startswith(PREFIX) and name not in names:
            near = get_close_matches(name, names, n=1, cutoff=_SURELY_MEANT)
            # Flags have shorter names, so TREEPACK_MAX probably means TREEPACK_MAX_TOKENS.
            near += [known for known in names if known.startswith(f"{name}_")]
            if near:
                msg = f"the environment variable {name} is not a setting; did you mean {near[0]}?"
                raise UsageProblem(msg)
    return FileSettings(values, "the environment")


def read_pairs(pairs: Sequence[str], origin: str = "--config") -> FileSettings:
    """Read settings given as ``key=value``; the value is TOML, or else a plain word."""
    values: dict[str, Any] = {}
    for pair in pairs:
        key, sign, text = pair.partition("=")
        if not sign:
            msg = f"{origin} {pair!r} is not of the form key=value"
            raise UsageProblem(msg)
        name = key.strip().replace("-", "_")
        values[name] = value_of(name, text.strip())
    return _checked(values, origin)


def make_config(flags: Mapping[str, object], *layers: FileSettings) -> PackConfig:
    """Join the settings: flags win over layers, and later layers over earlier ones."""
    values: dict[str, Any] = {}
    for layer in layers:
        values.update(layer.values)
    values.update(flags)
    preset = values.pop("preset", "default")
    try:
        return PackConfig.preset(preset, **values)
    except UnknownPresetError as error:
        raise UsageProblem(str(error)) from None
    except ValidationError as error:
        others = [layer.origin for layer in layers if layer.values]
        only_flags = not others or {_place(item) for item in error.errors()} <= set(flags)
        origin = "" if only_flags else f" (with the settings from {' and '.join(others)})"
        raise UsageProblem(_in_plain_words(error) + origin) from None


def shown_settings(
    config: PackConfig, flags: Mapping[str, object], *layers: FileSettings
) -> Iterator[str]:
    """Yield the settings in effect as lines of a settings file, each with its origin."""
    given = FileSettings(flags, "a flag")
    origins: dict[str, str] = {}
    preset: Any = "default"
    for layer in (*layers, given):
        origins.update(dict.fromkeys(layer.values, layer.origin))
        preset = layer.values.get("preset", preset)
    usual = PackConfig.preset(preset)
    for name in PackConfig.model_fields:
        value = getattr(config, name)
        origin = origins.get(name) or _unsaid(name, value, usual, preset)
        line = f"# {name} is not set" if value is None else f"{name} = {_toml(value)}"
        yield f"{line}  # {origin}"


def _unsaid(name: str, value: object, usual: PackConfig, preset: str) -> str:
    if value != getattr(usual, name):
        return "follows from other settings"
    return "default" if value == getattr(PackConfig(), name) else f"preset {preset}"


def _toml(value: object) -> str:
    """Return a value as TOML; strings and numbers are written as in JSON."""
    if isinstance(value, Mapping):
        pairs = cast("Mapping[object, object]", value).items()
        return f"{{ {', '.join(f'{key} = {_toml(each)}' for key, each in pairs)} }}"
    return json.dumps(value)


def value_of(name: str, text: str) -> object:
    """Return the value of a setting that was given as plain text.

    The text may be a number, ``true`` or ``false``, a list or a quoted string, as in TOML. A list
    may also have no brackets, and a string no quotes.
    """
    kinds = _kinds(name)
    value = _value(text)
    if str in kinds:
        return value if isinstance(value, str) else text
    return _values(text) if tuple in kinds else value


def _values(text: str) -> object:
    """Return a list that was given with or without brackets."""
    value = _value(text)
    if isinstance(value, list):
        return cast("list[object]", value)
    return [_value(part) for part in re.split(r"[,;\s]+", text.strip("()[] \t"))]


def _kinds(name: str) -> set[object]:
    """Return the types that a setting takes, without the types of items in a tuple."""
    field = PackConfig.model_fields.get(name)
    if field is None:
        return set()
    annotation = field.annotation
    return {get_origin(kind) or kind for kind in (get_args(annotation) or (annotation,))}


def _value(text: str) -> object:
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
        raise UsageProblem(msg) from None


def _checked(values: object, origin: str) -> FileSettings:
    if not isinstance(values, dict):
        msg = f"{origin} must be a table of settings"
        raise UsageProblem(msg)
    table = cast("dict[str, Any]", values)
    try:
        check_names(table, _known_settings(), REMEDIES)
    except ValueError as error:
        msg = f"{origin}: {error}"
        raise UsageProblem(msg) from None
    return FileSettings(table, origin)


def _known_settings() -> list[str]:
    return sorted([*PackConfig.model_fields, "preset"])


def _place(problem: Mapping[str, Any]) -> str:
    return ".".join(str(part) for part in problem["loc"][:1])


def _in_plain_words(error: ValidationError) -> str:
    sentences: dict[str, None] = {}
    for problem in error.errors():
        reason = problem["msg"].removeprefix("Value error, ").removeprefix("Input ")
        reason = reason.partition(", unable to")[0]  # the rest repeats it
        place = _place(cast("Mapping[str, Any]", problem))
        if place:
            reason = f"{place} is {problem['input']!r}, but {reason}"
        sentences.setdefault(reason)
    return "; ".join(sentences)
