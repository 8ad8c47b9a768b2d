"""Documents are packed for people to look at: on a page of a terminal, without an output."""

from collections.abc import Callable, Sequence

from treepack.cli.inputs.files import collected_warnings, load
from treepack.cli.measure import MeasureTask, measure_documents
from treepack.cli.pack import PackTask
from treepack.cli.terminal.output import complain_about, explain
from treepack.cli.terminal.page import print_figures, print_page
from treepack.errors import SourceError
from treepack.report.packings import Packing, packed

Drawing = Callable[[Packing, str], None]
"""Prints something about a packed document, which messages call by the name that is given."""


def draw_document(task: PackTask, print_it: Drawing, *, quiet: bool = False) -> bool:
    """Pack one document and print something about it; tell whether that went well."""
    document, error = task.document, None
    with collected_warnings() as warnings:
        try:
            source = load(document, task.encoding_errors)
            print_it(packed(source, task.config, "settings"), document.label)
        except SourceError as problem:
            error = explain(problem)
    complain_about(document.label, () if quiet else warnings, error)
    return error is None


def preview_documents(tasks: Sequence[PackTask], jobs: int, *, quiet: bool = False) -> int:
    """Print a page about one document, or a line about each of several; return how many."""
    if len(tasks) == 1:
        return int(draw_document(tasks[0], print_page, quiet=quiet))
    wanted = [
        MeasureTask(each.document, each.encoding_errors, each.config, [("settings", each.config)])
        for each in tasks
    ]
    found = [
        (each.document.label, each.figures[0])
        for each in measure_documents(wanted, jobs, quiet=quiet)
    ]
    if found:
        print_figures(found)
    return len(found)
