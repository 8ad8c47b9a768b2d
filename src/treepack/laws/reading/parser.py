"""The audit's own markdown-it: CommonMark with tables, footnotes, math, admonitions, containers."""

from functools import cache

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.container import container_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin


@cache
def block_parser() -> MarkdownIt:
    """The parser, made once; it finds blocks alone and leaves their text as it is."""
    parser = MarkdownIt("commonmark", {"maxNesting": 20}).enable("table")
    parser.use(footnote_plugin)
    parser.use(dollarmath_plugin)
    parser.use(admon_plugin)
    parser.use(container_plugin, "any", validate=_any_container)
    parser.disable(["inline", "text_join", "footnote_tail"])
    _bound_math(parser)
    return parser


def _any_container(_params: str, _markup: str) -> bool:
    return True


def _bound_math(parser: MarkdownIt) -> None:
    """Keep the search for a closing ``$$`` linear: where one search failed, a later one fails."""
    rules = parser.block.ruler
    name = "math_block"
    original, alternatives = next((r.fn, r.alt) for r in rules.__rules__ if r.name == name)

    def math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - markdown-it's
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

    rules.at(name, math_block, {"alt": alternatives})
