"""Titles that no mark shows: each is compared with the line that it claims to be."""

import re
from collections.abc import Sequence
from typing import Final

from treepack.laws.audit_context import Log, quoted
from treepack.laws.reading.blocks import trimmed
from treepack.laws.reading.titles import same_title
from treepack.model.blocks import Block, BlockQuote, CodeBlock, FrontMatter, Span, Table
from treepack.model.outline_change import OutlineChange
from treepack.model.source import Source
from treepack.outline.titles.finder import FoundTitle

_MOST_LINES: Final = 6  # that a title takes, blank ones between included
_UNDERLINE: Final = re.compile(r"([=\-~^*\"'`+#_])\1{2,}")
_LABEL: Final = re.compile(r"[^\W\d_]{4,12}\s*[\r\n]+\s*\w{1,12}[.:]*\s*[\r\n]+")
_LONGEST: Final = 1000  # characters of a title


def is_found(change: OutlineChange) -> bool:
    """Whether a change says that a title was found, and not that a heading was changed."""
    return change.old_level == 0


def believed_titles(
    view: Source,
    lines: Sequence[Span],
    changes: Sequence[OutlineChange],
    blocks: Sequence[Block],
    log: Log,
) -> list[FoundTitle]:
    """The titles that records say were found, in order; a wrong one is a breach of law 7.

    A title is its own line, or the lines from there on that make up its words, and the line that
    underlines it. Whether a line is rightly a title is not checked; the report says so.

    Args:
        view: The text with blanks for what belongs to pages.
        lines: Its lines as they are printed: hidden ones count too.
        changes: What records say of headings.
        blocks: The blocks of the text as they are without found titles.
        log: Takes the findings.
    """
    titles: list[FoundTitle] = []
    closed = [
        (block.start, block.end)
        for block in blocks
        if isinstance(block, Table | BlockQuote | FrontMatter)
        or (isinstance(block, CodeBlock) and block.fence)
    ]
    for change in sorted(filter(is_found, changes), key=lambda change: change.line):
        title, breach = _title(view.text, lines, change)
        if title is not None and titles and title.start < titles[-1].end:
            breach = "stands in another title"
        elif title is not None and any(s < title.end and title.start < e for s, e in closed):
            breach = "stands in a table, a quote or code with a fence"
        if title is None or breach:
            position = lines[change.line - 1][0] if 1 <= change.line <= len(lines) else None
            log.found(7, f"the found title {quoted(change.title)} {breach}", position)
        else:
            titles.append(title)
    return titles


def _title(
    text: str, lines: Sequence[Span], change: OutlineChange
) -> tuple[FoundTitle | None, str]:
    """The title that a change names, or why there is none."""
    if not 1 <= change.line <= len(lines):
        return None, f"is said to be on line {change.line}, but there is no such line"
    if change.new_level is None or change.new_level < 1 or not change.reason.strip():
        return None, "has no level, or no reason"
    first = change.line - 1
    begin, after = lines[first]
    # a form feed ends a line as well
    feeds = re.finditer("\f", text[begin:after])
    for start in [begin, *(begin + feed.end() for feed in feeds)]:
        if title := _title_at(text, trimmed(text, start, after)[0], lines[first:], change):
            return title, ""
    return None, f"is not what line {change.line} says: {quoted(text[begin:after])}"


def _title_at(
    text: str, start: int, lines: Sequence[Span], change: OutlineChange
) -> FoundTitle | None:
    """The title that begins at a place, in the first of some lines."""
    assert change.new_level is not None, "a change without a level is refused before"
    for at, (_, after) in enumerate(lines[:_MOST_LINES]):
        feed = text.find("\f", start, after)
        end = trimmed(text, start, after if feed < 0 else feed)[1]
        if end - start > _LONGEST:
            break
        if end > start and _says(change.title, text[start:end]):
            below = lines[at + 1] if at + 1 < len(lines) and feed < 0 else (0, 0)
            if _UNDERLINE.fullmatch(text[slice(*below)].strip()):
                end = trimmed(text, *below)[1]
            return FoundTitle(start, end, change.title, change.new_level, "title", change.reason)
    return None


def _says(title: str, lines: str) -> bool:
    """Whether lines are a title, perhaps below a label on lines of its own: CHAPTER, ONE."""
    if same_title(title, lines):
        return True
    label = _LABEL.match(lines)
    return label is not None and same_title(title, lines[label.end() :])
