"""The lines of a text, each read once, and what they have in common."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Final

from treepack.markdown.prefixes import TAB
from treepack.model.blocks import Block, CodeBlock, Heading, ListBlock, Paragraph, Span, Table
from treepack.model.source import Lines, Source, TextLine
from treepack.numbers.grammar import LONGEST_READ
from treepack.numbers.words import is_legal_wording

_BOLD: Final = re.compile(r"(\*\*|__)(?=[^*]*\w)(?:(?!\1).)+\1[.:]?")
_ITALIC: Final = re.compile(r"([_*])([^\W_][^_*]*)\1")
_UNDERLINE: Final = re.compile(r"([=\-~^*\"'`+#_.:])\1{2,}")
_CODE_START: Final = re.compile(r"[|+]|(?:\.\.|#|//|\$|%)\s|[])}]+[,;]?$")
# A pattern that begins with a character class is searched many times faster.
_CODE: Final = re.compile(
    r"[{}<>\\|=;(:\t-](?:(?<=[{}<>\\|=;])[{}<>\\|=;]|(?<=\w\()\)|(?<=[;{])\s*$|(?<=-)(?:-\w|>)"
    r"|(?<=:):|(?<=\t)\S+\t)"
)
SEVERAL: Final = 3
"""So many of a kind, as titles of one style or numbers in a row, are no chance; two may be."""
PRINTED_WIDTH: Final = 100
"""Characters of a line on a page, for texts with a line for each paragraph."""
_SPACED_SHARE: Final = 0.08  # of blank lines separate paragraphs; text of PDFs has fewer


@dataclass(eq=False, slots=True)
class Line:
    """A line that is neither blank nor page furniture.

    Attributes:
        start: Its first character that is not whitespace.
        end: After its last one.
        number: Its number in the text, from 0; a form feed ends a line as well.
        text: The beginning of its text, without the markup of a bold line or a heading.
        indent: Columns before it.
        is_after_blank: Whether a blank line comes before it, or nothing on its page or in the text.
        starts_page: Whether a page begins with it, or page furniture is right above it.
        is_bold: Whether the whole line is bold.
        is_before_blank: Whether the next line is after a blank line, or there is none.
        is_open: Whether a title may appear here: not in fences, tables, quotes or HTML.
        underline: The character of the line that underlines it, twice if such a line is above it as
            well; else empty.
        has_fitted_underline: Whether the underline is as long as this line.
        is_underline: Whether it underlines the line before.
        heading: The marked heading that begins here.
        is_entry: Whether it is a line of a table of contents.
        size: The points of its font, if a reader found it larger than most text; else 0.
    """

    start: int
    end: int
    number: int
    text: str
    indent: int
    is_after_blank: bool
    starts_page: bool
    is_bold: bool = False
    is_before_blank: bool = True
    is_open: bool = True
    underline: str = ""
    has_fitted_underline: bool = False
    is_underline: bool = False
    heading: Heading | None = None
    is_entry: bool = False
    size: float = 0.0
    _is_code: bool | None = None

    @property
    def is_alone(self) -> bool:
        """Whether it is a paragraph of its own."""
        return self.is_after_blank and self.is_before_blank

    @property
    def is_set_apart(self) -> bool:
        """Whether it is bold, underlined, larger or a marked heading."""
        return self.is_bold or bool(self.underline) or self.size > 0 or self.heading is not None

    @property
    def is_code(self) -> bool:
        """Whether it looks like code or a row of columns; computed when it is first asked for."""
        if self._is_code is None:
            self._is_code = not self.is_open or _looks_like_code(self.text)
        return self._is_code


@dataclass(frozen=True)
class Layout:
    """The lines of a text, and what they have in common.

    Attributes:
        text: The text.
        lines: Its lines.
        width: A number of characters that nine of ten lines do not exceed.
        is_spaced: Whether blank lines separate the paragraphs; PDF text has none.
        indent: The most common indentation, in columns.
    """

    text: str = field(repr=False)
    lines: Sequence[Line] = field(repr=False)
    width: int
    is_spaced: bool
    indent: int

    @cached_property
    def is_legal(self) -> bool:
        """Whether the text is worded like contracts and licences."""
        return is_legal_wording(self.text)

    @cached_property
    def has_underlines(self) -> bool:
        """Whether titles are underlined here: three underlines are as long as their titles."""
        return sum([line.has_fitted_underline for line in self.lines]) >= SEVERAL

    @cached_property
    def height(self) -> int:
        """How many lines the text takes on a printed page."""
        return sum([1 + (line.end - line.start) // PRINTED_WIDTH for line in self.lines])

    @cached_property
    def prose(self) -> float:
        """The share of characters that are in long lines; code and rows do not count."""
        least = max(30, 0.55 * min(self.width, 90))  # characters of a line of prose
        lengths = [len(line.text) for line in self.lines if not line.is_code]
        return sum([length for length in lengths if length > least]) / max(sum(lengths), 1)

    def ending(self, line: Line) -> str:
        """Return the end of a line's text, which ``line.text`` lacks if the line is long."""
        is_long = line.end - line.start > LONGEST_READ
        return self.text[line.end - LONGEST_READ : line.end] if is_long else line.text


def blank_lines(lines: Sequence[Line], index: int) -> int:
    """Return how many lines without text are directly above a line."""
    return lines[index].number - lines[index - 1].number - 1 if index else 0


def title_span(lines: Sequence[Line], first: int, last: int) -> Span:
    """Return the span of a title's lines, including the lines that underline or overline it."""
    above = first - (len(lines[first].underline) > 1)
    below = last + bool(lines[last].underline)
    return lines[above].start, lines[below].end


