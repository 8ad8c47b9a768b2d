"""The lines of a text, and the tokens of the markdown parser, one block at a time.

Only the block level is parsed. Inline parsing would double the cost and is needed only for the
plain text of headings and header cells. One top-level block is tokenized at a time, so that the
tokens (20 bytes per byte of text) are never all in memory. Unambiguous blocks are read without
tokens; see `treepack.markdown.scanner`.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable
from functools import cache
from itertools import pairwise, repeat
from operator import add
from typing import Final, cast

from markdown_it import MarkdownIt
from markdown_it.common.html_blocks import block_names
from markdown_it.common.utils import normalizeReference
from markdown_it.parser_block import RuleFuncBlockType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.table import escapedSplit
from markdown_it.token import Token
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.container import container_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from treepack.markdown.prefixes import column_at
from treepack.model.blocks import Span
from treepack.model.source import BYTE_ORDER_MARK, Source

HTML_BLOCKS: Final = tuple(block_names)
"""Tags that begin an HTML block, which ends before a blank line (CommonMark 4.6, kind 6)."""
# The limit of CommonMark's own preset. Deeper content gets no tokens; it stays part of the block
# around it. A higher limit would reach Python's recursion limit on hostile input.
MAX_NESTING: Final = 20

_MATH_DELIMITER: Final = "$$"
_FAILED_MATH: Final = "treepack: lines without a closing mark"
_HAS_MARKUP: Final = re.compile(r"[\\`*_\[\]<>&!$\n\r]")
_TAG: Final = re.compile(
    r"</?[A-Za-z][A-Za-z0-9-]*(?:[ ]+[A-Za-z_:][A-Za-z0-9_.:-]*=\"[^\"<>\n\r]*\")*[ ]*/?>"
)
_TEXT_TOKENS: Final = {"text", "code_inline", "image", "math_inline", "text_special"}
_UNESCAPED_PIPE: Final = re.compile(r"(?<!\\)(?:\\\\)*\|")
_INDENTATION: Final = re.compile(r"\n[ \t]*+")
_SEVEN_MARKERS: Final = re.compile(r">(?:[ ]*>){6}")  # found ten times as fast as deep quotes
# markdown-it reads each line once more for each quote around it; letters nest no deeper.
_DEEP_QUOTE: Final = re.compile(r"^((?:[ ]{0,3}>[ ]?){6})((?:[ ]*>)+)", re.MULTILINE)
_BLANK: Final = re.compile(r"(?:[ \t]*\n|[ \t]+\Z|)*+")


@cache
def markdown_parser() -> MarkdownIt:
    """Return the parser: CommonMark with tables, footnotes, math, admonitions and containers."""
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).enable("table")
    parser.use(footnote_plugin, inline=False, move_to_end=False)
    parser.use(dollarmath_plugin)
    for rule in parser.block.ruler.__rules__:
        if rule.name == "math_block":
            rule.fn = _bounded_math(rule.fn)
    parser.use(admon_plugin)
    return parser.use(container_plugin, "container", validate=_any_container)


def _any_container(_params: str, _markup: str) -> bool:
    """Accept a container of any name."""
    return True


def _bounded_math(original_rule: RuleFuncBlockType) -> RuleFuncBlockType:
    """Search the same lines for a closing ``$$`` only once, not for each opening one.

    The plugin searches to the container's end. If it finds nothing, it also fails for each later
    line, so the searched lines are remembered.
    """

    def math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
        if not line.startswith(_MATH_DELIMITER):
            return False
        is_open = _MATH_DELIMITER not in line[len(_MATH_DELIMITER) :]
        first, after = state.env.get(_FAILED_MATH, (0, 0))
        if is_open and first <= start and end <= after:
            return False
        is_math = original_rule(state, start, end, silent)
        if is_open and not is_math:
            state.env[_FAILED_MATH] = (start, end)
        return is_math

    return math_block


class Lines:
    r"""A text in which each line, except maybe the last, ends with ``\n`` (CommonMark 2.1, 2.3).

    Offsets and lines are those of the source, because the ``\r`` of ``\r\n`` becomes a space. If
    nothing has to be replaced, this is the source's own text, because a copy doubles the memory.
    ``starts`` has the start of each line, then the length of the source's text. The text starts
    after front matter and a byte order mark.
    """

    def __init__(self, source: Source, start: int = 0) -> None:
        text = source.text
        self.start = start or int(text.startswith(BYTE_ORDER_MARK))  # a second one is text
        self.starts = source.line_starts
        self.count = source.line_count
        if self.starts[0] < self.start < len(text):  # the text begins after front matter
            first = source.line_at(self.start)
            if self.starts[first] != self.start:
                self.starts = self.starts[:]
                self.starts[first] = self.start
        if "\0" in text:
            text = text.replace("\0", "\ufffd")
        if "\r" in text:
            text = text.replace("\r\n", " \n").replace("\r", "\n")
        if _SEVEN_MARKERS.search(text):
            text = _DEEP_QUOTE.sub(lambda match: match[1] + match[2].replace(">", "·"), text)
        self.text = text

    def start_of(self, line: int) -> int:
        """Return the start of a line; the length of the text after the last one."""
        return self.starts[line] if line < self.count else len(self.text)

    def line_at(self, offset: int) -> int:
        """Return the line that contains an offset; ``count`` after the last one."""
        return bisect_right(self.starts, offset) - 1 if offset < len(self.text) else self.count

    def next_text(self, offset: int) -> int:
        """Return the start of the first non-blank line, from the line that starts at an offset."""
        match = _BLANK.match(self.text, offset)
        assert match is not None, "no blank line is enough"
        return match.end()


class BlockTokenizer(StateBlock):
    """Returns the tokens of single top-level blocks; ``references`` collects link definitions.

    This is markdown-it's state, with its table of lines as arrays: lists take four times as much.
    """

    def __init__(self, lines: Lines, references: dict[str, object]) -> None:
        super().__init__("", markdown_parser(), {"references": references}, [])
        text, starts = lines.text, lines.starts
        shifts = [0, *[len(indentation) - 1 for indentation in _INDENTATION.findall(text)]]
        shifts += [0] * (len(starts) - len(shifts))
        first = lines.line_at(lines.start)  # it may begin after front matter, inside a line
        line = text[starts[first] : starts[first + 1]]
        shifts[first] = len(line) - len(line.lstrip(" \t"))
        ends = [start - 1 for start in starts[1:]]
        ends[-1] += not text.endswith("\n")
        columns = map(column_at, repeat(text), starts, map(add, starts, shifts))
        self.src = text if text.endswith("\n") else f"{text}\n"  # some rules need the line end
        self.bMarks, self.eMarks = _as_list("q", starts), _as_list("q", [*ends, len(text)])
        self.tShift = _as_list("i", shifts)
        self.sCount = _as_list("i", columns if "\t" in text else shifts)
        self.bsCount = _as_list("i", [0] * len(starts))
        self.lineMax = lines.count
        self._rules = markdown_parser().block.ruler.getRules("")

    def tokens_at(self, line: int) -> tuple[list[Token], int]:
        """Return the tokens of the block that begins on a line, and the line after the block.

        This is one round of the loop in markdown-it's ``ParserBlock.tokenize``.
        """
        tokens, is_silent = list[Token](), False
        self.tokens, self.line = tokens, line
        any(rule(self, line, self.lineMax, is_silent) for rule in self._rules)
        assert self.line > line, "the paragraph rule accepts any line"
        return tokens, self.line


def _as_list(typecode: str, numbers: Iterable[int]) -> list[int]:
    """Return an array; markdown-it only reads and sets single elements of its lists."""
    return cast("list[int]", array(typecode, numbers))


def define(label: str, destination: str, references: dict[str, object]) -> None:
    """Add a link definition; the first one of a label wins. The title is not needed."""
    references.setdefault(normalizeReference(label), {"title": "", "href": destination})


def row_cells(row: str) -> list[str]:
    """Return the inline content of a GFM row's cells, and the text outside its outer pipes."""
    return escapedSplit(row) if "\\|" in row else row.split("|")


