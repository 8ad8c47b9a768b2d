"""Turns the flags of a call into settings, documents and packings."""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast, get_args

from typer import Exit

from treepack.cli.endings import Ending
from treepack.cli.flags import Flags
from treepack.cli.inputs.files import DocumentFile, Reading, find_documents
from treepack.cli.inputs.folders import Selection
from treepack.cli.settings import (
    FileSettings,
    make_config,
    read_environment,
    read_pairs,
    read_settings,
    read_settings_file,
    shown_settings,
    value_of,
)
from treepack.cli.terminal.output import UsageProblem, say
from treepack.config import PackConfig
from treepack.sentences import sentence_splitter
from treepack.settings import SETTINGS, Preset
from treepack.tokens import token_counter

_COMMA_BEFORE_PAIR: Final = re.compile(r",(?=[\s\w-]*=)")  # other commas are part of a value
PRESETS: tuple[str, ...] = get_args(Preset)


@dataclass(frozen=True)
class Choices:
    """The settings of a call.

    Attributes:
        config: The settings in effect.
        settings: The names of the settings that were set anywhere.
        quiet: Whether to print only errors.
        given: The settings given by flags and ``--config``.
        reading: How documents are read.
        selection: Which files of a folder are left out.
        strict: Whether a skipped file is an error.
    """

    config: PackConfig
    settings: frozenset[str]
    quiet: bool
    given: Mapping[str, object]
    reading: Reading
    selection: Selection
    strict: bool


def choices(flags: Flags) -> Choices:
    """Build the settings, and load what they name before any document is read.

    Raises:
        Exit: The call was ``--show-settings``, and they were printed.
    """
    named: dict[str, object] = {
        name: value
        for name, value in flags.items()
        if name in {"preset", *SETTINGS} and value not in (None, [])
    }
    fast = flags.get("fast")
    if fast is not None:
        named["engine"] = "fast" if fast else "default"
    if "levels" in named:
        named["levels"] = value_of("levels", ",".join(cast("list[str]", named["levels"])))
    if "heading_patterns" in named:
        patterns = cast("list[str]", named["heading_patterns"])
        named["heading_patterns"] = _patterns_by_level(patterns)
    pairs = read_pairs(flags.get("config") or [])
    layers = [read_settings(Path.cwd()), read_environment(os.environ), pairs]
    config = make_config(named, *layers)
    _try_out(config)
    if flags.get("show_settings"):
        say("\n".join(shown_settings(config, named, *layers)))
        raise Exit
    said = {name for layer in layers for name in layer.values} | set(named)
    given = {**pairs.values, **named}
    reading = {
        name: value
        for name, value in flags.items()
        if name in Reading.__annotations__ and value is not None
    }
    return Choices(
        config,
        frozenset(said),
        bool(flags.get("quiet")),
        given,
        cast("Reading", reading),
        Selection(tuple(flags.get("exclude") or ()), not flags.get("no_ignore")),
        bool(flags.get("strict")),
    )


def _patterns_by_level(pairs: Sequence[str]) -> dict[str, str]:
    """Return patterns given as ``1=^ARTICLE``, by level; patterns of one level are alternatives."""
    found: dict[str, str] = {}
    for pair in pairs:
        level, sign, pattern = pair.partition("=")
        if not sign or not level.strip().isdecimal():
            msg = f"--heading-pattern {pair!r} is not of the form LEVEL=REGEX, such as 1=^ARTICLE"
            raise UsageProblem(msg)
        before = found.get(level.strip())
        found[level.strip()] = f"{before}|{pattern}" if before else pattern
    return found


def documents_at(
    paths: Sequence[Path] | None, ending: Ending, chosen: Choices
) -> list[DocumentFile]:
    """Return the documents of the paths that were given; see `find_documents`.

    Args:
        paths: The paths.
        ending: Receives what cannot be read, and which files are skipped.
        chosen: How documents are read, and how skipped files are reported.
    """
    if not paths:
        msg = "give a PATH: files, folders, or - for standard input"
        raise UsageProblem(msg)
    ending.quiet, ending.strict = chosen.quiet, chosen.strict
    return find_documents(
        paths, ending.complain, ending.note_skipped, chosen.reading, chosen.selection
    )


def document_at(
    path: Path | None, command: str, complain: Callable[[str], None], reading: Reading
) -> DocumentFile:
    """Return the one document that a command takes."""
    if path is None:
        msg = "give a FILE, or - for standard input"
        raise UsageProblem(msg)
    if path.is_dir():
        msg = (
            f"{path} is a folder, but {command} takes one file: give a file of that folder; "
            f"treepack pack {path} prints a line about each file"
        )
        raise UsageProblem(msg)
    [document] = find_documents([path], complain, reading=reading)
    return document


def described(
    description: str, encoding: object, beside: Mapping[str, object] | None = None
) -> PackConfig:
    """Return the settings of a packing to compare.

    Args:
        description: A preset, a settings file, or ``key=value`` pairs with commas between them;
            pairs can follow a preset or a file: ``standards,max_tokens=800``.
        encoding: The tokenizer, unless the description names another. Sizes can be compared only
            if the same tokenizer counts them.
        beside: Settings that apply unless the description has them too.
    """
    first, *rest = _COMMA_BEFORE_PAIR.split(description)
    layers = [FileSettings({"encoding": encoding}, "the settings in effect")]
    if first in PRESETS:
        layers.append(FileSettings({"preset": first}, description))
    elif "=" in first:
        rest = [first, *rest]
    elif Path(first).is_file():
        layers.append(read_settings_file(Path(first)))
    else:
        msg = (
            f"{first!r} is neither a preset ({', '.join(PRESETS)}), nor a settings file, "
            "nor of the form key=value"
        )
        raise UsageProblem(msg)
    layers.append(read_pairs(rest, description))
    own = {name for layer in layers[1:] for name in layer.values}
    others = {name: value for name, value in (beside or {}).items() if name not in own}
    config = make_config(others, *layers)
    _try_out(config)
    return config


def _try_out(config: PackConfig) -> None:
    token_counter(config.encoding, engine=config.engine)
    sentence_splitter(config.sentence_splitter)
