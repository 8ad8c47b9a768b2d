"""Checks documents and their chunks, and merges the reports into one."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

import treepack
from treepack.cli.inputs.files import DocumentFile
from treepack.cli.inputs.records import ChunkRow
from treepack.cli.terminal.output import print_wrapped
from treepack.cli.work import Task, run_all
from treepack.config import PackConfig
from treepack.display import visible_line
from treepack.errors import ChunkRecordError
from treepack.laws import AuditReport, audit_packed
from treepack.model.chunk import Chunk
from treepack.model.source import Source


def audit_documents(  # noqa: PLR0913 - one for each part of the call
    documents: Sequence[DocumentFile],
    config: PackConfig,
    cap: int | None,
    chunks_by_document: Mapping[str, Sequence[Chunk] | Sequence[str]] | None,
    jobs: int,
    *,
    quiet: bool,
) -> tuple[AuditReport, bool]:
    """Audit documents; return the report, and whether all of them could be read and checked.

    Args:
        documents: The documents.
        config: How they are packed if no chunks are given, and the settings that chunks must obey.
        cap: The cap; None if it is not known.
        chunks_by_document: The chunks by the names of their documents; None to pack the documents.
        jobs: How many processes.
        quiet: Whether to print only errors.
    """
    given = chunks_by_document or {}
    tasks = [
        Task(document, partial(_audit, config, cap, document.label, given.get(document.name)))
        for document in documents
    ]
    outcomes = run_all(tasks, jobs, "auditing", quiet=quiet)
    reports = [outcome.result for outcome in outcomes if outcome.result is not None]
    return AuditReport.merge(reports), len(reports) == len(tasks)


def _audit(
    config: PackConfig,
    cap: int | None,
    name: str,
    chunks: Sequence[Chunk] | Sequence[str] | None,
    source: Source,
) -> AuditReport:
    if chunks is None:
        chunks = treepack.pack(source, config)
    return audit_packed(source, chunks, config, name=visible_line(name), cap=cap)


def match_rows(
    rows: Iterable[ChunkRow], documents: Sequence[DocumentFile]
) -> tuple[Mapping[str, Sequence[Chunk] | Sequence[str]], Mapping[str, int]]:
    """Give each document its rows, and count the rows of documents that were not given.

    If there is only one document, rows that name no document belong to it.

    Raises:
        ChunkRecordError: A row names no document, and there are several.
    """
    matched: dict[str, list[Chunk | str]] = {document.name: [] for document in documents}
    unmatched: dict[str, int] = {}
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
            unmatched[name] = unmatched.get(name, 0) + 1
    return {name: _of_one_type(chunks) for name, chunks in matched.items()}, unmatched


def largest_chunk_tokens(chunks: Mapping[str, Sequence[Chunk] | Sequence[str]]) -> int | None:
    """Return the tokens of the largest chunk that is not ``oversize``; None without records."""
    return max(
        (
            chunk.embed_token_count
            for document_chunks in chunks.values()
            for chunk in document_chunks
            if isinstance(chunk, Chunk) and not chunk.oversize
        ),
        default=None,
    )


def print_report(report: AuditReport) -> None:
    """Print the table by law, then the findings by law; a terminal gets the first of each law."""
    print_wrapped(report.table() if sys.stdout.isatty() else report.table(limit=None))


def _of_one_type(chunks: Sequence[Chunk | str]) -> Sequence[Chunk] | Sequence[str]:
    """Return all chunks as records if all of them are records, otherwise all as texts."""
    records = [chunk for chunk in chunks if isinstance(chunk, Chunk)]
    if len(records) == len(chunks):
        return records
    return [chunk.text if isinstance(chunk, Chunk) else chunk for chunk in chunks]
