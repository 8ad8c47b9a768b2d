"""A chunk's text, parsed alone by markdown-it as it comes, as whoever gets the chunk would.

Nothing here is shared with the packer but how HTML tables are read.
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

_ATTRIBUTES: Final = re.compile(r"\{:.*\}\|*")
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
        info: What stands after it.
        lines: The content.
        is_closed: Whether a fence has its closing marker.
    """

    kind: str
    marker: str
    info: str
    lines: list[str]
    is_closed: bool


class ChunkText:
    """The tables and the code in a text."""

    def __init__(self, text: str) -> None:
        text = text.removeprefix(BYTE_ORDER_MARK)
        # The rule of admonitions looks one character too far.
        self._text = text if text.endswith(("\r", "\n")) else f"{text}\n"
        self._tokens = _parser().parse(self._text)
        self.tables = [*_pipe_tables(self._tokens), *self._html_tables()]
        self.codes = [_code(token) for token in self._tokens if token.type in _CODES]

    def _html_tables(self) -> Iterator[ReadTable]:
        """The tables in each block of HTML, and those that go on over blank lines, which end it."""
        text = self._text
        starts = [0, *(end.end() for end in LINE_END.finditer(text))]
        after = 0
        for token in self._tokens:
            if token.type != "html_block" or token.map is None:
                continue
            start, end = starts[token.map[0]], starts[token.map[1]]
            if has_table(text, start, end):
                found = read_tables(text, start, end)
                if start >= after and open_tables(text, start, end) > 0:
                    over = read_tables(text, start, len(text))
                    after = max((table.end for table in over), default=start)
                    found += [table for table in over if table.end > end]
                yield from (ReadTable.of_html(text, table) for table in found)

    def closed(self) -> "ChunkText":
        """The text with its open HTML tables closed where it ends, as browsers read it.

        A cell that is cut may have a table in it, which is then open at the end of the first piece.
        """
        return ChunkText(self._text + "</table>" * open_tables(self._text, 0, len(self._text)))


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("table").use(footnote_plugin).use(dollarmath_plugin)
    parser.use(admon_plugin).use(container_plugin, "any", validate=_any_container)
    parser.core.ruler.at("normalize", _line_ends)
    return parser.disable(["inline", "text_join", "footnote_tail"])  # blocks alone


def _line_ends(state: StateCore) -> None:
    """Make all line ends one, and leave NUL as it is, to be compared with the source."""
    state.src = LINE_END.sub("\n", state.src)


def _any_container(_params: str, _markup: str) -> bool:
    return True


def _pipe_tables(tokens: Sequence[Token]) -> Iterator[ReadTable]:
    rows: list[list[str]] = []
    for before, token in zip([None, *tokens], tokens, strict=False):
        match token.type:
            case "table_open":
                rows = []
            case "tr_open":
                rows.append([])
            case "inline" if before is not None and before.type in {"th_open", "td_open"}:
                rows[-1].append(token.content)
            case "table_close":
                if rows[1:] and _ATTRIBUTES.fullmatch("|".join(rows[-1])):
                    del rows[-1]  # a line of attributes; a value in it may have a pipe
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
    # Of math it is a label. Blocks know it as markdown reads it, with U+FFFD (CommonMark 2.3).
    info = token.info.strip().replace("\0", "\ufffd") if is_fence else ""
    return ReadCode(_CODES[token.type], token.markup, info, lines, is_closed)
