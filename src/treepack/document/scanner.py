"""Plain markdown settled by line patterns: paragraphs, ATX headings, fences, simple lists.

Most lines of most documents can only be read in one way, and a pattern sees it at a tenth of what
asking each of markdown-it's rules costs. Where there is any doubt (a mark that another rule might
claim, a tab before text, a lazy line, an indented code block) the scanner says nothing and
markdown-it reads the block. `tests/test_parser.py` holds the two equal.

Columns are counted from 0 at the line's beginning; lines are numbered from 0.
"""

import re
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from treepack.document.lines import Lines
from treepack.document.parser import row_cells

# What may begin a line of text that no other rule can claim. Of a mark, what follows decides:
# `**bold**` is no rule and no item, `1984` no number of one, `[text]` no definition (see below).
_TEXT: Final = r"""
    [^\s|:=$!?`~>*_\[<#+\-0-9] | \*+[^\s*] | _+[^\s_] | `(?!``) | \[(?!\^) | !(?!!) | \#[^\s\#]
    | \?(?!\?) | \$(?!\$) | \+[^\s] | -(?=[^\s\-|:])
    | [0-9]{1,9}(?![0-9.)]) | [0-9]{1,9}[.)](?=[^\s])"""
_FIRST_TEXT: Final = rf"(?: {_TEXT} | \| | :(?!::) | ~(?!~~) )"
_MARKER: Final = r"(?: [-+*] | [0-9]{1,9}[.)] )"
# Lines that end a paragraph without a blank line between, and are no second line of a table.
_INTERRUPTING: Final = (
    r"[ ]{0,3} (?: [-+*][ ]+[^\s\-|:] | 1[.)][ ]+[^\s] | \#{1,6}[ \t] | ```[^`\n]*\n )"
)
_PARAGRAPH: Final = re.compile(
    rf"""[ ]{{0,3}} {_FIRST_TEXT} [^\n]*\n (?: [ \t]* (?:{_TEXT}) [^\n]*\n )*+
    (?= [ \t]*(?:\n|\Z) | {_INTERRUPTING} )""",
    re.VERBOSE,
)
# The header of a table, the line under it, the rows; a row that begins with a pipe ends nothing.
_TABLE: Final = re.compile(
    rf"""[ ]{{0,3}} (\|[^\n]*[^\s]) [ \t]*\n
    [ ]{{0,3}} (?=\||:-|--) (\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*+\|?) [ \t]*\n
    (?: [ ]{{0,3}} (?:\||{_TEXT}) [^\n]*\n )*+ (?=[ \t]*(?:\n|\Z))""",
    re.VERBOSE,
)
_HEADING: Final = re.compile(r"[ ]{0,3}(#{1,6})(?:[ \t]([^\n]*))?\n")
_RULE: Final = re.compile(r"[ ]{0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*\n")
_FENCE: Final = re.compile(r"([ ]*)(?:(`{3,})([^`\n]*)|(~{3,})([^\n]*))\n")
_ITEM: Final = re.compile(rf"([ ]*)({_MARKER})([ ]{{1,4}}){_FIRST_TEXT}[^\n]*\n", re.VERBOSE)
_FIRST_LINE: Final = re.compile(rf"[ ]*{_FIRST_TEXT}[^\n]*\n", re.VERBOSE)
_NEXT_LINE: Final = re.compile(rf"[ ]*(?:{_TEXT})[^\n]*\n", re.VERBOSE)
_ANY_MARKER: Final = re.compile(rf"[ ]*{_MARKER}[ \t\n]", re.VERBOSE)
_INDENT: Final = re.compile(r"[ ]*")
# Where a link definition may begin; its label may take lines, but holds no bracket.
_DEFINITION: Final = re.compile(r"[ ]*\[(?:[^\[\]\\]|\\.)*+\]:", re.DOTALL)
_PIPE: Final = "|"  # with one, a line may be the header of a table, which comes before all else
_FURTHEST: Final = 3  # columns that a block may be indented by before it is code
_DEEPEST: Final = 6  # lists in lists


class PlainParagraph(NamedTuple):
    """Lines of text, from ``first`` up to ``behind``; its content begins at ``column``."""

    first: int
    behind: int
    column: int


class PlainHeading(NamedTuple):
    """An ATX heading with its inline content."""

    first: int
    behind: int
    level: int
    content: str


