"""The lines of a text, some of which may be titles."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
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
from treepack.outline.page_breaks import printed_lines
from treepack.plain.marks import BOOK, marked

_BLANKS: Final = " \t\f\r\n\u00a0\ufeff\u3000"
_BOLD: Final = re.compile(r"(\*\*|__)(?P<inside>[^*]*\w.*?)\1[.:]?")
_SET_APART: Final = re.compile(r"(?:_?\*\*[^*]+\*\*_?\s*|`[^`]+`\s*|_[^_`*]+_\s*)+")
_ITALIC: Final = re.compile(r"_([^\W_][^_]*)_|\*([^\W_][^*]*)\*")
_MARKS: Final = re.compile(r"\*\*|__")
_UNDERLINING: Final = frozenset("=-~^*\"'`+#_.:")
_UNDERLINE: Final = re.compile(r"([=\-~^*\"'`+#_.:])\1{2,}")
MOST_INDENT: Final = 3  # columns
_LISTING: Final = re.compile(r"(-{4,}|\.{4,}|\+{4,}|/{4,})|(`{3})\w*")  # around AsciiDoc's code
_NEARLY: Final = 2  # characters
_ABOVE_LISTING: Final = ".["  # the start of a caption or an attribute in AsciiDoc
_BEGUN_AS_CODE: Final = re.compile(r"[|+]|(?:\.\.|#|//|\$|%)\s|[])}]+[,;]?$")
# A pattern that begins with a character class is searched many times faster.
_SIGNS_OF_CODE: Final = re.compile(
    r"[{}<>\\|=;(:\t-](?:(?<=[{}<>\\|=;])[{}<>\\|=;]|(?<=\w\()\)|(?<=[;{])\s*$|(?<=-)(?:-\w|>)"
    r"|(?<=:):|(?<=\t)\S+\t)"
)
_COLUMNS: Final = re.compile(r"\s{2,}\S+\s{3,}\S")
_LABEL: Final = re.compile(r"(?:[A-Za-z]+\s+)?[\d.]+\s+")
LOOKED_AT: Final = 240  # characters read of a line; titles are shorter, and some patterns are slow
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
        judged: Whether it looks like code; None until `is_code` is first read.
        is_apart: Whether a blank line comes before it, or it is first in the text or `is_first`.
        is_last: Whether the next line is apart, or there is none.
        is_first: Whether a page begins with it, or page furniture is right above it.
        underline: The character of the line that underlines it, twice if such a line is above it as
            well; else empty.
        is_fitted: Whether the underline is as long as this line.
        mark: The heading markup of a wiki or AsciiDoc and a space: ``== ``; for LaTeX a backslash
            for each level and a space; else empty.
        is_underline: Whether it underlines the line before.
        heading: The marked heading that begins here.
        is_contents: Whether it is a line of a table of contents.
        size: The points of its font, if a reader found it larger than most text; else 0.
    """

    start: int
    end: int
    number: int
    text: str
    indent: int
    is_open: bool = False
    is_bold: bool = False
    judged: bool | None = False
    is_apart: bool = False
    is_last: bool = False
    is_first: bool = False
    underline: str = ""
    is_fitted: bool = False
    mark: str = ""
    is_underline: bool = False
    heading: Heading | None = None
    is_contents: bool = False
    size: float = 0.0

    @property
    def is_code(self) -> bool:
        """Whether it looks like code or a row of columns; computed when it is first asked for."""
        if self.judged is None:
            self.judged = _looks_like_code(self)
        return self.judged


def is_closed(line: Line, text: str) -> bool:
    """Whether a line has heading markup at its end as well, as in wikis."""
    return text[line.end - 1] == "="


def title_span(lines: Sequence[Line], first: int, last: int) -> Span:
    """Return the span of a title's lines, including the lines that underline or overline it."""
    above = first - (len(lines[first].underline) > 1)
    below = last + bool(lines[last].underline)
    return lines[above].start, lines[below].end


def read_lines(source: Source, blocks: Sequence[Block], gaps: Sequence[Span]) -> list[Line]:
    """Return the lines of a text that are neither blank nor skipped.

    Args:
        source: The text as it is written.
        blocks: Its top-level blocks.
        gaps: Page marks and page furniture.
    """
    found: list[Line] = []
    last, last_page, is_book, is_titled = -2, 0, True, False
    marks = [offset for offset, _ in source.page_marks]
    typography = dict(source.typography)
    for number, start, solid, indent, is_after_gap in _solid_lines(source, gaps):
        page = bisect_right(marks, start) if marks else 0
        text = solid[:LOOKED_AT].replace("\u00a0", " ")
        mark, said = "", text
        if text[0] in "=\\" and not indent:
            mark, said = marked(text, is_book=is_book)
        line = _line(said, start, start + len(solid), number, indent)
        line.mark = mark
        is_titled = is_titled or mark == BOOK
        is_book = is_titled or (is_book and text.startswith("//"))  # a comment
        line.is_first = is_after_gap or page != last_page
        line.is_apart = line.is_first or number > last + 1
        if (seen := typography.get(start)) is not None:
            line.is_bold |= seen.bold or seen.level is not None
            line.size = seen.size or 0.0
        if found:
            found[-1].is_last = line.is_apart
        found.append(line)
        last, last_page = number, page
    if found:
        found[-1].is_last = True
    _note_blocks(found, blocks)
    is_asciidoc = any(line.mark and not is_closed(line, source.text) for line in found)
    _note_underlines(found, _note_listings(found) if is_asciidoc else ())
    return found


