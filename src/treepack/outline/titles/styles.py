"""Titles without a number: lines of one style, if the style is used the way titles use it.

A style is what sets a line apart: it is listed in a table of contents, it is a title found in
documents of all kinds, it has a larger font, bold type or an underline, or it is alone between
blank lines.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, Literal

from treepack.outline.titles.contents import Entry, in_order
from treepack.outline.titles.crowded import SENTENCE, bare_items
from treepack.outline.titles.lines import Line
from treepack.outline.titles.numerals import NUMERAL
from treepack.outline.titles.page import TextLayout
from treepack.outline.titles.signs import MARKUP, UNDERLINE, are_marked, are_underlined
from treepack.outline.titles.style_reader import HANGING, SPACED, Style, StyleReader, is_centred
from treepack.outline.titles.wording import is_capitals, letters

Evidence = Literal["contents", "number", "title", "bold", "font", "underline", "markup"]

_MOST_SET: Final = 0.4  # share of printed lines that may be titles in bold type or a larger font
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
    known: dict[str, Evidence] = {
        "contents": "contents",
        "bold": "bold",
        "font": "font",
        "markup": "markup",
        NUMERAL: "number",
    }
    return known.get(style, "title")


def title_height(lines: Sequence[Line], at: int, style: Style) -> int:
    """Return how many lines an unnumbered title takes: two if it is centred and in capitals."""
    is_broken = style == "centred" and not lines[at].is_last
    return 2 if is_broken and all(is_capitals(line.text) for line in lines[at : at + 2]) else 1


def unnumbered_titles(
    lines: Sequence[Line], page: TextLayout, entries: Mapping[str, Entry], numbered: Iterable[int]
) -> dict[int, Style]:
    """Return the indexes of lines that are titles by their style, with the style.

    Args:
        lines: All lines.
        page: What they have in common.
        entries: The entries of tables of contents, by letters.
        numbered: The indexes of lines of numbered titles.
    """
    taken = set(numbered)
    styles = _by_gaps(StyleReader(lines, page, entries, taken).styles())
    if not any(is_centred(lines[at]) for at in styles["known"]):
        styles["centred"] = []  # it may be anything that is centred, such as a date
    if _are_marked(styles, page):
        styles["head"] = styles[HANGING] = []
    styles["plain"] = _standing_alone(styles, lines, page, taken)
    if _are_set_apart(styles, page):
        styles["crowded"] = []
    if named := styles["contents"]:
        ordered = in_order([letters(lines[at].text) for at in named], entries)
        styles["contents"] = [named[n] for n in ordered]
    return {
        at: style
        for style, places in styles.items()
        if places and _is_consistent(style, places, lines, page, taken)
        for at in places
    }


def _by_gaps(found: Mapping[Style, Sequence[int]]) -> dict[Style, list[int]]:
    """Return the styles; lines that are also ``spaced`` keep only that style if there are several.

    Such a title may recur, like "NOTES" at the end of each chapter.
    """
    spaced = set(found[SPACED]) if len(found[SPACED]) >= _FEWEST_DISTINCT else set[int]()
    styles = {style: [at for at in places if at not in spaced] for style, places in found.items()}
    return defaultdict(list, styles | {SPACED: sorted(spaced)})


def _are_marked(styles: Mapping[Style, Sequence[int]], page: TextLayout) -> bool:
    return page.has_underlines or len(styles[MARKUP]) >= _FEWEST_DISTINCT


def _are_set_apart(styles: Mapping[Style, Sequence[int]], page: TextLayout) -> bool:
    """Whether markup, bold type, fonts or contents show titles, so that none of them is crowded."""
    named = len(styles["contents"])
    are_named = named >= max(_FEWEST_DISTINCT, _LEAST_NAMED * len(styles["crowded"]))
    are_set = len(styles["bold"]) + len(styles["font"]) >= _FEWEST_DISTINCT
    return are_named or are_set or _are_marked(styles, page)


def _standing_alone(
    styles: Mapping[Style, Sequence[int]],
    lines: Sequence[Line],
    page: TextLayout,
    numbered: AbstractSet[int],
) -> list[int]:
    """Return the lines that are only set apart by being alone, if other lines do not rule them out.

    Args:
        styles: The indexes of lines, by their style.
        lines: All lines.
        page: What they have in common.
        numbered: The indexes of lines of numbered titles.
    """
    places = [*styles["plain"]]
    marked = sum(len(own) for style, own in styles.items() if _is_sign(style))
    if _are_marked(styles, page) and marked >= len(places):
        return []
    if _following(places) >= _MOST_PLAIN_FOLLOWING:  # cells of tables
        are_named = len(styles["contents"]) >= _FEWEST_DISTINCT
        places = [] if are_named else _outside_cells(places, lines)
    if places and page.has_paragraph_lines:
        items = bare_items(lines, page)
        places = [at for at in places if at not in items]
    below = sum(_is_below_sign(lines, at) for at in places)
    if 2 * below > len(places):
        return []  # dates or authors of the titles above
    larger = len(styles["font"]) + sum(lines[at].size > 0 for at in numbered)
    # If titles are larger, a line that is alone may be anything.
    return [] if larger >= _FEWEST_DISTINCT and len(places) > _MOST_BESIDE * larger else places


def _is_sign(style: Style) -> bool:
    return style == MARKUP or style.startswith(UNDERLINE)


def _outside_cells(places: Sequence[int], lines: Sequence[Line]) -> list[int]:
    """Return the titles among table cells: not three in succession, and above a sentence."""
    own = set(places)
    return [
        at
        for at in places
        if SENTENCE.match(lines[at + 1].text)
        and not any({at + n, at + n + 1, at + n + 2} <= own for n in (-2, -1, 0))
    ]


def _following(places: Sequence[int]) -> float:
    """Return the share of indexes that are directly followed by another one."""
    own = set(places)
    return sum(at + 1 in own for at in places) / max(len(places), 1)


def _is_below_sign(lines: Sequence[Line], at: int) -> bool:
    """Whether a line directly follows a title with an underline or markup: a date, an author."""
    return at > 0 and (lines[at - 1].is_underline or bool(lines[at - 1].mark))


def _is_consistent(
    style: Style,
    places: Sequence[int],
    lines: Sequence[Line],
    page: TextLayout,
    numbered: AbstractSet[int],
) -> bool:
    """Whether a style is used like that of titles: rarely, and each above something else."""
    if style in {"contents", "known", "centred", SPACED}:
        return True
    if style == MARKUP:
        return are_marked(places, lines, page, numbered)
    if style.startswith(UNDERLINE):
        return are_underlined(places, lines, page, numbered)
    share = len(places) / page.height
    if style in {"bold", "font"}:
        is_used = len(places) > 1 or len(numbered) > 2  # noqa: PLR2004 - numbered titles, alone
        return share < _MOST_SET and is_used
    distinct = len({letters(lines[at].text) for at in places})
    is_sure = style == "crowded" and page.has_paragraph_lines
    fewest = _FEWEST_LINES if is_sure else _FEWEST_DISTINCT
    is_chance = distinct < fewest or len(places) <= len(numbered)
    if style == HANGING:
        return share < _MOST_SET and not is_chance
    is_often = len(places) > _FEWEST_PLAIN * page.rows
    most = _MOST_LINES if is_sure else _MOST_PLAIN
    is_seldom = share < most and _following(places) < _MOST_PLAIN_FOLLOWING
    is_text = is_sure or page.prose >= _LEAST_PROSE
    return is_often and is_seldom and is_text and not is_chance
