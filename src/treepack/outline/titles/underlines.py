"""Titles underlined with a line of punctuation, as in reStructuredText and readme files."""

import re
from collections.abc import Collection, Sequence
from typing import Final

from treepack.numbers.words import letters
from treepack.outline.titles.layout import TextLayout
from treepack.outline.titles.lines import MOST_INDENT, Line
from treepack.outline.titles.wording import END_PUNCTUATION, is_title, may_be_title

UNDERLINE: Final = "underline"
"""The beginning of the style of underlined titles; the character of the underline follows."""

_MOST_FOLLOWING: Final = 0.6  # share of underlined titles with a title on the next line
_LEAST_DISTINCT: Final = 0.7  # share of underlined titles with different texts
_LEAST_FITTED: Final = 0.8  # share of underlines as long as their titles, which is not chance
_WORD: Final = re.compile(r"[^\W_]")
_LONGEST: Final = 200  # characters of a title
_COMMENT: Final = re.compile(r"[-#/;%*]+\s|[-#/;%]{2}")  # or an item; both may be between rules


def certain_style(line: Line) -> str:
    """Return the style of a line with an underline of equal length; else empty."""
    if not line.has_fitted_underline or line.end - line.start > _LONGEST:
        return ""
    if _COMMENT.match(line.text) or not _WORD.search(line.text):
        return ""
    return UNDERLINE + line.underline


def likely_style(line: Line, layout: TextLayout) -> str:
    """Return the style of any other underlined line that may be a title; else empty."""
    if not line.underline or line.text.endswith(END_PUNCTUATION):
        return ""
    is_example = line.indent > MOST_INDENT and layout.has_underlines
    # A line between two rules may be a listing.
    may_be = is_title(line.text) if len(line.underline) > 1 else may_be_title(line.text)
    return UNDERLINE + line.underline if may_be and not is_example else ""


def are_underlined(indexes: Sequence[int], layout: TextLayout, numbered: Collection[int]) -> bool:
    """Whether lines that are underlined with the same character are titles."""
    lines = layout.lines
    if sum(lines[index].has_fitted_underline for index in indexes) > _LEAST_FITTED * len(indexes):
        return True
    character = lines[indexes[0]].underline
    is_used = len(indexes) > 1 or layout.has_underlines
    is_used = is_used or any(lines[index].underline == character for index in numbered)
    distinct = len({letters(lines[index].text) for index in indexes})
    is_distinct = distinct > _LEAST_DISTINCT * len(indexes)
    return is_used and is_distinct and share_followed(indexes) < _MOST_FOLLOWING


def share_followed(indexes: Sequence[int]) -> float:
    """Return the share of indexes that are directly followed by another one."""
    followed = set(indexes)
    return sum(index + 1 in followed for index in indexes) / max(len(indexes), 1)
