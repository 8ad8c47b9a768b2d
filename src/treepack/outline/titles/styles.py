"""Titles without a number: lines of one style, if the style is used the way titles use it.

A style is what sets a line apart: it is listed in a table of contents, it is a title found in
documents of all kinds, it has a larger font, bold type or an underline, or it is alone between
blank lines.
"""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, Literal

from treepack.numbers.words import letters
from treepack.outline.titles.layout import TextLayout
from treepack.outline.titles.lines import Line
from treepack.outline.titles.style_reader import (
    SENTENCE_START,
    Style,
    StyleReader,
    is_centred,
)
from treepack.outline.titles.toc import Entry, in_order
from treepack.outline.titles.underlines import UNDERLINE, are_underlined, share_followed
from treepack.outline.titles.wording import is_capitals

Evidence = Literal["contents", "number", "title", "bold", "font", "underline"]

_EVIDENCE_OF_STYLE: Final[Mapping[str, Evidence]] = {
    "contents": "contents",
    "bold": "bold",
    "font": "font",
}
_MOST_EMPHASISED: Final = 0.4  # share of printed lines that may be bold or larger titles
# The share of printed lines that may be plain titles, which are only set apart by being alone. A
# smaller share may be questions in a speech, a larger one a list.
_FEWEST_PLAIN, _MOST_PLAIN = 0.005, 0.25
_MOST_BESIDE: Final = 0.25  # plain titles for each title in a larger font
_FEWEST_DISTINCT: Final = 3  # plain titles with different texts; two may be chance
_MOST_PLAIN_FOLLOWING: Final = 0.45
_LEAST_PROSE: Final = 0.6  # share of prose in a text in which lines alone may be titles


def evidence_of(style: Style) -> Evidence:
    """Return the evidence that a style gives for a title."""
    if style.startswith(UNDERLINE):
        return "underline"
    return _EVIDENCE_OF_STYLE.get(style, "title")


def title_height(lines: Sequence[Line], index: int, style: Style) -> int:
    """Return how many lines an unnumbered title takes: two if it is centred and in capitals."""
    if style != "centred" or lines[index].is_before_blank:
        return 1
    return 2 if all(is_capitals(line.text) for line in lines[index : index + 2]) else 1


def unnumbered_titles(
    layout: TextLayout, entries: Mapping[str, Entry], numbered: Iterable[int]
) -> dict[int, Style]:
    """Return the indexes of lines that are titles by their style, with the style."""
    lines, numbered_lines = layout.lines, set(numbered)
    styles = StyleReader(layout, entries, numbered_lines).styles()
    if not any(is_centred(lines[index]) for index in styles["known"]):
        styles["centred"] = []  # it may be anything that is centred, such as a date
    styles["plain"] = _plain_titles(styles, layout, numbered_lines)
    if in_toc := styles["contents"]:
        ordered = in_order([letters(lines[index].text) for index in in_toc], entries)
        styles["contents"] = [in_toc[n] for n in ordered]
    return {
        index: style
        for style, indexes in styles.items()
        if indexes and _is_consistent(style, indexes, layout, numbered_lines)
        for index in indexes
    }


def _plain_titles(
    styles: Mapping[Style, Sequence[int]],
    layout: TextLayout,
    numbered: AbstractSet[int],
) -> list[int]:
    """Return the lines that are only set apart by being alone, unless others rule them out."""
    lines, indexes = layout.lines, [*styles["plain"]]
    underlined = sum(len(all_) for style, all_ in styles.items() if style.startswith(UNDERLINE))
    if layout.has_underlines and underlined >= len(indexes):
        return []
    if share_followed(indexes) >= _MOST_PLAIN_FOLLOWING:  # cells of tables
        are_in_toc = len(styles["contents"]) >= _FEWEST_DISTINCT
        indexes = [] if are_in_toc else _outside_cells(indexes, lines)
    below = sum(index > 0 and lines[index - 1].is_underline for index in indexes)
    if 2 * below > len(indexes):
        return []  # dates or authors of the titles above
    larger = len(styles["font"]) + sum(lines[index].size > 0 for index in numbered)
    # If titles are larger, a line that is alone may be anything.
    return [] if larger >= _FEWEST_DISTINCT and len(indexes) > _MOST_BESIDE * larger else indexes


def _outside_cells(indexes: Sequence[int], lines: Sequence[Line]) -> list[int]:
    """Return the titles among table cells: not three in succession, and above a sentence."""
    titles = set(indexes)
    return [
        index
        for index in indexes
        if SENTENCE_START.match(lines[index + 1].text)
        and not any({index + n, index + n + 1, index + n + 2} <= titles for n in (-2, -1, 0))
    ]


def _is_consistent(
    style: Style,
    indexes: Sequence[int],
    layout: TextLayout,
    numbered: AbstractSet[int],
) -> bool:
    """Whether a style is used like that of titles: rarely, and each above something else."""
    if style in {"contents", "known", "centred"}:
        return True
    if style.startswith(UNDERLINE):
        return are_underlined(indexes, layout, numbered)
    share = len(indexes) / layout.height
    if style in {"bold", "font"}:
        is_used = len(indexes) > 1 or len(numbered) > 2  # noqa: PLR2004 - numbered titles, alone
        return share < _MOST_EMPHASISED and is_used
    distinct = len({letters(layout.lines[index].text) for index in indexes})
    is_chance = distinct < _FEWEST_DISTINCT or len(indexes) <= len(numbered)
    is_often = len(indexes) > _FEWEST_PLAIN * layout.rows
    is_seldom = share < _MOST_PLAIN and share_followed(indexes) < _MOST_PLAIN_FOLLOWING
    return is_often and is_seldom and layout.prose >= _LEAST_PROSE and not is_chance
