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
records    a file of chunk records becomes chunks by document
show       chunks for people to read; only here and in output: rich
tables     figures for people to read
output     where results go: files replaced at once, standard output, complaints
========== =====================================================================

"""

import signal
import sys

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
    app(prog_name="treepack")


def _end_in_good_order() -> None:
    """Let a signal that ends this process end it as an exit does: drafts go, and workers."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:  # nohup ignores it
            signal.signal(number, lambda number, _: sys.exit(128 + number))
