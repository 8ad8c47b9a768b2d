"""Headings that were changed, and titles that no mark shows: each is compared with the source."""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import pairwise
from typing import Final

import treepack.model.blocks as model
from treepack.laws.audit_context import Log, quoted
from treepack.laws.reading.blocks import trimmed
from treepack.laws.reading.parsed_source import no_count
from treepack.laws.reading.titles import same_title
from treepack.markdown.block_tokens import plain_text
from treepack.model.blocks import Block, Span
from treepack.model.outline_change import OutlineChange
from treepack.model.source import Source
from treepack.outline.titles.finder import FoundTitle

_MOST_LINES: Final = 6  # that a title takes, blank ones between included
_UNDERLINE: Final = re.compile(r"([=\-~^*\"'`+#_])\1{2,}")
_LABEL: Final = re.compile(r"[^\W\d_]{4,12}\s*[\r\n]+\s*\w{1,12}[.:]*\s*[\r\n]+")
_LONGEST: Final = 1000  # characters of a title


def found_titles(
    source: Source,
    text: str,
    changes: Sequence[OutlineChange],
    blocks: Sequence[Block],
    log: Log,
) -> list[FoundTitle]:
    """The titles that records say were found, in order; a wrong one is a breach of law 7.

    A title is its own line, or the lines from there on that make up its words, and the line that
    underlines it. Whether a line is rightly a title is not checked; the report says so.

    Args:
        source: The text as it is written.
        text: The same with blanks for what belongs to pages.
        changes: What records say of headings; a title had no level before.
        blocks: The blocks of the text as they are without found titles.
        log: Takes the findings.
    """
    titles: list[FoundTitle] = []
    lines = list(pairwise(source.line_starts))
    closed = [
        (block.start, block.end)
        for block in blocks
        if isinstance(block, model.Table | model.BlockQuote | model.FrontMatter)
        or (isinstance(block, model.CodeBlock) and block.fence)
    ]
    begun = {start for start, _ in closed}
    for change in sorted(changes, key=lambda change: change.line):
        if change.old_level != 0:
            continue
        title, breach = _title(text, lines, change, begun)
        if title is not None and titles and title.start < titles[-1].end:
            breach = "stands in another title"
        elif title is not None and any(s < title.end and title.start < e for s, e in closed):
            breach = "stands in a table, a quote or code with a fence"
        if title is None or breach:
            _report(source, change, f"the found title {quoted(change.title)} {breach}", log)
        else:
            titles.append(title)
    return titles


def _title(
    text: str, lines: Sequence[Span], change: OutlineChange, begun: AbstractSet[int]
) -> tuple[FoundTitle | None, str]:
    """The title that a change names, or why there is none.

    ``begun`` has where blocks begin that hold no title: a line of ``~~~`` that opens code does not
    underline what is above.
    """
    if not 1 <= change.line <= len(lines):
        return None, f"is said to be on line {change.line}, but there is no such line"
    if change.new_level is None or change.new_level < 1 or not change.reason.strip():
        return None, "has no level, or no reason"
    first = change.line - 1
    begin, after = lines[first]
    feeds = (begin + feed.end() for feed in re.finditer("\f", text[begin:after]))  # end lines too
    for start in (trimmed(text, place, after)[0] for place in (begin, *feeds)):
        near = lines[first : first + _MOST_LINES + 1]
        if end := _title_end(text, start, near, change.title, begun):
            level, reason = change.new_level, change.reason
            return FoundTitle(start, end, change.title, level, "title", reason), ""
    return None, f"is not what line {change.line} says: {quoted(text[begin:after])}"


def _title_end(
    text: str, start: int, lines: Sequence[Span], title: str, begun: AbstractSet[int]
) -> int:
    """Where a title ends that begins at a place in the first of some lines; 0 if none does."""
    for (_, after), below in zip(lines, [*lines[1:], (0, 0)], strict=False):
        feed = text.find("\f", start, after)
        end = trimmed(text, start, after if feed < 0 else feed)[1]
        if end - start > _LONGEST:
            break
        if end > start and _says(title, text[start:end]):
            line, line_end = trimmed(text, *below)
            underlines = feed < 0 and line not in begun
            is_underlined = underlines and _UNDERLINE.fullmatch(text, line, line_end)
            return line_end if is_underlined else end
    return 0


def _says(title: str, lines: str) -> bool:
    """Whether lines are a title, perhaps below a label on lines of its own: CHAPTER, ONE.

    A title of markdown says nothing of where its links lead.
    """
    label = _LABEL.match(lines)
    below = [lines[label.end() :]] if label else []
    return any(same_title(title, said, plain_text(said, {})) for said in (lines, *below))


def with_changes(
    source: Source, blocks: Sequence[Block], changes: Sequence[OutlineChange], log: Log
) -> list[Block]:
    """Give headings the levels that changes claim; a change that names no heading is a breach.

    Whether a change is right is not checked; the report says so. Levels may be deeper than 6.
    """
    found = list(blocks)
    if changes:
        is_found = any(change.old_level == 0 for change in changes)
        what = "found titles and " * is_found
        log.unchecked(7, f"whether {what}changed heading levels are right")
    headings = {
        source.line_at(block.start) + 1: (place, block)
        for place, block in enumerate(blocks if changes else ())
        if isinstance(block, model.Heading) and block.evidence == "mark"
    }
    for change in changes:
        if change.old_level == 0:
            continue
        place, heading = headings.pop(change.line, (0, None))  # a heading changes once
        breach = _breach(heading, change)
        if heading is None or breach:
            is_line = 1 <= change.line <= source.line_count
            what = f"the outline change{'' if is_line else f' of line {change.line}'}"
            _report(source, change, f"{what} of {quoted(change.title)} {breach}", log)
        elif change.new_level is None:
            found[place] = model.Paragraph(heading.start, heading.end, no_count)
        else:
            found[place] = replace(heading, level=change.new_level)
    return found


def _breach(heading: model.Heading | None, change: OutlineChange) -> str:
    """Why a change cannot be that of a heading; empty if it can."""
    if heading is None:
        return "names no heading of that line"
    if not same_title(change.title, heading.text):
        return f"names another heading than {quoted(heading.text)}"
    if heading.level != change.old_level:
        return f"says that its level was {change.old_level}, but it is {heading.level}"
    if change.new_level is not None and change.new_level < 1:
        return f"gives it the level {change.new_level}"
    return "" if change.reason.strip() else "has no reason"


def _report(source: Source, change: OutlineChange, reason: str, log: Log) -> None:
    is_line = 1 <= change.line <= source.line_count
    log.found(7, reason, source.line_starts[change.line - 1] if is_line else None)
