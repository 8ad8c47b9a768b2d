"""Page marks in a text: where a converter recorded the end or start of a page.

Known marks are form feeds, comments (``<!-- page 7 -->``, ``<!-- page break -->``, markitdown's
``<!-- Slide number: 7 -->``), the separators of marker (``{6}`` and 48 dashes) and of pymupdf4llm
(``--- end of page=6 ---`` counts from 0, ``--- end of page.page_number=7 ---`` from 1, or ``-----``
after each page), lines such as ``[Page 7]``, ``--- page 7 ---``, ``-- 7 of 9 --``, ``== 7 ==``,
``END OF PAGE: 7`` and ``<page_number>7</page_number>``. The caller may add a pattern. Inside code,
nothing is a mark.

Azure Document Intelligence writes the printed page headers and footers into comments, such as
``<!-- PageFooter="..." -->``. These are page furniture, and their numbers are the page numbers.

A mark on its own line, and a form feed at the edge of a line, belong to the page and not to the
text: they are gaps. The text is parsed and cut without them, with all offsets unchanged
(`without_gaps`).
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import Final, TypeAlias

from treepack.line_ends import LineFeedOffsets, with_line_feeds
from treepack.markdown.page_numbers import (
    Meaning,
    PageMark,
    by_printed_numbers,
    printed_number,
    with_decided_meanings,
)
from treepack.model.blocks import Span, is_inside
from treepack.model.source import ANY_LINE_END, BYTE_ORDER_MARK, LINE_END
from treepack.user_patterns import UserPattern, compile_page_pattern, page_marks

PAGE_MARK: Final = "page mark"
GIVEN_PAGE_MARK: Final = "given page mark"
PAGE_FURNITURE: Final = "page furniture"
"""The reasons why gaps are skipped: known marks, marks of the caller's pattern, and printed page
headers and footers."""

_LINE_START: Final = r"(?:^|(?<=[\r\n\f\ufeff]))[ ]{0,3}"
_LINE_END: Final = r"[ \t]*(?=[\r\n\f]|\Z)"
_TOTAL: Final = r"(?:[ ]?(?:of|/)[ ]?[0-9]{1,6})?(?:[ ][\[(][^\[\]()\r\n]{1,30}[\])])?"
"""What may follow the number: ``of 9``, and how the text was read, ``(OCR)``."""
_KNOWN_MARK: Final = re.compile(
    rf"""
      (?P<feed> \f )
    | {_LINE_START} (?:
          (?P<number> <!--[ \t]*(?:page|slide)(?:[ \t]*(?:number|no\.?))?[ \t]*[:=#]?[ \t]*
            (?P<first>[0-9]{{1,6}}) (?:[ \t]*(?:of|/)[ \t]*[0-9]{{1,6}})?[ \t]*--> )
        | (?P<break> <!--[ \t]*(?:new[ _-]?page|page[ _-]?break)[ \t]*-->
            | <---[ ]page[ ]split[ ]---> | \[page[ -]?break\]
            | -{{2,20}}[ ]?page[ -]?break[ ]?-{{2,20}} | ={{2,20}}[ ]?page[ -]?break[ ]?={{2,20}} )
        | (?P<marker> \{{(?P<index>[0-9]{{1,6}})\}}-{{20,100}} )
        | (?P<end> ---[ ]end[ ]of[ ]page(?P<from_1>[.]page_number)?[ ]?=[ ]?
            (?P<ended>[0-9]{{1,6}})[ ]--- )
      | (?P<furniture> <!--[ \t]*page(?:header|footer|(?P<is_number>number))[ \t]*=[ \t]*
            "(?P<printed>(?:(?!-->)[^\r\n])*)"[ \t]*--> )
      | (?P<numbered>
            \[{{1,2}}page[ ]?(?P<in_brackets>[0-9]{{1,6}}){_TOTAL}\]{{1,2}}
          | -{{2,20}}[ ]?page[ ]?(?P<in_dashes>[0-9]{{1,6}}){_TOTAL}[ ]?-{{2,20}}
          | -{{2,20}}[ ](?P<in_all>[0-9]{{1,6}})[ ]of[ ][0-9]{{1,6}}[ ]-{{2,20}}
          | ={{2,20}}[ ]?(?:page[ ]?)?(?P<in_lines>[0-9]{{1,6}}){_TOTAL}[ ]?={{2,20}}
          | <page_number>[ ]?(?P<in_tag>[0-9]{{1,6}}){_TOTAL}[ ]?</page_number> )
      | (?P<prefix> (?-i:(?:(?P<starts>START)|END)[ ]OF[ ]PAGE):[ ]?(?P<prefixed>[0-9]{{1,6}}) )
      ) {_LINE_END}
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NUMBER_GROUPS: Final = ("in_brackets", "in_dashes", "in_all", "in_lines", "in_tag")
"""The groups that hold the number of a mark that names a page."""
# Five dashes may also be a thematic break. They are page marks if the text has no other kind of
# thematic break and they also follow its last page.
_DASHES: Final = re.compile(rf"{_LINE_START}(-{{5}}){_LINE_END}")
_DASH_LINES: Final = ("\n-----", "\r-----")
_OTHER_RULE: Final = re.compile(
    rf"{_LINE_START}(?!-{{5}}[ \t]*[\r\n\f])([-*_])(?:[ \t]*\1){{2,}}{_LINE_END}"
)
# Directly below a text, the dashes would make it a heading.
_AFTER_BLANK: Final = re.compile(rf"{ANY_LINE_END}[ \t]*{ANY_LINE_END}[ ]*\Z")
# How the line of a known mark begins. Most texts have no such line, and `re` finds line ends fast.
_MARK_START: Final = r"""[ ]{0,3}+ (?=[<{\[SE=-])
    (?: <(?:!--[ \t]*(?i:page|slide|new)|(?i:page_number>|---[ ]page))
    | \{[0-9]{1,6}\}-{20} | \[{1,2}(?i:page)[ -]?(?i:[0-9]|break)
    | (?:--+|==+)[ ]?(?:(?i:page[ ]?)?[0-9]|(?i:page[ -]?break))
    | ---[ ](?i:end[ ]of[ ]page) | (?:START|END)[ ]OF[ ]PAGE )"""
_MARK_START_FIRST: Final = re.compile(_MARK_START, re.VERBOSE)
_MARK_START_AFTER_LF: Final = re.compile("\\n" + _MARK_START, re.VERBOSE)
_MARK_START_AFTER_ANY: Final = re.compile(rf"[\f\r\n\ufeff](?:(?<=\f)|{_MARK_START})", re.VERBOSE)
_FENCE: Final = re.compile(r"`{3}|~{3}")
_INDENTED: Final = re.compile(r"[ ]{4}|\t")
_LINE: Final = re.compile(r"[^\r\n]+")
_SPACES: Final = " \t\f"
_WHITESPACE: Final = " \t\r\n"

Pages: TypeAlias = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class PageMarks:
    """The pages and gaps that marks give a text.

    Attributes:
        pages: (offset, page) in ascending order: the text from the offset on is on that page. Empty
            if there is no mark.
        gaps: Spans that belong to the page and not to the text, in order, with the reason: whole
            lines without their ends, and form feeds with the whitespace between them and the edge
            of their line.
    """

    pages: Pages = ()
    gaps: tuple[tuple[int, int, str], ...] = ()


def find_page_marks(
    text: str,
    code: Callable[[str], Sequence[Span]] | None = None,
    *,
    start: int = 0,
    pattern: str | None = None,
) -> PageMarks:
    """Find the page marks of a text.

    Args:
        text: The text.
        code: Returns the spans of code in a text of the same length, in ascending order, where
            nothing is a mark; called only if a mark could be inside code. None for plain text.
        start: Before this offset, nothing is a mark.
        pattern: A pattern of further marks. The group ``page``, or else the first group, is the
            number of the page that begins; without a group, each match begins the next page.

    Raises:
        PagePatternError: The pattern is not a regular expression, or takes too long.
    """
    marks = sorted(mark for mark in _marks(text, pattern) if mark.start >= start)
    if code is not None and _can_be_code(text, marks):
        spans = code(text)
        marks = [mark for mark in marks if not is_inside(mark.start, spans)]
    marks = with_decided_meanings(text, marks)
    if not marks:
        return PageMarks()
    pages = by_printed_numbers(_pages(text, marks), (m for m in marks if m.meaning == "printed"))
    return PageMarks(pages, tuple(sorted(_gaps_with_reasons(text, marks))))


def _pages(text: str, marks: Sequence[PageMark]) -> list[tuple[int, int]]:
    """Return offset and number of each page with text, according to the marks between pages."""
    separators = [mark for mark in marks if mark.meaning in {"begins", "ended", "next"}]
    if not separators:
        return [(0, 1)] if any(mark.meaning == "printed" for mark in marks) else []
    page = _first_page(text, separators[0])
    pages = [(0, page)] if text[: separators[0].start].strip() else []
    for mark in separators:
        page = mark.number + (mark.meaning == "ended") if mark.meaning != "next" else page + 1
        if pages and not text[pages[-1][0] : mark.start].strip():
            pages.pop()
        pages.append((mark.end, page))
    return pages


def _gaps_with_reasons(text: str, marks: Sequence[PageMark]) -> Iterator[tuple[int, int, str]]:
    """Yield the spans on lines with page marks that are not text, each with its reason."""
    gaps = list(_gaps(text, marks))
    known_gaps = set(gaps)
    if any(mark.is_from_pattern for mark in marks):
        known_gaps = set(_gaps(text, [mark for mark in marks if not mark.is_from_pattern]))
    printed = [mark for mark in marks if mark.meaning in {"furniture", "printed"}]
    furniture_gaps = set(_gaps(text, printed))
    for gap in gaps:
        reason = PAGE_MARK if gap in known_gaps else GIVEN_PAGE_MARK
        yield (*gap, PAGE_FURNITURE if gap in furniture_gaps else reason)


def without_gaps(text: str, gaps: Sequence[Span]) -> str:
    """Return the text with spaces for gaps; it has the same length, so offsets hold in both.

    The spaces come right after the preceding text, before its whitespace, so that the lines read as
    if the gaps were cut out. A gap at the very beginning, such as a form feed, becomes a blank line
    if text follows on the same line.
    """
    parts: list[str] = []
    pending: list[str] = []
    after = 0
    for start, end in gaps:
        before = text[after:start]
        if content := before.rstrip(_WHITESPACE):
            parts += *pending, content
            pending = []
        if whitespace := before[len(content) :]:
            pending.append(whitespace)
        is_first = not pending and end < len(text) and text[end] not in "\r\n"
        parts.append(" " * (end - start - is_first) + "\n" * is_first)
        after = end
    return "".join([*parts, *pending, text[after:]])


def _gaps(text: str, marks: Sequence[PageMark]) -> Iterator[Span]:
    """Yield the parts of lines with marks that are not text."""
    pieces = sorted(
        (mark.start + match.start(), mark.start + match.end())
        for mark in marks
        for match in _LINE.finditer(text[mark.start : mark.end])
    )
    at, line_end = 0, 1 if text.startswith(BYTE_ORDER_MARK) else 0
    while at < len(pieces):
        first = pieces[at][0]
        newline = max(text.rfind("\n", line_end, first), text.rfind("\r", line_end, first))
        start = newline + 1 if newline >= 0 else line_end
        match = LINE_END.search(text, first)
        line_end = match.start() if match else len(text)
        after = bisect_left(pieces, line_end, at, key=itemgetter(0))
        yield from _line_gaps(text, start, line_end, pieces[at:after])
        at = after


def _line_gaps(text: str, start: int, end: int, pieces: Sequence[Span]) -> Iterator[Span]:
    """Yield the whole line if it contains only marks, else the form feeds at its edges."""
    head = feed = start
    for first, after in pieces:
        if text[head:first].strip(_SPACES):
            break
        head = max(head, after)
        feed = after if text[first:after] == "\f" else feed
    if not text[head:end].strip(_SPACES):
        # A line between CR and LF stays, because without it the two would be a single line end.
        if text[max(start - 1, 0) : start] + text[end : end + 1] != "\r\n":
            yield start, end
        return
    if feed > start:
        yield start, feed
    tail = feed = end
    for first, after in reversed(pieces):
        if text[after:tail].strip(_SPACES):
            break
        tail = min(tail, first)
        feed = first if text[first:after] == "\f" else feed
    if feed < end:
        yield feed, end


def _marks(text: str, pattern: str | None) -> Iterator[PageMark]:
    if pattern is not None:
        yield from _pattern_marks(text, compile_page_pattern(pattern))
    for match in _known_marks(text):
        yield PageMark(*match.span(match.lastgroup or 0), *_meaning_of(match))
    yield from _dash_marks(text)


def _meaning_of(mark: re.Match[str]) -> tuple[Meaning, int]:
    """Return the meaning of a known mark, and the page number that it gives."""
    match mark.lastgroup:
        case "feed" | "break":
            return "next", 0
        case "number" | "marker":  # marker counts from 0
            return "begins", int(mark["first"] or mark["index"]) + (mark["first"] is None)
        case "end":  # the form without `from_1` counts from 0 too
            return "ended", int(mark["ended"]) + (mark["from_1"] is None)
        case "prefix":
            return "begins" if mark["starts"] else "ended", int(mark["prefixed"])
        case "numbered":
            return "numbered", next(int(found) for found in mark.group(*_NUMBER_GROUPS) if found)
        case _:  # furniture
            number = printed_number(mark["printed"]) if mark["is_number"] else 0
            return "printed" if number else "furniture", number


def _known_marks(text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of all known marks."""
    is_usual = not any(character in text for character in "\r\f\ufeff")
    beginnings = (_MARK_START_AFTER_LF if is_usual else _MARK_START_AFTER_ANY).finditer(text)
    starts = (beginning.start() + (text[beginning.start()] != "\f") for beginning in beginnings)
    after = 0
    for at in chain([0] if _MARK_START_FIRST.match(text) else [], starts):
        offset = max(at, after)
        while match := _KNOWN_MARK.match(text, offset):
            offset = after = match.end()
            yield match


def _pattern_marks(text: str, pattern: UserPattern) -> Iterator[PageMark]:
    r"""Yield the marks that match a pattern.

    Line ends and a byte order mark become ``\n`` first, because ``$`` knows no other line end.
    """
    offset = LineFeedOffsets(text).offset
    searched = with_line_feeds(text)
    first = 1 if text.startswith(BYTE_ORDER_MARK) else 0
    searched = "\n" * first + searched[first:]
    groups = pattern.pattern.groups
    group = "page" if "page" in pattern.pattern.groupindex else 1 if groups else None
    for match in page_marks(pattern, searched):
        value = match[group] if group is not None else None
        number = int(value) if value and value.isdecimal() and len(value) < 10 else None  # noqa: PLR2004 - no page has a number of more digits
        if match.end() > match.start():
            meaning: Meaning = "next" if number is None else "begins"
            start, end = map(offset, match.span())
            yield PageMark(max(start, first), end, meaning, number or 0, is_from_pattern=True)


def _dash_marks(text: str) -> Iterator[PageMark]:
    """Yield the marks of pymupdf4llm's older separator, which follows each page."""
    if not text.rstrip().endswith(_DASH_LINES):
        return
    spans = [match.span(1) for match in _DASHES.finditer(text)]
    spans = [span for span in spans if _AFTER_BLANK.search(text, max(0, span[0] - 8), span[0])]
    if len(spans) > 1 and not _OTHER_RULE.search(text):
        yield from (PageMark(*span, "next") for span in spans)


def _can_be_code(text: str, marks: Sequence[PageMark]) -> bool:
    """Whether a mark could be inside code, judged cheaply by the text before it.

    Known marks are never indented like code; form feeds and marks of a pattern may be.
    """
    if not marks:
        return False
    end = marks[-1].end
    if _FENCE.search(text, 0, end):
        return True
    has_others = any(mark.is_from_pattern or text[mark.start] == "\f" for mark in marks)
    return has_others and _INDENTED.search(text, 0, end) is not None


def _first_page(text: str, first: PageMark) -> int:
    """Return the number of the page before the first mark between pages.

    A form feed ends a page even if the page is blank. Any other mark without a number at the very
    top begins page 1, so the number before it is 0.
    """
    has_text_before = bool(text[: first.start].strip())
    if first.meaning == "ended":
        return max(1, first.number)
    if first.meaning == "begins":
        return max(1, first.number - 1)
    return 1 if has_text_before or text[first.start] == "\f" else 0
