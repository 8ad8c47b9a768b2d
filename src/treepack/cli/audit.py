"""A document and its chunks become a report; many reports become one."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import treepack
from treepack.cli.flags import EncodingErrors
from treepack.cli.inputs.files import DocumentFile, collected_warnings, load
from treepack.cli.inputs.records import ChunkRow
from treepack.cli.terminal.output import complain_about, explain, progress, say_lines
from treepack.config import PackConfig
from treepack.display import visible_line
from treepack.errors import ChunkRecordError
from treepack.laws import AuditReport, audit
from treepack.model.chunk import Chunk
from treepack.packing.parallel.work import map_in_order


@dataclass(frozen=True)
class AuditTask:
    """All that a worker needs to check a document's chunks against the laws.

    Attributes:
        document: The document.
        config: How it is packed if no chunks are given, and the settings that the chunks must keep.
        max_tokens: The cap; None if it is not known.
        encoding_errors: How the document is read.
        chunks: The chunks, or None to pack the document.
    """

    document: DocumentFile
    config: PackConfig
    max_tokens: int | None
    encoding_errors: EncodingErrors
    chunks: Sequence[Chunk] | Sequence[str] | None = None


@dataclass(frozen=True)
class Audited:
    """The result for one document: a report, or an error."""

    document: DocumentFile
    report: AuditReport | None = None
    warnings: Sequence[str] = ()
    error: str | None = None


def audit_documents(
    tasks: Sequence[AuditTask], jobs: int, *, quiet: bool = False
) -> tuple[AuditReport, bool]:
    """Audit documents; tell whether all of them could be read and checked."""
    reports: list[AuditReport] = []
    with progress("auditing", [task.document.size for task in tasks], shown=not quiet) as count_one:
        for audited in map_in_order(audit_one, tasks, min(jobs, len(tasks))):
            warnings = () if quiet else audited.warnings
            complain_about(audited.document.label, warnings, audited.error)
            if audited.report is not None:
                reports.append(audited.report)
            count_one()
    return AuditReport.merge(reports), len(reports) == len(tasks)


def audit_one(task: AuditTask) -> Audited:
    """Audit one document; an error is a result too."""
    report, error = None, None
    with collected_warnings() as said:
        try:
            report = _audit(task)
        except Exception as problem:  # noqa: BLE001 - the other documents go on
            error = explain(problem)
    return Audited(task.document, report, tuple(said), error)


def match_rows(
    rows: Iterable[ChunkRow], documents: Sequence[DocumentFile]
) -> tuple[Mapping[str, Sequence[Chunk] | Sequence[str]], Mapping[str, int]]:
    """Give each document its rows, and count the rows of documents that were not given.

    If there is only one document, rows that name none belong to it.

    Raises:
        ChunkRecordError: A row names no document, and there are several.
    """
    matched: dict[str, list[Chunk | str]] = {document.name: [] for document in documents}
    strays: dict[str, int] = {}
    for row in rows:
        name = row.document
        if name is None:
            if len(documents) > 1:
                msg = (
                    f"a chunk names no document, and there are {len(documents)} documents; "
                    'give each chunk a "document", or audit one document at a time'
                )
                raise ChunkRecordError(msg)
            name = documents[0].name
        if name in matched:
            matched[name].append(row.chunk)
        else:
            strays[name] = strays.get(name, 0) + 1
    return {name: _of_one_sort(chunks) for name, chunks in matched.items()}, strays


def largest_record(chunks: Mapping[str, Sequence[Chunk] | Sequence[str]]) -> int | None:
    """Tokens of the largest chunk that is not ``oversize``; None without records."""
    return max(
        (
            chunk.embed_token_count
            for of_document in chunks.values()
            for chunk in of_document
            if isinstance(chunk, Chunk) and not chunk.oversize
        ),
        default=None,
    )


def print_report(report: AuditReport) -> None:
    """Print the table by law, then the findings by law; a terminal gets the first of each law."""
    say_lines(report.table() if sys.stdout.isatty() else report.table(limit=None))


def _audit(task: AuditTask) -> AuditReport:
    source = load(task.document, task.encoding_errors)
    chunks = task.chunks
    if chunks is None:
        chunks = treepack.pack(source, task.config, name=task.document.name)
    return audit(
        source,
        chunks,
        name=visible_line(task.document.label),
        max_tokens=task.max_tokens,
        levels=task.config.levels,
        overlap_tokens=task.config.overlap_tokens,
        flat_overlap_tokens=task.config.flat_overlap_tokens,
        encoding=task.config.encoding,
        keep_tables=task.config.oversize_table == "keep",
        keep_code=task.config.oversize_code == "keep",
        sections=task.config.sections,
        breadcrumb_tokens=task.config.breadcrumb_tokens,
        markup=None if task.config.markup == "auto" else task.config.markup,
    )


def _of_one_sort(chunks: Sequence[Chunk | str]) -> Sequence[Chunk] | Sequence[str]:
    """All chunks as records if all of them are, otherwise all as texts."""
    records = [chunk for chunk in chunks if isinstance(chunk, Chunk)]
    if len(records) == len(chunks):
        return records
    return [chunk.text if isinstance(chunk, Chunk) else chunk for chunk in chunks]
