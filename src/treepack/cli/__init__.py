"""The command line: ``treepack pack``, ``show``, ``report``, ``stats``, ``compare``, ``audit``.

========== =====================================================================
module     what it does
========== =====================================================================
app        how the commands are called; only here and in flags, endings: typer
flags      the flags they share
commands   what they do that pack, show and judge
looking    what they do for looking and choosing: report, stats, compare
choices    the flags of a call become its settings, documents and packings
settings   flags, environment and files become one checked ``PackConfig``
endings    what can go wrong becomes a sentence and an exit status
files      paths become documents: folders walked, names given, texts read
pack       a document becomes JSON lines
preview    a document becomes text to read
audit      a document and its chunks become a report
measure    documents become figures, for stats and compare
records    files of chunk records become chunks by document
show       chunks for people to read; only here and in output: rich
tables     figures for people to read
output     where results go: files replaced at once, standard output, complaints
========== =====================================================================

"""

import os
import signal
import sys
from io import TextIOWrapper
from pathlib import Path
from traceback import format_exc

MISSING_EXTRA = 'treepack: the command line needs its extra: pip install "treepack[cli]"'


def main() -> None:
    """Run the command line; its exit status is a promise, see ``treepack --help``."""
    try:
        from treepack.cli.app import app  # noqa: PLC0415 - typer and rich may be missing
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in {"typer", "rich"}:
            raise
        sys.stderr.write(f"{MISSING_EXTRA}\n")
        sys.exit(2)
    _end_in_good_order()
    _make_streams_safe()
    try:
        app(prog_name="treepack")
    except OSError as problem:  # of the help; commands have `plain_endings`
        from treepack.cli.endings import cannot_write  # noqa: PLC0415 - help is there without it

        sys.exit(cannot_write(problem))
    except Exception:  # noqa: BLE001 - what it says may come from a document
        from treepack.display import visible  # noqa: PLC0415 - help is there without it

        sys.stderr.write(visible(f"{format_exc()}treepack: it failed; please report this\n"))
        sys.exit(1)


def _make_streams_safe() -> None:
    """Make each standard stream take any text; one that the caller closed is there, but empty."""
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open()  # noqa: SIM115 - open to the end
    if sys.stdout is None:  # it takes nothing, so that lost results are an error
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if sys.stderr is None:  # else complaints would go where results go
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 - open to the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _end_in_good_order() -> None:
    """Let a signal that ends this process end it as an exit does: drafts go, and workers."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:  # nohup ignores it
            signal.signal(number, lambda number, _: sys.exit(128 + number))
