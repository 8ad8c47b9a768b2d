"""Checks a document and its chunks, which may come from a file."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import treepack
from treepack.cli.inputs.files import DocumentFile
from treepack.cli.inputs.records import ChunkRow
from treepack.config import PackConfig
from treepack.display import visible_line
from treepack.errors import ChunkRecordError
from treepack.laws import AuditReport, audit
from treepack.model.chunk import Chunk
from treepack.model.source import Source

DocumentChunks: TypeAlias = Sequence[Chunk] | Sequence[str]


def audit_document(
    config: PackConfig, name: str, chunks: DocumentChunks | None, source: Source, *, has_cap: bool
) -> AuditReport:
    """Check a document's chunks, or pack it first if none are given."""
    if chunks is None:
        chunks = treepack.pack(source, config)
    return audit(source, chunks, config, name=visible_line(name), has_cap=has_cap)


def match_rows(
    rows: Iterable[ChunkRow], documents: Sequence[DocumentFile]
) -> tuple[dict[str, DocumentChunks], dict[str, int]]:
    """Give each document its rows, and count the rows of documents that were not given.

    If there is only one document, rows that name no document belong to it.

    Raises:
        ChunkRecordError: A row names no document, and there are several.
    """
    matched: dict[str, list[Chunk | str]] = {document.name: [] for document in documents}
    unmatched: Counter[str] = Counter()
    for row in rows:
        if row.document is None and len(documents) > 1:
            msg = (
                f"a chunk names no document, and there are {len(documents)} documents; "
                'give each chunk a "document", or audit one document at a time'
            )
            raise ChunkRecordError(msg)
        name = documents[0].name if row.document is None else row.document
        if name in matched:
            matched[name].append(row.chunk)
        else:
            unmatched[name] += 1
    return {name: _of_one_type(chunks) for name, chunks in matched.items()}, unmatched


def largest_chunk_tokens(chunks: Mapping[str, DocumentChunks]) -> int | None:
    """Return the tokens of the largest chunk that is not ``oversize``; None without records."""
    records = (each for some in chunks.values() for each in some if isinstance(each, Chunk))
    return max((each.embed_token_count for each in records if not each.oversize), default=None)


def _of_one_type(chunks: Sequence[Chunk | str]) -> DocumentChunks:
    """Return all chunks as records if all of them are records, otherwise all as texts."""
    records = [chunk for chunk in chunks if isinstance(chunk, Chunk)]
    if len(records) == len(chunks):
        return records
    return [chunk.text if isinstance(chunk, Chunk) else chunk for chunk in chunks]
