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
from treepack.clauses.definitions import Definition, find_definitions
from treepack.clauses.walk import find_clauses
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

    found, kept = with_titles(view, (), titles, read, no_count) if titles else (read(view, ()), ())
    front = [model.FrontMatter(0, front_matter_end, no_count)] if front_matter_end else []
    return [*front, *found], kept


def no_count(_start: int, _end: int) -> int:
    """Stand in for a token counter: the audit itself counts, and only what it needs."""
    msg = "the audit asks no block for its tokens"
    raise AssertionError(msg)


class ParsedSource:
    """A text with its lines and its blocks.

    Args:
        original: The text as it is written.
        hidden: The spans of what belongs to pages.
        nodes: The blocks of the text without these spans, with the headings that are believed.
        titles: The found titles that became headings.
        is_plain: Whether it is plain text.

    Attributes:
        original: The text as it is written.
        text: The same text with a space for each hidden character.
        blocks: The top-level blocks, in order; together they hold all text but whitespace.
        starts: Where each of these blocks begins.
        titles: The found titles that became headings.
        is_plain: Whether it is plain text.
    """

    def __init__(
        self,
        original: Source,
        hidden: Sequence[Span],
        nodes: Sequence[model.Block],
        titles: Sequence[FoundTitle],
        *,
        is_plain: bool,
    ) -> None:
        self._source = original
        self.titles = titles
        self.original = original.text
        self.text = _blanked(original.text, hidden)
        self.line_starts = [0, *(match.end() for match in LINE_END.finditer(self.text))]
        self.is_plain = is_plain
        self._nodes = nodes
        self.blocks = linked(self.text, nodes)
        self.starts = [block.start for block in self.blocks]

    def line_of(self, position: int) -> int:
        """Return the line of a character, from 1; line ends in hidden spans do not count."""
        return bisect_right(self.line_starts, position)

    def printed_line_of(self, position: int) -> int:
        """Return the line of a character in the original, from 1."""
        return self._source.line_at(position) + 1

    def span_of_lines(self, first: int, after: int) -> Span:
        """Return the span of lines ``first`` up to ``after``, trimmed; empty if all is whitespace.

        Lines count from 0. A byte order mark is not part of the first line.
        """
        start = self.line_starts[first] or int(self.text.startswith(BYTE_ORDER_MARK))
        end = self.line_starts[after] if after < len(self.line_starts) else len(self.text)
        return trimmed(self.text, start, end)

    def lines_of(self, block: AuditBlock) -> Span:
        """Return a block's first line and the line after its last, from 0."""
        return self.line_of(block.start) - 1, self.line_of(block.end - 1)

    def blocks_in(self, start: int, end: int) -> Sequence[AuditBlock]:
        """Return the top-level blocks that share a character with a span."""
        first = bisect_right(self.starts, start) - 1
        if first < 0 or self.blocks[first].end <= start:
            first += 1
        after = first
        while after < len(self.blocks) and self.blocks[after].start < end:
            after += 1
        return self.blocks[first:after]

    def walk(self) -> Iterator[AuditBlock]:
        """Yield all blocks, nested ones too, in source order."""
        waiting = self.blocks[::-1]
        while waiting:
            block = waiting.pop()
            yield block
            waiting += block.children[::-1]

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
        found: list[AuditSection] = []
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
            found.append(section)
        return found

    @cached_property
    def _section_starts(self) -> list[int]:
        return [section.start for section in self.sections]

    def section_at(self, position: int) -> AuditSection | None:
        """Return the deepest section that holds a character."""
        place = bisect_right(self._section_starts, position) - 1
        return self.sections[place] if place >= 0 else None

    def sections_between(self, start: int, end: int) -> Sequence[AuditSection]:
        """Return the sections that begin in a span."""
        first = bisect_left(self._section_starts, start)
        return self.sections[first : bisect_left(self._section_starts, end)]

    @cached_property
    def clauses(self) -> Clauses:
        """All clauses, in source order."""
        return find_clauses(self.text, self._root)

    @cached_property
    def _root(self) -> tree.Section:
        return tree.build_tree(self._nodes, "", no_count)

    @cached_property
    def definitions(self) -> Sequence[Definition]:
        """The terms that the text defines."""
        code = model.code_spans(self._nodes)
        return find_definitions(self.text, self._root, self.clauses, code)

    @cached_property
    def clauses_by_start(self) -> dict[int, Clause]:
        """The outermost clause that begins at each offset, not counting whitespace before it."""
        starts = ((trimmed(self.text, each.start, each.end)[0], each) for each in self.clauses)
        return dict(reversed([*starts]))

    @cached_property
    def clauses_by_end(self) -> dict[int, Clause]:
        """The run-in clauses by the offset at which the text after them begins."""
        length = len(self.text)
        run_in = (each for each in self.clauses if each.is_run_in)
        return {trimmed(self.text, each.end, length)[0]: each for each in run_in}

    @cached_property
    def clauses_by_name(self) -> dict[str, list[Clause]]:
        """The clauses by the names that they have in breadcrumbs."""
        found: dict[str, list[Clause]] = {}
        for clause in self.clauses:
            found.setdefault(clause.name, []).append(clause)
        return found

    @cached_property
    def labels(self) -> dict[str, list[int]]:
        """Where paragraphs begin, by the label they begin with; see `LABEL`."""
        return self._labels_of("paragraph")

    @cached_property
    def list_labels(self) -> dict[str, list[int]]:
        """Where lists begin, by the label they begin with."""
        return self._labels_of("list")

    def _labels_of(self, kind: str) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for block in self.blocks:
            label = LABEL.match(self.text, block.start, block.end)
            if label is not None and block.kind == kind:
                found.setdefault(label[0], []).append(block.start)
        return found

    @cached_property
    def _points(self) -> list[tuple[int, LedPoints]]:
        """The groups of points that a text introduces, each with where its first point begins."""
        return sorted(led_points(self.clauses).items())

    def points_after(self, position: int) -> Span | None:
        """Return the span of the next introduced points that begin at or after a position."""
        at = bisect_left(self._points, position, key=itemgetter(0))
        if at == len(self._points):
            return None
        start, points = self._points[at]
        last = self.clauses.at(points.last, points.last + 1)
        return start, last.end if last else start

    # ---------------------------------------------------------------- what comes before a block

    def lead_in(self, block: AuditBlock) -> AuditBlock | None:
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

    def marked(self, containers: Sequence[AuditBlock], text: str) -> str:
        """Return a text as it is written inside containers, with their markers and indentation."""
        opening, first, following, closing = "", "", "", ""
        for block in containers:
            if isinstance(node := block.node, model.Container):
                opening += self.text[block.start : block.header_end] + "\n"
                mark = " " * node.indent
                closing += f"\n{node.closing}" if not node.indent else ""
            else:
                mark = _mark(node)
            first += mark
            following += mark if block.kind == "quote" else " " * len(mark)
        return opening + first + LINE_END.sub("\n" + following, text) + closing


def _blanked(text: str, spans: Sequence[Span]) -> str:
    """Return the text with a space for each character of some spans."""
    parts: list[str] = []
    after = 0
    for start, end in spans:
        parts += text[after:start], " " * (end - start)
        after = end
    return "".join([*parts, text[after:]])


def _mark(node: object) -> str:
    """Return the marker of a list item, quote or footnote, with the widest indentation allowed."""
    match node:
        case model.ListItem():
            return f"{node.marker}    "
        case model.FootnoteDefinition():
            return f"[^{node.label}]:     "
        case _:
            return "> "
