"""Titles without markup, found from the evidence of a whole document.

The steps: lines, tables of contents, numbered candidates, the best chain of numbers, the further
lines of its titles, styles of titles without a number, levels. They are taken only for documents
that mark hardly any heading, or that have many numbered titles besides the marked ones.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from treepack.line_ends import with_line_feeds
from treepack.model.blocks import Block, Evidence, Heading, Span
from treepack.model.source import Source
from treepack.outline.running_numbers import has_few_blank_lines
from treepack.outline.titles.below_marked import below_marked, may_be_below_marked
from treepack.outline.titles.candidates import numbered_candidates
from treepack.outline.titles.contents import Entry, read_contents
from treepack.outline.titles.levels import Title, title_levels
from treepack.outline.titles.lines import Line, read_lines, title_span
from treepack.outline.titles.numbered import accepted
from treepack.outline.titles.numerals import NUMERAL, numeral_titles
from treepack.outline.titles.page import PRINTED_WIDTH, TextLayout, page_of
from treepack.outline.titles.printed import Key
from treepack.outline.titles.signs import sign_of
from treepack.outline.titles.styles import evidence_of, title_height, unnumbered_titles
from treepack.outline.titles.wording import CONTENTS_TITLES, KNOWN_TITLES, is_title, words_of
from treepack.outline.titles.wrapped import with_all_lines

_MOST_MARKED: Final = 3  # headings of a document that marks hardly any
_LINES_OF_MARKED: Final = 100  # lines of text for each of them
_FEWEST_OUTSIDE: Final = 6  # numbered titles beside the marked ones
_LONGEST_FIRST, _MOST_WORDS = 200, 30  # characters and words of a document's title, even of an act
_FEWEST_BELOW: Final = 3  # titles below that of a document
_FIRST_SIGNS: Final = frozenset(" *§0123456789")
# A number with one component may begin an item of any list, unless it is bold.
_NUMBERED_LINE: Final = re.compile(
    r" {0,3}(?:\**(?:\d+(?:\.\d+)+\.?|§ ?\d+)|\*\*\d+\.)[ \t]+\**[A-Z\"(]"
)

# The line of each title begins with one of these; a text without any has no titles.
_EVIDENCE: Final = re.compile(
    r"""(?:\A|(?<=[\r\n\f]))[^\S\r\n\f]{0,80}+
        (?: [0-9§(第] | \*\* | __ | =+[ \t]*[^\s=] | \\(?:part|chapter|(?:sub){0,2}section|para)
          | ([=\-^*"'+\#])\1{2,}[^\S\r\n]*(?=[\r\n]|\Z)
          | ["“„«‘¿¡]?[^\W\d_a-z] (?=[^\r\n]{0,200}[^\s.,;][^\S\r\n]*(?:[\r\n\f]|\Z)) )""",
    re.VERBOSE,
)

_NEVER_FIRST: Final = KNOWN_TITLES | CONTENTS_TITLES
_EXHIBIT: Final = re.compile(r"(?i:exhibit|annex|schedule|appendix|attachment)\s+[\dA-Z]")

_UNDERLINE: Final = re.compile(r"(?: [-=_~*]{3,})+$")
"""The line under a title, which extraction may put after it on the same line."""

_REASONS: Final[dict[Evidence, str]] = {
    "mark": "its markup",
    "number": "its number continues the previous ones",
    "contents": "a table of contents lists it",
    "bold": "it is a bold line, like others",
    "font": "its font is larger than that of the text, like that of others",
    "underline": "it is underlined with a line of punctuation",
    "markup": "it has the markup of AsciiDoc, a wiki or LaTeX",
    "title": "it is on a line of its own, like other titles",
}


class FoundTitle(NamedTuple):
    """A title without markup.

    Attributes:
        start: Its first character that is not whitespace.
        end: After its last one, including an underline.
        text: Its text, on one line.
        level: Its level, from 1.
        evidence: The main evidence for it.
        reason: The evidence in words.
    """

    start: int
    end: int
    text: str
    level: int
    evidence: Evidence
    reason: str


def find_titles(source: Source, blocks: Sequence[Block], gaps: Sequence[Span]) -> list[FoundTitle]:
    """Return the titles of a document that have no markup, in order; none for most documents.

    Args:
        source: The text as it is written.
        blocks: Its top-level blocks, with repaired headings.
        gaps: Page marks and page furniture.
    """
    marked = list(map(type, blocks)).count(Heading)
    hardly = _marks_hardly_any(source, marked)
    if not hardly and not _may_have_more(source.text, blocks, marked):
        return []
    if not source.typography and not _EVIDENCE.search(source.text):
        return []
    lines = read_lines(source, blocks, gaps)
    return _titles_of(lines, source.text, marked, hardly=hardly) if lines else []


def _marks_hardly_any(source: Source, marked: int) -> bool:
    """Whether a document marks so few headings that most of its titles have no markup."""
    most = source.line_count // _LINES_OF_MARKED
    return marked <= min(_MOST_MARKED, most) or (marked <= 2 * most and is_sparse(source))


def _may_have_more(text: str, blocks: Sequence[Block], marked: int) -> bool:
    """Whether a document that marks its headings may have numbered titles besides."""
    return _may_be_outside(text, blocks, marked) or may_be_below_marked(text, blocks)


def _titles_of(lines: Sequence[Line], text: str, marked: int, *, hardly: bool) -> list[FoundTitle]:
    """Return the titles among the lines of a document with some marked headings, or hardly any."""
    page = page_of(lines, text)
    entries = read_contents(lines)
    candidates = numbered_candidates(lines, page, entries)
    chain = accepted(candidates, _printed_places(lines), page)
    chain = with_all_lines(chain, lines, page, entries)
    numerals = numeral_titles(lines) if hardly else {}
    if not numerals.keys() <= {c.at for c in chain}:
        # Most numerals have no title below, so what is below the others is text as well.
        chain = [c for c in chain if c.at not in numerals]
    titles = [Title(c.at, c.lines, c, "") for c in chain if c.role == "title"]
    if hardly:
        taken = {c.at + n for c in chain for n in range(c.lines)}
        numerals = {at: height for at, height in numerals.items() if at not in taken}
        taken |= {at + n for at, height in numerals.items() for n in range(height)}
        titles += [Title(at, height, None, NUMERAL) for at, height in numerals.items()]
        styles = unnumbered_titles(lines, page, entries, taken)
        titles += [
            Title(at, title_height(lines, at, style), None, style) for at, style in styles.items()
        ]
        titles.sort(key=lambda title: title.at)
    outside = sum(lines[title.at].heading is None for title in titles)
    if not hardly and outside < max(_FEWEST_OUTSIDE, 2 * marked):
        below = below_marked(chain, lines)
        return [_found(Title(c.at, c.lines, c, ""), level, lines) for c, level in below]
    marked_levels = {
        candidate.key: heading.level
        for candidate in chain
        if (heading := lines[candidate.at].heading) is not None
    }
    return _leveled(titles, lines, page, entries, marked_levels)


def is_sparse(source: Source) -> bool:
    """Whether blank lines are too rare to separate paragraphs, as in PDF text: markup is chance.

    Markup that a reader of Word files or HTML writes is not chance.
    """
    return not source.origins and has_few_blank_lines(with_line_feeds(source.text))


def _printed_places(lines: Sequence[Line]) -> list[int]:
    """Return the number of each line in print, where a long line takes several lines."""
    found: list[int] = []
    more = 0
    for line in lines:
        found.append(line.number + more)
        more += (line.end - line.start) // PRINTED_WIDTH
    return found


def _may_be_outside(text: str, blocks: Sequence[Block], marked: int) -> bool:
    """Whether there are enough paragraphs that begin like numbered titles.

    An item of a markdown list is not such a paragraph, because it begins with a marker.
    """
    fewest = max(_FEWEST_OUTSIDE, 2 * marked)
    if len(blocks) - marked < fewest:
        return False
    starts = [
        block.start
        for block in blocks
        if block.kind == "paragraph" and text[block.start] in _FIRST_SIGNS
    ]
    if len(starts) < fewest:
        return False
    return sum(_NUMBERED_LINE.match(text, start) is not None for start in starts) >= fewest


def _leveled(
    titles: list[Title],
    lines: Sequence[Line],
    page: TextLayout,
    entries: Mapping[str, Entry],
    marked: Mapping[Key, int],
) -> list[FoundTitle]:
    titles = [title for title in titles if lines[title.at].heading is None]
    if not titles:
        return []
    first = _document_title(titles, lines, page)
    levels = title_levels(titles, lines, entries, first)
    before = next((line.heading for line in lines if line.heading), None)
    has_mark = before is not None and before.start <= lines[titles[0].at].start
    shift = before.level if before is not None and has_mark else int(first is not None)
    if (below := _shift_by_marked(titles, levels, marked)) is not None:
        shift = below
    levels = [level + shift for level in levels]
    if first is not None:
        if titles[0].at == first.at:
            levels[0] = 1
        else:
            titles, levels = [first, *titles], [1, *levels]
    return [_found(title, level, lines) for title, level in zip(titles, levels, strict=True)]


def _shift_by_marked(
    titles: Sequence[Title], levels: Sequence[int], marked: Mapping[Key, int]
) -> int | None:
    """Return how much deeper titles are than their numbers show, judged by marked headings.

    A 3.2 is below a marked 3, or beside a marked 2.7. None if no marked heading decides.
    """
    by_depth = {len(key): level for key, level in marked.items()}
    numbered = [
        (title.number.key, level)
        for title, level in zip(titles, levels, strict=True)
        if title.number is not None
    ]
    for key, level in numbered:
        if (above := marked.get(key[:-1])) is not None:
            return above + 1 - level
    for key, level in numbered:
        if (beside := by_depth.get(len(key))) is not None:
            return beside - level
    return None


def _document_title(
    titles: Sequence[Title], lines: Sequence[Line], page: TextLayout
) -> Title | None:
    """Return the title above all others: the first title, or the first line if it may be one."""
    at = next((n for n, line in enumerate(lines) if not line.is_contents), None)
    if at is None or lines[at].heading or words_of(lines[at].text) in _NEVER_FIRST:
        return None
    if titles[0].at == at or _is_largest(titles[0], titles, lines):
        is_numbered = titles[0].number is not None or titles[0].style == NUMERAL
        is_above = not (is_numbered or _is_shared(titles[0], titles, lines))
        return titles[0] if is_above else None
    is_apart = lines[at].is_last if page.is_spaced else not page.is_wrapped
    is_above = is_apart and len(titles) >= _FEWEST_BELOW
    return Title(at, 1, None, "first") if is_above and _may_be_first(lines[at]) else None


def _is_largest(first: Title, titles: Sequence[Title], lines: Sequence[Line]) -> bool:
    """Whether the first title has a larger font than all others."""
    size = lines[first.at].size
    return size > max((lines[title.at].size for title in titles if title is not first), default=0.0)


def _may_be_first(line: Line) -> bool:
    if line.is_code or not line.is_open or _EXHIBIT.match(line.text):
        return False  # "Exhibit 10.1" above an agreement
    return len(line.text) < _LONGEST_FIRST and is_title(line.text, most=_MOST_WORDS)


def _is_shared(first: Title, titles: Sequence[Title], lines: Sequence[Line]) -> bool:
    """Whether another title has the underline or markup of the first one, and so its level."""
    sign = sign_of(lines[first.at])
    return bool(sign) and any(
        title is not first and sign_of(lines[title.at]) == sign for title in titles
    )


def _found(title: Title, level: int, lines: Sequence[Line]) -> FoundTitle:
    own = lines[title.at : title.at + title.lines]
    number = title.number
    is_apart = number and number.is_apart and number.title
    said = [number.title] if number and is_apart else [line.text for line in own]
    text = " ".join(" ".join(said).split())
    text = _UNDERLINE.sub("", text) or text
    evidence: Evidence = "number" if number else evidence_of(title.style)
    start, end = title_span(lines, title.at, title.at + title.lines - 1)
    return FoundTitle(start, end, text, level, evidence, _REASONS[evidence])
