"""A call of a command: flags and ``pyproject.toml`` become settings, errors an exit status."""

import os
import sys
import tomllib
from collections.abc import Generator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError
from typer import Exit

from treepack.cli.inputs.files import DocumentFile, find_documents
from treepack.cli.inputs.folders import Selection
from treepack.cli.terminal.output import FAILED, MISUSED, PIPE_CLOSED, UsageError, print_message
from treepack.config import REMEDIES, PackConfig, check_names
from treepack.display import counted
from treepack.errors import TreepackError
from treepack.readers import ReadOptions
from treepack.tokens import token_counter

_FILE = Path("pyproject.toml")
_TABLE = f"[tool.treepack] in {_FILE}"
_NAMES = ("preset", *PackConfig.model_fields)


@dataclass
class Call:
    """A call of a command, and how it is going to end.

    Attributes:
        config: The settings in effect; flags win over ``pyproject.toml``.
        set_names: The names of the settings that were set anywhere.
        flags: The flags that were given.
        is_ok: Whether nothing has failed so far.
        skipped: How many files were skipped.
    """

    config: PackConfig
    set_names: AbstractSet[str]
    flags: Mapping[str, Any]
    is_ok: bool = True
    skipped: int = 0

    @property
    def quiet(self) -> bool:
        """Whether to print only errors."""
        return "quiet" in self.flags

    def documents(self, paths: Sequence[Path]) -> list[DocumentFile]:
        """Return the documents of the paths that were given; see `find_documents`."""
        names = ReadOptions.__annotations__
        options = {name: self.flags[name] for name in names if name in self.flags}
        return find_documents(
            paths,
            self.report_problem,
            self.report_skipped,
            cast("ReadOptions", options),
            Selection(tuple(self.flags.get("exclude", ())), "no_ignore" not in self.flags),
        )

    def document(self, path: Path, command: str) -> DocumentFile:
        """Return the one document that a command takes."""
        if path.is_dir():
            msg = (
                f"{path} is a folder, but {command} takes one file: give a file of that folder; "
                f"treepack pack {path} prints a line about each file"
            )
            raise UsageError(msg)
        [document] = self.documents([path])
        return document

    def report_problem(self, message: str) -> None:
        """Print what went wrong; the command continues, but its exit status will be an error."""
        print_message(message)
        self.is_ok = False

    def report_skipped(self, message: str, count: int) -> None:
        """Print which files are skipped, and count them; files that git ignores have count 0."""
        self.skipped += count
        if count and "strict" in self.flags:
            self.report_problem(f"{message} (an error because of --strict)")
        elif not self.quiet:
            print_message(message)

    def close(self, failed: int, packed: int) -> None:
        """Print how many files were left out, if at least one of several failed."""
        self.is_ok &= not failed
        total = failed + self.skipped
        if failed and total + packed > 1 and not self.quiet:
            counts = f"{failed:,} failed" + f", {self.skipped:,} skipped" * bool(self.skipped)
            print_message(f"{counted(total, 'file')} left out: {counts}")


@contextmanager
def command_call(flags: Mapping[str, Any]) -> Generator[Call, None, None]:
    """Yield a call with its settings; turn an error into a message and an exit status."""
    try:
        call = _call(flags)
        yield call
        sys.stdout.flush()
    except TreepackError as problem:
        print_message(str(problem))
        raise Exit(MISUSED) from None
    except BrokenPipeError:  # the reader closed the pipe
        _discard_stdout()
        raise Exit(PIPE_CLOSED) from None
    except OSError as problem:  # from the output; errors of documents are reported with them
        raise Exit(report_write_error(problem)) from None
    if not call.is_ok:
        raise Exit(FAILED)


def report_write_error(problem: OSError) -> int:
    """Print that standard output or a file cannot be written, and return the exit status."""
    print_message(f"cannot write the output: {problem}")
    _discard_stdout()
    return FAILED


def _discard_stdout() -> None:
    """Redirect standard output to nowhere, so that Python's last flush does not fail again."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _call(flags: Mapping[str, Any]) -> Call:
    """Build the settings, and load what they name before any document is read."""
    given = {name: value for name, value in flags.items() if value not in (None, [])}
    settings = {name: value for name, value in given.items() if name in _NAMES}
    if "levels" in settings:
        caps = [cap.strip() for caps in settings["levels"] for cap in caps.split(",")]
        settings["levels"] = [int(cap) if cap.isdecimal() else cap for cap in caps]
    if "heading_patterns" in settings:
        settings["heading_patterns"] = _patterns_by_level(settings["heading_patterns"])
    file_settings = _file_settings()
    config = _config(settings, file_settings)
    token_counter(config.encoding)
    return Call(config, {*file_settings, *settings}, given)


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
