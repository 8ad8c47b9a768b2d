"""The block rules of markdown-it that are in use, with bounds for those that look far ahead.

markdown-it tries every rule at each line. Here a rule is tried only where it could match.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final, TypeAlias

from markdown_it import MarkdownIt
from markdown_it.parser_block import ParserBlock, RuleFuncBlockType
from markdown_it.ruler import Ruler
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.html_block import HTML_SEQUENCES
from markdown_it.token import Token
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.container import container_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

# The limit of CommonMark's own preset. Deeper content gets no tokens; it stays part of the block
# around it. A higher limit would reach Python's recursion limit on hostile input.
MAX_NESTING: Final = 20

MATH_DELIMITER: Final = "$$"
OPEN_MATH: Final = "treepack: whether a mark was not closed"
"""Key in a state's ``env``: whether math begins in its lines but is not closed there."""

_FAILED_MATH: Final = "treepack: lines without a closing mark"

# Two rules that read ahead before they know whether they match. Such a rule is switched off if the
# text does not contain its characters. All other rules check for their characters first.
_NEEDED_TEXT: Final = {"table": "|", "reference": "]:"}
# The characters with which each rule's block can begin. The four rules that are missing here (code,
# lheading, paragraph, table) can match at any character.
_FIRST_CHARACTERS: Final = {
    "math_block": "$", "admonition": "!?", "container_container": ":", "fence": "`~",
    "blockquote": ">", "hr": "*-_", "list": "*-+0123456789", "footnote_def": "[",
    "reference": "[", "html_block": "<", "heading": "#",
}  # fmt: skip
# A link definition on one line, up to the character that opens its title.
_TITLE: Final = re.compile(r"""\[[^\[\]\\\n]+\]:[ \t]*[^\s<]\S*[ \t]+(["'(])""")
_CLOSING_MARKS: Final = {'"': '"', "'": "'", "(": ")"}
_UNDERLINE: Final = re.compile(r"[=-][ \t]*\n")


def begins_html(line: str) -> bool:
    """Whether a line would begin a block of HTML that continues on the next line.

    >>> begins_html("<div> and more"), begins_html("<b>not</b> this"), begins_html("<!-- nor -->")
    (True, False, False)
    """
    kind = next((kind for kind in HTML_SEQUENCES if kind[0].search(line)), None)
    return kind is not None and not kind[1].search(line)


_RulesByCharacter: TypeAlias = dict[str, tuple[RuleFuncBlockType, ...]]
"""The rules that can match a line, by its first non-whitespace character."""


class BlockLoop(ParserBlock):
    """markdown-it's loop over lines, but each line is tried only with rules that can match it."""

    def __init__(self, ruler: Ruler[RuleFuncBlockType]) -> None:
        self.ruler = ruler
        names = ruler.get_active_rules()
        self._rules = dict(zip(names, ruler.getRules(""), strict=True))
        self._rules_by_character: tuple[_RulesByCharacter, _RulesByCharacter] = ({}, {})

    def rules_at(self, state: StateBlock, line: int) -> tuple[RuleFuncBlockType, ...]:
        """Return the rules, in order, that can match a line with text."""
        first = state.src[state.bMarks[line] + state.tShift[line]]
        is_indented = state.is_code_block(line)
        rules_by_character = self._rules_by_character[is_indented]
        rules = rules_by_character.get(first)
        if rules is None:
            rules = rules_by_character[first] = tuple(
                rule
                for name, rule in self._rules.items()
                if first in _FIRST_CHARACTERS.get(name, first) and (is_indented or name != "code")
            )
        return rules

    def tokenize(self, state: StateBlock, startLine: int, endLine: int) -> None:  # noqa: N803 - markdown-it's names
        """Read the blocks on some lines, which are the content of a container."""
        begins, shifts, ends = state.bMarks, state.tShift, state.eMarks
        line, has_blank = startLine, False
        while line < endLine:
            if begins[line] + shifts[line] >= ends[line]:
                line = state.skipEmptyLines(line)
            state.line = line
            if line >= endLine or state.sCount[line] < state.blkIndent:
                break
            if state.level >= MAX_NESTING:
                state.line = endLine
                break
            for rule in self.rules_at(state, line):
                if rule(state, line, endLine, False):
                    break
            state.tight = not has_blank
            line = state.line
            has_blank |= line <= endLine and state.isEmpty(line - 1)  # a paragraph may include it
            if line < endLine and state.isEmpty(line):
                has_blank = True
                line += 1
                state.line = line


