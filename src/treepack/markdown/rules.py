"""The markdown parser in use: CommonMark with tables, footnotes, math, admonitions, containers."""

from functools import cache
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.common.html_blocks import block_names
from markdown_it.parser_block import RuleFuncBlockType
from markdown_it.rules_block import StateBlock
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.container import container_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

HTML_BLOCKS: Final = tuple(block_names)
"""Tags that begin an HTML block, which ends before a blank line (CommonMark 4.6, kind 6)."""
# The limit of CommonMark's own preset. Deeper content gets no tokens; it stays part of the block
# around it. A higher limit would reach Python's recursion limit on hostile input.
MAX_NESTING: Final = 20

_MATH_DELIMITER: Final = "$$"
_FAILED_MATH: Final = "treepack: lines without a closing mark"


@cache
def markdown_parser() -> MarkdownIt:
    """Return the parser."""
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
