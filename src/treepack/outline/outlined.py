"""Blocks as first read become blocks with the headings that they should have.

Found titles become headings: markdown is read once more, with a mark for each of them. The blocks
of plain text, where nothing but titles is a heading, are read only then.
"""

import re
import warnings
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from treepack.model.blocks import Block, Count, Heading, Paragraph, Span, places_of
from treepack.model.outline_change import OutlineChange
from treepack.model.source import Source
from treepack.numbers.grammar import parse_clause
from treepack.outline.repair import repair_outline, without_headings
from treepack.outline.titles.finder import FoundTitle, find_titles, is_sparse
from treepack.outline.titles.lines import Line, read_lines, title_span
from treepack.user_patterns import LONGEST_LINE, HeadingPattern

_BY_CHANCE: Final = "a mark by chance: titles have none here"
_NO_LINE_END: Final = re.compile(r"[^\r\n]")


class HeadingPatternWarning(UserWarning):
    """A line that a heading pattern names is no title, because it is part of HTML or code."""


Read: TypeAlias = Callable[[Source, Sequence[Span]], list[Block]]
"""Reads the blocks of a text around the lines of titles."""


def outlined(  # noqa: PLR0913 - what a text is, how it is read, and what the user wants
    source: Source,
    view: Source,
    gaps: Sequence[Span],
    read: Read,
    *,
    count: Count,
    plain_text: Callable[[str], str],
    patterns: Sequence[HeadingPattern],
    is_auto: bool,
    stretches: list[Block] | None = None,
) -> tuple[list[Block], tuple[OutlineChange, ...]]:
    """Read the blocks of a text, mend the levels of its headings, and find unmarked titles.

    Args:
        source: The text as it is written.
        view: The text with blanks for page marks and page furniture.
        gaps: The spans of those.
        read: Reads blocks.
        count: Counts the tokens of a slice.
        plain_text: Takes the marks of emphasis and the like from a found title's words.
        patterns: Which lines the user says are titles.
        is_auto: Whether levels are mended and titles looked for; patterns count in any case.
        stretches: Where the blocks stand, of a text without marks: its blocks are read once its
            titles are known. None where marks must be read first.

    Returns:
        The blocks, and what became of headings.
    """
    blocks, changes = stretches or read(view, ()), list[OutlineChange]()
    if is_auto:
        blocks, changes = repair_outline(blocks, source, gaps)
    titles, marked = list[FoundTitle](), list[tuple[Heading, OutlineChange]]()
    if named := _titles_by_patterns(source, blocks, gaps, patterns):
        titles, marked = _split_marked(named, blocks, source)
    elif is_auto:
        blocks, changes, titles = _search(source, blocks, changes, gaps)
    if marked:
        blocks = _with_levels(blocks, marked)
    if titles:
        titles = [_in_plain_text(title, plain_text) for title in titles]
        before, wanted = blocks, titles
        blocks, titles = with_titles(view, before, wanted, read, count)
        _warn_of_dropped(wanted, titles, source)
        changes = _without_broken(changes, before, titles, source)
    if stretches and not titles:
        blocks = read(view, ())
    if not titles and not marked:
        return blocks, tuple(changes)
    return blocks, tuple(_merged_changes(changes, _found_changes(titles, source), marked))


def _search(
    source: Source, blocks: list[Block], changes: list[OutlineChange], gaps: Sequence[Span]
) -> tuple[list[Block], list[OutlineChange], list[FoundTitle]]:
    """The titles that no mark shows, and blocks and changes without the marks that are none."""
    titles = find_titles(source, blocks, gaps)
    by_chance = _marked_by_chance(blocks, titles, source)
    if not by_chance:
        return blocks, changes, titles
    blocks, changes = without_headings(blocks, by_chance, changes, source)
    return blocks, changes, find_titles(source, blocks, gaps)


def _marked_by_chance(
    blocks: Sequence[Block], titles: Sequence[FoundTitle], source: Source
) -> dict[int, str]:
    """Those places of marked headings that are none: ``# include <stdio.h>`` in the text of a PDF.

    There the titles have no marks, so that many more are found than marks.
    """
    if not titles or not is_sparse(source):
        return {}  # most documents
    marked = [
        at
        for at in places_of(Heading, blocks)
        if isinstance(block := blocks[at], Heading) and parse_clause(block.text) is None
    ]
    return dict.fromkeys(marked, _BY_CHANCE) if len(titles) >= 2 * len(marked) else {}


def _without_broken(
    changes: list[OutlineChange],
    blocks: Sequence[Block],
    titles: Sequence[FoundTitle],
    source: Source,
) -> list[OutlineChange]:
    """The changes but for those of marked headings over several lines that hold a title.

    The title ends what they say, so that they are no headings any more.
    """
    if not changes:
        return changes  # most documents
    starts = [title.start for title in titles]
    lines = {change.line for change in changes}
    broken = {
        line
        for block in blocks
        if bisect_left(starts, block.start) < bisect_left(starts, block.end)
        and (line := source.line_at(block.start) + 1) in lines
    }
    return [change for change in changes if change.line not in broken]


def _in_plain_text(title: FoundTitle, plain_text: Callable[[str], str]) -> FoundTitle:
    """The title without marks in its words, unless it has none or consists of them."""
    text = plain_text(title.text)
    return title if text in ("", title.text) else title._replace(text=text)


# -------------------------------------------------------------------- lines that patterns name


