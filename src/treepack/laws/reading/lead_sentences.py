"""Sentences of clauses that go on in a list: "as long as" above ``1.``, ``2.`` and ``3.``."""

import re
from typing import Final

from treepack.laws.reading.blocks import Block
from treepack.laws.reading.parsed_source import ParsedSource
from treepack.model.source import ANY_LINE_END

LABEL: Final = re.compile(
    r"""
    (?:[\s*_\\`~>|\u200b\ufeff]|<[^<>\r\n]{0,200}>|\[(?=[\d§])|)*+
    (?:(?:§+|[^\W\d_]{2,}\.?)[\s\u00a0]+)?
    (?P<number>[^\W_]+(?:\\?\.[^\W_]+|)*+) (?![^\W_]|\\?\))
    """,
    re.VERBOSE,
)
_TITLE: Final = re.compile(
    r"(?:[\s.:*_\\`–—-]|<[^<>\r\n]{0,200}>|)*+\[?[\"“„«]?(?P<words>[^\W_a-z][^.:;!?\u2014]{1,180}?)"
    rf"(?=[.:\u2014*\]]|\s[\u2013-]\s|<|{ANY_LINE_END}[ \t]*(?:{ANY_LINE_END}|\Z))"
)
_POINT: Final = re.compile(r"[\s>*_\\]*+\([^\W_]{1,6}\)")
_WORD: Final = re.compile(r"\w")
_MOST_WORDS: Final = 14
_LEADS: Final = (":", "：", ",")


def sentence_before(source: ParsedSource, block: Block) -> Block | None:
    """The paragraph before a list whose sentence goes on in the list; None if there is none."""
    before = source.neighbours(block)[1] if block.kind == "list" else None
    is_text = before is not None and before.kind == "paragraph"
    return before if is_text and before and _leads(source.text, before) else None


def _leads(text: str, paragraph: Block) -> bool:
    """Whether a paragraph's sentence goes on after it: it ends in a colon, or has no end at all."""
    last = text[paragraph.end - 1]
    if last in _LEADS:
        return True
    own = _POINT.match(text, paragraph.start, paragraph.end) or _label(text, paragraph)
    if own is None and paragraph.containers and paragraph.containers[-1].kind == "list item":
        return last.isalnum()  # its label is the item's marker
    if own is None or not last.isalnum():
        return False
    title = title_end(text, own.end(), paragraph.end)
    said = own.end() if title is None else title
    return _WORD.search(text, said, paragraph.end) is not None  # "99" alone is a page's number


def _label(text: str, paragraph: Block) -> re.Match[str] | None:
    """The number that begins a paragraph: not just any first word."""
    label = LABEL.match(text, paragraph.start, paragraph.end)
    if label is None:
        return None
    has_digit = any(map(str.isdecimal, label["number"]))
    return label if has_digit or text.startswith((".", ")", ":"), label.end()) else None


def title_end(text: str, start: int, end: int) -> int | None:
    """Where a title ends that stands between a label and its text; None without a title.

    Args:
        text: The source.
        start: Where the label ends.
        end: Where the text ends.
    """
    title = _TITLE.match(text, start, min(end, start + 400))
    if title is None or len(title["words"].split()) > _MOST_WORDS:
        return None
    return title.end()
