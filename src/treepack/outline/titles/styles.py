"""Titles without a number: lines of one style, where the style is used as titles use it.

A style is what sets a line apart: that a list of contents names it, that it is one of the titles
that all documents have, a larger font, bold type, an underline, or that it stands alone between
blank lines.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, Literal

from treepack.outline.titles.contents import Entry, in_order
from treepack.outline.titles.crowded import SENTENCE, bare_items
from treepack.outline.titles.lines import Line
from treepack.outline.titles.page import Page
from treepack.outline.titles.signs import MARKUP, UNDERLINE, are_marked, are_underlined
from treepack.outline.titles.style_reader import HANGING, SPACED, Style, StyleReader, is_centred
from treepack.outline.titles.wording import is_capitals, letters

Evidence = Literal["contents", "title", "bold", "font", "underline", "markup"]

_MOST_SET: Final = 0.4  # of the lines of printed pages may be titles in bold type or another font
# The share of titles that only stand alone among the lines of printed pages. A smaller share is
# the questions in a speech, a larger one is a list.
_FEWEST_PLAIN, _MOST_PLAIN = 0.005, 0.25
_MOST_BESIDE: Final = 0.25  # titles that only stand alone, for each larger one
_FEWEST_DISTINCT: Final = 3  # such titles that say something else; two may be chance
# The same where all other lines are paragraphs, which may be short.
_FEWEST_LINES, _MOST_LINES = 2, 0.34
_LEAST_NAMED: Final = 0.25  # of the titles; where contents name fewer, they name others
_MOST_PLAIN_FOLLOWING: Final = 0.45
_LEAST_PROSE: Final = 0.6  # of the characters of a text in which lines alone may be titles


def evidence_of(style: Style) -> Evidence:
    """What a heading of a style says of itself."""
    if style.startswith(UNDERLINE):
        return "underline"
    known: dict[str, Evidence] = {
        "contents": "contents",
        "bold": "bold",
        "font": "font",
        "markup": "markup",
    }
    return known.get(style, "title")


def title_height(lines: Sequence[Line], at: int, style: Style) -> int:
    """How many lines a title without a number takes: two if both are centred and in capitals."""
    is_broken = style == "centred" and not lines[at].is_last
    return 2 if is_broken and all(is_capitals(line.text) for line in lines[at : at + 2]) else 1


def unnumbered_titles(
    lines: Sequence[Line], page: Page, entries: Mapping[str, Entry], numbered: Iterable[int]
) -> dict[int, Style]:
    """The places of lines that are titles by their style.

    Args:
        lines: All lines.
        page: What they have in common.
        entries: The entries of lists of contents, by letters.
        numbered: Places that numbered titles take.
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
    """The styles, where a line has one: below more blank lines, if several lines are.

    Such a title may recur, as "NOTES" does at the end of each chapter.
    """
    spaced = set(found[SPACED]) if len(found[SPACED]) >= _FEWEST_DISTINCT else set[int]()
    styles = {style: [at for at in places if at not in spaced] for style, places in found.items()}
    return defaultdict(list, styles | {SPACED: sorted(spaced)})


def _are_marked(styles: Mapping[Style, Sequence[int]], page: Page) -> bool:
    return page.has_underlines or len(styles[MARKUP]) >= _FEWEST_DISTINCT


def _are_set_apart(styles: Mapping[Style, Sequence[int]], page: Page) -> bool:
    """Whether titles are marked, larger or bold, or named in contents, so that none is crowded."""
    named = len(styles["contents"])
    are_named = named >= max(_FEWEST_DISTINCT, _LEAST_NAMED * len(styles["crowded"]))
    are_set = len(styles["bold"]) + len(styles["font"]) >= _FEWEST_DISTINCT
    return are_named or are_set or _are_marked(styles, page)


def _standing_alone(
    styles: Mapping[Style, Sequence[int]],
    lines: Sequence[Line],
    page: Page,
    numbered: AbstractSet[int],
) -> list[int]:
    """The lines that only stand alone, but for those that other lines show to be no titles.

    Args:
        styles: The places of lines, by their style.
        lines: All lines.
        page: What they have in common.
        numbered: Places that numbered titles take.
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
        return []  # the dates or authors of what is above
    larger = len(styles["font"]) + sum(lines[at].size > 0 for at in numbered)
    # Where titles are larger, what stands alone is anything.
    return [] if larger >= _FEWEST_DISTINCT and len(places) > _MOST_BESIDE * larger else places


def _is_sign(style: Style) -> bool:
    return style == MARKUP or style.startswith(UNDERLINE)


def _outside_cells(places: Sequence[int], lines: Sequence[Line]) -> list[int]:
    """The titles among the cells of tables: not three in a row, and above a line of a text."""
    own = set(places)
    return [
        at
        for at in places
        if SENTENCE.match(lines[at + 1].text)
        and not any({at + n, at + n + 1, at + n + 2} <= own for n in (-2, -1, 0))
    ]


def _following(places: Sequence[int]) -> float:
    """The share of places that another one follows at once."""
    own = set(places)
    return sum(at + 1 in own for at in places) / max(len(places), 1)


def _is_below_sign(lines: Sequence[Line], at: int) -> bool:
    """Whether a line comes right after a title that is underlined or marked: a date, an author."""
    return at > 0 and (lines[at - 1].is_underline or bool(lines[at - 1].mark))


def _is_consistent(
    style: Style,
    places: Sequence[int],
    lines: Sequence[Line],
    page: Page,
    numbered: AbstractSet[int],
) -> bool:
    """Whether a style is used as titles are: seldom, and each over something else."""
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
