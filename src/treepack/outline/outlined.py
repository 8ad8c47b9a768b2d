"""Blocks as first read become blocks with the headings that they should have."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from treepack.heading_patterns import HeadingPattern
from treepack.model.blocks import Block, Count, Heading, Span
from treepack.model.outline_change import OutlineChange
from treepack.model.source import Source
from treepack.outline.pattern_titles import split_marked, titles_by_patterns
from treepack.outline.placed import found_changes, merged_changes, with_levels, with_titles
from treepack.outline.repair import repair_outline
from treepack.outline.titles.finder import FoundTitle, find_titles

Read: TypeAlias = Callable[[Source, Sequence[Span]], list[Block]]
"""Reads the blocks of a text around the lines of titles."""


def outlined(  # noqa: PLR0913 - what a text is, how it is read, and what the user wants
    source: Source,
    view: Source,
    gaps: Sequence[Span],
    read: Read,
    *,
    count: Count,
    patterns: Sequence[HeadingPattern],
    is_auto: bool,
) -> tuple[list[Block], tuple[OutlineChange, ...]]:
    """Read the blocks of a text, mend the levels of its headings, and find unmarked titles.

    Args:
        source: The text as it is written.
        view: The text with blanks for page marks and page furniture.
        gaps: The spans of those.
        read: Reads blocks.
        count: Counts the tokens of a slice.
        patterns: Which lines the user says are titles.
        is_auto: Whether levels are mended and titles looked for; patterns count in any case.

    Returns:
        The blocks, and what became of headings.
    """
    blocks, changes = read(view, ()), list[OutlineChange]()
    if is_auto:
        blocks, changes = repair_outline(blocks, source)
    titles, marked = list[FoundTitle](), list[tuple[Heading, OutlineChange]]()
    if named := titles_by_patterns(source, blocks, gaps, patterns):
        titles, marked = split_marked(named, blocks, source)
    elif is_auto:
        titles = find_titles(source, blocks, gaps)
    if marked:
        blocks = with_levels(blocks, marked)
    if titles:
        blocks, titles = with_titles(view, blocks, titles, read, count)
    if not titles and not marked:
        return blocks, tuple(changes)
    return blocks, tuple(merged_changes(changes, found_changes(titles, source), marked))
