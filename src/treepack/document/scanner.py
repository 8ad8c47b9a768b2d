"""Plain markdown settled by line patterns: paragraphs, ATX headings, fences, tables, simple lists.

Most lines of most documents can only be read in one way, and a pattern sees it at a tenth of what
asking each of markdown-it's rules costs. Where there is any doubt (a mark that another rule might
claim, a tab before text, a lazy line) the scanner says nothing and markdown-it reads the block.
`tests/test_parser.py` holds the two equal.

Columns are counted from 0 at the line's beginning.
"""

import re
from functools import lru_cache
from typing import Final

from treepack.document.blocks import (
    Block,
    CodeBlock,
    Count,
    Heading,
    HtmlBlock,
    Image,
    LinkDefinition,
    ListBlock,
    ListItem,
    Paragraph,
    Span,
    Table,
    ThematicBreak,
)
from treepack.document.lines import Lines
from treepack.document.parser import define, row_cells

# What may begin a line of text that no other rule can claim. Of a mark, what follows decides:
# `**bold**` is no rule and no item, `1984` no number of one, `[text]` no definition (see below).
_TEXT: Final = r"""
    [^\s|:=$!?`~>*_\[<#+\-0-9] | \*+[^\s*] | \*\*+[ \t]+[^\s*] | _+[^\s_] | `(?!``) | \[(?!\^)
    | !(?!!) | \#[^\s\#] | \?(?!\?) | \$(?!\$) | \+[^\s] | -(?=[^\s\-|:])
    | [0-9]{1,9}(?![0-9.)]) | [0-9]{1,9}[.)](?![ \t\n]) | =+(?:[ \t]+[^\s]|[^\s=])"""
# Tags that begin no block of HTML unless one has its line for itself (CommonMark 4.6, kind 7), and
# even then interrupt no paragraph.
_INLINE_TAG: Final = r"""(?: a|abbr|b|br|cite|code|del|em|font|i|img|ins|kbd|mark|q|s|small|span
    |strike|strong|sub|sup|tt|u|var )"""
_TAG_AND_TEXT: Final = rf"""<{_INLINE_TAG}(?:[ ]+[A-Za-z-]+="[^"<>\n]*"|)*+[ ]*/?>[ \t]*[^\s]"""
_FIRST_TEXT: Final = rf"(?: {_TEXT} | \| | :(?!::) | ~(?!~~) | = | {_TAG_AND_TEXT} )"
# Behind a first line, one of pipes and dashes alone would make a table of it.
_FURTHER_TEXT: Final = rf"(?: {_TEXT} | \|(?=[^\n]*[^\s|:\-]) | </?{_INLINE_TAG}(?=[\s/>]) )"
# The tags that begin a block of HTML which ends before a blank line (CommonMark 4.6, kind 6), but
# for those of headings, which may be one.
_BLOCK_TAG: Final = r"""(?i: address|article|aside|base|basefont|blockquote|body|caption|center|col
    |colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset
    |head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p
    |param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul )"""
_MARKER: Final = r"(?: [-+*] | [0-9]{1,9}[.)] )"
# Lines that end a paragraph without a blank line between, and are no second line of a table.
_INTERRUPTING: Final = (
    r"[ ]{0,3} (?: [-+*][ ]+[^\s\-|:] | 1[.)][ ]+[^\s] | \#{1,6}[ \t] | `{3,}[^`\n]*\n )"
)
# Where a link definition may begin; its label may take lines, but holds no bracket.
_DEFINITION_LABEL: Final = r"\[(?:[^\[\]\\]|\\.|)*+\]:"
_MORE_TEXT: Final = rf"(?: [ \t]* {_FURTHER_TEXT} [^\n]*\n |)*+"
_MORE_IN_ITEM: Final = rf"(?: [ ]* {_FURTHER_TEXT} [^\n]*\n |)*+"  # lazy lines, too
_BLANK_LINES: Final = r"(?: [ \t]*\n |)*+"
# A link definition on a line that no title nor table's delimiters can follow on the next.
_DEFINED: Final = r"""\[ (?P<label> (?!\^|\s*\]) [^\[\]\\\n|]++ ) \]:[ \t]+
    (?P<destination> (?:https?://|[/\#.]) [A-Za-z0-9/\#.:?=_~@,;+*!-]* )
    (?: [ \t]+"[^"\\\n|]*"[ \t]*\n | [ \t]*\n (?![ \t]*["'(\-:|]) )"""
