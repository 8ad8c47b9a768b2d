"""Outline repair: headings whose levels contradict their numbers are nested by the numbers.

Converters flatten outlines (all ``##``), authors run out of levels, and running headers, entries of
a table of contents and empty lines become headings. The levels of an outline that agrees with its
numbers are never changed.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, NamedTuple

from treepack.model.blocks import Block, Heading, Paragraph, Span, indexes_of
from treepack.model.outline_change import OutlineChange
from treepack.model.source import Source
from treepack.numbers.grammar import has_leader, is_toc_entry
from treepack.numbers.words import OF_TOTAL, PAGE_WORD
from treepack.outline.furniture import NEAR_PAGES
from treepack.outline.levels import new_levels
from treepack.outline.page_breaks import sentence_continues
from treepack.outline.titles.wording import names_table
from treepack.sentences.headings import LONGEST_TITLE, level_of_sentences


def repair_outline(
    blocks: Sequence[Block], source: Source, gaps: Sequence[Span] = ()
) -> tuple[list[Block], list[OutlineChange]]:
    """Give headings the levels that their numbers show, and turn false headings into paragraphs.

    Args:
        blocks: The top-level blocks of a document, in source order.
        source: The text as it is written.
        gaps: Page marks and page furniture.

    Returns:
        The blocks, which cover the same spans, and the changes, in source order.
    """
    headings = {
        index: block
        for index in indexes_of(Heading, blocks)
        if isinstance(block := blocks[index], Heading)
    }
    false = _false_headings(blocks, headings, source) | _same_as_furniture(headings, source, gaps)
    repaired, changes = without_headings(blocks, false, (), source)
    for index in false:
        del headings[index]
    levels = new_levels([h.level for h in headings.values()], [h.text for h in headings.values()])
    for (index, heading), (level, reason) in zip(headings.items(), levels, strict=True):
        if level != heading.level:
            repaired[index] = replace(heading, level=level)
            changes.append(_change(heading, level, reason, source))
    return repaired, sorted(changes, key=lambda change: change.line)


def without_headings(
    blocks: Sequence[Block],
    false: Mapping[int, str],
    changes: Iterable[OutlineChange],
    source: Source,
) -> tuple[list[Block], list[OutlineChange]]:
    """Return the blocks with paragraphs in place of false headings, and all changes.

    Args:
        blocks: The blocks of a document.
        false: The indexes of false headings, with the reason for each.
        changes: Earlier changes.
        source: The text as it is written.
    """
    repaired, all_changes = list(blocks), list(changes)
    for index, reason in false.items():
        heading = repaired[index]
        if isinstance(heading, Heading):
            repaired[index] = Paragraph(heading.start, heading.end, heading.count)
            all_changes.append(_change(heading, None, reason, source))
    return repaired, all_changes


def _change(heading: Heading, level: int | None, reason: str, source: Source) -> OutlineChange:
    line = source.line_at(heading.start) + 1
    return OutlineChange(line, heading.text, heading.level, level, reason)


# -------------------------------------------------------------------- false headings

_PAGE_HEADER: Final = re.compile(
    rf"""
    (?: ^\W*(?:{PAGE_WORD})\s*(?P<first>[0-9]{{1,4}})\b
      | \b(?:{PAGE_WORD})\s*(?P<last>[0-9]{{1,4}}) )
    (?P<count>\s*(?:{OF_TOTAL})\s*\d{{1,4}}\b)?
    (?(last)\W*$)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_DIGIT: Final = re.compile("[0-9]")
_PUNCTUATION: Final = " -–—:|·()[]"
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
    if source.page_marks and not source.origins:
        # PDF converters turn bold or larger text into headings.
        captions = [index for index, title in titles.items() if names_table(title)]
        false.update(dict.fromkeys(captions, "caption of a table or a figure"))
    if len(max(titles.values(), key=len, default="")) > LONGEST_TITLE:  # in few documents
        false.update(_sentences(headings, blocks))
    false.update(_over_rules(headings, source))
    if _DIGIT.search(all_titles):
        false.update(_numbered_page_headers(titles, blocks, source))
    if len(titles) - len({*titles.values()}) < _FEWEST_REPEATS - 1:
        return false  # the common case: no title occurs that often
    groups: dict[str, list[int]] = {}
    for index, title in titles.items():
        groups.setdefault(title, []).append(index)
    groups = {
        title: group for title, group in groups.items() if title and len(group) >= _FEWEST_REPEATS
    }
    neighbours = _neighbours(headings) if groups else {}
    for title, group in groups.items():
        if _is_running_header(title, group, neighbours, blocks, source):
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
    wrapped = {at for at, heading in over.items() if _is_wrapped(heading, source)}
    ending = {at for at, heading in over.items() if heading.text.endswith(_PARAGRAPH_ENDS)}
    is_sure = wrapped or any(len(over[at].text) > LONGEST_TITLE for at in ending)
    if not is_sure or 2 * len(wrapped | ending) <= len(over):
        return {}
    return dict.fromkeys(over, "paragraph above a thematic break")


