"""Law 8: a heading shares its chunk with the beginning of what it heads."""

from bisect import bisect_right

from treepack.laws.audit_context import MOST_CHARACTERS, AuditContext, quoted
from treepack.laws.claims.clauses import has_ended
from treepack.laws.openings import opening
from treepack.laws.pieces import AuditedChunk
from treepack.laws.reading.blocks import AuditBlock, AuditSection
from treepack.model.blocks import ListBlock


def check_orphans(audit: AuditContext) -> None:
    """Check law 8 for the last blocks of each chunk."""
    audit.log.checked(8, len(audit.source.sections))
    following = _next_contents(audit)
    place_of = {id(block): place for place, block in enumerate(audit.source.blocks)}
    for piece in audit.bodies:
        last = audit.source.blocks_in(piece.end - 1, piece.end)
        if not last or last[0].kind != "heading" or last[0].end > piece.end:
            continue
        place = place_of[id(last[0])]
        if _would_be_joined(audit, piece, place):
            continue
        orphan = _orphan(audit, piece, place, following)
        if orphan is not None:
            reason = f"the heading {quoted(orphan.title)} is separated from its content"
            audit.log.found(8, reason, orphan.start, piece.index)


def _would_be_joined(audit: AuditContext, piece: AuditedChunk, place: int) -> bool:
    """Whether the end of a cut heading reads as a paragraph that continues on the next line.

    Indented code, math and a list that does not begin with 1 cannot interrupt a paragraph
    (CommonMark 5.3).
    """
    heading, *following = audit.source.blocks[place : place + 2]
    if heading.start >= piece.start or not following:
        return False
    after = following[0]
    first = after.node.items[0].marker.rstrip(".)") if isinstance(after.node, ListBlock) else ""
    is_joined = after.kind in {"code", "math"} or (first.isdigit() and first != "1")
    line_of = audit.source.line_of
    return is_joined and line_of(after.start) <= line_of(heading.end - 1) + 1


def _next_contents(audit: AuditContext) -> list[int]:
    """Return for each top-level block the index of the first non-heading at or after it."""
    blocks = audit.source.blocks
    found = [len(blocks)] * (len(blocks) + 1)
    for place in range(len(blocks) - 1, -1, -1):
        found[place] = found[place + 1] if blocks[place].kind == "heading" else place
    return found


def _orphan(
    audit: AuditContext, piece: AuditedChunk, place: int, following: list[int]
) -> AuditSection | None:
    """Return the heading at the end of a chunk that is separated from what it heads, or None.

    Consecutive headings belong together, up to the first content under them. A heading whose
    section has no more content may end a chunk, unless a heading before it still waits for content.
    If the headings from the outermost one on are too long for one chunk, any cut is allowed.
    """
    blocks = audit.source.blocks
    if place + 1 == len(blocks):
        return None
    after = blocks[place + 1]
    content = blocks[following[place]] if following[place] < len(blocks) else None
    own = audit.source.section_at(blocks[place].start)
    waiting: list[AuditSection] = []
    start = blocks[place].start
    right = audit.bodies[bisect_right(audit.starts, after.start) - 1]
    while place >= 0 and blocks[place].kind == "heading" and blocks[place].end > piece.start:
        section = audit.source.section_at(blocks[place].start)
        place -= 1
        if section is None or section.end <= after.start:
            continue
        if has_ended(audit.source, section, right):
            continue
        start = section.start
        if (content is not None and content.start < section.end) or section is own:
            waiting.append(section)
    if not waiting:
        return None
    has_content = content is not None and content.start < waiting[-1].end
    start = max(start, piece.start)
    return waiting[0] if _fits(audit, piece, start, content if has_content else after) else None


def _fits(audit: AuditContext, piece: AuditedChunk, start: int, content: AuditBlock | None) -> bool:
    """Whether the headings from ``start`` on and the first part of the content fit one chunk."""
    cap = audit.limits.max_tokens
    if cap is None or content is None:
        return True
    is_heading = content.kind == "heading"
    text = audit.source.text[start : content.end if is_heading else content.start]
    text += "" if is_heading else opening(audit, content, content.start, has_content=True)
    if len(text) > cap * MOST_CHARACTERS:
        return False
    context = audit.context_tokens(piece, start)
    return not audit.fills(audit.count(text) + context, 1)
