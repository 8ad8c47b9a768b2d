"""Turn blocks as first read into blocks with the headings that they should have.

Found titles become headings: markdown is read once more, with heading markup for each of them. The
blocks of plain text, in which only found titles are headings, are read only then.
"""

import warnings
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from treepack.model.blocks import Block, Count, Heading, Paragraph, Span
from treepack.model.section import OutlineChange
from treepack.model.source import Lines, Source
from treepack.outline.lines import read_layout, title_span
from treepack.outline.repair import repair_outline
from treepack.outline.titles import FoundTitle, find_titles
from treepack.user_patterns import LONGEST_LINE, TimedSearch, UserPattern


class HeadingPatternWarning(UserWarning):
    """A line that matches a heading pattern is not a title, because it is inside HTML or code."""


Read: TypeAlias = Callable[[Source, Sequence[Span]], list[Block]]
"""Reads the blocks of a text, with the spans of title lines given."""


def outlined(  # noqa: PLR0913 - what a text is, how it is read, and what the user wants
    source: Source,
    rows: Lines,
    view: Source,
    gaps: Sequence[Span],
    read: Read,
    *,
    count: Count,
    plain_text: Callable[[str], str],
    patterns: Sequence[UserPattern],
    is_auto: bool,
    is_plain: bool,
) -> tuple[list[Block], tuple[OutlineChange, ...]]:
    """Return the blocks of a text with the headings that it should have, and the changes to them.

    Args:
        source: The text as it is written.
        rows: Its lines.
        view: The text with spaces in place of page marks and page furniture.
        gaps: The spans of page marks and page furniture.
        read: Reads blocks.
        count: Counts the tokens of a slice.
        plain_text: Removes emphasis and similar markup from the text of a found title.
        patterns: The user's patterns for lines that are titles.
        is_auto: Whether to repair levels and search for titles; patterns apply in any case.
        is_plain: Whether it is plain text, whose blocks are read once its titles are known.
    """
    blocks, changes = [] if is_plain else read(view, ()), list[OutlineChange]()
    if is_auto and blocks:
        blocks, changes = repair_outline(blocks, source)
    known = None if is_plain else blocks
    titles = _titles_by_patterns(source, rows, known, gaps, patterns)
    if titles:
        blocks, titles, changes = _with_levels(blocks, titles, changes, source)
    elif is_auto:
        titles = find_titles(source, rows, gaps, known)
    if titles:
        titles = [title._replace(text=plain_text(title.text) or title.text) for title in titles]
        blocks, titles = _with_titles(view, blocks, titles, read, count)
        # A heading of several lines is none if one of them is a title.
        lines = {source.line_at(block.start) + 1 for block in blocks if block.kind == "heading"}
        changes = [each for each in changes if each.new_level is None or each.line in lines]
        changes += [
            OutlineChange(source.line_at(title.start) + 1, title.text, 0, title.level, title.reason)
            for title in titles
        ]
    elif is_plain:
        blocks = read(view, ())
    return blocks, tuple(sorted(changes, key=lambda change: change.line))


# -------------------------------------------------------------------- lines that match patterns


def _titles_by_patterns(
    source: Source,
    rows: Lines,
    blocks: Sequence[Block] | None,
    gaps: Sequence[Span],
    patterns: Sequence[UserPattern],
) -> list[FoundTitle]:
    """Return the lines that match a pattern, each with the level of the first matching pattern."""
    if not patterns:
        return []
    layout = read_layout(source, rows, gaps, blocks)
    lines = layout.lines if layout else ()
    search = TimedSearch(len(source.text)).search
    return [
        FoundTitle(
            *title_span(lines, index, index),
            " ".join(line.text.split()),
            level,
            "pattern",
            f"the heading pattern of level {level} names it",
        )
        for index, line in enumerate(lines)
        if line.is_open and 1 < len(line.text) <= LONGEST_LINE
        if (level := next((each.level for each in patterns if search(each, line.text)), 0))
    ]