def _is_wrapped(heading: Heading, source: Source) -> bool:
    """Whether a heading over a rule has more than one line above the rule."""
    return source.line_at(heading.end) - source.line_at(heading.start) > 1


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


def _same_as_furniture(
    headings: Mapping[int, Heading], source: Source, gaps: Sequence[Span]
) -> dict[int, str]:
    """Return the headings with the text of a running header, except the first heading of all."""
    text = source.text
    headers = {text[start:end].strip() for start, end in gaps if text[start : start + 1] == "#"}
    if not headers:
        return {}  # the common case
    first = next(iter(headings), None)
    return {
        index: "running header"
        for index, block in headings.items()
        if index != first and text[block.start : block.end].strip() in headers
    }


class _Neighbours(NamedTuple):
    """The headings around a heading.

    Attributes:
        parent: The index of its parent heading; -1 if it has none.
        before: The title of the previous heading, or an empty string.
        after: The title of the next heading, or an empty string.
    """

    parent: int
    before: str
    after: str


def _neighbours(headings: Mapping[int, Heading]) -> dict[int, _Neighbours]:
    neighbours: dict[int, _Neighbours] = {}
    path: list[tuple[int, int]] = []  # level, index
    titles = ["", *(heading.text for heading in headings.values()), ""]
    for n, (index, heading) in enumerate(headings.items(), 1):
        while path and path[-1][0] >= heading.level:
            path.pop()
        neighbours[index] = _Neighbours(path[-1][1] if path else -1, titles[n - 1], titles[n + 1])
        path.append((heading.level, index))
    return neighbours


def _is_running_header(
    title: str,
    group: Sequence[int],
    neighbours: dict[int, _Neighbours],
    blocks: Sequence[Block],
    source: Source,
) -> bool:
    """Whether headings with the same title are running headers, unlike ``Exercises`` in chapters.

    Running headers begin pages that are near each other, or interrupt sentences. A title that
    occurs once in each section, or mostly beside the same other title (``Parameters, Returns``), is
    part of the text.
    """
    surroundings = [neighbours[index] for index in group]
    if len({around.parent for around in surroundings}) == len(group):
        return False
    pages = [page for index in group if (page := _page_begun_by(blocks, index, source)) is not None]
    near = sum(after - before <= NEAR_PAGES for before, after in pairwise(pages))
    if 2 * len(pages) > len(group) and 2 * near >= len(pages) - 1:
        return True
    for side in (
        Counter(around.before for around in surroundings),
        Counter(around.after for around in surroundings),
    ):
        usual, count = side.most_common(1)[0]
        if usual and usual != title and 2 * count > len(group):
            return False
    interrupting = sum(_interrupts(blocks, index, source) for index in group)
    return 2 * interrupting > len(group)


def _numbered_page_headers(
    titles: Mapping[int, str], blocks: Sequence[Block], source: Source
) -> dict[int, str]:
    """Return headings that contain their page number, if there are several and the numbers rise.

    ``Page 1: Welcome, Page 2: Payment`` may be the subject of a manual instead. Running headers
    contain the total number of pages, repeat a title beside the number, begin a page, or interrupt
    a sentence.
    """
    matches = {
        index: match
        for index, title in titles.items()
        if _DIGIT.search(title) and (match := _PAGE_HEADER.search(title))
    }
    if len(matches) < _FEWEST_REPEATS:
        return {}
    pages = [int(match["first"] or match["last"]) for match in matches.values()]
    if any(before > after for before, after in pairwise(pages)):
        return {}
    repeats = Counter(
        (titles[index][: match.start()] + titles[index][match.end() :]).strip(_PUNCTUATION)
        for index, match in matches.items()
    )
    has_evidence = (
        any(match["count"] is not None for match in matches.values())
        or any(title and count > 1 for title, count in repeats.items())
        or any(_page_begun_by(blocks, index, source) is not None for index in matches)
        or any(_interrupts(blocks, index, source) for index in matches)
    )
    return dict.fromkeys(matches, "running header with a page number") if has_evidence else {}


def _page_begun_by(blocks: Sequence[Block], index: int, source: Source) -> int | None:
    """Return the page that a heading begins; None if it begins no page or is the first block."""
    marks = source.page_marks
    mark = bisect_right(marks, (blocks[index].start, 1 << 62)) - 1
    if not index or mark < 0 or marks[mark][0] < blocks[index - 1].end:
        return None
    return marks[mark][1]


def _interrupts(blocks: Sequence[Block], index: int, source: Source) -> bool:
    """Whether a heading interrupts a sentence."""
    if not index or index + 1 == len(blocks):
        return False
    before, after = blocks[index - 1], blocks[index + 1]
    if not isinstance(before, Paragraph) or not isinstance(after, Paragraph):
        return False
    text = source.text
    return sentence_continues(text[before.start : before.end], text[after.start : after.end])
