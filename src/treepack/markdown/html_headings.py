"""Headings written in HTML, wherever they are in a block of HTML."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from treepack.markdown.html_tables import VOID, Tag, is_blank_html, tags, without_marks
from treepack.model.blocks import Block, Count, Heading, HtmlBlock

HTML_HEADING: Final = re.compile(r"<h[1-6][\s>]", re.IGNORECASE)
_NAMES: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_LINE_BREAK: Final = re.compile(r"<br[ \t]*/?>", re.IGNORECASE)
# What is in these elements is shown as it is written, is not shown, or is in a cell of a table.
_WITHOUT_HEADINGS: Final = frozenset({"pre", "code", "script", "style", "template", "table"})


def with_html_headings(text: str, blocks: Sequence[Block], count: Count) -> list[Block]:
    """Return blocks, with each block of HTML cut around the headings in it."""

    def headings(block: HtmlBlock) -> Iterable[Heading]:
        has_any = HTML_HEADING.search(text, block.start, block.end)
        return _headings(text, block, count) if has_any else ()

    return with_html_parts(text, blocks, count, headings)


def with_html_parts(
    text: str,
    blocks: Iterable[Block],
    count: Count,
    parts: Callable[[HtmlBlock], Iterable[Block]],
    *,
    nested: bool = False,
) -> list[Block]:
    """Return blocks, with each block of HTML cut around the parts that are other blocks."""
    found: list[Block] = []
    for block in blocks:
        at = block.start
        for part in parts(block) if isinstance(block, HtmlBlock) else ():
            found += [*_html_between(text, at, part.start, count, nested=nested), part]
            at = part.end
        is_cut = at > block.start
        found += _html_between(text, at, block.end, count, nested=nested) if is_cut else [block]
    return found


def _html_between(
    text: str, start: int, end: int, count: Count, *, nested: bool
) -> list[HtmlBlock]:
    """Return a slice of HTML as a block, without whitespace around it; none if it is blank."""
    piece = without_marks(text[start:end]) if nested else text[start:end].rstrip()
    start, end = start + len(piece) - len(piece.lstrip()), start + len(piece)
    return [HtmlBlock(start, end, count)] if start < end else []


def _headings(text: str, block: HtmlBlock, count: Count) -> Iterator[Heading]:
    """Yield the headings of a block that show text; their texts are still inline content.

    The span of a heading includes the tags that open right before it and close right after it:
    alone, they would be blocks that show nothing, and the first ones in the section before.
    """
    found = list(tags(text, block.start, block.end))
    hidden, opened = 0, -1
    for at, tag in enumerate(found):
        if tag.name in _WITHOUT_HEADINGS:
            hidden = max(hidden + (-1 if tag.is_closing else 1), 0)
        elif hidden or tag.name not in _NAMES:
            continue
        elif not tag.is_closing:
            opened = at
        elif opened >= 0 and found[opened].name == tag.name:
            content = found[opened].end, tag.start
            if not is_blank_html(text, *content):
                title = _LINE_BREAK.sub(" ", text[slice(*content)])
                start, end = _outer_span(text, found, opened, at)
                # A block includes the indentation of its first line.
                start = block.start if text[block.start : start].isspace() else start
                yield Heading(start, end, count, int(tag.name[1]), title)
            opened = -1


def _outer_span(text: str, found: Sequence[Tag], first: int, last: int) -> tuple[int, int]:
    """Return the span of an element with the tags that open before and close after it."""
    start, end = found[first].start, found[last].end
    for tag in reversed(found[:first]):
        is_empty = tag.name in VOID or tag.attributes.endswith("/")
        if tag.is_closing or is_empty or text[tag.end : start].strip():
            break
        start = tag.start
    for tag in found[last + 1 :]:
        if not tag.is_closing or text[end : tag.start].strip():
            break
        end = tag.end
    return start, end
