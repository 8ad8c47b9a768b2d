"""Titles without a number: lines of one style, where the style is used as titles use it.

A style is what sets a line apart: that a list of contents names it, that it is one of the titles
that all documents have, a larger font, bold type, an underline, or that it stands alone between
blank lines.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, Literal, TypeAlias

from treepack.outline.titles.contents import Entry, in_order
from treepack.outline.titles.crowded import (
    ITEM,
    LIST_START,
    SENTENCE,
    SHORT_LINE,
    parts_paragraphs,
)
from treepack.outline.titles.lines import LEAST_TEXT, MOST_INDENT, Line
from treepack.outline.titles.page import Page
from treepack.outline.titles.signs import (
    MARKUP,
    UNDERLINE,
    are_marked,
    are_underlined,
    likely_style,
    sure_style,
)
from treepack.outline.titles.wording import (
    CONTENTS_TITLES,
    KNOWN_TITLES,
    has_capitals,
    is_aside,
    is_capitals,
    is_caption,
    is_list_item,
    is_notice,
    is_title,
    letters,
    may_be_title,
    words_of,
)
from treepack.plain.lines import ENDED

Style: TypeAlias = str
"""``markup``, ``underline=``, ``contents``, ``known``, ``font``, ``bold``, or by the lines around.

Those are ``hanging`` further left than the body, ``centred`` and ``plain`` between blank lines,
``head`` below one and right above a text, ``crowded`` wherever none is needed.
"""
Evidence = Literal["contents", "title", "bold", "font", "underline", "markup"]

HANGING: Final = "hanging"
_SHORTEST_WORD: Final = 3  # characters
_LONGEST_BOLD: Final = 120
_LONGEST_PLAIN: Final = 75
_LONGEST_QUESTION: Final = 120  # that is a plain title
_LEAST_SENTENCE: Final = 20  # characters of a sentence that begins and ends below a title
_CENTRED: Final = 8  # columns at least
_COLUMNS: Final = 76
_MOST_SET: Final = 0.4  # of the lines of printed pages may be titles in bold type or another font
# The share of titles that only stand alone among the lines of printed pages. A smaller share is
# the questions in a speech, a larger one is a list.
_FEWEST_PLAIN, _MOST_PLAIN = 0.005, 0.25
_MOST_BESIDE: Final = 0.25  # titles that only stand alone, for each larger one
_FEWEST_DISTINCT: Final = 3  # such titles that say something else; two may be chance
# The same where all other lines are paragraphs, which may be short.
_FEWEST_LINES, _MOST_LINES = 2, 0.34
_MOST_PLAIN_FOLLOWING: Final = 0.45
_LEAST_PROSE: Final = 0.6  # of the characters of a text in which lines alone may be titles
_SLACK: Final = 9
_GAP_INSIDE: Final = re.compile(r"\S\s{3,}\S")
_HEAD_BODY: Final = re.compile(r"[^\w\s]{0,3}(?:[^\W_a-z]|\d)")
_STOPPED: Final = re.compile(r"[.,;:]$")
_NO_WORDS: Final = re.compile(r"\([^()]*\)|[\W_]+")  # "(Unaudited)", or a line of signs


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
    styles = _Reader(lines, page, entries, taken).styles()
    if not any(_is_centred(lines[at]) for at in styles["known"]):
        styles["centred"] = []  # it may be anything that is centred, such as a date
    marked = [at for style in styles if _is_sign(style) for at in styles[style]]
    if page.has_underlines or len(styles[MARKUP]) >= _FEWEST_DISTINCT:  # titles are marked here
        styles["head"] = styles["crowded"] = styles[HANGING] = []
        styles["plain"] = [] if len(marked) >= len(styles["plain"]) else styles["plain"]
    has_cells = _following(styles["plain"]) >= _MOST_PLAIN_FOLLOWING
    if has_cells:
        styles["plain"] = _outside_cells(styles["plain"], lines)
    if len(styles["contents"]) >= _FEWEST_DISTINCT:  # contents name the titles here
        styles["crowded"] = []
        styles["plain"] = [] if has_cells else styles["plain"]
    below = [at for at in styles["plain"] if _is_below_sign(lines, at)]
    if 2 * len(below) > len(styles["plain"]):
        styles["plain"] = []  # the dates or authors of what is above
    larger = len(styles["font"]) + sum(lines[at].size > 0 for at in taken)
    if larger >= _FEWEST_DISTINCT and len(styles["plain"]) > _MOST_BESIDE * larger:
        styles["plain"] = []  # titles are larger here, and what stands alone is anything
    if len(styles["bold"]) + len(styles["font"]) >= _FEWEST_DISTINCT:
        styles["crowded"] = []  # titles are set apart here
    if named := styles["contents"]:
        ordered = in_order([letters(lines[at].text) for at in named], entries)
        styles["contents"] = [named[n] for n in ordered]
    return {
        at: style
        for style, places in styles.items()
        if places and _is_consistent(style, places, lines, page, taken)
        for at in places
    }


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


class _Reader:
    """Looks at each line in its surroundings."""

    def __init__(
        self,
        lines: Sequence[Line],
        page: Page,
        entries: Mapping[str, Entry],
        numbered: AbstractSet[int],
    ) -> None:
        self.lines = lines
        self.page = page
        self.entries = entries
        self.numbered = numbered
        # The last style of a line counts, so any other one counts more than "crowded".
        self.found: dict[Style, list[int]] = defaultdict(list, {"crowded": []})

    def styles(self) -> dict[Style, list[int]]:
        """The places of lines that may be titles, by their style.

        Where blank lines part the paragraphs, a title stands below one, unless a paragraph takes
        one line.
        """
        is_spaced = self.page.is_spaced
        may_be_inside = is_spaced and self.page.has_paragraph_lines
        for at, line in enumerate(self.lines):
            is_inside = is_spaced and not (
                line.is_apart or line.mark or self._is_named_inside(line)
            )
            if (is_inside and not may_be_inside) or not self._is_free(at):
                continue  # most lines: inside a paragraph
            if not is_inside and (style := self._style(at)):
                self.found[style].append(at)
            if may_be_inside and self._is_crowded(at):
                self.found["crowded"].append(at)  # as well: either style may be dropped
        return self.found

    def _is_free(self, at: int) -> bool:
        """Whether a line is no other title, and may be one as far as blocks and code go."""
        line = self.lines[at]
        if at in self.numbered or line.is_contents or not line.is_open or line.is_underline:
            return False
        return not line.is_code or line.is_bold or line.size > 0 or bool(line.underline)

    def _style(self, at: int) -> Style:
        line = self.lines[at]
        if style := sure_style(line):
            return style
        is_named = self._is_named(line)
        is_set = line.is_bold or line.size > 0
        may_be = may_be_title(line.text) or is_set or is_named
        is_row = _GAP_INSIDE.search(line.text) and not line.underline
        is_part = line.text.endswith((",", ";")) and not line.text.endswith(");")  # of a sentence
        if not may_be or is_row or is_part or is_list_item(line.text) or is_caption(line.text):
            return ""
        if _NO_WORDS.fullmatch(line.text):
            return ""
        if style := self._outright(at, is_named=is_named):
            return style
        if is_set and line.is_apart and line.is_last and len(line.text) <= _LONGEST_BOLD:
            return "font" if line.size else "bold"
        return likely_style(line, self.page) or self._style_by_place(at)

    def _is_named(self, line: Line) -> bool:
        """Whether a list of contents names a line."""
        return bool(self.entries) and letters(line.text) in self.entries and _is_word(line)

    def _is_named_inside(self, line: Line) -> bool:
        """Whether contents name a line for which no blank line is needed: it reads as a title.

        Where the body is indented, it must not be, as the words of an index are.
        """
        is_inside = self.page.is_hanging and line.indent >= self.page.indent
        return not is_inside and self._is_named(line) and is_title(line.text)

    def _outright(self, at: int, *, is_named: bool) -> Style:
        """The style of a title by its words: contents name it, or all documents have it."""
        line = self.lines[at]
        is_over_contents = at + 1 < len(self.lines) and self.lines[at + 1].is_contents
        if is_over_contents and words_of(line.text) in CONTENTS_TITLES:
            return "known"
        if is_named and not _STOPPED.search(line.text):
            is_alone = line.is_last or not self.page.is_spaced
            if is_alone or self._is_named_inside(line):
                return "contents"
        is_known = self._is_set_apart(line) and words_of(line.text) in KNOWN_TITLES
        return "known" if is_known else ""

    def _style_by_place(self, at: int) -> Style:
        """The style of a title that nothing sets apart but the lines around it."""
        if not self.page.is_spaced:
            return "crowded" if self._is_crowded(at) else ""
        if self._is_centred_title(at):
            return "centred"
        if self._sticks_out(at):
            return HANGING
        if not self._may_be_plain(at):
            return ""
        if self.lines[at].is_last:
            return "plain" if self._begins(self.lines[at + 1]) else ""
        return "head" if self._is_head(at) else ""

    def _sticks_out(self, at: int) -> bool:
        """Whether a line begins further left than the body, below a blank line and above its text.

        So manual pages print their sections, and their subsections a little deeper.
        """
        line, page = self.lines[at], self.page
        if not (page.is_hanging and line.is_apart and line.indent < page.indent):
            return False
        is_above = at + 1 < len(self.lines) and self.lines[at + 1].indent > line.indent + 1
        # Deeper lines may be terms of a list, of one word or in small letters.
        is_sure = not line.indent or (" " in line.text and has_capitals(line.text))
        return is_above and is_sure and len(line.text) <= _LONGEST_PLAIN and is_title(line.text)

    def _is_centred_title(self, at: int) -> bool:
        """Whether a line stands centred below a blank line, alone or over one more."""
        line = self.lines[at]
        if not (line.is_apart and _is_centred(line)):
            return False
        below = line if line.is_last else self.lines[at + 1]
        return below.is_last and abs(_off_centre(below)) < _SLACK and is_title(line.text)

    def _is_set_apart(self, line: Line) -> bool:
        is_placed = not line.indent or _is_centred(line) or not self.page.is_hanging
        return is_placed and (line.is_last or bool(line.underline) or not self.page.is_spaced)

    def _may_be_plain(self, at: int) -> bool:
        """Whether a line below a text that has ended may be a title, as far as its words go."""
        line = self.lines[at]
        longest = _LONGEST_QUESTION if line.text[-1] == "?" else _LONGEST_PLAIN
        if not line.is_apart or line.indent > MOST_INDENT or len(line.text) > longest:
            return False
        if at + 1 == len(self.lines) or not is_title(line.text):
            return False
        if is_aside(line.text) or is_notice(line.text):
            return False
        return self._has_ended(at)

    def _is_head(self, at: int) -> bool:
        """Whether the first line of a paragraph ends before it must, and the next begins a text."""
        line, after = self.lines[at : at + 2]
        word = after.text.split(" ", 1)[0]
        is_full = len(line.text) + 1 + len(word) > SHORT_LINE * self.page.width
        begins = _HEAD_BODY.match(after.text) is not None and len(after.text) >= LEAST_TEXT
        return not is_full and (begins or ITEM.match(after.text) is not None)

    def _is_crowded(self, at: int) -> bool:
        """Whether a line parts paragraphs though no blank line parts it from them."""
        is_below = at - 1 in self.numbered or self.found["crowded"][-1:] == [at - 1]
        return parts_paragraphs(self.lines, at, self.page, is_below_title=is_below)

    def _has_ended(self, at: int) -> bool:
        """Whether what is above a line has come to an end, and the line does not go with it."""
        if not at:
            return True
        before, line, after = self.lines[at - 1 : at + 2]
        if line.number - before.number < after.number - line.number:
            return False  # as the name below a quotation
        is_title_above = at - 1 in self.numbered or self.found["plain"][-1:] == [at - 1]
        is_set_in = before.is_code or before.indent > line.indent + 1
        if is_set_in or is_title_above or ITEM.match(before.text):
            return True
        return ENDED.search(self.page.ending(before)) is not None

    def _begins(self, after: Line) -> bool:
        """Whether a text, code, a list or another title begins below a line."""
        if len(after.text) >= LEAST_TEXT or after.is_code or is_title(after.text):
            return True
        if after.text.endswith((".", ":")) and len(after.text) >= _LEAST_SENTENCE:
            return True
        return LIST_START.match(after.text) is not None


def _is_word(line: Line) -> bool:
    """Whether a line has more than a number and its signs."""
    return len(line.text) >= _SHORTEST_WORD and any(map(str.isalpha, line.text))


def _is_centred(line: Line) -> bool:
    return line.indent >= _CENTRED and abs(_off_centre(line)) < _SLACK


def _off_centre(line: Line) -> float:
    """How many columns a line begins after the place where it would stand in the middle."""
    return line.indent - (_COLUMNS - len(line.text)) / 2


def _is_consistent(
    style: Style,
    places: Sequence[int],
    lines: Sequence[Line],
    page: Page,
    numbered: AbstractSet[int],
) -> bool:
    """Whether a style is used as titles are: seldom, and each over something else."""
    if style in {"contents", "known", "centred"}:
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
