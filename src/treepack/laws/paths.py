"""Law 7: the headings above a block are in its chunk's breadcrumb, or before it in the chunk."""

from collections.abc import Iterable, Sequence
from itertools import takewhile

from treepack.laws.audit_context import AuditContext, quoted
from treepack.laws.chunks import AuditedChunk
from treepack.laws.claims.clauses import clauses_named, has_ended
from treepack.laws.reading.blocks import AuditSection
from treepack.laws.reading.titles import holds_title, same_title


def check_paths(audit: AuditContext) -> None:
    """Check law 7 for each top-level block in each chunk.

    Sections are compared by identity, so sections with the same name are not confused.
    """
    for chunk in audit.chunks:
        sections = _sections(audit, chunk)
        if not sections:
            continue
        matched: list[AuditSection] = []
        if chunk.record is not None:
            entries = list(chunk.record.breadcrumb)
            if entries and entries[0] == chunk.record.document:
                entries.pop(0)
            matched, unmatched = _match_entries(entries, _common_path(sections))
            for entry in unmatched:
                clauses = clauses_named(audit.source, entry, chunk)
                if any(chunk.end <= clause.end for clause in clauses):
                    continue
                reason = f"the breadcrumb entry {quoted(entry)} is not above all of the chunk"
                audit.add_finding(7, chunk, reason)
        _check_ancestors(audit, chunk, sections, matched)


def _sections(audit: AuditContext, chunk: AuditedChunk) -> list[AuditSection | None]:
    """Return the deepest section of each block in a chunk, without consecutive repeats."""
    sections: list[AuditSection | None] = []
    for start, end in chunk.spans:
        blocks = audit.source.blocks_in(start, end)
        audit.log.count_checked(7, len(blocks))
        for block in blocks:
            section = audit.source.section_at(block.start)
            if not sections or sections[-1] is not section:
                sections.append(section)
    return sections


def _common_path(sections: Sequence[AuditSection | None]) -> list[AuditSection]:
    """Return the sections that hold everything in a chunk, outermost first."""
    paths = [section.path if section else [] for section in sections]
    common = paths[0]
    for path in paths[1:]:
        shared = takewhile(lambda pair: pair[0] is pair[1], zip(common, path, strict=False))
        common = [section for section, _ in shared]
    return common


def _match_entries(
    entries: Iterable[str], path: Sequence[AuditSection]
) -> tuple[list[AuditSection], list[str]]:
    """Return the sections of a path that breadcrumb entries name, in order, and the other entries.

    A heading without words, such as one that is only a note marker, has no entry.
    """
    path = [section for section in path if section.title]
    matched: list[AuditSection] = []
    unmatched: list[str] = []
    start = 0
    for entry in entries:
        for number in range(start, len(path)):
            if same_title(entry, path[number].title):
                matched.append(path[number])
                start = number + 1
                break
        else:
            unmatched.append(entry)
    return matched, unmatched


def _check_ancestors(
    audit: AuditContext,
    chunk: AuditedChunk,
    sections: Sequence[AuditSection | None],
    matched: Sequence[AuditSection],
) -> None:
    text_before = "" if chunk.record else chunk.text_before
    known = {id(section) for section in [*matched, *audit.sections_in_text(chunk)]}
    for block_section in sections:
        for section in block_section.path if block_section else ():
            if id(section) in known or not section.title:
                continue
            known.add(id(section))
            if has_ended(audit.source, section, chunk):
                continue
            if text_before and holds_title(text_before, section.title):
                continue
            where = "is neither in the breadcrumb nor before the block in the text"
            reason = f"the heading {quoted(section.title)} above a block {where}"
            audit.add_finding(7, chunk, reason, max(section.start, chunk.start))