def _titles_by_patterns(
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
            *title_span(lines, at, at),
            " ".join(line.text.split()),
            level,
            "pattern",
            f"the heading pattern of level {level} names it",
        )
        for line, at, level in found
        if level and len(line.text) > 1
    ]


def _split_marked(
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


def _warn_of_dropped(
    titles: Sequence[FoundTitle], kept: Sequence[FoundTitle], source: Source
) -> None:
    """Say which lines that a pattern names are no titles: who gave the pattern expects them."""
    starts = {title.start for title in kept}
    for title in titles:
        if title.evidence == "pattern" and title.start not in starts:
            name = f"{source.name}: " if source.name else ""
            line = source.line_at(title.start) + 1
            msg = (
                f"{name}line {line}, {title.text!r}, is no title, though {title.reason}: "
                "the HTML or code above it goes on over it; end that first, HTML with a blank line"
            )
            warnings.warn(msg, HeadingPatternWarning, stacklevel=2)


# -------------------------------------------------------------------- found titles


def with_titles(
    source: Source, blocks: Sequence[Block], titles: Sequence[FoundTitle], read: Read, count: Count
) -> tuple[list[Block], list[FoundTitle]]:
    """The blocks of a text whose titles are headings, and the titles that became headings.

    A title ends the paragraph before it and the list it seems to stand in, so that the text is
    read again with the places of the titles known. What stood in the list may then go on over a
    title, as HTML does up to a blank line: that is no title, and the text is read without it.

    Args:
        source: The text, with blanks for page marks.
        blocks: Its blocks as first read, headings mended.
        titles: What was found, in order.
        read: Reads the blocks of a text around given lines; what begins with one of them stands
            for a title.
        count: Counts the tokens of a slice.
    """
    known = {block.start: block for block in blocks}
    headings: dict[int, Block] = {
        (start := _line_start(source, title.start)): Heading(
            start, title.end, count, title.level, title.text, title.evidence
        )
        for title in titles
    }
    others = read(source, [(block.start, block.end) for block in headings.values()])
    kept = [
        title
        for title, start in zip(titles, headings, strict=True)
        if not _is_inside(start, others)
    ]
    if len(kept) < len(titles):
        return with_titles(source, blocks, kept, read, count)
    others = [_mended(block, known) for block in others if block.start not in headings]
    return sorted([*others, *headings.values()], key=lambda block: block.start), kept


def _is_inside(start: int, blocks: Sequence[Block]) -> bool:
    """Whether a line is part of a block that is no heading."""
    at = bisect_right(blocks, start, key=lambda block: block.start) - 1
    return at >= 0 and start < blocks[at].end and not isinstance(blocks[at], Heading)


def with_marks(source: Source, lines: Sequence[Span]) -> Source:
    """A text as long, with a heading's mark in the place of some lines, for a markdown reader."""
    return _replaced(source, lines, lambda line: ("# " + "x" * (len(line) - 2))[: len(line)])


def with_blanks(source: Source, lines: Sequence[Span]) -> Source:
    """A text as long, with blanks in the place of some lines, for a reader of plain text."""
    return _replaced(source, lines, lambda line: _NO_LINE_END.sub(" ", line))


def _replaced(source: Source, lines: Sequence[Span], instead: Callable[[str], str]) -> Source:
    if not lines:
        return source
    text = source.text
    parts: list[str] = []
    after = 0
    for start, end in lines:
        before = text[after:start]
        # a form feed that ends a line becomes a line end
        parts += before[:-1] + "\n" if before.endswith("\f") else before, instead(text[start:end])
        after = end
    return replace(source, text="".join([*parts, text[after:]]))


def _found_changes(titles: Sequence[FoundTitle], source: Source) -> list[OutlineChange]:
    """What was found, for the record; lines are those of the text as it is written."""
    return [
        OutlineChange(source.line_at(title.start) + 1, title.text, 0, title.level, title.reason)
        for title in titles
    ]


def _with_levels(
    blocks: Sequence[Block], marked: Sequence[tuple[Heading, OutlineChange]]
) -> list[Block]:
    """The blocks, with another level for marked headings that patterns name."""
    levels = {heading.start: change.new_level for heading, change in marked}
    return [
        replace(block, level=level, evidence="pattern")
        if isinstance(block, Heading) and (level := levels.get(block.start))
        else block
        for block in blocks
    ]


def _merged_changes(
    mended: Sequence[OutlineChange],
    found: Sequence[OutlineChange],
    marked: Sequence[tuple[Heading, OutlineChange]],
) -> list[OutlineChange]:
    """All changes in order, one for each heading; a level that was mended first began elsewhere."""
    changes = {(change.line, not change.old_level): change for change in [*mended, *found]}
    for _, change in marked:
        before = changes.get((change.line, False))
        old = before.old_level if before else change.old_level
        changes[change.line, False] = replace(change, old_level=old)
    return [change for _, change in sorted(changes.items())]


def _line_start(source: Source, offset: int) -> int:
    start = source.line_starts[source.line_at(offset)]
    return source.text.rfind("\f", start, offset) + 1 or start


def _mended(block: Block, known: Mapping[int, Block]) -> Block:
    """A heading as it was mended when the text was first read."""
    before = known.get(block.start)
    is_same = isinstance(before, Heading | Paragraph) and before.end == block.end
    return before if isinstance(block, Heading) and before and is_same else block
