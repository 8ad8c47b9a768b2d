"""The lines of a text, some of which may be titles."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from treepack.model.blocks import (
    Block,
    CodeBlock,
    Heading,
    ListBlock,
    Paragraph,
    Span,
    Table,
)
from treepack.model.source import Source
from treepack.pages.gaps import printed_lines

_WHITESPACE: Final = " \t\f\r\n\u00a0\ufeff\u3000"
_BOLD: Final = re.compile(r"(\*\*|__)(?P<inside>[^*]*\w.*?)\1[.:]?")
_SET_APART: Final = re.compile(r"(?:_?\*\*[^*]+\*\*_?\s*|`[^`]+`\s*|_[^_`*]+_\s*)+")
_ITALIC: Final = re.compile(r"_([^\W_][^_]*)_|\*([^\W_][^*]*)\*")
_BOLD_MARKERS: Final = re.compile(r"\*\*|__")
_UNDERLINING: Final = frozenset("=-~^*\"'`+#_.:")
_UNDERLINE: Final = re.compile(r"([=\-~^*\"'`+#_.:])\1{2,}")
MOST_INDENT: Final = 3  # columns
_NEVER_UNDERLINED: Final = ".["  # the start of a directive or an attribute
_CODE_START: Final = re.compile(r"[|+]|(?:\.\.|#|//|\$|%)\s|[])}]+[,;]?$")
# A pattern that begins with a character class is searched many times faster.
_CODE_PUNCTUATION: Final = re.compile(
    r"[{}<>\\|=;(:\t-](?:(?<=[{}<>\\|=;])[{}<>\\|=;]|(?<=\w\()\)|(?<=[;{])\s*$|(?<=-)(?:-\w|>)"
    r"|(?<=:):|(?<=\t)\S+\t)"
)
_COLUMNS: Final = re.compile(r"\s{2,}\S+\s{3,}\S")
_LABEL: Final = re.compile(r"(?:[A-Za-z]+\s+)?[\d.]+\s+")
LONGEST_READ: Final = 240
"""Characters that are read of a line; titles are shorter, and some patterns are slow."""
LEAST_TEXT: Final = 45  # characters of a line that begins the text below a title


@dataclass(eq=False, slots=True)
class Line:
    """A line that is neither blank nor page furniture.

    Attributes:
        start: Its first character that is not whitespace.
        end: After its last one.
        number: Its number in the text, from 0.
        text: The beginning of its text, without the markup of a bold line or a heading.
        indent: Columns before it.
        is_open: Whether a title may appear here: not in fences, tables, quotes or HTML.
        is_bold: Whether the whole line is bold.
        code_verdict: Whether it looks like code; None until `is_code` is first read.
        is_after_blank: Whether a blank line comes before it, or nothing on its page or in the text.
        is_before_blank: Whether the next line is after a blank line, or there is none.
        starts_page: Whether a page begins with it, or page furniture is right above it.
        underline: The character of the line that underlines it, twice if such a line is above it as
            well; else empty.
        has_fitted_underline: Whether the underline is as long as this line.
        is_underline: Whether it underlines the line before.
        heading: The marked heading that begins here.
        is_toc_entry: Whether it is a line of a table of contents.
        size: The points of its font, if a reader found it larger than most text; else 0.
    """

    start: int
    end: int
    number: int
    text: str
    indent: int
    is_open: bool = False
    is_bold: bool = False
    code_verdict: bool | None = False
    is_after_blank: bool = False
    is_before_blank: bool = False
    starts_page: bool = False
    underline: str = ""
    has_fitted_underline: bool = False
    is_underline: bool = False
    heading: Heading | None = None
    is_toc_entry: bool = False
    size: float = 0.0

    @property
    def is_alone(self) -> bool:
        """Whether it is a paragraph of its own."""
        return self.is_after_blank and self.is_before_blank

    @property
    def is_set_apart(self) -> bool:
        """Whether it is bold, underlined or a marked heading."""
        return self.is_bold or bool(self.underline) or self.heading is not None

    @property
    def is_code(self) -> bool:
        """Whether it looks like code or a row of columns; computed when it is first asked for."""
        if self.code_verdict is None:
            self.code_verdict = _looks_like_code(self)
        return self.code_verdict


def blank_lines(lines: Sequence[Line], index: int) -> int:
    """Return how many lines without text are directly above a line."""
    return lines[index].number - lines[index - 1].number - 1 if index else 0


def title_span(lines: Sequence[Line], first: int, last: int) -> Span:
    """Return the span of a title's lines, including the lines that underline or overline it."""
    above = first - (len(lines[first].underline) > 1)
    below = last + bool(lines[last].underline)
    return lines[above].start, lines[below].end


def read_lines(source: Source, blocks: Sequence[Block], gaps: Sequence[Span]) -> list[Line]:
    """Return the lines of a text that are neither blank nor skipped."""
    lines: list[Line] = []
    last_number, last_page = -2, 0
    page_starts = [offset for offset, _ in source.page_marks]
    for number, start, stripped, indent, is_after_gap in _nonblank_lines(source, gaps):
        text = stripped[:LONGEST_READ].replace("\u00a0", " ")
        end = start + len(stripped)
        if text[0] in "*_":
            line = _emphasised_line(text, start, end, number, indent)
        else:
            line = Line(start, end, number, text, indent)
        page = bisect_right(page_starts, start) if page_starts else 0
        line.starts_page = is_after_gap or page != last_page
        line.is_after_blank = line.starts_page or number > last_number + 1
        lines.append(line)
        last_number, last_page = number, page
    for line, after in pairwise(lines):
        line.is_before_blank = after.is_after_blank
    if lines:
        lines[-1].is_before_blank = True
    _set_fonts(lines, source)
    _set_block_attributes(lines, blocks)
    _set_underlines(lines)
    return lines


