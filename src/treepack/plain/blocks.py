"""Turn runs of lines into blocks.

Only a blank line or the next item ends a paragraph: wrapped lines belong to their paragraph,
whatever their indentation and first characters. Items are recognised by markers, ``-`` or ``2.``.
A marker counts at the beginning of a run. Inside a run it counts if the line before introduces it,
if it continues a list, or if another marker continues it. A run that is indented deeper than an
item's marker belongs to the item. Letters and numbers in brackets label paragraphs. Outdented lines
of a run, most of them with deeper lines below, are items as well. If each paragraph takes one line,
each line is a paragraph.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from treepack.model.blocks import Block, Count, ListBlock, ListItem, Paragraph, Span
from treepack.model.source import Lines
from treepack.plain.lines import (
    LineRun,
    Marker,
    PlainLine,
    are_paragraph_lines,
    is_laid_out,
    plain_lines,
    runs,
)

_DEEPEST: Final = 8  # lists in lists
_INTRO_ENDS: Final = ":："


def parse_plain(
    rows: Lines, count: Count, start: int = 0, titles: Sequence[Span] = ()
) -> list[Block]:
    """Parse plain text into blocks, which hold all of its text except whitespace and titles.

    Args:
        rows: The lines of the text.
        count: Counts the tokens of a slice.
        start: The offset from which it is read.
        titles: The spans of title lines, which end lists and paragraphs.
    """
    lines = plain_lines(rows, start, titles)
    return _BlockReader(rows.text, count).read(lines, deque(begin for begin, _ in titles))


@dataclass
class _OpenList:
    """A list with its last item, to which blocks may still be added.

    ``start``, ``marker`` and ``blocks`` are those of the last item. ``items`` are those before it.
    ``indent`` are the columns before the markers.
    """

    indent: int
    start: int
    marker: Marker
    blocks: list[Block] = field(default_factory=list[Block])
    items: list[ListItem] = field(default_factory=list[ListItem])


class _BlockReader:
    """Puts blocks together, run by run."""

    def __init__(self, text: str, count: Count) -> None:
        self.text = text
        self.count = count
        self.top: list[Block] = []
        self.lists: list[_OpenList] = []  # outermost first

    def read(self, lines: Sequence[PlainLine], breaks: deque[int]) -> list[Block]:
        # the columns before a line are about as many as its leading characters
        spans = [(line.start + line.indent, line.end) for line in lines]
        has_paragraph_lines = are_paragraph_lines(self.text, spans)
        for run in runs(lines):
            while breaks and breaks[0] < run[0].end:
                breaks.popleft()
                self._close_all()
            if len(run) == 1:  # it has no columns
                self._add_text(run)
            elif is_laid_out(self.text, run):
                self._close_lists_left_by(run[0].indent)
                self._add(run[0].start, run[-1].end, is_laid_out=True)
            elif has_paragraph_lines:
                for line in run:
                    self._add_text([line])
            else:
                for record in _records(self.text, run):
                    self._add_text(record)
        self._close_all()
        return self.top

    @property
    def blocks(self) -> list[Block]:
        """The blocks to which the next one is added: those of the innermost item, or the top."""
        return self.lists[-1].blocks if self.lists else self.top

    def _add(self, start: int, end: int, *, is_laid_out: bool = False) -> None:
        self.blocks.append(Paragraph(start, end, self.count, is_laid_out))

    # ---------------------------------------------------------------- runs of text

    def _add_text(self, run: LineRun) -> None:
        """Add the paragraphs and items of a run."""
        start = run[0].start
        with_marker = [line for line in run if line.marker]
        if not with_marker:  # the common case
            self._close_lists_left_by(run[0].indent)
            self._add(start, run[-1].end)
            return
        item_starts = _item_starts(self.text, run)
        for index, line in enumerate(run):
            marker = line.marker
            if index and index in item_starts:
                self._add(start, run[index - 1].end)
                start = line.start
            if index in item_starts and marker and not marker.is_label:
                self._open_item(line, marker)
                start = marker.content
            elif not index:
                self._close_lists_left_by(line.indent)
        self._add(start, run[-1].end)

    # ---------------------------------------------------------------- lists

    def _open_item(self, line: PlainLine, marker: Marker) -> None:
        """Begin an item: the next item of an open list, or the first item of a new list."""
        while self.lists and self.lists[-1].indent > line.indent:
            self._close_innermost()
        last = self.lists[-1] if self.lists else None
        if last and last.indent == line.indent:
            if marker.follows(last.marker):
                self._end_item(last)
                last.start, last.marker, last.blocks = line.start, marker, []
                return
            self._close_innermost()
        self._close_lists_left_by(line.indent)
        self.lists.append(_OpenList(line.indent, line.start, marker))

    def _close_lists_left_by(self, indent: int) -> None:
        """Close the lists to which a line with this indentation does not belong."""
        while self.lists and (self.lists[-1].indent >= indent or len(self.lists) == _DEEPEST):
            self._close_innermost()

    def _close_all(self) -> None:
        while self.lists:
            self._close_innermost()

    def _close_innermost(self) -> None:
        innermost = self.lists.pop()
        self._end_item(innermost)
        items, is_ordered = tuple(innermost.items), innermost.items[0].marker[:1].isdigit()
        block = ListBlock(items[0].start, items[-1].end, self.count, is_ordered, items)
        self.blocks.append(block)

    def _end_item(self, open_list: _OpenList) -> None:
        blocks, marker = tuple(open_list.blocks), open_list.marker
        width = marker.content - open_list.start
        end = blocks[-1].end
        item = ListItem(open_list.start, end, self.count, marker.text, width, blocks)
        open_list.items.append(item)


def _records(text: str, run: LineRun) -> Iterator[LineRun]:
    """Yield the parts of a run that end with a rule: records between lines such as ``-----``."""
    first = 0
    for index, line in enumerate(run[:-1], 1):
        content = text[line.start + line.indent : line.end]
        is_row = len(content) > 2 and not content.strip(content[0])  # noqa: PLR2004
        if is_row and content[0] in "-=_*~#":
            yield run[first:index]
            first = index
    yield run[first:]


def _item_starts(text: str, run: LineRun) -> set[int]:
    """Return which lines of a run begin an item or a labelled paragraph.

    The first line of a run does if it has a marker. Another line does if its marker continues a
    marker of the same indentation or is continued by one. A marker that may begin a list also
    counts after a lead-in, or if it is indented deeper than an item.
    """
    continued = _continued_markers(run)
    starts: set[int] = set()
    open_at: dict[int, dict[str, Marker]] = {}  # by their indentation and style
    for index, line in enumerate(run):
        marker = line.marker
        if marker is None:
            continue
        previous = open_at.get(line.indent, {}).get(marker.style)
        continues_list = previous is not None and marker.follows(previous)
        has_intro = index > 0 and text[run[index - 1].end - 1] in _INTRO_ENDS
        is_nested = bool(open_at) and line.indent > max(open_at) and not marker.is_label
        begins_list = index in continued or (marker.begins and (has_intro or is_nested))
        if index == 0 or continues_list or begins_list:
            starts.add(index)
            open_at = {
                indent: markers for indent, markers in open_at.items() if indent <= line.indent
            }
            open_at.setdefault(line.indent, {})[marker.style] = marker
    return starts


def _continued_markers(run: LineRun) -> set[int]:
    """Return the lines whose marker is continued by the next of its style and indentation."""
    continued: set[int] = set()
    next_markers: dict[tuple[str, int], Marker] = {}
    for index in range(len(run) - 1, -1, -1):
        marker = run[index].marker
        if marker is None:
            continue
        key = (marker.style, run[index].indent)
        following = next_markers.get(key)
        if following and following.follows(marker):
            continued.add(index)
        next_markers[key] = marker
    return continued
