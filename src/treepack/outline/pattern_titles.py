"""Titles that a user's patterns name."""

from collections.abc import Sequence

from treepack.heading_patterns import LONGEST_LINE, HeadingPattern
from treepack.model.blocks import Block, Heading, Span
from treepack.model.outline_change import OutlineChange
from treepack.model.source import Source
from treepack.outline.titles.finder import FoundTitle
from treepack.outline.titles.lines import Line, read_lines


def titles_by_patterns(
    source: Source,
    blocks: Sequence[Block],
    gaps: Sequence[Span],
    patterns: Sequence[HeadingPattern],
) -> list[FoundTitle]:
    """The lines that a pattern matches, each with the level of the first one that does.

    Args:
        source: The text as it is written.
        blocks: Its top-level blocks; in fences, tables and quotes no line is a title.
        gaps: Page marks and page furniture.
        patterns: The patterns, highest level first.
    """
    if not patterns:
        return []
    lines = read_lines(source, blocks, gaps)
    found = [(line, at, _level(line, patterns)) for at, line in enumerate(lines) if line.is_open]
    return [
        FoundTitle(
            line.start,
            lines[at + 1].end if line.underline else line.end,
            " ".join(line.text.split()),
            level,
            "pattern",
            f"the heading pattern of level {level} names it",
        )
        for line, at, level in found
        if level and len(line.text) > 1
    ]


def split_marked(
    titles: Sequence[FoundTitle], blocks: Sequence[Block], source: Source
) -> tuple[list[FoundTitle], list[tuple[Heading, OutlineChange]]]:
    """The titles that no mark shows, and the marked headings that get another level."""
    marked = {source.line_at(block.start): block for block in blocks if isinstance(block, Heading)}
    unmarked: list[FoundTitle] = []
    changed: list[tuple[Heading, OutlineChange]] = []
    for title in titles:
        line = source.line_at(title.start)
        heading = marked.get(line)
        if heading is None:
            unmarked.append(title)
        elif heading.level != title.level:
            change = OutlineChange(line + 1, heading.text, heading.level, title.level, title.reason)
            changed.append((heading, change))
    return unmarked, changed


def _level(line: Line, patterns: Sequence[HeadingPattern]) -> int:
    if len(line.text) > LONGEST_LINE:
        return 0
    return next((level for level, pattern in patterns if pattern.search(line.text)), 0)
