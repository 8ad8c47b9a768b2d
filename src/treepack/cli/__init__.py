"""The command line: ``treepack pack``, ``treepack show`` and ``treepack audit``.

========== =====================================================================
module     what it does
========== =====================================================================
app        the commands
flags      the flags they share; only here and in app: typer
settings   flags and settings files become one checked ``PackConfig``
files      paths become documents: folders walked, names given, texts read
work       one function over many documents, in order, in one or several processes
pack       a document becomes JSON lines
audit      a document and its chunks become a report
records    a file of chunk records becomes chunks by document
show       chunks for people to read; only here and in output: rich
output     where results go: files replaced at once, standard output, complaints
========== =====================================================================
"""

import signal
import sys

MISSING_EXTRA = 'treepack: the command line needs its extra: pip install "treepack[cli]"'


def main() -> None:
    """Run the command line; exit with 0, 1 (a document failed) or 2 (the call makes no sense)."""
    try:
        from treepack.cli.app import app  # noqa: PLC0415 - typer and rich may be missing
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in {"typer", "rich"}:
            raise
        sys.stderr.write(f"{MISSING_EXTRA}\n")
        sys.exit(2)
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))  # and clean up
    app(prog_name="treepack")
