"""Packs documents for people to look at, on a page of a terminal and without an output file."""

from collections.abc import Callable, Sequence
from functools import partial

from treepack.cli.inputs.files import DocumentFile
from treepack.cli.terminal.page import print_figures, print_page
from treepack.cli.work import Task, run_all, run_one
from treepack.config import PackConfig
from treepack.model.source import Source
from treepack.report.figures import Figures, figures
from treepack.report.packings import Packing, packed

PrintPacking = Callable[[Packing, str], None]
"""Prints something about a packed document, given the name that messages use for it."""


def draw_document(
    document: DocumentFile, config: PackConfig, print_packing: PrintPacking, *, quiet: bool = False
) -> bool:
    """Pack one document and print something about it; return whether that went well."""

    def draw(source: Source) -> None:
        print_packing(packed(source, config, "settings"), document.label)

    return run_one(Task(document, draw), quiet=quiet).error is None


def preview_documents(
    documents: Sequence[DocumentFile], config: PackConfig, jobs: int, *, quiet: bool = False
) -> int:
    """Print a page about one document, or a line for each of several; return the number packed."""
    if len(documents) == 1:
        return int(draw_document(documents[0], config, print_page, quiet=quiet))
    work = partial(figures_of, [("settings", config)])
    tasks = [Task(document, work) for document in documents]
    packed_figures = [
        (outcome.document.label, outcome.result[0])
        for outcome in run_all(tasks, jobs, "measuring", quiet=quiet)
        if outcome.result is not None
    ]
    if packed_figures:
        print_figures(packed_figures)
    return len(packed_figures)


def figures_of(packings: Sequence[tuple[str, PackConfig]], source: Source) -> list[Figures]:
    """Return the figures of a document's packings, each made with its own label and settings."""
    return [figures(packed(source, config, label)) for label, config in packings]