class PlainTable(NamedTuple):
    """A table with the inline content of its header cells."""

    first: int
    behind: int
    columns: tuple[str, ...]


class PlainRule(NamedTuple):
    """A thematic break."""

    first: int
    behind: int


class PlainFence(NamedTuple):
    """A code fence; ``column`` is where the content of the item around it begins."""

    first: int
    behind: int
    column: int
    fence: str
    info: str
    closed: bool


class PlainItem(NamedTuple):
    """A list item.

    Attributes:
        column: Where the item begins: the content of the item around it.
        content: Where its own content begins.
    """

    first: int
    behind: int
    column: int
    content: int
    marker: str
    blocks: "tuple[PlainInItem, ...]"


class PlainList(NamedTuple):
    """A list."""

    first: int
    behind: int
    column: int
    items: tuple[PlainItem, ...]


PlainInItem: TypeAlias = PlainParagraph | PlainFence | PlainList
PlainBlock: TypeAlias = PlainInItem | PlainHeading | PlainRule | PlainTable


class Scanner:
    """Reads the plain blocks of one text.

    Args:
        lines: The text.
    """

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.text = lines.text
        self.starts = lines.starts

    def block_at(self, line: int) -> PlainBlock | None:
        """The block that begins on a line that is not blank; None where markdown-it must look."""
        start = self.starts[line]
        if _DEFINITION.match(self.text, start):  # first, or each of many would look at all others
            return None
        if match := _PARAGRAPH.match(self.text, start):
            return PlainParagraph(line, line + match[0].count("\n"), 0)
        if (match := _HEADING.match(self.text, start)) and _PIPE not in match[0]:
            return PlainHeading(line, line + 1, len(match[1]), _heading_content(match[2] or ""))
        return self._marked(line, start)

    def _marked(self, line: int, start: int) -> PlainBlock | None:
        """A block of several kinds of lines, or of marks alone."""
        if match := _TABLE.match(self.text, start):
            return _table(line, match)
        if _RULE.match(self.text, start):
            return PlainRule(line, line + 1)
        if (match := _FENCE.match(self.text, start)) and len(match[1]) <= _FURTHEST:
            return _fence(self.lines, line, 0, match)
        if (match := _ITEM.match(self.text, start)) and len(match[1]) <= _FURTHEST:
            return self._list(line)
        return None

    def _list(self, line: int) -> PlainList | None:
        try:
            return _ListReader(self.lines).list_at(line, 0, 1)
        except _NotPlainError:
            return None


class _NotPlainError(Exception):
    """A list holds something that only markdown-it can judge."""


