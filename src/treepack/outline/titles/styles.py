"""Titles without a number: lines of one style, if the style is used the way titles use it.

A style is what sets a line apart: it is listed in a table of contents, it is a title found in
documents of all kinds, it has a larger font, bold type or an underline, or it is alone between
blank lines.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, Literal

from treepack.outline.titles.crowded import SENTENCE_START, bare_items
from treepack.outline.titles.layout import TextLayout
from treepack.outline.titles.lines import Line
from treepack.outline.titles.markup import (
    MARKUP,
    UNDERLINE,
    are_marked,
    are_underlined,
    share_followed,
)
from treepack.outline.titles.numerals import NUMERAL
from treepack.outline.titles.style_reader import HANGING, SPACED, Style, StyleReader, is_centred
from treepack.outline.titles.toc import Entry, in_order
from treepack.outline.titles.wording import is_capitals, letters

Evidence = Literal["contents", "number", "title", "bold", "font", "underline", "markup"]

_EVIDENCE_OF_STYLE: Final[Mapping[str, Evidence]] = {
    "contents": "contents", "bold": "bold", "font": "font", "markup": "markup", NUMERAL: "number",
}  # fmt: skip
_MOST_EMPHASISED: Final = 0.4  # share of printed lines that may be bold or larger titles
# The share of printed lines that may be plain titles, which are only set apart by being alone. A
# smaller share may be questions in a speech, a larger one a list.
_FEWEST_PLAIN, _MOST_PLAIN = 0.005, 0.25
_MOST_BESIDE: Final = 0.25  # plain titles for each title in a larger font
_FEWEST_DISTINCT: Final = 3  # plain titles with different texts; two may be chance
# The same two limits if all other lines are paragraphs, which may be short.
_FEWEST_LINES, _MOST_LINES = 2, 0.34
_LEAST_NAMED: Final = 0.25  # share of the titles; if contents list fewer, they list other titles
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
    """Return the indexes of lines that are titles by their style, with the style.

    Args:
        layout: All lines, and what they have in common.
        entries: The entries of tables of contents, by letters.
        numbered: The indexes of lines of numbered titles.
    """
    lines, numbered_lines = layout.lines, set(numbered)
    styles = _with_spaced_apart(StyleReader(layout, entries, numbered_lines).styles())
    if not any(is_centred(lines[index]) for index in styles["known"]):
        styles["centred"] = []  # it may be anything that is centred, such as a date
    if _have_markup(styles, layout):
        styles["head"] = styles[HANGING] = []
    styles["plain"] = _plain_titles(styles, layout, numbered_lines)
    if _are_set_apart(styles, layout):
        styles["crowded"] = []
    if in_toc := styles["contents"]:
        ordered = in_order([letters(lines[index].text) for index in in_toc], entries)
        styles["contents"] = [in_toc[n] for n in ordered]
    return {
        index: style
        for style, indexes in styles.items()
        if indexes and _is_consistent(style, indexes, layout, numbered_lines)
        for index in indexes
    }


def _with_spaced_apart(found: Mapping[Style, Sequence[int]]) -> dict[Style, list[int]]:
    """Return the styles; lines that are also ``spaced`` keep only that style if there are several.

    Such a title may recur, like "NOTES" at the end of each chapter.
    """
    spaced = set(found[SPACED]) if len(found[SPACED]) >= _FEWEST_DISTINCT else set[int]()
    styles = {
        style: [index for index in indexes if index not in spaced]
        for style, indexes in found.items()
    }
    return defaultdict(list, styles | {SPACED: sorted(spaced)})


def _have_markup(styles: Mapping[Style, Sequence[int]], layout: TextLayout) -> bool:
    return layout.has_underlines or len(styles[MARKUP]) >= _FEWEST_DISTINCT


def _are_set_apart(styles: Mapping[Style, Sequence[int]], layout: TextLayout) -> bool:
    """Whether markup, bold type, fonts or contents show titles, so that none of them is crowded."""
    in_toc = len(styles["contents"])
    are_in_toc = in_toc >= max(_FEWEST_DISTINCT, _LEAST_NAMED * len(styles["crowded"]))
    are_emphasised = len(styles["bold"]) + len(styles["font"]) >= _FEWEST_DISTINCT
    return are_in_toc or are_emphasised or _have_markup(styles, layout)


def _plain_titles(
    styles: Mapping[Style, Sequence[int]],
    layout: TextLayout,
    numbered: AbstractSet[int],
) -> list[int]:
    """Return the lines that are only set apart by being alone, if other lines do not rule them out.

    Args:
        styles: The indexes of lines, by their style.
        layout: All lines, and what they have in common.
        numbered: The indexes of lines of numbered titles.
    """
    lines, indexes = layout.lines, [*styles["plain"]]
    marked_count = sum(len(marked) for style, marked in styles.items() if _is_markup(style))
    if _have_markup(styles, layout) and marked_count >= len(indexes):
        return []
    if share_followed(indexes) >= _MOST_PLAIN_FOLLOWING:  # cells of tables
        are_in_toc = len(styles["contents"]) >= _FEWEST_DISTINCT
        indexes = [] if are_in_toc else _outside_cells(indexes, lines)
    if indexes and layout.has_paragraph_lines:
        items = bare_items(layout)
        indexes = [index for index in indexes if index not in items]
    below = sum(_is_below_markup(lines, index) for index in indexes)
    if 2 * below > len(indexes):
        return []  # dates or authors of the titles above
    larger = len(styles["font"]) + sum(lines[index].size > 0 for index in numbered)
    # If titles are larger, a line that is alone may be anything.
    return [] if larger >= _FEWEST_DISTINCT and len(indexes) > _MOST_BESIDE * larger else indexes


def _is_markup(style: Style) -> bool:
    return style == MARKUP or style.startswith(UNDERLINE)


def _outside_cells(indexes: Sequence[int], lines: Sequence[Line]) -> list[int]:
    """Return the titles among table cells: not three in succession, and above a sentence."""
    titles = set(indexes)
    return [
        index
        for index in indexes
        if SENTENCE_START.match(lines[index + 1].text)
        and not any({index + n, index + n + 1, index + n + 2} <= titles for n in (-2, -1, 0))
    ]


def _is_below_markup(lines: Sequence[Line], index: int) -> bool:
    """Whether a line directly follows a title with an underline or markup: a date, an author."""
    return index > 0 and (lines[index - 1].is_underline or bool(lines[index - 1].markup))


def _is_consistent(
    style: Style,
    indexes: Sequence[int],
    layout: TextLayout,
    numbered: AbstractSet[int],
) -> bool:
    """Whether a style is used like that of titles: rarely, and each above something else."""
    if style in {"contents", "known", "centred", SPACED}:
        return True
    if style == MARKUP:
        return are_marked(indexes, layout, numbered)
    if style.startswith(UNDERLINE):
        return are_underlined(indexes, layout, numbered)
    share = len(indexes) / layout.height
    if style in {"bold", "font"}:
        is_used = len(indexes) > 1 or len(numbered) > 2  # noqa: PLR2004 - numbered titles, alone
        return share < _MOST_EMPHASISED and is_used
    distinct = len({letters(layout.lines[index].text) for index in indexes})
    is_certain = style == "crowded" and layout.has_paragraph_lines
    fewest = _FEWEST_LINES if is_certain else _FEWEST_DISTINCT
    is_chance = distinct < fewest or len(indexes) <= len(numbered)
    if style == HANGING:
        return share < _MOST_EMPHASISED and not is_chance
    is_often = len(indexes) > _FEWEST_PLAIN * layout.rows
    most = _MOST_LINES if is_certain else _MOST_PLAIN
    is_seldom = share < most and share_followed(indexes) < _MOST_PLAIN_FOLLOWING
    is_text = is_certain or layout.prose >= _LEAST_PROSE
    return is_often and is_seldom and is_text and not is_chance