_CODE_LINE: Final = r"[ ]{4,}[^\s][^\n]*\n"

# A block at the top, with the blank lines before it. With a pipe, a heading or a tag may stand in
# the header of a table, which comes before all else. A row that begins with a pipe ends nothing.
_BLOCK: Final = re.compile(
    rf"""{_BLANK_LINES} (?:
      (?P<paragraph> (?! [ ]*(?s:{_DEFINITION_LABEL}) )
        [ ]{{0,3}} {_FIRST_TEXT} [^\n]*\n {_MORE_TEXT} (?= [ \t]*(?:\n|\Z) | {_INTERRUPTING} ) )
    | (?P<heading> [ ]{{0,3}} (?P<hashes> \#{{1,6}} ) (?: [ \t] (?P<title> [^\n|]* ) )? \n )
    | (?P<table> [ ]{{0,3}} (?P<header> \|[^\n]*[^\s] ) [ \t]*\n
        [ ]{{0,3}} (?=\||:-|--)
        (?P<delimiters> \|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*|)*+\|? ) [ \t]*\n
        (?: [ ]{{0,3}} (?:\||{_TEXT}) [^\n]*\n |)*+ (?= [ \t]*(?:\n|\Z) | {_CODE_LINE} ) )
    | (?P<rule> [ ]{{0,3}} (?P<sign> [-*_] ) (?: [ \t]*(?P=sign) ){{2,}} [ \t]*\n )
    | (?P<fence> [ ]{{0,3}} (?= ```|~~~ ) )
    | (?P<list> [ ]{{0,3}} {_MARKER} [ ] )
    | (?P<html> [ ]{{0,3}} (?![^\n]*\|) (?: <!(?=--)(?s:.*?)(?:-->[^\n]*\n|\Z)
        | </?{_BLOCK_TAG} (?=[ \t\n>]|/>) [^\n]*\n (?: [ \t]*[^ \t\n][^\n]*\n |)*+ ) )
    | (?P<definition> [ ]{{0,3}} {_DEFINED} )
    | (?P<code> {_CODE_LINE} (?: {_BLANK_LINES} {_CODE_LINE} |)*+
        (?= {_BLANK_LINES} (?: \Z | [ ]{{0,3}}[^\s] )) )
    )""",
    re.VERBOSE,
)
_FENCE: Final = re.compile(r"([ ]*)(?:(`{3,})([^`\n]*)|(~{3,})([^\n]*))\n")
# What follows in a list: blank lines, indentation, and an item with its first paragraph, if one is.
_IN_LIST: Final = re.compile(
    rf"""( {_BLANK_LINES} ) ([ ]*)
    (?: ({_MARKER}) ([ ]{{1,4}}) {_FIRST_TEXT} [^\n]*\n {_MORE_IN_ITEM} )?""",
    re.VERBOSE,
)
_PARAGRAPH_IN_ITEM: Final = re.compile(rf"[ ]* {_FIRST_TEXT} [^\n]*\n {_MORE_IN_ITEM}", re.VERBOSE)
_ANY_MARKER: Final = re.compile(rf"[ ]*{_MARKER}[ \t\n]", re.VERBOSE)
_DEFINITION: Final = re.compile(rf"[ ]*{_DEFINITION_LABEL}", re.DOTALL)
ONLY_IMAGE: Final = re.compile(
    r"!\[[^\[\]]*\](?:\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+[\"'(][^\n]*[\"')])?\)|\[[^\[\]]*\])?"
)
_PIPE: Final = "|"
_FURTHEST: Final = 3  # columns that a block may be indented by before it is code
_DEEPEST: Final = 6  # lists in lists
_NO_MORE: Final = -1  # where the text ends, no column is right


