"""Outline repair: headings whose levels contradict their numbers are nested by the numbers.

Converters flatten outlines (all ``##``), authors run out of levels, and page heads, entries of a
table of contents and empty lines come out as headings. An outline that agrees with its numbers is
never touched.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from treepack.document.blocks import Block, Heading, Paragraph
from treepack.document.clauses import is_contents_line
from treepack.document.levels import new_levels
from treepack.document.source import Source


@dataclass(frozen=True, slots=True)
class OutlineChange:
    """A heading that does not keep its level.

    Attributes:
        line: The heading's line, from 1.
        title: Its plain text.
        old_level: The level in the source, 1 to 6.
        new_level: The level it is given, from 1, beyond 6 where numbers are deeper; None when it is
            no section but a paragraph.
        reason: Why.
    """

    line: int
    title: str
    old_level: int
    new_level: int | None
    reason: str


def repair_outline(
    blocks: Sequence[Block], source: Source
) -> tuple[list[Block], tuple[OutlineChange, ...]]:
    """Give headings the levels that their numbers tell, and turn what is no heading into text.

    Args:
        blocks: The top-level blocks of a document, in source order.
        source: The text.

    Returns:
        The blocks, which cover the same spans, and what was changed, in source order.
    """
    repaired = list(blocks)
    changes: list[OutlineChange] = []
    for at, reason in _false_headings(blocks, source).items():
        heading = blocks[at]
        assert isinstance(heading, Heading), "only headings are false headings"
        repaired[at] = Paragraph(heading.start, heading.end, heading.count)
        changes.append(_change(heading, None, reason, source))
    places = [at for at, block in enumerate(repaired) if isinstance(block, Heading)]
    headings = [block for block in repaired if isinstance(block, Heading)]
    levels = new_levels([h.level for h in headings], [h.text for h in headings])
    for at, heading, (level, reason) in zip(places, headings, levels, strict=True):
        if level != heading.level:
            repaired[at] = replace(heading, level=level)
            changes.append(_change(heading, level, reason, source))
    return repaired, tuple(sorted(changes, key=lambda change: change.line))


def _change(heading: Heading, level: int | None, reason: str, source: Source) -> OutlineChange:
    line = source.line_at(heading.start) + 1
    return OutlineChange(line, heading.text, heading.level, level, reason)


# -------------------------------------------------------------------- what is no heading

_PAGE_HEAD: Final = re.compile(
    r"""
    ^\W*(?:page|seite|página|pagina|p\.)\s*(?P<first>[0-9]{1,4})\b
    | \b(?:page|seite|página|pagina|p\.)\s*(?P<last>[0-9]{1,4})
      (?:\s*(?:of|von|de|sur|/)\s*\d{1,4})?\W*$
    """,
    re.VERBOSE | re.IGNORECASE,
)
_DIGIT: Final = re.compile("[0-9]")
_FEWEST_REPEATS: Final = 3
_LEAST_INTERRUPTED: Final = 40  # characters; a word or two under a heading need no full stop
_SENTENCE_END: Final = ".:;!?…。：；！？\"”»')]*_|>`"


def _false_headings(blocks: Sequence[Block], source: Source) -> dict[int, str]:
    """Places of headings that are no sections, with the reason."""
    found: dict[int, str] = {}
    places = [at for at, block in enumerate(blocks) if isinstance(block, Heading)]
    titles = {at: _title(blocks[at]) for at in places}
    for at, title in titles.items():
        if not title:
            found[at] = "empty heading"
        elif is_contents_line(title):
            found[at] = "entry of a table of contents"
    found.update(_numbered_page_heads(titles))
    repeated = Counter(titles.values())
    candidates: dict[str, list[int]] = {}
    for at, title in titles.items():
        if title and repeated[title] >= _FEWEST_REPEATS:
            candidates.setdefault(title, []).append(at)
    for title, group in candidates.items():
        interrupting = sum(_is_page_head(blocks, at, source) for at in group)
        if 2 * interrupting > len(group):
            found.update(dict.fromkeys(group, f"page head, repeated {repeated[title]} times"))
    return found


def _title(block: Block) -> str:
    assert isinstance(block, Heading), "only headings have titles"
    return block.text


def _numbered_page_heads(titles: dict[int, str]) -> dict[int, str]:
    """Headings that name their page, when there are several and the pages rise."""
    found: dict[int, str] = {}
    pages: list[int] = []
    for at, title in titles.items():
        if _DIGIT.search(title) and (match := _PAGE_HEAD.search(title)):
            found[at] = "page head with a page number"
            pages.append(int(match["first"] or match["last"]))
    rises = all(one <= other for one, other in pairwise(pages))
    return found if len(found) >= _FEWEST_REPEATS and rises else {}


def _is_page_head(blocks: Sequence[Block], at: int, source: Source) -> bool:
    """Whether a heading stands first on its page, or interrupts a sentence."""
    start = blocks[at].start
    before_end = blocks[at - 1].end if at else 0
    marks = source.page_marks
    mark = bisect_right(marks, (start, 1 << 62)) - 1
    if mark >= 0 and marks[mark][0] >= before_end and at:
        return True
    if not at or at + 1 == len(blocks):
        return False
    if not isinstance(blocks[at - 1], Paragraph) or not isinstance(blocks[at + 1], Paragraph):
        return False
    if before_end - blocks[at - 1].start < _LEAST_INTERRUPTED:
        return False
    last = source.text[before_end - 1]
    return last not in _SENTENCE_END and source.text[blocks[at + 1].start].islower()
