"""Page marks in a text: where a converter recorded the end or start of a page.

`_KNOWN_MARK` has the marks of marker, pymupdf4llm, markitdown, Azure Document Intelligence and
others; the caller may add a pattern. Inside code, nothing is a mark, except a form feed in indented
code. Azure's comments with printed headers, footers and page numbers are page furniture.

A mark on its own line, and a form feed at the edge of a line, belong to the page and not to the
text: they are gaps. A single mark does not show whether the page that it names begins or ends
there, or whether ``== 3 ==`` is a page mark at all; all marks of the same form in a text do.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain, groupby, pairwise
from operator import itemgetter
from typing import Final, NamedTuple

from treepack.graphemes import LineFeedOffsets, with_line_feeds
from treepack.model.blocks import Span, is_inside
from treepack.model.source import ANY_LINE_END, BYTE_ORDER_MARK, LINE_TEXT, Source
from treepack.pages.gaps import GIVEN_PAGE_MARK, PAGE_FURNITURE, PAGE_MARK, Gap
from treepack.user_patterns import compile_page_pattern, page_marks

_LINE_START: Final = r"(?:^|(?<=[\r\n\f\ufeff]))[ ]{0,3}"
_LINE_END: Final = r"[ \t]*(?=[\r\n\f]|\Z)"
_NUMBER: Final = "[0-9]{1,6}"
_OF_ALL: Final = rf"(?:[ ]?(?:of|/)[ ]?{_NUMBER})?"
_TOTAL: Final = rf"{_OF_ALL}(?:[ ][\[(][^\[\]()\r\n]{{1,30}}[\])])?"
"""What may follow the number: ``of 9``, and how the text was read, ``(OCR)``."""
_KNOWN_MARK: Final = re.compile(
    rf"""
      (?P<feed> \f )
    | {_LINE_START} (?:
        (?P<next> <!--[ \t]*(?:new[ _-]?page|page[ _-]?break)[ \t]*-->
          | <---[ ]page[ ]split[ ]---> | \[page[ -]?break\]
          | -{{2,20}}[ ]?page[ -]?break[ ]?-{{2,20}} | ={{2,20}}[ ]?page[ -]?break[ ]?={{2,20}}
          | ---{ANY_LINE_END}primary_language:(?:[^\r\n]*{ANY_LINE_END}[a-z_]+:){{1,9}}
            [^\r\n]*{ANY_LINE_END}--- )
      | (?P<begins> <!--[ \t]*(?:page|slide)(?:[ \t]*(?:number|no\.?))?[ \t]*[:=#]?[ \t]*
            {_NUMBER} (?:[ \t]*(?:of|/)[ \t]*{_NUMBER})?[ \t]*-->
          | (?-i:START[ ]OF[ ]PAGE):[ ]?{_NUMBER} )
      | (?P<begins_from_0> \{{{_NUMBER}\}}-{{20,100}} )
      | (?P<ended> ---[ ]end[ ]of[ ]page[.]page_number[ ]?=[ ]?{_NUMBER}[ ]---
          | (?-i:END[ ]OF[ ]PAGE):[ ]?{_NUMBER} )
      | (?P<ended_from_0> ---[ ]end[ ]of[ ]page[ ]?=[ ]?{_NUMBER}[ ]--- )
      | (?P<printed> <!--[ \t]*pagenumber[ \t]*=[ \t]*
            "[ \t]*(?: (?:page[ ]?)?{_NUMBER}{_OF_ALL} | -[ ]?{_NUMBER}[ ]?- )[ \t]*"[ \t]*--> )
      | (?P<furniture> <!--[ \t]*page(?:header|footer|number)[ \t]*=[ \t]*
            "(?:(?!-->)[^\r\n])*"[ \t]*--> )
      | (?P<numbered> \[{{1,2}}page[ ]?{_NUMBER}{_TOTAL}\]{{1,2}}
          | -{{2,20}}[ ]?page[ ]?{_NUMBER}{_TOTAL}[ ]?-{{2,20}}
          | -{{2,20}}[ ]{_NUMBER}[ ]of[ ]{_NUMBER}[ ]-{{2,20}}
          | ={{2,20}}[ ]?(?:page[ ]?)?{_NUMBER}{_TOTAL}[ ]?={{2,20}}
          | <page_number>[ ]?{_NUMBER}{_TOTAL}[ ]?</page_number> )
      ) {_LINE_END}
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""The known marks, but for dashes. The name of a group is a mark's meaning, see `_PageMark`."""
ANCHOR: Final = '<span id="page-'
_IN_LINE: Final = re.compile(
    rf"""
      (?<!`) {re.escape(ANCHOR)}([0-9]{{1,6}})-[0-9]{{1,6}}"></span>
    | (?:<\|ref\|>[a-z_]{{1,30}}<\|/ref\|>)? <\|det\|>[^<>\r\n]{{1,200}}<\|/det\|>
    """,
    re.VERBOSE,
)
"""Marks beside text: marker's link targets, which name their page; boxes of DeepSeek-OCR."""
# Where a known mark may begin. Most texts have few such lines, and `re` finds line feeds fast.
_AFTER_LINE_FEED: Final = re.compile(r"\n[ ]{0,3}(?:[<{\[SE]|--|==)")
_AFTER_ANY: Final = re.compile(r"[\f\r\n\ufeff](?:(?<=\f)|[ ]{0,3}(?:[<{\[SE]|--|==))")
# Five dashes may also be a thematic break. They are page marks if the text has no other kind of
# thematic break and they also follow its last page. Directly below a text, they make it a heading.
_DASHES: Final = re.compile(rf"{ANY_LINE_END}[ \t]*{ANY_LINE_END}[ ]{{0,3}}(-{{5}}){_LINE_END}")
_OTHER_RULE: Final = re.compile(
    rf"{_LINE_START}(?!-{{5}}[ \t]*[\r\n\f])([-*_])(?:[ \t]*\1){{2,}}{_LINE_END}"
)
_NUMBER_AND_TOTAL: Final = re.compile(_NUMBER + _TOTAL, re.IGNORECASE)
_WORD: Final = re.compile("page|[0-9] of", re.IGNORECASE)
_LINK_DEFINITION: Final = re.compile(r"^ {0,3}\[page ?[0-9]{1,6}\]:", re.IGNORECASE | re.MULTILINE)
_LARGEST_PAGE: Final = 999
"""Bare numbers above it are years, or names of something else."""
_MOST_DIGITS: Final = 9
_REASONS: Final = (GIVEN_PAGE_MARK, PAGE_MARK, PAGE_FURNITURE)
"""One of several on a line is given as the reason: the first."""
_SPACES: Final = " \t\f"


class _PageMark(NamedTuple):
    """A page mark: its span, its meaning, its page number, and whether a user's pattern found it.

    The meaning is that the page it names ``begins`` or has ``ended``; that the ``next`` page
    begins; ``numbered``, a form that may begin or end a page; ``printed``, the number printed on
    the page; ``furniture``, other text of a header or footer; ``note``, nothing. Pages are numbered
    from 1; the number is 0 if the mark gives none.
    """

    start: int
    end: int
    meaning: str
    number: int = 0
    is_from_pattern: bool = False


def find_page_marks(
    source: Source,
    code: Callable[[], Sequence[Span]] | None = None,
    *,
    start: int = 0,
    pattern: str | None = None,
) -> tuple[tuple[tuple[int, int], ...], tuple[Gap, ...]]:
    """Return the pages and the gaps that marks give a text.

    Pages are pairs of offset and number, as in a `Source`. Gaps are whole lines without their ends,
    and form feeds with the whitespace between them and the edge of their line.

    Args:
        source: The text.
        code: Returns the sorted spans of code, where nothing is a mark. None for plain text.
        start: Before this offset, nothing is a mark.
        pattern: A pattern of further marks. The group ``page``, or else the first group, is the
            number of the page that begins; without a group, each match begins the next page.

    Raises:
        PatternError: The pattern is not a regular expression, or takes too long.
    """
    text = source.text
    given = _pattern_marks(text, pattern) if pattern is not None else ()
    known = [*_known_marks(text), *_dash_marks(text)]
    marks = sorted([*given, *known, *_marks_in_lines(text, name_pages=not known)])
    marks = [mark for mark in marks if mark.start >= start]
    if not marks:
        return (), ()  # the common case
    if code is not None and (given or has_fence(text, marks[-1].end)):
        spans = code()
        marks = [mark for mark in marks if not is_inside(mark.start, spans)]
    marks = _with_decided_meanings(text, marks)
    return tuple(_pages(text, marks)), tuple(_gaps(source, marks))


# -------------------------------------------------------------------- which marks there are


def _known_marks(text: str) -> Iterator[_PageMark]:
    is_unusual = "\r" in text or "\f" in text or "\ufeff" in text
    beginnings = (_AFTER_ANY if is_unusual else _AFTER_LINE_FEED).finditer(text)
    starts = (match.start() + (match[0] != "\f") for match in beginnings)
    after = 0
    for offset in chain([0], starts):
        after = max(after, offset)
        while match := _KNOWN_MARK.match(text, after):
            kind, after = match.lastgroup or "", match.end()
            number = re.search(_NUMBER, match[kind])
            shift = kind.endswith("_from_0")
            meaning = "next" if kind == "feed" else kind.removesuffix("_from_0")
            yield _PageMark(*match.span(kind), meaning, int(number[0]) + shift if number else 0)


def _pattern_marks(text: str, pattern: str) -> Iterator[_PageMark]:
    r"""Yield the marks that match a pattern of the user.

    Line ends and a byte order mark become ``\n`` first, because ``$`` knows no other line end.
    """
    given = compile_page_pattern(pattern)
    offset = LineFeedOffsets(text).offset
    first = int(text.startswith(BYTE_ORDER_MARK))
    searched = "\n" * first + with_line_feeds(text)[first:]
    group = "page" if "page" in given.pattern.groupindex else min(given.pattern.groups, 1)
    for match in page_marks(given, searched):
        value = (match[group] or "") if group else ""
        has_number = value.isdecimal() and len(value) <= _MOST_DIGITS
        if match.end() > match.start():
            start, end = map(offset, match.span())
            meaning, number = ("begins", int(value)) if has_number else ("next", 0)
            yield _PageMark(max(start, first), end, meaning, number, is_from_pattern=True)


def _dash_marks(text: str) -> Iterator[_PageMark]:
    """Yield the marks of pymupdf4llm's older separator, which follows each page."""
    if text.rstrip().endswith(("\n-----", "\r-----")):
        spans = [match.span(1) for match in _DASHES.finditer(text)]
        if len(spans) > 1 and not _OTHER_RULE.search(text):
            yield from (_PageMark(*span, "next") for span in spans)


def _marks_in_lines(text: str, *, name_pages: bool) -> Iterator[_PageMark]:
    """Yield the marks beside text; a page begins with its first mark unless others say where."""
    page = 0
    for match in _IN_LINE.finditer(text) if ANCHOR in text or "<|det|>" in text else ():
        number = int(match[1]) + 1 if match[1] else 0
        begins = name_pages and number > page
        page = max(page, number)
        yield _PageMark(*match.span(), "begins" if begins else "note", number)


def _with_decided_meanings(text: str, marks: Iterable[_PageMark]) -> list[_PageMark]:
    """Return the marks, with ``begins`` or ``ended`` decided for each ``numbered`` mark.

    Lines that turn out not to be marks are left out. If a form has text before its first mark and
    none after its last, each mark is at the end of its page, otherwise at the beginning.
    """
    decided: list[_PageMark] = []
    forms: dict[str, list[_PageMark]] = defaultdict(list)
    for mark in marks:
        if mark.meaning == "numbered":  # marks of one form are the same but for the number
            form = _NUMBER_AND_TOTAL.sub("", text[mark.start : mark.end]).casefold()
            forms["".join(form.split())].append(mark)
        else:
            decided.append(mark)
    begin, end = len(text) - len(text.lstrip()), len(text.rstrip())
    for group in forms.values():
        has_before, has_after = group[0].start > begin, group[-1].end < end
        if _are_marks(text, group, has_before=has_before, has_after=has_after):
            meaning = "ended" if has_before and not has_after else "begins"
            decided += [mark._replace(meaning=meaning) for mark in group]
    return sorted(decided)


def _are_marks(text: str, marks: Sequence[_PageMark], *, has_before: bool, has_after: bool) -> bool:
    """Whether lines of one form are page marks, judged by all of them and by the text around."""
    first = marks[0]
    if text[first.start] == "[":
        is_likely = len(marks) > 1 or not (has_before and has_after)
        return is_likely and not _LINK_DEFINITION.search(text)  # such lines are then links
    if _WORD.search(text, first.start, first.end):
        return True
    # ``== 3 ==`` is a heading of a wiki, unless the numbers are those of pages. A mark without
    # others has number 1 if no text is before it, and number 2 after the first page.
    if len(marks) == 1:
        return first.number == 1 + has_before
    follows = all(after.number == before.number + 1 for before, after in pairwise(marks))
    return follows and first.number <= _LARGEST_PAGE


# -------------------------------------------------------------------- the pages that they name


def _pages(text: str, marks: Sequence[_PageMark]) -> Sequence[tuple[int, int]]:
    """Return offset and number of each page with text."""
    printed = [mark for mark in marks if mark.meaning == "printed" and mark.number]
    separators = [mark for mark in marks if mark.meaning in {"begins", "ended", "next"}]
    if not separators:
        return _by_printed_numbers([(0, 1)], printed) if printed else ()
    first = separators[0]
    has_text_before = bool(text[: first.start].strip())
    if first.meaning == "next":
        # A form feed ends a page even if the page is blank. Any other mark without a number at the
        # very top begins page 1, so the number before it is 0.
        page = int(has_text_before or text[first.start] == "\f")
    else:
        page = max(1, first.number - (first.meaning == "begins"))
    pages = [(0, page)] if has_text_before else []
    for mark in separators:
        page = mark.number + (mark.meaning == "ended") if mark.meaning != "next" else page + 1
        if pages and not text[pages[-1][0] : mark.start].strip():
            pages.pop()
        pages.append((mark.end, page))
    return _by_printed_numbers(pages, printed)


def _by_printed_numbers(
    pages: Sequence[tuple[int, int]], printed: Iterable[_PageMark]
) -> Sequence[tuple[int, int]]:
    """Return the pages with the numbers that are printed on them, if these fit the pages.

    A page without a number gets one more than the previous page. If any number is lower than the
    count of pages allows, as after pages i to iv, all pages keep their counted numbers.
    """
    shifts: dict[int, int] = {}
    for mark in printed:
        at = max(bisect_right(pages, mark.start, key=itemgetter(0)) - 1, 0)
        shifts.setdefault(at, mark.number - pages[at][1])
    known = list(shifts.values())
    if not known or known[0] < 0 or known != sorted(known):
        return pages
    shift = known[0]
    return [
        (offset, page + (shift := shifts.get(at, shift))) for at, (offset, page) in enumerate(pages)
    ]


# -------------------------------------------------------------------- what is skipped with them


def _gaps(source: Source, marks: Sequence[_PageMark]) -> Iterator[Gap]:
    """Yield the parts of lines with marks that are not text, each with its reason."""
    text, known = source.text, {mark[:2] for mark in marks if not mark.is_from_pattern}
    pieces = [
        (*span, _reason(mark, is_known=mark[:2] in known))
        for mark in marks
        for span in (
            [mark[:2]]
            if mark[:2] in known
            else [match.span() for match in LINE_TEXT.finditer(text, mark.start, mark.end)]
        )
    ]
    for number, of_line in groupby(sorted(pieces), lambda piece: source.line_at(piece[0])):
        start, after = source.line_starts[number : number + 2]
        end = start + len(text[start:after].rstrip("\r\n"))
        *on_line, reasons = zip(*of_line, strict=True)
        reason = next(each for each in _REASONS if each in reasons)
        for span in _line_gaps(text, start, end, list(zip(*on_line, strict=True))):
            yield *span, reason


def _reason(mark: _PageMark, *, is_known: bool) -> str:
    is_furniture = mark.meaning in {"furniture", "printed"}
    return (PAGE_FURNITURE if is_furniture else PAGE_MARK) if is_known else GIVEN_PAGE_MARK


def _line_gaps(text: str, start: int, end: int, pieces: Sequence[Span]) -> Iterator[Span]:
    """Yield the whole line if it contains only marks, else the form feeds at its edges."""
    begins = [*(first for first, _ in pieces), end]
    ends = list(accumulate((after for _, after in pieces), max, initial=start))
    texts = [span for span in zip(ends, begins, strict=True) if text[slice(*span)].strip(_SPACES)]
    if not texts:
        # A line between CR and LF stays, because without it the two would be a single line end.
        if text[max(start - 1, 0) : start] + text[end : end + 1] != "\r\n":
            yield start, max(end, ends[-1])
        return
    edge = [
        piece for piece in pieces if text[slice(*piece)] == "\f" or _IN_LINE.match(text, *piece)
    ]
    head = max((after for _, after in edge if after <= texts[0][0]), default=start)
    tail = min((first for first, _ in edge if first >= texts[-1][1]), default=end)
    inside = [(a, b) for a, b in edge if head <= a and b <= tail and text[a] != "\f"]
    yield from (span for span in [(start, head), *inside, (tail, end)] if span[0] < span[1])


def has_fence(text: str, end: int | None = None) -> bool:
    """Whether a text may have fenced code before an offset."""
    return any(text.find(fence, 0, end) >= 0 for fence in ("```", "~~~"))
