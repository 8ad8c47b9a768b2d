"""What must stay with the beginning of a block: text before it, and its own first part."""

from bisect import bisect_right
from typing import Final

import regex

from treepack.laws.audit_context import MOST_CHARACTERS, AuditContext
from treepack.laws.fences import Code
from treepack.laws.reading.blocks import AuditBlock
from treepack.laws.reading.parsed_source import ParsedSource

_FIRST_TAG: Final = regex.compile(r"<!--.*?-->|</?[A-Za-z][^<>]*+>|\X", regex.DOTALL)
_CLUSTER: Final = regex.compile(r"\X")
_LEADS: Final = frozenset(":：,")
_LONGEST_LABEL: Final = 12  # characters of a label that is a paragraph of its own
QUOTE_MARKS: Final = " \t>"


def leading(audit: AuditContext, block: AuditBlock) -> AuditBlock | None:
    """Return the lead-in or caption that must stay with the beginning of a list or table, or None.

    Text before a list continues in it if it ends in a colon, a comma, a letter or a digit. A
    paragraph that takes more than half the cap may be cut off, so the result is None.
    """
    found = audit.source.caption_before(block) if block.kind == "table" else None
    if block.kind == "list" and block.before and block.before.kind == "paragraph":
        last = audit.source.text[block.before.end - 1]
        found = block.before if last in _LEADS or last.isalnum() else None
    cap = audit.limits.max_tokens
    if found is None or cap is None or found.end - found.start > cap * MOST_CHARACTERS:
        return None
    return None if audit.fills(audit.count_span(found.start, found.end), slack=0) else found


def lead_of(audit: AuditContext, block: AuditBlock) -> int:
    """Return where the text begins that must share a chunk with the first character of a block.

    That text includes the block's lead-in or labels. If these come first in the block's holder, it
    begins where it does for the holder. At the top level, it includes the headings above.
    """
    first = leading(audit, block) or _first_label(audit.source.text, block)
    holder = block.holder
    if holder is None:
        return headed(audit, first.start)
    if first is holder.children[0]:
        return lead_of(audit, holder)
    return line_start(audit.source, first.start)


def headed(audit: AuditContext, start: int) -> int:
    """Return where the headings directly above a top-level block begin, as far as they are near."""
    most = MOST_CHARACTERS * (audit.limits.max_tokens or 0)
    blocks = audit.source.blocks
    place = bisect_right(audit.source.starts, start) - 1
    while place > 0 and blocks[place - 1].kind == "heading":
        place -= 1
        if start - blocks[place].start > most:
            break
    return min(blocks[place].start, start)


def line_start(source: ParsedSource, place: int) -> int:
    """Return the start of a position's line if only quote markers precede it; else the position.

    A chunk has the markers of its first line as they are written, with all their whitespace.
    """
    start = source.line_starts[source.line_of(place) - 1]
    return place if source.text[start:place].strip(QUOTE_MARKS) else start


def _first_label(text: str, block: AuditBlock) -> AuditBlock:
    """Return the first of the paragraphs before a block that are only labels, or the block.

    In laws converted from HTML, each label is a paragraph of its own, sometimes twice.
    """
    first = block
    before = block.before
    while before and before.kind == "paragraph" and before.end - before.start <= _LONGEST_LABEL:
        if len(text[before.start : before.end].split()) > 1:
            break
        first, before = before, before.before
    return first


def opening(
    audit: AuditContext,
    block: AuditBlock,
    start: int,
    *,
    has_content: bool = False,
    is_led: bool = False,
) -> str:
    """Return what stays together where a block, or its rest from ``start`` on, begins.

    That is a table's header or the fences of code, with the markers of items and quotes around;
    a caption, or a lead-in with the first character of its list; the title of an admonition, with
    the tag that its text may begin with.

    Args:
        audit: The context.
        block: The block.
        start: Where a chunk begins.
        has_content: Whether to add the first row to the header, or the first line to the fences.
        is_led: Whether a lead-in or caption comes before the block.
    """
    text, first = audit.source.text, block
    while first.children and first.kind != "table" and first.children[-1].end > start:
        first = first.children[bisect_right(first.children, start, key=lambda child: child.end)]
    begin = max(start, block.start)
    if first.start < begin:
        return ""
    if led := _led(audit, first):
        return text[begin : led.start] + opening(
            audit, led, start, has_content=has_content, is_led=True
        )
    if first.kind == "table":
        return text[begin : first.children[min(has_content, len(first.children) - 1)].end]
    if first.kind == "fence":
        code = Code(audit.source, first)
        lines = code.lines[: int(has_content)]
        return "\n".join([text[begin : first.start] + code.fences, *lines])
    is_titled = any(around.kind == "container" for around in first.containers)
    match = (_FIRST_TAG if is_titled else _CLUSTER).match(text, first.start)
    return text[begin : match.end()] if match and (is_titled or is_led) else ""


def _led(audit: AuditContext, block: AuditBlock) -> AuditBlock | None:
    """Return the list or table after a block if the block is its lead-in or caption."""
    siblings = block.holder.children if block.holder else audit.source.blocks
    place = bisect_right(siblings, block.start, key=lambda each: each.start)
    after = siblings[place] if place < len(siblings) else None
    if after is None or after.kind not in {"list", "table"}:
        return None
    return after if block in (leading(audit, after), audit.source.caption_before(after)) else None
