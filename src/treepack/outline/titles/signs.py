"""Titles that signs set apart: lines that underline them, and marks of other formats than markdown.

reStructuredText and many readme files underline titles, AsciiDoc and wikis mark them with ``==``,
LaTeX with commands such as ``section``.
"""

import re
from collections.abc import Collection, Sequence
from typing import Final, TypeAlias

from treepack.outline.titles.lines import MOST_INDENT, Line, is_closed
from treepack.outline.titles.page import Page
from treepack.outline.titles.wording import is_title, letters, may_be_title

Sign: TypeAlias = str
"""The sign of an underline, twice where it is above as well; a mark, ``== ``; empty for none."""

MARKUP: Final = "markup"
UNDERLINE: Final = "underline"
"""The style of what is marked, and the beginning of the style of what is underlined."""

_MOST_FOLLOWING: Final = 0.6  # of underlined titles may have a title on the next line
_LEAST_DISTINCT: Final = 0.7  # of underlined titles say something else than the others
_LEAST_FITTED: Final = 0.8  # of underlines are as long as their titles: no chance makes them so
_WORD: Final = re.compile(r"[^\W_]")
_LONGEST: Final = 200  # characters of a title
_COMMENT: Final = re.compile(r"[-#/;%*]+\s|[-#/;%]{2}")  # or an item; lines may frame it as well
_STOPPED: Final = re.compile(r"[.,;:]$")


def sign_of(line: Line) -> Sign:
    """What underlines or marks a title; empty if nothing does."""
    return line.underline or line.mark


def sure_style(line: Line) -> str:
    """The style of a line that is marked, or underlined in its length; empty for most lines."""
    if not (line.mark or line.is_fitted) or line.end - line.start > _LONGEST:
        return ""
    if _COMMENT.match(line.text) or not _WORD.search(line.text):
        return ""
    return MARKUP if line.mark else UNDERLINE + line.underline


def likely_style(line: Line, page: Page) -> str:
    """The style of any other line that is underlined; empty for most lines."""
    if not line.underline or _STOPPED.search(line.text):
        return ""
    is_example = line.indent > MOST_INDENT and page.has_underlines
    # Between two lines of signs may be a listing.
    may_be = is_title(line.text) if len(line.underline) > 1 else may_be_title(line.text)
    return UNDERLINE + line.underline if may_be and not is_example else ""


def are_marked(
    places: Sequence[int], lines: Sequence[Line], page: Page, numbered: Collection[int]
) -> bool:
    """Whether marks are those of titles: several, with another behind, of LaTeX or a document.

    Where more titles have a number and no mark, marks are examples. For arguments see
    `are_underlined`.
    """
    if sum(not lines[at].mark for at in numbered) >= len(places):
        return False
    first = lines[places[0]]
    is_sure = first.mark == "= " or first.mark[0] == "\\" or is_closed(first, page.text)
    return len(places) > 1 or is_sure


def are_underlined(
    places: Sequence[int], lines: Sequence[Line], page: Page, numbered: Collection[int]
) -> bool:
    """Whether lines that are underlined with one sign are titles.

    Args:
        places: Where they are.
        lines: All lines.
        page: What those have in common.
        numbered: Places that numbered titles take.
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
