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
        strict: Whether a skipped file is an error.
        skipped: How many files of folders were skipped.
    """

    all_well: bool = True
    quiet: bool = False
    strict: bool = False
    skipped: int = 0

    def complain(self, message: str) -> None:
        """Print what went wrong; the command continues, but its exit status will be an error."""
        complain(message)
        self.all_well = False

    def note_skipped(self, message: str, count: int) -> None:
        """Print which files are skipped, and count them; files that git ignores have count 0."""
        self.skipped += count
        if count and self.strict:
            self.complain(f"{message} (an error because of --strict)")
        elif not self.quiet:
            complain(message)

    def close(self, failed: int, packed: int) -> None:
        """Print how many files were left out, if at least one of several failed."""
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
    """Print that standard output or a file cannot be written, and return the exit status."""
    complain(f"cannot write the output: {problem}")
    _abandon_stdout()
    return FAILED


def _abandon_stdout() -> None:
    """Redirect standard output to nowhere, so that Python's last flush does not fail again."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
