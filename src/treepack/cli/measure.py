"""Documents become figures: what they are made of, and the results of packings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from treepack.cli.flags import EncodingErrors
from treepack.cli.inputs.files import DocumentFile, collected_warnings, load
from treepack.cli.terminal.output import complain_about, explain, progress
from treepack.config import PackConfig
from treepack.model.source import Source
from treepack.packing.parallel.work import map_in_order
from treepack.report.census import Census, census
from treepack.report.figures import Figures, figures
from treepack.report.packings import packed, parsed


@dataclass(frozen=True)
class MeasureTask:
    """All that a worker needs to measure one document.

    Attributes:
        document: The document.
        encoding_errors: How it is read.
        config: How it is parsed and its tokens are counted.
        packings: Labels and settings to pack it with; without any, only its census is made.
    """

    document: DocumentFile
    encoding_errors: EncodingErrors
    config: PackConfig
    packings: Sequence[tuple[str, PackConfig]] = ()


@dataclass(frozen=True)
class Measured:
    """The result for one document: figures, or an error."""

    document: DocumentFile
    census: Census | None = None
    figures: Sequence[Figures] = ()
    warnings: Sequence[str] = ()
    error: str | None = None


def measure_documents(
    tasks: Sequence[MeasureTask], jobs: int, *, quiet: bool
) -> Iterator[Measured]:
    """Measure documents in order; those that fail are reported and left out."""
    with progress(
        "measuring", [task.document.size for task in tasks], shown=not quiet
    ) as count_one:
        for measured in map_in_order(measure_one, tasks, min(jobs, len(tasks))):
            warnings = () if quiet else measured.warnings
            complain_about(measured.document.label, warnings, measured.error)
            count_one()
            if measured.error is None:
                yield measured


def measure_one(task: MeasureTask) -> Measured:
    """Measure one document; an error is a result too."""
    with collected_warnings() as said:
        try:
            source = load(task.document, task.encoding_errors)
            source = Source(source.text, task.document.name, source.metadata, source.page_marks)
            if task.packings:
                found = [figures(packed(source, config, name)) for name, config in task.packings]
                result = Measured(task.document, figures=found)
            else:
                result = Measured(task.document, census(parsed(source, task.config)))
        except Exception as problem:  # noqa: BLE001 - the other documents go on
            result = Measured(task.document, error=explain(problem))
    return Measured(result.document, result.census, result.figures, tuple(said), result.error)
