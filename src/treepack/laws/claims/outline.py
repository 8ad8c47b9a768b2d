"""Headings whose levels were changed: each change is compared with the source, then applied."""

from collections.abc import Sequence

from treepack.laws.audit_context import Log, quoted
from treepack.laws.claims.found_titles import is_found
from treepack.laws.reading.blocks import Block
from treepack.laws.reading.parsed_source import ParsedSource
from treepack.laws.reading.titles import same_title
from treepack.model.chunk import Chunk
from treepack.model.outline_change import OutlineChange


def recorded_changes(chunks: Sequence[Chunk] | Sequence[str]) -> list[OutlineChange]:
    """The changes that chunk records carry; none in the texts of other tools."""
    return [
        change for chunk in chunks if isinstance(chunk, Chunk) for change in chunk.outline_changes
    ]


def apply_changes(source: ParsedSource, changes: Sequence[OutlineChange], log: Log) -> None:
    """Give headings the levels that changes claim; a change that names no heading is a breach.

    Whether a change is right is not checked; the report says so. Levels may be deeper than 6.
    """
    if changes:
        what = "found titles and " if any(map(is_found, changes)) else ""
        log.unchecked(7, f"whether {what}changed heading levels are right")
    # By the line of the mark: the text may begin later, after characters that Unicode calls blank.
    headings = {
        source.printed_line_of(source.line_starts[b.lines[0]]): b
        for b in source.blocks
        if b.kind == "heading" and b.start not in source.titles
    }
    for change in changes:
        if is_found(change):
            continue
        heading = headings.pop(change.line, None)  # a heading changes once
        breach = _breach(source, heading, change)
        if heading is None or breach:
            _report(source, change, breach or "names no heading of that line", log)
        else:
            source.relevel(heading, change.new_level)


def _breach(source: ParsedSource, heading: Block | None, change: OutlineChange) -> str:
    """Why a change cannot be that of a heading; empty if it can."""
    if heading is None:
        return ""
    level, titles = source.heading(heading)
    if not same_title(change.title, *titles):
        return f"names another heading than {quoted(titles[0])}"
    if level != change.old_level:
        return f"says that its level was {change.old_level}, but it is {level}"
    if change.new_level is not None and change.new_level < 1:
        return f"gives it the level {change.new_level}"
    return "" if change.reason.strip() else "has no reason"


def _report(source: ParsedSource, change: OutlineChange, breach: str, log: Log) -> None:
    is_line = 1 <= change.line <= len(source.printed_starts)
    position = source.printed_starts[change.line - 1] if is_line else None
    place = "" if is_line else f" of line {change.line}"
    log.found(7, f"the outline change{place} of {quoted(change.title)} {breach}", position)
