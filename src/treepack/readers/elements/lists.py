"""Lists that elements hold as lines of text: items told by their marks and their indentation."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from treepack.readers.writer import MarkdownWriter

_BULLET: Final = re.compile(r"[-*+•‣◦▪●○·–—∙■□➢✓]\s+")
_NUMBER: Final = re.compile(r"([0-9]{1,9})[.)]\s+")
_TAB: Final = 4  # columns


class ListLine(NamedTuple):
    """An item: how deep it stands (in any unit), its number, its text."""

    depth: int
    number: int | None
    text: str


def list_line(text: str, depth: int | None = None) -> ListLine:
    """One item from its text; without a depth, its indentation counts."""
    content = text.strip()
    indent = text.expandtabs(_TAB)
    depth = len(indent) - len(indent.lstrip()) if depth is None else depth
    if match := _NUMBER.match(content):
        return ListLine(depth, int(match[1]), content[match.end() :])
    if match := _BULLET.match(content):
        content = content[match.end() :]
    return ListLine(depth, None, content)


def write_list(writer: MarkdownWriter, lines: Iterable[ListLine], origin: str) -> None:
    """Write items as a list; deeper items go inside the item before."""
    held: list[tuple[int, bool]] = []  # depth of each open list, and whether it has numbers

    def close() -> None:
        held.pop()
        writer.close()
        writer.close()

    for line in lines:
        is_ordered = line.number is not None
        while held and held[-1][0] > line.depth:
            close()
        if held and held[-1][0] == line.depth and held[-1][1] != is_ordered:
            close()
        if held and held[-1][0] == line.depth:
            writer.close()
        else:
            writer.open_list(ordered=is_ordered, start=line.number or 1)
            held.append((line.depth, is_ordered))
        writer.open_item(line.number)
        writer.paragraph(line.text, origin)
    while held:
        close()
