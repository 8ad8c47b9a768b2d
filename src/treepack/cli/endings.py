"""How a command ends: an error becomes a message and an exit status."""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from typer import Exit

from treepack.cli.terminal.output import CUT_OFF, FAILED, MISUSED, UsageProblem, complain
from treepack.display import counted
from treepack.errors import (
    ChunkRecordError,
    MissingExtraError,
    SentenceSplitterError,
    TokenizerError,
    WorkerError,
)

_MISUSES = (
    UsageProblem,
    ChunkRecordError,
    TokenizerError,
    SentenceSplitterError,
    MissingExtraError,
)


@dataclass
class Ending:
    """How a command is going to end.

    Attributes:
        all_well: Whether nothing went wrong so far.
        quiet: Whether only errors are printed.
        strict: Whether a file that is passed over is an error.
        skipped: How many files of folders were skipped.
    """

    all_well: bool = True
    quiet: bool = False
    strict: bool = False
    skipped: int = 0

    def complain(self, message: str) -> None:
        """Say what went wrong; the command goes on, but does not end well."""
        complain(message)
        self.all_well = False

    def note_skipped(self, message: str, count: int) -> None:
        """Say which files are skipped, and count them; those left out on demand do not count."""
        self.skipped += count
        if count and self.strict:
            self.complain(f"{message} (an error, as --strict asks)")
        elif not self.quiet:
            complain(message)

    def close(self, failed: int, packed: int) -> None:
        """Say as the last line how many files were left out, if one failed among several."""
        self.all_well &= not failed
        total = failed + self.skipped
        if failed and total + packed > 1 and not self.quiet:
            reasons = f"{failed:,} failed" + f", {self.skipped:,} skipped" * bool(self.skipped)
            complain(f"{counted(total, 'file')} left out: {reasons}")


@contextmanager
def plain_endings() -> Generator[Ending, None, None]:
    """Turn an error into a message on standard error and an exit status."""
    ending = Ending()
    try:
        yield ending
        sys.stdout.flush()
    except _MISUSES as problem:
        complain(str(problem))
        raise Exit(MISUSED) from None
    except WorkerError as problem:
        complain(str(problem))
        raise Exit(FAILED) from None
    except BrokenPipeError:  # the reader closed the pipe
        _abandon_stdout()
        raise Exit(CUT_OFF) from None
    except OSError as problem:  # from the output; errors of documents are reported with them
        raise Exit(cannot_write(problem)) from None
    if not ending.all_well:
        raise Exit(FAILED)


def cannot_write(problem: OSError) -> int:
    """Say that standard output or a file cannot be written, and return the exit status."""
    complain(f"cannot write: {problem}")
    _abandon_stdout()
    return FAILED


def _abandon_stdout() -> None:
    """Send Python's last flush of standard output to nowhere, so that it does not fail again."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
