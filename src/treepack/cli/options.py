"""Turns the flags of a call and ``pyproject.toml`` into settings and documents; flags win."""

import tomllib
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from treepack.cli.flags import Flags
from treepack.cli.inputs.files import DocumentFile, ReaderOptions, find_documents
from treepack.cli.inputs.folders import Selection
from treepack.cli.status import CommandStatus
from treepack.cli.terminal.output import UsageError
from treepack.config import REMEDIES, PackConfig, check_names
from treepack.errors import UnknownPresetError
from treepack.tokens import token_counter

_FILE = Path("pyproject.toml")
_TABLE = f"[tool.treepack] in {_FILE}"
_NAMES = ("preset", *PackConfig.model_fields)


@dataclass(frozen=True)
class Options:
    """The settings of a call.

    Attributes:
        config: The settings in effect.
        set_names: The names of the settings that were set anywhere.
        quiet: Whether to print only errors.
        reader_options: How documents are read.
        selection: Which files of a folder are left out.
        strict: Whether a skipped file is an error.
    """

    config: PackConfig
    set_names: AbstractSet[str]
    quiet: bool
    reader_options: ReaderOptions
    selection: Selection
    strict: bool


def parse_options(flags: Flags) -> Options:
    """Build the settings, and load what they name before any document is read."""
    given = {name: value for name, value in flags.items() if value not in (None, [])}
    settings: dict[str, Any] = {name: value for name, value in given.items() if name in _NAMES}
    if "levels" in settings:
        caps = [cap.strip() for caps in settings["levels"] for cap in caps.split(",")]
        settings["levels"] = [int(cap) if cap.isdecimal() else cap for cap in caps]
    if "heading_patterns" in settings:
        settings["heading_patterns"] = _patterns_by_level(settings["heading_patterns"])
    file_settings = _file_settings()
    config = _config(settings, file_settings)
    token_counter(config.encoding)
    names = ReaderOptions.__annotations__
    return Options(
        config,
        {*file_settings, *settings},
        bool(flags.get("quiet")),
        cast("ReaderOptions", {name: given[name] for name in names if name in given}),
        Selection(tuple(flags.get("exclude") or ()), not flags.get("no_ignore")),
        bool(flags.get("strict")),
    )


def _patterns_by_level(pairs: Sequence[str]) -> dict[str, str]:
    """Return patterns given as ``1=^ARTICLE``, by level; patterns of one level are alternatives."""
    patterns: dict[str, str] = {}
    for pair in pairs:
        level, separator, pattern = pair.partition("=")
        if not separator or not level.strip().isdecimal():
            msg = f"--heading-pattern {pair!r} is not of the form LEVEL=REGEX, such as 1=^ARTICLE"
            raise UsageError(msg)
        previous = patterns.get(level.strip())
        patterns[level.strip()] = f"{previous}|{pattern}" if previous else pattern
    return patterns


def _file_settings() -> dict[str, Any]:
    """Return ``[tool.treepack]``; empty if there is none."""
    if not _FILE.is_file():
        return {}
    try:
        table = tomllib.loads(_FILE.read_text(encoding="utf-8")).get("tool", {}).get("treepack", {})
    except (OSError, ValueError, AttributeError) as error:
        msg = f"{_FILE} cannot be read: {error}"
        raise UsageError(msg) from None
    if not isinstance(table, dict):
        msg = f"{_TABLE} must be a table of settings"
        raise UsageError(msg)
    settings = cast("dict[str, Any]", table)
    try:
        check_names(settings, _NAMES, REMEDIES)
    except ValueError as error:
        msg = f"{_TABLE}: {error}"
        raise UsageError(msg) from None
    return settings


def _config(flags: Mapping[str, object], file_settings: Mapping[str, Any]) -> PackConfig:
    values: dict[str, Any] = {**file_settings, **flags}
    try:
        return PackConfig.preset(values.pop("preset", "default"), **values)
    except UnknownPresetError as error:
        raise UsageError(str(error)) from None
    except ValidationError as error:
        problems = [
            (str(each["loc"][0]) if each["loc"] else "", each["input"], each["msg"])
            for each in error.errors()
        ]
        only_flags = {name for name, _, _ in problems} <= set(flags)
        origin = f" (with the settings from {_TABLE})" if file_settings and not only_flags else ""
        reasons = dict.fromkeys(_reason(*problem) for problem in problems)
        raise UsageError("; ".join(reasons) + origin) from None


def _reason(name: str, value: object, message: str) -> str:
    reason = message.removeprefix("Value error, ").removeprefix("Input ")
    reason = reason.partition(", unable to")[0]  # the rest repeats it
    return f"{name} is {value!r}, but {reason}" if name else reason


def given_documents(
    paths: Sequence[Path], status: CommandStatus, options: Options
) -> list[DocumentFile]:
    """Return the documents of the paths that were given; see `find_documents`.

    Args:
        paths: The paths.
        status: Receives what cannot be read, and which files are skipped.
        options: How documents are read, and how skipped files are reported.
    """
    status.quiet, status.strict = options.quiet, options.strict
    return find_documents(
        paths,
        status.report_problem,
        status.report_skipped,
        options.reader_options,
        options.selection,
    )


def given_document(
    path: Path, command: str, status: CommandStatus, options: Options
) -> DocumentFile:
    """Return the one document that a command takes."""
    if path.is_dir():
        msg = (
            f"{path} is a folder, but {command} takes one file: give a file of that folder; "
            f"treepack pack {path} prints a line about each file"
        )
        raise UsageError(msg)
    [document] = given_documents([path], status, options)
    return document
