"""The command line: ``treepack pack``, ``show``, ``report``, ``audit``, ``demo``.

=============== ================================================================
module          what it does
=============== ================================================================
app             how the commands are called; only app, flags and call use typer
flags           the flags they share
call            turns flags and ``pyproject.toml`` into settings, errors into an exit status
pack            packs documents into JSON lines or a table
one_document    shows a document in the terminal, or writes its report page
audit           checks documents and their chunks
work            reads each document and works on it by itself, in one process or several
inputs          subpackage: finds documents, and reads documents and records of chunks
terminal        subpackage: prints and writes results; only here rich is used
=============== ================================================================
"""

import os
import signal
import sys
from io import TextIOWrapper
from pathlib import Path
from traceback import format_exc

from treepack.errors import needs_extra


def main() -> None:
    """Run the command line; ``treepack --help`` documents its exit status."""
    try:
        from treepack.cli.app import app  # noqa: PLC0415 - typer and rich may be missing
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in {"pathspec", "typer", "rich"}:
            raise
        sys.stderr.write(f"treepack: {needs_extra(user='the command line', extra='cli')}\n")
        sys.exit(2)
    _exit_on_signals()
    _make_streams_safe()
    try:
        app(prog_name="treepack")
    except OSError as problem:  # while help is printed; commands have `command_call`
        from treepack.cli.call import report_write_error  # noqa: PLC0415 - help is there without it

        sys.exit(report_write_error(problem))
    except Exception:  # noqa: BLE001 - its message may come from a document
        from treepack.display import visible  # noqa: PLC0415 - help is there without it

        sys.stderr.write(visible(f"{format_exc()}treepack: this is a bug; please report it\n"))
        sys.exit(1)


def _make_streams_safe() -> None:
    """Let output streams take any text; replace standard streams that the caller closed."""
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open()  # noqa: SIM115 - open to the end
    if sys.stdout is None:  # read-only, so that writing results to it is an error
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if sys.stderr is None:  # otherwise messages would go to the results
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - open to the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _exit_on_signals() -> None:
    """Treat a signal like an exit, so that drafts are removed and workers ended."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:  # nohup ignores it
            signal.signal(number, lambda number, _: sys.exit(128 + number))
