"""Requests tokens from the markdown parser, one block at a time.

Only the block level is parsed. Inline parsing would double the cost and is needed only for the
plain text of headings and header cells. One top-level block is tokenized at a time, so that the
tokens (20 bytes per byte of text) are never all in memory. Unambiguous blocks are read without
tokens; see `treepack.markdown.scanner`.
"""

import re
from itertools import accumulate, pairwise
from typing import Final, Literal, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.common.utils import normalizeReference
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.table import escapedSplit
from markdown_it.token import Token

from treepack.markdown.lines import Lines
from treepack.markdown.rules import (
    MATH_DELIMITER,
    OPEN_MATH,
    BlockLoop,
    markdown_parser,
    parser_for,
)
from treepack.model.blocks import Span

_HAS_MARKUP: Final = re.compile(r"[\\`*_\[\]<>&!$\n\r]")
# Most headings have no markup but anchors, escaped punctuation and underscores inside words, which
# need no parser.
_TAG: Final = re.compile(
    r"</?[A-Za-z][A-Za-z0-9-]*(?:[ ]+[A-Za-z_:][A-Za-z0-9_.:-]*=\"[^\"<>\n\r]*\")*[ ]*/?>"
)
_SIMPLE: Final = re.compile(
    rf"""
    (?P<text>[^\\`*_\[\]<>&!$\n\r]+ | (?<=[^\W_])_+(?=[^\W_]))
    | \\(?P<escaped>[!-/:-@\[-`{{-~])
    | {_TAG.pattern}
    """,
    re.VERBOSE,
)
_new_token: Final = object.__new__
_TEXT_TOKENS: Final = {"text", "code_inline", "image", "math_inline", "text_special"}
_UNESCAPED_PIPE: Final = re.compile(r"(?<!\\)(?:\\\\)*\|")
_FIRST_LINES: Final = 16
_LINES_WITH_MATH: Final = 1024
_GROWTH: Final = 6  # factor for the number of lines if a block does not end in them
_LINES_NEEDED_AFTER: Final = 2  # lines with text that decide where a block ends: a table needs two


class _State(StateBlock):
    """markdown-it's state, with a faster way to build its table of lines."""

    def __init__(self, src: str, md: MarkdownIt) -> None:
        super().__init__("", md, {}, [])
        self.src = src
        lines = src.split("\n")[:-1]
        self.bMarks = [0, *accumulate([len(line) + 1 for line in lines])]
        self.eMarks = [start - 1 for start in self.bMarks[1:]]
        self.eMarks.append(len(src))
        self.tShift = [len(line) - len(line.lstrip(" \t")) for line in lines]
        self.sCount = (
            [
                len(line[:shift].expandtabs(4)) if shift else 0
                for line, shift in zip(lines, self.tShift, strict=True)
            ]
            if "\t" in src
            else self.tShift.copy()
        )
        self.tShift.append(0)
        self.sCount.append(0)
        self.bsCount = [0] * len(self.bMarks)
        self.lineMax = len(lines)

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        """Add a token, without a call of its slow constructor."""
        token = _new_token(Token)
        token.type, token.tag, token.nesting = ttype, tag, nesting
        token.map = token.children = None
        token.content = token.markup = token.info = ""
        token.attrs, token.meta = {}, {}
        token.block, token.hidden = True, False
        if nesting < 0:
            self.level -= 1
        token.level = self.level
        if nesting > 0:
            self.level += 1
        self.tokens.append(token)
        return token


class _TokenizedLines(NamedTuple):
    """The range of lines that markdown-it got, and its state for them."""

    first: int
    after: int
    state: StateBlock | None


class BlockTokenizer:
    """Returns the tokens of single top-level blocks.

    markdown-it builds a table of all lines it gets. So it gets only a few lines, and more if the
    block may not end in them. The next blocks are read from the same lines. ``references`` collects
    the link definitions for `plain_text`.
    """

    def __init__(self, lines: Lines, references: dict[str, object]) -> None:
        self.lines = lines
        self.references = references
        self._tokenized = _TokenizedLines(0, 0, None)

    def tokens_at(self, line: int) -> tuple[list[Token], int, int]:
        """Return the tokens of the block that begins on a line, which is not blank.

        Returns:
            The tokens, the line that their line numbers start from, and the line after the block.
        """
        if self._tokenized.first <= line < self._tokenized.after and (
            result := self._tokens_if_complete(line)
        ):
            return result
        lines, size = self.lines, _FIRST_LINES
        while True:
            after = min(line + size, lines.count)
            text = lines.between(line, after)
            if size < _LINES_WITH_MATH and MATH_DELIMITER in text:  # math often closes far away
                size = _LINES_WITH_MATH
                continue
            state = _State(text, parser_for(text))
            self._tokenized = _TokenizedLines(line, after, state)
            if result := self._tokens_if_complete(line):
                return result
            size *= _GROWTH
            # If more than half of the remaining lines is needed, markdown-it gets all of them.
            if state.env[OPEN_MATH] or 2 * size > lines.count - line:
                size = lines.count

    def _tokens_if_complete(self, line: int) -> tuple[list[Token], int, int] | None:
        """Return the result of `tokens_at` if the block certainly ends in the given lines."""
        first, last, state = self._tokenized
        assert state is not None, "lines were given before"
        definitions: dict[str, object] = {}
        state.env["references"] = definitions
        state.env[OPEN_MATH] = False
        tokens, after = self._first_block(state, line - first)
        after += first
        if last < self.lines.count:
            following = self.lines.line_at(self.lines.next_text(self.lines.start_of(after)))
            if following + _LINES_NEEDED_AFTER > last or state.env[OPEN_MATH]:
                return None
        for label, definition in definitions.items():
            self.references.setdefault(label, definition)  # the first definition of a label wins
        return tokens, first, after

    def _first_block(self, state: StateBlock, line: int) -> tuple[list[Token], int]:
        """Run one round of the loop in markdown-it's ``ParserBlock.tokenize``."""
        tokens: list[Token] = []
        state.tokens = tokens
        state.line = line
        silent = False
        loop = state.md.block
        assert isinstance(loop, BlockLoop), "the parser is one of ours"
        for rule in loop.rules_at(state, line):
            if rule(state, line, state.lineMax, silent):
                break
        assert state.line > line, "the paragraph rule accepts any line"
        return tokens, state.line


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
        simple = _simple_text(content)
        content = _inline_text(content, references) if simple is None else simple
    return " ".join(content.split())


def _inline_text(content: str, references: dict[str, object]) -> str:
    parts: list[str] = []
    for token in (
        markdown_parser().parseInline(content, {"references": references})[0].children or []
    ):
        if token.type in _TEXT_TOKENS:
            parts.append(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            parts.append(" ")
    return "".join(parts)


def _simple_text(content: str) -> str | None:
    """Return the plain text of content whose only markup is tags and escapes, else None."""
    untagged = _TAG.sub("", content)
    if not _HAS_MARKUP.search(untagged):
        return untagged  # the common case
    parts: list[str] = []
    position = 0
    for match in _SIMPLE.finditer(content):
        if match.start() != position:
            return None
        parts.append(match["text"] or match["escaped"] or "")
        position = match.end()
    return "".join(parts) if position == len(content) else None
