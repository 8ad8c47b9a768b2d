"""Titles without markup, found from the evidence of a whole document.

The steps: lines, tables of contents, numbered candidates, the best chains of their numbers, styles
of titles without a number, levels. They are taken only for documents that mark hardly any heading,
or that have many numbered titles besides the marked ones.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from treepack.model.blocks import Block, Evidence, Heading, Span
from treepack.model.source import Lines, Source
from treepack.numbers.words import letters, words_of
from treepack.outline.chain import chains_of_titles
from treepack.outline.contents import Entries, read_contents
from treepack.outline.lines import SEVERAL, Layout, Line, read_layout, title_span
from treepack.outline.numbered import Candidate, numbered_candidates
from treepack.outline.printed import is_reference, printed_number
from treepack.outline.shape import KNOWN_TITLES, is_capitals, is_title
from treepack.outline.styles import UNDERLINE, unnumbered_titles
from treepack.outline.title_levels import Title, title_levels
from treepack.plain.lines import SHORTEST_UNWRAPPED

_LINES_FOR_EACH_MARKED: Final = 100  # lines of text for each of them
_MOST_WORDS: Final = 30  # of a document's title, even of an act
_SAME_LETTERS: Final = 8  # of an entry and its title; a page may follow the entry
_TIMES_DENSER: Final = 8  # a contents list than the text
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
_UNDERLINE: Final = re.compile(r"(?: [-=_~*]{3,})+$")
"""The line under a title, which extraction may put after it on the same line."""
_REASONS: Final[dict[Evidence, str]] = {
    "number": "its number continues the previous ones",
    "contents": "a table of contents lists it",
    "bold": "it is a bold line, like others",
    "font": "its font is larger than that of the text, like that of others",
    "underline": "it is underlined with a line of punctuation",
    "title": "it is on a line of its own, like other titles",
}


class FoundTitle(NamedTuple):
    """A title without markup: its span with an underline, its text on one line, its evidence."""

    start: int
    end: int
    text: str
    level: int
    evidence: Evidence
    reason: str


def find_titles(
    source: Source, rows: Lines, gaps: Sequence[Span], blocks: Sequence[Block] | None
) -> list[FoundTitle]:
    """Return the titles of a document that have no markup, in order; none for most documents.

    The arguments are those of `read_layout`.
    """
    marked_count = list(map(type, blocks or ())).count(Heading)
    most_marked = min(SEVERAL, source.line_count // _LINES_FOR_EACH_MARKED)
    is_unmarked = marked_count <= most_marked
    if not (is_unmarked or _has_numbered_paragraphs(source.text, blocks or (), marked_count)):
        return []
    if not (source.typography or _EVIDENCE.search(source.text)):
        return []
    layout = read_layout(source, rows, gaps, blocks)
    if layout is None:
        return []
    entries = read_contents(layout.lines)
    candidates = _without_entries(numbered_candidates(layout, entries), layout.lines)
    chain = chains_of_titles(candidates, layout)
    lines = layout.lines
    titles = [
        Title(each.line_index, lines[each.line_index], each.line_count, each)
        for each in chain
        if each.role == "title"
    ]
    if is_unmarked:
        taken = {each.line_index + n for each in chain for n in range(each.line_count)}
        styles = unnumbered_titles(layout, entries, taken)
        titles += [
            Title(at, lines[at], _height(lines, at, style), style=style)
            for at, style in styles.items()
        ]
        titles.sort(key=lambda title: title.line_index)
    unmarked_count = sum(title.line.heading is None for title in titles)
    if not unmarked_count:
        return []
    if not is_unmarked and unmarked_count < 2 * max(SEVERAL, marked_count):
        return []
    return _with_levels(titles, layout, entries)


def _without_entries(found: Sequence[Candidate], lines: Sequence[Line]) -> list[Candidate]:
    """Return the candidates that are no entries of a table of contents without a heading.

    Several in a row recur later in the same order, with text on their lines or much more between.
    """
    starts = [lines[each.line_index].start for each in found]
    keys = [(*each.number[:2], _first_letters(each.title)) for each in found]
    last = {key: at for at, key in enumerate(keys) if key[-1]}
    regions: list[list[int]] = []
    for at, key in enumerate(keys):
        title = last.get(key, at)
        if title > at and found[at].role == "title":
            region = regions[-1] if regions else []
            if region and at < last[keys[region[0]]] and last[keys[region[-1]]] < title:
                region.append(at)
            else:
                regions.append([at])
    entries = set[int]()
    for region in regions:
        first, end = region[0], region[-1]
        text = starts[last[keys[end]]] - starts[last[keys[first]]]
        is_dense = _TIMES_DENSER * (starts[end] - starts[first]) < text
        titles = [found[last[keys[at]]] for at in region]
        has_text = all(each.role != "title" or ". " in each.title for each in titles)  # on its line
        is_row = len(region) >= SEVERAL and 2 * len(region) > end - first
        if is_row and (is_dense or has_text):
            entries.update(range(first, end + 1))
    return [each for at, each in enumerate(found) if at not in entries]


def _first_letters(title: str) -> str:
    return letters(title.partition(". ")[0].rstrip(" .0123456789"))[:_SAME_LETTERS]


def _height(lines: Sequence[Line], index: int, style: str) -> int:
    """Return how many lines an unnumbered title takes: two if it is centred and in capitals."""
    if style != "centred" or lines[index].is_before_blank:
        return 1
    return 1 + all(is_capitals(line.text) for line in lines[index : index + 2])


def _has_numbered_paragraphs(text: str, blocks: Sequence[Block], marked_count: int) -> bool:
    """Whether there are enough paragraphs that begin like numbered titles.

    An item of a markdown list is not such a paragraph, because it begins with a marker.
    """
    fewest = 2 * max(SEVERAL, marked_count)
    starts = [
        block.start
        for block in blocks
        if block.kind == "paragraph" and text[block.start] in _FIRST_CHARACTERS
    ]
    if len(starts) < fewest:
        return False  # the common case
    return sum(_NUMBERED_LINE.match(text, start) is not None for start in starts) >= fewest


def _with_levels(titles: list[Title], layout: Layout, entries: Entries) -> list[FoundTitle]:
    """Return the titles with their levels, below the document's title or a marked heading."""
    first = _document_title(titles, layout)
    levels = title_levels(titles, entries, first)
    below = next((line.heading for line in layout.lines if line.heading), None)
    shift = int(first is not None)
    if below is not None and below.start <= titles[0].line.start:
        shift = below.level
    for title, level in zip(titles, levels, strict=True):
        if title.line.heading:  # the others are as deep, relative to it, as their numbers show
            shift = title.line.heading.level - level
            break
    levels = [level + shift for level in levels]
    if first is not None and first is titles[0]:
        levels[0] = 1
    elif first is not None:
        titles, levels = [first, *titles], [1, *levels]
    return [
        _found_title(title, max(level, 1), layout.lines)
        for title, level in zip(titles, levels, strict=True)
        if title.line.heading is None
    ]


