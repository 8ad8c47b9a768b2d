"""The style of each line that may be a title without a number, by what sets it apart."""

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
from treepack.outline.titles.page import Page
from treepack.outline.titles.signs import likely_style, sure_style
from treepack.outline.titles.spaced import are_below_gaps, is_below_gap
from treepack.outline.titles.wording import (
    CONTENTS_TITLES,
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
"""``markup``, ``underline=``, ``contents``, ``known``, ``font``, ``bold``, or by the lines around.

Those are ``spaced`` below more blank lines than paragraphs are, ``hanging`` further left than the
body, ``centred`` and ``plain`` between blank lines, ``head`` below one and right above a text,
``crowded`` wherever none is needed.
"""

HANGING: Final = "hanging"
SPACED: Final = "spaced"
_BY_PLACE: Final = frozenset({"", "centred", HANGING, "plain", "head"})
"""The styles beside which a line may also be below more blank lines."""
_SHORTEST_WORD: Final = 3  # characters
_LONGEST_BOLD: Final = 120
_LONGEST_PLAIN: Final = 75
_LONGEST_QUESTION: Final = 120  # that is a plain title
_LEAST_SENTENCE: Final = 20  # characters of a sentence that begins and ends below a title
_CENTRED: Final = 8  # columns at least
_COLUMNS: Final = 76
_SLACK: Final = 9
_HEAD_BODY: Final = re.compile(r"[^\w\s]{0,3}(?:[^\W_a-z]|\d)")
_STOPPED: Final = re.compile(r"[.,;:]$")
_NO_WORDS: Final = re.compile(r"\([^()]*\)|[\W_]+")  # "(Unaudited)", or a line of signs


class StyleReader:
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
        # How many blank lines stand above titles; 0 where numbered titles have fewer.
        self.gap = page.title_gap if are_below_gaps(lines, numbered, page.title_gap) else 0
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
            style = "" if is_inside else self._style(at)
            if style:
                self.found[style].append(at)
            # A line may have two styles from here on, as either of them may be dropped.
            if self.gap and style in _BY_PLACE and is_below_gap(self.lines, at, self.gap):
                self.found[SPACED].append(at)
            if may_be_inside and self._is_crowded(at):
                self.found["crowded"].append(at)
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
        return HANGING if self._sticks_out(at) else self._style_alone(at)

    def _style_alone(self, at: int) -> Style:
        """The style of a title that begins a paragraph, or is one, below what has ended."""
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
        if not (line.is_apart and is_centred(line)):
            return False
        below = line if line.is_last else self.lines[at + 1]
        return below.is_last and abs(_off_centre(below)) < _SLACK and is_title(line.text)

    def _is_set_apart(self, line: Line) -> bool:
        is_placed = not line.indent or is_centred(line) or not self.page.is_hanging
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


def is_centred(line: Line) -> bool:
    """Whether a line stands about in the middle of a page."""
    return line.indent >= _CENTRED and abs(_off_centre(line)) < _SLACK


def _off_centre(line: Line) -> float:
    """How many columns a line begins after the place where it would stand in the middle."""
    return line.indent - (_COLUMNS - len(line.text)) / 2
