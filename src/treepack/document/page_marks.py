"""Page marks in a text: where converters say that a page ends or begins.

Known are form feeds, comments (``<!-- page 7 -->``, ``<!-- page break -->``, markitdown's
``<!-- Slide number: 7 -->``), the separators of marker (``{6}`` and 48 dashes) and of pymupdf4llm
(``--- end of page=6 ---``, or ``-----`` behind each page), and any pattern that is given. Inside
code they are code.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Final, Literal, NamedTuple

from treepack.document.blocks import Span

_LINE_START: Final = r"(?:^|(?<=[\r\n\f]))[ ]{0,3}"
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
_OTHER_RULE: Final = re.compile(
    rf"{_LINE_START}(?!-{{5}}[ \t]*[\r\n\f])([-*_])(?:[ \t]*\1){{2,}}{_LINE_END}"
)
# Right under a text, they would make it a heading.
_AFTER_BLANK: Final = re.compile(r"(?:\r\n?|\n)[ \t]*(?:\r\n?|\n)[ ]*\Z")
# What each of the known marks has, found at a tenth of the cost.
_SIGN: Final = re.compile(
    r"\f|<!--[ \t]*(?i:page|slide|new)|\{[0-9]{1,6}\}-{20}|---[ ](?i:end[ ]of[ ]page)"
)

Step = Literal["begins", "ended", "next"]


class _Mark(NamedTuple):
    """A mark: what it says of the page, and the number it gives, from 1."""

    start: int
    end: int
    step: Step
    number: int = 0


@dataclass(frozen=True)
class PageMarks:
    """What marks say of a text.

    Attributes:
        pages: (offset, page) in rising order: from the offset on, text is on that page. Empty
            where there is no mark.
        spans: The marks themselves, which belong to the page and not to the text. Form feeds are
            blanks and not among them.
    """

    pages: tuple[tuple[int, int], ...] = ()
    spans: tuple[Span, ...] = ()


def find_page_marks(
    text: str, code: Sequence[Span] = (), *, pattern: str | re.Pattern[str] | None = None
) -> PageMarks:
    """Find the page marks of a text.

    Args:
        text: The text.
        code: Spans of code, in rising order, where nothing is a mark.
        pattern: A further mark. A group named ``page``, or else the first group, holds the number
            of the page that begins; without a group, each match begins the next page.
    """
    marks = [mark for mark in _marks(text, pattern) if not _is_inside(mark, code)]
    marks.sort()
    if not marks:
        return PageMarks()
    page = _first_page(text, marks[0])
    pages = [(0, page)] if text[: marks[0].start].strip() else []
    spans: list[Span] = []
    for mark in marks:
        page = {"begins": mark.number, "ended": mark.number + 1, "next": page + 1}[mark.step]
        if pages and not text[pages[-1][0] : mark.start].strip():
            pages.pop()
        pages.append((mark.end, page))
        if text[mark.start : mark.end].strip():
            spans.append((mark.start, mark.end))
    return PageMarks(tuple(pages), tuple(spans))


def _marks(text: str, pattern: str | re.Pattern[str] | None) -> Iterator[_Mark]:
    if pattern is not None:
        yield from _given(text, re.compile(pattern, re.MULTILINE))
    for match in _KNOWN.finditer(text) if _SIGN.search(text) else ():
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


def _given(text: str, pattern: re.Pattern[str]) -> Iterator[_Mark]:
    group = "page" if "page" in pattern.groupindex else 1 if pattern.groups else None
    for match in pattern.finditer(text):
        value = match[group] if group is not None else None
        number = int(value) if value and value.isdecimal() and len(value) < 10 else None  # noqa: PLR2004 - no page has a number of more digits
        if match.end() > match.start():
            step: Step = "next" if number is None else "begins"
            yield _Mark(*match.span(), step, number or 0)


def _dashes(text: str) -> Iterator[_Mark]:
    """pymupdf4llm's older separator, behind each page."""
    if not text.rstrip().endswith("\n-----"):
        return
    found = [match.span(1) for match in _DASHES.finditer(text)]
    found = [span for span in found if _AFTER_BLANK.search(text, max(0, span[0] - 8), span[0])]
    if len(found) > 1 and not _OTHER_RULE.search(text):
        yield from (_Mark(*span, "next") for span in found)


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