class _ListReader:
    """Reads one list, and the lists in it, line by line."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.text = lines.text
        self.starts = lines.starts

    def list_at(self, line: int, column: int, depth: int) -> PlainList:
        """The list whose first item begins on a line.

        Args:
            line: The line of the first marker.
            column: Where the content of the item around the list begins; 0 at the top.
            depth: 1 for a list at the top, 2 for one in an item of it.
        """
        if depth > _DEEPEST:
            raise _NotPlainError
        first, kind = line, ""
        items: list[PlainItem] = []
        while match := self._item_at(line, column):
            marker = match[2]
            if kind and marker[-1] != kind:
                break
            kind = marker[-1]
            content = match.end(3) - self.starts[line]
            blocks, behind = self._content(line, content, depth)
            items.append(PlainItem(line, behind, column, content, marker, blocks))
            line = behind
        return PlainList(first, line, column, tuple(items))

    def _item_at(self, line: int, column: int) -> re.Match[str] | None:
        """The marker of a further item; None where the list ends."""
        if line == self.lines.count or self._indent(line) < column:
            return None
        match = _ITEM.match(self.text, self.starts[line])
        if match is None:
            if _ANY_MARKER.match(self.text, self.starts[line]):
                raise _NotPlainError
            return None
        if len(match[1]) > column + _FURTHEST:
            raise _NotPlainError
        return match

    def _content(self, line: int, content: int, depth: int) -> tuple[tuple[PlainInItem, ...], int]:
        """The blocks of the item on a line, and the first line behind that is not blank."""
        blocks: list[PlainInItem] = [self._paragraph(line, content)]
        while True:
            line = self.lines.next_text(blocks[-1].behind)
            if line == self.lines.count:
                return tuple(blocks), line
            is_apart = self.lines.is_blank(line - 1)
            indent = self._indent(line)
            if indent < content:
                if not is_apart and not _ITEM.match(self.text, self.starts[line]):
                    raise _NotPlainError  # what ends a paragraph
                return tuple(blocks), line
            if indent > content + _FURTHEST:
                raise _NotPlainError
            follows_text = not is_apart and isinstance(blocks[-1], PlainParagraph)
            blocks.append(self._block(line, content, depth, follows_text=follows_text))

    def _block(self, line: int, content: int, depth: int, *, follows_text: bool) -> PlainInItem:
        """A further block of an item; ``follows_text`` where no blank line parts it from text."""
        start = self.starts[line]
        if item := _ITEM.match(self.text, start):
            if follows_text and not _interrupts(item):
                raise _NotPlainError
            return self.list_at(line, content, depth + 1)
        if match := _FENCE.match(self.text, start):
            fence = _fence(self.lines, line, content, match)
            if fence is None or any(self._is_outside(at, content) for at in range(*fence[:2])):
                raise _NotPlainError
            return fence
        if follows_text or not _FIRST_LINE.match(self.text, start):
            raise _NotPlainError
        return self._paragraph(line, content)

    def _is_outside(self, line: int, content: int) -> bool:
        """Whether a line of code does not belong to the item."""
        return not self.lines.is_blank(line) and self._indent(line) < content

    def _paragraph(self, line: int, content: int) -> PlainParagraph:
        """The paragraph that begins on a line, lazy lines included (CommonMark 5.1)."""
        behind = line + 1
        while behind < self.lines.count and _NEXT_LINE.match(self.text, self.starts[behind]):
            behind += 1
        if _DEFINITION.match(self.text, self.starts[line] + content):
            raise _NotPlainError
        return PlainParagraph(line, behind, content)

    def _indent(self, line: int) -> int:
        """Columns of blanks before a line's text."""
        start = self.starts[line]
        match = _INDENT.match(self.text, start)
        assert match is not None, "no blank is enough"
        if self.text[match.end()] == "\t":
            raise _NotPlainError
        return match.end() - start


def _fence(lines: Lines, line: int, column: int, match: re.Match[str]) -> PlainFence | None:
    """The fence on a line; None where it may be the header of a table, or end with its item.

    At the top, one that is not closed takes all that is left (CommonMark 4.5).
    """
    fence, info = (match[2], match[3]) if match[2] else (match[4], match[5])
    closing = lines.next_match(_closing_fence(fence[0], len(fence)), match.end() - 1)
    if _PIPE in match[0] or (closing is None and column):
        return None
    if closing is None:
        return PlainFence(line, lines.count, column, fence, info.strip(), closed=False)
    if not column <= len(closing[1]) <= column + _FURTHEST:
        return None
    behind = line + 1 + lines.text.count("\n", match.end(), closing.end())
    return PlainFence(line, behind, column, fence, info.strip(), closed=True)


def _table(line: int, match: re.Match[str]) -> PlainTable | None:
    """A table; None where the cells of its first two lines do not agree."""
    columns = row_cells(match[1])[1:]  # behind the leading pipe
    if columns and not columns[-1]:
        columns.pop()
    if not columns or len(columns) != len([part for part in match[2].split("|") if part.strip()]):
        return None
    return PlainTable(line, line + match[0].count("\n"), tuple(columns))


def _interrupts(item: re.Match[str]) -> bool:
    """Whether an item may follow a paragraph without a blank line (CommonMark 5.2).

    What might be the second line of a table is left to markdown-it.
    """
    marker = item[2]
    may_be_table = item.string[item.end(3)] in "-|:"
    return not may_be_table and (len(marker) == 1 or marker[:-1] == "1")


def _heading_content(line: str) -> str:
    """What stands in a heading, without the hashes that may close it (CommonMark 4.2)."""
    line = line.rstrip(" \t")
    bare = line.rstrip("#")
    if bare != line and (not bare or bare[-1] in " \t"):
        line = bare
    return line.strip()


@lru_cache(maxsize=64)
def _closing_fence(mark: str, length: int) -> re.Pattern[str]:
    return re.compile(rf"\n([ ]*){mark}{{{length},}}[ \t]*\n")
