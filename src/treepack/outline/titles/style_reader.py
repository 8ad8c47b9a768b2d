"""The style of each line that may be a title without a number: what sets it apart."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Final, TypeAlias

from treepack.numbers.words import letters_of_lines, words_of
from treepack.outline.titles.layout import PRINTED_WIDTH, TextLayout
from treepack.outline.titles.lines import LEAST_TEXT, LONGEST_READ, MOST_INDENT, Line
from treepack.outline.titles.toc import Entry
from treepack.outline.titles.underlines import certain_style, likely_style
from treepack.outline.titles.wording import (
    END_PUNCTUATION,
    LONGEST_KNOWN,
    TOC_TITLES,
    is_aside,
    is_caption,
    is_known_title,
    is_list_item,
    is_title,
    may_be_title,
)
from treepack.plain.lines import COMPLETE_END

Style: TypeAlias = str
"""``underline=``, ``contents``, ``known``, ``font``, ``bold``, or a style by position.

Styles by position, ``centred`` and ``plain``, are between blank lines.
"""

SENTENCE_START: Final = re.compile(r"[\"“(]?[^\W\d_a-z][\w'’-]*(?: [\w'’(),-]+){4}")
_ITEM_START: Final = re.compile(r"[-*•|]|\[[^]]+\]:\s")  # of a list, a table row, a link definition
_LIST_START: Final = re.compile(r"[-*•]|\d+[.)]")  # the start of the first item of a list
_COLUMN_GAP: Final = re.compile(r"\S\s{3,}\S")  # between the columns of a row
_SHORT_LINE: Final = 0.6  # of the page width, for a line that ends its paragraph
_SHORTEST_WORD: Final = 3  # characters
_LONGEST_BOLD: Final = 120
_LONGEST_PLAIN: Final = 75
_LONGEST_QUESTION: Final = 120  # characters of a question that is a plain title
_LEAST_SENTENCE: Final = 20  # characters of a sentence that takes one line below a title
_CENTRED: Final = 8  # columns of indentation at least
_PAGE_COLUMNS: Final = 76
_CENTRE_TOLERANCE: Final = 9
_NO_WORDS: Final = re.compile(r"\([^()]*\)|[\W_]+")  # "(Unaudited)", or a line of punctuation


class StyleReader:
    """Looks at each line in its surroundings."""

    def __init__(
        self,
        layout: TextLayout,
        entries: Mapping[str, Entry],
        numbered: AbstractSet[int],
    ) -> None:
        self.lines = layout.lines
        self.layout = layout
        self.entries = entries
        self.numbered = numbered
        is_any_length = layout.is_spaced or layout.has_paragraph_lines
        longest = LONGEST_READ if is_any_length else _SHORT_LINE * min(layout.width, PRINTED_WIDTH)
        self.longest = max(longest, LONGEST_KNOWN)
        self.in_toc = frozenset(self._lines_in_toc()) if entries else frozenset[int]()
        self.by_style: dict[Style, list[int]] = defaultdict(list)

    def styles(self) -> dict[Style, list[int]]:
        """Return the indexes of lines that may be titles, by their style.

        If blank lines separate the paragraphs, a title is below one.
        """
        is_spaced = self.layout.is_spaced
        for index, line in enumerate(self.lines):
            is_inside = is_spaced and not (line.is_after_blank or self._is_in_toc_inside(index))
            if is_inside or not line.is_open or line.is_toc_entry:
                continue  # the common case: inside a paragraph
            if index in self.numbered or line.is_underline:
                continue
            if (style := self._style(index)) and self._is_text(line):
                self.by_style[style].append(index)
        return self.by_style

    def _is_text(self, line: Line) -> bool:
        """Whether a line is not code, unless it is emphasised."""
        return not line.is_code or line.is_bold or line.size > 0 or bool(line.underline)

    def _style(self, index: int) -> Style:
        line = self.lines[index]
        if style := certain_style(line):
            return style
        text, is_emphasised = line.text, line.is_bold or line.size > 0
        if not (is_emphasised or index in self.in_toc or self._may_be_title(line)):
            return ""
        is_unfinished = text.endswith((",", ";")) and not text.endswith(");")
        is_row = _COLUMN_GAP.search(text) and not line.underline
        is_other = is_list_item(text) or is_caption(text) or _NO_WORDS.fullmatch(text)
        if is_unfinished or is_row or is_other:
            return ""
        if style := self._style_by_words(index):
            return style
        if is_emphasised and line.is_alone and len(text) <= _LONGEST_BOLD:
            return "font" if line.size else "bold"
        return likely_style(line, self.layout) or self._style_by_position(index)

    def _may_be_title(self, line: Line) -> bool:
        """Whether a line that is not emphasised reads like a title, and is not too long for one."""
        if len(line.text) > self.longest and not line.underline:
            return False  # the common case: a line of a paragraph
        return may_be_title(line.text)

    def _lines_in_toc(self) -> Iterator[int]:
        """Yield the indexes of the lines that a table of contents lists."""
        keys = letters_of_lines([line.text for line in self.lines])
        for index, (line, key) in enumerate(zip(self.lines, keys, strict=True)):
            if key in self.entries and _is_word(line):
                yield index

    def _is_in_toc_inside(self, index: int) -> bool:
        """Whether contents list a line that reads like a title, so that it needs no blank line.

        If the body is indented, the line must be less indented, unlike the words of an index.
        """
        if index not in self.in_toc:
            return False  # the common case
        line = self.lines[index]
        is_inside = self.layout.is_hanging and line.indent >= self.layout.indent
        return not is_inside and is_title(line.text)

    def _style_by_words(self, index: int) -> Style:
        """Return the style of a title by its words: contents list it, or it is a known title."""
        line = self.lines[index]
        is_over_contents = index + 1 < len(self.lines) and self.lines[index + 1].is_toc_entry
        if is_over_contents and words_of(line.text) in TOC_TITLES:
            return "known"
        if index in self.in_toc and not line.text.endswith(END_PUNCTUATION):
            is_alone = line.is_before_blank or not self.layout.is_spaced
            if is_alone or self._is_in_toc_inside(index):
                return "contents"
        is_known = self._is_set_apart(line) and is_known_title(line.text)
        is_end = line.text.endswith(".") and line.text[0].islower()  # of a sentence
        return "known" if is_known and not is_end else ""

    def _style_by_position(self, index: int) -> Style:
        """Return the style of a title that only the lines around it set apart."""
        if not self.layout.is_spaced:
            return ""
        if self._is_centred_title(index):
            return "centred"
        return self._style_alone(index)

    def _style_alone(self, index: int) -> Style:
        """Return the style of a title that is or begins a paragraph, below text that has ended."""
        if not (self.lines[index].is_before_blank and self._may_be_plain(index)):
            return ""
        return "plain" if self._begins_text(self.lines[index + 1]) else ""

    def _is_centred_title(self, index: int) -> bool:
        """Whether a line is centred below a blank line, alone or above one more centred line."""
        line = self.lines[index]
        if not (line.is_after_blank and is_centred(line)):
            return False
        below = line if line.is_before_blank else self.lines[index + 1]
        is_placed = below.is_before_blank and abs(_off_centre(below)) < _CENTRE_TOLERANCE
        return is_placed and is_title(line.text)

    def _is_set_apart(self, line: Line) -> bool:
        is_placed = not line.indent or is_centred(line) or not self.layout.is_hanging
        return is_placed and (
            line.is_before_blank or bool(line.underline) or not self.layout.is_spaced
        )

    def _may_be_plain(self, index: int) -> bool:
        """Whether a line may be a title by its words, and the text above it has ended."""
        line = self.lines[index]
        longest = _LONGEST_QUESTION if line.text[-1] == "?" else _LONGEST_PLAIN
        if not line.is_after_blank or line.indent > MOST_INDENT or len(line.text) > longest:
            return False
        if index + 1 == len(self.lines) or not is_title(line.text):
            return False
        if is_aside(line.text):
            return False
        return self._text_above_ended(index)

    def _text_above_ended(self, index: int) -> bool:
        """Whether the text above a line has ended, and the line does not belong to it."""
        if not index:
            return True
        before, line, after = self.lines[index - 1 : index + 2]
        if line.number - before.number < after.number - line.number:
            return False  # like the name below a quotation
        is_title_above = index - 1 in self.numbered or self.by_style["plain"][-1:] == [index - 1]
        is_indented_above = before.is_code or before.indent > line.indent + 1
        if is_indented_above or is_title_above or _ITEM_START.match(before.text):
            return True
        return COMPLETE_END.search(self.layout.ending(before)) is not None

    def _begins_text(self, after: Line) -> bool:
        """Whether a text, code, a list or another title begins below a line."""
        if len(after.text) >= LEAST_TEXT or after.is_code or is_title(after.text):
            return True
        if after.text.endswith((".", ":")) and len(after.text) >= _LEAST_SENTENCE:
            return True
        return _LIST_START.match(after.text) is not None


def _is_word(line: Line) -> bool:
    """Whether a line has more than a number and punctuation."""
    return len(line.text) >= _SHORTEST_WORD and any(map(str.isalpha, line.text))


def is_centred(line: Line) -> bool:
    """Whether a line is roughly centred on a page."""
    return line.indent >= _CENTRED and abs(_off_centre(line)) < _CENTRE_TOLERANCE


def _off_centre(line: Line) -> float:
    """Return how many columns a line begins to the right of where a centred line would begin."""
    return line.indent - (_PAGE_COLUMNS - len(line.text)) / 2
