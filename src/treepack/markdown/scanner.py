"""Reads plain blocks by line patterns: text, headings, code, tables, lists of text, HTML blocks.

Most lines of most documents are unambiguous, and a pattern recognizes them at a tenth of the cost
of trying all of markdown-it's rules. If there is any doubt (markup that another rule might match,
a tab before text, a lazy line), the scanner leaves the block to markdown-it.
`tests/test_markdown.py` checks that both give the same blocks.
"""

import re
from typing import Final

from treepack.markdown.block_tokens import HTML_BLOCKS, Lines, define, row_cells
from treepack.markdown.prefixes import TAB
from treepack.model.blocks import (
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
    Table,
    ThematicBreak,
)

_LINE_END: Final = r"(?:\n|\Z)"  # the last line may have none
_REST: Final = r"[^\n]*+\n?+"  # of a line, with its end
# What may begin a line of text that no other rule matches. After a character that may be markup,
# the next ones decide: `**bold**` is neither a rule nor an item, `1984` is not an item number, and
# `[text]` is not a definition (see below).
_TEXT: Final = r"""
    [^\s|:=$!?`~>*_\[<#+\-0-9] | \*+[^\s*] | \*\*+[ \t]+[^\s*] | _+[^\s_] | `(?!``) | \[(?!\^)
    | !(?!!) | \#[^\s\#] | \?(?!\?) | \$(?!\$) | \+[^\s] | -(?=[^\s\-|:])
    | [0-9]{1,9}(?![0-9.)]) | [0-9]{1,9}[.)](?=[^ \t\n]) | =+(?:[ \t]+[^\s]|[^\s=])"""
# Tags that begin an HTML block only if one fills its line (CommonMark 4.6, kind 7), and that never
# interrupt a paragraph.
_INLINE_TAG: Final = r"""(?: a|abbr|b|br|cite|code|del|em|font|i|img|ins|kbd|mark|q|s|small|span
    |strike|strong|sub|sup|tt|u|var )"""
_TAG_AND_TEXT: Final = rf"""<{_INLINE_TAG}(?:[ ]+[A-Za-z-]+="[^"<>\n]*"|)*+[ ]*/?>[ \t]*[^\s]"""
_FIRST_TEXT: Final = rf"(?: {_TEXT} | \| | :(?!::) | ~(?!~~) | = | {_TAG_AND_TEXT} )"
# After a first line, a line of only pipes and dashes would make it a table.
_FURTHER_TEXT: Final = rf"(?: {_TEXT} | \|(?=[^\n]*[^\s|:\-]) | </?{_INLINE_TAG}(?=[\s/>]) )"
_BLOCK_TAG: Final = f"(?i:{'|'.join(HTML_BLOCKS)})"
_MARKER: Final = r"(?: [-+*] | [0-9]{1,9}[.)] )"
# Lines that end a paragraph without a blank line, and cannot be the second line of a table.
_INTERRUPTING: Final = (
    r"[ ]{0,3} (?: [-+*][ ]+[^\s\-|:] | 1[.)][ ]+[^\s] | \#{1,6}[ \t] | `{3,}[^`\n]*\n )"
)
# Where no link definition begins; its label may span lines, but contains no bracket.
_NO_DEFINITION: Final = r"(?!\[(?s:[^\[\]\\]|\\.|)*+\]:)"
_MORE_TEXT: Final = rf"(?: [ \t]* {_FURTHER_TEXT} {_REST} |)*+"
_MORE_IN_ITEM: Final = rf"(?: [ ]* {_FURTHER_TEXT} {_REST} |)*+"  # lazy lines, too
_BLANK_LINES: Final = r"(?: [ \t]*\n | [ \t]+\Z |)*+"
# A link definition whose next line can be neither its title nor a table's delimiters.
_DEFINITION: Final = rf"""\[ (?P<label> (?!\^|\s*\]) [^\[\]\\\n|]++ ) \]:[ \t]+
    (?P<destination> (?:https?://|[/\#.]) [A-Za-z0-9/\#.:?=_~@,;+*!-]* )
    (?: [ \t]+"[^"\\\n|]*"[ \t]*{_LINE_END} | [ \t]*{_LINE_END} (?![ \t]*["'(\-:|]) )"""
_CODE_LINE: Final = rf"[ ]{{4,}}[^\s]{_REST}"

