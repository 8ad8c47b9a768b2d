"""Changed headings, and titles without markup: each is compared with the source."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Final

import treepack.model.blocks as model
from treepack.laws.audit_context import Log, quoted
from treepack.laws.reading.parsed_source import no_count
from treepack.laws.reading.titles import same_title
from treepack.markdown.block_tokens import plain_text
from treepack.model.blocks import Block, Span
from treepack.model.outline_change import OutlineChange
from treepack.model.source import Source
from treepack.outline.titles.finder import FoundTitle
from treepack.outline.titles.lines import Line, read_lines

_MOST_TITLE_LINES: Final = 6  # of a title, including blank lines inside it
_LABEL: Final = re.compile(r"[^\W\d_]{4,12}\s*[\r\n]+\s*\w{1,12}[.:]*\s*[\r\n]+")
_LONGEST_TITLE: Final = 1000  # characters of a title


def found_titles(
    source: Source,
    gaps: Sequence[Span],
    changes: Sequence[OutlineChange],
    blocks: Sequence[Block],
    log: Log,
) -> list[FoundTitle]:
    """Return the titles that records claim to have found, in order; a wrong one breaks law 7.

    A title is its own line, or the lines from there on that contain its words, and the line that
    underlines it. Whether a line is rightly a title is not checked; the report says so.

    Args:
        source: The text as it is written.
        gaps: The spans of what belongs to pages.
        changes: What records claim about headings; the old level of a found title is 0.
        blocks: The blocks of the text as they are without found titles.
        log: Collects the findings.
    """
    claims = sorted((change for change in changes if change.old_level == 0), key=attrgetter("line"))
    lines = read_lines(source, blocks, gaps) if claims else []
    titles: list[FoundTitle] = []
    for change in claims:
        title, breach = _title(source, lines, change)
        if title is not None and titles and title.start < titles[-1].end:
            breach = "overlaps the found title before it"
        if title is None or breach:
            _report(source, change, f"the found title {quoted(change.title)} {breach}", log)
        else:
            titles.append(title)
    return titles


def _title(
    source: Source, lines: Sequence[Line], change: OutlineChange
) -> tuple[FoundTitle | None, str]:
    """Return the title that a change names, or None; and what is wrong with it, or empty."""
    if not 1 <= change.line <= source.line_count:
        detail = f"the source has lines 1 to {source.line_count}"
        return None, f"is recorded on line {change.line}, but {detail}"
    if change.new_level is None or change.new_level < 1 or not change.reason.strip():
        detail = f"has the level {change.new_level} and the reason {quoted(change.reason)}"
        return None, f"{detail}, but needs a level from 1 and a reason"
    after = change.line - 1 + _MOST_TITLE_LINES
    low, high, limit = (
        bisect_left(lines, number, key=attrgetter("number"))
        for number in (change.line - 1, change.line, after)
    )
    pairs = ((line, end) for line in range(low, high) for end in range(line, limit))
    for first, last in pairs:
        start, end = lines[first].start, lines[last].end
        if end - start <= _LONGEST_TITLE and _is_title_text(change.title, source.text[start:end]):
            end = lines[last + 1].end if lines[last].underline else end
            title = FoundTitle(start, end, change.title, change.new_level, "title", change.reason)
            is_open = all(line.is_open for line in lines[first : last + 1])
            return title, "" if is_open else "is inside a table, a quote, HTML or a fence"
    begin, end = source.line_starts[change.line - 1 : change.line + 1]
    return None, f"is not the text of line {change.line}: {quoted(source.text[begin:end])}"


def _is_title_text(title: str, lines: str) -> bool:
    """Whether lines are a title, perhaps below a label on lines of its own.

    The title may lack the targets of links in markdown.
    """
    label = _LABEL.match(lines)
    candidates = (lines, lines[label.end() :]) if label else (lines,)
    return any(same_title(title, text, plain_text(text, {})) for text in candidates)


def with_changes(
    source: Source, blocks: Sequence[Block], changes: Sequence[OutlineChange], log: Log
) -> list[Block]:
    """Give headings the levels that changes claim; a change that names no heading is a breach.

    Whether a change is right is not checked; the report says so. Levels may be deeper than 6.
    """
    changed = list(blocks)
    if changes:
        has_titles = any(change.old_level == 0 for change in changes)
        prefix = "found titles and " * has_titles
        log.note_unchecked(7, f"whether {prefix}changed heading levels are right")
    headings = {
        source.line_at(block.start) + 1: (index, block)
        for index, block in enumerate(blocks if changes else ())
        if isinstance(block, model.Heading) and block.evidence == "mark"
    }
    for change in changes:
        if change.old_level == 0:
            continue
        index, heading = headings.pop(change.line, (0, None))  # a heading changes once
        breach = _breach(heading, change)
        if heading is None or breach:
            subject = f"the outline change of {quoted(change.title)} on line {change.line}"
            _report(source, change, f"{subject} {breach}", log)
        elif change.new_level is None:
            changed[index] = model.Paragraph(heading.start, heading.end, no_count)
        else:
            changed[index] = replace(heading, level=change.new_level)
    return changed


def _breach(heading: model.Heading | None, change: OutlineChange) -> str:
    """Return why a change cannot be one of this heading; empty if it can."""
    if heading is None:
        return "matches no heading there, or one that is already changed"
    if not same_title(change.title, heading.text):
        return f"does not match the heading there, {quoted(heading.text)}"
    if heading.level != change.old_level:
        return f"gives the old level {change.old_level}, but the heading has level {heading.level}"
    if change.new_level is not None and change.new_level < 1:
        return f"gives the new level {change.new_level}, but levels begin at 1"
    return "" if change.reason.strip() else "has no reason"


def _report(source: Source, change: OutlineChange, reason: str, log: Log) -> None:
    is_line = 1 <= change.line <= source.line_count
    log.add_finding(7, reason, source.line_starts[change.line - 1] if is_line else None)
