"""The markdown parser of the audit: markdown-it with bounds for what is dear in hostile texts.

Like all that the audit reads with, it shares nothing with the parser of the packer.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.parser_block import RuleFuncBlockType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.table import escapedSplit
from markdown_it.token import Token
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.container import container_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

_OPENERS: Final = {
    "fence": "`~",
    "blockquote": ">",
    "hr": "*-_",
    "list": "*+-0123456789",
    "reference": "[",
    "footnote_def": "[",
    "html_block": "<",
    "heading": "#",
    "math_block": "$",
    "admonition": "!?",
    "container_any": ":",
}
"""With which characters a line begins that a rule can match; any other rule matches any line."""

_TITLE: Final = re.compile(r"""\[[^]\[\\\n]+\]:[ \t]*[^<\s]\S*[ \t]+(["'(])""")
_RULE: Final = re.compile(r"[-*_ \t]*+\Z")
_UNDERLINE: Final = re.compile(r"[=-][ \t]*(?:[\r\n]|\Z)")


def block_parser(text: str) -> MarkdownIt:
    """The parser of a text's blocks; it leaves what stands inside of them as it is."""
    return _parser(has_pipe="|" in text, has_underline=_UNDERLINE.search(text) is not None)


@cache
def _parser(*, has_pipe: bool, has_underline: bool) -> MarkdownIt:
    """The parser without the two rules that would be tried at any line, unless they can match."""
    parser = MarkdownIt("commonmark", {"maxNesting": 20}).enable("table")
    parser.use(footnote_plugin)
    parser.use(dollarmath_plugin)
    parser.use(admon_plugin)
    parser.use(container_plugin, "any", validate=_any_container)
    parser.disable(["inline", "text_join", "footnote_tail"])
    _wrap(parser, "math_block", _bounded_math)
    _wrap(parser, "hr", _sure_rule)
    _wrap(parser, "reference", _closed_title)
    _wrap(parser, "table", _with_plain_rows)
    parser.disable([] if has_pipe else ["table"])
    parser.disable([] if has_underline else ["lheading"])
    _try_by_first_character(parser)
    return parser


def _any_container(_params: str, _markup: str) -> bool:
    return True


def _wrap(
    parser: MarkdownIt, name: str, wrap: Callable[[RuleFuncBlockType], RuleFuncBlockType]
) -> None:
    """Put another rule in the place of one, made of that."""
    rule = next(rule for rule in parser.block.ruler.__rules__ if rule.name == name)
    parser.block.ruler.at(name, wrap(rule.fn), {"alt": rule.alt})


def _bounded_math(original: RuleFuncBlockType) -> RuleFuncBlockType:
    """Keep the search for a closing ``$$`` linear: where one search failed, a later one fails."""

    def math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
        if not line.startswith("$$"):
            return False
        failed = state.env.setdefault("math failed", {})
        if "$$" not in line[2:] and start < failed.get(end, 0):
            return False
        if original(state, start, end, silent):
            return True
        if "$$" not in line[2:]:  # it looked down to the end
            failed[end] = end
        return False

    return math_block


def _sure_rule(original: RuleFuncBlockType) -> RuleFuncBlockType:
    """Ask for a thematic break only at lines that have nothing but its marks."""

    def hr(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        begin = state.bMarks[start] + state.tShift[start]
        is_rule = _RULE.match(state.src, begin, state.eMarks[start]) is not None
        return is_rule and original(state, start, end, silent)

    return hr


def _closed_title(original: RuleFuncBlockType) -> RuleFuncBlockType:
    """Do not look through a whole paragraph for the end of a title that is nowhere closed.

    With such a title behind its destination, a line defines no link.
    """

    def reference(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        begin = state.bMarks[start] + state.tShift[start]
        title = _TITLE.match(state.src, begin, state.eMarks[start])
        if title and state.src.find(")" if title[1] == "(" else title[1], title.end()) < 0:
            return False
        return original(state, start, end, silent)

    return reference


def _with_plain_rows(original: RuleFuncBlockType) -> RuleFuncBlockType:
    """Give each row of a table one token that has its cells, not three tokens for each cell."""

    def table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        head_end = start + 2
        if head_end > end or not original(state, start, head_end, silent):
            return False
        if silent:
            return True
        close = state.tokens.pop()
        opening = len(state.tokens) - 1
        while state.tokens[opening].type != "table_open":
            opening -= 1
        width = sum(token.type == "th_open" for token in state.tokens[opening:])
        line = head_end
        kind, state.parentType = state.parentType, "table"
        while _goes_on(state, line, end):
            row = Token("tr_open", "tr", 0, level=close.level + 2)
            row.map = [line, line + 1]
            text = state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]
            row.meta["cells"] = _cells(text, width)
            state.tokens.append(row)
            line += 1
        state.parentType = kind
        state.tokens.append(close)
        state.tokens[opening].map = [start, line]
        state.line = line
        return True

    return table


def _goes_on(state: StateBlock, line: int, end: int) -> bool:
    """Whether a line is a row of the table above it."""
    if line >= end or state.sCount[line] < state.blkIndent or state.is_code_block(line):
        return False
    if not state.src[state.bMarks[line] : state.eMarks[line]].strip():
        return False
    rules = state.md.block.ruler.getRules("blockquote")
    silent = True
    return not any(rule(state, line, end, silent) for rule in rules)


def _cells(row: str, width: int) -> tuple[str, ...]:
    """The cells of a row, as many as the table has columns."""
    row = row.strip()
    cells = escapedSplit(row) if "\\" in row else row.split("|")
    if cells and not cells[0]:
        del cells[0]
    if cells and not cells[-1]:
        del cells[-1]
    # Missing cells are added at once: a hostile table has many columns and short rows.
    return (*[cell.strip() for cell in cells[:width]], *("",) * (width - len(cells)))


def _try_by_first_character(parser: MarkdownIt) -> None:
    """Let one rule per chain call only those that can match the first character of a line.

    markdown-it would try a dozen at each line, in each block that it could end.
    """
    ruler = parser.block.ruler
    rules = [rule for rule in ruler.__rules__ if rule.enabled]
    chains = sorted({chain for rule in rules for chain in rule.alt})
    ends = {chain: [rule for rule in rules if chain in rule.alt] for chain in chains}
    begins = _chosen([(rule.name, rule.fn) for rule in rules])
    for rule in ruler.__rules__:
        rule.alt = []
    # The first rule takes every line; those after it stay, for the parser asks for their names.
    ruler.before(rules[0].name, "begins a block", begins)
    for chain, enders in ends.items():
        chosen = _chosen([(rule.name, rule.fn) for rule in enders])
        ruler.push(f"ends {chain}", chosen, {"alt": [chain]})


def _chosen(rules: Sequence[tuple[str, RuleFuncBlockType]]) -> RuleFuncBlockType:
    """A rule that tries others in order, as far as they can match the line."""
    others = [rule for name, rule in rules if name not in _OPENERS]
    by_character = {
        first: [rule for name, rule in rules if first in _OPENERS.get(name, first)]
        for first in "".join(_OPENERS.values())
    }

    def chosen(state: StateBlock, line: int, end: int, silent: bool) -> bool:
        first = state.src[state.bMarks[line] + state.tShift[line]]
        for rule in by_character.get(first, others):  # noqa: SIM110 - runs for each line and level
            if rule(state, line, end, silent):
                return True
        return False

    return chosen
