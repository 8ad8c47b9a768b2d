"""How a command ends: an error becomes a message and an exit status."""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from typer import Exit

from treepack.cli.terminal.output import FAILED, MISUSED, PIPE_CLOSED, UsageError, print_message
from treepack.display import counted
from treepack.errors import (
    ChunkRecordError,
    MissingExtraError,
    SentenceSplitterError,
    TokenizerError,
)

_USAGE_ERRORS = (
    UsageError,
    ChunkRecordError,
    TokenizerError,
    SentenceSplitterError,
    MissingExtraError,
)


@dataclass
class CommandStatus:
    """How a command is going to end; if ``strict``, a skipped file is an error."""

    is_ok: bool = True
    quiet: bool = False
    strict: bool = False
    skipped: int = 0

    def report_problem(self, message: str) -> None:
        """Print what went wrong; the command continues, but its exit status will be an error."""
        print_message(message)
        self.is_ok = False

    def report_skipped(self, message: str, count: int) -> None:
        """Print which files are skipped, and count them; files that git ignores have count 0."""
        self.skipped += count
        if count and self.strict:
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
def command_status() -> Generator[CommandStatus, None, None]:
    """Turn an error into a message on standard error and an exit status."""
    status = CommandStatus()
    try:
        yield status
        sys.stdout.flush()
    except _USAGE_ERRORS as problem:
        print_message(str(problem))
        raise Exit(MISUSED) from None
    except BrokenPipeError:  # the reader closed the pipe
        _discard_stdout()
        raise Exit(PIPE_CLOSED) from None
    except OSError as problem:  # from the output; errors of documents are reported with them
        raise Exit(report_write_error(problem)) from None
    if not status.is_ok:
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