def _with_levels(
    blocks: Sequence[Block],
    titles: Sequence[FoundTitle],
    changes: Sequence[OutlineChange],
    source: Source,
) -> tuple[list[Block], list[FoundTitle], list[OutlineChange]]:
    """Give marked headings that match a pattern its level; return the other titles as well."""
    by_line = {source.line_at(title.start) + 1: title for title in titles}
    changed = {change.line: change for change in changes}
    found: list[Block] = []
    for block in blocks:
        line = source.line_at(block.start) + 1
        if isinstance(block, Heading) and (title := by_line.pop(line, None)):
            old = changed[line].old_level if line in changed else block.level
            changed[line] = OutlineChange(line, block.text, old, title.level, title.reason)
            block = replace(block, level=title.level, evidence="pattern")  # noqa: PLW2901 - the same
        found.append(block)
    differing = [change for change in changed.values() if change.old_level != change.new_level]
    return found, [*by_line.values()], differing


def _warn_of_dropped(title: FoundTitle, source: Source) -> None:
    """Warn of a line that matches a pattern but is no title, because the user expects a title."""
    if title.evidence == "pattern":
        name = f"{source.name}: " if source.name else ""
        msg = (
            f"{name}line {source.line_at(title.start) + 1}, {title.text!r}, is not used as a "
            f"title, although {title.reason}: it is inside HTML or code that begins above it; end "
            "that block first (HTML with a blank line)"
        )
        warnings.warn(msg, HeadingPatternWarning, stacklevel=2)


# -------------------------------------------------------------------- found titles


def _with_titles(
    source: Source, blocks: Sequence[Block], titles: Sequence[FoundTitle], read: Read, count: Count
) -> tuple[list[Block], list[FoundTitle]]:
    """Turn titles into headings; return the blocks, and the titles that became headings.

    A title ends the paragraph before it and the list that seems to contain it, so the text is read
    again with the title lines known. A block that was in the list may then continue across a title,
    like HTML, which ends at a blank line. Such a line is not a title, and the text is read without
    it.
    """
    repaired = {block.start: block for block in blocks}
    headings: dict[int, Block] = {
        (start := _line_start(source, title.start)): Heading(
            start, title.end, count, title.level, title.text, title.evidence
        )
        for title in titles
    }
    others = read(source, [(block.start, block.end) for block in headings.values()])
    accepted: list[FoundTitle] = []
    for title, start in zip(titles, headings, strict=True):
        if _is_inside(start, others):
            _warn_of_dropped(title, source)
        else:
            accepted.append(title)
    if len(accepted) < len(titles):
        return _with_titles(source, blocks, accepted, read, count)
    others = [_as_repaired(block, repaired) for block in others if block.start not in headings]
    return sorted([*others, *headings.values()], key=lambda block: block.start), accepted


def _is_inside(start: int, blocks: Sequence[Block]) -> bool:
    """Whether a line lies inside a block that is not a heading."""
    index = bisect_right(blocks, start, key=lambda block: block.start) - 1
    return index >= 0 and start < blocks[index].end and not isinstance(blocks[index], Heading)


def with_lines_as_headings(source: Source, lines: Sequence[Span]) -> Source:
    """Return a text of equal length with some lines made headings, for the markdown reader."""
    if not lines:
        return source
    parts: list[str] = []
    after = 0
    for start, end in lines:
        before = source.text[after:start]
        # a form feed that ends a line becomes a line end
        parts.append(before[:-1] + "\n" if before.endswith("\f") else before)
        parts.append(("# " + "x" * (end - start - 2))[: end - start])
        after = end
    return replace(source, text="".join([*parts, source.text[after:]]))


def _line_start(source: Source, offset: int) -> int:
    start = source.line_starts[source.line_at(offset)]
    return source.text.rfind("\f", start, offset) + 1 or start


def _as_repaired(block: Block, repaired: Mapping[int, Block]) -> Block:
    """Return a heading as it was repaired after the first reading; other blocks as they are."""
    before = repaired.get(block.start)
    is_same = isinstance(before, Heading | Paragraph) and before.end == block.end
    return before if isinstance(block, Heading) and before and is_same else block
