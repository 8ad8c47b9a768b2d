"""What must stay with the beginning of a block: text before it, and its own first part."""

from bisect import bisect_right
from typing import Final

import regex

from treepack.laws.audit_context import LONGEST_TOKEN, AuditContext
from treepack.laws.fences import Code
from treepack.laws.reading.blocks import AuditBlock
from treepack.laws.reading.parsed_source import ParsedSource

_FIRST_TAG: Final = regex.compile(r"<!--.*?-->|</?[A-Za-z][^<>]*+>|\X", regex.DOTALL)
_CLUSTER: Final = regex.compile(r"\X")
_INTRO_ENDS: Final = frozenset(":：,")
QUOTE_MARKERS: Final = " \t>"


def intro_or_caption(audit: AuditContext, block: AuditBlock) -> AuditBlock | None:
    """Return the intro or caption that must stay with the beginning of a list or table, or None.

    Text before a list continues in it if it ends in a colon, a comma, a letter or a digit. A
    paragraph that takes more than half the cap may be cut off, so the result is None.
    """
    lead = audit.source.caption_before(block) if block.kind == "table" else None
    if block.kind == "list" and block.before and block.before.kind == "paragraph":
        last = audit.source.text[block.before.end - 1]
        lead = block.before if last in _INTRO_ENDS or last.isalnum() else None
    cap = audit.limits.max_tokens
    if lead is None or cap is None or lead.end - lead.start > cap * LONGEST_TOKEN:
        return None
    return None if audit.exceeds_share(audit.count_span(lead.start, lead.end), slack=0) else lead


def find_lead_start(audit: AuditContext, block: AuditBlock) -> int:
    """Return where the text begins that must share a chunk with the first character of a block.

    That text includes the block's intro. If it comes first in the block's holder, the text begins
    where it does for the holder. At the top level, it includes the headings above.
    """
    first = intro_or_caption(audit, block) or block
    holder = block.holder
    if holder is None:
        return headings_start(audit, first.start)
    if first is holder.children[0]:
        return find_lead_start(audit, holder)
    return line_start(audit.source, first.start)


def headings_start(audit: AuditContext, start: int) -> int:
    """Return where the headings directly above a top-level block begin, as far as they are near."""
    max_distance = LONGEST_TOKEN * (audit.limits.max_tokens or 0)
    blocks = audit.source.blocks
    index = bisect_right(audit.source.starts, start) - 1
    while index > 0 and blocks[index - 1].kind == "heading":
        index -= 1
        if start - blocks[index].start > max_distance:
            break
    return min(blocks[index].start, start)


def line_start(source: ParsedSource, position: int) -> int:
    """Return the start of a position's line if only quote markers precede it; else the position.

    A chunk has the markers of its first line as they are written, with all their whitespace.
    """
    start = source.line_starts[source.line_at(position)]
    return position if source.text[start:position].strip(QUOTE_MARKERS) else start


def opening(
    audit: AuditContext,
    block: AuditBlock,
    start: int,
    *,
    has_content: bool = False,
    has_intro: bool = False,
) -> str:
    """Return what stays together where a block, or its rest from ``start`` on, begins.

    That is a table's header or the fences of code, with the markers of items and quotes around;
    a caption, or an intro with the first character of its list; the title of an admonition, with
    the tag that its text may begin with.

    Args:
        audit: The context.
        block: The block.
        start: Where a chunk begins.
        has_content: Whether to add the first row to the header, or the first line to the fences.
        has_intro: Whether an intro or caption comes before the block.
    """
    text, first = audit.source.text, block
    while first.children and first.kind != "table" and first.children[-1].end > start:
        first = first.children[bisect_right(first.children, start, key=lambda child: child.end)]
    begin = max(start, block.start)
    if first.start < begin:
        return ""
    if introduced := _introduced_by(audit, first):
        return text[begin : introduced.start] + opening(
            audit, introduced, start, has_content=has_content, has_intro=True
        )
    if first.kind == "table":
        return text[begin : first.children[min(has_content, len(first.children) - 1)].end]
    if first.kind == "fence":
        code = Code(audit.source, first)
        lines = code.lines[: int(has_content)]
        return "\n".join([text[begin : first.start] + code.fences, *lines])
    is_titled = any(around.kind == "container" for around in first.containers)
    match = (_FIRST_TAG if is_titled else _CLUSTER).match(text, first.start)
    return text[begin : match.end()] if match and (is_titled or has_intro) else ""


def _introduced_by(audit: AuditContext, block: AuditBlock) -> AuditBlock | None:
    """Return the list or table after a block if the block is its intro or caption."""
    siblings = block.holder.children if block.holder else audit.source.blocks
    index = bisect_right(siblings, block.start, key=lambda sibling: sibling.start)
    after = siblings[index] if index < len(siblings) else None
    if after is None or after.kind not in {"list", "table"}:
        return None
    introductions = intro_or_caption(audit, after), audit.source.caption_before(after)
    return after if block in introductions else None
