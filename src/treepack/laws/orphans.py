"""Law 8: a heading shares its chunk with the beginning of what it heads."""

from bisect import bisect_right

from treepack.laws.audit_context import LONGEST_TOKEN, AuditContext, quoted
from treepack.laws.chunks import AuditedChunk
from treepack.laws.claims.clauses import has_ended
from treepack.laws.openings import opening
from treepack.laws.reading.blocks import AuditBlock, AuditSection


def check_orphans(audit: AuditContext) -> None:
    """Check law 8 for the last blocks of each chunk."""
    audit.log.count_checked(8, len(audit.source.sections))
    next_contents = _next_contents(audit)
    index_of = {id(block): index for index, block in enumerate(audit.source.blocks)}
    for chunk in audit.ordered_chunks:
        last = audit.source.blocks_in(chunk.end - 1, chunk.end)
        if not last or last[0].kind != "heading" or last[0].end > chunk.end:
            continue
        index = index_of[id(last[0])]
        orphan = _orphan(audit, chunk, index, next_contents[index])
        if orphan is not None:
            reason = f"the heading {quoted(orphan.title)} is separated from its content"
            audit.add_finding(8, chunk, reason, orphan.start)


def _next_contents(audit: AuditContext) -> list[AuditBlock | None]:
    """Return for each top-level block the first block that is not a heading, at or after it."""
    next_contents: list[AuditBlock | None] = []
    content: AuditBlock | None = None
    for block in reversed(audit.source.blocks):
        content = content if block.kind == "heading" else block
        next_contents.append(content)
    return next_contents[::-1]


def _orphan(
    audit: AuditContext, chunk: AuditedChunk, index: int, content: AuditBlock | None
) -> AuditSection | None:
    """Return the heading at the end of a chunk that is separated from what it heads, or None.

    Consecutive headings belong together, up to the first content under them. A heading whose
    section has no more content may end a chunk, unless a heading before it still waits for content.
    If the headings from the outermost one on are too long for one chunk, any cut is allowed.
    """
    blocks = audit.source.blocks
    if index + 1 == len(blocks):
        return None
    after = blocks[index + 1]
    last_section = audit.source.section_at(blocks[index].start)
    without_content: list[AuditSection] = []
    start = blocks[index].start
    right = audit.ordered_chunks[bisect_right(audit.starts, after.start) - 1]
    while index >= 0 and blocks[index].kind == "heading" and blocks[index].end > chunk.start:
        section = audit.source.section_at(blocks[index].start)
        index -= 1
        if section is None or section.end <= after.start:
            continue
        if has_ended(audit.source, section, right):
            continue
        start = section.start
        if (content is not None and content.start < section.end) or section is last_section:
            without_content.append(section)
    if not without_content:
        return None
    if content is None or content.start >= without_content[-1].end:
        content = after
    fits = _fits(audit, chunk, max(start, chunk.start), content)
    return without_content[0] if fits else None


def _fits(audit: AuditContext, chunk: AuditedChunk, start: int, content: AuditBlock) -> bool:
    """Whether the headings from ``start`` on and the first part of the content fit one chunk."""
    cap = audit.limits.max_tokens
    if cap is None:
        return True
    is_heading = content.kind == "heading"
    text = audit.source.text[start : content.end if is_heading else content.start]
    text += "" if is_heading else opening(audit, content, content.start, has_content=True)
    if len(text) > cap * LONGEST_TOKEN:
        return False
    context = audit.context_tokens(chunk, start)
    return not audit.exceeds_share(audit.count(text) + context, 1)
