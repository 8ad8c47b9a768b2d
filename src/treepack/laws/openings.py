"""What begins a block and is not parted from what follows: a header, a fence, a lead-in."""

from bisect import bisect_right
from typing import Final

import regex

from treepack.laws.audit_context import AuditContext
from treepack.laws.fences import Code
from treepack.laws.reading.blocks import Block

_FIRST_TAG: Final = regex.compile(r"<!--.*?-->|</?[A-Za-z][^<>]*+>|\X", regex.DOTALL)
_CLUSTER: Final = regex.compile(r"\X")


def opening(
    audit: AuditContext,
    block: Block,
    start: int,
    *,
    has_content: bool = False,
    is_led: bool = False,
) -> str:
    """What stays together where a block begins, or the rest of one from ``start`` on.

    That is a table's header or the fences of code, with the marks of items and quotes around; a
    caption, or a lead-in with the first character of its list; the title of an admonition, with
    the tag that its text may begin with.

    Args:
        audit: The context.
        block: The block.
        start: Where a chunk begins.
        has_content: Whether the first row goes with the header, the first line with the fences.
        is_led: Whether a lead-in stands before the block.
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


def _led(audit: AuditContext, block: Block) -> Block | None:
    """The list or table after a block that is its lead-in or caption."""
    siblings = block.holder.children if block.holder else audit.source.blocks
    place = bisect_right(siblings, block.start, key=lambda each: each.start)
    after = siblings[place] if place < len(siblings) else None
    if after is None or after.kind not in {"list", "table"}:
        return None
    return after if block in (audit.leading(after), audit.source.caption_before(after)) else None
