"""Law 8: a heading shares its chunk with the first of what it heads."""

from bisect import bisect_right
from typing import Final

import regex

from treepack.laws.audit_context import MOST_CHARACTERS, SLACK, AuditContext, quoted
from treepack.laws.claims.clauses import has_ended
from treepack.laws.pieces import Piece
from treepack.laws.reading.blocks import Block, Section
from treepack.model.blocks import ListBlock

_FIRST_TAG: Final = regex.compile(r"<!--.*?-->|</?[A-Za-z][^<>]*+>", regex.DOTALL)
_CLUSTER: Final = regex.compile(r"\X")


def check_orphans(audit: AuditContext) -> None:
    """Law 8, for the last blocks of each chunk."""
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
            reason = f"the heading {quoted(orphan.title)} is parted from what it heads"
            audit.log.found(8, reason, orphan.start, piece.index)


def _would_be_joined(audit: AuditContext, piece: Piece, place: int) -> bool:
    """Whether the end of a heading that is cut reads as a paragraph that the next line goes on.

    Indented code, math and a list that does not begin with 1 end no paragraph (CommonMark 5.3).
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
    """For each top-level block, the index of the first block from there on that is no heading."""
    blocks = audit.source.blocks
    found = [len(blocks)] * (len(blocks) + 1)
    for place in range(len(blocks) - 1, -1, -1):
        found[place] = found[place + 1] if blocks[place].kind == "heading" else place
    return found


def _orphan(audit: AuditContext, piece: Piece, place: int, following: list[int]) -> Section | None:
    """The heading at the end of a chunk that is parted from what it heads; None if there is none.

    Headings in a row belong together, up to the first content under them. A heading whose section
    has no more content may end a chunk, unless a heading before it still waits for content. Where
    those from the outermost one on are too long for one chunk, they may be parted anywhere.
    """
    blocks = audit.source.blocks
    if place + 1 == len(blocks):
        return None
    after = blocks[place + 1]
    content = blocks[following[place]] if following[place] < len(blocks) else None
    own = audit.source.section_at(blocks[place].start)
    waiting: list[Section] = []
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


def _fits(audit: AuditContext, piece: Piece, start: int, content: Block | None) -> bool:
    """Whether the headings from ``start`` on and a first part of the content fit a chunk."""
    cap = audit.limits.max_tokens
    if cap is None or content is None:
        return True
    content = _captioned(audit, content) or content
    end = content.end if content.kind == "heading" else content.start
    text = audit.source.text[start:end] + _needed(audit, content)
    if len(text) > cap * MOST_CHARACTERS:
        return False
    context = audit.context_tokens(piece, start)
    return audit.count(text) + context + SLACK <= cap


def _following(audit: AuditContext, block: Block) -> Block | None:
    """The next block at the top level."""
    place = bisect_right(audit.source.starts, block.start)
    return audit.source.blocks[place] if place < len(audit.source.blocks) else None


def _captioned(audit: AuditContext, block: Block) -> Block | None:
    """The table that a paragraph is the caption of: the two are not parted either."""
    table = _following(audit, block)
    is_table = table is not None and table.kind == "table"
    return table if is_table and table and audit.source.caption_before(table) is block else None


def _led(audit: AuditContext, block: Block) -> Block | None:
    """The list that a paragraph leads to: the two are not parted either."""
    led = _following(audit, block)
    return led if led and led.kind == "list" and audit.leading(led) is block else None


def _first_inside(audit: AuditContext, block: Block) -> Block:
    """The first block without blocks in it, or the table that this is the caption of."""
    inner = block.children
    if not inner or block.kind == "table":
        return block
    is_caption = len(inner) > 1 and audit.source.caption_before(inner[1]) is inner[0]
    return _first_inside(audit, inner[int(is_caption)])


def _needed(audit: AuditContext, content: Block) -> str:
    """What the first part of a block must have: a table its header and a row, code its fence.

    A lead-in has the first character of its list. An admonition has its opening line and some of
    what stands below it, which may begin with a tag. Each may be the first in a quote or item.
    """
    text = audit.source.text
    first = _first_inside(audit, content)
    if led := _led(audit, content):
        cluster = _CLUSTER.match(text, _first_inside(audit, led).start)
        return text[content.start : cluster.end() if cluster else led.start]
    if first.kind == "table":
        rows = first.children
        return text[content.start : rows[min(1, len(rows) - 1)].end]
    if any(around.kind == "container" for around in first.containers):
        tag = _FIRST_TAG.match(text, first.start, first.end)
        return text[content.start : tag.end() if tag else first.start]
    if first.kind != "fence":
        return ""
    line, after = audit.source.lines_of(first)
    end = audit.source.span_of_lines(line, min(line + 2, after))[1]
    return text[content.start : end] + text[first.start : first.start + 8]