def _nonblank_lines(
    source: Source, gaps: Sequence[Span]
) -> Iterator[tuple[int, int, str, int, bool]]:
    """Yield the solid lines: number, start, text, indentation, and whether a gap is above."""
    text = source.text
    gap_index, is_after_gap = 0, False
    for number, line_start, line_end in printed_lines(source):
        if gaps:
            while gap_index < len(gaps) and gaps[gap_index][1] <= line_start:
                gap_index += 1
            if gap_index < len(gaps) and gaps[gap_index][0] <= line_start:
                is_after_gap = True
                continue
        line = text[line_start:line_end]
        stripped = line.strip(_WHITESPACE)
        if stripped:
            indent = 0 if line[0] == stripped[0] else len(line) - len(line.lstrip(_WHITESPACE))
            yield number, line_start + indent, stripped, indent, is_after_gap
            is_after_gap = False


def _emphasised_line(text: str, start: int, end: int, number: int, indent: int) -> Line:
    """Return a line that begins with emphasis; without its markup if all of it is emphasised."""
    if italic := _ITALIC.fullmatch(text):
        return Line(start, end, number, italic[1] or italic[2], indent)
    if text[:2] not in {"**", "__"} or not _is_bold(text):
        return Line(start, end, number, text, indent)
    content = _BOLD_MARKERS.sub("", text).strip() or text
    return Line(start, end, number, content, indent, is_bold=True)


def _is_bold(text: str) -> bool:
    """Whether a line that begins with bold type is bold throughout, except code and italics."""
    marker = text[:2]
    if text.endswith((marker, f"{marker}.", f"{marker}:")):  # the pattern reads long lines slowly
        bold = _BOLD.fullmatch(text)
        return bold is not None and bold["inside"].count(marker) % 2 == 0
    return text[-1] in "`_" and _SET_APART.fullmatch(text) is not None


def _set_fonts(lines: Sequence[Line], source: Source) -> None:
    """Set the attributes of each line that depend on its font, if a reader knows the fonts."""
    fonts = dict(source.typography)
    for line in lines if fonts else ():
        if (font := fonts.get(line.start)) is not None:
            line.is_bold |= font.bold or font.level is not None
            line.size = font.size or 0.0


def _set_block_attributes(lines: Sequence[Line], blocks: Sequence[Block]) -> None:
    """Set the attributes of each line that depend on its block."""
    remaining = iter(blocks)
    block = next(remaining, None)
    is_open = _is_open(block)
    for line in lines:
        while block and block.end <= line.start:
            block = next(remaining, None)
            is_open = _is_open(block)
        if block is None:
            return
        if block.start > line.start:
            continue
        line.is_open = is_open or (isinstance(block, Table) and _is_below_table(line, block))
        if isinstance(block, Heading):
            line.heading = block
            if line.text[0] == "#":  # its number is read like those of other lines
                line.text = block.text[:LONGEST_READ] or line.text
        line.code_verdict = None if line.is_open else True


def _is_below_table(line: Line, table: Table) -> bool:
    """Whether a line is text that a converter wrote right below a table, without a blank line.

    To markdown it is a row with one cell; the other rows contain a ``|``.
    """
    return not table.closing and "|" not in line.text


def _is_open(block: Block | None) -> bool:
    """Whether a title may appear inside a block."""
    if isinstance(block, CodeBlock):
        return not block.fence
    return isinstance(block, Heading | Paragraph | ListBlock)


def _looks_like_code(line: Line) -> bool:
    text = line.text
    is_begun = not text[0].isalpha() and _CODE_START.match(text)
    if is_begun or _CODE_PUNCTUATION.search(text):
        return True
    return "   " in text and _COLUMNS.search(_LABEL.sub("", text, count=1)) is not None


def _set_underlines(lines: Sequence[Line]) -> None:
    """Record which lines underline the lines before them."""
    indexes = [index for index, line in enumerate(lines) if index and line.text[0] in _UNDERLINING]
    for index in indexes:
        line, after = lines[index - 1 : index + 1]
        match = _UNDERLINE.fullmatch(after.text)
        if match is None or line.is_before_blank or line.is_underline or not line.is_open:
            continue
        if line.text[0] in _NEVER_UNDERLINED:
            continue
        if match[1] in "`~" and not after.is_open:
            continue  # it begins code
        title_length, width = len(line.text), len(after.text)
        if 0.5 * title_length <= width <= 2 * title_length + 3 and not _UNDERLINE.fullmatch(
            line.text
        ):
            line.underline, after.is_underline = match[1], True
            line.is_before_blank = after.is_before_blank
            line.has_fitted_underline = (
                width == line.end - line.start and line.indent <= MOST_INDENT
            )
            if index > 1 and not line.is_after_blank:
                _set_line_above_title(lines[index - 2], line, after)
    for index in indexes:
        if lines[index].is_underline and not lines[index].is_after_blank and index + 1 < len(lines):
            lines[index + 1].is_after_blank = True


def _set_line_above_title(above: Line, line: Line, below: Line) -> None:
    """Record what belongs to an underlined title: a line above like that below, or an anchor."""
    if above.text == below.text and above.is_open and not above.is_underline:
        line.underline *= 2
        line.is_after_blank = above.is_after_blank
        width = line.end - line.start
        is_wide = len(below.text) in (width, width + 2 * (line.indent - above.indent))
        line.has_fitted_underline = is_wide and not line.is_code  # or it is a listing of one line
    elif above.text[0] == "[" and above.text[-1] == "]":
        line.is_after_blank = above.is_after_blank
