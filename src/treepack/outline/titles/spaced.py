"""Titles with more blank lines above them than paragraphs have, as in typewritten books.

The plain text books of Project Gutenberg have four blank lines above a chapter, two above a
section, and one above a paragraph. There a title may end with a full stop.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import Final

from treepack.outline.titles.lines import Line
from treepack.outline.titles.wording import is_notice, is_title

_MOST_GAPS, _MOST_LINES = 0.2, 0.06
"""The largest shares of all gaps, and of all lines, that such wide gaps may have."""
_PAGED: Final = re.compile(r", \d")  # an entry of an index, or a date
_DEFINED: Final = re.compile(r", [a-z]{1,3}\.")  # "ALLEGIANCE, n." in a dictionary
_LINES_OF_NUMBERED: Final = 3
_FEWEST_OF_LEVEL: Final = 3  # titles


def blank_lines(lines: Sequence[Line], index: int) -> int:
    """Return how many lines without text are directly above a line."""
    return lines[index].number - lines[index - 1].number - 1 if index else 0


def title_gap(lines: Sequence[Line]) -> int:
    """Return the least number of blank lines that only titles have above them.

    Returns:
        The number; few gaps are as wide or wider. 0 if no gap is wider than the usual one.
    """
    gaps = Counter([
        line.number - before.number - 1
        for before, line in pairwise(lines)
        if line.is_after_blank and not line.starts_page
    ])  # fmt: skip
    usual = max(gaps, key=gaps.__getitem__, default=0)
    most = min(_MOST_GAPS * gaps.total(), _MOST_LINES * len(lines))
    least = count_as_wide = 0
    for gap in sorted(gaps, reverse=True):
        count_as_wide += gaps[gap]
        if gap <= usual or count_as_wide > most:
            break
        least = gap
    return least


def is_below_gap(lines: Sequence[Line], index: int, gap: int) -> bool:
    """Whether a line that reads like a title is a paragraph of its own below a wide gap.

    Args:
        lines: All lines.
        index: The index of the line.
        gap: The least number of blank lines above titles.
    """
    line = lines[index]
    if line.starts_page or not line.is_before_blank or blank_lines(lines, index) < gap:
        return False
    if _PAGED.search(line.text) or _DEFINED.search(line.text):
        return False
    return is_title(line.text.strip('"“”').removesuffix(".")) and not is_notice(line.text)


def are_below_gaps(lines: Sequence[Line], indexes: Collection[int], gap: int) -> bool:
    """Whether a third of the lines of numbered titles are below wide gaps; some are second lines.

    Args:
        lines: All lines.
        indexes: The indexes of lines of numbered titles.
        gap: The least number of blank lines above titles.
    """
    below = sum(blank_lines(lines, index) >= gap for index in indexes)
    return _LINES_OF_NUMBERED * below >= len(indexes)


def gap_levels(gaps: Iterable[int]) -> dict[int, int]:
    """Return the level of each gap above titles, the widest first; a rare one shares the next.

    Args:
        gaps: The number of blank lines above each title.
    """
    counts = Counter(gaps)
    level, levels = 1, dict[int, int]()
    for gap in sorted(counts, reverse=True):
        levels[gap] = level
        level += counts[gap] >= _FEWEST_OF_LEVEL
    return levels
