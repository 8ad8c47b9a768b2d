"""Headings whose levels were changed: each change is compared with the source, then applied."""

from collections.abc import Sequence
from dataclasses import replace

from treepack.laws.audit_context import Log, quoted
from treepack.laws.claims.found_titles import is_found
from treepack.laws.reading.parsed_source import no_count
from treepack.laws.reading.titles import same_title
from treepack.model.blocks import Block, Heading, Paragraph
from treepack.model.chunk import Chunk
from treepack.model.outline_change import OutlineChange
from treepack.model.source import Source


def recorded_changes(chunks: Sequence[Chunk] | Sequence[str]) -> list[OutlineChange]:
    """The changes that chunk records carry; none in the texts of other tools."""
    return [
        change for chunk in chunks if isinstance(chunk, Chunk) for change in chunk.outline_changes
    ]


def with_changes(
    source: Source, blocks: Sequence[Block], changes: Sequence[OutlineChange], log: Log
) -> list[Block]:
    """Give headings the levels that changes claim; a change that names no heading is a breach.

    Whether a change is right is not checked; the report says so. Levels may be deeper than 6.
    """
    found = list(blocks)
    if not changes:
        return found
    what = "found titles and " if any(map(is_found, changes)) else ""
    log.unchecked(7, f"whether {what}changed heading levels are right")
    headings = {
        source.line_at(block.start) + 1: (place, block)
        for place, block in enumerate(blocks)
        if isinstance(block, Heading) and block.evidence == "mark"
    }
    for change in changes:
        if is_found(change):
            continue
        place, heading = headings.pop(change.line, (0, None))  # a heading changes once
        breach = _breach(heading, change)
        if heading is None or breach:
            _report(source, change, breach or "names no heading of that line", log)
        elif change.new_level is None:
            found[place] = Paragraph(heading.start, heading.end, no_count)
        else:
            found[place] = replace(heading, level=change.new_level)
    return found


def _breach(heading: Heading | None, change: OutlineChange) -> str:
    """Why a change cannot be that of a heading; empty if it can."""
    if heading is None:
        return ""
    if not same_title(change.title, heading.text):
        return f"names another heading than {quoted(heading.text)}"
    if heading.level != change.old_level:
        return f"says that its level was {change.old_level}, but it is {heading.level}"
    if change.new_level is not None and change.new_level < 1:
        return f"gives it the level {change.new_level}"
    return "" if change.reason.strip() else "has no reason"


def _report(source: Source, change: OutlineChange, breach: str, log: Log) -> None:
    is_line = 1 <= change.line <= source.line_count
    position = source.line_starts[change.line - 1] if is_line else None
    place = "" if is_line else f" of line {change.line}"
    log.found(7, f"the outline change{place} of {quoted(change.title)} {breach}", position)
