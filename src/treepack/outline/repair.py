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
from treepack.model.section import OutlineChange
from treepack.model.source import Source
from treepack.numbers.grammar import has_leader, is_toc_entry
from treepack.outline.levels import new_levels
from treepack.outline.lines import SEVERAL
from treepack.outline.shape import has_sentences
from treepack.pages.furniture import NEAR_PAGES
from treepack.sentences.small_words import LONGEST_TITLE, level_of_sentences

_ENDS: Final = tuple(".,;。；！।۔")
"""How a paragraph ends that is no title, in any script."""


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
    if not headings:
        return list(blocks), []
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


def _false_headings(
    blocks: Sequence[Block], headings: Mapping[int, Heading], source: Source
) -> dict[int, str]:
    """Return the indexes of headings that begin no section, with the reason for each."""
    titles = {index: heading.text for index, heading in headings.items()}
    false = {index: "empty heading" for index, title in titles.items() if not title}
    if has_leader("\n".join(titles.values())):  # in few documents
        entries = [index for index, title in titles.items() if is_toc_entry(title)]
        false.update(dict.fromkeys(entries, "entry of a table of contents"))
    if len(max(titles.values(), key=len, default="")) > LONGEST_TITLE:  # in few documents
        false.update(_sentences(headings, blocks))
    false.update(_over_rules(headings, source))
    if len(titles) - len({*titles.values()}) < SEVERAL - 1 or not source.page_marks:
        return false  # the common case: no title occurs that often
    return false | _running_headers(headings, blocks, source)


def _over_rules(headings: Mapping[int, Heading], source: Source) -> dict[int, str]:
    """Return the headings over a rule if most of them are paragraphs, and one is surely one.

    Then the writer meant a thematic break between records, but left no blank line above it.
    """
    text = source.text
    over = {
        at: heading
        for at, heading in headings.items()
        if text[heading.end - 1] in "-=" and text[heading.start] != "#"
    }
    paragraphs = {
        at
        for at, h in over.items()
        if source.line_at(h.end) - source.line_at(h.start) > 1  # lines above the rule
        or (h.text.endswith(_ENDS) and (len(h.text) > LONGEST_TITLE or has_sentences(h.text)))
    }
    ending = {at for at, heading in over.items() if heading.text.endswith(_ENDS)}
    if not paragraphs or 2 * len(paragraphs | ending) <= len(over):
        return {}  # the common case
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


def _running_headers(
    headings: Mapping[int, Heading], blocks: Sequence[Block], source: Source
) -> dict[int, str]:
    """Return the headings that are running headers, unlike ``Exercises`` in each chapter.

    Most of those with one title begin pages that are near each other, and two are in one section.
    """
    by_title: dict[str, list[int]] = {}
    for index, heading in headings.items():
        by_title.setdefault(heading.text, []).append(index)
    false: dict[int, str] = {}
    for title, group in by_title.items():
        if not title or len(group) < SEVERAL:
            continue
        begun = (_page_begun_by(blocks, at, source) for at in group)
        pages = [page for page in begun if page is not None]
        near = sum(after - before <= NEAR_PAGES for before, after in pairwise(pages))
        if 2 * len(pages) > len(group) and 2 * near >= len(pages) - 1:
            false.update(dict.fromkeys(group, f"running header, repeated {len(group)} times"))
    return false


def _page_begun_by(blocks: Sequence[Block], index: int, source: Source) -> int | None:
    """Return the page that a heading begins; None if it begins no page or is the first block."""
    marks = source.page_marks
    mark = bisect_right(marks, (blocks[index].start, 1 << 62)) - 1
    if not index or mark < 0 or marks[mark][0] < blocks[index - 1].end:
        return None
    return marks[mark][1]
