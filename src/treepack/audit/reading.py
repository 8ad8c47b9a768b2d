"""The audit's own reading of a markdown text: its blocks, headings, tables and code.

Nothing here is shared with `treepack.document`: a judge who borrows the eyes of the judged sees no
more than they do. Blocks are whole lines; where a line holds the markers of a list item or quote as
well, they belong to the block.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.container import container_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from treepack.audit.titles import html_heading, titles_of

LINE_END: Final = re.compile(r"\r\n|\n|\r")
_FRONT_MATTER: Final = re.compile(
    r"""
    \ufeff?
    (?: ---[ \t]* (?:\r\n|\n|\r) (?P<yaml> (?: (?!(?:---|\.\.\.)[ \t]*(?:[\r\n]|\Z))
            [^\r\n]*+ (?:\r\n|\n|\r) )*+ ) (?:---|\.\.\.)
      | \+\+\+[ \t]* (?:\r\n|\n|\r) (?: (?!\+\+\+[ \t]*(?:[\r\n]|\Z))
            [^\r\n]*+ (?:\r\n|\n|\r) )*+ \+\+\+ )
    [ \t]* (?=[\r\n]|\Z)
    """,
    re.VERBOSE,
)
_KEY: Final = re.compile(r"^[ \t]*[\"']?[\w][\w .-]*[\"']?[ \t]*:(?:\s|$)", re.MULTILINE)
_KINDS: Final = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "list_item_open": "list item",
    "blockquote_open": "quote",
    "footnote_reference_open": "footnote",
    "table_open": "table",
    "tr_open": "row",
    "fence": "fence",
    "code_block": "code",
    "math_block": "math",
    "math_block_label": "math",
    "html_block": "html",
    "hr": "rule",
}
_TABLE_PARTS: Final = {"thead_open", "tbody_open"}


@dataclass(eq=False, slots=True)
class Block:
    """A stretch of whole lines, from its first character that is not blank to its last.

    Attributes:
        kind: heading, paragraph, list, list item, table, row, fence and so on; ``text`` is what
            the parser has no token for, such as link definitions.
        start: First character.
        end: Behind the last character.
        lines: First line and the line behind, from 0.
        children: What it holds: blocks, list items, table rows (the header row is the first).
        token: The parser's token.
        cells: The cells of a row.
        top: The block at the top level that holds it.
    """

    kind: str
    start: int
    end: int
    lines: tuple[int, int]
    token: Token | None = None
    children: list["Block"] = field(default_factory=list["Block"])
    cells: tuple[str, ...] = ()
    top: "Block | None" = None

    @property
    def is_nested(self) -> bool:
        """Whether it stands in a list, quote or other container."""
        return self.top is not self


@dataclass(eq=False, slots=True)
class Section:
    """A heading with what is under it, up to the next heading of its level or above.

    Attributes:
        heading: The heading.
        level: 1 to 6.
        titles: Its plain text, in each way that it can be read.
        start: Where the heading begins.
        end: Where the next section begins that is no part of this one.
        parent: The section that holds it.
    """

    heading: Block
    level: int
    titles: tuple[str, ...]
    start: int
    end: int
    parent: "Section | None"

    @property
    def title(self) -> str:
        """Its plain text."""
        return self.titles[0]

    @property
    def path(self) -> list["Section"]:
        """The sections down to this one, itself included."""
        found: list[Section] = [self]
        while (parent := found[-1].parent) is not None:
            found.append(parent)
        return found[::-1]


class Reading:
    """A text with its lines and its blocks.

    Attributes:
        text: The text.
        line_starts: Where each line begins.
        blocks: The blocks at the top level, in order; together they hold all that is not blank.
        env: What the parser remembers: the link definitions.
    """

    def __init__(self, text: str, front_matter_end: int = 0) -> None:
        self.text = text
        self.line_starts = [0, *(match.end() for match in LINE_END.finditer(text))]
        self.env: dict[str, Any] = {}
        hidden = text[:front_matter_end]
        visible = re.sub(r"[^\r\n]", " ", hidden) + text[front_matter_end:]
        if visible.startswith("\ufeff"):
            visible = " " + visible[1:] if visible[1:2].isspace() else visible[1:]
        if not visible.endswith(("\r", "\n")):
            visible += "\n"  # the admonition rule looks one character too far
        tokens = _parser().parse(visible, self.env)
        self.blocks = _with_gaps(_blocks(tokens, self), self, front_matter_end)
        self.starts = [block.start for block in self.blocks]

    def line_of(self, position: int) -> int:
        """The line that holds a character, from 1."""
        return bisect_right(self.line_starts, position)

    def span_of_lines(self, first: int, behind: int) -> tuple[int, int]:
        """The characters of some lines without blank ones around; empty if all are blank."""
        start = self.line_starts[first]
        end = len(self.text)
        if behind < len(self.line_starts):
            end = self.line_starts[behind]
        return trimmed(self.text, start, end)

    def blocks_in(self, start: int, end: int) -> Sequence[Block]:
        """The blocks at the top level that share a character with a span."""
        first = bisect_right(self.starts, start) - 1
        if first < 0 or self.blocks[first].end <= start:
            first += 1
        behind = first
        while behind < len(self.blocks) and self.blocks[behind].start < end:
            behind += 1
        return self.blocks[first:behind]

    def walk(self) -> Iterator[Block]:
        """All blocks, in source order."""
        waiting = self.blocks[::-1]
        while waiting:
            block = waiting.pop()
            yield block
            waiting += block.children[::-1]

    @cached_property
    def tables(self) -> list[Block]:
        """All tables, nested ones too."""
        return [block for block in self.walk() if block.kind == "table"]

    @cached_property
    def codes(self) -> list[Block]:
        """All fences, indented code and display math, nested ones too."""
        return [block for block in self.walk() if block.kind in {"fence", "code", "math"}]

    @cached_property
    def sections(self) -> list[Section]:
        """All sections, in source order."""
        found: list[Section] = []
        path: list[Section] = []
        for block in self.blocks:
            level, titles = self._heading(block)
            if level == 0:
                continue
            while path and path[-1].level >= level:
                path.pop().end = block.start
            parent = path[-1] if path else None
            section = Section(block, level, titles, block.start, len(self.text), parent)
            path.append(section)
            found.append(section)
        return found

    def _heading(self, block: Block) -> tuple[int, tuple[str, ...]]:
        token = block.token
        if token is None or block.kind != "heading":
            return 0, ()
        if token.type == "html_block":
            level, text = html_heading(token.content) or (0, "")
            return level, (text, *titles_of(text, self.env))
        return int(token.tag[1]), titles_of(token.meta["raw"], self.env)

    @cached_property
    def _section_starts(self) -> list[int]:
        return [section.start for section in self.sections]

    def nesting(self, start: int, end: int) -> int:
        """How many items, quotes and other containers stand around a span."""
        depth = 0
        around: Sequence[Block] = self.blocks_in(start, end)
        while around := [b for b in around if b.start <= start and end <= b.end and b.children]:
            depth += around[0].kind != "list"
            around = around[0].children
        return depth

    def section_at(self, position: int) -> Section | None:
        """The deepest section that holds a character."""
        place = bisect_right(self._section_starts, position) - 1
        return self.sections[place] if place >= 0 else None

    def sections_between(self, start: int, end: int) -> Sequence[Section]:
        """The sections that begin in a span."""
        first = bisect_left(self._section_starts, start)
        return self.sections[first : bisect_left(self._section_starts, end)]


def front_matter_end(text: str, *, certain: bool = False) -> int:
    """Where the front matter at the top of a text ends; 0 without any.

    Args:
        text: The text.
        certain: It is known that there is some; then it need not look like one inside.
    """
    match = _FRONT_MATTER.match(text)
    if match is None:
        return 0
    inside = match["yaml"]
    if certain or inside is None or not inside.strip() or _KEY.search(inside):
        return match.end()
    return 0


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A span without the blank characters at its ends; empty at its start if all are blank."""
    piece = text[start:end]
    solid = piece.strip()
    if not solid:
        return start, start
    start += len(piece) - len(piece.lstrip())
    return start, start + len(solid)


