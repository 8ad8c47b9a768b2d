"""What the lines of a text have in common: their width, blank lines, legal words."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Final

from treepack.outline.titles.lines import LONGEST_READ, Line
from treepack.plain.lines import SHORTEST_UNWRAPPED, are_paragraph_lines

PRINTED_WIDTH: Final = 100  # characters of a line on a page
_SHORTEST_PROSE: Final = 30  # characters of a line
# A pattern that begins with a character class is searched many times faster.
_LEGAL: Final = re.compile(
    r"[shltapSHLTAP](?<!\w.)(?i:(?<=s)hall|(?<=h)ere(?:by|in|of)|(?<=t)hereof|(?<=l)icen[sc]e"
    r"|(?<=a)greement|(?<=p)art(?:y|ies))\b"
)
_LEGAL_STEMS: Final = (
    *("shall", "hereby", "herein", "hereof", "license", "licence"),
    *("agreement", "party", "parties"),
)
"""Each legal word contains one of these, and counting them is many times faster."""
_LIKE_ASCII: Final = re.compile("[\u0130\u0131\u017f]")  # a pattern matches them as i and s
_LEGAL_WORDS: Final = 2.0  # per thousand characters
_MANY: Final = 0.9
_FEWEST_FITTED: Final = 3
_SPACED: Final = 0.08  # share of blank lines in a text that separates paragraphs by them


@dataclass(frozen=True)
class TextLayout:
    """What the lines of a text have in common.

    Attributes:
        width: A number of characters that nine of ten lines do not exceed.
        is_spaced: Whether blank lines separate the paragraphs; PDF text has none.
        indent: The most common indentation, in columns.
        is_hanging: Whether the body is indented and titles are not.
        has_paragraph_lines: Whether each line is a paragraph, as in text extracted from a web page:
            lines are long, and many long ones end a sentence.
        text: The text.
        lines: Its lines.
    """

    width: int
    is_spaced: bool
    indent: int
    is_hanging: bool
    has_paragraph_lines: bool
    text: str = field(repr=False, compare=False)
    lines: Sequence[Line] = field(repr=False, compare=False)

    @cached_property
    def is_legal(self) -> bool:
        """Whether the text has as many legal words as contracts and licences."""
        size = len(self.text) - self.text.count("\r\n")  # CR LF is one line end, as LF is
        most = _LEGAL_WORDS * size / 1000
        has_few = sum(map(self.text.lower().count, _LEGAL_STEMS)) <= most
        if has_few and not _LIKE_ASCII.search(self.text):
            return False  # the common case
        return len(_LEGAL.findall(self.text)) > most

    def ending(self, line: Line) -> str:
        """Return the end of a line's text, which ``line.text`` lacks if the line is long."""
        is_long = line.end - line.start > LONGEST_READ
        return self.text[line.end - LONGEST_READ : line.end] if is_long else line.text

    @property
    def is_wrapped(self) -> bool:
        """Whether paragraphs take several lines; those of word processors take one."""
        return self.width < SHORTEST_UNWRAPPED

    @cached_property
    def has_underlines(self) -> bool:
        """Whether titles are underlined here: several underlines are as long as their titles."""
        return sum([line.has_fitted_underline for line in self.lines]) >= _FEWEST_FITTED

    @cached_property
    def line_numbers(self) -> list[int]:
        """The number of each line in print, where a long line takes several lines."""
        further = accumulate(
            [(line.end - line.start) // PRINTED_WIDTH for line in self.lines], initial=0
        )
        return [line.number + more for line, more in zip(self.lines, further, strict=False)]

    @cached_property
    def height(self) -> int:
        """How many lines the text takes on a printed page."""
        return sum([1 + (line.end - line.start) // PRINTED_WIDTH for line in self.lines])

    @cached_property
    def rows(self) -> int:
        """The height, at most twice that of full lines: cells of a row may take a line each."""
        characters = sum([line.end - line.start for line in self.lines])
        return min(self.height, 1 + 2 * characters // min(self.width, PRINTED_WIDTH))

    @cached_property
    def prose(self) -> float:
        """The share of characters that are in long lines; code and rows do not count."""
        least = max(_SHORTEST_PROSE, 0.55 * min(self.width, 90))
        long = [line for line in self.lines if len(line.text) > least and not line.is_code]
        total = sum([len(line.text) for line in self.lines if not line.is_code])
        return sum([len(line.text) for line in long]) / max(total, 1)


def layout_of(lines: Sequence[Line], text: str) -> TextLayout:
    """Return what the lines have in common."""
    lengths = sorted([len(line.text) for line in lines])
    width = lengths[int(len(lengths) * _MANY)]
    indents = Counter([line.indent for line in lines])
    usual = indents.most_common(1)[0][0]
    separated = sum([line.is_after_blank for line in lines])
    return TextLayout(
        width,
        is_spaced=separated / (separated + len(lines)) > _SPACED,
        indent=usual,
        is_hanging=usual > 1 and indents[0] < 0.3 * len(lines),
        has_paragraph_lines=are_paragraph_lines(text, [(line.start, line.end) for line in lines]),
        text=text,
        lines=lines,
    )
