"""Chunks in levels: each level is checked by itself, and each child lies in one parent.

A cut between two parents belongs to the level above, so law 9 does not check it again below.
"""

from collections.abc import Iterator, Mapping, Sequence

from treepack.laws.audit_context import Log, quoted
from treepack.laws.pieces import AuditedChunk, record_pieces
from treepack.model.chunk import Chunk


def split_by_level(source: str, chunks: Sequence[Chunk]) -> dict[int, list[AuditedChunk]]:
    """Map each level to its pieces; chunks may be numbered per level, or through all levels."""
    places: dict[int, list[int]] = {}
    for place, chunk in enumerate(chunks):
        places.setdefault(chunk.level, []).append(place)
    own_numbers = all(
        chunks[place].index == number
        for of_level in places.values()
        for number, place in enumerate(of_level)
    )
    found: dict[int, list[AuditedChunk]] = {}
    for level, of_level in sorted(places.items()):
        found[level] = record_pieces(source, [chunks[place] for place in of_level])
        for number, (piece, place) in enumerate(zip(found[level], of_level, strict=True)):
            piece.index = place
            piece.number = number if own_numbers else place
    return found


def cap_of(level: int, pieces: Sequence[AuditedChunk], levels: Sequence[int] | None) -> int | None:
    """Return the cap of a level as given, or else the size of its largest chunk not oversize."""
    if levels is not None:
        return levels[level] if 0 <= level < len(levels) else None
    chunks = [piece.chunk for piece in pieces if piece.chunk and not piece.chunk.oversize]
    return max((chunk.embed_token_count for chunk in chunks), default=None)


def check_levels(log: Log, levels: dict[int, list[AuditedChunk]], known: int | None) -> None:
    """Check law 4 for ids, levels and parents, and law 1 for the place of each child.

    Args:
        log: Collects the findings.
        levels: The pieces of each level.
        known: How many levels there should be; None if unknown.
    """
    seen: set[str] = set()
    for level, pieces in levels.items():
        above = {piece.chunk.id: piece for piece in levels.get(level - 1, []) if piece.chunk}
        for piece in pieces:
            for law, reason in _breaches(piece, piece.chunk, above, seen, known):
                log.found(law, reason, piece.start if piece.spans else None, piece.index)


def _breaches(
    piece: AuditedChunk,
    chunk: Chunk | None,
    above: Mapping[str, AuditedChunk],
    seen: set[str],
    known: int | None,
) -> Iterator[tuple[int, str]]:
    if chunk is None:
        return
    if chunk.id in seen:
        yield 4, f"another chunk has the same id: {chunk.id}"
    seen.add(chunk.id)
    if known is not None and not 0 <= chunk.level < known:
        yield 4, f"its level is {chunk.level}, but levels are 0 to {known - 1}"
    parent = above.get(chunk.parent_id or "")
    if chunk.level == 0:
        if chunk.parent_id is not None:
            yield 4, f"its level is 0, but it has the parent {chunk.parent_id}"
    elif parent is None:
        yield 4, f"no chunk of the level above has its parent_id: {chunk.parent_id}"
    elif piece.spans and not (
        parent.spans and parent.start <= piece.start and piece.end <= parent.end
    ):
        yield 1, f"its body is not inside the body of its parent: {quoted(chunk.text)}"
