"""Packs documents for people to look at, on a page of a terminal and without an output file."""

from collections.abc import Callable, Sequence
from functools import partial

from treepack.cli.inputs.files import DocumentFile
from treepack.cli.terminal.page import print_figures, print_page
from treepack.cli.work import Task, do_all, do_one
from treepack.config import PackConfig
from treepack.model.source import Source
from treepack.report.figures import Figures, figures
from treepack.report.packings import Packing, packed

Drawing = Callable[[Packing, str], None]
"""Prints something about a packed document, given the name that messages use for it."""


def draw_document(
    document: DocumentFile, config: PackConfig, print_it: Drawing, *, quiet: bool = False
) -> bool:
    """Pack one document and print something about it; return whether that went well."""

    def draw(source: Source) -> None:
        print_it(packed(source, config, "settings"), document.label)

    return do_one(Task(document, draw), quiet=quiet).error is None


def preview_documents(
    documents: Sequence[DocumentFile], config: PackConfig, jobs: int, *, quiet: bool = False
) -> int:
    """Print a page about one document, or a line for each of several; return the number packed."""
    if len(documents) == 1:
        return int(draw_document(documents[0], config, print_page, quiet=quiet))
    work = partial(figures_of, [("settings", config)])
    tasks = [Task(document, work) for document in documents]
    found = [
        (done.document.label, done.result[0])
        for done in do_all(tasks, jobs, "measuring", quiet=quiet)
        if done.result is not None
    ]
    if found:
        print_figures(found)
    return len(found)


def figures_of(ways: Sequence[tuple[str, PackConfig]], source: Source) -> list[Figures]:
    """Return the figures of a document's packings, each made with its own label and settings."""
    return [figures(packed(source, config, label)) for label, config in ways]
