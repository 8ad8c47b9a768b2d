"""Titles that no blank line separates from their text: a short line between two paragraphs.

The text of a PDF has no blank lines, and a paragraph takes several lines. In text extracted from a
web page, blank lines come by chance, and a paragraph takes one line. There a title need not read
like one: a line that is not a sentence, above a long line, is hardly anything else.
"""

import re
from typing import Final

from treepack.outline.titles.layout import PRINTED_WIDTH, TextLayout
from treepack.outline.titles.lines import LONGEST_READ, Line
from treepack.outline.titles.wording import (
    has_capitals,
    is_aside,
    is_caption,
    is_title,
    may_be_title,
)
from treepack.plain.lines import COMPLETE_END, LONG_LINE, columns

ITEM_START: Final = re.compile(r"[-*•|]|\[[^]]+\]:\s")
"""The start of a list item, a table row or a link definition."""
LIST_START: Final = re.compile(r"[-*•]|\d+[.)]")
"""The start of the first item of a list."""
SENTENCE_START: Final = re.compile(r"[\"“(]?[^\W\d_a-z][\w'’-]*(?: [\w'’(),-]+){4}")
COLUMN_GAP: Final = re.compile(r"\S\s{3,}\S")
"""The space between the columns of a row."""
SHORT_LINE, FULL_LINE = 0.6, 0.7
"""Shares of the page width: a line below the first is short, a line above the second is full."""
_LONGEST: Final = 120  # characters of a title; questions and headlines are long
_TITLE_START: Final = re.compile(r"[\"“„«¿¡‘'(「《【]?[^\W_a-z]")
_PUNCTUATED_END: Final = re.compile(r"[.,;:…。，；：、]$|[.!?][)\"”»']$")
_OPEN_END: Final = re.compile(r"[,:;，：；、]$")
_SENTENCE_END: Final = re.compile(r"[^\W\d_]{2}[)\"”]?[.!?]$")


def longest_title(layout: TextLayout) -> float:
    """Return how many characters a title may have that only its position shows."""
    if layout.is_spaced or layout.has_paragraph_lines:
        return LONGEST_READ
    return SHORT_LINE * min(layout.width, PRINTED_WIDTH)


def separates_paragraphs(index: int, layout: TextLayout, *, is_below_title: bool) -> bool:
    """Whether a line separates two paragraphs the way titles do, without a blank line around it.

    Args:
        index: The index of the line.
        layout: What the lines have in common.
        is_below_title: Whether the line above is a title.
    """
    if index + 1 >= len(layout.lines):
        return False
    if layout.has_paragraph_lines:
        return _between_lines(index, layout)
    return _between_wrapped(index, layout, is_below_title=is_below_title)


def _between_wrapped(index: int, layout: TextLayout, *, is_below_title: bool) -> bool:
    """Like `separates_paragraphs`, if paragraphs take several lines: the title is capitalised.

    The line above ends a sentence or is a title. The line below is full and begins a sentence.
    """
    lines = layout.lines
    text, full = lines[index].text, min(layout.width, PRINTED_WIDTH)
    if not index or len(text) > SHORT_LINE * full:
        return False
    after = lines[index + 1]
    is_full = len(after.text) > FULL_LINE * full and not after.is_code
    if not (is_full and SENTENCE_START.match(after.text) and is_title(text) and has_capitals(text)):
        return False
    return is_below_title or _SENTENCE_END.search(layout.ending(lines[index - 1])) is not None


def _between_lines(index: int, layout: TextLayout) -> bool:
    """Like `separates_paragraphs`, if each line is a paragraph: the title is not a sentence.

    A long line or a list follows. Two titles may follow each other: that of a chapter and that of
    its first section.
    """
    lines = layout.lines
    if not _reads_as_title(lines[index]):
        return False
    first, last = index, index
    if index and not _is_complete(lines[index - 1], layout) and _reads_as_title(lines[index - 1]):
        first -= 1
    elif index + 2 < len(lines) and _reads_as_title(lines[index + 1]):
        last += 1
    after = lines[last + 1]
    begins = _is_long(after, layout) or LIST_START.match(after.text) is not None
    return begins and not after.is_code and (not first or _is_complete(lines[first - 1], layout))


def bare_items(layout: TextLayout) -> set[int]:
    """Return the indexes of lines that are items of a list whose markers are lost.

    Extraction from Word files and web pages loses markers. Such items come after a line that ends
    with a colon, and do not end with punctuation.
    """
    items = set[int]()
    is_list = False
    for index, line in enumerate(layout.lines):
        ending = layout.ending(line)
        if _PUNCTUATED_END.search(ending) or ITEM_START.match(line.text):
            is_list = ending[-1] in ":："
        elif is_list:
            items.add(index)
    return items


def _reads_as_title(line: Line) -> bool:
    """Whether a line is neither a sentence nor anything else that appears among paragraphs."""
    text = line.text
    if (
        line.end - line.start > _LONGEST
        or not _TITLE_START.match(text)
        or _PUNCTUATED_END.search(text)
    ):
        return False
    return may_be_title(text) and not (
        is_aside(text) or is_caption(text) or COLUMN_GAP.search(text)
    )


def _is_complete(line: Line, layout: TextLayout) -> bool:
    """Whether a line is a complete paragraph, item or row."""
    ending = layout.ending(line)
    if _OPEN_END.search(ending):
        return False
    return (
        _is_long(line, layout)
        or COMPLETE_END.search(ending) is not None
        or ITEM_START.match(line.text) is not None
    )


def _is_long(line: Line, layout: TextLayout) -> bool:
    return columns(layout.text, line.start, line.end) > LONG_LINE
