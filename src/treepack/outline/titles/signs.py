"""Titles with an underline, or with the heading markup of other formats than markdown.

reStructuredText and many readme files underline titles, AsciiDoc and wikis mark them with ``==``,
LaTeX with commands such as ``section``.
"""

import re
from collections.abc import Collection, Sequence
from typing import Final, TypeAlias

from treepack.outline.titles.lines import MOST_INDENT, Line, is_closed
from treepack.outline.titles.page import TextLayout
from treepack.outline.titles.wording import END_SIGNS, is_title, letters, may_be_title

Sign: TypeAlias = str
"""The character of an underline, twice with an overline; or markup, ``== ``; empty for neither."""

MARKUP: Final = "markup"
UNDERLINE: Final = "underline"
"""The style of titles with markup, and the beginning of the style of underlined titles."""

_MOST_FOLLOWING: Final = 0.6  # share of underlined titles with a title on the next line
_LEAST_DISTINCT: Final = 0.7  # share of underlined titles with different texts
_LEAST_FITTED: Final = 0.8  # share of underlines as long as their titles, which is not chance
_WORD: Final = re.compile(r"[^\W_]")
_LONGEST: Final = 200  # characters of a title
_COMMENT: Final = re.compile(r"[-#/;%*]+\s|[-#/;%]{2}")  # or an item; both may be between rules


def sign_of(line: Line) -> Sign:
    """Return the underline or markup of a title; empty if it has neither."""
    return line.underline or line.mark


def sure_style(line: Line) -> str:
    """Return the style of a line with markup or an underline of equal length; else empty."""
    if not (line.mark or line.is_fitted) or line.end - line.start > _LONGEST:
        return ""
    if _COMMENT.match(line.text) or not _WORD.search(line.text):
        return ""
    return MARKUP if line.mark else UNDERLINE + line.underline


def likely_style(line: Line, page: TextLayout) -> str:
    """Return the style of any other underlined line that may be a title; else empty."""
    if not line.underline or line.text.endswith(END_SIGNS):
        return ""
    is_example = line.indent > MOST_INDENT and page.has_underlines
    # A line between two rules may be a listing.
    may_be = is_title(line.text) if len(line.underline) > 1 else may_be_title(line.text)
    return UNDERLINE + line.underline if may_be and not is_example else ""


def are_marked(
    places: Sequence[int], lines: Sequence[Line], page: TextLayout, numbered: Collection[int]
) -> bool:
    """Whether markup is that of titles: several, or closed, or of LaTeX, or of a book's title.

    If as many numbered titles have no markup, the markup is an example. For arguments see
    `are_underlined`.
    """
    if sum(not lines[at].mark for at in numbered) >= len(places):
        return False
    first = lines[places[0]]
    is_sure = first.mark == "= " or first.mark[0] == "\\" or is_closed(first, page.text)
    return len(places) > 1 or is_sure


def are_underlined(
    places: Sequence[int], lines: Sequence[Line], page: TextLayout, numbered: Collection[int]
) -> bool:
    """Whether lines that are underlined with the same character are titles.

    Args:
        places: The indexes of these lines.
        lines: All lines.
        page: What all lines have in common.
        numbered: The indexes of lines of numbered titles.
    """
    if sum(lines[at].is_fitted for at in places) > _LEAST_FITTED * len(places):
        return True
    sign, own = lines[places[0]].underline, set(places)
    is_used = page.has_underlines or any(lines[at].underline == sign for at in numbered)
    distinct = len({letters(lines[at].text) for at in places})
    following = sum(at + 1 in own for at in places)
    return (
        (len(places) > 1 or is_used)
        and distinct > _LEAST_DISTINCT * len(places)
        and following < _MOST_FOLLOWING * len(places)
    )
