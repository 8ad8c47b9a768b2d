"""Reads nested quotes and lists in which each line has the markers of all its containers.

`> text` and `> - > text` are such lines. The markers of each line are compared with the open
containers: those that the line lacks are closed, and those that it adds are opened. That takes a
sixth of the time of markdown-it's rules, which read a line again in each container. Anything else,
such as a lazy line, code or a heading in a quote, is left to markdown-it, as the scanner does.
"""

import re
from typing import Final

from treepack.markdown.lines import Lines
from treepack.markdown.scanner import FIRST_TEXT, FURTHER_TEXT, NotPlainError, paragraph, trimmed
from treepack.model.blocks import Block, BlockQuote, Count, ListBlock, ListItem

_QUOTE: Final = ">"
_MARK: Final = re.compile(
    r"(?: (?P<quote> > )[ ] | (?P<item> [-+*] | [0-9]{1,9}[.)] )[ ]{1,4} ) (?=[^ \t\n])",
    re.VERBOSE,
)
# A bracket that begins a paragraph may begin a link definition, unless it closes without a colon.
_FIRST: Final = re.compile(
    rf"(?! \[ (?! [^\[\]\\\n]* \] (?!:) ) ) {FIRST_TEXT}",
    re.VERBOSE,
)
_FURTHER: Final = re.compile(rf"[ \t]* {FURTHER_TEXT}", re.VERBOSE)
_BLANK: Final = re.compile(r"[ \t]*(?:\n|\Z)")
# What may belong to a list after blank lines.
_GOES_ON: Final = re.compile(r"(?:[ \t]*\n|)*+(?:[ \t]|[-+*]|[0-9])")
_DEEPEST: Final = 6  # nested quotes and items


def read_stack(lines: Lines, start: int, count: Count) -> tuple[Block, int] | None:
    """Read the quote or list that begins on a line.

    Args:
        lines: The text.
        start: The start of the line.
        count: Counts the tokens of a slice.

    Returns:
        The block and the start of the line after it; None if only markdown-it can read it.
    """
    if not _MARK.match(lines.text, start):
        return None
    try:
        return _StackReader(lines.text, start, count).read()
    except NotPlainError:
        return None


class _OpenContainer:
    """A quote or a list item that may continue.

    Attributes:
        start: The offset of its marker.
        mark: ``>``, or the item's marker.
        further: The prefix of each further line.
        items: The closed items of the same list.
        blocks: The closed blocks inside it.
    """

    __slots__ = ("blocks", "further", "items", "mark", "start")

    def __init__(self, start: int, mark: str, further: str, items: list[ListItem]) -> None:
        self.start = start
        self.mark = mark
        self.further = further
        self.items = items
        self.blocks: list[Block] = []


