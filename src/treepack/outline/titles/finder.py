"""Titles without markup, found from the evidence of a whole document.

The steps: lines, tables of contents, numbered candidates, the best chain of numbers, the further
lines of its titles, styles of titles without a number, levels. They are taken only for documents
that mark hardly any heading, or that have many numbered titles besides the marked ones.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from treepack.model.blocks import Block, Evidence, Heading, Span
from treepack.model.source import Source
from treepack.numbers.words import words_of
from treepack.outline.titles.candidates import numbered_candidates
from treepack.outline.titles.layout import TextLayout, layout_of
from treepack.outline.titles.levels import Title, title_at, title_levels
from treepack.outline.titles.lines import Line, read_lines, title_span
from treepack.outline.titles.numbered import accepted_candidates
from treepack.outline.titles.printed import Key
from treepack.outline.titles.styles import evidence_of, title_height, unnumbered_titles
from treepack.outline.titles.toc import Entry, read_toc
from treepack.outline.titles.wording import KNOWN_TITLES, TOC_TITLES, is_title
from treepack.outline.titles.wrapped import with_all_lines

_MOST_MARKED: Final = 3  # headings of a document that marks hardly any
_LINES_FOR_EACH_MARKED: Final = 100  # lines of text for each of them
_FEWEST_UNMARKED: Final = 6  # numbered titles beside the marked ones
_LONGEST_FIRST, _MOST_WORDS = 200, 30  # characters and words of a document's title, even of an act
_FEWEST_BELOW: Final = 3  # titles below that of a document
_FIRST_CHARACTERS: Final = frozenset(" *§0123456789")
# A number with one component may begin an item of any list, unless it is bold.
_NUMBERED_LINE: Final = re.compile(
    r" {0,3}(?:\**(?:\d+(?:\.\d+)+\.?|§ ?\d+)|\*\*\d+\.)[ \t]+\**[A-Z\"(]"
)

# The line of each title begins with one of these; a text without any has no titles.
_EVIDENCE: Final = re.compile(
    r"""(?:\A|(?<=[\r\n\f]))[^\S\r\n\f]{0,80}+
        (?: [0-9§(第] | \*\* | __
          | ([=\-^*"'+\#])\1{2,}[^\S\r\n]*(?=[\r\n]|\Z)
          | ["“„«‘¿¡]?[^\W\d_a-z] (?=[^\r\n]{0,200}[^\s.,;][^\S\r\n]*(?:[\r\n\f]|\Z)) )""",
    re.VERBOSE,
)

_NEVER_FIRST: Final = KNOWN_TITLES | TOC_TITLES
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
    """Return the titles of a document that have no markup, in order; none for most documents."""
    marked_count = list(map(type, blocks)).count(Heading)
    is_unmarked = _is_unmarked(source, marked_count)
    if not (is_unmarked or _has_numbered_paragraphs(source.text, blocks, marked_count)):
        return []
    if not source.typography and not _EVIDENCE.search(source.text):
        return []
    lines = read_lines(source, blocks, gaps)
    return _titles_of(lines, source.text, marked_count, is_unmarked=is_unmarked) if lines else []


def _is_unmarked(source: Source, marked_count: int) -> bool:
    """Whether a document marks so few headings that most of its titles have no markup."""
    most = source.line_count // _LINES_FOR_EACH_MARKED
    return marked_count <= min(_MOST_MARKED, most)


def _titles_of(
    lines: Sequence[Line], text: str, marked_count: int, *, is_unmarked: bool
) -> list[FoundTitle]:
    """Return the titles among the lines of a document with some marked headings, or hardly any."""
    layout = layout_of(lines, text)
    entries = read_toc(lines)
    candidates = numbered_candidates(layout, entries)
    chain = accepted_candidates(candidates, layout)
    chain = with_all_lines(chain, layout)
    titles = [title_at(lines, c.line_index, c.line_count, c) for c in chain if c.role == "title"]
    if is_unmarked:
        title_lines = {c.line_index + n for c in chain for n in range(c.line_count)}
        styles = unnumbered_titles(layout, entries, title_lines)
        titles += [
            title_at(lines, index, title_height(lines, index, style), style=style)
            for index, style in styles.items()
        ]
        titles.sort(key=lambda title: title.line_index)
    unmarked_count = sum(title.line.heading is None for title in titles)
    if not is_unmarked and unmarked_count < max(_FEWEST_UNMARKED, 2 * marked_count):
        return []
    marked_levels = {
        candidate.key: heading.level
        for candidate in chain
        if (heading := lines[candidate.line_index].heading) is not None
    }
    return _with_levels(titles, layout, entries, marked_levels)


def _has_numbered_paragraphs(text: str, blocks: Sequence[Block], marked_count: int) -> bool:
    """Whether there are enough paragraphs that begin like numbered titles.

    An item of a markdown list is not such a paragraph, because it begins with a marker.
    """
    fewest = max(_FEWEST_UNMARKED, 2 * marked_count)
    if len(blocks) - marked_count < fewest:
        return False
    starts = [
        block.start
        for block in blocks
        if block.kind == "paragraph" and text[block.start] in _FIRST_CHARACTERS
    ]
    if len(starts) < fewest:
        return False
    return sum(_NUMBERED_LINE.match(text, start) is not None for start in starts) >= fewest


def _with_levels(
    titles: list[Title],
    layout: TextLayout,
    entries: Mapping[str, Entry],
    marked_levels: Mapping[Key, int],
) -> list[FoundTitle]:
    titles = [title for title in titles if title.line.heading is None]
    if not titles:
        return []
    lines = layout.lines
    first = _document_title(titles, layout)
    levels = title_levels(titles, entries, first)
    first_marked = next((line.heading for line in lines if line.heading), None)
    shift = _shift_by_marked(titles, levels, marked_levels)
    if shift is None:
        is_below = first_marked is not None and first_marked.start <= titles[0].line.start
        shift = first_marked.level if first_marked and is_below else int(first is not None)
    levels = [level + shift for level in levels]
    if first is not None:
        if titles[0].line_index == first.line_index:
            levels[0] = 1
        else:
            titles, levels = [first, *titles], [1, *levels]
    return [_found_title(title, level, lines) for title, level in zip(titles, levels, strict=True)]


def _shift_by_marked(
    titles: Sequence[Title], levels: Sequence[int], marked_levels: Mapping[Key, int]
) -> int | None:
    """Return how much deeper titles are than their numbers show, judged by marked headings.

    A 3.2 is below a marked 3, or beside a marked 2.7. None if no marked heading decides.
    """
    by_depth = {len(key): level for key, level in marked_levels.items()}
    numbered = [
        (title.number.key, level)
        for title, level in zip(titles, levels, strict=True)
        if title.number is not None
    ]
    for key, level in numbered:
        if (above := marked_levels.get(key[:-1])) is not None:
            return above + 1 - level
    for key, level in numbered:
        if (beside := by_depth.get(len(key))) is not None:
            return beside - level
    return None


def _document_title(titles: Sequence[Title], layout: TextLayout) -> Title | None:
    """Return the title above all others: the first title, or the first line if it may be one."""
    lines = layout.lines
    first = next((n for n, line in enumerate(lines) if not line.is_toc_entry), None)
    if first is None or lines[first].heading or words_of(lines[first].text) in _NEVER_FIRST:
        return None
    if titles[0].line_index == first or _is_largest(titles[0], titles):
        is_above = not (titles[0].number or _is_shared(titles[0], titles))
        return titles[0] if is_above else None
    is_apart = lines[first].is_before_blank if layout.is_spaced else not layout.is_wrapped
    is_above = is_apart and len(titles) >= _FEWEST_BELOW
    return (
        title_at(lines, first, style="first") if is_above and _may_be_first(lines[first]) else None
    )


def _is_largest(first: Title, titles: Sequence[Title]) -> bool:
    """Whether the first title has a larger font than all others."""
    size = first.line.size
    return size > max((title.line.size for title in titles if title is not first), default=0.0)


def _may_be_first(line: Line) -> bool:
    if line.is_code or not line.is_open or _EXHIBIT.match(line.text):
        return False  # "Exhibit 10.1" above an agreement
    return len(line.text) < _LONGEST_FIRST and is_title(line.text, most=_MOST_WORDS)


def _is_shared(first: Title, titles: Sequence[Title]) -> bool:
    """Whether another title has the underline of the first one, and so its level."""
    underline = first.line.underline
    return bool(underline) and any(
        title is not first and title.line.underline == underline for title in titles
    )


def _found_title(title: Title, level: int, lines: Sequence[Line]) -> FoundTitle:
    title_lines = lines[title.line_index : title.line_index + title.line_count]
    number = title.number
    has_number_above = number and number.has_number_above and number.title
    texts = [number.title] if number and has_number_above else [line.text for line in title_lines]
    text = " ".join(" ".join(texts).split())
    text = _UNDERLINE.sub("", text) or text
    evidence: Evidence = "number" if number else evidence_of(title.style)
    start, end = title_span(lines, title.line_index, title.line_index + title.line_count - 1)
    return FoundTitle(start, end, text, level, evidence, _REASONS[evidence])