def read_layout(
    source: Source, rows: Lines, gaps: Sequence[Span], blocks: Sequence[Block] | None = None
) -> Layout | None:
    """Return the lines of a text that are neither blank nor skipped, or None if there are none.

    Args:
        source: The text.
        rows: Its lines.
        gaps: The spans of page marks and page furniture.
        blocks: The blocks of markdown. None for plain text: its lines are all open to titles.
    """
    lines = _read_lines(source, rows.all, gaps)
    if not lines:
        return None
    for line, after in pairwise(lines):
        line.is_before_blank = after.is_after_blank
    fonts = dict(source.typography)
    for line in lines if fonts else ():
        if (font := fonts.get(line.start)) is not None:
            line.is_bold |= font.bold or font.level is not None
            line.size = font.size or 0.0
    if blocks is not None:
        _set_blocks(lines, blocks)
    _set_underlines(lines)
    lengths = sorted([len(line.text) for line in lines])
    indents = Counter([line.indent for line in lines])
    indent = indents.most_common(1)[0][0]
    separated = sum([line.is_after_blank for line in lines])
    return Layout(
        source.text,
        lines,
        width=lengths[9 * len(lengths) // 10],
        is_spaced=separated / (separated + len(lines)) > _SPACED_SHARE,
        indent=indent,
    )


def _read_lines(source: Source, rows: Sequence[TextLine], gaps: Sequence[Span]) -> list[Line]:
    """Return the lines, without the attributes that other lines, fonts and blocks determine."""
    lines: list[Line] = []
    text, beyond = source.text, len(source.text) + 1
    remaining = iter(gaps)
    gap_start, gap_end = next(remaining, (beyond, beyond))
    pages = iter([offset for offset, _ in source.page_marks])
    page_start = next(pages, beyond)
    starts_page, next_number = True, 0
    for start, end, indent, number in rows:
        while gap_end <= start:
            starts_page = True
            gap_start, gap_end = next(remaining, (beyond, beyond))
        while page_start <= start:
            starts_page = True
            page_start = next(pages, beyond)
        if gap_start <= start:
            continue
        content, is_bold = text[start : min(end, start + LONGEST_READ)], False
        if content[0] in "*_":
            content, is_bold = _without_emphasis(content)
        is_after_blank = starts_page or number > next_number
        lines.append(
            Line(start, end, number, content, indent, is_after_blank, starts_page, is_bold)
        )
        starts_page, next_number = False, number + 1
    return lines


def _without_emphasis(text: str) -> tuple[str, bool]:
    """Return a line without its markup if all of it is emphasised, and whether it is bold.

    A mark that is opened and not closed goes on in the next line, like all of a title.
    """
    if italic := _ITALIC.fullmatch(text):
        return italic[2], False
    if text[:2] not in {"**", "__"}:
        return text, False
    is_open = text.count(text[:2]) == 1 and len(text) > len(text[:2])
    if not is_open and not _BOLD.fullmatch(text):
        return text, False
    return text.replace("**", "").replace("__", "").strip() or text, True


def _set_blocks(lines: Sequence[Line], blocks: Sequence[Block]) -> None:
    """Set the attributes of each line that depend on its block."""
    starts = [line.start for line in lines]
    after = 0
    for block in blocks:
        first = bisect_left(starts, block.start, after)
        after = bisect_left(starts, block.end, first)
        if isinstance(block, Heading):
            lines[first].heading = block
            if lines[first].text[0] == "#":  # its number is read like those of other lines
                lines[first].text = block.text[:LONGEST_READ] or lines[first].text
        elif isinstance(block, Table):
            # A converter may write text right below a table; its other rows have a "|".
            for line in lines[first:after]:
                line.is_open = not block.closing and "|" not in line.text
        elif not isinstance(block, Paragraph | ListBlock) and not (
            isinstance(block, CodeBlock) and not block.fence
        ):
            for line in lines[first:after]:
                line.is_open = False


def _looks_like_code(text: str) -> bool:
    is_begun = not text[0].isalpha() and _CODE_START.match(text) is not None
    return is_begun or _CODE.search(text) is not None


def _set_underlines(lines: Sequence[Line]) -> None:
    """Record which lines underline the lines before them."""
    below = [at for at, line in enumerate(lines) if at and not line.text[:3].strip(line.text[0])]
    for index in below:
        line, after = lines[index - 1 : index + 1]
        match = _UNDERLINE.fullmatch(after.text)
        if match is None or line.is_before_blank or line.is_underline or not line.is_open:
            continue
        length, width = len(line.text), len(after.text)
        is_rule = _UNDERLINE.fullmatch(line.text) is not None
        if is_rule or not 0.5 * length <= width <= 2 * length + 3:
            continue
        line.underline, after.is_underline = match[1], True
        line.is_before_blank = after.is_before_blank
        line.has_fitted_underline = width == line.end - line.start and line.indent < TAB
        if index > 1 and not line.is_after_blank:
            _set_line_above_title(lines[index - 2], line, after)
        if index + 1 < len(lines):
            lines[index + 1].is_after_blank = True


def _set_line_above_title(above: Line, line: Line, below: Line) -> None:
    """Record what belongs to an underlined title: a line above like that below, or an anchor."""
    if above.text == below.text and above.is_open and not above.is_underline:
        line.underline *= 2
        line.is_after_blank = above.is_after_blank
        width = line.end - line.start
        is_wide = len(below.text) in (width, width + 2 * (line.indent - above.indent))
        line.has_fitted_underline = is_wide and not line.is_code  # or it is a listing of one line