@cache
def _parser() -> MarkdownIt:
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

    def math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001
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


def _blocks(tokens: Sequence[Token], reading: Reading) -> list[Block]:
    """Build the tree of blocks from the flat tokens."""
    top: list[Block] = []
    path: list[Block | None] = []
    row_cells: list[str] = []
    for token in tokens:
        if token.type == "inline":
            row_cells.append(token.content)
            _note_heading_text(path, token)
            continue
        if token.nesting == -1:
            closed = path.pop()
            if closed is not None and closed.kind == "row":
                closed.cells = tuple(row_cells)
            continue
        block = _block(token, reading)
        if block is not None:
            holder = next((outer for outer in reversed(path) if outer is not None), None)
            (top if holder is None else holder.children).append(block)
            block.top = block if holder is None else holder.top
            if block.kind == "row":
                row_cells = []
        if token.nesting == 1:
            path.append(block)
    return top


def _note_heading_text(path: list[Block | None], token: Token) -> None:
    holder = path[-1] if path else None
    if holder is not None and holder.kind == "heading" and holder.token is not None:
        holder.token.meta["raw"] = token.content


def _block(token: Token, reading: Reading) -> Block | None:
    if token.map is None or token.type in _TABLE_PARTS:
        return None
    first, behind = token.map[0], min(token.map[1], len(reading.line_starts))
    if token.type.startswith("container_") and _closes_container(reading, behind):
        behind += 1
    start, end = reading.span_of_lines(first, max(behind, first))
    kind = _KINDS.get(token.type, "container")
    is_top = token.level == 0
    if kind == "html" and is_top and html_heading(token.content):
        kind = "heading"
    if kind == "heading":
        token.meta.setdefault("raw", "")
    if kind == "heading" and not is_top:
        kind = "nested heading"
    return Block(kind, start, end, (first, behind), token)


def _closes_container(reading: Reading, line: int) -> bool:
    if line >= len(reading.line_starts):
        return False
    start, end = reading.span_of_lines(line, line + 1)
    return reading.text.startswith(":::", start) and not reading.text[start:end].strip(":")


def _with_gaps(blocks: list[Block], reading: Reading, hidden_end: int) -> list[Block]:
    """Add what the parser has no token for: front matter, link definitions, closing marks."""
    found: list[Block] = []
    line = 0
    if hidden_end:
        line = reading.line_of(hidden_end - 1)
        found.append(Block("front matter", *trimmed(reading.text, 0, hidden_end), (0, line)))
    for block in blocks:
        found += _gap(reading, line, block.lines[0])
        found.append(block)
        line = max(line, block.lines[1])
    found += _gap(reading, line, len(reading.line_starts))
    for block in found:
        block.top = block.top or block
    return [block for block in found if block.start < block.end]


def _gap(reading: Reading, first: int, behind: int) -> Iterator[Block]:
    for line in range(first, behind):
        start, end = reading.span_of_lines(line, line + 1)
        if start < end and reading.text[start:end] != "\ufeff":
            yield Block("text", start, end, (line, line + 1))