def _solid_lines(source: Source, gaps: Sequence[Span]) -> Iterator[tuple[int, int, str, int, bool]]:
    """Yield the solid lines: number, start, text, indentation, and whether a gap is above."""
    text = source.text
    at, is_after_gap = 0, False
    for number, begin, after in printed_lines(source):
        if gaps:
            while at < len(gaps) and gaps[at][1] <= begin:
                at += 1
            if at < len(gaps) and gaps[at][0] <= begin:
                is_after_gap = True
                continue
        piece = text[begin:after]
        solid = piece.strip(_BLANKS)
        if solid:
            indent = 0 if piece[0] == solid[0] else len(piece) - len(piece.lstrip(_BLANKS))
            yield number, begin + indent, solid, indent, is_after_gap
            is_after_gap = False


def _line(text: str, start: int, end: int, number: int, indent: int) -> Line:
    if text[0] in "_*" and (italic := _ITALIC.fullmatch(text)):
        return Line(start, end, number, italic[1] or italic[2], indent)
    if text[:2] not in {"**", "__"} or not _is_bold(text):
        return Line(start, end, number, text, indent)
    said = _MARKS.sub("", text).strip() or text
    return Line(start, end, number, said, indent, is_bold=True)


def _is_bold(text: str) -> bool:
    """Whether a line that begins with bold type is bold throughout, except code and italics."""
    mark = text[:2]
    if text.endswith((mark, f"{mark}.", f"{mark}:")):  # the pattern reads long lines slowly
        bold = _BOLD.fullmatch(text)
        return bold is not None and bold["inside"].count(mark) % 2 == 0
    return text[-1] in "`_" and _SET_APART.fullmatch(text) is not None


def _note_blocks(lines: Sequence[Line], blocks: Sequence[Block]) -> None:
    """Set the attributes of each line that depend on its block."""
    following = iter(blocks)
    block = next(following, None)
    is_open = _is_open(block)
    for line in lines:
        while block and block.end <= line.start:
            block = next(following, None)
            is_open = _is_open(block)
        if block is None:
            return
        if block.start > line.start:
            continue
        line.is_open = is_open or (isinstance(block, Table) and _is_below_table(line, block))
        if isinstance(block, Heading):
            line.heading = block
            if line.text[0] == "#":  # its number is read like those of other lines
                line.text = block.text[:LOOKED_AT] or line.text
        line.judged = None if line.is_open else True


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
    is_begun = not text[0].isalpha() and _BEGUN_AS_CODE.match(text)
    if is_begun or _SIGNS_OF_CODE.search(text):
        return True
    return "   " in text and _COLUMNS.search(_LABEL.sub("", text, count=1)) is not None


def _note_listings(lines: Sequence[Line]) -> set[int]:
    """Close lines in AsciiDoc listings to titles; a listing is between two equal rules.

    Returns:
        The indexes of these rules.
    """
    rules = {
        at: match[1] or match[2]
        for at, line in enumerate(lines)
        if line.text[0] in "-.+/`" and (match := _LISTING.fullmatch(line.text))
    }
    left = Counter(rules.values())
    opened, begun, found = "", 0, set[int]()
    for at, rule in rules.items():
        left[rule] -= 1
        if opened == rule:
            for line in lines[begun : at + 1]:
                line.is_open = False
            found |= {begun, at}
            opened = ""
        elif not (opened or (at and _underlines(lines[at], lines[at - 1]))) and left[rule]:
            opened, begun = rule, at
    return found


def _underlines(line: Line, above: Line) -> bool:
    """Whether a line of punctuation is about as long as the title right above it."""
    if line.is_apart or above.mark or above.text[0] in _ABOVE_LISTING:
        return False
    return above.text[-1].isalnum() and abs(len(line.text) - len(above.text)) <= _NEARLY


def _note_underlines(lines: Sequence[Line], rules: Collection[int]) -> None:
    """Record which lines underline the lines before them.

    Args:
        lines: All lines.
        rules: The indexes of rules around listings, which underline nothing.
    """
    few = [at for at, line in enumerate(lines) if at and line.text[0] in _UNDERLINING]
    places = [at for at in few if at not in rules] if rules else few
    for at in places:
        line, after = lines[at - 1 : at + 1]
        match = _UNDERLINE.fullmatch(after.text)
        if match is None or line.is_last or line.is_underline or not line.is_open:
            continue
        if line.text[0] in _ABOVE_LISTING:
            continue
        if match[1] in "`~" and not after.is_open:
            continue  # it begins code
        length, given = len(line.text), len(after.text)
        if 0.5 * length <= given <= 2 * length + 3 and not _UNDERLINE.fullmatch(line.text):
            line.underline, after.is_underline = match[1], True
            line.is_last = after.is_last
            line.is_fitted = given == line.end - line.start and line.indent <= MOST_INDENT
            if at > 1 and not line.is_apart:
                _note_above(lines[at - 2], line, after)
    for at in places:
        if lines[at].is_underline and not lines[at].is_apart and at + 1 < len(lines):
            lines[at + 1].is_apart = True


def _note_above(above: Line, line: Line, below: Line) -> None:
    """Record what belongs to an underlined title: a line above like that below, or an anchor."""
    if above.text == below.text and above.is_open and not above.is_underline:
        line.underline *= 2
        line.is_apart = above.is_apart
        width = line.end - line.start
        is_wide = len(below.text) in (width, width + 2 * (line.indent - above.indent))
        line.is_fitted = is_wide and not line.is_code  # or it is a listing of one line
    elif above.text[0] == "[" and above.text[-1] == "]":
        line.is_apart = above.is_apart
