"""Records for a docstore: from what an index found to a context.

What an index holds of a chunk is its text and flat metadata. A context needs its segments, and the
rest of its parent. So a docstore holds the records of each family, a parent with its children, as
JSON lines under the parent's id; a chunk without a parent is a family of its own. Positions are in
these records alone: an edit changes them, and the index keeps what did not change.
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

MOST_LEVELS: Final = 2


class Found(Protocol):
    """Something that an index found."""

    @property
    def metadata(self) -> Mapping[str, Any]:
        """Its metadata, as an adapter wrote it."""
        ...


def family_records(chunks: Iterable[Chunk], document: str) -> Iterator[tuple[str, str]]:
    """The records of one document: for each family its key and its JSON lines.

    Args:
        chunks: Of one document, in its order.
        document: What tells it from others in its chunks' ids, from `metadata.document_key`.

    Raises:
        ValueError: The chunks have more than two levels.
    """
    records = [_renamed(chunk, document) for chunk in chunks]
    if any(record.level >= MOST_LEVELS for record in records):
        msg = "a retriever takes parents and children: give levels=(parents, children), or one"
        raise ValueError(msg)
    for key, family in groupby(records, lambda record: record.parent_id or record.id):
        yield key, Chunks(family).to_jsonl()


def family_key(metadata: Mapping[str, Any]) -> str:
    """The key of the family that a chunk is of.

    Raises:
        ChunkRecordError: It is no chunk of treepack.
    """
    key = metadata.get("parent_id") or metadata.get("chunk_id")
    if not key:
        msg = (
            f"what was found has no chunk_id in its metadata ({', '.join(metadata)[:80]}): "
            "index what treepack's splitter made"
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
        found: Best first, with scores or without.
        families: The JSON lines by `family_key`; None if the docstore has none.
        budget: See `treepack.retrieval.fill_context`.
        parent_weight: See there.

    Raises:
        ChunkRecordError: The docstore does not have what was found, or has other text there.
    """
    missing = [key for key, text in families.items() if text is None]
    if missing:
        msg = (
            f"the docstore lacks {len(missing)} of {len(families)} families that were found, such "
            f"as {missing[0]}: put the records of the same documents into it"
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
    """Where a part stands, in strings and numbers: what a framework shows as its source."""
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
    """The record under the ids of the index; its path begins with the document."""
    header = chunk.embed_text[: len(chunk.embed_text) - len(chunk.text)]
    path = header.removesuffix(BLANK_LINE)
    names = chunk.breadcrumb
    if document and names[:1] != (document,):
        names = (document, *names)
        path = SEPARATOR.join([document, path] if path else [document])
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
