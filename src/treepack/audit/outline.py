"""Headings whose levels were changed: each change is held against the source, then applied."""

from collections.abc import Sequence

from treepack.audit.blocks import Block
from treepack.audit.case import Log, quoted
from treepack.audit.reading import Reading
from treepack.audit.titles import same_title
from treepack.packing.chunk import Chunk, OutlineChange


def recorded_changes(chunks: Sequence[Chunk] | Sequence[str]) -> list[OutlineChange]:
    """The changes that chunk records carry; none in the texts of other tools."""
    return [
        change for chunk in chunks if isinstance(chunk, Chunk) for change in chunk.outline_changes
    ]


def apply_changes(source: Reading, changes: Sequence[OutlineChange], log: Log) -> None:
    """Give headings the levels that they are said to have; what names no heading is a breach.

    That a change is right is not checked: the report says so. Levels may be deeper than 6.
    """
    if changes:
        log.unchecked(7, "whether changed heading levels are right")
    headings = {source.line_of(b.start): b for b in source.blocks if b.kind == "heading"}
    for change in changes:
        heading = headings.pop(change.line, None)  # a heading changes once
        breach = _breach(source, heading, change)
        if heading is None or breach:
            _report(source, change, breach or "names no heading of that line", log)
        else:
            source.relevel(heading, change.new_level)


def _breach(source: Reading, heading: Block | None, change: OutlineChange) -> str:
    """Why a change cannot be that of a heading; empty if it can."""
    if heading is None:
        return ""
    level, titles = source.heading(heading)
    if not same_title(change.title, *titles):
        return f"names another heading than {quoted(titles[0])}"
    if level != change.old_level:
        return f"says that its level was {change.old_level}, which is {level}"
    if change.new_level is not None and change.new_level < 1:
        return f"gives it the level {change.new_level}"
    return "" if change.reason.strip() else "has no reason"


def _report(source: Reading, change: OutlineChange, breach: str, log: Log) -> None:
    is_line = 1 <= change.line <= len(source.line_starts)
    position = source.line_starts[change.line - 1] if is_line else None
    place = "" if is_line else f" of line {change.line}"
    log.found(7, f"the outline change{place} of {quoted(change.title)} {breach}", position)