class _StackReader:
    """Reads one block at the top level.

    Attributes:
        opened: The open containers, outermost first.
        paragraph: The start of the open paragraph; -1 if there is none.
        end: The end of the last line that was read, without trailing whitespace.
    """

    def __init__(self, text: str, start: int, count: Count) -> None:
        self.text = text
        self.start = start
        self.count = count
        self.opened: list[_OpenContainer] = []
        self.blocks: list[Block] = []
        self.paragraph = -1
        self.end = start

    def read(self) -> tuple[Block, int]:
        """Read line by line, up to the first line that does not belong to the block."""
        text, line = self.text, self.start
        while self._take(line):
            line = (text.find("\n", line) + 1) or len(text)
            self.end = trimmed(text, line)
        self._close(0)
        return self.blocks[0], line

    def _take(self, line: int) -> bool:
        """Read a line; return whether it belongs to the block."""
        text, opened = self.text, self.opened
        place, depth = line, 0
        for container in opened:
            if not text.startswith(container.further, place):
                break
            place += len(container.further)
            depth += 1
        mark = _MARK.match(text, place)
        if mark is None:
            return self._take_text(place, depth)
        lacks = opened[depth] if depth < len(opened) else None
        is_next = lacks is not None and mark["item"] and lacks.mark[-1] == mark["item"][-1]
        if not is_next and not self._may_begin(mark, lacks):
            raise NotPlainError
        if is_next:
            self._close(depth + 1)
            items = self._close_item()
            self._open(mark, items)
        elif lacks and not depth:
            return False
        else:
            self._close(depth)
            self._open(mark, [])
        place = mark.end()
        while mark := _MARK.match(text, place):
            self._open(mark, [])
            place = mark.end()
        if not _FIRST.match(text, place):
            raise NotPlainError
        self.paragraph = place
        return True

    def _may_begin(self, mark: re.Match[str], lacks: _OpenContainer | None) -> bool:
        """Whether a marker certainly begins a container, even if a paragraph is open.

        A number other than 1 does not interrupt a paragraph, and an item whose text begins like the
        second line of a table might not.
        """
        if mark["quote"]:
            return True
        may_be_table = lacks is None and self.text[mark.end()] in "-|:"
        return self.paragraph < 0 or (not may_be_table and mark["item"][:-1] in {"", "1"})

    def _take_text(self, place: int, depth: int) -> bool:
        """Read a line without a marker at ``place``; return whether it belongs to the block."""
        text, opened = self.text, self.opened
        if depth < len(opened) and text.startswith(">\n", place) and _is_quote(opened[depth]):
            place, depth = place + 1, depth + 1
        if _BLANK.match(text, place):
            return self._take_blank(place, depth)
        lacks = depth < len(opened)
        if lacks and text[place] in "> \t":
            raise NotPlainError  # perhaps a marker of the container that the line seems to lack
        if self.paragraph < 0:
            if not depth:
                return False
            self._close(depth)
            if not _FIRST.match(text, place):
                raise NotPlainError
            self.paragraph = place
            return True
        is_image = text[self.paragraph] == "!"
        if lacks or is_image or not _FURTHER.match(text, place):
            raise NotPlainError
        return True

    def _take_blank(self, place: int, depth: int) -> bool:
        """Read a blank line; return whether it belongs to the block.

        A list that may continue after it is left to markdown-it.
        """
        if not depth:
            if not _is_quote(self.opened[0]) and _GOES_ON.match(self.text, place):
                raise NotPlainError
            return False
        if not all(map(_is_quote, self.opened)):
            raise NotPlainError
        self._close(depth)
        return True

    def _open(self, mark: re.Match[str], items: list[ListItem]) -> None:
        """Open the container that a marker begins."""
        if len(self.opened) == _DEEPEST:
            raise NotPlainError
        start, end = mark.span()
        if mark["quote"]:
            self.opened.append(_OpenContainer(start, _QUOTE, "> ", items))
        else:
            self.opened.append(_OpenContainer(start, mark["item"], " " * (end - start), items))

    def _close(self, depth: int) -> None:
        """Close the paragraph, and the containers from a depth on."""
        opened = self.opened
        if self.paragraph >= 0:
            block = paragraph(self.text, self.paragraph, self.end, self.count)
            opened[-1].blocks.append(block)
            self.paragraph = -1
        while len(opened) > depth:
            container = opened[-1]
            if _is_quote(container):
                opened.pop()
                made: Block = BlockQuote(
                    container.start, self.end, self.count, tuple(container.blocks)
                )
            else:
                items = self._close_item()
                is_ordered = len(container.mark) > 1
                made = ListBlock(items[0].start, self.end, self.count, is_ordered, tuple(items))
            (opened[-1].blocks if opened else self.blocks).append(made)

    def _close_item(self) -> list[ListItem]:
        """Close the innermost container, which is an item; return the items of its list."""
        item = self.opened.pop()
        width, blocks = len(item.further), tuple(item.blocks)
        item.items.append(ListItem(item.start, self.end, self.count, item.mark, width, blocks))
        return item.items


def _is_quote(container: _OpenContainer) -> bool:
    return container.mark == _QUOTE
