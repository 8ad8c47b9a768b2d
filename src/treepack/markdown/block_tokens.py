"""Requests tokens from the markdown parser, one block at a time.

Only the block level is parsed. Inline parsing would double the cost and is needed only for the
plain text of headings and header cells. One top-level block is tokenized at a time, so that the
tokens (20 bytes per byte of text) are never all in memory. Unambiguous blocks are read without
tokens; see `treepack.markdown.scanner`.
"""

import re
from array import array
from collections.abc import Iterable
from itertools import pairwise, repeat
from operator import add
from typing import Final, cast

from markdown_it.common.utils import normalizeReference
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.table import escapedSplit
from markdown_it.token import Token

from treepack.markdown.lines import Lines
from treepack.markdown.prefixes import column_at
from treepack.markdown.rules import markdown_parser
from treepack.model.blocks import Span

_HAS_MARKUP: Final = re.compile(r"[\\`*_\[\]<>&!$\n\r]")
_TAG: Final = re.compile(
    r"</?[A-Za-z][A-Za-z0-9-]*(?:[ ]+[A-Za-z_:][A-Za-z0-9_.:-]*=\"[^\"<>\n\r]*\")*[ ]*/?>"
)
_TEXT_TOKENS: Final = {"text", "code_inline", "image", "math_inline", "text_special"}
_UNESCAPED_PIPE: Final = re.compile(r"(?<!\\)(?:\\\\)*\|")
_INDENTATION: Final = re.compile(r"\n[ \t]*+")


class _State(StateBlock):
    """markdown-it's state with its table of lines, as arrays: lists take four times as much."""

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


def _as_list(typecode: str, numbers: Iterable[int]) -> list[int]:
    """Return an array; markdown-it only reads and sets single elements of its lists."""
    return cast("list[int]", array(typecode, numbers))


class BlockTokenizer:
    """Returns the tokens of single top-level blocks; ``references`` collects link definitions."""

    def __init__(self, lines: Lines, references: dict[str, object]) -> None:
        self._state = _State(lines, references)
        self._rules = markdown_parser().block.ruler.getRules("")

    def tokens_at(self, line: int) -> tuple[list[Token], int]:
        """Return the tokens of the block that begins on a line, and the line after the block.

        This is one round of the loop in markdown-it's ``ParserBlock.tokenize``.
        """
        state, tokens, is_silent = self._state, list[Token](), False
        state.tokens, state.line = tokens, line
        any(rule(state, line, state.lineMax, is_silent) for rule in self._rules)
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
        untagged = _TAG.sub("", content)  # most titles have no markup but anchors
        has_markup = _HAS_MARKUP.search(untagged) is not None
        content = _inline_text(content, references) if has_markup else untagged
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
