"""The style of each line that may be a title without a number: what sets it apart."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, TypeAlias

from treepack.outline.titles.contents import Entry
from treepack.outline.titles.crowded import (
    IN_COLUMNS,
    ITEM,
    LIST_START,
    SHORT_LINE,
    parts_paragraphs,
)
from treepack.outline.titles.lines import LEAST_TEXT, MOST_INDENT, Line
from treepack.outline.titles.page import TextLayout
from treepack.outline.titles.signs import likely_style, sure_style
from treepack.outline.titles.spaced import are_below_gaps, is_below_gap
from treepack.outline.titles.wording import (
    CONTENTS_TITLES,
    END_SIGNS,
    KNOWN_TITLES,
    has_capitals,
    is_aside,
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
"""``markup``, ``underline=``, ``contents``, ``known``, ``font``, ``bold``, or a style by position.

Styles by position: ``spaced`` has more blank lines above it than paragraphs have, ``hanging`` is
further left than the body, ``centred`` and ``plain`` are between blank lines, ``head`` is below a
blank line and right above text, and ``crowded`` needs no blank lines.
"""

HANGING: Final = "hanging"
SPACED: Final = "spaced"
_BY_PLACE: Final = frozenset({"", "centred", HANGING, "plain", "head"})
"""The styles that a line may have in addition to ``spaced``."""
_SHORTEST_WORD: Final = 3  # characters
_LONGEST_BOLD: Final = 120
_LONGEST_PLAIN: Final = 75
_LONGEST_QUESTION: Final = 120  # characters of a question that is a plain title
_LEAST_SENTENCE: Final = 20  # characters of a sentence that takes one line below a title
_CENTRED: Final = 8  # columns of indentation at least
_COLUMNS: Final = 76
_SLACK: Final = 9
_HEAD_BODY: Final = re.compile(r"[^\w\s]{0,3}(?:[^\W_a-z]|\d)")
_NO_WORDS: Final = re.compile(r"\([^()]*\)|[\W_]+")  # "(Unaudited)", or a line of punctuation


class StyleReader:
    """Looks at each line in its surroundings."""

    def __init__(
        self,
        lines: Sequence[Line],
        page: TextLayout,
        entries: Mapping[str, Entry],
        numbered: AbstractSet[int],
    ) -> None:
        self.lines = lines
        self.page = page
        self.entries = entries
        self.numbered = numbered
        # The least number of blank lines above titles; 0 if numbered titles have fewer.
        self.gap = page.title_gap if are_below_gaps(lines, numbered, page.title_gap) else 0
        # The last style of a line counts, so any other style is preferred to "crowded".
        self.found: dict[Style, list[int]] = defaultdict(list, {"crowded": []})

    def styles(self) -> dict[Style, list[int]]:
        """Return the indexes of lines that may be titles, by their style.

        If blank lines separate the paragraphs, a title is below one, unless a paragraph takes one
        line.
        """
        is_spaced = self.page.is_spaced
        may_be_inside = is_spaced and self.page.has_paragraph_lines
        for at, line in enumerate(self.lines):
            is_inside = is_spaced and not (
                line.is_apart or line.mark or self._is_named_inside(line)
            )
            if (is_inside and not may_be_inside) or not self._is_free(at):
                continue  # the common case: inside a paragraph
            style = "" if is_inside else self._style(at)
            if style:
                self.found[style].append(at)
            # A line may get two styles below, because either of them may be dropped later.
            if self.gap and style in _BY_PLACE and is_below_gap(self.lines, at, self.gap):
                self.found[SPACED].append(at)
            if may_be_inside and self._is_crowded(at):
                self.found["crowded"].append(at)
        return self.found

    def _is_free(self, at: int) -> bool:
        """Whether a line is not a title yet, and its block and code do not rule one out."""
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
        is_row = IN_COLUMNS.search(line.text) and not line.underline
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
        """Whether a table of contents lists a line."""
        return bool(self.entries) and letters(line.text) in self.entries and _is_word(line)

    def _is_named_inside(self, line: Line) -> bool:
        """Whether contents list a line that reads like a title, so that it needs no blank line.

        If the body is indented, the line must be less indented, unlike the words of an index.
        """
        is_inside = self.page.is_hanging and line.indent >= self.page.indent
        return not is_inside and self._is_named(line) and is_title(line.text)

    def _outright(self, at: int, *, is_named: bool) -> Style:
        """Return the style of a title by its words: contents list it, or it is a known title."""
        line = self.lines[at]
        is_over_contents = at + 1 < len(self.lines) and self.lines[at + 1].is_contents
        if is_over_contents and words_of(line.text) in CONTENTS_TITLES:
            return "known"
        if is_named and not line.text.endswith(END_SIGNS):
            is_alone = line.is_last or not self.page.is_spaced
            if is_alone or self._is_named_inside(line):
                return "contents"
        is_known = self._is_set_apart(line) and words_of(line.text) in KNOWN_TITLES
        is_end = line.text.endswith(".") and line.text[0].islower()  # of a sentence
        return "known" if is_known and not is_end else ""

    def _style_by_place(self, at: int) -> Style:
        """Return the style of a title that only the lines around it set apart."""
        if not self.page.is_spaced:
            return "crowded" if self._is_crowded(at) else ""
        if self._is_centred_title(at):
            return "centred"
        return HANGING if self._sticks_out(at) else self._style_alone(at)

    def _style_alone(self, at: int) -> Style:
        """Return the style of a title that is or begins a paragraph, below text that has ended."""
        if not self._may_be_plain(at):
            return ""
        if self.lines[at].is_last:
            return "plain" if self._begins(self.lines[at + 1]) else ""
        return "head" if self._is_head(at) else ""

    def _sticks_out(self, at: int) -> bool:
        """Whether a line is further left than the body, below a blank line and above deeper text.

        Manual pages print sections like this, and subsections a little deeper.
        """
        line, page = self.lines[at], self.page
        if not (page.is_hanging and line.is_apart and line.indent < page.indent):
            return False
        is_above = at + 1 < len(self.lines) and self.lines[at + 1].indent > line.indent + 1
        # Indented lines of one word or in small letters may be terms of a list.
        is_sure = not line.indent or (" " in line.text and has_capitals(line.text))
        return is_above and is_sure and len(line.text) <= _LONGEST_PLAIN and is_title(line.text)

    def _is_centred_title(self, at: int) -> bool:
        """Whether a line is centred below a blank line, alone or above one more centred line."""
        line = self.lines[at]
        if not (line.is_apart and is_centred(line)):
            return False
        below = line if line.is_last else self.lines[at + 1]
        return below.is_last and abs(_off_centre(below)) < _SLACK and is_title(line.text)

    def _is_set_apart(self, line: Line) -> bool:
        is_placed = not line.indent or is_centred(line) or not self.page.is_hanging
        return is_placed and (line.is_last or bool(line.underline) or not self.page.is_spaced)

    def _may_be_plain(self, at: int) -> bool:
        """Whether a line may be a title by its words, and the text above it has ended."""
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
        """Whether the first line of a paragraph is short, and the next one begins a text."""
        line, after = self.lines[at : at + 2]
        word = after.text.split(" ", 1)[0]
        is_full = len(line.text) + 1 + len(word) > SHORT_LINE * self.page.width
        begins = _HEAD_BODY.match(after.text) is not None and len(after.text) >= LEAST_TEXT
        return not is_full and (begins or ITEM.match(after.text) is not None)

    def _is_crowded(self, at: int) -> bool:
        """Whether a line separates paragraphs although there are no blank lines around it."""
        is_below = at - 1 in self.numbered or self.found["crowded"][-1:] == [at - 1]
        return parts_paragraphs(self.lines, at, self.page, is_below_title=is_below)

    def _has_ended(self, at: int) -> bool:
        """Whether the text above a line has ended, and the line does not belong to it."""
        if not at:
            return True
        before, line, after = self.lines[at - 1 : at + 2]
        if line.number - before.number < after.number - line.number:
            return False  # like the name below a quotation
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
    """Whether a line has more than a number and punctuation."""
    return len(line.text) >= _SHORTEST_WORD and any(map(str.isalpha, line.text))


def is_centred(line: Line) -> bool:
    """Whether a line is roughly centred on a page."""
    return line.indent >= _CENTRED and abs(_off_centre(line)) < _SLACK


def _off_centre(line: Line) -> float:
    """Return how many columns a line begins to the right of where a centred line would begin."""
    return line.indent - (_COLUMNS - len(line.text)) / 2
