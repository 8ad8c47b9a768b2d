"""Law 7: the headings above a block are in its chunk's breadcrumb, or before it in the chunk."""

from collections.abc import Iterable, Sequence

from treepack.laws.audit_context import AuditContext, quoted
from treepack.laws.claims.clauses import clauses_named, has_ended
from treepack.laws.pieces import AuditedChunk
from treepack.laws.reading.blocks import AuditSection
from treepack.laws.reading.titles import holds_title, same_title


def check_paths(audit: AuditContext) -> None:
    """Check law 7 for each top-level block in each chunk.

    Sections are compared by identity, so sections with the same name are not confused.
    """
    for piece in audit.pieces:
        holders = _sections(audit, piece)
        if not holders:
            continue
        named: list[AuditSection] = []
        if piece.chunk is not None:
            entries = list(piece.chunk.breadcrumb)
            if entries and entries[0] == piece.chunk.document:
                entries.pop(0)
            named, false = _matched(entries, _common_path(holders))
            for entry in false:
                clauses = clauses_named(audit.source, entry, piece)
                if any(piece.end <= clause.end for clause in clauses):
                    continue
                reason = f"the breadcrumb entry {quoted(entry)} is not above all of the chunk"
                audit.log.found(7, reason, piece.start, piece.index)
        _check_ancestors(audit, piece, holders, named)


def _sections(audit: AuditContext, piece: AuditedChunk) -> list[AuditSection | None]:
    """Return the deepest section of each block in a chunk, without consecutive repeats."""
    found: list[AuditSection | None] = []
    for start, end in piece.spans:
        blocks = audit.source.blocks_in(start, end)
        audit.log.checked(7, len(blocks))
        for block in blocks:
            section = audit.source.section_at(block.start)
            if not found or found[-1] is not section:
                found.append(section)
    return found


def _common_path(holders: Sequence[AuditSection | None]) -> list[AuditSection]:
    """Return the sections that hold everything in a chunk, outermost first."""
    paths = [section.path if section else [] for section in holders]
    common = paths[0]
    for path in paths[1:]:
        length = 0
        for one, other in zip(common, path, strict=False):
            if one is not other:
                break
            length += 1
        common = common[:length]
    return common


def _matched(
    entries: Iterable[str], path: Sequence[AuditSection]
) -> tuple[list[AuditSection], list[str]]:
    """Return the sections of a path that breadcrumb entries name, in order, and the other entries.

    A heading without words, such as one that is only a note marker, has no entry.
    """
    path = [section for section in path if section.title]
    named: list[AuditSection] = []
    false: list[str] = []
    place = 0
    for entry in entries:
        for number in range(place, len(path)):
            if same_title(entry, path[number].title):
                named.append(path[number])
                place = number + 1
                break
        else:
            false.append(entry)
    return named, false


def _check_ancestors(
    audit: AuditContext,
    piece: AuditedChunk,
    holders: Sequence[AuditSection | None],
    named: Sequence[AuditSection],
) -> None:
    known = {id(section) for section in [*named, *audit.sections_in_text(piece)]}
    for holder in holders:
        for section in holder.path if holder else ():
            if id(section) in known or not section.title:
                continue
            known.add(id(section))
            if has_ended(audit.source, section, piece):
                continue
            if piece.lead and holds_title(piece.lead, section.title) and piece.chunk is None:
                continue
            where = "is neither in the breadcrumb nor before the block in the text"
            reason = f"the heading {quoted(section.title)} above a block {where}"
            audit.log.found(7, reason, max(section.start, piece.start), piece.index)
