"""A source as the audit reads it: blocks, sections and clauses.

It is read by the packages that make a document, but with markdown-it alone, not with the scanner
that the packer uses. So the audit finds mistakes of the scanner. What records claim (titles,
levels, pages) is compared with the text before it is used.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from operator import itemgetter
from typing import Final

import treepack.model.blocks as model
import treepack.model.section as tree
from treepack.clauses.clause import Clause, Clauses, LedPoints, led_points
from treepack.clauses.walk import clauses_of_tree
from treepack.laws.reading.blocks import AuditBlock, AuditSection, linked, trimmed
from treepack.markdown.markdown_it import parse_blocks
from treepack.model.blocks import Span
from treepack.model.source import BYTE_ORDER_MARK, LINE_END, Source
from treepack.outline.outlined import with_lines_as_headings, with_lines_as_spaces, with_titles
from treepack.outline.titles.finder import FoundTitle
from treepack.plain.blocks import parse_plain

LABEL: Final = re.compile(
    r"(?P<form>[*_]{0,3}(?:(?:§+|[^\W\d_]{2,}\.?)[ \u00a0])?)(?P<number>\d+(?:\.\d+|)*+)"
    r"(?P<after>[.:]?)(?![^\W_]|\))"
)
"""A number that begins a paragraph; a word or ``§`` may precede it, punctuation may follow it."""
_COLONS: Final = (":", "\uff1a")


def read_blocks(
    view: Source, front_matter_end: int, titles: Sequence[FoundTitle], *, is_plain: bool
) -> tuple[list[model.Block], Sequence[FoundTitle]]:
    """Return a text's blocks, with headings for found titles, and the titles that became headings.

    Args:
        view: The text, with spaces in place of what belongs to pages.
        front_matter_end: Where its front matter ends, which may be in a chunk or not.
        titles: The found titles.
        is_plain: Whether it is plain text.
    """
    start = front_matter_end or int(view.text.startswith(BYTE_ORDER_MARK))

    def read(text: Source, lines: Sequence[Span]) -> list[model.Block]:
        if is_plain:
            return parse_plain(
                with_lines_as_spaces(text, lines), no_count, start, [begin for begin, _ in lines]
            )
        return parse_blocks(with_lines_as_headings(text, lines), no_count, start, scan=False)

    blocks, headings = (
        with_titles(view, (), titles, read, no_count) if titles else (read(view, ()), ())
    )
    front_matter = [model.FrontMatter(0, front_matter_end, no_count)] if front_matter_end else []
    return [*front_matter, *blocks], headings


def no_count(_start: int, _end: int) -> int:
    """Stand in for a token counter: the audit itself counts, and only what it needs."""
    msg = "the audit asks no block for its tokens"
    raise AssertionError(msg)


class ParsedSource:
    """A text with its lines and its blocks.

    Args:
        original: The text as it is written.
        gaps: The spans of what belongs to pages.
        nodes: The blocks of the text without these spans, with the headings that are believed.
        titles: The found titles that became headings.

    Attributes:
        original: The text as it is written.
        text: The same text with a space for each hidden character.
        blocks: The top-level blocks, in order; together they hold all text but whitespace.
        starts: Where each of these blocks begins.
        titles: The found titles that became headings.
    """

    def __init__(
        self,
        original: Source,
        gaps: Sequence[Span],
        nodes: Sequence[model.Block],
        titles: Sequence[FoundTitle],
    ) -> None:
        self._source = original
        self.titles = titles
        self.original = original.text
        self.text = _with_spaces(original.text, gaps)
        self.line_starts = [0, *(match.end() for match in LINE_END.finditer(self.text))]
        self._nodes = nodes
        self.blocks = linked(self.text, nodes)
        self.starts = [block.start for block in self.blocks]

    def line_at(self, position: int) -> int:
        """Return the line of a character, from 0; line ends in hidden spans do not count."""
        return bisect_right(self.line_starts, position) - 1

    def original_line_of(self, position: int) -> int:
        """Return the line of a character in the original, from 1."""
        return self._source.line_at(position) + 1

    def line_span(self, line: int) -> Span:
        """Return the span of a line, trimmed; empty if all is whitespace.

        Lines count from 0. A byte order mark is not part of the first line.
        """
        start = self.line_starts[line] or int(self.text.startswith(BYTE_ORDER_MARK))
        ends = self.line_starts[line + 1 : line + 2]
        return trimmed(self.text, start, ends[0] if ends else len(self.text))

    def text_of(self, block: AuditBlock) -> str:
        """Return the text of a block."""
        return self.text[block.start : block.end]

    def blocks_in(self, start: int, end: int) -> Sequence[AuditBlock]:
        """Return the top-level blocks that share a character with a span."""
        first = bisect_right(self.starts, start) - 1
        if first < 0 or self.blocks[first].end <= start:
            first += 1
        return self.blocks[first : bisect_left(self.starts, end, first)]

    def blocks_at(self, position: int) -> list[AuditBlock]:
        """Return all blocks that hold a character, outermost first."""
        found: list[AuditBlock] = []
        inner = self.blocks_in(position, position + 1)
        while inner:
            found.append(inner[0])
            children = inner[0].children
            inner = [child for child in children if child.start <= position < child.end]
        return found

    def walk(self) -> Iterator[AuditBlock]:
        """Yield all blocks, nested ones too, in source order."""
        stack = self.blocks[::-1]
        while stack:
            block = stack.pop()
            yield block
            stack += block.children[::-1]

    def release(self) -> None:
        """Unlink the blocks from each other, so that no reference cycle keeps them in memory."""
        for block in self.walk():
            block.holder = block.before = None

    @cached_property
    def tables(self) -> list[AuditBlock]:
        """All tables, nested ones too."""
        return [block for block in self.walk() if block.kind == "table"]

    def tables_in(self, start: int, end: int) -> Sequence[AuditBlock]:
        """Return the tables that share a character with a span."""
        first = bisect_right(self.tables, start, key=lambda table: table.end)
        after = bisect_left(self.tables, end, key=lambda table: table.start)
        return self.tables[first:after]

    @cached_property
    def codes(self) -> list[AuditBlock]:
        """All fences, indented code and display math, nested ones too."""
        return [block for block in self.walk() if block.kind in {"fence", "code", "math"}]

    # ---------------------------------------------------------------- sections and clauses

    @cached_property
    def sections(self) -> list[AuditSection]:
        """All sections, in source order."""
        sections: list[AuditSection] = []
        path: list[AuditSection] = []
        for block in self.blocks:
            if not isinstance(block.node, model.Heading):
                continue
            level, title = block.node.level, block.node.text
            while path and path[-1].level >= level:
                path.pop().end = block.start
            parent = path[-1] if path else None
            section = AuditSection(block, level, title, block.start, len(self.text), parent)
            path.append(section)
            sections.append(section)
        return sections

    @cached_property
    def _section_starts(self) -> list[int]:
        return [section.start for section in self.sections]

    def section_at(self, position: int) -> AuditSection | None:
        """Return the deepest section that holds a character."""
        index = bisect_right(self._section_starts, position) - 1
        return self.sections[index] if index >= 0 else None

    def sections_between(self, start: int, end: int) -> Sequence[AuditSection]:
        """Return the sections that begin in a span."""
        first = bisect_left(self._section_starts, start)
        return self.sections[first : bisect_left(self._section_starts, end)]

    @cached_property
    def clauses(self) -> Clauses:
        """All clauses, in source order."""
        return clauses_of_tree(self.text, tree.build_tree(self._nodes, "", no_count))

    @cached_property
    def clauses_by_start(self) -> dict[int, Clause]:
        """The outermost clause that begins at each offset, not counting whitespace before it."""
        starts = (
            (trimmed(self.text, clause.start, clause.end)[0], clause) for clause in self.clauses
        )
        return dict(reversed([*starts]))

    @cached_property
    def clauses_by_end(self) -> dict[int, Clause]:
        """The run-in clauses by the offset at which the text after them begins."""
        length = len(self.text)
        run_in = (clause for clause in self.clauses if clause.is_run_in)
        return {trimmed(self.text, clause.end, length)[0]: clause for clause in run_in}

    @cached_property
    def clauses_by_name(self) -> dict[str, list[Clause]]:
        """The clauses by the names that they have in breadcrumbs."""
        clauses: dict[str, list[Clause]] = {}
        for clause in self.clauses:
            clauses.setdefault(clause.name, []).append(clause)
        return clauses

    @cached_property
    def labels(self) -> dict[tuple[str, str], list[int]]:
        """Where blocks begin, by their kind and the label they begin with; see `LABEL`."""
        starts: dict[tuple[str, str], list[int]] = {}
        for block in self.blocks:
            if label := LABEL.match(self.text, block.start, block.end):
                starts.setdefault((block.kind, label[0]), []).append(block.start)
        return starts

    @cached_property
    def _points(self) -> list[tuple[int, LedPoints]]:
        """The groups of points that a text introduces, each with where its first point begins."""
        return sorted(led_points(self.clauses).items())

    def points_after(self, position: int) -> Span | None:
        """Return the span of the next introduced points that begin at or after a position."""
        index = bisect_left(self._points, position, key=itemgetter(0))
        if index == len(self._points):
            return None
        start, points = self._points[index]
        last = self.clauses.at(points.last, points.last + 1)
        return start, last.end if last else start

    # ---------------------------------------------------------------- what comes before a block

    def intro_before(self, block: AuditBlock) -> AuditBlock | None:
        """Return the paragraph directly before a list if it ends in a colon."""
        before = block.before if block.kind == "list" else None
        if before is None or before.kind != "paragraph":
            return None
        return before if self.text[before.end - 1] in _COLONS else None

    def caption_span(self, table: AuditBlock) -> Span | None:
        """Return the trimmed span of a table's caption; None if it has none or contains it."""
        node = table.node
        if not isinstance(node, model.Table) or node.caption_span is None:
            return None
        return trimmed(self.text, *node.caption_span)

    def caption_before(self, table: AuditBlock) -> AuditBlock | None:
        """Return the paragraph directly before a table if it is the table's caption."""
        before = table.before
        is_caption = before is not None and (before.start, before.end) == self.caption_span(table)
        return before if is_caption else None

    # ---------------------------------------------------------------- what a piece repeats

    def inside(self, containers: Sequence[AuditBlock], text: str) -> str:
        """Return a text as it is written inside containers, with their markers and indentation."""
        opening, first_prefix, line_prefix, closing = "", "", "", ""
        for block in containers:
            if isinstance(node := block.node, model.Container):
                opening += self.text[block.start : node.opening[1]] + "\n"
                marker = " " * node.indent
                closing += f"\n{node.closing}" if not node.indent else ""
            else:
                marker = _marker_of(node)
            first_prefix += marker
            line_prefix += marker if block.kind == "quote" else " " * len(marker)
        return opening + first_prefix + LINE_END.sub("\n" + line_prefix, text) + closing


def _with_spaces(text: str, spans: Sequence[Span]) -> str:
    """Return the text with a space for each character of some spans."""
    parts: list[str] = []
    after = 0
    for start, end in spans:
        parts += text[after:start], " " * (end - start)
        after = end
    return "".join([*parts, text[after:]])


def _marker_of(node: object) -> str:
    """Return the marker of a list item, quote or footnote, with the widest indentation allowed."""
    match node:
        case model.ListItem():
            return f"{node.marker}    "
        case model.FootnoteDefinition():
            return f"[^{node.label}]:     "
        case _:
            return "> "