# A top-level block with the blank lines before it. A heading or tag with a pipe may be the header
# of a table, which takes precedence. A row that begins with a pipe cannot begin another block.
_BLOCK: Final = re.compile(
    rf"""{_BLANK_LINES} (?:
      (?P<paragraph> [ ]{{0,3}} {_NO_DEFINITION} {_FIRST_TEXT} {_REST} {_MORE_TEXT}
        (?= [ \t]*(?:\n|\Z) | {_INTERRUPTING} ) )
    | (?P<heading> [ ]{{0,3}} (?P<hashes> \#{{1,6}} ) (?: [ \t] (?P<title> [^\n|]* ) )?
        {_LINE_END} )
    | (?P<table> [ ]{{0,3}} (?P<header> \|[^\n]*[^\s] ) [ \t]*\n
        [ ]{{0,3}} (?=\||:-|--)
        (?P<delimiters> \|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*|)*+\|? ) [ \t]*{_LINE_END}
        (?: [ ]{{0,3}} (?:\||{_TEXT}) {_REST} |)*+ (?= [ \t]*(?:\n|\Z) | {_CODE_LINE} ) )
    | (?P<rule> [ ]{{0,3}} (?P<sign> [-*_] ) (?: [ \t]*(?P=sign) ){{2,}} [ \t]*{_LINE_END} )
    | (?P<fence> [ ]{{0,3}} (?= ```|~~~ ) )
    | (?P<list> [ ]{{0,3}} {_MARKER} [ ] )
    | (?P<html> [ ]{{0,3}} (?![^\n]*\|) (?: <!(?=--)(?s:.*?)(?:-->{_REST}|\Z)
        | </?{_BLOCK_TAG} (?=[ \t\n>]|/>|\Z) {_REST} (?: [ \t]*[^ \t\n]{_REST} |)*+ ) )
    | (?P<definition> [ ]{{0,3}} {_DEFINITION} )
    | (?P<code> {_CODE_LINE} (?: {_BLANK_LINES} {_CODE_LINE} |)*+
        (?= {_BLANK_LINES} (?: \Z | [ ]{{0,3}}[^\s] )) )
    )""",
    re.VERBOSE,
)
_ROW: Final = re.compile(r"[^\n]*\S")
_FENCE: Final = re.compile(rf"[ ]*(?:(`{{3,}})([^`\n]*)|(~{{3,}})([^\n]*)){_LINE_END}")
# What follows in a list: blank lines, indentation, and maybe an item with its paragraph.
_ITEM: Final = re.compile(
    rf"""( {_BLANK_LINES} ) ([ ]*+) (?!\t)
    (?: ({_MARKER}) ([ ]{{1,4}}) {_NO_DEFINITION} {_FIRST_TEXT} {_REST} {_MORE_IN_ITEM} )?""",
    re.VERBOSE,
)
_PARAGRAPH_IN_ITEM: Final = re.compile(
    rf"[ ]* {_NO_DEFINITION} {_FIRST_TEXT} {_REST} {_MORE_IN_ITEM}", re.VERBOSE
)
_ANY_MARKER: Final = re.compile(rf"[ ]*{_MARKER}(?:[ \t\n]|\Z)", re.VERBOSE)
ONLY_IMAGE: Final = re.compile(
    r"!\[[^\[\]]*\](?:\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+[\"'(][^\n]*[\"')])?\)|\[[^\[\]]*\])?"
)
_PIPE: Final = "|"
_DEEPEST: Final = 6  # levels of nested lists


