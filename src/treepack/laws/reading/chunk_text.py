"""A chunk's text, parsed alone by unmodified markdown-it, as any user of the chunk might parse it.

Only the reading of HTML tables is shared with the packer.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.container import container_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from treepack.laws.reading.tables import ReadTable
from treepack.markdown.html_tables import has_table, open_tables, read_tables
from treepack.model.source import BYTE_ORDER_MARK, LINE_END

_ATTRIBUTES: Final = re.compile(r"^[\s>*+-]*\{:.*\}\s*$")
_CODES: Final = {
    "fence": "fence",
    "code_block": "code",
    "math_block": "math",
    "math_block_label": "math",
}


@dataclass(frozen=True, slots=True)
class ReadCode:
    """A code block as a reader sees it.

    Attributes:
        kind: ``fence``, ``code`` or ``math``.
        marker: The opening marker of a fence.
        info: The info string after the marker.
        lines: The content.
        is_closed: Whether a fence has its closing marker.
    """

    kind: str
    marker: str
    info: str
    lines: list[str]
    is_closed: bool


class ChunkText:
    """The tables and the code blocks in a text."""

    def __init__(self, text: str) -> None:
        text = text.removeprefix(BYTE_ORDER_MARK)
        # The admonition rule reads one character past the end.
        self._text = text if text.endswith(("\r", "\n")) else f"{text}\n"
        self._tokens = _parser().parse(self._text)
        lines = LINE_END.split(self._text) if "{:" in self._text else ()
        self.tables = [*_pipe_tables(self._tokens, lines), *self._html_tables()]
        self.codes = [_code(token) for token in self._tokens if token.type in _CODES]

    def _html_tables(self) -> Iterator[ReadTable]:
        """Yield the tables in HTML blocks, even if they continue after the block's blank line."""
        text = self._text
        starts = [0, *(match.end() for match in LINE_END.finditer(text))]
        after = 0
        for token in self._tokens:
            if token.type != "html_block" or token.map is None:
                continue
            start, end = starts[token.map[0]], starts[token.map[1]]
            if has_table(text, start, end):
                found = read_tables(text, start, end)
                if start >= after and open_tables(text, start, end) > 0:
                    continued = read_tables(text, start, len(text))
                    after = max((table.end for table in continued), default=start)
                    found += [table for table in continued if table.end > end]
                yield from (ReadTable.of_html(text, table) for table in found)


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("table").use(footnote_plugin).use(dollarmath_plugin)
    parser.use(admon_plugin).use(container_plugin, "any", validate=_is_container)
    parser.core.ruler.at("normalize", _line_ends)
    return parser.disable(["inline", "text_join", "footnote_tail"])  # only blocks are needed


def _line_ends(state: StateCore) -> None:
    """Turn all line ends into line feeds, and keep NUL, which is compared with the source."""
    state.src = LINE_END.sub("\n", state.src)


def _is_container(_params: str, _markup: str) -> bool:
    return True


def _pipe_tables(tokens: Sequence[Token], lines: Sequence[str]) -> Iterator[ReadTable]:
    rows: list[list[str]] = []
    last = ""
    for before, token in zip([None, *tokens], tokens, strict=False):
        match token.type:
            case "table_open":
                rows = []
            case "tr_open":
                rows.append([])
                last = lines[token.map[0]] if lines and token.map else ""
            case "inline" if before is not None and before.type in {"th_open", "td_open"}:
                rows[-1].append(token.content)
            case "table_close":
                # The line, because a value may contain a pipe, after which cells may be left out.
                if rows[1:] and _ATTRIBUTES.search(last):
                    del rows[-1]
                yield ReadTable.of_pipes([*map(tuple, rows)])
            case _:
                pass


def _code(token: Token) -> ReadCode:
    assert token.map is not None, "a block knows its lines"
    lines = token.content.split("\n")
    if lines[-1] == "":
        lines.pop()
    first, after = token.map
    is_fence = token.type == "fence"
    is_closed = not is_fence or after - first - 2 == len(lines)
    # For math, it is a label. Blocks of the source have U+FFFD instead of NUL (CommonMark 2.3).
    info = token.info.strip().replace("\0", "\ufffd") if is_fence else ""
    return ReadCode(_CODES[token.type], token.markup, info, lines, is_closed)
