"""Records for a docstore, with which the hits of an index become a context.

An index holds only the text and the flat metadata of a chunk. A context also needs the chunk's
segments and the rest of its parent. So a docstore holds the records of each family (a parent with
its children) as JSON lines under the parent's id; a chunk without a parent is its own family.
Positions, which change with each edit, are only in these records, so the index can keep all chunks
that an edit did not change.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from treepack.errors import ChunkRecordError
from treepack.integrations.metadata import chunk_key, own_value
from treepack.model.chunk import Chunk
from treepack.packing import Chunks
from treepack.packing.context import SEPARATOR
from treepack.retrieval import Context, ContextPart, fill_context

_MAX_LEVELS: Final = 2


def family_records(chunks: Iterable[Chunk], document: str) -> Iterator[tuple[str, str]]:
    """Yield the key and the JSON lines of each family among one document's chunks, in order."""
    records = [_index_record(chunk, document) for chunk in chunks]
    if any(record.level >= _MAX_LEVELS for record in records):
        msg = "a retriever takes at most two levels: give levels=(parents, children), or no levels"
        raise ValueError(msg)
    for key, family in groupby(records, lambda record: record.parent_id or record.id):
        yield key, Chunks(family).to_jsonl()


def _family_key(metadata: Mapping[str, Any]) -> str:
    """Return the key of the family that a chunk belongs to."""
    key = own_value(metadata, "parent_id") or own_value(metadata, "chunk_id")
    if not key:
        msg = (
            "a retrieved item has no chunk_id in its metadata, but only "
            f"({', '.join(metadata)[:80]}): index the chunks that treepack's splitter made"
        )
        raise ChunkRecordError(msg)
    return str(key)


def context_of(
    hits: Sequence[tuple[Mapping[str, Any], float | None]],
    find_records: Callable[[list[str]], Iterable[str | None]],
    budget: int,
    parent_weight: float,
) -> Context:
    """Fill a context with what an index found, best first; see `treepack.retrieval.fill_context`.

    ``find_records`` returns the JSON lines that a docstore has under each key, or None.
    """
    keys = list(dict.fromkeys(_family_key(metadata) for metadata, _ in hits))
    chunks: list[Chunk] = []
    lacking: list[str] = []
    for key, text in zip(keys, find_records(keys), strict=True):
        lacking += [key] if text is None else []
        chunks += Chunks.from_jsonl(text or "", name=f"docstore, {key}")
    if lacking:
        msg = (
            f"the docstore lacks {len(lacking)} of {len(keys)} families that were retrieved, "
            f"such as {lacking[0]}: add the records of the same documents to it"
        )
        raise ChunkRecordError(msg)
    found = [
        {"id": str(own_value(metadata, "chunk_id")), "score": score} for metadata, score in hits
    ]
    return fill_context(found, chunks, budget, parent_weight=parent_weight)


def part_metadata(part: ContextPart) -> dict[str, Any]:
    """Return where a part comes from, as strings and numbers for a framework's metadata."""
    values = {
        "source": part.document,
        "breadcrumb": SEPARATOR.join(part.breadcrumb[part.breadcrumb[:1] == (part.document,) :]),
        "clause": part.clause,
        "page_start": part.pages[0] if part.pages else None,
        "page_end": part.pages[-1] if part.pages else None,
        "line_start": part.lines[0],
        "line_end": part.lines[1],
        "citation": part.citation,
    }
    return {key: value for key, value in values.items() if value not in (None, "")}


def _index_record(chunk: Chunk, document: str) -> Chunk:
    """Return the record with the index's ids, and a breadcrumb that begins with the document."""
    if not document:
        return chunk
    name = () if chunk.breadcrumb[:1] == (document,) else (document,)
    return chunk.model_copy(
        update={
            "id": chunk_key(document, chunk.id),
            "parent_id": chunk.parent_id and chunk_key(document, chunk.parent_id),
            "document": document,
            "breadcrumb": (*name, *chunk.breadcrumb),
        }
    )
