"""A text with marks for found titles, and blanks for what belongs to pages."""

import re
from collections.abc import Sequence

from treepack.laws.reading.blocks import Block, Title


def with_line_ends(text: str, titles: Sequence[Title]) -> str:
    """The text with a line end for the form feed that stands between a line and a title."""
    parts: list[str] = []
    last = 0
    for title in titles:
        before = text[last : title.start]
        solid = before.rstrip(" \t\u00a0")
        blanks = before[len(solid) :]
        parts += f"{solid[:-1]}\n" if solid.endswith("\f") else solid, blanks
        last = title.start
    return "".join([*parts, text[last:]])


def with_marks(text: str, titles: Sequence[Title]) -> str:
    """The text, as long and with as many lines, with a heading's mark for each found title.

    So a title ends the paragraph before it and the list it seems to stand in.
    """
    parts: list[str] = []
    last = 0
    for title in titles:
        start = max(text.rfind("\n", 0, title.start), text.rfind("\r", 0, title.start)) + 1
        start = max(start, last)
        lines = re.split(r"([\r\n]+)", text[start : title.end])
        first = "# " + "x" * (len(lines[0]) - 2)
        rest = [line if line[:1] in "\r\n" else " " * len(line) for line in lines[1:]]
        parts += text[last:start], first, *rest
        last = title.end
    return "".join([*parts, text[last:]])


def titled(blocks: list[Block], titles: Sequence[Title]) -> list[Block]:
    """The blocks; those of found titles are extended to the ends of their titles."""
    ends = {title.start: title.end for title in titles}
    for block in blocks:
        if block.kind == "heading" and (end := ends.get(block.start, 0)) > block.end:
            block.end = end
    return blocks


def without_text(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with blanks for all of some spans but their line ends."""
    parts: list[str] = []
    last = 0
    for start, end in spans:
        parts += text[last:start], re.sub(r"[^\r\n]", " ", text[start:end])
        last = end
    return "".join([*parts, text[last:]])


def without(text: str, spans: Sequence[tuple[int, int]], instead: str) -> str:
    """The text with something else for each character of some spans."""
    parts: list[str] = []
    last = 0
    for start, end in spans:
        parts += text[last:start], instead * (end - start)
        last = end
    return "".join([*parts, text[last:]])
