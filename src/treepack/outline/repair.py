"""Outline repair: headings whose levels contradict their numbers are nested by the numbers.

Converters flatten outlines (all ``##``), authors run out of levels, and running headers, entries of
a table of contents and empty lines become headings. The levels of an outline that agrees with its
numbers are never changed.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from treepack.model.blocks import Block, Heading, Paragraph, indexes_of
from treepack.model.outline_change import OutlineChange
from treepack.model.source import Source
from treepack.numbers.grammar import has_leader, is_toc_entry
from treepack.outline.levels import new_levels
from treepack.pages.furniture import NEAR_PAGES
from treepack.sentences.headings import LONGEST_TITLE, level_of_sentences


def repair_outline(
    blocks: Sequence[Block], source: Source
) -> tuple[list[Block], list[OutlineChange]]:
    """Give headings the levels that their numbers show, and turn false headings into paragraphs.

    Returns:
        The blocks, which cover the same spans, and the changes, in source order.
    """
    headings = {
        index: block
        for index in indexes_of(Heading, blocks)
        if isinstance(block := blocks[index], Heading)
    }
    false = _false_headings(blocks, headings, source)
    repaired, changes = list(blocks), list[OutlineChange]()
    for index, reason in false.items():
        heading = headings.pop(index)
        repaired[index] = Paragraph(heading.start, heading.end, heading.count)
        changes.append(_change(heading, None, reason, source))
    levels = new_levels([h.level for h in headings.values()], [h.text for h in headings.values()])
    for (index, heading), (level, reason) in zip(headings.items(), levels, strict=True):
        if level != heading.level:
            repaired[index] = replace(heading, level=level)
            changes.append(_change(heading, level, reason, source))
    return repaired, sorted(changes, key=lambda change: change.line)


def _change(heading: Heading, level: int | None, reason: str, source: Source) -> OutlineChange:
    line = source.line_at(heading.start) + 1
    return OutlineChange(line, heading.text, heading.level, level, reason)


# -------------------------------------------------------------------- false headings

_FEWEST_REPEATS: Final = 3
_RULES: Final = ("\n---", "\r---")
_PARAGRAPH_ENDS: Final = (".", ",", ";", "。", "；")


def _false_headings(
    blocks: Sequence[Block], headings: Mapping[int, Heading], source: Source
) -> dict[int, str]:
    """Return the indexes of headings that begin no section, with the reason for each."""
    titles = {index: heading.text for index, heading in headings.items()}
    false = {index: "empty heading" for index, title in titles.items() if not title}
    all_titles = "\n".join(titles.values())
    if has_leader(all_titles):  # in few documents
        toc_entries = [index for index, title in titles.items() if is_toc_entry(title)]
        false.update(dict.fromkeys(toc_entries, "entry of a table of contents"))
    if len(max(titles.values(), key=len, default="")) > LONGEST_TITLE:  # in few documents
        false.update(_sentences(headings, blocks))
    false.update(_over_rules(headings, source))
    if not source.page_marks or len(titles) - len({*titles.values()}) < _FEWEST_REPEATS - 1:
        return false  # the common case: no title occurs that often
    groups: dict[str, list[int]] = {}
    for index, title in titles.items():
        groups.setdefault(title, []).append(index)
    parents = _parents(headings)
    for title, group in groups.items():
        if not title or len(group) < _FEWEST_REPEATS:
            continue
        if _is_running_header(group, parents, blocks, source):
            false.update(dict.fromkeys(group, f"running header, repeated {len(group)} times"))
    return false


def _over_rules(headings: Mapping[int, Heading], source: Source) -> dict[int, str]:
    """Return the headings over ``---`` if most of them are paragraphs, and one is a long one.

    Then the writer meant a thematic break, but left no blank line above it.
    """
    over = {
        at: heading
        for at, heading in headings.items()
        if source.text.endswith(_RULES, heading.start, heading.end)
    }
    if not over:
        return {}  # the common case
    wrapped = {
        at for at, h in over.items() if source.line_at(h.end) - source.line_at(h.start) > 1
    }  # more than one line is above the rule
    ending = {at for at, heading in over.items() if heading.text.endswith(_PARAGRAPH_ENDS)}
    is_sure = wrapped or any(len(over[at].text) > LONGEST_TITLE for at in ending)
    if not is_sure or 2 * len(wrapped | ending) <= len(over):
        return {}
    return dict.fromkeys(over, "paragraph above a thematic break")


def _sentences(headings: Mapping[int, Heading], blocks: Sequence[Block]) -> dict[int, str]:
    """Return the headings from the level down at which most headings are whole sentences."""
    highest = level_of_sentences(
        (heading.level, heading.text, _has_content(headings, index, len(blocks)))
        for index, heading in headings.items()
    )
    if highest is None:
        return {}
    reason = f"most headings of level {highest} are sentences"
    return {index: reason for index, heading in headings.items() if heading.level >= highest}


def _has_content(headings: Mapping[int, Heading], index: int, count: int) -> bool:
    """Whether text or a deeper heading follows a heading; ``count`` is the number of all blocks."""
    after = headings.get(index + 1)
    return after.level > headings[index].level if after else index + 1 < count


def _is_running_header(
    group: Sequence[int],
    parents: Mapping[int, int],
    blocks: Sequence[Block],
    source: Source,
) -> bool:
    """Whether headings with the same title are running headers, unlike ``Exercises`` in chapters.

    Most of them begin pages that are near each other, and some are in the same section.
    """
    if len({parents[index] for index in group}) == len(group):
        return False
    pages = [page for index in group if (page := _page_begun_by(blocks, index, source)) is not None]
    near = sum(after - before <= NEAR_PAGES for before, after in pairwise(pages))
    return 2 * len(pages) > len(group) and 2 * near >= len(pages) - 1


def _parents(headings: Mapping[int, Heading]) -> dict[int, int]:
    """Return the index of the heading that each heading is below; -1 for none."""
    parents: dict[int, int] = {}
    path: list[tuple[int, int]] = [(0, -1)]  # level, index
    for index, heading in headings.items():
        while path[-1][0] >= heading.level:
            path.pop()
        parents[index] = path[-1][1]
        path.append((heading.level, index))
    return parents


def _page_begun_by(blocks: Sequence[Block], index: int, source: Source) -> int | None:
    """Return the page that a heading begins; None if it begins no page or is the first block."""
    marks = source.page_marks
    mark = bisect_right(marks, (blocks[index].start, 1 << 62)) - 1
    if not index or mark < 0 or marks[mark][0] < blocks[index - 1].end:
        return None
    return marks[mark][1]