class Scanner:
    """Reads the plain blocks of one text.

    Args:
        lines: The text.
        count: Counts the tokens of a slice.
        references: Takes the link definitions on.
    """

    def __init__(self, lines: Lines, count: Count, references: dict[str, object]) -> None:
        self.lines = lines
        self.text = lines.text
        self.count = count
        self.references = references

    def read(self, start: int, blocks: list[Block]) -> int:
        """Read the plain blocks that follow each other from a line on.

        Args:
            start: Where the line begins.
            blocks: Takes the blocks on.

        Returns:
            Where the first line behind them begins that is not blank: markdown-it must look at it,
            or the text ends there.
        """
        text, count, match_block = self.text, self.count, _BLOCK.match
        while match := match_block(text, start):
            kind, behind = match.lastgroup or "", match.end()
            begin = match.start(kind)
            block: Block | None
            match kind:
                case "paragraph":
                    block = paragraph(text, begin, behind, count)
                case "heading":
                    content = _without_hashes(match["title"] or "")
                    end = trimmed(text, behind)
                    block = Heading(begin, end, count, len(match["hashes"]), content)
                case "table":
                    block = self._table(match)
                case "rule" | "html":
                    make = HtmlBlock if kind == "html" else ThematicBreak
                    block = make(begin, trimmed(text, behind), count)
                case "definition":
                    define(match["label"], match["destination"], self.references)
                    block = LinkDefinition(begin, trimmed(text, behind), count)
                case "code":
                    block = CodeBlock(begin, trimmed(text, behind), count, "", "", closed=False)
                case "fence":
                    fence = _fence(self.lines, begin, 0, count)
                    block, behind = fence or (None, begin)
                case _:
                    listing = self._list(begin)
                    block, behind = listing or (None, begin)
            if block is None:
                return begin
            blocks.append(block)
            start = behind
        return self.lines.next_text(start)

    def _table(self, match: re.Match[str]) -> Table | None:
        """A table; None where the cells of its first two lines do not agree."""
        columns = row_cells(match["header"])[1:]  # behind the leading pipe
        if columns and not columns[-1]:
            columns.pop()
        delimiters = [part for part in match["delimiters"].split("|") if part.strip()]
        if not columns or len(columns) != len(delimiters):
            return None
        begin, body = match.start("table"), self.text.index("\n", match.end("delimiters")) + 1
        rows: list[Span] = []
        at = body
        while at < match.end():
            behind = self.text.index("\n", at) + 1
            rows.append((at, trimmed(self.text, behind)))
            at = behind
        header = begin, trimmed(self.text, body)
        end = rows[-1][1] if rows else header[1]
        return Table(begin, end, self.count, tuple(columns), header, tuple(rows))

    def _list(self, start: int) -> tuple[ListBlock, int] | None:
        try:
            reader = _ListReader(self.lines, self.count, start)
            return reader.list_at(0, 1), reader.line
        except _NotPlainError:
            return None


class _NotPlainError(Exception):
    """A list holds something that only markdown-it can judge."""


class _ListReader:
    """Reads one list, and the lists in it.

    Args:
        lines: The text.
        count: Counts the tokens of a slice.
        start: Where the line of the first item begins.

    Attributes:
        line: Where the next line begins that is not blank and not read yet.
    """

    def __init__(self, lines: Lines, count: Count, start: int) -> None:
        self.lines = lines
        self.text = lines.text
        self.count = count
        self.line = start
        self.is_apart = False  # whether blank lines stand before the line
        self.indent = 0  # columns of blanks on it
        self.item: re.Match[str]  # the item on it, if it has a marker
        self._go_on(start)

    def list_at(self, column: int, depth: int) -> ListBlock:
        """The list whose first item is next.

        Args:
            column: Where the content of the item around the list begins; 0 at the top.
            depth: 1 for a list at the top, 2 for one in an item of it.
        """
        if depth > _DEEPEST:
            raise _NotPlainError
        start, kind = self.line + column, ""
        items: list[ListItem] = []
        while self.indent >= column:
            marker = self.item[3]
            if marker is None:
                if not items or _ANY_MARKER.match(self.text, self.line):
                    raise _NotPlainError
                break
            if self.indent > column + _FURTHEST:
                raise _NotPlainError
            if kind and marker[-1] != kind:
                break
            kind = marker[-1]
            items.append(self._item(column, depth))
        is_ordered = len(items[0].marker) > 1
        return ListBlock(start, items[-1].end, self.count, is_ordered, tuple(items))

    def _item(self, column: int, depth: int) -> ListItem:
        item, start = self.item, self.line
        at = item.end(4)
        content = at - start
        blocks: list[Block] = [self._paragraph(at, item.end())]
        while self.indent >= content:
            if self.indent > content + _FURTHEST:
                raise _NotPlainError
            blocks.append(self._block(content, depth, blocks[-1]))
        is_next_line = self.indent != _NO_MORE and not self.is_apart and self.item[3] is None
        if is_next_line and isinstance(blocks[-1], Paragraph | Image):
            raise _NotPlainError  # what ends a paragraph
        width = content - column
        end = blocks[-1].end
        return ListItem(start + column, end, self.count, item[3], width, tuple(blocks))

    def _block(self, content: int, depth: int, before: Block) -> Block:
        """A further block of an item."""
        follows_text = not self.is_apart and isinstance(before, Paragraph | Image)
        if self.item[3] is not None:
            if follows_text and not _interrupts(self.item):
                raise _NotPlainError
            return self.list_at(content, depth + 1)
        fence = _fence(self.lines, self.line, content, self.count)
        if fence:
            block, behind = fence
            if self._leaves_item(behind, content):
                raise _NotPlainError
            self._go_on(behind)
            return block
        match = None if follows_text else _PARAGRAPH_IN_ITEM.match(self.text, self.line)
        if match is None:
            raise _NotPlainError
        return self._paragraph(self.line + content, match.end())

    def _paragraph(self, start: int, behind: int) -> Paragraph | Image:
        if _DEFINITION.match(self.text, start):
            raise _NotPlainError
        self._go_on(behind)
        return paragraph(self.text, start, behind, self.count)

    def _leaves_item(self, behind: int, content: int) -> bool:
        """Whether a line of code up to an offset does not belong to the item."""
        for line in self.text[self.line : behind].split("\n"):
            text = line.lstrip(" ")
            if text.startswith("\t") or (text and len(line) - len(text) < content):
                return True
        return False

    def _go_on(self, behind: int) -> None:
        """Look at what stands behind an offset."""
        match = _IN_LIST.match(self.text, behind)
        assert match is not None, "no blank is enough"
        self.item, self.line = match, match.end(1)
        self.is_apart = self.line > behind
        text = match.end(2)
        self.indent = text - self.line if text < len(self.text) else _NO_MORE
        if self.text.startswith("\t", text):
            raise _NotPlainError


