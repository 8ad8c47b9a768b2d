"""Titles without a number: lines of one style, if the style is used the way titles use it.

A style is what sets a line apart: it is listed in a table of contents, it is a title found in
documents of all kinds, it has a larger font, bold type or an underline, or it is alone between
blank lines.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Final, TypeAlias

from treepack.markdown.prefixes import TAB
from treepack.numbers.grammar import LONGEST_READ
from treepack.numbers.words import letters, letters_of_lines
from treepack.outline.contents import Entries
from treepack.outline.lines import PRINTED_WIDTH, SEVERAL, Layout, Line
from treepack.outline.shape import (
    is_aside,
    is_caption,
    is_known_title,
    is_list_item,
    is_title,
    may_be_title,
)
from treepack.pages.furniture import SHORTEST_SENTENCE
from treepack.plain.lines import COMPLETE_END, are_paragraph_lines

Style: TypeAlias = str
"""``underline`` and its character, ``contents``, ``known``, ``font``, ``bold``, ``centred`` or
``alone``; the last two are styles by position between blank lines."""

UNDERLINE: Final = "underline"
_SENTENCE_ENDS: Final = (".", ",", ";", ":")
_COMMENT: Final = re.compile(r"[-#/;%*]+\s|[-#/;%]{2}|[\W_]*$")  # or an item, or a row of signs
_ITEM_MARKS: Final = ("-", "*", "•", "|", "[")  # of a list, a table row, a link definition
_NO_WORDS: Final = re.compile(r"\([^()]*\)|[\W_]+")  # "(Unaudited)", or a line of punctuation
_LEAST_TEXT: Final = 45  # characters of a line that begins the text below a title
_CENTRED: Final = 8  # columns: the least indentation, and how far from the centre at most
_PAGE_COLUMNS: Final = 76
# The shares were chosen on the unmarked set, so that no line of its negatives becomes a title.
_FEWEST_ALONE: Final = 0.005  # share of lines that are titles; fewer may be questions in a speech
_LEAST_PROSE: Final = 0.6  # share of prose in a text in which lines alone may be titles


def unnumbered_titles(
    layout: Layout, entries: Entries, numbered: Collection[int]
) -> dict[int, Style]:
    """Return the indexes of lines that are titles by their style, with the style."""
    styles = _StyleReader(layout, entries, numbered).styles()
    if not any(_is_centred(layout.lines[index]) for index in styles["known"]):
        styles["centred"] = []  # it may be anything that is centred, such as a date
    larger = len(styles["font"]) + sum(layout.lines[index].size > 0 for index in numbered)
    if larger >= SEVERAL:
        styles["alone"] = []  # if titles are larger, a line that is alone may be anything
    return {
        index: style
        for style, indexes in styles.items()
        if indexes and _is_consistent(style, indexes, layout, numbered)
        for index in indexes
    }


def _is_consistent(
    style: Style, indexes: Sequence[int], layout: Layout, numbered: Collection[int]
) -> bool:
    """Whether a style is used like that of titles: rarely, and each above something else."""
    if style in {"contents", "known", "centred"}:
        return True
    if style in {"bold", "font"}:
        return len(indexes) > 1 or len(numbered) >= SEVERAL
    if style.startswith(UNDERLINE):
        fitted = sum(layout.lines[index].has_fitted_underline for index in indexes)
        return len(indexes) > 1 or layout.has_underlines or fitted == len(indexes)
    titles = {*indexes}
    following = sum(index + 1 in titles for index in indexes)
    distinct = len({letters(layout.lines[index].text) for index in indexes})
    is_chance = distinct < SEVERAL or len(indexes) <= len(numbered)
    is_used = len(indexes) > _FEWEST_ALONE * layout.height and not is_chance
    is_used = is_used and 2 * following < len(indexes)  # cells follow each other
    return is_used and layout.prose >= _LEAST_PROSE


class _StyleReader:
    """Looks at each line in its surroundings."""

    def __init__(self, layout: Layout, entries: Entries, numbered: Collection[int]) -> None:
        self.lines = layout.lines
        self.layout = layout
        self.numbered = numbered
        spans = [(line.start, line.end) for line in self.lines]
        is_any_length = layout.is_spaced or are_paragraph_lines(layout.text, spans)
        self.longest = LONGEST_READ
        if not is_any_length:
            self.longest = min(layout.width, PRINTED_WIDTH)
        keys = letters_of_lines([line.text for line in self.lines]) if entries else []
        self.listed = {
            at
            for at, key in enumerate(keys)
            if key in entries and any(map(str.isalpha, key)) and len(key) > 1
        }
        self.alone: list[int] = []

    def styles(self) -> dict[Style, list[int]]:
        """Return the indexes of lines that may be titles, by their style.

        If blank lines separate the paragraphs, a title is below one.
        """
        by_style: dict[Style, list[int]] = defaultdict(list)
        by_style["alone"] = self.alone
        is_spaced = self.layout.is_spaced
        for index, line in enumerate(self.lines):
            if is_spaced and not line.is_after_blank:
                continue  # the common case: inside a paragraph
            if not line.is_open or line.is_entry or line.is_underline or index in self.numbered:
                continue
            style = self._style(index, line)
            if style and (line.is_set_apart or not line.is_code):
                by_style[style].append(index)
        return by_style

    def _style(self, index: int, line: Line) -> Style:
        text = line.text
        is_read = line.end - line.start <= LONGEST_READ
        if line.has_fitted_underline and is_read and not _COMMENT.match(text):
            return UNDERLINE + line.underline
        is_emphasised = line.is_bold or line.size > 0
        is_shaped = is_emphasised or index in self.listed or len(text) <= self.longest
        if not is_shaped or not (is_emphasised or index in self.listed or may_be_title(text)):
            return ""
        if is_list_item(text) or is_caption(text) or _NO_WORDS.fullmatch(text):
            return ""
        return self._by_words(index, line) or self._by_type(line) or self._by_position(index, line)

    def _by_words(self, index: int, line: Line) -> Style:
        """Return the style of a title by its words: contents list it, or it is a known title."""
        is_alone = line.is_before_blank or not self.layout.is_spaced
        if index in self.listed and is_alone and not line.text.endswith(_SENTENCE_ENDS):
            return "contents"
        is_apart = is_alone or bool(line.underline)
        return "known" if is_apart and is_known_title(line.text) else ""

    def _by_type(self, line: Line) -> Style:
        """Return the style of a title that its font, bold type or an underline shows."""
        text = line.text
        is_emphasised = line.is_bold or line.size > 0
        if is_emphasised and line.is_alone and len(text) <= PRINTED_WIDTH:
            is_unfinished = text.endswith((",", ";")) and not text.endswith(");")
            return "" if is_unfinished else "font" if line.size else "bold"
        if not line.underline or text.endswith(_SENTENCE_ENDS):
            return ""
        is_example = line.indent >= TAB and self.layout.has_underlines
        # A line between two rules may be a listing.
        is_shaped = is_title(text) if len(line.underline) > 1 else may_be_title(text)
        return UNDERLINE + line.underline if is_shaped and not is_example else ""

    def _by_position(self, index: int, line: Line) -> Style:
        """Return the style of a title that only the lines around it set apart."""
        if not (self.layout.is_spaced and line.is_after_blank and is_title(line.text)):
            return ""
        if _is_centred(line):
            below = line if line.is_before_blank else self.lines[index + 1]
            if below.is_before_blank and abs(_off_centre(below)) <= _CENTRED:
                return "centred"
        if not line.is_before_blank or line.indent >= TAB or len(line.text) > PRINTED_WIDTH:
            return ""
        if index + 1 == len(self.lines) or is_aside(line.text):
            return ""
        if self._text_above_ended(index) and self._begins_text(self.lines[index + 1]):
            self.alone.append(index)
        return ""

    def _text_above_ended(self, index: int) -> bool:
        """Whether the text above a line has ended, and the line does not belong to it."""
        if not index:
            return True
        before, line, after = self.lines[index - 1 : index + 2]
        if line.number - before.number < after.number - line.number:
            return False  # like the name below a quotation
        is_title_above = index - 1 in self.numbered or self.alone[-1:] == [index - 1]
        is_indented_above = before.is_code or before.indent > line.indent + 1
        if is_indented_above or is_title_above or before.text.startswith(_ITEM_MARKS):
            return True
        return COMPLETE_END.search(self.layout.ending(before)) is not None

    @staticmethod
    def _begins_text(after: Line) -> bool:
        """Whether a text, code, a list or another title begins below a line."""
        if len(after.text) >= _LEAST_TEXT or after.is_code or is_title(after.text):
            return True
        is_sentence = after.text.endswith((".", ":")) and len(after.text) >= SHORTEST_SENTENCE
        return is_sentence or is_list_item(after.text)


def _is_centred(line: Line) -> bool:
    """Whether a line is roughly centred on a page."""
    return line.indent >= _CENTRED and abs(_off_centre(line)) <= _CENTRED


def _off_centre(line: Line) -> float:
    """Return how many columns a line begins to the right of where a centred line would begin."""
    return line.indent - (_PAGE_COLUMNS - len(line.text)) / 2