def _document_title(titles: Sequence[Title], layout: Layout) -> Title | None:
    """Return the title above all others: the first title, or the first line if it may be one."""
    lines = layout.lines
    first = next((n for n, line in enumerate(lines) if not line.is_entry), None)
    if first is None or lines[first].heading or words_of(lines[first].text) in KNOWN_TITLES:
        return None
    largest = max((title.line.size for title in titles[1:]), default=0.0)
    if titles[0].line_index == first or titles[0].line.size > largest:
        underline = titles[0].line.underline  # if another title has it too, they have one level
        is_shared = underline and any(each.line.underline == underline for each in titles[1:])
        return None if titles[0].number or is_shared else titles[0]
    line = lines[first]
    is_apart = line.is_before_blank if layout.is_spaced else layout.width >= SHORTEST_UNWRAPPED
    if not is_apart or len(titles) < SEVERAL or line.is_code or not line.is_open:
        return None
    is_shaped = is_title(line.text, most=_MOST_WORDS)
    number = printed_number(line)  # "Exhibit 10.1" may stand above an agreement
    is_annex = number is not None and number.kind == "annex"
    return Title(first, line) if is_shaped and not is_annex else None


def _found_title(title: Title, level: int, lines: Sequence[Line]) -> FoundTitle:
    number = title.number
    last = title.line_index + title.line_count - 1
    below = [line.text for line in lines[title.line_index + 1 : last + 1]]
    texts = [title.line.text, *(text for text in below if not is_reference(text))]
    if number and number.number.has_own_lines and number.title:
        texts = [number.title]
    text = " ".join(" ".join(texts).split())
    text = _UNDERLINE.sub("", text) or text
    evidence = "number" if number else _evidence(title.style)
    span = title_span(lines, title.line_index, last)
    return FoundTitle(*span, text, level, evidence, _REASONS[evidence])


def _evidence(style: str) -> Evidence:
    """Return the evidence that a style gives for a title."""
    if style.startswith(UNDERLINE):
        return "underline"
    of_style: dict[str, Evidence] = {"contents": "contents", "bold": "bold", "font": "font"}
    return of_style.get(style, "title")
