"""Turns the flags of a call into settings and documents."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from treepack.cli.flags import Flags
from treepack.cli.inputs.files import DocumentFile, ReaderOptions, find_documents
from treepack.cli.inputs.folders import Selection
from treepack.cli.settings import make_config, read_settings
from treepack.cli.status import CommandStatus
from treepack.cli.terminal.output import UsageError
from treepack.config import PackConfig
from treepack.sentences import sentence_splitter
from treepack.settings import SETTINGS
from treepack.tokens import token_counter


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
        caps = [cap.strip() for given in levels for cap in given.split(",")]
        flag_settings["levels"] = [int(cap) if cap.isdecimal() else cap for cap in caps]
    if "heading_patterns" in flag_settings:
        patterns = cast("list[str]", flag_settings["heading_patterns"])
        flag_settings["heading_patterns"] = _patterns_by_level(patterns)
    file_settings = read_settings(Path("pyproject.toml"))
    config = make_config(flag_settings, file_settings)
    token_counter(config.encoding, engine=config.engine)
    sentence_splitter(config.sentence_splitter)
    reader_options = {
        name: value
        for name, value in flags.items()
        if name in ReaderOptions.__annotations__ and value is not None
    }
    return Options(
        config,
        {*file_settings, *flag_settings},
        bool(flags.get("quiet")),
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