@cache
def markdown_parser(absent: frozenset[str] = frozenset()) -> MarkdownIt:
    """Return the parser without the rules of the given names."""
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).enable("table")
    parser.use(footnote_plugin, inline=False, move_to_end=False)
    parser.use(dollarmath_plugin)
    replacements: dict[str, Callable[[RuleFuncBlockType], RuleFuncBlockType]] = {
        "math_block": _bounded_math,
        "reference": _bounded_titles,
        "table": _without_cells,
    }
    for rule in parser.block.ruler.__rules__:
        if rule.name in replacements:
            rule.fn = replacements[rule.name](rule.fn)
    parser.use(admon_plugin)
    parser.use(container_plugin, "container", validate=_any_container)
    parser.disable(list(absent))
    _combine_terminators(parser)
    parser.block = BlockLoop(parser.block.ruler)
    return parser


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
        if not line.startswith(MATH_DELIMITER):
            return False
        is_open = MATH_DELIMITER not in line[len(MATH_DELIMITER) :]
        first, after = state.env.get(_FAILED_MATH, (0, 0))
        has_failed = is_open and first <= start and end <= after
        if not has_failed and original_rule(state, start, end, silent):
            return True
        state.env[OPEN_MATH] = True
        if is_open and not has_failed:
            state.env[_FAILED_MATH] = (start, end)
        return False

    return math_block


def _bounded_titles(original_rule: RuleFuncBlockType) -> RuleFuncBlockType:
    """Reject a link definition whose title is never closed, without reading the whole paragraph.

    Such a title on the line of the destination makes it invalid (CommonMark 4.7).
    """

    def reference(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        begin = state.bMarks[start] + state.tShift[start]
        title = _TITLE.match(state.src, begin, state.eMarks[start])
        if title and state.src.find(_CLOSING_MARKS[title[1]], title.end()) < 0:
            return False
        return original_rule(state, start, end, silent)

    return reference


def _without_cells(original_rule: RuleFuncBlockType) -> RuleFuncBlockType:
    """Give each table row a single token; cells would be most of a document's tokens.

    markdown-it ends a table with too many missing cells (65,536); without cells, it continues.
    """

    def table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        head_end = start + 2
        if head_end > end or not original_rule(state, start, head_end, silent):
            return False
        if silent:
            return True
        close = state.tokens.pop()
        terminators = state.md.block.ruler.getRules("blockquote")
        parent_type, state.parentType = state.parentType, "table"
        line = head_end
        while (
            line < end
            and state.src[state.bMarks[line] : state.eMarks[line]].strip()
            and state.sCount[line] >= state.blkIndent
            and not state.is_code_block(line)
            and not any(ends(state, line, end, True) for ends in terminators)
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

    return table


def _combine_terminators(parser: MarkdownIt) -> None:
    """Let one rule decide whether a line ends the previous block, in place of nine.

    Most of the nine cannot match the line, so the new rule calls only those that can. It comes
    after the paragraph rule, so it never begins a block.
    """
    ruler = parser.block.ruler
    chains: dict[str, dict[str, RuleFuncBlockType]] = {}
    for rule in ruler.__rules__:
        for chain in rule.alt if rule.enabled else ():
            chains.setdefault(chain, {})[rule.name] = rule.fn
        rule.alt = []
    for chain, rules in chains.items():
        ruler.push(f"ends {chain}", _terminator(rules), {"alt": [chain]})


def _terminator(rules: Mapping[str, RuleFuncBlockType]) -> RuleFuncBlockType:
    """Return a rule that tries, in order, those rules that can match a line's first character."""
    by_character = {
        first: tuple(rules[name] for name in rules if first in _FIRST_CHARACTERS.get(name, first))
        for first in "".join(_FIRST_CHARACTERS.values())
    }
    always = tuple(rules[name] for name in rules if name not in _FIRST_CHARACTERS)

    def ends(state: StateBlock, line: int, end: int, silent: bool) -> bool:
        first = state.src[state.bMarks[line] + state.tShift[line]]
        for rule in by_character.get(first, always):  # noqa: SIM110 - runs for each line and level
            if rule(state, line, end, silent):
                return True
        return False

    return ends


def parser_for(text: str) -> MarkdownIt:
    """Return the parser with the rules that could match somewhere in a text."""
    absent = [rule for rule, needed in _NEEDED_TEXT.items() if needed not in text]
    if not _UNDERLINE.search(text):
        absent.append("lheading")
    return markdown_parser(frozenset(absent))