class Scanner:
    """Reads the plain blocks of a text; ``references`` collects the link definitions."""

    def __init__(self, lines: Lines, count: Count, references: dict[str, object]) -> None:
        self.lines = lines
        self.text = lines.text
        self.count = count
        self.references = references

    def read(self, start: int, blocks: list[Block]) -> int:
        """Add consecutive plain blocks from the start of a line on to ``blocks``.

        Return the start of the first non-blank line after them, which markdown-it must read, or the
        end of the text.
        """
        text, count, match_block = self.text, self.count, _BLOCK.match
        while match := match_block(text, start):
            kind = match.lastgroup or ""
            begin, after = match.span(kind)
            block: Block | None
            match kind:
                case "paragraph":
                    block = _paragraph(text, begin, after, count)
                case "heading":
                    content = _without_hashes(match["title"] or "")
                    end = _trimmed_end(text, after)
                    block = Heading(begin, end, count, len(match["hashes"]), content)
                case "table":
                    block = self._table(match)
                case "rule" | "html":
                    make = HtmlBlock if kind == "html" else ThematicBreak
                    block = make(begin, _trimmed_end(text, after), count)
                case "code":
                    block = CodeBlock(begin, _trimmed_end(text, after), count, "", "", closed=False)
                case "definition":
                    define(match["label"], match["destination"], self.references)
                    block = LinkDefinition(begin, _trimmed_end(text, after), count)
                case "fence":
                    fence = _fence(text, begin, count)
                    block, after = fence or (None, begin)
                case _:
                    list_block = self._list(begin)
                    block, after = list_block or (None, begin)
            if block is None:
                return begin
            blocks.append(block)
            start = after
        return self.lines.next_text(start)

    def _table(self, match: re.Match[str]) -> Table | None:
        """Read a table; None if its first two lines have different numbers of cells."""
        columns = [cell.strip() for cell in row_cells(match["header"])[1:]]  # after the first pipe
        if columns and not columns[-1]:
            columns.pop()
        delimiters = [part for part in match["delimiters"].split("|") if part.strip()]
        if not columns or len(columns) != len(delimiters):
            return None
        begin, delimiters_end = match.start("table"), match.end("delimiters")
        body = (self.text.find("\n", delimiters_end) + 1) or len(self.text)
        rows = [row.span() for row in _ROW.finditer(self.text, body, match.end())]
        header = begin, _trimmed_end(self.text, body)
        end = rows[-1][1] if rows else header[1]
        return Table(begin, end, self.count, tuple(columns), header, tuple(rows))

    def _list(self, start: int, column: int = 0, depth: int = 1) -> tuple[ListBlock, int] | None:
        """Read a list of items with paragraphs and lists; None if they may hold anything else.

        Return it with the start of the line after it. ``column`` is that of the text around it,
        from 0.
        """
        text, after = self.text, start
        items: list[ListItem] = []
        while match := _ITEM.match(text, after):  # no match: text after a tab
            line, (indent_end, marker) = match.end(1), (match.end(2), match[3])
            indent, is_end = indent_end - line - column, indent_end == len(text)
            if items and indent >= items[-1].width and not is_end:
                inner = self._in_item(match, after, column + items[-1].width, depth)
                if inner is None:
                    return None
                item, (block, after) = items[-1], inner
                item.blocks, item.end = (*item.blocks, block), block.end
            elif marker is None or indent < 0:
                is_item = marker is None and not is_end and _ANY_MARKER.match(text, line)
                has_ended = is_end or marker or line > after
                return self._list_of(items, after) if has_ended and not is_item else None
            elif indent >= TAB:
                return None
            elif items and marker[-1] != items[-1].marker[-1]:
                return self._list_of(items, after)
            else:
                begin, width = line + column, match.end(4) - line - column
                block, after = _paragraph(text, match.end(4), match.end(), self.count), match.end()
                items.append(ListItem(begin, block.end, self.count, marker, width, (block,)))
        return None

    def _in_item(
        self, match: re.Match[str], before: int, column: int, depth: int
    ) -> tuple[Block, int] | None:
        """Read a list or a further paragraph in an item; return it and the start of what follows.

        ``before`` is the end of the block before it, ``column`` that of the item's text.
        """
        line = match.end(1)
        is_after_blank = line > before
        if match[3]:
            is_new = is_after_blank or _can_interrupt(match)
            return self._list(line, column, depth + 1) if is_new and depth < _DEEPEST else None
        further = _PARAGRAPH_IN_ITEM.match(self.text, line) if is_after_blank else None
        if further is None or match.end(2) >= line + column + TAB:
            return None
        return _paragraph(self.text, line + column, further.end(), self.count), further.end()

    def _list_of(self, items: list[ListItem], after: int) -> tuple[ListBlock, int] | None:
        if not items:
            return None
        is_ordered = len(items[0].marker) > 1
        block = ListBlock(items[0].start, items[-1].end, self.count, is_ordered, tuple(items))
        return block, after


def _paragraph(text: str, start: int, after: int, count: Count) -> Paragraph | Image:
    """Return the paragraph on some lines, or an image if it contains nothing else."""
    end = after - (text[after - 1] == "\n")
    while text[end - 1].isspace():
        end -= 1
    if text[start] in " !":
        content = text[start:end].lstrip(" ")
        if content.startswith("!") and ONLY_IMAGE.fullmatch(content):
            return Image(start, end, count)
    return Paragraph(start, end, count)


def _trimmed_end(text: str, end: int) -> int:
    """Return the end of a non-blank text, without trailing whitespace."""
    while text[end - 1].isspace():
        end -= 1
    return end


def _fence(text: str, start: int, count: Count) -> tuple[CodeBlock, int] | None:
    """Read the fenced code that begins on a line; return it and the start of the line after it.

    Return None if there is no fence, or if it may be a table's header. An unclosed fence takes the
    rest of the text (CommonMark 4.5).
    """
    match = _FENCE.match(text, start)
    if match is None or _PIPE in match[0]:
        return None
    fence, info = (match[1], match[2]) if match[1] else (match[3], match[4])
    end_of_code = re.compile(rf"\n[ ]{{0,3}}{fence[0]}{{{len(fence)},}}[ \t]*{_LINE_END}")
    closing = end_of_code.search(text, match.end() - 1)
    after = closing.end() if closing else len(text)
    end = _trimmed_end(text, after)
    return CodeBlock(start, end, count, fence, info.strip(), closed=bool(closing)), after


def _can_interrupt(item: re.Match[str]) -> bool:
    """Whether an item may follow a paragraph without a blank line (CommonMark 5.2).

    A line that may be the second line of a table is left to markdown-it.
    """
    may_be_table = item.string[item.end(4)] in "-|:"
    return not may_be_table and item[3] in {"-", "+", "*", "1.", "1)"}


def _without_hashes(line: str) -> str:
    """Return the text of a heading without its closing hashes (CommonMark 4.2)."""
    line = line.rstrip(" \t")
    bare = line.rstrip("#")
    if bare != line and (not bare or bare[-1] in " \t"):
        line = bare
    return line.strip()
