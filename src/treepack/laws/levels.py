"""Chunks in levels: each level is checked by itself, and each child lies in one parent.

A cut between two parents belongs to the level above, so law 9 does not check it again below.
"""

from collections.abc import Iterator, Mapping, Sequence

from treepack.laws.audit_context import Log, quoted
from treepack.laws.chunks import AuditedChunk, chunks_from_records
from treepack.model.chunk import Chunk


def split_by_level(source: str, records: Sequence[Chunk]) -> dict[int, list[AuditedChunk]]:
    """Map each level to its chunks; they may be numbered per level, or through all levels."""
    by_level: dict[int, list[AuditedChunk]] = {}
    for record, chunk in zip(records, chunks_from_records(source, records), strict=True):
        by_level.setdefault(record.level, []).append(chunk)
    numbers = [number for chunks in by_level.values() for number in range(len(chunks))]
    every_chunk = [chunk for chunks in by_level.values() for chunk in chunks]
    if numbers == [records[chunk.index].index for chunk in every_chunk]:
        for number, chunk in zip(numbers, every_chunk, strict=True):
            chunk.expected_index = number
    return dict(sorted(by_level.items()))


def cap_of(level: int, chunks: Sequence[AuditedChunk], levels: Sequence[int] | None) -> int | None:
    """Return the cap of a level as given, or else the size of its largest chunk not oversize."""
    if levels is not None:
        return levels[level] if 0 <= level < len(levels) else None
    records = [chunk.record for chunk in chunks if chunk.record and not chunk.record.oversize]
    return max((record.embed_token_count for record in records), default=None)


def check_levels(log: Log, levels: dict[int, list[AuditedChunk]], level_count: int | None) -> None:
    """Check law 4 for ids, levels and parents, and law 1 for the place of each child.

    Args:
        log: Collects the findings.
        levels: The chunks of each level.
        level_count: How many levels there should be; None if unknown.
    """
    ids: set[str] = set()
    for level, chunks in levels.items():
        parents = {chunk.record.id: chunk for chunk in levels.get(level - 1, []) if chunk.record}
        for chunk in chunks:
            for law, reason in _breaches(chunk, chunk.record, parents, ids, level_count):
                log.add_finding(law, reason, chunk.start if chunk.spans else None, chunk.index)


def _breaches(
    chunk: AuditedChunk,
    record: Chunk | None,
    parents: Mapping[str, AuditedChunk],
    ids: set[str],
    level_count: int | None,
) -> Iterator[tuple[int, str]]:
    if record is None:
        return
    if record.id in ids:
        yield 4, f"another chunk has the same id: {record.id}"
    ids.add(record.id)
    if level_count is not None and not 0 <= record.level < level_count:
        yield 4, f"its level is {record.level}, but levels are 0 to {level_count - 1}"
    parent = parents.get(record.parent_id or "")
    if record.level == 0:
        if record.parent_id is not None:
            yield 4, f"its level is 0, but it has the parent {record.parent_id}"
    elif parent is None:
        yield 4, f"no chunk of the level above has its parent_id: {record.parent_id}"
    elif chunk.spans and not (
        parent.spans and parent.start <= chunk.start and chunk.end <= parent.end
    ):
        yield 1, f"its body is not inside the body of its parent: {quoted(record.text)}"
