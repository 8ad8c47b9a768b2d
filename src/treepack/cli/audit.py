"""Checks a document and its chunks, which may come from a file."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import treepack
from treepack.cli.call import command_call
from treepack.cli.inputs.files import DocumentFile
from treepack.cli.inputs.records import ChunkRow, read_rows
from treepack.cli.terminal.output import print_message
from treepack.cli.terminal.page import Console, safe_lines
from treepack.cli.work import Task, run_all
from treepack.config import PackConfig
from treepack.display import counted, visible_line
from treepack.errors import ChunkRecordError
from treepack.laws import AuditReport, audit
from treepack.model.chunk import Chunk
from treepack.model.source import Source

DocumentChunks: TypeAlias = Sequence[Chunk] | Sequence[str]


def audit_paths(
    paths: list[Path], chunks: Path | None, jobs: int, flags: Mapping[str, Any]
) -> None:
    """Check chunks against the laws; see ``treepack audit --help``."""
    with command_call(flags) as call:
        documents = call.documents(paths)
        config, note, has_cap = call.config, "", True
        given: dict[str, DocumentChunks] = {}
        if chunks is not None:
            given, unmatched = _match_rows(read_rows(chunks), documents)
            for name, count in unmatched.items():
                call.report_problem(
                    f"{chunks} has {counted(count, 'chunk')} of {name!r}, which is not among the "
                    "documents given; give its path as well"
                )
            if "max_tokens" not in call.set_names and not config.levels:
                cap = _largest_chunk_tokens(given)
                note = f"the largest chunk ({cap} tokens) was taken as the cap; give the cap"
                note = note if cap else "the cap (law 3) was not checked; give it"
                has_cap = cap is not None
                config = config.model_copy(update={"max_tokens": cap}) if cap else config
        check = partial(_audit_document, config, has_cap=has_cap)
        tasks = [Task(each, partial(check, each.label, given.get(each.name))) for each in documents]
        outcomes = list(run_all(tasks, jobs, "auditing", quiet=call.quiet))
        reports = [outcome.result for outcome in outcomes if outcome.result is not None]
        report = AuditReport.merge(reports)
        console = Console()  # a terminal gets the first findings of each law
        table = report.table() if console.is_terminal else report.table(limit=None)
        console.print_text(safe_lines(table))
        if note and not call.quiet:
            print_message(f"note: {note} with --max")
        call.is_ok &= len(reports) == len(tasks) and report.ok


def _audit_document(
    config: PackConfig, name: str, chunks: DocumentChunks | None, source: Source, *, has_cap: bool
) -> AuditReport:
    """Check a document's chunks, or pack it first if none are given."""
    if chunks is None:
        chunks = treepack.pack(source, config)
    return audit(source, chunks, config, name=visible_line(name), has_cap=has_cap)


def _match_rows(
    rows: Iterable[ChunkRow], documents: Sequence[DocumentFile]
) -> tuple[dict[str, DocumentChunks], dict[str, int]]:
    """Give each document its rows, and count the rows of documents that were not given.

    If there is only one document, rows that name no document belong to it.
    """
    matched: dict[str, list[Chunk | str]] = {each.name: [] for each in documents}
    unmatched: Counter[str] = Counter()
    for document, chunk in rows:
        if document is None and len(documents) > 1:
            msg = (
                f"a chunk names no document, and there are {len(documents)} documents; "
                'give each chunk a "document", or audit one document at a time'
            )
            raise ChunkRecordError(msg)
        name = documents[0].name if document is None else document
        if name in matched:
            matched[name].append(chunk)
        else:
            unmatched[name] += 1
    return {name: _of_one_type(chunks) for name, chunks in matched.items()}, unmatched


def _largest_chunk_tokens(chunks: Mapping[str, DocumentChunks]) -> int | None:
    """Return the tokens of the largest chunk that is not ``oversize``; None without records."""
    records = (each for some in chunks.values() for each in some if isinstance(each, Chunk))
    return max((each.embed_token_count for each in records if not each.oversize), default=None)


def _of_one_type(chunks: Sequence[Chunk | str]) -> DocumentChunks:
    """Return all chunks as records if all of them are records, otherwise all as texts."""
    records = [chunk for chunk in chunks if isinstance(chunk, Chunk)]
    if len(records) == len(chunks):
        return records
    return [chunk.text if isinstance(chunk, Chunk) else chunk for chunk in chunks]
