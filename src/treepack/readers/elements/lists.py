"""Lists that elements hold as lines of text: items told by their marks and their indentation."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from treepack.readers.lists import OpenLists
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
    lists = OpenLists(writer)
    for line in lines:
        lists.open_item(line.depth, line.number)
        writer.paragraph(line.text, origin)
    lists.close()
