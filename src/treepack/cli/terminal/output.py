"""Where results go: files that are replaced as a whole, standard output, messages, progress."""

import itertools
import os
import secrets
import shutil
import sys
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from textwrap import TextWrapper
from typing import BinaryIO, Final

from treepack.display import visible, visible_line
from treepack.errors import TreepackError

FAILED = 1
MISUSED = 2
PIPE_CLOSED = 128 + 13
"""The reader closed a pipe: the status of a program that SIGPIPE (13) ends."""


STANDARD_OUTPUT: Final = "-"
_CONTINUATION_INDENT: Final = " " * 6
"""The indentation of the rest of a wrapped line."""


class UsageError(Exception):
    """The command was called incorrectly; only the message is printed."""


def print_visible(text: str) -> None:
    """Print a text on standard output, with control characters escaped."""
    print(visible(text), flush=True)


def print_wrapped(text: str) -> None:
    """Print lines on standard output; on a terminal, long lines are wrapped between words."""
    if sys.stdout.isatty():
        wrapper = TextWrapper(
            shutil.get_terminal_size().columns,
            subsequent_indent=_CONTINUATION_INDENT,
            expand_tabs=False,
            replace_whitespace=False,
            break_long_words=False,
            break_on_hyphens=False,
        )
        text = "\n".join(wrapper.fill(line) for line in visible(text).split("\n"))
    print_visible(text)


def print_message(message: str) -> None:
    """Print a message on standard error, in one line even if a file name contains line ends."""
    print(f"treepack: {visible_line(message)}", file=sys.stderr)


def error_message(problem: Exception) -> str:
    """Return in one line why a document failed."""
    if isinstance(problem, (TreepackError, OSError)):
        return str(problem)
    return f"treepack failed with {type(problem).__name__}: {problem}; please report this"


def print_problems(label: str, warnings: Sequence[str], error: str | None) -> None:
    """Print the warnings and the error of a document on standard error, each with its name."""
    reasons = [f"warning: {warning}" for warning in warnings]
    for reason in reasons if error is None else [*reasons, error]:
        print_message(reason if label in reason else f"{label}: {reason}")


def write_bytes_to_stdout(data: bytes) -> None:
    """Write bytes as they are: in UTF-8, with line feeds, on every platform."""
    sys.stdout.flush()
    rest = memoryview(data)
    while rest:  # an unbuffered stream writes what fits, and only the next call meets an error
        rest = rest[sys.stdout.buffer.write(rest) :]


@dataclass
class Draft:
    """A file that is being written; it is removed if ``keep`` is false in the end."""

    stream: BinaryIO
    keep: bool = True


@contextmanager
def replacing(path: Path) -> Generator[Draft, None, None]:
    """Write a file that replaces ``path`` if all goes well, and is removed if not.

    A ``path`` that is not a regular file (``/dev/null``, a named pipe) is written to directly.
    """
    target = Path(os.path.realpath(path))
    if is_stream(target):
        with target.open("wb") as stream:
            yield Draft(stream)
        return
    # Its name is known before the file exists, so that no signal can leave one.
    draft_file = target.with_name(f".{target.name}.{secrets.token_hex(8)}.tmp")
    try:
        descriptor = os.open(draft_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as stream:
            draft = Draft(stream)
            yield draft
        if draft.keep:
            draft_file.chmod(_mode_for(target))
            draft_file.replace(target)
    finally:
        draft_file.unlink(missing_ok=True)


def output_file(output: str | None) -> Path | None:
    """Return the path of the output, which must be a file; None for standard output.

    Raises:
        UsageError: The name ends like that of a folder.
    """
    if output is None or output == STANDARD_OUTPUT:
        return None
    if output.endswith(("/", os.sep)):
        msg = f"{output} is a folder; --output needs a file name"
        raise UsageError(msg)
    return Path(output)


def is_stream(path: Path) -> bool:
    """Return whether a path is a device or a pipe, whose name does not show a format."""
    return path.exists() and not path.is_file() and not path.is_dir()


def check_output_file(path: Path, documents: Iterable[Path]) -> None:
    """Refuse an output file that cannot or must not be written, before any work is done."""
    if path.is_dir():
        msg = f"{path} is a folder; --output needs a file name"
        raise UsageError(msg)
    if path.exists() and any(each.exists() and path.samefile(each) for each in documents):
        msg = f"{path} is one of the documents and would be overwritten; give another --output"
        raise UsageError(msg)
    parent = Path(os.path.realpath(path)).parent
    if not parent.is_dir():
        msg = f"the folder {parent} of the output file does not exist; create it first"
        raise UsageError(msg)
    if not path.exists() and not os.access(parent, os.W_OK):
        msg = f"the folder {parent} of the output file cannot be written to"
        raise UsageError(msg)


@contextmanager
def progress(
    label: str, sizes: Sequence[int], *, is_shown: bool
) -> Generator[Callable[[], None], None, None]:
    """Yield a function that counts the next document as done.

    Args:
        label: What is done with the documents.
        sizes: The bytes of each document, in the order in which they will be done. The bar counts
            bytes, because a large document takes longer.
        is_shown: Whether to draw a bar on standard error, if that is a terminal.
    """
    if not (is_shown and sys.stderr.isatty()):
        yield lambda: None
        return
    from rich.console import Console  # noqa: PLC0415 - only for people at a terminal
    from rich.progress import (  # noqa: PLC0415 - as above
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    columns = (
        TextColumn(f"treepack: {label} {{task.fields[done]}}/{len(sizes)}"),
        BarColumn(None),
        *(DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn()),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as bars:
        bar = bars.add_task(label, total=sum(sizes), done=0)
        done = itertools.count(1)

        def count_one() -> None:
            number = next(done)
            bars.update(bar, advance=sizes[number - 1], done=number)

        yield count_one


def _mode_for(target: Path) -> int:
    """Return the permissions of the old file, or those that a new file would get."""
    if target.exists():
        return target.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
