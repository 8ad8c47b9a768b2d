"""Reads nested quotes and lists in which each line has the markers of all its containers.

`> text` and `> - > text` are such lines. The markers of each line are compared with the open
containers: those that the line lacks are closed, and those that it adds are opened. That takes a
sixth of the time of markdown-it's rules, which read a line again in each container. Anything else,
such as a lazy line, code or a heading in a quote, is left to markdown-it, as the scanner does.
"""

import re
from dataclasses import dataclass, field
from typing import Final

from treepack.markdown.lines import Lines
from treepack.markdown.scanner import (
    FIRST_TEXT,
    FURTHER_TEXT,
    NotPlainError,
    paragraph,
    trimmed_end,
)
from treepack.model.blocks import Block, BlockQuote, Count, ListBlock, ListItem

_QUOTE: Final = ">"
_MARKER: Final = re.compile(
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
_CONTINUES_LIST: Final = re.compile(r"(?:[ \t]*\n|)*+(?:[ \t]|[-+*]|[0-9])")
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
    if not _MARKER.match(lines.text, start):
        return None
    try:
        return _StackReader(lines.text, start, count).read()
    except NotPlainError:
        return None


@dataclass(slots=True)
class _OpenContainer:
    """A quote or a list item that may continue.

    Attributes:
        start: The offset of its marker.
        marker: ``>``, or the item's marker.
        prefix: The prefix of each further line.
        items: The closed items of the same list.
        blocks: The closed blocks inside it.
    """

    start: int
    marker: str
    prefix: str
    items: list[ListItem]
    blocks: list[Block] = field(default_factory=list[Block])


class _StackReader:
    """Reads one block at the top level.

    Attributes:
        containers: The open containers, outermost first.
        paragraph: The start of the open paragraph; -1 if there is none.
        end: The end of the last line that was read, without trailing whitespace.
    """

    def __init__(self, text: str, start: int, count: Count) -> None:
        self.text = text
        self.start = start
        self.count = count
        self.containers: list[_OpenContainer] = []
        self.blocks: list[Block] = []
        self.paragraph = -1
        self.end = start

    def read(self) -> tuple[Block, int]:
        """Read line by line, up to the first line that does not belong to the block."""
        text, line = self.text, self.start
        while self._read_line(line):
            line = (text.find("\n", line) + 1) or len(text)
            self.end = trimmed_end(text, line)
        self._close(0)
        return self.blocks[0], line

    def _read_line(self, line: int) -> bool:
        """Read a line; return whether it belongs to the block."""
        text, containers = self.text, self.containers
        offset, depth = line, 0
        for container in containers:
            if not text.startswith(container.prefix, offset):
                break
            offset += len(container.prefix)
            depth += 1
        marker = _MARKER.match(text, offset)
        if marker is None:
            return self._read_text(offset, depth)
        missing = containers[depth] if depth < len(containers) else None
        is_next = (
            missing is not None and marker["item"] and missing.marker[-1] == marker["item"][-1]
        )
        if not is_next and not self._can_begin(marker, missing):
            raise NotPlainError
        if is_next:
            self._close(depth + 1)
            items = self._close_item()
            self._open(marker, items)
        elif missing and not depth:
            return False
        else:
            self._close(depth)
            self._open(marker, [])
        offset = marker.end()
        while marker := _MARKER.match(text, offset):
            self._open(marker, [])
            offset = marker.end()
        if not _FIRST.match(text, offset):
            raise NotPlainError
        self.paragraph = offset
        return True

    def _can_begin(self, marker: re.Match[str], missing: _OpenContainer | None) -> bool:
        """Whether a marker certainly begins a container, even if a paragraph is open.

        A number other than 1 does not interrupt a paragraph, and an item whose text begins like the
        second line of a table might not.
        """
        if marker["quote"]:
            return True
        may_be_table = missing is None and self.text[marker.end()] in "-|:"
        return self.paragraph < 0 or (not may_be_table and marker["item"][:-1] in {"", "1"})

    def _read_text(self, offset: int, depth: int) -> bool:
        """Read a line without a marker at ``offset``; return whether it belongs to the block."""
        text, containers = self.text, self.containers
        if (
            depth < len(containers)
            and text.startswith(">\n", offset)
            and _is_quote(containers[depth])
        ):
            offset, depth = offset + 1, depth + 1
        if _BLANK.match(text, offset):
            return self._read_blank(offset, depth)
        is_missing = depth < len(containers)
        if is_missing and text[offset] in "> \t":
            raise NotPlainError  # perhaps a marker of the container that the line seems to lack
        if self.paragraph < 0:
            if not depth:
                return False
            self._close(depth)
            if not _FIRST.match(text, offset):
                raise NotPlainError
            self.paragraph = offset
            return True
        is_image = text[self.paragraph] == "!"
        if is_missing or is_image or not _FURTHER.match(text, offset):
            raise NotPlainError
        return True

    def _read_blank(self, offset: int, depth: int) -> bool:
        """Read a blank line; return whether it belongs to the block.

        A list that may continue after it is left to markdown-it.
        """
        if not depth:
            if not _is_quote(self.containers[0]) and _CONTINUES_LIST.match(self.text, offset):
                raise NotPlainError
            return False
        if not all(map(_is_quote, self.containers)):
            raise NotPlainError
        self._close(depth)
        return True

    def _open(self, match: re.Match[str], items: list[ListItem]) -> None:
        """Open the container that a marker begins."""
        if len(self.containers) == _DEEPEST:
            raise NotPlainError
        start, end = match.span()
        marker, prefix = (_QUOTE, "> ") if match["quote"] else (match["item"], " " * (end - start))
        self.containers.append(_OpenContainer(start, marker, prefix, items))

    def _close(self, depth: int) -> None:
        """Close the paragraph, and the containers from a depth on."""
        containers = self.containers
        if self.paragraph >= 0:
            paragraph_block = paragraph(self.text, self.paragraph, self.end, self.count)
            containers[-1].blocks.append(paragraph_block)
            self.paragraph = -1
        while len(containers) > depth:
            container = containers[-1]
            if _is_quote(container):
                containers.pop()
                block: Block = BlockQuote(
                    container.start, self.end, self.count, tuple(container.blocks)
                )
            else:
                items = self._close_item()
                is_ordered = len(container.marker) > 1
                block = ListBlock(items[0].start, self.end, self.count, is_ordered, tuple(items))
            (containers[-1].blocks if containers else self.blocks).append(block)

    def _close_item(self) -> list[ListItem]:
        """Close the innermost container, which is an item; return the items of its list."""
        item = self.containers.pop()
        width, blocks = len(item.prefix), tuple(item.blocks)
        item.items.append(ListItem(item.start, self.end, self.count, item.marker, width, blocks))
        return item.items


def _is_quote(container: _OpenContainer) -> bool:
    return container.marker == _QUOTE
