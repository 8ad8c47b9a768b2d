"""The markdown parser: which rules it has, and how its tokens are asked for.

Only the block level is parsed; inline parsing costs as much again and is needed only for the plain
text of headings and header cells. One top-level block is tokenized at a time, so that the tokens
(20 bytes for each byte of text) never stand all in memory. What can be read in one way only does
not come here, see `document.scanner`.
"""

import re
from functools import lru_cache
from itertools import accumulate
from typing import Final, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.common.utils import normalizeReference
from markdown_it.parser_block import RuleFuncBlockType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.table import escapedSplit
from markdown_it.token import Token
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.container import container_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from treepack.document.lines import Lines

# CommonMark's own preset. Deeper content gets no tokens of its own; it stays a part of the block
# around it. A higher figure runs into Python's recursion limit on hostile input.
MAX_NESTING: Final = 20

_HAS_MARKUP: Final = re.compile(r"[\\`*_\[\]<>&!$\n\r]")
# Anchors and escaped punctuation are the markup of most headings; no parser is needed for them.
_SIMPLE: Final = re.compile(
    r"""
    (?P<text>[^\\`*_\[\]<>&!$\n\r]+)
    | \\(?P<escaped>[!-/:-@\[-`{-~])
    | </?[A-Za-z][A-Za-z0-9-]*(?:[ ]+[A-Za-z_:][A-Za-z0-9_.:-]*="[^"<>\n\r]*")*[ ]*/?>
    """,
    re.VERBOSE,
)
_TEXT_TOKENS: Final = {"text", "code_inline", "image", "math_inline", "text_special"}
_MATH_MARK: Final = "$$"
_FAILED_MATH: Final = "treepack: lines without a closing mark"
_OPEN_MATH: Final = "treepack: whether a mark was not closed"
_FIRST_LINES: Final = 16
_LINES_WITH_MATH: Final = 1024
_LOOKED_AHEAD: Final = 2  # lines with text that decide where a block ends: a table has two

# A rule can only match where its mark stands. A rule whose mark is nowhere in a text is switched
# off for that text: markdown-it asks each rule at each line.
_MARKS: Final = {
    "table": ("|",),
    "math_block": ("$$",),
    "admonition": ("!!!", "???"),
    "container_container": (":::",),
    "fence": ("```", "~~~"),
    "blockquote": (">",),
    "footnote_def": ("[^",),
    "reference": ("]:",),
    "html_block": ("<",),
    "heading": ("#",),
}
# No rule but these four begins at a letter or any other character that is nobody's mark.
_FIRST_CHARACTERS: Final = {
    "math_block": "$",
    "admonition": "!?",
    "container_container": ":",
    "fence": "`~",
    "blockquote": ">",
    "hr": "*-_",
    "list": "*-+0123456789",
    "footnote_def": "[",
    "reference": "[",
    "html_block": "<",
    "heading": "#",
}
_MARKED: Final = frozenset("".join(_FIRST_CHARACTERS.values()))
_UNDERLINE: Final = re.compile(r"[=-][ \t]*\n")


@lru_cache(maxsize=256)
def _parser(absent: frozenset[str] = frozenset()) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).enable("table")
    parser.use(footnote_plugin, inline=False, move_to_end=False)
    parser.use(dollarmath_plugin)
    _bound_math(parser)
    _leave_out_cells(parser)
    parser.use(admon_plugin)
    parser.use(container_plugin, "container", validate=_any_container)
    return parser.disable(list(absent))


def _any_container(_params: str, _markup: str) -> bool:
    return True


def _bound_math(parser: MarkdownIt) -> None:
    """Look for a closing ``$$`` once over the same lines, not once for each opening one.

    The plugin looks down to the container's end. Where that fails, it fails for each later line as
    well, so the stretch is remembered.
    """
    rule = next(rule for rule in parser.block.ruler.__rules__ if rule.name == "math_block")
    look = rule.fn

    def math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001
        line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
        if not line.startswith(_MATH_MARK):
            return False
        is_open = _MATH_MARK not in line[len(_MATH_MARK) :]
        first, behind = state.env.get(_FAILED_MATH, (0, 0))
        has_failed = is_open and first <= start and end <= behind
        if not has_failed and look(state, start, end, silent):
            return True
        state.env[_OPEN_MATH] = True
        if is_open and not has_failed:
            state.env[_FAILED_MATH] = (start, end)
        return False

    parser.block.ruler.at("math_block", math_block, {"alt": rule.alt})


