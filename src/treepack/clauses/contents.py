"""Labels that only point to clauses: tables of contents, and the references in an index."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby, pairwise, zip_longest
from operator import itemgetter
from typing import Final, TypeVar

from treepack.clauses.labels import ClauseLabel, LabelItem, start_of
from treepack.model.section import Section
from treepack.model.source import LINE_END
from treepack.numbers.clause_number import RELATIVE, WORDLESS, ClauseNumber
from treepack.numbers.grammar import is_toc_entry
from treepack.numbers.words import CITED_BY_NUMBER, words_of

_T = TypeVar("_T")
_FEWEST_ENTRIES: Final = 3  # in a row in a table of contents; a single title may occur twice
_LONGEST_READ: Final = 400  # characters of a label's text that are read
_WHITESPACE: Final = frozenset({"", " ", "\n", "\r", "\t"})
_MARKUP: Final = " \t\r\n*+-_"
_NOT_TITLE_ENDS: Final = ".,;:"  # the points of a law end with these
_SENTENCE_ENDS: Final = ".;:!?"
_SENTENCE_AND_NOTE: Final = re.compile(r"[.;:][\s\u00a0]*\\?[\[(][^\[\r\n]*\)$")
"""The end of a sentence and a note on it: ``... shall pay. [(Amended by Act 5)](https://...)``."""
_LONGEST_ENTRY: Final = 2000  # characters; extraction may join the lines of a table of contents
_NUMBERED_KINDS: Final = frozenset({"decimal", "paragraph"})
_RUN_IN_TITLE: Final = re.compile(
    r"[\W_]*\d[\d.]*[\W_]+(?=[^\W\d_])[^.:\r\n]{1,100}(?=[.:][*_]*[ \t]+\S)"
)
"""A number and a title that runs into the text: ``1. **Definitions.** In this ...``."""
_LEADER_DOTS: Final = re.compile(r"\.(?:[ \t]*\.){4,}")
_MOST_LINES: Final = 2  # of an entry's title, below its number
_PAGE: Final = re.compile(r"[\s*_|]*[0-9ivxlcIVXLC]")
"""The page after leader dots; a form has dots to write on, and nothing after them."""
_WORD: Final = re.compile(r"[^\W\d_]{2}")
_ONLY_DOTS: Final = re.compile(r"\s*(?:\.\s*)+")
_NUMBER_AND_WORD: Final = re.compile(r"\W*\d[\d.]*\W+[^\W\d_]")
_NON_WORD: Final = re.compile(r"[\W_]+")


def without_entries(
    text: str,
    sections: Sequence[Section],
    labels: Sequence[list[LabelItem]],
    numbers: Mapping[int, ClauseNumber],
) -> Iterator[tuple[Section, list[LabelItem]]]:
    """Yield each section with the labels of its own content, except entries and references."""
    entries = _entries(text, sections, labels, numbers) | _references(
        text, numbers.values(), labels
    )
    first = next((start_of(own[0]) for own in labels if own), len(text))
    if _LEADER_DOTS.search(text, first):
        entries |= _entries_with_leaders(text, labels)
    for section, own in zip(sections, labels, strict=True):
        kept = [label for label in own if start_of(label) not in entries] if entries else own
        yield section, kept


def _entries_with_leaders(text: str, labels: Sequence[Sequence[LabelItem]]) -> set[int]:
    """Return the starts of labels whose text is only a title with leader dots to its page.

    If numbers and titles have lines of their own, other titles may follow. If dots or pages have
    lines of their own, or the next entry has no label, only several such labels are entries. A
    title without dots beside an entry is an entry too, such as the last one of a page.
    """
    found: set[int] = set()
    for section_labels in labels:
        entries: list[ClauseLabel] = []
        likely: list[ClauseLabel] = []
        spans = [*_short_spans(section_labels)]
        for label, end in spans:
            below = _lines_below(text, label.start, end)
            if _has_leaders_to_page(text, label.start, end) or (
                below and _is_numbered_entry(below[0])
            ):
                entries.append(label)
            elif any(is_toc_entry(line) or _ONLY_DOTS.fullmatch(line) for line in below):
                likely.append(label)
        entries += likely if len(likely) >= _FEWEST_ENTRIES else ()
        if entries:
            found |= _with_bare_titles(text, spans, entries)
    return found


def _with_bare_titles(
    text: str, spans: Sequence[tuple[ClauseLabel, int]], entries: Iterable[ClauseLabel]
) -> set[int]:
    """Return the starts of entries, and of labels beside them that have a title and nothing else.

    The clause itself may follow the last entry, but its number is that of an entry.
    """
    found = {label.start for label in entries}
    numbers = {(label.number.kind, label.number.parts) for label in entries}
    for order in (spans, spans[::-1]):
        for (neighbour, _), (label, end) in pairwise(order):
            number = (label.number.kind, label.number.parts)
            is_new = neighbour.start in found and number not in numbers
            if is_new and _is_title_alone(text, label.start, end):
                found.add(label.start)
                numbers.add(number)
    return found


def _short_spans(labels: Sequence[LabelItem]) -> Iterator[tuple[ClauseLabel, int]]:
    """Yield each label that has text, and the end of the part of the text that is read."""
    for label, after in zip_longest(labels, labels[1:]):
        if isinstance(label, ClauseLabel):
            end = min(label.limit, label.start + _LONGEST_READ)
            end = min(end, start_of(after)) if after is not None else end
            if end > label.start:
                yield label, end


def _is_title_alone(text: str, start: int, end: int) -> bool:
    """Whether a label has no words, or only a title: its page is missing, or on another line."""
    line_end, _ = _line_end(text, start, end)
    if _WORD.search(text, line_end, end):
        return False
    return text[start:line_end].rstrip()[-1:] not in _NOT_TITLE_ENDS or not _WORD.search(
        text, start, line_end
    )


def _has_leaders_to_page(text: str, start: int, end: int) -> bool:
    """Whether leader dots and pages follow a title, and no other text follows them."""
    pages = [
        _PAGE.match(text, leader.end(), end) for leader in _LEADER_DOTS.finditer(text, start, end)
    ]
    if not pages:
        return False
    last = pages[-1] if all(pages) else None
    if last and not _WORD.search(text, last.end() - 1, end):
        return True
    # a number on a line of its own, and a title of one or two lines below it
    is_alone = not _WORD.search(text, start, _line_end(text, start, end)[0])
    below = _lines_below(text, start, pages[0].start()) if pages[0] else ()
    return is_alone and 0 < len(below) <= _MOST_LINES


def _is_numbered_entry(line: str) -> bool:
    """Whether a line is a numbered entry of a table of contents: ``1.3 Care ........ 7``."""
    return is_toc_entry(line) and _NUMBER_AND_WORD.match(line) is not None


def _lines_below(text: str, start: int, end: int) -> Sequence[str]:
    """Return the first non-blank lines below the line of a label."""
    lines = LINE_END.split(text[start:end])[1:]
    return [line for line in lines if line.strip()][: _MOST_LINES + 1]


def _references(
    text: str, numbers: Iterable[ClauseNumber], labels: Sequence[Sequence[LabelItem]]
) -> set[int]:
    """Return the starts of labels that are only references, such as the items of an index.

    Such a label fills its paragraph. It is not a clause if a heading has its number (``Section
    9.1`` with a heading 9.1). Without text below it, it is also not a clause if it is in a list
    item, or if its word and number have occurred before.
    """
    known = {(number.kind, number.parts) for number in numbers}
    decimals = {parts for kind, parts in known if kind == "decimal"}
    found: set[int] = set()
    for section_labels in labels:
        for label, after in zip_longest(section_labels, section_labels[1:]):
            if not isinstance(label, ClauseLabel) or label.number.kind in RELATIVE:
                continue
            number = label.number
            is_of_heading = number.kind in CITED_BY_NUMBER and number.parts in decimals
            is_named_again = number.kind != "decimal" and (number.kind, number.parts) in known
            if label.depth or is_of_heading or is_named_again:
                line_end = _end_if_alone(text, label)
                if line_end and (is_of_heading or _has_no_text(text, label, line_end, after)):
                    found.add(label.start)
            known.add((number.kind, number.parts))
    return found


def _end_if_alone(text: str, label: ClauseLabel) -> int:
    """Return the end of a label's line if the label alone is a whole paragraph, else 0."""
    line_end, following = _line_end(text, label.start, label.limit)
    words = _NON_WORD.sub("", text[label.start : line_end])
    if words != _NON_WORD.sub("", label.number.label):
        return 0
    return line_end if text[following : following + 1] in _WHITESPACE else 0


def _has_no_text(text: str, label: ClauseLabel, line_end: int, after: LabelItem | None) -> bool:
    """Whether neither text nor a label of another kind follows below a label."""
    end = label.limit
    if not label.depth and after is not None:
        if not isinstance(after, ClauseLabel) or after.number.kind != label.number.kind:
            return False
        end = after.start
    return not _NON_WORD.sub("", text[line_end : min(end, line_end + _LONGEST_READ)])


def _line_end(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the end of the line that begins at `start`, and the start of the next one."""
    feed = text.find("\n", start, end)
    line_end = end if feed < 0 else feed
    if (carriage := text.find("\r", start, line_end)) >= 0:
        return carriage, carriage + (2 if carriage + 1 == feed else 1)
    return line_end, min(line_end + 1, end)


def _entries(
    text: str,
    sections: Sequence[Section],
    labels: Sequence[Sequence[LabelItem]],
    numbers: Mapping[int, ClauseNumber],
) -> set[int]:
    """Return the starts of labels that are entries of a table of contents.

    An entry is only a title, and the title occurs again: as a heading, or later above the text of a
    numbered clause. Several entries in a row are a table of contents.
    """
    entries = _named_entries(text, labels, numbers)
    runs = [run for own in labels for run in _runs(_titles_alone(text, own))]
    if not runs:
        return entries
    above_text = {title: start for own in labels for title, start in _titles_above_text(text, own)}
    for section in sections:
        if section.heading:
            above_text[words_of(section.heading.text)] = len(text)
    for run in runs:
        known = (start if above_text.get(title, -1) > start else None for start, title in run)
        entries.update(chain.from_iterable(_runs(known)))
    return entries


def _runs(values: Iterable[_T | None]) -> Iterator[list[_T]]:
    """Yield the runs of values without None that are long enough for a table of contents."""
    for is_none, group in groupby(values, key=lambda value: value is None):
        run = [] if is_none else [value for value in group if value is not None]
        if len(run) >= _FEWEST_ENTRIES:
            yield run


def _named_entries(
    text: str, labels: Sequence[Sequence[LabelItem]], numbers: Mapping[int, ClauseNumber]
) -> set[int]:
    """Return the starts of entries like ``Section 1.01. Terms 1``: several in a row, all titles.

    Each of these numbers occurs again later, above the text that the entry points to.
    """
    named = [
        label
        for own in labels
        for label in own
        if isinstance(label, ClauseLabel) and label.number.kind not in WORDLESS
    ]
    if len(named) < _FEWEST_ENTRIES:
        return set()
    starts_and_numbers = [*numbers.items(), *((label.start, label.number) for label in named)]
    last = {
        (number.kind, number.parts): start
        for start, number in sorted(starts_and_numbers, key=itemgetter(0))
    }
    titles: list[int | None] = []
    for label, after in zip_longest(named, named[1:]):
        end = min(after.start if after else label.limit, label.start + _LONGEST_ENTRY)
        entry_text = text[label.start : end].rstrip()
        is_title = entry_text[-1:] not in _SENTENCE_ENDS and (
            last[label.number.kind, label.number.parts] > label.start
        )
        is_entry = is_title and not _SENTENCE_AND_NOTE.search(entry_text)
        titles.append(label.start if is_entry else None)
    return set(chain.from_iterable(_runs(titles)))


def _titles_alone(text: str, labels: Sequence[LabelItem]) -> Iterator[tuple[int, str] | None]:
    """Yield (start, title) of each label whose line may be a title above no text, else None."""
    for label, after in zip_longest(labels, labels[1:]):
        if isinstance(label, ClauseLabel) and label.number.parts[0][-1].isdigit():
            title = _title_alone(text, label, after)
            yield (label.start, words_of(title)) if title else None
        else:
            yield None


def _title_alone(text: str, label: ClauseLabel, after: LabelItem | None) -> str:
    """Return a numbered label's line if it may be a title and no text follows, else empty."""
    end = label.limit if after is None else start_of(after)
    line_end, following = _line_end(text, label.start, end)
    if text[line_end - 1] in _NOT_TITLE_ENDS:
        return ""  # most points of a law
    if text[following : following + 1] not in _WHITESPACE and following != end:
        return ""
    line = text[label.start : line_end].strip(_MARKUP)
    has_title = len(line) > len(label.number.label) + 1
    is_alone = has_title and not text[line_end : min(end, line_end + _LONGEST_READ)].strip(_MARKUP)
    return line if is_alone else ""


def _titles_above_text(text: str, labels: Sequence[LabelItem]) -> Iterator[tuple[str, int]]:
    """Yield (title, start) of each numbered label with further text, below or after its title."""
    for label, after in zip_longest(labels, labels[1:]):
        if not isinstance(label, ClauseLabel) or label.number.kind not in _NUMBERED_KINDS:
            continue
        end = label.limit if after is None else start_of(after)
        end = min(end, label.start + _LONGEST_READ)
        line_end, following = _line_end(text, label.start, end)
        if title := _RUN_IN_TITLE.match(text, label.start, line_end):
            yield words_of(title[0]), label.start
        elif text[following:end].strip(_MARKUP):
            yield words_of(text[label.start : line_end]), label.start