def cell_spans(text: str, start: int, end: int) -> list[Span]:
    """Return the cells of a GFM row, each with its leading pipe; together they cover the row."""
    pipes = [match.end() - 1 for match in _UNESCAPED_PIPE.finditer(text, start, end)]
    if pipes and not text[start : pipes[0]].strip():
        pipes = pipes[1:]
    if pipes and not text[pipes[-1] + 1 : end].strip():
        pipes = pipes[:-1]
    return list(pairwise([start, *pipes, end]))


def cell_text(text: str, start: int, end: int) -> Span:
    """Return the span of the text in a cell, without the pipes around it."""
    words = text[start:end].strip()
    words = words.removeprefix("|").removesuffix("" if words.endswith("\\|") else "|").strip()
    at = text.find(words, start, end)
    return at, at + len(words)


def plain_text(content: str, references: dict[str, object]) -> str:
    """Return the text of inline content without its markup, with whitespace collapsed."""
    if _HAS_MARKUP.search(content):
        content = content.replace("\\ \n", "\\\n")  # `Lines` turns CR LF into a space and LF
        untagged = _TAG.sub("", content)  # most titles have no markup but anchors
        has_markup = _HAS_MARKUP.search(untagged) is not None
        content = _inline_text(content, references) if has_markup else untagged
    return " ".join(content.split())


def _inline_text(content: str, references: dict[str, object]) -> str:
    tokens = markdown_parser().parseInline(content, {"references": references})[0].children or []
    breaks = {"softbreak": " ", "hardbreak": " "}
    return "".join(
        [
            token.content if token.type in _TEXT_TOKENS else breaks.get(token.type, "")
            for token in tokens
        ]
    )