def _leave_out_cells(parser: MarkdownIt) -> None:
    """Give a table's rows as one token each: their cells would be most tokens of a document.

    markdown-it ends a table where too many cells are missing (65,536); without cells, it goes on.
    """
    rule = next(rule for rule in parser.block.ruler.__rules__ if rule.name == "table")
    head = rule.fn

    def table(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001
        head_end = start + 2
        if head_end > end or not head(state, start, head_end, silent):
            return False
        if silent:
            return True
        close = state.tokens.pop()
        terminators = parser.block.ruler.getRules("blockquote")
        parent_type, state.parentType = state.parentType, "table"
        line = head_end
        while (
            line < end
            and state.src[state.bMarks[line] : state.eMarks[line]].strip()
            and state.sCount[line] >= state.blkIndent
            and not state.is_code_block(line)
            and not (
                state.src[state.bMarks[line] + state.tShift[line]] in _MARKED
                and any(ends(state, line, end, True) for ends in terminators)  # noqa: FBT003
            )
        ):
            row = Token("tr_open", "tr", 0, level=close.level + 1)
            row.map = [line, line + 1]
            state.tokens.append(row)
            line += 1
        state.parentType = parent_type
        state.tokens.append(close)
        opening = next(token for token in reversed(state.tokens) if token.type == "table_open")
        opening.map = [start, line]
        state.line = line
        return True

    parser.block.ruler.at("table", table, {"alt": rule.alt})


def _parser_for(text: str) -> MarkdownIt:
    absent = [rule for rule, marks in _MARKS.items() if not any(mark in text for mark in marks)]
    if not _UNDERLINE.search(text):
        absent.append("lheading")
    return _parser(frozenset(absent))


@lru_cache(maxsize=4096)
def _rules(parser: MarkdownIt, first: str) -> tuple[RuleFuncBlockType, ...]:
    """The rules, in order, that can match a line with this first character that is not blank."""
    names = parser.block.ruler.get_active_rules()
    rules = parser.block.ruler.getRules("")
    return tuple(
        rule
        for name, rule in zip(names, rules, strict=True)
        if first in _FIRST_CHARACTERS.get(name, first)
    )


class _State(StateBlock):
    """markdown-it's state with its table of lines made in fewer steps."""

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


class _Given(NamedTuple):
    """Lines that markdown-it was given, and its state with them."""

    first: int
    behind: int
    state: StateBlock | None


class BlockTokenizer:
    """Gives the tokens of single top-level blocks.

    markdown-it makes a table of all lines that it is given. So it is given some, and more only
    where the block does not surely end among them; the blocks that follow begin among the same.

    Args:
        lines: The text.
        references: Takes the link definitions on; `plain_text` wants them.
    """

    def __init__(self, lines: Lines, references: dict[str, object]) -> None:
        self.lines = lines
        self.references = references
        self._given = _Given(0, 0, None)

    def tokens_at(self, line: int) -> tuple[list[Token], int, int]:
        """The tokens of the block on a line that is not blank.

        Returns:
            The tokens, the line that their lines count from, and the line behind the block.
        """
        if self._given.first <= line < self._given.behind and (found := self._found(line)):
            return found
        lines, size = self.lines, _FIRST_LINES
        while True:
            behind = min(line + size, lines.count)
            given = lines.between(line, behind)
            if size < _LINES_WITH_MATH and _MATH_MARK in given:  # mostly closed far away
                size = _LINES_WITH_MATH
                continue
            state = _State(given, _parser_for(given))
            self._given = _Given(line, behind, state)
            if found := self._found(line):
                return found
            size = lines.count if state.env[_OPEN_MATH] else 4 * size

    def _found(self, line: int) -> tuple[list[Token], int, int] | None:
        """What `tokens_at` gives, if the block surely ends among the lines that are given."""
        first, last, state = self._given
        assert state is not None, "lines are given"
        definitions: dict[str, object] = {}
        state.env["references"] = definitions
        state.env[_OPEN_MATH] = False
        tokens, behind = self._first_block(state, line - first)
        behind += first
        if last < self.lines.count:
            following = self.lines.line_at(self.lines.next_text(self.lines.start_of(behind)))
            if following + _LOOKED_AHEAD > last or state.env[_OPEN_MATH]:
                return None
        for label, definition in definitions.items():
            self.references.setdefault(label, definition)  # the first of a label counts
        return tokens, first, behind

    def _first_block(self, state: StateBlock, line: int) -> tuple[list[Token], int]:
        """A round of the loop of markdown-it's ``ParserBlock.tokenize``."""
        tokens: list[Token] = []
        state.tokens = tokens
        state.line = line
        silent = False
        for rule in _rules(state.md, state.src[state.bMarks[line] + state.tShift[line]]):
            if rule(state, line, state.lineMax, silent):
                break
        assert state.line > line, "the paragraph rule takes any line"
        return tokens, state.line


def define(label: str, destination: str, references: dict[str, object]) -> None:
    """Add a link definition to those known: the first of a label counts, and titles are no text."""
    references.setdefault(normalizeReference(label), {"title": "", "href": destination})


def row_cells(row: str) -> list[str]:
    """The inline content of a GFM row's cells, and what stands outside of its outer pipes."""
    return escapedSplit(row)


def plain_text(content: str, references: dict[str, object]) -> str:
    """The text of inline content without its markup, white space folded.

    Args:
        content: What stands in a heading or a cell.
        references: The link definitions, as markdown-it's ``env`` has them.
    """
    if _HAS_MARKUP.search(content):
        simple = _simple_text(content)
        content = _inline_text(content, references) if simple is None else simple
    return " ".join(content.split())


def _inline_text(content: str, references: dict[str, object]) -> str:
    parts: list[str] = []
    for token in _parser().parseInline(content, {"references": references})[0].children or []:
        if token.type in _TEXT_TOKENS:
            parts.append(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            parts.append(" ")
    return "".join(parts)


def _simple_text(content: str) -> str | None:
    """Plain text of content with no markup but tags and escapes; None where there is other."""
    parts: list[str] = []
    position = 0
    for match in _SIMPLE.finditer(content):
        if match.start() != position:
            return None
        parts.append(match["text"] or match["escaped"] or "")
        position = match.end()
    return "".join(parts) if position == len(content) else None
