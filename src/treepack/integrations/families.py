"""Records for a docstore, with which the hits of an index become a context.

An index holds only the text and the flat metadata of a chunk. A context also needs the chunk's
segments and the rest of its parent. So a docstore holds the records of each family (a parent with
its children) as JSON lines under the parent's id; a chunk without a parent is its own family.
Positions, which change with each edit, are only in these records, so the index can keep all chunks
that an edit did not change.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, Protocol

from treepack.errors import ChunkRecordError
from treepack.integrations.metadata import chunk_key
from treepack.model.chunk import Chunk
from treepack.packing import Chunks
from treepack.packing.context import BLANK_LINE, SEPARATOR
from treepack.retrieval import Context, ContextPart, Library, fill_context
from treepack.retrieval.paths import named

MOST_LEVELS: Final = 2


class Found(Protocol):
    """Something that an index found."""

    @property
    def metadata(self) -> Mapping[str, Any]:
        """Its metadata, as an adapter wrote it."""
        ...


def family_records(chunks: Iterable[Chunk], document: str) -> Iterator[tuple[str, str]]:
    """Yield the records of one document: the key and the JSON lines of each family.

    Args:
        chunks: The chunks of one document, in its order.
        document: The key that distinguishes the document in its chunks' ids, from
            `files.document_key`.

    Raises:
        ValueError: The chunks have more than two levels.
    """
    records = [_renamed(chunk, document) for chunk in chunks]
    if any(record.level >= MOST_LEVELS for record in records):
        msg = "a retriever takes at most two levels: give levels=(parents, children), or no levels"
        raise ValueError(msg)
    for key, family in groupby(records, lambda record: record.parent_id or record.id):
        yield key, Chunks(family).to_jsonl()


def family_key(metadata: Mapping[str, Any]) -> str:
    """Return the key of the family that a chunk belongs to.

    Raises:
        ChunkRecordError: The metadata is not that of a treepack chunk.
    """
    key = metadata.get("parent_id") or metadata.get("chunk_id")
    if not key:
        msg = (
            "a retrieved item has no chunk_id in its metadata, but only "
            f"({', '.join(metadata)[:80]}): index the chunks that treepack's splitter made"
        )
        raise ChunkRecordError(msg)
    return str(key)


def context_of(
    found: Sequence[tuple[Found, float | None]],
    families: Mapping[str, str | None],
    budget: int,
    parent_weight: float,
) -> Context:
    """Fill a context with what an index found.

    Args:
        found: The hits, best first, each with its score or None.
        families: The JSON lines by `family_key`; None if the docstore has none.
        budget: See `treepack.retrieval.fill_context`.
        parent_weight: See `treepack.retrieval.fill_context`.

    Raises:
        ChunkRecordError: The docstore lacks what was found, or has other text under its key.
    """
    missing = [key for key, text in families.items() if text is None]
    if missing:
        msg = (
            f"the docstore lacks {len(missing)} of {len(families)} families that were retrieved, "
            f"such as {missing[0]}: add the records of the same documents to it"
        )
        raise ChunkRecordError(msg)
    chunks = [
        chunk
        for key, text in families.items()
        for chunk in Chunks.from_jsonl(text or "", name=f"docstore, {key}")
    ]
    hits = [
        str(each.metadata["chunk_id"]) if score is None else (str(each.metadata["chunk_id"]), score)
        for each, score in found
    ]
    return fill_context(hits, Library(chunks), budget, parent_weight=parent_weight)


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


def _renamed(chunk: Chunk, document: str) -> Chunk:
    """Return the record with the ids of the index, and a path that begins with the document."""
    path, names = named(chunk, document)
    parent = chunk.parent_id
    return chunk.model_copy(
        update={
            "id": chunk_key(document, chunk.id),
            "parent_id": parent and chunk_key(document, parent),
            "document": document or chunk.document,
            "breadcrumb": names,
            "embed_text": f"{path}{BLANK_LINE}{chunk.text}" if path else chunk.text,
        }
    )