def paragraph(text: str, start: int, behind: int, count: Count) -> Paragraph | Image:
    """The paragraph on some lines; one that is only an image is that."""
    end = trimmed(text, behind)
    if text[start] in " !":
        content = text[start:end].lstrip(" ")
        if content.startswith("!") and ONLY_IMAGE.fullmatch(content):
            return Image(start, end, count)
    return Paragraph(start, end, count)


def trimmed(text: str, end: int) -> int:
    """The end of a text that is not blank, without trailing blanks."""
    while text[end - 1].isspace():
        end -= 1
    return end


def _fence(lines: Lines, start: int, column: int, count: Count) -> tuple[CodeBlock, int] | None:
    """The fence on a line, and where the line behind it begins.

    None where there is none, or it may be the header of a table, or end with its item. At the top,
    one that is not closed takes all that is left (CommonMark 4.5).

    Args:
        lines: The text.
        start: Where the line begins.
        column: Where the content of the item around it begins; 0 at the top.
        count: Counts the tokens of a slice.
    """
    match = _FENCE.match(lines.text, start)
    if match is None or _PIPE in match[0]:
        return None
    fence, info = (match[2], match[3]) if match[2] else (match[4], match[5])
    closing = lines.next_match(_closing_fence(fence[0], len(fence)), match.end() - 1)
    if closing is None and column:
        return None
    if closing and not column <= len(closing[1]) <= column + _FURTHEST:
        return None
    behind = closing.end() if closing else len(lines.text)
    end = trimmed(lines.text, behind)
    block = CodeBlock(start + column, end, count, fence, info.strip(), closed=bool(closing))
    return block, behind


def _interrupts(item: re.Match[str]) -> bool:
    """Whether an item may follow a paragraph without a blank line (CommonMark 5.2).

    What might be the second line of a table is left to markdown-it.
    """
    marker = item[3]
    may_be_table = item.string[item.end(4)] in "-|:"
    return not may_be_table and (len(marker) == 1 or marker[:-1] == "1")


def _without_hashes(line: str) -> str:
    """What stands in a heading, without the hashes that may close it (CommonMark 4.2)."""
    line = line.rstrip(" \t")
    bare = line.rstrip("#")
    if bare != line and (not bare or bare[-1] in " \t"):
        line = bare
    return line.strip()


@lru_cache(maxsize=64)
def _closing_fence(mark: str, length: int) -> re.Pattern[str]:
    return re.compile(rf"\n([ ]*){mark}{{{length},}}[ \t]*\n")
