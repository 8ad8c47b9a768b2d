"""Where results go: files that are replaced as a whole, standard output, messages, progress."""

import os
import secrets
import sys
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO, Final

from treepack.display import visible_line
from treepack.errors import TreepackError

FAILED = 1
MISUSED = 2
PIPE_CLOSED = 128 + 13
"""The reader closed a pipe: the status of a program that SIGPIPE (13) ends."""

STANDARD_OUTPUT: Final = "-"


class UsageError(TreepackError):
    """The command was called incorrectly; only the message is printed."""


def print_message(message: str) -> None:
    """Print a message on standard error, in one line even if a file name contains line ends."""
    print(f"treepack: {visible_line(message)}", file=sys.stderr)


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
    old_mode = target.stat().st_mode & 0o7777 if target.exists() else None
    mode = 0o666 if old_mode is None else old_mode
    # Its name is known before the file exists, so that no signal can leave one.
    draft_file = target.with_name(f".{target.name}.{secrets.token_hex(8)}.tmp")
    try:
        descriptor = os.open(draft_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(descriptor, "wb") as stream:
            draft = Draft(stream)
            yield draft
        if draft.keep:
            if old_mode is not None:  # a new file lacks what the process's mask takes away
                draft_file.chmod(old_mode)
            draft_file.replace(target)
    except KeyboardInterrupt:
        what = "was not written" if old_mode is None else "is unchanged"
        print_message(f"interrupted; {path} {what}")
        raise
    finally:
        draft_file.unlink(missing_ok=True)


def output_file(output: str | None, documents: Iterable[Path]) -> Path | None:
    """Return the path of the output, which must be a file; None for standard output.

    Raises:
        UsageError: The file cannot be written, or must not be, as it is one of the documents.
    """
    if output is None or output == STANDARD_OUTPUT:
        return None
    path, names_folder = Path(output), output.endswith(("/", os.sep))
    parent = Path(os.path.realpath(path)).parent
    if names_folder or path.is_dir():
        msg = f"{output if names_folder else path} is a folder; --output needs a file name"
    elif path.exists() and any(each.exists() and path.samefile(each) for each in documents):
        msg = f"{path} is one of the documents and would be overwritten; give another --output"
    elif not parent.is_dir():
        msg = f"the folder {parent} of the output file does not exist; create it first"
    elif not path.exists() and not os.access(parent, os.W_OK):
        msg = f"the folder {parent} of the output file cannot be written to"
    else:
        return path
    raise UsageError(msg)


def is_stream(path: Path) -> bool:
    """Return whether a path is a device or a pipe, whose name does not show a format."""
    return path.exists() and not path.is_file() and not path.is_dir()


@contextmanager
def progress(
    label: str, total: int, *, is_shown: bool
) -> Generator[Callable[[], None], None, None]:
    """Yield a function that counts the next of ``total`` documents as done.

    A bar is drawn on standard error, if that is a terminal and the bar ``is_shown``.
    """
    if not (is_shown and sys.stderr.isatty()):
        yield lambda: None
        return
    from rich import progress as rich  # noqa: PLC0415 - as above
    from rich.console import Console  # noqa: PLC0415 - only for people at a terminal

    columns = (rich.BarColumn(), rich.MofNCompleteColumn(), rich.TimeElapsedColumn())
    console, words = Console(stderr=True), rich.TextColumn("{task.description}")
    with rich.Progress(
        rich.SpinnerColumn(),
        words,
        *columns,
        console=console,
        transient=True,
        redirect_stdout=False,
    ) as bars:
        bar = bars.add_task(f"treepack: {label}", total=total)
        yield partial(bars.advance, bar)
