"""Page marks in a text: where converters say that a page ends or begins.

Known are form feeds, comments (``<!-- page 7 -->``, ``<!-- page break -->``, markitdown's
``<!-- Slide number: 7 -->``), the separators of marker (``{6}`` and 48 dashes) and of pymupdf4llm
(``--- end of page=6 ---``, or ``-----`` behind each page), and any pattern that is given. Inside
code they are code.

A mark that has its line for itself, and a form feed at the edge of a line, belong to the page and
not to the text: they are gaps. What is parsed and cut is the text without them, written so that
all offsets stay (`without_gaps`).
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Final, Literal, NamedTuple, TypeAlias

from treepack.document.blocks import Span
from treepack.document.source import ANY_LINE_END, BYTE_ORDER_MARK, LINE_END
from treepack.errors import PagePatternError

PAGE_MARK: Final = "page mark"
GIVEN_PAGE_MARK: Final = "given page mark"
"""Why gaps are skipped: known marks, and those of a pattern that was given."""

_LINE_START: Final = r"(?:^|(?<=[\r\n\f\ufeff]))[ ]{0,3}"
_LINE_END: Final = r"[ \t]*(?=[\r\n\f]|\Z)"
_KNOWN: Final = re.compile(
    rf"""
      (?P<feed> \f )
    | {_LINE_START} (?:
          (?P<number> <!--[ \t]*(?:page|slide)(?:[ \t]*(?:number|no\.?))?[ \t]*[:=#]?[ \t]*
            (?P<first>[0-9]{{1,6}}) (?:[ \t]*(?:of|/)[ \t]*[0-9]{{1,6}})?[ \t]*--> )
        | (?P<break> <!--[ \t]*(?:new[ _-]?page|page[ _-]?break)[ \t]*--> )
        | (?P<marker> \{{(?P<index>[0-9]{{1,6}})\}}-{{20,100}} )
        | (?P<end> ---[ ]end[ ]of[ ]page(?:[.]page_number)?[ ]?=[ ]?(?P<ended>[0-9]{{1,6}})[ ]--- )
      ) {_LINE_END}
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Five dashes are a rule as well; a converter wrote them if they are the text's only kind of rule
# and stand behind its last page.
_DASHES: Final = re.compile(rf"{_LINE_START}(-{{5}}){_LINE_END}")
_DASH_LINE: Final = "\n-----"
_BLANK_TO_END: Final = re.compile(r"\s*+\Z")
_OTHER_RULE: Final = re.compile(
    rf"{_LINE_START}(?!-{{5}}[ \t]*[\r\n\f])([-*_])(?:[ \t]*\1){{2,}}{_LINE_END}"
)
# Right under a text, they would make it a heading.
_AFTER_BLANK: Final = re.compile(rf"{ANY_LINE_END}[ \t]*{ANY_LINE_END}[ ]*\Z")
# What each of the known marks begins with, found at a tenth of the cost, behind the rarest of its
# characters: many texts have none of them, and one character is found ten times as fast.
_SIGNS: Final = {
    "\f": r"\f",
    "<": r"<!--[ \t]*(?i:page|slide|new)",
    "{": r"\{[0-9]{1,6}\}-{20}",
    "=": r"---[ ](?i:end[ ]of[ ]page)",
}
_SIGN: Final = re.compile("|".join(_SIGNS.values()))
_EACH_SIGN: Final = tuple((sign, re.compile(pattern)) for sign, pattern in _SIGNS.items())
_FENCE: Final = re.compile(r"`{3}|~{3}")
_INDENTED: Final = re.compile(r"[ ]{4}|\t")
_LINE: Final = re.compile(r"[^\r\n]+")
_CRLF: Final = re.compile(r"\r\n")
_WIDEST_INDENT: Final = 3
_BLANKS: Final = " \t\f"
_WHITE: Final = " \t\r\n"

Pages: TypeAlias = tuple[tuple[int, int], ...]
Step = Literal["begins", "ended", "next"]


class _Mark(NamedTuple):
    """A mark: what it says of the page, and the number it gives, from 1."""

    start: int
    end: int
    step: Step
    number: int = 0
    is_given: bool = False


@dataclass(frozen=True)
class PageMarks:
    """What marks say of a text.

    Attributes:
        pages: (offset, page) in rising order: from the offset on, text is on that page. Empty
            where there is no mark.
        gaps: What belongs to the page and not to the text, in order, with the reason: whole lines
            without their ends, and form feeds with the blanks between them and the edge of their
            line.
    """

    pages: Pages = ()
    gaps: tuple[tuple[int, int, str], ...] = ()


def find_page_marks(
    text: str,
    code: Callable[[], Sequence[Span]] | None = None,
    *,
    start: int = 0,
    pattern: str | re.Pattern[str] | None = None,
) -> PageMarks:
    """Find the page marks of a text.

    Args:
        text: The text.
        code: Gives the spans of code, in rising order, where nothing is a mark; asked only where
            a mark could stand in some.
        start: Before it, nothing is a mark.
        pattern: A further mark. A group named ``page``, or else the first group, holds the number
            of the page that begins; without a group, each match begins the next page.

    Raises:
        PagePatternError: The pattern is no regular expression.
    """
    marks = sorted(mark for mark in _marks(text, pattern) if mark.start >= start)
    if code is not None and _may_be_code(text, marks):
        spans = code()
        marks = [mark for mark in marks if not _is_inside(mark, spans)]
    if not marks:
        return PageMarks()
    page = _first_page(text, marks[0])
    pages = [(0, page)] if text[: marks[0].start].strip() else []
    for mark in marks:
        page = {"begins": mark.number, "ended": mark.number + 1, "next": page + 1}[mark.step]
        if pages and not text[pages[-1][0] : mark.start].strip():
            pages.pop()
        pages.append((mark.end, page))
    known = set(_gaps(text, [mark for mark in marks if not mark.is_given]))
    gaps = ((*gap, PAGE_MARK if gap in known else GIVEN_PAGE_MARK) for gap in _gaps(text, marks))
    return PageMarks(tuple(pages), tuple(gaps))


def without_gaps(text: str, gaps: Sequence[Span]) -> str:
    """The text with blanks for gaps, of the same length, so that offsets hold in both.

    The blanks stand at the end of the text before, so that lines read as if the gaps were cut out;
    at the very beginning, where there is none, a blank line takes the place of a form feed.
    """
    parts: list[str] = []
    blank_lines: list[str] = []
    behind = 0
    for start, end in gaps:
        before = text[behind:start]
        if solid := before.rstrip(_WHITE):
            parts += *blank_lines, solid
            blank_lines = []
        blank_lines.append(before[len(solid) :])
        is_first = not any(blank_lines) and end < len(text) and text[end] not in "\r\n"
        parts.append(" " * (end - start - is_first) + "\n" * is_first)
        behind = end
    return "".join([*parts, *blank_lines, text[behind:]])


def _gaps(text: str, marks: Sequence[_Mark]) -> Iterator[Span]:
    """What of the lines with marks is no text."""
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
        behind = bisect_left(pieces, line_end, at, key=itemgetter(0))
        yield from _line_gaps(text, start, line_end, pieces[at:behind])
        at = behind


def _line_gaps(text: str, start: int, end: int, pieces: Sequence[Span]) -> Iterator[Span]:
    """The whole line if it holds nothing but marks, else the form feeds at its edges."""
    head = feed = start
    for first, behind in pieces:
        if text[head:first].strip(_BLANKS):
            break
        head = max(head, behind)
        feed = behind if text[first:behind] == "\f" else feed
    if not text[head:end].strip(_BLANKS):
        # Between CR and LF a line ends that would be none without it.
        if text[max(start - 1, 0) : start] + text[end : end + 1] != "\r\n":
            yield start, end
        return
    if feed > start:
        yield start, feed
    tail = feed = end
    for first, behind in reversed(pieces):
        if text[behind:tail].strip(_BLANKS):
            break
        tail = min(tail, first)
        feed = first if text[first:behind] == "\f" else feed
    if feed < end:
        yield feed, end


def _marks(text: str, pattern: str | re.Pattern[str] | None) -> Iterator[_Mark]:
    if pattern is not None:
        yield from _given(text, _compiled(pattern))
    for match in _known(text):
        if match["feed"]:
            yield _Mark(*match.span("feed"), "next")
        elif match["break"]:
            yield _Mark(*match.span("break"), "next")
        elif match["number"]:
            yield _Mark(*match.span("number"), "begins", int(match["first"]))
        elif match["marker"]:  # counts from 0
            yield _Mark(*match.span("marker"), "begins", int(match["index"]) + 1)
        else:  # counts from 0 as well
            yield _Mark(*match.span("end"), "ended", int(match["ended"]) + 1)
    yield from _dashes(text)


def _known(text: str) -> Iterator[re.Match[str]]:
    """The matches of all known marks, looked for where one of their signs stands."""
    if not any(sign in text and pattern.search(text) for sign, pattern in _EACH_SIGN):
        return
    behind = 0
    for sign in _SIGN.finditer(text):
        at = sign.start()
        if at < behind:
            continue
        if sign[0] != "\f":
            line = text[max(behind, at - _WIDEST_INDENT) : at]
            at -= len(line) - len(line.rstrip(" "))
        if match := _KNOWN.match(text, at):
            behind = match.end()
            yield match


def _compiled(pattern: str | re.Pattern[str]) -> re.Pattern[str]:
    try:
        return re.compile(pattern, re.MULTILINE) if isinstance(pattern, str) else pattern
    except re.error as error:
        msg = f"the page pattern {pattern!r} is no regular expression: {error}"
        raise PagePatternError(msg) from error


def _given(text: str, pattern: re.Pattern[str]) -> Iterator[_Mark]:
    r"""The marks of a pattern.

    For it, any line end is ``\n``, as ``$`` knows no other, and so is a byte order mark.
    """
    line_ends = list(_CRLF.finditer(text))
    # where the line ends that are a character shorter then stand in what is searched
    shorter = [match.start() - before for before, match in enumerate(line_ends)]
    searched = _CRLF.sub("\n", text).replace("\r", "\n")
    first = 1 if text.startswith(BYTE_ORDER_MARK) else 0
    searched = "\n" * first + searched[first:]
    group = "page" if "page" in pattern.groupindex else 1 if pattern.groups else None
    for match in pattern.finditer(searched):
        value = match[group] if group is not None else None
        number = int(value) if value and value.isdecimal() and len(value) < 10 else None  # noqa: PLR2004 - no page has a number of more digits
        if match.end() > match.start():
            step: Step = "next" if number is None else "begins"
            start, end = (at + bisect_left(shorter, at) for at in match.span())
            yield _Mark(max(start, first), end, step, number or 0, is_given=True)


def _dashes(text: str) -> Iterator[_Mark]:
    """pymupdf4llm's older separator, behind each page."""
    last = text.rfind(_DASH_LINE)
    if last < 0 or not _BLANK_TO_END.match(text, last + len(_DASH_LINE)):
        return
    found = [match.span(1) for match in _DASHES.finditer(text)]
    found = [span for span in found if _AFTER_BLANK.search(text, max(0, span[0] - 8), span[0])]
    if len(found) > 1 and not _OTHER_RULE.search(text):
        yield from (_Mark(*span, "next") for span in found)


def _may_be_code(text: str, marks: Sequence[_Mark]) -> bool:
    """Whether a mark could stand in code, by a cheap look at what is before it.

    Known marks are not indented as code is; form feeds and those of a pattern may be.
    """
    if not marks:
        return False
    end = marks[-1].end
    if _FENCE.search(text, 0, end):
        return True
    has_others = any(mark.is_given or text[mark.start] == "\f" for mark in marks)
    return has_others and _INDENTED.search(text, 0, end) is not None


def _is_inside(mark: _Mark, code: Sequence[Span]) -> bool:
    at = bisect_right(code, mark.start, key=itemgetter(0)) - 1
    return at >= 0 and mark.start < code[at][1]


def _first_page(text: str, first: _Mark) -> int:
    """The page that a text begins on, when its first mark is known; 0 where no text is on it.

    A form feed ends a page, be it blank; any other mark at the very top begins the first one.
    """
    has_text_before = bool(text[: first.start].strip())
    if first.step == "ended":
        return max(1, first.number)
    if first.step == "begins":
        return max(1, first.number - 1)
    return 1 if has_text_before or text[first.start] == "\f" else 0
