"""Turns the flags of a call into settings, documents and packings."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast, get_args

from typer import Exit

from treepack.cli.flags import Flags
from treepack.cli.inputs.files import DocumentFile, ReaderOptions, find_documents
from treepack.cli.inputs.folders import Selection
from treepack.cli.settings import (
    SettingsLayer,
    make_config,
    parse_value,
    read_environment,
    read_pairs,
    read_settings,
    read_settings_file,
    settings_lines,
)
from treepack.cli.status import CommandStatus
from treepack.cli.terminal.output import UsageError, print_visible
from treepack.config import PackConfig
from treepack.sentences import sentence_splitter
from treepack.settings import SETTINGS, Preset
from treepack.tokens import token_counter

_COMMA_BEFORE_PAIR: Final = re.compile(r",(?=[\s\w-]*=)")  # other commas are part of a value
PRESETS: tuple[str, ...] = get_args(Preset)


@dataclass(frozen=True)
class Options:
    """The settings of a call.

    Attributes:
        config: The settings in effect.
        set_names: The names of the settings that were set anywhere.
        quiet: Whether to print only errors.
        from_command_line: The settings given by flags and ``--config``.
        reader_options: How documents are read.
        selection: Which files of a folder are left out.
        strict: Whether a skipped file is an error.
    """

    config: PackConfig
    set_names: frozenset[str]
    quiet: bool
    from_command_line: Mapping[str, object]
    reader_options: ReaderOptions
    selection: Selection
    strict: bool


def parse_options(flags: Flags) -> Options:
    """Build the settings, and load what they name before any document is read.

    Raises:
        Exit: The call was ``--show-settings``, and they were printed.
    """
    flag_settings: dict[str, object] = {
        name: value
        for name, value in flags.items()
        if name in {"preset", *SETTINGS} and value not in (None, [])
    }
    fast = flags.get("fast")
    if fast is not None:
        flag_settings["engine"] = "fast" if fast else "default"
    if "levels" in flag_settings:
        levels = cast("list[str]", flag_settings["levels"])
        flag_settings["levels"] = parse_value("levels", ",".join(levels))
    if "heading_patterns" in flag_settings:
        patterns = cast("list[str]", flag_settings["heading_patterns"])
        flag_settings["heading_patterns"] = _patterns_by_level(patterns)
    pairs = read_pairs(flags.get("config") or [])
    layers = [read_settings(Path.cwd()), read_environment(os.environ), pairs]
    config = make_config(flag_settings, *layers)
    _load_tokenizer_and_splitter(config)
    if flags.get("show_settings"):
        print_visible("\n".join(settings_lines(config, flag_settings, *layers)))
        raise Exit
    set_names = {name for layer in layers for name in layer.values} | set(flag_settings)
    from_command_line = {**pairs.values, **flag_settings}
    reader_options = {
        name: value
        for name, value in flags.items()
        if name in ReaderOptions.__annotations__ and value is not None
    }
    return Options(
        config,
        frozenset(set_names),
        bool(flags.get("quiet")),
        from_command_line,
        cast("ReaderOptions", reader_options),
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


def given_documents(
    paths: Sequence[Path] | None, status: CommandStatus, options: Options
) -> list[DocumentFile]:
    """Return the documents of the paths that were given; see `find_documents`.

    Args:
        paths: The paths.
        status: Receives what cannot be read, and which files are skipped.
        options: How documents are read, and how skipped files are reported.
    """
    if not paths:
        msg = "give a PATH: files, folders, or - for standard input"
        raise UsageError(msg)
    status.quiet, status.strict = options.quiet, options.strict
    return find_documents(
        paths,
        status.report_problem,
        status.report_skipped,
        options.reader_options,
        options.selection,
    )


def given_document(
    path: Path | None, command: str, status: CommandStatus, options: Options
) -> DocumentFile:
    """Return the one document that a command takes."""
    if path is None:
        msg = "give a FILE, or - for standard input"
        raise UsageError(msg)
    if path.is_dir():
        msg = (
            f"{path} is a folder, but {command} takes one file: give a file of that folder; "
            f"treepack pack {path} prints a line about each file"
        )
        raise UsageError(msg)
    [document] = given_documents([path], status, options)
    return document


def described_config(
    description: str, encoding: object, fallbacks: Mapping[str, object] | None = None
) -> PackConfig:
    """Return the settings of a packing to compare.

    Args:
        description: A preset, a settings file, or ``key=value`` pairs with commas between them;
            pairs can follow a preset or a file: ``standards,max_tokens=800``.
        encoding: The tokenizer, unless the description names another. Sizes can be compared only
            if the same tokenizer counts them.
        fallbacks: Settings that apply unless the description has them too.
    """
    first, *rest = _COMMA_BEFORE_PAIR.split(description)
    layers = [SettingsLayer({"encoding": encoding}, "the settings in effect")]
    if first in PRESETS:
        layers.append(SettingsLayer({"preset": first}, description))
    elif "=" in first:
        rest = [first, *rest]
    elif Path(first).is_file():
        layers.append(read_settings_file(Path(first)))
    else:
        msg = (
            f"{first!r} is neither a preset ({', '.join(PRESETS)}), nor a settings file, "
            "nor of the form key=value"
        )
        raise UsageError(msg)
    layers.append(read_pairs(rest, description))
    described_names = {name for layer in layers[1:] for name in layer.values}
    remaining = {
        name: value for name, value in (fallbacks or {}).items() if name not in described_names
    }
    config = make_config(remaining, *layers)
    _load_tokenizer_and_splitter(config)
    return config


def _load_tokenizer_and_splitter(config: PackConfig) -> None:
    token_counter(config.encoding, engine=config.engine)
    sentence_splitter(config.sentence_splitter)
